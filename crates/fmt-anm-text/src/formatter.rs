//! The canonical form: one space between fields, no leading or trailing whitespace, and an empty
//! line before each set.

use anim_ir::encoding::{keep_start, text_start};

use crate::document::Document;
use crate::keyword::Keyword;
use crate::tokens::Line;

impl Document<'_> {
    /// Returns the document in canonical form (`docs/anm-text.md`), with its content and comments
    /// in their original order. Lines that do not start with a keyword are not changed.
    pub fn formatted(&self) -> Vec<u8> {
        let source = &*self.source;
        let mut out: Vec<u8> = Vec::with_capacity(source.len().saturating_add(1));
        // The start of the comments directly above the current line.
        let mut above = None;
        let mut next = Line::at(source, text_start(source));
        while !next.is_end_of_file() {
            let line = next;
            next.next_line();
            match Kind::of(line) {
                Kind::Blank => {
                    above = None;
                    if !out.is_empty() && !out.ends_with(b"\n\n") {
                        out.push(b'\n');
                    }
                    continue;
                }
                Kind::Comment(comment) => {
                    above.get_or_insert(out.len());
                    out.extend_from_slice(comment);
                }
                Kind::Statement(keyword) => {
                    let gap = above.take().unwrap_or(out.len());
                    if keyword == Keyword::As
                        && gap > 0
                        && !out.get(..gap).is_some_and(|before| before.ends_with(b"\n\n"))
                    {
                        out.insert(gap, b'\n');
                    }
                    write_words(&mut out, line);
                }
                Kind::Other => {
                    above = None;
                    out.extend_from_slice(line.text());
                }
            }
            out.push(b'\n');
        }
        if out.ends_with(b"\n\n") {
            out.pop();
        }
        keep_start(&mut out);
        out
    }
}

/// The kind of a line.
enum Kind<'a> {
    Blank,
    /// From the `#` to the end of the line, without trailing whitespace.
    Comment(&'a [u8]),
    Statement(Keyword),
    Other,
}

impl<'a> Kind<'a> {
    fn of(mut line: Line<'a>) -> Kind<'a> {
        line.skip_blanks();
        match line.first() {
            None => Kind::Blank,
            Some(b'#') => Kind::Comment(without_blanks_at_end(line.text())),
            Some(_) => line
                .token()
                .ok()
                .and_then(|word| Keyword::of(word.bytes))
                .map_or(Kind::Other, Kind::Statement),
        }
    }
}

fn without_blanks_at_end(text: &[u8]) -> &[u8] {
    let end = text
        .iter()
        .rposition(|byte| !matches!(byte, b' ' | b'\t'))
        .map_or(0, |last| last.saturating_add(1));
    text.get(..end).unwrap_or_default()
}

fn write_words(out: &mut Vec<u8>, mut line: Line<'_>) {
    let mut gap: &[u8] = b"";
    while let Ok(word) = line.token() {
        out.extend_from_slice(gap);
        out.extend_from_slice(word.bytes);
        gap = b" ";
    }
}
