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

/// Parses a size in bytes. `k`, `M` and `G` stand for powers of 1024; `kB`, `MB` and `GB`, in which
/// limits are reported, for powers of 1000.
pub(crate) fn parse_size(text: &str) -> Result<usize, String> {
    const UNITS: [(&str, usize); 6] = [
        ("kb", 1000),
        ("mb", 1_000_000),
        ("gb", 1_000_000_000),
        ("k", 1 << 10),
        ("m", 1 << 20),
        ("g", 1 << 30),
    ];
    let text = text.to_ascii_lowercase();
    let in_units =
        UNITS.into_iter().find_map(|(unit, size)| Some((text.strip_suffix(unit)?, size)));
    let (digits, unit) = in_units.unwrap_or((&text, 1));
    let size = digits.parse::<usize>().ok().and_then(|number| number.checked_mul(unit));
    size.ok_or_else(|| "not a size such as 500000, 200M or 2GB".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values() {
        assert_eq!(
            ["7", "2k", "3M", "1G", "20MB", "3gb"].map(parse_size),
            [Ok(7), Ok(2048), Ok(3 << 20), Ok(1 << 30), Ok(20_000_000), Ok(3_000_000_000)]
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
