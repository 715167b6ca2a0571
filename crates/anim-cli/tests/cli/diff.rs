//! `animfmt diff`

use std::fs;

use crate::{animfmt, assert_runs, testdata};

/// A file of the fixtures with another in its place.
fn changed(from: &str, to: &str) -> String {
    let text = fs::read_to_string(testdata().join("ok/octopus_arm.amo")).unwrap();
    assert!(text.contains(from));
    text.replace(from, to)
}

#[test]
fn for_people() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    // A clip of another name, a joint that hangs elsewhere, a key that is gone, and one that is
    // elsewhere.
    fs::write(path("renamed.amo"), changed("a wave\n", "a greet\n")).unwrap();
    fs::write(path("hung.amo"), changed("j arm_8 7\n", "j arm_8 5\n")).unwrap();
    fs::write(path("fewer.amo"), changed("ap 0.25 2 0.00186 0.00046 0.02147\n", "")).unwrap();
    fs::write(
        path("moved.amo"),
        changed("ap 0.25 2 0.00186 0.00046 0.02147\n", "ap 0.25 2 0.5 0.00046 0.02147\n"),
    )
    .unwrap();
    fs::write(
        path("broken.amo"),
        changed("ap 0.25 2 0.00186 0.00046 0.02147\n", "ap 0.25 2 0.00186 0.00046\n"),
    )
    .unwrap();
    fs::create_dir(path("old")).unwrap();
    fs::copy(testdata().join("ok/octopus_arm.amo"), path("old/octopus_arm.amo")).unwrap();
    animfmt(["convert", "ok/octopus_arm.amo", "-o", &path("arm.glb")]).exits(0);
    assert_runs!(
        "diff",
        Some(folder.path()),
        [
            animfmt(["diff", "ok/octopus_arm.amo", &path("arm.glb")]),
            animfmt(["diff", "ok/octopus_arm.amo", &path("renamed.amo")]),
            animfmt(["diff", "ok/octopus_arm.amo", &path("hung.amo")]),
            animfmt(["diff", "ok/octopus_arm.amo", &path("fewer.amo"), "--tolerance", "0.01"]),
            animfmt(["diff", "ok/octopus_arm.amo", &path("moved.amo")]),
            animfmt(["diff", "ok/octopus_arm.amo", &path("broken.amo")]),
            animfmt(["diff", "ok/octopus_arm.amo", "ok/spec.amo"]),
            animfmt(["diff", "../stt/ok/lamp_dynamic.stt", "../stt/ok/lamp_keyframes.stt"]),
            animfmt(["diff", "../anm-text/ok/example.anm", "../anm-text/ok/A06_one_frame.anm"]),
            animfmt(["diff", "ok/octopus_arm.amo", &path("old/octopus_arm.amo")]),
            animfmt(["diff", "ok/octopus_arm.amo", &path("none.amo")]),
            animfmt(["diff", "-", "-"]),
        ]
    );
}

/// What is converted says the same: fixtures of every format, through a GLB.
#[test]
fn conversions_say_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let glb = folder.path().join("out.glb");
    let glb = glb.to_str().unwrap();
    for file in [
        "ok/octopus_arm.amo",
        "../castle/ok/frames_two_colours.castle-anim-frames",
        "../stt/ok/lamp_keyframes.stt",
        "../tmd-anm/ok/T04_rate_10.anm",
    ] {
        animfmt(["convert", file, "-o", glb, "--force"]).exits(0);
        let same = animfmt(["diff", file, glb, "--json"]).exits(0).json("diff");
        assert_eq!(
            (&same["same"], same["differences"].as_array().unwrap().len()),
            (&true.into(), 0)
        );
        assert!(same["compared"]["clips"].as_u64().unwrap() > 0, "{file}");
    }
}

#[test]
fn for_programs() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("moved.amo");
    fs::write(
        &path,
        changed("ap 0.25 2 0.00186 0.00046 0.02147\n", "ap 0.25 2 0.5 0.00046 0.02147\n"),
    )
    .unwrap();
    let json = animfmt(["diff", "--json", "ok/octopus_arm.amo", path.to_str().unwrap()])
        .exits(1)
        .json("diff");
    let pose = &json["differences"][0];
    assert_eq!((&json["same"], &json["counts"]["pose"]), (&false.into(), &1.into()));
    assert_eq!(
        (&pose["kind"], &pose["clip"], &pose["target"], &pose["time"]),
        (&"pose".into(), &"wave".into(), &"arm_2".into(), &0.25.into())
    );
    assert!(pose["gap"]["translation"].as_f64().unwrap() > 0.4);
    let all =
        animfmt(["diff", "--json", "../amo/ok/octopus_arm.amo", "../stt/ok/lamp_keyframes.stt"])
            .exits(1)
            .json("diff");
    assert_eq!(all["compared"]["joints"], 0);
}

/// Names do nothing on a terminal.
#[test]
fn names_are_escaped() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hostile.amo");
    fs::write(&path, changed("a wave\n", "a \u{1b}[2J\n")).unwrap();
    let run = animfmt(["diff", "ok/octopus_arm.amo", path.to_str().unwrap()]).exits(1);
    assert!(
        !run.stdout().contains('\u{1b}')
            && run.stdout().contains("clip `\\u{1b}[2J`: only in hostile.amo"),
        "{}",
        run.shown()
    );
}
