//! Which states move, and which animation of a GLB shows each.

use std::collections::{HashMap, HashSet};

use anim_ir::{
    LimitError, Limits, Motion, Scene, Sequence, State, StateId, StateMachine, Transition,
    UniqueNames,
};

use crate::kept::{Kept, kept};
use crate::names::{is_animation, repeats};
use crate::phase::{self, Span};

/// The animations in a GLB of a scene that show the states of its first machine: the animation of
/// the clip that a state plays, or one round of the sequence.
pub(crate) struct Animations<'s> {
    scene: &'s Scene,
    machine: &'s StateMachine,
    /// The name for each state; `None` if nothing moves.
    names: Vec<Option<String>>,
    /// How each clip is represented in the GLB.
    kept: Vec<Kept>,
    /// The states that sequences play.
    played: HashSet<StateId>,
}

/// Returns the sequence that a state plays.
pub(crate) fn sequence(machine: &StateMachine, state: StateId) -> Option<&Sequence> {
    match machine.motion(state)? {
        Motion::Sequence(sequence) => Some(sequence),
        _ => None,
    }
}

impl<'s> Animations<'s> {
    /// Names the animations as a GLB does: clips first, then sequences, with a number appended to
    /// duplicates. An unnamed animation is called `animation`.
    pub(crate) fn new(
        scene: &'s Scene,
        machine: &'s StateMachine,
        limits: &Limits,
    ) -> Result<Animations<'s>, LimitError> {
        let kept = kept(scene, limits)?;
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
        let clips: Vec<String> = scene.clips.iter().map(|clip| name(&clip.name)).collect();
        let moves = moving(scene, machine, &kept);
        let name = |(state, moves): (&'s State, bool)| match state.motion {
            Motion::Clip(clip) => clips.get(clip.index()).cloned().filter(|_| moves),
            _ => Some(name(&state.name)).filter(|_| moves),
        };
        let names = machine.states.iter().zip(moves).map(name).collect();
        let sequences = machine.enumerate_states().filter_map(|(id, _)| sequence(machine, id));
        let played = sequences.flat_map(|sequence| sequence.keys()).filter_map(|key| key.state);
        Ok(Animations { scene, machine, names, kept, played: played.collect() })
    }

    /// Returns the name of the animation for a state; `None` if nothing moves.
    pub(crate) fn of(&self, state: StateId) -> Option<&str> {
        self.names.get(state.index())?.as_deref()
    }

    /// Returns the span of the animation for a state; `None` if nothing moves.
    pub(crate) fn span(&self, state: Option<StateId>) -> Option<Span> {
        self.of(state?)?;
        phase::span(self.scene, self.machine, state)
    }

    /// Whether a state needs its animation: it plays a clip, or a sequence plays it.
    pub(crate) fn is_shown(&self, state: StateId) -> bool {
        sequence(self.machine, state).is_none() || self.played.contains(&state)
    }

    /// Whether the animation has no keys for joints that other animations move.
    pub(crate) fn is_partial(&self, state: StateId) -> bool {
        match self.machine.motion(state) {
            Some(Motion::Clip(clip)) => {
                self.kept.get(clip.index()).is_some_and(|kept| kept.is_partial)
            }
            _ => false,
        }
    }

    /// Whether the animation repeats, and changes while it does.
    pub(crate) fn repeats(&self, state: StateId) -> bool {
        match self.machine.motion(state) {
            Some(Motion::Clip(clip)) => self.scene.clip(*clip).is_some_and(repeats),
            _ => self.span(Some(state)).is_some_and(|span| span.repeats && span.seconds > 0.0),
        }
    }
}

/// Returns whether each state moves: it plays an animation, or a state that does.
fn moving(scene: &Scene, machine: &StateMachine, kept: &[Kept]) -> Vec<bool> {
    let count = machine.states.len();
    let mut players: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut moves = vec![false; count];
    let mut open = Vec::new();
    for (state, content) in machine.enumerate_states() {
        match &content.motion {
            Motion::Clip(clip)
                if kept.get(clip.index()).is_some_and(|kept| kept.is_animation)
                    && scene.clip(*clip).is_some_and(|clip| is_animation(scene, clip)) =>
            {
                open.push(state.index());
            }
            Motion::Sequence(sequence) => {
                for played in sequence.keys().iter().filter_map(|key| key.state) {
                    if let Some(players) = players.get_mut(played.index()) {
                        players.push(state.index());
                    }
                }
            }
            _ => {}
        }
    }
    while let Some(state) = open.pop() {
        if let Some(moves) = moves.get_mut(state).filter(|moves| !**moves) {
            *moves = true;
            open.extend(players.get(state).into_iter().flatten());
        }
    }
    moves
}

/// Returns the number of morphs of a sequence between clips that move different joints.
pub(crate) fn uneven_morphs(scene: &Scene, machine: &StateMachine, sequence: &Sequence) -> usize {
    let joints = |state: Option<StateId>| match machine.motion(state?)? {
        Motion::Clip(clip) => Some(&scene.clip(*clip)?.joints),
        _ => None,
    };
    // Sets that were compared before are not compared again.
    let mut known: HashMap<(Option<StateId>, Option<StateId>), bool> = HashMap::new();
    let state = |key: usize| sequence.keys().get(key).and_then(|key| key.state);
    let is_uneven = |(from, to, way): &(usize, usize, Transition)| {
        let pair = (state(*from), state(*to));
        let differ = || matches!((joints(pair.0), joints(pair.1)), (Some(a), Some(b)) if a != b);
        way.morph && *known.entry(pair).or_insert_with(differ)
    };
    sequence.ways().filter(is_uneven).count()
}
