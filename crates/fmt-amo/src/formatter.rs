//! The canonical form: a single space between words, no leading or trailing whitespace, and the
//! original spelling of numbers and names.

use std::ops::Range;

use anim_ir::encoding::{keep_start, text_start};

use crate::dialect::Dialect;
use crate::document::Document;
use crate::lines::kept;
use crate::tokens::{Line, line_at, next_token, spans, starts_like_number};

/// The minimum number of words in a joint row. In files with blocks, a line with this many words
/// begins with a name and contains a matrix.
const LEAST_OF_JOINT_ROW: usize = 17;

impl Document<'_> {
    /// Returns the document in canonical form (`docs/amo.md`): the same content and comments in the
    /// same order. Lines with an unknown keyword are kept unchanged.
    pub fn formatted(&self) -> Vec<u8> {
        let bytes = self.to_bytes();
        let source = bytes.get(text_start(&bytes)..).unwrap_or_default();
        let counted = self.dialect() == Dialect::Counted;
        let mut out = Vec::with_capacity(source.len().saturating_add(1));
        let (mut at, mut after_blank) = (0, false);
        while at < source.len() {
            let Line { end, next } = line_at(source, at);
            let start = out.len();
            write_line(&mut out, source.get(at..end).unwrap_or_default(), counted);
            at = next;
            let blank = out.len() == start;
            // Keep one blank line even at the start of the file: a comment that moves to the first
            // line may change the dialect.
            if !(blank && after_blank) {
                out.push(b'\n');
            }
            after_blank = blank;
        }
        if after_blank {
            out.pop();
        }
        // Do not make a truncated file look complete.
        if self.content.cut_off {
            out.pop();
        }
        keep_start(&mut out);
        out
    }
}

/// Writes a line without its line break. Writes nothing for an empty line.
fn write_line(out: &mut Vec<u8>, text: &[u8], counted: bool) {
    let start = out.len();
    write_words(out, text, counted);
    // A backslash at the end of a line continues it, except in a line that begins with a
    // comment.
    if out.get(start) != Some(&b'#') && out.last() == Some(&b'\\') {
        out.push(b' ');
    }
}

fn write_words(out: &mut Vec<u8>, text: &[u8], counted: bool) {
    let words: Vec<Range<usize>> = spans(text).collect();
    let mut comment = text.get(words.last().map_or(0, |word| word.end)..).unwrap_or_default();
    next_token(&mut comment);
    let (Some(first), Some(last)) = (words.first(), words.last()) else {
        // A comment in the first column cannot be continued on the next line, so a continued
        // comment keeps its indentation.
        let goes_on = comment.contains(&b'\n') || comment.contains(&b'\r');
        return out.extend_from_slice(if goes_on { text } else { without_blanks_at_end(comment) });
    };
    let keyword = text.get(first.clone()).unwrap_or_default();
    let from = |start: usize| text.get(start..last.end).unwrap_or_default();
    match Words::of(keyword) {
        _ if counted && words.len() >= LEAST_OF_JOINT_ROW => {
            out.extend_from_slice(from(first.start))
        }
        Words::Unknown => return out.extend_from_slice(text),
        Words::Values => {
            for (number, word) in words.iter().enumerate() {
                out.extend_from_slice(if number == 0 { b"" } else { b" " });
                out.extend_from_slice(text.get(word.clone()).unwrap_or_default());
            }
        }
        Words::Name => {
            out.extend_from_slice(keyword);
            if let Some(second) = words.get(1) {
                out.push(b' ');
                out.extend_from_slice(from(second.start));
            }
        }
    }
    if !comment.is_empty() {
        out.push(b' ');
        out.extend_from_slice(without_blanks_at_end(comment));
    }
}

/// The kind of words that follow a keyword.
enum Words {
    /// Numbers and face corners.
    Values,
    /// A name after the keyword, which may contain whitespace.
    Name,
    /// Unknown keyword.
    Unknown,
}

impl Words {
    fn of(keyword: &[u8]) -> Words {
        match keyword {
            b"v" | b"vt" | b"vn" | b"vj" | b"vw" | b"f" | b"l" | b"p" | b"ap" | b"ar" | b"k" => {
                Words::Values
            }
            b"o" | b"ao" | b"cl" | b"g" | b"s" | b"usemtl" | b"mtllib" | b"t" | b"j" | b"jp"
            | b"a" | b"an" => Words::Name,
            _ if kept(keyword).is_some() => Words::Name,
            _ if starts_like_number(keyword) => Words::Values,
            _ => Words::Unknown,
        }
    }
}

fn without_blanks_at_end(text: &[u8]) -> &[u8] {
    let end =
        text.iter().rposition(|byte| !matches!(byte, b' ' | b'\t')).map_or(0, |last| last + 1);
    text.get(..end).unwrap_or_default()
}
