//! The supported node types and their fields, with kinds and defaults.

/// Parses a default, written as in the standards: a sequence of numbers, flags or strings.
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

pub(crate) mod events;
mod skipped;
mod types;
mod vrml1;
mod x3d;

pub use types::{Default, Family, Field, FieldKind, NodeType};

impl Field {
    /// Returns the allowed keywords, if the field contains keywords.
    pub fn words(&self) -> &'static [&'static str] {
        vrml1::words(self.name)
    }
}

/// The type of a node that is an instance of a prototype, until it is expanded. The fields of the
/// node are numbered like those of the prototype.
pub(crate) static INSTANCE: NodeType = NodeType {
    name: "ProtoInstance",
    family: Family::X3d,
    container: "children",
    fields: &[],
    is_skipped: true,
};

/// Stands for an unknown node type while the content of a node is skipped.
pub(crate) static UNKNOWN: NodeType = NodeType {
    name: "a node of an unknown type",
    family: Family::X3d,
    container: "children",
    fields: &[],
    is_skipped: true,
};

/// The same in VRML 1.0.
pub(crate) static UNKNOWN_VRML1: NodeType =
    NodeType { name: UNKNOWN.name, family: Family::Vrml1, ..UNKNOWN };

/// Whether a node is an instance of a prototype, or the node with the defaults of a prototype.
pub(crate) fn is_instance(kind: &NodeType) -> bool {
    std::ptr::eq(kind, &raw const INSTANCE)
}

/// Returns the node type with this name.
pub fn find(name: &str, family: Family) -> Option<&'static NodeType> {
    let in_types = |types: &'static [NodeType], name: &str| {
        types.get(types.binary_search_by(|node| node.name.cmp(name)).ok()?)
    };
    match family {
        Family::Vrml1 => in_types(vrml1::NODE_TYPES, name),
        Family::X3d => in_types(x3d::NODE_TYPES, of_standard(name))
            .or_else(|| in_types(skipped::NODE_TYPES, name)),
    }
}

/// Maps other names of standard node types to the standard names: those under which Castle Game
/// Engine extends them, and those of the prototypes of H-Anim 1.1 in VRML 97.
/// Other names are unchanged.
fn of_standard(name: &str) -> &str {
    match name {
        "Displacer" => "HAnimDisplacer",
        "Humanoid" => "HAnimHumanoid",
        // Of VRML 97, amendment 1.
        "InlineLoadControl" => "Inline",
        "Joint" => "HAnimJoint",
        "Segment" => "HAnimSegment",
        "Site" => "HAnimSite",
        "KambiAppearance" => "Appearance",
        "KambiInline" => "Inline",
        "KambiNavigationInfo" => "NavigationInfo",
        "MultiGeneratedTextureCoordinate" => "MultiTextureCoordinate",
        _ => name,
    }
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
                    let found = node.field(field.name).unwrap();
                    assert!(std::ptr::eq(found, field), "{place} is duplicated");
                    let (kind, width) = (field.kind, field.kind.width());
                    let numbers = match field.default {
                        Default::Floats(numbers) => numbers.len(),
                        Default::Ints(numbers) if kind != FieldKind::SFImage => numbers.len(),
                        _ => width,
                    };
                    let is_whole = kind.is_list() && numbers.is_multiple_of(width);
                    assert!(numbers == width || is_whole, "{place}");
                    if let (FieldKind::Words, Default::Strings(word)) = (kind, field.default) {
                        assert!(field.words().contains(&word[0]), "{place}");
                    }
                    // A single value always exists; a list or node may be empty.
                    let may_be_empty = kind.is_list() || kind.is_nodes();
                    assert!(may_be_empty || field.default != Default::Empty, "{place}");
                }
            }
        }
        assert!(skipped::NODE_TYPES.is_sorted_by(|a, b| a.name < b.name));
        assert!(skipped::NODE_TYPES.iter().all(|node| node.is_skipped && node.fields.is_empty()));
        assert_eq!(find("ImageCubeMapTexture", Family::X3d).unwrap().container, "texture");
        assert_eq!(find("KambiInline", Family::X3d), find("Inline", Family::X3d));
        assert_eq!(find("Separator", Family::X3d), None);
        assert_eq!(find("transform", Family::X3d), None);
    }

    #[test]
    fn defaults_of_the_standards() {
        for (family, node, field, default) in [
            (Family::X3d, "Transform", "rotation", Default::Floats(&[0.0, 0.0, 1.0, 0.0])),
            (Family::X3d, "IndexedFaceSet", "ccw", Default::Flag(true)),
            (Family::X3d, "Group", "bboxSize", Default::Floats(&[-1.0; 3])),
            (Family::X3d, "NavigationInfo", "type", Default::Strings(&["EXAMINE", "ANY"])),
            (Family::X3d, "Switch", "whichChoice", Default::Ints(&[-1])),
            (Family::X3d, "Shape", "metadata", Default::Empty),
            (Family::Vrml1, "ShapeHints", "creaseAngle", Default::Floats(&[0.5])),
            (Family::Vrml1, "MaterialBinding", "value", Default::Strings(&["OVERALL"])),
        ] {
            let found = find(node, family).unwrap().field(field).unwrap().default;
            assert_eq!(found, default, "{node}.{field}");
        }
        assert_eq!(find("Coordinate", Family::X3d).unwrap().container, "coord");
        assert_eq!(find("MetadataString", Family::X3d).unwrap().container, "metadata");
    }
}
