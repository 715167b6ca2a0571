//! Splits text into lines and tokens. Lines end with LF, CRLF or CR; tokens are separated only by
//! spaces and tabs.

use anim_ir::encoding::text_start;
use anim_ir::number::scan_word;
use anim_ir::source::{Place, line_bounds};
use winnow::error::ParserError;
use winnow::prelude::*;
use winnow::token::take_while;

/// The line ended where a token was expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EndOfLine;

impl ParserError<&[u8]> for EndOfLine {
    type Inner = EndOfLine;

    fn from_input(_: &&[u8]) -> EndOfLine {
        EndOfLine
    }

    fn into_inner(self) -> Result<EndOfLine, EndOfLine> {
        Ok(self)
    }
}

/// A word and its location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) place: Place,
    /// Whether it contains a control character.
    pub(crate) has_control: bool,
}

/// A position in a line, and the rest of the file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line<'a> {
    rest: &'a [u8],
    /// The length of the file.
    length: usize,
}

/// A line ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineEnd {
    Lf,
    CrLf,
    /// A lone carriage return, as on classic Mac OS.
    Cr,
    EndOfFile,
}

impl LineEnd {
    pub(crate) const fn len(self) -> usize {
        match self {
            LineEnd::EndOfFile => 0,
            LineEnd::Lf | LineEnd::Cr => 1,
            LineEnd::CrLf => 2,
        }
    }
}

const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

const fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

impl<'a> Line<'a> {
    /// Returns the line that starts at an offset.
    pub(crate) fn at(source: &'a [u8], start: usize) -> Line<'a> {
        Line { rest: source.get(start..).unwrap_or_default(), length: source.len() }
    }

    /// The offset of the current position.
    pub(crate) const fn offset(&self) -> usize {
        self.length.saturating_sub(self.rest.len())
    }

    /// Returns whether the end of the file has been reached.
    pub(crate) const fn is_end_of_file(&self) -> bool {
        self.rest.is_empty()
    }

    #[inline(always)]
    pub(crate) fn skip_blanks(&mut self) {
        if let [b' ' | b'\t', tail @ ..] = self.rest {
            self.rest = tail;
            // Tokens are usually separated by exactly one space or tab.
            if let [b' ' | b'\t', ..] = self.rest {
                // Consuming nothing cannot fail.
                let _: Result<&[u8], EndOfLine> =
                    take_while(0.., is_blank).parse_next(&mut self.rest);
            }
        }
    }

    /// Returns the next byte of the line without consuming it.
    #[inline(always)]
    pub(crate) fn first(&self) -> Option<u8> {
        self.rest.first().copied().filter(|byte| !is_line_end(*byte))
    }

    /// Returns the offset of the end of the line.
    pub(crate) fn end(mut self) -> usize {
        self.next_line().0
    }

    /// Returns the rest of the line.
    pub(crate) fn text(self) -> &'a [u8] {
        self.rest.get(..self.end().saturating_sub(self.offset())).unwrap_or_default()
    }

    /// Consumes the next token.
    #[inline(always)]
    pub(crate) fn token(&mut self) -> Result<Token<'a>, EndOfLine> {
        self.skip_blanks();
        let start = self.offset();
        let (bytes, has_control) = word.parse_next(&mut self.rest)?;
        Ok(Token { bytes, place: Place::new(start, bytes.len()), has_control })
    }

    /// Consumes the first token of a line. It is usually a keyword: two letters before whitespace.
    #[inline(always)]
    pub(crate) fn keyword(&mut self) -> Result<Token<'a>, EndOfLine> {
        match self.rest.split_first_chunk::<2>() {
            Some((word, [b' ' | b'\t', ..])) if word.iter().all(u8::is_ascii_lowercase) => {
                let place = Place::new(self.offset(), word.len());
                self.rest = self.rest.get(word.len()..).unwrap_or_default();
                Ok(Token { bytes: word, place, has_control: false })
            }
            _ => self.token(),
        }
    }

    /// Consumes the next token if it is a finite number. Otherwise, only the whitespace before it
    /// is consumed.
    #[inline(always)]
    pub(crate) fn number(&mut self) -> Option<(f32, Place)> {
        self.skip_blanks();
        let start = self.offset();
        let (value, rest) = scan_word(self.rest, |byte| is_blank(byte) || is_line_end(byte))?;
        let length = self.rest.len().saturating_sub(rest.len());
        self.rest = rest;
        Some((value, Place::new(start, length)))
    }

    /// Moves to the next line. Returns the end of the current line and its line ending.
    #[inline(always)]
    pub(crate) fn next_line(&mut self) -> (usize, LineEnd) {
        let left = if self.first().is_none() {
            0
        } else {
            memchr::memchr2(b'\n', b'\r', self.rest).unwrap_or(self.rest.len())
        };
        let at = self.offset().saturating_add(left);
        let (_, tail) = self.rest.split_at_checked(left).unwrap_or_default();
        let end = match tail {
            [b'\n', ..] => LineEnd::Lf,
            [b'\r', b'\n', ..] => LineEnd::CrLf,
            [] => LineEnd::EndOfFile,
            _ => LineEnd::Cr,
        };
        self.rest = tail.get(end.len()..).unwrap_or_default();
        (at, end)
    }
}

