//! X3D documents as templates: text with the numbers removed.

use std::ops::Range;

use anim_ir::number::{count, parse_f32, push_integer, shortest};
use anim_ir::xml::{TagKind, Tags};

/// A text template and the numbers to fill in.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Skeleton {
    /// The text, with each number replaced by [`PLACE`].
    pub(super) text: String,
    /// The numbers in the order of their placeholders.
    pub(super) numbers: Vec<f32>,
    /// The indices of the first of the four numbers of each rotation.
    pub(super) rotations: Vec<usize>,
}

/// Placeholder for a number. The character is invalid in XML, so no file contains it.
const PLACE: char = '\u{1}';

/// The style in which a document is rewritten.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Style {
    /// Decimal places of fractional numbers; `None` leaves numbers unchanged. The points of small
    /// shapes keep more, so that none moves by more than [`COARSEST`].
    pub(super) decimals: Option<u8>,
    /// Whether to minimise whitespace between tags, attributes and numbers.
    pub(super) whitespace: bool,
}

impl Style {
    /// Rewrites a document in this style.
    pub(super) fn apply(self, document: &str) -> String {
        rewrite(document, self.whitespace, |token, list, out| {
            match (self.decimals, parse_f32(token.as_bytes())) {
                (Some(decimals), Ok(number)) if token.contains(['.', 'e', 'E']) => {
                    push_rounded(number, list.decimals(decimals), out);
                }
                _ => out.push_str(token),
            }
        })
    }
}

impl Skeleton {
    pub(super) fn of(document: &str) -> Skeleton {
        let (mut numbers, mut rotations) = (Vec::new(), Vec::new());
        let mut in_rotation = 0;
        let text = rewrite(document, true, |token, list, out| {
            if list.kind == Kind::Rotations {
                if in_rotation == 0 {
                    rotations.push(numbers.len());
                }
                in_rotation = (in_rotation + 1) % ROTATION;
            }
            // Cannot fail: the text was recognised as a number.
            numbers.push(parse_f32(token.as_bytes()).unwrap_or_default());
            out.push(PLACE);
        });
        Skeleton { text, numbers, rotations }
    }
}

/// A list of numbers in an attribute.
struct List {
    kind: Kind,
    /// The largest absolute value.
    largest: f32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Positions of vertices.
    Points,
    /// Rotations of four numbers each: an axis and an angle.
    Rotations,
    Other,
}

/// The numbers of a rotation.
const ROTATION: usize = 4;

/// The largest distance by which rounding moves a point, relative to the largest coordinate of its
/// shape.
const COARSEST: f64 = 1e-2;

impl List {
    /// Returns the number of decimal places to keep.
    fn decimals(&self, usual: u8) -> u8 {
        let is_coarse = |decimals: &u8| {
            0.5 * 0.1_f64.powi((*decimals).into()) > COARSEST * f64::from(self.largest)
        };
        if self.kind != Kind::Points || self.largest == 0.0 {
            return usual;
        }
        (usual..=MOST_DECIMALS).find(|decimals| !is_coarse(decimals)).unwrap_or(usual)
    }
}

/// Enough decimal places for the smallest number that is not subnormal.
const MOST_DECIMALS: u8 = 41;

