//! castle-anim-frames files and their frames, including the timings and verdicts according to both
//! the specification and the engine.

use std::fs;

use serde_json::{Value, json};

use crate::fixtures::info_and_check;
use crate::program::{Folder, animfmt, assert_runs, fixture, list, names_in, strings, testdata};

/// Returns the number of triangles that `info` reports for a file.
pub(crate) fn triangles(folder: &Folder, args: &str) -> u64 {
    let info = folder.info(args);
    list(&info["meshes"]).iter().map(|mesh| mesh["triangles"].as_u64().unwrap()).sum()
}

pub(crate) fn x3d(content: &str) -> String {
    format!("<X3D version='3.0'><Scene>{content}</Scene></X3D>")
}

/// Returns a scene with one triangle at a given height.
pub(crate) fn still(height: u32) -> String {
    x3d(&format!(
        "<Shape><IndexedFaceSet coordIndex='0 1 2'><Coordinate point='0 {height} 0 1 0 0 0 0 1'/>\
         </IndexedFaceSet></Shape>"
    ))
}

/// Returns a scene that includes another file.
pub(crate) fn inline(url: &str) -> String {
    x3d(&format!("<Inline url='\"{url}\"'/>"))
}

/// Returns an animation whose frames are separate files.
pub(crate) fn animation(urls: &[&str]) -> String {
    let frames =
        urls.iter().enumerate().map(|(time, url)| format!("<frame time='{time}' url='{url}'/>\n"));
    format!("<animation>\n{}</animation>\n", frames.collect::<String>())
}

#[test]
fn info_shows_two_timings() {
    let castle = "../castle/ok/NAME.castle-anim-frames";
    let [looped, spaced, several, late, all] = [
        "loop_and_backwards",
        "C22_scenes_per_time_zero",
        "animations_root",
        "one_frame_late",
        "all_attributes",
    ]
    .map(|name| castle.replace("NAME", name));
    let missing = "../castle/load/missing_frame.castle-anim-frames";
    assert_runs!(
        "info",
        [
            format!("info --all {looped} {spaced} {several} {late}"),
            format!("info {all} {missing} ../x3d/ok/transform.x3d"),
        ]
        .map(animfmt)
    );
    let folder = Folder::new();
    let frames = ["1", "1.5", "2"].map(|time| {
        let bounds = "bounding_box_size='1 1 1' bounding_box_center='0 0 0'";
        format!("<frame time='{time}' {bounds}>{}</frame>", still(1))
    });
    let animation = "<animation scenes_per_time='4' backwards='true'>";
    folder.write("a.kanim", format!("{animation}{}</animation>", frames.concat()));
    // Two scenes per interval between frames, and one for the last frame: five scenes of 0.2 s
    // each, in both directions of playback.
    let expected = json!({
        "file": {
            "frames": 3, "frame_times": [1, 1.5, 2], "scenes_per_time": 4, "step": false,
            "equality_epsilon": 0.001,
            "loop": false, "backwards": true, "bounding_box": true
        },
        "engine": {
            "scenes": 5, "duration": 2, "frame_times": [0, 0.4, 0.8],
            "frame_times_back": [1.8, 1.4, 1]
        },
    });
    assert_eq!(folder.info("a.kanim")["clips"][0]["timing"], expected);
    assert!(animfmt("info --json ok/spec.amo").only("info")["clips"][0].get("timing").is_none());
}

#[test]
fn check_prints_two_verdicts() {
    let castle = |name: &str| format!("../castle/{name}.castle-anim-frames");
    let warned = castle("warn/C12_attribute_on_animation");
    let looped = castle("err/C24_loop_1");
    assert_runs!(
        "check",
        [
            format!("check {}", castle("ok/one_frame")),
            format!("check {warned} {looped}"),
            format!("check {}", castle("err/C01_billion_laughs")),
            format!("check --json {looped}"),
            "check ../x3d/warn/unknown_node.x3d".to_owned(),
        ]
        .map(animfmt)
    );
    for (name, specification, engine) in [
        ("ok/one_frame", Some(true), Some(true)),
        ("warn/C12_attribute_on_animation", Some(true), Some(false)),
        ("err/C24_loop_1", Some(false), Some(true)),
        ("err/C08_equal_times", Some(false), Some(false)),
        // The file cannot be read.
        ("err/C01_billion_laughs", None, None),
    ] {
        let check = animfmt(format!("check --json {}", castle(name))).json("check");
        let verdicts = &check["files"][0]["verdicts"];
        let found = ["specification", "engine"].map(|judge| verdicts[judge].as_bool());
        assert_eq!(found, [specification, engine], "{name}");
    }
}

