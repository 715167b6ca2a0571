//! Building blocks for parsers of lines of short numbers: locate the digits first, then convert
//! them.

use wide::{CmpEq as _, CmpLt as _, i8x16, i16x8};

use crate::file::number::narrow;
use crate::file::short_number::{self, TEN_TO, differences, eight_digits, exact, scale};

/// Whether `wide` has vectors on this target. Its code for others is long and slow.
const HAS_VECTORS: bool = cfg!(all(
    target_endian = "little",
    any(target_feature = "sse2", target_feature = "neon", target_feature = "simd128")
));

/// Returns a bit for each of 64 bytes that is not a digit, the first in the lowest bit.
///
/// ```
/// let mut text = [b'7'; 64];
/// text[2] = b'/';
/// assert_eq!(anim_ir::digits::not_digits(&text), 4);
/// ```
#[inline(always)]
pub fn not_digits(text: &[u8; 64]) -> u64 {
    if !HAS_VECTORS {
        return each_eight(text, not_digits_of_eight);
    }
    let (parts, _) = text.as_chunks::<16>();
    let digits = parts.iter().rev().fold(0, |all, part| {
        // SSE2 only compares signed bytes, so the digits are mapped to the ten lowest values.
        let lowest = bytemuck::cast::<_, i8x16>(*part) - i8x16::splat(b'0'.cast_signed() ^ i8::MIN);
        let mask = lowest.cmp_lt(i8x16::splat(i8::MIN + 10)).move_mask();
        all << 16 | u64::from(mask.cast_unsigned() & 0xffff)
    });
    !digits
}

/// Returns a bit for each of 64 bytes that is a space or an ASCII control character, the first in
/// the lowest bit.
///
/// ```
/// let mut text = [b'a'; 64];
/// (text[2], text[63]) = (b' ', 0x7f);
/// assert_eq!(anim_ir::digits::blanks(&text), 1 << 63 | 4);
/// ```
#[inline(always)]
pub fn blanks(text: &[u8; 64]) -> u64 {
    if !HAS_VECTORS {
        return each_eight(text, blanks_of_eight);
    }
    let (parts, _) = text.as_chunks::<16>();
    parts.iter().rev().fold(0, |all, part| {
        let part = bytemuck::cast::<_, i8x16>(*part);
        // SSE2 only compares signed bytes, so the characters up to the space are mapped to the
        // lowest values.
        let lowest = (part ^ i8x16::splat(i8::MIN)).cmp_lt(i8x16::splat(i8::MIN + 0x21));
        let mask = (lowest | part.cmp_eq(i8x16::splat(0x7f))).move_mask();
        all << 16 | u64::from(mask.cast_unsigned() & 0xffff)
    })
}

/// Returns a bit for each of 64 bytes, from a function that returns the highest bit of each of
/// eight bytes and no others.
#[inline(never)]
fn each_eight(text: &[u8; 64], highest: impl Fn(u64) -> u64) -> u64 {
    let (words, _) = text.as_chunks::<8>();
    words.iter().rev().fold(0, |all, word| {
        let bits = highest(u64::from_le_bytes(*word)) >> 7;
        // Moves the bit of each byte into the highest byte.
        all << 8 | bits.wrapping_mul(0x0102_0408_1020_4080) >> 56
    })
}

const HIGHEST: u64 = 0x8080_8080_8080_8080;
const EACH: u64 = 0x0101_0101_0101_0101;

// In these, seven bits of each byte are added to a number that carries into the eighth bit, never
// into the next byte.

fn not_digits_of_eight(bytes: u64) -> u64 {
    let digits = bytes ^ (EACH * 0x30);
    ((digits & !HIGHEST).wrapping_add(EACH * (0x80 - 10)) | bytes) & HIGHEST
}

fn blanks_of_eight(bytes: u64) -> u64 {
    let low = bytes & !HIGHEST;
    let after_space = low.wrapping_add(EACH * (0x80 - 0x21));
    (!after_space | low.wrapping_add(EACH)) & !bytes & HIGHEST
}

/// Converts the `count` bytes before the offset `end` if they are at most eight digits. Returns
/// `None` otherwise, and if there are fewer than eight bytes before `end`.
///
/// ```
/// use anim_ir::digits::checked_integer_before;
/// assert_eq!(checked_integer_before(b"an 100 2000 a", 11, 4), Some(2000.0));
/// assert_eq!(checked_integer_before(b"an 100 20.5 a", 11, 4), None);
/// ```
#[inline(always)]
pub fn checked_integer_before(text: &[u8], end: usize, count: usize) -> Option<f32> {
    let digits = eight_before(text, end)? & LAST.get(count)?;
    let are_digits = short_number::not_digits(digits) == 0 && count > 0;
    // Eight digits are exact as f64, so this rounds once.
    are_digits.then(|| narrow(exact(eight_digits(digits))))
}

