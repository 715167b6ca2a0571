//! Prints tables to a terminal.

/// Aligns rows in columns. The first row is the heading. `right` marks right-aligned columns.
pub fn table<const N: usize>(rows: &[[String; N]], right: [bool; N]) -> String {
    let mut widths = [0; N];
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.chars().count().max(*width);
        }
    }
    let mut out = String::new();
    for row in rows {
        let cells = row.iter().zip(widths).zip(right).map(|((cell, width), right)| {
            if right { format!("{cell:>width$}") } else { format!("{cell:<width$}") }
        });
        out.push_str(cells.collect::<Vec<_>>().join("  ").trim_end());
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns() {
        let rows = [["file", "joints"], ["é.amo", "3"]].map(|row| row.map(str::to_owned));
        assert_eq!(table(&rows, [false, true]), "file   joints\né.amo       3\n");
    }
}
