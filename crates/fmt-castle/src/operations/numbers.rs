//! X3D documents as templates: text with the numbers removed.

use std::ops::Range;

use anim_ir::number::{parse_f32, shortest};
use anim_ir::xml::{TagKind, Tags};

/// A text template and the numbers to fill in.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Skeleton {
    /// The text, with each number replaced by [`PLACE`].
    pub(super) text: String,
    /// The numbers in the order of their placeholders.
    pub(super) numbers: Vec<f32>,
}

/// Placeholder for a number. The character is invalid in XML, so no file contains it.
const PLACE: char = '\u{1}';

/// The style in which a document is rewritten.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Style {
    /// Decimal places of fractional numbers; `None` leaves numbers unchanged.
    pub(super) decimals: Option<u8>,
    /// Whether to minimise whitespace between tags, attributes and numbers.
    pub(super) whitespace: bool,
}

impl Style {
    /// Rewrites a document in this style.
    pub(super) fn apply(self, document: &str) -> String {
        rewrite(document, self.whitespace, |token, out| {
            match (self.decimals, parse_f32(token.as_bytes())) {
                (Some(decimals), Ok(number)) if token.contains(['.', 'e', 'E']) => {
                    out.push_str(&rounded(number, decimals))
                }
                _ => out.push_str(token),
            }
        })
    }
}

impl Skeleton {
    pub(super) fn of(document: &str) -> Skeleton {
        let mut numbers = Vec::new();
        let text = rewrite(document, true, |token, out| {
            // Cannot fail: the text was recognised as a number.
            numbers.push(parse_f32(token.as_bytes()).unwrap_or_default());
            out.push(PLACE);
        });
        Skeleton { text, numbers }
    }
}

/// Copies a document. `number` writes each number in it.
fn rewrite(document: &str, few_blanks: bool, mut number: impl FnMut(&str, &mut String)) -> String {
    let slice = |range: Range<usize>| document.get(range).unwrap_or_default();
    let mut out = String::with_capacity(document.len());
    let mut at = 0;
    let mut tags = Tags::new(document);
    while let Some(Ok(tag)) = tags.next() {
        let between = slice(at..tag.span.start);
        if !few_blanks || !between.trim_ascii().is_empty() {
            out.push_str(between);
        }
        at = tag.span.end;
        if tag.kind == TagKind::Close {
            out.push_str(slice(tag.span.start..at));
            continue;
        }
        let mut copied = tag.span.start;
        for attribute in tags.attributes() {
            let (name, value) = (attribute.name, attribute.value);
            if few_blanks {
                out.push_str(slice(copied..name.start).trim_ascii_end());
                out.push(' ');
                out.push_str(slice(name.start..name.end));
                out.push('=');
                out.push_str(slice(value.start - 1..value.start));
            } else {
                out.push_str(slice(copied..value.start));
            }
            let text = slice(value.start..value.end);
            if is_numeric(tag.name, slice(name.start..name.end), text) {
                numbers(text, few_blanks, &mut out, &mut number);
            } else {
                out.push_str(text);
            }
            copied = value.end;
        }
        let rest = slice(copied..at);
        match rest.strip_suffix("/>").or(rest.strip_suffix('>')) {
            Some(head) if few_blanks => {
                out.push_str(head.trim_ascii_end());
                out.push_str(if tag.kind == TagKind::Empty { "/>" } else { ">" });
            }
            _ => out.push_str(rest),
        }
    }
    out.push_str(slice(at..document.len()));
    out
}

/// Copies a list of numbers. `number` writes each of them.
fn numbers(
    text: &str,
    few_blanks: bool,
    out: &mut String,
    number: &mut impl FnMut(&str, &mut String),
) {
    let mut first = true;
    let mut rest = text;
    while !rest.is_empty() {
        let start = rest.find(|c| !is_separator(c)).unwrap_or(rest.len());
        let (blanks, tail) = rest.split_at_checked(start).unwrap_or((rest, ""));
        if !few_blanks {
            out.push_str(blanks);
        } else if !first && !tail.is_empty() {
            out.push(' ');
        }
        let end = tail.find(is_separator).unwrap_or(tail.len());
        let (token, behind) = tail.split_at_checked(end).unwrap_or((tail, ""));
        if !token.is_empty() {
            number(token, out);
            first = false;
        }
        rest = behind;
    }
}

