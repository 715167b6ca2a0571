//! Unit quaternions and conversion to finite f32.

pub(crate) mod svd;

use anim_ir::double::{IDENTITY, Quat};
use anim_ir::number::narrow;

/// Tolerance for the squared length of an f32 unit quaternion or direction, due to rounding.
const UNIT: f64 = 3e-7;

/// Maximum difference between an exact rest matrix and its transform for the transform to be used.
pub(crate) const SAME: f32 = 1e-6;

/// Normalises a quaternion. Returns a quaternion that is already normalised, up to f32 rounding,
/// unchanged, and the identity for a quaternion that cannot be normalised.
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

/// Rounds to f32. Out-of-range values are clamped and NaN becomes 0, since glTF requires finite
/// values. Negative zero becomes zero.
pub(crate) fn finite(value: f64) -> f32 {
    if value.is_nan() {
        0.0
    } else {
        narrow(value.clamp(-f64::from(f32::MAX), f64::from(f32::MAX))) + 0.0
    }
}

/// Rounds each value with [`finite`].
pub(crate) fn finite_all<const N: usize>(values: [f64; N]) -> [f32; N] {
    values.map(finite)
}