/// `check` also reads frames, the files they include, and their textures.
#[test]
fn check_includes_frames() {
    let names = ["missing_frame", "missing_texture", "scene_error", "gz_cut", "C06_inline_cycle"];
    let path = |name| format!("check ../castle/load/{name}.castle-anim-frames");
    assert_runs!("check_frames", names.map(|name| animfmt(path(name))));
    let mut names = names_in(&testdata().join("../castle/load"));
    names.retain(|name| name.contains('.'));
    assert!(names.len() > 30);
    for name in names {
        let warns = name.starts_with("missing_texture") || name.starts_with("scene_unknown_node");
        let path = format!("../castle/load/{name}");
        animfmt(format!("check {path}")).exits(i32::from(!warns));
        if warns {
            animfmt(format!("check --strict {path}")).exits(1);
        }
    }
}

/// UTF-16, Latin-1 and gzip: lines and columns refer to the decoded text, and the decoded line is
/// shown.
#[test]
fn locations_in_other_encodings() {
    let folder = Folder::new();
    for name in ["C21_utf16_le_time", "C21_utf16_be_time", "C21_latin1_time"] {
        let path = format!("../castle/err/{name}.castle-anim-frames");
        let run = animfmt(format!("check {path}")).exits(1);
        run.out_has(format!(
            "\n --> {path}:8:18\n  |\n8 |     <frame time=\"0\">\n  |                  ^\n"
        ));
        run.out_has("4 |   <animation name=\"été\">");
        let convert = folder.animfmt(&format!("convert {path} -o OUT/{name}.glb")).exits(1);
        convert.err_has(format!("{path}:8:18: the time `0`"));
        // Offsets refer to the file.
        let json = animfmt(format!("check --json {path}")).json("check");
        let mut found = list(&json["files"][0]["diagnostics"]).iter();
        let wrong = found.find(|found| found["code"] == "castle-time-order").unwrap();
        assert_eq!([&wrong["line"], &wrong["column"]], [8, 18]);
        let [offset, length] =
            ["offset", "length"].map(|field| wrong[field].as_u64().unwrap() as usize);
        let mut bytes = fixture(&path)[offset..offset + length].to_vec();
        bytes.retain(|byte| *byte != 0);
        assert_eq!(bytes, b"0", "{name}");
    }
    folder.write("a.x3d", "<X3D version='3.0'>\n  <Scene><Sphear/></Scene></X3D>");
    folder.shell("gzip -9 a.x3d").exits(0);
    let shown = " --> a.x3d.gz:2:11\n  |\n2 |   <Scene><Sphear/></Scene></X3D>\n";
    folder.run("check a.x3d.gz").exits(0).out_has(shown);
}

/// Checks all fixtures, including the invalid ones.
#[test]
fn verdicts_and_timings_of_every_fixture() {
    let mut files = Vec::new();
    for folder in
        ["castle/ok", "castle/warn", "castle/err", "castle/load", "x3d/ok", "x3d/warn", "x3d/err"]
    {
        let mut names = names_in(&testdata().join("..").join(folder));
        names.retain(|name| name.contains('.') && !name.ends_with(".png"));
        files.extend(names.into_iter().map(|name| format!("../{folder}/{name}")));
    }
    assert!(files.len() > 500, "{}", files.len());
    for (info, check) in info_and_check(&files) {
        assert_eq!(info.get("format").is_some(), check["format"].is_string());
        let is_castle = check["format"] == "castle";
        assert_eq!(check.get("verdicts").is_some(), is_castle, "{check}");
        // The clips of X3D files come from sensors, which have no frames.
        for clip in info["clips"].as_array().into_iter().flatten().filter(|_| is_castle) {
            let timing = &clip["timing"];
            let frames = list(&timing["file"]["frame_times"]);
            let ends = [&frames[0], &frames[frames.len() - 1]].map(Value::as_f64);
            assert_eq!(ends, [clip["start"].as_f64(), clip["end"].as_f64()], "{info}");
            assert_eq!(frames.len(), list(&timing["engine"]["frame_times"]).len());
        }
    }
}

