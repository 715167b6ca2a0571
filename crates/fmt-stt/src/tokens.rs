//! Token parsers. Their errors hold the location of the rejected token and the reason.
//!
//! Whitespace (space, tab, line feed, carriage return, form feed) separates tokens. A `{` ends
//! a word and begins a name, even without whitespace before it.

use anim_ir::number::{IntegerError, NumberError, parse_f32, scan_integer, scan_word};
use winnow::error::ParserError;
use winnow::prelude::*;
use winnow::token::take_till;

/// The rest of the file, up to the end of its last token.
pub(crate) type Input<'a> = &'a [u8];

/// A rejected token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reject {
    /// The number of bytes left in the input at the start of the token.
    pub(crate) rest: usize,
    /// The reason.
    pub(crate) reason: Reason,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// The end of the file.
    End,
    /// An unclosed `{`.
    Unclosed,
    /// An unexpected kind of token.
    Other,
    /// NaN or infinity.
    NotFinite,
    /// A number beyond the range of f32.
    TooGreat,
}

impl<'a> ParserError<Input<'a>> for Reject {
    type Inner = Reject;

    fn from_input(input: &Input<'a>) -> Reject {
        Reject {
            rest: input.len(),
            reason: if input.is_empty() { Reason::End } else { Reason::Other },
        }
    }

    fn into_inner(self) -> Result<Reject, Reject> {
        Ok(self)
    }
}

#[inline(always)]
pub(crate) fn skip_blanks(input: &mut Input<'_>) {
    let mut rest = *input;
    while let [first, tail @ ..] = rest
        && first.is_ascii_whitespace()
    {
        rest = tail;
    }
    *input = rest;
}

/// Returns whether a word ends before a byte.
#[inline(always)]
const fn ends_word(byte: u8) -> bool {
    byte == b'{' || byte.is_ascii_whitespace()
}

/// Reads a word: everything up to whitespace or a `{`.
#[inline]
pub(crate) fn word<'a>(input: &mut Input<'a>) -> Result<&'a [u8], Reject> {
    skip_blanks(input);
    if let [b'{', ..] = *input {
        // An unclosed brace takes precedence.
        name(&mut { *input })?;
        return Err(Reject { rest: input.len(), reason: Reason::Other });
    }
    take_till(1.., ends_word).parse_next(input)
}

/// Reads a name: everything between `{` and the next `}`.
#[inline]
pub(crate) fn name<'a>(input: &mut Input<'a>) -> Result<&'a [u8], Reject> {
    skip_blanks(input);
    let rest = input.len();
    let unclosed = Reject { rest, reason: Reason::Unclosed };
    b'{'.void().parse_next(input)?;
    let inside = take_till(0.., b'}').parse_next(input).map_err(|_: Reject| unclosed)?;
    b'}'.void().parse_next(input).map_err(|_: Reject| unclosed)?;
    Ok(inside)
}

/// Reads a name that there is nothing to report about: with at least one and at most `most` bytes,
/// and without control characters. Otherwise, reads nothing.
#[inline(always)]
pub(crate) fn plain_name<'a>(input: &mut Input<'a>, most: usize) -> Option<&'a [u8]> {
    let mut rest = *input;
    skip_blanks(&mut rest);
    let [b'{', inside @ ..] = rest else { return None };
    let length = plain_length(inside)?;
    let (name, rest) = inside.split_at_checked(length)?;
    let [b'}', rest @ ..] = rest else { return None };
    if name.is_empty() || length > most {
        return None;
    }
    *input = rest;
    Some(name)
}

/// Returns the number of bytes before the first `}` or control character, if there are eight bytes
/// from there on. Checks eight bytes at a time, since names are short and the branches at their
/// ends would be mispredicted.
#[inline(always)]
fn plain_length(text: &[u8]) -> Option<usize> {
    const EACH: u64 = 0x0101_0101_0101_0101;
    let mut rest = text;
    while let Some((chunk, tail)) = rest.split_first_chunk() {
        let bytes = u64::from_le_bytes(*chunk);
        let brace = bytes ^ (EACH * 0x7d);
        let delete = bytes ^ (EACH * 0x7f);
        // Sets the highest bit of each byte below the space and of each brace and DEL. Only the
        // lowest bit set is reliable.
        let found = (bytes.wrapping_sub(EACH * 0x20) & !bytes
            | brace.wrapping_sub(EACH) & !brace
            | delete.wrapping_sub(EACH) & !delete)
            & (EACH * 0x80);
        if found != 0 {
            let before = text.len().wrapping_sub(rest.len());
            return Some(before.wrapping_add((found.trailing_zeros() / 8) as usize));
        }
        rest = tail;
    }
    None
}

/// Reads the next word if it is the given one. Otherwise, reads nothing.
#[inline(always)]
pub(crate) fn this_word<const N: usize>(input: &mut Input<'_>, wanted: &[u8; N]) -> bool {
    let mut rest = *input;
    skip_blanks(&mut rest);
    match rest.split_first_chunk() {
        Some((word, rest @ [next, ..])) if word == wanted && ends_word(*next) => {
            *input = rest;
            true
        }
        _ => false,
    }
}

/// Reads a finite number.
#[inline(always)]
pub(crate) fn number(input: &mut Input<'_>) -> Result<f32, Reject> {
    skip_blanks(input);
    if let Some((value, rest)) = scan_word(input, ends_word) {
        *input = rest;
        return Ok(value);
    }
    Err(no_number(input))
}

