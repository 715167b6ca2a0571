//! Vectors, quaternions, matrices and transforms.

use crate::file::number::narrow;

/// Three numbers: a position, a direction or a scale.
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

    /// A vector of its components.
    pub const fn new(x: f32, y: f32, z: f32) -> Vec3 {
        Vec3 { x, y, z }
    }

    /// The components in order.
    pub const fn to_array(self) -> [f32; 3] {
        [self.x, self.y, self.z]
    }

    /// Whether no component is NaN or infinite.
    pub fn is_finite(self) -> bool {
        self.x.is_finite() && self.y.is_finite() && self.z.is_finite()
    }

    /// Euclidean length, computed in f64 so that it does not overflow.
    pub fn length(self) -> f64 {
        let [x, y, z] = self.to_array().map(f64::from);
        (x * x + y * y + z * z).sqrt()
    }

    /// The vector of length 1 in this direction, or `None` where there is no direction.
    pub fn normalized(self) -> Option<Vec3> {
        let length = self.length();
        (length > 0.0 && length.is_finite())
            .then(|| Vec3::from(self.to_array().map(|c| narrow(f64::from(c) / length))))
    }
}

impl From<[f32; 3]> for Vec3 {
    fn from([x, y, z]: [f32; 3]) -> Vec3 {
        Vec3 { x, y, z }
    }
}

/// A rotation as a quaternion, x y z w, w being the real part.
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
    /// No rotation.
    pub const IDENTITY: Quat = Quat::new(0.0, 0.0, 0.0, 1.0);

    /// A quaternion of its components.
    pub const fn new(x: f32, y: f32, z: f32, w: f32) -> Quat {
        Quat { x, y, z, w }
    }

    /// The components in order x, y, z, w.
    pub const fn to_array(self) -> [f32; 4] {
        [self.x, self.y, self.z, self.w]
    }

    /// The rotation by `angle` radians about `axis`, counter-clockwise seen from the axis' tip. No
    /// rotation for an axis of no length.
    pub fn from_axis_angle(axis: Vec3, angle: f64) -> Quat {
        let Some(axis) = axis.normalized() else { return Quat::IDENTITY };
        let (sin, cos) = (angle * 0.5).sin_cos();
        Quat::from_f64([
            f64::from(axis.x) * sin,
            f64::from(axis.y) * sin,
            f64::from(axis.z) * sin,
            cos,
        ])
    }

    /// Length of the four-vector, in f64 so that it does not overflow.
    pub fn length(self) -> f64 {
        self.to_f64().iter().map(|c| c * c).sum::<f64>().sqrt()
    }

    /// The unit quaternion of the same rotation; the identity for a quaternion without a length.
    pub fn normalized(self) -> Quat {
        let length = self.length();
        if length > 0.0 && length.is_finite() {
            Quat::from_f64(self.to_f64().map(|c| c / length))
        } else {
            Quat::IDENTITY
        }
    }

    /// The opposite rotation of a unit quaternion.
    pub const fn conjugate(self) -> Quat {
        Quat::new(-self.x, -self.y, -self.z, self.w)
    }

    /// This vector, turned by a unit quaternion.
    pub fn rotate(self, v: Vec3) -> Vec3 {
        Mat4::from_rotation(self).transform_vector(v)
    }

    fn to_f64(self) -> [f64; 4] {
        self.to_array().map(f64::from)
    }

    fn from_f64(components: [f64; 4]) -> Quat {
        let [x, y, z, w] = components.map(narrow);
        Quat { x, y, z, w }
    }
}

impl From<[f32; 4]> for Quat {
    fn from([x, y, z, w]: [f32; 4]) -> Quat {
        Quat { x, y, z, w }
    }
}

/// `a * b` turns by `b` first, then by `a`.
impl std::ops::Mul for Quat {
    type Output = Quat;

    fn mul(self, other: Quat) -> Quat {
        let [ax, ay, az, aw] = self.to_f64();
        let [bx, by, bz, bw] = other.to_f64();
        Quat::from_f64([
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
            aw * bw - ax * bx - ay * by - az * bz,
        ])
    }
}

/// A 4 × 4 matrix, column-major, acting on column vectors.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Mat4 {
    /// The four columns; translation is the last.
    pub columns: [[f32; 4]; 4],
}

