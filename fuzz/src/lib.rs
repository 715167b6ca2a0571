//! Runs every operation on arbitrary bytes and asserts the invariants. Formats are taken from the
//! registry, so none needs a separate target. Called by the fuzz targets, and by `src/main.rs` for
//! files.

mod choice;
pub mod companions;
pub mod comparison;
pub mod detection;
pub mod edits;
pub mod formats;
pub mod input;
pub mod mutate;
mod played;
pub mod repairs;
pub mod scenes;
pub mod seeds;
pub mod several;
pub mod splits;
pub mod targets;
mod written;

use anim_formats::anim_ir::{Limits, ParseErrorKind, Parsed, Settings};
use anim_formats::{AnyDocument, Format};

/// The maximum number of items of each type, such as clips and nodes, to try per file.
pub(crate) const FEW: usize = 8;

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
