//! Plays a scene.

use anim_formats::anim_ir::{
    Deformer, MachineId, Player, Pose, Sampler, Scene, StateId, StatePlayer,
};

use crate::FEW;

/// Samples, plays and skins some of the content of a scene.
pub(crate) fn exercise(scene: &Scene) {
    let (mut pose, mut deformer) = (Pose::default(), Deformer::default());
    for (id, clip) in scene.enumerate_clips().take(FEW) {
        let Some((timeline, skeleton)) = scene.motion_of(clip) else { continue };
        let mut sampler = Sampler::for_clip(skeleton, timeline, clip);
        let (start, end) = (f64::from(clip.start), f64::from(clip.end));
        for time in [start, (start + end) / 2.0, end, -1e30, 1e30, f64::NAN] {
            sampler.sample(time, &mut pose);
        }
        let mut player = Player::new(scene, id).expect("the clip moves something").with_speed(-1.5);
        for seconds in [0.0, 0.3, 1e30, -1e30] {
            player.advance(seconds);
            player.pose(&mut pose);
        }
        for (node, _) in scene.enumerate_nodes().take(FEW) {
            deformer.deform_node(scene, node, timeline.skeleton, &pose);
        }
    }
    for (number, machine) in scene.machines.iter().enumerate().take(FEW) {
        let Some(mut player) = StatePlayer::new(scene, MachineId::new(number)) else { continue };
        // Includes a nonexistent index.
        for state in (0..=machine.states.len()).take(FEW).chain([usize::MAX]) {
            player.request(StateId::new(state));
            for seconds in [0.75, 1e30] {
                player.advance(seconds);
                player.pose(&mut pose);
            }
        }
    }
}
