//! Keys as interpolators have them: values between which lines are drawn.

use anim_ir::number::narrow;
use anim_ir::{Budget, Channel, Curve, Interpolation, Keys, LimitError, Quat, Timeline, Track};

/// The largest distance of a curve from the lines that replace it: as a part of its range, or
/// between components of rotations.
const NEAR: f64 = 4e-6;
/// How often the interval between two keys is halved.
const HALVED_AT_LEAST: u8 = 2;
const HALVED_AT_MOST: u8 = 12;
/// What a key costs.
const KEY_BYTES: usize = 16;

/// Keys with lines between them. Two keys at the same time are a jump.
#[derive(Debug, Default)]
pub(super) struct Lines {
    pub(super) times: Vec<f32>,
    /// The values, `width` numbers for each key.
    values: Vec<f32>,
    width: usize,
    /// Whether lines replace cubic curves.
    pub(super) approximate: bool,
}

impl Lines {
    /// Returns the keys of a track.
    pub(super) fn of(
        timeline: &Timeline,
        track: &Track,
        budget: &Budget,
    ) -> Result<Lines, LimitError> {
        if let Curve::Constant(value) = &track.curve {
            return Ok(Lines::constant(value.clone()));
        }
        let keys = timeline.keys(track);
        let mut lines = Lines { width: keys.width(), ..Lines::default() };
        match keys.interpolation {
            Interpolation::Linear => {
                lines.times.extend_from_slice(keys.times);
                lines.values.reserve_exact(keys.times.len().saturating_mul(lines.width));
                keys.values().for_each(|value| lines.values.extend_from_slice(value));
            }
            Interpolation::Step => {
                let mut before: Option<&[f32]> = None;
                for (time, value) in keys.times.iter().zip(keys.values()) {
                    if let Some(before) = before.replace(value).filter(|before| *before != value) {
                        lines.push(*time, before);
                    }
                    lines.push(*time, value);
                }
            }
            Interpolation::Cubic => lines.splines(keys, track.channel, budget)?,
        }
        Ok(lines)
    }

    /// Returns a single key.
    pub(super) fn constant(value: Vec<f32>) -> Lines {
        Lines { times: vec![0.0], width: value.len(), values: value, approximate: false }
    }

    /// Returns the values, key by key.
    pub(super) fn values(&self) -> impl ExactSizeIterator<Item = &[f32]> {
        let value = |key: usize| {
            let start = key.saturating_mul(self.width);
            self.values.get(start..start.saturating_add(self.width)).unwrap_or_default()
        };
        (0..self.times.len()).map(value)
    }

    fn push(&mut self, time: f32, value: &[f32]) {
        self.times.push(time);
        self.values.extend_from_slice(value);
    }

    fn splines(
        &mut self,
        keys: Keys<'_>,
        channel: Channel,
        budget: &Budget,
    ) -> Result<(), LimitError> {
        let is_rotation = channel == Channel::Rotation;
        let width = keys.width() / 3;
        self.width = width;
        let near = if is_rotation { NEAR } else { NEAR * range(keys, width) };
        let all: Vec<(f32, &[f32])> = keys.times.iter().copied().zip(keys.values()).collect();
        let value = |key: &[f32]| {
            let value = key.get(width..width.saturating_mul(2)).unwrap_or_default().to_vec();
            if is_rotation { unit(value) } else { value }
        };
        if let Some((time, key)) = all.first() {
            self.push(*time, &value(key));
        }
        for pair in all.windows(2) {
            let [(start, from), (end, to)] = *pair else { continue };
            let span = f64::from(end) - f64::from(start);
            let at = |part: f64| {
                let value = hermite(from, to, width, span, part);
                if is_rotation { unit(value) } else { value }
            };
            // Intervals of the spline, the first on top, and how often they have been halved.
            let mut open = vec![(0.0, 1.0, 0_u8)];
            while let Some((a, b, halved)) = open.pop() {
                budget.charge("lines in place of splines", width.saturating_mul(KEY_BYTES))?;
                let ends = [at(a), at(b)];
                // Checking only the midpoint would miss a curve that swings across its chord.
                let far = [0.2, 0.5, 0.8].map(|part| {
                    let exact = at(a + (b - a) * part);
                    distance(&between(&ends, part, is_rotation), &exact, is_rotation)
                });
                let is_far = far.into_iter().fold(0.0, f64::max) > near;
                let middle = (a + b) * 0.5;
                if halved < HALVED_AT_LEAST || is_far && halved < HALVED_AT_MOST {
                    open.push((middle, b, halved.saturating_add(1)));
                    open.push((a, middle, halved.saturating_add(1)));
                } else {
                    let [_, value] = ends;
                    self.approximate |= is_far || halved > HALVED_AT_LEAST;
                    self.push(narrow(f64::from(start) + span * b), &value);
                }
            }
        }
        Ok(())
    }
}

/// Returns the largest range of any component.
fn range(keys: Keys<'_>, width: usize) -> f64 {
    let ranges = (width..width.saturating_mul(2)).map(|at| {
        let ends = keys.values().filter_map(|key| key.get(at).copied().map(f64::from));
        let (low, high) =
            ends.fold((f64::MAX, f64::MIN), |(low, high), x| (low.min(x), high.max(x)));
        high - low
    });
    ranges.fold(f64::MIN_POSITIVE, f64::max)
}

/// Returns a value of the spline between two keys (glTF 2.0, appendix C).
fn hermite(from: &[f32], to: &[f32], width: usize, span: f64, t: f64) -> Vec<f32> {
    let (t2, t3) = (t * t, t * t * t);
    let part = |key: &[f32], part: usize, at: usize| {
        f64::from(key.get(part.saturating_mul(width).saturating_add(at)).copied().unwrap_or(0.0))
    };
    let component = |at: usize| {
        narrow(
            (2.0 * t3 - 3.0 * t2 + 1.0) * part(from, 1, at)
                + (t3 - 2.0 * t2 + t) * span * part(from, 2, at)
                + (3.0 * t2 - 2.0 * t3) * part(to, 1, at)
                + (t3 - t2) * span * part(to, 0, at),
        )
    };
    (0..width).map(component).collect()
}

fn unit(rotation: Vec<f32>) -> Vec<f32> {
    match rotation.first_chunk::<4>() {
        Some(numbers) => Quat::from(*numbers).normalized().to_array().to_vec(),
        None => rotation,
    }
}

fn between([a, b]: &[Vec<f32>; 2], part: f64, is_rotation: bool) -> Vec<f32> {
    if is_rotation && let (Some(a), Some(b)) = (a.first_chunk::<4>(), b.first_chunk::<4>()) {
        return Quat::from(*a).slerp(Quat::from(*b), narrow(part)).to_array().to_vec();
    }
    let pairs = a.iter().zip(b).map(|(a, b)| (f64::from(*a), f64::from(*b)));
    pairs.map(|(a, b)| narrow(a + (b - a) * part)).collect()
}

/// Returns the largest difference between components, for either sign of a rotation.
fn distance(a: &[f32], b: &[f32], is_rotation: bool) -> f64 {
    let far = |sign: f64| {
        let pairs = a.iter().zip(b);
        pairs.map(|(a, b)| (f64::from(*a) - sign * f64::from(*b)).abs()).fold(0.0, f64::max)
    };
    if is_rotation { far(1.0).min(far(-1.0)) } else { far(1.0) }
}
