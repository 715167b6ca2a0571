//! Lists in aligned columns.

use std::fmt::Write as _;
use std::io::{self, Write};

use crate::term::{FAINT, HEADING, count, styled};

/// The maximum width of a column; longer cells overflow.
const WIDEST: usize = 40;

/// Prints a heading and a list, or nothing if the list is empty.
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

/// A row of a list.
pub(crate) struct Row {
    /// One cell per column.
    pub(crate) cells: Vec<String>,
    /// Lines printed below the row.
    pub(crate) below: Vec<String>,
}

impl From<Vec<String>> for Row {
    fn from(cells: Vec<String>) -> Row {
        Row { cells, below: Vec::new() }
    }
}

/// Prints rows in aligned columns.
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

/// Prints the first `shown` items in columns.
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
                    "… and {} (use --all to show them)",
                    count(more, &format!("more {one}"), &format!("more {many}"))
                )
            )
        ),
    }
}
