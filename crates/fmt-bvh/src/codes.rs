//! The diagnostic codes of this crate, each with the problem, an example, and how the reader or
//! writer handles it.

anim_ir::codes! {
    BOM = "bvh-bom", Warning, Syntax,
        "The file begins with a byte order mark, which many readers mistake for part of HIERARCHY.",
        "The mark is kept and ignored. `animfmt check --fix` removes it.";
    ENCODING = "bvh-encoding", Warning, Syntax,
        "The file is not UTF-8.",
        "Names are read as Latin-1; the bytes are kept.";
    KEYWORD = "bvh-keyword", Error, Syntax,
        "A word is not a keyword, or is a keyword that is not valid in this context. The keywords \
         are HIERARCHY, ROOT, JOINT, End Site, OFFSET, CHANNELS, MOTION, Frames and Frame Time, \
         in any case.",
        "JOIT LeftLeg",
        "A misspelled keyword is corrected; anything else is skipped up to the next keyword. \
         `animfmt check --fix` repairs it if the repair is certain.";
    BRACE = "bvh-brace", Error, Syntax,
        "A `{` is missing after a joint's name, or a brace is unmatched.",
        "ROOT Hips\nOFFSET 0 0 0 }",
        "A missing `{` is assumed; a `}` without a `{` is ignored. `animfmt check --fix` repairs \
         it if the repair is certain.";
    UNCLOSED = "bvh-unclosed", Error, Syntax,
        "Joints are not closed with `}` at the end of the hierarchy.",
        "ROOT Hips { OFFSET 0 0 0 MOTION",
        "The joints are closed at the end of the hierarchy.";
    NESTING = "bvh-nesting", Error, Syntax,
        "A ROOT is inside another joint, a JOINT or an End Site is outside every ROOT, or \
         an End Site has children.",
        "HIERARCHY JOINT Hips { OFFSET 0 0 0 CHANNELS 0 }",
        "The joint is kept at its position in the hierarchy.";
    EMPTY = "bvh-empty", Warning, Value,
        "The hierarchy has no joints.",
        "HIERARCHY MOTION Frames: 0 Frame Time: 0.04",
        "The file is read as an empty skeleton.";
    NAME_EMPTY = "bvh-name-empty", Warning, Syntax,
        "A joint has no name.",
        "ROOT { OFFSET 0 0 0 }",
        "The joint is read with an empty name.";
    NAME_LENGTH = "bvh-name-length", Error, Limit,
        "A name is longer than the limit.",
        "The joint is read without a name.";
    NAME_DUPLICATE = "bvh-name-duplicate", Warning, Reference,
        "Two joints have the same name. Programs that look up joints by name find only one.",
        "ROOT arm { OFFSET 0 0 0 CHANNELS 0 JOINT arm { OFFSET 0 1 0 CHANNELS 0 } }",
        "Both joints are kept.";
    OFFSET_MISSING = "bvh-offset-missing", Error, Syntax,
        "A joint has no OFFSET.",
        "ROOT Hips { CHANNELS 0 }",
        "The offset is read as 0 0 0.";
    CHANNELS_MISSING = "bvh-channels-missing", Warning, Syntax,
        "A joint has no CHANNELS. Many readers require the statement, even with 0 channels.",
        "ROOT Hips { OFFSET 0 0 0 }",
        "The joint is read without channels.";
    DUPLICATE = "bvh-duplicate", Warning, Syntax,
        "A joint has more than one OFFSET, CHANNELS or channel for the same position, or the \
         motion has more than one Frames or Frame Time line.",
        "OFFSET 0 0 0 OFFSET 1 0 0",
        "The last one is used. For CHANNELS, and for an OFFSET in a block with an unknown keyword, \
         the first is used; the columns of other CHANNELS are ignored.";
    CHANNEL_COUNT = "bvh-channel-count", Error, Value,
        "The count after CHANNELS is invalid or does not match the number of names that follow.",
        "CHANNELS 3 Zrotation Xrotation",
        "The count is ignored; the joint has the channels that are named.";
    CHANNEL_NAME = "bvh-channel-name", Warning, Syntax,
        "A channel is not one of Xposition, Yposition, Zposition, Xrotation, Yrotation and \
         Zrotation.",
        "CHANNELS 1 Xscale",
        "The channel's column is kept and ignored.";
    END_CHANNELS = "bvh-end-channels", Warning, Syntax,
        "An End Site has channels.",
        "End Site { OFFSET 0 1 0 CHANNELS 0 }",
        "The End Site is animated like a joint.";
    NUMBER = "bvh-number", Error, Syntax,
        "Expected a number with a decimal point and without a unit. Hexadecimal and decimal commas \
         are not accepted.",
        "OFFSET 0 1,5 0",
        "In an OFFSET, the value is read as 0; in a row, the value of the previous frame is used. \
         A line that begins with text is skipped.";
    NOT_FINITE = "bvh-not-finite", Error, Value,
        "A number is NaN, infinite, or too large for a 32-bit float.",
        "OFFSET 0 nan 0",
        "In an OFFSET, the value is read as 0; in a row, the value of the previous frame is used.";
    TRUNCATED = "bvh-truncated", Error, Syntax,
        "The file ends inside a statement.",
        "ROOT Hips { OFFSET 0 0",
        "Complete statements and rows are kept.";
    COLON = "bvh-colon", Warning, Syntax,
        "The colon after Frames or Frame Time is missing.",
        "Frames 10",
        "The line is read as if the colon were present. `animfmt check --fix` repairs it.";
    FRAMES_MISSING = "bvh-frames-missing", Error, Syntax,
        "`Frames:` is missing after MOTION.",
        "MOTION Frame Time: 0.04",
        "All rows in the file are read.";
    FRAME_COUNT = "bvh-frame-count", Error, Value,
        "The number of frames is not a non-negative integer.",
        "Frames: 1.5",
        "All rows in the file are read.";
    FRAMES = "bvh-frames", Error, Value,
        "The number of frames does not match the number of rows.",
        "Frames: 500",
        "All rows in the file are read.";
    FRAME_TIME = "bvh-frame-time", Error, Value,
        "`Frame Time:` is missing or is not a positive number of seconds.",
        "Frame Time: 0",
        "A rate of 30 frames per second is assumed.";
    ROW_SHORT = "bvh-row-short", Error, Value,
        "A row has fewer values than the hierarchy has channels.",
        "The row is skipped; the frame is interpolated from its neighbours.";
    ROW_LONG = "bvh-row-long", Error, Value,
        "A row has more values than the hierarchy has channels.",
        "Extra values are ignored.";
    TRAILING = "bvh-trailing", Warning, Syntax,
        "The last row is followed by text.",
        "The text is kept and ignored.";
    LOSS_SAMPLED = "bvh-loss-sampled", Note, Loss,
        "BVH stores one row per frame, which does not match the clip's keys.",
        "The clip is sampled at each frame.";
    LOSS_DURATION = "bvh-loss-duration", Warning, Loss,
        "The clip's length is not a whole number of frames.",
        "The nearest number of frames is written.";
    LOSS_REST = "bvh-loss-rest", Note, Loss,
        "Rest poses in BVH have offsets but no rotations.",
        "Rest rotations are applied to each frame: poses are preserved, the rest pose is not.";
    LOSS_SCALE = "bvh-loss-scale", Warning, Loss,
        "BVH does not support scale.",
        "The scale is applied to the positions of joints; the size of joints and of everything \
         attached to them is lost. Convert to glTF to keep it.";
    LOSS_SHEAR = "bvh-loss-shear", Warning, Loss,
        "A rest pose contains shear, which BVH does not support.",
        "The nearest rotation is written.";
    LOSS_NAMES = "bvh-loss-names", Warning, Loss,
        "A name is empty, duplicates that of another joint, or contains characters that BVH does \
         not allow in names.",
        "The characters are replaced with `_`; a number is added to duplicate names.";
    LOSS_VISIBILITY = "bvh-loss-visibility", Warning, Loss,
        "BVH does not support visibility.",
        "Hidden joints are written like visible joints.";
    LOSS_EVENTS = "bvh-loss-events", Warning, Loss,
        "BVH does not support events.",
        "The events are dropped. Convert to glTF to keep them.";
    LOSS_MORPH = "bvh-loss-morph", Warning, Loss,
        "BVH does not support morph targets.",
        "The morph targets are dropped. Convert to glTF to keep them.";
    LOSS_WRAP = "bvh-loss-wrap", Warning, Loss,
        "BVH does not support wrap modes.",
        "The wrap mode is dropped. Convert to glTF to keep it.";
    LOSS_MESHES = "bvh-loss-meshes", Warning, Loss,
        "BVH does not support meshes.",
        "The meshes are dropped. Convert to glTF to keep them.";
    LOSS_CAMERAS = "bvh-loss-cameras", Warning, Loss,
        "BVH does not support cameras.",
        "The cameras are dropped. Convert to glTF to keep them.";
    LOSS_SKELETONS = "bvh-loss-skeletons", Warning, Loss,
        "A file contains only the skeleton of its clip, but the scene has several skeletons.",
        "The other skeletons are dropped. Convert to glTF to keep all skeletons.";
    LOSS_EXTRAS = "bvh-loss-extras", Note, Loss,
        "The scene contains data of other formats that BVH cannot store.",
        "The data is dropped. Convert to glTF to keep it.";
}
