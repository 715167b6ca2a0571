//! State machines.

use crate::model::ids::items;
use crate::{ClipId, Extras, Sequence, SkeletonId, StateId};

/// Maximum nesting depth of sequences. Deeper sequences show the rest pose. Limited because each
/// level may double the cost.
pub(crate) const DEEPEST: usize = 8;

/// A state machine: named states of a skeleton, one of which plays at a time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StateMachine {
    /// Name; may be empty.
    pub name: String,
    /// The skeleton that all states move.
    pub skeleton: SkeletonId,
    /// The states, in file order.
    pub states: Vec<State>,
    /// Format-specific data.
    pub extras: Extras,
}

/// A state.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Name in the file; not necessarily unique.
    pub name: String,
    /// The motion that the state plays.
    pub motion: Motion,
}

/// The motion of a state.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Motion {
    /// A clip of the scene. After the end of the clip, its timeline continues to play.
    Clip(ClipId),
    /// A sequence of other states.
    Sequence(Sequence),
}

impl StateMachine {
    /// Returns the motion of a state.
    pub fn motion(&self, state: StateId) -> Option<&Motion> {
        self.state(state).map(|state| &state.motion)
    }

    /// Returns the motion that determines how long a motion lasts: the motion itself, or, for a
    /// sequence without a duration, that of the state in which it stays, through nested sequences.
    /// `None` if nothing is played.
    pub fn lasting<'m>(&'m self, motion: &'m Motion) -> Option<&'m Motion> {
        let mut motion = motion;
        for _ in 0..=DEEPEST {
            match motion {
                Motion::Sequence(sequence) if sequence.duration() == 0.0 => {
                    let moment = sequence.at(0.0)?;
                    motion = self.motion(sequence.state_of(moment.key)?)?;
                }
                _ => return Some(motion),
            }
        }
        None
    }
}

items! {
    StateMachine {
        "state", states: State as StateId =>
            state, state_mut, add_state, enumerate_states, find_state;
    }
}
