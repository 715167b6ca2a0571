//! Every kind of problem this crate reports: what it means, how it looks, what the reader or writer
//! does about it.

use anim_ir::{Category, Code, Severity};

/// A token stands where a finite number belongs. Hexadecimal, decimal commas, `nan` and `inf` are
/// none.
pub static NUMBER: Code = Code {
    id: "amo-number",
    severity: Severity::Error,
    category: Category::Syntax,
    meaning: "A token stands where a finite number belongs. Hexadecimal, decimal commas, `nan` \
              and `inf` are none.",
    example: "v 1,5 0 0",
    action: "The line is skipped. A `v` keeps its number, so that the faces that use others stay \
             right; faces that use it are dropped.",
};

/// A token stands where an integer belongs.
pub static INTEGER: Code = Code {
    id: "amo-integer",
    severity: Severity::Error,
    category: Category::Syntax,
    meaning: "A token stands where an integer belongs.",
    example: "vj 1.5 0 0 0",
    action: "The line is skipped; a `vj` keeps its number and moves nothing.",
};

/// A line has too few or too many values.
pub static FIELDS: Code = Code {
    id: "amo-fields",
    severity: Severity::Error,
    category: Category::Syntax,
    meaning: "A line has too few or too many values.",
    example: "vw 0.5 0.5",
    action: "The line is skipped; elements that are counted keep their number.",
};

/// A corner of a face is not of the form position/texcoord/normal/joints/weights.
pub static CORNER: Code = Code {
    id: "amo-corner",
    severity: Severity::Error,
    category: Category::Syntax,
    meaning: "A corner of a face is not of the form position/texcoord/normal/joints/weights.",
    example: "f 1/2/3/4/5/6 2 3",
    action: "The face is dropped.",
};

/// A face needs three corners at least, a line two.
pub static FACE_CORNERS: Code = Code {
    id: "amo-face-corners",
    severity: Severity::Error,
    category: Category::Syntax,
    meaning: "A face needs three corners at least, a line two.",
    example: "f 1 2",
    action: "The face is dropped.",
};

/// A line starts with a word that no dialect knows.
pub static KEYWORD: Code = Code {
    id: "amo-keyword",
    severity: Severity::Warning,
    category: Category::Syntax,
    meaning: "A line starts with a word that no dialect knows.",
    example: "F 1 2 3",
    action: "The line is kept as it is and has no effect.",
};

/// OBJ has statements that run programs or read other files.
pub static COMMAND: Code = Code {
    id: "amo-command",
    severity: Severity::Warning,
    category: Category::Compatibility,
    meaning: "OBJ has statements that run programs or read other files.",
    example: "csh rm -rf /",
    action: "Nothing is ever run; the line is kept and has no effect.",
};

/// A material library outside the folder of the file.
pub static LIBRARY: Code = Code {
    id: "amo-library-path",
    severity: Severity::Warning,
    category: Category::Compatibility,
    meaning: "A material library outside the folder of the file.",
    example: "mtllib ../../etc/passwd",
    action: "It is never opened; materials keep their names only.",
};

/// A block has fewer or more rows than it announces.
pub static BLOCK_COUNT: Code = Code {
    id: "amo-block-count",
    severity: Severity::Error,
    category: Category::Value,
    meaning: "A block has fewer or more rows than it announces.",
    example: "v 3\n0 0 0\n1 0 0",
    action: "The rows that are there are read; those too many are skipped.",
};

/// A line starts with a number outside of any block.
pub static STRAY_ROW: Code = Code {
    id: "amo-stray-row",
    severity: Severity::Error,
    category: Category::Syntax,
    meaning: "A line starts with a number outside of any block.",
    example: "0 0 1",
    action: "The line is skipped.",
};

/// The file ends in the middle of a line.
pub static CUT_OFF: Code = Code {
    id: "amo-cut-off",
    severity: Severity::Warning,
    category: Category::Syntax,
    meaning: "The file ends in the middle of a line.",
    example: "ih 1 34 ",
    action: "Everything before the break is read.",
};

