//! The diagnostics of this crate: what each means, an example, and what the reader does about it.

anim_ir::codes! {
    SYNTAX = "x3d-syntax", Error, Syntax,
        "Unexpected token.",
        "Shape geometry Box { }",
        "The reader skips to the next field or the closing brace.";
    UNCLOSED = "x3d-unclosed", Error, Syntax,
        "The file ends inside a node.",
        "Transform { children [ Shape {",
        "Incomplete nodes are kept.";
    NUMBER = "x3d-number", Error, Syntax,
        "Expected a finite decimal number. Decimal commas, `nan` and `inf` are not accepted.",
        "translation 1 nan 0",
        "The field is ignored.";
    INTEGER = "x3d-integer", Error, Syntax,
        "Expected a 32-bit integer.",
        "coordIndex [ 0 1.5 2 -1 ]",
        "The field is ignored.";
    BOOLEAN = "x3d-boolean", Error, Syntax,
        "Expected `TRUE` or `FALSE`.",
        "solid yes",
        "The field is ignored.";
    STRING = "x3d-string", Error, Syntax,
        "A string has no quotes or no closing quote.",
        "url \"a.png",
        "The field is ignored.";
    WORD = "x3d-word", Error, Value,
        "Unknown keyword in a VRML 1.0 field that only accepts certain keywords.",
        "MaterialBinding { value PER_LEAF }",
        "The field is ignored.";
    COUNT = "x3d-count", Error, Value,
        "A field has too few or too many values.",
        "translation 1 2",
        "The field is ignored. If a field has too many nodes, the first is used.";
    UNKNOWN_NODE = "x3d-unknown-node", Warning, Compatibility,
        "Unknown node type.",
        "Sphear { radius 1 }",
        "The node is skipped with all its content.";
    UNKNOWN_FIELD = "x3d-unknown-field", Warning, Compatibility,
        "Unknown field.",
        "Box { radius 1 }",
        "The field is skipped.";
    REPEATED_FIELD = "x3d-repeated-field", Warning, Value,
        "A field occurs twice in a node.",
        "Sphere { radius 1 radius 2 }",
        "The later value is used.";
    USE = "x3d-use", Error, Reference,
        "`USE` refers to a node that is not defined before it, or that contains it.",
        "Shape { geometry USE Nothing }",
        "The reference is ignored.";
    REPEATED_NAME = "x3d-repeated-name", Note, Reference,
        "Two nodes have the same name.",
        "DEF A Group { } DEF A Shape { }",
        "From then on, the name refers to the later node.";
    NAME = "x3d-name", Error, Limit,
        "The name of a node is longer than the limit.",
        "The name is ignored; the node is read as unnamed.";
    DEPTH = "x3d-depth", Error, Limit,
        "Nodes are nested deeper than the limit.",
        "Deeper nodes are skipped.";
    PROTO = "x3d-proto", Warning, Compatibility,
        "An instance of a prototype cannot be expanded: the prototype has no nodes, its file \
         cannot be used or does not declare it, or it contains itself.",
        "EXTERNPROTO Wheel [ ] \"urn:example:wheel\" Wheel { }",
        "The instances of the prototype are skipped.";
    PROTO_FIELD = "x3d-proto-field", Error, Reference,
        "A field of a prototype is declared or used incorrectly: its type is unknown, it is \
         declared twice, it does not exist, or its type is not that of the field it stands for.",
        "PROTO Wheel [ field SFFloat size 1 ] { Transform { scale IS size } }",
        "The field or connection is ignored.";
    ROUTE = "x3d-route", Note, Compatibility,
        "A route has no effect: it starts at a script, a sensor of the pointing device or another \
         node that needs a user, it belongs to a node that is skipped, or the scene is a frame of \
         an animation. Only routes that start at a TimeSensor become animation.",
        "ROUTE Touch.touchTime TO Clock.startTime",
        "The nodes are left in their initial state.";
    ROUTE_SYNTAX = "x3d-route-syntax", Error, Syntax,
        "A ROUTE, IMPORT or EXPORT statement is incomplete.",
        "ROUTE Clock TO Path.set_fraction",
        "The statement is skipped.";
    ROUTE_NODE = "x3d-route-node", Error, Reference,
        "A ROUTE, IMPORT or EXPORT refers to a node that does not exist, or that an included file \
         does not export.",
        "ROUTE Clok.fraction_changed TO Path.set_fraction",
        "The statement is ignored.";
    ROUTE_FIELD = "x3d-route-field", Error, Reference,
        "A route refers to an event that the node does not have, or sends an event that it only \
         receives.",
        "ROUTE Clock.fraction_changed TO Path.fraction",
        "The route is ignored.";
    ROUTE_TYPE = "x3d-route-type", Error, Value,
        "A route connects events of different types.",
        "ROUTE Clock.fraction_changed TO Place.translation",
        "The route is ignored.";
    ROUTE_LOOP = "x3d-route-loop", Error, Value,
        "Routes between sensors, interpolators or sequencers form a loop, so their values depend \
         on themselves.",
        "ROUTE Ease.value_changed TO Ease.set_fraction",
        "The routes of the loop are ignored.";
    ROUTE_FAN_IN = "x3d-route-fan-in", Warning, Compatibility,
        "Two routes set the same field at the same time. The standard does not define which one \
         wins.",
        "ROUTE A.value_changed TO T.translation ROUTE B.value_changed TO T.translation",
        "The later route is used, as in Castle Game Engine.";
    KEY_ORDER = "x3d-key-order", Error, Value,
        "The keys of an interpolator or sequencer must not fall.",
        "key [0 0.6 0.5 1]",
        "The keys before the fall are used.";
    KEY_COUNT = "x3d-key-count", Error, Value,
        "An interpolator or sequencer has no keys, or the number of its values does not match its \
         keys and, for a CoordinateInterpolator, the points of its target. A spline has velocities \
         for all keys, for the first and the last, or none.",
        "key [0 0.5 1] keyValue [0 0 0, 1 0 0]",
        "The keys that have values are used. Without any, nothing is animated. Velocities are \
         ignored if their number does not match.";
    CYCLE_INTERVAL = "x3d-cycle-interval", Error, Value,
        "The cycleInterval of a TimeSensor must be positive.",
        "TimeSensor { cycleInterval 0 }",
        "One second is used.";
    SKIN = "x3d-skin", Error, Value,
        "The number of weights of a skin does not match its joint indices or points, or one of its \
         joints is not part of its skeleton.",
        "skinJoints0 [0 1 0 0] skinWeights0 [0.5 0.5 0 0 1 0 0 0]",
        "Points without joints or weights stay where they are. A joint outside the skeleton does \
         not move.";
    HUMANOID = "x3d-humanoid", Warning, Value,
        "A joint moves points of a humanoid's skin, but is not listed in its `joints`, or is \
         listed there, but not part of its skeleton.",
        "HAnimHumanoid { skeleton HAnimJoint { skinCoordIndex 0 skinCoordWeight 1 } }",
        "All joints of the skeleton move the skin. The others are ignored.";
    NO_SCENE = "x3d-no-scene", Error, Syntax,
        "An XML file has no `Scene` element.",
        "<X3D></X3D>",
        "The scene is read as empty.";
    XML = "x3d-xml", Error, Syntax,
        "A scene is not well-formed XML, or uses XML that this reader rejects: a DTD with \
         declarations, elements nested more than 256 deep, hundreds of attributes or namespaces.",
        "<Shape><Box></Shape>",
        "The scene is skipped.";
    ENCODING = "x3d-encoding", Warning, Syntax,
        "VRML or classic X3D text is not UTF-8.",
        "# Männchen",
        "The file is read as Latin-1.";
    FILE = "x3d-file", Error, Reference,
        "The file of a frame or an `Inline` cannot be opened or read. Only files in or below \
         the folder of the main file are opened; `--root FOLDER` allows another folder. Nothing is \
         fetched over a network.",
        "<frame url=\"../walk_1.x3d\" time=\"0\"/>",
        "The frame or the `Inline` is skipped.";
    INLINE_ANIMATION = "x3d-inline-animation", Note, Loss,
        "An `Inline` refers to a file with animations, or a frame of an animation does. Castle \
         Game Engine shows a castle-anim-frames file in its first frame and a glTF file at rest \
         until something starts an animation; a scene is read in that initial state.",
        "<Inline url='\"walk.castle-anim-frames\"'/>",
        "The first frame of the first animation is shown, or the model at rest. Convert the file \
         itself to get its motion.";
    FRAMES_DIFFER = "x3d-frames-differ", Note, Compatibility,
        "Two consecutive frames differ in structure: node types, names, number of children, \
         list lengths, indices, flags or URLs. Castle Game Engine does not blend such frames \
         either, but does not report them.",
        "coordIndex=\"0 1 2 -1\" in one frame, coordIndex=\"0 2 1 -1\" in the next",
        "The earlier frame is held until the later frame replaces it.";
    DROPPED = "x3d-dropped", Note, Loss,
        "The scene has lights, sensors, scripts, shaders or other nodes that are not geometry.",
        "<PointLight location=\"0 5 0\"/>",
        "These nodes are skipped. Groups that follow the view are kept, but no longer follow it.";
    NOT_SHOWN = "x3d-not-shown", Note, Loss,
        "A Switch, LOD or CADLayer does not show all of its children, and nothing animates the \
         choice. Only what is shown becomes part of the model; for an LOD, that is its first and \
         finest level. Nodes that are also used elsewhere are not counted.",
        "Switch { whichChoice 0 children [ Shape { … } Shape { … } ] }",
        "The other children are skipped.";
    AROUND = "x3d-surroundings", Note, Compatibility,
        "Viewpoints, backgrounds, fog, environment maps, NavigationInfo and WorldInfo describe the \
         world around a model and how it is viewed. Exporters write them to every file, but they \
         are not part of the model, and glTF has no counterpart for most of them.",
        "<NavigationInfo headlight=\"false\"/>",
        "These nodes are skipped.";
    NOT_ANIMATED = "x3d-not-animated", Warning, Loss,
        "A colour, texture coordinate, material or other property changes between frames, or a \
         TimeSensor animates it. Only transforms, vertex positions and visibility can be \
         animated, and only those of nodes that are drawn: not those of a child that a Switch \
         never shows. Joints do not bend shapes that are below a transform in a skin.",
        "<Material diffuseColor=\"1 0 0\"/> in one frame, <Material diffuseColor=\"0 0 1\"/> in \
         the next",
        "The property keeps its value from the first frame, or its initial value.";
    INFLUENCES = "x3d-influences", Warning, Loss,
        "More than 8 joints move a point of a humanoid's skin.",
        "10 joints with the same index in `skinCoordIndex`",
        "The 8 largest weights are kept and scaled so that they sum to 1.";
    BIND_POSE = "x3d-bind-pose", Warning, Loss,
        "A humanoid specifies the pose in which its skin is bound.",
        "HAnimHumanoid { jointBindingRotations [ 0 0 1 1.57 ] }",
        "The skin is bound in the pose in which no joint is moved, turned or scaled.";
    MORPH_NORMALS = "x3d-morph-normals", Note, Loss,
        "A smooth-shaded mesh changes shape, but `--no-morph-normals` omits the normals of its \
         morph targets.",
        "creaseAngle=\"4\" on a mesh whose Coordinate changes",
        "The mesh keeps the normals of its first shape.";
    EXPANSION = "x3d-expansion", Error, Limit,
        "Reused nodes are nested, or a few points produce very many vertices in very many \
         frames, so a small file would need more memory than the limits allow.",
        "DEF A Group { children [ … ] } DEF B Group { children [ USE A USE A ] } …",
        "Everything beyond the limit is skipped; `--max-memory` raises it.";
    MATRIX_BLEND = "x3d-matrix-blend", Note, Loss,
        "An object rotates below a VRML 1.0 MatrixTransform that changes between frames. Between \
         frames, the paths of its vertices are approximated by cubic curves.",
        "MatrixTransform { … } Rotation { … } with other values in the next frame",
        "Poses are exact at frames and approximate between them.";
    LONG_TURN = "x3d-long-turn", Note, Compatibility,
        "An object rotates by more than 180° between two frames. Rotations are interpolated along \
         the shorter arc, as the engine does, so a full turn shows no motion.",
        "rotation=\"0 0 1 0\" in one frame, rotation=\"0 0 1 6.2831853\" in the next",
        "The object rotates along the shorter arc. Add frames in between to get the intended \
         rotation. Between the frames of an animation, `--long-turns` rotates by the whole angle \
         if the axis stays the same.";
    TEXTURE = "x3d-texture", Note, Loss,
        "A texture is a movie, is defined by pixels in the scene, is clamped instead of repeated, \
         or has no counterpart in glTF.",
        "PixelTexture { image 1 1 3 0xFF0000 }",
        "Image files are used and repeated; other textures are ignored.";
    GEOMETRY_KIND = "x3d-geometry-kind", Warning, Compatibility,
        "Unsupported geometry, or an unsupported node inside a geometry.",
        "geometry Text { string \"hello\" }",
        "Unsupported geometry is skipped; other nodes are ignored.";
    GEOMETRY_EMPTY = "x3d-geometry-empty", Warning, Value,
        "A geometry is empty: it has faces without coordinates, coordinates without faces, or no \
         valid faces.",
        "IndexedFaceSet { coord Coordinate { point [] } coordIndex [] }",
        "The shape is skipped.";
    GEOMETRY_PLACE = "x3d-geometry-place", Warning, Value,
        "A geometry is not inside a Shape.",
        "Transform { children Box { } }",
        "It is not shown. Put it into the field `geometry` of a Shape.";
    INDEX = "x3d-index", Error, Reference,
        "An index other than -1 is out of range.",
        "coord Coordinate { point [0 0 0, 1 0 0, 0 1 0] } coordIndex [0 1 3 -1]",
        "The face, line or point is dropped.";
    FACE_CORNERS = "x3d-face-corners", Warning, Value,
        "A face has fewer than three corners, or a line fewer than two.",
        "coordIndex [0 1 -1]",
        "The face or line is dropped.";
    TOO_FEW_VALUES = "x3d-too-few-values", Warning, Value,
        "A geometry has fewer normals, colours or texture coordinates, or fewer indices for them, \
         than it needs.",
        "coordIndex [0 1 2 -1] color Color { color [1 0 0] }",
        "The geometry is built without them.";
    BINDING = "x3d-binding", Warning, Value,
        "A geometry has too few colours or normals for its binding, but exactly as many as another \
         binding needs: one for each point, face or corner.",
        "colorPerVertex=\"false\" on 530 faces with 131 points and 131 colours",
        "The binding that fits is used.";
    GEOMETRY_COUNT = "x3d-geometry-count", Error, Value,
        "The declared number of rows, columns or vertices of a geometry does not match its data.",
        "ElevationGrid { xDimension 100 zDimension 100 height [0 0 0 0] }",
        "A grid, fan, strip or line with too few values is dropped.";
    GEOMETRY_LIMIT = "x3d-geometry-limit", Error, Limit,
        "A geometry would take more time or memory than the limits allow, such as a non-convex \
         face with thousands of corners, an Extrusion of a long cross-section along a long spine, \
         or thousands of shapes that use one large geometry with different materials.",
        "Extrusion { crossSection [100,000 points] spine [100,000 points] }",
        "The face or geometry is dropped.";
    LOSS_NAME = "x3d-loss-name", Note, Loss,
        "A name has characters that names in X3D cannot have, another node has the name, or a mesh \
         has another name than its node.",
        "joint `mixamorig:Hips`",
        "Such characters become `_`, and a number is appended to names that are taken. The \
         original name is written as metadata. Of a mesh and its node, only the name of the node \
         is written.";
    LOSS_EVENTS = "x3d-loss-events", Warning, Loss,
        "X3D has no events at a time.",
        "footstep at 0.5 s",
        "The events are not written.";
    LOSS_STATES = "x3d-loss-states", Warning, Loss,
        "X3D has no state machines.",
        "a machine with the states idle and walk",
        "The clips of the states are written, but not the transitions between them.";
    LOSS_CAMERA = "x3d-loss-camera", Note, Loss,
        "Few programs read the near and far planes of an X3D viewpoint.",
        "a camera with a near plane at 0.1 and a far plane at 100",
        "The planes are not written.";
    LOSS_EXTRAS = "x3d-loss-extras", Note, Loss,
        "Format-specific data is not written.",
        "a property of an AMO file",
        "The data is dropped.";
    LOSS_WRAP = "x3d-loss-wrap", Warning, Loss,
        "A `TimeSensor` cannot play backwards.",
        "a clip that plays forwards and backwards",
        "The clip is written forwards. Use `--bake-backwards` to append the way back, if the input \
         format has this option.";
    LOSS_LENGTH = "x3d-loss-length", Note, Loss,
        "A `TimeSensor` has a duration of more than 0 s.",
        "a clip of one pose",
        "The pose is written as a clip of 1 s.";
    LOSS_START = "x3d-loss-start", Note, Loss,
        "A clip does not start at 0 s, but the time of a `TimeSensor` does.",
        "a clip from 2 s to 5 s",
        "The clip is moved to 0 s. Its length stays the same.";
    LOSS_MORPH = "x3d-loss-morph", Note, Loss,
        "Morph targets are written as the positions of vertices.",
        "a mesh with the targets `smile` and `blink`",
        "The names of the targets, and targets that no clip uses, are not written.";
    LOSS_LIGHT = "x3d-loss-light", Note, Loss,
        "Lines and points have a lit or double-sided material. In X3D, light does not reach them, \
         and they have no sides.",
        "a wire with a metallic material",
        "They are drawn in the base colour, as with an unlit, single-sided material.";
    LOSS_SPLINE = "x3d-loss-spline", Note, Loss,
        "Cubic keys are written as lines.",
        "a rotation with tangents",
        "Keys are inserted so that no value is farther from the curve than a 250,000th of its \
         range.";
    LOSS_SKIN = "x3d-loss-skin", Note, Loss,
        "A skinned mesh cannot be part of an `HAnimHumanoid`, or is not wanted there.",
        "joints that are bound with uneven scale",
        "The positions of the vertices are sampled (`--fps`) and written as a \
         `CoordinateInterpolator`.";
    LOSS_SHEAR = "x3d-loss-shear", Warning, Loss,
        "A joint that moves is sheared, or scaled unevenly before it is turned. Interpolators set \
         translation, rotation and scale.",
        "a rest matrix with shear, and rotation keys",
        "The shear is not written.";
}
