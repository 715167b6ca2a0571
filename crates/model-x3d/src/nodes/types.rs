//! Definitions of node types and their fields, with kinds and defaults.

/// The kind of value in a field. `SF` is a single value, `MF` any number of values.
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
    MFMatrix4f,
    SFString,
    MFString,
    /// VRML 1.0: an unquoted keyword, or several in parentheses, separated by `|`.
    Words,
    SFNode,
    MFNode,
}

impl FieldKind {
    /// Returns the kind with a name that a declaration of a field uses. Double precision values are
    /// stored in single precision.
    pub(crate) fn named(name: &str) -> Option<FieldKind> {
        use FieldKind::*;
        Some(match name {
            "SFBool" => SFBool,
            "MFBool" => MFBool,
            "SFInt32" => SFInt32,
            "MFInt32" => MFInt32,
            "SFImage" => SFImage,
            "SFFloat" | "SFDouble" => SFFloat,
            "MFFloat" | "MFDouble" => MFFloat,
            "SFTime" => SFTime,
            "MFTime" => MFTime,
            "SFVec2f" | "SFVec2d" => SFVec2f,
            "MFVec2f" | "MFVec2d" => MFVec2f,
            "SFVec3f" | "SFVec3d" => SFVec3f,
            "MFVec3f" | "MFVec3d" => MFVec3f,
            "SFVec4f" | "SFVec4d" => SFVec4f,
            "MFVec4f" | "MFVec4d" => MFVec4f,
            "SFColor" => SFColor,
            "MFColor" => MFColor,
            "SFColorRGBA" => SFColorRGBA,
            "MFColorRGBA" => MFColorRGBA,
            "SFRotation" => SFRotation,
            "MFRotation" => MFRotation,
            "SFMatrix3f" | "SFMatrix3d" => SFMatrix3f,
            "SFMatrix4f" | "SFMatrix4d" => SFMatrix4f,
            "MFMatrix4f" | "MFMatrix4d" => MFMatrix4f,
            "SFString" => SFString,
            "MFString" => MFString,
            "SFNode" => SFNode,
            "MFNode" => MFNode,
            _ => return None,
        })
    }

    /// Whether the field contains any number of values rather than a single value.
    pub(crate) const fn is_list(self) -> bool {
        use FieldKind::*;
        match self {
            MFBool | MFInt32 | MFFloat | MFTime | MFVec2f | MFVec3f | MFVec4f | MFColor
            | MFColorRGBA | MFRotation | MFMatrix4f | MFString | Words | MFNode => true,
            SFBool | SFInt32 | SFImage | SFFloat | SFTime | SFVec2f | SFVec3f | SFVec4f
            | SFColor | SFColorRGBA | SFRotation | SFMatrix3f | SFMatrix4f | SFString | SFNode => {
                false
            }
        }
    }

    /// Whether the field contains nodes.
    pub(crate) const fn is_nodes(self) -> bool {
        matches!(self, FieldKind::SFNode | FieldKind::MFNode)
    }

    /// Whether the values of the field are numbers or flags.
    pub(crate) const fn is_numeric(self) -> bool {
        use FieldKind::{MFString, SFString, Words};
        !self.is_nodes() && !matches!(self, SFString | MFString | Words)
    }

    /// Number of components in one value.
    pub(crate) const fn width(self) -> usize {
        use FieldKind::*;
        match self {
            SFVec2f | MFVec2f => 2,
            SFVec3f | MFVec3f | SFColor | MFColor => 3,
            SFVec4f | MFVec4f | SFColorRGBA | MFColorRGBA | SFRotation | MFRotation => 4,
            SFMatrix3f => 9,
            SFMatrix4f | MFMatrix4f => 16,
            SFBool | MFBool | SFInt32 | MFInt32 | SFImage | SFFloat | MFFloat | SFTime | MFTime
            | SFString | MFString | Words | SFNode | MFNode => 1,
        }
    }
}

/// The default value of a field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Default {
    /// No value: an empty list, or no node.
    Empty,
    /// A boolean.
    Flag(bool),
    /// A list of integers.
    Ints(&'static [i32]),
    /// A list of floating-point numbers.
    Floats(&'static [f32]),
    /// A list of strings or keywords.
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
    /// The name.
    pub name: &'static str,
    /// The kind of value.
    pub kind: FieldKind,
    /// The default value.
    pub default: Default,
}

/// The language family of a node type: VRML 1.0, or VRML 97 and X3D.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// VRML 1.0.
    Vrml1,
    /// VRML 97, X3D classic, X3D XML.
    X3d,
}

/// A node type.
#[derive(Debug)]
pub struct NodeType {
    /// The name.
    pub name: &'static str,
    /// The language family.
    pub family: Family,
    /// In X3D XML, the parent field that contains the node unless overridden by `containerField`;
    /// usually `children`. Empty in VRML 1.0.
    pub container: &'static str,
    /// The fields.
    pub fields: &'static [Field],
    /// Whether the node is recognised only by name and its content is skipped.
    pub is_skipped: bool,
}

/// Node types with the same name and family are equal.
impl PartialEq for NodeType {
    fn eq(&self, other: &NodeType) -> bool {
        (self.name, self.family) == (other.name, other.family)
    }
}

impl NodeType {
    /// Looks up a field by name.
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        self.indexed_field(name).map(|(_, field)| field)
    }

    /// Returns the name of the field at an index of [`NodeType::fields`].
    pub(crate) fn field_name(&self, index: u8) -> &'static str {
        self.fields.get(usize::from(index)).map_or("", |field| field.name)
    }

    /// Looks up a field by name. Also returns its index in [`NodeType::fields`].
    pub(crate) fn indexed_field(&self, name: &str) -> Option<(u8, &'static Field)> {
        let index = self.field_index(name)?;
        Some((index, self.fields.get(usize::from(index))?))
    }

    /// Returns the index of a field in [`NodeType::fields`], given its X3D or VRML 97 name.
    pub fn field_index(&self, name: &str) -> Option<u8> {
        let position = |name: &str| self.fields.iter().position(|field| field.name == name);
        u8::try_from(position(name).or_else(|| position(self.other_name(name)?))?).ok()
    }

    /// Returns the name in [`NodeType::fields`] of a field with several names.
    fn other_name(&self, name: &str) -> Option<&'static str> {
        // VRML 97 has different names for some fields (ISO/IEC 14772-1, 6.8, 6.26 and 6.46).
        Some(match (self.name, self.family, name) {
            ("Switch", Family::X3d, "choice") | ("LOD", Family::X3d, "level") => "children",
            ("Collision", Family::X3d, "collide") => "enabled",
            // H-Anim in VRML 97.
            ("HAnimHumanoid", _, "humanoidBody") => "skeleton",
            // The only nodes with children of another name.
            ("CADFace" | "CollidableShape", _, "shape")
            | ("CollidableOffset", _, "collidable")
            | ("LayerSet", _, "layers") => "children",
            // The name in Castle Game Engine before X3D 4 had one.
            ("Shape", Family::X3d, "render") => "visible",
            // The name that Castle Game Engine writes.
            ("WWWInline", Family::Vrml1, "url") => "name",
            _ => return None,
        })
    }
}
