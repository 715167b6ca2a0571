//! `animfmt convert`

use std::fs;

use serde_json::{Value, json};
use test_oracle::amo::generate::large_obj;

use crate::program::{Folder, Run, animfmt, assert_runs, command, fixture, glb_json, list};

/// Runs `convert` in the folder of the fixtures; `OUT` is replaced by the test's folder.
fn convert(out: &Folder, args: &str) -> Run {
    out.animfmt(&format!("convert {args}"))
}

fn gltf_json(folder: &Folder, name: &str) -> Value {
    serde_json::from_slice(&folder.read(name)).unwrap()
}

#[test]
fn one_file() {
    let out = Folder::new();
    assert_runs!(
        "convert_one",
        [
            "ok/octopus_arm.amo -o OUT/a.glb",
            "ok/octopus_arm.amo -o OUT/a.gltf -q",
            "ok/O09_five_entries_lines.amo -o OUT/b.txt --to amo",
            "ok/spec.amo -o OUT",
            "ok/spec.amo -o OUT --to glb",
            "ok/spec.amo -o OUT/new/ --to glb",
            "ok/spec.amo -o OUT/c",
            "ok/spec.amo -o OUT/none/c.glb",
            "none.amo -o OUT/c.glb",
            "ok/octopus_arm.png -o OUT/c.glb",
            "err/O01_index_zero.amo -o OUT/d.glb",
            "warn/X10_many_warnings.amo -o OUT/e.glb",
            "warn/X10_many_warnings.amo -o OUT/f.glb --strict -q",
            "ok/spec.amo -o OUT/g.glb --strict",
            "ok/O16_parent_zero.amo -o OUT/h.glb --strict",
        ]
        .map(|args| convert(&out, args))
    );
    let expected = [
        "a.bin", "a.glb", "a.gltf", "b.txt", "d.glb", "e.glb", "g.glb", "h.glb", "new", "spec.glb",
    ];
    assert_eq!(out.names(""), expected, "no temporary file is left");
    out.glb_json("a.glb");
    let buffer = &gltf_json(&out, "a.gltf")["buffers"][0];
    assert_eq!(
        (&buffer["uri"], &buffer["byteLength"]),
        (&"a.bin".into(), &out.read("a.bin").len().into())
    );
    out.run("check b.txt").exits(0);
}

/// Changes to normals are reported, and `--normals` controls them.
#[test]
fn normals_and_the_up_axis() {
    let out = Folder::new();
    let turned = "warn/N01_normals_turned.amo";
    let fixed = convert(&out, &format!("{turned} -o OUT/fixed.glb")).exits(0);
    fixed.err_has("[convert-normals-fixed]: the normals of `crate` were rotated 180° about z");
    let kept = convert(&out, &format!("{turned} -o OUT/kept.glb --normals keep")).exits(0);
    kept.err_lacks("normals");
    assert_ne!(out.read("fixed.glb"), out.read("kept.glb"));
    convert(&out, &format!("{turned} -o OUT/made.glb --normals recompute")).exits(0);
    convert(&out, &format!("{turned} -o OUT/same.amo")).exits(0).err_lacks("normals");
    assert_eq!(out.read("same.amo"), fixture(turned));
    out.write("wall.amo", "o wall\nv -1 -0.1 0\nv 1 -0.1 0\nv 1 0.1 2\nv -1 0.1 2\nf 1 2 3 4\n");
    let run = out.run("convert wall.amo -o wall.glb").exits(0);
    run.err_has("[convert-z-up]: the scene appears to be z-up (the shape starts at z = 0");
    let info = out.run("info --json wall.amo").exits(0).json("info");
    let info = &info["files"][0];
    assert_eq!(info["up"]["axis"], "z");
    assert_eq!(info["up"]["evidence"], "bounds");
    assert_eq!(info["bounds"]["max"][2], 2.0);
    out.run("convert wall.amo -o turned.glb --up z").exits(0).err_lacks("z-up");
}

