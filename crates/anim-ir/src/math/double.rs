//! Vectors, rotations and 3 × 3 matrices as plain f64 arrays, for sums that would lose precision in
//! f32.
//!
//! Vectors are x, y, z. Quaternions are x, y, z, w, with the real part last. Matrices are arrays of
//! three columns.

/// x, y, z.
pub type Vec3 = [f64; 3];
/// x, y, z, w.
pub type Quat = [f64; 4];
/// Three columns.
pub type Mat3 = [Vec3; 3];

/// The identity rotation.
pub const IDENTITY: Quat = [0.0, 0.0, 0.0, 1.0];

/// Returns the dot product.
#[inline]
pub fn dot(a: Vec3, b: Vec3) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Returns the cross product.
#[inline]
pub fn cross(a: Vec3, b: Vec3) -> Vec3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Returns the Euclidean length.
#[inline]
pub fn length(v: Vec3) -> f64 {
    dot(v, v).sqrt()
}

/// Returns the distance between two points.
#[inline]
pub fn distance(a: Vec3, b: Vec3) -> f64 {
    length([a[0] - b[0], a[1] - b[1], a[2] - b[2]])
}

/// Returns the unit vector in the same direction, or `None` if the length is 0 or not finite.
#[inline]
pub fn unit(v: Vec3) -> Option<Vec3> {
    let length = length(v);
    (length > 0.0 && length.is_finite()).then(|| v.map(|c| c / length))
}

/// Returns a unit vector perpendicular to a unit vector.
pub fn perpendicular(v: Vec3) -> Vec3 {
    let other = if v[0].abs() < 0.9 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
    let across = cross(v, other);
    let length = length(across);
    across.map(|e| e / length)
}

/// Interpolates linearly between two vectors: `part` is 0 at the first and 1 at the second.
#[inline]
pub fn lerp(a: Vec3, b: Vec3, part: f64) -> Vec3 {
    [a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part, a[2] + (b[2] - a[2]) * part]
}

/// Multiplies a matrix by a vector.
#[inline]
pub fn transform([a, b, c]: Mat3, [x, y, z]: Vec3) -> Vec3 {
    [a[0] * x + b[0] * y + c[0] * z, a[1] * x + b[1] * y + c[1] * z, a[2] * x + b[2] * y + c[2] * z]
}

/// Returns the determinant of a matrix, which is negative for a mirroring matrix.
#[inline]
pub fn determinant([a, b, c]: Mat3) -> f64 {
    dot(a, cross(b, c))
}

/// Returns the cofactor matrix: the inverse transpose times the determinant. It transforms normals,
/// up to sign and length.
#[inline]
pub fn cofactors([a, b, c]: Mat3) -> Mat3 {
    [cross(b, c), cross(c, a), cross(a, b)]
}

/// Returns the product `a · b`, which applies `b` first. It is linear in both factors, so tangents
/// can be rotated like values.
#[inline]
pub fn multiply([ax, ay, az, aw]: Quat, [bx, by, bz, bw]: Quat) -> Quat {
    [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]
}

/// Returns the inverse of a unit quaternion.
#[inline]
pub const fn conjugate([x, y, z, w]: Quat) -> Quat {
    [-x, -y, -z, w]
}

/// Returns the unit quaternion for the same rotation, or [`IDENTITY`] if the length is 0 or not
/// finite.
#[inline]
pub fn normalized(q: Quat) -> Quat {
    let length = q.iter().map(|c| c * c).sum::<f64>().sqrt();
    if length > 0.0 && length.is_finite() { q.map(|c| c / length) } else { IDENTITY }
}

/// Returns the rotation matrix of a unit quaternion.
#[inline]
pub fn to_matrix([x, y, z, w]: Quat) -> Mat3 {
    [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + z * w), 2.0 * (x * z - y * w)],
        [2.0 * (x * y - z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + x * w)],
        [2.0 * (x * z + y * w), 2.0 * (y * z - x * w), 1.0 - 2.0 * (x * x + y * y)],
    ]
}

/// Returns the quaternion for a rotation matrix (Shepperd's method, with a divisor that is never
/// close to 0). The result is only a unit quaternion if the matrix is exactly a rotation; see
/// [`normalized`].
#[inline]
pub fn from_matrix([a, b, c]: Mat3) -> Quat {
    let (m00, m11, m22) = (a[0], b[1], c[2]);
    let trace = m00 + m11 + m22;
    let divisor = |square: f64| square.max(0.0).sqrt() * 2.0;
    if trace > 0.0 {
        let s = divisor(trace + 1.0);
        [(b[2] - c[1]) / s, (c[0] - a[2]) / s, (a[1] - b[0]) / s, s / 4.0]
    } else if m00 > m11 && m00 > m22 {
        let s = divisor(1.0 + m00 - m11 - m22);
        [s / 4.0, (b[0] + a[1]) / s, (c[0] + a[2]) / s, (b[2] - c[1]) / s]
    } else if m11 > m22 {
        let s = divisor(1.0 + m11 - m00 - m22);
        [(b[0] + a[1]) / s, s / 4.0, (c[1] + b[2]) / s, (c[0] - a[2]) / s]
    } else {
        let s = divisor(1.0 + m22 - m00 - m11);
        [(c[0] + a[2]) / s, (c[1] + b[2]) / s, s / 4.0, (a[1] - b[0]) / s]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn rotations_survive_the_matrix(
            a in prop::array::uniform4(-1.0_f64..1.0), b in prop::array::uniform4(-1.0_f64..1.0),
            v in prop::array::uniform3(-5.0_f64..5.0),
        ) {
            let [a, b] = [a, b].map(normalized);
            let again = from_matrix(to_matrix(a));
            let dot: f64 = a.iter().zip(again).map(|(a, b)| a * b).sum();
            let sign = if dot < 0.0 { -1.0 } else { 1.0 };
            for (x, y) in a.iter().zip(again) {
                prop_assert!((x - sign * y).abs() < 1e-9, "{a:?} {again:?}");
            }
            let (both, one_by_one) = (
                transform(to_matrix(multiply(a, b)), v),
                transform(to_matrix(a), transform(to_matrix(b), v)),
            );
            let back = transform(to_matrix(multiply(conjugate(a), a)), v);
            for axis in 0..3 {
                prop_assert!((both[axis] - one_by_one[axis]).abs() < 1e-12);
                prop_assert!((back[axis] - v[axis]).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn the_inverse_is_the_cofactors_over_the_determinant() {
        let m = [[2.0, 0.0, 1.0], [0.0, -3.0, 0.0], [1.0, 1.0, 1.0]];
        assert_eq!(determinant(m), -3.0);
        // The transposed cofactor matrix times the matrix is the determinant times the identity.
        for (row, cofactor) in cofactors(m).into_iter().enumerate() {
            for (column, axis) in m.into_iter().enumerate() {
                assert_eq!(dot(cofactor, axis), if row == column { -3.0 } else { 0.0 });
            }
        }
        let v = [0.6, 0.0, 0.8];
        assert!(dot(perpendicular(v), v).abs() < 1e-12 && length(perpendicular(v)) > 0.999);
    }
}
