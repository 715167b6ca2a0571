//! Keys, tracks and events on a common time axis.

use std::collections::BTreeMap;

use crate::{Channel, Clip, Curve, Event, JointId, KeyTable, Keys, SkeletonId, Target, Track};

/// The unit of time in the file. The IR itself always uses seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum TimeBase {
    /// Seconds.
    #[default]
    Seconds,
    /// Frames.
    Frames {
        /// Frames per second, greater than 0.
        per_second: f32,
    },
    /// Progress, from 0 to 1.
    Progress {
        /// Total duration in seconds.
        duration: f32,
    },
}

impl TimeBase {
    /// Returns the file's frame rate, or `None` if it does not use frames.
    pub fn frames_per_second(self) -> Option<f64> {
        if let TimeBase::Frames { per_second } = self { Some(per_second.into()) } else { None }
    }
}

/// The space of joint track values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum PoseSpace {
    /// Values are relative to the parent. A channel without a track stays at rest.
    #[default]
    ParentRelative,
    /// Values are relative to the rest pose: local = rest · T · R · S. A channel without a track
    /// stays at the identity.
    DeltaFromRest,
}

/// Keys and events on a common time axis. Built with [`crate::TimelineBuilder`], which enforces its
/// invariants.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Timeline {
    /// Name; may be empty.
    pub name: String,
    /// The skeleton of joint targets.
    pub skeleton: SkeletonId,
    /// The unit of time in the file.
    pub time_base: TimeBase,
    /// The space of joint track values.
    pub pose_space: PoseSpace,
    pub(crate) tables: Vec<KeyTable>,
    pub(crate) tracks: Vec<Track>,
    /// Events, sorted by time.
    pub events: Vec<Event>,
}

impl Timeline {
    /// Returns the tables of keys.
    pub fn tables(&self) -> &[KeyTable] {
        &self.tables
    }

    /// Returns the tracks, at most one per target and channel.
    pub fn tracks(&self) -> &[Track] {
        &self.tracks
    }

    /// Returns the tracks of each joint.
    pub(crate) fn tracks_by_joint(&self) -> BTreeMap<JointId, Vec<&Track>> {
        let mut joints: BTreeMap<JointId, Vec<&Track>> = BTreeMap::new();
        for track in &self.tracks {
            if let Some(joint) = track.joint() {
                joints.entry(joint).or_default().push(track);
            }
        }
        joints
    }

    /// Returns the times of the first and the last key, or `None` if there are no keys. Constant
    /// tracks do not count.
    pub fn range(&self) -> Option<(f32, f32)> {
        let ends = |table: &KeyTable| Some((*table.times.first()?, *table.times.last()?));
        self.tables.iter().filter_map(ends).reduce(|(a, b), (c, d)| (a.min(c), b.max(d)))
    }

    /// Returns the keys of a track: times and values. A constant has a single key at time 0; a wave
    /// has no keys.
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

    /// Returns the events that a clip contains, sorted by time ([`Clip::contains_event`]).
    pub fn events_in<'a>(&'a self, clip: &Clip) -> impl Iterator<Item = &'a Event> + Clone {
        let first = self.events.partition_point(|event| event.time < clip.start);
        let events = self.events.iter().skip(first);
        events.take_while(|event| event.time <= clip.end).filter(|event| clip.contains_event(event))
    }

    /// Maps the values of all tracks in place. `map` is called for each value and each tangent, and
    /// for both ends of each wave.
    pub(crate) fn map_values(&mut self, map: impl Fn(Target, Channel, &mut [f32])) {
        for track in &mut self.tracks {
            let map = |channel, value: &mut [f32]| map(track.target, channel, value);
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

    /// Maps the targets of all tracks, and removes tracks for which `target` returns `None`.
    pub(crate) fn retain_targets(&mut self, target: impl Fn(Target) -> Option<Target>) {
        self.tracks
            .retain_mut(|track| target(track.target).map(|new| track.target = new).is_some());
    }

    /// Returns the total number of keys in all tracks.
    pub fn key_count(&self) -> usize {
        self.tracks.iter().map(|track| self.keys(track).times.len()).sum()
    }
}