/// Consumes a word, up to the next whitespace or the end of the line. Also returns whether it
/// contains a control character.
#[inline(always)]
fn word<'a>(input: &mut &'a [u8]) -> Result<(&'a [u8], bool), EndOfLine> {
    let plain = plain_length(input);
    let (length, has_control) = match input.get(plain) {
        None | Some(b' ' | b'\t' | b'\n' | b'\r') => (plain, false),
        Some(_) => (
            input
                .iter()
                .position(|byte| is_blank(*byte) || is_line_end(*byte))
                .unwrap_or(input.len()),
            true,
        ),
    };
    let (bytes, rest) = input.split_at_checked(length).filter(|_| length > 0).ok_or(EndOfLine)?;
    *input = rest;
    Ok((bytes, has_control))
}

/// Returns the number of leading bytes that are neither whitespace nor control characters. Checks
/// eight bytes at a time, because words are short and their lengths mispredict branches.
#[inline(always)]
fn plain_length(text: &[u8]) -> usize {
    const EACH: u64 = 0x0101_0101_0101_0101;
    let mut rest = text;
    while let Some((chunk, tail)) = rest.split_first_chunk() {
        let bytes = u64::from_le_bytes(*chunk);
        let not_delete = bytes ^ (EACH * 0x7f);
        // The highest bit of each byte is set for characters up to the space and for DEL. Only the
        // lowest set bit is reliable.
        let found = (bytes.wrapping_sub(EACH * 0x21) & !bytes
            | not_delete.wrapping_sub(EACH) & !not_delete)
            & (EACH * 0x80);
        if found != 0 {
            return text
                .len()
                .wrapping_sub(rest.len())
                .wrapping_add((found.trailing_zeros() / 8) as usize);
        }
        rest = tail;
    }
    let plain = rest.iter().take_while(|byte| byte.is_ascii_graphic() || !byte.is_ascii()).count();
    text.len().wrapping_sub(rest.len()).wrapping_add(plain)
}

/// Returns the words of a line.
pub(crate) fn words_of(source: &[u8], name: Place) -> impl Iterator<Item = Token<'_>> {
    let start = line_bounds(source, name.span().start).0;
    // A byte order mark is not part of the first word.
    let mut line = Line::at(source, if start == 0 { text_start(source) } else { start });
    std::iter::from_fn(move || line.token().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &[u8]) -> Vec<(usize, &[u8])> {
        let mut line = Line::at(text, 0);
        std::iter::from_fn(|| line.token().ok())
            .map(|token| (token.place.start as usize, token.bytes))
            .collect()
    }

    #[test]
    fn where_tokens_end() {
        assert_eq!(
            words(b" an\t0  50 a#b \t\r\nx"),
            [(1, &b"an"[..]), (4, b"0"), (7, b"50"), (10, b"a#b")]
        );
        assert_eq!(
            words("a\u{a0}b\x0cc".as_bytes()).len(),
            1,
            "no other character separates words"
        );
    }

    /// Words of every length, at every distance from the end of the file.
    #[test]
    fn where_words_end() {
        for length in 1..20 {
            for after in ["", " ", "\t", "\n", "\r", " b", "\nbcdefghijklm"] {
                for (odd, has_control) in [
                    ("a", false),
                    ("\u{80}", false),
                    ("\u{ff}", false),
                    ("~", false),
                    ("\x7f", true),
                    ("\0", true),
                    ("\x1f", true),
                ] {
                    let name = "x".repeat(length - 1) + odd;
                    let text = format!("{name}{after}");
                    let token = Line::at(text.as_bytes(), 0).token().unwrap();
                    assert_eq!(
                        (token.bytes, token.has_control),
                        (name.as_bytes(), has_control),
                        "{text:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn how_lines_end() {
        let ends = ["a", "a\n", "a\r\n", "a\r", "a\rb"]
            .map(|text| Line::at(text.as_bytes(), 0).next_line());
        assert_eq!(
            ends,
            [LineEnd::EndOfFile, LineEnd::Lf, LineEnd::CrLf, LineEnd::Cr, LineEnd::Cr]
                .map(|end| (1, end))
        );
        let mut line = Line::at(b" a \n\r\nb", 0);
        assert!(line.token().is_ok() && line.token().is_err());
        assert_eq!(
            [line.next_line(), line.next_line(), line.next_line()],
            [(3, LineEnd::Lf), (4, LineEnd::CrLf), (7, LineEnd::EndOfFile)]
        );
        assert!(line.is_end_of_file());
    }

    #[test]
    fn numbers_are_whole_tokens() {
        let number = |text: &str| {
            let mut line = Line::at(text.as_bytes(), 0);
            let number = line.number().map(|(value, place)| (value, place.start, place.length));
            (number, line.offset())
        };
        assert_eq!(number(" \t-12.5e0\tx"), (Some((-12.5, 2, 7)), 9));
        assert_eq!(["5", "5\n", "5\r", "5 ", "5\t"].map(number), [(Some((5.0, 0, 1)), 1); 5]);
        assert_eq!(
            [number("9999 x"), number("12345 x")],
            [(Some((9999.0, 0, 4)), 4), (Some((12345.0, 0, 5)), 5)]
        );
        assert_eq!(["", "5s", "x", "1e39", "5\u{c}", "nan", "\n5"].map(number), [(None, 0); 7]);
    }
}
