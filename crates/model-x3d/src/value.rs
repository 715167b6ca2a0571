//! Parses field values: numbers, flags and strings.
//!
//! Whitespace and commas separate values in all encodings (ISO/IEC 19776-1 and 19776-2, clause 5).

use std::sync::Arc;

use anim_ir::diag::{plural, quote};
use anim_ir::number::{NumberError, parse_digits, parse_f32, parse_integer, scan_f32};
use anim_ir::number_list::scan_f32_list;
use anim_ir::{Code, Diagnostics, Span};
use memchr::memchr2;

use crate::codes;
use crate::graph::Value;
use crate::nodes::FieldKind;

/// Parses the value of an X3D attribute. `start` is the offset of the text in the file.
///
/// Reports an error at its position and returns `None` if the value is invalid.
pub(crate) fn parse(
    kind: FieldKind,
    text: &str,
    start: usize,
    diagnostics: &mut Diagnostics,
) -> Option<Value> {
    match kind {
        FieldKind::SFNode | FieldKind::MFNode => {
            diagnostics.push(&codes::SYNTAX, span_of(text, text, start), || {
                "nodes are elements, not text".to_owned()
            });
            None
        }
        FieldKind::SFString => Some(Value::Strings(Arc::new([text.to_owned()]))),
        FieldKind::MFString | FieldKind::Words => {
            strings(text, start, diagnostics).map(|strings| Value::Strings(strings.into()))
        }
        FieldKind::SFBool => match flag(text.trim()) {
            Some(flag) => Some(Value::Bool(flag)),
            None => {
                report_flag(text.trim(), span_of(text, text.trim(), start), diagnostics);
                None
            }
        },
        FieldKind::MFBool => flags(text, start, diagnostics).map(|flags| Value::Ints(flags.into())),
        FieldKind::SFInt32 | FieldKind::MFInt32 | FieldKind::SFImage => {
            let numbers = Vec::with_capacity(text.len() / 4);
            INTS.parse(kind, text, start, numbers, diagnostics).map(|all| Value::Ints(all.into()))
        }
        _ => {
            let numbers = Vec::with_capacity(text.len() / 8);
            let numbers = FLOATS.parse(kind, text, start, numbers, diagnostics);
            numbers.map(|all| Value::Floats(all.into()))
        }
    }
}

/// Parser for a number type.
pub(crate) struct Numbers<T> {
    /// A description of the expected value, and the code to report if anything else is found.
    pub(crate) expected: &'static str,
    pub(crate) code: &'static Code,
    /// Appends the numbers at the start of a text, and returns their total length including
    /// trailing whitespace.
    pub(crate) scan: fn(&[u8], &mut Vec<T>) -> usize,
    /// Reports an error if the count of numbers does not fit the kind.
    pub(crate) fits: fn(FieldKind, &[T], Span, &mut Diagnostics) -> bool,
}

pub(crate) const INTS: Numbers<i32> =
    Numbers { expected: "an integer", code: &codes::INTEGER, scan: ints, fits: ints_fit };
pub(crate) const FLOATS: Numbers<f32> =
    Numbers { expected: "a number", code: &codes::NUMBER, scan: floats, fits: count_fits };

impl<T> Numbers<T> {
    fn parse(
        &self,
        kind: FieldKind,
        text: &str,
        start: usize,
        mut numbers: Vec<T>,
        diagnostics: &mut Diagnostics,
    ) -> Option<Vec<T>> {
        let length = (self.scan)(text.as_bytes(), &mut numbers);
        let rest = text.get(length..).unwrap_or_default();
        let word = rest.split(is_blank_char).next().unwrap_or_default();
        if !word.is_empty() {
            self.report(word, span_of(text, word, start), diagnostics);
            return None;
        }
        let span = span_of(text, text.trim(), start);
        (self.fits)(kind, &numbers, span, diagnostics).then_some(numbers)
    }

    /// Reports text found instead of a number.
    pub(crate) fn report(&self, word: &str, span: Span, diagnostics: &mut Diagnostics) {
        let is_infinite = parse_f32(word.as_bytes()) == Err(NumberError::NotFinite)
            || not_finite(word.as_bytes()).is_some();
        let expected = if is_infinite { "a finite number" } else { self.expected };
        diagnostics.push(self.code, span, || {
            format!("expected {expected}, found {}", quote(word.as_bytes()))
        });
    }
}

/// Whether a byte is a separator: whitespace, a comma or a control character.
#[inline]
pub(crate) const fn is_blank(byte: u8) -> bool {
    byte <= b' ' || byte == b','
}

/// Whether a character is a separator.
pub(crate) const fn is_blank_char(character: char) -> bool {
    character <= ' ' || character == ','
}

