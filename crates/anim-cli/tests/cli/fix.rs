//! `animfmt check --fix`

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use crate::{Run, animfmt, assert_runs, testdata};

const BROKEN: &str = "ao x\r\nv 0 0 0\r\nJ a -1\r\nvj 1 0 0 0\r\nvw\t0.5 0 0 0 # c\r\nwobble\r\na \
                      c\r\nap 1 1 0 0 0\r\nap 0 1 0 0 0";
const MENDED: &str = "ao x\r\nv 0 0 0\r\nj a -1\r\nvj 1 0 0 0\r\nvw\t1 0 0 0 # c\r\nwobble\r\na \
                      c\r\nap 0 1 0 0 0\r\nap 1 1 0 0 0";

fn check(path: &Path, options: &[&str]) -> Run {
    animfmt(
        [OsStr::new("check"), path.as_os_str()].into_iter().chain(options.iter().map(OsStr::new)),
    )
}

#[test]
fn for_people() {
    let folder = tempfile::tempdir().unwrap();
    let (broken, flood, masked) = (
        folder.path().join("broken.amo"),
        folder.path().join("flood.amo"),
        folder.path().join("masked.amo"),
    );
    fs::write(&broken, BROKEN).unwrap();
    fs::write(&flood, format!("v 0 0 0\n{}", "F 1 1 1\n".repeat(1_000))).unwrap();
    fs::write(&masked, "v 0 0 0\nF 1 2 3\n").unwrap();
    assert_runs!(
        "fix",
        Some(folder.path()),
        [
            check(&broken, &["--fix", "--dry-run"]),
            check(&broken, &["--fix"]),
            check(&broken, &["--fix"]),
            check(&flood, &["--fix"]),
            check(&masked, &["--fix"])
        ]
    );
    assert_eq!(fs::read_to_string(&broken).unwrap(), MENDED);
    assert_eq!(
        fs::read_to_string(&flood).unwrap(),
        format!("v 0 0 0\n{}", "f 1 1 1\n".repeat(1_000))
    );
    assert_eq!(fs::read_to_string(&masked).unwrap(), "v 0 0 0\nF 1 2 3\n");
}

#[test]
fn for_programs() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("broken.amo");
    fs::write(&path, BROKEN).unwrap();
    let plain = check(&path, &["--json"]).exits(0).json("check");
    let found = plain["files"][0]["diagnostics"].as_array().unwrap();
    let keyword = found.iter().find(|found| found["message"] == "unknown keyword `J`").unwrap();
    assert_eq!(
        (&keyword["fix"]["offset"], &keyword["fix"]["length"], &keyword["fix"]["replacement"]),
        (&15.into(), &1.into(), &"j".into())
    );
    assert!(plain["files"][0].get("fixed").is_none());

    let dry = check(&path, &["--json", "--fix", "--dry-run"]).exits(0).json("check");
    assert_eq!(fs::read_to_string(&path).unwrap(), BROKEN);
    let fixed = check(&path, &["--json", "--fix"]).exits(0).json("check");
    assert_eq!(dry, fixed);
    let file = &fixed["files"][0];
    assert_eq!((&file["fixed"], file["repairs"].as_array().unwrap().len()), (&3.into(), 3));
    assert_eq!(file["counts"], serde_json::json!({ "amo-keyword": 1 }), "what nobody knows");
    let again = check(&path, &["--json", "--fix"]).exits(0).json("check");
    assert_eq!(again["files"][0]["fixed"], 0);
}

/// A file that cannot be repaired in its bytes is an error, and stays.
#[test]
fn other_encodings_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.castle-anim-frames");
    let text = "\u{feff}<animation loop='1'><frame time='0'><X3D/></frame></animation>";
    let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    fs::write(&path, &utf16).unwrap();
    let run = check(&path, &["--fix"]).exits(1);
    assert!(
        run.stderr().contains("nothing was repaired: it is compressed or not in UTF-8"),
        "{}",
        run.shown()
    );
    assert_eq!(fs::read(&path).unwrap(), utf16);
    let json = check(&path, &["--fix", "--json"]).exits(1).json("check");
    assert!(json["files"][0]["not_fixed"].is_string());
}

#[cfg(unix)]
#[test]
fn permissions_stay() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let folder = tempfile::tempdir().unwrap();
    let (path, link) = (folder.path().join("a.amo"), folder.path().join("link.amo"));
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    fs::write(&path, BROKEN).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    check(&path, &["--fix"]).exits(0);
    assert_eq!((mode(&path), fs::read_to_string(&path).unwrap()), (0o640, MENDED.to_owned()));

    fs::write(&path, BROKEN).unwrap();
    symlink(&path, &link).unwrap();
    let run = check(&link, &["--fix"]).exits(2);
    assert!(
        run.stderr().contains("it is a symbolic link; name the file itself"),
        "{}",
        run.shown()
    );
    fs::set_permissions(&path, fs::Permissions::from_mode(0o440)).unwrap();
    check(&path, &["--fix"]).exits(2);
    assert_eq!(fs::read_to_string(&path).unwrap(), BROKEN);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing else is left behind");
}

/// What a file holds does nothing on a terminal, in the difference either.
#[test]
fn control_characters_are_shown() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.amo");
    fs::write(&path, "v 0 0 0\n# \u{1b}[2J\nF 1 1 1 # \u{1b}]0;x\u{7}\n").unwrap();
    let run = check(&path, &["--fix", "--dry-run"]).exits(0);
    assert!(
        !run.stdout().contains('\u{1b}') && run.stdout().contains("+f 1 1 1 # \\u{1b}]0;x\\u{7}"),
        "{}",
        run.shown()
    );
}

/// The fixtures as they are: nothing but copies is written.
#[test]
fn fixtures_twice() {
    let folder = tempfile::tempdir().unwrap();
    let mut changed = 0;
    for name in [
        "warn/O12_sum_two.amo",
        "warn/O21_unsorted.amo",
        "ok/spec.amo",
        "../stt/err/S13_keyword_misspelt.stt",
        "../castle/ok/file_name.castle-anim-frames",
    ] {
        let source = testdata().join(name);
        let path = folder.path().join(source.file_name().unwrap());
        fs::copy(&source, &path).unwrap();
        check(&path, &["--fix"]);
        let once = fs::read(&path).unwrap();
        check(&path, &["--fix"]);
        assert_eq!(once, fs::read(&path).unwrap(), "{name}");
        changed += usize::from(once != fs::read(&source).unwrap());
    }
    assert_eq!(changed, 4);
}
