//! Building blocks for parsers of lines of short numbers: locate the digits first, then convert
//! them.

use wide::{CmpLt as _, i8x16};

use crate::file::short_number::{differences, eight_digits, exact, scale};

/// Returns a bit for each of 64 bytes that is not a digit, the first in the lowest bit.
///
/// ```
/// let mut text = [b'7'; 64];
/// text[2] = b'/';
/// assert_eq!(anim_ir::digits::not_digits(&text), 4);
/// ```
#[inline(always)]
pub fn not_digits(text: &[u8; 64]) -> u64 {
    let (parts, _) = text.as_chunks::<16>();
    let digits = parts.iter().rev().fold(0, |all, part| {
        // SSE2 only compares signed bytes, so the digits are mapped to the ten lowest values.
        let lowest = bytemuck::cast::<_, i8x16>(*part) - i8x16::splat(b'0'.cast_signed() ^ i8::MIN);
        let mask = lowest.cmp_lt(i8x16::splat(i8::MIN + 10)).move_mask();
        all << 16 | u64::from(mask.cast_unsigned() & 0xffff)
    });
    !digits
}

/// Converts the `count` digits before the offset `end`, at most eight. The caller must have checked
/// that they are digits. Returns `None` for more digits, and if there are fewer than eight bytes
/// before `end`.
///
/// ```
/// assert_eq!(anim_ir::digits::integer_before(b"f 100/2000", 10, 4), Some(2000));
/// ```
#[inline(always)]
pub fn integer_before(text: &[u8], end: usize, count: usize) -> Option<u32> {
    u32::try_from(eight_digits(eight_before(text, end)? & LAST.get(count)?)).ok()
}

/// Converts the number before the offset `end`, without its sign: `count` digits, at most eight,
/// and, if `decimals` is given, a point before that many of them. The caller must have checked
/// this. Returns `None` for more digits, if there are fewer than nine bytes before `end`, and in
/// the rare case that the number is too close to the midpoint between two floats to round
/// correctly.
///
/// ```
/// assert_eq!(anim_ir::digits::number_before(b"vt 0 -12.50", 11, 4, Some(2)), Some(12.5));
/// assert_eq!(anim_ir::digits::number_before(b"vt 0 -12.50", 4, 1, None), None);
/// ```
#[inline(always)]
pub fn number_before(
    text: &[u8],
    end: usize,
    count: usize,
    decimals: Option<usize>,
) -> Option<f32> {
    let last = eight_before(text, end)?;
    // Loaded one byte earlier, the digits before the point are in their final positions.
    let first = eight_before(text, end.wrapping_sub(usize::from(decimals.is_some())))?;
    let decimals = decimals.unwrap_or_default();
    let after = LAST.get(decimals)?;
    let digits = (first & !after | last & after) & LAST.get(count)?;
    scale(exact(eight_digits(digits)), decimals)
}

/// Returns the eight bytes before an offset as differences from `0`, the first in the lowest byte.
#[inline(always)]
fn eight_before(text: &[u8], end: usize) -> Option<u64> {
    text.get(end.wrapping_sub(8)..end)?.first_chunk().map(differences)
}

/// Masks for the last `n` of eight bytes.
const LAST: [u64; 9] = [
    0,
    0xff00_0000_0000_0000,
    0xffff_0000_0000_0000,
    0xffff_ff00_0000_0000,
    0xffff_ffff_0000_0000,
    0xffff_ffff_ff00_0000,
    0xffff_ffff_ffff_0000,
    0xffff_ffff_ffff_ff00,
    0xffff_ffff_ffff_ffff,
];

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn all_bytes_but_digits() {
        for byte in 0..=u8::MAX {
            for place in 0..64 {
                let mut text = [b'0'; 64];
                text[place] = byte;
                let expected = u64::from(!byte.is_ascii_digit()) << place;
                assert_eq!(not_digits(&text), expected, "{byte} at {place}");
            }
        }
    }

    #[test]
    fn integers_of_up_to_eight_digits() {
        let text = b"f 987654321/123456789";
        let integer = |length| integer_before(text, text.len(), length);
        let expected = [0, 9, 89, 789, 6789, 56_789, 456_789, 3_456_789, 23_456_789];
        for (length, value) in expected.into_iter().enumerate() {
            assert_eq!(integer(length), Some(value));
        }
        assert_eq!(integer(9), None);
        assert_eq!(integer_before(text, 7, 2), None);
    }

    proptest! {
        #[test]
        fn numbers_as_by_the_standard_library(whole in "[0-9]{0,8}", fraction in "[0-9]{0,8}") {
            let count = whole.len() + fraction.len();
            prop_assume!((1..=8).contains(&count));
            let text = format!("a line: -{whole}.{fraction}");
            let decimals = Some(fraction.len());
            if let Some(number) = number_before(text.as_bytes(), text.len(), count, decimals) {
                prop_assert_eq!(Ok(number), format!("{whole}.{fraction}").parse());
            }
            if fraction.is_empty()
                && let Some(number) = number_before(text.as_bytes(), text.len() - 1, count, None)
            {
                prop_assert_eq!(Ok(number), whole.parse());
            }
        }
    }
}