/// Whether a byte terminates a word or a number.
#[inline]
pub(crate) const fn ends_word(byte: u8) -> bool {
    is_blank(byte) || matches!(byte, b'[' | b']' | b'{' | b'}' | b'"' | b'#')
}

#[inline]
fn skip_blanks(mut text: &[u8]) -> &[u8] {
    while let [byte, rest @ ..] = text
        && is_blank(*byte)
    {
        text = rest;
    }
    text
}

#[inline]
fn at_end_of_word(text: &[u8]) -> bool {
    text.first().is_none_or(|byte| ends_word(*byte))
}

/// Returns the length of an infinity or a NaN as the C library of Microsoft used to write it, such
/// as `-1.#IND` or `1.#QNAN0`. In the classic encodings, it looks like a number before a comment.
pub(crate) fn not_finite(text: &[u8]) -> Option<usize> {
    let number = text.strip_prefix(b"-").or(text.strip_prefix(b"+")).unwrap_or(text);
    let name = number.strip_prefix(b"1.#")?;
    let names: [&[u8]; 4] = [b"IND", b"INF", b"QNAN", b"SNAN"];
    let rest = names.iter().find_map(|known| name.strip_prefix(*known))?;
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let rest = rest.get(digits..)?;
    at_end_of_word(rest).then_some(text.len().saturating_sub(rest.len()))
}

/// Scans finite numbers.
fn floats(text: &[u8], out: &mut Vec<f32>) -> usize {
    let length = scan_f32_list(text, out);
    // In the classic encodings, the last number may end at a bracket or a comment.
    let mut rest = skip_blanks(text.get(length..).unwrap_or_default());
    while let Some((value, length)) = scan_f32(rest)
        && let Some(after) = rest.get(length..)
        && at_end_of_word(after)
        && value.is_finite()
        && not_finite(rest).is_none()
    {
        out.push(value);
        rest = skip_blanks(after);
    }
    text.len().saturating_sub(rest.len())
}

/// Scans integers. Hexadecimal integers (`0xFF00FF`) have 32 bits.
fn ints(text: &[u8], out: &mut Vec<i32>) -> usize {
    let mut rest = skip_blanks(text);
    while let Some((value, length)) = int(rest)
        && let Some(after) = rest.get(length..)
    {
        out.push(value);
        rest = skip_blanks(after);
    }
    text.len().saturating_sub(rest.len())
}

/// Returns the integer at the start of `text`, and its length.
#[inline]
fn int(text: &[u8]) -> Option<(i32, usize)> {
    let negative = text.first() == Some(&b'-');
    let digits = text.get(usize::from(negative)..)?;
    // Most integers have few digits, so a byte-by-byte loop is faster than processing eight bytes
    // at a time.
    let mut size = 0_i32;
    for (count, byte) in digits.iter().take(10).enumerate() {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            if count > 0 && ends_word(*byte) {
                return Some((
                    if negative { -size } else { size },
                    count.wrapping_add(usize::from(negative)),
                ));
            }
            break;
        }
        size = size.wrapping_mul(10).wrapping_add(i32::from(digit));
    }
    rare_int(text)
}

#[cold]
#[inline(never)]
fn rare_int(text: &[u8]) -> Option<(i32, usize)> {
    let length = text.iter().position(|byte| ends_word(*byte)).unwrap_or(text.len());
    let word = text.get(..length)?;
    let value = match word {
        [b'0', b'x' | b'X', digits @ ..] => parse_digits(digits, 16).ok()?.cast_signed(),
        _ => i32::try_from(parse_integer(word).ok()?).ok()?,
    };
    Some((value, length))
}

/// Parses `TRUE` or `FALSE`. Classic files use upper case, XML lower case; both are accepted
/// everywhere.
pub(crate) fn flag(word: &str) -> Option<bool> {
    if word.eq_ignore_ascii_case("true") {
        Some(true)
    } else if word.eq_ignore_ascii_case("false") {
        Some(false)
    } else {
        None
    }
}

pub(crate) fn report_flag(word: &str, span: Span, diagnostics: &mut Diagnostics) {
    diagnostics.push(&codes::BOOLEAN, span, || {
        format!("expected TRUE or FALSE, found {}", quote(word.as_bytes()))
    });
}

fn count_fits<T>(
    kind: FieldKind,
    numbers: &[T],
    span: Span,
    diagnostics: &mut Diagnostics,
) -> bool {
    let (width, found) = (kind.width(), numbers.len());
    let fits = if kind.is_list() { found.is_multiple_of(width) } else { found == width };
    if !fits {
        let multiple = if kind.is_list() { "a multiple of " } else { "" };
        diagnostics.push(&codes::COUNT, span, || {
            format!("expected {multiple}{}, found {found}", plural(width, "number"))
        });
    }
    fits
}

