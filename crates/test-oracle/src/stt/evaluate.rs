//! An evaluator and player of state transition tables (`.stt`), based on the project's notes on the
//! format.
//!
//! Numbers are rounded to `f32`; computations use `f64`. Duplicate node names in a state are not
//! supported: the first node is used, while the notes specify the last. Where the notes do not
//! specify the behaviour:
//!
//! - a word ends at whitespace or at a `{`; a label is the text between its braces, including
//!   leading and trailing spaces,
//! - the first of two states with the same name is used,
//! - a node that exists in only one of two blended states is posed by that state,
//! - a key is reached at the end of the transition to it; during a blend to the next key, the
//!   player is not at a key, except at the start of the transition,
//! - a key without duration is also reached, and a state can be left there,
//! - a loop with a single key transitions from the key to itself,
//! - a keyframe state without keys has an empty pose and can be left immediately.

pub(super) mod parse;
pub(super) mod play;
pub(super) mod pose;

pub use crate::math::Order;

#[derive(Clone, Debug, PartialEq)]
pub struct File {
    /// The version in the file, normally "1.1".
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

/// The two kinds of nodes. Both have displacement, translation and orientation (in degrees), in
/// this order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Behaviour {
    Static([[f64; 3]; 3]),
    Dynamic([Channel; 3]),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Channel {
    /// The start value (S in the notes' table).
    pub start: [f64; 3],
    /// The end value (E in the notes' table).
    pub end: [f64; 3],
    /// The period in seconds.
    pub period: f64,
    /// The offset in seconds, added to the time.
    pub offset: f64,
    /// The animation type, 0 to 9.
    pub kind: u8,
}

/// The keys of a KEYFRAME state.
#[derive(Clone, Debug, PartialEq)]
pub struct Sequence {
    /// The animation type, 0 to 5.
    pub kind: u8,
    /// The name of the first key to play.
    pub start: String,
    pub keys: Vec<Key>,
}

/// A key: a state and its transitions.
#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    pub state: String,
    /// Whether the keyframe state can be left here.
    pub exit: bool,
    /// The transition to the next key in the list.
    pub forward: Way,
    /// The transition to the previous key in the list.
    pub backward: Way,
}

/// The transition from a key to a neighbouring key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Way {
    /// The duration in seconds, at least 0.
    pub time: f64,
    /// Whether the pose blends to the other key's pose over that time. Otherwise it switches at the
    /// end.
    pub morph: bool,
}

impl File {
    /// Returns the index of the first state with this name. Panics if there is none.
    pub fn find(&self, name: &str) -> usize {
        let found = self.states.iter().position(|state| state.name == name);
        found.unwrap_or_else(|| panic!("no state {name:?}"))
    }
}

impl Sequence {
    /// Returns the key that is played first: the first key with the name of `start`, or the first
    /// key if no key has that name. `None` without keys.
    pub fn start_key(&self) -> Option<usize> {
        let named = self.keys.iter().position(|key| key.state == self.start);
        named.or((!self.keys.is_empty()).then_some(0))
    }
}
