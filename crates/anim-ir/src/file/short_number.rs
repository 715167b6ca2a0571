//! The fast path for short numbers, which are the vast majority in files.
//!
//! A number is parsed with arithmetic on two 8-byte words. Finding its end takes only a short
//! chain of dependent instructions, so the CPU can start on the next number while it is still
//! converting this one. No loop or branch depends on the number of digits.

/// Parses a number without an exponent in a window of 16 bytes, with at most seven bytes before the
/// point or the end, including the minus, and at most 14 digits. Returns its value and its length.
/// Returns `None` for anything else, such as a plus, which [`scan_any`] parses.
///
/// The caller has to check that no exponent follows.
///
/// [`scan_any`]: crate::file::number::scan_any
#[inline(always)]
pub(super) fn scan_short(window: &[u8; 16]) -> Option<(f32, usize)> {
    let ([first, last], _) = window.as_chunks::<8>() else { return None };
    let negative = matches!(first, [b'-', ..]);
    let signs = usize::from(negative);
    // A minus is read as a leading zero.
    let first = differences(first) & !u64::from(negative).wrapping_mul(0xff);
    let others = not_digits(first);
    if others == 0 {
        return None;
    }
    // The highest bit of the first byte that is not a digit.
    let high = others & others.wrapping_neg();
    let before = high.trailing_zeros() / 8;
    let is_point = window.get(before as usize) == Some(&b'.');
    let (mantissa, decimals, length) = if is_point {
        // The digits before the point move to its place.
        let first = (first & (high >> 7).wrapping_sub(1)) << 8 | first & (high << 1).wrapping_neg();
        let after = others ^ high;
        let end = after.trailing_zeros() / 8;
        // A condition would be a branch that depends on the number of digits.
        let last = differences(last);
        let run = not_digits(last).trailing_zeros() / 8;
        let more = run & u32::from(after == 0).wrapping_neg();
        let length = end.wrapping_add(more) as usize;
        if more > 7 || length <= signs.wrapping_add(1) {
            return None;
        }
        let factor = *TEN_TO.get(more as usize)?;
        let mantissa = leading(first, end).wrapping_mul(factor).wrapping_add(leading(last, more));
        (mantissa, length.wrapping_sub(before as usize).wrapping_sub(1), length)
    } else {
        if before as usize <= signs {
            return None;
        }
        (leading(first, before), 0, before as usize)
    };
    let value = scale(exact(mantissa), decimals)?;
    Some((f32::from_bits(value.to_bits() ^ u32::from(negative) << 31), length))
}

/// Returns eight bytes as differences from `0`, the first in the lowest byte.
#[inline(always)]
pub(super) const fn differences(bytes: &[u8; 8]) -> u64 {
    u64::from_le_bytes(*bytes) ^ 0x3030_3030_3030_3030
}

/// Returns the highest bit of each byte that is not a digit. Bytes after the first one above 127
/// may be wrong.
#[inline(always)]
pub(super) const fn not_digits(differences: u64) -> u64 {
    (differences | differences.wrapping_add(0x7676_7676_7676_7676)) & 0x8080_8080_8080_8080
}

/// Returns the value of the first `count` of eight digits.
#[inline(always)]
const fn leading(digits: u64, count: u32) -> u64 {
    eight_digits(digits.unbounded_shl(64_u32.wrapping_sub(count.wrapping_mul(8))))
}

/// Converts eight digits, given as differences from `0`, the first in the lowest byte.
#[inline(always)]
pub(super) const fn eight_digits(digits: u64) -> u64 {
    let pairs = digits.wrapping_mul(10).wrapping_add(digits >> 8);
    let low = (pairs & 0x0000_00FF_0000_00FF).wrapping_mul(0x000F_4240_0000_0064);
    let high = ((pairs >> 16) & 0x0000_00FF_0000_00FF).wrapping_mul(0x0000_2710_0000_0001);
    low.wrapping_add(high) >> 32
}

pub(super) const TEN_TO: [u64; 9] =
    [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];

/// Converts an integer below 2^52. The processor's own conversion leaves half of the register as it
/// is, so it waits for the number that was there before, which costs a tenth of the time.
#[inline(always)]
pub(super) const fn exact(integer: u64) -> f64 {
    const TWO_TO_52: f64 = 4_503_599_627_370_496.0;
    f64::from_bits(TWO_TO_52.to_bits() | integer) - TWO_TO_52
}

/// 10^0 to 10^-18.
const FRACTIONS: [f64; 19] = [
    1e0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 1e-13, 1e-14,
    1e-15, 1e-16, 1e-17, 1e-18,
];

/// Returns `mantissa · 10^-decimals`, correctly rounded, or `None` if this fast path cannot
/// guarantee correct rounding.
///
/// The mantissa, rounded from an integer, the power and their product are rounded once each, for a
/// total error below two f64 ulps. Unless the result is that close to the midpoint between two f32
/// values (29 bits coarser), rounding it to f32 gives the same result as rounding the exact value.
/// With a mantissa of at most 18 digits, all results are 0 or in the normal range of f32.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is the purpose")]
pub(super) fn scale(mantissa: f64, decimals: usize) -> Option<f32> {
    let value = mantissa * FRACTIONS.get(decimals)?;
    let below = value.to_bits() & 0x1FFF_FFFF;
    let near_middle = below.wrapping_sub(0x1000_0000 - 4) <= 8;
    (!near_middle).then_some(value as f32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::number::scan_any;
    use proptest::prelude::*;

    fn window(text: &str) -> [u8; 16] {
        let mut window = [b' '; 16];
        window.iter_mut().zip(text.bytes()).for_each(|(to, from)| *to = from);
        window
    }

    #[test]
    fn what_is_short() {
        let short = |text: &str| scan_short(&window(text));
        assert_eq!(short("-0.5,"), Some((-0.5, 4)));
        assert_eq!(short("-.5"), Some((-0.5, 3)));
        assert_eq!(short("5.\n6"), Some((5.0, 2)));
        assert_eq!(short("1234567/8"), Some((1_234_567.0, 7)));
        assert_eq!(short("-123456.12345678"), None, "longer than 15 bytes");
        assert_eq!(short("-123456.1234567"), Some((-123_456.125, 15)));
        for text in ["", "-", ".", "-.", "+1", "--1", "x", "12345678", "\u{e9}1.5", "-1234567"] {
            assert_eq!(short(text), None, "{text}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        /// Compares short numbers with the plain path, whatever follows.
        #[test]
        fn short_numbers_are_those_of_the_plain_path(
            text in "[+-]?[0-9]{0,9}\\.?[0-9]{0,10}",
            after in "[ eE0-9.+\u{1}-\u{ff}-]{0,3}",
        ) {
            let text = format!("{text}{after}");
            if let Some((value, length)) = scan_short(&window(&text)) {
                let number = text.get(..length).unwrap();
                prop_assert_eq!(scan_any(number.as_bytes()), Some((value, length)), "{}", text);
                let next = text.as_bytes().get(length);
                prop_assert!(!next.is_some_and(u8::is_ascii_digit), "{}", text);
            }
        }
    }
}
