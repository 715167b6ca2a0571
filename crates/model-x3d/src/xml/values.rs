//! Values of attributes, and the positions of what is wrong with them.

use anim_ir::{Diagnostics, Span};
use roxmltree::Attribute;

use super::Reader;
use crate::graph::Value;
use crate::nodes::FieldKind;
use crate::value;

impl Reader<'_, '_> {
    /// Parses the value of an attribute. Its text may differ from the file: references and line
    /// ends of two characters are replaced.
    pub(super) fn value(&mut self, kind: FieldKind, attribute: Attribute<'_, '_>) -> Option<Value> {
        let range = attribute.range_value();
        let list = self.document.list(range.start.saturating_sub(self.before));
        let text = list.unwrap_or(attribute.value());
        let range = self.in_text(range);
        let start = self.start.saturating_add(range.start);
        if text.len() == range.len() {
            return value::parse(kind, text, start, self.diagnostics);
        }
        let mut problems = Diagnostics::new();
        let value = value::parse(kind, text, 0, &mut problems);
        let written = self.document.text.get(range).unwrap_or_default();
        problems.map_spans(|span| {
            let place = |at: usize| start.saturating_add(place(written, text, at));
            Span::new(place(span.start), place(span.end))
        });
        self.diagnostics.append(problems);
        value
    }
}

/// Returns the offset in an attribute as written of an offset in its value.
fn place(written: &str, value: &str, at: usize) -> usize {
    let mut rest = written;
    for character in value.get(..at).unwrap_or(value).chars() {
        // A reference is one character, as entities cannot be declared. So is a line end.
        let length = match rest.as_bytes() {
            [b'&', ..] => rest.find(';').map_or(rest.len(), |end| end.saturating_add(1)),
            [b'\r', b'\n', ..] => 2,
            _ => character.len_utf8(),
        };
        rest = rest.get(length..).unwrap_or_default();
    }
    written.len().saturating_sub(rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_are_those_in_the_text_as_written() {
        let (written, value) = ("0&#10;1\r\n &amp;x", "0\n1  &x");
        let found: Vec<usize> = (0..=value.len()).map(|at| place(written, value, at)).collect();
        assert_eq!(found, [0, 1, 6, 7, 9, 10, 15, 16]);
        assert_eq!(place("\u{e9}&#233;x", "\u{e9}\u{e9}x", 4), 8);
    }
}
