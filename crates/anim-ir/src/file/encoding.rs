//! Encoding detection by byte order mark, by zero bytes and by UTF-8 validity.

use std::borrow::Cow;

use thiserror::Error;

use crate::{Code, Diagnostic, Diagnostics, Span};

/// The UTF-8 byte order mark.
pub const UTF8_MARK: &[u8] = b"\xef\xbb\xbf";

/// The encoding indicated by the first bytes of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// No byte order mark, and no sign of UTF-16: UTF-8, ASCII or another 8-bit encoding.
    Plain,
    /// The three-byte UTF-8 byte order mark.
    Utf8Mark,
    /// UTF-16, indicated by its two-byte byte order mark or by zero bytes.
    Utf16 {
        /// The byte order.
        encoding: Encoding,
        /// Whether there is a byte order mark.
        has_mark: bool,
    },
    /// The four-byte UTF-32 byte order mark.
    Utf32,
}

/// Detects the encoding from the first bytes of a file. Without a byte order mark, two ASCII
/// characters with a zero byte each indicate UTF-16.
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

/// Rejects UTF-16 and UTF-32, for formats in ASCII, UTF-8 or Latin-1. Byte order marks of UTF-8
/// are ignored: without them, the rest has to be readable.
///
/// # Errors
///
/// Returns [`EncodingError::Wide`] with the span of the bytes that indicate the encoding.
pub const fn refuse_wide(source: &[u8]) -> Result<(), EncodingError> {
    let start = text_start(source);
    let (_, text) = source.split_at(start);
    let (encoding, length) = match start_of(text) {
        Start::Plain | Start::Utf8Mark => return Ok(()),
        Start::Utf16 { has_mark: true, .. } => ("UTF-16", 2),
        Start::Utf16 { has_mark: false, .. } => ("UTF-16", 4),
        Start::Utf32 => ("UTF-32", 4),
    };
    Err(EncodingError::Wide { encoding, span: Span::new(start, start + length) })
}

/// Returns the offset just past the UTF-8 byte order mark, or 0 if there is none. Also skips
/// repeated marks, as written by programs that add one unconditionally.
pub const fn text_start(mut source: &[u8]) -> usize {
    let mut start = 0;
    while let [0xef, 0xbb, 0xbf, rest @ ..] = source {
        start += UTF8_MARK.len();
        source = rest;
    }
    start
}

/// Inserts a line break if the first bytes would be read as a byte order mark or as UTF-16, such as
/// in a canonical form without the blanks before them.
pub fn keep_start(text: &mut Vec<u8>) {
    if text_start(text) > 0 || refuse_wide(text).is_err() {
        text.insert(0, b'\n');
    }
}

/// Truncates a text to at most this many bytes, between characters.
pub fn truncate(text: &mut String, most: usize) {
    if text.len() > most {
        // A character has at most four bytes.
        let end = (most.saturating_sub(3)..=most).rev().find(|at| text.is_char_boundary(*at));
        text.truncate(end.unwrap_or_default());
    }
}

/// Returns the first byte that is not valid UTF-8. If there is one, formats without an encoding
/// declaration read the file as Latin-1.
pub fn first_beyond_utf8(source: &[u8]) -> Option<Span> {
    let at = std::str::from_utf8(source).err()?.valid_up_to();
    Some(Span::new(at, at.saturating_add(1)))
}

/// Returns the message for one or more byte order marks with a total length of `bytes`.
pub fn starts_with_mark(bytes: usize) -> String {
    match bytes / UTF8_MARK.len() {
        0 | 1 => "the file begins with a byte order mark".to_owned(),
        marks => format!("the file begins with {marks} byte order marks"),
    }
}

/// Reports a byte order mark as `mark`, and invalid UTF-8 as `not_utf8`. Returns whether the file
/// is invalid UTF-8, in which case names are read as Latin-1.
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
        format!("byte 0x{byte:02X} is not valid UTF-8; names are read as Latin-1")
    });
    true
}

