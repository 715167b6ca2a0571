//! Locations in a file: lines and columns in text files, offsets in binary files.

use std::fmt;

use anim_formats::AnyDocument;
use anim_formats::anim_ir::source::{Location, line_bounds, locate};

/// A location in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In a text file.
    Line(Location),
    /// In a binary file.
    Offset(usize),
}

impl Place {
    /// Returns the line and column, or `None` in a binary file.
    pub fn location(self) -> Option<Location> {
        match self {
            Place::Line(location) => Some(location),
            Place::Offset(_) => None,
        }
    }
}

impl fmt::Display for Place {
    /// Formats a line and column as `16:13`, and an offset as `0x1a`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Line(Location { line, column }) => write!(f, "{line}:{column}"),
            Place::Offset(offset) => write!(f, "{offset:#x}"),
        }
    }
}

/// Converts offsets to locations. Lines are counted from the last requested location rather than
/// from the start, since diagnostics come in file order and files may be large.
pub struct Places<'a> {
    source: &'a [u8],
    has_lines: bool,
    /// The start of a line, and its zero-based number.
    known: (usize, usize),
    /// The last offset that was located, and its location. A file may have all its problems on one
    /// long line.
    last: (usize, Location),
}

const START: Location = Location { line: 1, column: 1 };

impl<'a> Places<'a> {
    /// Converts offsets into the text of a document ([`AnyDocument::text`]).
    pub fn new(source: &'a [u8], document: &AnyDocument<'_>) -> Places<'a> {
        Places {
            source,
            has_lines: !document.format().info().is_binary,
            known: (0, 0),
            last: (0, START),
        }
    }

    /// Converts offsets into a text that is not a document.
    pub fn of_text(source: &'a [u8]) -> Places<'a> {
        Places { source, has_lines: true, known: (0, 0), last: (0, START) }
    }

    /// Returns the text.
    pub fn source(&self) -> &'a [u8] {
        self.source
    }

    /// Returns the location of an offset.
    pub fn locate(&mut self, offset: usize) -> Place {
        if self.has_lines { Place::Line(self.line(offset)) } else { Place::Offset(offset) }
    }

    fn line(&mut self, offset: usize) -> Location {
        let place = self.on_same_line(offset).unwrap_or_else(|| self.on_other_line(offset));
        self.last = (offset, place);
        place
    }

    /// Returns the location of an offset after the last one, if nothing between them ends the line.
    fn on_same_line(&self, offset: usize) -> Option<Location> {
        let (from, Location { line, column }) = self.last;
        // A byte order mark at the start has no width.
        let between = self.source.get(from..offset).filter(|_| from > 0)?;
        if between.iter().any(|byte| matches!(byte, b'\n' | b'\r')) {
            return None;
        }
        // If one of the offsets is inside a character, this is not valid.
        let between = std::str::from_utf8(between).ok()?;
        Some(Location { line, column: column.saturating_add(between.chars().count()) })
    }

    fn on_other_line(&mut self, offset: usize) -> Location {
        if offset < self.known.0 {
            self.known = (0, 0);
        }
        let (start, lines_before) = self.known;
        let rest = self.source.get(start..).unwrap_or_default();
        let Location { line, column } = locate(rest, offset.saturating_sub(start));
        let place = Location { line: lines_before.saturating_add(line), column };
        self.known = (line_bounds(self.source, offset).0, place.line.saturating_sub(1));
        place
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locations_match_a_count_from_the_start() {
        let text = "\u{feff}ab\r\ncd\re\u{e9}f\n\ngh".as_bytes();
        let mut places = Places { source: text, has_lines: true, known: (0, 0), last: (0, START) };
        let forth_and_back =
            (0..=text.len() + 1).chain((0..=text.len()).rev()).chain([5, 9, 2, 14]);
        for offset in forth_and_back {
            assert_eq!(places.locate(offset), Place::Line(locate(text, offset)), "{offset}");
        }
    }
}
