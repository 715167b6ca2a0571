//! Linear approximation of cubic keys of morph weights. Bevy panics on cubic weights and Blender
//! ignores their tangents; all programs support linear keys.

use anim_ir::double::length;
use anim_ir::number::narrow;
use anim_ir::{Bounds, Budget, KeyTable, LimitError, Mesh, MorphTarget};

use crate::math::finite;

/// Maximum distance of a vertex from its position on the spline, relative to the size of the mesh:
/// the diagonal of the bounding box of all its shapes. Slightly less than 1e-5, to allow for f32
/// rounding.
const TOLERANCE: f64 = 0.99e-5;

/// Maximum number of linear segments per spline segment, which bounds the number of keys for
/// extreme weights. Only reached if a vertex moves by several times the size of the mesh.
const MOST_LINES: f64 = 1024.0;

/// Keys of morph weights.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct WeightKeys {
    pub(crate) times: Vec<f32>,
    /// The weights of all morph targets, key by key.
    pub(crate) values: Vec<f32>,
}

/// Rows of a table of cubic keys, with times as in the file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spline<'a> {
    pub(crate) times: &'a [f32],
    pub(crate) table: &'a KeyTable,
    /// Row of the first key.
    pub(crate) first: usize,
    pub(crate) column: usize,
    /// Number of weights per key.
    pub(crate) width: usize,
}

impl<'a> Spline<'a> {
    /// Returns the values of a key: in-tangents, weights, out-tangents.
    fn key(&self, number: usize) -> &'a [f32] {
        let row = self.table.row(self.first.saturating_add(number));
        let end = self.column.saturating_add(self.width.saturating_mul(3));
        row.get(self.column..end).unwrap_or_default()
    }

    /// Returns the values of all keys.
    pub(crate) fn numbers(&self) -> Vec<f32> {
        (0..self.times.len()).flat_map(|number| self.key(number)).copied().collect()
    }
}

/// Returns the largest distance by which each morph target moves a vertex, relative to the size of
/// the mesh.
pub(crate) fn reaches(mesh: &Mesh) -> Vec<f64> {
    let moved = mesh.morph_targets.iter().flat_map(|target| {
        mesh.positions.iter().zip(&target.positions).map(|(place, way)| *place + *way)
    });
    let bounds = Bounds::of(mesh.positions.iter().copied().chain(moved));
    let size = bounds.map_or(0.0, |bounds| length(bounds.size()));
    let farthest = |target: &MorphTarget| {
        target.positions.iter().fold(0.0_f64, |most, way| most.max(length(way.to_f64())))
    };
    let relative = |reach: f64| if size > 0.0 { reach / size } else { 0.0 };
    mesh.morph_targets.iter().map(farthest).map(relative).collect()
}

/// Returns linear keys that approximate a spline. They include every key of the spline, bit for
/// bit.
///
/// # Errors
///
/// Returns [`LimitError`] if the weights exceed the budget.
pub(crate) fn linear_keys(
    spline: &Spline<'_>,
    reaches: &[f64],
    budget: &Budget,
) -> Result<WeightKeys, LimitError> {
    let width = spline.width;
    let mut keys = WeightKeys { times: Vec::new(), values: Vec::new() };
    for (number, time) in spline.times.iter().copied().enumerate() {
        if let Some(before) = number.checked_sub(1)
            && let Some(start) = spline.times.get(before).copied()
        {
            let span = f64::from(time) - f64::from(start);
            let segment = Segment::new(spline.key(before), spline.key(number), width, span);
            let mut at = 0.0;
            while let Some(next) = segment.next(at, reaches) {
                let moment = narrow(f64::from(start) + span * next);
                at = next;
                if keys.times.last().is_some_and(|last| *last < moment) && moment < time {
                    budget.charge(LINEAR, width.saturating_mul(WEIGHT_BYTES))?;
                    // Evaluate the weights at the rounded time.
                    let u = (f64::from(moment) - f64::from(start)) / span;
                    keys.times.push(moment);
                    keys.values.extend(segment.curves.iter().map(|curve| curve.at(u)));
                }
            }
        }
        budget.charge(LINEAR, width.saturating_mul(WEIGHT_BYTES))?;
        keys.times.push(time);
        let weights = spline.key(number).get(width..width.saturating_mul(2));
        keys.values.extend_from_slice(weights.unwrap_or_default());
    }
    Ok(keys)
}

/// The memory charged for a weight of a key: its value, here and in the buffer, and its time.
const WEIGHT_BYTES: usize = 16;

/// The name of linear keys in error messages.
const LINEAR: &str = "the linear keys of morph weights";

/// A cubic polynomial on the interval from 0 to 1, lowest power first.
struct Cubic([f64; 4]);

impl Cubic {
    fn at(&self, u: f64) -> f32 {
        let [a, b, c, d] = self.0;
        finite(a + u * (b + u * (c + u * d)))
    }
}

/// The weights between two keys.
struct Segment {
    curves: Vec<Cubic>,
}

