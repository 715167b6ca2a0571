//! Tokens of a line: small parsers whose errors know where the bad token stands and what it should
//! have been.
//!
//! Blanks, tabs and line continuations (`\` before a line end) part tokens. A `#` at the start of a
//! token begins a comment.

use anim_ir::number::{NumberError, parse_f32, scan_digits, scan_f32};
use winnow::error::ParserError;
use winnow::prelude::*;
use winnow::token::take_till;

/// What is left of a line.
pub(crate) type Input<'a> = &'a [u8];

/// Why a token was not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reject {
    /// How many bytes of the line were left at the start of the token.
    pub(crate) rest: usize,
    /// Why.
    pub(crate) reason: Reason,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// Not a number.
    Number,
    /// NaN or infinity, or more than f32 holds.
    NotFinite,
    /// Not an integer.
    Integer,
    /// A corner with more than five indices.
    ManySlots,
    /// A corner that does not start with a position.
    NoPosition,
    /// Something else than a token.
    Word,
}

impl<'a> ParserError<Input<'a>> for Reject {
    type Inner = Reject;

    fn from_input(input: &Input<'a>) -> Reject {
        Reject { rest: input.len(), reason: Reason::Word }
    }

    fn into_inner(self) -> Result<Reject, Reject> {
        Ok(self)
    }
}

/// Skips what parts tokens; says whether a token follows.
#[inline]
pub(crate) fn next_token(input: &mut Input<'_>) -> bool {
    loop {
        match *input {
            [b' ' | b'\t', rest @ ..] => *input = rest,
            [] | [b'#', ..] => return false,
            [b'\\', b'\r', b'\n', rest @ ..] | [b'\\', b'\r' | b'\n', rest @ ..] => *input = rest,
            _ => return true,
        }
    }
}

/// Whether a token ends before what is left.
#[inline]
fn at_end_of_token(input: Input<'_>) -> bool {
    matches!(input, [] | [b' ' | b'\t', ..] | [b'\\', b'\r' | b'\n', ..])
}

/// The token at the start of the input, up to a blank or a line continuation.
pub(crate) fn word<'a>(input: &mut Input<'a>) -> Result<Input<'a>, Reject> {
    let start = *input;
    loop {
        take_till(0.., (b' ', b'\t', b'\\')).void().parse_next(input)?;
        match *input {
            [b'\\', rest @ ..] if !at_end_of_token(input) => *input = rest,
            _ => break,
        }
    }
    let taken = start.get(..start.len() - input.len()).unwrap_or_default();
    if taken.is_empty() { Err(Reject::from_input(input)) } else { Ok(taken) }
}

/// A finite number.
#[inline]
pub(crate) fn number(input: &mut Input<'_>) -> Result<f32, Reject> {
    if let Some((value, length)) = scan_f32(input)
        && let Some(rest) = input.get(length..)
        && at_end_of_token(rest)
        && value.is_finite()
    {
        *input = rest;
        return Ok(value);
    }
    let rest = input.len();
    let reason = match parse_f32(word(&mut { *input })?) {
        Err(NumberError::NotFinite) => Reason::NotFinite,
        _ => Reason::Number,
    };
    Err(Reject { rest, reason })
}

/// Numbers to the end of the line, as many as there is room for; gives how many there are in all.
#[inline]
pub(crate) fn numbers(input: &mut Input<'_>, out: &mut [f32]) -> Result<usize, Reject> {
    let mut count = 0;
    while next_token(input) {
        let value = number(input)?;
        if let Some(slot) = out.get_mut(count) {
            *slot = value;
        }
        count += 1;
    }
    Ok(count)
}

/// An integer without a look at what follows; out of i32's range it is the nearest i32, which no
/// file can have so many of.
#[inline]
fn integer_prefix(input: &mut Input<'_>) -> Result<i32, Reject> {
    let (negative, text) = match *input {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        rest => (false, rest),
    };
    let (value, count) = scan_digits(text);
    if count == 0 {
        return Err(Reject { rest: input.len(), reason: Reason::Integer });
    }
    // Leading zeros aside, more than 18 digits are out of range, whatever they wrapped to.
    let leading_zeros = || text.iter().take_while(|byte| **byte == b'0').count();
    let far = count > 18 && count - leading_zeros() > 18;
    let size = if far { i32::MAX } else { i32::try_from(value).unwrap_or(i32::MAX) };
    *input = text.get(count..).unwrap_or_default();
    Ok(if negative { -size } else { size })
}

