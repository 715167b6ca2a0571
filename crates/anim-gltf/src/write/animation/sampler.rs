//! Samplers: accessors of times and values.

use std::borrow::Cow;
use std::collections::HashMap;

use anim_ir::number::{index32, narrow};
use anim_ir::{Channel, Curve, Interpolation, Timeline, Track};

use super::cut::{Cut, moved_times, value_at};
use super::linear::WeightKeys;
use super::window::Window;
use crate::error::FromIrError;
use crate::json::{self, gl};
use crate::write::accessor::{Accessors, Section};
use crate::write::buffer::Piece;
use crate::write::keys::{KeyMap, KeyOutput, KeyValues};

/// Minimum duration of an animation in seconds: Bevy divides by the duration.
const SHORTEST: f64 = 1.0 / 60.0;

/// Data shared by all tracks of a clip.
pub(crate) struct Frame<'w> {
    pub(crate) window: &'w Window<'w>,
    /// The offset to subtract from all times.
    pub(crate) offset: f32,
    /// The key time for constants.
    pub(crate) start: f32,
    /// The time accessor and the number of keys, by table and rows.
    pub(crate) inputs: HashMap<(usize, usize, usize), (usize, usize)>,
}

/// The keys of all animations, with separate buffer views for times, values and flags.
pub(crate) struct Samplers<'a, 'b> {
    accessors: &'b mut Accessors<'a>,
    times: Section<'a>,
    values: Section<'a>,
    /// Single-byte values.
    flags: Section<'a>,
    /// Time accessors, keyed by the bits of their values, so that identical key times share an
    /// accessor.
    by_content: HashMap<Vec<u32>, u32>,
}

impl<'a, 'b> Samplers<'a, 'b> {
    pub(crate) fn new(accessors: &'b mut Accessors<'a>) -> Samplers<'a, 'b> {
        Samplers {
            accessors,
            times: Section::default(),
            values: Section::default(),
            flags: Section::default(),
            by_content: HashMap::new(),
        }
    }

    /// Adds the collected keys to the buffer.
    pub(crate) fn finish(self) -> Result<(), FromIrError> {
        self.times.finish(self.accessors)?;
        self.values.finish(self.accessors)?;
        self.flags.finish(self.accessors)
    }

    /// Adds a track's keys and returns their sampler.
    pub(crate) fn keys(
        &mut self,
        frame: &mut Frame<'_>,
        timeline: &'a Timeline,
        track: &'a Track,
        cut: Option<Cut>,
        map: KeyMap,
    ) -> json::Sampler {
        let (number, column, width) = match &track.curve {
            Curve::Keys { table, column, width } => (*table, *column, *width),
            Curve::Constant(value) => {
                return self.one_key(frame.start, track.channel, value.clone(), map);
            }
            // The remaining curves are waves, which have already been baked.
            _ => return self.one_key(frame.start, track.channel, Vec::new(), map),
        };
        let (Some(table), Some(cut)) = (timeline.tables().get(number), cut) else {
            return self.one_key(frame.start, track.channel, Vec::new(), map);
        };
        let (input, count) =
            *frame.inputs.entry((number, cut.first, cut.count)).or_insert_with(|| {
                let times = table
                    .times()
                    .get(cut.first..)
                    .and_then(|times| times.get(..cut.count))
                    .unwrap_or_default();
                self.input(moved_times(times, frame.offset))
            });
        if count == 0 {
            let value = value_at(table, track, cut.first, frame.window.start);
            return self.one_key(frame.start, track.channel, value, map);
        }
        // A spline requires at least two keys. For a single cubic key, write only its value, which
        // is between the tangents.
        let (parts, column) = match (table.interpolation(), count) {
            (Interpolation::Cubic, 1) => (1, column.saturating_add(width)),
            (Interpolation::Cubic, _) => (3, column),
            _ => (1, column),
        };
        let interpolation = match table.interpolation() {
            Interpolation::Cubic if parts == 3 => Some("CUBICSPLINE".into()),
            Interpolation::Linear if count > 1 => None,
            _ => Some("STEP".into()),
        };
        let keys = KeyOutput {
            values: KeyValues::Rows { table, first: cut.first, column },
            map,
            width,
            parts,
            count,
        };
        sampler(input, interpolation, self.output(track.channel, keys))
    }

    /// Adds a single key and returns its sampler.
    pub(crate) fn one_key(
        &mut self,
        time: f32,
        channel: Channel,
        value: Vec<f32>,
        map: KeyMap,
    ) -> json::Sampler {
        self.equal_keys(vec![time], channel, value, map)
    }

    /// Adds a single key whose value has already been written, and returns its sampler.
    pub(crate) fn key_of(&mut self, time: f32, output: usize) -> json::Sampler {
        let (input, _) = self.input(vec![time]);
        sampler(input, Some("STEP".into()), output)
    }

