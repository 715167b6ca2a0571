//! Nodes with their fields, and the known node types.

use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The key under which an Inline stores the scene to which it refers.
pub(super) const CONTENT: &str = "(content)";

/// A node with all fields of its type.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Node {
    /// The type, such as `Transform`; `Scene` for the root of a file.
    pub(super) kind: String,
    /// Whether this is a VRML 1.0 node. Some VRML 1.0 types have the same name as X3D types but a
    /// different meaning.
    pub(super) vrml1: bool,
    pub(super) def: Option<String>,
    /// The folder of the node's file, relative to the animation file.
    pub(super) base: String,
    pub(super) fields: BTreeMap<String, Value>,
}

/// Returns the scene at a URL, relative to the current file.
pub(super) type Inlined<'a> = &'a dyn Fn(&str) -> Node;

/// The value of a field. A single value is a list of length 1.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    /// Components of vectors, colours and matrices, concatenated.
    Numbers(Vec<f64>),
    /// Rotations as quaternions x y z w.
    Rotations(Vec<[f64; 4]>),
    Integers(Vec<i64>),
    Flags(Vec<bool>),
    /// Strings and enumerated values.
    Texts(Vec<String>),
    Nodes(Vec<Node>),
}

impl Node {
    /// Creates a node with default values.
    pub(super) fn new(kind: &str, vrml1: bool, base: &str) -> Self {
        let fields = node_type(kind, vrml1).map(|found| found.defaults.clone()).unwrap_or_default();
        Self { kind: kind.to_owned(), vrml1, def: None, base: base.to_owned(), fields }
    }

    /// Sets the scene to which an Inline refers.
    pub(super) fn fill_inline(&mut self, inlined: Inlined<'_>) {
        let url = match &*self.kind {
            "Inline" => self.texts("url").first().filter(|_| self.flag("load", true)),
            "WWWInline" => self.texts("name").first().filter(|name| !name.is_empty()),
            _ => return,
        };
        let content = url.map(|url| inlined(url));
        self.fields.insert(CONTENT.to_owned(), Value::Nodes(content.into_iter().collect()));
    }

    fn field(&self, name: &str) -> &Value {
        self.fields.get(name).unwrap_or_else(|| panic!("{} has no {name}", self.kind))
    }

    pub(super) fn numbers(&self, name: &str) -> &[f64] {
        match self.field(name) {
            Value::Numbers(numbers) => numbers,
            other => panic!("{name} is {other:?}"),
        }
    }

    pub(super) fn number(&self, name: &str) -> f64 {
        self.numbers(name)[0]
    }

    /// Returns the vectors of a field, with `N` components each.
    pub(super) fn vectors<const N: usize>(&self, name: &str) -> Vec<[f64; N]> {
        let (vectors, rest) = self.numbers(name).as_chunks::<N>();
        assert!(rest.is_empty(), "{name} ends within a vector");
        vectors.to_vec()
    }

    pub(super) fn vector(&self, name: &str) -> [f64; 3] {
        self.vectors(name)[0]
    }

    pub(super) fn rotation(&self, name: &str) -> [f64; 4] {
        match self.field(name) {
            Value::Rotations(rotations) => rotations[0],
            other => panic!("{name} is {other:?}"),
        }
    }

    pub(super) fn integers(&self, name: &str) -> &[i64] {
        match self.field(name) {
            Value::Integers(integers) => integers,
            other => panic!("{name} is {other:?}"),
        }
    }

    /// Returns the value of a boolean field; `otherwise` if the type has no such field.
    pub(super) fn flag(&self, name: &str, otherwise: bool) -> bool {
        match self.fields.get(name) {
            Some(Value::Flags(flags)) => flags[0],
            Some(other) => panic!("{name} is {other:?}"),
            None => otherwise,
        }
    }

    pub(super) fn texts(&self, name: &str) -> &[String] {
        match self.field(name) {
            Value::Texts(texts) => texts,
            other => panic!("{name} is {other:?}"),
        }
    }

    /// Returns the nodes in a field. Empty if the type has no such field.
    pub(super) fn nodes(&self, name: &str) -> &[Node] {
        match self.fields.get(name) {
            Some(Value::Nodes(nodes)) => nodes,
            Some(other) => panic!("{name} is {other:?}"),
            None => &[],
        }
    }
}

