//! Interpolators whose values follow cubic curves.

use std::borrow::Cow;

use anim_ir::number::narrow;

use super::curve::Moment;
use super::keyed::{Keyed, hermite};
use crate::graph::Node;
use crate::math::to_f32;

/// Keys with a cubic curve between each two.
pub(super) struct Spline<'g> {
    pub(super) keys: Cow<'g, [f32]>,
    values: Cow<'g, [f32]>,
    /// The tangent at each key of the curve before it, in units per interval between keys.
    ends: Vec<f64>,
    /// The same of the curve after it.
    starts: Vec<f64>,
}

/// Reads the tangents of a spline interpolator with these valid keys (ISO/IEC 19775-1, 19.2.4).
/// Velocities are given for all keys, or for the first and the last, or not at all.
pub(super) fn of_velocities<'g>(node: &'g Node, keys: &'g [f32], width: usize) -> Spline<'g> {
    let count = keys.len().saturating_mul(width);
    let values = node.floats("keyValue").get(..count).unwrap_or_default();
    let velocities = node.floats("keyVelocity");
    let last = keys.len().saturating_sub(1);
    let number = |of: &[f32], at: usize, component: usize| {
        let place = at.saturating_mul(width).saturating_add(component);
        of.get(place).copied().map_or(0.0, f64::from)
    };
    let is_closed = velocities.is_empty()
        && node.flag("closed")
        && keys.len() > 2
        && values.get(..width) == values.get(last.saturating_mul(width)..);
    // The keys around a key.
    let around = |at: usize| match at {
        0 if is_closed => Some((last.saturating_sub(1), 1)),
        at if at == last && is_closed => Some((last.saturating_sub(1), 1)),
        at if at == 0 || at == last => None,
        at => Some((at.saturating_sub(1), at.saturating_add(1))),
    };
    let velocity = |at: usize| match velocities.len() / width.max(1) {
        2 if at == 0 => Some(0),
        2 if at == last => Some(1),
        given if given == keys.len() => Some(at),
        _ => None,
    };
    let length = |components: &mut dyn Iterator<Item = f64>| {
        components.map(|component| component * component).sum::<f64>().sqrt()
    };
    let way = if node.flag("normalizeVelocity") {
        let step = |at: usize| {
            let next = at.saturating_add(1);
            length(&mut (0..width).map(|c| number(values, next, c) - number(values, at, c)))
        };
        Some((0..last).map(step).sum::<f64>())
    } else {
        None
    };
    let tangent = |at: usize, component: usize| {
        if let Some(given) = velocity(at) {
            let own = number(velocities, given, component);
            let speed = length(&mut (0..width).map(|c| number(velocities, given, c)));
            return way.filter(|_| speed > 0.0).map_or(own, |way| own * way / speed);
        }
        around(at).map_or(0.0, |(before, after)| {
            (number(values, after, component) - number(values, before, component)) / 2.0
        })
    };
    let key = |at: usize| keys.get(at).copied().map_or(0.0, f64::from);
    // Intervals of different lengths.
    let factors = |at: usize| {
        let (before, after) = match around(at) {
            Some(_) if at == 0 || at == last => {
                (key(last) - key(last.saturating_sub(1)), key(1) - key(0))
            }
            Some((before, after)) => (key(at) - key(before), key(after) - key(at)),
            None => return (1.0, 1.0),
        };
        let both = before + after;
        if both > 0.0 { (2.0 * after / both, 2.0 * before / both) } else { (1.0, 1.0) }
    };
    let (mut ends, mut starts) = (Vec::with_capacity(count), Vec::with_capacity(count));
    for at in 0..keys.len() {
        let (end, start) = factors(at);
        for component in 0..width {
            let tangent = tangent(at, component);
            ends.push(tangent * end);
            starts.push(tangent * start);
        }
    }
    Spline { keys: Cow::Borrowed(keys), values: Cow::Borrowed(values), ends, starts }
}

/// Reads an `EaseInEaseOut` with these valid keys (ISO/IEC 19775-1, 19.4.4). The fraction rises
/// from 0 to 1 between each two keys, along a parabola, a line and another parabola.
pub(super) fn of_ease(node: &Node, keys: &[f32]) -> Spline<'static> {
    let count = keys.len().saturating_mul(4);
    let mut curve = Ease {
        keys: Vec::with_capacity(count),
        values: Vec::with_capacity(count),
        ends: Vec::with_capacity(count),
        starts: Vec::with_capacity(count),
    };
    let eases = node.floats("easeInEaseOut").as_chunks::<2>().0;
    let pairs = keys.iter().zip(eases).zip(keys.iter().zip(eases).skip(1));
    for ((from, [_, out]), (to, [into, _])) in pairs.filter(|((from, _), (to, _))| from < to) {
        let (out, into) = (f64::from(out.max(0.0)), f64::from(into.max(0.0)));
        let sum = (out + into).max(1.0);
        let (out, into) = (out / sum, into / sum);
        let speed = 2.0 / (2.0 - out - into);
        let points = [
            (0.0, 0.0, if out > 0.0 { 0.0 } else { speed }),
            (out, speed * out / 2.0, speed),
            (1.0 - into, 1.0 - speed * into / 2.0, speed),
            (1.0, 1.0, if into > 0.0 { 0.0 } else { speed }),
        ];
        curve.add([f64::from(*from), f64::from(*to)], &points);
    }
    if let ([], [key]) = (curve.keys.as_slice(), keys) {
        curve.push(*key, 0.0, 0.0);
    }
    let Ease { keys, values, ends, starts } = curve;
    Spline { keys: Cow::Owned(keys), values: Cow::Owned(values), ends, starts }
}