    /// Adds two equal keys and returns their sampler. The second time is increased if necessary to
    /// give the animation its minimum duration.
    pub(crate) fn held_value(
        &mut self,
        (start, end): (f32, f32),
        channel: Channel,
        value: Vec<f32>,
        map: KeyMap,
    ) -> json::Sampler {
        let end = end.max(narrow(f64::from(start) + SHORTEST)).max(start.next_up());
        let times = [start, end].into_iter().filter(|time| time.is_finite()).collect();
        self.equal_keys(times, channel, value, map)
    }

    /// Adds the only key of a track, repeated at the end time, and returns the sampler.
    pub(crate) fn held(
        &mut self,
        frame: &Frame<'_>,
        (timeline, track): (&'a Timeline, &'a Track),
        cut: Option<Cut>,
        map: KeyMap,
        end: f32,
    ) -> json::Sampler {
        let (time, value) = single(frame, timeline, track, cut);
        self.held_value((time, end), track.channel, value, map)
    }

    /// Adds linear keys of morph weights and returns their sampler.
    pub(crate) fn linear(&mut self, keys: WeightKeys) -> json::Sampler {
        let (input, _) = self.input(keys.times);
        let (list, count) = (&mut self.accessors.list, keys.values.len());
        let values = Piece::OwnedFloats(keys.values);
        let output = self.values.add(list, values, gl::FLOAT, "SCALAR", count);
        sampler(input, None, output)
    }

    fn equal_keys(
        &mut self,
        times: Vec<f32>,
        channel: Channel,
        value: Vec<f32>,
        map: KeyMap,
    ) -> json::Sampler {
        let (input, count) = self.input(times);
        let width = value.len();
        let keys = KeyOutput { width, values: KeyValues::One(value), map, parts: 1, count };
        sampler(input, Some("STEP".into()), self.output(channel, keys))
    }

    /// Adds key times, and returns their accessor and their number.
    fn input(&mut self, times: Vec<f32>) -> (usize, usize) {
        let count = times.len();
        let (Some(first), Some(last)) = (times.first().copied(), times.last().copied()) else {
            return (0, 0);
        };
        let bits = times.iter().map(|time| time.to_bits()).collect();
        let accessor = *self.by_content.entry(bits).or_insert_with(|| {
            let (list, piece) = (&mut self.accessors.list, Piece::OwnedFloats(times));
            let at = self.times.add(list, piece, gl::FLOAT, "SCALAR", count);
            if let Some(accessor) = self.accessors.list.get_mut(at) {
                (accessor.min, accessor.max) = (vec![first], vec![last]);
            }
            index32(at)
        });
        (accessor as usize, count)
    }

    fn output(&mut self, channel: Channel, keys: KeyOutput<'a>) -> usize {
        let is_flag = keys.map == KeyMap::Flag;
        let count = keys.count.saturating_mul(keys.parts);
        let (element, count) = match channel {
            Channel::Visibility if is_flag => ("SCALAR", count),
            Channel::Rotation => ("VEC4", count),
            Channel::MorphWeights => ("SCALAR", count.saturating_mul(keys.width)),
            _ => ("VEC3", count),
        };
        let (section, component_type) = if is_flag {
            (&mut self.flags, gl::UNSIGNED_BYTE)
        } else {
            (&mut self.values, gl::FLOAT)
        };
        let piece = Piece::Keys(Box::new(keys));
        section.add(&mut self.accessors.list, piece, component_type, element, count)
    }
}

fn sampler(input: usize, interpolation: Option<Cow<'static, str>>, output: usize) -> json::Sampler {
    json::Sampler { input, interpolation, output, extras: json::HasExtras::default() }
}

/// Whether a track has at most one key in a clip.
pub(crate) fn is_single(track: &Track, cut: Option<Cut>) -> bool {
    !matches!((&track.curve, cut), (Curve::Keys { .. }, Some(cut)) if cut.count > 1)
}

/// Returns the time and the value, as written to the file, of a track's only key in a clip.
fn single(
    frame: &Frame<'_>,
    timeline: &Timeline,
    track: &Track,
    cut: Option<Cut>,
) -> (f32, Vec<f32>) {
    let (table, column, width) = match &track.curve {
        Curve::Keys { table, column, width } => (timeline.tables().get(*table), *column, *width),
        Curve::Constant(value) => return (frame.start, value.clone()),
        // The remaining curves are waves, which have already been baked.
        _ => return (frame.start, Vec::new()),
    };
    let (Some(table), Some(cut)) = (table, cut) else { return (frame.start, Vec::new()) };
    let time = table.times().get(cut.first).filter(|_| cut.count > 0);
    let time = time.and_then(|time| moved_times(&[*time], frame.offset).first().copied());
    let Some(time) = time else {
        return (frame.start, value_at(table, track, cut.first, frame.window.start));
    };
    let is_cubic = table.interpolation() == Interpolation::Cubic;
    let first = if is_cubic { column.saturating_add(width) } else { column };
    let value = table.row(cut.first).get(first..first.saturating_add(width));
    (time, value.unwrap_or_default().to_vec())
}