/// An integer.
#[inline]
pub(crate) fn integer(input: &mut Input<'_>) -> Result<i32, Reject> {
    let rest = input.len();
    let value = integer_prefix(input)?;
    if at_end_of_token(input) { Ok(value) } else { Err(Reject { rest, reason: Reason::Integer }) }
}

/// Integers to the end of the line, as many as there is room for; gives how many there are in all.
pub(crate) fn integers(input: &mut Input<'_>, out: &mut [i32]) -> Result<usize, Reject> {
    let mut count = 0;
    while next_token(input) {
        let value = integer(input)?;
        if let Some(slot) = out.get_mut(count) {
            *slot = value;
        }
        count += 1;
    }
    Ok(count)
}

/// An index that a corner does not have.
pub(crate) const ABSENT: i32 = i32::MIN;

/// `position/texcoord/normal/joints/weights`, all but the first optional.
#[inline]
pub(crate) fn corner(input: &mut Input<'_>) -> Result<[i32; 5], Reject> {
    let start = input.len();
    let mut slots = [ABSENT; 5];
    let mut places = slots.iter_mut();
    loop {
        let Some(slot) = places.next() else {
            return Err(Reject { rest: start, reason: Reason::ManySlots });
        };
        if !matches!(input.first(), Some(b'/')) && !at_end_of_token(input) {
            *slot = integer_prefix(input).map_err(|reject| Reject { rest: start, ..reject })?;
        }
        match *input {
            [b'/', rest @ ..] => *input = rest,
            _ if at_end_of_token(input) => break,
            _ => return Err(Reject { rest: start, reason: Reason::Integer }),
        }
    }
    if slots.first() == Some(&ABSENT) {
        Err(Reject { rest: start, reason: Reason::NoPosition })
    } else {
        Ok(slots)
    }
}

/// All tokens of a line up to a comment, as ranges within it.
pub(crate) fn spans(line: Input<'_>) -> impl Iterator<Item = std::ops::Range<usize>> {
    let mut input = line;
    std::iter::from_fn(move || {
        if !next_token(&mut input) {
            return None;
        }
        let start = line.len() - input.len();
        word(&mut input).ok().map(|word| start..start + word.len())
    })
}

/// The range from the first token to the last, which is how names run: to the end of the line or to
/// a comment.
pub(crate) fn to_end(line: Input<'_>) -> std::ops::Range<usize> {
    let mut tokens = spans(line);
    let first = tokens.next();
    let last = tokens.last();
    match (first, last) {
        (Some(first), Some(last)) => first.start..last.end,
        (Some(only), None) => only,
        (None, _) => line.len()..line.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners() {
        let read = |text: &str| corner(&mut text.as_bytes());
        assert_eq!(read("1/2/3/4/5"), Ok([1, 2, 3, 4, 5]));
        assert_eq!(read("1//3/4/5"), Ok([1, ABSENT, 3, 4, 5]));
        assert_eq!(read("-1//"), Ok([-1, ABSENT, ABSENT, ABSENT, ABSENT]));
        assert_eq!(read("7/"), Ok([7, ABSENT, ABSENT, ABSENT, ABSENT]));
        assert_eq!(read("99999999999999999999"), Ok([i32::MAX, ABSENT, ABSENT, ABSENT, ABSENT]));
        assert_eq!(read("1/////"), Err(Reject { rest: 6, reason: Reason::ManySlots }));
        assert_eq!(read("/"), Err(Reject { rest: 1, reason: Reason::NoPosition }));
        assert_eq!(read("1/x"), Err(Reject { rest: 3, reason: Reason::Integer }));
        assert_eq!(read("1.5"), Err(Reject { rest: 3, reason: Reason::Integer }));
    }

    #[test]
    fn lines_with_everything_in_them() {
        let mut out = [0.0; 4];
        let mut input: Input<'_> = b"\t1 2\\\n3 \\\r\n 4.5 # 6";
        assert_eq!(numbers(&mut input, &mut out), Ok(4));
        assert_eq!(out, [1.0, 2.0, 3.0, 4.5]);
        assert_eq!(
            numbers(&mut b"1 2\x0b3".as_slice(), &mut out),
            Err(Reject { rest: 3, reason: Reason::Number })
        );
        assert_eq!(
            numbers(&mut b"1 nan 2".as_slice(), &mut out),
            Err(Reject { rest: 5, reason: Reason::NotFinite })
        );
        let line = b" a  C# minor\\x # no";
        assert_eq!(&line[to_end(line)], b"a  C# minor\\x");
        assert_eq!(spans(line).count(), 3);
    }
}
