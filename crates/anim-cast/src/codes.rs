//! Every loss this crate reports.

anim_ir::codes! {
    SAMPLED = "cast-sampled", Note, Loss,
        "Keys of the clip are not whole frames, or are splines. Cast has whole frames and \
         straight lines.",
        "There is a key on every frame of the clip.";
    RANGE = "cast-range", Note, Loss,
        "The clip does not last a whole number of frames.",
        "What is at its end is written on the next whole frame.";
    EVENT_MOVED = "cast-event-moved", Note, Loss,
        "An event is between two frames.",
        "It is moved to the nearest one.";
    LOSS_PAYLOAD = "cast-loss-payload", Note, Loss,
        "A notification of Cast has a name and nothing else.",
        "What the event carries beyond that is left out.";
    LOSS_NAME = "cast-loss-name", Warning, Loss,
        "Bones are told apart by their names, without regard to case. Two have the same, or one \
         has none.",
        "A number is put behind the name.";
    LOSS_SHEAR = "cast-loss-shear", Warning, Loss,
        "A bone at rest has shear, which translation, rotation and scale cannot hold.",
        "The nearest is written.";
    LOSS_WRAP = "cast-loss-wrap", Note, Loss,
        "An animation of Cast plays once or again and again.",
        "One that plays back and forth is marked as looping.";
    LOSS_MORPH = "cast-loss-morph", Warning, Loss,
        "Meshes are not written, and so no weights of their morph targets.",
        "They are left out.";
    LOSS_MESHES = "cast-loss-meshes", Note, Loss,
        "The skeleton and its animation are written, no meshes and no cameras.",
        "They are left out.";
    LOSS_MACHINE = "cast-loss-machine", Note, Loss,
        "Cast has animations, and nothing that says which state follows which.",
        "The states are left out; each of them is an animation that can be chosen.";
    LOSS_EXTRAS = "cast-loss-extras", Note, Loss,
        "Joints, clips or other things carry more than the model of animation has words for.",
        "It is left out.";
}
