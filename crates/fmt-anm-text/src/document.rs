//! Documents: the bytes of a file, its content, and views of it.

use std::borrow::Cow;

use anim_ir::source::Place;
use anim_ir::{Limits, Span};

use crate::content::{BoneData, ClipData, Content, EventData, SetData};

anim_ir::options! {
    /// How to read a file.
    pub struct ParseOptions {}
}

/// A parsed file. Borrows the bytes of a slice and owns those of a `Vec`.
#[derive(Clone, Debug, PartialEq)]
pub struct Document<'a> {
    pub(crate) source: Cow<'a, [u8]>,
    pub(crate) content: Content,
    /// An edited file is parsed again with the same options.
    pub(crate) limits: Limits,
}

impl<'a> Document<'a> {
    /// Whether names are read as Latin-1, because the file is not UTF-8.
    pub const fn is_latin1(&self) -> bool {
        self.content.latin1
    }

    /// Animation sets in the order of the file.
    pub fn sets(&self) -> impl ExactSizeIterator<Item = Set<'_>> + DoubleEndedIterator + Clone {
        self.content.sets.iter().enumerate().map(|(index, data)| Set {
            document: self,
            data,
            index,
        })
    }

    /// A set by its number.
    pub fn set(&self, index: usize) -> Option<Set<'_>> {
        self.content.sets.get(index).map(|data| Set { document: self, data, index })
    }

    pub(crate) fn text_at(&self, place: Place) -> Cow<'_, str> {
        place.text(&self.source, self.content.latin1)
    }
}

/// A name and its place.
macro_rules! named {
    ($($part:ident),+) => {$(
        impl<'a> $part<'a> {
            /// Its name.
            pub fn name(&self) -> Cow<'a, str> {
                self.document.text_at(self.data.name)
            }

            /// The place of its name in the file.
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
    /// Its bones as listed in the file (`bl`). A bone counts once, however often it is listed.
    pub fn bones(
        &self,
    ) -> impl ExactSizeIterator<Item = Bone<'a>> + DoubleEndedIterator + Clone + use<'a> {
        let document = self.document;
        document.content.bones_of(self.index).iter().map(move |data| Bone { document, data })
    }

    /// Its events in the order of the file (`ev`).
    pub fn events(
        &self,
    ) -> impl ExactSizeIterator<Item = Event<'a>> + DoubleEndedIterator + Clone + use<'a> {
        let document = self.document;
        document.content.events_of(self.index).iter().map(move |data| Event { document, data })
    }

    /// Its animations in the order of the file (`an`).
    pub fn clips(
        &self,
    ) -> impl ExactSizeIterator<Item = Clip<'a>> + DoubleEndedIterator + Clone + use<'a> {
        let document = self.document;
        document.content.clips_of(self.index).iter().map(move |data| Clip { document, data })
    }
}

/// A bone of a set, by the name of the model's bone, with its options.
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
    /// Its time, in frames on the model's timeline, 24 per second.
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
    /// Start of the range, in frames on the model's timeline, 24 per second.
    pub const fn start(&self) -> f32 {
        self.data.start
    }

    /// End of the range, in frames on the model's timeline, inclusive.
    pub const fn end(&self) -> f32 {
        self.data.end
    }
}