/// The curve of an `EaseInEaseOut` under construction.
struct Ease {
    keys: Vec<f32>,
    values: Vec<f32>,
    ends: Vec<f64>,
    starts: Vec<f64>,
}

impl Ease {
    /// Adds points of an interval between two keys: their place in it, fraction and slope.
    fn add(&mut self, [from, to]: [f64; 2], points: &[(f64, f64, f64)]) {
        let mut before: Option<(f64, f64)> = None;
        for (place, value, slope) in points {
            let length = before.map_or(0.0, |(before, _)| place - before);
            if before.is_some() && length <= 0.0 {
                continue;
            }
            if let (Some((_, slope)), Some(start)) = (before, self.starts.last_mut()) {
                *start = slope * length;
            }
            self.push(narrow(from + (to - from) * place), *value, slope * length);
            before = Some((*place, *slope));
        }
    }

    fn push(&mut self, key: f32, value: f64, end: f64) {
        self.keys.push(key);
        self.values.push(narrow(value));
        self.ends.push(end);
        self.starts.push(0.0);
    }
}

/// A part of the curve between two keys.
struct Piece {
    /// The key before it.
    at: usize,
    /// Fractions of the interval.
    from: f64,
    to: f64,
    /// The change of the fraction per second.
    rate: f64,
}

impl Spline<'_> {
    /// Returns the cubic keys at several moments.
    pub(super) fn along(&self, moments: &[Moment], width: usize) -> Keyed {
        let mut keyed = Keyed {
            is_cubic: true,
            times: Vec::with_capacity(moments.len()),
            values: Vec::with_capacity(moments.len().saturating_mul(width).saturating_mul(3)),
        };
        let mut before: Option<Piece> = None;
        for (number, moment) in moments.iter().enumerate() {
            let next = moments.get(number.saturating_add(1));
            let after = next.and_then(|next| self.piece(moment, next));
            let slope = |piece: &Option<Piece>, end: bool, component: usize| {
                piece.as_ref().map_or(0.0, |piece| {
                    let part = if end { piece.to } else { piece.from };
                    let [_, slope] = self.sample(piece.at, part, (component, width));
                    to_f32(slope * piece.rate)
                })
            };
            keyed.times.push(moment.time);
            keyed.values.extend((0..width).map(|component| slope(&before, true, component)));
            keyed.values.extend((0..width).map(|component| {
                let [value, _] = self.sample(moment.at, moment.part, (component, width));
                to_f32(value)
            }));
            keyed.values.extend((0..width).map(|component| slope(&after, false, component)));
            before = after;
        }
        keyed
    }

    /// Returns the part of the curve between two moments, unless it is a jump.
    fn piece(&self, from: &Moment, to: &Moment) -> Option<Piece> {
        let at = from.at.min(to.at);
        let next = at.saturating_add(1);
        if self.keys.get(at) == self.keys.get(next) {
            return None;
        }
        let part = |moment: &Moment| match moment.at {
            own if own == at => Some(moment.part),
            own if own == next && moment.part == 0.0 => Some(1.0),
            _ => None,
        };
        let (start, end) = (part(from)?, part(to)?);
        let seconds = f64::from(to.time) - f64::from(from.time);
        Some(Piece { at, from: start, to: end, rate: (end - start) / seconds })
    }

    /// Returns a component's value and slope (per interval) at a fraction of the interval after a
    /// key.
    fn sample(&self, at: usize, part: f64, (component, width): (usize, usize)) -> [f64; 2] {
        let start = at.saturating_mul(width).saturating_add(component);
        let end = start.saturating_add(width);
        let value = |place: usize| self.values.get(place).copied().map(f64::from);
        let from = value(start).unwrap_or_default();
        let tangent = |of: &[f64], place: usize| of.get(place).copied().unwrap_or_default();
        match value(end) {
            Some(to) => {
                hermite([from, to], [tangent(&self.starts, start), tangent(&self.ends, end)], part)
            }
            None => [from, 0.0],
        }
    }
}
