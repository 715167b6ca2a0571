//! Terminal-safe JSON: control characters and the like are escaped, which JSON allows for any
//! character (RFC 8259, section 7).

use std::io::{self, Write};

use anim_formats::anim_ir::diag::escape;
use serde_json::Serializer;
use serde_json::ser::{CompactFormatter, PrettyFormatter};

/// Serializes without whitespace.
pub(crate) fn compact<W: Write>(out: W) -> Serializer<Harmless<W>, CompactFormatter> {
    Serializer::new(Harmless(out))
}

/// Serializes with indentation.
pub(crate) fn pretty<W: Write>(out: W) -> Serializer<Harmless<W>, PrettyFormatter<'static>> {
    Serializer::pretty(Harmless(out))
}

/// Escapes more than JSON requires. Unsafe characters occur only in strings, except for the line
/// breaks between tokens; line breaks in strings are already escaped.
pub(crate) struct Harmless<W>(W);

impl<W: Write> Write for Harmless<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // Numbers, punctuation and most text need no escaping.
        if bytes.iter().all(|byte| matches!(byte, b' '..=b'~' | b'\n')) {
            self.0.write_all(bytes)?;
            return Ok(bytes.len());
        }
        let acts = |c: char| c != '\n' && acts(c);
        // The serializer never splits a character.
        let text = std::str::from_utf8(bytes).map_err(io::Error::other)?;
        for part in text.split_inclusive(acts) {
            let plain = part.trim_end_matches(acts);
            self.0.write_all(plain.as_bytes())?;
            for unit in part.get(plain.len()..).unwrap_or_default().encode_utf16() {
                write!(self.0, "\\u{unit:04x}")?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Returns whether a character can affect a terminal beyond being displayed.
fn acts(c: char) -> bool {
    !matches!(c, ' '..='~') && escape(c.encode_utf8(&mut [0; 4])).starts_with('\\')
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Serialize as _;
    use serde_json::{Value, json};

    /// Serializes a value with indentation and without whitespace.
    fn written(value: &Value) -> [String; 2] {
        let (mut indented, mut dense) = (Vec::new(), Vec::new());
        value.serialize(&mut pretty(&mut indented)).unwrap();
        value.serialize(&mut compact(&mut dense)).unwrap();
        [indented, dense].map(|text| String::from_utf8(text).unwrap())
    }

    #[test]
    fn escaping_preserves_the_value() {
        let hostile = "a\u{1b}[2J\u{9b}\u{7f}\u{202e}b\u{feff} \"c\\ \n é 旗 🏴 \u{9b}";
        let value = json!({ hostile: [hostile, 1.5, null, {}, [], true], "empty": "" });
        let [indented, dense] = written(&value);
        for text in [&indented, &dense] {
            assert_eq!(serde_json::from_str::<Value>(text).unwrap(), value);
            assert!(text.chars().all(|c| c == '\n' || !acts(c)));
        }
        assert!(dense.contains(r#"a\u001b[2J\u009b\u007f\u202eb\ufeff \"c\\ \n é 旗 🏴 \u009b"#));
    }

    #[test]
    fn everything_else_is_written_as_by_serde_json() {
        let value = json!({ "a": [1, {}, [], { "b": "c" }] });
        assert_eq!(written(&value), [format!("{value:#}"), value.to_string()]);
    }
}
