//! Differences between the scene and the written file.

use anim_ir::Diagnostics;

use crate::codes;

/// The maximum differences between the scene and the file, over all frames and joints.
#[derive(Debug, Default)]
pub(super) struct Errors {
    /// The error of rotations, in degrees.
    pub(super) rotation: Greatest,
    /// The error of positions, in the scene's unit.
    pub(super) position: Greatest,
    /// The error of scales, as a difference of factors.
    pub(super) scale: Greatest,
    /// The error caused by shear, relative to the largest element of the matrix.
    pub(super) shear: Greatest,
    /// A diagnostic for each value that was out of range.
    pub(super) clamped: Diagnostics,
}

/// The maximum of the errors seen so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Greatest(f64);

impl Greatest {
    pub(super) fn see(&mut self, error: f64) {
        self.0 = self.0.max(error);
    }

    /// Includes an error unless it is within the precision of f32.
    pub(super) fn see_rounding(&mut self, error: f64, value: f64) {
        if error.abs() > value.abs() * 4.0 * f64::from(f32::EPSILON) {
            self.see(error.abs());
        }
    }
}

/// Errors up to these thresholds are attributed to f32 rounding, for a rotation in degrees and for
/// a matrix.
const NO_ROTATION: f64 = 1e-4;
const NO_SHEAR: f64 = 1e-5;

impl Errors {
    pub(super) fn report(self, losses: &mut Diagnostics) {
        losses.append(self.clamped);
        let [shear, rotation] = [self.shear.0, self.rotation.0];
        losses.lost(&codes::LOSS_SHEAR, shear > NO_SHEAR, || {
            format!("transforms are sheared by up to {:.2} % of their size", shear * 100.0)
        });
        losses.lost(&codes::LOSS_ROTATION, rotation > NO_ROTATION, || {
            format!("rotations change by up to {rotation:.4}°")
        });
        let [position, scale] = [self.position.0, self.scale.0];
        losses.lost(&codes::LOSS_POSITION, position > 0.0, || {
            format!("positions change by up to {position:.4}")
        });
        losses
            .lost(&codes::LOSS_SCALE, scale > 0.0, || format!("scales change by up to {scale:.6}"));
    }
}
