//! The diagnostics of this crate: what each means, an example, and what the reader or writer does
//! about it.

anim_ir::codes! {
    BOM = "stt-bom", Warning, Syntax,
        "The file begins with a byte order mark, which programs from 1997 do not expect.",
        "The byte order mark is kept and ignored. `animfmt check --fix` removes it.";
    ENCODING = "stt-encoding", Warning, Syntax,
        "The file is not UTF-8.",
        "Names are read as Latin-1; the bytes are kept.";
    VERSION_MINOR = "stt-version-minor", Warning, Compatibility,
        "The version is 1.x, but not 1.1.",
        "#MINDRENDER 1.2",
        "The file is read as 1.1.";
    VERSION = "stt-version", Error, Compatibility,
        "The version is not 1.1.",
        "#MINDRENDER 2.0",
        "The file is read as 1.1.";
    EMPTY = "stt-empty", Warning, Value,
        "The file has no states, or a state has no nodes or keys.",
        "{idle} SINGLE 0",
        "The file or the state is read as empty.";
    COUNT = "stt-count", Error, Syntax,
        "The file has fewer states, nodes or keys than declared.",
        "{idle} SINGLE 2 {arm} STATIC 0 0 0 0 0 0 0 0 0",
        "Complete states, nodes and keys are kept.";
    TRUNCATED = "stt-truncated", Error, Syntax,
        "The file ends in the middle of a state, a node or a key.",
        "{idle} SINGLE 1 {arm} STATIC 0 0",
        "Complete states, nodes and keys are kept.";
    TRAILING = "stt-trailing", Warning, Syntax,
        "The file contains text after the last declared state.",
        "#MINDRENDER 1.1 1 {idle} SINGLE 0 {walk} SINGLE 0",
        "The text is kept and ignored.";
    UNCLOSED = "stt-unclosed", Error, Syntax,
        "A `{` is never closed.",
        "{idle",
        "Nothing after it is read.";
    KEYWORD = "stt-keyword", Error, Syntax,
        "A keyword is missing or misspelt. The keywords are SINGLE, KEYFRAME, STATIC and DYNAMIC, \
         in capitals.",
        "{idle} single 1",
        "Reading continues at the next name followed by SINGLE or KEYFRAME. `animfmt check --fix` \
         repairs it if the repair is certain.";
    NAME = "stt-name", Error, Syntax,
        "Expected a name in braces.",
        "{idle} SINGLE 1 arm STATIC",
        "Reading continues at the next name followed by SINGLE or KEYFRAME.";
    NUMBER = "stt-number", Error, Syntax,
        "Expected a number, with a decimal point and without a unit.",
        "STATIC 1,5 0 0",
        "Reading continues at the next name followed by SINGLE or KEYFRAME.";
    NOT_FINITE = "stt-not-finite", Error, Value,
        "A number is NaN, infinite, or too large for a 32-bit float.",
        "STATIC nan 0 0",
        "Reading continues at the next name followed by SINGLE or KEYFRAME.";
    INTEGER = "stt-integer", Error, Syntax,
        "Expected an integer.",
        "3.0 0.0 2.0",
        "Reading continues at the next name followed by SINGLE or KEYFRAME.";
    COUNT_RANGE = "stt-count-range", Error, Value,
        "The number of nodes or keys is not an integer from 0 to 4294967295.",
        "{idle} SINGLE -1",
        "The state is skipped.";
    CHANNEL_TYPE = "stt-channel-type", Error, Value,
        "The animation type of a channel is not in the range 0 to 9.",
        "3.0 0.0 10",
        "The type is kept; the channel stays at its start value.";
    SEQUENCE_TYPE = "stt-sequence-type", Error, Value,
        "The animation type of a keyframe state is not in the range 0 to 5. Types 6 to 9 are for \
         channels only.",
        "{tour} KEYFRAME 2 7 {idle}",
        "The type is kept; the state stays at its starting key.";
    FLAG = "stt-flag", Error, Value,
        "A flag is neither 0 nor 1.",
        "2 1.0 1.0 0 0 {idle}",
        "The flag is read as 1.";
    TIME_NEGATIVE = "stt-time-negative", Error, Value,
        "The time of a transition is negative.",
        "1 -1.0 1.0 0 0 {idle}",
        "The time is kept, but treated as 0.";
    PERIOD = "stt-period", Warning, Value,
        "A channel with an animation type from 1 to 7 requires a period greater than 0.",
        "0.0 0.0 3",
        "The channel stays at its start value.";
    NUL = "stt-nul", Error, Syntax,
        "A name contains a NUL character.",
        "The name cannot be read. Reading continues at the next name followed by SINGLE or \
         KEYFRAME.";
    NAME_LENGTH = "stt-name-length", Error, Limit,
        "A name is longer than the limit.",
        "The name cannot be read. Reading continues at the next name followed by SINGLE or \
         KEYFRAME.";
    CONTROL = "stt-control", Warning, Syntax,
        "A name contains a line break, a tab or another control character; a `}` may be missing.",
        "{idle\nwalk}",
        "The name is kept.";
    NAME_EMPTY = "stt-name-empty", Warning, Value,
        "A name is empty.",
        "{} SINGLE 1",
        "The name is kept.";
    STATE_DUPLICATE = "stt-state-duplicate", Error, Reference,
        "Two states have the same name.",
        "{idle} SINGLE 0 {idle} SINGLE 0",
        "Both states are kept; keys refer to the first.";
    NODE_DUPLICATE = "stt-node-duplicate", Warning, Reference,
        "A state has two nodes with the same name.",
        "Both nodes are kept; the last one is used.";
    UNDEFINED = "stt-undefined", Error, Reference,
        "A key, or the starting key, refers to an undefined state. Names are case-sensitive, and \
         spaces inside the braces are significant.",
        "1 1.0 1.0 0 0 {walk}",
        "The key is kept without a pose. If the starting key is missing, the first key is used.";
    NESTED = "stt-nested", Warning, Reference,
        "A key refers to a keyframe state, which the specification does not mention.",
        "The key shows the pose of that state at the same time.";
    CIRCLE = "stt-circle", Error, Reference,
        "Keyframe states play each other in a cycle.",
        "{tour} KEYFRAME 1 1 {tour} 1 1.0 1.0 0 0 {tour}",
        "The key that closes the cycle is kept without a pose.";
    START = "stt-start", Warning, Reference,
        "No key has the name of the starting key.",
        "{tour} KEYFRAME 1 1 {walk} 1 1.0 1.0 0 0 {idle}",
        "The first key is used as the starting key.";
    LOOP = "stt-loop", Note, Loss,
        "The waves of a state have no common period within the limit.",
        "The clip is as long as the longest period. The waves continue beyond it.";
    NESTING = "stt-nesting", Warning, Limit,
        "Keyframe states are nested too deeply.",
        "States beyond the limit show the rest pose.";
    FROM_EXTRAS = "stt-from-extras", Note, Value,
        "The scene was created from an STT file, whose states are stored in its extras.",
        "Those states are written unchanged.";
    LOSS_NAME = "stt-loss-name", Note, Loss,
        "The format cannot store a name, or a name is not unique.",
        "Invalid characters are replaced, or a numeric suffix is added.";
    LOSS_SAMPLED = "stt-loss-sampled", Note, Loss,
        "The format has no keyframes for nodes, only static states and waves.",
        "The clip becomes a state for each of its keyframes, and a keyframe state that plays them.";
    LOSS_CURVE = "stt-loss-curve", Warning, Loss,
        "The format supports only linear and stepped interpolation, one mode for all nodes.",
        "Only the keyframes of the curve are written.";
    LOSS_HIERARCHY = "stt-loss-hierarchy", Note, Loss,
        "The format has no node hierarchy.",
        "Each joint is written with its transform relative to its parent. To play the states, read \
         them with the model: `--with MODEL`.";
    LOSS_SCALE = "stt-loss-scale", Warning, Loss,
        "The format supports neither scale nor shear.",
        "Scale and shear are not written. Convert to glTF to keep them.";
        LOSS_VISIBILITY = "stt-loss-visibility", Warning, Loss,
        "The format cannot hide nodes.",
        "Hidden nodes are written as visible.";
    LOSS_MORPH = "stt-loss-morph", Warning, Loss,
        "The format has no morph targets.",
        "Morph target weights are not written. Convert to glTF to keep them.";
    LOSS_EVENTS = "stt-loss-events", Warning, Loss,
        "The format has no events.",
        "Events are not written. Convert to glTF to keep them.";
        LOSS_KEY = "stt-loss-key", Warning, Loss,
        "A key of a sequence refers to a missing state.",
        "The key is not written.";
    LOSS_MESHES = "stt-loss-meshes", Note, Loss,
        "The file only stores states; the model is in a separate file.",
        "Meshes, cameras and materials are not written. Convert to glTF to keep them.";
    LOSS_EXTRAS = "stt-loss-extras", Note, Loss,
        "The format cannot store extras of the source format.",
        "Extras are not written. Convert to glTF to keep them.";
}
