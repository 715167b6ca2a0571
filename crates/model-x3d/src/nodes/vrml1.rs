//! VRML 1.0 node types, as defined in its specification of 1996 (1.0c).
//!
//! In files, children are not in a field; here, they are in `children`. In addition to the
//! specification, the fields of Castle Game Engine are supported: `separate` of `WWWInline`, and
//! `gravityUp`, `direction` and `up` of cameras.

use super::types::{Default, Family, Field, FieldKind, NodeType};

/// `Type { Kind field default…; … }`, as the specification writes it.
macro_rules! node_types {
    ($($name:ident { $($kind:ident $field:ident $($default:literal)*;)* })*) => {
        &[$(NodeType {
            name: stringify!($name),
            family: Family::Vrml1,
            container: "",
            fields: &[$(Field {
                name: stringify!($field),
                kind: FieldKind::$kind,
                default: default_of!($kind $($default)*),
            },)*],
            is_skipped: false,
        },)*]
    };
}

/// Returns the keywords allowed in a field of kind [`FieldKind::Words`] (VRML 1.0c).
pub(super) fn words(field: &str) -> &'static [&'static str] {
    match field {
        "justification" => &["LEFT", "CENTER", "RIGHT"],
        "parts" => &["SIDES", "TOP", "BOTTOM", "ALL"],
        "family" => &["SERIF", "SANS", "TYPEWRITER"],
        "style" => &["NONE", "BOLD", "ITALIC"],
        "value" => &[
            "DEFAULT",
            "OVERALL",
            "PER_PART",
            "PER_PART_INDEXED",
            "PER_FACE",
            "PER_FACE_INDEXED",
            "PER_VERTEX",
            "PER_VERTEX_INDEXED",
        ],
        "renderCulling" => &["ON", "OFF", "AUTO"],
        "vertexOrdering" => &["UNKNOWN_ORDERING", "CLOCKWISE", "COUNTERCLOCKWISE"],
        "shapeType" => &["UNKNOWN_SHAPE_TYPE", "SOLID"],
        "faceType" => &["UNKNOWN_FACE_TYPE", "CONVEX"],
        "wrapS" | "wrapT" => &["REPEAT", "CLAMP"],
        "map" => &["NONE", "POINT"],
        _ => &[],
    }
}

/// The types, sorted by name.
#[expect(clippy::approx_constant, reason = "angles as the standard prints them")]
pub(super) static NODE_TYPES: &[NodeType] = node_types! {
    AsciiText {
        MFString string ""; SFFloat spacing 1; Words justification "LEFT"; MFFloat width 0;
    }
    Cone { Words parts "ALL"; SFFloat bottomRadius 1; SFFloat height 2; }
    Coordinate3 { MFVec3f point 0 0 0; }
    Cube { SFFloat width 2; SFFloat height 2; SFFloat depth 2; }
    Cylinder { Words parts "ALL"; SFFloat radius 1; SFFloat height 2; }
    DirectionalLight {
        SFBool on true; SFFloat intensity 1; SFColor color 1 1 1; SFVec3f direction 0 0 -1;
    }
    FontStyle { SFFloat size 10; Words family "SERIF"; Words style "NONE"; }
    Group { MFNode children; }
    IndexedFaceSet {
        MFInt32 coordIndex 0; MFInt32 materialIndex -1; MFInt32 normalIndex -1;
        MFInt32 textureCoordIndex -1;
    }
    IndexedLineSet {
        MFInt32 coordIndex 0; MFInt32 materialIndex -1; MFInt32 normalIndex -1;
        MFInt32 textureCoordIndex -1;
    }
    Info { SFString string "<Undefined info>"; }
    LOD { MFFloat range; SFVec3f center 0 0 0; MFNode children; }
    Material {
        MFColor ambientColor 0.2 0.2 0.2; MFColor diffuseColor 0.8 0.8 0.8;
        MFColor specularColor 0 0 0; MFColor emissiveColor 0 0 0; MFFloat shininess 0.2;
        MFFloat transparency 0;
    }
    MaterialBinding { Words value "OVERALL"; }
    MatrixTransform { SFMatrix4f matrix 1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1; }
    Normal { MFVec3f vector 0 0 1; }
    NormalBinding { Words value "DEFAULT"; }
    OrthographicCamera {
        SFVec3f position 0 0 1; SFRotation orientation 0 0 1 0; SFFloat focalDistance 5;
        SFFloat height 2; MFVec3f direction; MFVec3f up; SFVec3f gravityUp 0 1 0;
    }
    PerspectiveCamera {
        SFVec3f position 0 0 1; SFRotation orientation 0 0 1 0; SFFloat focalDistance 5;
        SFFloat heightAngle 0.785398; MFVec3f direction; MFVec3f up; SFVec3f gravityUp 0 1 0;
    }
    PointLight { SFBool on true; SFFloat intensity 1; SFColor color 1 1 1; SFVec3f location 0 0 1; }
    PointSet { SFInt32 startIndex 0; SFInt32 numPoints -1; }
    Rotation { SFRotation rotation 0 0 1 0; }
    Scale { SFVec3f scaleFactor 1 1 1; }
    Separator { Words renderCulling "AUTO"; MFNode children; }
    ShapeHints {
        Words vertexOrdering "UNKNOWN_ORDERING"; Words shapeType "UNKNOWN_SHAPE_TYPE";
        Words faceType "CONVEX"; SFFloat creaseAngle 0.5;
    }
    Sphere { SFFloat radius 1; }
    SpotLight {
        SFBool on true; SFFloat intensity 1; SFColor color 1 1 1; SFVec3f location 0 0 1;
        SFVec3f direction 0 0 -1; SFFloat dropOffRate 0; SFFloat cutOffAngle 0.785398;
    }
    Switch { SFInt32 whichChild -1; MFNode children; }
    Texture2 {
        SFString filename ""; SFImage image 0 0 0; Words wrapS "REPEAT"; Words wrapT "REPEAT";
    }
    Texture2Transform {
        SFVec2f translation 0 0; SFFloat rotation 0; SFVec2f scaleFactor 1 1; SFVec2f center 0 0;
    }
    TextureCoordinate2 { MFVec2f point 0 0; }
    Transform {
        SFVec3f translation 0 0 0; SFRotation rotation 0 0 1 0; SFVec3f scaleFactor 1 1 1;
        SFRotation scaleOrientation 0 0 1 0; SFVec3f center 0 0 0;
    }
    TransformSeparator { MFNode children; }
    Translation { SFVec3f translation 0 0 0; }
    WWWAnchor { SFString name ""; SFString description ""; Words map "NONE"; MFNode children; }
    WWWInline {
        MFString name; SFVec3f bboxSize 0 0 0; SFVec3f bboxCenter 0 0 0; SFBool separate true;
    }
};
