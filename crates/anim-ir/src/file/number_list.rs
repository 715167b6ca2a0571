//! Long lists of numbers, which make up most of a model in text.
//!
//! When numbers are parsed one after the other, each has to wait for the one before: where it
//! starts is known only when the length of the other is. So the ends of the words in 64 bytes are
//! found first, for all of them at once; the words do not depend on each other, and the processor
//! converts several at the same time.

use crate::file::number::{eight_digits, scale, scan_f32};

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x80 * ONES;
const BLOCK: usize = 64;

/// Appends the finite numbers at the start of a text, separated by commas and bytes up to a space.
/// Returns their total length, with the separators around them: less than the length of the text if
/// the word that follows is not a finite number.
///
/// ```
/// let mut numbers = Vec::new();
/// assert_eq!(anim_ir::number_list::scan_f32_list(b" 1 -2.5,3e1 x 4", &mut numbers), 12);
/// assert_eq!(numbers, [1.0, -2.5, 30.0]);
/// ```
pub fn scan_f32_list(text: &[u8], numbers: &mut Vec<f32>) -> usize {
    let mut words = Words { text, numbers, start: None };
    let (blocks, rest) = text.as_chunks::<BLOCK>();
    for (number, block) in blocks.iter().enumerate() {
        if let Err(word) = words.block(block, number.wrapping_mul(BLOCK)) {
            return word;
        }
    }
    let mut last = [b' '; BLOCK];
    for (to, from) in last.iter_mut().zip(rest) {
        *to = *from;
    }
    let base = text.len().wrapping_sub(rest.len());
    let end = words.block(&last, base).and_then(|()| match words.start {
        Some(start) => words.word(start, text.len()),
        None => Ok(()),
    });
    end.err().unwrap_or(text.len())
}

struct Words<'a> {
    text: &'a [u8],
    numbers: &'a mut Vec<f32>,
    /// The start of a word that continues in the next block.
    start: Option<usize>,
}

impl Words<'_> {
    /// Appends the numbers that end in a block, which starts at the offset `base`. Fails with the
    /// offset of a word that is not a number.
    #[inline]
    fn block(&mut self, block: &[u8; BLOCK], base: usize) -> Result<(), usize> {
        let blanks = blanks(block);
        let after_blanks = blanks << 1 | u64::from(self.start.is_none());
        let mut starts = !blanks & after_blanks;
        let mut ends = blanks & !after_blanks;
        let mut start = self.start;
        while ends != 0 {
            let from = start.take().unwrap_or_else(|| base.wrapping_add(take_lowest(&mut starts)));
            self.word(from, base.wrapping_add(take_lowest(&mut ends)))?;
        }
        if start.is_none() && starts != 0 {
            start = Some(base.wrapping_add(take_lowest(&mut starts)));
        }
        self.start = start;
        Ok(())
    }

    #[inline(always)]
    fn word(&mut self, start: usize, end: usize) -> Result<(), usize> {
        let number = match self.text.get(start..end) {
            // Many coordinates of axes and of simple shapes are 0 or 1.
            Some([digit @ b'0'..=b'9']) => f32::from(digit.wrapping_sub(b'0')),
            _ => short(self.text, start, end)
                .or_else(|| other(self.text.get(start..end)?))
                .ok_or(start)?,
        };
        self.numbers.push(number);
        Ok(())
    }
}

/// Returns the offset of the lowest bit and clears it.
#[inline(always)]
const fn take_lowest(bits: &mut u64) -> usize {
    let lowest = bits.trailing_zeros();
    *bits &= bits.wrapping_sub(1);
    lowest as usize
}

/// Returns a bit for each byte of a block that separates words.
#[inline(always)]
fn blanks(block: &[u8; BLOCK]) -> u64 {
    let (words, _) = block.as_chunks::<8>();
    let mut all = 0;
    for word in words.iter().rev() {
        let word = u64::from_le_bytes(*word);
        // Adding to the low seven bits does not carry into the next byte.
        let above_space = (word & !HIGH).wrapping_add((0x7f - b' ' as u64) * ONES) | word;
        let comma = word ^ (b',' as u64 * ONES);
        let other = (comma & !HIGH).wrapping_add(!HIGH) | comma;
        let found = !(above_space & other) & HIGH;
        // Moves the high bits of the bytes together.
        all = all << 8 | found.wrapping_mul(0x0002_0408_1020_4081) >> 56;
    }
    all
}

/// Converts a word of digits with at most one point, of at most 16 bytes without its sign. Returns
/// `None` for others, and so close to the start of the text that there are not as many bytes.
#[inline(always)]
fn short(text: &[u8], start: usize, end: usize) -> Option<f32> {
    let sign = *text.get(start)?;
    let negative = sign == b'-';
    let length = end.wrapping_sub(start).wrapping_sub(usize::from(negative | (sign == b'+')));
    // Aligned at its end, a number needs no shift by its length.
    let last = eight_bytes(text, end)?;
    let (mantissa, decimals, digits) = if length <= 8 {
        let (last, has_point, decimals) = without_point(last & LAST.get(length)?)?;
        (exact(eight_digits(last)), decimals, length.wrapping_sub(usize::from(has_point)))
    } else {
        let first = eight_bytes(text, end.wrapping_sub(8))?;
        long(first & LAST.get(length.wrapping_sub(8))?, last, length)?
    };
    let value = scale(mantissa, decimals).filter(|_| digits > 0)?;
    Some(f32::from_bits(value.to_bits() ^ u32::from(negative) << 31))
}

