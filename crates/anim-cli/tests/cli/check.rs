//! `animfmt check`

use std::fmt::Write as _;

use anim_formats::Format;

use crate::{animfmt, assert_runs, command, names_in, testdata};

#[test]
fn for_people() {
    assert_runs!(
        "check",
        None,
        [
            animfmt(["check", "ok/spec.amo"]),
            animfmt(["check", "err/O01_index_zero.amo"]),
            animfmt(["check", "err/O05_counted_fourteen.amo", "warn/O20_first_key_late.amo"]),
            animfmt(["check", "warn/X10_many_warnings.amo"]),
            animfmt([
                "check",
                "warn/X09_bidi_in_keyword.amo",
                "warn/X09_escape_in_keyword.amo",
                "warn/X09_long_keyword.amo"
            ]),
            animfmt(["check", "err/O28_utf16_le.amo"]),
            animfmt(["check", "err/O28_utf16_le.amo", "none.amo", "ok/O16_parent_zero.amo"]),
            animfmt(["check", "--json", "err/O01_index_zero.amo", "err/O28_utf16_le.amo"]),
        ]
    );
}

#[test]
fn exit_statuses() {
    for (folder, plain, strict) in [("ok", 0, 0), ("warn", 0, 1), ("err", 1, 1)] {
        for name in names_in(&testdata().join(folder))
            .into_iter()
            .filter(|name| name.ends_with(".amo") || name.ends_with(".hnd"))
        {
            let file = format!("{folder}/{name}");
            animfmt(["check", &file]).exits(plain);
            animfmt(["check", "--strict", &file]).exits(strict);
        }
    }
    animfmt(["check", "none"]).exits(2);
    animfmt(["check", "none", "ok/spec.amo"]).exits(1);
}

#[test]
fn places_and_counts_in_json() {
    let json =
        animfmt(["check", "--json", "warn/X10_many_warnings.amo", "none"]).exits(1).json("check");
    let file = &json["files"][0];
    assert_eq!(file["diagnostics"].as_array().unwrap().len(), 10);
    assert_eq!(file["counts"]["amo-keyword"], 40);
    let first = &file["diagnostics"][0];
    let source = std::fs::read(testdata().join("warn/X10_many_warnings.amo")).unwrap();
    let offset = first["offset"].as_u64().unwrap() as usize;
    assert_eq!(&source[offset..offset + first["length"].as_u64().unwrap() as usize], b"huh1");
    assert_eq!(json["files"][1]["diagnostics"][0]["code"], "unreadable");
    assert_eq!(json["files"][1]["counts"]["unreadable"], 1);
}

/// A line of a megabyte costs a line of the terminal, and the place is still counted in the file.
#[test]
fn long_lines_are_cut_around_the_place() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("long.amo");
    let mut text = String::from("ao x\nv 0 0 0\n\tf 1");
    for _ in 0..300_000 {
        text.push_str(" 1");
    }
    writeln!(text, " 77 {}", "1 ".repeat(200_000)).unwrap();
    std::fs::write(&path, text).unwrap();
    let run = animfmt(["check".as_ref(), path.as_os_str()]).exits(1);
    assert!(run.stdout().contains("long.amo:3:600006\n"), "{}", run.stdout());
    assert!(run.stdout().lines().all(|line| line.chars().count() < 160), "{}", run.stdout());
    assert!(run.stdout().contains("…1 1 1 "), "{}", run.stdout());
}

/// What is said of each format, and what is converted to each, fits the schemas.
#[test]
fn all_formats_fit_the_schemas() {
    let folder = tempfile::tempdir().unwrap();
    let mut formats = std::collections::BTreeSet::new();
    for file in a_file_of_each_format() {
        for command in ["info", "check"] {
            let report = animfmt([command, "--json", &file]).exits(0).json(command);
            let report = report.pointer("/files/0").unwrap_or(&report);
            formats.insert(report["format"].as_str().unwrap().to_owned());
        }
    }
    let readable: std::collections::BTreeSet<String> =
        Format::readable().map(|format| format.id().to_owned()).collect();
    assert_eq!(formats, readable);
    for target in Format::writable() {
        let input = if target.id() == "anm-text" {
            "../anm-text/ok/example.anm"
        } else {
            "../stt/ok/lamp_keyframes.stt"
        };
        let out = folder.path().join(target.id());
        let line = [
            "convert",
            "--json",
            input,
            "--to",
            target.id(),
            "--clip",
            "swinging",
            "-o",
            out.to_str().unwrap(),
        ];
        // Without a clip to choose.
        let line = if target.id() == "anm-text" {
            [&line[..5], &line[7..]].concat()
        } else {
            line.to_vec()
        };
        let report = animfmt(line).json("convert");
        assert_eq!(report["conversions"][0]["format"], target.id());
    }
}

/// The first good fixture of each format that is one.
fn a_file_of_each_format() -> Vec<String> {
    let folders = names_in(&testdata().join("..")).into_iter();
    let files = folders.map(|folder| format!("../{folder}/ok")).flat_map(|folder| {
        let path = testdata().join(&folder);
        let names = if path.is_dir() { names_in(&path) } else { Vec::new() };
        names.into_iter().map(move |name| format!("{folder}/{name}"))
    });
    let mut found: Vec<(Format, String)> = Vec::new();
    for file in files {
        let Ok(bytes) = std::fs::read(testdata().join(&file)) else { continue };
        let candidates = anim_formats::detect(&bytes, Some(&file));
        if let Some(first) = candidates.first()
            && found.iter().all(|(format, _)| *format != first.format)
        {
            found.push((first.format, file));
        }
    }
    found.into_iter().map(|(_, file)| file).collect()
}

#[test]
fn codes_are_explained() {
    assert_runs!(
        "explain",
        None,
        [
            animfmt(["check", "--explain", "amo-number"]),
            animfmt(["check", "--explain", "amo-number", "--json"]),
            animfmt(["check", "--explain", "unreadable"]),
            animfmt(["check", "--explain", "amo-nubmer"]),
            animfmt(["check", "--explain", "quaternion"]),
            animfmt(["check", "--explain", "\u{1b}[2J"]),
        ]
    );
    let codes = anim_formats::all_codes();
    assert!(codes.len() > 50);
    for code in codes {
        let json = animfmt(["check", "--json", "--explain", code.id]).exits(0).json("explain");
        assert_eq!(json["meaning"], code.meaning);
    }
}

#[test]
fn colours_only_where_they_are_wanted() {
    let run = |variables: &[(&str, &str)]| {
        let output = command()
            .args(["check", "err/O01_index_zero.amo"])
            .envs(variables.iter().copied())
            .output()
            .unwrap();
        output.stdout.contains(&0x1b)
    };
    assert!(!run(&[]), "no terminal");
    assert!(run(&[("CLICOLOR_FORCE", "1")]));
    assert!(!run(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
}