/// Reads the rest of a string after its opening quotation mark.
pub(super) fn quoted_string(chars: &mut impl Iterator<Item = char>) -> String {
    let mut string = String::new();
    loop {
        match chars.next().expect("a closing quotation mark") {
            '"' => return string,
            '\\' => string.extend(chars.next()),
            c => string.push(c),
        }
    }
}

pub(super) struct NodeType {
    /// The default container field of the XML encoding.
    pub(super) container: &'static str,
    pub(super) fields: BTreeMap<&'static str, FieldType>,
    /// The defaults by field.
    defaults: BTreeMap<String, Value>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct FieldType {
    pub(super) base: Base,
    /// Whether the field has multiple values.
    pub(super) many: bool,
    /// The default values in the XML encoding, with commas instead of spaces.
    default: &'static str,
}

/// The type of a field's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Base {
    /// Floating-point numbers, with this number of components per value.
    Numbers(usize),
    /// An axis and an angle in radians.
    Rotation,
    Integer,
    Flag,
    Text,
    /// A word, or words joined by `|` in parentheses.
    Enumerated,
    Node,
}

/// Returns the type with this name; `None` if unknown.
pub(super) fn node_type(kind: &str, vrml1: bool) -> Option<&'static NodeType> {
    type Types = BTreeMap<&'static str, NodeType>;
    static X3D_TYPES: LazyLock<Types> =
        LazyLock::new(|| X3D.lines().map(|line| read_type(line, false)).collect());
    static VRML1_TYPES: LazyLock<Types> =
        LazyLock::new(|| VRML1.lines().map(|line| read_type(line, true)).collect());
    if vrml1 { &VRML1_TYPES } else { &X3D_TYPES }.get(kind)
}

/// Parses a line of the tables into a name and a type.
fn read_type(line: &'static str, vrml1: bool) -> (&'static str, NodeType) {
    let mut words = line.split_whitespace();
    let name = words.next().unwrap();
    let (name, container) = name.split_once('@').unwrap_or((name, "children"));
    let fields = words.flat_map(|word| match word {
        "+bounds" => BOUNDS.split(' '),
        "+mesh" => MESH.split(' '),
        word => word.split(' '),
    });
    let of_all = (!vrml1).then_some("metadata:n");
    let fields: BTreeMap<&str, FieldType> = fields.chain(of_all).map(field_type).collect();
    let default = |(&name, field): (&&str, &FieldType)| (name.to_owned(), field.default_value());
    let defaults = fields.iter().map(default).collect();
    (name, NodeType { container, fields, defaults })
}

impl NodeType {
    /// Finds a field by its name in a file. Some fields have different names in VRML 97.
    pub(super) fn field(&self, kind: &str, name: &str) -> Option<(&'static str, FieldType)> {
        let name = match (kind, name) {
            ("Switch", "choice") => "children",
            ("Collision", "collide") => "enabled",
            _ => name,
        };
        self.fields.get_key_value(name).map(|(&name, &field)| (name, field))
    }
}

fn field_type(text: &'static str) -> (&'static str, FieldType) {
    let (name, text) = text.split_once(':').unwrap();
    let (text, default) = text.split_once('=').unwrap_or((text, ""));
    let (base, many) = text.strip_suffix('*').map_or((text, false), |base| (base, true));
    let base = match base {
        "r" => Base::Rotation,
        "i" => Base::Integer,
        "b" => Base::Flag,
        "s" => Base::Text,
        "e" => Base::Enumerated,
        "n" => Base::Node,
        count => Base::Numbers(count.parse().unwrap()),
    };
    (name, FieldType { base, many, default })
}

impl FieldType {
    fn default_value(&self) -> Value {
        let words: Vec<&str> = self.default.split(',').filter(|word| !word.is_empty()).collect();
        match self.base {
            Base::Node => Value::Nodes(Vec::new()),
            // Strings without a default value are empty.
            Base::Text if !self.many => Value::Texts(vec![self.default.to_owned()]),
            Base::Text => Value::Texts(words.iter().map(|&text| text.to_owned()).collect()),
            _ => self.value_of_words(&words),
        }
    }

