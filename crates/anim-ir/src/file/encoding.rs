//! Detection of encodings: by byte order mark, by zero bytes, or because a file is not UTF-8.

use std::borrow::Cow;

use thiserror::Error;

use crate::{Code, Diagnostic, Diagnostics, Span};

/// The byte order mark of UTF-8.
pub const UTF8_MARK: &[u8] = b"\xef\xbb\xbf";

/// The encoding suggested by the first bytes of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// No byte order mark, and no sign of more than one byte per character: UTF-8, ASCII or an
    /// 8-bit encoding.
    Plain,
    /// The byte order mark of UTF-8, three bytes.
    Utf8Mark,
    /// UTF-16, with its byte order mark of two bytes or, by zero bytes, without one.
    Utf16 {
        /// The byte order.
        encoding: Encoding,
        /// Whether it has the byte order mark.
        has_mark: bool,
    },
    /// The byte order mark of UTF-32, four bytes.
    Utf32,
}

/// Detects the encoding by the first bytes of a file. Without a byte order mark, two ASCII
/// characters with a zero byte each mean UTF-16.
pub const fn start_of(source: &[u8]) -> Start {
    let (little, big) = (Encoding::Utf16Le, Encoding::Utf16Be);
    match source {
        [0xef, 0xbb, 0xbf, ..] => Start::Utf8Mark,
        [0xff, 0xfe, 0, 0, ..] | [0, 0, 0xfe, 0xff, ..] => Start::Utf32,
        [0xff, 0xfe, ..] => Start::Utf16 { encoding: little, has_mark: true },
        [0xfe, 0xff, ..] => Start::Utf16 { encoding: big, has_mark: true },
        [1..=127, 0, 1..=127, 0, ..] => Start::Utf16 { encoding: little, has_mark: false },
        [0, 1..=127, 0, 1..=127, ..] => Start::Utf16 { encoding: big, has_mark: false },
        _ => Start::Plain,
    }
}

/// Rejects text in UTF-16 and UTF-32, for formats that are ASCII, UTF-8 or Latin-1.
///
/// # Errors
///
/// [`EncodingError::Wide`], with the bytes that show it.
pub const fn refuse_wide(source: &[u8]) -> Result<(), EncodingError> {
    let (encoding, length) = match start_of(source) {
        Start::Plain | Start::Utf8Mark => return Ok(()),
        Start::Utf16 { has_mark: true, .. } => ("UTF-16", 2),
        Start::Utf16 { has_mark: false, .. } => ("UTF-16", 4),
        Start::Utf32 => ("UTF-32", 4),
    };
    Err(EncodingError::Wide { encoding, span: Span::new(0, length) })
}

/// The offset just past the UTF-8 byte order mark; 0 if there is none. Several in a row, as written
/// by programs that add one unconditionally, count as one.
pub const fn text_start(mut source: &[u8]) -> usize {
    let mut start = 0;
    while let [0xef, 0xbb, 0xbf, rest @ ..] = source {
        start += UTF8_MARK.len();
        source = rest;
    }
    start
}

/// The first byte that is not UTF-8. Formats that do not declare an encoding read a file with one
/// as Latin-1.
pub fn first_beyond_utf8(source: &[u8]) -> Option<Span> {
    let at = std::str::from_utf8(source).err()?.valid_up_to();
    Some(Span::new(at, at.saturating_add(1)))
}

/// The message for one or more byte order marks with this total number of bytes.
pub fn starts_with_mark(bytes: usize) -> String {
    match bytes / UTF8_MARK.len() {
        0 | 1 => "the file begins with a byte order mark".to_owned(),
        marks => format!("the file begins with {marks} byte order marks"),
    }
}

/// Reports a byte order mark as `mark` and bytes that are not UTF-8 as `not_utf8`. Returns whether
/// there are any of the latter, in which case names are read as Latin-1.
pub fn is_latin1(
    source: &[u8],
    mark: &'static Code,
    not_utf8: &'static Code,
    diagnostics: &mut Diagnostics,
) -> bool {
    let start = Span::new(0, text_start(source));
    if !start.is_empty() {
        diagnostics.report(mark, || {
            Diagnostic::new(mark, start, starts_with_mark(start.len())).fix(start, "")
        });
    }
    let Some(span) = first_beyond_utf8(source) else { return false };
    let byte = source.get(span.start).copied().unwrap_or_default();
    diagnostics.push(not_utf8, span, || {
        format!("byte 0x{byte:02X} is not UTF-8; names are read as Latin-1")
    });
    true
}

/// A supported encoding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8, with or without a byte order mark.
    #[default]
    Utf8,
    /// UTF-16, low byte first, with a byte order mark.
    Utf16Le,
    /// UTF-16, high byte first, with a byte order mark.
    Utf16Be,
    /// ISO-8859-1, by declaration.
    Latin1,
}

