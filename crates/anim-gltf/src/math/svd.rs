//! Singular value decomposition: decomposes a 3 × 3 matrix into rotation · scale · rotation.

use anim_ir::double::{Mat3, cross, dot, length, perpendicular};

/// `M = U · Σ · Vᵀ` with proper rotations U and V. If the matrix mirrors, one factor of Σ is
/// negative.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Svd {
    pub(crate) u: Mat3,
    pub(crate) sigma: [f64; 3],
    pub(crate) v: Mat3,
}

/// Axes shorter than this times the longest axis have no meaningful direction.
const NEGLIGIBLE: f64 = 1e-13;

/// Two columns count as orthogonal below this cosine.
const ORTHOGONAL: f64 = 1e-15;

/// Maximum number of sweeps. Jacobi converges quadratically, so a few are enough.
const MOST_SWEEPS: usize = 40;

impl Svd {
    /// One-sided Jacobi: rotates pairs of columns until all are orthogonal. The accumulated
    /// rotation is V, the resulting columns are U · Σ. Factors are not sorted, so a matrix without
    /// shear keeps its axes.
    pub(crate) fn of(matrix: Mat3) -> Svd {
        let [mut a, mut b, mut c] = matrix;
        let [mut va, mut vb, mut vc] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        for _ in 0..MOST_SWEEPS {
            let turned = [
                orthogonalize(&mut a, &mut b, &mut va, &mut vb),
                orthogonalize(&mut a, &mut c, &mut va, &mut vc),
                orthogonalize(&mut b, &mut c, &mut vb, &mut vc),
            ];
            if turned == [false; 3] {
                break;
            }
        }
        let (u, sigma) = split([a, b, c]);
        Svd { u, sigma, v: [va, vb, vc] }
    }
}

/// Splits three columns, which are orthogonal up to rounding, into a proper rotation and factors.
///
/// The two longest columns determine two axes, and their cross product is the third. This is exact
/// even if the shortest column is mostly rounding noise. The factor of the third axis is negative
/// if the columns are left-handed.
fn split([a, b, c]: Mat3) -> (Mat3, [f64; 3]) {
    let [la, lb, lc] = [a, b, c].map(length);
    if la < lb && la < lc {
        let ([b_axis, c_axis, a_axis], [b, c, a]) = split_with_shortest_last(b, c, a);
        ([a_axis, b_axis, c_axis], [a, b, c])
    } else if lb < lc {
        let ([c_axis, a_axis, b_axis], [c, a, b]) = split_with_shortest_last(c, a, b);
        ([a_axis, b_axis, c_axis], [a, b, c])
    } else {
        split_with_shortest_last(a, b, c)
    }
}

fn split_with_shortest_last(a: [f64; 3], b: [f64; 3], c: [f64; 3]) -> (Mat3, [f64; 3]) {
    let (longer, shorter, swapped) =
        if length(a) >= length(b) { (a, b, false) } else { (b, a, true) };
    let Some(first) = normalized(longer, 0.0) else {
        return ([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], [0.0; 3]);
    };
    let along = dot(first, shorter);
    let rest = [
        shorter[0] - along * first[0],
        shorter[1] - along * first[1],
        shorter[2] - along * first[2],
    ];
    let second =
        normalized(rest, length(longer) * NEGLIGIBLE).unwrap_or_else(|| perpendicular(first));
    let (a_axis, b_axis) = if swapped { (second, first) } else { (first, second) };
    let c_axis = cross(a_axis, b_axis);
    ([a_axis, b_axis, c_axis], [dot(a_axis, a), dot(b_axis, b), dot(c_axis, c)])
}

fn normalized(a: [f64; 3], shortest: f64) -> Option<[f64; 3]> {
    let length = length(a);
    (length > shortest).then(|| a.map(|e| e / length))
}

/// Rotates two columns in their plane to make them orthogonal, and applies the same rotation to V.
/// Returns `false` if they already are orthogonal.
fn orthogonalize(a: &mut [f64; 3], b: &mut [f64; 3], va: &mut [f64; 3], vb: &mut [f64; 3]) -> bool {
    let (alpha, beta, gamma) = (dot(*a, *a), dot(*b, *b), dot(*a, *b));
    if gamma.abs() <= ORTHOGONAL * alpha.sqrt() * beta.sqrt() || gamma == 0.0 {
        return false;
    }
    // A column that is only rounding noise relative to the other would never converge.
    if alpha.min(beta).sqrt() <= NEGLIGIBLE * alpha.max(beta).sqrt() {
        return false;
    }
    let zeta = (beta - alpha) / (2.0 * gamma);
    let tan = zeta.signum() / (zeta.abs() + zeta.hypot(1.0));
    let cos = 1.0 / tan.hypot(1.0);
    let sin = cos * tan;
    turn(a, b, cos, sin);
    turn(va, vb, cos, sin);
    true
}