#[test]
fn texture_paths_are_relative_to_the_output() {
    let folder = Folder::new();
    let png = fixture("../castle/ok/textures/checker.png");
    folder.write("in/textures/a b.png", &png);
    let textured = still(1).replace(
        "<Shape>",
        "<Shape><Appearance><ImageTexture url='\"../textures/a%20b.png\"'/></Appearance>",
    );
    folder.write("in/frames/low.x3d", &textured);
    folder.write("in/frames/high.x3d", textured.replace("0 1 0 1", "0 2 0 1"));
    folder.write("in/walk.kanim", animation(&["frames/low.x3d", "frames/high.x3d"]));
    fs::create_dir_all(folder.path("out/deep")).unwrap();
    folder.run("convert in/walk.kanim -o out/deep/walk.glb --external-images").exits(0);
    let gltf = folder.glb_json("out/deep/walk.glb");
    assert_eq!(strings(&gltf["images"], "uri"), ["../../in/textures/a%20b.png"]);
    assert_eq!(list(&gltf["meshes"][0]["primitives"][0]["targets"]).len(), 1);
    folder.run("convert in/walk.kanim -o out/walk.glb").exits(0);
    assert!(folder.glb_json("out/walk.glb")["images"][0].get("uri").is_none());
    assert!(folder.read("out/walk.glb").windows(png.len()).any(|window| window == png));
    // A missing image is reported, and the rest is written.
    fs::remove_file(folder.path("in/textures/a b.png")).unwrap();
    let strict = folder.run("convert in/walk.kanim -o out/strict.glb --strict").exits(1);
    strict.err_has("1 warning, 1 note; nothing was written because of --strict");
    folder
        .run("convert in/walk.kanim -o out/bare.glb")
        .exits(0)
        .err_has("the image `textures/a b.png` cannot be used: no such file");
    assert!(folder.glb_json("out/bare.glb").get("images").is_none());
}

/// A frame with a different structure is not interpolated, which is reported.
#[test]
fn frames_with_different_structures() {
    Folder::new()
        .animfmt("convert ../castle/ok/frames_mixed_kinds.castle-anim-frames -o OUT/x.glb")
        .exits(0)
        .err_has("note[x3d-frames-differ]: ")
        .err_has("frame 2 of clip `frames_mixed_kinds` differs in structure");
}

/// Problems that only concern the engine are left to `check`; unconverted parts around a model are
/// reported as notes, and diagnostics of frames in separate files name the file and the line.
#[test]
fn convert_reports_only_relevant_problems() {
    let folder = Folder::new();
    let colors = "<Color color='1 0 0 0 1 0'/>";
    let mesh = still(1).replace("<Coordinate", &format!("{colors}\n<Coordinate"));
    folder.write("a.x3d", mesh.replace("<Scene>", "<Scene><Fog/>\n<Viewpoint/>\n"));
    folder.write("walk.kanim", animation(&["a.x3d"]));
    let converted = folder.run("convert walk.kanim -o walk.glb").exits(0);
    converted.err_lacks("castle-no-bounding-box");
    converted.err_lacks("specification");
    converted.err_has(
        "note[x3d-surroundings]: `a.x3d`: line 1: skipped, not part of the model: Fog, \
         Viewpoint",
    );
    converted.err_has(
        "warning[x3d-too-few-values]: walk.kanim:2:1: `a.x3d`: line 3: expected 3 colours, \
         found 2",
    );
    let checked = folder.run("check walk.kanim").exits(0);
    checked.out_has("note[castle-no-bounding-box]");
    checked.out_has("walk.kanim: specification: accepted");
    let list = folder.run("check --explain castle-no-bounding-box").exits(0);
    list.out_has("note[castle-no-bounding-box]: engine");
}

