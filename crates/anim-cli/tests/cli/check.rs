//! `animfmt check`

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use anim_formats::Format;

use crate::program::{Folder, animfmt, assert_runs, fixture, list, names_in, testdata};

#[test]
fn for_people() {
    assert_runs!(
        "check",
        [
            "check ok/spec.amo",
            "check err/O01_index_zero.amo",
            "check err/O05_counted_fourteen.amo warn/O20_first_key_late.amo",
            "check warn/X10_many_warnings.amo",
            "check warn/X09_bidi_in_keyword.amo warn/X09_escape_in_keyword.amo \
             warn/X09_long_keyword.amo",
            "check err/O28_utf16_le.amo",
            "check err/O28_utf16_le.amo none.amo ok/O16_parent_zero.amo",
            "check --json err/O01_index_zero.amo err/O28_utf16_le.amo",
        ]
        .map(animfmt)
    );
}

#[test]
fn missing_files() {
    animfmt("check none").exits(2);
    animfmt("check none ok/spec.amo").exits(1);
}

#[test]
fn places_and_counts_in_json() {
    let json = animfmt("check --json warn/X10_many_warnings.amo none").exits(1).json("check");
    let file = &json["files"][0];
    assert_eq!(list(&file["diagnostics"]).len(), 10);
    assert_eq!(file["counts"]["amo-keyword"], 40);
    let first = &file["diagnostics"][0];
    let source = fixture("warn/X10_many_warnings.amo");
    let offset = first["offset"].as_u64().unwrap() as usize;
    assert_eq!(&source[offset..offset + first["length"].as_u64().unwrap() as usize], b"huh1");
    assert_eq!(json["files"][1]["diagnostics"][0]["code"], "unreadable");
    assert_eq!(json["files"][1]["counts"]["unreadable"], 1);
}

/// A line of a megabyte costs a line of the terminal, and the place is still counted in the file.
#[test]
fn long_lines_are_cut_around_the_place() {
    let folder = Folder::new();
    let (before, after) = (" 1".repeat(300_000), "1 ".repeat(200_000));
    folder.write("long.amo", format!("ao x\nv 0 0 0\n\tf 1{before} 77 {after}\n"));
    let run = folder.run("check long.amo").exits(1);
    run.out_has("long.amo:3:600006\n").out_has("…1 1 1 ");
    assert!(run.stdout().lines().all(|line| line.chars().count() < 160), "{}", run.stdout());
}

/// What is said of each format, and what is converted to each, fits the schemas.
#[test]
fn all_formats_fit_the_schemas() {
    let mut formats = BTreeSet::new();
    for file in a_file_of_each_format() {
        for command in ["info", "check"] {
            let report = animfmt(format!("{command} --json {file}")).exits(0).json(command);
            let report = report.pointer("/files/0").unwrap_or(&report);
            formats.insert(report["format"].as_str().unwrap().to_owned());
        }
    }
    let readable = Format::readable().map(|format| format.id().to_owned());
    assert_eq!(formats, readable.collect());
    let folder = Folder::new();
    for target in Format::writable().map(Format::id) {
        let input = match target {
            "anm-text" => "../anm-text/ok/example.anm",
            _ => "../stt/ok/lamp_keyframes.stt --clip swinging",
        };
        let line = format!("convert --json {input} --to {target} -o OUT/{target}");
        assert_eq!(folder.animfmt(&line).json("convert")["conversions"][0]["format"], target);
    }
}

/// The first good fixture of each format that is one.
fn a_file_of_each_format() -> Vec<String> {
    let mut found = BTreeMap::new();
    for format in names_in(&testdata().join("..")) {
        let folder = format!("../{format}/ok");
        let path = testdata().join(&folder);
        for name in if path.is_dir() { names_in(&path) } else { Vec::new() } {
            let file = format!("{folder}/{name}");
            let Ok(bytes) = fs::read(testdata().join(&file)) else { continue };
            if let Some(first) = anim_formats::detect(&bytes, Some(&file)).first() {
                found.entry(first.format.id()).or_insert(file);
            }
        }
    }
    found.into_values().collect()
}

#[test]
fn codes_are_explained() {
    assert_runs!(
        "explain",
        [
            "check --explain amo-number",
            "check --explain amo-number --json",
            "check --explain unreadable",
            "check --explain amo-nubmer",
            "check --explain quaternion",
            "check --explain \u{1b}[2J"
        ]
        .map(animfmt)
    );
    let codes = anim_formats::all_codes();
    assert!(codes.len() > 50);
    for code in codes {
        let line = format!("check --json --explain {}", code.id);
        let json = animfmt(line).exits(0).json("explain");
        assert_eq!(json["codes"][0]["meaning"], code.meaning);
    }
}
