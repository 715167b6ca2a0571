//! Rows of values, which make up most of a file.
//!
//! Values are read line by line into one array. If every line has one value per channel, each line
//! is a row. Otherwise, if no line has the right length and the total number of values is correct,
//! line breaks are ignored. If not, a line whose length is a multiple of the row's is split into
//! rows; any other line is a row of its own if some line has the right length, and is joined with
//! the following lines if none has.

use std::collections::HashMap;

use anim_ir::diag::plural;
use anim_ir::number::{NumberError, index32, parse_f32, scan_f32};
use anim_ir::{Diagnostic, Span};

use super::{Parser, point_not_comma};
use crate::codes;
use crate::content::{Motion, Row};
use crate::tokens::{is_blank, is_line_end};

/// A line of values.
#[derive(Clone, Copy)]
struct Line {
    start: u32,
    count: u32,
}

/// A row: the index of its first value in the array, and its length.
#[derive(Clone, Copy)]
struct Piece {
    first: u32,
    count: u32,
}

/// A row with the wrong length, and the number of other rows with the same length.
#[derive(Clone, Copy)]
struct WrongRow {
    frame: usize,
    start: u32,
    count: usize,
    others: usize,
}

impl Parser<'_> {
    pub(super) fn rows(&mut self, mut motion: Motion) {
        let width = self.content.channels.len();
        let wanted = motion.frames.and_then(|frames| usize::try_from(frames).ok());
        let total = wanted.and_then(|frames| frames.checked_mul(width));
        let (lines, mut values) = self.lines(total);
        motion.end = index32(self.cursor.at);
        let is_even = |line: &Line| line.count as usize == width;
        let mut found = lines.len();
        if width == 0 {
            // Rows without values cannot be counted, so use the declared number of frames.
            found = wanted.unwrap_or(0);
            values.clear();
            if let Some(line) = lines.first() {
                let at = self.row_span(line.start, line.count as usize);
                self.push(&codes::ROW_LONG, at, |_| {
                    let count = plural(line.count as usize, "value");
                    format!("row 1 has {count}, but there are no channels")
                });
            }
        } else if lines.iter().all(is_even) {
            let rows = lines.iter().enumerate();
            self.content.rows = rows
                .map(|(frame, line)| Row { start: line.start, frame: index32(frame) })
                .collect();
        } else {
            let is_stream = !lines.iter().any(is_even) && total == Some(values.len());
            let pieces: Vec<Piece> = if is_stream {
                let starts = (0..values.len()).step_by(width);
                starts.map(|first| Piece::new(first, width)).collect()
            } else {
                pieces(&lines, width)
            };
            found = pieces.len();
            values = self.odd_rows(&lines, &pieces, &values, width);
        }
        hold(&mut values, width);
        self.content.values = values;
        if wanted.is_some_and(|wanted| found < wanted) {
            self.cut_off = Some(&codes::FRAMES);
        }
        if let Some(frames) = motion.frames.filter(|frames| usize::try_from(*frames) != Ok(found)) {
            self.report(&codes::FRAMES, |_| {
                let are = if found == 1 { "is" } else { "are" };
                let rows = plural(found, "row");
                let message = format!("Frames: {frames}, but there {are} {rows}");
                Diagnostic::new(&codes::FRAMES, motion.count.span(), message)
                    .help("check whether the recording is complete, then correct the number")
            });
        }
        self.content.motion = Some(motion);
    }

    /// Parses all values and their lines. Invalid numbers are NaN.
    fn lines(&mut self, total: Option<usize>) -> (Vec<Line>, Vec<f32>) {
        // A value and its separator take up at least two bytes.
        let room = self.cursor.rest().len() / 2 + 1;
        let mut values: Vec<f32> = Vec::with_capacity(total.unwrap_or(0).min(room));
        let mut lines = Vec::new();
        loop {
            self.cursor.skip_blanks();
            if self.cursor.rest().is_empty() {
                break;
            }
            if self.is_text_line() {
                if total.is_some_and(|total| values.len() >= total) {
                    let word = { self.cursor }.word();
                    self.push(&codes::TRAILING, word, |parser| {
                        format!("{} after the last row is ignored", parser.found(word))
                    });
                    break;
                }
                self.unknown_line("a row of values");
                continue;
            }
            let (start, first) = (index32(self.cursor.at), values.len());
            self.line(&mut values);
            lines.push(Line { start, count: index32(values.len().saturating_sub(first)) });
        }
        (lines, values)
    }

    /// Parses the values on a line.
    fn line(&mut self, values: &mut Vec<f32>) {
        let length = self.cursor.source.len();
        let mut rest = self.cursor.rest();
        loop {
            if let Some((value, taken)) = scan_f32(rest)
                && let Some(after) = rest.get(taken..)
                && after.first().is_none_or(|byte| is_blank(*byte))
                && value.is_finite()
            {
                values.push(value);
                rest = after;
            } else {
                self.cursor.at = length.saturating_sub(rest.len());
                values.push(self.bad_number());
                rest = self.cursor.rest();
            }
            while let [byte, after @ ..] = rest
                && is_blank(*byte)
                && !is_line_end(*byte)
            {
                rest = after;
            }
            if rest.first().is_none_or(|byte| is_line_end(*byte)) {
                break;
            }
        }
        self.cursor.at = length.saturating_sub(rest.len());
    }

    /// Reports an invalid number and returns NaN.
    #[cold]
    fn bad_number(&mut self) -> f32 {
        let word = self.cursor.word_to_blank();
        let text = self.cursor.text(word);
        let (code, message) = match parse_f32(text) {
            Err(NumberError::NotFinite) => (&codes::NOT_FINITE, "expected a finite number"),
            _ => (&codes::NUMBER, "expected a number"),
        };
        self.report(code, |parser| {
            let message = format!("{message}, found {}", parser.found(word));
            point_not_comma(Diagnostic::new(code, word, message), text)
        });
        f32::NAN
    }

    /// Handles files in which not every line is a row. Reports rows with the wrong length, and
    /// returns the values of the rows that are long enough.
    fn odd_rows(
        &mut self,
        lines: &[Line],
        pieces: &[Piece],
        values: &[f32],
        width: usize,
    ) -> Vec<f32> {
        let mut kept = Vec::with_capacity(values.len());
        let starts = self.starts(lines, pieces);
        // If a joint's channels are wrong, so is every row. Rows with the same length are reported
        // once.
        let mut wrong: Vec<WrongRow> = Vec::new();
        let mut by_count: HashMap<usize, usize> = HashMap::new();
        for ((frame, piece), start) in pieces.iter().enumerate().zip(starts) {
            let (first, count) = (piece.first as usize, piece.count as usize);
            let is_short = count < width;
            if count != width {
                let next = wrong.len();
                let slot = *by_count.entry(count).or_insert(next);
                match wrong.get_mut(slot) {
                    Some(wrong) => wrong.others = wrong.others.saturating_add(1),
                    None => wrong.push(WrongRow { frame, start, count, others: 0 }),
                }
            }
            let end = first.saturating_add(width);
            if let Some(row) = values.get(first..end).filter(|_| !is_short) {
                kept.extend_from_slice(row);
                self.content.rows.push(Row { start, frame: index32(frame) });
            }
        }
        wrong.iter().for_each(|wrong| self.wrong_row(*wrong, width));
        kept
    }

    fn wrong_row(&mut self, wrong: WrongRow, width: usize) {
        let WrongRow { frame, start, count, others } = wrong;
        let code = if count < width { &codes::ROW_SHORT } else { &codes::ROW_LONG };
        let at = self.row_span(start, count);
        self.push(code, at, |_| {
            let (row, count) = (frame.saturating_add(1), plural(count, "value"));
            let others = match others {
                0 => String::new(),
                1 => ", as does 1 other row".to_owned(),
                _ => format!(", as do {others} other rows"),
            };
            format!("row {row} has {count} instead of {width}{others}")
        });
    }

    /// Returns the offset of the first value of each row.
    fn starts(&self, lines: &[Line], pieces: &[Piece]) -> Vec<u32> {
        let mut starts = Vec::with_capacity(pieces.len());
        let mut pieces = pieces.iter().peekable();
        let mut line_end = 0_u32;
        for line in lines {
            let mut cursor = self.cursor;
            cursor.at = line.start as usize;
            let mut number = line_end;
            line_end = line_end.saturating_add(line.count);
            while let Some(piece) = pieces.next_if(|piece| piece.first < line_end) {
                while number < piece.first {
                    cursor.word_to_blank();
                    number = number.saturating_add(1);
                }
                cursor.skip_blanks();
                starts.push(index32(cursor.at));
            }
        }
        starts
    }

    /// Returns the span of a row's values that are on its first line.
    fn row_span(&self, start: u32, count: usize) -> Span {
        let mut cursor = self.cursor;
        cursor.at = start as usize;
        let mut end = cursor.at;
        for _ in 0..count {
            end = cursor.word_to_blank().end;
            cursor.skip_inline_blanks();
            if cursor.rest().first().is_none_or(|byte| is_line_end(*byte)) {
                break;
            }
        }
        Span::new(start as usize, end)
    }
}

