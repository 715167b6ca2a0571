//! A diagnostic as a compiler would show it: what, where, the line, and the place underlined.

use std::ops::Range;

use anim_formats::anim_ir::diag::escape;
use anim_formats::anim_ir::source::line_bounds;
use anim_formats::anim_ir::{Diagnostic, Severity, Span};
use annotate_snippets::{AnnotationKind, Level, Origin, Renderer, Snippet};

use crate::places::Places;

/// Characters shown before the place, where the line is long.
const BEFORE: usize = 60;
/// Characters shown from the place on.
const BEHIND: usize = 70;

/// The diagnostic as lines with colours, without a line end at the end.
pub(crate) fn render(file: &str, places: &mut Places<'_>, diagnostic: &Diagnostic) -> String {
    let level = match diagnostic.severity() {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let title = level.primary_title(diagnostic.message.as_str()).id(diagnostic.code.id);
    let origin = Origin::path(file);
    let mut group = match diagnostic.span {
        None => title.element(origin),
        Some(span) => {
            let place = places.locate(span.start);
            let excerpt = Excerpt::cut(places.source(), span);
            // The place is counted in the file; the excerpt may be a piece of its line.
            let line = Snippet::source(excerpt.text).line_start(place.line).annotation(AnnotationKind::Primary.span(excerpt.marked));
            title.element(origin.line(place.line).char_column(place.column)).element(line)
        }
    };
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    let text = Renderer::styled().render(&[group]);
    // A snippet behind an origin is announced as one of another file, on the fourth line; it is of this one.
    let lines = text.split('\n').enumerate().filter(|(number, line)| *number != 3 || !line.contains(":::"));
    lines.map(|(_, line)| line).collect::<Vec<_>>().join("\n")
}

/// A piece of a line that is safe to show, and what in it is underlined.
#[derive(Debug, PartialEq, Eq)]
struct Excerpt {
    text: String,
    marked: Range<usize>,
}

impl Excerpt {
    /// The line that the span starts in, or what is near the span where the line is long.
    fn cut(source: &[u8], span: Span) -> Excerpt {
        let (start, end) = line_bounds(source, span.start);
        // A character is four bytes at most.
        let near_start = span.start.saturating_sub(BEFORE * 4).max(start);
        let near_end = span.start.saturating_add(BEHIND * 4).min(end);
        let mut before = source.get(near_start..span.start.min(end)).unwrap_or_default();
        if near_start > start {
            // No half character.
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
        let behind = visible(source.get(marked_end..near_end).unwrap_or_default());
        let cut_behind = near_end < end || marked.len().saturating_add(behind.len()) > BEHIND;
        text.extend(marked.iter().take(BEHIND));
        let mark_end = text.len();
        text.extend(behind.iter().take(BEHIND.saturating_sub(marked.len())));
        if cut_behind {
            text.push('…');
        }
        Excerpt { text, marked: mark_start..mark_end }
    }
}

/// One character each that can be shown for those that are there: what would act on a terminal is replaced by a picture of it.
fn visible(bytes: &[u8]) -> Vec<char> {
    let mut out = Vec::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        out.extend(chunk.valid().chars().map(|c| match u32::from(c) {
            // annotate-snippets sees to tabs.
            0x09 => c,
            code @ ..0x20 => char::from_u32(0x2400 | code).unwrap_or(char::REPLACEMENT_CHARACTER),
            0x20..0x7f => c,
            0x7f => '\u{2421}',
            _ if escape(c.encode_utf8(&mut [0; 4])).starts_with('\\') => char::REPLACEMENT_CHARACTER,
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
    fn a_short_line_as_it_is() {
        assert_eq!(cut(b"one\nf 1 2 3\r\nthree", 6, 7), ("f 1 2 3".into(), "1".into()));
        assert_eq!(cut(b"one\nf 1 2 3\r\nthree", 11, 11), ("f 1 2 3".into(), String::new()));
        assert_eq!(cut(b"one\ntwo\nthree", 4, 13), ("two".into(), "two".into()), "no more than a line");
        assert_eq!(cut(b"", 0, 0), (String::new(), String::new()));
        assert_eq!(cut(b"abc", 90, 99), ("abc".into(), String::new()), "a place that is not there");
        assert_eq!(cut("\u{feff}v 1".as_bytes(), 3, 4), ("v 1".into(), "v".into()));
    }

    #[test]
    fn a_long_line_around_the_place() {
        let line = format!("{}here{}", "é".repeat(5_000), "x".repeat(1 << 20));
        let (text, marked) = cut(line.as_bytes(), 10_000, 10_004);
        assert_eq!(marked, "here");
        assert_eq!(text, format!("…{}here{}…", "é".repeat(BEFORE), "x".repeat(BEHIND - 4)));
        let (text, marked) = cut(line.as_bytes(), 10_004, 1 << 20);
        assert_eq!(text, format!("…{}here{}…", "é".repeat(BEFORE - 4), "x".repeat(BEHIND)));
        assert_eq!(marked.len(), BEHIND);
    }

    #[test]
    fn nothing_reaches_the_terminal() {
        assert_eq!(cut("a\u{1b}[2J\u{202e}\u{9b}\u{7f}b".as_bytes(), 0, 2), ("a␛[2J��␡b".into(), "a␛".into()));
        assert_eq!(cut(b"\xe9\xff1", 2, 3), ("��1".into(), "1".into()));
    }
}