/// The file starts with a byte order mark, which many readers of OBJ take for a keyword.
pub static BOM: Code = Code {
    id: "amo-byte-order-mark",
    severity: Severity::Warning,
    category: Category::Compatibility,
    meaning: "The file starts with a byte order mark, which many readers of OBJ take for a \
              keyword.",
    example: "",
    action: "The mark is skipped.",
};

/// The file is not UTF-8.
pub static LATIN1: Code = Code {
    id: "amo-latin-1",
    severity: Severity::Warning,
    category: Category::Compatibility,
    meaning: "The file is not UTF-8.",
    example: "",
    action: "Names are read as Latin-1; rewriting keeps the bytes.",
};

/// A name is longer than the limit.
pub static NAME: Code = Code {
    id: "amo-name-too-long",
    severity: Severity::Error,
    category: Category::Limit,
    meaning: "A name is longer than the limit.",
    example: "",
    action: "The name is cut.",
};

/// A name holds a control character.
pub static CONTROL: Code = Code {
    id: "amo-control-character",
    severity: Severity::Warning,
    category: Category::Syntax,
    meaning: "A name holds a control character.",
    example: "",
    action: "The name is kept; messages show the character escaped.",
};

/// A face names a vertex position that is not there. Indices count from 1; negative ones count back
/// from the last.
pub static POSITION_INDEX: Code = Code {
    id: "amo-position-index",
    severity: Severity::Error,
    category: Category::Reference,
    meaning: "A face names a vertex position that is not there. Indices count from 1; negative \
              ones count back from the last.",
    example: "f 1 2 9",
    action: "The face is dropped.",
};

/// A corner names a texture coordinate, a normal, joints or weights that are not there.
pub static ATTRIBUTE_INDEX: Code = Code {
    id: "amo-attribute-index",
    severity: Severity::Warning,
    category: Category::Reference,
    meaning: "A corner names a texture coordinate, a normal, joints or weights that are not there.",
    example: "f 1/9 2/1 3/1",
    action: "The corner goes without it.",
};

/// A face uses a vertex whose line could not be read.
pub static UNUSABLE: Code = Code {
    id: "amo-unusable-vertex",
    severity: Severity::Error,
    category: Category::Reference,
    meaning: "A face uses a vertex whose line could not be read.",
    example: "v 0 0 nan\nf 1 2 3",
    action: "The face is dropped.",
};

/// A face of an animated object has no joints or weights.
pub static UNSKINNED: Code = Code {
    id: "amo-unskinned",
    severity: Severity::Warning,
    category: Category::Compatibility,
    meaning: "A face of an animated object has no joints or weights.",
    example: "ao tail\nf 1/1/1 2/1/1 3/1/1",
    action: "Its vertices stay at rest.",
};

/// A joint is used that no `j` line declares.
pub static UNDECLARED_JOINT: Code = Code {
    id: "amo-undeclared-joint",
    severity: Severity::Warning,
    category: Category::Reference,
    meaning: "A joint is used that no `j` line declares.",
    example: "vj 7 0 0 0",
    action: "A root joint is made up for the number.",
};

/// A key names a joint by a number that none can have.
pub static JOINT_NUMBER: Code = Code {
    id: "amo-joint-number",
    severity: Severity::Error,
    category: Category::Reference,
    meaning: "A key names a joint by a number that none can have.",
    example: "ap 0 -1 0 0 0",
    action: "The key is dropped.",
};

/// A joint names a parent that is not there, or none.
pub static PARENT: Code = Code {
    id: "amo-parent",
    severity: Severity::Error,
    category: Category::Reference,
    meaning: "A joint names a parent that is not there, or none.",
    example: "j hand 99",
    action: "The joint becomes a root.",
};

/// Joints are their own ancestors.
pub static CYCLE: Code = Code {
    id: "amo-joint-cycle",
    severity: Severity::Error,
    category: Category::Reference,
    meaning: "Joints are their own ancestors.",
    example: "j a 2\nj b 1",
    action: "The first joint of the circle becomes a root.",
};

