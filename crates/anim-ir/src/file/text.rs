//! Decoding and encoding of text, for formats that declare their encoding.

use std::borrow::Cow;
use std::sync::OnceLock;

use crate::Span;
use crate::file::diag::quote;
pub use crate::file::encoding::{Encoding, EncodingError};
use crate::file::encoding::{Start, start_of};

/// The distance between two of [`Text::marks`], in bytes of the text.
const STEP: usize = 1 << 10;

/// Decoded text that can be encoded to the exact original bytes.
#[derive(Clone, Debug, Default)]
pub struct Text<'a> {
    /// A byte order mark is kept as the first character, so UTF-8 text is identical to the source.
    text: Cow<'a, str>,
    encoding: Encoding,
    /// Computed on first use; see [`Text::marks`].
    marks: OnceLock<Vec<(usize, usize)>>,
}

impl PartialEq for Text<'_> {
    fn eq(&self, other: &Text<'_>) -> bool {
        (&self.text, self.encoding) == (&other.text, other.encoding)
    }
}

impl Eq for Text<'_> {}

impl<'a> Text<'a> {
    fn new(text: impl Into<Cow<'a, str>>, encoding: Encoding) -> Text<'a> {
        Text { text: text.into(), encoding, marks: OnceLock::new() }
    }

    /// Decodes an XML document according to its byte order mark, its declaration, or otherwise as
    /// UTF-8 (XML 1.0, section 4.3.3). UTF-8 is not copied.
    ///
    /// # Errors
    ///
    /// Returns [`EncodingError`] if the bytes are invalid in their encoding, or the encoding is
    /// unsupported.
    pub fn of_xml(source: impl Into<Cow<'a, [u8]>>) -> Result<Text<'a>, EncodingError> {
        let source = source.into();
        match start_of(&source) {
            Start::Utf16 { encoding, has_mark: true } => Text::utf16(&source, encoding),
            Start::Utf32 => {
                Err(EncodingError::Unsupported { name: quote(b"UTF-32"), span: Span::new(0, 4) })
            }
            Start::Utf8Mark => Text::of_utf8(source),
            // UTF-16 must have a byte order mark (XML 1.0, section 4.3.3).
            Start::Plain | Start::Utf16 { .. } => match declared_encoding(&source) {
                None => Text::of_utf8(source),
                Some((name, span)) => match name.to_ascii_lowercase().as_slice() {
                    b"utf-8" | b"us-ascii" => Text::of_utf8(source),
                    b"iso-8859-1" | b"latin1" => Ok(Text::of_latin1(&source)),
                    _ => Err(EncodingError::Unsupported { name: quote(name), span }),
                },
            },
        }
    }

    /// Decodes ISO 8859-1, in which any bytes are valid.
    pub fn of_latin1(source: &[u8]) -> Text<'static> {
        let text: String = source.iter().map(|byte| char::from(*byte)).collect();
        Text::new(text, Encoding::Latin1)
    }

    /// Takes UTF-8, which is not copied.
    ///
    /// # Errors
    ///
    /// Returns [`EncodingError`] if the bytes are not UTF-8.
    pub fn of_utf8(source: Cow<'a, [u8]>) -> Result<Text<'a>, EncodingError> {
        let invalid = |error: std::str::Utf8Error| EncodingError::Invalid {
            offset: error.valid_up_to(),
            encoding: "UTF-8",
        };
        let text = match source {
            Cow::Borrowed(bytes) => Cow::Borrowed(std::str::from_utf8(bytes).map_err(invalid)?),
            Cow::Owned(bytes) => {
                Cow::Owned(String::from_utf8(bytes).map_err(|error| invalid(error.utf8_error()))?)
            }
        };
        Ok(Text::new(text, Encoding::Utf8))
    }

    fn utf16(source: &[u8], encoding: Encoding) -> Result<Text<'a>, EncodingError> {
        let unit =
            if encoding == Encoding::Utf16Le { u16::from_le_bytes } else { u16::from_be_bytes };
        let invalid = |offset| EncodingError::Invalid { offset, encoding: "UTF-16" };
        let (units, rest) = source.as_chunks::<2>();
        let mut text = String::with_capacity(source.len());
        let mut offset = 0_usize;
        for decoded in char::decode_utf16(units.iter().map(|bytes| unit(*bytes))) {
            let c = decoded.map_err(|_| invalid(offset))?;
            text.push(c);
            offset = offset.saturating_add(c.len_utf16().saturating_mul(2));
        }
        if rest.is_empty() { Ok(Text::new(text, encoding)) } else { Err(invalid(offset)) }
    }

    /// Returns the text, including its byte order mark, if any.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the encoding of the file.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Encodes the text in the file's encoding. UTF-8 is not copied.
    pub fn to_bytes(&self) -> Cow<'_, [u8]> {
        // Decoding and splicing only produce characters that the encoding can represent.
        self.encoding.encode(&self.text).unwrap_or_default()
    }

