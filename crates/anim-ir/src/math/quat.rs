//! Rotations.

use std::ops::{Add, Mul, Neg, Sub};

use crate::file::number::narrow;
use crate::math::{double, trig};
use crate::{Mat4, Vec3};

/// A quaternion: x, y, z, w, with the real part last.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Quat {
    /// First imaginary component.
    pub x: f32,
    /// Second imaginary component.
    pub y: f32,
    /// Third imaginary component.
    pub z: f32,
    /// Real component.
    pub w: f32,
}

impl Default for Quat {
    fn default() -> Quat {
        Quat::IDENTITY
    }
}

impl Quat {
    /// The identity rotation.
    pub const IDENTITY: Quat = Quat::new(0.0, 0.0, 0.0, 1.0);

    /// Constructs a quaternion from its components.
    pub const fn new(x: f32, y: f32, z: f32, w: f32) -> Quat {
        Quat { x, y, z, w }
    }

    /// Returns the components in order x, y, z, w.
    pub const fn to_array(self) -> [f32; 4] {
        [self.x, self.y, self.z, self.w]
    }

    /// Returns the rotation by `angle` radians about `axis`, counter-clockwise when the axis points
    /// towards the viewer. Returns the identity for an axis of length 0 or one that is not finite.
    // Always inlined: passing the axis through memory would cost more than the conversion.
    #[inline(always)]
    pub fn from_axis_angle(axis: Vec3, angle: f64) -> Quat {
        let axis = axis.to_f64();
        let length = double::length(axis);
        if length == 0.0 || !length.is_finite() {
            return Quat::IDENTITY;
        }
        let (sin, cos) = trig::sin_cos(angle * 0.5);
        // A single division, since files have many rotations.
        let factor = sin / length;
        let [x, y, z] = axis.map(|component| component * factor);
        Quat::from_f64([x, y, z, cos])
    }

    /// Returns the axis and the angle in radians, from 0 to π. For the identity, the axis is z.
    pub fn to_axis_angle(self) -> (Vec3, f64) {
        let [x, y, z, w] = self.normalized().to_f64();
        let sine = double::length([x, y, z]);
        if sine == 0.0 {
            return (Vec3::new(0.0, 0.0, 1.0), 0.0);
        }
        let sign = if w < 0.0 { -1.0 } else { 1.0 };
        let axis = [x, y, z].map(|component| component * sign / sine);
        (Vec3::from_f64(axis), 2.0 * sine.atan2(w.abs()))
    }

    /// Returns the angle between this rotation and another, in radians from 0 to π. Computed from
    /// the chord, since the cosine is inaccurate for small angles.
    pub fn angle_to(self, other: Quat) -> f64 {
        let [x, y] = [self, other].map(|rotation| rotation.normalized().to_f64());
        // A quaternion and its negation represent the same rotation.
        let chord = |sign: f64| {
            x.iter().zip(y).map(|(x, y)| (x - sign * y) * (x - sign * y)).sum::<f64>().sqrt()
        };
        4.0 * (chord(1.0).min(chord(-1.0)) / 2.0).min(1.0).asin()
    }

    /// Returns the length of the four-vector, computed in f64 to avoid overflow.
    pub fn length(self) -> f64 {
        self.to_f64().iter().map(|c| c * c).sum::<f64>().sqrt()
    }

    /// Returns the unit quaternion for the same rotation, or the identity for a quaternion of
    /// length 0 or one that is not finite.
    pub fn normalized(self) -> Quat {
        Quat::from_f64(double::normalized(self.to_f64()))
    }

    /// Returns the inverse of a unit quaternion.
    pub const fn conjugate(self) -> Quat {
        Quat::new(-self.x, -self.y, -self.z, self.w)
    }

    /// Rotates a vector by this unit quaternion.
    #[inline]
    pub fn rotate(self, v: Vec3) -> Vec3 {
        Mat4::from_rotation(self).transform_vector(v)
    }

