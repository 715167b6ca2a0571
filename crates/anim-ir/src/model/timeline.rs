//! Keys, tracks and events on one axis of time.

mod cut;

use std::collections::{HashMap, HashSet};

use thiserror::Error;

use crate::math::euler::EulerOrder;
use crate::model::extras::{Extras, animation_set};
use crate::model::wave::Wave;

pub use cut::Cut;

/// What the file counted time in. The IR itself is always in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
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

/// What the values of joint tracks are relative to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PoseSpace {
    /// A value is the joint's transform relative to its parent; a channel without a track stays at
    /// rest.
    #[default]
    ParentRelative,
    /// A value is applied before the rest pose: local = rest · T · R · S; a channel without a track
    /// stays at the identity.
    DeltaFromRest,
}

/// What a track moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// A joint of the timeline's skeleton.
    Joint(usize),
    /// A node of the scene.
    Node(usize),
}

/// Which property of the target a track moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Channel {
    /// Three numbers, in the file's unit of length.
    Translation,
    /// A unit quaternion, x y z w. Linear interpolation is spherical, along the shorter way.
    Rotation,
    /// Three angles in radians, about x, y and z: the rotation in another form, kept until it is
    /// sampled. Linear interpolation is that of the angles.
    Euler(EulerOrder),
    /// Three numbers, in the file's unit of length: a move before the rotation, in the joint's own
    /// space. local = T · R · offset · S.
    Offset,
    /// Three factors.
    Scale,
    /// One weight for each morph target of the node's mesh.
    MorphWeights,
    /// Whether the joint and what hangs from it is seen: 1 or 0. There is nothing between: steps
    /// only.
    Visibility,
}

impl Channel {
    /// Name, as glTF has it where it has one.
    pub const fn name(self) -> &'static str {
        match self {
            Channel::Translation => "translation",
            Channel::Rotation => "rotation",
            Channel::Euler(_) => "euler rotation",
            Channel::Offset => "offset",
            Channel::Scale => "scale",
            Channel::MorphWeights => "weights",
            Channel::Visibility => "visibility",
        }
    }

    /// How many numbers a value has; `None` where the mesh decides.
    pub const fn width(self) -> Option<usize> {
        match self {
            Channel::Translation | Channel::Scale | Channel::Euler(_) | Channel::Offset => Some(3),
            Channel::Rotation => Some(4),
            Channel::MorphWeights => None,
            Channel::Visibility => Some(1),
        }
    }
}

/// What happens between two keys. Before the first key its value holds, after the last one the
/// last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Interpolation {
    /// The earlier key's value holds.
    Step,
    /// A straight line; for rotations the shorter great arc.
    #[default]
    Linear,
    /// A cubic Hermite spline. A key is three values: in-tangent, value, out-tangent, tangents in
    /// units a second, as in glTF.
    Cubic,
}

impl Interpolation {
    /// Values that make up a key.
    pub const fn values_per_key(self) -> usize {
        match self {
            Interpolation::Step | Interpolation::Linear => 1,
            Interpolation::Cubic => 3,
        }
    }
}

/// Tracks that share their times, row by row: a row is a moment, so that a pose needs one search.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyTable {
    interpolation: Interpolation,
    times: Vec<f32>,
    width: usize,
    values: Vec<f32>,
}

impl KeyTable {
    /// What happens between two rows.
    pub const fn interpolation(&self) -> Interpolation {
        self.interpolation
    }

    /// Seconds, finite and strictly increasing, at least one.
    pub fn times(&self) -> &[f32] {
        &self.times
    }

    /// Numbers in a row.
    pub const fn width(&self) -> usize {
        self.width
    }

    /// The numbers of a row; empty beyond the last.
    pub fn row(&self, index: usize) -> &[f32] {
        let start = index.saturating_mul(self.width);
        self.values.get(start..start.saturating_add(self.width)).unwrap_or_default()
    }

