//! Names of states, and of animations as engines import them.

use anim_ir::diag::quote;
use anim_ir::{Clip, ClipId, Diagnostics, Motion, Scene, State, StateMachine, UniqueNames, Wrap};

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

/// The names of the animations in a GLB of a scene.
pub(crate) struct Animations {
    /// The name for each clip.
    pub(crate) clips: Vec<String>,
    /// The name for each state of the first machine that plays a sequence. Empty for others.
    pub(crate) sequences: Vec<String>,
}

impl Animations {
    /// Names the clips of a scene, then the sequences, as a GLB does: a number is appended to
    /// duplicates, and an unnamed animation is called `animation`.
    pub(crate) fn new(scene: &Scene) -> Animations {
        let states = || scene.machines.iter().flat_map(|machine| &machine.states);
        let is_sequence = |state: &State| matches!(state.motion, Motion::Sequence(_));
        let mut taken = UniqueNames::new();
        for clip in &scene.clips {
            taken.announce(&*clip.name);
        }
        for state in states().filter(|state| is_sequence(state)) {
            taken.announce(&*state.name);
        }
        let mut name = |own| match own {
            "" => taken.invent("animation").into_owned(),
            own => taken.claim(own).into_owned(),
        };
        let clips = scene.clips.iter().map(|clip| name(&clip.name)).collect();
        let first = scene.machines.first().map_or(&[][..], |machine| &machine.states);
        let sequences = first
            .iter()
            .map(|state| if is_sequence(state) { name(&state.name) } else { String::new() })
            .collect();
        Animations { clips, sequences }
    }
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

/// The clips that a machine's states play, in the order of the clips.
pub(crate) fn played(machine: &StateMachine) -> Vec<ClipId> {
    let clips = machine.states.iter().filter_map(|state| match state.motion {
        Motion::Clip(clip) => Some(clip),
        _ => None,
    });
    let mut clips: Vec<ClipId> = clips.collect();
    clips.sort_unstable();
    clips.dedup();
    clips
}
