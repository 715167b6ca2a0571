//! The codes of all diagnostics of this crate: the problem, an example, and what the reader or
//! writer does about it.

anim_ir::codes! {
    NUMBER = "amo-number", Error, Syntax,
        "Expected a finite decimal number. Hexadecimal, decimal commas, `nan` and `inf` are not \
         accepted.",
        "v 1,5 0 0",
        "The line is skipped. A skipped `v` still counts, so that the indices of other vertices \
         stay correct; faces that use it are dropped.";
    INTEGER = "amo-integer", Error, Syntax,
        "Expected an integer.",
        "vj 1.5 0 0 0",
        "The line is skipped. A skipped `vj` still counts, but has no influence.";
    FIELDS = "amo-fields", Error, Syntax,
        "A line has too few or too many values.",
        "vw 0.5 0.5",
        "The line is skipped; a skipped element still counts, so that the indices of others stay \
         correct.";
    CORNER = "amo-corner", Error, Syntax,
        "A corner of a face is not of the form position/texcoord/normal/joints/weights.",
        "f 1/2/3/4/5/6 2 3",
        "The face is dropped.";
    FACE_CORNERS = "amo-face-corners", Error, Syntax,
        "A face needs at least three corners, a line at least two.",
        "f 1 2",
        "The face is dropped.";
    KEYWORD = "amo-keyword", Warning, Syntax,
        "A line starts with a keyword that no dialect has.",
        "F 1 2 3",
        "The line is kept unchanged and ignored.";
    COMMAND = "amo-command", Warning, Compatibility,
        "A statement of OBJ that runs a program or reads another file.",
        "csh rm -rf /",
        "Nothing is ever run; the line is kept and ignored.";
    LIBRARY = "amo-library-path", Warning, Compatibility,
        "A material library outside the folder of the file.",
        "mtllib ../../etc/passwd",
        "The library is never opened; only the names of its materials are kept.";
    BLOCK_COUNT = "amo-block-count", Error, Value,
        "A block has fewer or more rows than it announces.",
        "v 3\n0 0 0\n1 0 0",
        "The existing rows are read; surplus rows are skipped.";
    STRAY_ROW = "amo-stray-row", Error, Syntax,
        "A line outside any block starts with a number.",
        "0 0 1",
        "The line is skipped.";
    CUT_OFF = "amo-cut-off", Warning, Syntax,
        "The file ends in the middle of a line that geometry and animation do not need.",
        "ih 1 34 ",
        "Everything before the break is read. Nothing is repaired.";
    TRUNCATED = "amo-truncated", Error, Syntax,
        "The file looks cut off: it ends in the middle of a statement or of a block with a count, \
         or without the joints that its vertices are bound to.",
        "v 8\n0 0 0\n1 0 0",
        "Everything before the break is read; missing joints are created as roots. Nothing is \
         repaired, since the missing part may decide how the rest must be read.";
    BOM = "amo-byte-order-mark", Warning, Compatibility,
        "The file starts with a byte order mark, which many OBJ readers mistake for part of a \
         keyword.",
        "The mark is skipped.";
    LATIN1 = "amo-latin-1", Warning, Compatibility,
        "The file is not UTF-8.",
        "Names are read as Latin-1; rewriting keeps the bytes.";
    NAME = "amo-name-too-long", Error, Limit,
        "A name is longer than the limit.",
        "The name is truncated.";
    CONTROL = "amo-control-character", Warning, Syntax,
        "A name contains a control character.",
        "The name is kept; messages show the character escaped.";
    POSITION_INDEX = "amo-position-index", Error, Reference,
        "A face refers to a vertex position that does not exist. Indices start at 1; negative ones \
         count back from the last.",
        "f 1 2 9",
        "The face is dropped.";
    ATTRIBUTE_INDEX = "amo-attribute-index", Warning, Reference,
        "A corner refers to a texture coordinate, a normal, joints or weights that do not exist.",
        "f 1/9 2/1 3/1",
        "The corner is read without it.";
    UNUSABLE = "amo-unusable-vertex", Error, Reference,
        "A face uses a vertex whose line could not be read.",
        "v 0 0 nan\nf 1 2 3",
        "The face is dropped.";
    NORMALS = "amo-normals", Warning, Value,
        "Normals point away from their faces. Some exporters rotate the normals but not the faces; \
         the model is then lit from the wrong side, or looks nearly black.",
        "f 1//1 2//1 3//1, counter-clockwise seen from below, where `vn` 1 is 0 1 0",
        "The file's normals are kept. If a single rotation explains nearly all of an object's \
         normals, conversion rotates them back or reverses the faces: see `--normals`.";
    UNSKINNED = "amo-unskinned", Warning, Compatibility,
        "A face of an animated object has no joints or weights.",
        "ao tail\nf 1/1/1 2/1/1 3/1/1",
        "Its vertices stay at rest.";
    UNDECLARED_JOINT = "amo-undeclared-joint", Warning, Reference,
        "A joint is used, but no `j` line declares it.",
        "vj 7 0 0 0",
        "A root joint is created for the number.";
    JOINT_NUMBER = "amo-joint-number", Error, Reference,
        "A key refers to a joint by an impossible number.",
        "ap 0 -1 0 0 0",
        "The key is dropped.";
    PARENT = "amo-parent", Error, Reference,
        "A joint's parent is missing or does not exist.",
        "j hand 99",
        "The joint becomes a root.";
    CYCLE = "amo-joint-cycle", Error, Reference,
        "A joint is its own ancestor.",
        "j a 2\nj b 1",
        "The first joint of the cycle becomes a root.";
    PARENT_BASE = "amo-parent-base", Note, Compatibility,
        "Parents are not numbered as the dialect says: one of them is 0, or with the usual \
         numbering a joint would be its own ancestor.",
        "The numbering that makes a tree is used.";
    DUPLICATE_JOINT = "amo-duplicate-joint", Warning, Compatibility,
        "Two joints have the same name; programs that find joints by name will mix them up.",
        "j arm -1\nj arm 1",
        "Both are kept.";
    DUPLICATE_CLIP = "amo-duplicate-animation", Warning, Compatibility,
        "Two animations have the same name.",
        "a walk\na walk",
        "Both are kept.";
    KEY_OUTSIDE = "amo-key-outside", Warning, Syntax,
        "A key is before the first `a`.",
        "ap 0 1 0 0 0",
        "It goes into an animation without a name.";
    KEY_WITHOUT_GROUP = "amo-key-without-group", Error, Syntax,
        "In this dialect a key has the time of the `k` line above it, and there is no `k` line.",
        "a walk\nap 1 0 0 0",
        "The key is dropped.";
    FIRST_KEY = "amo-first-key", Warning, Compatibility,
        "The specification requires a key at timestamp 0.",
        "a walk\nap 0.5 1 0 0 0",
        "The value of the first key holds before it.";
    KEY_ORDER = "amo-key-order", Warning, Compatibility,
        "Keys are not sorted by time.",
        "ap 1 1 0 0 0\nap 0 1 0 0 0",
        "They are sorted; keys at the same time keep their order.";
    KEY_DUPLICATE = "amo-duplicate-key", Warning, Value,
        "A joint has two keys of the same kind at the same time.",
        "ap 0 1 0 0 0\nap 0 1 5 0 0",
        "The last one is used.";
    KEY_NEGATIVE = "amo-negative-time", Warning, Compatibility,
        "A key has a negative time.",
        "ap -1 1 0 0 0",
        "It is kept. In glTF, which has no negative times, the animation is shifted to start at 0.";
    PROGRESS = "amo-progress", Warning, Value,
        "The time of a key group must be a fraction of the animation's duration, from 0 to 1.",
        "k 1.5",
        "It is used unchanged.";
    WEIGHT_SUM = "amo-weight-sum", Warning, Value,
        "The weights of a vertex should sum to 1.",
        "vw 0.5 0 0 0",
        "They are normalised when evaluated; the file's numbers are kept.";
    WEIGHT_NEGATIVE = "amo-negative-weight", Warning, Value,
        "A weight is negative.",
        "vw 1.5 -0.5 0 0",
        "It is evaluated as 0.";
    WEIGHT_ZERO = "amo-zero-weights", Warning, Value,
        "All weights of a vertex are 0.",
        "vw 0 0 0 0",
        "The vertex stays at rest.";
    WEIGHT_UNUSED = "amo-weight-without-joint", Error, Value,
        "A corner pairs a weight with a joint that is marked as unused.",
        "vj 1 -1 -1 -1\nvw 0.5 0.5 0 0",
        "The weight is dropped and the rest are normalised.";
    WEIGHT_DROPPED = "amo-weight-dropped", Warning, Value,
        "In a dialect of the Vasall engine, whose weights are not normalised, a corner pairs a \
         weight with a joint that is marked as unused.",
        "vj 1 -1 -1 -1\nvw 0.5 0.5 0 0",
        "The weight is dropped and the rest are normalised.";
    WEIGHT_PAIR = "amo-joint-weight-count", Error, Value,
        "A corner has more joints than weights, or more weights than joints.",
        "vj 0 1 2 3 4\nvw 1 0 0 0",
        "Joints without a weight and weights without a joint are dropped.";
    QUATERNION_ZERO = "amo-zero-quaternion", Warning, Value,
        "A quaternion of length 0 is not a rotation.",
        "ar 0 1 0 0 0 0",
        "It is read as the identity.";
    QUATERNION_LENGTH = "amo-quaternion-length", Warning, Value,
        "A quaternion should have length 1. Files with lengths down to 0.7 are common, and are not \
         reported.",
        "ar 0 1 0 0 0 0.5",
        "It is normalised when evaluated; the file's numbers are kept.";
    REST_SINGULAR = "amo-singular-rest", Error, Value,
        "A joint's rest matrix cannot be inverted.",
        "Vertices are bound to the joint as if it rested at its parent's position.";
    LIBRARY_MISSING = "load-library-missing", Warning, Reference,
        "A material library of the file cannot be opened. Only libraries in the file's own folder \
         or below are opened.",
        "mtllib colours.mtl",
        "Only the names of its materials are kept.";
    MTL_LINE = "amo-material-line", Warning, Syntax,
        "A line of a material library cannot be read.",
        "Kd 1",
        "The line is ignored.";
    LOSS_INFLUENCES = "amo-loss-influences", Warning, Loss,
        "The target allows four joints per vertex.",
        "The four largest weights are kept and normalised.";
    LOSS_COORDINATE = "amo-loss-coordinate", Note, Loss,
        "The model has no fourth component of a position and no third component of a texture \
         coordinate.",
        "v 0 0 0 1",
        "The component is left out.";
    LOSS_SMOOTHING = "amo-loss-smoothing", Note, Loss,
        "Smoothing groups are not converted; normals are.",
        "s 1",
        "They are left out.";
    LOSS_GROUPS = "amo-loss-groups", Note, Loss,
        "The model has no groups.",
        "g head",
        "Their names are listed in the mesh's extras, without their faces.";
    LOSS_POLYGON = "amo-loss-polygon", Error, Limit,
        "A non-convex polygon has more corners than the limit.",
        "The face is left out.";
    LOSS_VERTICES = "amo-loss-vertices", Note, Loss,
        "Vertices are not used by any face, line or point.",
        "They are left out.";
    LOSS_SCALE = "amo-loss-scale", Warning, Loss,
        "Animated OBJ has no scale keys.",
        "Joints keep their size.";
    LOSS_EVENTS = "amo-loss-events", Warning, Loss,
        "Animated OBJ has no events.",
        "They are left out.";
    LOSS_MORPH = "amo-loss-morph", Warning, Loss,
        "Animated OBJ has no morph targets.",
        "The mesh keeps its base shape.";
    LOSS_MATERIAL = "amo-loss-material", Note, Loss,
        "Animated OBJ refers to materials by name; their appearance belongs in a material library, \
         which is not written.",
        "The names are kept.";
    LOSS_COLORS = "amo-loss-colors", Warning, Loss,
        "The specification has no vertex colours.",
        "They are left out.";
    LOSS_INTERPOLATION = "amo-loss-interpolation", Warning, Loss,
        "Animated OBJ interpolates linearly between keys.",
        "Step and cubic keys become linear keys with the same values.";
    LOSS_PATH = "amo-loss-path", Note, Loss,
        "The specification binds vertices to joints at the origin. For joints that rest elsewhere, \
         keys are rewritten. They are exact at every key, but interpolation between keys differs.",
        "Convert with a sampling rate (`--fps`) for more keys.";
    LOSS_BIND = "amo-loss-bind", Warning, Loss,
        "Two skins bind the same joint differently.",
        "The first one is used.";
    LOSS_WRAP = "amo-loss-wrap", Note, Loss,
        "Animated OBJ has no wrap modes.",
        "The wrap mode is left out.";
    LOSS_NAME = "amo-loss-name", Warning, Loss,
        "A name cannot be written unchanged.",
        "Line breaks and comment signs are replaced by `_`.";
    LOSS_EXTRAS = "amo-loss-extras", Note, Loss,
        "The source format has additional data that Animated OBJ cannot store.",
        "It is left out.";
    LOSS_WINDOW = "amo-loss-window", Note, Loss,
        "Animated OBJ has no clips that are part of a longer timeline.",
        "Only the keys inside the clip are written.";
    LOSS_VISIBILITY = "amo-loss-visibility", Warning, Loss,
        "Animated OBJ shows everything at all times.",
        "Objects that are hidden, sometimes or always, are visible at all times.";
    LOSS_CAMERA = "amo-loss-camera", Note, Loss,
        "Animated OBJ has no cameras.",
        "They are left out.";
}
