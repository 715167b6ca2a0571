//! Parsing and formatting of numbers, shared by all formats. NaN and infinity are rejected.

use std::fmt::Write as _;

use thiserror::Error;

use crate::file::short_number::{TEN_TO, differences, eight_digits, not_digits, scale, scan_short};

/// The error for a token that is not a finite number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NumberError {
    /// The token is not of the form `[+-] digits [. digits] [e [+-] digits]`, where the digits
    /// before or after the point may be missing. Hexadecimal numbers and decimal commas are not
    /// accepted.
    #[error("not a number")]
    Syntax,
    /// The value is NaN, infinite or out of range for the type.
    #[error("not a finite number")]
    NotFinite,
}

/// Converts an offset or index to 32 bits. It fits because the size of the input is limited.
#[inline]
pub fn index32(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

/// Converts a number of items to an integer: truncates it, and saturates outside the range. NaN
/// becomes 0.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
pub const fn count(items: f64) -> usize {
    items as usize
}

/// Rounds to f32. Returns infinity if the value is out of range.
#[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is the purpose")]
pub const fn narrow(value: f64) -> f32 {
    value as f32
}

/// Parses a whole token as a number, correctly rounded to f32. Underflow returns zero.
///
/// # Errors
///
/// Returns [`NumberError::Syntax`] if the token is not a number, and [`NumberError::NotFinite`] for
/// `nan`, `inf` and values that round to infinity.
///
/// ```
/// use anim_ir::number::{NumberError, parse_f32};
/// assert_eq!(parse_f32(b"-.5e1"), Ok(-5.0));
/// assert_eq!(parse_f32(b"1,5"), Err(NumberError::Syntax));
/// assert_eq!(parse_f32(b"1e999"), Err(NumberError::NotFinite));
/// ```
pub fn parse_f32(token: &[u8]) -> Result<f32, NumberError> {
    match scan_f32(token) {
        Some((value, length)) if length == token.len() && value.is_finite() => Ok(value),
        Some((_, length)) if length == token.len() => Err(NumberError::NotFinite),
        _ if is_non_finite_word(token) => Err(NumberError::NotFinite),
        _ => Err(NumberError::Syntax),
    }
}

/// The error for a token that is not an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum IntegerError {
    /// The token is not of the form `[+-] digits`.
    #[error("not an integer")]
    Syntax,
    /// The integer is below the type's range.
    #[error("integer too small")]
    TooSmall,
    /// The integer is above the type's range.
    #[error("integer too large")]
    TooGreat,
}

/// Parses a whole token as an integer with an optional sign.
///
/// # Errors
///
/// Returns [`IntegerError`] if the token is not an integer or is out of range for i64.
///
/// ```
/// use anim_ir::number::{IntegerError, parse_integer};
/// assert_eq!(parse_integer(b"-12"), Ok(-12));
/// assert_eq!(parse_integer(b"12.0"), Err(IntegerError::Syntax));
/// assert_eq!(parse_integer(b"-99999999999999999999"), Err(IntegerError::TooSmall));
/// ```
pub fn parse_integer(token: &[u8]) -> Result<i64, IntegerError> {
    match scan_integer(token) {
        Some((value, length)) if length == token.len() => value,
        _ => Err(IntegerError::Syntax),
    }
}

/// Parses the integer at the start of `text`. Returns its value, or an error if it is out of range
/// for i64, and its length in bytes. Returns `None` if `text` does not start with an integer. The
/// caller has to check the character that follows.
#[inline]
pub fn scan_integer(text: &[u8]) -> Option<(Result<i64, IntegerError>, usize)> {
    let sign = text.first().copied();
    let negative = sign == Some(b'-');
    let signs = usize::from(negative | (sign == Some(b'+')));
    // Most integers are short, so parsing digit by digit is faster than eight at a time.
    let (mut size, mut length) = (0_u64, signs);
    while let Some(digit) = text.get(length).map(|byte| byte.wrapping_sub(b'0'))
        && digit <= 9
    {
        // u64::MAX is out of range for either sign.
        size = size.saturating_mul(10).saturating_add(u64::from(digit));
        length = length.wrapping_add(1);
    }
    if length == signs {
        return None;
    }
    let value = if negative {
        0_i64.checked_sub_unsigned(size).ok_or(IntegerError::TooSmall)
    } else {
        i64::try_from(size).map_err(|_| IntegerError::TooGreat)
    };
    Some((value, length))
}

