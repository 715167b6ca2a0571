//! `info` and `check` on all fixtures, including the invalid ones.

use serde_json::Value;

use crate::program::{animfmt, list, names_in, testdata};

/// Runs `info` and `check` once each on all files. Returns both reports for each file.
pub(crate) fn info_and_check(files: &[String]) -> Vec<(Value, Value)> {
    let [info, check] = ["info", "check"].map(|command| {
        let line = format!("{command} --json {}", files.join(" "));
        list(&animfmt(line).exits(1).json(command)["files"]).to_vec()
    });
    assert_eq!([info.len(), check.len()], [files.len(); 2]);
    let both: Vec<(Value, Value)> = info.into_iter().zip(check).collect();
    assert!(both.iter().all(|(info, check)| info["file"] == check["file"]));
    both
}

/// Reports conform to the schemas, and the exit status matches the fixture's folder.
#[test]
fn exit_statuses_and_schemas() {
    for (format, extension, from, more_than) in [
        ("amo", ".amo", "", 150),
        ("amo", ".hnd", "", 1),
        ("stt", ".stt", "--from stt ", 150),
        ("tmd-anm", ".anm", "--from tmd-anm ", 100),
        ("tmd-anm", ".anc", "--from tmd-anc ", 20),
        ("tmd", ".tmd", "--from tmd ", 50),
        ("gltf", ".gltf", "--from gltf ", 100),
    ] {
        let mut seen = 0;
        for (folder, status, strict) in [("ok", 0, 0), ("warn", 0, 1), ("err", 1, 1)] {
            let folder = format!("../{format}/{folder}");
            let names = names_in(&testdata().join(&folder)).into_iter();
            for name in names.filter(|name| name.ends_with(extension)) {
                let path = format!("{from}{folder}/{name}");
                let [info, check] = ["info", "check"].map(|command| {
                    animfmt(format!("{command} --json {path}")).exits(status).only(command)
                });
                // Valid files may have warnings, except in Animated OBJ.
                if strict == 1 || format == "amo" {
                    // The image of one fixture is missing.
                    let ignored = "--ignore load-image-missing";
                    animfmt(format!("check --strict {ignored} {path}")).exits(strict);
                }
                assert_eq!(check["error"].is_string(), info["error"].is_string(), "{path}");
                assert!(strict == 0 || !list(&check["diagnostics"]).is_empty(), "{path}");
                seen += 1;
            }
        }
        assert!(seen > more_than, "{format}: {seen}");
    }
}
