//! Translation, rotation and scale.

use std::ops::Mul;

use crate::math::double;
use crate::{Mat4, Quat, Vec3};

/// A transform that applies scale, then rotation, then translation. Its matrix is `T · R · S`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Transform {
    /// Translation, in the file's length unit.
    pub translation: Vec3,
    /// Rotation, as a unit quaternion.
    pub rotation: Quat,
    /// Scale factors along the three axes.
    pub scale: Vec3,
}

impl Default for Transform {
    fn default() -> Transform {
        Transform::IDENTITY
    }
}

impl Transform {
    /// The identity.
    pub const IDENTITY: Transform =
        Transform { translation: Vec3::ZERO, rotation: Quat::IDENTITY, scale: Vec3::ONE };

    /// Returns the matrix `T · R · S`.
    #[inline]
    pub fn to_matrix(self) -> Mat4 {
        let mut matrix = Mat4::from_rotation(self.rotation);
        let [a, b, c, t] = &mut matrix.columns;
        for (column, factor) in [(a, self.scale.x), (b, self.scale.y), (c, self.scale.z)] {
            for element in column {
                *element *= factor;
            }
        }
        *t = [self.translation.x, self.translation.y, self.translation.z, 1.0];
        matrix
    }

    /// Transforms a point.
    pub fn transform_point(self, p: Vec3) -> Vec3 {
        self.rotation.rotate(self.scale * p) + self.translation
    }

    /// Interpolates to another transform. Translation and scale are interpolated linearly, rotation
    /// along the shorter arc.
    #[must_use]
    pub fn lerp(self, other: Transform, t: f32) -> Transform {
        Transform {
            translation: self.translation.lerp(other.translation, t),
            rotation: self.rotation.slerp(other.rotation, t),
            scale: self.scale.lerp(other.scale, t),
        }
    }

    /// Whether all components are finite.
    pub fn is_finite(self) -> bool {
        self.translation.is_finite()
            && self.scale.is_finite()
            && self.rotation.to_array().iter().all(|c| c.is_finite())
    }
}

impl From<Transform> for Mat4 {
    fn from(transform: Transform) -> Mat4 {
        transform.to_matrix()
    }
}

/// `a * b` applies `b` first, then `a`. Only exact if the scale of `a` is uniform, since a
/// transform cannot represent shear.
impl Mul for Transform {
    type Output = Transform;

    fn mul(self, other: Transform) -> Transform {
        let moved = self.rotation.rotate(other.translation * self.scale);
        Transform {
            translation: self.translation + moved,
            rotation: (self.rotation * other.rotation).normalized(),
            scale: self.scale * other.scale,
        }
    }
}

impl Mat4 {
    /// Decomposes an affine matrix into `T · R · S`. A matrix with shear has no exact
    /// decomposition; use [`Mat4::is_near`] to check the result. A mirroring matrix gets a negative
    /// x scale, and a column of length 0 gets a scale of 0.
    pub fn to_transform(self) -> Transform {
        let [_, _, _, [x, y, z, _]] = self.columns;
        let columns = self.axes();
        let mut scale = columns.map(double::length);
        let [mut ax, mut ay, mut az] = columns;
        for (axis, length) in [&mut ax, &mut ay, &mut az].into_iter().zip(scale) {
            *axis = if length > 0.0 { axis.map(|e| e / length) } else { [0.0; 3] };
        }
        if double::determinant([az, ax, ay]) < 0.0 {
            scale[0] = -scale[0];
            ax = ax.map(|e| -e);
        }
        Transform {
            translation: Vec3::new(x, y, z),
            rotation: Quat::from_f64(double::from_matrix(filled([ax, ay, az]))).normalized(),
            scale: Vec3::from_f64(scale),
        }
    }
}

/// Replaces axes of length 0 with axes derived from the remaining axes to complete the rotation.
#[inline]
fn filled([mut ax, mut ay, mut az]: double::Mat3) -> double::Mat3 {
    let missing = |axis: [f64; 3]| double::dot(axis, axis) == 0.0;
    match (missing(ax), missing(ay), missing(az)) {
        (true, true, true) => (ax, ay, az) = ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]),
        (false, true, true) => ay = double::perpendicular(ax),
        (true, false, true) => ax = double::perpendicular(ay),
        (true, true, false) => ax = double::perpendicular(az),
        _ => {}
    }
    if missing(ax) {
        ax = double::cross(ay, az);
    }
    if missing(ay) {
        ay = double::cross(az, ax);
    }
    if missing(az) {
        az = double::cross(ax, ay);
    }
    [ax, ay, az]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn close(a: Mat4, b: Mat4) -> bool {
        a.to_columns().iter().zip(b.to_columns()).all(|(a, b)| (a - b).abs() < 1e-4)
    }

    #[test]
    fn degenerate_matrices_decompose_to_finite_transforms() {
        for columns in
            [[[0.0; 4]; 4], [[1.0, 0.0, 0.0, 0.0], [0.0; 4], [0.0; 4], [0.0, 0.0, 0.0, 1.0]]]
        {
            assert!(Mat4 { columns }.to_transform().is_finite());
            assert_eq!(Mat4 { columns }.inverse(), None);
        }
    }

    proptest! {
        #[test]
        fn transforms_survive_the_matrix(
            t in prop::array::uniform3(-9.0f32..9.0), axis in prop::array::uniform3(-1.0f32..1.0),
            angle in -3.0f64..3.0, s in prop::array::uniform3(0.1f32..5.0), mirror in any::<bool>(),
        ) {
            let scale = Vec3::new(if mirror { -s[0] } else { s[0] }, s[1], s[2]);
            let rotation = Quat::from_axis_angle(axis.into(), angle);
            let transform = Transform { translation: t.into(), rotation, scale };
            let matrix = transform.to_matrix();
            prop_assert!(close(matrix.to_transform().to_matrix(), matrix));
            prop_assert!(close(matrix * matrix.inverse().unwrap(), Mat4::IDENTITY));
            prop_assert!(matrix.is_near(matrix.to_transform().to_matrix(), 1e-5));
            let point = Vec3::from(s);
            let moved = [transform.transform_point(point), matrix.transform_point(point)];
            prop_assert!(moved[0].distance(moved[1]) < 1e-4);
            let even = Transform { scale: Vec3::ONE * 0.5, ..transform };
            prop_assert!(close((even * transform).to_matrix(), Mat4::from(even) * matrix));
        }
    }
}
