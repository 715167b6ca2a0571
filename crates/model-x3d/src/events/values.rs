//! The values of a field over time.

use std::borrow::Cow;

use anim_ir::number::narrow;
use anim_ir::{Budget, Interpolation, LimitError, Quat};

use super::curve::Moment;
use super::rotations::{self, Rotations};
use super::{Curve, Drives, splines};
use crate::graph::{Graph, Node};
use crate::math::to_f32;

/// The keys of a field: times, and the numbers at each time.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Keyed {
    /// Whether the values are on cubic curves. Each key is then an in-tangent, a value and an
    /// out-tangent, as in [`anim_ir::Interpolation::Cubic`].
    pub(crate) is_cubic: bool,
    pub(crate) times: Vec<f32>,
    pub(crate) values: Vec<f32>,
}

/// A time and its numbers, borrowed if they are in the file.
pub(crate) type Listed<'g> = (f32, Cow<'g, [f32]>);

/// Number of bytes charged for a moment.
const MOMENT_BYTES: usize = 32;
/// Lines that replace the curve of a fraction may deviate by this much.
const PATH_ERROR: f64 = 1e-5;
/// The most lines that replace a curve.
const MOST_LINES: u32 = 256;

impl Curve {
    /// Returns the moments of a curve with these keys. Those of a sensor's own path are paid for by
    /// the keys in the file; a path that turns may reach the same keys many times.
    fn moments(
        &self,
        keys: &[f32],
        is_step: bool,
        budget: &Budget,
    ) -> Result<Vec<Moment>, LimitError> {
        let extra = self.path.moment_count(keys).saturating_sub(keys.len().saturating_mul(2));
        if self.path.vertices.len() > 2 {
            budget.charge("the keys of interpolators", extra.saturating_mul(MOMENT_BYTES))?;
        }
        Ok(self.path.moments(keys, is_step))
    }
}

impl Drives {
    /// Returns the valid keys of a curve that have values with this many numbers each.
    fn keys<'g>(&self, curve: &Curve, node: &'g Node, width: usize) -> &'g [f32] {
        let values = if node.kind.name == "EaseInEaseOut" {
            node.floats("easeInEaseOut").len() / 2
        } else {
            match node.ints("keyValue").len() {
                0 => node.floats("keyValue").len() / width.max(1),
                count => count,
            }
        };
        let valid = self.key_counts.get(&curve.node).copied().unwrap_or(0);
        let keys = node.floats("key");
        keys.get(..keys.len().min(valid).min(values)).unwrap_or_default()
    }

    /// Returns the keys of vectors or numbers with `width` components.
    pub(crate) fn vectors(
        &self,
        graph: &Graph,
        curve: &Curve,
        width: usize,
        budget: &Budget,
    ) -> Result<Keyed, LimitError> {
        let Some(node) = graph.node(curve.node) else { return Ok(Keyed::default()) };
        let keys = self.keys(curve, node, width);
        let spline = match node.kind.name {
            "SplinePositionInterpolator" | "SplineScalarInterpolator" => {
                splines::of_velocities(node, keys, width)
            }
            "EaseInEaseOut" => splines::of_ease(node, keys),
            _ => return self.straight(node, curve, (keys, width), budget),
        };
        budget.charge_each::<f64>("splines", spline.keys.len().saturating_mul(width))?;
        Ok(spline.along(&curve.moments(&spline.keys, false, budget)?, width))
    }

    /// Returns the keys of vectors that are interpolated linearly.
    fn straight(
        &self,
        node: &Node,
        curve: &Curve,
        (keys, width): (&[f32], usize),
        budget: &Budget,
    ) -> Result<Keyed, LimitError> {
        let moments = curve.moments(keys, false, budget)?;
        let values = node.floats("keyValue");
        let mut keyed = Keyed {
            is_cubic: false,
            times: Vec::with_capacity(moments.len()),
            values: Vec::with_capacity(moments.len().saturating_mul(width)),
        };
        for moment in moments {
            keyed.times.push(moment.time);
            keyed.values.extend_from_slice(&value_at(values, width, &moment));
        }
        Ok(keyed)
    }

    /// Returns the keys of values with `width` numbers each. Values that are in the file are
    /// borrowed.
    pub(crate) fn lists<'g>(
        &self,
        graph: &'g Graph,
        curve: &Curve,
        width: usize,
        budget: &Budget,
    ) -> Result<Vec<Listed<'g>>, LimitError> {
        let Some(node) = graph.node(curve.node) else { return Ok(Vec::new()) };
        let values = node.floats("keyValue");
        let moments = curve.moments(self.keys(curve, node, width), false, budget)?;
        let blends = moments.iter().filter(|moment| moment.part > 0.0).count();
        if blends > 2 {
            budget.charge_each::<f32>("blended keys", blends.saturating_mul(width))?;
        }
        let keyed = moments.iter().map(|moment| (moment.time, value_at(values, width, moment)));
        Ok(keyed.collect())
    }

    /// Returns the keys of rotations, as quaternions. Also returns whether the file asks for a turn
    /// that interpolation shortens.
    pub(crate) fn rotations(
        &self,
        graph: &Graph,
        curve: &Curve,
        budget: &Budget,
    ) -> Result<(Keyed, bool), LimitError> {
        let Some(node) = graph.node(curve.node) else { return Ok((Keyed::default(), false)) };
        let keys = self.keys(curve, node, 4);
        let read = if node.flag("keyValueQuaternions") {
            rotations::of_quaternions
        } else {
            rotations::of_axes
        };
        let Rotations { keys, values, turns_back } = read(keys, node.floats("keyValue"));
        let mut keyed = Keyed::default();
        let mut before = Quat::IDENTITY;
        for moment in curve.moments(&keys, false, budget)? {
            let Some(from) = values.get(moment.at).copied() else { continue };
            let next = values.get(moment.at.saturating_add(1)).copied();
            let value = next
                .filter(|_| moment.part > 0.0)
                .map_or(from, |next| from.slerp(next, narrow(moment.part)));
            // The same rotation, on the side of the previous key, for programs that do not check.
            let dot: f32 = value.to_array().iter().zip(before.to_array()).map(|(a, b)| a * b).sum();
            before =
                if dot < 0.0 { Quat::new(-value.x, -value.y, -value.z, -value.w) } else { value };
            keyed.times.push(moment.time);
            keyed.values.extend(before.to_array());
        }
        Ok((keyed, turns_back))
    }

    /// Returns the times at which a sequencer changes its value, each with the value.
    pub(crate) fn steps(
        &self,
        graph: &Graph,
        curve: &Curve,
        budget: &Budget,
    ) -> Result<Vec<(f32, i32)>, LimitError> {
        let Some(node) = graph.node(curve.node) else { return Ok(Vec::new()) };
        let values = node.ints("keyValue");
        let moments = curve.moments(self.keys(curve, node, 1), true, budget)?;
        let step = |moment: &Moment| Some((moment.time, *values.get(moment.at)?));
        Ok(moments.iter().filter_map(step).collect())
    }
}

