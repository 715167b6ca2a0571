//! TMD models, their TMD ANM motions, and other files with the same extensions.

use std::fs::File;

use serde_json::{Value, json};
use test_oracle::glb;
use test_oracle::math::transform_point;
use test_oracle::tmd;

use crate::program::{Folder, Run, animfmt, assert_runs, command, fixture, list};

/// Returns a folder with a model of ten objects, two motions and a camera motion.
fn game() -> Folder {
    Folder::with(&[
        ("VIBRI.TMD", "../tmd/ok/ten_objects.tmd"),
        ("WALK.ANM", "../tmd-anm/ok/two_frames.anm"),
        ("RUN.ANM", "../tmd-anm/ok/nothing_is_held.anm"),
        ("FLY.ANC", "../tmd-anm/ok/three_records.anc"),
    ])
}

/// Returns the names of the animations in a GLB.
fn clips(game: &Folder, glb: &str) -> Vec<String> {
    game.model(glb).animation_names()
}

/// Returns a motion as read by the oracle.
fn motion(game: &Folder, name: &str) -> tmd::Anm {
    tmd::anm(&game.read(name))
}

/// Returns the frame counts of the motions in a folder.
fn frames_in(game: &Folder, folder: &str) -> Vec<usize> {
    let names = game.names(folder).into_iter();
    names.map(|name| motion(game, &format!("{folder}/{name}")).frames.len()).collect()
}

/// Returns a packed file whose frames have complete keys.
fn packed(rate: i16, frames: &[&[u8]]) -> Vec<u8> {
    let mut at = 4 + frames.len();
    let mut bytes: Vec<u8> = [i16::MIN, rate, u16::try_from(frames.len()).unwrap().cast_signed()]
        .into_iter()
        .flat_map(i16::to_le_bytes)
        .collect();
    bytes.extend(u16::try_from(at).unwrap().to_le_bytes());
    for frame in frames {
        at += frame.len() / 2;
        bytes.extend(u16::try_from(at).unwrap().to_le_bytes());
    }
    [bytes, frames.concat()].concat()
}

/// Returns an Animated OBJ with a joint `pole` that moves from 0 to `y` in the given number of
/// seconds, in clips with the given names.
fn pole(clips: &[(&str, &str, &str)]) -> String {
    let model = "ao flag\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvj 1 0 0 0\nvw 1 0 0 0\nf 1///1/1 2///1/1 \
                 3///1/1\nj pole -1\n";
    let clips = clips
        .iter()
        .map(|(name, seconds, y)| format!("a {name}\nap 0 1 0 0 0\nap {seconds} 1 0 {y} 0\n"));
    clips.fold(model.to_owned(), |text, clip| text + &clip)
}

