//! Quoted strings, in the escapes that Godot's resources and YAML have in common.

use std::fmt::Write;

/// Returns a string in double quotes. YAML also breaks lines at U+2028 and U+2029, and may take
/// U+FEFF for a byte order mark, so these are escaped like control characters.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if c.is_control() || "\u{2028}\u{2029}\u{feff}".contains(c) => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
