//! Locations in a file: byte ranges, and lines and columns for display.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::fmt;

use crate::Span;
use crate::file::encoding::UTF8_MARK;
use crate::file::number::index32;

/// A byte range of a file, stored in eight bytes for documents with millions of ranges.
/// [`crate::Limits::check_input`] ensures that offsets fit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Offset of the first byte.
    pub start: u32,
    /// Length in bytes.
    pub length: u32,
}

impl Place {
    /// Creates a range from its start and length.
    #[inline]
    pub fn new(start: usize, length: usize) -> Place {
        Place { start: index32(start), length: index32(length) }
    }

    /// Returns the range as a span, for diagnostics.
    #[inline]
    pub const fn span(self) -> Span {
        let start = self.start as usize;
        Span::new(start, start.saturating_add(self.length as usize))
    }

    /// Returns the bytes of the range, or an empty slice if the range is outside the file.
    #[inline]
    pub fn of(self, source: &[u8]) -> &[u8] {
        let Span { start, end } = self.span();
        source.get(start..end).unwrap_or_default()
    }

    /// Returns the text of the range. It is decoded as Latin-1 if `latin1` is set or if it is not
    /// valid UTF-8.
    pub fn text(self, source: &[u8], latin1: bool) -> Cow<'_, str> {
        let bytes = self.of(source);
        match std::str::from_utf8(bytes) {
            Ok(text) if !latin1 || bytes.is_ascii() => Cow::Borrowed(text),
            _ => Cow::Owned(bytes.iter().map(|byte| char::from(*byte)).collect()),
        }
    }
}

/// A line and column in a text. Columns count characters; an invalid UTF-8 byte counts as one
/// character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location {
    /// The line, starting at 1. Lines end with LF, CR LF or CR.
    pub line: usize,
    /// The column in characters, starting at 1.
    pub column: usize,
}

/// `line:column`
impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// Returns the line and column of a byte offset. Offsets beyond the end are clamped to the end.
///
/// ```
/// use anim_ir::source::locate;
/// assert_eq!(locate("é x\nyz".as_bytes(), 6).line, 2);
/// assert_eq!(locate("é x\nyz".as_bytes(), 3).column, 3);
/// ```
pub fn locate(source: &[u8], offset: usize) -> Location {
    let before = source.get(..offset).unwrap_or(source);
    let line = line_ends(source, 0, before.len()).saturating_add(1);
    let start = line_start(source, before.len());
    let mut text = source.get(start..before.len()).unwrap_or_default();
    if start == 0 {
        // A byte order mark has no width.
        text = text.strip_prefix(UTF8_MARK).unwrap_or(text);
    }
    Location { line, column: characters(text).saturating_add(1) }
}

/// Returns the number of lines that end in a range.
fn line_ends(source: &[u8], start: usize, end: usize) -> usize {
    let is_end = |(at, byte): &(usize, &u8)| match byte {
        b'\n' => true,
        b'\r' => source.get(at.saturating_add(1)) != Some(&b'\n'),
        _ => false,
    };
    let bytes = source.iter().enumerate().take(end).skip(start);
    bytes.filter(is_end).count()
}

/// Finds the line numbers of many places in a text, where [`locate`] would read the text from its
/// start each time. Lines are counted on first use.
///
/// ```
/// use anim_ir::source::Lines;
/// let lines = Lines::new(b"x\nyz");
/// assert_eq!([0, 1, 2].map(|offset| lines.number(offset)), [1, 1, 2]);
/// ```
#[derive(Clone, Debug)]
pub struct Lines<'s> {
    source: &'s [u8],
    /// The number of lines that end before each block.
    before: OnceCell<Vec<u32>>,
}

/// The length of a block in bytes. For each number, at most one block is read.
const BLOCK: usize = 1024;

impl<'s> Lines<'s> {
    /// Creates the line numbers of a text.
    pub const fn new(source: &'s [u8]) -> Lines<'s> {
        Lines { source, before: OnceCell::new() }
    }

    /// Returns the text.
    pub const fn source(&self) -> &'s [u8] {
        self.source
    }