/// Parents count from another number than the dialect says: only so is no joint its own ancestor.
pub static PARENT_BASE: Code = Code {
    id: "amo-parent-base",
    severity: Severity::Note,
    category: Category::Compatibility,
    meaning: "Parents count from another number than the dialect says: only so is no joint its \
              own ancestor.",
    example: "",
    action: "The reading that makes a tree is taken.",
};

/// Two joints have one name; programs that find joints by name will mix them up.
pub static DUPLICATE_JOINT: Code = Code {
    id: "amo-duplicate-joint",
    severity: Severity::Warning,
    category: Category::Compatibility,
    meaning: "Two joints have one name; programs that find joints by name will mix them up.",
    example: "j arm -1\nj arm 1",
    action: "Both are kept.",
};

/// Two animations have one name.
pub static DUPLICATE_CLIP: Code = Code {
    id: "amo-duplicate-animation",
    severity: Severity::Warning,
    category: Category::Compatibility,
    meaning: "Two animations have one name.",
    example: "a walk\na walk",
    action: "Both are kept.",
};

/// A key stands before the first `a`.
pub static KEY_OUTSIDE: Code = Code {
    id: "amo-key-outside",
    severity: Severity::Warning,
    category: Category::Syntax,
    meaning: "A key stands before the first `a`.",
    example: "ap 0 1 0 0 0",
    action: "It goes into an animation without a name.",
};

/// In this dialect the time of a key is that of the `k` line above it, and there is none.
pub static KEY_WITHOUT_GROUP: Code = Code {
    id: "amo-key-without-group",
    severity: Severity::Error,
    category: Category::Syntax,
    meaning: "In this dialect the time of a key is that of the `k` line above it, and there is \
              none.",
    example: "a walk\nap 1 0 0 0",
    action: "The key is dropped.",
};

/// The specification requires a key at timestamp 0.
pub static FIRST_KEY: Code = Code {
    id: "amo-first-key",
    severity: Severity::Warning,
    category: Category::Compatibility,
    meaning: "The specification requires a key at timestamp 0.",
    example: "a walk\nap 0.5 1 0 0 0",
    action: "The first key holds before its time.",
};

/// Keys are not in the order of their times.
pub static KEY_ORDER: Code = Code {
    id: "amo-key-order",
    severity: Severity::Warning,
    category: Category::Compatibility,
    meaning: "Keys are not in the order of their times.",
    example: "ap 1 1 0 0 0\nap 0 1 0 0 0",
    action: "They are sorted; keys of one time keep their order.",
};

/// A joint has two keys of one kind at one time.
pub static KEY_DUPLICATE: Code = Code {
    id: "amo-duplicate-key",
    severity: Severity::Warning,
    category: Category::Value,
    meaning: "A joint has two keys of one kind at one time.",
    example: "ap 0 1 0 0 0\nap 0 1 5 0 0",
    action: "The last one counts.",
};

/// A key stands before time 0.
pub static KEY_NEGATIVE: Code = Code {
    id: "amo-negative-time",
    severity: Severity::Warning,
    category: Category::Compatibility,
    meaning: "A key stands before time 0.",
    example: "ap -1 1 0 0 0",
    action: "It is kept; glTF, which has no such times, gets the animation shifted.",
};

/// The time of a key group is a fraction of the animation's duration, from 0 to 1, and this one is
/// not.
pub static PROGRESS: Code = Code {
    id: "amo-progress",
    severity: Severity::Warning,
    category: Category::Value,
    meaning: "The time of a key group is a fraction of the animation's duration, from 0 to 1, and \
              this one is not.",
    example: "k 1.5",
    action: "It is taken as it is.",
};

/// The weights of a vertex should sum to 1.
pub static WEIGHT_SUM: Code = Code {
    id: "amo-weight-sum",
    severity: Severity::Warning,
    category: Category::Value,
    meaning: "The weights of a vertex should sum to 1.",
    example: "vw 0.5 0 0 0",
    action: "They are normalised when evaluated; the file's numbers are kept.",
};

