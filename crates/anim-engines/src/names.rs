//! Names of states, and facts about clips.

use anim_ir::diag::quote;
use anim_ir::{Clip, Diagnostics, Scene, StateMachine, UniqueNames, Wrap};

use crate::codes;

/// Returns unique names for the states of a machine, without the characters that separate the parts
/// of a path, and reports changes.
pub(crate) fn states(
    machine: &StateMachine,
    separators: &[char],
    losses: &mut Diagnostics,
) -> Vec<String> {
    let path_part = |name: &'_ str| name.replace(separators, "_");
    let mut taken = UniqueNames::new();
    for state in &machine.states {
        taken.announce(path_part(&state.name));
    }
    let mut names = Vec::with_capacity(machine.states.len());
    for state in &machine.states {
        let name = match state.name.as_str() {
            "" => taken.invent("state".to_owned()),
            own => taken.claim(path_part(own)),
        };
        losses.lost(&codes::LOSS_NAME, name != state.name, || {
            let [own, name] = [&*state.name, &*name].map(|name| quote(name.as_bytes()));
            format!("state {own} is named {name}")
        });
        names.push(name.into_owned());
    }
    names
}

/// Whether a GLB of the scene has an animation for a clip. It has none for clips without joints.
pub(crate) fn is_animation(scene: &Scene, clip: &Clip) -> bool {
    let Some((timeline, skeleton)) = scene.motion_of(clip) else { return false };
    let moves = clip.joints.as_ref().is_none_or(|joints| !joints.is_empty());
    moves && (!skeleton.joints.is_empty() || !timeline.tracks().is_empty())
}

/// Whether a clip repeats and changes while it does.
pub(crate) fn repeats(clip: &Clip) -> bool {
    clip.duration() > 0.0 && matches!(clip.wrap, Wrap::Loop | Wrap::PingPong)
}