    /// Converts a span of the text to a span of the source bytes.
    pub fn source_span(&self, span: Span) -> Span {
        if self.encoding == Encoding::Utf8 {
            return span;
        }
        let start = self.source_offset(span.start);
        Span::new(start, self.source_offset(span.end).max(start))
    }

    fn source_offset(&self, offset: usize) -> usize {
        let (from, before) = self.mark_before(|(at, _)| *at <= offset);
        let passed = self.text.get(from..offset).unwrap_or_default();
        passed.chars().fold(before, |sum, c| sum.saturating_add(self.encoding.width(c)))
    }

    /// Returns the offsets in the text and in the source of a character about every [`STEP`] bytes.
    /// Without these, converting a span would take time proportional to its offset.
    fn marks(&self) -> &[(usize, usize)] {
        self.marks.get_or_init(|| {
            let mut marks = Vec::new();
            let (mut next, mut bytes) = (0_usize, 0_usize);
            for (at, c) in self.text.char_indices() {
                if at >= next {
                    marks.push((at, bytes));
                    next = at.saturating_add(STEP);
                }
                bytes = bytes.saturating_add(self.encoding.width(c));
            }
            marks
        })
    }

    /// Returns the last mark for which `is_before` is true. It must be true for all earlier marks.
    fn mark_before(&self, is_before: impl Fn(&(usize, usize)) -> bool) -> (usize, usize) {
        let marks = self.marks();
        let count = marks.partition_point(is_before);
        count.checked_sub(1).and_then(|last| marks.get(last)).copied().unwrap_or_default()
    }

    /// Converts a span of the source bytes to a span of the text; the inverse of
    /// [`Text::source_span`].
    pub fn text_span(&self, span: Span) -> Span {
        if self.encoding == Encoding::Utf8 {
            return span;
        }
        let at = |offset: usize| {
            let (from, mut bytes) = self.mark_before(|(_, bytes)| *bytes <= offset);
            let reaches = |(_, c): &(usize, char)| {
                let reached = bytes >= offset;
                bytes = bytes.saturating_add(self.encoding.width(*c));
                reached
            };
            let mut rest = self.text.get(from..).unwrap_or_default().char_indices();
            rest.find(reaches).map_or(self.text.len(), |(at, _)| from.saturating_add(at))
        };
        Span::new(at(span.start), at(span.end))
    }

    /// Replaces a span with another text. A character that the encoding cannot represent becomes a
    /// character reference (XML 1.0, section 4.1). A span that is outside the text or splits a
    /// character has no effect. Returns the length of the text that is then in place of the span.
    pub fn splice(&mut self, span: Span, replacement: &str) -> usize {
        let replacement: Cow<'_, str> = if replacement.chars().all(|c| self.encoding.has(c)) {
            replacement.into()
        } else {
            let character = |c: char| {
                if self.encoding.has(c) { c.to_string() } else { format!("&#{};", u32::from(c)) }
            };
            replacement.chars().map(character).collect::<String>().into()
        };
        if self.text.get(span.start..span.end).is_none() {
            return span.len();
        }
        self.text.to_mut().replace_range(span.start..span.end, &replacement);
        self.marks = OnceLock::new();
        replacement.len()
    }

    /// Converts the text into an owned text.
    pub fn into_owned(self) -> Text<'static> {
        Text { marks: self.marks, ..Text::new(self.text.into_owned(), self.encoding) }
    }
}

impl From<String> for Text<'static> {
    /// Creates UTF-8 text.
    fn from(text: String) -> Text<'static> {
        Text::new(text, Encoding::Utf8)
    }
}

