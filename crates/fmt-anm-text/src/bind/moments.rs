//! Key times per joint.

use anim_ir::number::narrow;
use anim_ir::{Curve, JointId, KeyTable, Timeline, sort_by};

/// The key tables of each joint.
pub(crate) struct Moments<'a> {
    timeline: &'a Timeline,
    /// The tables of all joints that have keys, in order of joints.
    tables: Vec<(JointId, usize)>,
}

/// An inclusive range of the timeline, in frames.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window {
    pub(crate) start: f64,
    pub(crate) end: f64,
    pub(crate) frames_per_second: f64,
    /// The maximum distance at which a key or event outside the range is still included.
    pub(crate) tolerance: f64,
}

impl Window {
    /// Returns the first and last of the sorted times that are within the window, in seconds.
    pub(crate) fn first_and_last<T>(
        self,
        list: &[T],
        seconds: impl Fn(&T) -> f32,
    ) -> Option<(f32, f32)> {
        // Far from 0, f32 is coarser than the tolerance.
        let rounded = |frames: f64| {
            f64::from(narrow(frames / self.frames_per_second)) * self.frames_per_second
        };
        let low = (self.start - self.tolerance).min(rounded(self.start));
        let high = (self.end + self.tolerance).max(rounded(self.end));
        let frames = |item: &T| f64::from(seconds(item)) * self.frames_per_second;
        let first = list.get(list.partition_point(|item| frames(item) < low)).map(&seconds)?;
        let last = list
            .get(list.partition_point(|item| frames(item) <= high).checked_sub(1)?)
            .map(&seconds)?;
        (first <= last).then_some((first, last))
    }
}

impl<'a> Moments<'a> {
    pub(crate) fn new(timeline: &'a Timeline) -> Moments<'a> {
        let of_tracks =
            timeline.tracks().iter().filter_map(|track| match (track.joint(), &track.curve) {
                (Some(joint), Curve::Keys { table, .. }) => Some((joint, *table)),
                // Constants and waves have no keys.
                _ => None,
            });
        let mut tables: Vec<(JointId, usize)> = of_tracks.collect();
        sort_by(&mut tables, Ord::cmp);
        tables.dedup();
        Moments { timeline, tables }
    }

    /// Returns the time of the last key or event of the timeline, in seconds.
    pub(crate) fn end(&self) -> Option<f32> {
        let tables = self.timeline.tables().iter();
        let keys = tables.filter_map(|table| table.times().last().copied());
        let events = self.timeline.events.iter().map(|event| event.time);
        keys.chain(events).max_by(f32::total_cmp)
    }

    /// Returns the tables with keys of the given joints, without duplicates. The joints are in
    /// ascending order.
    pub(crate) fn tables(&self, joints: &[JointId]) -> Vec<usize> {
        let mut tables: Vec<usize> = if joints.len() < self.tables.len() {
            let of = |joint: &JointId| {
                let joint = *joint;
                let first = self.tables.partition_point(|(other, _)| *other < joint);
                let own = self.tables.get(first..).unwrap_or_default().iter();
                own.take_while(move |(other, _)| *other == joint).map(|(_, table)| *table)
            };
            joints.iter().flat_map(of).collect()
        } else {
            let own = self.tables.iter().filter(|(joint, _)| joints.binary_search(joint).is_ok());
            own.map(|(_, table)| *table).collect()
        };
        sort_by(&mut tables, Ord::cmp);
        tables.dedup();
        tables
    }

    /// Returns the times of the first and last key of the tables in a window, in seconds.
    pub(crate) fn first_and_last(&self, tables: &[usize], window: Window) -> Option<(f32, f32)> {
        let table = |index: &usize| self.timeline.tables().get(*index).map(KeyTable::times);
        let times = tables.iter().filter_map(table);
        hull(times.map(|times| window.first_and_last(times, |time| *time)))
    }

    /// Returns the times of the first and last of the timeline's own events in a window, in
    /// seconds.
    pub(crate) fn events(&self, window: Window) -> Option<(f32, f32)> {
        window.first_and_last(&self.timeline.events, |event| event.time)
    }
}

/// Returns the smallest range that contains all given ranges.
pub(crate) fn hull(ranges: impl IntoIterator<Item = Option<(f32, f32)>>) -> Option<(f32, f32)> {
    ranges.into_iter().flatten().reduce(|(a, b), (c, d)| (a.min(c), b.max(d)))
}
