//! Keys of numbers and vectors, linear and cubic.

use anim_ir::number::narrow;
use anim_ir::{Budget, Interpolation, LimitError};

use crate::math::to_f32;

/// Lines that replace the curve of a fraction may deviate by this much.
const PATH_ERROR: f64 = 1e-5;
/// The most lines that replace a curve.
const MOST_LINES: u32 = 256;

/// The keys of a field: times, and the numbers at each time.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Keyed {
    /// Whether the values are on cubic curves. Each key is then an in-tangent, a value and an
    /// out-tangent, as in [`anim_ir::Interpolation::Cubic`].
    pub(crate) is_cubic: bool,
    pub(crate) times: Vec<f32>,
    pub(crate) values: Vec<f32>,
}

impl Keyed {
    /// Creates linear keys without any yet.
    pub(crate) fn with_capacity(count: usize, width: usize) -> Keyed {
        Keyed {
            is_cubic: false,
            times: Vec::with_capacity(count),
            values: Vec::with_capacity(count.saturating_mul(width)),
        }
    }

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
        let [value, slope] = hermite(values, tangents, part);
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
                let [value, _] = hermite(values, tangents, part);
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

/// Returns the value and slope of a cubic Hermite curve.
pub(super) fn hermite([a, b]: [f64; 2], [start, end]: [f64; 2], u: f64) -> [f64; 2] {
    let rest = 1.0 - u;
    let value = a + (b - a) * u * u * (3.0 - 2.0 * u) + u * rest * (start * rest - end * u);
    let slope =
        6.0 * u * rest * (b - a) + start * rest * (1.0 - 3.0 * u) + end * u * (3.0 * u - 2.0);
    [value, slope]
}