    /// The row at or before `time`, the one after it, and how far between them `time` is (0 to 1).
    /// `hint` is a row to look at first.
    #[inline]
    pub(crate) fn locate(&self, time: f32, hint: usize) -> (usize, usize, f32) {
        let last = self.times.len().saturating_sub(1);
        let at = |row: usize| self.times.get(row).copied().unwrap_or(f32::INFINITY);
        let holds = |row: usize| at(row) <= time && time < at(row.saturating_add(1));
        let row = if holds(hint) {
            hint
        } else if holds(hint.saturating_add(1)) {
            hint.saturating_add(1)
        } else {
            self.times.partition_point(|key| *key <= time).saturating_sub(1)
        };
        let (start, next) = (at(row), row.saturating_add(1));
        if row >= last || time <= start {
            return (row.min(last), row.min(last), 0.0);
        }
        (row, next, (time - start) / (at(next) - start))
    }
}

/// Where the values of a track come from.
#[derive(Clone, Debug, PartialEq)]
pub enum Curve {
    /// The same at all times.
    Constant(Vec<f32>),
    /// Keys, in the rows of a table.
    Keys {
        /// Index of the table in the timeline.
        table: usize,
        /// Place of the key's first number in a row.
        column: usize,
        /// Numbers of one value (not of one key: a cubic key has three values).
        width: usize,
    },
    /// A wave, of channels of three numbers. It has no keys.
    Wave(Wave),
}

/// One property of one target over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// What moves.
    pub target: Target,
    /// Which property.
    pub channel: Channel,
    /// How.
    pub curve: Curve,
}

/// Something that happens at a moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Event {
    /// Seconds on the timeline.
    pub time: f32,
    /// What the program that plays it is told.
    pub name: String,
    /// What goes with it.
    pub payload: Extras,
}

impl Event {
    /// Whether the event may happen in a clip with these extras: unless each names an animation set
    /// ([`animation_set`]) and these differ.
    pub fn is_in_set_of(&self, clip: &Extras) -> bool {
        match (animation_set(clip), animation_set(&self.payload)) {
            (Some(of_clip), Some(own)) => of_clip == own,
            _ => true,
        }
    }
}

/// Keys and events on one axis of time. Made by [`TimelineBuilder`], which sees to its invariants.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Timeline {
    /// Name; may be empty.
    pub name: String,
    /// Index of the skeleton in the scene that joint targets belong to.
    pub skeleton: usize,
    /// What the file counted in.
    pub time_base: TimeBase,
    /// What joint tracks are relative to.
    pub pose_space: PoseSpace,
    tables: Vec<KeyTable>,
    tracks: Vec<Track>,
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
        let bounds = self
            .tables
            .iter()
            .filter_map(|table| Some((*table.times.first()?, *table.times.last()?)));
        bounds.reduce(|(a, b), (c, d)| (a.min(c), b.max(d)))
    }

    /// The keys of a track: times, and for each the numbers of the key. A constant has one key, at
    /// time 0, a wave none.
    pub fn keys<'a>(&'a self, track: &'a Track) -> Keys<'a> {
        match &track.curve {
            Curve::Constant(value) => Keys {
                times: &[0.0],
                values: value,
                stride: value.len(),
                column: 0,
                width: value.len(),
                interpolation: Interpolation::Step,
            },
            Curve::Wave(_) => Keys {
                times: &[],
                values: &[],
                stride: 0,
                column: 0,
                width: 0,
                interpolation: Interpolation::Step,
            },
            Curve::Keys { table, column, width } => match self.tables.get(*table) {
                Some(table) => Keys {
                    times: &table.times,
                    values: &table.values,
                    stride: table.width,
                    column: *column,
                    width: width.saturating_mul(table.interpolation.values_per_key()),
                    interpolation: table.interpolation,
                },
                None => Keys {
                    times: &[],
                    values: &[],
                    stride: 0,
                    column: 0,
                    width: 0,
                    interpolation: Interpolation::Step,
                },
            },
        }
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
                    let numbers = *column
                        ..column.saturating_add(
                            width.saturating_mul(table.interpolation.values_per_key()),
                        );
                    for row in table.values.chunks_exact_mut(table.width.max(1)) {
                        let key = row.get_mut(numbers.clone()).unwrap_or_default();
                        key.chunks_exact_mut((*width).max(1))
                            .for_each(|value| map(track.channel, value));
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
        self.tracks.iter().fold(0, |sum, track| sum.saturating_add(self.keys(track).times.len()))
    }
}

