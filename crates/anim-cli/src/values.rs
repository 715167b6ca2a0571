//! Parsers for the values of arguments.

use anim_formats::Format;
use clap::builder::{PossibleValuesParser, TypedValueParser};

/// Returns a parser that accepts the ids of these formats.
pub(crate) fn named(
    formats: impl Iterator<Item = Format>,
) -> impl TypedValueParser<Value = Format> {
    let names: Vec<&'static str> = formats.map(Format::id).collect();
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Format>())
}

pub(crate) fn parse_time(text: &str) -> Result<f64, String> {
    text.trim()
        .parse()
        .ok()
        .filter(|time: &f64| time.is_finite())
        .ok_or_else(|| "not a time in seconds".to_owned())
}

pub(crate) fn parse_rate(text: &str) -> Result<f64, String> {
    text.trim()
        .parse()
        .ok()
        .filter(|rate: &f64| rate.is_finite() && *rate > 0.0)
        .ok_or_else(|| "not a number greater than 0".to_owned())
}

pub(crate) fn parse_tolerance(text: &str) -> Result<f64, String> {
    text.trim()
        .parse()
        .ok()
        .filter(|tolerance: &f64| tolerance.is_finite() && *tolerance >= 0.0)
        .ok_or_else(|| "expected a number that is at least 0".to_owned())
}

pub(crate) fn parse_size(text: &str) -> Result<usize, String> {
    let (digits, shift) = match text.strip_suffix(['k', 'K', 'm', 'M', 'g', 'G']) {
        None => (text, 0),
        Some(digits) if text.ends_with(['k', 'K']) => (digits, 10),
        Some(digits) if text.ends_with(['m', 'M']) => (digits, 20),
        Some(digits) => (digits, 30),
    };
    let size = digits.parse::<usize>().ok().and_then(|number| number.checked_mul(1 << shift));
    size.ok_or_else(|| "not a size such as 500000, 200M or 2G".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values() {
        assert_eq!(
            ["7", "2k", "3M", "1G"].map(parse_size),
            [Ok(7), Ok(2048), Ok(3 << 20), Ok(1 << 30)]
        );
        assert!(
            ["", "k", "-1", "1T", "99999999999999999999G"]
                .into_iter()
                .all(|text| parse_size(text).is_err())
        );
        assert_eq!(parse_time(" -1.5"), Ok(-1.5));
        assert!(
            ["", "nan", "inf", "1e999", "1,5"].into_iter().all(|text| parse_time(text).is_err())
        );
        assert!(["0", "-24", "nan", "inf"].into_iter().all(|text| parse_rate(text).is_err()));
        assert_eq!(parse_tolerance("0"), Ok(0.0));
        assert!(["-1", "nan", "inf"].into_iter().all(|text| parse_tolerance(text).is_err()));
    }
}
