//! castle-anim-frames tests: the common conformance suite and format-specific tests.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::cast_possible_truncation,
    reason = "tests fail loudly"
)]

mod any_edit;
mod common;
mod edits;
mod expected;
mod formatted;
mod from_ir;
mod operations;
mod robustness;
mod scenes;
mod snapshots;

use fmt_castle::Castle;

conformance::suite! {
    folder: "castle",
    subjects: vec![Subject::written::<Castle>()],
    severities: &["ok", "warn", "err", "load"],
    more_than: 200,
    table: Table::Coarse,
    // The table contains the replacement character instead of text that cannot be decoded.
    is_unjudged: |name| name.starts_with("err/C21_utf16_lone_surrogate"),
    row: |name| {
        let row = name.split_once('/')?.1.split_once('_').map_or("", |(row, _)| row);
        Some(if row.starts_with(['C', 'X']) && row.len() == 3 { row } else { "other" })
    },
    said: |reading| {
        let verdicts = reading.verdicts.iter().map(|verdict| {
            let accepts = if verdict.accepts { "accepts" } else { "refuses" };
            format!("{} {accepts}", verdict.key)
        });
        let verdicts: Vec<String> = verdicts.collect();
        common::render(&reading.text, &reading.diagnostics) + &verdicts.join(", ") + "\n"
    },
    is_shown: |_| false,
    also: robustness::also,
}
