//! Runs every operation on arbitrary bytes and asserts the invariants. Formats are taken from the
//! registry, so none needs a separate target. Called by the fuzz targets, and by `src/main.rs` for
//! files.

mod choice;
pub mod formats;
mod played;
pub mod several;
mod written;

use anim_formats::anim_ir::{Limits, ParseErrorKind, Parsed, Settings};
use anim_formats::{AnyDocument, Format};

/// The maximum number of items of each type, such as clips and nodes, to try per file.
pub(crate) const FEW: usize = 8;

/// Returns the readable format that a byte selects.
///
/// # Panics
///
/// Never, since the build has readable formats.
pub fn chosen(choice: u8) -> Format {
    let formats: Vec<Format> = Format::readable().collect();
    formats[usize::from(choice) % formats.len()]
}

/// Returns settings without options and with small limits, so that small files that expand greatly
/// are found quickly.
pub(crate) fn settings() -> Settings {
    let mut settings = Settings::default();
    settings.limits = Limits { input_bytes: 4 << 20, memory: Some(16 << 20), ..Limits::default() };
    settings
}

/// Checks that a message can be displayed.
#[track_caller]
pub(crate) fn assert_printable(message: &str) {
    assert!(!message.contains(char::is_control), "{message:?}");
}

/// Reads a written file again. Returns `None` if that exceeds the limits.
#[track_caller]
pub(crate) fn read_again<'a>(
    bytes: &'a [u8],
    format: Format,
    settings: &Settings,
) -> Option<Parsed<AnyDocument<'a>>> {
    match AnyDocument::parse(bytes, format, settings) {
        Ok(parsed) => Some(parsed),
        Err(error) if matches!(error.kind(), ParseErrorKind::Limit(_)) => None,
        Err(error) => panic!("a written {format} file cannot be read: {error}"),
    }
}
