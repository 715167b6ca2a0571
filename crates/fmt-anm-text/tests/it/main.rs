//! Tests of ANM text: the common test suite, and tests specific to this format.
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
mod repairs;
mod robustness;
mod round_trip;

use anim_ir::Confidence;
use fmt_anm_text::{AnmText, codes};

conformance::suite! {
    folder: "anm-text",
    subjects: vec![Subject::written::<AnmText>()],
    more_than: 100,
    confidence: |name, is_refused| match name.starts_with("ok/") {
        _ if is_refused => Some(Confidence::No),
        true => Some(Confidence::Likely),
        false => None,
    },
    small: 1 << 10,
    has_one_error: expected::has_one_error,
    gone: Some(vec![codes::BOM.id, codes::INDENT.id, codes::LINE_END.id]),
    in_common: formatted::in_common,
    also: robustness::also,
    growth: robustness::growth(),
}