#[test]
fn image_paths_are_relative_to_the_output() {
    let out = Folder::with(&[
        ("octopus_arm.amo", "ok/octopus_arm.amo"),
        ("octopus_arm.mtl", "ok/octopus_arm.mtl"),
        ("octopus_arm.png", "ok/octopus_arm.png"),
    ]);
    fs::create_dir_all(out.path("far/away")).unwrap();
    out.convert("octopus_arm.amo -o near.glb --external-images").exits(0);
    out.convert("octopus_arm.amo -o far/away/far.gltf").exits(0);
    out.convert("octopus_arm.amo -o far/away/in.glb").exits(0);
    assert_eq!(out.glb_json("near.glb")["images"][0]["uri"], "octopus_arm.png");
    let far = gltf_json(&out, "far/away/far.gltf");
    assert_eq!(far["images"][0]["uri"], "../../octopus_arm.png");
    let image = &out.glb_json("far/away/in.glb")["images"][0];
    assert_eq!((image.get("uri"), &image["mimeType"]), (None, &"image/png".into()));
    let png = out.read("octopus_arm.png");
    let contains = |file: &str| out.read(file).windows(png.len()).any(|window| window == png);
    assert!(contains("far/away/in.glb") && !contains("near.glb"));
    out.convert("octopus_arm.amo -o far/whole.gltf --embed").exits(0);
    assert!(contains("far/whole.bin"));
    out.run("convert octopus_arm.amo -o x.glb --embed --external-images").exits(2);
    // When a GLB with external images is rewritten, the images are embedded if the output is in
    // another folder, and stay external if it is in the same folder.
    out.run("convert near.glb -o far/copy.glb").exits(0);
    assert!(contains("far/copy.glb"));
    out.run("convert near.glb -o same.glb").exits(0);
    assert_eq!(out.read("near.glb"), out.read("same.glb"));
}

#[test]
fn options_affect_the_conversion() {
    let out = Folder::new();
    let made = |args: &str| {
        convert(&out, &format!("{args} --force")).exits(0);
        out.read(args.rsplit('/').next().unwrap().split(' ').next().unwrap())
    };
    let turned = ["y", "z"].map(|up| made(&format!("ok/spec.amo --up {up} -o OUT/x.glb")));
    assert_ne!(turned[0], turned[1]);
    let auto = made("ok/lines_rest.amo -o OUT/x.glb");
    assert_eq!(auto, made("ok/lines_rest.amo --amo-keys delta -o OUT/x.glb"));
    assert_ne!(auto, made("ok/lines_rest.amo --amo-keys parent -o OUT/x.glb"));
    let few = made("ok/lines_rest.amo -o OUT/x.amo");
    assert!(made("ok/lines_rest.amo --fps 120 -o OUT/x.amo").len() > 2 * few.len());
}

#[test]
fn standard_input_and_output() {
    let out = Folder::new();
    let source = fixture("ok/spec.amo");
    let pipe =
        |line: &str| Run::fed(command().current_dir(out.root()), line, &source).exits(0).output;
    let glb = pipe("convert - -o - --to glb").stdout;
    glb_json(&glb);
    pipe("convert - -o x.glb");
    assert_eq!(out.read("x.glb"), glb);
    pipe("convert - -o . --to glb");
    assert_eq!(out.names(""), ["stdin.glb", "x.glb"]);

    let embedded = animfmt("convert ok/octopus_arm.amo -o - --to glb -q").exits(0);
    assert_eq!(glb_json(&embedded.output.stdout)["images"][0]["mimeType"], "image/png");
    assert_runs!(
        "convert_stdout",
        [
            "convert ok/spec.amo -o -",
            "convert ok/spec.amo -o - --to gltf",
            "convert ok/spec.amo -o - --to glb --json",
            "convert ok/spec.amo ok/static.amo -o - --to glb",
            "convert - - -o folder/ --to glb",
        ]
        .map(animfmt)
    );
}

#[test]
fn existing_outputs_are_kept() {
    let out = Folder::new();
    let kept = ["a.glb", "b.bin"];
    kept.iter().for_each(|name| out.write(name, "old"));
    assert_runs!(
        "convert_existing",
        [
            "ok/spec.amo -o OUT/a.glb",
            "ok/spec.amo -o OUT/b.gltf",
            "err/O28_utf16_be.amo -o OUT/a.glb --force",
            "warn/O28_bom.amo -o OUT/a.glb --force --strict",
        ]
        .map(|args| convert(&out, args))
    );
    assert_eq!(out.names(""), kept);
    assert!(kept.iter().all(|name| out.text(name) == "old"));
    convert(&out, "ok/spec.amo -o OUT/a.glb --force").exits(0);
    out.glb_json("a.glb");
}

