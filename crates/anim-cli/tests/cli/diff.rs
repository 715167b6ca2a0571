//! `animfmt diff`

use crate::program::{Folder, animfmt, assert_runs, fixture, list};

/// A keyframe line of the fixture.
const KEY: &str = "ap 0.25 2 0.00186 0.00046 0.02147\n";

/// Returns the fixture with some text replaced.
fn changed(from: &str, to: &str) -> String {
    let text = String::from_utf8(fixture("ok/octopus_arm.amo")).unwrap();
    assert!(text.contains(from));
    text.replace(from, to)
}

#[test]
fn text_report() {
    let folder = Folder::with(&[
        ("old/octopus_arm.amo", "ok/octopus_arm.amo"),
        ("old/octopus_arm.mtl", "ok/octopus_arm.mtl"),
        ("old/octopus_arm.png", "ok/octopus_arm.png"),
        ("octopus_arm.mtl", "ok/octopus_arm.mtl"),
        ("octopus_arm.png", "ok/octopus_arm.png"),
    ]);
    // A renamed clip, a joint with a different parent, a missing key, a moved key, and a key line
    // that lacks a value.
    folder.write("renamed.amo", changed("a wave\n", "a greet\n"));
    folder.write("hung.amo", changed("j arm_8 7\n", "j arm_8 5\n"));
    folder.write("fewer.amo", changed(KEY, ""));
    folder.write("moved.amo", changed(KEY, "ap 0.25 2 0.5 0.00046 0.02147\n"));
    folder.write("broken.amo", changed(KEY, "ap 0.25 2 0.00186 0.00046\n"));
    folder.animfmt("convert ok/octopus_arm.amo -o OUT/arm.glb").exits(0);
    assert_runs!(
        "diff",
        [
            "diff ok/octopus_arm.amo OUT/arm.glb --root /",
            "diff ok/octopus_arm.amo OUT/renamed.amo",
            "diff ok/octopus_arm.amo OUT/hung.amo",
            "diff ok/octopus_arm.amo OUT/fewer.amo --tolerance 0.01",
            "diff ok/octopus_arm.amo OUT/moved.amo",
            "diff ok/octopus_arm.amo OUT/broken.amo",
            "diff ok/octopus_arm.amo ok/spec.amo",
            "diff ../stt/ok/lamp_dynamic.stt ../stt/ok/lamp_keyframes.stt",
            "diff ../anm-text/ok/example.anm ../anm-text/ok/A06_one_frame.anm",
            "diff ok/octopus_arm.amo OUT/old/octopus_arm.amo",
            "diff ok/octopus_arm.amo OUT/none.amo",
            "diff - -",
        ]
        .map(|line| folder.animfmt(line))
    );
}

/// Textures are compared by their content, wherever it is stored.
#[test]
fn textures_are_compared_by_content() {
    let folder = Folder::new();
    let names = ["octopus_arm.amo", "octopus_arm.mtl", "octopus_arm.png"];
    for (name, to) in names.iter().flat_map(|name| [(name, "old"), (name, "new")]) {
        folder.write(&format!("{to}/{name}"), fixture(&format!("ok/{name}")));
    }
    folder.run("convert old/octopus_arm.amo -o arm.glb").exits(0);
    let diff = "diff old/octopus_arm.amo new/octopus_arm.amo";
    folder.run(diff).exits(0);
    let mut picture = fixture("ok/octopus_arm.png");
    let middle = picture.len() / 2;
    picture[middle] ^= 1;
    folder.write("new/octopus_arm.png", picture);
    folder.run(diff).exits(1).out_has("octopus_arm.png with other content");
    folder.run("diff arm.glb old/octopus_arm.amo").exits(0);
    folder.run("diff arm.glb new/octopus_arm.amo").exits(1).out_has("texture");
    folder.run(&format!("{diff} --only shapes")).exits(0);
    std::fs::remove_file(folder.path("new/octopus_arm.png")).unwrap();
    folder.run("diff arm.glb new/octopus_arm.amo").out_has("not compared: 1 loss on reading");
}

/// What follows an error is not compared, so the files may differ.
#[test]
fn files_with_errors_are_not_equal() {
    let folder = Folder::new();
    folder.write("broken.amo", changed(KEY, "ap 0.25 2 0.00186 0.00046\n"));
    let run = folder.run("diff broken.amo broken.amo").exits(1);
    run.out_has("no differences").out_has("not compared: 1 error, 1 loss on reading");
    assert_eq!(folder.run("diff broken.amo broken.amo --json").json("diff")["same"], false);
}

