//! An evaluator and a player of state transition tables (`.stt`), by the project's notes on the
//! format.
//!
//! Numbers are the `f32` that the text rounds to, and are computed with as `f64`. Where the notes
//! are silent:
//!
//! - a word ends at white space or at a `{`; a label is all that is between its braces, blanks at
//!   its ends too,
//! - of two states of one name, and of two nodes of one name in a state, the first one counts,
//! - a node that only one of two blended states has is posed by that state,
//! - a key is reached at the very end of the way to it; while the way to the next key blends, the
//!   player is at no key, but for the moment in which the way begins,
//! - a key that takes no time is reached too, and a state can be left there,
//! - a loop of one key goes from the key to itself,
//! - a keyframe state without keys has an empty pose and can be left at once.

pub(super) mod parse;
pub(super) mod play;
pub(super) mod pose;

pub use crate::math::Order;

#[derive(Clone, Debug, PartialEq)]
pub struct File {
    /// "1.1", or what is in its place.
    pub version: String,
    pub states: Vec<State>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// What is between the braces.
    pub name: String,
    pub motion: Motion,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Motion {
    /// SINGLE: what each node does.
    Single(Vec<Node>),
    /// KEYFRAME: other states, one after another.
    Keyframe(Sequence),
}

/// What a SINGLE state says of one node.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// What is between the braces.
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
    /// The name of the key that is the first to be played.
    pub start: String,
    pub keys: Vec<Key>,
}

/// One key: a state, and how to go on from there.
#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    pub state: String,
    /// Whether the keyframe state may be left here.
    pub exit: bool,
    /// To the key behind it in the list.
    pub forward: Way,
    /// To the key before it in the list.
    pub backward: Way,
}

/// How to get from a key to one beside it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Way {
    /// Seconds, at least 0.
    pub time: f64,
    /// Whether the pose blends into the other key's over that time. Else it switches at the end.
    pub morph: bool,
}

impl File {
    /// The first state of a name.
    pub fn find(&self, name: &str) -> usize {
        let found = self.states.iter().position(|state| state.name == name);
        found.unwrap_or_else(|| panic!("no state {name:?}"))
    }
}

impl Sequence {
    /// The key that is the first to be played: the first of the name, and the first of all where no
    /// key has it. `None` without keys.
    pub fn start_key(&self) -> Option<usize> {
        let named = self.keys.iter().position(|key| key.state == self.start);
        named.or((!self.keys.is_empty()).then_some(0))
    }
}
