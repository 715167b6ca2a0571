//! Integration tests: fixtures, readings, edits, conversions and robustness.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::cast_possible_truncation,
    reason = "tests fail loudly"
)]

mod any_edit;
mod cut_off;
mod edits;
mod format;
mod formatted;
mod from_ir;
mod placed;
mod readings;
mod robustness;

use anim_ir::Confidence;
use fmt_amo::{Amo, codes};

conformance::suite! {
    folder: "amo",
    subjects: vec![Subject::written::<Amo>()],
    more_than: 100,
    table: Table::Coarse,
    said: |reading| {
        let said = [&reading.diagnostics, &reading.losses].map(|said| reading.listing(said));
        format!("dialect {}\n{}", reading.dialect.unwrap_or_default(), said.concat())
    },
    shown: |reading| {
        let said = [&reading.diagnostics, &reading.losses].map(|said| reading.listing(said));
        said.concat() + &anim_ir::dump(&reading.scene)
    },
    confidence: |name, _| match name.strip_prefix("ok/")? {
        "editamo.amo" => Some(Confidence::Certain),
        // These files contain no animation.
        "O06_mixed_shapes.amo" | "obj_base.amo" | "static.amo" => Some(Confidence::Possible),
        _ => Some(Confidence::Likely),
    },
    gone: Some(vec![codes::BOM.id, codes::NO_LINE_BREAK.id]),
    in_common: formatted::in_common,
    also: robustness::also,
    growth: robustness::growth(),
}

/// All fixtures, as pairs of name (such as `ok/spec.amo`) and bytes, sorted by name.
fn fixtures() -> Vec<(String, Vec<u8>)> {
    test_oracle::fixtures::all("amo", &["amo", "hnd"], 100)
}
