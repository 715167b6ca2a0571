//! Keys, tracks and events on one axis of time.

use crate::{Channel, Clip, Curve, Event, KeyTable, Keys, SkeletonId, Target, Track};

/// What the file counted time in. The IR itself is always in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum TimeBase {
    /// Seconds.
    #[default]
    Seconds,
    /// Frames, so many a second.
    Frames {
        /// Frames a second, greater than 0.
        per_second: f32,
    },
    /// A fraction of the whole, 0 to 1.
    Progress {
        /// Length of the whole in seconds.
        duration: f32,
    },
}

impl TimeBase {
    /// How many frames the file counts in a second; `None` where it does not count in frames.
    pub fn frames_per_second(self) -> Option<f64> {
        if let TimeBase::Frames { per_second } = self { Some(per_second.into()) } else { None }
    }
}

/// What the values of joint tracks are relative to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum PoseSpace {
    /// A value is the joint's transform relative to its parent; a channel without a track stays at
    /// rest.
    #[default]
    ParentRelative,
    /// A value is applied before the rest pose: local = rest · T · R · S; a channel without a track
    /// stays at the identity.
    DeltaFromRest,
}

/// Keys and events on one axis of time. Made by [`crate::TimelineBuilder`], which sees to its
/// invariants.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Timeline {
    /// Name; may be empty.
    pub name: String,
    /// The skeleton that joint targets belong to.
    pub skeleton: SkeletonId,
    /// What the file counted in.
    pub time_base: TimeBase,
    /// What joint tracks are relative to.
    pub pose_space: PoseSpace,
    pub(crate) tables: Vec<KeyTable>,
    pub(crate) tracks: Vec<Track>,
    /// In order of time.
    pub events: Vec<Event>,
}

impl Timeline {
    /// Tables of keys.
    pub fn tables(&self) -> &[KeyTable] {
        &self.tables
    }

    /// Tracks; at most one for a target and channel.
    pub fn tracks(&self) -> &[Track] {
        &self.tracks
    }

    /// Time of the first and the last key; `None` without keys.
    pub fn range(&self) -> Option<(f32, f32)> {
        let ends = |table: &KeyTable| Some((*table.times.first()?, *table.times.last()?));
        self.tables.iter().filter_map(ends).reduce(|(a, b), (c, d)| (a.min(c), b.max(d)))
    }

    /// The keys of a track: times, and for each the numbers of the key. A constant has one key, at
    /// time 0, a wave none.
    pub fn keys<'a>(&'a self, track: &'a Track) -> Keys<'a> {
        match &track.curve {
            Curve::Constant(value) => Keys::constant(value),
            Curve::Wave(_) => Keys::NONE,
            Curve::Keys { table, column, width } => {
                let table = self.tables.get(*table);
                table.map_or(Keys::NONE, |table| table.keys(*column, *width))
            }
        }
    }

    /// The events that a clip contains, in order of time ([`Clip::contains_event`]).
    pub fn events_in<'a>(&'a self, clip: &'a Clip) -> impl Iterator<Item = &'a Event> + Clone {
        let first = self.events.partition_point(|event| event.time < clip.start);
        let events = self.events.iter().skip(first);
        events.take_while(|event| event.time <= clip.end).filter(|event| clip.contains_event(event))
    }

    /// Changes the values of all tracks in place, each value (and each tangent) alone.
    pub(crate) fn map_values(&mut self, map: impl Fn(Channel, &mut [f32])) {
        for track in &mut self.tracks {
            match &mut track.curve {
                Curve::Constant(value) => map(track.channel, value),
                Curve::Wave(wave) => {
                    map(track.channel, &mut wave.start);
                    map(track.channel, &mut wave.end);
                }
                Curve::Keys { table, column, width } => {
                    let Some(table) = self.tables.get_mut(*table) else { continue };
                    let parts = table.interpolation.values_per_key();
                    for row in table.values.chunks_exact_mut(table.width.max(1)) {
                        let key = row.get_mut(*column..).unwrap_or_default();
                        let values = key.chunks_exact_mut((*width).max(1)).take(parts);
                        values.for_each(|value| map(track.channel, value));
                    }
                }
            }
        }
    }

    /// Gives tracks other targets, and takes out those that have none.
    pub(crate) fn retain_targets(&mut self, target: impl Fn(Target) -> Option<Target>) {
        self.tracks
            .retain_mut(|track| target(track.target).map(|new| track.target = new).is_some());
    }

    /// How many keys all tracks have together.
    pub fn key_count(&self) -> usize {
        self.tracks.iter().map(|track| self.keys(track).times.len()).sum()
    }
}