impl Keyed {
    pub(crate) const fn interpolation(&self) -> Interpolation {
        if self.is_cubic { Interpolation::Cubic } else { Interpolation::Linear }
    }

    /// Returns the first value.
    pub(crate) fn first(&self, width: usize) -> &[f32] {
        let start = if self.is_cubic { width } else { 0 };
        self.values.get(start..start.saturating_add(width)).unwrap_or_default()
    }

    /// Applies a function to each number, given its component.
    pub(crate) fn map(mut self, width: usize, change: impl Fn(usize, f32) -> f32) -> Keyed {
        for row in self.values.chunks_mut(width.max(1)) {
            row.iter_mut().enumerate().for_each(|(at, number)| *number = change(at, *number));
        }
        self
    }

    /// Adds a constant value.
    pub(crate) fn plus_value(mut self, value: &[f32]) -> Keyed {
        if value.iter().all(|number| *number == 0.0) {
            return self;
        }
        let width = value.len();
        let skipped = if self.is_cubic { width } else { 0 };
        let row = self.row(width).max(1);
        for row in self.values.chunks_mut(row) {
            for (number, added) in row.iter_mut().skip(skipped).zip(value) {
                *number = to_f32(f64::from(*number) + f64::from(*added));
            }
        }
        self
    }

    /// Adds two curves, with the keys of both.
    pub(crate) fn plus(&self, other: &Keyed, width: usize) -> Keyed {
        let mut times: Vec<f32> = self.times.iter().chain(&other.times).copied().collect();
        times.sort_by(f32::total_cmp);
        times.dedup();
        let is_cubic = self.is_cubic || other.is_cubic;
        let mut values = Vec::with_capacity(times.len().saturating_mul(self.row(width)));
        let wanted = if is_cubic { 0..3 } else { 1..2 };
        for time in &times {
            for what in wanted.clone() {
                values.extend((0..width).map(|component| {
                    let of = |keyed: &Keyed| {
                        let all = keyed.at(*time, (component, width));
                        all.get(what).copied().unwrap_or_default()
                    };
                    to_f32(of(self) + of(other))
                }));
            }
        }
        Keyed { is_cubic, times, values }
    }

    /// Returns the number of numbers in a key.
    const fn row(&self, width: usize) -> usize {
        if self.is_cubic { width.saturating_mul(3) } else { width }
    }

