//! States that play clips, or other states one after the other.

use crate::model::ids::items;
use crate::{ClipId, Extras, Sequence, SkeletonId, StateId};

/// Named states of a skeleton, one of which is played at a time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StateMachine {
    /// Name; may be empty.
    pub name: String,
    /// The skeleton that all states move.
    pub skeleton: SkeletonId,
    /// In the order of the file.
    pub states: Vec<State>,
    /// What the format says beyond this.
    pub extras: Extras,
}

/// A state.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Name in the file; not necessarily unique.
    pub name: String,
    /// What is played in it.
    pub motion: Motion,
}

/// What a state plays.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Motion {
    /// A clip of the scene. Waves run on after its end.
    Clip(ClipId),
    /// Other states.
    Sequence(Sequence),
}

impl StateMachine {
    /// What the state of this id plays.
    pub fn motion(&self, state: StateId) -> Option<&Motion> {
        self.state(state).map(|state| &state.motion)
    }
}

items! {
    StateMachine {
        "state", states: State as StateId =>
            state, state_mut, add_state, enumerate_states, find_state;
    }
}
