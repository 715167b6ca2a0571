//! Every kind of problem this crate reports: what it means, how it looks, what the reader or writer
//! does about it.

anim_ir::codes! {
    MAGIC = "tmd-anm-magic", Warning, Syntax,
        "The file does not start with the word 0x8000, as every file of the game does.",
        "It is read all the same, and the word is kept. Detection does not take it for an ANM.";
    RATE = "tmd-anm-rate", Warning, Value,
        "The rate is none that files of the game have: 1, 10, 15, 20, 30, 60.",
        "It counts as frames a second where it is greater than 0, otherwise 30 are taken. It is \
         kept.";
    GAP = "tmd-anm-gap", Warning, Syntax,
        "There are bytes between the table and the first frame.",
        "They are kept, until an edit packs the file.";
    OVERLAP = "tmd-anm-overlap", Warning, Reference,
        "The first frame starts inside the header or the table.",
        "What is there is read as keys.";
    REVERSED = "tmd-anm-reversed", Error, Reference,
        "A frame ends before it starts.",
        "The frame is empty; the others stand.";
    TRUNCATED = "tmd-anm-truncated", Error, Reference,
        "The table names places behind the end of the file.",
        "Keys that are whole are read.";
    CUT_KEY = "tmd-anm-cut-key", Error, Syntax,
        "A key goes on behind the end of its frame.",
        "The frame ends before that key, whose bytes are kept; the next frame starts where the \
         table says.";
    TRAILING = "tmd-anm-trailing", Warning, Syntax,
        "There are bytes behind the last frame.",
        "They are kept.";
    PADDING = "tmd-anm-padding", Note, Syntax,
        "There are up to three zero bytes behind the last frame, as archives pad their files.",
        "They are kept.";
    DUPLICATE = "tmd-anm-duplicate", Warning, Value,
        "A frame has several keys for one object.",
        "All are kept, the last one counts.";
    FLAGS = "tmd-anm-flags", Warning, Compatibility,
        "Bits 3 to 7 of a key's flags are set; their meaning is unknown.",
        "The bits are kept and have no effect.";
    OBJECT = "tmd-anm-object", Warning, Reference,
        "Keys name an object that the model does not have.",
        "They are kept in the file and left out of the scene.";
    SCENE_LIMIT = "tmd-anm-scene-limit", Error, Limit,
        "There are more keys than the limit on samples allows in a scene.",
        "The frames from there on are left out.";
    LOSS_UNKNOWN = "tmd-anm-loss-unknown", Note, Loss,
        "A scene has no place for what has no known meaning: bits 3 to 7 of flags, bytes outside \
         of frames, keys that are cut or do not count.",
        "It is left out of the scene.";
    LOSS_JOIN = "tmd-anm-loss-join", Warning, Loss,
        "Bytes before the frames, and of all documents but the last those behind them, have no \
         place in a joined file.",
        "They are left out.";
    LOSS_HIERARCHY = "tmd-anm-loss-hierarchy", Note, Loss,
        "Objects of a TMD model do not hang from each other.",
        "Each joint's place in the model is written.";
    LOSS_SHEAR = "tmd-anm-loss-shear", Warning, Loss,
        "A joint's place in the model is no translation, rotation and scale.",
        "The nearest that is one is written.";
    LOSS_ROTATION = "tmd-anm-loss-rotation", Note, Loss,
        "Angles are whole numbers, 4096 a turn.",
        "The nearest is written.";
    LOSS_POSITION = "tmd-anm-loss-position", Note, Loss,
        "Positions are whole numbers.",
        "The nearest is written; a smaller unit makes the error smaller.";
    LOSS_SCALE = "tmd-anm-loss-scale", Note, Loss,
        "Scales are whole numbers of 4096ths.",
        "The nearest is written.";
    CLAMPED = "tmd-anm-clamped", Warning, Loss,
        "A position or scale is beyond what 16 bits hold: 32767 units or 8.",
        "The nearest that fits is written, as was asked for.";
    LOSS_SAMPLED = "tmd-anm-loss-sampled", Note, Loss,
        "Keys that are not steps of whole frames: the game shows frame after frame and nothing \
         between them.",
        "What there is at the time of each frame is written.";
    LOSS_DURATION = "tmd-anm-loss-duration", Note, Loss,
        "The length of a clip is no whole number of frames.",
        "It is rounded.";
    LOSS_EVENTS = "tmd-anm-loss-events", Note, Loss,
        "The format has no events.",
        "They are left out.";
    LOSS_MORPH = "tmd-anm-loss-morph", Note, Loss,
        "The format moves objects as a whole: it has no morph targets.",
        "Their weights are left out.";
    LOSS_WRAP = "tmd-anm-loss-wrap", Note, Loss,
        "The format does not say whether an animation repeats.",
        "It is left out.";
    LOSS_MESHES = "tmd-anm-loss-meshes", Note, Loss,
        "The file holds the animation only: meshes and what belongs to them are in the TMD model.",
        "They are left out.";
    LOSS_CAMERAS = "tmd-anm-loss-cameras", Note, Loss,
        "The format moves objects, not cameras.",
        "Cameras are left out.";
    LOSS_NAMES = "tmd-anm-loss-names", Note, Loss,
        "Objects have numbers and no names.",
        "A joint becomes the object of its number.";
    LOSS_SKELETONS = "tmd-anm-loss-skeletons", Note, Loss,
        "A file animates one model.",
        "Of several skeletons the one of the clip is written.";
    LOSS_EXTRAS = "tmd-anm-loss-extras", Note, Loss,
        "The format has no place for what other formats say beyond the model of animation.",
        "It is left out.";
    CAMERA_MAGIC = "tmd-anc-magic", Warning, Syntax,
        "The file does not start with the word 0x8000, as every file of the game does.",
        "It is read all the same, and the word is kept. Detection does not take it for an ANC.";
    CAMERA_RATE = "tmd-anc-rate", Warning, Value,
        "The rate is none that files of the game have: 1, 10, 15, 20, 30, 60.",
        "It counts as frames a second where it is greater than 0, otherwise 30 are taken. It is \
         kept.";
    CAMERA_TRUNCATED = "tmd-anc-truncated", Error, Reference,
        "The file has fewer records than the header names.",
        "Records that are whole are read.";
    CAMERA_TRAILING = "tmd-anc-trailing", Warning, Syntax,
        "There are bytes behind the last record.",
        "They are kept.";
    CAMERA_PADDING = "tmd-anc-padding", Note, Syntax,
        "There are up to three zero bytes behind the last record, as archives pad their files.",
        "They are kept.";
    CAMERA_FOV = "tmd-anc-fov", Warning, Value,
        "The field of view is not between 0 and half a turn.",
        "The nearest that is one is taken.";
    LOSS_FOV = "tmd-anc-loss-fov", Note, Loss,
        "The field of view changes, which a scene's camera cannot.",
        "The first one is taken; all are in the clip's extras.";
    CAMERA_LOSS_UNKNOWN = "tmd-anc-loss-unknown", Note, Loss,
        "A scene has no place for bytes of unknown meaning.",
        "They are left out of the scene.";
}
