//! Rotations of length 1, and numbers that stay finite.

pub(crate) mod svd;

use anim_ir::double::{IDENTITY, Quat};
use anim_ir::number::narrow;

/// How far the squared length of a quaternion or a direction in f32 is from 1 through rounding
/// alone.
const UNIT: f64 = 3e-7;

/// How near an exact rest matrix is to its transform where the transform will do.
pub(crate) const SAME: f32 = 1e-6;

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
        IDENTITY
    }
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