/// Inputs for the writer tests: two animations of a triangle in separate files, one of them in a
/// subfolder.
fn two_animations() -> Folder {
    let folder = Folder::new();
    for (parent, name, heights) in [("", "walk", [0, 1]), ("more/", "jump", [0, 5])] {
        for (number, height) in heights.into_iter().enumerate() {
            folder.write(&format!("{parent}{name}_{number}.x3d"), still(height));
        }
        let frames = format!(
            "<!-- kept -->\n<animation><frame url=\"{name}_0.x3d\" time=\"0\"/><frame \
             url=\"{name}_1.x3d\" time=\"0.5\"/></animation>\n"
        );
        folder.write(&format!("{parent}{name}.kanim"), frames);
    }
    folder
}

fn clip_names(folder: &Folder, file: &str) -> Vec<String> {
    strings(&folder.info(file)["clips"], "name").into_iter().map(str::to_owned).collect()
}

/// Unchanged files are written byte for byte; in another folder, the paths of the frames are
/// adjusted.
#[test]
fn castle_to_castle() {
    let folder = two_animations();
    let written = folder.run("convert walk.kanim -o same.castle-anim-frames").exits(0);
    assert_eq!(written.stderr().lines().count(), 1, "{}", written.stderr());
    assert_eq!(folder.read("same.castle-anim-frames"), folder.read("walk.kanim"));
    folder.run("convert more/jump.kanim -o moved.kanim").exits(0);
    assert!(folder.text("moved.kanim").contains("url=\"more/jump_1.x3d\""));
    assert_eq!(triangles(&folder, "moved.kanim"), 1);
}

/// Several files are merged into one, with a clip for each, and the result is split again.
#[test]
fn merged_and_split() {
    let folder = two_animations();
    folder.run("convert walk.kanim more/jump.kanim --merge -o all.castle-anim-frames").exits(0);
    assert_eq!(clip_names(&folder, "all.castle-anim-frames"), ["walk", "jump"]);
    folder.run("convert walk.kanim more/jump.kanim --merge -o all.glb").exits(0);
    assert_eq!(folder.model("all.glb").animation_names(), ["walk", "jump"]);
    // The frames of the second file are in another folder, so they are different scenes. The mesh
    // shared by both first frames is stored once.
    assert_eq!(list(&folder.glb_json("all.glb")["meshes"]).len(), 2);

    folder.run("convert all.castle-anim-frames --split --to castle -o parts").exits(0);
    assert_eq!(folder.names("parts"), ["jump.castle-anim-frames", "walk.castle-anim-frames"]);
    let jump = folder.text("parts/jump.castle-anim-frames");
    assert!(jump.contains("url=\"../more/jump_0.x3d\""), "{jump}");
    let split = "convert all.castle-anim-frames --split --to glb -o glbs";
    folder.run(split).exits(0);
    assert_eq!(folder.names("glbs"), ["jump.glb", "walk.glb"]);
    folder.run(split).exits(2).err_has("--force to overwrite it");
    folder.run("convert walk_0.x3d --split --to glb -o x").exits(2).err_has("cannot be split");
}

/// The frames of each merged file are found in its own folder. The morphed shapes of each equal
/// those of its source, although the merged file has one mesh for all.
#[test]
fn animations_of_several_folders() {
    let folder = two_animations();
    for file in ["walk.kanim", "walk_0.x3d", "walk_1.x3d"] {
        folder.write(&format!("other/{file}"), folder.read(file));
    }
    let run = folder.convert("more/jump.kanim other/walk.kanim --merge -o all.glb").exits(0);
    run.err_lacks("merge-nothing-in-common");
    assert_eq!(folder.model("all.glb").animation_names(), ["jump", "walk"]);
    folder.run("diff more/jump.kanim all.glb --clip jump").exits(0);
    folder.run("diff other/walk.kanim all.glb --clip walk").exits(0);
    let square = still(0).replace("0 1 2'", "0 1 2 -1 2 1 0'");
    assert_ne!(square, still(0));
    folder.write("square/turn.kanim", animation(&["a.x3d", "b.x3d"]));
    folder.write("square/a.x3d", &square);
    folder.write("square/b.x3d", square.replace("0 0 0", "5 0 0"));
    let apart = folder.convert("more/jump.kanim square/turn.kanim --merge -o apart.glb").exits(0);
    apart.err_has("`turn` shows none of the meshes that `jump` shows; if they are animations of");
    folder.write("other/walk_1.x3d", still(2));
    let moved = folder.run("diff other/walk.kanim all.glb --clip walk").exits(1);
    moved.out_has("morphed shape differs most at 0.5 s");
    folder.write("other/walk_0.x3d", still(1));
    folder.run("diff other/walk.kanim all.glb --clip walk").exits(1).out_has("positions differ");
}

