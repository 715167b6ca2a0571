//! The losses that this crate reports.

anim_ir::codes! {
    SAMPLED = "cast-sampled", Note, Loss,
        "The clip has keys between frames, or splines. Cast only supports keys on whole frames, \
         with linear interpolation.",
        "The track is sampled on every frame.";
    RANGE = "cast-range", Note, Loss,
        "The clip's duration is not a whole number of frames.",
        "Keys at the end are moved to the next whole frame.";
    EVENT_MOVED = "cast-event-moved", Note, Loss,
        "An event is between two frames.",
        "The event is moved to the nearest frame.";
    LOSS_PAYLOAD = "cast-loss-payload", Note, Loss,
        "An event has data other than its name. Cast notifications only have a name.",
        "The event's other data is dropped.";
    LOSS_NAME = "cast-loss-name", Warning, Loss,
        "Two bones have the same name, or a bone has no name. Cast readers identify bones by name, \
         ignoring case.",
        "A number is appended to a duplicate name; an unnamed bone is named `bone`.";
    LOSS_SHEAR = "cast-loss-shear", Warning, Loss,
        "A bone has shear at rest or in motion, which translation, rotation and scale cannot \
         represent.",
        "The nearest approximation is written.";
    LOSS_WRAP = "cast-loss-wrap", Note, Loss,
        "Cast animations can only play once or loop.",
        "A ping-pong clip is marked as looping, or as playing once if it stops by itself.";
    LOSS_MORPH = "cast-loss-morph", Warning, Loss,
        "Morph weights cannot be written, because meshes are not written.",
        "The weights are dropped.";
    LOSS_MESHES = "cast-loss-meshes", Note, Loss,
        "Only skeletons and their animations are written, not meshes or cameras.",
        "Meshes and cameras are dropped.";
    LOSS_MACHINE = "cast-loss-machine", Note, Loss,
        "Cast cannot represent state machines.",
        "The state machine is dropped. Each of its states is a clip and can be converted \
         separately.";
    LOSS_EXTRAS = "cast-loss-extras", Note, Loss,
        "Joints, clips or other items have format-specific extras, which Cast cannot store.",
        "The extras are dropped.";
}
