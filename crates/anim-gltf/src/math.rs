//! Unit quaternions, and conversion to finite f32.

pub(crate) mod svd;

use anim_ir::double::{IDENTITY, Quat};
use anim_ir::number::narrow;

/// How far the squared length of a unit quaternion or direction in f32 may be from 1 due to
/// rounding.
const UNIT: f64 = 3e-7;

/// How close an exact rest matrix has to be to its transform for the transform to be used.
pub(crate) const SAME: f32 = 1e-6;

/// Normalises a quaternion. One that is already of length 1 stays unchanged, and one without a
/// direction becomes the identity.
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

/// Rounds to f32. Numbers out of range become the largest of the same sign, since glTF has no
/// infinity, and negative zero becomes zero.
pub(crate) fn finite(value: f64) -> f32 {
    if value.is_nan() {
        0.0
    } else {
        narrow(value.clamp(-f64::from(f32::MAX), f64::from(f32::MAX))) + 0.0
    }
}

/// Rounds each number with [`finite`].
pub(crate) fn finite_all<const N: usize>(values: [f64; N]) -> [f32; N] {
    values.map(finite)
}
