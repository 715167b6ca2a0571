//! Rotations in f64, and numbers that stay finite.

use anim_ir::number::narrow;

use crate::svd::{Mat3, Quat};

pub(crate) const NO_ROTATION: Quat = [0.0, 0.0, 0.0, 1.0];

/// How far the squared length of a quaternion or a direction in f32 is from 1 through rounding
/// alone.
const UNIT: f64 = 3e-7;

/// `a · b` turns by `b` first. Linear in both, so that tangents can be turned like values.
pub(crate) fn multiply([ax, ay, az, aw]: Quat, [bx, by, bz, bw]: Quat) -> Quat {
    [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]
}

/// The same rotation as a quaternion of length 1; what is of that length already stays as it is,
/// and what has no direction is no rotation.
pub(crate) fn unit(q: Quat) -> Quat {
    let square: f64 = q.iter().map(|e| e * e).sum();
    if (square - 1.0).abs() <= UNIT {
        q
    } else if square > 0.0 && square.is_finite() {
        let length = square.sqrt();
        q.map(|e| e / length)
    } else {
        NO_ROTATION
    }
}

/// The columns of the rotation matrix of a unit quaternion.
pub(crate) fn axes([x, y, z, w]: Quat) -> Mat3 {
    [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + z * w), 2.0 * (x * z - y * w)],
        [2.0 * (x * y - z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + x * w)],
        [2.0 * (x * z + y * w), 2.0 * (y * z - x * w), 1.0 - 2.0 * (x * x + y * y)],
    ]
}

/// A matrix of columns times a vector.
pub(crate) fn transform([a, b, c]: Mat3, [x, y, z]: [f64; 3]) -> [f64; 3] {
    [a[0] * x + b[0] * y + c[0] * z, a[1] * x + b[1] * y + c[1] * z, a[2] * x + b[2] * y + c[2] * z]
}

/// Rounds to f32; what is out of its range becomes the greatest number of that sign, since glTF has
/// no infinity, and there is no minus zero.
pub(crate) fn finite(value: f64) -> f32 {
    if value.is_nan() {
        0.0
    } else {
        narrow(value.clamp(-f64::from(f32::MAX), f64::from(f32::MAX))) + 0.0
    }
}

/// Rounds each to f32.
pub(crate) fn finite_all<const N: usize>(values: [f64; N]) -> [f32; N] {
    values.map(finite)
}
