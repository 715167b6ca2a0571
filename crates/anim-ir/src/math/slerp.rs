//! Spherical interpolation of rotations.

use crate::Quat;

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
    second_half: bool,
}

impl SlerpWeights {
    const TERMS: usize = 6;

    pub(crate) fn at(t: f32) -> SlerpWeights {
        let factors = |t: f32| {
            let square = t * t;
            [1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0].map(|n| (square / n - n) / (2.0 * n + 1.0))
        };
        let second_half = t > 0.5;
        let to_middle = 2.0 * if second_half { 1.0 - t } else { t };
        SlerpWeights {
            to_middle,
            factors_middle: factors(to_middle),
            factors_end: factors(1.0 - to_middle),
            second_half,
        }
    }

    #[inline]
    pub(crate) fn blend(&self, a: &[f32; 4], b: &[f32; 4]) -> Quat {
        let dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
        let half_cosine = ((1.0 + dot.abs().min(1.0)) * 0.5).sqrt();
        let x = half_cosine - 1.0;
        let series = |factors: &[f32; Self::TERMS]| {
            factors.iter().rev().fold(1.0_f32, |sum, factor| 1.0 + factor * x * sum)
        };
        // The midpoint is (a + b) / (2 · half_cosine), so its weight is split between both ends.
        let middle = self.to_middle * series(&self.factors_middle) / (2.0 * half_cosine);
        let end = middle + (1.0 - self.to_middle) * series(&self.factors_end);
        let (weight_a, weight_b) = if self.second_half { (middle, end) } else { (end, middle) };
        let weight_b = weight_b.copysign(dot);
        let [[ax, ay, az, aw], [bx, by, bz, bw]] = [a, b];
        Quat::new(
            ax * weight_a + bx * weight_b,
            ay * weight_a + by * weight_b,
            az * weight_a + bz * weight_b,
            aw * weight_a + bw * weight_b,
        )
    }
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
    use proptest::prelude::*;

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
