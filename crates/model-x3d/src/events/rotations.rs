//! The keys of an `OrientationInterpolator`.

use std::f64::consts::{PI, TAU};

use anim_ir::number::narrow;
use anim_ir::{Quat, Vec3};

/// A half turn has no shorter way. The difference of angles that are meant to be half a turn may be
/// this much longer, since files have few digits.
const HALF_TURN_ERROR: f64 = 1e-3;
/// Turns that exceed this are split, so that interpolation between quaternions goes the same way.
const LONG: f64 = 0.75 * PI;

/// The keys of an `OrientationInterpolator` as quaternions.
pub(super) struct Rotations {
    pub(super) keys: Vec<f32>,
    pub(super) values: Vec<[f32; 4]>,
    /// Whether the angle changes by more than half a turn about one axis between two keys, unless
    /// the neighbouring keys turn the shorter way.
    pub(super) turns_back: bool,
}

/// Reads quaternions (a Castle Game Engine extension).
pub(super) fn of_quaternions(keys: &[f32], values: &[f32]) -> Rotations {
    let quaternion = |(value, _): (&[f32; 4], &f32)| Quat::from(*value).normalized().to_array();
    let values = values.as_chunks::<4>().0.iter().zip(keys).map(quaternion).collect();
    Rotations { keys: keys.to_vec(), values, turns_back: false }
}

/// Reads axes and angles. Between two keys, the rotation takes the shorter way (ISO/IEC 19775-1,
/// 19.4.8). If the axis stays the same and the angle changes by half a turn, either way is as
/// short; it then turns the way that the angle changes.
pub(super) fn of_axes(keys: &[f32], values: &[f32]) -> Rotations {
    let mut out = Rotations {
        keys: Vec::with_capacity(keys.len()),
        values: Vec::with_capacity(keys.len()),
        turns_back: false,
    };
    let mut before: Option<(f32, &[f32; 4])> = None;
    let values = values.as_chunks::<4>().0;
    for (at, (key, value)) in keys.iter().zip(values).enumerate() {
        if let Some((from, rotation)) = before.replace((*key, value))
            && !is_short(rotation, value)
            && let Some(turn) = Turn::between(rotation, value)
        {
            let asked = turn.to - turn.from;
            let way = shorter(asked);
            out.turns_back |=
                asked.abs() > PI + HALF_TURN_ERROR && !is_meant(way, &turn, values, at);
            let middle = narrow(f64::midpoint(from.into(), (*key).into()));
            if way.abs() > LONG && from < middle && middle < *key {
                out.add(middle, Quat::from_axis_angle(turn.axis, turn.from + way / 2.0));
            }
        }
        let [x, y, z, angle] = *value;
        out.add(*key, Quat::from_axis_angle(Vec3::new(x, y, z), angle.into()));
    }
    out
}

impl Rotations {
    fn add(&mut self, key: f32, value: Quat) {
        self.keys.push(key);
        self.values.push(value.to_array());
    }
}

/// Negates rotations so that each is on the side of the previous one, for programs that do not
/// check.
pub(super) fn align(values: &mut [[f32; 4]]) {
    let mut before = Quat::IDENTITY.to_array();
    for value in values {
        let dot: f32 = value.iter().zip(before).map(|(a, b)| a * b).sum();
        if dot < 0.0 {
            *value = value.map(|number| -number);
        }
        before = *value;
    }
}

/// Whether the way between two rotations is certainly not long, for most rotations without
/// normalizing their axes.
fn is_short([x, y, z, from]: &[f32; 4], [u, v, w, to]: &[f32; 4]) -> bool {
    let (from, to) = (f64::from(*from), f64::from(*to));
    from.abs() + to.abs() <= LONG || [x, y, z] == [u, v, w] && (to - from).abs() <= LONG
}

/// Returns the shorter of the two ways to turn by an angle.
fn shorter(asked: f64) -> f64 {
    let way = asked - TAU * (asked / TAU).round();
    if way.abs() > PI - HALF_TURN_ERROR && way * asked < 0.0 {
        way + TAU.copysign(asked)
    } else {
        way
    }
}

