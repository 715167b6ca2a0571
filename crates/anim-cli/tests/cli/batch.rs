//! Batches: folders, patterns, several threads.

use std::collections::BTreeSet;
use std::fs;

use crate::program::{Folder, Run, list, strings};

const SPEC: &str = "ok/spec.amo";
const STATIC: &str = "ok/static.amo";
/// A file that can be converted, but has an error.
const FAULTY: &str = "err/O01_index_zero.amo";
/// A file that cannot be converted.
const UNREADABLE: &str = "err/O28_utf16_be.amo";

#[test]
fn a_folder_keeps_its_structure() {
    let folder = Folder::with(&[
        ("in/b/walk.amo", SPEC),
        ("in/b/deep er/run.AMO", STATIC),
        ("in/a.hnd", STATIC),
        ("in/content only", SPEC),
        ("in/b/notes.txt", ""),
        ("in/skin.png", "ok/octopus_arm.png"),
        ("in/.hidden.amo", UNREADABLE),
        ("in/.hidden/x.amo", UNREADABLE),
    ]);
    let run = folder.run("convert in -o out --to glb").exits(0);
    assert_eq!(
        folder.files("out"),
        ["a.glb", "b/deep er/run.glb", "b/walk.glb", "content only.glb"]
    );
    let names: Vec<&str> =
        run.stderr().lines().filter_map(|line| line.split(" (").next()).collect();
    let expected = [
        "wrote out/a.glb",
        "wrote out/b/deep er/run.glb",
        "wrote out/b/walk.glb",
        "wrote out/content only.glb",
        "4 files: 4 converted; 2 other files skipped",
    ];
    assert_eq!(names, expected);
    // An output folder inside the input folder is not searched.
    folder.run("convert in -o in/out --to glb -q").exits(0);
    folder.run("convert in -o in/out --to glb -q --force").exits(0);
    assert_eq!(folder.files("in/out"), folder.files("out"));
}

/// A folder with one file is still treated as a folder.
#[test]
fn a_folder_with_one_file() {
    let folder = Folder::with(&[("in/sub/walk.amo", SPEC), ("one/walk.amo", SPEC)]);
    folder.run("convert in -o out --to glb -q").exits(0);
    assert_eq!(folder.files("out"), ["sub/walk.glb"]);
    folder.run("convert one -o walk.glb -q").exits(0);
    assert!(folder.path("walk.glb").is_file(), "an output path that looks like a file is a file");
    assert_eq!(folder.info("in")["file"], "in/sub/walk.amo");
}

#[test]
fn patterns_not_expanded_by_the_shell() {
    let folder = Folder::with(&[
        ("walk.amo", SPEC),
        ("run.amo", STATIC),
        ("sub/jump.amo", SPEC),
        ("a*[b].amo", SPEC),
        ("ab.amo", FAULTY),
    ]);
    let files = |pattern: &str, status| {
        let json = folder.run(&format!("info --json {pattern}")).exits(status).json("info");
        strings(&json["files"], "file").join(" ")
    };
    assert_eq!(files("[rw]*.amo", 0), "run.amo walk.amo");
    assert_eq!(files("**/*.amo", 1), "a*[b].amo ab.amo run.amo sub/jump.amo walk.amo");
    assert_eq!(files("a*[b].amo", 0), "a*[b].amo", "only the file with that name");
    let run = folder.run("info none*.amo walk.amo").exits(1);
    run.err_starts("error: none*.amo: ").out_has("walk.amo: ");
    folder.run("convert ./*.amo sub -o out --to glb --force -q").exits(1);
    assert_eq!(folder.files("out"), ["a_[b].glb", "ab.glb", "jump.glb", "run.glb", "walk.glb"]);
}

#[test]
fn collisions_are_refused_before_anything_is_written() {
    let folder =
        Folder::with(&[("in/sub/x.amo", SPEC), ("in/a.amo", SPEC), ("more/sub/x.amo", SPEC)]);
    for (line, names) in [
        ("convert in more -o out --to glb", ["in/sub/x.amo", "more/sub/x.amo"]),
        (
            "convert more in/a.amo in/sub/x.amo more -o out --to glb --force",
            ["more/sub/x.amo", "more/sub/x.amo"],
        ),
    ] {
        let run = folder.run(line).exits(2);
        run.err_has(names[0]).err_has(names[1]).err_has("nothing was written");
        assert!(!folder.path("out").exists());
    }
    folder.run("convert in/a.amo more -o out --to glb -q").exits(0);
    assert_eq!(
        folder.files("out"),
        ["a.glb", "sub/x.glb"],
        "equal names in different folders do not collide"
    );
}