/// X02: outputs that are the same file as an input, under any name, are rejected.
#[cfg(unix)]
#[test]
fn inputs_are_never_overwritten() {
    let out = Folder::with(&[("a.amo", "ok/spec.amo"), ("b.amo", "ok/static.amo")]);
    fs::hard_link(out.path("a.amo"), out.path("hard.amo")).unwrap();
    std::os::unix::fs::symlink("a.amo", out.path("soft.amo")).unwrap();
    std::os::unix::fs::symlink(".", out.path("here")).unwrap();
    assert_runs!(
        "convert_onto_input",
        [
            "OUT/a.amo -o OUT/a.amo --force",
            "OUT/a.amo -o OUT/hard.amo --force",
            "OUT/a.amo -o OUT/soft.amo --force",
            "OUT/soft.amo -o OUT/a.amo --force",
            "OUT/a.amo -o OUT/here/a.amo --force",
            "OUT/a.amo OUT/b.amo -o OUT --to amo --force",
        ]
        .map(|args| convert(&out, args))
    );
    assert_eq!(out.read("a.amo"), fixture("ok/spec.amo"));
    assert_eq!(out.names(""), ["a.amo", "b.amo", "hard.amo", "here", "soft.amo"]);
}

/// Inputs whose names differ only in the extension are written to different outputs, whatever their
/// order.
#[test]
fn names_that_differ_only_in_the_extension() {
    let out = Folder::with(&[
        ("in/Walk.amo", "ok/spec.amo"),
        ("in/walk.hnd", "ok/static.amo"),
        ("in/walk.hnd.amo", "ok/static.amo"),
        ("in/run.amo", "ok/static.amo"),
    ]);
    let names = ["Walk.amo.glb", "run.glb", "walk.hnd.amo.glb", "walk.hnd.glb"];
    for (number, args) in [
        "OUT/in",
        "OUT/in/walk.hnd.amo OUT/in/walk.hnd OUT/in/run.amo OUT/in/Walk.amo",
        "OUT/in/Walk.amo OUT/in/run.amo OUT/in/walk.hnd.amo OUT/in/walk.hnd",
    ]
    .into_iter()
    .enumerate()
    {
        let run = convert(&out, &format!("{args} -o OUT/{number} --to glb")).exits(0);
        run.err_has("have the same output name").err_has("walk.hnd.glb").err_has("Walk.amo.glb");
        assert_eq!(out.names(&number.to_string()), names, "{args}");
        let parts = ["walk.hnd.glb", "walk.hnd.amo.glb"].map(|name| format!("{number}/{name}"));
        assert_eq!(out.read(&parts[0]), out.read(&parts[1]), "the content is that of static.amo");
        assert_ne!(out.read(&parts[0]), out.read(&format!("{number}/Walk.amo.glb")));
    }
}

/// X12: two inputs with the same output are rejected.
#[test]
fn collisions_are_refused_before_anything_is_written() {
    let out = Folder::with(&[
        ("in/Walk.amo", "ok/spec.amo"),
        ("more/walk.AMO", "ok/static.amo"),
        ("in/run.amo", "ok/static.amo"),
        ("out/Walk.glb", ""),
    ]);
    assert_runs!(
        "convert_collisions",
        [
            "ok/spec.amo ok/spec.amo -o OUT/out --to glb",
            "ok/spec.amo OUT/in/Walk.amo -o OUT/out --to glb",
            "ok/spec.amo ok/static.amo -o OUT/one.glb",
            "ok/spec.amo ok/static.amo -o OUT/out/Walk.glb --to glb",
        ]
        .map(|args| convert(&out, args))
    );
    assert_eq!(out.names("out"), ["Walk.glb"]);
}

