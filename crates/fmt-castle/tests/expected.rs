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

use anim_ir::{Severity, Span};
use fmt_castle::{Document, Verdicts, codes};

/// The worst severity, the places that have it, and whether the engine takes the file, if that is
/// said.
fn judge(bytes: &[u8]) -> (Severity, Vec<Span>, Option<bool>, String) {
    match Document::parse(bytes) {
        Ok(parsed) => {
            let worst = parsed.diagnostics.worst().unwrap_or(Severity::Note).max(Severity::Note);
            let places = parsed
                .diagnostics
                .iter()
                .filter(|found| found.severity() == worst)
                .filter_map(|found| found.span)
                .collect();
            (
                worst,
                places,
                Some(Verdicts::of(&parsed.diagnostics).engine),
                common::render(bytes, &parsed.diagnostics),
            )
        }
        Err(error) => {
            (Severity::Error, error.span().into_iter().collect(), None, error.to_string())
        }
    }
}

#[test]
fn every_fixture_is_judged_as_the_notes_say() {
    let table = std::fs::read_to_string(common::testdata().join("EXPECTED.tsv")).unwrap();
    let mut wrong = Vec::new();
    let (mut seen, mut judged_by_engine) = (0, 0);
    for row in table.lines().skip(1).filter(|row| !row.trim().is_empty()) {
        let fields: Vec<&str> = row.split('\t').collect();
        let [file, _, severity, place, _, _, _, engine] = fields.as_slice() else {
            panic!("{row}")
        };
        let bytes = std::fs::read(common::testdata().join("..").join(file)).unwrap();
        seen += 1;
        let expected = match *severity {
            "error" => Severity::Error,
            "warning" => Severity::Warning,
            _ => Severity::Note,
        };
        let (worst, spans, accepted, text) = judge(&bytes);
        let places: Vec<String> = spans
            .iter()
            .map(|span| common::locate(&bytes, span.start))
            .map(|at| at.to_string())
            .collect();
        if worst != expected || !(*place == "-" || places.iter().any(|found| found == place)) {
            wrong.push(format!(
                "{file}: expected {severity} at {place}, found {} at {places:?}\n{text}",
                worst.name()
            ));
        }
        // In `load` it is the frames that the engine refuses, in that other file it is the address
        // of the DTD.
        let about_frames = file.contains("/load/") || file.contains("C03_doctype_public");
        if let Some(accepted) = accepted.filter(|_| *engine != "?" && !about_frames) {
            judged_by_engine += 1;
            if accepted != (*engine == "accepts") {
                wrong.push(format!(
                    "{file}: the engine {engine} it
{text}"
                ));
            }
        }
    }
    assert!(seen > 200 && judged_by_engine > 100);
    assert!(wrong.is_empty(), "{} of {seen}:\n{}", wrong.len(), wrong.join("\n"));
}

/// Every certain repair is one: with all of them made, a file has no diagnostic left that had one.
#[test]
fn fixes_fix() {
    let mut fixed = 0;
    for (name, bytes) in common::fixtures() {
        let Ok(parsed) = Document::parse(&bytes[..]) else { continue };
        let mut fixes: Vec<_> =
            parsed.diagnostics.iter().filter_map(|found| found.fix.clone()).collect();
        fixes.sort_by_key(|fix| std::cmp::Reverse(fix.span));
        let mut repaired = bytes.clone();
        for fix in &fixes {
            repaired.splice(fix.span.start..fix.span.end, fix.replacement.bytes());
            fixed += 1;
        }
        let again = Document::parse(&repaired[..]).unwrap();
        assert!(again.diagnostics.iter().all(|found| found.fix.is_none()), "{name}");
        // What was read is what was repaired, but for what was left out before.
        if [&codes::TIME_ORDER, &codes::ANIMATION_ATTRIBUTE]
            .iter()
            .any(|code| parsed.diagnostics.count(code) > again.diagnostics.count(code))
        {
            continue;
        }
        let said = |document: &Document<'_>| {
            document
                .animations()
                .iter()
                .map(|a| (a.name.clone(), a.loops, a.scenes_per_time, a.frames.len()))
                .collect::<Vec<_>>()
        };
        assert_eq!(said(&parsed.value), said(&again.value), "{name}");
    }
    assert!(fixed > 10, "{fixed}");
}
