//! Tests for TMD ANM and ANC: the common suite, and tests specific to these formats.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "tests fail loudly"
)]

mod any_edit;
mod edits;
mod from_ir;
mod oracle;
mod robustness;

use anim_ir::Confidence;
use fmt_tmd_anm::{TmdAnc, TmdAnm};

conformance::suite! {
    folder: "tmd-anm",
    subjects: vec![Subject::written::<TmdAnm>(), Subject::read::<TmdAnc>()],
    more_than: 100,
    // Detection rejects these files.
    is_unjudged: |name| name.contains("/T25_"),
    said: |reading| reading.listing(&reading.diagnostics) + &reading.listing(&reading.losses),
    is_shown: |file| {
        file.starts_with(|first: char| first.is_ascii_lowercase())
            && !file.starts_with("objects_256")
    },
    confidence: |name, _| match name.strip_prefix("ok/") {
        _ if name.contains("/T25_") => Some(Confidence::No),
        Some(file) if file.contains("both_ways") => Some(Confidence::Likely),
        Some(file) if file.contains("padding") || file.contains("first_word_like_table") => None,
        Some(_) => Some(Confidence::Certain),
        None => None,
    },
    small: 4 << 10,
    also: robustness::also,
    growth: robustness::growth(),
}
