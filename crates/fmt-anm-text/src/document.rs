//! Documents: the bytes of a file, its parsed content, and views into it.

use std::borrow::Cow;

use anim_ir::source::Place;
use anim_ir::{Limits, Span};

use crate::content::{BoneData, ClipData, Content, EventData, SetData};

anim_ir::options! {
    /// Options for reading a file.
    pub struct ParseOptions {}
}

/// A parsed file. It borrows its bytes if parsed from a slice, and owns them if parsed from a
/// `Vec`.
#[derive(Clone, Debug, PartialEq)]
pub struct Document<'a> {
    pub(crate) source: Cow<'a, [u8]>,
    pub(crate) content: Content,
    /// Kept because an edited file is parsed again with the same options.
    pub(crate) limits: Limits,
}

impl<'a> Document<'a> {
    /// Returns whether names are read as Latin-1 because the file is not valid UTF-8.
    pub const fn is_latin1(&self) -> bool {
        self.content.latin1
    }

    /// The animation sets, in file order.
    pub fn sets(&self) -> impl ExactSizeIterator<Item = Set<'_>> + DoubleEndedIterator + Clone {
        self.content.sets.iter().enumerate().map(|(index, data)| Set {
            document: self,
            data,
            index,
        })
    }

    /// Returns the set with the given index.
    pub fn set(&self, index: usize) -> Option<Set<'_>> {
        self.content.sets.get(index).map(|data| Set { document: self, data, index })
    }

    pub(crate) fn text_at(&self, place: Place) -> Cow<'_, str> {
        place.text(&self.source, self.content.latin1)
    }
}

/// Implements the accessors for a name and its location.
macro_rules! named {
    ($($part:ident),+) => {$(
        impl<'a> $part<'a> {
            /// Its name.
            pub fn name(&self) -> Cow<'a, str> {
                self.document.text_at(self.data.name)
            }

            /// The location of its name in the file.
            pub const fn span(&self) -> Span {
                self.data.name.span()
            }
        }
    )+};
}

named!(Set, Bone, Event, Clip);

/// An animation set (`as`): bones, and ranges of the timeline.
#[derive(Clone, Copy, Debug)]
pub struct Set<'a> {
    document: &'a Document<'a>,
    data: &'a SetData,
    index: usize,
}

impl<'a> Set<'a> {
    /// Its bones as listed in the file (`bl`). The list may contain a bone more than once.
    pub fn bones(
        &self,
    ) -> impl ExactSizeIterator<Item = Bone<'a>> + DoubleEndedIterator + Clone + use<'a> {
        let document = self.document;
        document.content.bones_of(self.index).iter().map(move |data| Bone { document, data })
    }

    /// Its events, in file order (`ev`).
    pub fn events(
        &self,
    ) -> impl ExactSizeIterator<Item = Event<'a>> + DoubleEndedIterator + Clone + use<'a> {
        let document = self.document;
        document.content.events_of(self.index).iter().map(move |data| Event { document, data })
    }

    /// Its animations, in file order (`an`).
    pub fn clips(
        &self,
    ) -> impl ExactSizeIterator<Item = Clip<'a>> + DoubleEndedIterator + Clone + use<'a> {
        let document = self.document;
        document.content.clips_of(self.index).iter().map(move |data| Clip { document, data })
    }
}

/// A bone of a set: the name of a bone in the model, and its options.
#[derive(Clone, Copy, Debug)]
pub struct Bone<'a> {
    document: &'a Document<'a>,
    data: &'a BoneData,
}

impl<'a> Bone<'a> {
    /// Whether the set includes the bone's children (`+children`).
    pub const fn with_children(&self) -> bool {
        self.data.children
    }

    /// Whether the set includes the bone's parent (`+parent`).
    pub const fn with_parent(&self) -> bool {
        self.data.parent
    }
}

/// An event of a set. Its name is passed to the program that plays the animation.
#[derive(Clone, Copy, Debug)]
pub struct Event<'a> {
    document: &'a Document<'a>,
    data: &'a EventData,
}

impl<'a> Event<'a> {
    /// Its time on the model's timeline, in frames (24 per second).
    pub const fn time(&self) -> f32 {
        self.data.time
    }
}

/// A named range of the timeline.
#[derive(Clone, Copy, Debug)]
pub struct Clip<'a> {
    document: &'a Document<'a>,
    data: &'a ClipData,
}

impl<'a> Clip<'a> {
    /// The start of the range on the model's timeline, in frames (24 per second).
    pub const fn start(&self) -> f32 {
        self.data.start
    }

    /// The end of the range on the model's timeline, in frames, inclusive.
    pub const fn end(&self) -> f32 {
        self.data.end
    }
}
