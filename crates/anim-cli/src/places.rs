//! Locations in a file: lines and columns in text files, offsets in binary files.

use std::fmt;

use anim_formats::AnyDocument;
use anim_formats::anim_ir::source::{Location, line_bounds, locate};

/// A location in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// In a text file.
    Line(Location),
    /// In a binary file.
    Offset(usize),
}

impl Place {
    /// Returns the line and column, or `None` in a binary file.
    pub(crate) fn location(self) -> Option<Location> {
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
pub(crate) struct Places<'a> {
    source: &'a [u8],
    has_lines: bool,
    /// The start of a line, and its zero-based number.
    known: (usize, usize),
}

impl<'a> Places<'a> {
    /// Converts offsets into the text of a document ([`AnyDocument::text`]).
    pub(crate) fn new(source: &'a [u8], document: &AnyDocument<'_>) -> Places<'a> {
        Places { source, has_lines: !document.format().info().is_binary, known: (0, 0) }
    }

    pub(crate) fn source(&self) -> &'a [u8] {
        self.source
    }

    /// Returns the location of an offset.
    pub(crate) fn locate(&mut self, offset: usize) -> Place {
        if self.has_lines { Place::Line(self.line(offset)) } else { Place::Offset(offset) }
    }

    fn line(&mut self, offset: usize) -> Location {
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
        let mut places = Places { source: text, has_lines: true, known: (0, 0) };
        let forth_and_back =
            (0..=text.len() + 1).chain((0..=text.len()).rev()).chain([5, 9, 2, 14]);
        for offset in forth_and_back {
            assert_eq!(places.locate(offset), Place::Line(locate(text, offset)), "{offset}");
        }
    }
}
