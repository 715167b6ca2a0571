//! Repairs are unambiguous and complete, and change nothing else.

use std::fs;
use std::path::{Path, PathBuf};

use anim_formats::{AnyDocument, Format, RepairError, Repaired, Settings, detect, repair};

use crate::{format, testdata};

fn files_below(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files_below(&path, found) } else { found.push(path) }
    }
}

/// Returns the fixtures of all formats that can be read.
fn fixtures() -> Vec<(String, Vec<u8>, Format)> {
    let mut paths = Vec::new();
    files_below(&testdata(""), &mut paths);
    paths.sort();
    let read = |path: PathBuf| {
        let (name, bytes) = (path.to_string_lossy().into_owned(), fs::read(&path).unwrap());
        let format = detect(&bytes, Some(&name)).first()?.format;
        AnyDocument::parse(&bytes[..], format, &Settings::default()).ok()?;
        Some((name, bytes, format))
    };
    paths.into_iter().filter_map(read).collect()
}

fn mended(text: &str, id: &str) -> Result<Repaired, RepairError> {
    repair(text.as_bytes().to_vec(), format(id), &Settings::default())
}

/// Checks that the bytes outside of the repairs are unchanged, and that applying the repairs to the
/// original returns the result.
fn only_repairs_differ(name: &str, repaired: &Repaired) {
    for (number, round) in repaired.rounds.iter().enumerate() {
        let after = repaired.rounds.get(number + 1).map_or(&repaired.bytes, |next| &next.before);
        let (mut at, mut to) = (0, 0);
        for fix in round.repairs.iter().map(|diagnostic| diagnostic.fix.as_ref().unwrap()) {
            let kept = &round.before[at..fix.span.start];
            assert_eq!(&after[to..to + kept.len()], kept, "{name}");
            to += kept.len();
            assert_eq!(
                &after[to..to + fix.replacement.len()],
                fix.replacement.as_bytes(),
                "{name}"
            );
            to += fix.replacement.len();
            at = fix.span.end;
        }
        assert_eq!(&round.before[at..], &after[to..], "{name}");
    }
}

#[test]
fn every_fixture_that_can_be_repaired() {
    let (mut repaired_files, mut refused) = (Vec::new(), Vec::new());
    for (name, bytes, format) in fixtures() {
        let short = name.rsplit("testdata/").next().unwrap().to_owned();
        match repair(bytes.clone(), format, &Settings::default()) {
            Err(error) => refused.push(format!("{short}: {error}")),
            Ok(repaired) if !repaired.left_out.is_empty() => {
                only_repairs_differ(&name, &repaired);
                refused.extend(
                    repaired
                        .left_out
                        .iter()
                        .map(|left| format!("{short}: {}: {}", left.diagnostic.message, left.why)),
                );
            }
            Ok(repaired) if repaired.rounds.is_empty() => assert_eq!(repaired.bytes, bytes),
            Ok(repaired) => {
                only_repairs_differ(&name, &repaired);
                let after = AnyDocument::parse(&repaired.bytes[..], format, &Settings::default())
                    .unwrap()
                    .diagnostics;
                assert!(after.iter().all(|diagnostic| diagnostic.fix.is_none()), "{name}");
                let again = repair(repaired.bytes.clone(), format, &Settings::default()).unwrap();
                assert!(
                    again.rounds.is_empty() && again.bytes == repaired.bytes,
                    "{name}: repairing again changes nothing"
                );
                repaired_files.push(short);
            }
        }
    }
    let of = |format: &str| repaired_files.iter().filter(|name| name.starts_with(format)).count();
    assert!(
        of("amo/") >= 7 && of("castle/") >= 20 && of("stt/") >= 4 && of("anm-text/") >= 8,
        "{repaired_files:#?}"
    );
    insta::assert_snapshot!("refused", refused.join("\n"));
}

#[test]
fn certain_repairs_are_made() {
    let cases = [
        ("amo", "\u{feff}ao x\nV 0 0 0\nUseMtl a\n", "ao x\nv 0 0 0\nusemtl a\n"),
        (
            "amo",
            "ao x\nv 0 0 0\nj a -1\nj b -1\nvj 1 2 0 0\nvw 3 1 0 0 # c\na c\nap 0 1 0 0 0\n",
            "ao x\nv 0 0 0\nj a -1\nj b -1\nvj 1 2 0 0\nvw 0.75 0.25 0 0 # c\na c\nap 0 1 0 0 0\n",
        ),
        // One repair is inside the range that another replaces, so a second round is needed.
        (
            "amo",
            "v 0 0 0\nj a -1\na c\nar 1 1 0 0 0 9\nar 0 1 0 0 0 5\n",
            "v 0 0 0\nj a -1\na c\nar 0 1 0 0 0 1\nar 1 1 0 0 0 1\n",
        ),
        (
            "stt",
            "#MINDRENDER 1.1 2 {a} single 1 {n} Static 0 0 0 0 0 0 0 0 0 {b} SINGEL 0\n",
            "#MINDRENDER 1.1 2 {a} SINGLE 1 {n} STATIC 0 0 0 0 0 0 0 0 0 {b} SINGLE 0\n",
        ),
        (
            "castle",
            "<animation name='a & b' Loop='1'><frame time='0 ' file_name='a.x3d'/><frame Time='1' \
             url='b.x3d'/></animation>",
            "<animation name='a &amp; b' loop='true'><frame time='0' url='a.x3d'/><frame time='1' \
             url='b.x3d'/></animation>",
        ),
    ];
    for (format, text, expected) in cases {
        let repaired = mended(text, format).unwrap();
        assert_eq!(std::str::from_utf8(&repaired.bytes).unwrap(), expected);
        only_repairs_differ(text, &repaired);
    }
}

