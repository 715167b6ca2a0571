//! The node types that are known: their fields, with kinds and defaults.

/// A default, written as the standards do: numbers, flags or strings one after the other.
macro_rules! default_of {
    (SFBool $flag:literal) => { Default::Flag($flag) };
    ($kind:ident) => { Default::Empty };
    (SFInt32 $($number:literal)+) => { Default::Ints(&[$($number),+]) };
    (MFInt32 $($number:literal)+) => { Default::Ints(&[$($number),+]) };
    (SFImage $($number:literal)+) => { Default::Ints(&[$($number),+]) };
    (SFString $text:literal) => { Default::Strings(&[$text]) };
    (MFString $($text:literal)+) => { Default::Strings(&[$($text),+]) };
    (Words $word:literal) => { Default::Strings(&[$word]) };
    ($kind:ident $($number:literal)+) => { Default::Floats(&[$($number as f32),+]) };
}

mod vrml1;
mod x3d;

/// What a field holds. `SF` is one value, `MF` any number of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are the standard's (ISO/IEC 19775-1, 5)")]
pub enum FieldKind {
    SFBool,
    MFBool,
    SFInt32,
    MFInt32,
    SFImage,
    SFFloat,
    MFFloat,
    SFTime,
    MFTime,
    SFVec2f,
    MFVec2f,
    SFVec3f,
    MFVec3f,
    SFVec4f,
    MFVec4f,
    SFColor,
    MFColor,
    SFColorRGBA,
    MFColorRGBA,
    SFRotation,
    MFRotation,
    SFMatrix3f,
    SFMatrix4f,
    SFString,
    MFString,
    /// VRML 1.0: a word without quotes, or several in brackets with bars between them.
    Words,
    SFNode,
    MFNode,
}

impl FieldKind {
    /// Any number of values, not just one.
    pub(crate) const fn is_list(self) -> bool {
        use FieldKind::*;
        match self {
            MFBool | MFInt32 | MFFloat | MFTime | MFVec2f | MFVec3f | MFVec4f | MFColor
            | MFColorRGBA | MFRotation | MFString | Words | MFNode => true,
            SFBool | SFInt32 | SFImage | SFFloat | SFTime | SFVec2f | SFVec3f | SFVec4f
            | SFColor | SFColorRGBA | SFRotation | SFMatrix3f | SFMatrix4f | SFString | SFNode => {
                false
            }
        }
    }

    /// Whether it holds nodes.
    pub(crate) const fn is_nodes(self) -> bool {
        matches!(self, FieldKind::SFNode | FieldKind::MFNode)
    }

    /// How many numbers make one value.
    pub(crate) const fn width(self) -> usize {
        use FieldKind::*;
        match self {
            SFVec2f | MFVec2f => 2,
            SFVec3f | MFVec3f | SFColor | MFColor => 3,
            SFVec4f | MFVec4f | SFColorRGBA | MFColorRGBA | SFRotation | MFRotation => 4,
            SFMatrix3f => 9,
            SFMatrix4f => 16,
            SFBool | MFBool | SFInt32 | MFInt32 | SFImage | SFFloat | MFFloat | SFTime | MFTime
            | SFString | MFString | Words | SFNode | MFNode => 1,
        }
    }
}

/// What a field is where the file does not say.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Default {
    /// Nothing: an empty list, no node.
    Empty,
    /// A flag.
    Flag(bool),
    /// Integers.
    Ints(&'static [i32]),
    /// Numbers.
    Floats(&'static [f32]),
    /// Strings or words.
    Strings(&'static [&'static str]),
}

impl Default {
    pub(crate) const fn floats(self) -> &'static [f32] {
        if let Default::Floats(numbers) = self { numbers } else { &[] }
    }

    pub(crate) const fn ints(self) -> &'static [i32] {
        if let Default::Ints(numbers) = self { numbers } else { &[] }
    }

    pub(crate) const fn flag(self) -> bool {
        matches!(self, Default::Flag(true))
    }
}

/// A field of a node type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// What it holds.
    pub kind: FieldKind,
    /// What it is where the file does not say.
    pub default: Default,
}

/// Which of the two languages a node type belongs to: VRML 1.0, or VRML 97 and X3D.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// VRML 1.0.
    Vrml1,
    /// VRML 97, X3D classic, X3D XML.
    X3d,
}

