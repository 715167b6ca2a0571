//! Lines and their tokens: small parsers whose errors contain the position of the invalid token and
//! what was expected.
//!
//! Spaces, tabs and line continuations (`\` before a line break) separate tokens. A `#` at the
//! start of a token begins a comment.

use anim_ir::Span;
use anim_ir::encoding::text_start;
use anim_ir::number::{IntegerError, NumberError, parse_f32, scan_f32, scan_integer};
use winnow::error::ParserError;
use winnow::prelude::*;
use winnow::token::take_till;

/// The rest of a line.
pub(crate) type Input<'a> = &'a [u8];

/// A rejected token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reject {
    /// The distance in bytes from the start of the token to the end of the line.
    pub(crate) rest: usize,
    /// The reason for the rejection.
    pub(crate) reason: Reason,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// The token is not a number.
    Number,
    /// The number is NaN, infinite, or beyond the range of f32.
    NotFinite,
    /// The token is not an integer.
    Integer,
    /// A corner with more than five indices.
    ManySlots,
    /// A corner that does not start with a position.
    NoPosition,
    /// There is no token.
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

/// Skips whitespace and continuations. Returns whether a token follows.
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

/// Whether the input is at the end of a token.
#[inline]
fn at_end_of_token(input: Input<'_>) -> bool {
    matches!(input, [] | [b' ' | b'\t', ..] | [b'\\', b'\r' | b'\n', ..])
}

/// Returns the token at the start of the input, up to whitespace or a line continuation.
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

/// Like [`word`], but optimised for the first word of a line, which usually has one or two letters.
#[inline]
pub(crate) fn keyword<'a>(input: &mut Input<'a>) -> Result<Input<'a>, Reject> {
    let length = match *input {
        [_, b' ' | b'\t', ..] => 1,
        [_, _, b' ' | b'\t', ..] => 2,
        _ => return word(input),
    };
    let (keyword, rest) = input.split_at_checked(length).unwrap_or_default();
    *input = rest;
    Ok(keyword)
}

/// Parses a finite number.
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