/// The keys of one track.
#[derive(Clone, Copy, Debug)]
pub struct Keys<'a> {
    /// Seconds, strictly increasing.
    pub times: &'a [f32],
    /// What happens between keys.
    pub interpolation: Interpolation,
    values: &'a [f32],
    stride: usize,
    column: usize,
    width: usize,
}

impl<'a> Keys<'a> {
    /// Numbers of one key.
    pub const fn width(&self) -> usize {
        self.width
    }

    /// The numbers of each key, in order.
    pub fn values(&self) -> impl ExactSizeIterator<Item = &'a [f32]> + Clone + use<'a> {
        let (column, width) = (self.column, self.width);
        self.values
            .chunks_exact(self.stride.max(1))
            .map(move |row| row.get(column..).and_then(|row| row.get(..width)).unwrap_or_default())
    }
}

/// Keys that no track can have.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TimelineError {
    /// No key at all.
    #[error("a track needs at least one key")]
    Empty,
    /// The number of values is not the number of keys times the numbers of a key.
    #[error("{values} numbers for {keys} keys")]
    Length {
        /// How many times were given.
        keys: usize,
        /// How many numbers were given.
        values: usize,
    },
    /// A time that is not greater than the one before, or not finite.
    #[error("the time of key {0} is not finite or not after the key before")]
    Time(usize),
    /// A number that is NaN or infinite.
    #[error("number {0} is not finite")]
    NotFinite(usize),
    /// Visibility that is neither 0 nor 1, or does not change in steps.
    #[error("visibility is 0 or 1 and changes in steps")]
    Visibility,
    /// A second track for the same property.
    #[error("a second track for {channel} of {target:?}", channel = .1.name(), target = .0)]
    Duplicate(Target, Channel),
}

/// Puts tracks into tables: those that share times and interpolation share a table.
#[derive(Debug, Default)]
pub struct TimelineBuilder {
    timeline: Timeline,
    tables: Vec<TableBuilder>,
    by_times: HashMap<(Interpolation, Vec<u32>), usize>,
    taken: HashSet<(Target, Channel)>,
}

#[derive(Debug)]
struct TableBuilder {
    interpolation: Interpolation,
    times: Vec<f32>,
    width: usize,
    columns: Vec<Vec<f32>>,
}

impl TimelineBuilder {
    /// An empty timeline.
    pub fn new(name: impl Into<String>) -> TimelineBuilder {
        TimelineBuilder {
            timeline: Timeline { name: name.into(), ..Timeline::default() },
            ..TimelineBuilder::default()
        }
    }

    /// The skeleton that joint targets belong to; the first one otherwise.
    #[must_use]
    pub fn skeleton(mut self, index: usize) -> TimelineBuilder {
        self.timeline.skeleton = index;
        self
    }

    /// What the file counted in; seconds otherwise.
    #[must_use]
    pub fn time_base(mut self, base: TimeBase) -> TimelineBuilder {
        self.timeline.time_base = base;
        self
    }

    /// What joint tracks are relative to; the parent otherwise.
    #[must_use]
    pub fn pose_space(mut self, space: PoseSpace) -> TimelineBuilder {
        self.timeline.pose_space = space;
        self
    }