/// Bytes of text that [`row`] looks at before and after the 64 bytes that it searches.
const BEFORE: usize = 8;
const SPAN: usize = BEFORE + 64 + BEFORE;

/// Parses a row of short numbers that starts at the offset `from`: one number for each slot, each
/// followed by a byte for which `ends` is true. Returns the offset of the last of these bytes.
/// Returns `None` for anything else, after which the slots hold arbitrary numbers.
///
/// A number is short if it has up to seven digits before the point and up to eight after it, and no
/// plus or exponent. The row has to be within 64 bytes, at least 8 after the start of the text and
/// at least 72 before its end.
///
/// All bytes that are not digits are found at once, so there is nothing but digits from one of them
/// to the next, and finding the end of a number does not depend on the number before it.
///
/// ```
/// let text = [b"#MINDRENDER 1.5 -20\n".as_slice(), &[b' '; 72]].concat();
/// let mut row = [0.0; 2];
/// let end = anim_ir::digits::row(&text, 12, |byte| byte.is_ascii_whitespace(), &mut row);
/// assert_eq!((row, end), ([1.5, -20.0], Some(19)));
/// ```
#[inline(always)]
pub fn row(
    text: &[u8],
    from: usize,
    ends: impl Fn(u8) -> bool,
    slots: &mut [f32],
) -> Option<usize> {
    let window: &[u8; SPAN] = text.get(from.checked_sub(BEFORE)?..)?.first_chunk()?;
    let mut marks = not_digits(window.get(BEFORE..)?.first_chunk()?);
    // In the window, not in the text.
    let mut start = BEFORE;
    for slot in slots {
        let negative = window.get(start) == Some(&b'-');
        // The minus is the first mark left. Branch-free, since signs are unpredictable.
        marks &= marks.wrapping_sub(u64::from(negative));
        start = start.wrapping_add(usize::from(negative));
        let mut end = take(&mut marks)?;
        let whole = end.wrapping_sub(start);
        if whole > 7 {
            return None;
        }
        let before = eight_before(window, end)? & LAST.get(whole)?;
        let (mut after, mut decimals) = (0, 0_usize);
        if window.get(end) == Some(&b'.') {
            let point = end;
            end = take(&mut marks)?;
            decimals = end.wrapping_sub(point).wrapping_sub(1);
            after = eight_before(window, end)? & LAST.get(decimals)?;
        }
        if whole.wrapping_add(decimals) == 0 || !ends(*window.get(end)?) {
            return None;
        }
        let [before, after] = twice_eight_digits([before, after]);
        // Below 10^15.
        let digits = before.wrapping_mul(*TEN_TO.get(decimals)?).wrapping_add(after);
        let size = scale(exact(digits), decimals)?;
        *slot = f32::from_bits(size.to_bits() ^ u32::from(negative) << 31);
        start = end.wrapping_add(1);
    }
    Some(from.wrapping_add(start).wrapping_sub(BEFORE + 1))
}

/// Converts eight digits twice, like [`eight_digits`], with half of the instructions.
#[inline(always)]
fn twice_eight_digits(digits: [u64; 2]) -> [u64; 2] {
    if !HAS_VECTORS {
        return digits.map(eight_digits);
    }
    let digits: i16x8 = bytemuck::cast(digits);
    // Bytes to pairs, pairs to fours, fours to eights.
    let pairs = (digits * i16x8::splat(10) + (digits >> 8_i32)) & i16x8::splat(0xff);
    let fours = pairs.dot(i16x8::new([100, 1, 100, 1, 100, 1, 100, 1]));
    let fours = i16x8::from_i32x8_saturate(bytemuck::cast([fours, fours]));
    let eights = fours.dot(i16x8::new([10_000, 1, 10_000, 1, 10_000, 1, 10_000, 1]));
    let [eights, _] = bytemuck::cast::<_, [u64; 2]>(eights);
    // Neither is negative.
    [eights & 0xffff_ffff, eights >> 32]
}

