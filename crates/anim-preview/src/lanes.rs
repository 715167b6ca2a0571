//! Four numbers that are computed with together.

/// Such as red, green, blue and alpha.
pub(crate) use wide::f32x4 as Lanes;

/// The low bits of this number plus a non-negative integer are the integer.
const INTEGERS: f32 = 12_582_912.0;
const LOW: u32 = (1 << 22) - 1;

/// Rounds numbers from -2^22 to 2^22 to the nearest integer, without calls on processors that
/// cannot round. Other numbers give any integer.
#[inline]
pub(crate) fn rounded(numbers: Lanes) -> Lanes {
    (numbers + INTEGERS) - INTEGERS
}

/// Rounds numbers from 0 to 2^22 to the nearest integers. Other numbers give any integers.
///
/// Unlike `as usize`, this needs no instructions for numbers out of range.
#[inline]
pub(crate) fn indices(numbers: Lanes) -> [usize; 4] {
    let [a, b, c, d] = (numbers + INTEGERS).to_array();
    let index = |number: f32| (number.to_bits() & LOW) as usize;
    [index(a), index(b), index(c), index(d)]
}

/// Limits a number; `low` for a number that is not one.
#[inline]
pub(crate) fn limited(number: f32, low: f32, high: f32) -> f32 {
    // A single instruction each, unlike `max` and `min`, which also accept NaN for the limits.
    let number = if number > low { number } else { low };
    if number < high { number } else { high }
}

/// Converts four integers.
#[inline]
pub(crate) fn lanes_of(values: [u16; 4]) -> Lanes {
    // Spelled out: the compiler converts all at once.
    let [a, b, c, d] = values;
    Lanes::new([f32::from(a), f32::from(b), f32::from(c), f32::from(d)])
}
