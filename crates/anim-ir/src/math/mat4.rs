//! Matrices.

use std::ops::{Add, Mul, Neg, Sub};

use crate::Vec3;
use crate::file::number::narrow;
use crate::math::double;

/// A 4 × 4 matrix, column-major, acting on column vectors.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Mat4 {
    /// The four columns; the last is the translation.
    pub columns: [[f32; 4]; 4],
}

impl Default for Mat4 {
    fn default() -> Mat4 {
        Mat4::IDENTITY
    }
}

impl Mat4 {
    /// The identity.
    pub const IDENTITY: Mat4 = Mat4 {
        columns: [
            [1.0, 0.0, 0.0, 0.0],
            [0.0, 1.0, 0.0, 0.0],
            [0.0, 0.0, 1.0, 0.0],
            [0.0, 0.0, 0.0, 1.0],
        ],
    };

    /// Creates a matrix from sixteen elements in column-major order, as in glTF.
    pub fn from_columns(numbers: [f32; 16]) -> Mat4 {
        Mat4 { columns: bytemuck::cast(numbers) }
    }

    /// Returns the sixteen elements in column-major order.
    pub fn to_columns(self) -> [f32; 16] {
        bytemuck::cast(self.columns)
    }

    /// Whether no element is NaN or infinite.
    pub fn is_finite(self) -> bool {
        self.to_columns().iter().all(|c| c.is_finite())
    }

    /// Transforms a point. The last row is assumed to be (0, 0, 0, 1).
    #[inline]
    pub fn transform_point(self, p: Vec3) -> Vec3 {
        let [a, b, c, t] = self.columns;
        Vec3::new(
            a[0] * p.x + b[0] * p.y + c[0] * p.z + t[0],
            a[1] * p.x + b[1] * p.y + c[1] * p.z + t[1],
            a[2] * p.x + b[2] * p.y + c[2] * p.z + t[2],
        )
    }

    /// Transforms a direction, ignoring the translation.
    #[inline]
    pub fn transform_vector(self, v: Vec3) -> Vec3 {
        let [a, b, c, _] = self.columns;
        Vec3::new(
            a[0] * v.x + b[0] * v.y + c[0] * v.z,
            a[1] * v.x + b[1] * v.y + c[1] * v.z,
            a[2] * v.x + b[2] * v.y + c[2] * v.z,
        )
    }

    /// Returns the inverse of an affine matrix (last row 0 0 0 1), computed in f64, or `None` if
    /// the matrix is singular or not finite.
    pub fn inverse(self) -> Option<Mat4> {
        let axes = self.axes();
        let [_, _, _, [x, y, z, _]] = self.columns;
        let t = Vec3::new(x, y, z).to_f64();
        // The rows of the inverse of the 3 × 3 part are its cofactors divided by its determinant.
        let (rows, determinant) = (double::cofactors(axes), double::determinant(axes));
        if determinant == 0.0 || !determinant.is_finite() {
            return None;
        }
        let rows = rows.map(|row| row.map(|e| e / determinant));
        let moved = rows.map(|row| -double::dot(row, t));
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

    /// Returns the matrix for transforming normals: the inverse transpose of the 3 × 3 part.
    /// Transformed normals have to be normalised. `None` if the matrix has no inverse.
    pub fn normal_matrix(self) -> Option<Mat4> {
        let [a, b, c, _] = self.inverse()?.columns;
        let row = |at: fn([f32; 4]) -> f32| [at(a), at(b), at(c), 0.0];
        let [x, y, z] = [row(|[x, ..]| x), row(|[_, y, ..]| y), row(|[_, _, z, _]| z)];
        Some(Mat4 { columns: [x, y, z, [0.0, 0.0, 0.0, 1.0]] })
    }

    /// Returns the determinant of the 3 × 3 part, computed in f64. It is negative for a mirroring
    /// matrix, which flips the winding of faces.
    pub fn determinant(self) -> f64 {
        double::determinant(self.axes())
    }

    /// Returns the columns of the 3 × 3 part in f64.
    #[inline]
    pub(crate) fn axes(self) -> double::Mat3 {
        let [a, b, c, _] = self.columns;
        [a, b, c].map(|[x, y, z, _]| [x, y, z].map(f64::from))
    }

    fn map(self, other: Mat4, combine: impl Fn(f32, f32) -> f32) -> Mat4 {
        let mut columns = self.columns;
        let numbers = columns.as_flattened_mut().iter_mut();
        numbers.zip(other.columns.as_flattened()).for_each(|(a, b)| *a = combine(*a, *b));
        Mat4 { columns }
    }

    /// Whether all elements are equal within `tolerance`, which is relative to the largest absolute
    /// element of this matrix's axes (the first three columns). For an element of the translation
    /// with a larger absolute value, it is relative to that element.
    pub fn is_near(self, other: Mat4, tolerance: f32) -> bool {
        let numbers = self.to_columns();
        let (linear, moved) = numbers.split_at(12);
        let longest = linear.iter().fold(f32::MIN_POSITIVE, |most, e| most.max(e.abs()));
        let sizes =
            linear.iter().map(|_| longest).chain(moved.iter().map(|e| e.abs().max(longest)));
        let apart = numbers.iter().zip(other.to_columns()).map(|(a, b)| (a - b).abs());
        apart.zip(sizes).all(|(apart, size)| apart <= tolerance * size)
    }
}

/// `a * b` applies `b` first, then `a`. Sums are computed in f64, so each element is rounded to f32
/// only once.
impl Mul for Mat4 {
    type Output = Mat4;