/// Runs typical commands.
#[test]
fn a_model_and_its_motions() {
    let game = game();
    game.convert("VIBRI.TMD WALK.ANM RUN.ANM -o vibri.glb").exits(0);
    assert_eq!(clips(&game, "vibri.glb"), ["WALK", "RUN"]);
    assert_eq!(game.model("vibri.glb").lines_at(None, 0.0).len(), 10);

    game.convert("RUN.ANM VIBRI.TMD FLY.ANC -o in_any_order.glb").exits(0);
    assert_eq!(clips(&game, "in_any_order.glb"), ["RUN", "FLY"]);
    assert_eq!(game.model("in_any_order.glb").cameras_at(Some(1), 0.1).len(), 1);

    game.convert("VIBRI.TMD WALK.ANM RUN.ANM --join LONG -o long.glb").exits(0);
    assert_eq!(clips(&game, "long.glb"), ["LONG"]);
    let long = game.model("long.glb").key_times(0);
    assert!((long[long.len() - 1] - 5.0 / 30.0).abs() < 1e-6, "two frames and three: {long:?}");

    game.convert("VIBRI.TMD WALK.ANM RUN.ANM --clip RUN -o run.glb").exits(0);
    assert_eq!(clips(&game, "run.glb"), ["RUN"]);

    // In a folder, each motion is written to its own file with the model, whatever the model's
    // name.
    for (number, inputs) in [
        "WALK.ANM RUN.ANM --with VIBRI.TMD",
        "VIBRI.TMD WALK.ANM RUN.ANM",
        "RUN.ANM WALK.ANM VIBRI.TMD",
        "VIBRI.TMD *.ANM",
        "motions VIBRI.TMD",
        "all",
    ]
    .into_iter()
    .enumerate()
    {
        for name in ["WALK.ANM", "RUN.ANM"] {
            game.write(&format!("motions/{name}"), game.read(name));
            game.write(&format!("all/{name}"), game.read(name));
        }
        game.write("all/VIBRI.TMD", game.read("VIBRI.TMD"));
        let run = game.convert(&format!("{inputs} -o out{number} --to glb")).exits(0);
        run.err_lacks("motion-without").err_has("2 files: 2 converted");
        assert_eq!(run.stderr().contains("VIBRI.TMD is written with each"), number > 0, "{inputs}");
        assert_eq!(game.names(&format!("out{number}")), ["RUN.glb", "WALK.glb"], "{inputs}");
        for name in ["RUN", "WALK"] {
            let model = game.model(&format!("out{number}/{name}.glb"));
            assert_eq!(model.animation_names(), [name]);
            assert_eq!(model.lines_at(None, 0.0).len(), 10);
        }
    }
    // With two models, it is ambiguous which one the motions belong to.
    game.write("all/OTHER.TMD", game.read("VIBRI.TMD"));
    game.convert("all -o apart --to glb").exits(0).err_has("motion-without-model");
    assert_eq!(game.names("apart"), ["OTHER.glb", "RUN.glb", "VIBRI.glb", "WALK.glb"]);
    let piped = game.convert("VIBRI.TMD WALK.ANM -o - --to glb -q").exits(0);
    assert_eq!(glb::read(&piped.output.stdout).animation_names(), ["WALK"]);
}

/// Each option affects the output.
#[test]
fn options_affect_the_files() {
    let game = game();
    game.write("TURN.ANM", fixture("../tmd-anm/ok/rotation_order.anm"));
    let made = |options: &str| {
        game.convert(&format!("VIBRI.TMD RUN.ANM TURN.ANM -o x.glb --force -q{options}")).exits(0);
        game.model("x.glb")
    };
    let at = |model: &glb::Model, clip: usize, t: f64, point: [f64; 3]| {
        transform_point(&model.node_world(Some(clip), "object_0", t), point)
            .map(|x| (x * 1000.0).round() / 1000.0)
    };
    let plain = made("");
    // y points down: a rotation from y to z in the file becomes one from -y to -z. The order
    // matters for y.
    assert_eq!(at(&plain, 1, 0.01, [0.0, -1.0, 0.0]), [0.0, 0.0, -1.0]);
    assert_eq!(at(&made(" --rotation-order xyz"), 1, 0.01, [0.0, -1.0, 0.0]), [-1.0, 0.0, 0.0]);
    // The second frame has no rotation and no scale, the third no position.
    assert_eq!([0.05, 0.09].map(|t| at(&plain, 0, t, [0.0; 3])), [[40.0, -50.0, -60.0], [0.0; 3]]);
    assert_eq!(at(&made(" --hold"), 0, 0.09, [0.0; 3]), [40.0, -50.0, -60.0]);
    assert_eq!(at(&made(" --unit-scale 0.1"), 0, 0.05, [0.0; 3]), [4.0, -5.0, -6.0]);
    assert_eq!(at(&made(" --rate 1"), 0, 1.5, [0.0; 3]), [40.0, -50.0, -60.0]);
    assert_eq!(at(&made(" --linear"), 0, 0.5 / 30.0, [0.0; 3]), [25.0, -35.0, -45.0]);
    game.write("BIG.TMD", fixture("../tmd/ok/scale_1.tmd"));
    let farthest = |options: &str| {
        game.convert(&format!("BIG.TMD -o x.glb --force -q{options}")).exits(0);
        let model = game.model("x.glb");
        let corners = model.triangles_at(None, 0.0).concat().concat();
        corners.into_iter().fold(0.0_f64, |most, x| most.max(x.abs()))
    };
    assert_eq!(farthest(" --tmd-scale"), 2.0 * farthest(""));

    game.convert("VIBRI.TMD TURN.ANM -o seen.glb --node-visibility").exits(0);
    // The three extensions are for unlit materials, visibility, and animated visibility.
    assert_eq!(list(&game.glb_json("seen.glb")["extensionsUsed"]).len(), 3);
}

