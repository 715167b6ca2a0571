//! Values shared by the generators.

use crate::random::Rng;

pub(super) const MAGIC: u16 = 0x8000;
/// Rates that occur in files.
pub(super) const RATES: [i16; 6] = [1, 10, 15, 20, 30, 60];
/// Rates that do not occur in files.
pub(super) const ODD_RATES: [i16; 7] = [0, 7, 24, 32_767, -1, -30, i16::MIN];

pub(super) fn push(bytes: &mut Vec<u8>, values: &[i16]) {
    bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
}

pub(super) fn put(bytes: &mut [u8], at: usize, value: u16) {
    bytes[at..at + 2].copy_from_slice(&value.to_le_bytes());
}

/// Returns any value, uniformly distributed.
pub(super) fn any_i16(rng: &mut Rng) -> i16 {
    rng.next_u64() as i16
}

/// Returns any value, with a preference for extremes and values near 0.
pub(super) fn number(rng: &mut Rng) -> i16 {
    match rng.below(10) {
        0 => rng.pick(&[i16::MIN, i16::MAX, 0, 1, -1]),
        1..4 => any_i16(rng),
        _ => any_i16(rng) / 64,
    }
}

pub(super) fn numbers(rng: &mut Rng) -> [i16; 3] {
    [0; 3].map(|_| number(rng))
}

/// Returns random non-zero bytes.
pub(super) fn junk(count: usize, rng: &mut Rng) -> Vec<u8> {
    (0..count).map(|_| rng.between(1, 255) as u8).collect()
}