/// Copies a document. `number` writes each number in it.
fn rewrite(
    document: &str,
    few_blanks: bool,
    mut number: impl FnMut(&str, &List, &mut String),
) -> String {
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
            if let Some(list) = list_of(tag.name, slice(name.start..name.end), text) {
                numbers(text, few_blanks, &mut out, |token, out| number(token, &list, out));
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
    mut number: impl FnMut(&str, &mut String),
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

/// Returns the list of quantities that a value is. Indices, counts and names are not, even if they
/// look like numbers.
fn list_of(element: &str, attribute: &str, value: &str) -> Option<List> {
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
        return None;
    }
    let (mut count, mut largest) = (0_usize, 0.0_f32);
    for token in value.split(is_separator).filter(|token| !token.is_empty()) {
        largest = largest.max(parse_f32(token.as_bytes()).ok()?.abs());
        count += 1;
    }
    let kind = match attribute {
        "point" => Kind::Points,
        "rotation" | "scaleOrientation" | "orientation" => Kind::Rotations,
        "keyValue" if element == "OrientationInterpolator" => Kind::Rotations,
        _ => Kind::Other,
    };
    let is_whole = kind != Kind::Rotations || count.is_multiple_of(ROTATION);
    (count > 0).then_some(List { kind: if is_whole { kind } else { Kind::Other }, largest })
}

/// Appends a number with at most this many decimal places.
fn push_rounded(number: f32, decimals: u8, out: &mut String) {
    let start = out.len();
    // Up to nine decimals, the product is exact: 24 bits of the number and 21 bits of 5⁹.
    let scaled = f64::from(number.abs()) * 10_f64.powi(decimals.into());
    if decimals <= 9 && scaled < f64::from(u32::MAX) {
        let units = count(scaled.round_ties_even());
        push_units(units, decimals, number.is_sign_negative(), out);
        // f32 keeps six digits, so no other text with as few is the same number.
        if units == 0 || (units < 1_000_000 && number.abs() >= 1e-6) {
            return;
        }
    } else {
        let text = format!("{number:.*}", usize::from(decimals));
        let short = if text.contains('.') {
            text.trim_end_matches('0').trim_end_matches('.')
        } else {
            &text
        };
        out.push_str(if short == "-0" { "0" } else { short });
    }
    // Huge and tiny numbers are shorter with an exponent.
    let plain = out.get(start..).unwrap_or_default();
    let exact = shortest(number);
    if exact.len() < plain.len() && parse_f32(plain.as_bytes()) == Ok(number) {
        out.truncate(start);
        out.push_str(&exact);
    }
}

/// Appends a multiple of the last decimal place, without trailing zeros.
fn push_units(units: usize, decimals: u8, negative: bool, out: &mut String) {
    if negative && units > 0 {
        out.push('-');
    }
    let one = 10_usize.saturating_pow(decimals.into());
    push_integer(units / one, out);
    let mut rest = units % one;
    if rest > 0 {
        out.push('.');
    }
    let mut place = one;
    while rest > 0 {
        place /= 10;
        push_integer(rest / place, out);
        rest %= place;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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

    fn rounded(number: f32, decimals: u8) -> String {
        let mut text = String::new();
        push_rounded(number, decimals, &mut text);
        text
    }

    #[test]
    fn rounding() {
        for (number, decimals, text) in [
            (0.5, 0, "0"),
            (1.5, 0, "2"),
            (-0.04, 1, "0"),
            (-0.06, 1, "-0.1"),
            (10.05, 3, "10.05"),
            (2.000_4, 3, "2"),
            (100.0, 2, "100"),
            (1e20, 2, "1e20"),
            (5e9, 0, "5e9"),
            (1e-7, 7, "1e-7"),
            (0.1, 6, "0.1"),
            (0.1, 200, "0.1"),
            (99999.1, 4, "99999.1"),
        ] {
            assert_eq!(rounded(number, decimals), text, "{number}");
        }
    }

    proptest! {
        /// Compared with the standard library's exact formatting.
        #[test]
        fn rounded_numbers_are_the_exact_ones(
            fraction in -1_000_000_i32..1_000_000,
            power in -30_i32..30,
            base in prop_oneof![Just(2_f32), Just(10_f32)],
            decimals in 0_u8..12,
        ) {
            let number = fraction as f32 * base.powi(power);
            let expected = format!("{number:.*}", usize::from(decimals));
            let expected = if expected.contains('.') {
                expected.trim_end_matches('0').trim_end_matches('.').to_owned()
            } else {
                expected
            };
            let expected = if expected == "-0" { "0".to_owned() } else { expected };
            let shorter = shortest(number);
            let same = parse_f32(expected.as_bytes()) == Ok(number);
            let expected = if same && shorter.len() < expected.len() { shorter } else { expected };
            prop_assert_eq!(rounded(number, decimals), expected);
        }
    }
}
