//! Every kind of problem this crate reports: what it means, how it looks, what the reader or writer
//! does about it.

anim_ir::codes! {
    NUMBER = "amo-number", Error, Syntax,
        "A token stands where a finite number belongs. Hexadecimal, decimal commas, `nan` and \
         `inf` are none.",
        "v 1,5 0 0",
        "The line is skipped. A `v` keeps its number, so that the faces that use others stay \
         right; faces that use it are dropped.";
    INTEGER = "amo-integer", Error, Syntax,
        "A token stands where an integer belongs.",
        "vj 1.5 0 0 0",
        "The line is skipped; a `vj` keeps its number and moves nothing.";
    FIELDS = "amo-fields", Error, Syntax,
        "A line has too few or too many values.",
        "vw 0.5 0.5",
        "The line is skipped; elements that are counted keep their number.";
    CORNER = "amo-corner", Error, Syntax,
        "A corner of a face is not of the form position/texcoord/normal/joints/weights.",
        "f 1/2/3/4/5/6 2 3",
        "The face is dropped.";
    FACE_CORNERS = "amo-face-corners", Error, Syntax,
        "A face needs three corners at least, a line two.",
        "f 1 2",
        "The face is dropped.";
    KEYWORD = "amo-keyword", Warning, Syntax,
        "A line starts with a word that no dialect knows.",
        "F 1 2 3",
        "The line is kept as it is and has no effect.";
    COMMAND = "amo-command", Warning, Compatibility,
        "OBJ has statements that run programs or read other files.",
        "csh rm -rf /",
        "Nothing is ever run; the line is kept and has no effect.";
    LIBRARY = "amo-library-path", Warning, Compatibility,
        "A material library outside the folder of the file.",
        "mtllib ../../etc/passwd",
        "It is never opened; materials keep their names only.";
    BLOCK_COUNT = "amo-block-count", Error, Value,
        "A block has fewer or more rows than it announces.",
        "v 3\n0 0 0\n1 0 0",
        "The rows that are there are read; those too many are skipped.";
    STRAY_ROW = "amo-stray-row", Error, Syntax,
        "A line starts with a number outside of any block.",
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
        "Everything before the break is read; joints that are missing are made up as roots. \
         Nothing is repaired, since what is missing may decide what the rest means.";
    BOM = "amo-byte-order-mark", Warning, Compatibility,
        "The file starts with a byte order mark, which many readers of OBJ take for a keyword.",
        "The mark is skipped.";
    LATIN1 = "amo-latin-1", Warning, Compatibility,
        "The file is not UTF-8.",
        "Names are read as Latin-1; rewriting keeps the bytes.";
    NAME = "amo-name-too-long", Error, Limit,
        "A name is longer than the limit.",
        "The name is cut.";
    CONTROL = "amo-control-character", Warning, Syntax,
        "A name holds a control character.",
        "The name is kept; messages show the character escaped.";
    POSITION_INDEX = "amo-position-index", Error, Reference,
        "A face names a vertex position that is not there. Indices count from 1; negative ones \
         count back from the last.",
        "f 1 2 9",
        "The face is dropped.";
    ATTRIBUTE_INDEX = "amo-attribute-index", Warning, Reference,
        "A corner names a texture coordinate, a normal, joints or weights that are not there.",
        "f 1/9 2/1 3/1",
        "The corner goes without it.";
    UNUSABLE = "amo-unusable-vertex", Error, Reference,
        "A face uses a vertex whose line could not be read.",
        "v 0 0 nan\nf 1 2 3",
        "The face is dropped.";
    NORMALS = "amo-normals", Warning, Value,
        "Normals point away from the faces that they belong to. Some exporters turn them and not \
         the faces; the model is lit from the wrong side then, or looks nearly black.",
        "f 1//1 2//1 3//1, counter-clockwise seen from below, where `vn` 1 is 0 1 0",
        "The file's normals are kept. On conversion those of an object are turned, or its faces \
         reversed, where a single turn explains nearly all of them: see `--normals`.";
    UNSKINNED = "amo-unskinned", Warning, Compatibility,
        "A face of an animated object has no joints or weights.",
        "ao tail\nf 1/1/1 2/1/1 3/1/1",
        "Its vertices stay at rest.";
    UNDECLARED_JOINT = "amo-undeclared-joint", Warning, Reference,
        "A joint is used that no `j` line declares.",
        "vj 7 0 0 0",
        "A root joint is made up for the number.";
    JOINT_NUMBER = "amo-joint-number", Error, Reference,
        "A key names a joint by a number that none can have.",
        "ap 0 -1 0 0 0",
        "The key is dropped.";
    PARENT = "amo-parent", Error, Reference,
        "A joint names a parent that is not there, or none.",
        "j hand 99",
        "The joint becomes a root.";
    CYCLE = "amo-joint-cycle", Error, Reference,
        "Joints are their own ancestors.",
        "j a 2\nj b 1",
        "The first joint of the circle becomes a root.";
    PARENT_BASE = "amo-parent-base", Note, Compatibility,
        "Parents count from another number than the dialect says: only so is no joint its own \
         ancestor.",
        "The reading that makes a tree is taken.";
    DUPLICATE_JOINT = "amo-duplicate-joint", Warning, Compatibility,
        "Two joints have one name; programs that find joints by name will mix them up.",
        "j arm -1\nj arm 1",
        "Both are kept.";
    DUPLICATE_CLIP = "amo-duplicate-animation", Warning, Compatibility,
        "Two animations have one name.",
        "a walk\na walk",
        "Both are kept.";
    KEY_OUTSIDE = "amo-key-outside", Warning, Syntax,
        "A key stands before the first `a`.",
        "ap 0 1 0 0 0",
        "It goes into an animation without a name.";
    KEY_WITHOUT_GROUP = "amo-key-without-group", Error, Syntax,
        "In this dialect the time of a key is that of the `k` line above it, and there is none.",
        "a walk\nap 1 0 0 0",
        "The key is dropped.";
    FIRST_KEY = "amo-first-key", Warning, Compatibility,
        "The specification requires a key at timestamp 0.",
        "a walk\nap 0.5 1 0 0 0",
        "The first key holds before its time.";
    KEY_ORDER = "amo-key-order", Warning, Compatibility,
        "Keys are not in the order of their times.",
        "ap 1 1 0 0 0\nap 0 1 0 0 0",
        "They are sorted; keys of one time keep their order.";
    KEY_DUPLICATE = "amo-duplicate-key", Warning, Value,
        "A joint has two keys of one kind at one time.",
        "ap 0 1 0 0 0\nap 0 1 5 0 0",
        "The last one counts.";
    KEY_NEGATIVE = "amo-negative-time", Warning, Compatibility,
        "A key stands before time 0.",
        "ap -1 1 0 0 0",
        "It is kept; glTF, which has no such times, gets the animation shifted.";
    PROGRESS = "amo-progress", Warning, Value,
        "The time of a key group is a fraction of the animation's duration, from 0 to 1, and this \
         one is not.",
        "k 1.5",
        "It is taken as it is.";
    WEIGHT_SUM = "amo-weight-sum", Warning, Value,
        "The weights of a vertex should sum to 1.",
        "vw 0.5 0 0 0",
        "They are normalised when evaluated; the file's numbers are kept.";
    WEIGHT_NEGATIVE = "amo-negative-weight", Warning, Value,
        "A weight is negative.",
        "vw 1.5 -0.5 0 0",
        "It counts as 0.";
    WEIGHT_ZERO = "amo-zero-weights", Warning, Value,
        "All weights of a vertex are 0.",
        "vw 0 0 0 0",
        "The vertex stays at rest.";
    WEIGHT_UNUSED = "amo-weight-without-joint", Error, Value,
        "A corner pairs a weight with a joint that is marked as unused.",
        "vj 1 -1 -1 -1\nvw 0.5 0.5 0 0",
        "The weight is dropped, the rest normalised.";
    WEIGHT_DROPPED = "amo-weight-dropped", Warning, Value,
        "In the Vasall engine's dialects, where weights are as they come, a corner pairs a weight \
         with a joint that is marked as unused.",
        "vj 1 -1 -1 -1\nvw 0.5 0.5 0 0",
        "The weight is dropped, the rest normalised.";
    WEIGHT_PAIR = "amo-joint-weight-count", Error, Value,
        "A corner pairs joints and weights of different number.",
        "vj 0 1 2 3 4\nvw 1 0 0 0",
        "What has no partner is dropped.";
    QUATERNION_ZERO = "amo-zero-quaternion", Warning, Value,
        "A rotation of length 0 is none.",
        "ar 0 1 0 0 0 0",
        "It is taken as no rotation.";
    QUATERNION_LENGTH = "amo-quaternion-length", Warning, Value,
        "A quaternion should have length 1. Files with lengths down to 0.7 are common, and are not \
         reported.",
        "ar 0 1 0 0 0 0.5",
        "It is normalised when evaluated; the file's numbers are kept.";
    REST_SINGULAR = "amo-singular-rest", Error, Value,
        "A joint's rest matrix cannot be inverted.",
        "Vertices are bound to the joint as if it rested at its parent's place.";
    LIBRARY_MISSING = "load-library-missing", Warning, Reference,
        "A material library that the file names cannot be opened. Only files in the file's own \
         folder or below are opened.",
        "mtllib colours.mtl",
        "Materials keep their names only.";
    MTL_LINE = "amo-material-line", Warning, Syntax,
        "A line of a material library cannot be read.",
        "Kd 1",
        "The line has no effect.";
    LOSS_INFLUENCES = "amo-loss-influences", Warning, Loss,
        "The target allows four joints a vertex.",
        "The four greatest weights are kept and normalised.";
    LOSS_COORDINATE = "amo-loss-coordinate", Note, Loss,
        "A fourth component of a position or a third of a texture coordinate has no use here.",
        "v 0 0 0 1",
        "It is left out.";
    LOSS_SMOOTHING = "amo-loss-smoothing", Note, Loss,
        "Smoothing groups are not carried over; normals are.",
        "s 1",
        "They are left out.";
    LOSS_GROUPS = "amo-loss-groups", Note, Loss,
        "Group names have no place of their own in the model.",
        "g head",
        "They are listed in the mesh's extras, without their faces.";
    LOSS_POLYGON = "amo-loss-polygon", Error, Limit,
        "A polygon that is not convex has more corners than the limit.",
        "The face is left out.";
    LOSS_VERTICES = "amo-loss-vertices", Note, Loss,
        "Vertices that no face, line or point uses.",
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
        "Animated OBJ names materials; what they look like is in a material library, which is not \
         written.",
        "The names are kept.";
    LOSS_COLORS = "amo-loss-colors", Warning, Loss,
        "The specification has no vertex colours.",
        "They are left out.";
    LOSS_INTERPOLATION = "amo-loss-interpolation", Warning, Loss,
        "Keys of Animated OBJ are joined by straight lines.",
        "Step and cubic keys become plain keys with their values.";
    LOSS_PATH = "amo-loss-path", Note, Loss,
        "The specification binds vertices to joints at the origin. Where joints rest elsewhere, \
         keys are rewritten: exact at every key time, but between keys a joint takes the straight \
         way.",
        "Convert with a sample rate for more keys.";
    LOSS_BIND = "amo-loss-bind", Warning, Loss,
        "Two skins bind one joint differently.",
        "The first one counts.";
    LOSS_WRAP = "amo-loss-wrap", Note, Loss,
        "Animated OBJ does not say whether an animation repeats.",
        "It is left out.";
    LOSS_NAME = "amo-loss-name", Warning, Loss,
        "A name cannot be written as it is.",
        "Line ends and signs of comments are replaced by `_`.";
    LOSS_EXTRAS = "amo-loss-extras", Note, Loss,
        "What the source format says beyond geometry and animation has no place in Animated OBJ.",
        "It is left out.";
    LOSS_WINDOW = "amo-loss-window", Note, Loss,
        "Animated OBJ has no windows on a longer timeline.",
        "The keys inside the window are written.";
    LOSS_VISIBILITY = "amo-loss-visibility", Warning, Loss,
        "Animated OBJ shows everything at all times.",
        "What is hidden, now or then, is seen.";
    LOSS_CAMERA = "amo-loss-camera", Note, Loss,
        "Animated OBJ has no cameras.",
        "They are left out.";
}