/// Converts 9 to 16 bytes to the number without a point, the count of its decimals and of its
/// digits.
#[inline(always)]
fn long(first: u64, last: u64, length: usize) -> Option<(f64, usize, usize)> {
    let (mut first, first_has, before) = without_point(first)?;
    let (mut last, last_has, mut decimals) = without_point(last)?;
    if last_has {
        // The place of the point is free for the digit before the last eight bytes.
        last |= first >> 56;
        first <<= 8;
    }
    if first_has {
        decimals = before.wrapping_add(8);
    }
    let points = usize::from(first_has).wrapping_add(usize::from(last_has));
    // The product is exact, so the sum is the integer, rounded once.
    let mantissa = exact(eight_digits(first)) * 1e8 + exact(eight_digits(last));
    (points <= 1).then_some((mantissa, decimals, length.wrapping_sub(points)))
}

/// Converts an integer below 2^52. The processor's own conversion leaves half of the register as it
/// is, so it waits for the number that was there before, which costs a tenth of the time.
#[inline(always)]
const fn exact(integer: u64) -> f64 {
    const TWO_TO_52: f64 = 4_503_599_627_370_496.0;
    f64::from_bits(TWO_TO_52.to_bits() | integer) - TWO_TO_52
}

/// Returns the eight bytes before an offset as differences from `0`, the first in the lowest byte.
#[inline(always)]
fn eight_bytes(text: &[u8], end: usize) -> Option<u64> {
    let bytes = text.get(end.wrapping_sub(8)..end)?.first_chunk::<8>()?;
    Some(u64::from_le_bytes(*bytes) ^ (u64::from(b'0') * ONES))
}

/// The last bytes of eight, by their count.
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

/// Removes the point from eight digits, moving those before it. Returns them, whether there was a
/// point, and the number of digits after it; `None` if there is any other character.
#[inline(always)]
fn without_point(digits: u64) -> Option<(u64, bool, usize)> {
    // The high bit of each byte up to the first that is not a digit, and, if that is a point, up to
    // the second: only greater bytes carry into the next.
    let others = (digits | digits.wrapping_add(0x76 * ONES)) & HIGH;
    let point = (others << 1).wrapping_sub(others >> 7);
    let is_other = (digits ^ (u64::from(b'.' ^ b'0') * ONES)) & point;
    if others & others.wrapping_sub(1) | is_other != 0 {
        return None;
    }
    let has_point = others != 0;
    let before = (others >> 7).wrapping_sub(1);
    let moved = (digits & before) << (u32::from(has_point) * 8);
    let decimals = others.leading_zeros() / 8 % 8;
    Some((digits & !before & !point | moved, has_point, decimals as usize))
}

/// Converts any other word.
#[inline(never)]
fn other(word: &[u8]) -> Option<f32> {
    let (value, length) = scan_f32(word)?;
    (length == word.len() && value.is_finite()).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Words by the standard library.
    fn expected(text: &str) -> (Vec<u32>, usize) {
        let mut numbers = Vec::new();
        let is_blank = |c: char| c <= ' ' || c == ',';
        let mut at = 0;
        for word in text.split(is_blank) {
            let plain = word.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
            match word.parse::<f32>() {
                Ok(number) if plain && number.is_finite() => numbers.push(number.to_bits()),
                _ if word.is_empty() => {}
                _ => return (numbers, at),
            }
            at += word.len() + 1;
        }
        (numbers, text.len())
    }

    fn scanned(text: &str) -> (Vec<u32>, usize) {
        let mut numbers = Vec::new();
        let length = scan_f32_list(text.as_bytes(), &mut numbers);
        (numbers.into_iter().map(f32::to_bits).collect(), length)
    }

    #[test]
    fn words_that_are_not_numbers_end_the_list() {
        let padding = "1 ".repeat(40);
        for word in [
            "x",
            ".",
            "-",
            "+.",
            "1x",
            "1.2.3",
            "1.2345678.9",
            "12345678.1.",
            "--1",
            "1-",
            "1e",
            "nan",
            "1e99",
            "1/2",
            "1:2",
            "\u{e9}",
            "123456789012345x",
            "0x10",
            "\u{7f}1",
        ] {
            let text = format!("{padding}{word} 2 3");
            assert_eq!(scanned(&text), (vec![1_f32.to_bits(); 40], 80), "{word}");
        }
    }

    #[test]
    fn numbers_that_cross_a_block_are_whole() {
        for shift in 0..130 {
            let text = format!("{}-12.345678 123456789012345678 5e-1", ",".repeat(shift));
            let numbers = [-12.345_678_f32, 123_456_789_012_345_678.0, 0.5].map(f32::to_bits);
            assert_eq!(scanned(&text), (numbers.to_vec(), text.len()), "{shift}");
        }
    }

    proptest! {
        #[test]
        fn lists_are_read_as_by_the_standard_library(
            words in prop::collection::vec(
                prop_oneof![
                    20 => "[+-]?[0-9]{1,12}\\\\.[0-9]{0,12}",
                    10 => "[+-]?[0-9]{0,3}\\\\.[0-9]{1,7}",
                    10 => "[+-]?[0-9]{1,20}",
                    5 => any::<f32>().prop_map(|number| number.to_string()),
                    5 => any::<f32>().prop_map(|number| format!("{number:e}")),
                    1 => "[-+.e0-9x]{0,6}",
                ],
                0..60,
            ),
            separators in prop::collection::vec("[ ,\\n\\t]{1,3}", 60),
        ) {
            let text: String =
                words.iter().zip(&separators).flat_map(|(word, blank)| [&**word, blank]).collect();
            let (numbers, length) = expected(&text);
            prop_assert_eq!(scanned(&text), (numbers, length.min(text.len())), "{:?}", text);
        }
    }
}
