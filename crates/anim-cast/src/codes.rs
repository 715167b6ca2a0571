//! Every loss that this crate reports.

anim_ir::codes! {
    SAMPLED = "cast-sampled", Note, Loss,
        "Keys of the clip are between frames, or are splines. Cast only has keys on whole frames, \
         with linear interpolation.",
        "The clip gets a key on every frame.";
    RANGE = "cast-range", Note, Loss,
        "The clip does not last a whole number of frames.",
        "Keys at its end are written on the next whole frame.";
    EVENT_MOVED = "cast-event-moved", Note, Loss,
        "An event is between two frames.",
        "It is moved to the nearest one.";
    LOSS_PAYLOAD = "cast-loss-payload", Note, Loss,
        "Cast notifications have only a name.",
        "The event's other data is left out.";
    LOSS_NAME = "cast-loss-name", Warning, Loss,
        "Cast readers identify bones by name, ignoring case, and two bones have the same name, or \
         a bone has none.",
        "A number is appended to the name.";
    LOSS_SHEAR = "cast-loss-shear", Warning, Loss,
        "A bone's rest pose has shear, which translation, rotation and scale cannot represent.",
        "The nearest approximation is written.";
    LOSS_WRAP = "cast-loss-wrap", Note, Loss,
        "Cast animations play once or loop.",
        "A ping-pong clip is marked as looping.";
    LOSS_MORPH = "cast-loss-morph", Warning, Loss,
        "Meshes are not written, so neither are their morph weights.",
        "They are left out.";
    LOSS_MESHES = "cast-loss-meshes", Note, Loss,
        "Only the skeleton and its animation are written, not meshes and cameras.",
        "They are left out.";
    LOSS_MACHINE = "cast-loss-machine", Note, Loss,
        "Cast cannot represent state machines.",
        "The state machine is left out; each of its states is a clip that can be converted on its \
         own.";
    LOSS_EXTRAS = "cast-loss-extras", Note, Loss,
        "Joints, clips or other items have format-specific extras.",
        "They are left out.";
}