impl Piece {
    fn new(first: usize, count: usize) -> Piece {
        Piece { first: index32(first), count: index32(count) }
    }
}

/// Returns the rows of a file in which not all lines have the right length.
fn pieces(lines: &[Line], width: usize) -> Vec<Piece> {
    // If any line has the right length, lines are not joined.
    let are_lines = lines.iter().any(|line| line.count as usize == width);
    let mut pieces = Vec::new();
    // The first value of the current row, and the number of values in the row so far.
    let (mut first, mut number) = (0_usize, 0_usize);
    for line in lines {
        let count = line.count as usize;
        // A line that would make the row too long starts a new one.
        if number > first && number.saturating_sub(first).saturating_add(count) > width {
            pieces.push(Piece::new(first, number.saturating_sub(first)));
            first = number;
        }
        number = number.saturating_add(count);
        let open = number.saturating_sub(first);
        if open.is_multiple_of(width) {
            pieces.extend((first..number).step_by(width).map(|first| Piece::new(first, width)));
        } else if open > width || are_lines {
            pieces.push(Piece::new(first, open));
        } else {
            continue;
        }
        first = number;
    }
    if number > first {
        pieces.push(Piece::new(first, number.saturating_sub(first)));
    }
    pieces
}

/// Replaces invalid numbers with the value in the previous row, or 0 in the first row.
fn hold(values: &mut [f32], width: usize) {
    if !values.iter().any(|value| value.is_nan()) {
        return;
    }
    let mut before = vec![0.0; width];
    for row in values.chunks_exact_mut(width.max(1)) {
        for (value, before) in row.iter_mut().zip(&mut before) {
            if value.is_nan() {
                *value = *before;
            }
            *before = *value;
        }
    }
}
