//! Every kind of problem this crate reports: what it means, how it looks, what the reader or writer
//! does about it.

anim_ir::codes! {
    BOM = "stt-bom", Warning, Syntax,
        "The file begins with a byte order mark, which programs of 1997 do not expect.",
        "It is kept and has no effect.";
    ENCODING = "stt-encoding", Warning, Syntax,
        "The file is not UTF-8.",
        "Names are read as Latin-1; the bytes are kept.";
    VERSION_MINOR = "stt-version-minor", Warning, Compatibility,
        "The version is 1.x, but not 1.1.",
        "#MINDRENDER 1.2",
        "The file is read as 1.1.";
    VERSION = "stt-version", Error, Compatibility,
        "The version is another one than 1.1.",
        "#MINDRENDER 2.0",
        "The file is read as 1.1.";
    EMPTY = "stt-empty", Warning, Value,
        "There are 0 states, or 0 nodes or keys in a state.",
        "{idle} SINGLE 0",
        "The file or the state is empty.";
    COUNT = "stt-count", Error, Syntax,
        "There are fewer states, nodes or keys than their number says.",
        "{idle} SINGLE 2 {arm} STATIC 0 0 0 0 0 0 0 0 0",
        "What is there stands.";
    TRUNCATED = "stt-truncated", Error, Syntax,
        "The file ends in the middle of a state, a node or a key.",
        "{idle} SINGLE 1 {arm} STATIC 0 0",
        "What was read to its end stands.";
    TRAILING = "stt-trailing", Warning, Syntax,
        "There is text after the last state: the number of states says where the file ends.",
        "#MINDRENDER 1.1 1 {idle} SINGLE 0 {walk} SINGLE 0",
        "It is kept and not read.";
    UNCLOSED = "stt-unclosed", Error, Syntax,
        "A `{` is never closed.",
        "{idle",
        "Nothing behind it is read.";
    KEYWORD = "stt-keyword", Error, Syntax,
        "A keyword is missing or misspelt. They are SINGLE, KEYFRAME, STATIC and DYNAMIC, in \
         capitals.",
        "{idle} single 1",
        "Reading goes on at the next name with SINGLE or KEYFRAME behind it.";
    NAME = "stt-name", Error, Syntax,
        "Something else is where a name in braces must be.",
        "{idle} SINGLE 1 arm STATIC",
        "Reading goes on at the next name with SINGLE or KEYFRAME behind it.";
    NUMBER = "stt-number", Error, Syntax,
        "Something else is where a number must be. Numbers have a decimal point and no unit.",
        "STATIC 1,5 0 0",
        "Reading goes on at the next name with SINGLE or KEYFRAME behind it.";
    NOT_FINITE = "stt-not-finite", Error, Value,
        "A number is NaN, infinite, or too great for 32 bits of floating point.",
        "STATIC nan 0 0",
        "Reading goes on at the next name with SINGLE or KEYFRAME behind it.";
    INTEGER = "stt-integer", Error, Syntax,
        "Something else is where an integer must be.",
        "3.0 0.0 2.0",
        "Reading goes on at the next name with SINGLE or KEYFRAME behind it.";
    COUNT_RANGE = "stt-count-range", Error, Value,
        "The number of nodes or keys is no integer from 0 to 4294967295.",
        "{idle} SINGLE -1",
        "The state is left out.";
    CHANNEL_TYPE = "stt-channel-type", Error, Value,
        "The animation type of a channel is not from 0 to 9.",
        "3.0 0.0 10",
        "It is kept; the channel stays at its start.";
    SEQUENCE_TYPE = "stt-sequence-type", Error, Value,
        "The animation type of a keyframe state is not from 0 to 5. Types from 6 on are for \
         channels only.",
        "{tour} KEYFRAME 2 7 {idle}",
        "It is kept; the state stays at its starting key.";
    FLAG = "stt-flag", Error, Value,
        "A flag is neither 0 nor 1.",
        "2 1.0 1.0 0 0 {idle}",
        "It counts as 1.";
    TIME_NEGATIVE = "stt-time-negative", Error, Value,
        "The time of a transition is negative.",
        "1 -1.0 1.0 0 0 {idle}",
        "It is kept and counts as 0.";
    PERIOD = "stt-period", Warning, Value,
        "The period is not greater than 0 where the animation type (1 to 7) needs one.",
        "0.0 0.0 3",
        "The channel stays at its start.";
    NUL = "stt-nul", Error, Syntax,
        "A name has a NUL in it.",
        "The name cannot be read. Reading goes on at the next name with SINGLE or KEYFRAME behind \
         it.";
    NAME_LENGTH = "stt-name-length", Error, Limit,
        "A name is longer than the limit.",
        "The name cannot be read. Reading goes on at the next name with SINGLE or KEYFRAME behind \
         it.";
    CONTROL = "stt-control", Warning, Syntax,
        "A name has a line end, a tab or another control character in it: a `}` may be missing.",
        "{idle\nwalk}",
        "The name is kept.";
    NAME_EMPTY = "stt-name-empty", Warning, Value,
        "A name is empty.",
        "{} SINGLE 1",
        "The name is kept.";
    STATE_DUPLICATE = "stt-state-duplicate", Error, Reference,
        "Two states have one name.",
        "{idle} SINGLE 0 {idle} SINGLE 0",
        "Both are kept; keys with the name mean the first.";
    NODE_DUPLICATE = "stt-node-duplicate", Warning, Reference,
        "A state has two nodes of one name.",
        "Both are kept; the last one counts.";
    UNDEFINED = "stt-undefined", Error, Reference,
        "A key names a state that the file does not have.",
        "1 1.0 1.0 0 0 {walk}",
        "The key is kept and has no pose.";
    NESTED = "stt-nested", Warning, Reference,
        "A key names a keyframe state, of which the specification does not speak.",
        "The pose of that state, by the same clock, is the key's.";
    CIRCLE = "stt-circle", Error, Reference,
        "Keyframe states play each other in a circle.",
        "{tour} KEYFRAME 1 1 {tour} 1 1.0 1.0 0 0 {tour}",
        "The key that closes the circle is kept and has no pose.";
    START = "stt-start", Warning, Reference,
        "No key has the name of the starting key.",
        "{tour} KEYFRAME 1 1 {walk} 1 1.0 1.0 0 0 {idle}",
        "The first key starts.";
    LOOP = "stt-loop", Note, Loss,
        "The waves of a state do not repeat together within the limit, or not at all.",
        "The clip is as long as the longest period. The waves themselves run on.";
    NESTING = "stt-nesting", Warning, Limit,
        "Keyframe states play keyframe states, and these others, deeper than is followed.",
        "What lies deeper is at rest.";
    FROM_EXTRAS = "stt-from-extras", Note, Value,
        "The scene was made from an STT file and has its states in its extras.",
        "They are written as they were.";
    LOSS_NAME = "stt-loss-name", Note, Loss,
        "A name is one that the format cannot hold, or two are the same.",
        "It is written with other characters, or with a number behind it.";
    LOSS_SAMPLED = "stt-loss-sampled", Note, Loss,
        "The format has no keys of nodes, only still states and waves.",
        "The clip becomes a state for each of its keys, and a keyframe state that plays them.";
    LOSS_CURVE = "stt-loss-curve", Warning, Loss,
        "Between keys the format knows straight lines and steps, and one kind for all nodes.",
        "The curve is written by its keys.";
    LOSS_HIERARCHY = "stt-loss-hierarchy", Note, Loss,
        "The format has no hierarchy of nodes.",
        "Each joint's place in the model is written.";
    LOSS_SCALE = "stt-loss-scale", Warning, Loss,
        "The format has neither scale nor shear.",
        "They are left out.";
    LOSS_VISIBILITY = "stt-loss-visibility", Warning, Loss,
        "The format cannot hide nodes.",
        "What is hidden at times is written like all else.";
    LOSS_MORPH = "stt-loss-morph", Warning, Loss,
        "The format moves nodes as a whole: it has no morph targets.",
        "Their weights are left out.";
    LOSS_EVENTS = "stt-loss-events", Warning, Loss,
        "The format has no events.",
        "They are left out.";
    LOSS_KEY = "stt-loss-key", Warning, Loss,
        "A key of a sequence names a state that is not there.",
        "The key is left out.";
    LOSS_MESHES = "stt-loss-meshes", Note, Loss,
        "The file holds states only: the model is in a file of its own.",
        "Meshes, cameras and what belongs to them are left out.";
    LOSS_EXTRAS = "stt-loss-extras", Note, Loss,
        "The format has no place for what other formats say beyond the model of animation.",
        "It is left out.";
}
