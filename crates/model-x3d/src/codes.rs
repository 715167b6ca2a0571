//! Every kind of problem this crate reports: what it means, how it looks, what the reader does
//! about it.

anim_ir::codes! {
    SYNTAX = "x3d-syntax", Error, Syntax,
        "A token stands where the grammar has no place for it.",
        "Shape geometry Box { }",
        "What cannot be told apart is skipped, up to the next field or the closing brace.";
    UNCLOSED = "x3d-unclosed", Error, Syntax,
        "The file ends inside of a node.",
        "Transform { children [ Shape {",
        "The nodes that were begun stay, with what they have.";
    NUMBER = "x3d-number", Error, Syntax,
        "A token stands where a finite number belongs. Decimal commas, `nan` and `inf` are none.",
        "translation 1 nan 0",
        "The field is left out.";
    INTEGER = "x3d-integer", Error, Syntax,
        "A token stands where an integer of 32 bits belongs.",
        "coordIndex [ 0 1.5 2 -1 ]",
        "The field is left out.";
    BOOLEAN = "x3d-boolean", Error, Syntax,
        "A token stands where `TRUE` or `FALSE` belongs.",
        "solid yes",
        "The field is left out.";
    STRING = "x3d-string", Error, Syntax,
        "A string has no quotes, or no closing one.",
        "url \"a.png",
        "The field is left out.";
    WORD = "x3d-word", Error, Value,
        "A field of VRML 1.0 that holds one of a few words has another one.",
        "MaterialBinding { value PER_LEAF }",
        "The field is left out.";
    COUNT = "x3d-count", Error, Value,
        "A field has too few or too many values.",
        "translation 1 2",
        "The field is left out; where it holds nodes, the first one counts.";
    UNKNOWN_NODE = "x3d-unknown-node", Warning, Compatibility,
        "A node type that this reader does not know.",
        "Sphear { radius 1 }",
        "The node is skipped with all that is in it.";
    UNKNOWN_FIELD = "x3d-unknown-field", Warning, Compatibility,
        "A node has no such field.",
        "Box { radius 1 }",
        "The field is skipped.";
    REPEATED_FIELD = "x3d-repeated-field", Warning, Value,
        "A node has a field twice.",
        "Sphere { radius 1 radius 2 }",
        "The later one counts.";
    USE = "x3d-use", Error, Reference,
        "A name is used that no node before it has, or inside of the node that has it.",
        "Shape { geometry USE Nothing }",
        "The use is left out.";
    REPEATED_NAME = "x3d-repeated-name", Note, Reference,
        "Two nodes have the same name.",
        "DEF A Group { } DEF A Shape { }",
        "From there on the name means the later node.";
    NAME = "x3d-name", Error, Limit,
        "The name of a node is longer than the limit.",
        "The node has no name.";
    DEPTH = "x3d-depth", Error, Limit,
        "Nodes are nested deeper than the limit.",
        "What is deeper is skipped.";
    PROTO = "x3d-proto", Warning, Compatibility,
        "A prototype is declared. Prototypes are not followed.",
        "PROTO Wheel [ ] { Cylinder { } }",
        "The declaration is skipped, and with it the nodes made by it.";
    ROUTE = "x3d-route", Note, Compatibility,
        "Events are sent from node to node. A scene is read as it stands before any event.",
        "ROUTE Clock.fraction_changed TO Path.set_fraction",
        "The statement is skipped.";
    NO_SCENE = "x3d-no-scene", Error, Syntax,
        "A file in XML has no `Scene` element.",
        "<X3D></X3D>",
        "There is nothing in it.";
    XML = "x3d-xml", Error, Syntax,
        "A scene is not well-formed XML, or has what XML may have and this reader refuses: a DTD \
         with a content of its own, elements nested more than 256 deep, hundreds of attributes or \
         namespaces.",
        "<Shape><Box></Shape>",
        "The scene is left out.";
    ENCODING = "x3d-encoding", Warning, Syntax,
        "Text of VRML or classic X3D is not UTF-8.",
        "# Männchen",
        "The file is read as Latin-1.";
    FILE = "x3d-file", Error, Reference,
        "A file with a frame, or with what an `Inline` stands for, cannot be opened or read. Only \
         files in the file's own folder or below it are opened; the option `root` (`--root \
         FOLDER`) allows more. Nothing is fetched over a network.",
        "<frame url=\"../walk_1.x3d\" time=\"0\"/>",
        "The frame or the `Inline` is left out.";
    FRAMES_DIFFER = "x3d-frames-differ", Note, Compatibility,
        "Two consecutive frames are not made of the same parts: other node types, names, numbers \
         of children, lengths of lists, indices, flags or addresses. Castle Game Engine says \
         nothing of it and does not smooth the change.",
        "coordIndex=\"0 1 2 -1\" in one frame, coordIndex=\"0 2 1 -1\" in the next",
        "The earlier frame is shown until the later one's time, which then takes its place.";
    DROPPED = "x3d-dropped", Note, Loss,
        "Lights, viewpoints, backgrounds, sensors and other nodes that are no geometry are not \
         carried over.",
        "<Viewpoint position=\"0 0 10\"/>",
        "They are left out.";
    NOT_ANIMATED = "x3d-not-animated", Warning, Loss,
        "A colour, a texture coordinate, a material or another property changes between frames. \
         Transforms and the places of vertices are what keys and morph targets can hold.",
        "<Material diffuseColor=\"1 0 0\"/> in one frame, <Material diffuseColor=\"0 0 1\"/> in \
         the next",
        "It stays as it is in the first frame.";
    MORPH_NORMALS = "x3d-morph-normals", Note, Loss,
        "A mesh that is shaded smoothly changes its shape, and `--no-morph-normals` leaves out the \
         normals of its morph targets.",
        "creaseAngle=\"4\" on a mesh whose Coordinate changes",
        "The shading stays that of the first shape.";
    EXPANSION = "x3d-expansion", Error, Limit,
        "Nodes are used inside others again and again, or few points make very many vertices in \
         very many frames, so that a small file would need more room than the limits allow.",
        "DEF A Group { children [ … ] } DEF B Group { children [ USE A USE A ] } …",
        "What is beyond the limit is left out.";
    MATRIX_BLEND = "x3d-matrix-blend", Note, Loss,
        "Below a VRML 1.0 MatrixTransform that changes between frames something turns as well. \
         Between the frames' times the way of the vertices is approached by a curve of third \
         degree.",
        "MatrixTransform { … } Rotation { … } with other values in the next frame",
        "Frames are exact, moments between them nearly so.";
    LONG_TURN = "x3d-long-turn", Note, Compatibility,
        "Between two frames something turns by more than half a circle about one axis. The way \
         from one to the other is the shorter one, in the engine too: a full turn is none.",
        "rotation=\"0 0 1 0\" in one frame, rotation=\"0 0 1 6.2831853\" in the next",
        "It turns the shorter way. More frames in between make it turn as meant.";
    TEXTURE = "x3d-texture", Note, Loss,
        "A texture has its pixels in the scene itself or is a film, or ends at its border instead \
         of being repeated.",
        "PixelTexture { image 1 1 3 0xFF0000 }",
        "Pictures in files are used, and repeated; other textures are left out.";
    GEOMETRY_KIND = "x3d-geometry-kind", Warning, Compatibility,
        "A geometry, or a node that describes it, is of a kind that is not understood here.",
        "geometry Text { string \"hello\" }",
        "A geometry is left out; of other nodes the geometry makes do without.";
    GEOMETRY_EMPTY = "x3d-geometry-empty", Warning, Value,
        "A geometry has nothing to show: faces without coordinates, coordinates without faces, or \
         no face that is valid.",
        "IndexedFaceSet { coord Coordinate { point [] } coordIndex [] }",
        "The shape is left out.";
    INDEX = "x3d-index", Error, Reference,
        "An index is not -1 and names no value: it is too great or negative.",
        "coord Coordinate { point [0 0 0, 1 0 0, 0 1 0] } coordIndex [0 1 3 -1]",
        "The face, line or point is dropped.";
    FACE_CORNERS = "x3d-face-corners", Warning, Value,
        "A face has fewer than three corners, or a line fewer than two.",
        "coordIndex [0 1 -1]",
        "The face or line is left out.";
    TOO_FEW_VALUES = "x3d-too-few-values", Warning, Value,
        "There are fewer normals, colours or texture coordinates, or fewer indices of them, than \
         the geometry needs.",
        "coordIndex [0 1 2 -1] color Color { color [1 0 0] }",
        "The geometry makes do without this kind of values.";
    GEOMETRY_COUNT = "x3d-geometry-count", Error, Value,
        "A geometry's numbers of rows, columns or vertices do not fit what it has.",
        "ElevationGrid { xDimension 100 zDimension 100 height [0 0 0 0] }",
        "What has too few values is left out: the grid, the fan, the strip or the line.";
    GEOMETRY_LIMIT = "x3d-geometry-limit", Error, Limit,
        "A geometry would take more time or memory than the limits allow: a face that is not \
         convex with thousands of corners, or an Extrusion of a long cross-section along a long \
         spine.",
        "Extrusion { crossSection [100,000 points] spine [100,000 points] }",
        "The face or the geometry is left out.";
}
