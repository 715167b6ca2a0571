//! Everything that can be done with any bytes, asserting what holds for all of them. It goes
//! through the registry, so that a format needs no target of its own. Fuzzers call it, and
//! `src/main.rs` for files.

mod choice;
pub mod formats;
mod played;
pub mod several;
mod written;

use anim_formats::anim_ir::{Limits, ParseErrorKind, Parsed, Settings};
use anim_formats::{AnyDocument, Format};

/// Clips, nodes, states and takes that are tried of each file.
pub(crate) const FEW: usize = 8;

/// The readable format that a byte stands for.
///
/// # Panics
///
/// Never: there are readable formats.
pub fn chosen(choice: u8) -> Format {
    let formats: Vec<Format> = Format::readable().collect();
    formats[usize::from(choice) % formats.len()]
}

/// No options, and small limits: what a small file can blow up to is to be found in little time.
pub(crate) fn settings() -> Settings {
    let mut settings = Settings::default();
    settings.limits = Limits { input_bytes: 4 << 20, samples: 10_000, ..Limits::default() };
    settings
}

/// A message can be shown as it is.
#[track_caller]
pub(crate) fn assert_printable(message: &str) {
    assert!(!message.contains(char::is_control), "{message:?}");
}

/// What is written as a format can be read again; `None` where that takes more than the limits.
#[track_caller]
pub(crate) fn read_again<'a>(
    bytes: &'a [u8],
    format: Format,
    settings: &Settings,
) -> Option<Parsed<AnyDocument<'a>>> {
    match AnyDocument::parse(bytes, format, settings) {
        Ok(parsed) => Some(parsed),
        Err(error) if matches!(error.kind(), ParseErrorKind::Limit(_)) => None,
        Err(error) => panic!("what is written as {format} cannot be read: {error}"),
    }
}