/// Fixtures of every format have no differences after conversion to GLB.
#[test]
fn conversions_have_no_differences() {
    let folder = Folder::new();
    for file in [
        "ok/octopus_arm.amo",
        "../castle/ok/frames_two_colours.castle-anim-frames",
        "../stt/ok/lamp_keyframes.stt",
        "../tmd-anm/ok/T04_rate_10.anm",
    ] {
        folder.animfmt(&format!("convert {file} -o OUT/out.glb --force")).exits(0);
        let same = folder
            .animfmt(&format!("diff {file} OUT/out.glb --json --root /"))
            .exits(0)
            .json("diff");
        assert_eq!((&same["same"], list(&same["differences"]).len()), (&true.into(), 0));
        assert!(same["compared"]["clips"].as_u64().unwrap() > 0, "{file}");
    }
}

#[test]
fn json_report() {
    let folder = Folder::new();
    folder.write("moved.amo", changed(KEY, "ap 0.25 2 0.5 0.00046 0.02147\n"));
    let only = "diff --only motion ok/octopus_arm.amo OUT/moved.amo";
    folder.animfmt(only).exits(1).out_has("1 difference (tolerance 0.001);").out_lacks("shape");
    let json = folder.animfmt("diff --json ok/octopus_arm.amo OUT/moved.amo").exits(1).json("diff");
    let pose = &json["differences"][0];
    assert_eq!((&json["same"], &json["counts"]["pose"]), (&false.into(), &1.into()));
    assert_eq!([&pose["kind"], &pose["clip"], &pose["target"]], ["pose", "wave", "arm_2"]);
    assert_eq!(pose["time"], 0.25);
    assert!(pose["gap"]["translation"].as_f64().unwrap() > 0.4);
    let all = animfmt("diff --json ../amo/ok/octopus_arm.amo ../stt/ok/lamp_keyframes.stt");
    assert_eq!(all.exits(1).json("diff")["compared"]["joints"], 0);
}

/// Control characters in names are escaped.
#[test]
fn names_are_escaped() {
    let folder = Folder::new();
    folder.write("hostile.amo", changed("a wave\n", "a \u{1b}[2J\n"));
    let run = folder.animfmt("diff ok/octopus_arm.amo OUT/hostile.amo").exits(1);
    run.out_lacks("\u{1b}").out_has("clip `\\u{1b}[2J`: only in hostile.amo");
}

/// A single moved vertex is reported, in AMO and in one frame of castle-anim-frames.
#[test]
fn one_moved_vertex() {
    let folder = Folder::with(&[
        ("octopus_arm.mtl", "ok/octopus_arm.mtl"),
        ("octopus_arm.png", "ok/octopus_arm.png"),
    ]);
    let vertex = "v 0 0 0.75\n";
    let text = String::from_utf8(fixture("ok/octopus_arm.amo")).unwrap();
    let old = text.lines().find(|line| line.starts_with("v ")).unwrap().to_owned() + "\n";
    folder.write("moved.amo", text.replacen(&old, vertex, 1));
    let json = folder.animfmt("diff --json ok/octopus_arm.amo OUT/moved.amo").exits(1).json("diff");
    let found = &json["differences"][0];
    assert_eq!([&found["kind"], &found["shape"]], ["positions", "octopus_arm"]);
    let first: Vec<f32> =
        old.split_whitespace().skip(1).map(|word| word.parse().unwrap()).collect();
    let place: Vec<f32> =
        list(&found["at"]).iter().map(|number| number.to_string().parse().unwrap()).collect();
    assert_eq!(place, first);
    assert_eq!(list(&json["differences"]).len(), 1, "{json}");

    let frames = |x: &str| {
        let frame = |time: u8, x: &str| {
            format!(
                "<frame time='{time}'><X3D><Scene><Shape><IndexedFaceSet coordIndex='0 1 2 -1'>\
                 <Coordinate point='0 0 0 {x} 0 0 0 1 0'/></IndexedFaceSet></Shape></Scene></X3D>\
                 </frame>"
            )
        };
        let frames = [frame(0, "1"), frame(1, x), frame(2, "3")].concat();
        format!("<animations><animation name='a'>{frames}</animation></animations>")
    };
    folder.write("a.kanim", frames("2"));
    folder.write("b.kanim", frames("2.1"));
    folder.run("diff a.kanim a.kanim").exits(0);
    folder.run("diff a.kanim b.kanim").exits(1).out_has("morph target");
    folder.run("diff a.kanim b.kanim --only materials").exits(0);
    folder.run("diff a.kanim b.kanim --only motion,shapes").exits(1);
}

