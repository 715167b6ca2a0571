//! `animfmt check --fix`

use std::fs;

use serde_json::json;

use crate::program::{Folder, assert_runs, fixture, list};

const BROKEN: &str = "ao x\r\nv 0 0 0\r\nJ a -1\r\nvj 1 0 0 0\r\nvw\t0.5 0 0 0 # c\r\nwobble\r\na \
                      c\r\nap 1 1 0 0 0\r\nap 0 1 0 0 0\r\n";
const MENDED: &str = "ao x\r\nv 0 0 0\r\nj a -1\r\nvj 1 0 0 0\r\nvw\t1 0 0 0 # c\r\nwobble\r\na \
                      c\r\nap 0 1 0 0 0\r\nap 1 1 0 0 0\r\n";

/// A file from the Vasall engine, whose weights may have any sum, but without the joints and keys
/// that would reveal the dialect.
const CUT_OFF: &str = "ao x\nV 0 0 0\nvj 0 3 -1 -1\nvw 0.9 0.4 0 0\nvw 0.8 0.7 0 0\n";

#[test]
fn text_report() {
    let folder = Folder::new();
    folder.write("broken.amo", BROKEN);
    folder.write("flood.amo", format!("v 0 0 0\n{}", "F 1 1 1\n".repeat(1_000)));
    folder.write("masked.amo", "ao x\nV 0 0 0\nF 1 2 3\n");
    folder.write("cut.amo", CUT_OFF);
    assert_runs!(
        "fix",
        [
            "check OUT/broken.amo --fix --dry-run",
            "check OUT/broken.amo --fix",
            "check OUT/broken.amo --fix",
            "check OUT/flood.amo --fix",
            "check OUT/masked.amo --fix",
            "check OUT/cut.amo --fix",
        ]
        .map(|line| folder.animfmt(line))
    );
    assert_eq!(folder.text("broken.amo"), MENDED);
    assert_eq!(folder.text("flood.amo"), format!("v 0 0 0\n{}", "f 1 1 1\n".repeat(1_000)));
    assert_eq!(folder.text("masked.amo"), "ao x\nv 0 0 0\nF 1 2 3\n");
    assert_eq!(folder.text("cut.amo"), CUT_OFF);
}

#[test]
fn json_report() {
    let folder = Folder::new();
    folder.write("broken.amo", BROKEN);
    let check = |options: &str| {
        let json = folder.run(&format!("check broken.amo --json{options}")).exits(0).json("check");
        json["files"][0].clone()
    };
    let plain = check("");
    let mut found = list(&plain["diagnostics"]).iter();
    let keyword = found.find(|found| found["message"] == "unknown keyword `J`").unwrap();
    let fix = &keyword["fix"];
    assert_eq!([&fix["offset"], &fix["length"]], [15, 1]);
    assert_eq!(fix["replacement"], "j");
    assert!(plain.get("fixed").is_none());

    let mut dry = check(" --fix --dry-run");
    assert_eq!(folder.text("broken.amo"), BROKEN);
    let mut fixed = check(" --fix");
    assert_eq!([&dry["fixed"], &dry["would_fix"]], [0, 3]);
    assert_eq!(fixed["fixed"], 3);
    // In a dry run, locations are those in the file as it is: the repaired weight is two bytes
    // shorter.
    let offset = |report: &serde_json::Value| report["diagnostics"][0]["offset"].as_u64().unwrap();
    assert_eq!(offset(&dry), BROKEN.find("wobble").unwrap() as u64);
    assert_eq!(offset(&fixed), offset(&dry) - 2);
    dry["diagnostics"][0]["offset"] = fixed["diagnostics"][0]["offset"].clone();
    for report in [&mut dry, &mut fixed] {
        report.as_object_mut().unwrap().retain(|key, _| !["fixed", "would_fix"].contains(&&**key));
    }
    assert_eq!(dry, fixed);
    assert_eq!(list(&fixed["repairs"]).len(), 3);
    assert_eq!(fixed["counts"], json!({ "amo-keyword": 1 }), "only unknown keywords remain");
    assert_eq!(check(" --fix")["fixed"], 0);

    folder.write("masked.amo", "ao x\nV 0 0 0\nF 1 2 3\n");
    let json = folder.run("check masked.amo --fix --json").exits(1).json("check");
    let masked = &json["files"][0];
    assert_eq!((&masked["fixed"], list(&masked["left_out"]).len()), (&1.into(), 1));
    let left_out = &masked["left_out"][0];
    assert_eq!([&left_out["line"], &left_out["round"]], [3, 0]);
    assert_eq!(left_out["why"], "it would introduce 2 amo-position-index");
}