    /// Adds a track of keys. `times` in seconds, strictly increasing; `values` the numbers of all
    /// keys, one key after the other (for cubic interpolation a key is in-tangent, value,
    /// out-tangent).
    ///
    /// # Errors
    ///
    /// [`TimelineError`] where the keys are none that a track can have, or the property has a
    /// track.
    pub fn keys(
        &mut self,
        target: Target,
        channel: Channel,
        interpolation: Interpolation,
        times: &[f32],
        values: &[f32],
    ) -> Result<(), TimelineError> {
        let keys = times.len();
        if keys == 0 {
            return Err(TimelineError::Empty);
        }
        let per_key = values.len() / keys;
        let width = per_key / interpolation.values_per_key();
        let fits = channel.width().is_none_or(|expected| expected == width) && width > 0;
        if !fits
            || width.saturating_mul(interpolation.values_per_key()).saturating_mul(keys)
                != values.len()
        {
            return Err(TimelineError::Length { keys, values: values.len() });
        }
        let ascending =
            times.iter().zip(times.iter().skip(1)).position(|(a, b)| a >= b || !b.is_finite());
        if let Some(at) = if times.iter().take(1).all(|time| time.is_finite()) {
            ascending.map(|at| at.saturating_add(1))
        } else {
            Some(0)
        } {
            return Err(TimelineError::Time(at));
        }
        check_finite(values)?;
        check_visibility(channel, interpolation, values)?;
        self.claim(target, channel)?;
        // Minus zero is the same moment as zero.
        let bits = times.iter().map(|time| (time + 0.0).to_bits()).collect();
        let tables = &mut self.tables;
        let table = *self.by_times.entry((interpolation, bits)).or_insert_with(|| {
            tables.push(TableBuilder {
                interpolation,
                times: times.to_vec(),
                width: 0,
                columns: Vec::new(),
            });
            tables.len().saturating_sub(1)
        });
        if let Some(builder) = tables.get_mut(table) {
            let column = builder.width;
            builder.width = builder.width.saturating_add(per_key);
            builder.columns.push(values.to_vec());
            self.timeline.tracks.push(Track {
                target,
                channel,
                curve: Curve::Keys { table, column, width },
            });
        }
        Ok(())
    }

    /// Adds a track that does not change.
    ///
    /// # Errors
    ///
    /// [`TimelineError`] where the value has the wrong length or is not finite, or the property has
    /// a track.
    pub fn constant(
        &mut self,
        target: Target,
        channel: Channel,
        value: &[f32],
    ) -> Result<(), TimelineError> {
        if value.is_empty() || channel.width().is_some_and(|width| width != value.len()) {
            return Err(TimelineError::Length { keys: 1, values: value.len() });
        }
        check_finite(value)?;
        check_visibility(channel, Interpolation::Step, value)?;
        self.claim(target, channel)?;
        self.timeline.tracks.push(Track {
            target,
            channel,
            curve: Curve::Constant(value.to_vec()),
        });
        Ok(())
    }

    /// Adds a track that is a wave.
    ///
    /// # Errors
    ///
    /// [`TimelineError`] where the channel's values are not three numbers, a number is not finite,
    /// or the property has a track.
    pub fn wave(
        &mut self,
        target: Target,
        channel: Channel,
        wave: Wave,
    ) -> Result<(), TimelineError> {
        if channel.width() != Some(3) {
            return Err(TimelineError::Length { keys: 1, values: 3 });
        }
        check_finite(&[wave.start, wave.end, [wave.period, wave.offset, 0.0]].concat())?;
        self.claim(target, channel)?;
        self.timeline.tracks.push(Track { target, channel, curve: Curve::Wave(wave) });
        Ok(())
    }

    /// Adds an event.
    pub fn event(&mut self, event: Event) {
        self.timeline.events.push(event);
    }

    /// The timeline.
    pub fn finish(mut self) -> Timeline {
        self.timeline.events.sort_by(|a, b| a.time.total_cmp(&b.time));
        self.timeline.tables = self.tables.into_iter().map(TableBuilder::finish).collect();
        self.timeline
    }

    fn claim(&mut self, target: Target, channel: Channel) -> Result<(), TimelineError> {
        // A rotation has one form.
        let property = if let Channel::Euler(_) = channel { Channel::Rotation } else { channel };
        if self.taken.insert((target, property)) {
            Ok(())
        } else {
            Err(TimelineError::Duplicate(target, channel))
        }
    }
}

