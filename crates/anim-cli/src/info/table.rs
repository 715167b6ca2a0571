//! Lists in aligned columns.

use std::fmt::Write as _;
use std::io::{self, Write};

use crate::term::{FAINT, HEADING, count, styled};

/// Characters of a cell that the cells beside it make room for.
const WIDEST: usize = 40;

/// A heading and a list; nothing where there is nothing.
pub(crate) fn section<T>(
    one: &str,
    many: &str,
    items: &[T],
    shown: usize,
    out: &mut dyn Write,
    row: impl Fn(&T) -> Row,
) -> io::Result<()> {
    if items.is_empty() {
        return Ok(());
    }
    writeln!(out, "{}", styled(HEADING, count(items.len(), one, many)))?;
    list(items, one, many, shown, out, row)
}

/// What is said of an item of a list.
pub(crate) struct Row {
    /// Each in a column of its own.
    pub(crate) cells: Vec<String>,
    /// Lines below.
    pub(crate) below: Vec<String>,
}

impl From<Vec<String>> for Row {
    fn from(cells: Vec<String>) -> Row {
        Row { cells, below: Vec::new() }
    }
}

/// Rows in aligned columns.
pub(crate) fn columns(rows: &[Row], out: &mut dyn Write) -> io::Result<()> {
    let columns = rows.iter().map(|row| row.cells.len()).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter()
            .filter_map(|row| row.cells.get(column))
            .map(|cell| cell.chars().count().min(WIDEST))
            .max()
            .unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    for row in rows {
        let mut line = String::new();
        for (cell, width) in row.cells.iter().zip(&widths) {
            // Writing to a String cannot fail.
            let _ = write!(line, "  {cell:width$}");
        }
        writeln!(out, "{}", line.trim_end())?;
        for line in &row.below {
            writeln!(out, "    {line}")?;
        }
    }
    Ok(())
}

/// Items in columns, the first so many.
pub(crate) fn list<T>(
    items: &[T],
    one: &str,
    many: &str,
    shown: usize,
    out: &mut dyn Write,
    row: impl Fn(&T) -> Row,
) -> io::Result<()> {
    let rows: Vec<Row> = items.iter().take(shown).map(row).collect();
    columns(&rows, out)?;
    match items.len().saturating_sub(shown) {
        0 => Ok(()),
        more => writeln!(
            out,
            "  {}",
            styled(
                FAINT,
                format_args!(
                    "… and {} (--all shows them)",
                    count(more, &format!("more {one}"), &format!("more {many}"))
                )
            )
        ),
    }
}