/// Checks the number of integers; for an image, checks the pixel count against its header.
fn ints_fit(kind: FieldKind, numbers: &[i32], span: Span, diagnostics: &mut Diagnostics) -> bool {
    if kind != FieldKind::SFImage {
        return count_fits(kind, numbers, span, diagnostics);
    }
    let Some(([width, height, _], pixels)) = numbers.split_first_chunk() else {
        diagnostics.push(&codes::COUNT, span, || {
            format!(
                "expected the width, height and components of an image, found {}",
                plural(numbers.len(), "number")
            )
        });
        return false;
    };
    let wanted = i64::from(*width) * i64::from(*height);
    let fits = *width >= 0 && usize::try_from(wanted).is_ok_and(|wanted| wanted == pixels.len());
    if !fits {
        diagnostics.push(&codes::COUNT, span, || {
            format!("expected the {width} × {height} pixels of an image, found {}", pixels.len())
        });
    }
    fits
}

/// Returns the span, in the file, of part of a text.
fn span_of(text: &str, part: &str, start: usize) -> Span {
    let at = (part.as_ptr().addr()).saturating_sub(text.as_ptr().addr()).saturating_add(start);
    Span::new(at, at.saturating_add(part.len()))
}

fn flags(text: &str, start: usize, diagnostics: &mut Diagnostics) -> Option<Vec<i32>> {
    let words = text.split(is_blank_char).filter(|word| !word.is_empty());
    let flag = |word| {
        let flag = flag(word);
        if flag.is_none() {
            report_flag(word, span_of(text, word, start), diagnostics);
        }
        flag.map(i32::from)
    };
    words.map(flag).collect()
}

/// Parses strings: `"a" "b"`. Unquoted text is a single string, as in existing files.
pub(crate) fn strings(
    text: &str,
    start: usize,
    diagnostics: &mut Diagnostics,
) -> Option<Vec<String>> {
    let mut rest = text.trim_start_matches(is_blank_char);
    let mut strings = Vec::new();
    if !rest.is_empty() && !rest.starts_with('"') {
        return Some(vec![text.to_owned()]);
    }
    while !rest.is_empty() {
        let Some((string, after)) =
            string_length(rest).and_then(|length| rest.split_at_checked(length))
        else {
            let message = if rest.starts_with('"') {
                "the string has no closing quote"
            } else {
                "expected a string in quotes"
            };
            diagnostics.push(&codes::STRING, span_of(text, rest, start), || message.to_owned());
            return None;
        };
        strings.push(unquote(string));
        rest = after.trim_start_matches(is_blank_char);
    }
    Some(strings)
}

/// Length of the double-quoted string at the start of `text`, including the quotes; `None` if there
/// is no string or it is unterminated.
pub(crate) fn string_length(text: &str) -> Option<usize> {
    let mut rest = text.as_bytes().strip_prefix(b"\"")?;
    loop {
        rest = match rest.get(memchr2(b'"', b'\\', rest)?..)? {
            [b'"', after @ ..] => return Some(text.len().saturating_sub(after.len())),
            escaped => escaped.get(2..)?,
        };
    }
}

