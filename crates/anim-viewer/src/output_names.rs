//! Names of outputs that are valid on every operating system, and what they say about compression.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::path::Path;

use anim_formats::anim_ir::encoding::truncate;
use anim_formats::anim_ir::format::options::OptionValue;
use anim_formats::{Format, Settings};

/// The maximum length of an output's file stem, in bytes; file systems allow 255 including the
/// extension.
const LONGEST_STEM: usize = 200;
/// The file stem of outputs whose input has no usable name.
const NO_NAME: &str = "unnamed";

/// Returns a lowercase key, equal for paths that name the same file on a case-insensitive file
/// system.
pub fn caseless(path: &Path) -> String {
    path.to_string_lossy().to_lowercase()
}

/// Appends a number of [`UniqueNames`](anim_formats::anim_ir::UniqueNames) to a name: `walk`,
/// `walk_2`, `walk_3`.
pub fn numbered<'a>(name: Cow<'a, str>, number: &str) -> Cow<'a, str> {
    match number.trim_start_matches('.').parse::<u64>() {
        Ok(number) => format!("{name}_{}", number.saturating_add(1)).into(),
        Err(_) => name,
    }
}

/// Returns whether the extension of an output says that it is compressed: `.gz`, or an extension of
/// compressed X3D.
pub fn is_compressed(out: &Path) -> bool {
    let extension = out.extension().and_then(OsStr::to_str).unwrap_or_default();
    ["gz", "x3dz", "x3dvz"].iter().any(|known| known.eq_ignore_ascii_case(extension))
}

/// Sets whether an output is compressed: if `--gzip` has been given, or if its name says so. By
/// default, documents would stay compressed or uncompressed, whatever the name.
pub fn compress_as_named(settings: &mut Settings, out: &Path) {
    let is_given = settings.get("gzip").is_some_and(OptionValue::flag);
    if let Some(option) = Format::option("gzip") {
        // The value is valid.
        let _ = settings.set(option, &(is_given || is_compressed(out)).to_string());
    }
}

/// Turns a stem into one that is valid on every operating system.
pub fn sanitize(stem: &str) -> String {
    // Windows does not allow these characters. U+FFFD stands for invalid UTF-8.
    let bad = |c: char| {
        c.is_control()
            || matches!(
                c,
                '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|' | char::REPLACEMENT_CHARACTER
            )
    };
    let mut name: String = stem.chars().map(|c| if bad(c) { '_' } else { c }).collect();
    truncate(&mut name, LONGEST_STEM);
    let kept = name.trim_matches(' ').trim_end_matches(['.', ' ']);
    // A leading hyphen looks like an option, a leading dot hides the file, and device names are
    // reserved with any extension.
    let device = kept.split('.').next().unwrap_or_default().trim_end().to_ascii_uppercase();
    let numbered = device
        .strip_prefix("COM")
        .or(device.strip_prefix("LPT"))
        .is_some_and(|number| matches!(number.as_bytes(), [b'1'..=b'9']));
    let reserved = numbered || matches!(device.as_str(), "CON" | "PRN" | "AUX" | "NUL");
    match kept {
        "" => NO_NAME.to_owned(),
        kept if reserved || kept.starts_with(['-', '.']) => format!("_{kept}"),
        kept => kept.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_a_single_path_component() {
        let long = "é".repeat(150);
        let cases = [
            ("walk", "walk"),
            ("../../x", "_.._.._x"),
            ("/abs", "_abs"),
            ("a/b", "a_b"),
            ("CON", "_CON"),
            ("nul.txt", "_nul.txt"),
            ("com1", "_com1"),
            ("common", "common"),
            (".", "unnamed"),
            ("", "unnamed"),
            ("..", "unnamed"),
            ("-rf", "_-rf"),
            (" a . ", "a"),
            ("a\u{1b}[2J\nb", "a_[2J_b"),
            ("b\u{fffd}d", "b_d"),
        ];
        for (name, expected) in cases {
            assert_eq!(sanitize(name), expected, "{name:?}");
        }
        assert_eq!(sanitize(&long), "é".repeat(100));
    }
    #[test]
    fn equal_names_are_numbered() {
        let mut names = anim_formats::anim_ir::UniqueNames::new();
        let claimed = ["idle_2", "idle", "idle", "idle"]
            .map(|name| names.claim_fitted(name, numbered).into_owned());
        assert_eq!(claimed, ["idle_2", "idle", "idle_3", "idle_4"]);
        // As many as a file may contain, in linear time.
        let last = (0..200_000).map(|_| names.claim_fitted("walk", numbered)).last();
        assert_eq!(last.as_deref(), Some("walk_200000"));
    }
}