/// Files of the same name, named one by one, keep the folders that distinguish them.
#[test]
fn names_from_several_folders() {
    let out = Folder::with(&[
        ("in/ghost/Walk.amo", "ok/spec.amo"),
        ("in/bat/wings/walk.AMO", "ok/static.amo"),
        ("in/run.amo", "ok/static.amo"),
    ]);
    let files = "in/run.amo ./in/ghost/Walk.amo in/ghost/../bat/wings/walk.AMO";
    let run = out.run(&format!("convert {files} -o out --to glb")).exits(0);
    run.err_has(
        "note: several inputs have the same name, so the outputs keep their folders below ",
    );
    assert_eq!(out.names("out"), ["bat", "ghost", "run.glb"]);
    assert_eq!(out.names("out/bat/wings"), ["walk.glb"]);
    assert_eq!(out.names("out/ghost"), ["Walk.glb"]);
    out.run("convert in/run.amo in/ghost/Walk.amo -o flat --to glb").exits(0);
    assert_eq!(out.names("flat"), ["Walk.glb", "run.glb"]);
}

/// `--strict --ignore CODE` allows one kind of problem, and no other.
#[test]
fn ignored_codes_do_not_count_for_strict() {
    let out = Folder::new();
    let bom = "warn/O28_bom.amo -o OUT/bom.glb --strict";
    convert(&out, bom).exits(1);
    convert(&out, &format!("{bom} --ignore amo-first-key")).exits(1);
    convert(&out, &format!("{bom} --ignore amo-first-key,amo-byte-order-mark")).exits(0);
    convert(&out, "ok/spec.amo -o OUT/x.glb --ignore amo-byte-order-mark")
        .exits(2)
        .err_has("--strict");
    let error = "err/O01_index_zero.amo -o OUT/error.glb --strict --ignore amo-byte-order-mark";
    convert(&out, error).exits(1);
    assert_eq!(out.names(""), ["bom.glb"]);
}

/// `--strict` also looks for what only `check` looks for otherwise.
#[test]
fn strict_looks_closer() {
    let out = Folder::new();
    for (file, code) in
        [("N01_normals_mixed", "amo-normals"), ("N02_zero_normal", "amo-zero-normal")]
    {
        for output in ["a.amo", "a.glb"] {
            let line = format!("warn/{file}.amo -o OUT/{output}");
            convert(&out, &format!("{line} --strict")).exits(1).err_has(code);
            assert!(out.names("").is_empty());
        }
        let line = format!("warn/{file}.amo -o OUT/a.amo");
        convert(&out, &format!("{line} --strict --ignore {code}")).exits(0);
        convert(&out, &format!("{line} --force")).exits(0);
        std::fs::remove_file(out.path("a.amo")).unwrap();
    }
}

#[test]
fn a_batch_continues_after_failures() {
    let out = Folder::new();
    let args = "ok/spec.amo err/O28_utf16_be.amo none.amo err/O01_index_zero.amo ok/static.amo -o \
                OUT/new --to glb";
    assert_runs!("convert_batch", [args,].map(|args| convert(&out, args)));
    assert_eq!(out.names("new"), ["O01_index_zero.glb", "spec.glb", "static.glb"]);
    convert(&out, "ok/spec.amo ok/static.amo -o OUT/good --to gltf").exits(0);
    assert_eq!(out.names("good"), ["spec.bin", "spec.gltf", "static.bin", "static.gltf"]);
}

#[test]
fn json_report() {
    let out = Folder::new();
    let lines = "ok/O09_five_entries_lines.amo";
    let several = format!("{lines} err/O01_index_zero.amo none.amo -o OUT --to glb --json");
    let run = convert(&out, &several).exits(1);
    assert_eq!(run.stderr().lines().count(), 1, "{}", run.stderr());
    let json = run.json("convert");
    let [first, second, third] = list(&json["files"]) else { panic!("{json}") };
    let path = |name: &str| out.path(name).to_str().unwrap().to_owned();
    assert_eq!(first["output"], path("O09_five_entries_lines.glb"));
    assert_eq!(first["losses"][0]["code"], "gltf-influences");
    assert_eq!(second["output"], path("O01_index_zero.glb"));
    assert_eq!(second["totals"]["errors"], 1);
    let of_first = json!({ "errors": 0, "warnings": 0, "notes": 0, "losses": 1 });
    assert_eq!(first["totals"], of_first);
    assert!(third["output"].is_null() && third["totals"].is_null());
    assert!(third["error"].is_string());
    // The report includes everything that `check` reports, and the losses.
    let check = animfmt("check --json err/O01_index_zero.amo").exits(1).only("check");
    let mut problem = check["diagnostics"][0].clone();
    problem["file"] = "err/O01_index_zero.amo".into();
    assert_eq!(second["diagnostics"], json!([problem]));
    assert_eq!(second["counts"]["amo-position-index"], 1);
    assert_eq!((&first["counts"]["gltf-influences"], list(&first["inputs"]).len()), (&1.into(), 1));
    // The command is rejected before anything is converted.
    let refused = convert(&out, &format!("{lines} -o OUT --to glb --json")).exits(2);
    assert!(refused.json("convert")["error"].as_str().unwrap().contains("already exists"));
}

