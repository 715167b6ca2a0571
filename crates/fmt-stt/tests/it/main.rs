//! STT tests: the common conformance suite and format-specific tests.
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
mod expected;
mod fast_path;
mod formatted;
mod from_ir;
mod oracle;
mod references;
mod robustness;
mod strategies;

use anim_ir::Confidence;
use fmt_stt::{Stt, codes};

conformance::suite! {
    folder: "stt",
    subjects: vec![Subject::written::<Stt>()],
    more_than: 200,
    confidence: |name, is_refused| match name.starts_with("ok/") {
        _ if is_refused => Some(Confidence::No),
        true => Some(Confidence::Certain),
        false => None,
    },
    small: 1 << 10,
    has_one_error: expected::has_one_error,
    gone: Some(vec![codes::BOM.id]),
    in_common: formatted::in_common,
    also: robustness::also,
    growth: robustness::growth(),
}
