//! Lines and columns of many offsets.

use anim_formats::anim_ir::source::{Location, line_bounds, locate};

/// Counts lines from the last place asked for, not from the start: diagnostics come in the order of the file, and a file may be large.
pub(crate) struct Places<'a> {
    source: &'a [u8],
    /// Start of a line, and its number less one.
    known: (usize, usize),
}

impl<'a> Places<'a> {
    pub(crate) fn new(source: &'a [u8]) -> Places<'a> {
        Places { source, known: (0, 0) }
    }

    pub(crate) fn source(&self) -> &'a [u8] {
        self.source
    }

    /// Where an offset is.
    pub(crate) fn locate(&mut self, offset: usize) -> Location {
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
    fn the_same_as_from_the_start() {
        let text = "\u{feff}ab\r\ncd\re\u{e9}f\n\ngh".as_bytes();
        let mut places = Places::new(text);
        let forth_and_back = (0..=text.len() + 1).chain((0..=text.len()).rev()).chain([5, 9, 2, 14]);
        for offset in forth_and_back {
            assert_eq!(places.locate(offset), locate(text, offset), "{offset}");
        }
    }
}
