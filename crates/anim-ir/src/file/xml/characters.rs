//! Characters and references (XML 1.0, sections 2.2 and 4.6).

use crate::file::diag::quote;
use crate::file::number::parse_digits;

/// The length of a reference behind its `&`, or why it is none. Without a DTD there are five
/// entities (XML 1.0, section 4.6).
pub(super) fn reference(rest: &[u8]) -> Result<usize, String> {
    // Leading zeros are allowed, within reason.
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
                format!("there is no entity {}", quote(name))
            }
            _ => "`&` begins no reference and must be written `&amp;`".to_owned(),
        });
    };
    match parse_digits(digits, radix).ok().and_then(char::from_u32) {
        Some(c) if is_character(c) => Ok(name.len() + 1),
        _ => Err(format!(
            "the reference {} is to no character of XML 1.0",
            quote(&[b"&", name, b";"].concat())
        )),
    }
}

/// Whether XML 1.0 has a character (section 2.2).
pub const fn is_character(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..)
}

pub(super) const fn is_control(byte: u8) -> bool {
    byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r')
}

pub(super) const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// Of the characters beyond ASCII a reader of trees knows which may be in names.
pub(super) const fn begins_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'_' | b':' | 0x80..)
}

pub(super) const fn continues_name(byte: u8) -> bool {
    begins_name(byte) || byte.is_ascii_digit() || matches!(byte, b'-' | b'.')
}