/// Whether the turns before and after a long one, which ends at key `at`, show that the shorter way
/// is meant: one goes that way, and neither the other way. An example is a full turn whose last
/// angle is 0.
fn is_meant(way: f64, turn: &Turn, values: &[[f32; 4]], at: usize) -> bool {
    let asked = turn.to - turn.from;
    let turned = |from: Option<usize>| {
        let mut pair = values.iter().skip(from?);
        let neighbour = Turn::between(pair.next()?, pair.next()?)?;
        let turned = neighbour.to - neighbour.from;
        // Another long turn shows nothing.
        (turned.abs() < PI).then(|| turned * neighbour.axis.dot(turn.axis))
    };
    let neighbours = [turned(at.checked_sub(2)), turned(Some(at))];
    let turns = |way: f64| neighbours.iter().flatten().any(|turned| turned * way > 0.0);
    way * asked < 0.0 && turns(way) && !turns(asked)
}

/// Two rotations about the same axis.
struct Turn {
    axis: Vec3,
    from: f64,
    to: f64,
}

impl Turn {
    fn between([x, y, z, from]: &[f32; 4], [u, v, w, to]: &[f32; 4]) -> Option<Turn> {
        let (first, second) =
            (Vec3::new(*x, *y, *z).normalized(), Vec3::new(*u, *v, *w).normalized());
        let (from, to) = (f64::from(*from), f64::from(*to));
        match (first, second) {
            (Some(first), Some(second)) if from != 0.0 => match first.dot(second) {
                _ if to == 0.0 => Some(Turn { axis: first, from, to }),
                same if same > 1.0 - 1e-6 => Some(Turn { axis: first, from, to }),
                same if same < 1e-6 - 1.0 => Some(Turn { axis: first, from, to: -to }),
                _ => None,
            },
            // Without an angle, the axis does not matter.
            (_, Some(axis)) => Some(Turn { axis, from: 0.0, to }),
            (axis, None) => Some(Turn { axis: axis?, from, to: 0.0 }),
        }
    }
}

#[cfg(test)]
#[allow(clippy::approx_constant, reason = "files have angles with few digits")]
mod tests {
    use super::*;

    /// Returns the angle about z of each key.
    fn angles(values: &[[f32; 4]]) -> (Vec<f64>, bool) {
        let keys: Vec<f32> = (0..values.len()).map(|at| at as f32).collect();
        let rotations = of_axes(&keys, values.as_flattened());
        let angle = |[_, _, z, w]: &[f32; 4]| 2.0 * f64::from(*z).atan2((*w).into());
        (rotations.values.iter().map(angle).collect(), rotations.turns_back)
    }

    #[test]
    fn half_turns_go_the_way_of_the_angle() {
        let z = |angle: f32| [0.0, 0.0, 1.0, angle];
        let close = |found: &[f64], expected: &[f64]| {
            found.len() == expected.len()
                && found.iter().zip(expected).all(|(a, b)| ((a - b) / TAU).sin().abs() < 1e-6)
        };
        let (turn, back) = angles(&[z(0.0), z(3.14159), z(6.28318)]);
        assert!(close(&turn, &[0.0, 1.5708, 3.14159, 4.71239, 6.28318]) && !back, "{turn:?}");
        let (turn, back) = angles(&[z(3.1415927), z(0.0)]);
        assert!(close(&turn, &[3.1415927, 1.5708, 0.0]) && !back, "{turn:?}");
        let (turn, back) = angles(&[z(0.0), z(4.0)]);
        assert!(close(&turn, &[0.0, 4.0]) && back, "{turn:?}");
        let (turn, _) = angles(&[[0.0, 0.0, 1.0, 1.5], [0.0, 0.0, -1.0, 1.5]]);
        assert!(close(&turn, &[1.5, 0.0, -1.5]), "{turn:?}");
        // A full turn that ends at 0, and turns back and forth.
        let (turn, back) = angles(&[z(0.0), z(1.57), z(3.14), z(4.71), z(0.0)]);
        assert!(close(&turn, &[0.0, 1.57, 3.14, 4.71, 0.0]) && !back, "{turn:?}");
        assert!(!angles(&[z(4.71), z(0.0), z(1.57)]).1);
        assert!(!angles(&[z(0.0), [0.0, 0.0, -1.0, 4.71], [0.0, 0.0, -1.0, 4.0]]).1);
        assert!(angles(&[z(0.0), z(4.0), z(0.0)]).1);
        assert!(angles(&[z(3.0), z(4.71), z(0.0), z(-1.0)]).1);
        let (turn, back) = angles(&[z(0.0), z(6.2831855)]);
        assert!(turn.len() == 2 && back, "{turn:?}");
    }
}
