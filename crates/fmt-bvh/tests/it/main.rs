//! Tests for BVH: the common suite, and tests specific to the format.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "tests fail loudly"
)]

mod any_edit;
mod edits;
mod end_sites;
mod formatted;
mod from_ir;
mod oracle;
mod robustness;
mod rows;

use anim_ir::Confidence;
use fmt_bvh::Bvh;

conformance::suite! {
    folder: "bvh",
    subjects: vec![Subject::written::<Bvh>()],
    more_than: 50,
    confidence: |name, is_refused| match name.starts_with("ok/") {
        _ if is_refused => Some(Confidence::No),
        true => Some(Confidence::Certain),
        false => None,
    },
    small: 1 << 10,
    cases: 4_000,
    also: robustness::also,
    growth: robustness::growth(),
}