/// The summary and the JSON state the tolerance; 0 compares exactly.
#[test]
fn the_tolerance_is_stated() {
    let folder = Folder::new();
    let model = |x: &str| format!("v 0 0 0\nv {x} 0 0\nv 0 1 0\nf 1 2 3\n");
    folder.write("a.amo", model("1"));
    folder.write("b.amo", model("1.0000001"));
    folder.run("diff a.amo b.amo").exits(0).out_has("no differences (tolerance 0.001); ");
    let exact = "--tolerance 0 --seconds 0";
    let run = folder.run(&format!("diff a.amo b.amo {exact}")).exits(1);
    run.out_has("positions differ at 1 vertex").out_has("1 difference (tolerance 0); ");
    folder.run(&format!("diff b.amo b.amo {exact}")).exits(0);
    folder.run("diff a.amo a.amo --tolerance -1").exits(2);
    let json = folder.run("diff a.amo b.amo --json --tolerance 0.5").exits(0).json("diff");
    assert_eq!([&json["tolerance"], &json["seconds"]], [0.5, 0.0005]);
    // Motion as well: identical keys are exactly equal, and the largest difference is still found.
    let same = "ok/octopus_arm.amo";
    folder.animfmt(&format!("diff {same} {same} {exact}")).exits(0);
    folder.write("moved.amo", changed(KEY, "ap 0.25 2 0.5 0.00046 0.02147\n"));
    let moved = format!("diff {same} OUT/moved.amo --only motion {exact}");
    folder.animfmt(&moved).exits(1).out_has("pose differs most at 0.25 s");
}

/// A conversion with `--up z` differs only by a rotation, which is reported in one line.
#[test]
fn a_rotation_that_explains_everything_is_named() {
    let folder = Folder::with(&[
        ("bones.bvh", "../bvh/ok/arm.bvh"),
        ("nodes.kanim", "../castle/ok/def_use.castle-anim-frames"),
        ("skin.amo", "ok/octopus_arm.amo"),
        ("octopus_arm.mtl", "ok/octopus_arm.mtl"),
        ("octopus_arm.png", "ok/octopus_arm.png"),
    ]);
    for file in ["bones.bvh", "nodes.kanim", "skin.amo"] {
        folder.convert(&format!("{file} up.glb --up z --force -q")).exits(0);
        for (a, b, angle) in [(file, "up.glb", -90), ("up.glb", file, 90)] {
            let line =
                format!("{b} equals {a} rotated by {angle}° about x, as between y up and z up");
            let run = folder.run(&format!("diff {a} {b}")).exits(1);
            assert!(run.stdout().starts_with(&line), "{}", run.stdout());
            let json = folder.run(&format!("diff {a} {b} --json")).exits(1).json("diff");
            assert_eq!(json["rotated"], angle);
            let found = [&json["differences"], &json["counts"]];
            assert_eq!(found, [&serde_json::json!([]), &serde_json::json!({})]);
            assert_eq!(run.stdout().lines().count(), 1, "{}", run.stdout());
            folder.run(&format!("diff {a} {b} --ignore-rotation")).exits(0);
        }
    }
    // With any other difference, the rotation is no longer reported separately.
    let text = folder.text("bones.bvh").replace("0.0 4.0 0.0", "0.0 4.5 0.0");
    folder.write("other.bvh", text);
    folder.convert("other.bvh other.glb --up z -q").exits(0);
    folder.run("diff bones.bvh other.glb").exits(1).out_lacks("rotated by -90");
    folder.run("diff bones.bvh other.glb --ignore-rotation").exits(1);
    folder.run("diff bones.bvh other.bvh").exits(1).out_lacks("equals");
}

