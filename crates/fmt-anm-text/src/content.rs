//! The content of a file, in flat arrays, so that a million lines need only a few allocations.
//! Names are stored as byte ranges into the file.

use std::ops::Range;

use anim_ir::source::Place;

/// The content of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Content {
    /// Whether names are read as Latin-1 because the file is not valid UTF-8.
    pub(crate) latin1: bool,
    pub(crate) sets: Vec<SetData>,
    /// Bones, events and clips of all sets, grouped by set.
    pub(crate) bones: Vec<BoneData>,
    pub(crate) events: Vec<EventData>,
    pub(crate) clips: Vec<ClipData>,
}

/// An `as` line. The set's bones, events and clips end where those of the next set start.
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
    /// The time, in frames.
    pub(crate) time: f32,
    pub(crate) name: Place,
}

/// An `an` line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ClipData {
    /// The start, in frames.
    pub(crate) start: f32,
    /// The end, in frames, inclusive.
    pub(crate) end: f32,
    pub(crate) name: Place,
}

/// Appends an element. The list grows by half instead of doubling, to keep memory use close to the
/// size of the content.
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

impl Content {
    /// Reserves memory for a file whose first `done` bytes have been read, on the assumption that
    /// the `rest` is like them. Growing step by step would copy every element twice. Unused
    /// capacity costs address space, not memory.
    #[cold]
    pub(crate) fn reserve_for_rest(&mut self, done: usize, rest: usize) {
        fn reserve<T>(list: &mut Vec<T>, done: usize, rest: usize) {
            // A sixteenth more, for names that are shorter than those before.
            let rest = rest.saturating_add(rest / 16) as u64;
            let more = (list.len() as u64).saturating_mul(rest) / done.max(1) as u64;
            // Without memory for the estimate, the list grows as it is filled.
            let _ = list.try_reserve_exact(usize::try_from(more).unwrap_or_default());
        }
        reserve(&mut self.sets, done, rest);
        reserve(&mut self.bones, done, rest);
        reserve(&mut self.events, done, rest);
        reserve(&mut self.clips, done, rest);
    }

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
}