/// An output written from a scene lacks the parts that could not be read, which is reported. An
/// output with the bytes of the input is complete.
#[test]
fn an_incomplete_output_says_so() {
    let out = Folder::with(&[("bad.amo", "err/O01_index_zero.amo"), ("good.amo", "ok/spec.amo")]);
    let says = "; incomplete because of errors in the input\n";
    out.convert("bad.amo bad.glb").exits(1).err_has(format!("){says}"));
    out.convert("bad.amo good.amo -o all --to glb").exits(1).err_has(format!("): 1 error{says}"));
    for complete in ["good.amo good.glb", "bad.amo same.amo"] {
        out.convert(complete).err_has("wrote ").err_lacks("incomplete");
    }
}

/// X01: output names are derived from input names, and each is a single safe path component.
#[cfg(unix)]
#[test]
fn output_names_are_safe() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let out = Folder::new();
    fs::create_dir(out.path("in")).unwrap();
    let names: [&[u8]; 6] =
        [b"-rf.amo", b"CON.amo", b".amo", b"a\\..\\b.amo", b"\x1b[2J\n.amo", b"bad\xff.amo"];
    let path = |name| out.path("in").join(OsStr::from_bytes(name));
    names.iter().for_each(|name| fs::write(path(name), fixture("ok/static.amo")).unwrap());
    let run = command()
        .arg("convert")
        .args(names.map(path))
        .args(["--from", "amo", "--to", "glb", "-o"])
        .arg(out.path("out"))
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    assert_eq!(
        out.names("out"),
        ["_-rf.glb", "_.amo.glb", "_CON.glb", "_[2J_.glb", "a_.._b.glb", "bad_.glb"]
    );
    let stderr = String::from_utf8(run.stderr).unwrap();
    assert!(stderr.contains("/bad_.glb (") && !stderr.contains('\u{1b}'), "{stderr}");
}

/// A missing image and a smoothing group: a warning and a loss.
/// Failures before the first conversion are also printed as JSON.
#[test]
fn failures_of_a_run_as_json() {
    let folder = Folder::with(&[("a.amo", "ok/spec.amo"), ("a.glb", "")]);
    fs::create_dir(folder.path("empty")).unwrap();
    for (command, schema) in [
        ("convert a.amo -o a.glb", "convert"),
        ("convert empty --to glb -o out", "convert"),
        ("split a.amo a.amo -o a.glb", "convert"),
        ("info empty", "info"),
        ("check empty", "check"),
        ("fmt empty", "fmt"),
        ("fmt a.amo --stdout", "fmt"),
    ] {
        let run = folder.run(&format!("{command} --json")).exits(2);
        let json = run.json(schema);
        let error = json["error"].as_str().unwrap_or_else(|| panic!("{json}"));
        assert!(list(&json["files"]).is_empty() && run.stderr().contains(error), "{json}");
    }
}

