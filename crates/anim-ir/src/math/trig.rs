//! Sine and cosine for poses, far more accurate than f32, in which the results are stored, and
//! faster than the C library's functions, which spend most of their time saving and restoring the
//! rounding mode at each call.

use std::f64::consts::{FRAC_1_PI, PI};

/// Returns the sine and cosine of an angle in radians, accurate to 1e-12.
#[inline]
pub(crate) fn sin_cos(angle: f64) -> (f64, f64) {
    // For larger angles, the remainder depends on digits of π beyond the precision of f64.
    const FAR: f64 = 1024.0;
    let half_turns = angle * FRAC_1_PI;
    if half_turns.abs() < FAR {
        let Folded { sign, angle } = fold(half_turns);
        let square = angle * angle;
        (sign * angle * series(&SIN, square), sign * series(&COS, square))
    } else {
        angle.sin_cos()
    }
}

/// Returns the sine of an angle in turns, accurate to 1e-14 for any number of turns, since whole
/// turns are subtracted before any rounding.
#[inline]
pub(crate) fn sin_of_turns(turns: f64) -> f64 {
    const FAR: f64 = 1e15;
    let near = if turns.abs() < FAR { turns } else { turns % 1.0 };
    let Folded { sign, angle } = fold(2.0 * near);
    sign * angle * series(&SIN, angle * angle)
}

/// An angle within a quarter turn of 0 that has the same sine and cosine up to sign.
struct Folded {
    sign: f64,
    /// The angle in radians.
    angle: f64,
}

/// Subtracts whole half turns. There must be fewer than 2^51.
#[inline]
fn fold(half_turns: f64) -> Folded {
    // 1.5 · 2^52: a sum of this size has no fractional bits, so adding rounds to an integer, and
    // the lowest bit is its parity.
    const ROUNDS: f64 = 6_755_399_441_055_744.0;
    let sum = half_turns + ROUNDS;
    let sign = if sum.to_bits() & 1 == 0 { 1.0 } else { -1.0 };
    Folded { sign, angle: (half_turns - (sum - ROUNDS)) * PI }
}

/// (-1)^n / (2n + 1)!: the Taylor coefficients of sin x / x in x². Up to a quarter turn, the first
/// omitted term of sin x is below 3e-16.
const SIN: [f64; 10] = [
    1.0,
    -1.0 / 6.0,
    1.0 / 120.0,
    -1.0 / 5_040.0,
    1.0 / 362_880.0,
    -1.0 / 39_916_800.0,
    1.0 / 6_227_020_800.0,
    -1.0 / 1_307_674_368_000.0,
    1.0 / 355_687_428_096_000.0,
    -1.0 / 121_645_100_408_832_000.0,
];

/// (-1)^n / (2n)!: the Taylor coefficients of cos x in x². Up to a quarter turn, the first omitted
/// term is below 4e-15.
const COS: [f64; 10] = [
    1.0,
    -1.0 / 2.0,
    1.0 / 24.0,
    -1.0 / 720.0,
    1.0 / 40_320.0,
    -1.0 / 3_628_800.0,
    1.0 / 479_001_600.0,
    -1.0 / 87_178_291_200.0,
    1.0 / 20_922_789_888_000.0,
    -1.0 / 6_402_373_705_728_000.0,
];

/// Evaluates a polynomial. Even and odd powers are summed separately, in the two halves of a vector
/// register.
#[inline]
fn series(factors: &[f64; 10], x: f64) -> f64 {
    let [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9] = *factors;
    let square = x * x;
    let add =
        |low: [f64; 2], high: [f64; 2]| [low[0] + square * high[0], low[1] + square * high[1]];
    let [even, odd] = add([f0, f1], add([f2, f3], add([f4, f5], add([f6, f7], [f8, f9]))));
    even + x * odd
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::f64::consts::TAU;

    fn differs(angle: f64) -> f64 {
        let (sin, cos) = sin_cos(angle);
        (sin - angle.sin()).abs().max((cos - angle.cos()).abs())
    }

    proptest! {
        #[test]
        fn matches_the_standard_library(
            near in -10.0_f64..10.0, far in -5000.0_f64..5000.0, farther in -1e18_f64..1e18,
        ) {
            prop_assert!(differs(near) < 2e-14 && differs(far) < 1e-12 && differs(farther) < 1e-12);
            for turns in [near, farther] {
                let expected = (TAU * (turns - turns.floor())).sin();
                prop_assert!((sin_of_turns(turns) - expected).abs() < 1e-14);
            }
        }
    }

    /// Compares values at and next to quarter turns, on both sides of the largest angle that is
    /// folded.
    #[test]
    fn quarter_turns_and_the_largest_angle_are_accurate() {
        for quarters in -9000_i32..9000 {
            let turns = f64::from(quarters) / 4.0;
            let expected = [0.0, 1.0, 0.0, -1.0][usize::try_from(quarters.rem_euclid(4)).unwrap()];
            assert!((sin_of_turns(turns) - expected).abs() < 1e-14, "{turns}");
            for beside in [turns.next_down(), turns, turns.next_up()] {
                assert!(differs(beside * TAU) < 1e-12, "{beside}");
            }
        }
        assert_eq!([1e15, 1e15 + 0.5, -1e300, f64::MAX].map(sin_of_turns), [0.0; 4]);
        assert!((sin_of_turns(1e15 - 0.75) - 1.0).abs() < 1e-14);
        assert!(
            sin_cos(f64::NAN).0.is_nan()
                && sin_cos(f64::INFINITY).1.is_nan()
                && sin_of_turns(f64::INFINITY).is_nan()
        );
    }
}
