//! A builder for timelines that enforces their invariants.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use thiserror::Error;

use crate::{
    Channel, Curve, Event, Interpolation, KeyTable, PoseSpace, SkeletonId, Target, TimeBase,
    Timeline, Track, Wave, sort_by,
};

/// The error for an invalid track.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TimelineError {
    /// The track has no keys.
    #[error("a track needs at least one key")]
    Empty,
    /// The number of values does not match the number of keys and the width of the channel.
    #[error("{values} values for {keys} keys")]
    Length {
        /// The number of keys.
        keys: usize,
        /// The number of values.
        values: usize,
    },
    /// A time is not finite, or not later than the previous key's.
    #[error("the time of key {0} is not finite, or not later than the previous key's")]
    Time(usize),
    /// A value is NaN or infinite.
    #[error("value {0} is not finite")]
    NotFinite(usize),
    /// A visibility value is neither 0 nor 1, or the interpolation is not [`Interpolation::Step`].
    #[error("visibility must be 0 or 1, with step interpolation")]
    Visibility,
    /// The property already has a track.
    #[error("duplicate track for {1} of {0}")]
    Duplicate(Target, Channel),
}

/// Builds a [`Timeline`]. Tracks with the same times and interpolation share a table.
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
    /// Creates a builder for an empty timeline.
    pub fn new(name: impl Into<String>) -> TimelineBuilder {
        TimelineBuilder {
            timeline: Timeline { name: name.into(), ..Timeline::default() },
            ..TimelineBuilder::default()
        }
    }

    /// Sets the skeleton of joint targets; the first skeleton by default.
    #[must_use]
    pub fn with_skeleton(mut self, skeleton: SkeletonId) -> TimelineBuilder {
        self.timeline.skeleton = skeleton;
        self
    }

    /// Sets the unit of time in the file; seconds by default.
    #[must_use]
    pub fn with_time_base(mut self, base: TimeBase) -> TimelineBuilder {
        self.timeline.time_base = base;
        self
    }

    /// Sets what joint track values are relative to; the parent by default.
    #[must_use]
    pub fn with_pose_space(mut self, space: PoseSpace) -> TimelineBuilder {
        self.timeline.pose_space = space;
        self
    }

    /// Adds a track with keys. `times` are in seconds and strictly increasing. `values` are the
    /// components of all keys in order. With cubic interpolation, each key is an in-tangent, a
    /// value and an out-tangent. A `Vec` is kept without copying.
    ///
    /// # Errors
    ///
    /// Returns [`TimelineError`] if the keys are invalid or the property already has a track.
    pub fn keys<'a>(
        &mut self,
        target: Target,
        channel: Channel,
        interpolation: Interpolation,
        times: &[f32],
        values: impl Into<Cow<'a, [f32]>>,
    ) -> Result<(), TimelineError> {
        let values = values.into();
        let keys = times.len();
        if keys == 0 {
            return Err(TimelineError::Empty);
        }
        let per_key = values.len() / keys;
        let width = per_key / interpolation.values_per_key();
        let needed = width.saturating_mul(interpolation.values_per_key()).saturating_mul(keys);
        let fits = channel.width().is_none_or(|expected| expected == width) && width > 0;
        if !fits || needed != values.len() {
            return Err(TimelineError::Length { keys, values: values.len() });
        }
        check_times(times)?;
        check_finite(&values)?;
        check_visibility(channel, interpolation, &values)?;
        self.claim(target, channel)?;
        let tables = &mut self.tables;
        // Tracks with the same times are usually adjacent.
        let is_last = tables
            .last()
            .is_some_and(|last| last.interpolation == interpolation && last.times == times);
        let table = if is_last {
            tables.len().saturating_sub(1)
        } else {
            // Negative zero and zero are the same time.
            let bits = times.iter().map(|time| (time + 0.0).to_bits()).collect();
            *self.by_times.entry((interpolation, bits)).or_insert_with(|| {
                let times = times.to_vec();
                tables.push(TableBuilder { interpolation, times, width: 0, columns: Vec::new() });
                tables.len().saturating_sub(1)
            })
        };
        if let Some(builder) = tables.get_mut(table) {
            let column = builder.width;
            builder.width = builder.width.saturating_add(per_key);
            builder.columns.push(values.into_owned());
            let curve = Curve::Keys { table, column, width };
            self.timeline.tracks.push(Track { target, channel, curve });
        }
        Ok(())
    }

    /// Adds a constant track.
    ///
    /// # Errors
    ///
    /// Returns [`TimelineError`] if the value has the wrong length or is not finite, or if the
    /// property already has a track.
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
        let curve = Curve::Constant(value.to_vec());
        self.timeline.tracks.push(Track { target, channel, curve });
        Ok(())
    }

    /// Adds a wave.
    ///
    /// # Errors
    ///
    /// Returns [`TimelineError`] if the channel's values do not have three components, a component
    /// is not finite, or the property already has a track.
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

    /// Builds the timeline.
    pub fn finish(mut self) -> Timeline {
        sort_by(&mut self.timeline.events, Event::by_time);
        self.timeline.tables = self.tables.into_iter().map(TableBuilder::finish).collect();
        self.timeline
    }

    fn claim(&mut self, target: Target, channel: Channel) -> Result<(), TimelineError> {
        // A joint's rotation is either a quaternion or Euler angles.
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
        let TableBuilder { interpolation, times, width, mut columns } = self;
        let values = match columns.as_mut_slice() {
            [column] => std::mem::take(column),
            columns => interleave(columns, times.len(), width),
        };
        KeyTable { interpolation, times, width, values }
    }
}