#[test]
fn info_shows_frames() {
    assert_runs!(
        "info_tmd",
        [
            "info ../tmd-anm/ok/empty_frame_between.anm ../tmd-anm/ok/T07_no_frames.anm \
             ../tmd-anm/ok/three_records.anc",
            "info ../tmd/ok/lines_with_occluder.tmd ../tmd/ok/flat_textured_quad.tmd",
        ]
        .map(animfmt)
    );
    let motion = |name: &str| {
        let info = animfmt(format!("info --json ../tmd-anm/{name}")).only("info");
        info["motion"].clone()
    };
    assert_eq!(
        motion("ok/empty_frame_between.anm"),
        json!({ "frames": 3, "rate": 30, "drawn": [1, 0, 1] })
    );
    assert_eq!(motion("ok/three_records.anc"), json!({ "frames": 3, "rate": 15 }));
    assert_eq!(motion("warn/T04_rate_minus_1.anm")["rate"], -1);
    // An object with two keys is drawn once.
    assert_eq!(motion("warn/T20_three_times.anm")["drawn"][0], 1);
    assert!(animfmt("info --json ../tmd/ok/two_objects.tmd").only("info").get("motion").is_none());
}

#[test]
fn check_shows_the_bytes() {
    assert_runs!(
        "check_tmd",
        [
            "check ../tmd-anm/ok/two_frames.anm",
            "check ../tmd-anm/err/T16_second_key.anm",
            "check ../tmd-anm/err/T09_reversed_offset.anm",
            "check ../tmd-anm/err/T12_end_past_file.anm",
            "check ../tmd-anm/warn/T13_trailing_1024.anm",
            "check ../tmd-anm/err/T05_count_65535.anm",
            "check --from tmd-anm ../tmd-anm/warn/T03_magic_0080.anm",
            "check ../tmd/err/index_of_quad.tmd",
        ]
        .map(animfmt)
    );
    let json = animfmt("check --json ../tmd-anm/err/T16_second_key.anm").exits(1).json("check");
    let found = &json["files"][0]["diagnostics"][0];
    assert_eq!([&found["offset"], &found["length"]], [20, 18]);
    assert_eq!([&found["line"], &found["column"]], [&Value::Null; 2]);
    let run = animfmt("convert ../tmd-anm/err/T16_second_key.anm -o /dev/null/x --to glb").exits(2);
    assert!(run.stdout().is_empty());
}

#[test]
fn sample_uses_the_files_own_axes() {
    assert_runs!(
        "sample_tmd",
        [
            "sample ../tmd-anm/ok/nothing_is_held.anm --fps 30 --csv",
            "sample ../tmd-anm/ok/nothing_is_held.anm --at 0.07 --csv --hold --unit-scale 0.1",
            "sample ../tmd-anm/ok/empty_frame_between.anm --at 0,0.04,0.1 --csv",
            "sample ../tmd-anm/ok/three_records.anc --at 0.1 --csv",
            "sample ../tmd/ok/two_objects.tmd --at 0"
        ]
        .map(animfmt)
    );
    animfmt("sample ../tmd-anm/ok/two_frames.anm --at 0").exits(0).json("sample");
}

