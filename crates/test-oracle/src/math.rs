//! Vectors, quaternions and column-major matrices in `f64`.

/// A matrix by columns: `m[column][row]`, as glTF stores it. The translation is `m[3][0..3]`.
pub type Mat4 = [[f64; 4]; 4];

/// The identity matrix.
pub const IDENTITY: Mat4 =
    [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];

/// Returns the product `a · b`, which applies `b` first, then `a`.
pub fn mul(a: &Mat4, b: &Mat4) -> Mat4 {
    let mut product = [[0.0; 4]; 4];
    for column in 0..4 {
        for row in 0..4 {
            for k in 0..4 {
                product[column][row] += a[k][row] * b[column][k];
            }
        }
    }
    product
}

/// Returns the first three components of `m · (p, 1)`.
pub fn transform_point(m: &Mat4, p: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|row| m[0][row] * p[0] + m[1][row] * p[1] + m[2][row] * p[2] + m[3][row])
}

/// Returns the inverse, by Gauss-Jordan elimination with pivoting. Panics on a singular matrix.
pub fn inverse(m: &Mat4) -> Mat4 {
    // Rows of the matrix, each extended by a row of the identity matrix.
    let mut rows = [[0.0; 8]; 4];
    for (r, row) in rows.iter_mut().enumerate() {
        for c in 0..4 {
            row[c] = m[c][r];
        }
        row[4 + r] = 1.0;
    }
    for pivot in 0..4 {
        let best = (pivot..4)
            .max_by(|&a, &b| rows[a][pivot].abs().total_cmp(&rows[b][pivot].abs()))
            .unwrap();
        rows.swap(pivot, best);
        let divisor = rows[pivot][pivot];
        assert!(divisor.abs() > 1e-300, "singular matrix {m:?}");
        rows[pivot] = rows[pivot].map(|x| x / divisor);
        let pivot_row = rows[pivot];
        for (r, row) in rows.iter_mut().enumerate() {
            if r != pivot {
                let factor = row[pivot];
                for (x, p) in row.iter_mut().zip(pivot_row) {
                    *x -= factor * p;
                }
            }
        }
    }
    let mut result = [[0.0; 4]; 4];
    for (column, values) in result.iter_mut().enumerate() {
        for (row, value) in values.iter_mut().enumerate() {
            *value = rows[row][4 + column];
        }
    }
    result
}

/// Returns the matrix that translates by `t`.
pub fn translation(t: [f64; 3]) -> Mat4 {
    let mut m = IDENTITY;
    m[3] = [t[0], t[1], t[2], 1.0];
    m
}

/// Returns the matrix that scales by `s` along the axes.
pub fn scaling(s: [f64; 3]) -> Mat4 {
    let mut m = IDENTITY;
    for i in 0..3 {
        m[i][i] = s[i];
    }
    m
}

/// Returns the matrix of a rotation by the quaternion `q` (x y z w), which is normalised first.
pub fn rotation(q: [f64; 4]) -> Mat4 {
    let [x, y, z, w] = normalized(q);
    [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + z * w), 2.0 * (x * z - y * w), 0.0],
        [2.0 * (x * y - z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + x * w), 0.0],
        [2.0 * (x * z + y * w), 2.0 * (y * z - x * w), 1.0 - 2.0 * (x * x + y * y), 0.0],
        [0.0, 0.0, 0.0, 1.0],
    ]
}

pub fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|i| a[i] * b[i]).sum()
}

pub fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Returns the quaternion (x y z w) that applies `b` first, then `a`.
pub fn quaternion_product(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
    let (va, vb) = ([a[0], a[1], a[2]], [b[0], b[1], b[2]]);
    let c = cross(va, vb);
    [
        a[3] * vb[0] + b[3] * va[0] + c[0],
        a[3] * vb[1] + b[3] * va[1] + c[1],
        a[3] * vb[2] + b[3] * va[2] + c[2],
        a[3] * b[3] - dot(va, vb),
    ]
}

