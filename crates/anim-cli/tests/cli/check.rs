//! `animfmt check`

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anim_formats::Format;
use serde_json::Value;

use crate::program::{Folder, animfmt, assert_runs, fixture, list, names_in, strings, testdata};

#[test]
fn text_report() {
    assert_runs!(
        "check",
        [
            "check ok/spec.amo",
            "check err/O01_index_zero.amo",
            "check err/O05_counted_fourteen.amo warn/O20_first_key_late.amo",
            "check warn/X10_many_warnings.amo",
            "check warn/X09_bidi_in_keyword.amo warn/X09_escape_in_keyword.amo \
             warn/X09_long_keyword.amo",
            "check warn/N01_normals_turned.amo warn/N01_normals_mixed.amo",
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
fn locations_and_counts_in_json() {
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

/// A line of one megabyte is truncated for display, but the column refers to the file.
#[test]
fn long_lines_are_cut_around_the_span() {
    let folder = Folder::new();
    let (before, after) = (" 1".repeat(300_000), "1 ".repeat(200_000));
    folder.write("long.amo", format!("ao x\nv 0 0 0\n\tf 1{before} 77 {after}\n"));
    let run = folder.run("check long.amo").exits(1);
    run.out_has("long.amo:3:600006\n").out_has("…1 1 1 ");
    assert!(run.stdout().lines().all(|line| line.chars().count() < 160), "{}", run.stdout());
}

/// The JSON reports for inputs and outputs of every format conform to the schemas.
#[test]
fn all_formats_conform_to_the_schemas() {
    let mut formats = BTreeSet::new();
    for file in a_file_of_each_format() {
        for command in ["info", "check"] {
            let report = animfmt(format!("{command} --json {file}")).exits(0).only(command);
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
        assert_eq!(folder.animfmt(&line).only("convert")["format"], target);
    }
}

/// Returns the first valid fixture of each format.
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
}

/// Adds the ids of all codes declared in the workspace, with `codes!` or `Code`, except in tests
/// and in examples in comments.
fn codes_in_sources(folder: &Path, ids: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            codes_in_sources(&entry, ids);
        } else if entry.extension().is_some_and(|extension| extension == "rs")
            && !entry.ends_with("tests.rs")
        {
            let text = std::fs::read_to_string(&entry).unwrap();
            let code = text.split("\nmod tests {").next().unwrap();
            let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
            for line in lines {
                let quoted = line.split('"').nth(1).unwrap_or_default();
                let declares = ["Error", "Warning", "Note"]
                    .iter()
                    .any(|severity| line.contains(&format!(" = \"{quoted}\", {severity}, ")));
                if declares || line.trim_start().starts_with("id: \"") {
                    ids.push(quoted.to_owned());
                }
            }
        }
    }
}

#[test]
fn every_code_that_can_be_printed_is_explained() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut ids = Vec::new();
    for folder in std::fs::read_dir(crates).unwrap() {
        codes_in_sources(&folder.unwrap().path().join("src"), &mut ids);
    }
    for known in ["amo-number", "ir-baked", "ir-index", "unreadable", "castle-backwards"] {
        assert!(ids.iter().any(|id| id == known), "{known}");
    }
    // The search must find every declared code.
    for code in anim_formats::all_codes() {
        assert!(ids.iter().any(|id| id == code.id), "{}", code.id);
    }
    let all = animfmt("check --json --explain").exits(0).json("explain");
    let explained: BTreeMap<&str, &Value> =
        list(&all["codes"]).iter().map(|code| (code["code"].as_str().unwrap(), code)).collect();
    for id in ids {
        let code = explained.get(id.as_str()).unwrap_or_else(|| panic!("{id} has no explanation"));
        for part in ["meaning", "action"] {
            assert!(code[part].as_str().unwrap().ends_with('.'), "{id}: {part}");
        }
    }
}

#[test]
fn all_codes_are_listed() {
    let run = animfmt("check --explain").exits(0);
    let json = animfmt("check --explain --json").exits(0).json("explain");
    let listed = strings(&json["codes"], "code");
    let mut codes: Vec<&str> = anim_formats::all_codes().iter().map(|code| code.id).collect();
    codes.extend(anim_preview::CODES.iter().map(|code| code.id));
    codes.push("unreadable");
    assert_eq!(listed, codes);
    for code in codes {
        let lines =
            run.stdout().lines().filter(|line| line.split_whitespace().next() == Some(code));
        assert_eq!(lines.count(), 1, "{code}");
    }
    // Codes are grouped by format.
    let amo = run.stdout().split("Animated OBJ\n").nth(1).unwrap();
    let amo = amo.split("\n\n").next().unwrap();
    let is_of_amo = |line: &str| ["  amo-", "  load-"].iter().any(|start| line.starts_with(start));
    assert!(amo.lines().all(is_of_amo), "{amo}");
    run.out_has("\nTMD ANM, TMD ANC\n").out_has("\nAll formats\n");
}

/// For all fixtures, `--all` lists every diagnostic.
#[test]
fn all_lists_every_diagnostic() {
    let mut more_than_ten = BTreeSet::new();
    for format in ["amo", "anm-text", "bvh", "castle", "gltf", "stt", "tmd", "tmd-anm", "x3d"] {
        let folders = ["ok", "warn", "err"].map(|folder| format!("../{format}/{folder}"));
        let folders = folders.iter().filter(|folder| testdata().join(folder).is_dir());
        let folders: Vec<&str> = folders.map(String::as_str).collect();
        let line = format!("check --all --json {}", folders.join(" "));
        for file in list(&animfmt(line).json("check")["files"]) {
            let counts = file["counts"].as_object().unwrap();
            let count: u64 = counts.values().map(|count| count.as_u64().unwrap()).sum();
            assert_eq!(list(&file["diagnostics"]).len() as u64, count, "{}", file["file"]);
            if counts.values().any(|count| count.as_u64() > Some(10)) {
                more_than_ten.insert(format);
            }
        }
    }
    assert!(more_than_ten.len() >= 2, "{more_than_ten:?}");
    let run = animfmt("check --all warn/X10_many_warnings.amo").exits(0);
    assert_eq!(run.stdout().matches("warning[amo-keyword]").count(), 40);
    run.out_lacks("more amo-keyword");
}

#[test]
fn codes_can_be_ignored() {
    let many = "warn/X10_many_warnings.amo";
    let run = animfmt(format!("check --strict --ignore amo-keyword {many}")).exits(0);
    assert_eq!(run.stdout(), format!("{many}: no problems; 40 ignored (amo-keyword)\n"));
    let error = "err/O01_index_zero.amo";
    let ignore = "--ignore amo-keyword,amo-position-index --ignore amo-first-key";
    let run = animfmt(format!("check {error} {many} {ignore}")).exits(0);
    run.out_has("2 files: no problems; 41 ignored (amo-keyword, amo-position-index)\n");
    let json = animfmt(format!("check --json {error} --ignore amo-position-index")).exits(0);
    let file = json.only("check");
    assert_eq!(file["ignored"], serde_json::json!({ "amo-position-index": 1 }));
    assert!(list(&file["diagnostics"]).is_empty() && file["totals"]["errors"] == 0);
    animfmt(format!("check {error} --ignore amo-keyword")).exits(1);
    animfmt(format!("check {error} --ignore amo-positon-index")).exits(2).err_starts(
        "error: invalid value 'amo-positon-index' for '--ignore <CODE,…>': no code is named or \
         mentions `amo-positon-index`; did you mean amo-position-index",
    );
}

/// `--ignore` names whole codes, unlike `--explain`.
#[test]
fn a_format_cannot_be_ignored() {
    animfmt("check ok/spec.amo --ignore amo").exits(2).err_has("`amo` is only a prefix");
}

#[test]
fn annotations_for_github() {
    assert_runs!(
        "github",
        [
            "check --format github err/O01_index_zero.amo warn/X10_many_warnings.amo none.amo",
            "check --format github -q ../tmd-anm/err/T16_second_key.anm warn/X10_many_warnings.amo",
        ]
        .map(animfmt)
    );
    let json = animfmt("check --format json ok/spec.amo").exits(0);
    assert_eq!(json.stdout(), animfmt("check --json ok/spec.amo").stdout());
}

/// Explanations and messages spell options as on the command line.
#[test]
fn options_are_named_as_on_the_command_line() {
    let codes = animfmt("check --explain --json").exits(0).json("explain");
    for code in list(&codes["codes"]) {
        let text = format!("{} {}", code["meaning"], code["action"]);
        let mut named = text.split("option `").skip(1);
        assert!(named.all(|name| !name.starts_with(char::is_lowercase)), "{code}");
    }
}

/// A word selects the codes of a format, a severity or a category, or searches their text.
#[test]
fn a_word_selects_codes() {
    let codes = |word: &str| {
        let json = animfmt(format!("check --explain {word} --json")).exits(0).json("explain");
        list(&json["codes"]).to_vec()
    };
    let all = codes("loss").len() + codes("warning").len() + codes("amo").len();
    assert!(all > 30, "{all}");
    assert!(codes("loss").iter().all(|code| code["category"] == "loss"));
    assert!(codes("warning").iter().all(|code| code["severity"] == "warning"));
    assert!(codes("amo").iter().all(|code| list(&code["formats"]).contains(&"amo".into())));
    assert!(codes("weight-sum").iter().any(|code| code["code"] == "amo-weight-sum"));
    let listed = animfmt("check --explain limit").exits(0);
    listed.out_has("\nCategories\n  limit          more than the limits allow\n");
    listed.out_lacks("a conversion could not");
    let one = animfmt("check --explain amo-number").exits(0);
    one.out_has(": syntax (does not follow the syntax of the format)\n");
}

/// A missing file is reported in JSON by every subcommand that has a JSON report.
#[test]
fn failures_are_in_json() {
    let folder = Folder::with(&[("fine.amo", "ok/spec.amo")]);
    for (name, line) in [
        ("info", "info none.amo"),
        ("check", "check none.amo"),
        ("fmt", "fmt none.amo"),
        ("convert", "convert none.amo none.glb"),
        ("convert", "split none.glb none.anm -o out.glb"),
        ("diff", "diff none.amo fine.amo"),
        ("diff", "diff fine.amo none.amo"),
        ("sample", "sample none.amo --at 0"),
    ] {
        let report = folder.run(&format!("{line} --json")).exits(2).json(name);
        let error = report.get("error").unwrap_or(&report["files"][0]["error"]);
        assert!(error.as_str().is_some_and(|error| !error.is_empty()), "{line}: {report}");
    }
}

/// A number that cannot be read is one problem, although its normal counts as zero.
#[test]
fn unreadable_normals_are_not_zero() {
    let folder = Folder::new();
    let zero = String::from_utf8(fixture("warn/N02_zero_normal.amo")).unwrap();
    let normal = |line: &str| zero.replace("vn 0 0 0", line);
    for (line, is_zero) in
        [("vn 0 0 0", true), ("vn 0.0 -0 0e3", true), ("vn 0 x 0", false), ("vn 0 0", false)]
    {
        folder.write("a.amo", normal(line));
        let text = folder.run("check a.amo").stdout().to_owned();
        assert_eq!(text.contains("amo-zero-normal"), is_zero, "{line}: {text}");
    }
}

/// What is wrong in a material library is a problem of the OBJ, as for `convert --strict`.
#[test]
fn lines_of_libraries_are_checked() {
    let folder = Folder::new();
    folder.write("a.obj", "mtllib a.mtl\nusemtl red\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    for (line, code) in [
        ("Kd 0.5 x 0.5", "amo-material-line"),
        ("Pm 2", "amo-material-range"),
        ("newmtl red", "amo-material-name"),
    ] {
        folder.write("a.mtl", format!("newmtl red\n{line}\n"));
        folder.run("check --strict a.obj").exits(1).out_has(code);
        folder.run("convert --strict a.obj -o a.glb").exits(1).err_has(code);
    }
}

/// `-q` leaves out what does not decide the exit status.
#[test]
fn quiet_and_strict() {
    let warns = "check warn/O28_bom.amo -q";
    assert_eq!(animfmt(warns).exits(0).stdout(), "");
    animfmt(format!("{warns} --strict")).exits(1).out_has("warning[amo-byte-order-mark]");
    let github = animfmt(format!("{warns} --strict --format github")).exits(1);
    github.out_has("::warning file=");
}

#[test]
fn codes_are_found_by_what_is_done_about_them() {
    animfmt("check --explain removes").exits(0).out_has("amo-byte-order-mark").out_has("bvh-bom");
    animfmt("check --explain dark-ages")
        .exits(2)
        .err_has("no code is named or mentions `dark-ages`");
}

/// What is missing may explain what a closer look would find, so a file that is cut off is not
/// looked at closely, and that it is cut off comes first.
#[test]
fn files_that_are_cut_off_say_so_first() {
    let folder = Folder::new();
    let text = String::from_utf8(fixture("ok/octopus_arm.amo")).unwrap();
    let (before, _) = text.split_once("\na wave").unwrap();
    let (cut, _) = before.rsplit_once(' ').unwrap();
    folder.write("cut.amo", cut);
    let check = folder.run("check --json cut.amo").exits(1).json("check");
    let found = list(&check["files"][0]["diagnostics"]);
    let codes: Vec<&str> = found.iter().map(|found| found["code"].as_str().unwrap()).collect();
    assert!(["amo-truncated", "amo-cut-off"].contains(&codes[0]), "{codes:?}");
    assert!(!codes.contains(&"amo-unskinned") && !codes.contains(&"amo-normals"), "{codes:?}");
}

#[test]
fn several_codes_are_explained() {
    let run = animfmt("check --explain amo-number castle-time").exits(0);
    run.out_has("error[amo-number]").out_has("error[castle-time]");
    let json = animfmt("check --json --explain amo-number castle-time").exits(0).json("explain");
    assert_eq!(list(&json["codes"]).len(), 2);
    animfmt("check --explain amo-number no.amo").exits(2).err_has("--explain CODE takes no files");
}

#[test]
fn annotations_are_not_json() {
    let run = animfmt("check ok/spec.amo --format github --json").exits(2);
    run.err_has("--format github cannot be used with --json");
    animfmt("check ok/spec.amo --format json --json").exits(0).json("check");
}