    /// Parses a value from words (numbers, booleans or enumerated values).
    pub(super) fn value_of_words(&self, words: &[&str]) -> Value {
        let numbers = || words.iter().map(|word| number(word)).collect::<Vec<f64>>();
        let size = match self.base {
            Base::Numbers(size) => size,
            Base::Rotation => 4,
            _ => 1,
        };
        let is_one = words.len() == size || self.base == Base::Enumerated;
        let is_whole = words.len().is_multiple_of(size) && (self.many || is_one);
        assert!(is_whole, "{words:?} as {self:?}");
        match self.base {
            Base::Numbers(_) => Value::Numbers(numbers()),
            Base::Rotation => {
                let numbers = numbers();
                let (rotations, _) = numbers.as_chunks::<4>();
                Value::Rotations(rotations.iter().copied().map(quaternion).collect())
            }
            Base::Integer => Value::Integers(words.iter().map(|word| integer(word)).collect()),
            Base::Flag => Value::Flags(words.iter().map(|word| flag(word)).collect()),
            Base::Enumerated => Value::Texts(words.iter().map(|&word| word.to_owned()).collect()),
            Base::Text | Base::Node => panic!("{self:?} is not made of words"),
        }
    }
}

/// Returns the quaternion x y z w for an axis of any length and an angle in radians. A zero axis
/// means no rotation.
fn quaternion([x, y, z, angle]: [f64; 4]) -> [f64; 4] {
    let length = (x * x + y * y + z * z).sqrt();
    if length == 0.0 {
        return [0.0, 0.0, 0.0, 1.0];
    }
    let (sin, cos) = (angle / 2.0).sin_cos();
    [x / length * sin, y / length * sin, z / length * sin, cos]
}

/// Parses a finite number.
pub(super) fn number(text: &str) -> f64 {
    let value: f64 = text.parse().unwrap_or_else(|_| panic!("{text:?} is not a number"));
    assert!(value.is_finite(), "{text:?} is not finite");
    value
}

fn integer(word: &str) -> i64 {
    word.parse().unwrap_or_else(|_| panic!("{word:?} is not an integer"))
}

fn flag(word: &str) -> bool {
    match &*word.to_ascii_lowercase() {
        "true" | "1" => true,
        "false" | "0" => false,
        other => panic!("{other:?} is not a boolean"),
    }
}

/// The fields of nodes with bounds.
const BOUNDS: &str = "bboxCenter:3=0,0,0 bboxSize:3=-1,-1,-1 bboxDisplay:b=FALSE visible:b=TRUE \
                      render:b=TRUE";
/// The fields that most meshes have in common.
const MESH: &str = "color:n coord:n normal:n texCoord:n ccw:b=TRUE colorPerVertex:b=TRUE \
                    normalPerVertex:b=TRUE solid:b=TRUE";

/// The X3D and VRML 97 types that occur in files, one per line: name, `@` and the default container
/// unless it is `children`, followed by the name, type and default of each field. A number is a
/// component count; `r` is a rotation, `i` an integer, `b` a boolean, `s` a string, `n` a node; `*`
/// means multiple values. `+` denotes fields shared by several types.
const X3D: &str = "\
Scene children:n*
Transform +bounds children:n* center:3=0,0,0 rotation:r=0,0,1,0 scale:3=1,1,1 \
    scaleOrientation:r=0,0,1,0 translation:3=0,0,0
Group +bounds children:n*
Collision +bounds children:n* enabled:b=TRUE proxy:n
Switch +bounds children:n* whichChoice:i=-1
Inline +bounds load:b=TRUE url:s*
Shape +bounds appearance:n geometry:n
Appearance@appearance material:n texture:n textureTransform:n fillProperties:n lineProperties:n \
    pointProperties:n alphaMode:s=AUTO alphaCutoff:1=0.5 shaders:n*
Material@material ambientIntensity:1=0.2 diffuseColor:3=0.8,0.8,0.8 emissiveColor:3=0,0,0 \
    shininess:1=0.2 specularColor:3=0,0,0 transparency:1=0 diffuseTexture:n \
    diffuseTextureMapping:s emissiveTexture:n emissiveTextureMapping:s normalTexture:n \
    normalTextureMapping:s normalScale:1=1
UnlitMaterial@material emissiveColor:3=1,1,1 emissiveTexture:n emissiveTextureMapping:s \
    normalTexture:n normalTextureMapping:s normalScale:1=1 transparency:1=0
ImageTexture@texture description:s url:s* repeatS:b=TRUE repeatT:b=TRUE textureProperties:n
IndexedFaceSet@geometry +mesh attrib:n* fogCoord:n colorIndex:i* convex:b=TRUE coordIndex:i* \
    creaseAngle:1=0 normalIndex:i* texCoordIndex:i*