/// A weight is negative.
pub static WEIGHT_NEGATIVE: Code = Code {
    id: "amo-negative-weight",
    severity: Severity::Warning,
    category: Category::Value,
    meaning: "A weight is negative.",
    example: "vw 1.5 -0.5 0 0",
    action: "It counts as 0.",
};

/// All weights of a vertex are 0.
pub static WEIGHT_ZERO: Code = Code {
    id: "amo-zero-weights",
    severity: Severity::Warning,
    category: Category::Value,
    meaning: "All weights of a vertex are 0.",
    example: "vw 0 0 0 0",
    action: "The vertex stays at rest.",
};

/// A corner pairs a weight with a joint that is marked as unused.
pub static WEIGHT_UNUSED: Code = Code {
    id: "amo-weight-without-joint",
    severity: Severity::Error,
    category: Category::Value,
    meaning: "A corner pairs a weight with a joint that is marked as unused.",
    example: "vj 1 -1 -1 -1\nvw 0.5 0.5 0 0",
    action: "The weight is dropped, the rest normalised.",
};

/// In the Vasall engine's dialects, where weights are as they come, a corner pairs a weight with a
/// joint that is marked as unused.
pub static WEIGHT_DROPPED: Code = Code {
    id: "amo-weight-dropped",
    severity: Severity::Warning,
    category: Category::Value,
    meaning: "In the Vasall engine's dialects, where weights are as they come, a corner pairs a \
              weight with a joint that is marked as unused.",
    example: "vj 1 -1 -1 -1\nvw 0.5 0.5 0 0",
    action: "The weight is dropped, the rest normalised.",
};

/// A corner pairs joints and weights of different number.
pub static WEIGHT_PAIR: Code = Code {
    id: "amo-joint-weight-count",
    severity: Severity::Error,
    category: Category::Value,
    meaning: "A corner pairs joints and weights of different number.",
    example: "vj 0 1 2 3 4\nvw 1 0 0 0",
    action: "What has no partner is dropped.",
};

/// A rotation of length 0 is none.
pub static QUATERNION_ZERO: Code = Code {
    id: "amo-zero-quaternion",
    severity: Severity::Warning,
    category: Category::Value,
    meaning: "A rotation of length 0 is none.",
    example: "ar 0 1 0 0 0 0",
    action: "It is taken as no rotation.",
};

/// A quaternion should have length 1. Files with lengths down to 0.7 are common, and are not
/// reported.
pub static QUATERNION_LENGTH: Code = Code {
    id: "amo-quaternion-length",
    severity: Severity::Warning,
    category: Category::Value,
    meaning: "A quaternion should have length 1. Files with lengths down to 0.7 are common, and \
              are not reported.",
    example: "ar 0 1 0 0 0 0.5",
    action: "It is normalised when evaluated; the file's numbers are kept.",
};

/// A joint's rest matrix cannot be inverted.
pub static REST_SINGULAR: Code = Code {
    id: "amo-singular-rest",
    severity: Severity::Error,
    category: Category::Value,
    meaning: "A joint's rest matrix cannot be inverted.",
    example: "",
    action: "Vertices are bound to the joint as if it rested at its parent's place.",
};

/// A line of a material library cannot be read.
pub static MTL_LINE: Code = Code {
    id: "amo-material-line",
    severity: Severity::Warning,
    category: Category::Syntax,
    meaning: "A line of a material library cannot be read.",
    example: "Kd 1",
    action: "The line has no effect.",
};

/// The target allows four joints a vertex.
pub static LOSS_INFLUENCES: Code = Code {
    id: "amo-loss-influences",
    severity: Severity::Warning,
    category: Category::Loss,
    meaning: "The target allows four joints a vertex.",
    example: "",
    action: "The four greatest weights are kept and normalised.",
};

/// A fourth component of a position or a third of a texture coordinate has no use here.
pub static LOSS_COORDINATE: Code = Code {
    id: "amo-loss-coordinate",
    severity: Severity::Note,
    category: Category::Loss,
    meaning: "A fourth component of a position or a third of a texture coordinate has no use here.",
    example: "v 0 0 0 1",
    action: "It is left out.",
};