#[test]
fn a_bad_file_does_not_stop_the_batch() {
    let folder = Folder::with(&[
        ("in/a.amo", UNREADABLE),
        ("in/b.amo", SPEC),
        ("in/c.amo", FAULTY),
        ("in/d.stt", ""),
        ("in/e.amo", STATIC),
        ("in/f.txt", ""),
    ]);
    let out = |run: &Run| run.stdout().lines().last().unwrap().to_owned();
    let err = |run: &Run| run.stderr().lines().last().unwrap().to_owned();
    for (command, last, says) in [
        (
            "convert in missing.amo -o out --to glb",
            err as fn(&Run) -> String,
            "6 files: 2 converted, 1 with errors, 3 failed",
        ),
        ("info in missing.amo", out, "6 files: 2 fine, 1 with errors, 3 unreadable"),
        ("check in missing.amo", out, "6 files: 1 error; 3 could not be read"),
    ] {
        let run = folder.run(command).exits(1);
        assert_eq!(last(&run), format!("{says}; 1 other file skipped"));
        let errors = run.stderr().lines().filter(|line| line.starts_with("error: "));
        assert_eq!(errors.count(), 3, "{}", run.stderr());
    }
    assert_eq!(folder.files("out"), ["b.glb", "c.glb", "e.glb"]);
    // Only errors are printed, neither losses nor the summary: three failures, and the error in the
    // file that could be read.
    let quiet = folder.run("convert in missing.amo -o out --to glb --force -q").exits(1);
    let lines: Vec<&str> = quiet.stderr().lines().collect();
    assert!(lines.len() == 4 && lines.iter().all(|line| line.starts_with("error")), "{lines:?}");
}

#[test]
fn nothing_to_do() {
    let folder = Folder::with(&[("in/a.txt", ""), ("in/b.txt", ""), ("stt/a.stt", "")]);
    fs::create_dir(folder.path("empty")).unwrap();
    let run = folder.run("info in empty").exits(2);
    assert_eq!(run.stderr(), "error: no supported files in in, empty; 2 other files skipped\n");
    folder.run("convert empty -o out --to glb").exits(2);
    assert!(!folder.path("out").exists());
    folder.run("check stt --from amo").exits(2);
    // Standard input can be read only once.
    folder.run("info - -").exits(2).err_has("standard input");
    folder
        .run("convert in/a.txt in/b.txt --with - -o out/ --to glb")
        .exits(2)
        .err_has("standard input");
}

#[test]
fn the_output_does_not_depend_on_the_number_of_threads() {
    let fixtures =
        ["ok/octopus_arm.amo", STATIC, FAULTY, UNREADABLE, "warn/X10_many_warnings.amo", SPEC];
    let names: Vec<String> = (0..90).map(|number| format!("in/{number:02}.amo")).collect();
    let files: Vec<(&str, &str)> =
        names.iter().map(String::as_str).zip(fixtures.into_iter().cycle()).collect();
    let folder = Folder::with(&files);
    for line in [
        "info in",
        "info in --json",
        "check in",
        "check in --json",
        "convert in -o out --to glb --force",
        "convert in -o out --to gltf --force --json",
    ] {
        let [one, many] =
            ["-j1", "-j8"].map(|threads| folder.run(&format!("{line} {threads}")).exits(1).output);
        assert_eq!(one, many, "{line}");
        assert!(one.stdout.len().max(one.stderr.len()) > 1_000, "{line}");
    }
    assert_eq!(folder.files("out").iter().filter(|name| name.ends_with(".glb")).count(), 75);
}

/// Writes a castle animation whose frames are files in the same folder.
fn animation(folder: &Folder, path: &str, frames: &str) {
    let frame = |(time, url): (usize, &str)| format!("<frame time='{time}' file_name='{url}'/>");
    let frames: String = frames.split(' ').enumerate().map(frame).collect();
    folder.write(path, format!("<animation name='{path}'>{frames}</animation>"));
}

const FRAME: &str = "#VRML V2.0 utf8\nShape { geometry Box { } }\n";

