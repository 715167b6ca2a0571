//! The state of the first pass (the current line and the open block), and diagnostics for invalid
//! lines.

use anim_ir::number::index32;
use anim_ir::{Diagnostic, Span, diag::quote};

use crate::codes;
use crate::lines::part::{Keyword, Part, Statement};
use crate::tokens::{
    Input, Reason, Reject, integer, line_at, next_token, number, spans, starts_like_number, word,
};

/// Help for a truncated file.
pub(crate) const RESTORE: &str = "get the complete file from its source";

/// How to read a line with a single integer instead of several values, followed by bare rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Blocks {
    /// Stop reading, so that the file is reread with blocks.
    Detect,
    /// Read the line as the header of a block.
    Read,
    /// Read the line as one with missing values.
    Ignore,
}

/// A counted block that is still incomplete.
pub(crate) struct Block {
    pub(crate) keyword: &'static str,
    pub(crate) kind: BlockKind,
    /// The row count in the header.
    count: Span,
    pub(crate) announced: usize,
    pub(crate) found: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum BlockKind {
    Position,
    Texcoord,
    Normal,
    Joints,
    Weights,
    Face,
    Joint,
    Key,
    Kept,
}

pub(crate) struct Reader<'a> {
    pub(crate) source: &'a [u8],
    pub(crate) part: Part,
    pub(crate) blocks: Blocks,
    pub(crate) block: Option<Block>,
    /// The offset up to which memory is reserved for the content of the file.
    pub(crate) room_for: usize,
    /// The current line.
    pub(crate) line: usize,
    pub(crate) end: usize,
    /// Offset of the next line.
    pub(crate) next_line: usize,
    /// Whether a block was found while blocks are only detected.
    pub(crate) refused: bool,
    /// The most recent rows outside any block.
    pub(crate) stray: Option<Stray>,
}

/// Consecutive rows outside any block. They are reported once, since only their header is missing.
pub(crate) struct Stray {
    /// The span of the first word of the first row.
    first: Span,
    rows: u64,
    /// The value of `known_lines` at the first row. It is unchanged as long as the rows are
    /// consecutive.
    known_lines: u64,
}