/// Returns the encoding named in an XML declaration, and its location. In all supported encodings
/// other than UTF-16, the declaration is ASCII.
fn declared_encoding(source: &[u8]) -> Option<(&[u8], Span)> {
    // Declarations in real files are shorter.
    const LONGEST: usize = 256;
    let head = source.get(..source.len().min(LONGEST))?;
    let declaration = head.strip_prefix(b"<?xml")?;
    let declaration = declaration.get(..memchr::memchr(b'>', declaration)?)?;
    let key = memchr::memmem::find(declaration, b"encoding")?;
    let rest = declaration.get(key..)?;
    let open = memchr::memchr2(b'"', b'\'', rest)?;
    let value = rest.get(open.saturating_add(1)..)?;
    let value = value.get(..memchr::memchr(*rest.get(open)?, value)?)?;
    let start = b"<?xml".len().saturating_add(key).saturating_add(open).saturating_add(1);
    Some((value, Span::new(start, start.saturating_add(value.len()))))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BODY: &str = "<a name=\"é\u{1F600}\"/>";

    fn utf16(mark: &str, unit: fn(u16) -> [u8; 2]) -> Vec<u8> {
        format!("{mark}{BODY}").encode_utf16().flat_map(unit).collect()
    }

    #[test]
    fn a_string_is_utf8() {
        let text = Text::from(BODY.to_owned());
        assert_eq!((text.as_str(), &*text.to_bytes()), (BODY, BODY.as_bytes()));
    }

    #[test]
    fn every_encoding_round_trips_byte_for_byte() {
        let latin1 = b"<?xml version='1.0' encoding='ISO-8859-1'?><a name='\xe9'/>".to_vec();
        let cases = [
            (BODY.as_bytes().to_vec(), Encoding::Utf8),
            (format!("\u{feff}{BODY}").into_bytes(), Encoding::Utf8),
            (utf16("\u{feff}", u16::to_le_bytes), Encoding::Utf16Le),
            (utf16("\u{feff}", u16::to_be_bytes), Encoding::Utf16Be),
            (latin1, Encoding::Latin1),
        ];
        for (bytes, encoding) in cases {
            let text = Text::of_xml(&bytes[..]).unwrap();
            assert_eq!((text.encoding(), text.to_bytes().as_ref()), (encoding, &bytes[..]));
            assert!(text.as_str().contains('é'));
        }
    }

    #[test]
    fn spans_are_converted_to_the_source_and_back() {
        let bytes = utf16("\u{feff}", u16::to_le_bytes);
        let text = Text::of_xml(&bytes[..]).unwrap();
        let at = text.as_str().find('\u{1F600}').unwrap();
        // A byte order mark, nine characters, then a surrogate pair.
        assert_eq!(text.source_span(Span::new(at, at + 4)), Span::new(22, 26));
        assert_eq!(text.text_span(Span::new(22, 26)), Span::new(at, at + 4));
        let whole = Span::new(0, text.as_str().len());
        assert_eq!(text.text_span(Span::new(0, 99)), whole, "clamped to the end");
        let latin1 = Text::of_xml(&b"<?xml encoding='latin1'?>\xe9\xe9"[..]).unwrap();
        assert_eq!(latin1.source_span(Span::new(27, 29)), Span::new(26, 27));
        assert_eq!(latin1.text_span(Span::new(26, 27)), Span::new(27, 29));
    }

    /// The spans of every character of a text of several marks, counted from its start.
    #[test]
    fn spans_far_into_a_text() {
        let content = "é€x\u{1F600}\n".repeat(500);
        for encoding in [Encoding::Utf16Le, Encoding::Latin1] {
            let content = content.replace(|c: char| !encoding.has(c), "y");
            let bytes = encoding.encode(&content).unwrap();
            let mut text = match encoding {
                Encoding::Latin1 => Text::of_latin1(&bytes),
                _ => Text::utf16(&bytes, encoding).unwrap(),
            };
            for changed in ["", "é"] {
                text.splice(Span::new(0, 0), changed);
                let mut before = 0;
                for (at, c) in text.as_str().char_indices() {
                    let (span, width) = (Span::new(at, at + c.len_utf8()), encoding.width(c));
                    let of_source = Span::new(before, before + width);
                    assert_eq!(text.source_span(span), of_source, "{at}");
                    assert_eq!(text.text_span(of_source), span, "{before}");
                    before += width;
                }
            }
        }
    }

    #[test]
    fn invalid_text_is_rejected() {
        let error = |bytes: &[u8]| Text::of_xml(bytes).unwrap_err();
        let invalid = |offset, encoding| EncodingError::Invalid { offset, encoding };
        assert_eq!(error(b"<a>\xff"), invalid(3, "UTF-8"));
        assert_eq!(error(b"\xff\xfea\0\0\xd8"), invalid(4, "UTF-16"));
        assert_eq!(error(b"\xff\xfea\0b"), invalid(4, "UTF-16"));
        assert_eq!(error(b"\xff\xfe\0\0").span(), Span::new(0, 4), "UTF-32");
        assert_eq!(error(b"<?xml version='1.0' encoding=\"ebcdic\"?>").span(), Span::new(30, 36));
        // UTF-16 without a byte order mark: the declaration cannot be read, and the bytes are valid
        // UTF-8 with control characters, which XML does not allow.
        assert_eq!(Text::of_xml(&b"<\0a\0"[..]).unwrap().encoding(), Encoding::Utf8);
    }

    #[test]
    fn a_splice_keeps_the_encoding() {
        let mut text = Text::of_xml(&b"<?xml encoding='latin1'?>ab"[..]).unwrap();
        assert_eq!(text.splice(Span::new(25, 26), "é€"), 9);
        assert_eq!(text.to_bytes().as_ref(), b"<?xml encoding='latin1'?>\xe9&#8364;b");
        let before = text.clone();
        text.splice(Span::new(26, 27), "x");
        assert_eq!(text, before, "in the middle of a character");
    }
}