#[test]
fn frames_of_other_files_are_skipped() {
    let folder = Folder::new();
    for name in ["in/walk_1.wrl", "in/walk_2.wrl", "in/tree.wrl", "in/sub/run%201.wrl"] {
        folder.write(&name.replace("%20", " "), FRAME);
    }
    animation(&folder, "in/walk.kanim", "walk_1.wrl walk_2.wrl");
    animation(&folder, "in/run.kanim", "sub/run%201.wrl walk_1.wrl");
    let run = folder.run("convert in -o out --to glb").exits(0);
    assert_eq!(folder.files("out"), ["run.glb", "tree.glb", "walk.glb"]);
    let last = run.stderr().lines().last().unwrap();
    assert_eq!(last, "3 files: 3 converted; 3 files are frames of other files");
    folder.run("convert in/**/*.wrl -o frames --to glb -q").exits(0);
    assert_eq!(folder.files("frames").len(), 4, "without the animations, the frames are inputs");
    folder.run("convert in in/walk_1.wrl -o named --to glb -q").exits(0);
    assert_eq!(folder.files("named").len(), 4, "explicitly named files are inputs");
}

#[test]
fn patterns_keep_folders() {
    let folder =
        Folder::with(&[("in/a/x.amo", SPEC), ("in/b/x.amo", SPEC), ("in/b/c/x.amo", STATIC)]);
    folder.run("convert in/**/*.amo -o out --to glb -q").exits(0);
    assert_eq!(folder.files("out"), ["a/x.glb", "b/c/x.glb", "b/x.glb"]);
    folder.run("convert in/*/x.amo -o one --to glb -q").exits(0);
    assert_eq!(folder.files("one"), ["a/x.glb", "b/x.glb"]);
}