    /// Returns a component at a time: the slope before it, the value, and the slope after it.
    fn at(&self, time: f32, place: (usize, usize)) -> [f64; 3] {
        let after = self.times.partition_point(|key| *key <= time);
        let [value, slope] = self.between(after.saturating_sub(1), time, place);
        let at_key = after.checked_sub(1).filter(|at| self.times.get(*at) == Some(&time));
        let before = match at_key {
            None => slope,
            Some(at) => {
                at.checked_sub(1).map_or(0.0, |before| self.between(before, time, place)[1])
            }
        };
        [before, value, if after == 0 { 0.0 } else { slope }]
    }

    /// Returns a component's value and slope at a time after a key.
    fn between(&self, key: usize, time: f32, (component, width): (usize, usize)) -> [f64; 2] {
        let number = |key: usize, part: usize| {
            let start = key.saturating_mul(self.row(width));
            let place = start.saturating_add(part.saturating_mul(width)).saturating_add(component);
            self.values.get(place).copied().map_or(0.0, f64::from)
        };
        let next = key.saturating_add(1);
        let values = [key, next].map(|key| number(key, usize::from(self.is_cubic)));
        let (Some(start), Some(end)) = (self.times.get(key), self.times.get(next)) else {
            return [values[0], 0.0];
        };
        let length = f64::from(*end) - f64::from(*start);
        let part = ((f64::from(time) - f64::from(*start)) / length).clamp(0.0, 1.0);
        let tangents = if self.is_cubic {
            [number(key, 2) * length, number(next, 0) * length]
        } else {
            [values[1] - values[0]; 2]
        };
        let [value, slope] = splines::hermite(values, tangents, part);
        [value, slope / length]
    }

    /// Returns the times and numbers of a curve of numbers as straight lines. Cubic curves are
    /// divided so that lines are within [`PATH_ERROR`] of them.
    pub(super) fn lines(self, budget: &Budget) -> Result<Vec<(f32, f64)>, LimitError> {
        if !self.is_cubic {
            let values = self.values.iter().map(|value| f64::from(*value));
            return Ok(self.times.iter().copied().zip(values).collect());
        }
        let mut lines = Vec::with_capacity(self.times.len());
        let rows = self.values.as_chunks::<3>().0;
        let mut keys = self.times.iter().zip(rows).peekable();
        while let Some((time, [_, value, start])) = keys.next() {
            lines.push((*time, f64::from(*value)));
            let Some((next, [end, to, _])) = keys.peek() else { break };
            let from = f64::from(*time);
            let length = f64::from(**next) - from;
            let values = [f64::from(*value), f64::from(*to)];
            let tangents = [f64::from(*start) * length, f64::from(*end) * length];
            let count = line_count(values, tangents);
            let bytes = size_of::<(f32, f64)>().saturating_mul(count as usize);
            budget.charge("the lines of splines", bytes)?;
            for line in 1..count {
                let part = f64::from(line) / f64::from(count);
                let [value, _] = splines::hermite(values, tangents, part);
                lines.push((narrow(from + length * part), value));
            }
        }
        // Times that are too close for single precision.
        lines.dedup_by(|(after, _), (before, _)| after <= before);
        Ok(lines)
    }
}

/// Returns the number of lines that replace a cubic curve.
fn line_count([a, b]: [f64; 2], [start, end]: [f64; 2]) -> u32 {
    // The second derivative is linear, so it is largest at an end.
    let first = 6.0 * (b - a) - 4.0 * start - 2.0 * end;
    let last = 6.0 * (a - b) + 2.0 * start + 4.0 * end;
    let count = (first.abs().max(last.abs()) / (8.0 * PATH_ERROR)).sqrt().ceil();
    (1..MOST_LINES).find(|lines| f64::from(*lines) >= count).unwrap_or(MOST_LINES)
}

/// Returns the value of linear interpolation at a moment.
fn value_at<'g>(values: &'g [f32], width: usize, moment: &Moment) -> Cow<'g, [f32]> {
    let value = |at: usize| {
        let start = at.saturating_mul(width);
        values.get(start..start.saturating_add(width)).unwrap_or_default()
    };
    let from = value(moment.at);
    if moment.part == 0.0 {
        return Cow::Borrowed(from);
    }
    let to = value(moment.at.saturating_add(1));
    let mixed = from.iter().zip(to).map(|(from, to)| mix(*from, *to, moment.part));
    Cow::Owned(mixed.collect())
}

/// Interpolates linearly between two numbers.
fn mix(from: f32, to: f32, part: f64) -> f32 {
    narrow(f64::from(from) + (f64::from(to) - f64::from(from)) * part)
}