    /// Returns the number of the line that contains a byte offset, starting at 1.
    pub fn number(&self, offset: usize) -> usize {
        let offset = offset.min(self.source.len());
        let count = || {
            let mut sum = 0_usize;
            let starts = (0..=self.source.len()).step_by(BLOCK);
            let counts = starts.map(|start| {
                let before = index32(sum);
                sum =
                    sum.saturating_add(line_ends(self.source, start, start.saturating_add(BLOCK)));
                before
            });
            counts.collect()
        };
        let before: &Vec<u32> = self.before.get_or_init(count);
        let block = offset / BLOCK;
        let before = before.get(block).map_or(0, |before| *before as usize);
        let inside = line_ends(self.source, block.saturating_mul(BLOCK), offset);
        before.saturating_add(inside).saturating_add(1)
    }
}

/// Returns the start and end of the line that contains `offset`, without its line ending.
pub fn line_bounds(source: &[u8], offset: usize) -> (usize, usize) {
    let offset = offset.min(source.len());
    let start = line_start(source, offset);
    let tail = source.get(offset..).unwrap_or_default();
    let length = tail.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(tail.len());
    (start, offset.saturating_add(length))
}

/// Returns the number of characters in the bytes. An invalid UTF-8 byte counts as one character.
pub fn characters(bytes: &[u8]) -> usize {
    bytes.utf8_chunks().fold(0, |sum, chunk| {
        sum.saturating_add(chunk.valid().chars().count()).saturating_add(chunk.invalid().len())
    })
}

fn line_start(source: &[u8], offset: usize) -> usize {
    let before = source.get(..offset).unwrap_or(source);
    // The LF of a CR LF pair is part of the line that it ends.
    let before = match (before, source.get(offset)) {
        ([head @ .., b'\r'], Some(b'\n')) => head,
        _ => before,
    };
    let end = before.iter().rposition(|byte| matches!(byte, b'\n' | b'\r'));
    end.map_or(0, |at| at.saturating_add(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_of_a_file() {
        let source = b"a b\xe9c \xc3\xa9";
        assert_eq!(Place::new(2, 3).text(source, false), "b\u{e9}c");
        let texts = [false, true].map(|latin1| Place::new(6, 2).text(source, latin1));
        assert_eq!(texts, ["\u{e9}", "\u{c3}\u{a9}"]);
        assert_eq!(Place::new(7, 9).of(source), b"");
        assert_eq!(Place::new(2, 3).span(), Span::new(2, 5));
        assert_eq!(Place::new(usize::MAX, 1).start, u32::MAX);
    }

    #[test]
    fn all_line_endings_are_recognised() {
        let text = b"ab\r\ncd\ref\n\ngh";
        let places: Vec<_> = (0..=text.len()).map(|at| locate(text, at).to_string()).collect();
        let expected = "1:1 1:2 1:3 1:4 2:1 2:2 2:3 3:1 3:2 3:3 4:1 5:1 5:2 5:3";
        assert_eq!(places.join(" "), expected);
        let lines = Lines::new(text);
        for at in 0..=text.len().saturating_add(2) {
            assert_eq!(lines.number(at), locate(text, at).line, "{at}");
        }
        let long = b"a\r\nbc\rdef\n".repeat(300);
        let lines = Lines::new(&long);
        for at in 0..=long.len() {
            assert_eq!(lines.number(at), locate(&long, at).line, "{at}");
        }
        assert_eq!(line_bounds(text, 5), (4, 6));
        assert_eq!(line_bounds(text, 99), (11, 13));
    }

    #[test]
    fn columns_are_characters() {
        assert_eq!(locate("\u{feff}äö#".as_bytes(), 7).column, 3);
        assert_eq!(locate(b"\xe9\xe9#", 2).column, 3);
    }
}