/// A supported encoding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8, with or without a byte order mark.
    #[default]
    Utf8,
    /// Little-endian UTF-16.
    Utf16Le,
    /// Big-endian UTF-16.
    Utf16Be,
    /// ISO-8859-1: declared by the file, or assumed for a file that is not valid UTF-8 in a format
    /// without encoding declarations.
    Latin1,
}

/// The error for bytes that cannot be decoded.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum EncodingError {
    /// The bytes are not a valid character.
    #[error("the bytes at offset {offset:#x} are not valid {encoding}")]
    Invalid {
        /// The offset of the first invalid byte.
        offset: usize,
        /// The expected encoding, such as `UTF-8`.
        encoding: &'static str,
    },
    /// The file declares an unsupported encoding, or has the byte order mark of one.
    #[error(
        "unsupported encoding {name}: only UTF-8, UTF-16 with a byte order mark and \
         ISO-8859-1 are supported"
    )]
    Unsupported {
        /// The name, quoted.
        name: String,
        /// The location of the declaration or byte order mark.
        span: Span,
    },
    /// UTF-16 or UTF-32, in a format that does not allow it.
    #[error("the file looks like {encoding}, which is not supported")]
    Wide {
        /// `UTF-16` or `UTF-32`.
        encoding: &'static str,
        /// The bytes that indicate the encoding.
        span: Span,
    },
}

impl EncodingError {
    /// Returns the bytes that caused the error.
    pub fn span(&self) -> Span {
        match self {
            EncodingError::Invalid { offset, .. } => Span::new(*offset, offset.saturating_add(1)),
            EncodingError::Unsupported { span, .. } | EncodingError::Wide { span, .. } => *span,
        }
    }
}

impl Encoding {
    /// Returns the encoding of a file that is read as Latin-1 if it is not valid UTF-8.
    pub const fn utf8_or_latin1(is_latin1: bool) -> Encoding {
        if is_latin1 { Encoding::Latin1 } else { Encoding::Utf8 }
    }

    /// Encodes text. A byte order mark is encoded like any other character.
    ///
    /// # Errors
    ///
    /// Returns the first character that the encoding cannot represent. This only happens with
    /// [`Encoding::Latin1`].
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

    /// Whether the encoding can represent a character.
    pub fn has(self, c: char) -> bool {
        self != Encoding::Latin1 || u32::from(c) <= 0xff
    }

    /// Returns the encoded size of a character in bytes.
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
    fn characters_are_as_wide_as_they_are_encoded() {
        for c in ['a', 'é', '€', '😀'] {
            for encoding in [Encoding::Utf8, Encoding::Utf16Le, Encoding::Utf16Be, Encoding::Latin1]
            {
                if let Ok(bytes) = encoding.encode(&c.to_string()) {
                    assert_eq!(encoding.width(c), bytes.len(), "{c} {encoding:?}");
                }
            }
        }
    }

    #[test]
    fn encodings_are_detected_by_mark_or_by_zero_bytes() {
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
        let EncodingError::Wide { span, .. } = refuse_wide(b"\xef\xbb\xbf\0a\0s").unwrap_err()
        else {
            panic!("not wide")
        };
        assert_eq!(span, Span::new(3, 7), "after a mark");
    }

    #[test]
    fn the_start_of_a_text_is_not_read_as_an_encoding() {
        for (text, kept) in
            [("\u{feff}a", "\n\u{feff}a"), ("a\0b\0", "\na\0b\0"), ("a", "a"), ("", "")]
        {
            let mut bytes = text.as_bytes().to_vec();
            keep_start(&mut bytes);
            assert_eq!(bytes, kept.as_bytes());
        }
    }

    #[test]
    fn the_first_invalid_utf8_byte_is_found() {
        assert_eq!(first_beyond_utf8("é".as_bytes()), None);
        assert_eq!(first_beyond_utf8(b"ab\xe9"), Some(Span::new(2, 3)));
    }

    #[test]
    fn latin1_only_encodes_characters_of_one_byte() {
        let latin1 = Encoding::utf8_or_latin1(true);
        assert_eq!(latin1.encode("é").as_deref(), Ok(&b"\xe9"[..]));
        assert_eq!(latin1.encode("a€").as_deref(), Err(&'€'));
    }
}