/// Parses a whole token as an unsigned integer in base 2 to 16, without a prefix.
///
/// # Errors
///
/// Returns [`IntegerError`] if the token is not an unsigned integer in this base or is out of range
/// for u32.
pub fn parse_digits(digits: &[u8], radix: u32) -> Result<u32, IntegerError> {
    if digits.is_empty() {
        return Err(IntegerError::Syntax);
    }
    let radix = radix.clamp(2, 16);
    // An invalid character later in the token takes precedence over an overflow.
    let value = digits.iter().try_fold(0_u64, |value, byte| {
        let digit = char::from(*byte).to_digit(radix)?;
        Some(value.saturating_mul(u64::from(radix)).saturating_add(u64::from(digit)))
    });
    u32::try_from(value.ok_or(IntegerError::Syntax)?).map_err(|_| IntegerError::TooGreat)
}

/// Parses the number at the start of `text`. Returns its value, which is infinite if out of range
/// for f32, and its length in bytes. Returns `None` if `text` does not start with a number. The
/// caller has to check the character that follows.
// Always inlined: this runs in the innermost loop of parsers, where a function call would cost a
// tenth of the time.
#[inline(always)]
pub fn scan_f32(text: &[u8]) -> Option<(f32, usize)> {
    match text.first_chunk().and_then(scan_short) {
        Some((_, length)) if matches!(text.get(length), Some(b'e' | b'E')) => scan_any(text),
        None => scan_any(text),
        short => short,
    }
}

/// Parses the word at the start of `text` as a finite number, and returns its value and the text
/// after it. Returns `None` if it is anything else. A word ends at the end of the text and before
/// bytes for which `ends` is true, none of which may be part of a number.
///
/// ```
/// let number = |text| anim_ir::number::scan_word(text, |byte| byte == b' ');
/// assert_eq!(number(b"-2.5 1"), Some((-2.5, &b" 1"[..])));
/// assert_eq!(number(b"1x"), None);
/// ```
#[inline(always)]
pub fn scan_word(text: &[u8], ends: impl Fn(u8) -> bool) -> Option<(f32, &[u8])> {
    if let Some(window) = text.first_chunk()
        && let Some((value, length)) = scan_short(window)
        && window.get(length).is_some_and(|byte| ends(*byte))
    {
        return Some((value, text.get(length..)?));
    }
    scan_other_word(text, ends)
}

/// Parses the words that are not short numbers.
#[inline(never)]
pub(super) fn scan_other_word(text: &[u8], ends: impl Fn(u8) -> bool) -> Option<(f32, &[u8])> {
    let (value, length) = scan_any(text)?;
    let rest = text.get(length..)?;
    let is_word = rest.first().is_none_or(|byte| ends(*byte));
    (is_word && value.is_finite()).then_some((value, rest))
}

/// Parses any number. This is the plain path that [`scan_short`] must agree with.
#[inline(never)]
pub(super) fn scan_any(text: &[u8]) -> Option<(f32, usize)> {
    let sign = text.first().copied().unwrap_or_default();
    let negative = sign == b'-';
    let mut rest = text.get(usize::from(negative | (sign == b'+'))..).unwrap_or_default();
    let mut digits = Digits::default();
    rest = digits.take(rest);
    let whole = digits.count;
    if let [b'.', tail @ ..] = rest {
        rest = digits.take(tail);
    }
    let count = digits.count;
    if count == 0 {
        return None;
    }
    let length = text.len().wrapping_sub(rest.len());
    if count <= 18
        && !matches!(rest, [b'e' | b'E', ..])
        && let Some(value) = to_f32(digits.mantissa, count.wrapping_sub(whole))
    {
        return Some((f32::from_bits(value.to_bits() ^ u32::from(negative) << 31), length));
    }
    scan_rare(text, length)
}

/// Parses numbers with an exponent, with more than 18 digits, or close to the midpoint between two
/// floats, using the standard library.
#[cold]
#[inline(never)]
fn scan_rare(text: &[u8], length: usize) -> Option<(f32, usize)> {
    let exponent = match text.get(length..)? {
        [b'e' | b'E', b'+' | b'-', tail @ ..] => Some((tail, 2_usize)),
        [b'e' | b'E', tail @ ..] => Some((tail, 1)),
        _ => None,
    };
    let exponent = exponent
        .map(|(tail, signs)| (tail.iter().take_while(|byte| byte.is_ascii_digit()).count(), signs));
    // An `e` without digits after it is not an exponent and not part of the number.
    let length = exponent
        .filter(|(count, _)| *count > 0)
        .map_or(length, |(count, signs)| length.saturating_add(signs).saturating_add(count));
    let value = std::str::from_utf8(text.get(..length)?).ok()?.parse().ok()?;
    Some((value, length))
}

