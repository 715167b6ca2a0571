//! JSON that may be shown on a terminal: what would act on it is escaped, which JSON allows for any
//! character (RFC 8259, 7).

use std::io::{self, Write};

use anim_formats::anim_ir::diag::escape;
use serde_json::Serializer;
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter};

/// Puts no blanks between things.
pub(crate) fn compact<W: Write>(out: W) -> Serializer<W, Harmless<CompactFormatter>> {
    Serializer::with_formatter(out, Harmless(CompactFormatter))
}

/// Indents.
pub(crate) fn pretty<W: Write>(out: W) -> Serializer<W, Harmless<PrettyFormatter<'static>>> {
    Serializer::with_formatter(out, Harmless(PrettyFormatter::new()))
}

/// A formatter that escapes more than JSON has to.
pub(crate) struct Harmless<F>(F);

impl<F: Formatter> Formatter for Harmless<F> {
    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        out: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        for part in fragment.split_inclusive(acts) {
            let plain = part.trim_end_matches(acts);
            out.write_all(plain.as_bytes())?;
            for unit in part.get(plain.len()..).unwrap_or_default().encode_utf16() {
                write!(out, "\\u{unit:04x}")?;
            }
        }
        Ok(())
    }

    fn begin_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_array(out)
    }

    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_array(out)
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_array_value(out, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_array_value(out)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_object(out)
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_object(out)
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_object_key(out, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_object_value(out)
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_object_value(out)
    }
}

/// Whether a character does something else on a terminal than to be seen.
fn acts(c: char) -> bool {
    !matches!(c, ' '..='~') && escape(c.encode_utf8(&mut [0; 4])).starts_with('\\')
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Serialize as _;
    use serde_json::{Value, json};

    #[test]
    fn the_same_value_without_harm() {
        let hostile = "a\u{1b}[2J\u{9b}\u{7f}\u{202e}b\u{feff} \"c\\ \n é 旗 🏴 \u{9b}";
        let value = json!({ hostile: [hostile, 1.5, null, {}, [], true], "empty": "" });
        let (mut indented, mut dense) = (Vec::new(), Vec::new());
        value.serialize(&mut pretty(&mut indented)).unwrap();
        value.serialize(&mut compact(&mut dense)).unwrap();
        for text in [&indented, &dense] {
            assert_eq!(serde_json::from_slice::<Value>(text).unwrap(), value);
            assert!(std::str::from_utf8(text).unwrap().chars().all(|c| c == '\n' || !acts(c)));
        }
        assert!(
            String::from_utf8(dense)
                .unwrap()
                .contains(r#"a\u001b[2J\u009b\u007f\u202eb\ufeff \"c\\ \n é 旗 🏴 \u009b"#)
        );
    }

    #[test]
    fn all_else_as_serde_json_has_it() {
        let value = json!({ "a": [1, {}, [], { "b": "c" }] });
        let (mut indented, mut dense) = (Vec::new(), Vec::new());
        value.serialize(&mut pretty(&mut indented)).unwrap();
        value.serialize(&mut compact(&mut dense)).unwrap();
        assert_eq!(
            [indented, dense].map(|text| String::from_utf8(text).unwrap()),
            [format!("{value:#}"), value.to_string()]
        );
    }
}