#[test]
fn json_counts_like_the_text() {
    let folder = Folder::new();
    folder.write(
        "fly.amo",
        "mtllib fly.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nusemtl m\ns 1\nf 1/1 2/1 3/1\n",
    );
    folder.write("fly.mtl", "newmtl m\nmap_Kd none.png\n");
    let text = folder.run("convert fly.amo -o fly.glb").exits(0);
    text.err_has("warning[load-image-missing]").err_has("loss[amo-loss-smoothing]");
    let json = folder.run("convert --json fly.amo -o json.glb").exits(0).json("convert");
    let file = &json["files"][0];
    let counts = json!({ "errors": 0, "warnings": 1, "notes": 0, "losses": 1 });
    assert_eq!(file["totals"], counts);
    assert_eq!(file["losses"][0]["code"], "amo-loss-smoothing");
    assert_eq!(file["diagnostics"][0]["code"], "load-image-missing");
    // `check` reports the image too.
    folder.run("check fly.amo").exits(0).out_has("load-image-missing").out_lacks("amo-loss");
}

#[test]
fn a_ping_pong_clip_has_the_name_of_its_file() {
    let folder = Folder::new();
    let frame = "<X3D version='3.0'><Scene/></X3D>";
    let frames = format!("<frame time='0'>{frame}</frame><frame time='1'>{frame}</frame>");
    folder.write(
        "walk.castle-anim-frames",
        format!("<animation backwards='true'>{frames}</animation>"),
    );
    let run = folder.run("convert walk.castle-anim-frames -o walk.glb");
    run.err_has("loss[castle-backwards]: `walk` is a ping-pong clip");
}

#[test]
fn the_explanation_of_a_loss_has_the_same_label() {
    animfmt("check --explain gltf-normals").exits(0).out_has("loss[gltf-normals]: loss");
    animfmt("check --explain gltf").exits(0).out_lacks("note     loss");
}

/// A copy in another folder does not find its materials.
#[test]
fn material_libraries_are_not_copied() {
    let folder = Folder::with(&[
        ("arm.amo", "ok/octopus_arm.amo"),
        ("octopus_arm.mtl", "ok/octopus_arm.mtl"),
        ("octopus_arm.png", "ok/octopus_arm.png"),
    ]);
    std::fs::create_dir(folder.path("out")).unwrap();
    let run = folder.run("convert arm.amo -o out/arm.amo").exits(0);
    run.err_has("loss[amo-loss-library]: the material library `octopus_arm.mtl` is not copied");
    folder.run("convert arm.amo -o copy.amo").exits(0).err_lacks("amo-loss-library");
}

/// Large files are read in blocks if they have no problems. Nothing else is different: the second
/// file has the same content, but no line break at its end.
#[test]
fn large_files() {
    let out = Folder::new();
    let large = String::from_utf8(large_obj(2_500_000)).unwrap();
    out.write("blocks.obj", &large);
    out.write("entire.obj", large.clone() + "# end");
    let convert = |name: &str| {
        let run = out.convert(&format!("{name}.obj -o {name}.glb -v"));
        let json = out.convert(&format!("{name}.obj -o {name}.glb --force --json")).exits(0);
        let said = run.exits(0).stderr().to_owned() + json.stdout();
        (said.replace(name, "NAME"), out.read(&format!("{name}.glb")))
    };
    let (said, glb) = convert("blocks");
    assert!(said.contains("cannot read the material library `large.mtl`"), "{said}");
    assert_eq!((said, glb), convert("entire"));

    out.write("wrong.obj", large.clone() + "f 1 2\nv 0 0 0\n");
    let line = large.lines().count() + 1;
    let place = format!("wrong.obj:{line}:1: face with 2 corners");
    out.convert("wrong.obj -o wrong.glb").exits(1).err_has(place);

    fs::hard_link(out.path("blocks.obj"), out.path("link.glb")).unwrap();
    out.convert("blocks.obj -o link.glb --force").exits(2).err_has("never overwritten");
    out.convert("blocks.obj -o copy.amo -q").exits(0);
    assert_eq!(out.text("copy.amo"), large);
}

/// States that move none of the model's nodes are not baked.
#[test]
fn nothing_baked_is_not_reported() {
    let files = ["lamp.stt", "RABBIT.TMD"].map(|name| format!("../cookbook/{name}"));
    let folder = Folder::with(&[("lamp.stt", &files[0]), ("RABBIT.TMD", &files[1])]);
    let run = folder.run("convert lamp.stt --with RABBIT.TMD -o out.glb").exits(0);
    run.err_has("motion-node-unknown").err_lacks("ir-baked");
}