/// A node type.
#[derive(Debug, PartialEq)]
pub struct NodeType {
    /// Its name.
    pub name: &'static str,
    /// Which language it belongs to.
    pub family: Family,
    /// In X3D XML, the field of the parent that it goes to where
    /// `containerField` does not say; `children` mostly. Empty in VRML 1.0.
    pub container: &'static str,
    /// Its fields.
    pub fields: &'static [Field],
}

impl Field {
    /// The words that it may hold, where it holds words.
    pub fn words(&self) -> &'static [&'static str] {
        vrml1::words(self.name)
    }
}

impl NodeType {
    /// A field by its name.
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields.get(usize::from(self.field_index(name)?))
    }

    /// Place of a field in [`NodeType::fields`], by its name in X3D or in VRML 97.
    pub fn field_index(&self, name: &str) -> Option<u8> {
        // VRML 97 has other names for some (ISO/IEC 14772-1, 6.8, 6.26 and 6.46).
        let name = match (self.name, self.family, name) {
            ("Switch", Family::X3d, "choice") | ("LOD", Family::X3d, "level") => "children",
            ("Collision", Family::X3d, "collide") => "enabled",
            (_, _, name) => name,
        };
        u8::try_from(self.fields.iter().position(|field| field.name == name)?).ok()
    }
}

/// The node type of that name.
pub fn find(name: &str, family: Family) -> Option<&'static NodeType> {
    let types = match family {
        Family::Vrml1 => vrml1::NODE_TYPES,
        Family::X3d => x3d::NODE_TYPES,
    };
    types.get(types.binary_search_by(|node| node.name.cmp(name)).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted_and_their_defaults_fit() {
        for (family, types) in [(Family::Vrml1, vrml1::NODE_TYPES), (Family::X3d, x3d::NODE_TYPES)]
        {
            assert!(types.is_sorted_by(|a, b| a.name < b.name));
            assert!(types.len() > 30);
            for node in types {
                assert!(std::ptr::eq(find(node.name, family).unwrap(), node));
                assert_eq!(node.family, family);
                assert!(node.fields.len() < 256);
                for field in node.fields {
                    let place = format!("{}.{}", node.name, field.name);
                    assert!(
                        std::ptr::eq(node.field(field.name).unwrap(), field),
                        "{place} is there twice"
                    );
                    let numbers = match field.default {
                        Default::Floats(numbers) => numbers.len(),
                        Default::Ints(numbers) if field.kind != FieldKind::SFImage => numbers.len(),
                        _ => field.kind.width(),
                    };
                    assert!(
                        numbers == field.kind.width()
                            || field.kind.is_list() && numbers.is_multiple_of(field.kind.width()),
                        "{place}"
                    );
                    // One value is always there; a list or a node may be empty.
                    if let (FieldKind::Words, Default::Strings(word)) = (field.kind, field.default)
                    {
                        assert!(field.words().contains(&word[0]), "{place}");
                    }
                    assert!(
                        field.default != Default::Empty
                            || field.kind.is_list()
                            || field.kind.is_nodes(),
                        "{place} has no default"
                    );
                }
            }
        }
        assert_eq!(find("Separator", Family::X3d), None);
        assert_eq!(find("transform", Family::X3d), None);
    }

    #[test]
    fn defaults_of_the_standards() {
        let default = |family, node: &str, field: &str| {
            find(node, family).unwrap().field(field).unwrap().default
        };
        assert_eq!(
            default(Family::X3d, "Transform", "rotation"),
            Default::Floats(&[0.0, 0.0, 1.0, 0.0])
        );
        assert_eq!(default(Family::X3d, "IndexedFaceSet", "ccw"), Default::Flag(true));
        assert_eq!(default(Family::X3d, "Group", "bboxSize"), Default::Floats(&[-1.0; 3]));
        assert_eq!(
            default(Family::X3d, "NavigationInfo", "type"),
            Default::Strings(&["EXAMINE", "ANY"])
        );
        assert_eq!(default(Family::X3d, "Switch", "whichChoice"), Default::Ints(&[-1]));
        assert_eq!(default(Family::X3d, "Shape", "metadata"), Default::Empty);
        assert_eq!(default(Family::Vrml1, "ShapeHints", "creaseAngle"), Default::Floats(&[0.5]));
        assert_eq!(
            default(Family::Vrml1, "MaterialBinding", "value"),
            Default::Strings(&["OVERALL"])
        );
        assert_eq!(find("Coordinate", Family::X3d).unwrap().container, "coord");
        assert_eq!(find("MetadataString", Family::X3d).unwrap().container, "metadata");
    }
}
