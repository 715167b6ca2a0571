//! Spherical interpolation of rotations.

use crate::Quat;

/// The number of pairs whose weights are computed together.
pub(crate) const LANES: usize = 32;

/// Spherical interpolation of many pairs of unit quaternions at the same fraction, without
/// trigonometric functions.
///
/// The midpoint m of the arc from a to b is their normalised sum, and the result lies on one of the
/// two halves of the arc. Each half spans at most θ = 45°, since the shorter arc between
/// four-vectors is at most 90°. In this range, sin(tθ)/sin θ is a rapidly converging series in cos
/// θ − 1 whose coefficients depend only on t (D. Eberly, "A Fast and Accurate Algorithm for
/// Computing SLERP", 2011). With six terms, the error is comparable to the rounding error of f32.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SlerpWeights {
    /// The fraction along the half arc, from its outer end to the midpoint.
    to_middle: f32,
    factors_middle: [f32; Self::TERMS],
    factors_end: [f32; Self::TERMS],
    /// How much of the nearer end there is beside the midpoint: 0 for the other end.
    of_ends: [f32; 2],
}

impl SlerpWeights {
    const TERMS: usize = 6;

    /// 1 / (n (2n + 1)) and n / (2n + 1) for the n-th term, from 1.
    const COEFFICIENTS: [[f32; 2]; Self::TERMS] = [
        [1.0 / 3.0, 1.0 / 3.0],
        [1.0 / 10.0, 2.0 / 5.0],
        [1.0 / 21.0, 3.0 / 7.0],
        [1.0 / 36.0, 4.0 / 9.0],
        [1.0 / 55.0, 5.0 / 11.0],
        [1.0 / 78.0, 6.0 / 13.0],
    ];

    pub(crate) fn at(t: f32) -> SlerpWeights {
        let factors = |t: f32| {
            let square = t * t;
            Self::COEFFICIENTS.map(|[of_square, constant]| square * of_square - constant)
        };
        let second_half = t > 0.5;
        let to_middle = 2.0 * if second_half { 1.0 - t } else { t };
        SlerpWeights {
            to_middle,
            factors_middle: factors(to_middle),
            factors_end: factors(1.0 - to_middle),
            of_ends: if second_half { [0.0, 1.0 - to_middle] } else { [1.0 - to_middle, 0.0] },
        }
    }

    #[inline]
    pub(crate) fn blend(&self, a: &[f32; 4], b: &[f32; 4]) -> Quat {
        weighted(self.weights(inner(a, b)), a, b)
    }

    /// Blends pairs of rotations: each result is that of [`SlerpWeights::blend`], to the bit.
    #[inline]
    pub(crate) fn blend_pairs<'a, T>(
        &self,
        items: &[T],
        pair: impl Fn(&T) -> [&'a [f32; 4]; 2],
        mut put: impl FnMut(&T, Quat),
    ) {
        let mut dots = [0.0; LANES];
        for items in items.chunks(LANES) {
            for (dot, item) in dots.iter_mut().zip(items) {
                let [a, b] = pair(item);
                *dot = inner(a, b);
            }
            let [to_a, to_b] = self.weights_of(&dots);
            for ((to_a, to_b), item) in to_a.iter().zip(&to_b).zip(items) {
                let [a, b] = pair(item);
                put(item, weighted([*to_a, *to_b], a, b));
            }
        }
    }

    /// Returns the weights of both ends for pairs with these inner products.
    ///
    /// They are computed in a loop of their own, without branches or other memory, which compilers
    /// turn into vector instructions.
    #[inline]
    pub(crate) fn weights_of(&self, dots: &[f32; LANES]) -> [[f32; LANES]; 2] {
        let [mut to_a, mut to_b] = [[0.0; LANES]; 2];
        for ((to_a, to_b), dot) in to_a.iter_mut().zip(&mut to_b).zip(dots) {
            [*to_a, *to_b] = self.weights(*dot);
        }
        [to_a, to_b]
    }

