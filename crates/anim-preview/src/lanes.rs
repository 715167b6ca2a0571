//! Four numbers that are computed with together.

use std::ops::{Add, Mul, Sub};

/// Such as red, green, blue and alpha.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Lanes(pub(crate) [f32; 4]);

impl Lanes {
    pub(crate) fn zip(self, other: Lanes, join: impl Fn(f32, f32) -> f32) -> Lanes {
        let (Lanes([a, b, c, d]), Lanes([e, f, g, h])) = (self, other);
        Lanes([join(a, e), join(b, f), join(c, g), join(d, h)])
    }
}

/// The bits of this number plus an integer are the bits of the number, plus the integer.
const INTEGERS: f32 = 12_582_912.0;

/// Rounds a number from -2^22 to 2^22 to the nearest integer. Other numbers give any integer.
///
/// Unlike `as i32`, this needs no instructions for numbers out of range, and unlike
/// [`f32::round`] no call on processors that cannot round.
#[inline]
pub(crate) fn rounded(number: f32) -> (i32, f32) {
    let shifted = number + INTEGERS;
    (shifted.to_bits().wrapping_sub(INTEGERS.to_bits()).cast_signed(), shifted - INTEGERS)
}

/// Limits a number; `low` for a number that is not one.
#[inline]
pub(crate) fn limited(number: f32, low: f32, high: f32) -> f32 {
    // A single instruction each, unlike `max` and `min`, which also accept NaN for the limits.
    let number = if number > low { number } else { low };
    if number < high { number } else { high }
}

impl From<[u16; 4]> for Lanes {
    #[inline]
    fn from(values: [u16; 4]) -> Lanes {
        Lanes(values.map(f32::from))
    }
}

impl Add for Lanes {
    type Output = Lanes;

    #[inline]
    fn add(self, other: Lanes) -> Lanes {
        self.zip(other, |a, b| a + b)
    }
}

impl Sub for Lanes {
    type Output = Lanes;

    #[inline]
    fn sub(self, other: Lanes) -> Lanes {
        self.zip(other, |a, b| a - b)
    }
}

impl Mul for Lanes {
    type Output = Lanes;

    #[inline]
    fn mul(self, other: Lanes) -> Lanes {
        self.zip(other, |a, b| a * b)
    }
}

impl Mul<f32> for Lanes {
    type Output = Lanes;

    #[inline]
    fn mul(self, by: f32) -> Lanes {
        Lanes(self.0.map(|value| value * by))
    }
}