/// Returns the value of a quoted string.
///
/// A backslash escapes a quote or another backslash. Otherwise it is literal, since Windows paths
/// contain backslashes.
pub(crate) fn unquote(string: &str) -> String {
    let string = string.strip_prefix('"').unwrap_or(string);
    let string = string.strip_suffix('"').unwrap_or(string);
    let mut out = String::with_capacity(string.len());
    let mut characters = string.chars().peekable();
    while let Some(character) = characters.next() {
        let escaped = if character == '\\' {
            characters.next_if(|next| matches!(next, '"' | '\\'))
        } else {
            None
        };
        out.push(escaped.unwrap_or(character));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use FieldKind::*;

    fn read(kind: FieldKind, text: &str) -> Result<Value, Vec<(&'static str, usize, usize)>> {
        let mut diagnostics = Diagnostics::new();
        let value = parse(kind, text, 100, &mut diagnostics);
        assert_eq!(value.is_none(), !diagnostics.is_empty(), "omissions are reported: {text}");
        let said = diagnostics.iter().map(|found| (found.code.id, found.span.unwrap()));
        value.ok_or_else(|| said.map(|(id, at)| (id, at.start - 100, at.end - 100)).collect())
    }

    #[test]
    fn numbers() {
        for (kind, text, numbers) in [
            (MFFloat, "0.25, 1.75,0.75", &[0.25, 1.75, 0.75][..]),
            (MFVec3f, "\n\t1 2 3,\n\t-.5 +1e2 0.,\n", &[1.0, 2.0, 3.0, -0.5, 100.0, 0.0]),
            (SFRotation, "0 0 1 6.2831853072", &[0.0, 0.0, 1.0, std::f32::consts::TAU]),
            (SFMatrix3f, "1 0 0 0 1 0 0 0 1", &[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]),
            (MFColor, "", &[]),
        ] {
            assert_eq!(read(kind, text), Ok(Value::Floats(numbers.to_vec().into())), "{text}");
        }
        let many = "0 1 -1, 0xff00FF 0xFFFFFFFF -2147483648 +7";
        for (kind, text, numbers) in [
            (MFInt32, many, &[0, 1, -1, 0x00ff_00ff, -1, i32::MIN, 7][..]),
            (SFImage, "1 2 1 0xFF 0x00", &[1, 2, 1, 255, 0]),
            (SFImage, "0 0 0", &[0, 0, 0]),
        ] {
            assert_eq!(read(kind, text), Ok(Value::Ints(numbers.to_vec().into())), "{text}");
        }
    }

    #[test]
    fn invalid_numbers_are_pointed_at() {
        for (kind, text, code, start, end) in [
            (MFFloat, "1 x 3", "x3d-number", 2, 3),
            (MFVec3f, "1 2 3 nan 2 3", "x3d-number", 6, 9),
            (SFVec3f, "1 2 1e999", "x3d-number", 4, 9),
            (MFFloat, "1.5.2", "x3d-number", 0, 5),
            (MFFloat, "1 #2", "x3d-number", 2, 4),
            (MFFloat, "1 -1.#IND 2", "x3d-number", 2, 9),
            (MFFloat, "1.#QNAN0, 2", "x3d-number", 0, 8),
            (MFFloat, "1 ] 2", "x3d-number", 2, 3),
            (SFFloat, "1\u{a0}2", "x3d-number", 0, 4),
            (MFInt32, "1 1.5", "x3d-integer", 2, 5),
            (MFInt32, "2147483648", "x3d-integer", 0, 10),
            (MFInt32, "0x1FFFFFFFF", "x3d-integer", 0, 11),
            (MFInt32, "0x -1", "x3d-integer", 0, 2),
            (MFInt32, "99999999999999999999999", "x3d-integer", 0, 23),
            (SFVec3f, " 1 2 ", "x3d-count", 1, 4),
            (SFVec3f, "1 2 3 4", "x3d-count", 0, 7),
            (SFFloat, "", "x3d-count", 0, 0),
            (MFVec2f, "1 2 3", "x3d-count", 0, 5),
            (SFInt32, "1 2", "x3d-count", 0, 3),
            (SFImage, "2 2 1 0", "x3d-count", 0, 7),
            (SFImage, "2 2", "x3d-count", 0, 3),
            (SFImage, "-1 -1 1 5", "x3d-count", 0, 9),
            (SFImage, "2147483647 2147483647 4", "x3d-count", 0, 23),
            (SFNode, "x", "x3d-syntax", 0, 1),
        ] {
            assert_eq!(read(kind, text), Err(vec![(code, start, end)]), "{text}");
        }
    }

    #[test]
    fn flags_and_strings() {
        assert_eq!(read(SFBool, " TRUE "), Ok(Value::Bool(true)));
        assert_eq!(read(SFBool, "false"), Ok(Value::Bool(false)));
        assert_eq!(read(SFBool, "yes"), Err(vec![("x3d-boolean", 0, 3)]));
        assert_eq!(read(MFBool, "true, false"), Ok(Value::Ints(vec![1, 0].into())));
        assert_eq!(read(MFBool, "true 1"), Err(vec![("x3d-boolean", 5, 6)]));
        let strings = |strings: &[&str]| {
            Ok(Value::Strings(strings.iter().map(|s| (*s).to_owned()).collect()))
        };
        assert_eq!(read(SFString, " \"as it is\" "), strings(&[" \"as it is\" "]));
        assert_eq!(read(MFString, r#""EXAMINE", "ANY""#), strings(&["EXAMINE", "ANY"]));
        let escaped = read(MFString, r#""a \"b\" c\\d\e" "" "é""#);
        assert_eq!(escaped, strings(&[r#"a "b" c\d\e"#, "", "é"]));
        assert_eq!(read(MFString, "textures/a b.jpg"), strings(&["textures/a b.jpg"]));
        assert_eq!(read(MFString, " "), strings(&[]));
        assert_eq!(read(MFString, "\"a\" \"b"), Err(vec![("x3d-string", 4, 6)]));
        assert_eq!(read(MFString, "\"a\" b"), Err(vec![("x3d-string", 4, 5)]));
        assert_eq!(read(MFString, "\"\\"), Err(vec![("x3d-string", 0, 2)]));
    }
}
