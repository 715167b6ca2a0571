//! The diagnostic codes of this crate, each with the problem, an example, and how the reader or
//! writer handles it.

anim_ir::codes! {
    MAGIC = "tmd-anm-magic", Warning, Syntax,
        "The first word is not 0x8000, as it is in all of the game's files.",
        "The file is read anyway, and the word is kept. Detection does not recognise it as ANM.";
    RATE = "tmd-anm-rate", Warning, Value,
        "The frame rate is not one of those in the game's files: 1, 10, 15, 20, 30 or 60.",
        "The rate is kept. It is used as frames per second if positive; otherwise 30 is used.";
    GAP = "tmd-anm-gap", Warning, Syntax,
        "The first frame does not directly follow the table.",
        "The bytes between the table and the frame are kept until an edit packs the file.";
    OVERLAP = "tmd-anm-overlap", Warning, Reference,
        "The first frame starts inside the header or the table.",
        "The bytes at that offset are read as keys.";
    REVERSED = "tmd-anm-reversed", Error, Reference,
        "A frame ends before it starts.",
        "The frame is read as empty; all other frames are read.";
    TRUNCATED = "tmd-anm-truncated", Error, Reference,
        "The table points beyond the end of the file.",
        "Only complete keys are read.";
    CUT_KEY = "tmd-anm-cut-key", Error, Syntax,
        "A key extends beyond the end of its frame.",
        "The frame ends before that key, whose bytes are kept; the next frame starts at its offset \
         in the table.";
    TRAILING = "tmd-anm-trailing", Warning, Syntax,
        "The last frame is followed by trailing bytes.",
        "The bytes are kept.";
    PADDING = "tmd-anm-padding", Note, Syntax,
        "The last frame is followed by up to three zero bytes, as in files from padded archives.",
        "The bytes are kept.";
    DUPLICATE = "tmd-anm-duplicate", Warning, Value,
        "A frame has several keys for one object.",
        "All keys are kept; the last one is used.";
    FLAGS = "tmd-anm-flags", Warning, Compatibility,
        "Bits 3 to 7 of a key's flags are set; their meaning is unknown.",
        "The bits are kept and ignored.";
    OBJECT = "tmd-anm-object", Warning, Reference,
        "Keys refer to an object that does not exist in the model.",
        "The keys are kept in the file but dropped from the scene.";
    SCENE_LIMIT = "tmd-anm-scene-limit", Error, Limit,
        "The frames share so many keys that the scene would need too much memory.",
        "Frames beyond the limit are dropped. `--max-memory` raises it.";
    LOSS_UNKNOWN = "tmd-anm-loss-unknown", Note, Loss,
        "A scene cannot store data of unknown meaning: bits 3 to 7 of the flags, bytes outside \
        frames, and truncated keys.",
        "The data is dropped from the scene.";
    LOSS_JOIN = "tmd-anm-loss-join", Warning, Loss,
        "A joined file cannot store bytes before the frames, or bytes after the frames of any \
         document but the last.",
        "The bytes are dropped.";
    LOSS_HIERARCHY = "tmd-anm-loss-hierarchy", Note, Loss,
        "The objects of a TMD model do not form a hierarchy.",
        "Each joint is written with its transform in model space. Convert to glTF to keep the \
         hierarchy.";
    LOSS_SHEAR = "tmd-anm-loss-shear", Warning, Loss,
        "A joint's transform in model space contains shear, which cannot be represented by \
         translation, rotation and scale.",
        "The nearest translation, rotation and scale are written.";
    LOSS_ROTATION = "tmd-anm-loss-rotation", Note, Loss,
        "Angles are stored as integers; 4096 is 360°.",
        "The nearest angles are written.";
    LOSS_POSITION = "tmd-anm-loss-position", Note, Loss,
        "Positions are stored as integers.",
        "The nearest position is written; a smaller unit (`--unit-scale`) reduces the error.";
    LOSS_SCALE = "tmd-anm-loss-scale", Note, Loss,
        "Scales are stored as multiples of 1/4096.",
        "The nearest scale is written.";
    CLAMPED = "tmd-anm-clamped", Warning, Loss,
        "A position or scale does not fit into 16 bits: it is outside -32768 to 32767 units, or a \
        scale of -8 to 7.9998.",
        "The value is clamped, as requested.";
    LOSS_SAMPLED = "tmd-anm-loss-sampled", Note, Loss,
        "The clip interpolates between keys; the game does not interpolate between frames.",
        "The clip is sampled at the time of each frame.";
    LOSS_DURATION = "tmd-anm-loss-duration", Note, Loss,
        "The length of a clip is not a whole number of frames.",
        "The length is rounded to a whole number of frames.";
    LOSS_EVENTS = "tmd-anm-loss-events", Note, Loss,
        "TMD ANM does not support events.",
        "The events are dropped. Convert to glTF to keep them.";
    LOSS_MORPH = "tmd-anm-loss-morph", Note, Loss,
        "TMD ANM does not support morph targets.",
        "The weights are dropped. Convert to glTF to keep them.";
    LOSS_WRAP = "tmd-anm-loss-wrap", Note, Loss,
        "TMD ANM does not store whether an animation repeats.",
        "The wrap mode is dropped. Convert to glTF to keep it.";
    LOSS_MESHES = "tmd-anm-loss-meshes", Note, Loss,
        "TMD ANM only stores animation; meshes and materials are part of the TMD model.",
        "Meshes and materials are dropped. Convert to glTF to keep them.";
    LOSS_CAMERAS = "tmd-anm-loss-cameras", Note, Loss,
        "TMD ANM animates objects, not cameras.",
        "Cameras are dropped. Convert to glTF to keep them.";
    LOSS_NAMES = "tmd-anm-loss-names", Note, Loss,
        "Objects are identified by index, not by name.",
        "A joint becomes the object with the same index.";
    LOSS_SKELETONS = "tmd-anm-loss-skeletons", Note, Loss,
        "A file animates one model.",
        "Only the skeleton of the clip is written.";
    LOSS_EXTRAS = "tmd-anm-loss-extras", Note, Loss,
        "TMD ANM cannot store extras of the source format.",
        "The extras are dropped. Convert to glTF to keep them.";
    CAMERA_MAGIC = "tmd-anc-magic", Warning, Syntax,
        "The first word is not 0x8000, as it is in all of the game's files.",
        "The file is read anyway, and the word is kept. Detection does not recognise it as ANC.";
    CAMERA_RATE = "tmd-anc-rate", Warning, Value,
        "The frame rate is not one of those in the game's files: 1, 10, 15, 20, 30 or 60.",
        "The rate is kept. It is used as frames per second if positive; otherwise 30 is used.";
    CAMERA_TRUNCATED = "tmd-anc-truncated", Error, Reference,
        "The file has fewer records than the header declares.",
        "Only complete records are read.";
    CAMERA_TRAILING = "tmd-anc-trailing", Warning, Syntax,
        "The last record is followed by trailing bytes.",
        "The bytes are kept.";
    CAMERA_PADDING = "tmd-anc-padding", Note, Syntax,
        "The last record is followed by up to three zero bytes, as in files from padded archives.",
        "The bytes are kept.";
    CAMERA_FOV = "tmd-anc-fov", Warning, Value,
        "The field of view is not between 0° and 180°.",
        "The nearest valid value is used.";
    LOSS_FOV = "tmd-anc-loss-fov", Note, Loss,
        "The field of view changes, but a scene cannot animate a camera's field of view.",
        "The first value is used; all values are stored in the clip's extras.";
    CAMERA_LOSS_UNKNOWN = "tmd-anc-loss-unknown", Note, Loss,
        "A scene cannot store bytes of unknown meaning.",
        "The bytes are dropped from the scene.";
}