/// A file that cannot be repaired because of its encoding is an error, and is not changed.
#[test]
fn other_encodings_are_refused() {
    let folder = Folder::new();
    let text = "\u{feff}<animation loop='1'><frame time='0'><X3D/></frame></animation>";
    let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    folder.write("a.kanim", &utf16);
    let run = folder.run("check a.kanim --fix").exits(1);
    run.err_has("nothing was repaired: the file is compressed or not in UTF-8");
    assert_eq!(folder.read("a.kanim"), utf16);
    let json = folder.run("check a.kanim --fix --json").exits(1).json("check");
    assert!(json["files"][0]["not_fixed"].is_string());
}

#[cfg(unix)]
#[test]
fn permissions_are_kept() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let folder = Folder::new();
    let path = folder.path("a.amo");
    let set_mode = |mode| fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
    folder.write("a.amo", BROKEN);
    set_mode(0o640);
    folder.run("check a.amo --fix").exits(0);
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
    assert_eq!(folder.text("a.amo"), MENDED);

    folder.write("a.amo", BROKEN);
    symlink(&path, folder.path("link.amo")).unwrap();
    let run = folder.run("check link.amo --fix").exits(2);
    run.err_has("it is a symbolic link; name the file itself");
    set_mode(0o440);
    folder.run("check a.amo --fix").exits(2);
    assert_eq!(folder.text("a.amo"), BROKEN);
    assert_eq!(folder.names("").len(), 2, "nothing else is left behind");
}

/// Control characters in a file are escaped, including in the diff.
#[test]
fn control_characters_are_escaped() {
    let folder = Folder::new();
    folder.write("a.amo", "v 0 0 0\n# \u{1b}[2J\nF 1 1 1 # \u{1b}]0;x\u{7}\n");
    let run = folder.run("check a.amo --fix --dry-run").exits(0);
    run.out_lacks("\u{1b}").out_has("+f 1 1 1 # \\u{1b}]0;x\\u{7}");
}

/// Repairs copies of the fixtures; the fixtures themselves are not changed.
#[test]
fn fixtures_twice() {
    let mut changed = 0;
    for path in [
        "warn/O12_sum_two.amo",
        "warn/O21_unsorted.amo",
        "ok/spec.amo",
        "../stt/err/S13_keyword_misspelt.stt",
        "../castle/ok/file_name.castle-anim-frames",
    ] {
        let (_, name) = path.rsplit_once('/').unwrap();
        let folder = Folder::with(&[(name, path)]);
        let fixed = || {
            folder.run(&format!("check {name} --fix"));
            folder.read(name)
        };
        let once = fixed();
        assert_eq!(once, fixed(), "{name}");
        changed += usize::from(once != fixture(path));
    }
    assert_eq!(changed, 4);
}

/// A dry run changes nothing, so the file still has its errors, and lines are quoted from it.
#[test]
fn a_dry_run_exits_as_for_the_file_as_it_is() {
    let folder = Folder::new();
    let frames = "<frame time=\"0\"><X3D><Scene/></X3D></frame></animation>";
    let file = format!("<animations>\n<animation name=\"a & b\">{frames}\n</animations>\n");
    folder.write("a.kanim", &file);
    folder.run("check a.kanim").exits(1);
    let run = folder.run("check a.kanim --fix --dry-run").exits(1);
    run.out_has("1 would be repaired; 1 note left");
    run.out_has(" --> a.kanim:2:1\n").out_has("\n2 | <animation name=\"a & b\"><frame");
    folder.run("check a.kanim --fix --dry-run --ignore castle-name-escape").exits(0);
    let json = folder.run("check a.kanim --fix --dry-run --json").exits(1).json("check");
    assert_eq!(json["files"][0]["totals"]["errors"], 0);
    assert_eq!(folder.text("a.kanim"), file);
    folder.run("check a.kanim --fix").exits(0);
}

/// Lines that repairs insert, remove or change do not move what is reported in a dry run.
#[test]
fn locations_in_a_dry_run_are_those_in_the_file() {
    let folder = Folder::new();
    let file = "ao x\nV 0 0 0\nwobble\nJ a -1\nvj 1 0 0 0\nvw 0.25 0 0 0\nwobble # é\na c\n\
                ap 1 1 0 0 0\nap 0 1 0 0 0\nwobble 3\n";
    folder.write("a.amo", file);
    let json = folder.run("check a.amo --fix --dry-run --json").json("check");
    let report = &json["files"][0];
    assert!(report["would_fix"].as_u64().unwrap() >= 3, "{report}");
    let found: Vec<_> = list(&report["diagnostics"])
        .iter()
        .filter(|found| found["message"].as_str().unwrap().contains("wobble"))
        .map(|found| (found["offset"].as_u64().unwrap(), found["line"].as_u64().unwrap()))
        .collect();
    let lines = [3, 7, 11];
    let offsets = file.match_indices("wobble").map(|(at, _)| at as u64);
    assert_eq!(found, offsets.zip(lines).collect::<Vec<_>>());
}
