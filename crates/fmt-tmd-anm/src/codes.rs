//! Every kind of problem that this crate reports: what it means, an example, and what the reader or
//! writer does.

anim_ir::codes! {
    MAGIC = "tmd-anm-magic", Warning, Syntax,
        "The file does not start with the word 0x8000, as every file of the game does.",
        "It is read anyway, and the word is kept. Detection does not recognise it as an ANM.";
    RATE = "tmd-anm-rate", Warning, Value,
        "The frame rate is not one that the game's files have: 1, 10, 15, 20, 30 or 60.",
        "It is kept. Rates above 0 are used as frames per second; otherwise 30 is used.";
    GAP = "tmd-anm-gap", Warning, Syntax,
        "There are bytes between the table and the first frame.",
        "They are kept until an edit packs the file.";
    OVERLAP = "tmd-anm-overlap", Warning, Reference,
        "The first frame starts inside the header or the table.",
        "The bytes there are read as keys.";
    REVERSED = "tmd-anm-reversed", Error, Reference,
        "A frame ends before it starts.",
        "The frame is read as empty; the others are kept.";
    TRUNCATED = "tmd-anm-truncated", Error, Reference,
        "The table points beyond the end of the file.",
        "Keys that are complete are read.";
    CUT_KEY = "tmd-anm-cut-key", Error, Syntax,
        "A key extends beyond the end of its frame.",
        "The frame ends before that key, whose bytes are kept; the next frame starts where the \
         table says.";
    TRAILING = "tmd-anm-trailing", Warning, Syntax,
        "There are bytes after the last frame.",
        "They are kept.";
    PADDING = "tmd-anm-padding", Note, Syntax,
        "There are up to three zero bytes after the last frame, as in files from padded archives.",
        "They are kept.";
    DUPLICATE = "tmd-anm-duplicate", Warning, Value,
        "A frame has several keys for one object.",
        "All are kept; the last one is used.";
    FLAGS = "tmd-anm-flags", Warning, Compatibility,
        "Bits 3 to 7 of a key's flags are set; their meaning is unknown.",
        "The bits are kept and have no effect.";
    OBJECT = "tmd-anm-object", Warning, Reference,
        "Keys move an object that the model does not have.",
        "They are kept in the file and left out of the scene.";
    SCENE_LIMIT = "tmd-anm-scene-limit", Error, Limit,
        "There are more keys than the limit on samples allows in a scene.",
        "Further frames are left out.";
    LOSS_UNKNOWN = "tmd-anm-loss-unknown", Note, Loss,
        "A scene has no place for data of unknown meaning: bits 3 to 7 of the flags, bytes outside \
         frames, keys that are cut or overridden.",
        "It is left out of the scene.";
    LOSS_JOIN = "tmd-anm-loss-join", Warning, Loss,
        "Bytes before the frames, and bytes after the frames of all documents but the last, have \
         no place in a joined file.",
        "They are left out.";
    LOSS_HIERARCHY = "tmd-anm-loss-hierarchy", Note, Loss,
        "Objects of a TMD model have no hierarchy.",
        "The transform of each joint in model space is written.";
    LOSS_SHEAR = "tmd-anm-loss-shear", Warning, Loss,
        "The transform of a joint in model space has shear, which translation, rotation and scale \
         cannot represent.",
        "The nearest translation, rotation and scale are written.";
    LOSS_ROTATION = "tmd-anm-loss-rotation", Note, Loss,
        "Angles are integers; 4096 is one turn.",
        "The nearest is written.";
    LOSS_POSITION = "tmd-anm-loss-position", Note, Loss,
        "Positions are integers.",
        "The nearest is written; a smaller unit (`--unit-scale`) reduces the error.";
    LOSS_SCALE = "tmd-anm-loss-scale", Note, Loss,
        "Scales are multiples of 1/4096.",
        "The nearest is written.";
    CLAMPED = "tmd-anm-clamped", Warning, Loss,
        "A position or scale does not fit into 16 bits: at most 32767 units, or a scale of 8.",
        "The nearest that fits is written, as requested.";
    LOSS_SAMPLED = "tmd-anm-loss-sampled", Note, Loss,
        "Keys are not steps at whole frames. The game shows one frame after another without \
         interpolation.",
        "The clip is sampled at the time of each frame.";
    LOSS_DURATION = "tmd-anm-loss-duration", Note, Loss,
        "The length of a clip is not a whole number of frames.",
        "It is rounded.";
    LOSS_EVENTS = "tmd-anm-loss-events", Note, Loss,
        "The format has no events.",
        "They are left out.";
    LOSS_MORPH = "tmd-anm-loss-morph", Note, Loss,
        "The format has no morph targets.",
        "Their weights are left out.";
    LOSS_WRAP = "tmd-anm-loss-wrap", Note, Loss,
        "The format does not say whether an animation repeats.",
        "It is left out.";
    LOSS_MESHES = "tmd-anm-loss-meshes", Note, Loss,
        "The file stores the animation only; meshes and materials are in the TMD model.",
        "They are left out.";
    LOSS_CAMERAS = "tmd-anm-loss-cameras", Note, Loss,
        "The format moves objects, not cameras.",
        "Cameras are left out.";
    LOSS_NAMES = "tmd-anm-loss-names", Note, Loss,
        "Objects have numbers, not names.",
        "A joint becomes the object with its number.";
    LOSS_SKELETONS = "tmd-anm-loss-skeletons", Note, Loss,
        "A file animates one model.",
        "Only the skeleton of the clip is written.";
    LOSS_EXTRAS = "tmd-anm-loss-extras", Note, Loss,
        "The format has no place for extras of the source format.",
        "They are left out.";
    CAMERA_MAGIC = "tmd-anc-magic", Warning, Syntax,
        "The file does not start with the word 0x8000, as every file of the game does.",
        "It is read anyway, and the word is kept. Detection does not recognise it as an ANC.";
    CAMERA_RATE = "tmd-anc-rate", Warning, Value,
        "The frame rate is not one that the game's files have: 1, 10, 15, 20, 30 or 60.",
        "It is kept. Rates above 0 are used as frames per second; otherwise 30 is used.";
    CAMERA_TRUNCATED = "tmd-anc-truncated", Error, Reference,
        "The file has fewer records than the header declares.",
        "Records that are complete are read.";
    CAMERA_TRAILING = "tmd-anc-trailing", Warning, Syntax,
        "There are bytes after the last record.",
        "They are kept.";
    CAMERA_PADDING = "tmd-anc-padding", Note, Syntax,
        "There are up to three zero bytes after the last record, as in files from padded archives.",
        "They are kept.";
    CAMERA_FOV = "tmd-anc-fov", Warning, Value,
        "The field of view is not between 0° and 180°.",
        "The nearest valid one is used.";
    LOSS_FOV = "tmd-anc-loss-fov", Note, Loss,
        "The field of view changes, which a scene's camera cannot do.",
        "The first one is used; all are in the clip's extras.";
    CAMERA_LOSS_UNKNOWN = "tmd-anc-loss-unknown", Note, Loss,
        "A scene has no place for bytes of unknown meaning.",
        "They are left out of the scene.";
}