/// A folder of animations often also contains stills. They do not change how the animations are
/// merged.
#[test]
fn stills_are_not_merged() {
    let folder = two_animations();
    folder.write("statue.x3d", still(3));
    let run = folder.run("convert walk.kanim statue.x3d more/jump.kanim --merge -o all.glb");
    run.exits(0).err_has("loss[merge-still]: `statue` has no motion, so it is not merged");
    folder.run("convert walk.kanim more/jump.kanim --merge -o without.glb").exits(0);
    assert_eq!(folder.read("all.glb"), folder.read("without.glb"));
}

/// X01: animation names become file names, but never paths.
#[test]
fn animation_names_become_file_names() {
    let folder = Folder::new();
    let names = ["../../x", "/abs", "a/b", "CON", ".", "-rf", "Walk", "walk", "&#10;", "walk"];
    let frame = format!("<frame time=\"0\">{}</frame>", still(0));
    let animations = names.map(|name| format!("<animation name=\"{name}\">{frame}</animation>"));
    folder.write("in/all.kanim", format!("<animations>{}</animations>", animations.concat()));
    folder.run("convert in/all.kanim --split --to castle -o out -q");
    let mut expected =
        ["_-rf", "unnamed", "_CON", "_abs", "_.._.._x", "a_b", "Walk", "walk_2", "walk_3", "_"]
            .map(|name| format!("{name}.castle-anim-frames"));
    expected.sort();
    assert_eq!(folder.names("out"), expected);
    assert_eq!(folder.names(""), ["in", "out"]);
}

/// Frames are inlined, minified, and extracted again.
#[test]
fn frames_are_inlined_and_extracted() {
    let folder = two_animations();
    folder.run("convert walk.kanim --inline -o whole.kanim").exits(0);
    let whole = folder.text("whole.kanim");
    assert!(!whole.contains("url=") && whole.matches("<X3D").count() == 2, "{whole}");
    folder.run("convert whole.kanim --minify -o small.kanim").exits(0);
    assert!(folder.read("small.kanim").len() < whole.len());
    folder.run("convert whole.kanim --extract -o taken.kanim").exits(0);
    assert_eq!(triangles(&folder, "taken.kanim"), 1);
    assert!(
        ["taken.animation_0001.x3d", "taken.animation_0002.x3d"]
            .iter()
            .all(|name| folder.path(name).is_file())
    );
    for file in ["whole.kanim", "small.kanim", "taken.kanim"] {
        folder.run(&format!("convert {file} -o x.glb --force -q")).exits(0);
        let json = folder.glb_json("x.glb");
        assert_eq!(list(&json["meshes"][0]["primitives"][0]["targets"]).len(), 1, "{file}");
    }
}

/// Any model can be converted to frames.
#[test]
fn amo_to_castle() {
    let folder = Folder::new();
    folder.write("arm.amo", fixture("ok/octopus_arm.amo"));
    folder.run("convert arm.amo --fps 10 --minify -o arm.castle-anim-frames").exits(0);
    assert_eq!(clip_names(&folder, "arm.castle-anim-frames"), clip_names(&folder, "arm.amo"));
    folder.run("convert arm.castle-anim-frames -o arm.glb").exits(0);
}