/// Bytes that are not valid in the encoding that they should be in.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum EncodingError {
    /// Bytes that are not a character.
    #[error("the bytes at offset {offset:#x} are not {encoding}")]
    Invalid {
        /// The offset and length.
        offset: usize,
        /// The encoding they should be in, such as `UTF-8`.
        encoding: &'static str,
    },
    /// The file declares an unsupported encoding.
    #[error(
        "the encoding {name} is not supported, only UTF-8, UTF-16 with a byte order mark and \
         ISO-8859-1"
    )]
    Unsupported {
        /// The name, quoted.
        name: String,
        /// The place of the declaration.
        span: Span,
    },
    /// Characters of two or four bytes, in a format that does not allow them.
    #[error("the file looks like {encoding}, which is not supported")]
    Wide {
        /// `UTF-16` or `UTF-32`.
        encoding: &'static str,
        /// The bytes that show it.
        span: Span,
    },
}

impl EncodingError {
    /// The bytes to blame.
    pub fn span(&self) -> Span {
        match self {
            EncodingError::Invalid { offset, .. } => Span::new(*offset, offset.saturating_add(1)),
            EncodingError::Unsupported { span, .. } | EncodingError::Wide { span, .. } => *span,
        }
    }
}

impl Encoding {
    /// The encoding of a file that is read as Latin-1 unless it is UTF-8.
    pub const fn utf8_or_latin1(is_latin1: bool) -> Encoding {
        if is_latin1 { Encoding::Latin1 } else { Encoding::Utf8 }
    }

    /// Encodes a text. A byte order mark is a character of the text like any other.
    ///
    /// # Errors
    ///
    /// The first character that the encoding cannot represent; only [`Encoding::Latin1`] has any.
    pub fn encode(self, text: &str) -> Result<Cow<'_, [u8]>, char> {
        match self {
            Encoding::Utf8 => Ok(Cow::Borrowed(text.as_bytes())),
            Encoding::Utf16Le => Ok(text.encode_utf16().flat_map(u16::to_le_bytes).collect()),
            Encoding::Utf16Be => Ok(text.encode_utf16().flat_map(u16::to_be_bytes).collect()),
            Encoding::Latin1 => {
                text.chars().map(|c| u8::try_from(u32::from(c)).map_err(|_| c)).collect()
            }
        }
    }

    /// Whether the encoding has a character.
    pub fn has(self, c: char) -> bool {
        self != Encoding::Latin1 || u32::from(c) <= 0xff
    }

    /// How many bytes a character takes.
    pub(crate) fn width(self, c: char) -> usize {
        match self {
            Encoding::Utf8 => c.len_utf8(),
            Encoding::Utf16Le | Encoding::Utf16Be => c.len_utf16().saturating_mul(2),
            Encoding::Latin1 => 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mark_is_known_and_zero_bytes_tell_without_one() {
        let (little, big) = (Encoding::Utf16Le, Encoding::Utf16Be);
        let cases: [(&[u8], Start); 12] = [
            (b"", Start::Plain),
            (b"#MINDRENDER", Start::Plain),
            (b"a\0", Start::Plain),
            (b"\0\0\0\0", Start::Plain),
            (b"\xef\xbb\xbf", Start::Utf8Mark),
            (b"\xff\xfe", Start::Utf16 { encoding: little, has_mark: true }),
            (b"\xff\xfea\0", Start::Utf16 { encoding: little, has_mark: true }),
            (b"\xfe\xff\0a", Start::Utf16 { encoding: big, has_mark: true }),
            (b"a\0s\0", Start::Utf16 { encoding: little, has_mark: false }),
            (b"\0a\0s", Start::Utf16 { encoding: big, has_mark: false }),
            (b"\xff\xfe\0\0a\0\0\0", Start::Utf32),
            (b"\0\0\xfe\xff", Start::Utf32),
        ];
        for (source, start) in cases {
            assert_eq!(start_of(source), start, "{source:?}");
            let is_wide = !matches!(start, Start::Plain | Start::Utf8Mark);
            assert_eq!(refuse_wide(source).is_err(), is_wide, "{source:?}");
        }
        assert_eq!((text_start(b"\xef\xbb\xbfx"), text_start(b"x")), (3, 0));
    }

    #[test]
    fn what_is_not_utf8_is_found() {
        assert_eq!(first_beyond_utf8("é".as_bytes()), None);
        assert_eq!(first_beyond_utf8(b"ab\xe9"), Some(Span::new(2, 3)));
    }

    #[test]
    fn latin1_lacks_what_is_beyond_one_byte() {
        let latin1 = Encoding::utf8_or_latin1(true);
        assert_eq!(latin1.encode("é").as_deref(), Ok(&b"\xe9"[..]));
        assert_eq!(latin1.encode("a€").as_deref(), Err(&'€'));
    }
}
