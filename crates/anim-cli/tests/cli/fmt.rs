//! `animfmt fmt`

use std::fs;
use std::io::Write as _;
use std::process::Stdio;

use crate::{animfmt, assert_runs, command, names_in, testdata};

const LOOSE: &str = "ao  x\r\n\r\n\r\n  v 0  0 0 # c\r\n";
const CANONICAL: &str = "ao x\n\nv 0 0 0 # c\n";

#[test]
fn for_people() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(path("loose.amo"), LOOSE).unwrap();
    fs::write(path("fine.amo"), CANONICAL).unwrap();
    fs::write(path("wrong.amo"), "v 0 0 0\nf 1 2\n").unwrap();
    fs::write(path("lamp.stt"), "#MINDRENDER 1.1 1 {a} SINGLE 1 {n} STATIC 1 2 3 4 5 6 7 8 9")
        .unwrap();
    fs::write(path("a.kanim"), "<animation ><frame time='0' url='a.x3d'></frame></animation>")
        .unwrap();
    assert_runs!(
        "fmt",
        Some(folder.path()),
        [
            animfmt([
                "fmt",
                "--check",
                &path("loose.amo"),
                &path("fine.amo"),
                &path("lamp.stt"),
                &path("a.kanim")
            ]),
            animfmt(["fmt", "--stdout", &path("loose.amo")]),
            animfmt(["fmt", &path("lamp.stt"), "-o", &path("out.stt")]),
            animfmt(["fmt", &path("lamp.stt"), "-o", &path("out.stt")]),
            animfmt([
                "fmt",
                &path("loose.amo"),
                &path("fine.amo"),
                &path("wrong.amo"),
                &path("lamp.stt"),
                &path("a.kanim")
            ]),
            animfmt([
                "fmt",
                "--check",
                &path("loose.amo"),
                &path("fine.amo"),
                &path("lamp.stt"),
                &path("a.kanim"),
                &path("out.stt")
            ]),
            animfmt(["fmt", "../castle/ok/frames/high.x3d"]),
            animfmt(["fmt", "--json", "--check", &path("fine.amo"), &path("wrong.amo")]),
        ]
    );
    assert_eq!(fs::read_to_string(path("loose.amo")).unwrap(), CANONICAL);
    assert_eq!(fs::read_to_string(path("wrong.amo")).unwrap(), "v 0 0 0\nf 1 2\n");
    assert_eq!(fs::read(path("lamp.stt")).unwrap(), fs::read(path("out.stt")).unwrap());
    assert_eq!(names_in(folder.path()).len(), 6, "nothing else is left behind");
}

#[test]
fn in_json() {
    let json = animfmt([
        "fmt",
        "--json",
        "--check",
        "ok/spec.amo",
        "ok/crlf.amo",
        "err/O07_one_corner.amo",
    ])
    .exits(1)
    .json("fmt");
    let changed: Vec<_> =
        json["files"].as_array().unwrap().iter().map(|file| file["changed"].as_bool()).collect();
    assert_eq!(changed, [Some(false), Some(true), None]);
}

#[test]
fn through_a_pipe() {
    let mut child =
        command().args(["fmt", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(LOOSE.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(
        (output.status.code(), String::from_utf8(output.stdout).unwrap().as_str()),
        (Some(0), CANONICAL)
    );
}

/// All that is in a folder; what has no canonical form is passed over there.
#[test]
fn folders() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::create_dir(path("sub")).unwrap();
    fs::copy(testdata().join("../tmd/ok/dot.tmd"), path("dot.tmd")).unwrap();
    fs::write(path("sub/loose.amo"), LOOSE).unwrap();
    fs::write(
        path("cuts.anm"),
        "as  arm\nbl a +children +parent\n\tev 1  x\nan 0 1 y\n# c  c \nas leg\nbl b\nan 0 1 y\n",
    )
    .unwrap();
    let run = animfmt(["fmt", &path("")]).exits(0);
    assert!(
        run.stderr().ends_with("2 files: 2 formatted; 1 of other kinds passed over\n"),
        "{}",
        run.shown()
    );
    assert_eq!(fs::read_to_string(path("sub/loose.amo")).unwrap(), CANONICAL);
    let cuts =
        "as arm\nbl a +children +parent\nev 1 x\nan 0 1 y\n\n# c  c\nas leg\nbl b\nan 0 1 y\n";
    assert_eq!(fs::read_to_string(path("cuts.anm")).unwrap(), cuts);
    animfmt(["fmt", "--check", &path("")]).exits(0);
}

/// Binary formats have no canonical form.
#[test]
fn binary_files_are_refused() {
    for file in ["../tmd/ok/dot.tmd", "../tmd-anm/ok/T04_rate_10.anm"] {
        let run = animfmt(["fmt", file]).exits(2);
        assert!(run.stderr().contains("is binary: it has no canonical form"), "{}", run.shown());
    }
}