impl TableBuilder {
    fn finish(self) -> KeyTable {
        let TableBuilder { interpolation, times, width, columns } = self;
        let mut values = Vec::with_capacity(times.len().saturating_mul(width));
        let mut readers: Vec<_> = columns
            .iter()
            .map(|column| column.chunks_exact((column.len() / times.len().max(1)).max(1)))
            .collect();
        for _ in &times {
            for reader in &mut readers {
                values.extend_from_slice(reader.next().unwrap_or_default());
            }
        }
        KeyTable { interpolation, times, width, values }
    }
}

fn check_visibility(
    channel: Channel,
    interpolation: Interpolation,
    values: &[f32],
) -> Result<(), TimelineError> {
    let fits = interpolation == Interpolation::Step
        && values.iter().all(|value| *value == 0.0 || *value == 1.0);
    if channel != Channel::Visibility || fits { Ok(()) } else { Err(TimelineError::Visibility) }
}

fn check_finite(values: &[f32]) -> Result<(), TimelineError> {
    values
        .iter()
        .position(|value| !value.is_finite())
        .map_or(Ok(()), |at| Err(TimelineError::NotFinite(at)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tracks_that_share_times_share_a_table() {
        let mut builder = TimelineBuilder::new("t");
        let line = Interpolation::Linear;
        builder
            .keys(
                Target::Joint(0),
                Channel::Translation,
                line,
                &[0.0, 1.0],
                &[0., 0., 0., 1., 1., 1.],
            )
            .unwrap();
        builder
            .keys(
                Target::Joint(0),
                Channel::Rotation,
                line,
                &[-0.0, 1.0],
                &[0., 0., 0., 1., 0., 0., 1., 0.],
            )
            .unwrap();
        builder.keys(Target::Joint(1), Channel::Scale, line, &[0.0, 2.0], &[1.; 6]).unwrap();
        let timeline = builder.finish();
        assert_eq!(timeline.tables().iter().map(|table| table.width()).collect::<Vec<_>>(), [7, 3]);
        assert_eq!(timeline.tables()[0].row(1), [1., 1., 1., 0., 0., 1., 0.]);
        assert_eq!(
            timeline.keys(&timeline.tracks()[1]).values().collect::<Vec<_>>(),
            [[0., 0., 0., 1.], [0., 0., 1., 0.]]
        );
        assert_eq!((timeline.range(), timeline.key_count()), (Some((0.0, 2.0)), 6));
    }

    #[test]
    fn keys_that_no_track_can_have() {
        let mut builder = TimelineBuilder::new("t");
        let mut add = |times: &[f32], values: &[f32]| {
            builder.keys(Target::Joint(0), Channel::Scale, Interpolation::Linear, times, values)
        };
        assert_eq!(add(&[], &[]), Err(TimelineError::Empty));
        assert_eq!(add(&[0.0], &[1.0; 4]), Err(TimelineError::Length { keys: 1, values: 4 }));
        assert_eq!(add(&[f32::NAN], &[1.0; 3]), Err(TimelineError::Time(0)));
        assert_eq!(add(&[1.0, 1.0], &[1.0; 6]), Err(TimelineError::Time(1)));
        assert_eq!(add(&[0.0], &[1.0, f32::INFINITY, 1.0]), Err(TimelineError::NotFinite(1)));
        assert_eq!(add(&[0.0], &[1.0; 3]), Ok(()));
        assert_eq!(
            add(&[0.0], &[1.0; 3]),
            Err(TimelineError::Duplicate(Target::Joint(0), Channel::Scale))
        );
        let mut show = |interpolation, value| {
            builder.keys(Target::Joint(0), Channel::Visibility, interpolation, &[0.0], &[value])
        };
        assert_eq!(show(Interpolation::Linear, 1.0), Err(TimelineError::Visibility));
        assert_eq!(show(Interpolation::Step, 0.5), Err(TimelineError::Visibility));
        assert_eq!(show(Interpolation::Step, 0.0), Ok(()));
    }
}