/// `--from` sets the format of named files, and filters the files of folders and patterns.
#[test]
fn from_selects_one_format() {
    let folder = Folder::with(&[
        ("in/a.amo", SPEC),
        ("in/b.stt", "../stt/ok/lamp_keyframes.stt"),
        ("in/c.anm", "../anm-text/ok/example.anm"),
        ("in/d.anm", "../tmd-anm/ok/T04_rate_10.anm"),
        ("in/odd.txt", SPEC),
    ]);
    let files = |line: &str| {
        let json = folder.run(&format!("info --json {line}")).exits(0).json("info");
        strings(&json["files"], "file").join(" ")
    };
    assert_eq!(files("in --from amo"), "in/a.amo in/odd.txt");
    assert_eq!(files("in/* --from tmd-anm"), "in/d.anm", "the other file is text");
    assert_eq!(files("in/odd.txt --from amo"), "in/odd.txt");
    folder.write("in/sub/skin.PNG", "");
    folder.write("in/sub/Makefile", "");
    let ignored = |line: &str| {
        let run = folder.run(&format!("info -v {line}")).exits(0);
        let lines = run.stderr().lines().filter(|line| line.starts_with("ignored"));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let not_amo = "ignored in in, not Animated OBJ (--from amo): 2 .anm, 1 .png, 1 .stt, 1 without \
                   extension";
    assert_eq!(ignored("in --from amo"), [not_amo]);
    let unsupported = "ignored in in/sub, unsupported format: 1 .png, 1 without extension";
    assert_eq!(ignored("in/a.amo in/sub"), [unsupported]);
}

/// Prints one line per file, then one per code.
#[test]
fn problems_of_many_files_are_counted() {
    let folder = Folder::with(&[
        ("data/skins/skin.png", "ok/octopus_arm.png"),
        ("data/in/fine.amo", SPEC),
        ("data/in/faulty.amo", FAULTY),
    ]);
    let model = "mtllib m.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nusemtl m\nf 1/1 2/1 3/1\n";
    for name in ["one", "two"] {
        folder.write(&format!("data/in/{name}.amo"), model);
    }
    folder.write("data/in/m.mtl", "newmtl m\nmap_Kd ../skins/skin.png\n");
    let run = folder.run("convert data/in -o out --to glb").exits(1);
    let lines: Vec<&str> = run.stderr().lines().collect();
    let wrote = lines.iter().filter(|line| line.starts_with("wrote ")).count();
    assert_eq!(wrote, 4, "{lines:#?}");
    run.err_has("wrote out/faulty.glb").err_has("): 1 error");
    run.err_has("warning[load-image-outside]: 2 in 2 files").err_has("): 1 warning\n");
    run.err_has("1 file outside the inputs' own folders was not opened; use --root data\n");
    run.err_lacks("faulty.amo:");
    let run = folder.run("convert data/in -o out --to glb --root data --force").exits(1);
    run.err_lacks("--root").err_lacks("load-image");
    // Nothing outside the folder that the user named is opened.
    let run = folder.run("convert data -o whole --to glb").exits(1);
    run.err_lacks("--root").err_lacks("load-image");
}

/// Material libraries may be anywhere below the root, as frames and images may.
#[test]
fn libraries_below_the_root() {
    let folder = Folder::with(&[("data/looks/skin.png", "ok/octopus_arm.png")]);
    folder.write("data/looks/m.mtl", "newmtl m\nKd 1 0 0\nmap_Kd skin.png\n");
    let model = "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nusemtl m\nf 1/1 2/1 3/1\n";
    folder.write("data/in/a.amo", format!("mtllib ../looks/m.mtl\n{model}"));
    let outside = "warning[amo-library-path]";
    let why = "`../looks/m.mtl` is ignored: it is outside the folder that may be read; allow more \
               with `--root FOLDER`";
    folder.run("check data/in/a.amo").exits(0).out_has(outside).out_has(why).out_has("a.amo:1:8");
    folder.convert("data/in/a.amo -o a.glb").exits(0).err_has(outside).err_has(why);
    assert!(folder.glb_json("a.glb").get("images").is_none());
    let batch = folder.convert("data/in -o out --to glb").exits(0);
    batch.err_has("1 file outside the inputs' own folders was not opened; use --root data\n");
    for args in ["check data/in/a.amo --root data --strict", "check data --strict"] {
        folder.run(args).exits(0);
    }
    for (args, glb) in [
        ("data/in/a.amo -o rooted.glb --root data --strict", "rooted.glb"),
        ("data -o whole --to glb --strict", "whole/in/a.glb"),
    ] {
        folder.convert(args).exits(0).err_lacks("library").err_lacks("image");
        assert_eq!(list(&folder.glb_json(glb)["images"]).len(), 1, "{args}");
    }
    // The root does not contain the library.
    folder.run("check data/in/a.amo --root data/in").exits(0).out_has(outside);
}

#[test]
fn the_summary_says_whether_scenes_were_rotated() {
    let folder =
        Folder::with(&[("in/a.bvh", "../bvh/ok/z_up.bvh"), ("in/b.bvh", "../bvh/ok/z_up.bvh")]);
    let run = folder.run("convert in -o kept --to glb").exits(0);
    run.err_has("note[convert-z-up]: 2 in 2 files; not rotated: --up z rotates them");
    let run = folder.run("convert in -o turned --to glb --up auto").exits(0);
    run.err_has("note[convert-rotated-up]: 2 in 2 files\n").err_lacks("convert-z-up");
}

/// Codes have the same label in the summary of a batch as in a single conversion.
#[test]
fn labels_are_those_of_single_conversions() {
    let folder = Folder::with(&[("a/walk.anm", "../tmd-anm/ok/T04_rate_10.anm")]);
    folder.write("a/run.kanim", "<animation backwards='true'><frame time='0'/></animation>");
    let labels = |run: &Run| -> Vec<String> {
        let labelled = run.stderr().lines().filter_map(|line| Some(line.split_once("]: ")?.0));
        labelled.map(str::to_owned).collect::<BTreeSet<_>>().into_iter().collect()
    };
    let mut single = BTreeSet::new();
    for file in ["a/walk.anm", "a/run.kanim"] {
        single.extend(labels(&folder.run(&format!("convert {file} out.glb --force"))));
    }
    let batch = labels(&folder.run("convert a -o out --to glb"));
    assert_eq!(batch, Vec::from_iter(single));
    assert!(batch.iter().any(|label| label == "note[motion-without-model"), "{batch:?}");
}

#[test]
fn merged_files_are_counted() {
    let folder = Folder::new();
    folder.write("walk_1.wrl", FRAME);
    animation(&folder, "walk.kanim", "walk_1.wrl");
    animation(&folder, "run.kanim", "walk_1.wrl gone.wrl");
    let run = folder.run("convert walk.kanim run.kanim --merge -o all.glb").exits(1);
    run.err_has("2 files: 1 merged, 1 with errors");
    let of = |part: &str| run.stderr().lines().find(|line| line.contains(part)).unwrap().to_owned();
    assert!(of("gone.wrl").contains("]: run.kanim: the frame"), "{}", of("gone.wrl"));
    let fine = folder.run("convert walk.kanim walk.kanim --merge -o two.glb").exits(0);
    fine.err_has("2 files: 2 merged");
    fine.err_has("note[castle-merge-name]: walk.kanim: duplicate animation");
    // Errors beyond those listed still count for their file.
    animation(&folder, "gone.kanim", &["gone.wrl"; 12].join(" "));
    let run = folder.run("convert gone.kanim run.kanim walk.kanim --merge -o 3.glb").exits(1);
    run.err_has("3 files: 1 merged, 2 with errors").err_has("… and 3 more x3d-file");
}

/// A problem in one of several merged files names that file, and no other.
#[test]
fn problems_of_merged_files_name_only_their_file() {
    let folder = Folder::new();
    let skin = "Shape { appearance Appearance { texture ImageTexture { url \"gone.png\" } } \
                geometry Box { } }";
    for of in ["in/a", "in/b"] {
        folder.write(&format!("{of}/plain.wrl"), FRAME);
        folder.write(&format!("{of}/skin.wrl"), format!("#VRML V2.0 utf8\n{skin}\n"));
        animation(&folder, &format!("{of}/stand.kanim"), "plain.wrl");
        animation(&folder, &format!("{of}/walk.kanim"), "skin.wrl");
        let walk = folder.text(&format!("{of}/walk.kanim"));
        let walk = walk.replace("<animation ", "<animation backwards='true' ");
        folder.write(&format!("{of}/walk.kanim"), walk);
    }
    let run = folder.run("convert in --merge --to glb -o out -v").exits(0);
    for of in ["in/a", "in/b"] {
        run.err_has(format!("[load-image-missing]: {of}/walk.kanim: the image `gone.png`"));
        run.err_has(format!("[castle-backwards]: {of}/walk.kanim: `{of}/walk.kanim` is a"));
    }
    run.err_lacks("stand.kanim: the image").err_lacks(".kanim: in/");
    // The same across folders, where the paths of images change.
    let run = folder.run("convert in/a/stand.kanim in/b/walk.kanim --merge -o all.glb").exits(0);
    run.err_has("]: in/b/walk.kanim: the image `../b/gone.png`");
    let file = folder.run("convert in/a --merge -o a.glb --json").exits(0).only("convert");
    for (list_of, code) in [("diagnostics", "load-image-missing"), ("losses", "castle-backwards")] {
        let found = list(&file[list_of]).iter().find(|found| found["code"] == code).unwrap();
        assert_eq!(found["file"], "in/a/walk.kanim", "{found}");
        // The merged document is not a file of the user, so there is no offset.
        assert!(found["offset"].is_null(), "{found}");
    }
}

/// Even losses that concern a whole shape name their input.
#[test]
fn losses_of_merged_files_name_their_input() {
    let folder = Folder::new();
    let moving = |x: u32| {
        format!(
            "#VRML V2.0 utf8\nShape {{ geometry IndexedFaceSet {{ \
             coord Coordinate {{ point [ {x} 0 0, 1 0 0, 0 1 0 ] }} coordIndex [ 0 1 2 -1 ] \
             normal Normal {{ vector [ 0 0 1 0 0 1 0 0 1 ] }} }} }}\n"
        )
    };
    folder.write("walk_1.wrl", FRAME);
    folder.write("run_1.wrl", moving(0));
    folder.write("run_2.wrl", moving(2));
    animation(&folder, "walk.kanim", "walk_1.wrl");
    animation(&folder, "run.kanim", "run_1.wrl run_2.wrl");
    let run =
        folder.run("convert walk.kanim run.kanim --merge --no-morph-normals -o all.glb").exits(0);
    run.err_has("[x3d-morph-normals]: run.kanim: `run_1.wrl`: line 2: the normals of ");
}

#[test]
fn one_line_per_file() {
    let folder = Folder::with(&[("a.amo", SPEC), ("b b.amo", STATIC)]);
    let run = folder.run("info . -1").exits(0);
    let lines: Vec<&str> = run.stdout().lines().collect();
    assert_eq!(lines.len(), 4, "{lines:#?}");
    assert!(lines[0].ends_with("  a.amo") && lines[1].ends_with("  b b.amo"), "{lines:#?}");
    assert!(lines[0].contains("Animated OBJ") && lines[0].contains(" joints"), "{}", lines[0]);
    let name = |line: &str, name: &str| line.find(name).unwrap();
    assert_eq!(name(lines[0], "a.amo"), name(lines[1], "b b.amo"), "{lines:#?}");
    for number in 0..3 {
        folder.write(&format!("in/{number}.amo"), "v 0 0 0\n");
    }
    let hint = "use --all for full reports";
    let long = |line: &str| folder.run(line).exits(0).stdout().contains("no problems");
    assert!(long("info in"), "up to three files get a full report");
    folder.run("info in -1").exits(0).out_lacks(hint);
    folder.write("in/3.amo", "v 0 0 0\n");
    assert!(!long("info in") && long("info in --all"));
    folder.run("info in").exits(0).out_has(hint);
    folder.write("in/deeper/4.amo", "v 0 0 0\n");
    folder.run("info in").exits(0).out_has("  deeper/4.amo\n");
    folder.run("info in a.amo").exits(0).out_has("  in/deeper/4.amo\n");
}