#[cold]
fn no_number(input: Input<'_>) -> Reject {
    let rest = input.len();
    let word = match word(&mut { input }) {
        Ok(word) => word,
        Err(reject) => return reject,
    };
    // Older C runtimes print infinity and NaN as `1.#INF`, `1.#QNAN` and so on, possibly followed
    // by digits.
    let printed = word.strip_prefix(b"-").unwrap_or(word).starts_with(b"1.#");
    let reason = match parse_f32(word) {
        Err(NumberError::NotFinite) if is_finite_as_f64(word) => Reason::TooGreat,
        Err(NumberError::NotFinite) => Reason::NotFinite,
        _ if printed => Reason::NotFinite,
        _ => Reason::Other,
    };
    Reject { rest, reason }
}

fn is_finite_as_f64(word: &[u8]) -> bool {
    std::str::from_utf8(word)
        .ok()
        .and_then(|word| word.parse::<f64>().ok())
        .is_some_and(f64::is_finite)
}

/// Reads an integer, clamped to i64.
#[inline(always)]
pub(crate) fn integer(input: &mut Input<'_>) -> Result<i64, Reject> {
    skip_blanks(input);
    // Types and flags are single digits.
    if let [digit @ b'0'..=b'9', rest @ ..] = *input
        && rest.first().is_some_and(|next| ends_word(*next))
    {
        *input = rest;
        return Ok(i64::from(digit.wrapping_sub(b'0')));
    }
    any_integer(input)
}

#[inline(never)]
fn any_integer(input: &mut Input<'_>) -> Result<i64, Reject> {
    if let Some((value, length)) = scan_integer(input)
        && let Some(rest) = input.get(length..)
        && rest.first().is_none_or(|byte| ends_word(*byte))
    {
        *input = rest;
        return Ok(value.unwrap_or_else(|error| match error {
            IntegerError::TooSmall => i64::MIN,
            IntegerError::TooGreat | IntegerError::Syntax => i64::MAX,
        }));
    }
    let rest = input.len();
    word(&mut { *input })?;
    Err(Reject { rest, reason: Reason::Other })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_tokens_end() {
        let mut input: Input<'_> = b"\t 12{a {b}\x0cSINGLE{}-.5e1";
        assert_eq!(integer(&mut input), Ok(12));
        assert_eq!(name(&mut input), Ok(&b"a {b"[..]));
        assert_eq!(word(&mut input), Ok(&b"SINGLE"[..]));
        assert_eq!(name(&mut input), Ok(&b""[..]));
        assert_eq!(number(&mut input), Ok(-5.0));
        assert_eq!(number(&mut input), Err(Reject { rest: 0, reason: Reason::End }));
    }

    /// Names of every length with all bytes at their end, close to the end of the file and not.
    #[test]
    fn plain_names_are_names() {
        for (length, last) in
            (0..20).flat_map(|length| (0..=u8::MAX).map(move |last| (length, last)))
        {
            for after in ["}", "} STATIC 0 0 0", "", "\n} STATIC 0 0"] {
                let text =
                    [b" {", vec![b'x'; length].as_slice(), &[last], after.as_bytes()].concat();
                let (mut plain, mut any) = (text.as_slice(), text.as_slice());
                let found = plain_name(&mut plain, 12);
                let name = name(&mut any);
                let is_plain = |name: &&[u8]| {
                    let is_control = |byte: &u8| byte.is_ascii_control();
                    (1..=12).contains(&name.len()) && !name.iter().any(is_control)
                };
                match found {
                    Some(found) => assert_eq!((Ok(found), plain), (name, any)),
                    None => assert_eq!(plain, text),
                }
                if after.len() > 8 && name.as_ref().is_ok_and(is_plain) {
                    assert!(found.is_some(), "{name:?}");
                }
            }
        }
    }

    #[test]
    fn one_word_and_no_other() {
        let reads = |text: &str| {
            let mut input = text.as_bytes();
            (this_word(&mut input, b"STATIC"), input.len())
        };
        assert_eq!(
            [" STATIC 0", "STATIC{", "STATIC\n"].map(reads),
            [(true, 2), (true, 1), (true, 1)]
        );
        for text in ["", "STATIC", "STATICS 0", "STATIK 0", "{STATIC} 0", "DYNAMIC 0"] {
            assert_eq!(reads(text), (false, text.len()));
        }
    }

    #[test]
    fn what_is_wrong_with_a_token() {
        let reason = |text: &str| number(&mut text.as_bytes()).unwrap_err().reason;
        assert_eq!(
            ["1,5", "1}", "{a}", "{", "", "nan", "1.#INF00", "1e999", "1e39"].map(reason),
            [
                Reason::Other,
                Reason::Other,
                Reason::Other,
                Reason::Unclosed,
                Reason::End,
                Reason::NotFinite,
                Reason::NotFinite,
                Reason::NotFinite,
                Reason::TooGreat,
            ]
        );
        assert_eq!(name(&mut b" x".as_slice()), Err(Reject { rest: 1, reason: Reason::Other }));
        assert_eq!(
            integer(&mut b" 1.0".as_slice()),
            Err(Reject { rest: 3, reason: Reason::Other })
        );
        assert_eq!(integer(&mut b"-99999999999999999999".as_slice()), Ok(i64::MIN));
    }
}
