//! Runs every command on every fixture with errors. An error in the input results in exit status 1,
//! whatever the command, and with `--strict`, nothing is written.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::program::{Folder, Run, animfmt, list, names_in, testdata};

/// The formats that can be written.
const OUTPUTS: [&str; 11] =
    ["amo", "anm-text", "bvh", "castle", "stt", "tmd-anm", "glb", "gltf", "cast", "dot", "mermaid"];

/// Returns whether a report counts errors in a file, or gives the reason for a missing result.
fn has_errors(report: &Value) -> bool {
    report["error"].is_string() || report["totals"]["errors"].as_u64() > Some(0)
}

/// Runs all commands on the files with these extensions in the `err` folder of a format.
fn every_route(folder: &str, from: &str, extensions: &[&str], more_than: usize) {
    let mut files = BTreeMap::new();
    for name in names_in(&testdata().join(format!("../{folder}/err"))) {
        let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension).to_owned();
        if extensions.contains(&extension.as_str()) {
            let paths: &mut Vec<String> = files.entry(extension).or_default();
            paths.push(format!("../{folder}/err/{name}"));
        }
    }
    assert!(files.values().map(Vec::len).sum::<usize>() > more_than);
    for paths in files.values() {
        let all = paths.join(" ");
        let reported = |command: &str| {
            let run = animfmt(format!("{command} --json --from {from} {all}")).exits(1);
            for report in list(&run.json(command.split(' ').next().unwrap())["files"]) {
                assert!(has_errors(report), "{command}: {}", report["file"]);
            }
        };
        reported("check");
        reported("fmt --check");
        for to in OUTPUTS {
            converted(&format!("--to {to}"), from, &all);
        }
        if from == "castle" {
            for options in ["--inline", "--extract", "--minify", "--inline --minify"] {
                converted(&format!("--to castle {options}"), from, &all);
            }
            merged(&all);
        }
        for path in paths {
            let line = |arguments: &str| arguments.replace("FILE", path).replace("FROM", from);
            animfmt(line("sample --at 0 --from FROM FILE")).exits(1);
            let folder = Folder::new();
            std::fs::create_dir(folder.path("strict")).unwrap();
            let fails = |arguments: &str| folder.animfmt(&line(arguments)).exits(1);
            fails("split FILE ../cookbook/cuts.anm OUT/split.glb");
            fails("split --strict FILE ../cookbook/cuts.anm OUT/strict/split.glb");
            fails("split ../cookbook/reed.amo FILE OUT/cut.glb");
            fails("split --strict ../cookbook/reed.amo FILE OUT/strict/cut.glb");
            assert_eq!(folder.files("strict"), [""; 0], "{path}");
        }
    }
}

/// Converts all files at once: each has errors, and `--strict` writes nothing.
fn converted(options: &str, from: &str, files: &str) {
    let folder = Folder::new();
    let convert = |out: &str, strict: &str| -> Run {
        let line = format!("convert --json{strict} --from {from} {options} -o OUT/{out}/ {files}");
        folder.animfmt(&line).exits(1)
    };
    for report in list(&convert("loose", "").json("convert")["files"]) {
        assert!(has_errors(report), "{options}: {}", report["file"]);
    }
    convert("strict", " --strict");
    let strict = folder.path("strict");
    assert!(!strict.exists() || folder.files("strict").is_empty(), "{from} {options}");
}

/// Merges all files that can be read into one.
fn merged(files: &str) {
    let folder = Folder::new();
    let is_read = |path: &&str| {
        let check = animfmt(format!("check --json --from castle {path}")).only("check");
        !check["error"].is_string()
    };
    let readable: Vec<&str> = files.split(' ').filter(is_read).collect();
    assert!(!readable.is_empty());
    for path in readable {
        let merge = |name: &str, options: &str| {
            folder
                .animfmt(&format!("convert --merge {options} {path} -o OUT/{name}.kanim"))
                .exits(1)
        };
        merge("loose", "--force");
        merge("strict", "--strict");
        assert!(!folder.path("strict.kanim").exists(), "{path}");
    }
}

/// Errors inside the frames of an animation are errors of the file, inline or not.
#[test]
fn errors_in_frames() {
    let folder = Folder::new();
    let scene = "<X3D><Scene><Shape><IndexedFaceSet coordIndex='0 1 7 -1'><Coordinate point='0 0 \
                 0, 1 0 0, 0 1 0'/></IndexedFaceSet></Shape></Scene></X3D>";
    folder.write("in/a.x3d", scene);
    folder.write(
        "in/inline.kanim",
        format!("<animation><frame time='0'>{scene}</frame></animation>"),
    );
    folder.write("in/url.kanim", "<animation><frame time='0' url='a.x3d'/></animation>");
    std::fs::create_dir(folder.path("strict")).unwrap();
    for name in ["inline", "url"] {
        let path = format!("in/{name}.kanim");
        folder.run(&format!("check {path}")).exits(1);
        let formatted = folder.run(&format!("fmt --stdout {path}")).exits(1);
        assert_eq!(formatted.stdout(), "");
        for options in ["", "--inline", "--extract", "--minify", "--merge"] {
            let run = |arguments: &str| {
                let line = format!("convert {path} {options} {arguments}").replace("  ", " ");
                folder.run(&line).exits(1).err_has("index");
            };
            run("--force -o in/out.kanim");
            run("--force --to glb -o in/out.glb");
            run("--strict -o strict/out.kanim");
            assert_eq!(folder.files("strict"), [""; 0], "{path} {options}");
        }
    }
}

macro_rules! routes {
    ($(
        $name:ident: $folder:literal as $from:literal, $extensions:expr, more than $count:literal;
    )+) => {$(
        #[test]
        fn $name() {
            every_route($folder, $from, &$extensions, $count);
        }
    )+};
}

routes! {
    amo: "amo" as "amo", ["amo", "hnd"], more than 50;
    anm_text: "anm-text" as "anm-text", ["anm"], more than 30;
    bvh: "bvh" as "bvh", ["bvh"], more than 20;
    castle: "castle" as "castle", ["castle-anim-frames", "kanim"], more than 80;
    gltf: "gltf" as "gltf", ["gltf", "glb"], more than 50;
    stt: "stt" as "stt", ["stt"], more than 50;
    tmd: "tmd" as "tmd", ["tmd"], more than 10;
    tmd_anm: "tmd-anm" as "tmd-anm", ["anm"], more than 20;
    tmd_anc: "tmd-anm" as "tmd-anc", ["anc"], more than 3;
    x3d: "x3d" as "x3d", ["x3d", "x3dv", "wrl"], more than 50;
}