#[test]
fn an_unnamed_animation_is_named_after_its_file() {
    let folder = Folder::new();
    folder.write("low.x3d", still(1));
    folder.write("high.x3d", still(2));
    folder.write("flag.kanim", animation(&["low.x3d", "high.x3d"]));
    folder.run("convert flag.kanim -o out.glb").exits(0);
    assert_eq!(strings(&folder.glb_json("out.glb")["animations"], "name"), ["flag"]);
    // When converted back, the animation is unnamed again. A named animation keeps its name.
    let names = |file: &str| {
        let text = String::from_utf8(folder.read(file)).unwrap();
        text.split("name=\"")
            .skip(1)
            .filter_map(|rest| rest.split('"').next().map(str::to_owned))
            .collect::<Vec<_>>()
    };
    folder.run("convert out.glb -o back.kanim").exits(0);
    assert_eq!(names("back.kanim")[0], "animation");
    folder.write(
        "named.kanim",
        animation(&["low.x3d"]).replace("<animation>", "<animation name='wave'>"),
    );
    folder.run("convert named.kanim -o named.glb").exits(0);
    folder.run("convert named.glb -o again.kanim").exits(0);
    assert_eq!(names("again.kanim")[0], "wave");
}

/// A scene of which nothing can be converted: the output and the comparison say so.
#[test]
fn outputs_without_content_are_reported() {
    let folder = Folder::new();
    let scene = |content: &str| format!("#VRML V2.0 utf8\n{content}\n");
    folder.write("in/empty.wrl", scene("Foo { size 1 }"));
    folder.write("in/void.wrl", scene("Group { }"));
    folder.write("in/box.wrl", scene("Shape { geometry Box { } }"));
    let text = "nothing in the input could be converted; the output is empty";
    let one = folder.convert("in/void.wrl -o void.glb").exits(0);
    one.err_has(format!("loss[convert-empty]: {text}"));
    folder.convert("in/box.wrl -o box.glb").exits(0).err_lacks("convert-empty");
    let all = folder.convert("in --to glb -o out");
    all.err_has("loss[convert-empty]: 2 in 2 files").err_has(" converted, 2 empty");
    let diff = folder.run("diff in/void.wrl void.glb").exits(1);
    diff.out_has("nothing to compare: neither file has motion, shapes or materials");
    diff.out_lacks("no differences");
    let json = folder.run("diff in/void.wrl void.glb --json").exits(1).json("diff");
    assert_eq!(json["same"], false);
    let shapes = folder.run("diff in/box.wrl box.glb --only motion,materials");
    shapes.exits(0).out_lacks("nothing to compare");
}

/// `diff` reports what it could not compare.
#[test]
fn unread_content_is_not_compared() {
    let folder = Folder::new();
    let frame = |time: u8, colour: &str| {
        format!(
            "<frame time='{time}'><X3D><Scene><Shape><Appearance><Material \
             diffuseColor='{colour}'/></Appearance><Box/></Shape></Scene></X3D></frame>"
        )
    };
    let frames = frame(0, "1 0 0") + &frame(1, "0 1 0");
    folder.write("a.kanim", format!("<animation name='x'>{frames}</animation>"));
    folder.convert("a.kanim -o a.glb").exits(0).err_has("loss[x3d-not-animated]");
    let run = folder.run("diff a.kanim a.glb").exits(0);
    run.out_has("\nnot compared: 1 loss on reading a.kanim (x3d-not-animated)\n");
    let json = folder.run("diff a.kanim a.glb --json").exits(0).json("diff");
    assert_eq!(json["files"][0]["losses"]["x3d-not-animated"], 1);
    assert_eq!(json["files"][1]["losses"].as_object().unwrap().len(), 0);
}

/// Scenes that frames include are parts of animations, and are not converted by themselves.
#[test]
fn building_blocks_of_frames_are_skipped() {
    let folder = Folder::new();
    let vrml = |content: &str| format!("#VRML V2.0 utf8\n{content}\n");
    let inline = |name: &str| vrml(&format!("Inline {{ url \"{name}\" }}"));
    for name in ["walk", "run"] {
        folder.write(&format!("in/{name}.kanim"), animation(&[&format!("{name}_1.wrl")]));
        folder.write(&format!("in/{name}_1.wrl"), inline(&format!("parts/{name}.wrl")));
        folder.write(&format!("in/parts/{name}.wrl"), inline("head.wrl"));
    }
    folder.write("in/parts/head.wrl", vrml("Shape { geometry Box { } }"));
    folder.write("in/hat.wrl", inline("parts/head.wrl"));
    let run = folder.convert("in --to glb -o out").exits(0);
    run.err_has("3 files: 3 converted; 5 files are frames of other files");
    run.err_has("help: several animations are in one folder; use --merge");
    assert_eq!(names_in(&folder.path("out")), ["hat.glb", "run.glb", "walk.glb"]);
    let both = folder.convert("in/parts/head.wrl in --to glb -o again").exits(0);
    both.err_has("4 files: 4 converted");
    let merged = folder.convert("in/walk.kanim in/run.kanim --merge -o all.glb").exits(0);
    merged.err_lacks("use --merge");
}