IndexedTriangleSet@geometry +mesh index:i*
IndexedTriangleFanSet@geometry +mesh index:i*
IndexedTriangleStripSet@geometry +mesh index:i* creaseAngle:1=0
TriangleSet@geometry +mesh
TriangleFanSet@geometry +mesh fanCount:i*
TriangleStripSet@geometry +mesh stripCount:i* creaseAngle:1=0
IndexedLineSet@geometry color:n coord:n colorIndex:i* colorPerVertex:b=TRUE coordIndex:i* \
    normal:n
LineSet@geometry color:n coord:n vertexCount:i* normal:n
PointSet@geometry color:n coord:n normal:n
Box@geometry size:3=2,2,2 solid:b=TRUE
Sphere@geometry radius:1=1 solid:b=TRUE
Cone@geometry bottomRadius:1=1 height:1=2 bottom:b=TRUE side:b=TRUE solid:b=TRUE
Cylinder@geometry bottom:b=TRUE height:1=2 radius:1=1 side:b=TRUE top:b=TRUE solid:b=TRUE
Coordinate@coord point:3*
TextureCoordinate@texCoord point:2*
Color@color color:3*
ColorRGBA@color color:4*
NavigationInfo avatarSize:1*=0.25,1.6,0.75 headlight:b=TRUE speed:1=1 transitionTime:1*=1 \
    transitionType:s*=LINEAR type:s*=EXAMINE,ANY visibilityLimit:1=0
Background groundAngle:1* groundColor:3* backUrl:s* bottomUrl:s* frontUrl:s* leftUrl:s* \
    rightUrl:s* topUrl:s* skyAngle:1* skyColor:3*=0,0,0 transparency:1=0
Viewpoint centerOfRotation:3=0,0,0 description:s fieldOfView:1=0.785398 jump:b=TRUE \
    orientation:r=0,0,1,0 position:3=0,0,10 retainUserOffsets:b=FALSE
PointLight ambientIntensity:1=0 attenuation:3=1,0,0 color:3=1,1,1 global:b=TRUE intensity:1=1 \
    location:3=0,0,0 on:b=TRUE radius:1=100
";

/// The VRML 1.0 types that occur in files. Only grouping nodes have children.
const VRML1: &str = "\
Scene children:n*
Separator children:n* renderCulling:e=AUTO
Group children:n*
TransformSeparator children:n*
Switch children:n* whichChild:i=-1
WWWInline name:s bboxSize:3=0,0,0 bboxCenter:3=0,0,0 separate:b=TRUE
Translation translation:3=0,0,0
Rotation rotation:r=0,0,1,0
Scale scaleFactor:3=1,1,1
Transform translation:3=0,0,0 rotation:r=0,0,1,0 scaleFactor:3=1,1,1 scaleOrientation:r=0,0,1,0 \
    center:3=0,0,0
MatrixTransform matrix:16=1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1
Coordinate3 point:3*=0,0,0
TextureCoordinate2 point:2*=0,0
Texture2 filename:s wrapS:e=REPEAT wrapT:e=REPEAT
Material ambientColor:3*=0.2,0.2,0.2 diffuseColor:3*=0.8,0.8,0.8 specularColor:3*=0,0,0 \
    emissiveColor:3*=0,0,0 shininess:1*=0.2 transparency:1*=0
ShapeHints vertexOrdering:e=UNKNOWN_ORDERING shapeType:e=UNKNOWN_SHAPE_TYPE faceType:e=CONVEX \
    creaseAngle:1=0.5
IndexedFaceSet coordIndex:i*=0 materialIndex:i*=-1 normalIndex:i*=-1 textureCoordIndex:i*=-1
IndexedLineSet coordIndex:i*=0 materialIndex:i*=-1 normalIndex:i*=-1 textureCoordIndex:i*=-1
PointSet startIndex:i=0 numPoints:i=-1
Cube width:1=2 height:1=2 depth:1=2
Sphere radius:1=1
Cone parts:e=ALL bottomRadius:1=1 height:1=2
Cylinder parts:e=ALL radius:1=1 height:1=2
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_line_is_a_valid_type() {
        for (table, vrml1) in [(X3D, false), (VRML1, true)] {
            for line in table.lines() {
                let kind = line.split(['@', ' ']).next().unwrap();
                let node = Node::new(kind, vrml1, "");
                assert!(!node.fields.is_empty(), "{kind}");
            }
        }
        assert!(node_type("Blob", false).is_none());
        assert_eq!(Node::new("Transform", false, "").vector("scale"), [1.0; 3]);
        assert!(Node::new("IndexedFaceSet", false, "").integers("coordIndex").is_empty());
    }
}