/// Returns rows of `width` values, each made of one key of every column.
fn interleave(columns: &[Vec<f32>], rows: usize, width: usize) -> Vec<f32> {
    // Few rows at a time, so that they stay in the cache until they have all columns.
    const BLOCK: usize = 16;
    let mut values = vec![0.0; rows.saturating_mul(width)];
    for (number, block) in values.chunks_mut(width.saturating_mul(BLOCK).max(1)).enumerate() {
        let first = number.saturating_mul(BLOCK);
        let mut start = 0_usize;
        for column in columns {
            let per_key = (column.len() / rows.max(1)).max(1);
            let end = start.saturating_add(per_key);
            let keys = column.chunks_exact(per_key).skip(first);
            for (row, key) in block.chunks_exact_mut(width.max(1)).zip(keys) {
                // Copying a known number of values needs no call.
                match (row.get_mut(start..end), key) {
                    (Some([x, y, z]), [a, b, c]) => (*x, *y, *z) = (*a, *b, *c),
                    (Some([x, y, z, w]), [a, b, c, d]) => (*x, *y, *z, *w) = (*a, *b, *c, *d),
                    (Some(row), key) => row.copy_from_slice(key),
                    (None, _) => {}
                }
            }
            start = end;
        }
    }
    values
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

// The checks of times and values first look at all of them without an early exit, which takes a
// fraction of the time, since the compiler can use vector instructions.

fn check_times(times: &[f32]) -> Result<(), TimelineError> {
    let pairs = times.iter().zip(times.iter().skip(1));
    let rise = pairs.fold(true, |rise, (before, time)| rise & (before < time));
    let ends = [times.first(), times.last()];
    if rise && ends.into_iter().flatten().all(|time| time.is_finite()) {
        return Ok(());
    }
    let before = std::iter::once(&f32::NEG_INFINITY).chain(times);
    let wrong = before.zip(times).position(|(before, time)| before >= time || !time.is_finite());
    wrong.map_or(Ok(()), |at| Err(TimelineError::Time(at)))
}

fn check_finite(values: &[f32]) -> Result<(), TimelineError> {
    if values.iter().fold(true, |finite, value| finite & value.is_finite()) {
        return Ok(());
    }
    let wrong = values.iter().position(|value| !value.is_finite());
    wrong.map_or(Ok(()), |at| Err(TimelineError::NotFinite(at)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::JointId;

    const ROOT: Target = Target::Joint(JointId::new(0));

    #[test]
    fn tracks_with_the_same_times_share_a_table() {
        let mut builder = TimelineBuilder::new("t");
        let other = Target::Joint(JointId::new(1));
        for (target, channel, times, values) in [
            (ROOT, Channel::Translation, [0.0, 1.0], &[0., 0., 0., 1., 1., 1.][..]),
            (ROOT, Channel::Rotation, [-0.0, 1.0], &[0., 0., 0., 1., 0., 0., 1., 0.]),
            (other, Channel::Scale, [0.0, 2.0], &[1.; 6]),
        ] {
            builder.keys(target, channel, Interpolation::Linear, &times, values).unwrap();
        }
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
    fn rows_have_the_keys_of_all_columns() {
        for rows in [1, 15, 16, 17, 33] {
            let mut builder = TimelineBuilder::new("t");
            let times: Vec<f32> = (0..rows).map(|row| row as f32).collect();
            let widths = [3, 4, 5, 1];
            for (number, width) in widths.into_iter().enumerate() {
                let values: Vec<f32> =
                    (0..rows * width).map(|at| (at + 1000 * number) as f32).collect();
                let target = Target::Joint(JointId::new(number));
                let channel =
                    [Channel::Translation, Channel::Rotation, Channel::MorphWeights][number.min(2)];
                builder.keys(target, channel, Interpolation::Linear, &times, values).unwrap();
            }
            let timeline = builder.finish();
            for (number, (track, width)) in timeline.tracks().iter().zip(widths).enumerate() {
                let keys: Vec<f32> = timeline.keys(track).values().flatten().copied().collect();
                let expected = (0..rows * width).map(|at| (at + 1000 * number) as f32);
                assert!(keys.into_iter().eq(expected), "{rows} rows, column {number}");
            }
        }
    }

    #[test]
    fn invalid_keys_are_rejected() {
        let mut builder = TimelineBuilder::new("t");
        let mut add = |times: &[f32], values: &[f32]| {
            builder.keys(ROOT, Channel::Scale, Interpolation::Linear, times, values)
        };
        assert_eq!(add(&[], &[]), Err(TimelineError::Empty));
        assert_eq!(add(&[0.0], &[1.0; 4]), Err(TimelineError::Length { keys: 1, values: 4 }));
        assert_eq!(add(&[f32::NAN], &[1.0; 3]), Err(TimelineError::Time(0)));
        assert_eq!(add(&[1.0, 1.0], &[1.0; 6]), Err(TimelineError::Time(1)));
        assert_eq!(add(&[0.0, f32::NAN, 1.0], &[1.0; 9]), Err(TimelineError::Time(1)));
        assert_eq!(add(&[f32::NEG_INFINITY, 1.0], &[1.0; 6]), Err(TimelineError::Time(0)));
        assert_eq!(add(&[0.0, f32::INFINITY], &[1.0; 6]), Err(TimelineError::Time(1)));
        assert_eq!(add(&[0.0], &[1.0, f32::INFINITY, 1.0]), Err(TimelineError::NotFinite(1)));
        assert_eq!(add(&[0.0], &[1.0; 3]), Ok(()));
        assert_eq!(add(&[0.0], &[1.0; 3]), Err(TimelineError::Duplicate(ROOT, Channel::Scale)));
        let mut show = |interpolation, value| {
            builder.keys(ROOT, Channel::Visibility, interpolation, &[0.0], &[value])
        };
        assert_eq!(show(Interpolation::Linear, 1.0), Err(TimelineError::Visibility));
        assert_eq!(show(Interpolation::Step, 0.5), Err(TimelineError::Visibility));
        assert_eq!(show(Interpolation::Step, 0.0), Ok(()));
    }
}