/// Removes the first mark, and returns its position in the window of a row.
#[inline(always)]
fn take(marks: &mut u64) -> Option<usize> {
    if *marks == 0 {
        return None;
    }
    let at = marks.trailing_zeros() as usize;
    *marks &= marks.wrapping_sub(1);
    Some(at.wrapping_add(BEFORE))
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
    use crate::file::number::scan_any;
    use proptest::prelude::*;

    #[test]
    fn all_bytes_but_digits() {
        for byte in 0..=u8::MAX {
            for place in 0..64 {
                let mut text = [b'0'; 64];
                text[place] = byte;
                let expected = u64::from(!byte.is_ascii_digit()) << place;
                assert_eq!(not_digits(&text), expected, "{byte} at {place}");
                assert_eq!(each_eight(&text, not_digits_of_eight), expected);
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

    #[test]
    fn all_spaces_and_control_characters() {
        for byte in 0..=u8::MAX {
            for place in 0..64 {
                let mut text = [b'a'; 64];
                text[place] = byte;
                let expected = u64::from(byte <= b' ' || byte == 0x7f) << place;
                assert_eq!(blanks(&text), expected, "{byte} at {place}");
                assert_eq!(each_eight(&text, blanks_of_eight), expected);
            }
        }
    }

    #[test]
    fn only_digits_are_integers() {
        for byte in 0..=u8::MAX {
            for place in 5..13 {
                let mut text = *b"ev 0 12345678 a";
                text[place] = byte;
                let word = text.get(5..13).unwrap();
                let expected = str::from_utf8(word).ok().filter(|_| byte != b'+');
                let expected = expected.and_then(|word| word.parse().ok());
                let expected = expected.filter(|_| byte.is_ascii_digit());
                assert_eq!(checked_integer_before(&text, 13, 8), expected, "{byte} at {place}");
            }
        }
        assert_eq!(checked_integer_before(b"12345678", 8, 0), None);
        assert_eq!(checked_integer_before(b"123456789", 9, 9), None);
        assert_eq!(checked_integer_before(b"1234567", 7, 7), None, "fewer than eight bytes");
    }

    /// Text that a row starts in, with room for the loads around it.
    fn padded(text: &str) -> Vec<u8> {
        format!("{}{text}{}", "9".repeat(BEFORE), "9".repeat(SPAN)).into_bytes()
    }

    fn row_of<const N: usize>(text: &str) -> Option<([f32; N], usize)> {
        let mut slots = [0.0; N];
        let end = row(&padded(text), BEFORE, |byte| b" \n".contains(&byte), &mut slots)?;
        Some((slots, end - BEFORE))
    }

    #[test]
    fn rows_of_short_numbers() {
        assert_eq!(row_of("1 -2.5\n.25 "), Some(([1.0, -2.5, 0.25], 10)));
        assert_eq!(row_of("-1234567.12345678 x"), Some(([-1_234_567.1], 17)));
        assert_eq!(row_of("7.  x"), Some(([7.0], 2)));
        for text in [
            "",
            " ",
            "1",
            "1x ",
            "x ",
            "- ",
            ". ",
            "-. ",
            "+1 ",
            "--1 ",
            "1-2 ",
            "1.2.3 ",
            "1e5 ",
            "12345678 ",
            "0.123456789 ",
            " 1 ",
        ] {
            assert_eq!(row_of::<1>(text), None, "{text:?}");
        }
        assert_eq!(row_of::<2>("1  2 "), None, "two spaces");
        let end = |length: usize| row_of::<1>(&format!("{}.5 ", "1".repeat(length))).is_some();
        assert_eq!([1, 7, 8].map(end), [true, true, false]);
        let text = padded("1 ");
        let at = |from: usize| row(&text, from, |byte| byte == b' ', &mut [0.0]).is_some();
        assert!(at(BEFORE) && !at(BEFORE - 1) && !at(text.len() - 1) && !at(usize::MAX));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(10_000))]

        /// Compares rows with words by the plain path.
        #[test]
        fn rows_are_those_of_the_plain_path(
            words in proptest::collection::vec("[+-]?[0-9]{0,9}\\.?[0-9]{0,9}[e{\u{e9}-]?", 1..5),
            blanks in "[ \n]{5}",
        ) {
            let pairs = words.iter().zip(blanks.chars());
            let text: String = pairs.map(|(word, blank)| format!("{word}{blank}")).collect();
            let mut slots = vec![0.0; words.len()];
            let ends = |byte| b" \n".contains(&byte);
            if let Some(end) = row(&padded(&text), BEFORE, ends, &mut slots) {
                prop_assert_eq!(end + 1, BEFORE + text.len());
                for (slot, word) in slots.iter().zip(&words) {
                    let plain = scan_any(word.as_bytes());
                    let plain = plain.map(|(value, length)| (value.to_bits(), length));
                    prop_assert_eq!(plain, Some((slot.to_bits(), word.len())), "{}", word);
                }
            }
        }

        #[test]
        fn two_groups_of_digits(first in 0..100_000_000_u64, second in 0..100_000_000_u64) {
            let digits = |value: u64| {
                let text = format!("{value:08}");
                differences(text.as_bytes().first_chunk().unwrap())
            };
            prop_assert_eq!(twice_eight_digits([first, second].map(digits)), [first, second]);
        }
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
