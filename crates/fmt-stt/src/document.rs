//! A file as it is: its bytes, what they say, and views of it.

use std::borrow::Cow;

use anim_ir::source::Place;
use anim_ir::{Limits, Span};

use crate::content::{
    Content, KeyData, NodeData, NodeKind, SequenceData, StateData, StateKind, UNDEFINED,
    with_braces,
};
use crate::motion::{Behaviour, SequenceType, Step};

/// A file, read. Borrows the bytes where they are given as a slice, owns them where they are given
/// as a `Vec`.
#[derive(Clone, Debug, PartialEq)]
pub struct Document<'a> {
    pub(crate) source: Cow<'a, [u8]>,
    pub(crate) content: Content,
    /// An edited file is read again by the same ones.
    pub(crate) limits: Limits,
}

impl<'a> Document<'a> {
    /// The version as the file has it; `1.1` in every file that is known.
    pub fn version(&self) -> Cow<'_, str> {
        self.text_at(self.content.version)
    }

    /// Whether names are read as Latin-1, because the file is not UTF-8.
    pub const fn is_latin1(&self) -> bool {
        self.content.latin1
    }

    /// States in the order of the file.
    pub fn states(&self) -> impl ExactSizeIterator<Item = State<'_>> + DoubleEndedIterator + Clone {
        self.content.states.iter().map(|data| State { document: self, data })
    }

    /// A state by its number.
    pub fn state(&self, index: usize) -> Option<State<'_>> {
        self.content.states.get(index).map(|data| State { document: self, data })
    }

    /// The first state of a name: the one that keys mean.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.states().position(|state| state.name() == name)
    }

    fn text_at(&self, place: Place) -> Cow<'_, str> {
        place.text(&self.source, self.content.latin1)
    }
}

/// A name, and where it is.
macro_rules! named {
    ($($part:ident),+) => {$(
        impl<'a> $part<'a> {
            /// Its name.
            pub fn name(&self) -> Cow<'a, str> {
                self.document.text_at(self.data.name)
            }

            /// Where its name is in the file, with the braces.
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
    /// Nodes of a SINGLE state in the order of the file; none for a KEYFRAME state.
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

    /// The keys of a KEYFRAME state and how they are played; `None` for a SINGLE state.
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

/// A node in a SINGLE state.
#[derive(Clone, Copy, Debug)]
pub struct Node<'a> {
    document: &'a Document<'a>,
    data: &'a NodeData,
}

impl<'a> Node<'a> {
    /// The bytes of its name: what tells nodes apart.
    pub(crate) fn name_bytes(&self) -> &'a [u8] {
        self.data.name.of(&self.document.source)
    }

    /// Where it is or how it moves.
    pub fn behaviour(&self) -> Behaviour {
        let Content { vectors, channels, .. } = &self.document.content;
        let found = match self.data.kind {
            NodeKind::Static(index) => vectors.get(index as usize).copied().map(Behaviour::Static),
            NodeKind::Dynamic(index) => {
                channels.get(index as usize).copied().map(Behaviour::Dynamic)
            }
        };
        // The reader sees to it that they are there.
        found.unwrap_or(Behaviour::Static([[0.0; 3]; 3]))
    }
}

/// What a KEYFRAME state plays.
#[derive(Clone, Copy, Debug)]
pub struct Sequence<'a> {
    document: &'a Document<'a>,
    data: &'a SequenceData,
}

impl<'a> Sequence<'a> {
    /// The way through its keys.
    pub const fn kind(&self) -> SequenceType {
        self.data.kind
    }

    /// The name of the starting key.
    pub fn start_name(&self) -> Cow<'a, str> {
        self.document.text_at(self.data.start_name)
    }

    /// The key that it starts with: the first of that name, or else the first one. 0 where there
    /// are no keys.
    pub const fn start(&self) -> usize {
        self.data.start as usize
    }

    /// Its keys in the order of the file.
    pub fn keys(
        &self,
    ) -> impl ExactSizeIterator<Item = Key<'a>> + DoubleEndedIterator + Clone + use<'a> {
        let document = self.document;
        self.data.keys.of(&document.content.keys).iter().map(move |data| Key { document, data })
    }
}

/// A key of a KEYFRAME state. Its name is that of the state that it shows.
#[derive(Clone, Copy, Debug)]
pub struct Key<'a> {
    document: &'a Document<'a>,
    data: &'a KeyData,
}

impl<'a> Key<'a> {
    /// The state that it shows: the first of that name. `None` where there is none.
    pub fn state(&self) -> Option<usize> {
        (self.data.state != UNDEFINED).then_some(self.data.state as usize)
    }

    /// Whether that state plays, by one way or another, the state of this key: it has no pose then.
    pub const fn closes_circle(&self) -> bool {
        self.data.closes_circle
    }

    /// Whether the keyframe state may be left here.
    pub const fn exit(&self) -> bool {
        self.data.exit
    }

    /// To the next key.
    pub const fn forward(&self) -> Step {
        self.data.forward()
    }

    /// To the previous key.
    pub const fn backward(&self) -> Step {
        self.data.backward()
    }
}
