//! `animfmt info`

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::Stdio;

use crate::{animfmt, assert_runs, command, testdata};

#[test]
fn for_people() {
    assert_runs!(
        "info",
        None,
        [
            animfmt(["info", "ok/octopus_arm.amo"]),
            animfmt(["info", "ok/two_objects.amo", "ok/bones_only.amo", "ok/lines_frames.amo"]),
            animfmt(["info", "warn/X10_many_warnings.amo"]),
            animfmt(["info", "err/O01_index_zero.amo"]),
            animfmt(["info", "err/O28_utf16_be.amo"]),
            animfmt(["info", "ok/none.amo"]),
            animfmt(["info", "ok/spec.amo", "ok/none.amo"]),
            animfmt(["info", "ok/octopus_arm.png"]),
            animfmt(["info", "--from", "amo", "ok/octopus_arm.png"]),
            animfmt(["info", "--dialect", "vasall", "ok/spec.amo"]),
            animfmt(["info", "--dialect", "extobj", "ok/static.amo"]),
        ]
    );
}

#[test]
fn for_programs() {
    let one = animfmt(["info", "--json", "ok/octopus_arm.amo"]).exits(0);
    one.json("info");
    insta::assert_snapshot!("info_json", one.stdout());

    let several = animfmt([
        "info",
        "--json",
        "ok/spec.amo",
        "err/O28_utf16_be.amo",
        "err/O01_index_zero.amo",
        "none",
    ])
    .exits(1)
    .json("info");
    let files = several["files"].as_array().unwrap();
    assert_eq!(files.len(), 4);
    assert_eq!(files[0]["dialect"], "spec");
    assert!(files[1]["error"].as_str().unwrap().contains("UTF-16"));
    assert_eq!(
        (&files[2]["diagnostics"]["errors"], &files[3]["file"]),
        (&1.into(), &"none".into())
    );

    let missing = animfmt(["info", "--json", "none"]).exits(2);
    missing.json("info");
    assert!(missing.stderr().starts_with("error: none: "));
}

/// All fixtures, whatever is wrong with them.
#[test]
fn every_fixture_follows_the_schema() {
    let mut files = Vec::new();
    for folder in ["ok", "warn", "err"] {
        let names = crate::names_in(&testdata().join(folder))
            .into_iter()
            .filter(|name| name.ends_with(".amo") || name.ends_with(".hnd"));
        files.extend(names.map(|name| format!("{folder}/{name}")));
    }
    let info = animfmt(["info", "--json"].into_iter().chain(files.iter().map(String::as_str)))
        .exits(1)
        .json("info");
    let check = animfmt(["check", "--json"].into_iter().chain(files.iter().map(String::as_str)))
        .exits(1)
        .json("check");
    assert_eq!(info["files"].as_array().unwrap().len(), files.len());
    for (info, check) in
        info["files"].as_array().unwrap().iter().zip(check["files"].as_array().unwrap())
    {
        assert_eq!((&info["file"], &info["dialect"]), (&check["file"], &check["dialect"]));
        let parents_first = |skeleton: &serde_json::Value| {
            let joints = skeleton["joints"].as_array().unwrap();
            joints.iter().enumerate().all(|(index, joint)| {
                joint["parent"].as_u64().is_none_or(|parent| parent < index as u64)
            })
        };
        assert!(
            info["skeletons"]
                .as_array()
                .is_none_or(|skeletons| skeletons.iter().all(parents_first)),
            "{info}"
        );
    }
}

#[test]
fn from_standard_input() {
    let source = std::fs::read(testdata().join("ok/spec.amo")).unwrap();
    let mut child = command()
        .args(["info", "--json", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(&source).unwrap();
    let output = child.wait_with_output().unwrap();
    let info: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&info["file"], &info["bytes"]), (&"-".into(), &source.len().into()));
}

/// Long lists are cut, deep trees do not go off to the right, and `--all` shows all.
#[test]
fn long_and_deep() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("chain.amo");
    let mut text = String::from("ao chain\nv 0 0 0\nj joint1 -1\n");
    for joint in 2..=200 {
        writeln!(text, "j joint{joint} {}", joint - 1).unwrap();
    }
    for clip in 1..=70 {
        writeln!(text, "a clip{clip}\nap 0 {clip} 0 0 0\nap 1 {clip} 0 1 0").unwrap();
    }
    std::fs::write(&path, text).unwrap();
    let cut = animfmt(["info".as_ref(), path.as_os_str()]).exits(0);
    assert!(
        cut.stdout().contains("  … and 140 more joints (--all shows them)\n70 clips\n"),
        "{}",
        cut.stdout()
    );
    assert!(
        cut.stdout().contains("  … and 10 more clips (--all shows them)\n"),
        "{}",
        cut.stdout()
    );
    let all = animfmt(["info".as_ref(), "--all".as_ref(), path.as_os_str()]).exits(0);
    assert!(
        all.stdout().contains(&format!("\n  {}(level 199) joint200\n", "  ".repeat(30))),
        "{}",
        all.stdout()
    );
    assert!(!all.stdout().contains('…'));
}