/// Smoothing groups are not carried over; normals are.
pub static LOSS_SMOOTHING: Code = Code {
    id: "amo-loss-smoothing",
    severity: Severity::Note,
    category: Category::Loss,
    meaning: "Smoothing groups are not carried over; normals are.",
    example: "s 1",
    action: "They are left out.",
};

/// Group names have no place of their own in the model.
pub static LOSS_GROUPS: Code = Code {
    id: "amo-loss-groups",
    severity: Severity::Note,
    category: Category::Loss,
    meaning: "Group names have no place of their own in the model.",
    example: "g head",
    action: "They are listed in the mesh's extras, without their faces.",
};

/// A polygon that is not convex has more corners than the limit.
pub static LOSS_POLYGON: Code = Code {
    id: "amo-loss-polygon",
    severity: Severity::Error,
    category: Category::Limit,
    meaning: "A polygon that is not convex has more corners than the limit.",
    example: "",
    action: "The face is left out.",
};

/// Vertices that no face, line or point uses.
pub static LOSS_VERTICES: Code = Code {
    id: "amo-loss-vertices",
    severity: Severity::Note,
    category: Category::Loss,
    meaning: "Vertices that no face, line or point uses.",
    example: "",
    action: "They are left out.",
};

/// Animated OBJ has no scale keys.
pub static LOSS_SCALE: Code = Code {
    id: "amo-loss-scale",
    severity: Severity::Warning,
    category: Category::Loss,
    meaning: "Animated OBJ has no scale keys.",
    example: "",
    action: "Joints keep their size.",
};

/// Animated OBJ has no events.
pub static LOSS_EVENTS: Code = Code {
    id: "amo-loss-events",
    severity: Severity::Warning,
    category: Category::Loss,
    meaning: "Animated OBJ has no events.",
    example: "",
    action: "They are left out.",
};

/// Animated OBJ has no morph targets.
pub static LOSS_MORPH: Code = Code {
    id: "amo-loss-morph",
    severity: Severity::Warning,
    category: Category::Loss,
    meaning: "Animated OBJ has no morph targets.",
    example: "",
    action: "The mesh keeps its base shape.",
};

/// Animated OBJ names materials; what they look like is in a material library, which is not
/// written.
pub static LOSS_MATERIAL: Code = Code {
    id: "amo-loss-material",
    severity: Severity::Note,
    category: Category::Loss,
    meaning: "Animated OBJ names materials; what they look like is in a material library, which \
              is not written.",
    example: "",
    action: "The names are kept.",
};

/// The specification has no vertex colours.
pub static LOSS_COLORS: Code = Code {
    id: "amo-loss-colors",
    severity: Severity::Warning,
    category: Category::Loss,
    meaning: "The specification has no vertex colours.",
    example: "",
    action: "They are left out.",
};

/// Keys of Animated OBJ are joined by straight lines.
pub static LOSS_INTERPOLATION: Code = Code {
    id: "amo-loss-interpolation",
    severity: Severity::Warning,
    category: Category::Loss,
    meaning: "Keys of Animated OBJ are joined by straight lines.",
    example: "",
    action: "Step and cubic keys become plain keys with their values.",
};

/// The specification binds vertices to joints at the origin. Where joints rest elsewhere, keys are
/// rewritten: exact at every key time, but between keys a joint takes the straight way.
pub static LOSS_PATH: Code = Code {
    id: "amo-loss-path",
    severity: Severity::Note,
    category: Category::Loss,
    meaning: "The specification binds vertices to joints at the origin. Where joints rest \
              elsewhere, keys are rewritten: exact at every key time, but between keys a joint \
              takes the straight way.",
    example: "",
    action: "Convert with a sample rate for more keys.",
};

/// Two skins bind one joint differently.
pub static LOSS_BIND: Code = Code {
    id: "amo-loss-bind",
    severity: Severity::Warning,
    category: Category::Loss,
    meaning: "Two skins bind one joint differently.",
    example: "",
    action: "The first one counts.",
};