impl Default for Mat4 {
    fn default() -> Mat4 {
        Mat4::IDENTITY
    }
}

impl Mat4 {
    /// Leaves every point where it is.
    pub const IDENTITY: Mat4 = Mat4 {
        columns: [
            [1.0, 0.0, 0.0, 0.0],
            [0.0, 1.0, 0.0, 0.0],
            [0.0, 0.0, 1.0, 0.0],
            [0.0, 0.0, 0.0, 1.0],
        ],
    };

    /// From sixteen numbers in column-major order, as glTF has them.
    pub fn from_columns(numbers: [f32; 16]) -> Mat4 {
        Mat4 { columns: bytemuck::cast(numbers) }
    }

    /// The sixteen numbers in column-major order.
    pub fn to_columns(self) -> [f32; 16] {
        bytemuck::cast(self.columns)
    }

    /// The rotation matrix of a unit quaternion.
    pub fn from_rotation(rotation: Quat) -> Mat4 {
        let [x, y, z, w] = rotation.to_f64();
        let row = |a: f64, b: f64, c: f64| [narrow(a), narrow(b), narrow(c), 0.0];
        Mat4 {
            columns: [
                row(1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + z * w), 2.0 * (x * z - y * w)),
                row(2.0 * (x * y - z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + x * w)),
                row(2.0 * (x * z + y * w), 2.0 * (y * z - x * w), 1.0 - 2.0 * (x * x + y * y)),
                [0.0, 0.0, 0.0, 1.0],
            ],
        }
    }

    /// Whether no element is NaN or infinite.
    pub fn is_finite(self) -> bool {
        self.to_columns().iter().all(|c| c.is_finite())
    }

    /// A point: rotated, scaled and moved. The last row is taken as (0, 0, 0, 1).
    pub fn transform_point(self, p: Vec3) -> Vec3 {
        let [a, b, c, t] = self.columns;
        Vec3::new(
            a[0] * p.x + b[0] * p.y + c[0] * p.z + t[0],
            a[1] * p.x + b[1] * p.y + c[1] * p.z + t[1],
            a[2] * p.x + b[2] * p.y + c[2] * p.z + t[2],
        )
    }

    /// A direction: rotated and scaled, not moved.
    pub fn transform_vector(self, v: Vec3) -> Vec3 {
        let [a, b, c, _] = self.columns;
        Vec3::new(
            a[0] * v.x + b[0] * v.y + c[0] * v.z,
            a[1] * v.x + b[1] * v.y + c[1] * v.z,
            a[2] * v.x + b[2] * v.y + c[2] * v.z,
        )
    }

    /// The inverse of an affine matrix (last row 0 0 0 1), computed in f64; `None` where it is
    /// singular or not finite.
    pub fn inverse(self) -> Option<Mat4> {
        let [a, b, c, t] = self.columns.map(|column| column.map(f64::from));
        let cross = |u: [f64; 4], v: [f64; 4]| {
            [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
        };
        // Rows of the inverse of the 3 × 3 part are the cross products of its columns over the
        // determinant.
        let rows = [cross(b, c), cross(c, a), cross(a, b)];
        let determinant = a[0] * rows[0][0] + a[1] * rows[0][1] + a[2] * rows[0][2];
        if determinant == 0.0 || !determinant.is_finite() {
            return None;
        }
        let rows = rows.map(|row| row.map(|e| e / determinant));
        let moved = rows.map(|r| -(r[0] * t[0] + r[1] * t[1] + r[2] * t[2]));
        let [x, y, z] = rows;
        let inverse = Mat4 {
            columns: [
                [narrow(x[0]), narrow(y[0]), narrow(z[0]), 0.0],
                [narrow(x[1]), narrow(y[1]), narrow(z[1]), 0.0],
                [narrow(x[2]), narrow(y[2]), narrow(z[2]), 0.0],
                [narrow(moved[0]), narrow(moved[1]), narrow(moved[2]), 1.0],
            ],
        };
        inverse.is_finite().then_some(inverse)
    }

    /// Splits an affine matrix into `T · R · S`. Where it has shear no such split exists: the
    /// result is then near it, which [`Mat4::is_near`] tells. A mirrored matrix gets a negative x
    /// scale. A column without length gives a scale of 0.
    pub fn to_transform(self) -> Transform {
        let [a, b, c, t] = self.columns;
        let translation = Vec3::new(t[0], t[1], t[2]);
        let axis = |v: [f32; 4]| Vec3::new(v[0], v[1], v[2]);
        let mut scale = [axis(a).length(), axis(b).length(), axis(c).length()];
        let [mut ax, mut ay, mut az] =
            [(axis(a), scale[0]), (axis(b), scale[1]), (axis(c), scale[2])].map(|(v, length)| {
                if length > 0.0 { v.to_array().map(|e| f64::from(e) / length) } else { [0.0; 3] }
            });
        let cross = |u: [f64; 3], v: [f64; 3]| {
            [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
        };
        let dot = |u: [f64; 3], v: [f64; 3]| u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
        if dot(cross(ax, ay), az) < 0.0 {
            scale[0] = -scale[0];
            ax = ax.map(|e| -e);
        }
        // Axes without a length are filled in from the others, so that the rotation is one.
        let perpendicular = |u: [f64; 3]| {
            let other = if u[0].abs() < 0.9 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
            let v = cross(u, other);
            let length = dot(v, v).sqrt();
            v.map(|e| e / length)
        };
        let missing = |u: [f64; 3]| dot(u, u) == 0.0;
        match (missing(ax), missing(ay), missing(az)) {
            (true, true, true) => {
                (ax, ay, az) = ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0])
            }
            (false, true, true) => ay = perpendicular(ax),
            (true, false, true) => ax = perpendicular(ay),
            (true, true, false) => ax = perpendicular(az),
            _ => {}
        }
        if missing(ax) {
            ax = cross(ay, az);
        }
        if missing(ay) {
            ay = cross(az, ax);
        }
        if missing(az) {
            az = cross(ax, ay);
        }
        // Shepperd's method: divide by the greatest of the four candidates.
        let (m00, m11, m22) = (ax[0], ay[1], az[2]);
        let trace = m00 + m11 + m22;
        let rotation = if trace > 0.0 {
            let s = (trace + 1.0).sqrt() * 2.0;
            [(ay[2] - az[1]) / s, (az[0] - ax[2]) / s, (ax[1] - ay[0]) / s, s / 4.0]
        } else if m00 > m11 && m00 > m22 {
            let s = (1.0 + m00 - m11 - m22).max(0.0).sqrt() * 2.0;
            [s / 4.0, (ay[0] + ax[1]) / s, (az[0] + ax[2]) / s, (ay[2] - az[1]) / s]
        } else if m11 > m22 {
            let s = (1.0 + m11 - m00 - m22).max(0.0).sqrt() * 2.0;
            [(ay[0] + ax[1]) / s, s / 4.0, (az[1] + ay[2]) / s, (az[0] - ax[2]) / s]
        } else {
            let s = (1.0 + m22 - m00 - m11).max(0.0).sqrt() * 2.0;
            [(az[0] + ax[2]) / s, (az[1] + ay[2]) / s, s / 4.0, (ax[1] - ay[0]) / s]
        };
        Transform {
            translation,
            rotation: Quat::from_f64(rotation).normalized(),
            scale: Vec3::from(scale.map(narrow)),
        }
    }

    /// Whether every element differs by at most `tolerance` times the longest axis of the 3 × 3
    /// part (at least: of the unit matrix's).
    pub fn is_near(self, other: Mat4, tolerance: f32) -> bool {
        let longest = self
            .columns
            .iter()
            .take(3)
            .flatten()
            .fold(0.0_f32, |m, e| m.max(e.abs()))
            .max(f32::MIN_POSITIVE);
        let linear =
            self.columns.iter().take(3).flatten().zip(other.columns.iter().take(3).flatten());
        let moved =
            self.columns.iter().skip(3).flatten().zip(other.columns.iter().skip(3).flatten());
        linear.clone().all(|(a, b)| (a - b).abs() <= tolerance * longest)
            && moved.clone().all(|(a, b)| (a - b).abs() <= tolerance * a.abs().max(longest))
    }
}

