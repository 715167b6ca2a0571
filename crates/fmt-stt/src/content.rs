//! The content of a file in flat arrays: a million states need only a few allocations. Names are
//! not copied, but stored as spans of the source.

use anim_ir::source::Place;
use anim_ir::{Edits, Span};

use crate::motion::{Channel, SequenceType, Step};

/// The content of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Content {
    /// The version: the second word of the file.
    pub(crate) version: Place,
    /// The location of the state count.
    pub(crate) count: Place,
    /// The number of states that the parser reached, including those that were dropped entirely.
    pub(crate) states_met: u32,
    /// Whether the file is read as Latin-1 because it is not UTF-8.
    pub(crate) latin1: bool,
    pub(crate) states: Vec<StateData>,
    /// The indices of states with an error, in order, and the text from each error to the next
    /// state, which belongs to the state.
    pub(crate) broken: Vec<(u32, Place)>,
    /// The nodes of all SINGLE states.
    pub(crate) nodes: Vec<NodeData>,
    /// The vectors of all STATIC nodes.
    pub(crate) vectors: Vec<[[f32; 3]; 3]>,
    /// The channels of all DYNAMIC nodes.
    pub(crate) channels: Vec<[Channel; 3]>,
    pub(crate) sequences: Vec<SequenceData>,
    /// The keys of all KEYFRAME states.
    pub(crate) keys: Vec<KeyData>,
}

/// A range in one of the arrays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) first: u32,
    pub(crate) count: u32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct StateData {
    pub(crate) name: Place,
    pub(crate) kind: StateKind,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum StateKind {
    /// The state's nodes.
    Single(Run),
    /// Index into the sequences.
    Keyframe(u32),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct NodeData {
    pub(crate) name: Place,
    pub(crate) kind: NodeKind,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum NodeKind {
    /// Index into the vectors.
    Static(u32),
    /// Index into the channels.
    Dynamic(u32),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SequenceData {
    pub(crate) kind: SequenceType,
    pub(crate) start_name: Place,
    /// Index of the first key with the starting name, or 0 if no key has that name. While reading,
    /// [`UNDEFINED`] stands for the latter.
    pub(crate) start: u32,
    pub(crate) keys: Run,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct KeyData {
    /// The name of the state that the key shows.
    pub(crate) name: Place,
    /// The index of that state, or [`UNDEFINED`].
    pub(crate) state: u32,
    pub(crate) exit: bool,
    pub(crate) closes_circle: bool,
    pub(crate) forward_morph: bool,
    pub(crate) backward_morph: bool,
    pub(crate) forward_seconds: f32,
    pub(crate) backward_seconds: f32,
}

/// Marks a key whose state does not exist.
pub(crate) const UNDEFINED: u32 = u32::MAX;

/// Returns the span of a name including its braces. The name's own span excludes them.
pub(crate) const fn with_braces(name: Place) -> Span {
    let Span { start, end } = name.span();
    Span::new(start.saturating_sub(1), end.saturating_add(1))
}

impl Run {
    pub(crate) fn of<T>(self, all: &[T]) -> &[T] {
        let first = self.first as usize;
        all.get(first..first.saturating_add(self.count as usize)).unwrap_or_default()
    }

    pub(crate) const fn index(self, at: usize) -> usize {
        (self.first as usize).saturating_add(at)
    }
}

impl KeyData {
    pub(crate) const fn forward(&self) -> Step {
        Step { seconds: self.forward_seconds, morph: self.forward_morph }
    }

    pub(crate) const fn backward(&self) -> Step {
        Step { seconds: self.backward_seconds, morph: self.backward_morph }
    }
}

impl Content {
    /// Returns the index of a keyframe state's sequence; `None` for a SINGLE state.
    pub(crate) fn sequence_of(&self, state: usize) -> Option<usize> {
        match self.states.get(state)?.kind {
            StateKind::Single(_) => None,
            StateKind::Keyframe(sequence) => Some(sequence as usize),
        }
    }

    /// Shifts all spans to account for edits.
    pub(crate) fn shift(&mut self, edits: &Edits<'_>) {
        let shift = |place: &mut Place| {
            let moved = edits.moved(place.span());
            *place = Place::new(moved.start, moved.len());
        };
        self.states.iter_mut().for_each(|state| shift(&mut state.name));
        self.broken.iter_mut().for_each(|(_, unread)| shift(unread));
        self.nodes.iter_mut().for_each(|node| shift(&mut node.name));
        self.sequences.iter_mut().for_each(|sequence| shift(&mut sequence.start_name));
        self.keys.iter_mut().for_each(|key| shift(&mut key.name));
    }
}
