//! Every kind of problem that this crate reports: what it means, an example, and what the reader or
//! writer does.

anim_ir::codes! {
    BOM = "bvh-bom", Warning, Syntax,
        "The file begins with a byte order mark, which many readers mistake for part of HIERARCHY.",
        "It is kept and has no effect.";
    ENCODING = "bvh-encoding", Warning, Syntax,
        "The file is not UTF-8.",
        "Names are read as Latin-1; the bytes are kept.";
    KEYWORD = "bvh-keyword", Error, Syntax,
        "A word is not one of the keywords, or not one that can be here: HIERARCHY, ROOT, JOINT, \
         End Site, OFFSET, CHANNELS, MOTION, Frames, Frame Time. Upper and lower case are the \
         same.",
        "JOIT LeftLeg",
        "A misspelled keyword is read as the one that is meant; anything else is skipped up to the \
         next keyword.";
    BRACE = "bvh-brace", Error, Syntax,
        "A `{` is missing after a joint's name, or a brace has no counterpart.",
        "ROOT Hips\nOFFSET 0 0 0 }",
        "A missing `{` is assumed; a `}` without a `{` is ignored.";
    UNCLOSED = "bvh-unclosed", Error, Syntax,
        "Joints are not closed by `}` where the hierarchy ends.",
        "ROOT Hips { OFFSET 0 0 0 MOTION",
        "They end there.";
    NESTING = "bvh-nesting", Error, Syntax,
        "A ROOT is inside another joint, a JOINT or an End Site is outside every ROOT, or \
         something hangs from an End Site.",
        "HIERARCHY JOINT Hips { OFFSET 0 0 0 CHANNELS 0 }",
        "The joint is read where it is.";
    EMPTY = "bvh-empty", Warning, Value,
        "The hierarchy has no joints.",
        "HIERARCHY MOTION Frames: 0 Frame Time: 0.04",
        "The file is an empty skeleton.";
    NAME_EMPTY = "bvh-name-empty", Warning, Syntax,
        "A joint has no name.",
        "ROOT { OFFSET 0 0 0 }",
        "Its name is empty.";
    NAME_LENGTH = "bvh-name-length", Error, Limit,
        "A name is longer than the limit.",
        "The joint is read without a name.";
    NAME_DUPLICATE = "bvh-name-duplicate", Warning, Reference,
        "Two joints have the same name. Programs that find joints by name find only one of them.",
        "ROOT arm { OFFSET 0 0 0 CHANNELS 0 JOINT arm { OFFSET 0 1 0 CHANNELS 0 } }",
        "Both are kept.";
    OFFSET_MISSING = "bvh-offset-missing", Error, Syntax,
        "A joint has no OFFSET.",
        "ROOT Hips { CHANNELS 0 }",
        "Its offset is 0 0 0.";
    CHANNELS_MISSING = "bvh-channels-missing", Warning, Syntax,
        "A joint has no CHANNELS. Many readers require them, even if there are 0.",
        "ROOT Hips { OFFSET 0 0 0 }",
        "The joint has no channels.";
    DUPLICATE = "bvh-duplicate", Warning, Syntax,
        "A joint has two OFFSETs, two CHANNELS or two channels for the same position, or the \
         motion has a second line for Frames or Frame Time.",
        "OFFSET 0 0 0 OFFSET 1 0 0",
        "The last one is used, but of several CHANNELS the first: columns of the others have no \
         effect.";
    CHANNEL_COUNT = "bvh-channel-count", Error, Value,
        "The number after CHANNELS is invalid, or is not the number of names that follow.",
        "CHANNELS 3 Zrotation Xrotation",
        "The names are used.";
    CHANNEL_NAME = "bvh-channel-name", Warning, Syntax,
        "A channel is not one of Xposition, Yposition, Zposition, Xrotation, Yrotation and \
         Zrotation.",
        "CHANNELS 1 Xscale",
        "Its column is kept and has no effect.";
    END_CHANNELS = "bvh-end-channels", Warning, Syntax,
        "An End Site has channels.",
        "End Site { OFFSET 0 1 0 CHANNELS 0 }",
        "They move it, as if it were a joint.";
    NUMBER = "bvh-number", Error, Syntax,
        "Expected a number. Numbers have a decimal point and no unit; hexadecimal and decimal \
         commas are not accepted.",
        "OFFSET 0 1,5 0",
        "0 is used in an OFFSET, the value of the frame before in a row. Of a line that begins \
         with text nothing is used.";
    NOT_FINITE = "bvh-not-finite", Error, Value,
        "A number is NaN, infinite, or too large for a 32-bit float.",
        "OFFSET 0 nan 0",
        "0 is used in an OFFSET, the value of the frame before in a row.";
    TRUNCATED = "bvh-truncated", Error, Syntax,
        "The file ends inside a statement.",
        "ROOT Hips { OFFSET 0 0",
        "What is complete is kept.";
    COLON = "bvh-colon", Warning, Syntax,
        "The colon after Frames or Frame Time is missing.",
        "Frames 10",
        "It is read as if it were there.";
    FRAMES_MISSING = "bvh-frames-missing", Error, Syntax,
        "MOTION has no `Frames:`.",
        "MOTION Frame Time: 0.04",
        "The rows in the file are read.";
    FRAME_COUNT = "bvh-frame-count", Error, Value,
        "The number of frames is not a whole number from 0 on.",
        "Frames: 1.5",
        "The rows in the file are read.";
    FRAMES = "bvh-frames", Error, Value,
        "The number of frames is not the number of rows.",
        "Frames: 500",
        "The rows in the file are read.";
    FRAME_TIME = "bvh-frame-time", Error, Value,
        "`Frame Time:` is missing, or is not a positive number of seconds.",
        "Frame Time: 0",
        "Frames are 1/30 s apart.";
    ROW_SHORT = "bvh-row-short", Error, Value,
        "A row has fewer numbers than the hierarchy has channels.",
        "The row is skipped; the frame is interpolated from the ones around it.";
    ROW_LONG = "bvh-row-long", Error, Value,
        "A row has more numbers than the hierarchy has channels.",
        "The surplus at its end is ignored.";
    TRAILING = "bvh-trailing", Warning, Syntax,
        "There is text after the last row.",
        "It is kept and ignored.";
    LOSS_SAMPLED = "bvh-loss-sampled", Note, Loss,
        "The file has one row for each frame and nothing between; the clip has other keys.",
        "The clip is sampled at the frames.";
    LOSS_DURATION = "bvh-loss-duration", Warning, Loss,
        "The clip's length is not a whole number of frames.",
        "The nearest number of frames is written.";
    LOSS_REST = "bvh-loss-rest", Note, Loss,
        "Rest poses of the format have offsets and no rotations.",
        "Rest rotations become a part of each frame: poses stay, the rest pose differs.";
    LOSS_SCALE = "bvh-loss-scale", Warning, Loss,
        "The format has no scale.",
        "Joints are where the scale puts them; their size, and that of what hangs from them, is \
         lost.";
    LOSS_SHEAR = "bvh-loss-shear", Warning, Loss,
        "A rest pose has shear, which the format cannot store.",
        "The nearest rotation is written.";
    LOSS_NAMES = "bvh-loss-names", Warning, Loss,
        "A name has characters that end it in a file, is empty, or is that of another joint.",
        "The characters become `_`; equal names get a number.";
    LOSS_VISIBILITY = "bvh-loss-visibility", Warning, Loss,
        "The format has no visibility.",
        "Hidden joints are written like others.";
    LOSS_EVENTS = "bvh-loss-events", Warning, Loss,
        "The format has no events.",
        "They are left out.";
    LOSS_MORPH = "bvh-loss-morph", Warning, Loss,
        "The format has no morph targets.",
        "They are left out.";
    LOSS_WRAP = "bvh-loss-wrap", Warning, Loss,
        "The format has no wrap modes.",
        "It is left out.";
    LOSS_MESHES = "bvh-loss-meshes", Warning, Loss,
        "The format has no meshes.",
        "They are left out.";
    LOSS_CAMERAS = "bvh-loss-cameras", Warning, Loss,
        "The format has no cameras.",
        "They are left out.";
    LOSS_SKELETONS = "bvh-loss-skeletons", Warning, Loss,
        "A file holds the skeleton of its clip; the scene has more.",
        "The others are left out.";
    LOSS_EXTRAS = "bvh-loss-extras", Note, Loss,
        "The scene has data of other formats that the format cannot hold.",
        "It is left out.";
}