impl<'a> Reader<'a> {
    /// The current line.
    pub(crate) fn text(&self) -> Input<'a> {
        self.source.get(self.line..self.end).unwrap_or_default()
    }

    /// Records a statement.
    pub(crate) fn note(&mut self, keyword: Keyword, arguments: Input<'a>) {
        let statement = Statement {
            keyword,
            line: index32(self.line),
            arguments: index32(self.end - arguments.len()),
            end: index32(self.end),
            elements: index32(self.part.geometry.elements.len()),
            keys: index32(self.part.keys.len()),
        };
        self.part.statements.push(statement);
    }

    /// Whether a line with one value is a block header. In a counted file, opens the block; if
    /// blocks are only detected, makes the reader stop.
    pub(crate) fn opens_block(
        &mut self,
        kind: BlockKind,
        keyword: &'static str,
        values: Input<'a>,
    ) -> bool {
        let mut input = values;
        let announces = next_token(&mut input) && integer(&mut input).is_ok_and(|count| count >= 0);
        if self.block.is_some() || !announces {
            return false;
        }
        match self.blocks {
            Blocks::Read => self.open_block(kind, keyword, values),
            Blocks::Detect => {
                self.refused = self.is_row_next();
                self.refused
            }
            Blocks::Ignore => false,
        }
    }

    /// In a counted file, opens a block if the arguments are a single integer. Returns whether it
    /// did.
    pub(crate) fn open_block(
        &mut self,
        kind: BlockKind,
        keyword: &'static str,
        mut input: Input<'a>,
    ) -> bool {
        if self.blocks != Blocks::Read || !next_token(&mut input) {
            return false;
        }
        let start = self.end - input.len();
        let Ok(announced) = integer(&mut input) else { return false };
        let Ok(announced) = usize::try_from(announced) else { return false };
        let count = Span::new(start, self.end - input.len());
        if next_token(&mut input) {
            return false;
        }
        self.close_block();
        self.block = Some(Block { keyword, kind, count, announced, found: 0 });
        true
    }

    pub(crate) fn close_block(&mut self) {
        if let Some(Block { keyword, count, announced, found, .. }) = self.block.take()
            && found < announced
        {
            let announced = self.source.get(count.start..count.end).unwrap_or_default();
            self.part.diagnostics.push(&codes::BLOCK_COUNT, count, || {
                let announced = String::from_utf8_lossy(announced);
                format!("`{keyword}` declares {announced} rows, but {found} follow")
            });
        }
    }

    /// Records a row outside any block.
    pub(crate) fn stray_row(&mut self, first: Span) {
        let known_lines = self.part.known_lines;
        match &mut self.stray {
            Some(stray) if stray.known_lines == known_lines => stray.rows += 1,
            _ => {
                self.report_stray_rows();
                self.stray = Some(Stray { first, rows: 1, known_lines });
            }
        }
    }

    pub(crate) fn report_stray_rows(&mut self) {
        let Some(Stray { first, rows, .. }) = self.stray.take() else { return };
        let text = self.source.get(first.start..first.end).unwrap_or_default();
        self.part.diagnostics.push(&codes::STRAY_ROW, first, || match rows {
            1 => format!("a line outside any block starts with {}", quote(text)),
            _ => format!("{rows} rows outside any block, starting with {}", quote(text)),
        });
    }

    /// Whether the next line begins with a number.
    pub(crate) fn is_row_next(&self) -> bool {
        let next = line_at(self.source, self.next_line).end;
        let mut next = self.source.get(self.next_line..next).unwrap_or_default();
        next_token(&mut next) && number(&mut next).is_ok()
    }

    /// Reports a block that is still incomplete at the end of the file.
    pub(crate) fn end_of_file(&mut self) {
        if let Some(Block { keyword, count, announced, found, .. }) = self.block.take()
            && found < announced
        {
            let announced = self.source.get(count.start..count.end).unwrap_or_default();
            let end = self.source.trim_ascii_end().len();
            self.part.diagnostics.report(&codes::TRUNCATED, || {
                let announced = String::from_utf8_lossy(announced);
                let message = format!(
                    "the file looks cut off: `{keyword}` declares {announced} rows, but the file \
                     ends after {found}"
                );
                Diagnostic::new(&codes::TRUNCATED, Span::new(end, end), message).help(RESTORE)
            });
        }
    }

    /// Returns the span of the rejected token, and the token in quotes.
    pub(crate) fn rejected(&self, reject: Reject) -> (Span, String) {
        let start = self.end - reject.rest;
        let mut input = self.source.get(start..self.end).unwrap_or_default();
        let token = word(&mut input).unwrap_or_default();
        (Span::new(start, start + token.len()), quote(token))
    }

    /// Reports an invalid token in `what`, which is a keyword or a noun.
    pub(crate) fn reject(&mut self, what: &str, reject: Reject) {
        let (span, token) = self.rejected(reject);
        let (code, expected) = match reject.reason {
            Reason::Integer => (&codes::INTEGER, "an integer"),
            Reason::NotFinite => (&codes::NUMBER, "a finite number"),
            _ => (&codes::NUMBER, "a number"),
        };
        let message = || format!("{token} in {} is not {expected}", in_quotes(what));
        self.part.diagnostics.push(code, span, message);
    }

    /// Reports a wrong number of values: at the first extra value, or after the last value if
    /// some are missing.
    pub(crate) fn wrong_count(&mut self, what: &str, expected: &str, found: usize, most: usize) {
        let line = self.text();
        let keywords = usize::from(!starts_like_number(line.trim_ascii_start()));
        let place = spans(line).nth(keywords + most).unwrap_or_else(|| {
            let end = spans(line).last().map_or(0, |token| token.end);
            end..end
        });
        let span = Span::new(self.line + place.start, self.line + place.end);
        self.part.diagnostics.push(&codes::FIELDS, span, || {
            format!("{} needs {expected}, found {found}", in_quotes(what))
        });
    }
}

/// Quotes a keyword in backticks; returns a noun unchanged.
fn in_quotes(what: &str) -> String {
    if what.contains(' ') { what.to_owned() } else { format!("`{what}`") }
}
