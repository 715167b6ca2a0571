//! What a file says, in flat arrays: a million lines are a few allocations. Names stay where they are in the file.

use std::borrow::Cow;
use std::ops::Range;

use anim_ir::Span;

/// Everything the file says.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Content {
    /// Whether names are read as Latin-1 because the file is not UTF-8.
    pub(crate) latin1: bool,
    pub(crate) sets: Vec<SetData>,
    /// Bones, events and clips of all sets, set by set.
    pub(crate) bones: Vec<BoneData>,
    pub(crate) events: Vec<EventData>,
    pub(crate) clips: Vec<ClipData>,
}

/// A piece of the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) start: u32,
    pub(crate) length: u32,
}

/// An `as` line. What belongs to the set ends where that of the next set starts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SetData {
    pub(crate) name: Place,
    pub(crate) first_bone: u32,
    pub(crate) first_event: u32,
    pub(crate) first_clip: u32,
}

/// A `bl` line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BoneData {
    pub(crate) name: Place,
    pub(crate) children: bool,
    pub(crate) parent: bool,
}

/// An `ev` line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct EventData {
    /// Frames.
    pub(crate) time: f32,
    pub(crate) name: Place,
}

/// An `an` line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ClipData {
    /// Frames.
    pub(crate) start: f32,
    /// Frames, inclusive.
    pub(crate) end: f32,
    pub(crate) name: Place,
}

/// An offset or an index. The limit on the input's size is what makes them fit.
pub(crate) fn narrow(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

/// Adds an element; the list grows by half, not to the double, so that what a file costs stays near what it says.
#[inline(always)]
pub(crate) fn push<T>(list: &mut Vec<T>, item: T) {
    if list.len() == list.capacity() {
        grow(list);
    }
    list.push(item);
}

#[cold]
#[inline(never)]
fn grow<T>(list: &mut Vec<T>) {
    list.reserve_exact((list.len() / 2).max(16));
}

impl Place {
    pub(crate) fn new(start: usize, length: usize) -> Place {
        Place { start: narrow(start), length: narrow(length) }
    }

    pub(crate) const fn span(self) -> Span {
        let start = self.start as usize;
        Span::new(start, start.saturating_add(self.length as usize))
    }

    pub(crate) fn of(self, source: &[u8]) -> &[u8] {
        let Span { start, end } = self.span();
        source.get(start..end).unwrap_or_default()
    }
}

impl Content {
    pub(crate) fn bones_of(&self, set: usize) -> &[BoneData] {
        self.bones.get(self.run(set, self.bones.len(), |set| set.first_bone)).unwrap_or_default()
    }

    pub(crate) fn events_of(&self, set: usize) -> &[EventData] {
        self.events.get(self.run(set, self.events.len(), |set| set.first_event)).unwrap_or_default()
    }

    pub(crate) fn clips_of(&self, set: usize) -> &[ClipData] {
        self.clips.get(self.run(set, self.clips.len(), |set| set.first_clip)).unwrap_or_default()
    }

    fn run(&self, set: usize, all: usize, first: impl Fn(&SetData) -> u32) -> Range<usize> {
        let at = |set: usize| self.sets.get(set).map_or(all, |set| first(set) as usize);
        at(set)..at(set.saturating_add(1))
    }

    /// The text of a place.
    pub(crate) fn text<'a>(&self, source: &'a [u8], place: Place) -> Cow<'a, str> {
        let bytes = place.of(source);
        match std::str::from_utf8(bytes) {
            Ok(text) if !self.latin1 || bytes.is_ascii() => Cow::Borrowed(text),
            _ => Cow::Owned(bytes.iter().map(|byte| char::from(*byte)).collect()),
        }
    }
}
