//! Documents: the bytes of a file, its parsed content, and views of that content.

use std::borrow::Cow;

use anim_ir::source::Place;
use anim_ir::{Limits, Span};

use crate::content::{
    Content, KeyData, NodeData, NodeKind, SequenceData, StateData, StateKind, UNDEFINED,
    with_braces,
};
use crate::motion::{Behaviour, SequenceType, Step};

/// A parsed file. Borrows its bytes if they were passed as a slice and owns them if they were
/// passed as a `Vec`.
#[derive(Clone, Debug, PartialEq)]
pub struct Document<'a> {
    pub(crate) source: Cow<'a, [u8]>,
    pub(crate) content: Content,
    /// The limits for reparsing the file after an edit.
    pub(crate) limits: Limits,
}

impl<'a> Document<'a> {
    /// Returns the version as written in the file; `1.1` in all known files.
    pub fn version(&self) -> Cow<'_, str> {
        self.text_at(self.content.version)
    }

    /// Whether names are read as Latin-1 because the file is not UTF-8.
    pub const fn is_latin1(&self) -> bool {
        self.content.latin1
    }

    /// Returns the states in file order.
    pub fn states(&self) -> impl ExactSizeIterator<Item = State<'_>> + DoubleEndedIterator + Clone {
        self.content.states.iter().map(|data| State { document: self, data })
    }

    /// Returns the state with the given index.
    pub fn state(&self, index: usize) -> Option<State<'_>> {
        self.content.states.get(index).map(|data| State { document: self, data })
    }

    /// Returns the index of the first state with the given name, which is the state that keys refer
    /// to.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.states().position(|state| state.name() == name)
    }

    fn text_at(&self, place: Place) -> Cow<'_, str> {
        place.text(&self.source, self.content.latin1)
    }
}

/// Implements accessors for a name and its span.
macro_rules! named {
    ($($part:ident),+) => {$(
        impl<'a> $part<'a> {
            /// Returns the name.
            pub fn name(&self) -> Cow<'a, str> {
                self.document.text_at(self.data.name)
            }

            /// Returns the span of the name in the file, braces included.
            pub const fn span(&self) -> Span {
                with_braces(self.data.name)
            }
        }
    )+};
}

named!(State, Node, Key);

/// A state.
#[derive(Clone, Copy, Debug)]
pub struct State<'a> {
    document: &'a Document<'a>,
    data: &'a StateData,
}

impl<'a> State<'a> {
    /// Returns the nodes of a SINGLE state in file order; empty for a KEYFRAME state.
    pub fn nodes(
        &self,
    ) -> impl ExactSizeIterator<Item = Node<'a>> + DoubleEndedIterator + Clone + use<'a> {
        let document = self.document;
        let nodes = match self.data.kind {
            StateKind::Single(nodes) => nodes.of(&document.content.nodes),
            StateKind::Keyframe(_) => &[],
        };
        nodes.iter().map(move |data| Node { document, data })
    }

    /// Returns the keys of a KEYFRAME state and the order in which they are played; `None` for a
    /// SINGLE state.
    pub fn sequence(&self) -> Option<Sequence<'a>> {
        match self.data.kind {
            StateKind::Single(_) => None,
            StateKind::Keyframe(index) => self
                .document
                .content
                .sequences
                .get(index as usize)
                .map(|data| Sequence { document: self.document, data }),
        }
    }
}

/// A node of a SINGLE state.
#[derive(Clone, Copy, Debug)]
pub struct Node<'a> {
    document: &'a Document<'a>,
    data: &'a NodeData,
}

impl<'a> Node<'a> {
    /// Returns the bytes of the node's name, which identify the node.
    pub(crate) fn name_bytes(&self) -> &'a [u8] {
        self.data.name.of(&self.document.source)
    }

    /// Returns the node's position and orientation, or how they change.
    pub fn behaviour(&self) -> Behaviour {
        let Content { vectors, channels, .. } = &self.document.content;
        let found = match self.data.kind {
            NodeKind::Static(index) => vectors.get(index as usize).copied().map(Behaviour::Static),
            NodeKind::Dynamic(index) => {
                channels.get(index as usize).copied().map(Behaviour::Dynamic)
            }
        };
        // The reader ensures that these indices are valid.
        found.unwrap_or(Behaviour::Static([[0.0; 3]; 3]))
    }
}

/// The keys of a KEYFRAME state and the order in which they are played.
#[derive(Clone, Copy, Debug)]
pub struct Sequence<'a> {
    document: &'a Document<'a>,
    data: &'a SequenceData,
}

impl<'a> Sequence<'a> {
    /// Returns the order in which the keys are played.
    pub const fn kind(&self) -> SequenceType {
        self.data.kind
    }

    /// Returns the name of the starting key.
    pub fn start_name(&self) -> Cow<'a, str> {
        self.document.text_at(self.data.start_name)
    }

    /// Returns the index of the starting key: the first key with the starting name, or 0 if there
    /// is none.
    pub const fn start(&self) -> usize {
        self.data.start as usize
    }

    /// Returns the keys in file order.
    pub fn keys(
        &self,
    ) -> impl ExactSizeIterator<Item = Key<'a>> + DoubleEndedIterator + Clone + use<'a> {
        let document = self.document;
        self.data.keys.of(&document.content.keys).iter().map(move |data| Key { document, data })
    }
}

/// A key of a KEYFRAME state. Its name is the name of the state it shows.
#[derive(Clone, Copy, Debug)]
pub struct Key<'a> {
    document: &'a Document<'a>,
    data: &'a KeyData,
}

impl<'a> Key<'a> {
    /// Returns the index of the first state with the key's name, which is the state it shows;
    /// `None` if undefined.
    pub fn state(&self) -> Option<usize> {
        (self.data.state != UNDEFINED).then_some(self.data.state as usize)
    }

    /// Whether the state it shows plays, directly or indirectly, the state that contains this key.
    /// If so, the key has no pose.
    pub const fn closes_circle(&self) -> bool {
        self.data.closes_circle
    }

    /// Whether the keyframe state may be left at this key.
    pub const fn exit(&self) -> bool {
        self.data.exit
    }

    /// Returns the step to the next key.
    pub const fn forward(&self) -> Step {
        self.data.forward()
    }

    /// Returns the step to the previous key.
    pub const fn backward(&self) -> Step {
        self.data.backward()
    }
}