fn turn(a: &mut [f64; 3], b: &mut [f64; 3], cos: f64, sin: f64) {
    for (a, b) in a.iter_mut().zip(b) {
        (*a, *b) = (cos * *a - sin * *b, sin * *a + cos * *b);
    }
}

#[cfg(test)]
mod tests {
    use anim_ir::double::{from_matrix, to_matrix};
    use proptest::prelude::*;

    use super::*;

    const IDENTITY: Mat3 = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

    fn product(a: Mat3, b: Mat3) -> Mat3 {
        b.map(|column| std::array::from_fn(|row| (0..3).map(|k| a[k][row] * column[k]).sum()))
    }

    fn transposed(a: Mat3) -> Mat3 {
        std::array::from_fn(|i| std::array::from_fn(|j| a[j][i]))
    }

    fn near(a: Mat3, b: Mat3, tolerance: f64) -> bool {
        a.iter().flatten().zip(b.iter().flatten()).all(|(a, b)| (a - b).abs() <= tolerance)
    }

    fn check(m: Mat3) {
        let svd = Svd::of(m);
        let size = m.iter().flatten().fold(0.0_f64, |most, e| most.max(e.abs()));
        for rotation in [svd.u, svd.v] {
            assert!(
                near(product(transposed(rotation), rotation), IDENTITY, 1e-12),
                "{m:?} has {svd:?}"
            );
            assert!(dot(cross(rotation[0], rotation[1]), rotation[2]) > 0.0, "{m:?} has {svd:?}");
            assert!(near(to_matrix(from_matrix(rotation)), rotation, 1e-12));
        }
        let scaled: Mat3 = std::array::from_fn(|i| svd.u[i].map(|e| e * svd.sigma[i]));
        assert!(near(product(scaled, transposed(svd.v)), m, size * 1e-12), "{m:?} has {svd:?}");
    }

    #[test]
    fn orthogonal_columns_stay_unchanged() {
        let svd = Svd::of(IDENTITY);
        assert_eq!((svd.u, svd.sigma, svd.v), (IDENTITY, [1.0; 3], IDENTITY));
        let svd = Svd::of([[3.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 2.0]]);
        assert_eq!((svd.u, svd.sigma, svd.v), (IDENTITY, [3.0, 1.0, 2.0], IDENTITY));
    }

    #[test]
    fn singular_and_mirroring_matrices_are_decomposed() {
        let nothing = [0.0; 3];
        let some = [1.0, 2.0, -3.0];
        let other = [0.5, -1.0, 4.0];
        for m in [
            [nothing; 3],
            [some; 3],
            [some, nothing, nothing],
            [nothing, some, nothing],
            [nothing, nothing, some],
            [some, other, nothing],
            [some, nothing, other],
            [nothing, some, other],
            [some, other, some],
            [[-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            [[-1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, -1.0]],
            [[1e30, 0.0, 0.0], [1e30, 1e-30, 0.0], [0.0, 0.0, 1e-38]],
            [[1e-45, 0.0, 0.0], [1e-45, 2e-45, 0.0], [0.0, 3e-45, 1e-45]],
            [[1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [1.0, 1.0, 1.000_000_000_000_1]],
        ] {
            check(m);
        }
        assert!(
            Svd::of([[-2.0, 0.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 4.0]])
                .sigma
                .iter()
                .product::<f64>()
                < 0.0
        );
    }

    fn matrix(most: f64) -> impl Strategy<Value = Mat3> {
        prop::array::uniform3(prop::array::uniform3(-most..most))
    }

    proptest! {
        #[test]
        fn any_matrix(m in matrix(10.0), flat in 0u8..4) {
            let mut m = m;
            if flat & 1 != 0 {
                m[1] = m[0].map(|e| e * -2.0);
            }
            if flat & 2 != 0 {
                m[2] = std::array::from_fn(|i| m[0][i] + 3.0 * m[1][i]);
            }
            check(m);
        }

        #[test]
        fn near_singular(m in matrix(1.0), exponent in -20i32..0) {
            let mut m = m;
            m[2] = std::array::from_fn(|i| m[0][i] + m[2][i] * 10.0_f64.powi(exponent));
            check(m);
        }
    }
}