/// `a * b` applies `b` first, then `a`. Sums are taken in f64, so that a long chain of joints stays
/// exact to f32.
impl std::ops::Mul for Mat4 {
    type Output = Mat4;

    fn mul(self, other: Mat4) -> Mat4 {
        let [a, b, c, d] = self.columns;
        let columns = other.columns.map(|column| {
            let [x, y, z, w] = column.map(f64::from);
            let row = |i: [f32; 4]| {
                let [a, b, c, d] = i.map(f64::from);
                narrow(a * x + b * y + c * z + d * w)
            };
            [
                row([a[0], b[0], c[0], d[0]]),
                row([a[1], b[1], c[1], d[1]]),
                row([a[2], b[2], c[2], d[2]]),
                row([a[3], b[3], c[3], d[3]]),
            ]
        });
        Mat4 { columns }
    }
}

/// Translation, rotation and scale, applied in the order scale, rotation, translation: the matrix
/// is `T · R · S`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Transform {
    /// In the file's unit of length.
    pub translation: Vec3,
    /// A unit quaternion.
    pub rotation: Quat,
    /// Factors along the three axes.
    pub scale: Vec3,
}

impl Default for Transform {
    fn default() -> Transform {
        Transform::IDENTITY
    }
}

impl Transform {
    /// Leaves every point where it is.
    pub const IDENTITY: Transform =
        Transform { translation: Vec3::ZERO, rotation: Quat::IDENTITY, scale: Vec3::ONE };