/// Parses all values up to the end of the line and stores as many as fit in `out`. Returns the
/// total number.
#[inline]
fn values<T>(
    input: &mut Input<'_>,
    out: &mut [T],
    read: impl Fn(&mut Input<'_>) -> Result<T, Reject>,
) -> Result<usize, Reject> {
    let mut count = 0;
    while next_token(input) {
        let value = read(input)?;
        if let Some(slot) = out.get_mut(count) {
            *slot = value;
        }
        count += 1;
    }
    Ok(count)
}

/// Parses all numbers up to the end of the line and stores as many as fit in `out`. Returns the
/// total number.
#[inline]
pub(crate) fn numbers(input: &mut Input<'_>, out: &mut [f32]) -> Result<usize, Reject> {
    values(input, out, number)
}

/// Parses an integer, regardless of what follows. Saturates at ±`i32::MAX`, since no file has
/// that many elements.
#[inline]
fn integer_prefix(input: &mut Input<'_>) -> Result<i32, Reject> {
    let Some((value, length)) = scan_integer(input) else {
        return Err(Reject { rest: input.len(), reason: Reason::Integer });
    };
    *input = input.get(length..).unwrap_or_default();
    // The smallest i32 is reserved for ABSENT.
    let most = i64::from(i32::MAX);
    let value = match value {
        Ok(value) => value.clamp(-most, most),
        Err(IntegerError::TooSmall) => -most,
        Err(_) => most,
    };
    Ok(i32::try_from(value).unwrap_or_default())
}

/// Parses an integer.
#[inline]
pub(crate) fn integer(input: &mut Input<'_>) -> Result<i32, Reject> {
    let rest = input.len();
    let value = integer_prefix(input)?;
    if at_end_of_token(input) { Ok(value) } else { Err(Reject { rest, reason: Reason::Integer }) }
}

/// Parses all integers up to the end of the line and stores as many as fit in `out`. Returns the
/// total number.
pub(crate) fn integers(input: &mut Input<'_>, out: &mut [i32]) -> Result<usize, Reject> {
    values(input, out, integer)
}

/// Marks an index that is missing from a corner.
pub(crate) const ABSENT: i32 = i32::MIN;

/// Parses `position/texcoord/normal/joints/weights`, of which all but the first are optional.
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

/// Returns all tokens of a line up to a comment, as ranges within the line.
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

/// Returns the spans of all tokens in a part of the source.
pub(crate) fn words(source: &[u8], place: Span) -> impl Iterator<Item = Span> {
    let text = source.get(place.start..place.end).unwrap_or_default();
    spans(text).map(move |token| Span::new(place.start + token.start, place.start + token.end))
}

/// Returns the spans of all tokens, including the keyword, of the line that starts at `line`.
pub(crate) fn words_of_line(source: &[u8], line: u32) -> impl Iterator<Item = Span> {
    let start = line as usize;
    let skip = if start == 0 { text_start(source) } else { 0 };
    words(source, Span::new(start + skip, line_at(source, start).end))
}

/// Returns the range from the first token to the last. Names extend to the end of the line or to a
/// comment.
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

/// Like [`to_end`], for the name of a material. A `#` directly before a digit is part of the name,
/// since 3ds Max names materials `Material #25`.
pub(crate) fn material_to_end(line: Input<'_>) -> std::ops::Range<usize> {
    let mut range = to_end(line);
    loop {
        let rest = line.get(range.end..).unwrap_or_default();
        let text = rest.trim_ascii_start();
        let [b'#', number @ ..] = text else { return range };
        if !number.first().is_some_and(u8::is_ascii_digit) {
            return range;
        }
        let last = spans(number).last().map_or(0, |token| token.end);
        range.end += rest.len() - text.len() + 1 + last;
    }
}

/// Whether a line begins with what looks like a number.
pub(crate) fn starts_like_number(input: Input<'_>) -> bool {
    matches!(input, [b'0'..=b'9', ..] | [b'-' | b'+' | b'.', b'0'..=b'9' | b'.', ..])
}

/// A line with its continuations: the end of its text and the start of the next line.
pub(crate) struct Line {
    pub(crate) end: usize,
    pub(crate) next: usize,
}

/// Returns the line that starts at `start`. Lines end with LF, CR LF or CR; a `\` before the line
/// break continues the line.
pub(crate) fn line_at(source: &[u8], start: usize) -> Line {
    let mut from = start;
    loop {
        let rest = source.get(from..).unwrap_or_default();
        let Some(length) = memchr::memchr2(b'\n', b'\r', rest) else {
            return Line { end: source.len(), next: source.len() };
        };
        let end = from + length;
        let next = if source.get(end..end + 2) == Some(b"\r\n") { end + 2 } else { end + 1 };
        let continued = end > start && source.get(end - 1) == Some(&b'\\');
        if !continued || source.get(start) == Some(&b'#') {
            return Line { end, next };
        }
        from = next;
    }
}

/// Returns the last line that is not blank.
pub(crate) fn last_line(source: &[u8]) -> &[u8] {
    let text = source.trim_ascii_end();
    let start = memchr::memrchr2(b'\n', b'\r', text).map_or(0, |at| at + 1);
    text.get(start..).unwrap_or_default()
}

/// Whether the line goes on after the line feed at `at`. Also true of a comment that ends with `\`.
pub(crate) fn continues(source: &[u8], at: usize) -> bool {
    let before = source.get(..at).unwrap_or_default();
    before.strip_suffix(b"\r").unwrap_or(before).ends_with(b"\\")
}

/// Decodes text from the file as UTF-8, or as Latin-1 if the file is not UTF-8.
pub(crate) fn decode(bytes: &[u8], latin1: bool) -> String {
    if latin1 {
        bytes.iter().map(|byte| char::from(*byte)).collect()
    } else {
        String::from_utf8_lossy(bytes).into_owned()
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
    fn lines_with_tabs_continuations_and_comments() {
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
        let name = |line: &'static [u8]| &line[material_to_end(line)];
        assert_eq!(name(b" Material #25\t# red"), b"Material #25");
        assert_eq!(name(b"a  #1 b #2 c #no"), b"a  #1 b #2 c");
        assert_eq!([name(b"red # 1"), name(b"# red"), name(b"")], [b"red".as_slice(), b"", b""]);
    }

    fn lines(text: &[u8]) -> Vec<String> {
        let mut at = 0;
        let mut found = Vec::new();
        while at < text.len() {
            let line = line_at(text, at);
            found.push(String::from_utf8_lossy(&text[at..line.end]).into_owned());
            at = line.next;
        }
        found
    }

    #[test]
    fn line_breaks_of_all_kinds_and_continuations() {
        assert_eq!(lines(b"a\nb\r\nc\rd\n\ne"), ["a", "b", "c", "d", "", "e"]);
        assert_eq!(lines(b"v 1 \\\n2\\\r\n3\nx\\"), ["v 1 \\\n2\\\r\n3", "x\\"]);
        assert_eq!(lines(b"# a \\\nb"), ["# a \\", "b"]);
    }
}