/// Returns the quaternion (x y z w) that rotates by an angle in radians about x (0), y (1) or z
/// (2).
pub(crate) fn about(axis: usize, angle: f64) -> [f64; 4] {
    let mut q = [0.0; 4];
    (q[axis], q[3]) = (angle / 2.0).sin_cos();
    q
}

cases! {
    /// The order of rotations about the axes, as a product. The last rotation is applied first.
    #[derive(Default)]
    pub enum Order {
        Xyz,
        Xzy,
        Yxz,
        Yzx,
        Zxy,
        #[default]
        Zyx,
    }
}

impl Order {
    /// Returns the axes of the product, from left to right.
    pub fn axes(self) -> [usize; 3] {
        match self {
            Order::Xyz => [0, 1, 2],
            Order::Xzy => [0, 2, 1],
            Order::Yxz => [1, 0, 2],
            Order::Yzx => [1, 2, 0],
            Order::Zxy => [2, 0, 1],
            Order::Zyx => [2, 1, 0],
        }
    }

    /// Returns the product of the rotations by angles about x, y and z in radians.
    pub(crate) fn turn(self, angles: [f64; 3]) -> [f64; 4] {
        let [a, b, c] = self.axes().map(|axis| about(axis, angles[axis]));
        quaternion_product(quaternion_product(a, b), c)
    }
}

/// Returns `q` (x y z w) normalised. The zero quaternion becomes the identity (reading 7).
pub fn normalized(q: [f64; 4]) -> [f64; 4] {
    let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    if length == 0.0 { [0.0, 0.0, 0.0, 1.0] } else { q.map(|x| x / length) }
}

/// Interpolates linearly from `a` to `b`; `u` is 0 to 1.
pub fn lerp<const N: usize>(a: [f64; N], b: [f64; N], u: f64) -> [f64; N] {
    std::array::from_fn(|i| a[i] + (b[i] - a[i]) * u)
}

/// Interpolates along the shortest arc from `a` to `b` (quaternions x y z w, normalised first) at
/// constant angular speed; `u` is 0 to 1.
pub fn slerp(a: [f64; 4], b: [f64; 4], u: f64) -> [f64; 4] {
    let a = normalized(a);
    let mut b = normalized(b);
    let dot: f64 = (0..4).map(|i| a[i] * b[i]).sum();
    if dot < 0.0 {
        b = b.map(|x| -x);
    }
    let length = |q: [f64; 4]| q.iter().map(|x| x * x).sum::<f64>().sqrt();
    let difference = length(std::array::from_fn(|i| a[i] - b[i]));
    let sum = length(std::array::from_fn(|i| a[i] + b[i]));
    let angle = 2.0 * difference.atan2(sum);
    if angle < 1e-9 {
        return normalized(lerp(a, b, u));
    }
    let (of_a, of_b) = (((1.0 - u) * angle).sin() / angle.sin(), (u * angle).sin() / angle.sin());
    normalized(std::array::from_fn(|i| of_a * a[i] + of_b * b[i]))
}

/// Whether any item is its own ancestor. An item whose parent does not exist is treated as a root.
pub(crate) fn has_cycle(parents: &[Option<usize>]) -> bool {
    // The start of the walk that first reached each item. A walk that joins an earlier one can
    // stop there, since the earlier walk found no cycle.
    let mut reached_from = vec![None; parents.len()];
    (0..parents.len()).any(|start| {
        let mut next = Some(start);
        while let Some(here) = next.filter(|&here| here < parents.len()) {
            if let Some(earlier) = reached_from[here] {
                return earlier == start;
            }
            reached_from[here] = Some(start);
            next = parents[here];
        }
        false
    })
}

/// Returns the weighted sum of vectors.
pub(crate) fn weighted_sum(parts: impl IntoIterator<Item = ([f64; 3], f64)>) -> [f64; 3] {
    let add = |sum: [f64; 3], (part, weight): ([f64; 3], f64)| {
        std::array::from_fn(|i| sum[i] + weight * part[i])
    };
    parts.into_iter().fold([0.0; 3], add)
}

