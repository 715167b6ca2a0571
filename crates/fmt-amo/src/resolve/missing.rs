//! References to missing or invalid rows. Thousands of corners can refer to the same invalid line,
//! which is reported only once.

use std::collections::HashMap;

use anim_ir::{Code, Diagnostic, Span, diag::quote};

use crate::codes;
use crate::content::Element;
use crate::dialect::Dialect;
use crate::lines::{Geometry, Keyword, Statement};
use crate::resolve::Resolver;
use crate::tokens::{last_line, starts_like_number};

/// The rows that a corner refers to, with their keywords.
const NAMES: [(&str, &str); 5] = [
    ("position", "v"),
    ("texture coordinate", "vt"),
    ("normal", "vn"),
    ("joint row", "vj"),
    ("weight row", "vw"),
];
/// The number of positions needed for a face.
const A_FACE: usize = 3;
/// Up to this many missing rows of the same type are reported individually.
const ONE_BY_ONE: usize = 3;

/// Rows that are referenced but cannot be used, in the order of their first references.
#[derive(Debug, Default)]
pub(crate) struct Missing {
    rows: Vec<Row>,
    known: HashMap<(usize, i32, bool), usize>,
}

/// A row, the first corner that refers to it, and the number of such corners.
#[derive(Clone, Copy, Debug)]
struct Row {
    /// Index in [`NAMES`].
    slot: usize,
    number: i32,
    /// Whether the row exists but is invalid.
    is_unreadable: bool,
    element: Element,
    corner: usize,
    corners: u64,
}

impl Missing {
    /// Records a corner's reference to a row. `number` is one-based.
    pub(crate) fn note(
        &mut self,
        element: &Element,
        corner: usize,
        (slot, number): (usize, i32),
        is_unreadable: bool,
    ) {
        let next = self.rows.len();
        let at = *self.known.entry((slot, number, is_unreadable)).or_insert(next);
        match self.rows.get_mut(at) {
            Some(row) => row.corners += 1,
            None => self.rows.push(Row {
                slot,
                number,
                is_unreadable,
                element: *element,
                corner,
                corners: 1,
            }),
        }
    }
}

impl Resolver<'_> {
    /// Detects a file that ends in the rows of its vertices, before any face, joint or animation.
    pub(crate) fn missing_faces(&mut self, statements: &[Statement], geometry: &Geometry) {
        let is_later = |statement: &Statement| {
            matches!(
                statement.keyword,
                Keyword::Joint | Keyword::Animation | Keyword::CountedAnimation
            )
        };
        let positions = self.content.vertices.positions.len();
        if positions < A_FACE
            || !geometry.elements.is_empty()
            || statements.iter().any(is_later)
            || !self.ends_in_row()
            || self.diagnostics.count(&codes::TRUNCATED) > 0
            || self.diagnostics.count(&codes::CUT_OFF) > 0
        {
            return;
        }
        let end = self.source.trim_ascii_end().len();
        self.diagnostics.report(&codes::CUT_OFF, || {
            let message = format!(
                "the file is a point cloud or was cut off: it has {positions} positions but no \
                 face, and ends in the rows of its vertices"
            );
            Diagnostic::new(&codes::CUT_OFF, Span::new(end, end), message)
                .help("if faces are missing, get the complete file from its source")
        });
    }

    /// Whether the last line is a row of vertices, with or without a keyword.
    fn ends_in_row(&self) -> bool {
        let line = last_line(self.source).trim_ascii_start();
        let first = line.split(u8::is_ascii_whitespace).next().unwrap_or_default();
        NAMES.iter().any(|(_, keyword)| keyword.as_bytes() == first)
            || (self.content.dialect == Dialect::Counted && starts_like_number(line))
    }

    /// Reports each row individually, or all rows of a type together if many are missing.
    pub(crate) fn report_missing(&mut self, missing: &Missing, counts: [usize; 5]) {
        for (slot, count) in counts.into_iter().enumerate() {
            for is_unreadable in [false, true] {
                let is_one = |row: &&Row| row.slot == slot && row.is_unreadable == is_unreadable;
                let rows: Vec<&Row> = missing.rows.iter().filter(is_one).collect();
                if let Some(first) = rows.first().filter(|_| rows.len() > ONE_BY_ONE) {
                    let corners = rows.iter().map(|row| row.corners).sum();
                    self.report_row(first, count, (rows.len() - 1, corners));
                } else {
                    rows.iter().for_each(|row| self.report_row(row, count, (0, row.corners)));
                }
            }
        }
    }

    /// Reports a row, with the number of other rows and corners affected.
    fn report_row(&mut self, row: &Row, count: usize, (others, corners): (usize, u64)) {
        let code: &'static Code = match (row.is_unreadable, row.slot) {
            (true, _) => &codes::UNUSABLE,
            (false, 0) => &codes::POSITION_INDEX,
            (false, _) => &codes::ATTRIBUTE_INDEX,
        };
        let (element, slot) = (&row.element, row.slot);
        let span = if row.is_unreadable {
            self.corner_span(element, row.corner)
        } else {
            self.slot_span(element, row.corner, slot)
        };
        let mut message = if row.is_unreadable {
            format!("the line of vertex {} is invalid", row.number)
        } else {
            self.no_such_row(slot, span, count)
        };
        let others = match others {
            0 => String::new(),
            others => format!("{others} others like it; "),
        };
        if corners > 1 {
            message += &format!(" ({others}the first of {corners} corners)");
        }
        self.diagnostics.push(code, span, || message);
    }

    fn no_such_row(&self, slot: usize, span: Span, count: usize) -> String {
        let (name, keyword) = NAMES.get(slot).copied().unwrap_or_default();
        let text = number_text(self.bytes(span));
        let is_from_zero = match self.content.dialect {
            Dialect::Counted => true,
            Dialect::Extobj => slot >= 3,
            _ => false,
        };
        match (count, is_from_zero) {
            (0, _) => format!("{name} {text} does not exist: the file has no `{keyword}` lines"),
            (_, true) => {
                format!("{name} {text} does not exist: `{keyword}` is numbered 0 to {}", count - 1)
            }
            (_, false) => {
                format!("{name} {text} does not exist: `{keyword}` is numbered 1 to {count}")
            }
        }
    }
}

/// Formats a number for a message: as written, or quoted if it is long.
fn number_text(token: &[u8]) -> String {
    if token.len() <= 12 { String::from_utf8_lossy(token).into_owned() } else { quote(token) }
}
