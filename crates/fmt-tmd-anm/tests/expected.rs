//! The fixtures against what `EXPECTED.tsv` says of them, which was written from the format notes
//! before there was a parser.
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

mod common;

use anim_ir::{Confidence, Diagnostics, Severity};
use fmt_tmd_anm::{CameraDocument, Document, ParseError, sniff, sniff_camera};

/// What is said of a file, or why there is nothing to say.
fn judge(name: &str, bytes: &[u8]) -> Result<Diagnostics, ParseError> {
    if common::is_camera(name) {
        CameraDocument::parse(bytes).map(|parsed| parsed.diagnostics)
    } else {
        Document::parse(bytes).map(|parsed| parsed.diagnostics)
    }
}

#[test]
fn every_fixture_is_judged_as_the_notes_say() {
    let table =
        std::fs::read_to_string(test_oracle::fixtures::folder("tmd-anm").join("EXPECTED.tsv"))
            .unwrap();
    let mut wrong = Vec::new();
    let mut seen = 0;
    for row in table.lines().skip(1) {
        let fields: Vec<&str> = row.split('\t').collect();
        let [file, id, severity, place, ..] = fields.as_slice() else { panic!("{row}") };
        let bytes =
            std::fs::read(test_oracle::fixtures::folder("tmd-anm").join("..").join(file)).unwrap();
        seen += 1;
        if *id == "T25" {
            assert_eq!(sniff(&bytes).confidence, Confidence::No, "{file}: detection refuses it");
            continue;
        }
        let diagnostics = match judge(file, &bytes) {
            Ok(diagnostics) => diagnostics,
            Err(error) => {
                if *severity != "refused" {
                    wrong.push(format!("{file}: expected {severity} at {place}: {error}"));
                }
                continue;
            }
        };
        let expected = match *severity {
            "error" => Some(Severity::Error),
            "warning" => Some(Severity::Warning),
            "note" => Some(Severity::Note),
            "ok" => None,
            other => panic!("{file}: {other}, but it is read"),
        };
        let places = diagnostics
            .iter()
            .filter(|diagnostic| Some(diagnostic.severity()) == expected)
            .filter_map(|diagnostic| diagnostic.span);
        let places: Vec<String> = places.map(|span| format!("0x{:02X}", span.start)).collect();
        if diagnostics.worst() != expected
            || (*place != "-" && !places.iter().any(|found| found == place))
        {
            wrong.push(format!(
                "{file}: expected {severity} at {place}\n{}",
                common::listing(&diagnostics)
            ));
        }
    }
    assert!(seen > 100);
    assert!(wrong.is_empty(), "{} of {seen}:\n{}", wrong.len(), wrong.join("\n"));
}

/// Files that are fine are told apart by content, but for those that are made to be both.
#[test]
fn every_good_fixture_is_detected() {
    let mut detected = 0;
    for (name, bytes) in common::fixtures() {
        if !name.starts_with("ok/") {
            continue;
        }
        let (own, other) = (sniff(&bytes).confidence, sniff_camera(&bytes).confidence);
        let (own, other) = if common::is_camera(&name) { (other, own) } else { (own, other) };
        if name.contains("both_ways") {
            assert_eq!((own, other), (Confidence::Likely, Confidence::Likely), "{name}");
        } else if !name.contains("padding") && !name.contains("first_word_like_table") {
            assert_eq!((own, other < own), (Confidence::Certain, true), "{name}");
        }
        detected += 1;
    }
    assert!(detected > 50, "{detected}");
}
