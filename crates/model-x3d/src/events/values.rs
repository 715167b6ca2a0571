//! The values of a field over time.

use std::borrow::Cow;

use anim_ir::number::narrow;
use anim_ir::{Budget, LimitError, Quat};

use super::changes::Changes;
use super::curve::Moment;
use super::drives::{Curve, Drives};
use super::keyed::Keyed;
use super::rotations::{self, Rotations};
use super::splines;
use crate::graph::{Graph, Node};

/// A time and its numbers, borrowed if they are in the file.
pub(crate) type Listed<'g> = (f32, Cow<'g, [f32]>);

/// Number of bytes charged for a moment.
const MOMENT_BYTES: usize = 64;

impl Curve {
    /// Returns the time at which the sensor's cycle ends.
    pub(crate) fn end(&self) -> f32 {
        self.path.vertices.last().map_or(0.0, |(time, _)| *time)
    }

    /// Returns the moments of a curve with these keys. Those of a sensor's own path are paid for by
    /// the keys in the file; a path that turns may reach the same keys many times.
    fn moments(
        &self,
        keys: &[f32],
        is_step: bool,
        budget: &Budget,
    ) -> Result<Vec<Moment>, LimitError> {
        let extra = self.path.moment_count(keys).saturating_sub(keys.len());
        if self.path.vertices.len() > 2 {
            budget.charge("the keys of interpolators", extra.saturating_mul(MOMENT_BYTES))?;
        }
        Ok(self.path.moments(keys, is_step))
    }
}

impl Drives {
    /// Returns the changes of a sequencer. They are computed once, for all that it sets.
    pub(crate) fn changes<'c>(
        &self,
        graph: &Graph,
        curve: &'c Curve,
        budget: &Budget,
    ) -> Result<&'c Changes, LimitError> {
        if let Some(found) = curve.changes.get() {
            return Ok(found);
        }
        budget.charge_each::<Moment>("the keys of sequencers", self.key_bound(graph, curve, 1))?;
        let changes = Changes::new(self.steps(graph, curve, budget)?);
        Ok(curve.changes.get_or_init(|| changes))
    }

    /// Returns about how many keys a curve has at most, without making them.
    pub(crate) fn key_bound(&self, graph: &Graph, curve: &Curve, width: usize) -> usize {
        let Some(node) = graph.node(curve.node) else { return 0 };
        curve.path.moment_count(self.keys(curve, node, width))
    }

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
        let values = node.floats("keyValue");
        if let Some(times) = curve.path.times(keys)
            && let Some(values) = values.get(..times.len().saturating_mul(width))
        {
            return Ok(Keyed { is_cubic: false, times, values: values.to_vec() });
        }
        let moments = curve.moments(keys, false, budget)?;
        let mut keyed = Keyed::with_capacity(moments.len(), width);
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
        let Rotations { keys, mut values, turns_back } = read(keys, node.floats("keyValue"));
        let times = match curve.path.times(&keys) {
            Some(times) => times,
            None => {
                let moments = curve.moments(&keys, false, budget)?;
                let at = |moment: &Moment| rotation_at(&values, moment);
                let keyed = moments.iter().filter_map(|moment| Some((moment.time, at(moment)?)));
                let (times, reached) = keyed.unzip();
                values = reached;
                times
            }
        };
        rotations::align(&mut values);
        let keyed = Keyed { is_cubic: false, times, values: values.into_flattened() };
        Ok((keyed, turns_back))
    }

    /// Returns the times at which a sequencer changes its value, each with the value.
    pub(super) fn steps(
        &self,
        graph: &Graph,
        curve: &Curve,
        budget: &Budget,
    ) -> Result<Vec<(f32, i32)>, LimitError> {
        let Some(node) = graph.node(curve.node) else { return Ok(Vec::new()) };
        let values = node.ints("keyValue");
        let moments = curve.moments(self.keys(curve, node, 1), true, budget)?;
        let value = |at: usize| values.get(at).and_then(|value| curve.filter.pass(*value));
        let step = |moment: &Moment| Some((moment.time, value(moment.at)?));
        Ok(moments.iter().filter_map(step).collect())
    }
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

/// Returns the rotation at a moment.
fn rotation_at(values: &[[f32; 4]], moment: &Moment) -> Option<[f32; 4]> {
    let from = *values.get(moment.at)?;
    let next = values.get(moment.at.saturating_add(1)).filter(|_| moment.part > 0.0);
    let blend = |next: &[f32; 4]| Quat::from(from).slerp((*next).into(), narrow(moment.part));
    Some(next.map_or(from, |next| blend(next).to_array()))
}

/// Interpolates linearly between two numbers.
fn mix(from: f32, to: f32, part: f64) -> f32 {
    narrow(f64::from(from) + (f64::from(to) - f64::from(from)) * part)
}
