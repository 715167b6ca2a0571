//! Parses attribute values.

use anim_ir::number::{NumberError, parse_digits, parse_f32, parse_integer};
use anim_ir::{Span, diag::quote};
use roxmltree::Attribute;

use super::reporter::{Reporter, quoted};
use crate::codes;
use crate::content::BoundingBox;

impl Reporter<'_> {
    pub(super) fn bounding_box(
        &mut self,
        center: Option<Attribute<'_, '_>>,
        size: Option<Attribute<'_, '_>>,
    ) -> Option<BoundingBox> {
        let center = center.map_or(Some([0.0; 3]), |attribute| self.three(attribute));
        // A box with a negative size is empty, which is the default.
        let size = size.map_or(Some([-1.0; 3]), |attribute| self.three(attribute))?;
        Some(BoundingBox { center: center?, size }).filter(BoundingBox::is_not_empty)
    }

    fn three(&mut self, attribute: Attribute<'_, '_>) -> Option<[f32; 3]> {
        let numbers: Vec<Result<f32, NumberError>> = attribute
            .value()
            .split_ascii_whitespace()
            .map(|word| parse_f32(word.as_bytes()))
            .take(4)
            .collect();
        let (code, what) = match numbers.as_slice() {
            [Ok(x), Ok(y), Ok(z)] => return Some([*x, *y, *z]),
            [_, _, _] if !numbers.contains(&Err(NumberError::Syntax)) => {
                (&codes::BOX_NOT_FINITE, "finite")
            }
            _ => (&codes::BOUNDING_BOX, "three numbers"),
        };
        self.report(code, self.value(attribute), || {
            format!("`{}` is {}, not {what}", attribute.name(), quoted(attribute))
        });
        None
    }

    pub(super) fn boolean(&mut self, attribute: Attribute<'_, '_>) -> bool {
        let value = attribute.value();
        if value.eq_ignore_ascii_case("true") || value.eq_ignore_ascii_case("false") {
            return value.eq_ignore_ascii_case("true");
        }
        let span = self.value(attribute);
        let wrong =
            || format!("`{}` is {}, not `true` or `false`", attribute.name(), quoted(attribute));
        let Ok(number) = parse_f32(value.trim_ascii().as_bytes()) else {
            self.report(&codes::BOOLEAN, span, wrong);
            return false;
        };
        let read = number != 0.0;
        self.report_fix(&codes::BOOLEAN_NUMBER, span, read.to_string(), || {
            format!("{}; the engine reads it as {read}", wrong())
        });
        read
    }

    pub(super) fn scenes_per_time(&mut self, attribute: Attribute<'_, '_>) -> Option<u32> {
        let value = self.number(attribute);
        if let Some(number) = whole(value, 10) {
            return Some(number);
        }
        let span = self.value(attribute);
        // Try Pascal's integer syntax.
        let pascal = match value {
            [b'$' | b'x' | b'X', digits @ ..] | [b'0', b'x' | b'X', digits @ ..] => {
                whole(digits, 16)
            }
            [b'+', digits @ ..] => whole(digits, 10),
            _ => None,
        };
        let Some(number) = pascal else {
            let code = match parse_integer(value) {
                Ok(_) => &codes::SCENES_RANGE,
                Err(_) => &codes::SCENES_PER_TIME,
            };
            self.report(code, span, || {
                format!(
                    "`scenes_per_time` is {}, not a whole number from 0 to {}",
                    quoted(attribute),
                    i32::MAX
                )
            });
            return None;
        };
        self.report_fix(&codes::SCENES_FORM, span, number.to_string(), || {
            format!(
                "`scenes_per_time` is {}, which only the engine accepts (as {number})",
                quoted(attribute)
            )
        });
        Some(number)
    }

    pub(super) fn epsilon(&mut self, attribute: Attribute<'_, '_>) -> Option<f32> {
        let code = match parse_f32(self.number(attribute)) {
            Ok(number) if number >= 0.0 => return Some(number),
            Ok(_) | Err(NumberError::NotFinite) => &codes::EPSILON_RANGE,
            Err(NumberError::Syntax) => &codes::EPSILON,
        };
        self.report(code, self.value(attribute), || {
            format!(
                "`equality_epsilon` is {}, not a finite, non-negative number",
                quoted(attribute)
            )
        });
        None
    }

    /// Returns a value without surrounding whitespace. Reports only trailing whitespace, since
    /// exporters pad numbers on the left.
    pub(super) fn number<'a>(&mut self, attribute: Attribute<'a, '_>) -> &'a [u8] {
        let value = attribute.value().trim_ascii();
        if !value.is_empty() && !attribute.value().ends_with(value) {
            let raw = self.value(attribute);
            let end = raw.start + self.slice(raw).trim_ascii_end().len();
            self.report_fix(&codes::TRAILING_BLANK, Span::new(end, raw.end), "", || {
                format!(
                    "whitespace after {}; Castle Game Engine rejects the file",
                    quote(value.as_bytes())
                )
            });
        }
        value.as_bytes()
    }
}

/// Parses a whole number that consists only of digits.
fn whole(digits: &[u8], radix: u32) -> Option<u32> {
    parse_digits(digits, radix).ok().filter(|number| i32::try_from(*number).is_ok())
}