/// Animated OBJ does not say whether an animation repeats.
pub static LOSS_WRAP: Code = Code {
    id: "amo-loss-wrap",
    severity: Severity::Note,
    category: Category::Loss,
    meaning: "Animated OBJ does not say whether an animation repeats.",
    example: "",
    action: "It is left out.",
};

/// A name cannot be written as it is.
pub static LOSS_NAME: Code = Code {
    id: "amo-loss-name",
    severity: Severity::Warning,
    category: Category::Loss,
    meaning: "A name cannot be written as it is.",
    example: "",
    action: "Line ends and signs of comments are replaced by `_`.",
};

/// What the source format says beyond geometry and animation has no place in Animated OBJ.
pub static LOSS_EXTRAS: Code = Code {
    id: "amo-loss-extras",
    severity: Severity::Note,
    category: Category::Loss,
    meaning: "What the source format says beyond geometry and animation has no place in Animated \
              OBJ.",
    example: "",
    action: "It is left out.",
};

/// Animated OBJ has no windows on a longer timeline.
pub static LOSS_WINDOW: Code = Code {
    id: "amo-loss-window",
    severity: Severity::Note,
    category: Category::Loss,
    meaning: "Animated OBJ has no windows on a longer timeline.",
    example: "",
    action: "The keys inside the window are written.",
};

/// Animated OBJ shows everything at all times.
pub static LOSS_VISIBILITY: Code = Code {
    id: "amo-loss-visibility",
    severity: Severity::Warning,
    category: Category::Loss,
    meaning: "Animated OBJ shows everything at all times.",
    example: "",
    action: "What is hidden, now or then, is seen.",
};

/// Animated OBJ has no cameras.
pub static LOSS_CAMERA: Code = Code {
    id: "amo-loss-camera",
    severity: Severity::Note,
    category: Category::Loss,
    meaning: "Animated OBJ has no cameras.",
    example: "",
    action: "They are left out.",
};

/// All codes of this crate.
pub static ALL: [&Code; 63] = [
    &NUMBER,
    &INTEGER,
    &FIELDS,
    &CORNER,
    &FACE_CORNERS,
    &KEYWORD,
    &COMMAND,
    &LIBRARY,
    &BLOCK_COUNT,
    &STRAY_ROW,
    &CUT_OFF,
    &BOM,
    &LATIN1,
    &NAME,
    &CONTROL,
    &POSITION_INDEX,
    &ATTRIBUTE_INDEX,
    &UNUSABLE,
    &UNSKINNED,
    &UNDECLARED_JOINT,
    &JOINT_NUMBER,
    &PARENT,
    &CYCLE,
    &PARENT_BASE,
    &DUPLICATE_JOINT,
    &DUPLICATE_CLIP,
    &KEY_OUTSIDE,
    &KEY_WITHOUT_GROUP,
    &FIRST_KEY,
    &KEY_ORDER,
    &KEY_DUPLICATE,
    &KEY_NEGATIVE,
    &PROGRESS,
    &WEIGHT_SUM,
    &WEIGHT_NEGATIVE,
    &WEIGHT_ZERO,
    &WEIGHT_UNUSED,
    &WEIGHT_DROPPED,
    &WEIGHT_PAIR,
    &QUATERNION_ZERO,
    &QUATERNION_LENGTH,
    &REST_SINGULAR,
    &MTL_LINE,
    &LOSS_INFLUENCES,
    &LOSS_COORDINATE,
    &LOSS_SMOOTHING,
    &LOSS_GROUPS,
    &LOSS_POLYGON,
    &LOSS_VERTICES,
    &LOSS_SCALE,
    &LOSS_EVENTS,
    &LOSS_MORPH,
    &LOSS_MATERIAL,
    &LOSS_COLORS,
    &LOSS_INTERPOLATION,
    &LOSS_PATH,
    &LOSS_BIND,
    &LOSS_WRAP,
    &LOSS_NAME,
    &LOSS_EXTRAS,
    &LOSS_WINDOW,
    &LOSS_VISIBILITY,
    &LOSS_CAMERA,
];