#[test]
fn uncertain_repairs_are_not_made() {
    for (format, text) in [
        // The order of the frames may be wrong, or the time of the first.
        (
            "castle",
            "<animation><frame time='2' url='c'/> <!-- x -->\n<frame time='0' url='a'/><frame \
             time='1'><X3D/></frame></animation>",
        ),
        ("castle", "<animation loop='true' Loop='false'><frame time='0' url='a'/></animation>"),
        ("amo", "ao x\nv 0 0 0\nwobble 1\nvj 1 0 0 0\nvw 0 0 0 0\n"),
        // A line that starts like a keyword may be prose.
        (
            "amo",
            "ao x\nv 0 0 0\nA simple cube, made in 2020\nO Note: by hand\nG group of things\nJ \
             ohn -1 made it\nV ictory 1 2\nS\n",
        ),
        // An option directly followed by a comment.
        ("anm-text", "as a\nbl u +Children# all\nan 0 1 x\n"),
        ("stt", "#MINDRENDER 1.1 1 {a} DOUBLE 0 {n}"),
        // Weights in a file in an unknown dialect, with and without joints.
        ("amo", "v 0 0 0\nvj 1 2 0 0\nvw 3 1 0 0\n"),
        ("amo", "v 0 0 0\nvj 1 2 0 0\nvw 3 1 0 0\nj a -1\nj b -1\n"),
        // Truncated files.
        ("bvh", "HIERARCHY\nROOT a\n{\nOFFSE"),
        ("bvh", "HIERARCHY\nROT a\n{\nOFFSET 0 0 0\nCHANNELS 0\n"),
        ("stt", "#MINDRENDER 1.1 1 {a} SING"),
    ] {
        let repaired = mended(text, format).unwrap();
        assert_eq!(
            (repaired.bytes.as_slice(), repaired.rounds.len()),
            (text.as_bytes(), 0),
            "{text}"
        );
    }
}

#[test]
fn a_repair_that_would_do_harm_is_skipped() {
    // With the keyword corrected, the face would be read and be invalid.
    let repaired = mended("ao x\nV 0 0 0\nF 1 2 9\nUseMtl a\n", "amo").unwrap();
    assert_eq!(repaired.bytes, b"ao x\nv 0 0 0\nF 1 2 9\nusemtl a\n");
    let left_out: Vec<(&str, &str)> = repaired
        .left_out
        .iter()
        .map(|left| (left.diagnostic.message.as_str(), left.why.as_str()))
        .collect();
    let expected = ("unknown keyword `F`", "it would introduce 2 amo-position-index");
    assert_eq!(left_out, [expected]);
}

/// An ordinary read stops at the misspelt keyword, and does not see that the file is truncated.
#[test]
fn repairs_of_a_file_that_proves_truncated_are_listed() {
    let text = "\u{feff}#MINDRENDER 1.1\n1\n{raised} SINGL\n1\n{boom}\nSTATIC\n0.0 0.0";
    let repaired = mended(text, "stt").unwrap();
    assert_eq!(repaired.bytes, text.as_bytes());
    let left_out: Vec<(&str, &str)> =
        repaired.left_out.iter().map(|left| (left.diagnostic.code.id, left.why.as_str())).collect();
    let why = "a file that looks truncated is not repaired";
    assert_eq!(left_out, [("stt-bom", why), ("stt-keyword", why)]);
}

#[test]
fn text_in_other_encodings_is_not_repaired() {
    let utf16: Vec<u8> = "\u{feff}<animation loop='1'><frame time='0' url='a'/></animation>"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    assert_eq!(
        repair(utf16, format("castle"), &Settings::default()).unwrap_err(),
        RepairError::Encoding
    );
}

/// Only ten diagnostics per code are kept, but all problems are repaired in a few rounds.
#[test]
fn a_flood_of_problems_is_repaired_in_a_few_rounds() {
    let text = format!(
        "v 0 0 0\nv 0 1 0\nv 1 1 0\nj a -1\na c\nap 0 1 0 0 0\nvj 1 0 0 0\n{}{}",
        "F 1 2 3\n".repeat(60_000),
        "vw 0.5 0 0 0\n".repeat(60_000)
    );
    let repaired = mended(&text, "amo").unwrap();
    assert_eq!(repaired.bytes, text.replace('F', "f").replace("0.5 0 0 0", "1 0 0 0").into_bytes());
    assert_eq!((repaired.repairs().count(), repaired.rounds.len()), (120_000, 2));

    let node = "{n} static 0 0 0 0 0 0 0 0 0\n";
    let text = format!("#MINDRENDER 1.1 1 {{a}} single 20000\n{}", node.repeat(20_000));
    let repaired = mended(&text, "stt").unwrap();
    assert_eq!((repaired.repairs().count(), repaired.rounds.len()), (20_001, 1));
}

#[test]
fn the_explanation_of_what_can_be_repaired_says_so() {
    let mut repairable = std::collections::BTreeSet::new();
    for (name, bytes, format) in fixtures() {
        let found = AnyDocument::parse(bytes, format, &Settings::default()).unwrap().diagnostics;
        for found in found.iter().filter(|found| found.fix.is_some()) {
            assert!(found.code.action.contains("--fix"), "{name}: {}", found.code.id);
            repairable.insert(found.code.id);
        }
    }
    assert!(repairable.len() > 20, "{repairable:?}");
}
