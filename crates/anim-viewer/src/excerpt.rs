//! The lines of a file that problems are in, safe to show.

use std::ops::Range;

use anim_formats::anim_ir::Span;
use anim_formats::anim_ir::diag::escape;
use anim_formats::anim_ir::source::line_bounds;
use serde::Serialize;

use crate::places::{Place, Places};

/// The number of characters shown before the span in a long line.
const BEFORE: usize = 60;
/// The number of characters shown from the start of the span in a long line.
const AFTER: usize = 70;
/// The number of bytes in a row of a hex dump.
const ROW: usize = 16;

/// A line of a file, divided into the marked part and what is before and after it.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct MarkedLine {
    before: String,
    marked: String,
    after: String,
}

/// Returns the line in which a span starts; in a binary file, a row of bytes in hexadecimal.
pub fn marked_line(places: &mut Places<'_>, span: Span) -> MarkedLine {
    let (text, range) = match places.locate(span.start) {
        Place::Line(_) => {
            let Excerpt { text, marked } = Excerpt::cut(places.source(), span);
            (text, marked)
        }
        Place::Offset(_) => {
            let (row, from, length) = row_of(places.source(), span);
            let hex: Vec<String> = row.iter().map(|byte| format!("{byte:02x}")).collect();
            (hex.join(" "), from.saturating_mul(3)..from.saturating_add(length).saturating_mul(3))
        }
    };
    let part = |range: Range<usize>| text.get(range).unwrap_or_default().to_owned();
    let end = range.end.min(text.len());
    let start = range.start.min(end);
    MarkedLine { before: part(0..start), marked: part(start..end), after: part(end..text.len()) }
}

/// Returns the row of 16 bytes that contains the start of a span, the number of bytes before the
/// span, and the number of bytes of the span in this row.
pub fn row_of(source: &[u8], span: Span) -> (&[u8], usize, usize) {
    let start = span.start.min(source.len());
    let row = start.saturating_sub(start % ROW);
    let end = row.saturating_add(ROW).min(source.len());
    let marked = span.end.min(end).saturating_sub(start);
    (source.get(row..end).unwrap_or_default(), start.saturating_sub(row), marked)
}

/// A part of a line that is safe to show, and the range to underline.
#[derive(Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// The part of the line.
    pub text: String,
    /// The range to underline, in bytes.
    pub marked: Range<usize>,
}

impl Excerpt {
    /// Extracts the line in which the span starts, or, if it is long, the part around the span.
    #[must_use]
    pub fn cut(source: &[u8], span: Span) -> Excerpt {
        // A character is at most four bytes long.
        let first = span.start.saturating_sub(BEFORE * 4);
        let last = span.start.saturating_add(AFTER * 4);
        // A line may be megabytes long and have thousands of problems, so its ends are searched
        // only within the part that can be shown.
        let from = first.saturating_sub(1).min(source.len());
        let until = last.saturating_add(1).min(source.len());
        let part = source.get(from..until).unwrap_or_default();
        let bounds = line_bounds(part, span.start.saturating_sub(from));
        let (start, end) = (from.saturating_add(bounds.0), from.saturating_add(bounds.1));
        let (near_start, near_end) = (first.max(start), last.min(end));
        let mut before = source.get(near_start..span.start.min(end)).unwrap_or_default();
        if near_start > start {
            // Avoid splitting a character.
            while let [0x80..=0xbf, rest @ ..] = before {
                before = rest;
            }
        } else if start == 0 {
            before = before.strip_prefix(b"\xef\xbb\xbf").unwrap_or(before);
        }
        let mut characters = visible(before);
        let cut_before = near_start > start || characters.len() > BEFORE;
        characters.drain(..characters.len().saturating_sub(BEFORE));
        let mut text = String::from(if cut_before { "…" } else { "" });
        text.extend(characters);
        let mark_start = text.len();
        let marked_end = span.end.clamp(span.start, near_end.max(span.start));
        let marked = visible(source.get(span.start..marked_end).unwrap_or_default());
        let after = visible(source.get(marked_end..near_end).unwrap_or_default());
        let cut_after = near_end < end || marked.len().saturating_add(after.len()) > AFTER;
        text.extend(marked.iter().take(AFTER));
        let mark_end = text.len();
        text.extend(after.iter().take(AFTER.saturating_sub(marked.len())));
        if cut_after {
            text.push('…');
        }
        Excerpt { text, marked: mark_start..mark_end }
    }
}

