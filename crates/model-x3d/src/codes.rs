//! Every kind of problem this crate reports: what it means, how it looks, what the reader does
//! about it.

use anim_ir::{Category, Code, Severity};

pub use crate::geometry::codes::{
    FACE_CORNERS, GEOMETRY_COUNT, GEOMETRY_EMPTY, GEOMETRY_KIND, GEOMETRY_LIMIT, INDEX,
    TOO_FEW_VALUES,
};

/// A token stands where the grammar has no place for it.
pub static SYNTAX: Code = Code {
    id: "x3d-syntax",
    severity: Severity::Error,
    category: Category::Syntax,
    meaning: "A token stands where the grammar has no place for it.",
    example: "Shape geometry Box { }",
    action: "What cannot be told apart is skipped, up to the next field or the closing brace.",
};

/// The file ends inside of a node.
pub static UNCLOSED: Code = Code {
    id: "x3d-unclosed",
    severity: Severity::Error,
    category: Category::Syntax,
    meaning: "The file ends inside of a node.",
    example: "Transform { children [ Shape {",
    action: "The nodes that were begun stay, with what they have.",
};

/// A token stands where a finite number belongs. Decimal commas, `nan` and `inf` are none.
pub static NUMBER: Code = Code {
    id: "x3d-number",
    severity: Severity::Error,
    category: Category::Syntax,
    meaning: "A token stands where a finite number belongs. Decimal commas, `nan` and `inf` are \
              none.",
    example: "translation 1 nan 0",
    action: "The field is left out.",
};

/// A token stands where an integer of 32 bits belongs.
pub static INTEGER: Code = Code {
    id: "x3d-integer",
    severity: Severity::Error,
    category: Category::Syntax,
    meaning: "A token stands where an integer of 32 bits belongs.",
    example: "coordIndex [ 0 1.5 2 -1 ]",
    action: "The field is left out.",
};

/// A token stands where `TRUE` or `FALSE` belongs.
pub static BOOLEAN: Code = Code {
    id: "x3d-boolean",
    severity: Severity::Error,
    category: Category::Syntax,
    meaning: "A token stands where `TRUE` or `FALSE` belongs.",
    example: "solid yes",
    action: "The field is left out.",
};

/// A string has no quotes, or no closing one.
pub static STRING: Code = Code {
    id: "x3d-string",
    severity: Severity::Error,
    category: Category::Syntax,
    meaning: "A string has no quotes, or no closing one.",
    example: "url \"a.png",
    action: "The field is left out.",
};

/// VRML 1.0: a word that a field cannot hold.
pub static WORD: Code = Code {
    id: "x3d-word",
    severity: Severity::Error,
    category: Category::Value,
    meaning: "A field of VRML 1.0 that holds one of a few words has another one.",
    example: "MaterialBinding { value PER_LEAF }",
    action: "The field is left out.",
};

/// A field has too few or too many values.
pub static COUNT: Code = Code {
    id: "x3d-count",
    severity: Severity::Error,
    category: Category::Value,
    meaning: "A field has too few or too many values.",
    example: "translation 1 2",
    action: "The field is left out; where it holds nodes, the first one counts.",
};

/// A node type that this reader does not know.
pub static UNKNOWN_NODE: Code = Code {
    id: "x3d-unknown-node",
    severity: Severity::Warning,
    category: Category::Compatibility,
    meaning: "A node type that this reader does not know.",
    example: "Sphear { radius 1 }",
    action: "The node is skipped with all that is in it.",
};

/// A node has no such field.
pub static UNKNOWN_FIELD: Code = Code {
    id: "x3d-unknown-field",
    severity: Severity::Warning,
    category: Category::Compatibility,
    meaning: "A node has no such field.",
    example: "Box { radius 1 }",
    action: "The field is skipped.",
};

/// A node has a field twice.
pub static REPEATED_FIELD: Code = Code {
    id: "x3d-repeated-field",
    severity: Severity::Warning,
    category: Category::Value,
    meaning: "A node has a field twice.",
    example: "Sphere { radius 1 radius 2 }",
    action: "The later one counts.",
};