/// The value of a run of digits, which wraps beyond 19 digits, and their count.
#[derive(Default)]
struct Digits {
    mantissa: u64,
    count: usize,
}

impl Digits {
    #[inline(always)]
    fn take<'a>(&mut self, mut text: &'a [u8]) -> &'a [u8] {
        // Counts and converts the digits of eight bytes at a time, without a branch for each digit.
        while let Some(chunk) = text.first_chunk::<8>() {
            let bytes = differences(chunk);
            let run = not_digits(bytes).trailing_zeros() / 8;
            if run == 0 {
                return text;
            }
            let value = eight_digits(bytes << (64_u32.wrapping_sub(run.wrapping_mul(8))));
            let run = run as usize;
            self.mantissa = self
                .mantissa
                .wrapping_mul(TEN_TO.get(run).copied().unwrap_or(1))
                .wrapping_add(value);
            self.count = self.count.wrapping_add(run);
            text = text.get(run..).unwrap_or_default();
            if run < 8 {
                return text;
            }
        }
        while let [byte @ b'0'..=b'9', tail @ ..] = text {
            self.mantissa =
                self.mantissa.wrapping_mul(10).wrapping_add(u64::from(byte.wrapping_sub(b'0')));
            self.count = self.count.wrapping_add(1);
            text = tail;
        }
        text
    }
}

/// Returns `mantissa · 10^-decimals`, correctly rounded, or `None` if this fast path cannot
/// guarantee correct rounding. The mantissa has at most 18 digits.
#[inline]
#[expect(clippy::cast_precision_loss, reason = "the error bound of `scale` accounts for the loss")]
fn to_f32(mantissa: u64, decimals: usize) -> Option<f32> {
    // Up to 18 digits fit in a signed integer, which converts faster.
    scale(mantissa.cast_signed() as f64, decimals)
}

fn is_non_finite_word(token: &[u8]) -> bool {
    let word = match token {
        [b'-' | b'+', rest @ ..] => rest,
        rest => rest,
    };
    ["nan", "inf", "infinity", "1.#inf", "1.#ind", "1.#qnan"]
        .iter()
        .any(|known| word.eq_ignore_ascii_case(known.as_bytes()))
}

/// Returns the shortest decimal representation that parses back to the same f32. Has an exponent
/// only if the plain form would be long.
///
/// ```
/// assert_eq!(anim_ir::number::shortest(0.1), "0.1");
/// assert_eq!(anim_ir::number::shortest(1e-30), "1e-30");
/// ```
pub fn shortest(value: f32) -> String {
    let mut text = String::new();
    push_shortest(value, &mut text);
    text
}

/// Appends a number as [`shortest`] formats it.
pub fn push_shortest(value: f32, text: &mut String) {
    let size = value.abs();
    // Writing to a string cannot fail.
    let _ = if size == 0.0 {
        // Negative zero is written as zero.
        text.write_str("0")
    } else if (1e-6..1e9).contains(&size) {
        write!(text, "{value}")
    } else {
        write!(text, "{value:e}")
    };
}

