//! Vectors.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

use crate::file::number::narrow;
use crate::math::double;

/// A vector with three components: a position, a direction or a scale.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Vec3 {
    /// First component.
    pub x: f32,
    /// Second component.
    pub y: f32,
    /// Third component.
    pub z: f32,
}

impl Vec3 {
    /// (0, 0, 0)
    pub const ZERO: Vec3 = Vec3::new(0.0, 0.0, 0.0);
    /// (1, 1, 1)
    pub const ONE: Vec3 = Vec3::new(1.0, 1.0, 1.0);

    /// Constructs a vector from its components.
    pub const fn new(x: f32, y: f32, z: f32) -> Vec3 {
        Vec3 { x, y, z }
    }

    /// Returns the components in order.
    pub const fn to_array(self) -> [f32; 3] {
        [self.x, self.y, self.z]
    }

    /// Returns the components in order, in f64.
    #[inline]
    pub fn to_f64(self) -> [f64; 3] {
        [self.x.into(), self.y.into(), self.z.into()]
    }

    /// Constructs a vector from f64 components, rounding each to f32.
    #[inline]
    pub fn from_f64([x, y, z]: [f64; 3]) -> Vec3 {
        Vec3::new(narrow(x), narrow(y), narrow(z))
    }

    /// Whether no component is NaN or infinite.
    pub fn is_finite(self) -> bool {
        self.x.is_finite() && self.y.is_finite() && self.z.is_finite()
    }

    /// Returns the Euclidean length, computed in f64 to avoid overflow.
    pub fn length(self) -> f64 {
        double::length(self.to_f64())
    }

    /// Returns the distance between two points, computed in f64.
    pub fn distance(self, other: Vec3) -> f64 {
        double::distance(self.to_f64(), other.to_f64())
    }

    /// Returns the dot product, computed in f64.
    pub fn dot(self, other: Vec3) -> f64 {
        double::dot(self.to_f64(), other.to_f64())
    }

    /// Returns the cross product, computed in f64 and rounded.
    #[must_use]
    pub fn cross(self, other: Vec3) -> Vec3 {
        Vec3::from_f64(double::cross(self.to_f64(), other.to_f64()))
    }

    /// Interpolates linearly to another vector, in f32. `t` is 0 at this vector and 1 at the other.
    #[inline]
    #[must_use]
    pub fn lerp(self, other: Vec3, t: f32) -> Vec3 {
        Vec3::new(
            self.x + (other.x - self.x) * t,
            self.y + (other.y - self.y) * t,
            self.z + (other.z - self.z) * t,
        )
    }

    /// Returns the unit vector in this direction, or `None` if the length is 0 or not finite.
    pub fn normalized(self) -> Option<Vec3> {
        double::unit(self.to_f64()).map(Vec3::from_f64)
    }
}

impl From<[f32; 3]> for Vec3 {
    fn from([x, y, z]: [f32; 3]) -> Vec3 {
        Vec3 { x, y, z }
    }
}

impl From<Vec3> for [f32; 3] {
    fn from(v: Vec3) -> [f32; 3] {
        v.to_array()
    }
}

operators! {
    Add::add(a: Vec3, b: Vec3) -> Vec3 { Vec3::new(a.x + b.x, a.y + b.y, a.z + b.z) }
    Sub::sub(a: Vec3, b: Vec3) -> Vec3 { Vec3::new(a.x - b.x, a.y - b.y, a.z - b.z) }
    Neg::neg(a: Vec3) -> Vec3 { Vec3::new(-a.x, -a.y, -a.z) }
    /// Multiplies component by component, for combining scales.
    Mul::mul(a: Vec3, b: Vec3) -> Vec3 { Vec3::new(a.x * b.x, a.y * b.y, a.z * b.z) }
    Mul::mul(a: Vec3, b: f32) -> Vec3 { Vec3::new(a.x * b, a.y * b, a.z * b) }
}

impl AddAssign for Vec3 {
    #[inline]
    fn add_assign(&mut self, other: Vec3) {
        *self = *self + other;
    }
}

impl SubAssign for Vec3 {
    #[inline]
    fn sub_assign(&mut self, other: Vec3) {
        *self = *self - other;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_by_hand() {
        let (a, b) = (Vec3::new(1.0, -2.0, 3.0), Vec3::new(4.0, 5.0, -6.0));
        assert_eq!(a + b, Vec3::new(5.0, 3.0, -3.0));
        assert_eq!(a - b, Vec3::new(-3.0, -7.0, 9.0));
        assert_eq!(-a, Vec3::new(-1.0, 2.0, -3.0));
        assert_eq!((a * 2.0, a * b), (Vec3::new(2.0, -4.0, 6.0), Vec3::new(4.0, -10.0, -18.0)));
        assert_eq!((a.dot(b), a.cross(b)), (-24.0, Vec3::new(-3.0, 18.0, 13.0)));
        assert_eq!((a.distance(a), a.distance(Vec3::new(1.0, 1.0, 7.0))), (0.0, 5.0));
        assert_eq!(a.lerp(b, 0.5), Vec3::new(2.5, 1.5, -1.5));
        let mut sum = a;
        sum += b;
        sum -= b;
        assert_eq!((sum, <[f32; 3]>::from(sum)), (a, [1.0, -2.0, 3.0]));
        assert_eq!(Vec3::ZERO.normalized(), None);
    }
}
