//! Diagnostic codes of this crate: what each one means, an example, and what the reader does about
//! it.

anim_ir::codes! {
    SYNTAX = "x3d-syntax", Error, Syntax,
        "Unexpected token.",
        "Shape geometry Box { }",
        "The reader skips to the next field or the closing brace.";
    UNCLOSED = "x3d-unclosed", Error, Syntax,
        "The file ends inside a node.",
        "Transform { children [ Shape {",
        "Nodes that are incomplete are kept with what they have.";
    NUMBER = "x3d-number", Error, Syntax,
        "Expected a finite decimal number. Decimal commas, `nan` and `inf` are not accepted.",
        "translation 1 nan 0",
        "The field is left out.";
    INTEGER = "x3d-integer", Error, Syntax,
        "Expected a 32-bit integer.",
        "coordIndex [ 0 1.5 2 -1 ]",
        "The field is left out.";
    BOOLEAN = "x3d-boolean", Error, Syntax,
        "Expected `TRUE` or `FALSE`.",
        "solid yes",
        "The field is left out.";
    STRING = "x3d-string", Error, Syntax,
        "A string has no quotes, or no closing quote.",
        "url \"a.png",
        "The field is left out.";
    WORD = "x3d-word", Error, Value,
        "An unknown word in a field of VRML 1.0 that accepts only certain words.",
        "MaterialBinding { value PER_LEAF }",
        "The field is left out.";
    COUNT = "x3d-count", Error, Value,
        "A field has too few or too many values.",
        "translation 1 2",
        "The field is left out; of several nodes the first one is used.";
    UNKNOWN_NODE = "x3d-unknown-node", Warning, Compatibility,
        "Unknown node type.",
        "Sphear { radius 1 }",
        "The node is skipped with everything inside.";
    UNKNOWN_FIELD = "x3d-unknown-field", Warning, Compatibility,
        "Unknown field.",
        "Box { radius 1 }",
        "The field is skipped.";
    REPEATED_FIELD = "x3d-repeated-field", Warning, Value,
        "A node has a field twice.",
        "Sphere { radius 1 radius 2 }",
        "The later one is used.";
    USE = "x3d-use", Error, Reference,
        "`USE` names a node that is not defined before it, or that it is inside of.",
        "Shape { geometry USE Nothing }",
        "The use is left out.";
    REPEATED_NAME = "x3d-repeated-name", Note, Reference,
        "Two nodes have the same name.",
        "DEF A Group { } DEF A Shape { }",
        "From there on the name refers to the later node.";
    NAME = "x3d-name", Error, Limit,
        "The name of a node is longer than the limit.",
        "The node has no name.";
    DEPTH = "x3d-depth", Error, Limit,
        "Nodes are nested deeper than the limit.",
        "What is deeper is skipped.";
    PROTO = "x3d-proto", Warning, Compatibility,
        "Prototypes are not supported.",
        "PROTO Wheel [ ] { Cylinder { } }",
        "The declaration and its instances are skipped.";
    ROUTE = "x3d-route", Note, Compatibility,
        "Routes send events between nodes. A scene is read in its state before any event.",
        "ROUTE Clock.fraction_changed TO Path.set_fraction",
        "The statement is skipped.";
    NO_SCENE = "x3d-no-scene", Error, Syntax,
        "A file in XML has no `Scene` element.",
        "<X3D></X3D>",
        "The scene is empty.";
    XML = "x3d-xml", Error, Syntax,
        "A scene is not well-formed XML, or uses XML that this reader rejects: a DTD with \
         declarations, elements nested more than 256 deep, hundreds of attributes or namespaces.",
        "<Shape><Box></Shape>",
        "The scene is left out.";
    ENCODING = "x3d-encoding", Warning, Syntax,
        "Text of VRML or classic X3D is not UTF-8.",
        "# Männchen",
        "The file is read as Latin-1.";
    FILE = "x3d-file", Error, Reference,
        "The file of a frame or of an `Inline` cannot be opened or read. Only files in the \
         folder of the main file or below it are opened; `--root FOLDER` allows more. Nothing is fetched over a network.",
        "<frame url=\"../walk_1.x3d\" time=\"0\"/>",
        "The frame or the `Inline` is left out.";
    FRAMES_DIFFER = "x3d-frames-differ", Note, Compatibility,
        "Two consecutive frames differ in structure: in node types, names, numbers of children, \
         lengths of lists, indices, flags or addresses. Castle Game Engine does not blend them \
         either, and does not say so.",
        "coordIndex=\"0 1 2 -1\" in one frame, coordIndex=\"0 2 1 -1\" in the next",
        "The earlier frame is held until the later one replaces it.";
    DROPPED = "x3d-dropped", Note, Loss,
        "Lights, sensors, scripts, shaders and other nodes that are not geometry are not carried \
         over.",
        "<PointLight location=\"0 5 0\"/>",
        "They are left out.";
    AROUND = "x3d-surroundings", Note, Compatibility,
        "Viewpoints, backgrounds, fog, environment maps, NavigationInfo and WorldInfo describe the \
         world around a model and how a visitor sees it. Exporters write them into every file; \
         they are not part of the model, and glTF has no place for most of them.",
        "<NavigationInfo headlight=\"false\"/>",
        "They are left out.";
    NOT_ANIMATED = "x3d-not-animated", Warning, Loss,
        "A colour, a texture coordinate, a material or another property changes between frames. \
         Only transforms and vertex positions become keys and morph targets.",
        "<Material diffuseColor=\"1 0 0\"/> in one frame, <Material diffuseColor=\"0 0 1\"/> in \
         the next",
        "It keeps its value from the first frame.";
    MORPH_NORMALS = "x3d-morph-normals", Note, Loss,
        "A mesh that is shaded smoothly changes its shape, and `--no-morph-normals` leaves out the \
         normals of its morph targets.",
        "creaseAngle=\"4\" on a mesh whose Coordinate changes",
        "The shading stays that of the first shape.";
    EXPANSION = "x3d-expansion", Error, Limit,
        "Nodes are reused inside each other, or few points make very many vertices in very many \
         frames, so that a small file would need more memory than the limits allow.",
        "DEF A Group { children [ … ] } DEF B Group { children [ USE A USE A ] } …",
        "What is beyond the limit is left out.";
    MATRIX_BLEND = "x3d-matrix-blend", Note, Loss,
        "Something rotates below a VRML 1.0 MatrixTransform that changes between frames. Between \
         the frames the paths of the vertices are approximated by cubic curves.",
        "MatrixTransform { … } Rotation { … } with other values in the next frame",
        "Poses are exact at the frames and approximate between them.";
    LONG_TURN = "x3d-long-turn", Note, Compatibility,
        "Between two frames something turns by more than half a circle about one axis. Rotations \
         are interpolated the shorter way round, in the engine too, so a full turn does not move.",
        "rotation=\"0 0 1 0\" in one frame, rotation=\"0 0 1 6.2831853\" in the next",
        "It turns the shorter way. Add frames in between to make it turn as intended.";
    TEXTURE = "x3d-texture", Note, Loss,
        "A texture has its pixels in the scene or is a movie, is clamped instead of repeated, or \
         has no counterpart in glTF.",
        "PixelTexture { image 1 1 3 0xFF0000 }",
        "Images in files are used, and repeated; other textures are left out.";
    GEOMETRY_KIND = "x3d-geometry-kind", Warning, Compatibility,
        "Unsupported geometry, or an unsupported node that describes it.",
        "geometry Text { string \"hello\" }",
        "A geometry is left out; other nodes are ignored.";
    GEOMETRY_EMPTY = "x3d-geometry-empty", Warning, Value,
        "A geometry is empty: faces without coordinates, coordinates without faces, or no valid \
         face.",
        "IndexedFaceSet { coord Coordinate { point [] } coordIndex [] }",
        "The shape is left out.";
    INDEX = "x3d-index", Error, Reference,
        "An index is out of range, and not -1.",
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
        "The geometry is built without them.";
    BINDING = "x3d-binding", Warning, Value,
        "A geometry has too few colours or normals for the way that it binds them, and exactly as \
         many as one other way needs: one for each point, each face or each corner.",
        "colorPerVertex=\"false\" on 530 faces with 131 points and 131 colours",
        "They are bound the way that fits.";
    GEOMETRY_COUNT = "x3d-geometry-count", Error, Value,
        "A geometry's numbers of rows, columns or vertices do not match its data.",
        "ElevationGrid { xDimension 100 zDimension 100 height [0 0 0 0] }",
        "The grid, fan, strip or line that has too few values is left out.";
    GEOMETRY_LIMIT = "x3d-geometry-limit", Error, Limit,
        "A geometry would take more time or memory than the limits allow: a face that is not \
         convex with thousands of corners, or an Extrusion of a long cross-section along a long \
         spine.",
        "Extrusion { crossSection [100,000 points] spine [100,000 points] }",
        "The face or the geometry is left out.";
}
