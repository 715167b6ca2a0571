//! Spherical interpolation of rotations.

use wide::f32x4;

use crate::Quat;

/// The number of pairs whose weights are computed together.
const LANES: usize = 32;

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
    /// The series for the midpoint with half its weight, since it is a sum, and for the outer end.
    middle: Series,
    end: Series,
    /// Whether the result lies between the midpoint and b.
    second_half: bool,
}

/// The number of terms after the first.
const TERMS: usize = 6;

/// The coefficients of a polynomial in cos θ − 1, from the highest.
type Series = [f32; TERMS + 1];

/// 1 / (n (2n + 1)) and n / (2n + 1) for the n-th term, from 1.
const COEFFICIENTS: [[f32; 2]; TERMS] = [
    [1.0 / 3.0, 1.0 / 3.0],
    [1.0 / 10.0, 2.0 / 5.0],
    [1.0 / 21.0, 3.0 / 7.0],
    [1.0 / 36.0, 4.0 / 9.0],
    [1.0 / 55.0, 5.0 / 11.0],
    [1.0 / 78.0, 6.0 / 13.0],
];

/// Returns the series of sin(tθ)/sin θ, multiplied by `times`. Each coefficient is that of the term
/// before, times a factor that depends on t.
fn series(t: f32, times: f32) -> Series {
    let (square, mut term) = (t * t, t * times);
    let mut series = [term; TERMS + 1];
    for (coefficient, [of_square, constant]) in series.iter_mut().rev().skip(1).zip(COEFFICIENTS) {
        term *= square * of_square - constant;
        *coefficient = term;
    }
    series
}

impl SlerpWeights {
    pub(crate) fn at(t: f32) -> SlerpWeights {
        let second_half = t > 0.5;
        let to_middle = 2.0 * if second_half { 1.0 - t } else { t };
        let (middle, end) = (series(to_middle, 0.5), series(1.0 - to_middle, 1.0));
        SlerpWeights { middle, end, second_half }
    }

    #[inline]
    pub(crate) fn blend(&self, a: &[f32; 4], b: &[f32; 4]) -> Quat {
        weighted(self.weights(inner(a, b)), a, b)
    }

    /// Blends pairs of rotations: each result is that of [`SlerpWeights::blend`], to the bit.
    /// Inner products are computed for four pairs at once, so `pair` may be asked for up to three
    /// pairs beyond the count.
    #[inline]
    pub(crate) fn blend_pairs<'a>(
        &self,
        count: usize,
        pair: impl Fn(usize) -> [&'a [f32; 4]; 2],
        mut put: impl FnMut(usize, Quat),
    ) {
        for first in (0..count).step_by(LANES) {
            let batch = first..count.min(first.saturating_add(LANES));
            let mut dots = [0.0; LANES];
            let (fours, _) = dots.as_chunks_mut::<4>();
            for (dots, at) in fours.iter_mut().zip(batch.clone().step_by(4)) {
                let products = [0, 1, 2, 3].map(|more| {
                    let [a, b] = pair(at.saturating_add(more));
                    f32x4::new(*a) * f32x4::new(*b)
                });
                let [x, y, z, w] = f32x4::transpose(products);
                *dots = (x + y + z + w).to_array();
            }
            let [to_a, to_b] = self.weights_of(&dots);
            for ((to_a, to_b), at) in to_a.into_iter().zip(to_b).zip(batch) {
                let [a, b] = pair(at);
                put(at, weighted([to_a, to_b], a, b));
            }
        }
    }

    /// Returns the weights of both ends for pairs with these inner products.
    ///
    /// They are computed in a loop of their own, without branches or other memory, which compilers
    /// turn into vector instructions.
    #[inline]
    fn weights_of(&self, dots: &[f32; LANES]) -> [[f32; LANES]; 2] {
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
        let at_x = |series: &Series| series.iter().fold(0.0, |sum, factor| sum * x + factor);
        // The midpoint is (a + b) / (2 · half_cosine), so its weight is split between both ends.
        let middle = at_x(&self.middle) / half_cosine;
        let with_end = middle + at_x(&self.end);
        let [a, b] = if self.second_half { [middle, with_end] } else { [with_end, middle] };
        [a, b.copysign(dot)]
    }
}

/// Returns the inner product of two rotations.
#[inline]
fn inner(a: &[f32; 4], b: &[f32; 4]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
}

/// Returns the weighted sum of two rotations.
#[inline]
fn weighted([weight_a, weight_b]: [f32; 2], a: &[f32; 4], b: &[f32; 4]) -> Quat {
    let [a, b] = [a, b].map(|rotation| f32x4::new(*rotation));
    (a * weight_a + b * weight_b).to_array().into()
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
        const NONE: [[f32; 4]; 2] = [[0.0; 4]; 2];
        let opposite = |[[ax, ay, az, aw], [bx, by, bz, bw]]: &[[f32; 4]; 2]| {
            ax * bx + ay * by + az * bz + aw * bw < 0.0
        };
        assert!(pairs.iter().any(opposite) && !pairs.iter().all(opposite));
        for t in [0.0, 0.2, 0.5, 0.8, 1.0] {
            let weights = SlerpWeights::at(t);
            for count in [0, 1, LANES - 1, LANES, LANES + 1, 2 * LANES + 3] {
                let mut blended = Vec::new();
                let pair = |at: usize| pairs.get(at).unwrap_or(&NONE).each_ref();
                weights.blend_pairs(count, pair, |at, q| blended.push((at, q)));
                let each = pairs[..count].iter().map(|[a, b]| weights.blend(a, b));
                assert!(each.enumerate().eq(blended));
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