/// Replaces each control character with a visible character, such as its control picture.
fn visible(bytes: &[u8]) -> Vec<char> {
    let mut out = Vec::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        out.extend(chunk.valid().chars().map(|c| match u32::from(c) {
            // annotate-snippets handles tabs.
            0x09 => c,
            code @ ..0x20 => char::from_u32(0x2400 | code).unwrap_or(char::REPLACEMENT_CHARACTER),
            0x20..0x7f => c,
            0x7f => '\u{2421}',
            _ if escape(c.encode_utf8(&mut [0; 4])).starts_with('\\') => {
                char::REPLACEMENT_CHARACTER
            }
            _ => c,
        }));
        out.extend(chunk.invalid().iter().map(|_| char::REPLACEMENT_CHARACTER));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(source: &[u8], start: usize, end: usize) -> (String, String) {
        let Excerpt { text, marked } = Excerpt::cut(source, Span::new(start, end));
        let marked = text.get(marked).unwrap().to_owned();
        (text, marked)
    }

    #[test]
    fn a_short_line_is_shown_in_full() {
        assert_eq!(cut(b"one\nf 1 2 3\r\nthree", 6, 7), ("f 1 2 3".into(), "1".into()));
        assert_eq!(cut(b"one\nf 1 2 3\r\nthree", 11, 11), ("f 1 2 3".into(), String::new()));
        assert_eq!(
            cut(b"one\ntwo\nthree", 4, 13),
            ("two".into(), "two".into()),
            "at most one line"
        );
        assert_eq!(cut(b"", 0, 0), (String::new(), String::new()));
        assert_eq!(cut(b"abc", 90, 99), ("abc".into(), String::new()), "an offset past the end");
        assert_eq!(cut("\u{feff}v 1".as_bytes(), 3, 4), ("v 1".into(), "v".into()));
    }

    #[test]
    fn a_long_line_is_cut_around_the_span() {
        let line = format!("{}here{}", "é".repeat(5_000), "x".repeat(1 << 20));
        let (text, marked) = cut(line.as_bytes(), 10_000, 10_004);
        assert_eq!(marked, "here");
        assert_eq!(text, format!("…{}here{}…", "é".repeat(BEFORE), "x".repeat(AFTER - 4)));
        let (text, marked) = cut(line.as_bytes(), 10_004, 1 << 20);
        assert_eq!(text, format!("…{}here{}…", "é".repeat(BEFORE - 4), "x".repeat(AFTER)));
        assert_eq!(marked.len(), AFTER);
    }

    /// A line that begins or ends where the shown part does is not cut.
    #[test]
    fn ends_of_lines_near_the_ends_of_the_shown_part() {
        for before in BEFORE * 4 - 2..=BEFORE * 4 + 2 {
            for after in AFTER * 4 - 2..=AFTER * 4 + 2 {
                for line_end in ["\n", "\r", "\r\n"] {
                    let [left, right] = [before, after].map(|length| "x".repeat(length));
                    let text = format!("one{line_end}{left}!{right}{line_end}three");
                    let at = 3 + line_end.len() + before;
                    let line = format!("{left}!{right}");
                    let alone = Excerpt::cut(line.as_bytes(), Span::new(before, before + 1));
                    let found = Excerpt::cut(text.as_bytes(), Span::new(at, at + 1));
                    assert_eq!(found, alone, "{before} {after}");
                }
            }
        }
    }

    #[test]
    fn control_characters_are_replaced() {
        assert_eq!(
            cut("a\u{1b}[2J\u{202e}\u{9b}\u{7f}b".as_bytes(), 0, 2),
            ("a␛[2J��␡b".into(), "a␛".into())
        );
        assert_eq!(cut(b"\xe9\xff1", 2, 3), ("��1".into(), "1".into()));
    }
}
