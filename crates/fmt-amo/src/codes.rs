//! The diagnostic codes of this crate, each with the problem, an example, and how the reader or
//! writer handles it.

anim_ir::codes! {
    NUMBER = "amo-number", Error, Syntax,
        "Expected a finite decimal number. Hexadecimal, decimal commas, `nan` and `inf` are not \
         accepted.",
        "v 1,5 0 0",
        "The line is skipped. A skipped `v` still counts, so the indices of other vertices stay \
         correct; faces that use it are dropped.";
    INTEGER = "amo-integer", Error, Syntax,
        "Expected an integer.",
        "vj 1.5 0 0 0",
        "The line is skipped. A skipped `vj` line still counts as a row, but without influences.";
    FIELDS = "amo-fields", Error, Syntax,
        "A line has too few or too many values.",
        "vw 0.5 0.5",
        "The line is skipped. A skipped element still counts, so the indices of other elements \
         stay correct.";
    CORNER = "amo-corner", Error, Syntax,
        "A face corner is not of the form position/texcoord/normal/joints/weights.",
        "f 1/2/3/4/5/6 2 3",
        "The face is dropped.";
    FACE_CORNERS = "amo-face-corners", Error, Syntax,
        "A face needs at least three corners, a line at least two.",
        "f 1 2",
        "The face or line is dropped.";
    KEYWORD = "amo-keyword", Warning, Syntax,
        "A line starts with a keyword that is unknown in every dialect.",
        "F 1 2 3",
        "The line is kept unchanged and ignored. `animfmt check --fix` repairs it if the repair \
         is certain.";
    COMMAND = "amo-command", Warning, Compatibility,
        "An OBJ statement runs a program or reads another file.",
        "csh rm -rf /",
        "No program is ever run; the line is kept and ignored.";
    LIBRARY = "amo-library-path", Warning, Reference,
        "A material library is outside the file's own folder, or has an absolute path. \
         `--root FOLDER` allows libraries below another folder.",
        "mtllib ../../etc/passwd",
        "The library is not opened; only the names of its materials are kept.";
    BLOCK_COUNT = "amo-block-count", Error, Value,
        "A block has fewer or more rows than its header declares.",
        "v 3\n0 0 0\n1 0 0",
        "The available rows are read; extra rows are skipped.";
    GROUP_COUNT = "amo-group-count", Warning, Value,
        "An animation has fewer or more key groups than its `an` line declares.",
        "an walk 1000 3\nk 0 1\n0 0 0 0 1 0 0 0",
        "All key groups that follow are read. Nothing is repaired, since either the number may be \
         wrong or groups may be missing.";
    STRAY_ROW = "amo-stray-row", Error, Syntax,
        "A line outside any block starts with a number.",
        "0 0 1",
        "The line is skipped.";
    CUT_OFF = "amo-cut-off", Warning, Syntax,
        "The file ends in the middle of a line that is not needed for geometry or animation. Or it \
         has vertices but no face, joint or animation, and ends in the rows of the vertices, \
         as a point cloud does.",
        "ih 1 34 ",
        "Everything before the break is read. Nothing is repaired. Vertices without faces are \
         read as points.";
    TRUNCATED = "amo-truncated", Error, Syntax,
        "The file looks cut off: it ends in the middle of a statement or a counted block, or lacks \
         the joints that its vertices are bound to.",
        "v 8\n0 0 0\n1 0 0",
        "Everything before the break is read; missing joints are created as roots. Nothing is \
         repaired, since the missing part may determine how the rest must be read.";
    NO_LINE_BREAK = "amo-no-line-break", Note, Syntax,
        "The file ends in a number that is not followed by a line break. If the file was cut off \
         there, digits of the number may be missing.",
        "ak 0 0 0 0 1 0.98",
        "The number is read as it is.";
    BOM = "amo-byte-order-mark", Warning, Compatibility,
        "The file starts with a byte order mark, which many OBJ readers mistake for part of a \
         keyword.",
        "The mark is skipped. `animfmt check --fix` removes it.";
    LATIN1 = "amo-latin-1", Warning, Compatibility,
        "The file is not UTF-8.",
        "Names are read as Latin-1; writing preserves the bytes.";
    NAME = "amo-name-too-long", Error, Limit,
        "A name is longer than the limit.",
        "The name is truncated.";
    CONTROL = "amo-control-character", Warning, Syntax,
        "A name contains a control character.",
        "The name is kept; the character is escaped in messages.";
    POSITION_INDEX = "amo-position-index", Error, Reference,
        "A face refers to a vertex position that does not exist. Indices start at 1; negative \
         indices count back from the last element.",
        "f 1 2 9",
        "The face is dropped.";
    ATTRIBUTE_INDEX = "amo-attribute-index", Warning, Reference,
        "A face corner refers to a texture coordinate, a normal, joints or weights that do not \
         exist.",
        "f 1/9 2/1 3/1",
        "The corner is read without the attribute.";
    UNUSABLE = "amo-unusable-vertex", Error, Reference,
        "A face uses a vertex whose line is invalid.",
        "v 0 0 nan\nf 1 2 3",
        "The face is dropped.";
    NORMALS = "amo-normals", Warning, Value,
        "Normals point away from their faces. Some exporters rotate the normals but not the faces; \
         the model is then lit from the wrong side or looks nearly black.",
        "f 1//1 2//1 3//1, counter-clockwise seen from below, where `vn` 1 is 0 1 0",
        "The file's normals are kept. If a single rotation explains nearly all of an object's \
         normals, conversion rotates them back or reverses the faces: see `--normals`.";
    ZERO_NORMAL = "amo-zero-normal", Warning, Value,
        "A normal has length zero, so it has no direction.",
        "vn 0 0 0",
        "The normal is kept. glTF does not allow it: conversion writes another direction, and \
         reports a loss.";
    UNSKINNED = "amo-unskinned", Warning, Compatibility,
        "A face of an animated object has no joints or weights.",
        "ao tail\nf 1/1/1 2/1/1 3/1/1",
        "The face's vertices stay at rest.";
    UNDECLARED_JOINT = "amo-undeclared-joint", Warning, Reference,
        "A joint is used but not declared by any `j` line.",
        "vj 7 0 0 0",
        "A root joint with that number is created.";
    JOINT_NUMBER = "amo-joint-number", Error, Reference,
        "A key refers to an invalid joint number.",
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
        "Parents are not numbered as specified for the dialect: one of them is 0, or the usual \
         numbering would make a joint its own ancestor.",
        "The numbering that gives a tree is used.";
    DUPLICATE_JOINT = "amo-duplicate-joint", Warning, Compatibility,
        "Two joints have the same name. Programs that look up joints by name find only one.",
        "j arm -1\nj arm 1",
        "Both joints are kept.";
    DUPLICATE_CLIP = "amo-duplicate-animation", Warning, Compatibility,
        "Two animations have the same name.",
        "a walk\na walk",
        "Both animations are kept.";
    KEY_OUTSIDE = "amo-key-outside", Warning, Syntax,
        "A key appears before the first `a`.",
        "ap 0 1 0 0 0",
        "The key is added to an unnamed animation.";
    KEY_WITHOUT_GROUP = "amo-key-without-group", Error, Syntax,
        "A key is not preceded by a `k` line, which sets the time of keys in this dialect.",
        "a walk\nap 1 0 0 0",
        "The key is dropped.";
    FIRST_KEY = "amo-first-key", Warning, Compatibility,
        "An animation has no key at time 0, which the specification requires.",
        "a walk\nap 0.5 1 0 0 0",
        "Before the time of the first key, the value of that key is used.";
    KEY_ORDER = "amo-key-order", Warning, Compatibility,
        "Keys are not sorted by time.",
        "ap 1 1 0 0 0\nap 0 1 0 0 0",
        "The keys are sorted; keys with the same time keep their order. `animfmt check --fix` \
         repairs it if the repair is certain.";
    KEY_DUPLICATE = "amo-duplicate-key", Warning, Value,
        "A joint has two keys of the same type at the same time.",
        "ap 0 1 0 0 0\nap 0 1 5 0 0",
        "The last key is used.";
    KEY_NEGATIVE = "amo-negative-time", Warning, Compatibility,
        "A key has a negative time.",
        "ap -1 1 0 0 0",
        "The key is kept. In glTF, which does not allow negative times, the animation is shifted \
         to start at 0.";
    PROGRESS = "amo-progress", Warning, Value,
        "The time of a key group is a fraction of the animation's duration and must be between 0 \
         and 1.",
        "k 1.5",
        "The time is used unchanged.";
    WEIGHT_SUM = "amo-weight-sum", Warning, Value,
        "The weights of a vertex should sum to 1.",
        "vw 0.5 0 0 0",
        "The weights are normalised on evaluation; the values in the file are kept. `animfmt \
         check --fix` rewrites them.";
    WEIGHT_NEGATIVE = "amo-negative-weight", Warning, Value,
        "A weight is negative.",
        "vw 1.5 -0.5 0 0",
        "The weight is treated as 0.";
    WEIGHT_ZERO = "amo-zero-weights", Warning, Value,
        "All weights of a vertex are 0.",
        "vw 0 0 0 0",
        "The vertex stays at rest.";
    WEIGHT_UNUSED = "amo-weight-without-joint", Error, Value,
        "A face corner assigns a weight to a joint that is marked as unused.",
        "vj 1 -1 -1 -1\nvw 0.5 0.5 0 0",
        "The weight is dropped and the remaining weights are normalised.";
    WEIGHT_DROPPED = "amo-weight-dropped", Warning, Value,
        "In a dialect of the Vasall engine, whose weights are not normalised, a corner assigns a \
         weight to a joint that is marked as unused.",
        "vj 1 -1 -1 -1\nvw 0.5 0.5 0 0",
        "The weight is dropped and the remaining weights are normalised.";
    WEIGHT_PAIR = "amo-joint-weight-count", Error, Value,
        "A face corner has more joints than weights, or more weights than joints.",
        "vj 0 1 2 3 4\nvw 1 0 0 0",
        "Joints without a weight and weights without a joint are dropped.";
    QUATERNION_ZERO = "amo-zero-quaternion", Warning, Value,
        "A quaternion of length 0 is not a rotation.",
        "ar 0 1 0 0 0 0",
        "The rotation is read as the identity.";
    QUATERNION_LENGTH = "amo-quaternion-length", Warning, Value,
        "A quaternion should have length 1. Files with lengths down to 0.7 are common, and are not \
         reported.",
        "ar 0 1 0 0 0 0.5",
        "The quaternion is normalised on evaluation; the values in the file are kept. `animfmt \
         check --fix` rewrites them.";
    REST_SINGULAR = "amo-singular-rest", Error, Value,
        "A joint's rest matrix cannot be inverted.",
        "Vertices are bound as if the joint's rest pose were that of its parent.";
    LIBRARY_MISSING = "load-library-missing", Warning, Reference,
        "A material library cannot be opened.",
        "mtllib colours.mtl",
        "Only the names of the library's materials are kept.";
    MTL_LINE = "amo-material-line", Warning, Syntax,
        "A line in a material library is invalid.",
        "Kd red",
        "The line is ignored.";
    MTL_RANGE = "amo-material-range", Warning, Value,
        "A value in a material library is out of range: below 0, or above 1 for colours, opacity, \
         metalness and roughness.",
        "d 2",
        "The nearest value in the range is used.";
    MTL_NAME = "amo-material-name", Warning, Reference,
        "Two materials of a library have the same name.",
        "newmtl skin\nnewmtl skin",
        "The first is used.";
    MATERIAL_MISSING = "amo-material-missing", Warning, Reference,
        "A material is not defined in any of the file's material libraries.",
        "mtllib colours.mtl\nusemtl skni",
        "Only the name of the material is kept.";
    LOSS_TEXTURE = "amo-loss-texture", Warning, Loss,
        "A material library has a texture, or an option of a texture, that the scene model does \
         not support. A bump map is one, since it contains heights instead of normals.",
        "map_Bump -bm 0.2 bark.png",
        "The texture is dropped, or used without the option. If the texture of `map_Bump` is a \
         normal map, name it with `norm` instead.";
    LOSS_CLOUD = "amo-loss-cloud", Note, Loss,
        "A file has only vertices, which are read as points, and something that the points cannot \
         have.",
        "v 0 0 0\nvn 0 0 1",
        "All vertices become one mesh with the first material. Names of further objects, further \
         materials, normals and texture coordinates are dropped.";
    LOSS_INFLUENCES = "amo-loss-influences", Warning, Loss,
        "The target format supports at most four joints per vertex.",
        "The four largest weights are kept and normalised.";
    LOSS_COORDINATE = "amo-loss-coordinate", Note, Loss,
        "The scene model does not store the fourth component of a position or the third component \
         of a texture coordinate.",
        "v 0 0 0 1",
        "The component is dropped. Nothing can be done: glTF has no such component.";
    LOSS_SMOOTHING = "amo-loss-smoothing", Note, Loss,
        "Smoothing groups are not converted.",
        "s 1",
        "The groups are dropped; normals are kept. Nothing needs to be done if the file has \
         normals, since they determine the shading.";
    LOSS_GROUPS = "amo-loss-groups", Note, Loss,
        "The scene model does not support groups.",
        "g head",
        "The names of groups with faces are listed in the mesh's extras, at most 1000 per mesh, \
         without the faces assigned to them. To keep the faces apart, use objects or materials \
         instead of groups.";
    LOSS_POLYGON = "amo-loss-polygon", Error, Limit,
        "A non-convex polygon has more corners than the limit.",
        "The face is dropped.";
    LOSS_VERTICES = "amo-loss-vertices", Note, Loss,
        "Some vertices are not used by any face, line or point.",
        "The vertices are dropped. Nothing needs to be done: they are invisible.";
    LOSS_SCALE = "amo-loss-scale", Warning, Loss,
        "Animated OBJ does not support scale keys.",
        "The scale is dropped; joints keep their size. Convert to glTF to keep it.";
    LOSS_EVENTS = "amo-loss-events", Warning, Loss,
        "Animated OBJ does not support events.",
        "The events are dropped. Convert to glTF to keep them.";
    LOSS_MORPH = "amo-loss-morph", Warning, Loss,
        "Animated OBJ does not support morph targets.",
        "The mesh keeps its base shape. Convert to glTF to keep the targets.";
    LOSS_MATERIAL = "amo-loss-material", Note, Loss,
        "Animated OBJ refers to materials by name; their appearance is defined in a material \
         library, which is not written.",
        "The names of the materials are kept. Convert to glTF to keep the materials.";
    LOSS_COLORS = "amo-loss-colors", Warning, Loss,
        "The specification does not define vertex colours.",
        "The colours are dropped. Convert to glTF to keep them.";
    LOSS_INTERPOLATION = "amo-loss-interpolation", Warning, Loss,
        "Animated OBJ supports only linear interpolation between keys.",
        "Step and cubic keys become linear keys with the same values.";
    LOSS_PATH = "amo-loss-path", Note, Loss,
        "The specification binds vertices to joints at the origin. For joints whose bind pose is \
         elsewhere, keys are rewritten. Poses are exact at every key but deviate between keys.",
        "To reduce the difference, convert with a sampling rate (`--fps`), which writes more keys.";
    LOSS_OVERFLOW = "amo-loss-overflow", Warning, Loss,
        "A position relative to the bind pose is beyond the range of 32-bit numbers.",
        "The key is not written; a vertex gets the largest number.";
    LOSS_LIBRARY = "amo-loss-library", Warning, Loss,
        "A file is copied to another folder without its material libraries.",
        "The file keeps the names of its libraries. Copy them next to it, or convert it with its \
         materials to another format.";
    LOSS_REST = "amo-loss-rest", Note, Loss,
        "The specification has no rest poses: at rest, all joints are at the origin.",
        "Keys are rewritten accordingly, and joints at rest get a key in each animation, so shapes \
         and their motion look the same. Without animations, meshes are written where the rest \
         pose places them. The places of the joints themselves are lost.";
    LOSS_BIND = "amo-loss-bind", Warning, Loss,
        "Two skins bind the same joint differently.",
        "The first binding is used.";
    LOSS_WRAP = "amo-loss-wrap", Note, Loss,
        "Animated OBJ does not support wrap modes.",
        "The wrap mode is dropped. Convert to glTF to keep it.";
    LOSS_NAME = "amo-loss-name", Warning, Loss,
        "A name cannot be written unchanged.",
        "Line breaks and comment characters are replaced with `_`.";
    LOSS_EXTRAS = "amo-loss-extras", Note, Loss,
        "The source format has additional data that Animated OBJ cannot store.",
        "The data is dropped. Convert to glTF to keep it.";
    LOSS_WINDOW = "amo-loss-window", Note, Loss,
        "Animated OBJ does not support clips that are part of a longer timeline.",
        "Only the keys inside the clip are written.";
    LOSS_VISIBILITY = "amo-loss-visibility", Warning, Loss,
        "Animated OBJ does not support visibility.",
        "All objects are written as visible, even those that are hidden all or part of the time.";
    LOSS_CAMERA = "amo-loss-camera", Note, Loss,
        "Animated OBJ does not support cameras.",
        "The cameras are dropped. Convert to glTF to keep them.";
}