/// A name is used that no node before it has, or inside of the node that has it.
pub static USE: Code = Code {
    id: "x3d-use",
    severity: Severity::Error,
    category: Category::Reference,
    meaning: "A name is used that no node before it has, or inside of the node that has it.",
    example: "Shape { geometry USE Nothing }",
    action: "The use is left out.",
};

/// Two nodes have the same name.
pub static REPEATED_NAME: Code = Code {
    id: "x3d-repeated-name",
    severity: Severity::Note,
    category: Category::Reference,
    meaning: "Two nodes have the same name.",
    example: "DEF A Group { } DEF A Shape { }",
    action: "From there on the name means the later node.",
};

/// The name of a node is longer than the limit.
pub static NAME: Code = Code {
    id: "x3d-name",
    severity: Severity::Error,
    category: Category::Limit,
    meaning: "The name of a node is longer than the limit.",
    example: "",
    action: "The node has no name.",
};

/// Nodes are nested deeper than the limit.
pub static DEPTH: Code = Code {
    id: "x3d-depth",
    severity: Severity::Error,
    category: Category::Limit,
    meaning: "Nodes are nested deeper than the limit.",
    example: "",
    action: "What is deeper is skipped.",
};

/// A prototype is declared. Prototypes are not followed.
pub static PROTO: Code = Code {
    id: "x3d-proto",
    severity: Severity::Warning,
    category: Category::Compatibility,
    meaning: "A prototype is declared. Prototypes are not followed.",
    example: "PROTO Wheel [ ] { Cylinder { } }",
    action: "The declaration is skipped, and with it the nodes made by it.",
};

/// Events are sent from node to node. A scene is read as it stands before any event.
pub static ROUTE: Code = Code {
    id: "x3d-route",
    severity: Severity::Note,
    category: Category::Compatibility,
    meaning: "Events are sent from node to node. A scene is read as it stands before any event.",
    example: "ROUTE Clock.fraction_changed TO Path.set_fraction",
    action: "The statement is skipped.",
};

/// A file in XML has no `Scene` element.
pub static NO_SCENE: Code = Code {
    id: "x3d-no-scene",
    severity: Severity::Error,
    category: Category::Syntax,
    meaning: "A file in XML has no `Scene` element.",
    example: "<X3D></X3D>",
    action: "There is nothing in it.",
};

/// A scene that is not well-formed XML.
pub static XML: Code = Code {
    id: "x3d-xml",
    severity: Severity::Error,
    category: Category::Syntax,
    meaning: "A scene is not well-formed XML, or has what XML may have and this reader refuses: a DTD with a content of its own, elements nested more \
              than 256 deep, hundreds of attributes or namespaces.",
    example: "<Shape><Box></Shape>",
    action: "The scene is left out.",
};

/// Text that is not in the encoding that it should be in.
pub static ENCODING: Code = Code {
    id: "x3d-encoding",
    severity: Severity::Warning,
    category: Category::Syntax,
    meaning: "Text of VRML or classic X3D is not UTF-8.",
    example: "# Männchen",
    action: "The file is read as Latin-1.",
};

/// A file that a scene needs and that cannot be used.
pub static FILE: Code = Code {
    id: "x3d-file",
    severity: Severity::Error,
    category: Category::Reference,
    meaning: "A file with a frame, or with what an `Inline` stands for, cannot be opened or read. Only files in the file's own folder or below it are \
              opened; the option `root` (`--root FOLDER`) allows more. Nothing is fetched over a network.",
    example: "<frame url=\"../walk_1.x3d\" time=\"0\"/>",
    action: "The frame or the `Inline` is left out.",
};

/// Consecutive frames that cannot be blended.
pub static FRAMES_DIFFER: Code = Code {
    id: "x3d-frames-differ",
    severity: Severity::Note,
    category: Category::Compatibility,
    meaning: "Two consecutive frames are not made of the same parts: other node types, names, numbers of children, lengths of lists, indices, flags or \
              addresses. Castle Game Engine says nothing of it and does not smooth the change.",
    example: "coordIndex=\"0 1 2 -1\" in one frame, coordIndex=\"0 2 1 -1\" in the next",
    action: "The earlier frame is shown until the later one's time, which then takes its place.",
};