impl Segment {
    fn new(from: &[f32], to: &[f32], width: usize, span: f64) -> Segment {
        let part = |key: &[f32], part: usize, at: usize| {
            let at = part.saturating_mul(width).saturating_add(at);
            key.get(at).copied().map_or(0.0, f64::from)
        };
        let curve = |at: usize| {
            let (a, b) = (part(from, 1, at), part(to, 1, at));
            let (leaving, arriving) = (part(from, 2, at) * span, part(to, 0, at) * span);
            Cubic([
                a,
                leaving,
                3.0 * (b - a) - 2.0 * leaving - arriving,
                2.0 * (a - b) + leaving + arriving,
            ])
        };
        Segment { curves: (0..width).map(curve).collect() }
    }

    /// Returns an upper bound on the second derivative of a vertex's position. As a sum of absolute
    /// values of linear functions it is convex, so its maximum on an interval is at one of the
    /// ends.
    fn bend(&self, u: f64, reaches: &[f64]) -> f64 {
        let bends = self
            .curves
            .iter()
            .zip(reaches)
            .map(|(Cubic([_, _, c, d]), reach)| reach * (2.0 * c + 6.0 * d * u).abs());
        bends.sum()
    }

    /// Returns the end of a linear segment that starts at `start`; `None` is the end of the spline
    /// segment. The error is at most an eighth of the second derivative times the squared length.
    fn next(&self, start: f64, reaches: &[f64]) -> Option<f64> {
        let line = |bend: f64| (8.0 * TOLERANCE / bend).sqrt().max(1.0 / MOST_LINES);
        let here = self.bend(start, reaches);
        let end = (start + line(here)).min(1.0);
        let end = (start + line(here.max(self.bend(end, reaches)))).min(end);
        // Avoid a segment of nearly zero length due to rounding.
        (end < 1.0 - 1e-9).then_some(end)
    }
}

#[cfg(test)]
mod tests {
    use anim_ir::{Channel, Interpolation, Limits, NodeId, TimelineBuilder};

    use super::*;

    /// Returns keys of one weight at 0 and 1 s with the given tangents, for a target that moves
    /// vertices by the size of the mesh.
    fn keys(numbers: &[f32; 6], limits: &Limits) -> Result<WeightKeys, LimitError> {
        let mut builder = TimelineBuilder::new("");
        let times = [0.0, 1.0];
        let (node, cubic) = (NodeId::default(), Interpolation::Cubic);
        builder.keys(node.into(), Channel::MorphWeights, cubic, &times, numbers).unwrap();
        let timeline = builder.finish();
        let table = &timeline.tables()[0];
        let spline = Spline { times: &times, table, first: 0, column: 0, width: 1 };
        linear_keys(&spline, &[1.0], &Budget::new(limits, 0))
    }

    #[test]
    fn a_straight_spline_gets_no_additional_keys() {
        let keys = keys(&[9.0, 0.0, 1.0, 1.0, 1.0, 9.0], &Limits::default()).unwrap();
        assert_eq!(keys, WeightKeys { times: vec![0.0, 1.0], values: vec![0.0, 1.0] });
    }

    #[test]
    fn key_density_follows_the_second_derivative() {
        // The second derivative of 3u² - 2u³ is 6 at its ends, and 0 halfway.
        let found = keys(&[0.0, 0.0, 0.0, 0.0, 1.0, 0.0], &Limits::default()).unwrap();
        let place = |u: f64| u * u * (3.0 - 2.0 * u);
        let pairs = || found.times.iter().zip(&found.values).map(|(t, w)| (f64::from(*t), *w));
        let mut worst = 0.0_f64;
        for ((a, from), (b, to)) in pairs().zip(pairs().skip(1)) {
            for step in 0..=16 {
                let part = f64::from(step) / 16.0;
                let line = f64::from(from) + (f64::from(to) - f64::from(from)) * part;
                worst = worst.max((line - place(a + (b - a) * part)).abs());
            }
        }
        assert!((0.8e-5..1e-5).contains(&worst), "{worst}");
        // The number of keys that the tolerance requires: the integral of the square root of the
        // second derivative / 7.92e-5.
        assert!((184..=190).contains(&found.times.len()), "{}", found.times.len());
        let middle = pairs().skip(92).map(|(t, _)| t).take(2).collect::<Vec<_>>();
        assert!(middle[1] - middle[0] > 0.01, "sparse where the curvature is low: {middle:?}");
    }

    #[test]
    fn extreme_weights_produce_a_bounded_number_of_keys() {
        let wild = [0.0, 0.0, 1e30, 1e30, 0.0, 0.0];
        assert_eq!(keys(&wild, &Limits::default()).unwrap().times.len(), 1025);
        let memory = 800 * WEIGHT_BYTES;
        let limits = Limits { memory: Some(memory), ..Limits::default() };
        let error = keys(&wild, &limits).unwrap_err();
        assert_eq!((error.found, error.most), (808 * WEIGHT_BYTES, memory));
    }
}