/// Samples keys sorted by time at time `t`: returns the value of the first or last key outside
/// their range, and otherwise applies `between` to the neighbouring keys and the fraction between
/// them. `None` without keys.
pub(crate) fn sample<T: Copy>(
    keys: &[(f64, T)],
    t: f64,
    between: impl Fn(T, T, f64) -> T,
) -> Option<T> {
    let (first, last) = (keys.first()?, keys.last()?);
    if t <= first.0 {
        return Some(first.1);
    }
    if t >= last.0 {
        return Some(last.1);
    }
    let next = keys.iter().position(|key| key.0 > t).unwrap();
    let (a, b) = (keys[next - 1], keys[next]);
    Some(between(a.1, b.1, (t - a.0) / (b.0 - a.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: &[f64], b: &[f64]) {
        assert_eq!(a.len(), b.len());
        assert!(a.iter().zip(b).all(|(x, y)| (x - y).abs() < 1e-12), "{a:?} is not {b:?}");
    }

    const HALF: f64 = std::f64::consts::FRAC_1_SQRT_2;

    #[test]
    fn quarter_turns_have_the_right_direction() {
        let [x, y, z] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        for (axis, from, to) in [(0, y, z), (1, z, x), (2, x, y), (2, y, x.map(|x| -x)), (2, z, z)]
        {
            let mut q = [0.0, 0.0, 0.0, HALF];
            q[axis] = HALF;
            close(&transform_point(&rotation(q), from), &to);
        }
    }

    #[test]
    fn the_right_factor_of_a_product_is_applied_first() {
        let m = mul(
            &translation([1.0, 2.0, 3.0]),
            &mul(&rotation([0.0, 0.0, 1.0, 1.0]), &scaling([2.0, 1.0, 1.0])),
        );
        close(&transform_point(&m, [1.0, 0.0, 0.0]), &[1.0, 4.0, 3.0]);
    }

    #[test]
    fn a_matrix_times_its_inverse_is_the_identity() {
        // The pivot of the first column is in the third row.
        let m = [
            [0.0, 0.5, 2.0, 0.0],
            [3.0, 0.0, 0.25, 0.0],
            [0.0, -1.0, 1.0, 0.0],
            [5.0, -6.0, 7.0, 1.0],
        ];
        close(mul(&m, &inverse(&m)).as_flattened(), IDENTITY.as_flattened());
        close(mul(&inverse(&m), &m).as_flattened(), IDENTITY.as_flattened());
    }

    #[test]
    fn slerp_takes_the_shortest_arc_at_constant_speed() {
        let quarter = [0.0, 0.0, HALF, HALF];
        let turn = |degrees: f64| {
            let half = degrees.to_radians() / 2.0;
            [0.0, 0.0, half.sin(), half.cos()]
        };
        close(&slerp(turn(0.0), quarter, 1.0 / 3.0), &turn(30.0));
        close(&slerp(turn(0.0), quarter.map(|x| -3.0 * x), 0.5), &turn(45.0));
        close(&slerp(turn(10.0), turn(10.0), 0.7), &turn(10.0));
        close(&slerp(turn(10.0), turn(10.0 + 1e-6), 0.5), &turn(10.0 + 0.5e-6));
    }

    #[test]
    fn sampling_clamps_outside_the_keys() {
        let keys = [(1.0, 10.0), (2.0, 20.0), (4.0, 0.0)];
        let at = |t| sample(&keys, t, |a, b, u| a + (b - a) * u).unwrap();
        assert_eq!(
            [0.0, 1.0, 1.5, 2.0, 3.5, 4.0, 9.0].map(at),
            [10.0, 10.0, 15.0, 20.0, 5.0, 0.0, 0.0]
        );
        assert_eq!(sample::<f64>(&[], 0.0, |a, _, _| a), None);
    }
}