    /// The matrix `T · R · S`.
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

    /// `self · other` as one transform: exact where this scale is the same along all axes (a
    /// transform has no shear).
    pub fn then(self, other: Transform) -> Transform {
        let scaled = Vec3::new(
            other.translation.x * self.scale.x,
            other.translation.y * self.scale.y,
            other.translation.z * self.scale.z,
        );
        let moved = self.rotation.rotate(scaled);
        Transform {
            translation: Vec3::new(
                self.translation.x + moved.x,
                self.translation.y + moved.y,
                self.translation.z + moved.z,
            ),
            rotation: (self.rotation * other.rotation).normalized(),
            scale: Vec3::new(
                self.scale.x * other.scale.x,
                self.scale.y * other.scale.y,
                self.scale.z * other.scale.z,
            ),
        }
    }

    /// Whether no component is NaN or infinite.
    pub fn is_finite(self) -> bool {
        self.translation.is_finite()
            && self.scale.is_finite()
            && self.rotation.to_array().iter().all(|c| c.is_finite())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn close(a: Mat4, b: Mat4) -> bool {
        a.to_columns().iter().zip(b.to_columns()).all(|(a, b)| (a - b).abs() < 1e-4)
    }

    #[test]
    fn a_quarter_turn_about_z_takes_x_to_y() {
        let turn = Quat::from_axis_angle(Vec3::new(0.0, 0.0, 2.0), std::f64::consts::FRAC_PI_2);
        let v = turn.rotate(Vec3::new(1.0, 0.0, 0.0));
        assert!((v.x.abs() < 1e-6) && (v.y - 1.0).abs() < 1e-6, "{v:?}");
    }

    #[test]
    fn matrices_without_a_length_still_decompose_to_finite_transforms() {
        for columns in
            [[[0.0; 4]; 4], [[1.0, 0.0, 0.0, 0.0], [0.0; 4], [0.0; 4], [0.0, 0.0, 0.0, 1.0]]]
        {
            assert!(Mat4 { columns }.to_transform().is_finite());
            assert_eq!(Mat4 { columns }.inverse(), None);
        }
    }

    proptest! {
        #[test]
        fn transforms_survive_the_matrix(t in prop::array::uniform3(-9.0f32..9.0), axis in prop::array::uniform3(-1.0f32..1.0),
                                         angle in -3.0f64..3.0, s in prop::array::uniform3(0.1f32..5.0), mirror in any::<bool>()) {
            let scale = Vec3::new(if mirror { -s[0] } else { s[0] }, s[1], s[2]);
            let transform = Transform { translation: t.into(), rotation: Quat::from_axis_angle(axis.into(), angle), scale };
            let matrix = transform.to_matrix();
            prop_assert!(close(matrix.to_transform().to_matrix(), matrix));
            prop_assert!(close(matrix * matrix.inverse().unwrap(), Mat4::IDENTITY));
            prop_assert!(matrix.is_near(matrix.to_transform().to_matrix(), 1e-5));
        }
    }
}