/// Resampling changes the times of keys, but not the motion.
#[test]
fn keys_can_be_ignored() {
    let folder = Folder::with(&[("a.amo", "ok/octopus_arm.amo")]);
    folder.convert("a.amo b.glb --fps 60 -q").exits(0);
    let run = folder.run("diff a.amo b.glb --only motion --tolerance 0.01").exits(1);
    run.out_has("keys only in").out_has("help: use --ignore-keys to compare the motion");
    let run = folder.run("diff a.amo b.glb --only motion --tolerance 0.01 --ignore-keys");
    run.exits(0).out_lacks("help");
}

/// What could not be read is not a difference, unless `--strict` is given.
#[test]
fn parts_that_are_not_compared() {
    let folder = Folder::new();
    let model = |normal| {
        let rows = format!("v 0 0 0\nv 1 0 0\nv 0 1 0\nvn 0 0 1\nvn {normal}\n");
        rows + "f 1//1 2//1 3//2\n"
    };
    folder.write("a.amo", model("0 0 1"));
    folder.write("zero.amo", model("0 0 0"));
    let run = folder.run("diff a.amo zero.amo --normals keep").exits(0);
    run.out_has("not compared: 1 normal that is zero in one of the files");
    let json = folder.run("diff a.amo zero.amo --normals keep --json").exits(0).json("diff");
    assert_eq!(json["compared"]["zero_normals"], 1);
    folder.run("diff a.amo zero.amo --normals keep --strict").exits(1);
    let [a, b] = ["a.x3d", "b.x3d"];
    for file in [a, b] {
        let scene = "<X3D><Scene><Shape><Sphere/><Appearance><ImageTexture url='\"gone.png\"'/>\
                     </Appearance></Shape></Scene></X3D>";
        folder.write(file, scene);
    }
    folder.run("diff a.x3d b.x3d").exits(0).out_has("not compared: 1 loss on reading a.x3d");
    folder.run("diff a.x3d b.x3d --strict").exits(1);
    folder.run("diff a.amo a.amo --strict").exits(0);
}

/// A mesh node of a castle file becomes a joint in glTF, where every node is one. The numbers add
/// up to those of `info`.
#[test]
fn joints_that_are_nodes_in_the_other_file_are_counted() {
    let folder = Folder::with(&[("a.kanim", "../castle/ok/def_use.castle-anim-frames")]);
    folder.convert("a.kanim a.glb -q").exits(0);
    assert_eq!(list(&folder.info("a.glb")["skeletons"][0]["joints"]).len(), 4);
    let run = folder.run("diff a.kanim a.glb").exits(0);
    run.out_has("; 2 joints, ").out_has("2 other joints are mesh nodes in the other file");
    let compared = &folder.run("diff a.kanim a.glb --json").exits(0).json("diff")["compared"];
    assert_eq!([&compared["joints"], &compared["joints_as_nodes"]], [2, 2]);
    folder.run("diff a.glb a.glb").exits(0).out_has("; 4 joints, ").out_lacks("mesh node");
}

