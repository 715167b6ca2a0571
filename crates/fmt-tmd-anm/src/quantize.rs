//! Conversion of scene values to 16-bit integers.

use std::f64::consts::TAU;

use anim_ir::{EulerOrder, Quat};

use crate::error::RateError;

/// 360° as an angle, and 1 as a scale.
pub(crate) const ONE: f64 = 4096.0;

/// Returns the integer angles, adjacent to the exact angles, that best approximate a unit
/// quaternion. Also returns the error in radians.
///
/// Rounding each angle separately is not always optimal: if the middle angle is near 90°, the
/// errors of the other two add up or cancel out.
pub(crate) fn angles(rotation: Quat, order: EulerOrder) -> ([i16; 3], f64) {
    let exact = rotation.to_euler(order).map(|angle| angle * ONE / TAU);
    let nearest = exact.map(f64::round);
    let mut best = ([0; 3], f64::INFINITY);
    // Start with the nearest integers, which win ties.
    for others in 0..8_u8 {
        let choose = |axis: u8, nearest: f64, exact: f64| {
            let other = if nearest > exact { nearest - 1.0 } else { nearest + 1.0 };
            whole(if others & (1 << axis) == 0 { nearest } else { other })
        };
        let [x, y, z] = nearest;
        let found = [choose(0, x, exact[0]), choose(1, y, exact[1]), choose(2, z, exact[2])];
        let error = between(rotation, of_angles(found, order));
        if error < best.1 {
            best = (found, error);
        }
    }
    best
}

/// Returns the rotation given by three angles; 4096 is 360°.
pub(crate) fn of_angles(angles: [i16; 3], order: EulerOrder) -> Quat {
    Quat::from_euler(angles.map(|angle| f64::from(angle) * TAU / ONE), order)
}

/// Converts a rate to that of a file, which is a positive integer.
pub(crate) fn whole_rate(per_second: f64) -> Result<i16, RateError> {
    fit(per_second)
        .filter(|rate| *rate > 0 && f64::from(*rate).total_cmp(&per_second).is_eq())
        .ok_or(RateError(per_second))
}

/// Returns the nearest integer; `None` if it is out of range.
pub(crate) fn fit(value: f64) -> Option<i16> {
    let rounded = value.round();
    (f64::from(i16::MIN)..=f64::from(i16::MAX)).contains(&rounded).then(|| whole(rounded))
}

/// Returns the nearest integer, clamped to the range; 0 for NaN.
#[expect(clippy::cast_possible_truncation, reason = "saturation is intended")]
pub(crate) fn whole(value: f64) -> i16 {
    value.round() as i16
}

/// Returns the angle in radians between two rotations. It is computed from the sine of the half
/// angle, which is more accurate for small angles than the cosine.
fn between(a: Quat, b: Quat) -> f64 {
    let [ax, ay, az, aw] = a.to_array().map(f64::from);
    let [bx, by, bz, bw] = b.to_array().map(f64::from);
    let x = aw * bx - ax * bw - ay * bz + az * by;
    let y = aw * by + ax * bz - ay * bw - az * bx;
    let z = aw * bz - ax * by + ay * bx - az * bw;
    let w = aw * bw + ax * bx + ay * by + az * bz;
    2.0 * (x * x + y * y + z * z).sqrt().atan2(w.abs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The maximum error, with three angles off by half a unit each.
    const MOST: f64 = 3.0 * 0.5 * TAU / ONE;

    #[test]
    fn values_inside_and_outside_of_the_range() {
        assert_eq!(
            (fit(-32768.4), fit(32767.4), fit(-0.5)),
            (Some(i16::MIN), Some(i16::MAX), Some(-1))
        );
        assert_eq!(
            (fit(40_000.0), fit(-32768.6), fit(f64::NAN), fit(f64::INFINITY)),
            (None, None, None, None)
        );
        assert_eq!(
            (whole(40_000.0), whole(f64::NEG_INFINITY), whole(f64::NAN)),
            (i16::MAX, i16::MIN, 0)
        );
    }

    #[test]
    fn the_angle_between_rotations() {
        let turned = |angle: f64| Quat::from_euler([0.3, angle, -0.2], EulerOrder::Xyz);
        assert!((between(turned(0.5), turned(0.5 + 1e-4)) - 1e-4).abs() < 1e-7);
        let [x, y, z, w] = turned(0.5).to_array();
        assert!(
            between(turned(0.5), Quat::new(-x, -y, -z, -w)) < 1e-7,
            "the negated quaternion is the same rotation"
        );
    }

    proptest! {
        /// A rotation created from angles is recovered, even if the middle angle is 90° or an angle
        /// exceeds 360°.
        #[test]
        fn angles_of_angles(
            angles in prop::array::uniform3(any::<i16>()),
            quarter in prop::sample::select(
                vec![None, Some(1024), Some(-1024), Some(1023), Some(-1025)]
            ),
        ) {
            for order in EulerOrder::ALL {
                let mut given = angles;
                let axis = order.name().as_bytes().get(1).copied().unwrap_or(b'x');
                let middle = given.get_mut(usize::from(axis - b'x'));
                if let (Some(quarter), Some(slot)) = (quarter, middle) {
                    *slot = quarter;
                }
                let rotation = of_angles(given, order);
                let (found, error) = super::angles(rotation, order);
                prop_assert!(error < 1e-6, "{} {given:?}: found {found:?} with error \
                {error}", order.name());
            }
        }

        #[test]
        fn any_rotation(q in prop::array::uniform4(-1.0f32..1.0)) {
            let rotation = Quat::from(q).normalized();
            for order in EulerOrder::ALL {
                let (found, error) = super::angles(rotation, order);
                prop_assert!(error <= MOST, "{found:?}");
                prop_assert!((between(rotation, of_angles(found, order)) - error).abs() < 1e-12);
            }
        }
    }
}