/// T25, T03: other files with the extension `.anm` are detected by their content.
#[test]
fn other_files_with_that_extension() {
    let game = game();
    game.write("png.anm", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    game.write("text.anm", "[Animation]\nframes = 12\n");
    game.write("paint.anm", b"FORM\0\0\x10\0ANIMFORM\0\0\x01\0ILBM");
    game.write("swapped.anm", b"\x80\0\0\x1e\0\x01\0\x05\0\x06\0\0");
    game.write("random.anm", b"\x12\x8f\xe0\x07 \xff\x33\x9a\0\x01");
    game.write("empty.anm", "");
    let names = ["png", "text", "paint", "swapped", "random", "empty"];
    assert_runs!("other_anm", names.map(|name| game.run(&format!("info {name}.anm"))));
    for name in names {
        let why = match name {
            "empty" => "the file is empty",
            // ANM text also has the extension `.anm`.
            "text" => "the file is not ANM text",
            _ => "not TMD ANM",
        };
        game.convert(&format!("{name}.anm -o x.glb")).exits(1).err_has(why);
    }
    assert!(!game.path("x.glb").exists());
}

/// X11: if neither the content nor the name is conclusive, `--from` decides.
#[test]
fn ambiguous_formats() {
    let game = game();
    let bytes = fixture("../tmd-anm/ok/both_ways.anm");
    for (name, args, format) in [
        ("x.anm", "", "tmd-anm"),
        ("x.anc", "", "tmd-anc"),
        ("x.anm", " --from tmd-anc", "tmd-anc"),
        ("x", " --from tmd-anm", "tmd-anm"),
    ] {
        game.write(name, &bytes);
        assert_eq!(game.info(&format!("{name}{args}"))["format"], format, "{name}{args}");
    }
    let run = game.run("info x").exits(1);
    assert_eq!(
        run.stderr(),
        "error: x: ambiguous format: this may be TMD ANM or TMD ANC; specify which with --from\n"
    );
}

/// T14: of input that exceeds the maximum length of the format, only as much is read as needed to
/// detect its length.
#[cfg(unix)]
#[test]
fn endless_input() {
    let game = game();
    // An endless ANC can only be detected by its name, since detection by content depends on the
    // length.
    for (name, format) in [("WALK.ANM", ""), ("FLY.ANC", "--from tmd-anc")] {
        let sparse = format!("sparse_{name}");
        game.write(&sparse, game.read(name));
        File::options().write(true).open(game.path(&sparse)).unwrap().set_len(10 << 30).unwrap();
        for line in [
            format!("animfmt check {sparse}"),
            format!("(cat {name}; cat /dev/zero) | animfmt check - {format}"),
            format!("(cat {name}; yes) | animfmt convert - -o {name}.glb {format} 2>&1"),
        ] {
            // 200 MB of address space is enough for the program and the data it may read.
            game.shell(&format!("ulimit -v 200000; {line}")).exits(0).out_has("-trailing]");
        }
    }
}

/// T21: motion of an object that the model does not have is reported.
#[test]
fn an_object_beyond_the_model() {
    let game = game();
    game.write("BEYOND.ANM", fixture("../tmd-anm/ok/T21_object_255.anm"));
    let run = game.convert("VIBRI.TMD BEYOND.ANM -o x.glb").exits(0);
    run.err_has("object 255").err_has("objects 0 to 9").err_has("BEYOND.ANM");
    game.convert("VIBRI.TMD BEYOND.ANM -o strict.glb --strict").exits(1);
    assert!(!game.path("strict.glb").exists());
    // Without a model, any object number is valid.
    game.convert("BEYOND.ANM -o y.glb").exits(0).err_lacks("warning");
}

/// T10, T22, T23: files of the maximum size are reported briefly.
#[test]
fn full_files() {
    let game = game();
    let flood: Vec<u8> = (0..65_529_u32).flat_map(|key| [(key % 256) as u8, 0]).collect();
    game.write("flood.anm", packed(30, &[&flood]));
    for args in ["check flood.anm", "info flood.anm", "convert flood.anm -o flood.glb"] {
        let said = game.run(args).exits(0).output();
        let lines = said.lines().filter(|line| !line.starts_with("  object_")).count();
        assert!(lines <= 20, "{args}: {lines} lines\n{said}");
    }
    game.write("empty.anm", packed(30, &vec![[].as_slice(); 65_531]));
    game.run("check empty.anm").exits(0).out_has("no problems");
    // Frame offsets that alternate between small and large, so that frames overlap. Their total
    // size is checked before they are read.
    let mut bomb = packed(30, &vec![[].as_slice(); 32_766]);
    bomb.resize(131_070, 0);
    for entry in bomb[6..].as_chunks_mut::<2>().0.iter_mut().take(32_767).skip(1).step_by(2) {
        *entry = [0xff; 2];
    }
    game.write("bomb.anm", bomb);
    game.run("check bomb.anm").exits(1).err_has("overlap").err_has("must not exceed");
}

/// Several files of one motion are joined into one packed file, and a motion that is too long is
/// split.
#[test]
fn joined_and_split() {
    let game = game();
    game.convert("WALK.ANM RUN.ANM -o both.anm").exits(0);
    let [walk, run, both] = ["WALK.ANM", "RUN.ANM", "both.anm"].map(|name| motion(&game, name));
    assert_eq!(both.frames, [walk.frames, run.frames].concat());
    assert!(both.gap.is_empty() && both.trailing.is_empty() && both.rate_field == 30);
    game.convert("WALK.ANM RUN.ANM --rate 15 -o slow.anm").exits(0);
    assert_eq!(motion(&game, "slow.anm").rate_field, 15);

    let frame = [5, 7].into_iter().chain(1..19).collect::<Vec<u8>>();
    game.write("LONG.ANM", packed(30, &vec![frame.as_slice(); 5_000]));
    let before = game.names("");
    game.convert("LONG.ANM LONG.ANM -o two.anm")
        .exits(1)
        .err_has("2 files are needed")
        .err_has("--split");
    assert_eq!(game.names(""), before, "nothing was written");
    // Runs the command that the message suggests.
    game.convert("LONG.ANM LONG.ANM --split --to tmd-anm -o parts").exits(0);
    assert_eq!(frames_in(&game, "parts"), [5_957, 4_043]);
}

/// T26: a long clip from another format is written in parts, which never overwrite the parts of
/// another clip.
#[test]
fn long_clips_in_parts() {
    let game = game();
    game.write("flag.amo", pole(&[("wave", "3000", "2000")]));
    game.convert("flag.amo -o wave.anm --to tmd-anm")
        .exits(1)
        .err_has("90000 frames")
        .err_has("7 files are needed");
    assert!(!game.path("wave.anm").exists());
    game.convert("flag.amo --split --to tmd-anm -o parts -q").exits(0);
    let frames = frames_in(&game, "parts");
    assert_eq!((frames.len(), frames.iter().sum::<usize>()), (7, 90_000), "{frames:?}");

    // One clip has the same name as the second part of another.
    game.write("flag.amo", pole(&[("wave", "3000", "2000"), ("wave_2", "1", "20")]));
    for force in ["", " --force"] {
        let run = game.convert(&format!("flag.amo --split --to tmd-anm -o clash -q{force}"));
        let written: usize = frames_in(&game, "clash").iter().sum();
        let names = game.names("clash");
        assert!(run.status() != 0 || written == 90_030, "{written} frames in {names:?}");
    }
}

/// T27: values out of range are rejected, with the options that help.
#[test]
fn values_out_of_range() {
    let game = game();
    game.write("far.amo", pole(&[("wave", "1", "60000")]));
    game.convert("far.amo -o far.anm --to tmd-anm")
        .exits(1)
        .err_has("the position of joint `pole`")
        .err_has("--clamp");
    assert!(!game.path("far.anm").exists());
    let clamp = "far.amo -o far.anm --to tmd-anm --clamp";
    game.convert(clamp).exits(0).err_has("tmd-anm-clamped");
    let lowest = motion(&game, "far.anm").frames.last().unwrap().keys[0].position.unwrap()[1];
    assert_eq!(lowest, i16::MIN, "the y axis is flipped");
    let scale = "far.amo -o scaled.anm --to tmd-anm --unit-scale 2";
    game.convert(scale).exits(0).err_lacks("clamped");
    let anm = motion(&game, "scaled.anm");
    assert_eq!(anm.frames[15].keys[0].position, Some([0, -15_000, 0]));
}

/// O32: a key at a billion seconds is rejected.
#[test]
fn thirty_years_of_frames() {
    let game = game();
    game.write("flag.amo", pole(&[("wave", "1e9", "2")]));
    for args in
        ["flag.amo -o x.anm --to tmd-anm --fps 60", "flag.amo --split --to tmd-anm -o x --fps 60"]
    {
        game.convert(args).exits(1).err_has(
            "the sampled frames need a memory limit of at least 12 TB; the limit is 269 MB",
        );
    }
}

#[test]
fn incompatible_inputs() {
    let game = game();
    game.write("flag.amo", pole(&[("wave", "1", "2")]));
    game.write("OTHER.TMD", game.read("VIBRI.TMD"));
    let mut faster = game.read("RUN.ANM");
    faster[2] = 60;
    game.write("FAST.ANM", faster);
    assert_runs!(
        "tmd_refused",
        [
            "VIBRI.TMD OTHER.TMD WALK.ANM -o x.glb",
            "VIBRI.TMD WALK.ANM flag.amo -o x.glb",
            "VIBRI.TMD WALK.ANM RUN.ANM --clip JUMP -o x.glb",
            "VIBRI.TMD WALK.ANM RUN.ANM -o x.anm",
            "WALK.ANM FAST.ANM -o x.anm",
            "WALK.ANM RUN.ANM --rate 12.5 -o x.anm",
            "VIBRI.TMD -o x.anm",
            "flag.amo -o x.anm --to tmd-anm --fps 0.5",
            "WALK.ANM -o WALK.ANM --force",
            "WALK.ANM RUN.ANM -o none/x.anm",
        ]
        .map(|args| game.convert(args))
    );
    assert!(game.names("").iter().all(|name| !name.starts_with('x')));
    // Inputs with the same name become separate clips.
    game.write("walk.anm", game.read("WALK.ANM"));
    game.convert("VIBRI.TMD WALK.ANM walk.anm WALK.ANM -o same.glb").exits(0);
    let mut names = clips(&game, "same.glb");
    names.sort();
    names.dedup();
    assert_eq!(names.len(), 3, "{names:?}");
}

/// `convert` reports losses.
#[test]
fn losses_are_reported() {
    let game = game();
    game.write("flag.amo", pole(&[("wave", "1", "2")]));
    let runs = [
        "VIBRI.TMD WALK.ANM -o x.anm",
        "VIBRI.TMD WALK.ANM FLY.ANC -o x.amo",
        "flag.amo -o y.anm --to tmd-anm",
    ];
    let runs = runs.map(|args| game.convert(args).exits(0).shown());
    insta::assert_snapshot!("tmd_losses", runs.join("\n"));
    let json = game.convert("VIBRI.TMD WALK.ANM RUN.ANM -o z.glb --json").exits(0).only("convert");
    assert_eq!(json["inputs"], json!(["VIBRI.TMD", "WALK.ANM", "RUN.ANM"]));
    game.convert("WALK.ANM RUN.ANM -o z.anm --json").exits(0).json("convert");
}

#[test]
fn motion_without_its_model_suggests_how_to_add_it() {
    let game = game();
    let alone = "note[motion-without-model]: the input has motion but no model; use `--with \
                 MODEL` to add the model that it animates";
    game.convert("WALK.ANM -o walk.glb").exits(0).err_has(alone);
    game.convert("WALK.ANM --with VIBRI.TMD -o walk.glb --force")
        .exits(0)
        .err_lacks("motion-without");
    game.convert("VIBRI.TMD --with WALK.ANM -o walk.glb --force")
        .exits(0)
        .err_lacks("motion-without");
    game.convert("VIBRI.TMD -o vibri.glb").exits(0).err_lacks("motion-without");
    // Formats that only contain motion do not need a model.
    game.convert("WALK.ANM -o walk.bvh").exits(0).err_lacks("motion-without");
    game.convert("VIBRI.TMD -o x.anm").exits(1).err_has("`--with MOTION.ANM`");
    game.write("lamp.stt", fixture("../cookbook/lamp.stt"));
    game.convert("lamp.stt -o lamp.glb").exits(0).err_has(alone);
}

#[test]
fn a_model_from_standard_input() {
    let game = game();
    let mut command = command();
    let line = "convert - --with WALK.ANM -o x.glb";
    Run::fed(command.current_dir(game.root()), line, &game.read("VIBRI.TMD")).exits(0);
    assert_eq!(clips(&game, "x.glb"), ["WALK"]);
}
