//! The fixtures against what `EXPECTED.tsv` says of them, which was written from the format notes
//! before there was a parser.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::cast_possible_truncation,
    reason = "tests fail loudly"
)]

mod common;

use anim_ir::{Severity, source};
use fmt_amo::Document;

#[test]
fn every_fixture_is_judged_as_the_notes_say() {
    let table = std::fs::read_to_string(common::testdata().join("EXPECTED.tsv")).unwrap();
    let mut wrong = Vec::new();
    let mut seen = 0;
    for row in table.lines().skip(1).filter(|row| !row.trim().is_empty()) {
        let fields: Vec<&str> = row.split('\t').collect();
        let [file, _, severity, place, ..] = fields.as_slice() else { panic!("{row}") };
        let bytes = std::fs::read(common::testdata().join("..").join(file)).unwrap();
        seen += 1;
        let parsed = match Document::parse(&bytes[..]) {
            Ok(parsed) => parsed,
            Err(error) => {
                // Nothing can be read: an error, at no place.
                if (*severity, *place) != ("error", "-") {
                    wrong.push(format!(
                        "{file}: expected {severity} at {place}, found nothing: {error}"
                    ));
                }
                continue;
            }
        };
        let worst = parsed.diagnostics.worst().unwrap_or(Severity::Note);
        let expected = match *severity {
            "error" => Severity::Error,
            "warning" => Severity::Warning,
            _ => Severity::Note,
        };
        let places: Vec<String> = parsed
            .diagnostics
            .iter()
            .filter(|diagnostic| diagnostic.severity() == expected && expected > Severity::Note)
            .filter_map(|diagnostic| diagnostic.span)
            .map(|span| source::locate(&bytes, span.start))
            .map(|at| at.to_string())
            .collect();
        let found = *place == "-"
            || expected == Severity::Note
            || places.iter().any(|found| found == place);
        if worst != expected || !found {
            wrong.push(format!(
                "{file}: expected {severity} at {place}, found {} at {places:?}\n{}",
                worst.name(),
                anim_ir::listing(&bytes, &parsed.diagnostics)
            ));
        }
    }
    assert!(seen > 100);
    assert!(wrong.is_empty(), "{} of {seen}:\n{}", wrong.len(), wrong.join("\n"));
}
