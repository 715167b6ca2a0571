//! Diagnostics as plain text.

use std::fmt::{self, Write as _};

use crate::file::source::{characters, line_bounds, locate};
use crate::{Diagnostic, Diagnostics, Span};

/// Maximum number of bytes shown of a line.
const WIDEST_LINE: usize = 100;
/// Maximum number of carets printed below a span.
const MOST_MARKS: usize = 60;

/// Formats each diagnostic with its location, the source line with carets below the span, the help
/// text and the repair, followed by the numbers of diagnostics that were not kept. For logs, tests
/// and programs without a terminal. `source` is the text that the spans refer to.
pub fn listing(source: &[u8], diagnostics: &Diagnostics) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail.
    for diagnostic in diagnostics {
        let _ = write_one(&mut out, source, diagnostic);
    }
    for (code, more) in diagnostics.not_kept() {
        let _ = writeln!(out, "… {more} more {}", code.id);
    }
    out
}

fn write_one(out: &mut String, source: &[u8], diagnostic: &Diagnostic) -> fmt::Result {
    write!(out, "{}[{}]", diagnostic.severity().name(), diagnostic.code.id)?;
    if let Some(span) = diagnostic.span {
        write!(out, " {}", locate(source, span.start))?;
    }
    writeln!(out, ": {}", diagnostic.message)?;
    if let Some(span) = diagnostic.span {
        write_line(out, source, span)?;
    }
    if let Some(help) = &diagnostic.help {
        writeln!(out, "  help: {help}")?;
    }
    if let Some(fix) = &diagnostic.fix {
        writeln!(out, "  fix: {:?}", fix.replacement)?;
    }
    Ok(())
}

/// Writes the source line, with carets below the span. Writes nothing if the span starts beyond the
/// part of the line that is shown.
fn write_line(out: &mut String, source: &[u8], span: Span) -> fmt::Result {
    let before = locate(source, span.start).column.saturating_sub(1);
    if before > WIDEST_LINE {
        return Ok(());
    }
    let (start, end) = line_bounds(source, span.start);
    let line = source.get(start..end.min(start.saturating_add(WIDEST_LINE))).unwrap_or_default();
    let line = String::from_utf8_lossy(line).replace('\t', " ").replace(char::is_control, "?");
    let marked = source.get(span.start..span.end.min(end).max(span.start)).unwrap_or_default();
    let marks = characters(marked).clamp(1, MOST_MARKS);
    writeln!(out, "    {line}\n    {}{}", " ".repeat(before), "^".repeat(marks))
}
