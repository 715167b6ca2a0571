//! `animfmt info`

use std::fmt::Write as _;

use crate::fixtures::info_and_check;
use crate::program::{
    Folder, Run, animfmt, assert_runs, command, fixture, list, names_in, testdata,
};

#[test]
fn text_report() {
    assert_runs!(
        "info",
        [
            "info ok/octopus_arm.amo",
            "info ok/two_objects.amo ok/bones_only.amo ok/lines_frames.amo",
            "info warn/X10_many_warnings.amo",
            "info err/O01_index_zero.amo",
            "info err/O28_utf16_be.amo",
            "info ok/none.amo",
            "info ok/spec.amo ok/none.amo",
            "info ok/octopus_arm.png",
            "info --from amo ok/octopus_arm.png",
            "info --dialect vasall ok/spec.amo",
            "info --dialect extobj ok/static.amo"
        ]
        .map(animfmt)
    );
}

/// `info` counts the problems that `check` reports, also those of other files.
#[test]
fn problems_are_those_of_check() {
    let folder =
        Folder::with(&[("fine.amo", "ok/spec.amo"), ("bad.amo", "err/O01_index_zero.amo")]);
    let object = "mtllib x.mtl\nusemtl skin\nao x\nv 0 0 0\n";
    folder.write("image.amo", object);
    folder.write("x.mtl", "newmtl skin\nmap_Kd missing.png\n");
    for command in ["info", "check"] {
        folder.run(&format!("{command} image.amo")).exits(0).out_has("1 warning");
    }
    let run = folder.run("info .").exits(1);
    run.out_has("3 files: 1 fine, 1 with warnings, 1 with errors");
}

#[test]
fn json_report() {
    let one = animfmt("info --json ok/octopus_arm.amo").exits(0);
    one.only("info");
    insta::assert_snapshot!("info_json", one.stdout());

    let files = "ok/spec.amo err/O28_utf16_be.amo err/O01_index_zero.amo none";
    let several = animfmt(format!("info --json {files}")).exits(1).json("info");
    let files = list(&several["files"]);
    assert_eq!(files.len(), 4);
    assert_eq!(files[0]["dialect"], "spec");
    assert!(files[1]["error"].as_str().unwrap().contains("UTF-16"));
    assert_eq!(files[2]["totals"]["errors"], 1);
    assert_eq!(files[3]["file"], "none");

    let missing = animfmt("info --json none").exits(2);
    missing.only("info");
    missing.err_starts("error: none: ");
}

/// Checks all fixtures, including the invalid ones.
#[test]
fn dialects_and_joints_of_every_fixture() {
    let mut files = Vec::new();
    for folder in ["ok", "warn", "err"] {
        let mut names = names_in(&testdata().join(folder));
        names.retain(|name| name.ends_with(".amo") || name.ends_with(".hnd"));
        files.extend(names.into_iter().map(|name| format!("{folder}/{name}")));
    }
    for (info, check) in info_and_check(&files) {
        assert_eq!(info["dialect"], check["dialect"]);
        for skeleton in info["skeletons"].as_array().into_iter().flatten() {
            for (index, joint) in list(&skeleton["joints"]).iter().enumerate() {
                let parent = joint["parent"].as_u64();
                assert!(parent.is_none_or(|parent| parent < index as u64), "{info}");
            }
        }
    }
}

#[test]
fn from_standard_input() {
    for (name, format) in [("ok/spec.amo", "amo"), ("../stt/ok/published_3.stt", "stt")] {
        let source = fixture(name);
        let info = Run::fed(&mut command(), "info --json -", &source).exits(0).only("info");
        assert_eq!([&info["format"], &info["file"]], [format, "-"]);
        assert_eq!(info["bytes"], source.len());
    }
}

/// Long lists are truncated, the indentation of deep trees is limited, and `--all` shows
/// everything.
#[test]
fn long_lists_and_deep_trees() {
    let folder = Folder::new();
    let mut text = String::from("ao chain\nv 0 0 0\nj joint1 -1\n");
    for joint in 2..=200 {
        writeln!(text, "j joint{joint} {}", joint - 1).unwrap();
    }
    for clip in 1..=70 {
        writeln!(text, "a clip{clip}\nap 0 {clip} 0 0 0\nap 1 {clip} 0 1 0").unwrap();
    }
    folder.write("chain.amo", text);
    let cut = folder.run("info chain.amo").exits(0);
    cut.out_has("  … and 140 more joints (use --all to show them)\n70 clips\n");
    cut.out_has("  … and 10 more clips (use --all to show them)\n");
    let all = folder.run("info --all chain.amo").exits(0);
    all.out_has(format!("\n  {}(level 199) joint200\n", "  ".repeat(30))).out_lacks("…");
}

/// BVH: frames, their rate, and how many of the joints are only end sites.
#[test]
fn bvh_frames_and_end_sites() {
    let run = animfmt("info ../bvh/ok/arm.bvh").exits(0);
    run.out_has("skeleton arm: 3 joints, 1 of them an end site\n");
    run.out_has("    3 frames at 30 per second\n");
    let info = animfmt("info --json ../bvh/ok/arm.bvh").exits(0).only("info");
    assert_eq!(info["motion"], serde_json::json!({ "frames": 3, "rate": 30 }));
}