    /// Returns the weights of both ends for a pair with this inner product.
    #[inline]
    fn weights(&self, dot: f32) -> [f32; 2] {
        let half_cosine = ((1.0 + dot.abs().min(1.0)) * 0.5).sqrt();
        let x = half_cosine - 1.0;
        let series = |factors: &[f32; Self::TERMS]| {
            factors.iter().rev().fold(1.0_f32, |sum, factor| 1.0 + factor * x * sum)
        };
        // The midpoint is (a + b) / (2 · half_cosine), so its weight is split between both ends.
        let middle = self.to_middle * series(&self.factors_middle) / (2.0 * half_cosine);
        let end = series(&self.factors_end);
        let [of_a, of_b] = self.of_ends;
        [middle + of_a * end, (middle + of_b * end).copysign(dot)]
    }
}

/// Returns the inner product of two rotations.
#[inline]
pub(crate) fn inner(a: &[f32; 4], b: &[f32; 4]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
}

/// Returns the weighted sum of two rotations.
#[inline]
pub(crate) fn weighted([weight_a, weight_b]: [f32; 2], a: &[f32; 4], b: &[f32; 4]) -> Quat {
    let [[ax, ay, az, aw], [bx, by, bz, bw]] = [a, b];
    Quat::new(
        ax * weight_a + bx * weight_b,
        ay * weight_a + by * weight_b,
        az * weight_a + bz * weight_b,
        aw * weight_a + bw * weight_b,
    )
}

impl Quat {
    /// Interpolates along the shorter great arc to another unit quaternion. `t` is from 0 to 1.
    #[must_use]
    pub fn slerp(self, other: Quat, t: f32) -> Quat {
        SlerpWeights::at(t).blend(&self.to_array(), &other.to_array())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Vec3;
    use proptest::prelude::*;

    /// For each number of pairs around that of the pairs whose weights are computed together.
    #[test]
    fn many_pairs_are_blended_like_each_of_them() {
        let turn = |n: usize, speed: f64| {
            let angle = n as f64 * speed;
            let axis = Vec3::from_f64([angle.sin(), 0.3, angle.cos()]);
            Quat::from_axis_angle(axis, angle).to_array()
        };
        let pairs: Vec<[[f32; 4]; 2]> =
            (0..2 * LANES + 3).map(|n| [turn(n, 0.7), turn(n, -1.9)]).collect();
        let opposite = |[[ax, ay, az, aw], [bx, by, bz, bw]]: &[[f32; 4]; 2]| {
            ax * bx + ay * by + az * bz + aw * bw < 0.0
        };
        assert!(pairs.iter().any(opposite) && !pairs.iter().all(opposite));
        for t in [0.0, 0.2, 0.5, 0.8, 1.0] {
            let weights = SlerpWeights::at(t);
            for count in [0, 1, LANES - 1, LANES, LANES + 1, 2 * LANES + 3] {
                let (places, mut blended) = (Vec::from_iter(0..count), Vec::new());
                weights.blend_pairs(&places, |n| pairs[*n].each_ref(), |_, q| blended.push(q));
                let each = pairs[..count].iter().map(|[a, b]| weights.blend(a, b));
                assert!(each.eq(blended));
            }
        }
    }

    proptest! {
        #[test]
        fn slerp_is_exact_to_f32(
            a in prop::array::uniform4(-1.0f32..1.0), b in prop::array::uniform4(-1.0f32..1.0),
            t in 0.0f32..=1.0,
        ) {
            let [a, b] = [a, b].map(|q| Quat::from(q).normalized().to_array());
            let found = SlerpWeights::at(t).blend(&a, &b).to_array();
            // The textbook slerp formula, in f64.
            let (fa, mut fb) = (a.map(f64::from), b.map(f64::from));
            let mut dot: f64 = fa.iter().zip(fb).map(|(a, b)| a * b).sum();
            if dot < 0.0 {
                dot = -dot;
                fb = fb.map(|c| -c);
            }
            let (angle, t) = (dot.min(1.0).acos(), f64::from(t));
            let weight = |t: f64| (t * angle).sin() / angle.sin();
            let (wa, wb) =
                if angle < 1e-6 { (1.0 - t, t) } else { (weight(1.0 - t), weight(t)) };
            for i in 0..4 {
                prop_assert!((f64::from(found[i]) - (fa[i] * wa + fb[i] * wb)).abs() < 2e-6);
            }
        }
    }
}
