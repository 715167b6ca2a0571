//! Compares the fixtures with `EXPECTED.tsv`, which was derived from the format notes before the
//! parser existed.

use fmt_castle::{Document, codes, verdicts};
use test_oracle::fixtures::folder;

use crate::common;

#[test]
fn engine_verdicts_match_observations() {
    let table = std::fs::read_to_string(folder("castle").join("EXPECTED.tsv")).unwrap();
    let mut seen = 0;
    for row in table.lines().skip(1).filter(|row| !row.trim().is_empty()) {
        let fields: Vec<&str> = row.split('\t').collect();
        let [file, .., engine] = fields.as_slice() else { panic!("{row}") };
        let bytes = std::fs::read(folder("").join(file)).unwrap();
        // The engine rejects the content of the frames in `load`, and the DTD's URL in the other
        // file.
        let is_about_frames = file.contains("/load/") || file.contains("C03_doctype_public");
        let Ok(parsed) = Document::parse(&bytes[..]) else { continue };
        if *engine != "?" && !is_about_frames {
            let [_, verdict] = verdicts(&parsed.diagnostics);
            assert_eq!(verdict.accepts, *engine == "accepts", "{file}: {}", verdict.text);
            seen += 1;
        }
    }
    assert!(seen > 100, "{seen}");
}

/// Applying all certain repairs leaves no diagnostic with a repair.
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
        // The content is unchanged, apart from items that were skipped before the repair.
        let count = |found: &anim_ir::Diagnostics| found.count(&codes::ANIMATION_ATTRIBUTE);
        if count(&parsed.diagnostics) > count(&again.diagnostics) {
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
