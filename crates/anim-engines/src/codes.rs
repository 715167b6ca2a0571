//! The losses that this crate reports.

anim_ir::codes! {
    LOSS_MACHINES = "engine-loss-machines", Warning, Loss,
        "The scene has several state machines. A file can hold one.",
        "Only the first state machine is written.";
    LOSS_NAME = "engine-loss-name", Note, Loss,
        "A state has no name, the name of an earlier state, or a name with a slash, which \
         separates the parts of a path in engines.",
        "{a/b} SINGLE …",
        "Slashes are replaced with `_`, a number is appended to a duplicate, and an unnamed state \
         is named `state`.";
    LOSS_REST = "engine-loss-rest", Warning, Loss,
        "A state has no motion: it plays no joints, a sequence without keys, or only states \
         without motion. It should show the rest pose, but engines have no state for that.",
        "{idle} SINGLE 0",
        "The state has no animation. The engine shows the last pose or that of the scene.";
    LOSS_CLOCK = "engine-loss-clock", Note, Loss,
        "All keys of a sequence share a clock that starts when the sequence is entered. Engines \
         start an animation when they enter its state.",
        "a key that plays a wave of 2 s, reached after 3 s",
        "The animation starts at another time than in the source.";
    LOSS_JOINTS = "engine-loss-joints", Note, Loss,
        "A sequence morphs between two states that move different joints. A joint that only one \
         of them moves should keep the pose of that state.",
        "The engine blends the joint with its rest pose instead.";
    GODOT_LOSS_EXIT = "godot-loss-exit", Note, Loss,
        "A sequence may not be left at every key. A Godot state machine within another can be \
         left at any time.",
        "a key with exit 0",
        "Keys that may be left have `(exit)` in their names, so that a script can wait for them. \
         A sequence without such a key has no transitions to other states, but `travel` and \
         `start` leave it nevertheless.";
    GODOT_LOSS_POSE = "godot-loss-pose", Warning, Loss,
        "A state moves only some of the joints that the animations of the GLB move. Its animation \
         has no keys for the others, which should be at rest.",
        "{rest} SINGLE 1 {hip} …, after {bend} SINGLE 1 {knee} …",
        "Godot leaves these joints in the previous state's pose. List all nodes in each state.";
    GODOT_LOSS_ANIMATION = "godot-loss-animation", Warning, Loss,
        "Two animations have the same name once Godot has imported them: it removes all \
         characters but `a`–`z`, `A`–`Z`, digits, `_`, `-` and spaces, and keeps the last of \
         several animations with the same name.",
        "{walk} and {walk!}",
        "The states refer to the name. Rename them, or one plays the animation of the other.";
    GODOT_LOSS_LOOP = "godot-loss-loop", Note, Loss,
        "A state repeats. Godot 3 imports an animation as repeating if its name ends with `loop` \
         or `cycle`.",
        "{scan} SINGLE … 2.000000 0.000000 7",
        "The animation stops at its end, unless a script sets `loop`. Write the GLB with \
         `--clip-names` that append `-loop` and this file with `--loop-suffix`.";
    GODOT_LOSS_TRANSITIONS = "godot-loss-transitions", Note, Loss,
        "There are more than 32 states. Every state can follow every other, which would need more \
         than 1,000 transitions.",
        "No transitions between states are written. `start` and `travel` work without them.";
    UNITY_LOSS_MOTION = "unity-loss-motion", Note, Loss,
        "Unity refers to an animation by an identifier that it assigns when it imports the model.",
        "The states have no motions, but the names of their animations as tags. Assign them in \
         the Animator window.";
    UNITY_LOSS_LOOP = "unity-loss-loop", Note, Loss,
        "A state repeats. In Unity, an animation repeats if its import settings say so.",
        "The animation stops at its end, unless Loop Time is set in its import settings.";
}
