//! Tests for TMD: the common suite, and tests specific to the format.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "tests fail loudly"
)]

mod expected;
mod oracle;
mod robustness;
mod snapshots;

use anim_ir::Confidence;
use model_tmd::Tmd;

conformance::suite! {
    folder: "tmd",
    subjects: vec![Subject::read::<Tmd>()],
    more_than: 90,
    row: |name| name.split('/').next().filter(|folder| *folder != "ok"),
    said: |reading| snapshots::render(&reading.text, &reading.diagnostics),
    is_shown: |_| false,
    confidence: |name, _| match name {
        "ok/no_objects.tmd" => Some(Confidence::No),
        _ => name.starts_with("ok/").then_some(Confidence::Certain),
    },
    also: robustness::also,
    growth: robustness::growth(),
}
