//! Plays a state machine, requesting each state for a second as a game would.
//!
//! `cargo run -p anim-formats --example state_machine [FILE.stt]`

use anim_formats::anim_ir::{MachineId, Pose, StatePlayer};
use anim_formats::{LoadOptions, load};

/// The default file.
pub(crate) const DEFAULT: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/cookbook/lamp.stt");

/// Plays each state for a second.
pub(crate) fn run(path: &str) -> Result<(), Box<dyn std::error::Error>> {
    let scene = load(path, &LoadOptions::default())?.scene;
    let id = MachineId::new(0);
    let machine = scene.machine(id).ok_or("the file has no states")?;
    let skeleton = scene.skeleton(machine.skeleton).ok_or("the states have no motion")?;
    let mut player = StatePlayer::new(&scene, id).ok_or("the states have no motion")?;

    let mut pose = Pose::default();
    for (state, wanted) in machine.enumerate_states() {
        // A running sequence continues to its next exit before the state changes.
        player.request(state);
        for _frame in 0..60 {
            player.advance(1.0 / 60.0);
            player.pose(&mut pose);
        }
        let playing = machine.state(player.state()).map_or("", |state| &state.name);
        println!("requested {:?}, playing {playing:?}:", wanted.name);
        for (joint, transform) in skeleton.joints.iter().zip(&pose.transforms) {
            println!("  {}: {:?}", joint.name, transform.translation.to_array());
        }
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    run(&std::env::args().nth(1).unwrap_or_else(|| DEFAULT.to_owned()))
}