    /// Returns the components in order x, y, z, w, in f64.
    #[inline]
    pub fn to_f64(self) -> [f64; 4] {
        [self.x.into(), self.y.into(), self.z.into(), self.w.into()]
    }

    /// Constructs a quaternion from f64 components, rounding each to f32.
    #[inline]
    pub fn from_f64([x, y, z, w]: [f64; 4]) -> Quat {
        Quat::new(narrow(x), narrow(y), narrow(z), narrow(w))
    }
}

impl From<[f32; 4]> for Quat {
    fn from([x, y, z, w]: [f32; 4]) -> Quat {
        Quat { x, y, z, w }
    }
}

impl From<Quat> for [f32; 4] {
    fn from(q: Quat) -> [f32; 4] {
        q.to_array()
    }
}

operators! {
    /// `a * b` applies `b` first, then `a`.
    Mul::mul(a: Quat, b: Quat) -> Quat { Quat::from_f64(double::multiply(a.to_f64(), b.to_f64())) }
    /// Rotates a vector by a unit quaternion, like [`Quat::rotate`].
    Mul::mul(rotation: Quat, v: Vec3) -> Vec3 { rotation.rotate(v) }
    /// Scales the four-vector, for blending.
    Mul::mul(a: Quat, b: f32) -> Quat { Quat::new(a.x * b, a.y * b, a.z * b, a.w * b) }
    /// Adds the four-vectors, for blending.
    Add::add(a: Quat, b: Quat) -> Quat { Quat::new(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w) }
    /// Subtracts the four-vectors, for blending.
    Sub::sub(a: Quat, b: Quat) -> Quat { a + -b }
    /// Negates the four-vector, which represents the same rotation. For the inverse rotation, see
    /// [`Quat::conjugate`].
    Neg::neg(a: Quat) -> Quat { Quat::new(-a.x, -a.y, -a.z, -a.w) }
}

impl Mat4 {
    /// Returns the rotation matrix of a unit quaternion.
    #[inline]
    pub fn from_rotation(rotation: Quat) -> Mat4 {
        let [a, b, c] = double::to_matrix(rotation.to_f64());
        let column = |[x, y, z]: [f64; 3]| [narrow(x), narrow(y), narrow(z), 0.0];
        Mat4 { columns: [column(a), column(b), column(c), [0.0, 0.0, 0.0, 1.0]] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::{FRAC_PI_2, PI};

    #[test]
    fn a_quarter_turn_about_z_maps_x_to_y() {
        let turn = Quat::from_axis_angle(Vec3::new(0.0, 0.0, 2.0), FRAC_PI_2);
        let v = turn * Vec3::new(1.0, 0.0, 0.0);
        assert!((v.x.abs() < 1e-6) && (v.y - 1.0).abs() < 1e-6, "{v:?}");
    }

    #[test]
    fn axis_and_angle_round_trip() {
        for angle in [0.001, 0.5, FRAC_PI_2, 3.0] {
            let turn = Quat::from_axis_angle(Vec3::new(1.0, -2.0, 2.0), angle);
            for same in [turn, -turn, turn * 3.0, turn + turn] {
                let (axis, found) = same.to_axis_angle();
                assert!((found - angle).abs() < 1e-6, "{found} {angle}");
                assert!(axis.distance(Vec3::new(1.0 / 3.0, -2.0 / 3.0, 2.0 / 3.0)) < 1e-4);
            }
            assert!((Quat::IDENTITY.angle_to(-turn) - angle).abs() < 1e-6);
            assert!((turn - turn).length() == 0.0);
        }
        assert_eq!(Quat::IDENTITY.to_axis_angle(), (Vec3::new(0.0, 0.0, 1.0), 0.0));
        assert!((Quat::new(1.0, 0.0, 0.0, 0.0).angle_to(Quat::IDENTITY) - PI).abs() < 1e-6);
    }
}
