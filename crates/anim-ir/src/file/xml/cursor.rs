//! A cursor that reads names, characters and references (XML 1.0, sections 2.2 and 4.6), and the
//! error type.

use std::borrow::Cow;

use memchr::memmem;
use thiserror::Error;

use crate::Span;
use crate::file::diag::quote;
use crate::file::number::parse_digits;

/// The kind of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The document is not well-formed XML.
    Syntax,
    /// The document has an internal DTD subset, which could declare entities.
    Dtd,
    /// The document exceeds a limit.
    Limit,
}

/// The error for a rejected document.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct Error {
    /// The kind of error.
    pub kind: ErrorKind,
    /// The location, in bytes.
    pub span: Span,
    /// What is wrong: a sentence fragment without a full stop.
    pub message: String,
}

impl Error {
    pub(super) fn syntax(span: Span, message: impl Into<String>) -> Error {
        Error { kind: ErrorKind::Syntax, span, message: message.into() }
    }

    pub(super) fn limit(span: Span, message: impl Into<String>) -> Error {
        Error { kind: ErrorKind::Limit, span, message: message.into() }
    }
}

/// A position in a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
}

impl<'a> Cursor<'a> {
    /// Returns the text from the current position onwards.
    pub(super) fn rest(&self) -> &'a [u8] {
        self.text.as_bytes().get(self.at..).unwrap_or_default()
    }

    /// Returns the text from `start` to the current position.
    pub(super) fn since(&self, start: usize) -> &'a [u8] {
        self.text.as_bytes().get(start..self.at).unwrap_or_default()
    }

    pub(super) fn str(&self, span: Span) -> &'a str {
        self.text.get(span.start..span.end).unwrap_or_default()
    }

    pub(super) fn quoted(&self, span: Span) -> String {
        quote(self.str(span).as_bytes())
    }

    /// Returns the span of the next `length` bytes, extended to the end of the last character.
    pub(super) fn here(&self, length: usize) -> Span {
        let end = self.at.saturating_add(length).min(self.text.len());
        let boundary = (end..self.text.len()).find(|at| self.text.is_char_boundary(*at));
        Span::new(self.at, boundary.unwrap_or(self.text.len()))
    }

    /// Returns the next character, quoted, or `the end`, for a message.
    pub(super) fn found(&self) -> String {
        let here = self.here(1);
        if here.is_empty() { "the end".to_owned() } else { self.quoted(here) }
    }

    /// Returns the error for unexpected content at this position.
    pub(super) fn unexpected(&self, expected: &str) -> Error {
        Error::syntax(self.here(1), format!("expected {expected}, found {}", self.found()))
    }

    pub(super) fn blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.iter().position(|byte| !is_blank(*byte)).unwrap_or(rest.len());
    }

    pub(super) fn name(&mut self, what: &str) -> Result<Span, Error> {
        let start = self.at;
        let rest = self.rest();
        if !rest.first().is_some_and(|byte| begins_name(*byte)) {
            return Err(self.unexpected(what));
        }
        let length = rest.iter().position(|byte| !continues_name(*byte)).unwrap_or(rest.len());
        self.at += length;
        Ok(Span::new(start, self.at))
    }

    /// Moves past `end`, after skipping an opening delimiter of `beginning` bytes.
    pub(super) fn skip(&mut self, beginning: usize, end: &str, what: &str) -> Result<(), Error> {
        let start = self.at;
        self.at += beginning;
        let Some(length) = memmem::find(self.rest(), end.as_bytes()) else {
            let span = Span::new(start, self.at);
            return Err(Error::syntax(span, format!("the {what} is not closed")));
        };
        self.at += length + end.len();
        self.check_characters(start)
    }

    /// Checks that there are no control characters that XML 1.0 forbids (section 2.2) from `start`
    /// to the current position. U+FFFE and U+FFFF, which it also forbids, are not checked.
    pub(super) fn check_characters(&self, start: usize) -> Result<(), Error> {
        let bytes = self.since(start);
        // No early exit, to allow vectorisation.
        if !bytes.iter().fold(false, |any, byte| any | is_control(*byte)) {
            return Ok(());
        }
        let at = start + bytes.iter().position(|byte| is_control(*byte)).unwrap_or_default();
        let span = Span::new(at, at + 1);
        Err(Error::syntax(span, format!("{} is not allowed in XML 1.0", self.quoted(span))))
    }
}

/// Returns the length of a reference without its `&`, or the reason why it is invalid. Without a
/// DTD, only the five predefined entities exist (XML 1.0, section 4.6).
pub(super) fn reference(rest: &[u8]) -> Result<usize, String> {
    // Numeric references may have leading zeros, up to this total length.
    const LONGEST: usize = 32;
    let head = rest.get(..rest.len().min(LONGEST)).unwrap_or_default();
    let name = memchr::memchr(b';', head).and_then(|end| head.get(..end)).unwrap_or_default();
    let number = match name {
        b"amp" | b"lt" | b"gt" | b"quot" | b"apos" => return Ok(name.len() + 1),
        [b'#', b'x', digits @ ..] => Some((digits, 16)),
        [b'#', digits @ ..] => Some((digits, 10)),
        _ => None,
    };
    let Some((digits, radix)) = number else {
        return Err(match name {
            [first, tail @ ..]
                if begins_name(*first) && tail.iter().all(|byte| continues_name(*byte)) =>
            {
                format!("unknown entity {}", quote(name))
            }
            _ => "`&` does not start a reference and must be written `&amp;`".to_owned(),
        });
    };
    match parse_digits(digits, radix).ok().and_then(char::from_u32) {
        Some(c) if is_character(c) => Ok(name.len() + 1),
        _ => Err(format!(
            "the reference {} does not refer to a character allowed in XML 1.0",
            quote(&[b"&", name, b";"].concat())
        )),
    }
}

/// Returns text with its references resolved, which must be valid, as in text that
/// [`check`](super::check) accepts.
pub fn unescaped(text: &str) -> Cow<'_, str> {
    let mut rest = text;
    let mut out = String::new();
    while let Some((before, after)) =
        memchr::memchr(b'&', rest.as_bytes()).and_then(|at| rest.split_at_checked(at))
    {
        let length = reference(after.as_bytes().get(1..).unwrap_or_default());
        let Some((name, next)) = length.ok().and_then(|length| after.split_at_checked(length + 1))
        else {
            break;
        };
        if out.is_empty() {
            out.reserve(text.len());
        }
        out.push_str(before);
        out.extend(character(name));
        rest = next;
    }
    if out.is_empty() && rest.len() == text.len() {
        return Cow::Borrowed(text);
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Returns the character that a reference, such as `&amp;`, stands for.
fn character(reference: &str) -> Option<char> {
    match reference.strip_prefix('&')?.strip_suffix(';')? {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        number => {
            let number = number.strip_prefix('#')?;
            let (digits, radix) = number.strip_prefix('x').map_or((number, 10), |hex| (hex, 16));
            parse_digits(digits.as_bytes(), radix).ok().and_then(char::from_u32)
        }
    }
}

/// Whether XML 1.0 allows a character (section 2.2).
pub const fn is_character(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..)
}

pub(super) const fn is_control(byte: u8) -> bool {
    byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r')
}

pub(super) const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// Whether a name may begin with this byte. All bytes of non-ASCII characters are accepted; the XML
/// parser checks the characters.
pub(super) const fn begins_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'_' | b':' | 0x80..)
}

pub(super) const fn continues_name(byte: u8) -> bool {
    begins_name(byte) || byte.is_ascii_digit() || matches!(byte, b'-' | b'.')
}