/// Nodes without a counterpart.
pub static DROPPED: Code = Code {
    id: "x3d-dropped",
    severity: Severity::Note,
    category: Category::Loss,
    meaning: "Lights, viewpoints, backgrounds, sensors and other nodes that are no geometry are \
              not carried over.",
    example: "<Viewpoint position=\"0 0 10\"/>",
    action: "They are left out.",
};

/// Something changes that does not become motion.
pub static NOT_ANIMATED: Code = Code {
    id: "x3d-not-animated",
    severity: Severity::Warning,
    category: Category::Loss,
    meaning: "A colour, a texture coordinate, a material or another property changes between frames. Transforms and the places of vertices are what \
              keys and morph targets can hold.",
    example: "<Material diffuseColor=\"1 0 0\"/> in one frame, <Material diffuseColor=\"0 0 1\"/> \
              in the next",
    action: "It stays as it is in the first frame.",
};

/// Normals that do not follow.
pub static MORPH_NORMALS: Code = Code {
    id: "x3d-morph-normals",
    severity: Severity::Note,
    category: Category::Loss,
    meaning: "A mesh that is shaded smoothly changes its shape, and its morph targets have no \
              normals, which would double the size of the file.",
    example: "creaseAngle=\"4\" on a mesh whose Coordinate changes",
    action: "The shading stays that of the first shape; the option `morph_normals` \
             (`--morph-normals`) carries the normals along.",
};

/// A file that asks for too much.
pub static EXPANSION: Code = Code {
    id: "x3d-expansion",
    severity: Severity::Error,
    category: Category::Limit,
    meaning: "Nodes are used inside others again and again, or few points make very many vertices in very many frames, so that a small file would \
              need more room than the limits allow.",
    example: "DEF A Group { children [ … ] } DEF B Group { children [ USE A USE A ] } …",
    action: "What is beyond the limit is left out.",
};

/// A blend that is not quite what the file says.
pub static MATRIX_BLEND: Code = Code {
    id: "x3d-matrix-blend",
    severity: Severity::Note,
    category: Category::Loss,
    meaning: "Below a VRML 1.0 MatrixTransform that changes between frames something turns as well. Between the frames' times the way of the \
              vertices is approached by a curve of third degree.",
    example: "MatrixTransform { … } Rotation { … } with other values in the next frame",
    action: "Frames are exact, moments between them nearly so.",
};

/// A turn that goes the other way round.
pub static LONG_TURN: Code = Code {
    id: "x3d-long-turn",
    severity: Severity::Note,
    category: Category::Compatibility,
    meaning: "Between two frames something turns by more than half a circle about one axis. The way from one to the other is the shorter one, in the \
              engine too: a full turn is none.",
    example: "rotation=\"0 0 1 0\" in one frame, rotation=\"0 0 1 6.2831853\" in the next",
    action: "It turns the shorter way. More frames in between make it turn as meant.",
};

/// A texture that is not quite what the file says.
pub static TEXTURE: Code = Code {
    id: "x3d-texture",
    severity: Severity::Note,
    category: Category::Loss,
    meaning: "A texture has its pixels in the scene itself or is a film, or ends at its border \
              instead of being repeated.",
    example: "PixelTexture { image 1 1 3 0xFF0000 }",
    action: "Pictures in files are used, and repeated; other textures are left out.",
};

/// All codes of this crate.
pub static ALL: [&Code; 36] = [
    &TEXTURE,
    &LONG_TURN,
    &SYNTAX,
    &UNCLOSED,
    &NUMBER,
    &INTEGER,
    &BOOLEAN,
    &STRING,
    &WORD,
    &COUNT,
    &UNKNOWN_NODE,
    &UNKNOWN_FIELD,
    &REPEATED_FIELD,
    &USE,
    &REPEATED_NAME,
    &NAME,
    &DEPTH,
    &PROTO,
    &ROUTE,
    &NO_SCENE,
    &XML,
    &ENCODING,
    &FILE,
    &FRAMES_DIFFER,
    &DROPPED,
    &NOT_ANIMATED,
    &MORPH_NORMALS,
    &EXPANSION,
    &MATRIX_BLEND,
    &GEOMETRY_KIND,
    &GEOMETRY_EMPTY,
    &INDEX,
    &FACE_CORNERS,
    &TOO_FEW_VALUES,
    &GEOMETRY_COUNT,
    &GEOMETRY_LIMIT,
];