/// Appends an integer.
pub fn push_integer(value: usize, text: &mut String) {
    let mut digits = [0_u8; 20];
    let mut rest = value;
    let mut used = 0_usize;
    for digit in digits.iter_mut().rev() {
        *digit = b'0'.saturating_add(u8::try_from(rest % 10).unwrap_or_default());
        used = used.saturating_add(1);
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    let digits = digits.get(digits.len().saturating_sub(used)..).unwrap_or_default();
    text.push_str(std::str::from_utf8(digits).unwrap_or_default());
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_are_parsed_or_rejected() {
        for (text, value) in [
            ("0", 0.0),
            ("-0.0", 0.0),
            (".5", 0.5),
            ("1.", 1.0),
            ("+1", 1.0),
            ("1e-400", 0.0),
            ("1E3", 1000.0),
            ("16777217", 16_777_216.0),
            ("00000000000000000000000001.5", 1.5),
            ("3.4028235e38", f32::MAX),
            ("1e-45", f32::from_bits(1)),
            ("0.24855799973011017", 0.248_558),
        ] {
            assert_eq!(parse_f32(text.as_bytes()), Ok(value), "{text}");
        }
        for text in [
            "", ".", "-", "+-1", "1e", "1e+", "0x1p3", "1,5", "1.5.", " 1", "1 ", "１", "--1",
            "e5", "1f",
        ] {
            assert_eq!(parse_f32(text.as_bytes()), Err(NumberError::Syntax), "{text}");
        }
        for text in ["nan", "NaN", "-inf", "INFINITY", "1e999", "-1e39", "1.#INF"] {
            assert_eq!(parse_f32(text.as_bytes()), Err(NumberError::NotFinite), "{text}");
        }
    }

    #[test]
    fn integers_are_parsed_or_rejected() {
        let cases = [("-9223372036854775808", i64::MIN), ("+9223372036854775807", i64::MAX)];
        for (text, value) in cases.into_iter().chain([("00000000000000000000000012", 12)]) {
            assert_eq!(parse_integer(text.as_bytes()), Ok(value), "{text}");
        }
        for text in ["", "-", "+", "1.0", "1e3", "0x10", "a", "+-1", "1 "] {
            assert_eq!(parse_integer(text.as_bytes()), Err(IntegerError::Syntax), "{text}");
        }
        for text in ["9223372036854775808", "18446744073709551615", "99999999999999999999"] {
            assert_eq!(parse_integer(text.as_bytes()), Err(IntegerError::TooGreat), "{text}");
        }
        assert_eq!(parse_integer(b"-9223372036854775809"), Err(IntegerError::TooSmall));
        assert_eq!(scan_integer(b"-7/2"), Some((Ok(-7), 2)));
        assert_eq!(scan_integer(b"/2"), None);
    }

    #[test]
    fn digits_of_any_base() {
        let parsed = |text: &str, radix| parse_digits(text.as_bytes(), radix);
        assert_eq!([parsed("1fA", 16), parsed("0019", 10)], [Ok(506), Ok(19)]);
        for (text, radix) in [("", 10), ("+1", 10), ("a", 10), ("g", 16), ("99999999999x", 10)] {
            assert_eq!(parsed(text, radix), Err(IntegerError::Syntax), "{text}");
        }
        assert_eq!(parsed("0fffffffe", 16), Ok(u32::MAX - 1));
        assert_eq!(parsed("ffffffff", 16), Ok(u32::MAX));
        assert_eq!(parsed("100000000", 16), Err(IntegerError::TooGreat));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]

        /// Compares results with the standard library, including for midpoints between two floats.
        #[test]
        fn agrees_with_the_standard_library(
            text in "[+-]?[0-9]{0,12}\\.?[0-9]{0,20}(e[+-]?[0-9]{1,2})?",
        ) {
            let expected = text.parse::<f32>().ok();
            let found = match parse_f32(text.as_bytes()) {
                Ok(value) => Some(value),
                Err(NumberError::NotFinite) => expected.filter(|value| value.is_infinite()),
                Err(NumberError::Syntax) => None,
            };
            prop_assert_eq!(found, expected);
        }

        #[test]
        fn middles_between_two_floats(
            bits in 0x3000_0000u32..0x5000_0000,
            nudge in -2i64..=2,
            digits in 6usize..18,
        ) {
            let value = f32::from_bits(bits);
            let middle = (f64::from(value) + f64::from(f32::from_bits(bits + 1))) / 2.0;
            let nudged = f64::from_bits(middle.to_bits().wrapping_add_signed(nudge));
            let text = format!("{:.*}", digits, nudged);
            prop_assert_eq!(parse_f32(text.as_bytes()).ok(), text.parse::<f32>().ok());
            let followed = format!("{text}{}", " ".repeat(16));
            let scanned = scan_f32(followed.as_bytes()).map(|(value, _)| value);
            prop_assert_eq!(scanned, text.parse::<f32>().ok());
        }

        #[test]
        fn integers_are_written_like_those_of_the_library(value: usize, shift in 0..usize::BITS) {
            let mut text = "f ".to_owned();
            push_integer(value >> shift, &mut text);
            prop_assert_eq!(text, format!("f {}", value >> shift));
        }

        #[test]
        fn shortest_reads_back(bits in any::<u32>()) {
            let value = f32::from_bits(bits);
            prop_assume!(value.is_finite());
            prop_assert_eq!(parse_f32(shortest(value).as_bytes()), Ok(value));
        }
    }
}