    fn mul(self, other: Mat4) -> Mat4 {
        let [a, b, c, d] = self.columns;
        let row = |[a, b, c, d]: [f32; 4], [x, y, z, w]: [f32; 4]| {
            narrow(
                f64::from(a) * f64::from(x)
                    + f64::from(b) * f64::from(y)
                    + f64::from(c) * f64::from(z)
                    + f64::from(d) * f64::from(w),
            )
        };
        let column = |of: [f32; 4]| {
            [
                row([a[0], b[0], c[0], d[0]], of),
                row([a[1], b[1], c[1], d[1]], of),
                row([a[2], b[2], c[2], d[2]], of),
                row([a[3], b[3], c[3], d[3]], of),
            ]
        };
        let [x, y, z, w] = other.columns;
        Mat4 { columns: [column(x), column(y), column(z), column(w)] }
    }
}

operators! {
    /// Applies the operation to each element.
    Mul::mul(a: Mat4, b: f32) -> Mat4 { a.map(a, |element, _| element * b) }
    /// Applies the operation to each element.
    Add::add(a: Mat4, b: Mat4) -> Mat4 { a.map(b, |a, b| a + b) }
    /// Applies the operation to each element.
    Sub::sub(a: Mat4, b: Mat4) -> Mat4 { a.map(b, |a, b| a - b) }
    /// Applies the operation to each element.
    Neg::neg(a: Mat4) -> Mat4 { a.map(a, |element, _| -element) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transformed_normals_stay_perpendicular_to_the_surface() {
        let mut matrix = Mat4::from_columns([
            2.0, 0.0, 0.5, 0.0, -1.0, 3.0, 0.0, 0.0, 0.0, 0.25, -1.0, 0.0, 7.0, 8.0, 9.0, 1.0,
        ]);
        assert!(matrix.determinant() < 0.0);
        let (u, v) = (Vec3::new(1.0, 2.0, 0.0), Vec3::new(0.0, 1.0, -3.0));
        let turned = matrix.normal_matrix().unwrap().transform_vector(u.cross(v));
        for tangent in [u, v].map(|v| matrix.transform_vector(v)) {
            assert!(turned.dot(tangent).abs() < 1e-5, "{turned:?} {tangent:?}");
        }
        matrix.columns[0] = [0.0; 4];
        assert_eq!(matrix.normal_matrix(), None);
    }

    #[test]
    fn elements_are_added() {
        let twice = Mat4::IDENTITY * 2.0;
        assert_eq!(
            (twice - Mat4::IDENTITY, Mat4::IDENTITY + Mat4::IDENTITY),
            (Mat4::IDENTITY, twice)
        );
        assert_eq!(-twice + twice, Mat4::from_columns([0.0; 16]));
    }
}