/// Whether a character separates numbers in X3D (ISO/IEC 19776-1, section 5).
fn is_separator(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r' | ',')
}

/// Whether a value is a list of quantities. Indices, counts and names are not, even if they look
/// like numbers.
fn is_numeric(element: &str, attribute: &str, value: &str) -> bool {
    let other_element = match element {
        "X3D" | "meta" | "component" | "unit" | "field" | "fieldValue" | "connect" => true,
        _ => element.starts_with("Metadata"),
    };
    let other_attribute = match attribute {
        "DEF" | "USE" | "name" | "string" | "title" | "description" | "url" | "info"
        | "whichChoice" | "image" | "order" | "index" => true,
        _ => ["Index", "Count", "Dimension"].iter().any(|end| attribute.ends_with(end)),
    };
    if other_element || other_attribute {
        return false;
    }
    let mut tokens = value.split(is_separator).filter(|token| !token.is_empty()).peekable();
    tokens.peek().is_some() && tokens.all(|token| parse_f32(token.as_bytes()).is_ok())
}

/// Formats a number with at most this many decimal places.
fn rounded(number: f32, decimals: u8) -> String {
    let text = format!("{number:.*}", usize::from(decimals));
    let text =
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    let plain = if text == "-0" { "0" } else { text };
    // Huge and tiny numbers are shorter with an exponent.
    let exact = shortest(number);
    if parse_f32(plain.as_bytes()) == Ok(number) && exact.len() < plain.len() {
        exact
    } else {
        plain.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FACE: &str = "<X3D version=\"3.0\">\n  <Scene >\n    <IndexedFaceSet  \
                        creaseAngle='0.50000'\n coordIndex=\"0 1  2 -1\" >\n <Coordinate \
                        DEF=\"1.50\" point=\"0.12345 -0.000001,\n 2.000 3\" />\n \
                        </IndexedFaceSet><!-- kept -->\n</Scene>\n</X3D>";

    #[test]
    fn few_blanks_and_few_decimals() {
        let style = Style { decimals: Some(3), whitespace: true };
        let small = "<X3D version=\"3.0\"><Scene><IndexedFaceSet creaseAngle='0.5' \
                     coordIndex=\"0 1  2 -1\"><Coordinate DEF=\"1.50\" point=\"0.123 0 2 3\"/>\
                     </IndexedFaceSet><!-- kept -->\n</Scene></X3D>";
        assert_eq!(style.apply(FACE), small);
        assert_eq!(style.apply(small), small, "already minified");
        assert_eq!(Style::default().apply(FACE), FACE, "the default style does nothing");
    }

    #[test]
    fn numbers_apart_from_text() {
        let found = Skeleton::of(FACE);
        assert_eq!(found.numbers, [0.5, 0.12345, -0.000_001, 2.0, 3.0]);
        let other = FACE.replace("0.12345", "7");
        assert_eq!(Skeleton::of(&other).text, found.text);
        assert_ne!(
            Skeleton::of(&FACE.replace("0 1  2", "0 2  1")).text,
            found.text,
            "an index is not a quantity"
        );
        assert_ne!(Skeleton::of(&FACE.replace("2.000 3", "2.000 3 4")).text, found.text);
    }

    #[test]
    fn rounding() {
        for (number, decimals, text) in [
            (0.5, 0, "0"),
            (1.5, 0, "2"),
            (-0.04, 1, "0"),
            (100.0, 2, "100"),
            (1e20, 2, "1e20"),
            (0.1, 6, "0.1"),
        ] {
            assert_eq!(rounded(number, decimals), text, "{number}");
        }
    }
}
