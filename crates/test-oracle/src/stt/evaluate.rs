//! An evaluator and player of state transition tables (`.stt`), based on the project's notes on the
//! format.
//!
//! Numbers are rounded to `f32` and computed with as `f64`. Where the notes are silent:
//!
//! - a word ends at whitespace or at a `{`; a label is everything between its braces, including
//!   leading and trailing spaces,
//! - of two states with the same name, and of two nodes with the same name in a state, the first
//!   one counts,
//! - a node that only one of two blended states has is posed by that state,
//! - a key is reached at the very end of the transition to it; while the transition to the next key
//!   blends, the player is at no key, except at the moment when the transition starts,
//! - a key without duration is reached too, and a state can be left there,
//! - a loop of one key transitions from the key to itself,
//! - a keyframe state without keys has an empty pose and can be left at once.

pub(super) mod parse;
pub(super) mod play;
pub(super) mod pose;

pub use crate::math::Order;

#[derive(Clone, Debug, PartialEq)]
pub struct File {
    /// "1.1", or whatever the file has instead.
    pub version: String,
    pub states: Vec<State>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// The text between the braces.
    pub name: String,
    pub motion: Motion,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Motion {
    /// SINGLE: the motion of each node.
    Single(Vec<Node>),
    /// KEYFRAME: other states in sequence.
    Keyframe(Sequence),
}

/// The motion of one node in a SINGLE state.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The text between the braces.
    pub name: String,
    pub behaviour: Behaviour,
}

/// The two kinds of nodes. Both have displacement, translation and orientation (degrees), in this
/// order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Behaviour {
    Static([[f64; 3]; 3]),
    Dynamic([Channel; 3]),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Channel {
    /// S of the notes' table.
    pub start: [f64; 3],
    /// E of the notes' table.
    pub end: [f64; 3],
    /// Seconds.
    pub period: f64,
    /// Seconds.
    pub offset: f64,
    /// 0 to 9.
    pub kind: u8,
}

/// The keys of a KEYFRAME state.
#[derive(Clone, Debug, PartialEq)]
pub struct Sequence {
    /// 0 to 5.
    pub kind: u8,
    /// The name of the first key to play.
    pub start: String,
    pub keys: Vec<Key>,
}

/// A key: a state, and how to continue from there.
#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    pub state: String,
    /// Whether the keyframe state may be left here.
    pub exit: bool,
    /// To the next key in the list.
    pub forward: Way,
    /// To the previous key in the list.
    pub backward: Way,
}

/// The transition from a key to a neighbouring one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Way {
    /// Seconds, at least 0.
    pub time: f64,
    /// Whether the pose blends into the other key's over that time. Otherwise it switches at the
    /// end.
    pub morph: bool,
}

impl File {
    /// The first state with this name.
    pub fn find(&self, name: &str) -> usize {
        let found = self.states.iter().position(|state| state.name == name);
        found.unwrap_or_else(|| panic!("no state {name:?}"))
    }
}

impl Sequence {
    /// The first key to play: the first one with the name, or the first key if no key has it.
    /// `None` without keys.
    pub fn start_key(&self) -> Option<usize> {
        let named = self.keys.iter().position(|key| key.state == self.start);
        named.or((!self.keys.is_empty()).then_some(0))
    }
}