/// Files without any motion are compared by their shapes.
#[test]
fn static_files() {
    let folder = Folder::new();
    folder.write("a.amo", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    folder.write("b.amo", "v 0 0 0\nv 1 0 0\nv 0 2 0\nf 1 2 3\n");
    folder.run("diff a.amo a.amo").exits(0).out_has("no differences (tolerance 0.001); 1 shape");
    folder.run("diff a.amo b.amo").exits(1).out_has("positions differ at 1 vertex");
    folder.run("convert a.amo -o a.glb -q").exits(0);
    folder.run("diff a.amo a.glb").exits(0);
}

/// A file has no differences from its conversion, even if the conversion repaired its normals. In
/// that case, a note is printed.
#[test]
fn repaired_normals_are_noted() {
    let folder = Folder::with(&[("crate.amo", "warn/N01_normals_turned.amo")]);
    folder.convert("crate.amo crate.glb -q").exits(0);
    let note = "note: crate.amo: the normals of 1 mesh were repaired for the comparison";
    let run = folder.run("diff crate.amo crate.glb").exits(0);
    run.err_starts(note).err_has("--normals keep").err_lacks("crate.glb: ");
    folder.run("diff crate.amo crate.glb --normals keep").exits(1).err_lacks("repaired");
    let json = folder.run("diff crate.amo crate.glb --json -q").exits(0).json("diff");
    let fixed: Vec<_> = list(&json["files"]).iter().map(|file| &file["normals_fixed"]).collect();
    assert_eq!(fixed, [1, 0]);
}

/// Two folders are compared file by file: each with the file that has the same path, whatever its
/// extension.
#[test]
fn folders() {
    let shape = |y: u8| format!("v 0 0 0\nv 1 0 0\nv 0 {y} 0\nf 1 2 3\n");
    let folder = Folder::new();
    folder.write("a/one.amo", shape(1));
    folder.write("a/sub/one.amo", shape(2));
    // These two have the same output name, so their outputs keep the extension.
    folder.write("a/two.amo", shape(3));
    folder.write("a/two.bvh", fixture("../bvh/ok/arm.bvh"));
    // Nothing in this file can be compared.
    folder.write("a/empty.wrl", "#VRML V2.0 utf8\n");
    folder.convert("a -o b --to glb -q").exits(0);
    let run = folder.run("diff a b").exits(0);
    assert_eq!(
        run.stdout(),
        "empty.wrl and empty.glb: nothing to compare: neither file has motion, shapes or \
         materials\n\
         one.amo and one.glb: no differences\n\
         sub/one.amo and one.glb: no differences\n\
         two.amo and two.amo.glb: no differences\n\
         two.bvh and two.bvh.glb: no differences\n\
         5 pairs: 4 equal, 1 empty\n"
    );
    folder.run("diff a a -q").exits(0).out_lacks("one");
    // A difference, a file with errors, one that cannot be read, and one on each side that the
    // other lacks.
    folder.write("a/sub/one.amo", shape(4));
    folder.write("a/two.amo", shape(3) + "f 1 2 9\n");
    folder.write("a/two.bvh", "not BVH");
    folder.write("a/new.amo", shape(1));
    std::fs::remove_file(folder.path("a/one.amo")).unwrap();
    let run = folder.run("diff a b").exits(1);
    run.out_has("sub/one.amo and one.glb: 1 difference: shape `#1`: positions differ at 1")
        .out_has("two.amo and two.amo.glb: no differences; not compared: 1 error on reading two")
        .out_has("new.amo: only in a\none.glb: only in b\n")
        .out_has("4 pairs: 1 empty, 1 different, 1 with errors, 1 not compared; 1 file only in a;")
        .err_has("error: a/two.bvh: ");
    let json = folder.run("diff a b --json").exits(1).json("diff_folders");
    assert_eq!(json["same"], false);
    assert_eq!(json["only"], serde_json::json!([["a/new.amo"], ["b/one.glb"]]));
    let [empty, sub, two, failed] = list(&json["pairs"]) else { panic!("{json}") };
    assert_eq!([empty, sub, two].map(|pair| list(&pair["differences"]).len()), [0, 1, 0]);
    for pair in [empty, sub, two, failed] {
        crate::schema::assert_valid("diff", pair);
    }
    assert!(failed["error"].as_str().unwrap().contains("HIERARCHY"), "{failed}");
}

/// If two files have the same name but for the extension, neither is paired with a third.
#[test]
fn ambiguous_names_are_not_paired() {
    let folder = Folder::with(&[
        ("a/x.amo", "ok/spec.amo"),
        ("a/x.bvh", "../bvh/ok/arm.bvh"),
        ("b/x.stt", "../stt/ok/lamp_dynamic.stt"),
    ]);
    let run = folder.run("diff a b").exits(1);
    assert_eq!(
        run.stdout(),
        "x.amo: only in a\nx.bvh: only in a\nx.stt: only in b\n\
         no pairs; 2 files only in a; 1 file only in b\n"
    );
}

/// The clips of each file are compared with those of the file that they were merged into, on either
/// side.
#[test]
fn a_folder_and_its_merged_file() {
    let folder = Folder::new();
    let arm = String::from_utf8(fixture("../bvh/ok/arm.bvh")).unwrap();
    let last = arm.trim_end().rsplit(' ').next().unwrap();
    let bent = |by: u8| format!("{}{by}\n", arm.trim_end().strip_suffix(last).unwrap());
    for (name, by) in [("a", 10), ("b", 20), ("c", 30)] {
        folder.write(&format!("arms/{name}.bvh"), bent(by));
    }
    folder.run("convert arms --merge -o all.glb").exits(0);
    folder.run("diff arms all.glb").exits(0).out_has("3 files: 3 equal\n");
    folder.run("diff all.glb arms").exits(0).out_has("3 files: 3 equal\n");
    folder.write("arms/b.bvh", bent(21));
    let run = folder.run("diff all.glb arms").exits(1);
    run.out_has("a.bvh: no differences\nb.bvh: 1 difference: clip `b`: ");
    run.out_has("3 files: 2 equal, 1 different\n");
    std::fs::remove_file(folder.path("arms/b.bvh")).unwrap();
    let run = folder.run("diff arms all.glb").exits(1);
    run.out_has("clip `b`: only in all.glb\n2 files: 2 equal; 1 clip only in all.glb\n");
    // Only the clips that are asked for, by the names in the files.
    folder.run("diff arms all.glb --clip a").exits(0).out_has("2 files: 1 equal, 1 without clips");
    folder.run("diff arms all.glb --clip b").exits(1).out_has("clip `b`: only in all.glb");
    let run = folder.run("diff arms all.glb --clip nod").exits(2);
    run.err_has("available clips: #1 a, #2 b, #3 c");
    folder.run("diff arms arms --clip a").exits(0).out_has("2 pairs: 1 equal, 1 without clips");
    folder.run("diff arms arms --clip nod").exits(2).err_has("available clips: #1 a, #2 c");
    folder.run("diff arms gone.glb").exits(2).err_has("gone.glb: No such file");
    folder.run("diff gone.glb arms").exits(2).err_has("gone.glb: No such file");
    // States become clips.
    folder.write("lamps/lamp.stt", fixture("../stt/ok/lamp_dynamic.stt"));
    folder.run("convert lamps/lamp.stt -o lamp.glb").exits(0);
    folder.run("diff lamps lamp.glb").exits(0).out_has("1 file: 1 equal\n");
    folder.run("diff lamp.glb lamps").exits(0).out_has("1 file: 1 equal\n");
}

#[test]
fn a_folder_without_clips_is_not_compared_with_a_file() {
    let folder = Folder::with(&[("y.amo", "ok/spec.amo")]);
    folder.write("a/x.amo", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    let run = folder.run("diff a y.amo").exits(1);
    run.out_has("only in y.amo\n").out_has("1 file: 1 without clips; 2 clips only in y.amo");
}

/// A clip without a name is named after its file, so that name says nothing.
#[test]
fn clips_named_after_their_files() {
    let folder = Folder::with(&[("a.bvh", "../bvh/ok/arm.bvh"), ("b.bvh", "../bvh/ok/arm.bvh")]);
    folder.run("diff a.bvh b.bvh").exits(0).out_has("1 clip in both");
    let text = folder.text("b.bvh");
    let last = text.trim_end().rsplit(' ').next().unwrap();
    let moved = format!("{}55\n", text.trim_end().strip_suffix(last).unwrap());
    folder.write("b.bvh", moved);
    folder.run("diff a.bvh b.bvh").exits(1).out_has("clip `a`: ").out_has("pose differs most");
    folder.convert("a.bvh c.glb --clip-names walk -q").exits(0);
    folder.run("diff a.bvh c.glb").exits(0);
    // The name in the file that has one is that of both, in either order.
    for files in ["a.bvh c.glb", "c.glb a.bvh"] {
        folder.run(&format!("diff {files} --clip walk")).exits(0).out_has("1 clip in both");
        folder.run(&format!("diff {files} --clip a")).exits(2).err_has("available clips: #1 walk");
    }
    folder.convert("a.bvh d.glb --clip-names run -q").exits(0);
    folder.run("diff c.glb d.glb").exits(1).out_has("clip `walk`: only in c.glb");
}

/// A clip whose name in the file happens to be that of the file has that name.
#[test]
fn clips_with_the_names_of_their_files() {
    let folder = Folder::with(&[("walk.bvh", "../bvh/ok/arm.bvh")]);
    folder.convert("walk.bvh walk.gltf -q").exits(0);
    folder.write("other/walk.gltf", folder.text("walk.gltf").replace("\"walk\"", "\"run\""));
    folder.write("other/walk.bin", folder.read("walk.bin"));
    let run = folder.run("diff walk.gltf other/walk.gltf").exits(1);
    run.out_has("clip `walk`: only in ").out_has("clip `run`: only in ");
}

/// A clip without a name is named after its file, which is no difference of a copy.
#[test]
fn copies_under_another_name() {
    let folder = Folder::new();
    folder.write("a.kanim", animation("", "0 1 0", "0 1 0.2"));
    folder.run("convert a.kanim -o b.kanim").exits(0);
    folder.run("diff a.kanim b.kanim").exits(0);
}

/// A shape without a transform has the shape of its clip, not that of the file's first clip.
#[test]
fn morphed_shapes_without_joints() {
    let folder = Folder::new();
    folder.write("a.kanim", animation("name='a'", "0 1 0", "0 1 0.2"));
    folder.write("b.kanim", animation("name='b'", "0 2 0", "0 2 0.2"));
    folder.run("convert a.kanim b.kanim --merge -o all.glb").exits(0);
    for clip in ["a", "b"] {
        folder.run(&format!("diff {clip}.kanim all.glb --clip {clip}")).exits(0);
    }
    folder.run("diff a.kanim all.glb --clip b").exits(1).out_has("only in all.glb");
}

fn animation(attributes: &str, first: &str, last: &str) -> String {
    let frame = |(time, point): (usize, &str)| {
        let shape = format!(
            "<Shape><IndexedFaceSet coordIndex='0 1 2'><Coordinate point='0 0 0 1 0 0 {point}'/>\
             </IndexedFaceSet></Shape>"
        );
        format!("<frame time='{time}'>{}</frame>", crate::castle::x3d(&shape))
    };
    let frames: String = [first, last].into_iter().enumerate().map(frame).collect();
    format!("<animation {attributes}>{frames}</animation>")
}

/// Two files with a clip of the same name are merged under the names of the files.
#[test]
fn clips_that_were_renamed_by_merging() {
    let folder = Folder::new();
    let walk = String::from_utf8(fixture("ok/octopus_arm.amo")).unwrap();
    for name in ["in/slow.amo", "in/fast.amo"] {
        folder.write(name, &walk);
    }
    folder.run("convert in --merge -o all.glb").exits(0).err_has("merge-clip-name");
    folder.run("diff in all.glb --only motion").exits(0).out_has("2 files: 2 equal");
    folder.write("in/fast.amo", walk.replace(KEY, "ap 0.25 2 0.5 0.00046 0.02147\n"));
    folder.run("diff in all.glb --only motion").exits(1).out_has("1 equal, 1 different");
}

/// A number would refer to other clips in each file.
#[test]
fn clips_are_not_chosen_by_number() {
    let folder = Folder::new();
    folder.write("a.kanim", animation("name='a'", "0 1 0", "0 1 0.2"));
    folder.write("b.kanim", animation("name='a'", "0 1 0", "0 1 0.4"));
    for clip in ["a#1", "#1"] {
        let run = folder.run(&format!("diff a.kanim b.kanim --clip {clip}")).exits(2);
        run.err_has(format!("neither file has a clip named `{clip}`"));
    }
}

/// If two scenes differ, one rotation after the other is tried, each only until something differs.
#[test]
fn reused_shapes_are_compared_once() {
    let folder = Folder::new();
    let scene = |more: &str| {
        let mut scene = "<Group DEF='g0'><Shape><Sphere/></Shape></Group>".to_owned();
        for level in 1..4 {
            let uses = format!("<Group USE='g{}'/>", level - 1).repeat(10);
            scene.push_str(&format!("<Group DEF='g{level}'>{uses}</Group>"));
        }
        crate::castle::x3d(&(scene + more))
    };
    folder.write("a.x3d", scene(""));
    folder.write("b.x3d", scene("<Shape><Sphere/></Shape>"));
    folder.run("diff a.x3d b.x3d").exits(1).out_has("1 difference").out_has("1111 shapes");
}

#[test]
fn standard_input_is_no_folder() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("in")).unwrap();
    for args in ["diff in -", "diff - in"] {
        folder.run(args).exits(2).err_has("standard input can be compared with a file, but not");
    }
}

/// A clip with its way back appended differs from the ping-pong clip, until both have it.
#[test]
fn ways_back_are_explained() {
    let folder = Folder::new();
    folder.write("in/a.kanim", animation("name='a' backwards='true'", "0 1 0", "0 1 0.2"));
    folder.run("convert in --to glb -o out/ --bake-backwards").exits(0);
    for pair in ["in/a.kanim out/a.glb", "in out"] {
        let run = folder.run(&format!("diff {pair}")).exits(1);
        run.out_has("use --bake-backwards to append it in both");
        folder.run(&format!("diff {pair} --bake-backwards")).exits(0).out_lacks("help");
    }
}