#[test]
fn full_turns_show_no_motion() {
    let folder = Folder::new();
    let frame = |time: u8, angle: &str| {
        format!(
            "<frame time='{time}'><X3D><Scene><Transform rotation='0 0 1 {angle}'><Shape><Box/>\
             </Shape></Transform></Scene></X3D></frame>"
        )
    };
    for (angle, is_full) in [("6.2831853", true), ("4", false)] {
        let frames = frame(0, "0") + &frame(1, angle);
        folder.write("a.kanim", format!("<animation name='x'>{frames}</animation>"));
        let run = folder.convert("a.kanim -o a.glb --force").exits(0);
        run.err_has("interpolated along the shorter arc");
        assert_eq!(run.stderr().contains("arc: a full turn shows no motion"), is_full);
    }
}

/// Frames that are extracted from several files, or from several animations of a file, have
/// distinct names.
#[test]
fn extracted_frames_of_several_files() {
    let folder = Folder::new();
    let sway = |height: u32| {
        let frame = |time: u32| format!("<frame time='{time}'>{}</frame>", still(height + time));
        format!("<animation name='sway'>{}{}</animation>", frame(0), frame(1))
    };
    folder.write("in/a.kanim", sway(1));
    folder.write("in/b.kanim", sway(5));
    folder.write("in/c.kanim", sway(1));
    folder.run("convert in --to castle --extract -o out/").exits(0);
    let frames = ["a", "b", "c"].map(|stem| [1, 2].map(|n| format!("{stem}.sway_000{n}.x3d")));
    assert!(frames.as_flattened().iter().all(|name| folder.path("out").join(name).is_file()));
    folder.run("diff in out").exits(0);

    let names = ["sway", "SWAY", "sway.", "sway 2", "tür auf", "tür-auf"];
    let parts: String = names.map(|name| sway(3).replace("'sway'", &format!("'{name}'"))).concat();
    folder.write("all.kanim", format!("<animations>{parts}</animations>"));
    folder.run("convert all.kanim --split --extract --to castle -o parts/").exits(0);
    let split = folder.names("parts");
    assert_eq!(split.iter().filter(|name| name.ends_with(".x3d")).count(), 12, "{split:?}");
    assert!(split.iter().any(|name| name == "tür auf.t-r-auf_0001.x3d"), "{split:?}");
    for name in split.iter().filter(|name| !name.ends_with(".x3d")) {
        std::fs::rename(folder.path("parts").join(name), folder.path("parts/one.kanim")).unwrap();
        assert_eq!(triangles(&folder, "parts/one.kanim"), 1, "{name}");
    }

    // Alone, the frames are extracted, which is no difference.
    std::fs::create_dir(folder.path("more")).unwrap();
    folder.run("convert in/b.kanim -o more/b.kanim --extract").exits(0);
    folder.run("diff in/b.kanim more/b.kanim").exits(0);
}

/// Nothing that could be split is an error, and `--strict` writes no part if another has warnings.
#[test]
fn splitting_what_has_problems() {
    let folder = Folder::with(&[
        ("none.kanim", "../castle/err/C10_no_animation.castle-anim-frames"),
        ("twice.kanim", "../castle/warn/C26_default_name_twice.castle-anim-frames"),
    ]);
    let run = folder.run("convert none.kanim --to castle --split -o s");
    run.exits(1).err_has("has no animation to write; `animfmt check` lists its problems");
    let split = "convert twice.kanim --to castle --split -o s";
    folder.run(&format!("{split} --strict")).exits(1).err_has("because of --strict");
    assert!(!folder.path("s").exists());
    folder.run(split).exits(0);
}
