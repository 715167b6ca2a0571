//! TMD models, what moves them, and what only has their names.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Output, Stdio};

use serde_json::Value;
use test_oracle::glb;
use test_oracle::math::transform_point;
use test_oracle::tmd;

use crate::convert::glb_json;
use crate::{Run, animfmt, assert_runs, command, names_in, testdata};

/// A folder with a model of ten objects, two motions and a flight of the camera.
struct Game(tempfile::TempDir);

impl Game {
    fn new() -> Game {
        let game = Game(tempfile::tempdir().unwrap());
        for (fixture, name) in [
            ("tmd/ok/ten_objects.tmd", "VIBRI.TMD"),
            ("tmd-anm/ok/two_frames.anm", "WALK.ANM"),
            ("tmd-anm/ok/nothing_is_held.anm", "RUN.ANM"),
            ("tmd-anm/ok/three_records.anc", "FLY.ANC"),
        ] {
            game.write(name, fixture_bytes(fixture));
        }
        game
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).unwrap();
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    fn names(&self) -> Vec<String> {
        names_in(self.0.path())
    }

    /// Runs the program in the folder, with arguments in one string.
    fn run(&self, args: &str) -> Run {
        let output = command().args(args.split(' ')).current_dir(self.0.path()).output().unwrap();
        Run { line: args.to_owned(), output }
    }

    fn convert(&self, args: &str) -> Run {
        self.run(&format!("convert {args}"))
    }

    fn clips(&self, glb: &str) -> Vec<String> {
        glb::read(&self.read(glb)).animation_names()
    }
}

fn fixture_bytes(name: &str) -> Vec<u8> {
    fs::read(testdata().join("..").join(name)).unwrap()
}

/// A packed file of frames of whole keys.
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

/// A joint `pole` that is moved from 0 to `y` in so many seconds, as Animated OBJ, in clips of
/// these names.
fn pole(clips: &[(&str, &str, &str)]) -> String {
    let model = "ao flag\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvj 1 0 0 0\nvw 1 0 0 0\nf 1///1/1 2///1/1 \
                 3///1/1\nj pole -1\n";
    let clips = clips
        .iter()
        .map(|(name, seconds, y)| format!("a {name}\nap 0 1 0 0 0\nap {seconds} 1 0 {y} 0\n"));
    clips.fold(model.to_owned(), |text, clip| text + &clip)
}

/// The commands as people write them.
#[test]
fn a_model_and_its_motions() {
    let game = Game::new();
    game.convert("VIBRI.TMD WALK.ANM RUN.ANM -o vibri.glb").exits(0);
    assert_eq!(game.clips("vibri.glb"), ["WALK", "RUN"]);
    let model = glb::read(&game.read("vibri.glb"));
    assert_eq!(model.lines_at(None, 0.0).len(), 10);
    let anm = tmd::anm(&game.read("RUN.ANM"));
    for frame in 0..anm.frames.len() {
        let expected = tmd::to_gltf(&anm.matrix(frame, 0, &tmd::Options::default()).unwrap());
        let found = model.node_world(Some(1), "object_0", (frame as f64 + 0.5) / anm.rate);
        let near = (0..3).all(|i| {
            (transform_point(&found, [1.0; 3])[i] - transform_point(&expected, [1.0; 3])[i]).abs()
                < 1e-4
        });
        assert!(near, "{frame}: {found:?} {expected:?}");
    }

    game.convert("RUN.ANM VIBRI.TMD FLY.ANC -o in_any_order.glb").exits(0);
    assert_eq!(game.clips("in_any_order.glb"), ["RUN", "FLY"]);
    assert_eq!(glb::read(&game.read("in_any_order.glb")).cameras_at(Some(1), 0.1).len(), 1);

    game.convert("VIBRI.TMD WALK.ANM RUN.ANM --join LONG -o long.glb").exits(0);
    assert_eq!(game.clips("long.glb"), ["LONG"]);
    let long = glb::read(&game.read("long.glb")).key_times(0);
    assert!((long[long.len() - 1] - 5.0 / 30.0).abs() < 1e-6, "two frames and three: {long:?}");

    game.convert("VIBRI.TMD WALK.ANM RUN.ANM --clip RUN -o run.glb").exits(0);
    assert_eq!(game.clips("run.glb"), ["RUN"]);

    game.convert("WALK.ANM RUN.ANM --with VIBRI.TMD -o out/ --to glb").exits(0);
    assert_eq!(names_in(&game.path("out")), ["RUN.glb", "WALK.glb"]);
    for name in ["RUN", "WALK"] {
        assert_eq!(game.clips(&format!("out/{name}.glb")), [name]);
        assert_eq!(glb::read(&game.read(&format!("out/{name}.glb"))).lines_at(None, 0.0).len(), 10);
    }
    let piped = game.convert("VIBRI.TMD WALK.ANM -o - --to glb -q").exits(0);
    assert_eq!(glb::read(&piped.output.stdout).animation_names(), ["WALK"]);
}

/// Each option changes what it is there to change.
#[test]
fn options_reach_the_files() {
    let game = Game::new();
    let rotation = fixture_bytes("tmd-anm/ok/rotation_order.anm");
    game.write("TURN.ANM", &rotation);
    let made = |options: &str| {
        game.convert(
            format!("VIBRI.TMD RUN.ANM TURN.ANM -o x.glb --force -q {options}").trim_end(),
        )
        .exits(0);
        glb::read(&game.read("x.glb"))
    };
    let at = |model: &glb::Model, clip: usize, t: f64, point: [f64; 3]| {
        transform_point(&model.node_world(Some(clip), "object_0", t), point)
            .map(|x| (x * 1000.0).round() / 1000.0)
    };
    let plain = made("");
    // y down: what the file turns from y to z is turned from -y to -z. The order matters for y.
    assert_eq!(at(&plain, 1, 0.01, [0.0, -1.0, 0.0]), [0.0, 0.0, -1.0]);
    assert_eq!(at(&made("--rotation-order xyz"), 1, 0.01, [0.0, -1.0, 0.0]), [-1.0, 0.0, 0.0]);
    // The second frame has no rotation and no scale, the third no position.
    assert_eq!([0.05, 0.09].map(|t| at(&plain, 0, t, [0.0; 3])), [[40.0, -50.0, -60.0], [0.0; 3]]);
    assert_eq!(at(&made("--hold"), 0, 0.09, [0.0; 3]), [40.0, -50.0, -60.0]);
    assert_eq!(at(&made("--unit-scale 0.1"), 0, 0.05, [0.0; 3]), [4.0, -5.0, -6.0]);
    assert_eq!(at(&made("--rate 1"), 0, 1.5, [0.0; 3]), [40.0, -50.0, -60.0]);
    assert_eq!(at(&made("--linear"), 0, 0.5 / 30.0, [0.0; 3]), [25.0, -35.0, -45.0]);
    game.write("BIG.TMD", fixture_bytes("tmd/ok/scale_1.tmd"));
    let farthest = |options: &str| {
        game.convert(format!("BIG.TMD -o x.glb --force -q {options}").trim_end()).exits(0);
        let model = glb::read(&game.read("x.glb"));
        let corners = model.triangles_at(None, 0.0).concat().concat();
        corners.into_iter().fold(0.0_f64, |most, x| most.max(x.abs()))
    };
    assert_eq!(farthest("--tmd-scale"), 2.0 * farthest(""));

    game.convert("VIBRI.TMD TURN.ANM -o seen.glb --node-visibility").exits(0);
    assert_eq!(
        glb_json(&game.read("seen.glb"))["extensionsUsed"].as_array().unwrap().len(),
        3,
        "unlit, visibility, and how it is animated"
    );
}

#[test]
fn info_tells_of_frames() {
    let tmd = |name: &str| format!("../tmd-anm/{name}");
    assert_runs!(
        "info_tmd",
        None,
        [
            animfmt([
                "info",
                &tmd("ok/empty_frame_between.anm"),
                &tmd("ok/T07_no_frames.anm"),
                &tmd("ok/three_records.anc")
            ]),
            animfmt([
                "info",
                "../tmd/ok/lines_with_occluder.tmd",
                "../tmd/ok/flat_textured_quad.tmd"
            ]),
        ]
    );
    let motion =
        |name: &str| animfmt(["info", "--json", &tmd(name)]).json("info")["motion"].clone();
    assert_eq!(
        motion("ok/empty_frame_between.anm"),
        serde_json::json!({ "frames": 3, "rate": 30, "drawn": [1, 0, 1] })
    );
    assert_eq!(motion("ok/three_records.anc"), serde_json::json!({ "frames": 3, "rate": 15 }));
    assert_eq!(motion("warn/T04_rate_minus_1.anm")["rate"], -1);
    // Two keys for one object draw it once.
    assert_eq!(motion("warn/T20_three_times.anm")["drawn"][0], 1);
    assert!(
        animfmt(["info", "--json", "../tmd/ok/two_objects.tmd"])
            .json("info")
            .get("motion")
            .is_none()
    );
}

#[test]
fn check_shows_the_bytes() {
    let check = |name: &str| animfmt(["check", &format!("../tmd-anm/{name}")]);
    assert_runs!(
        "check_tmd",
        None,
        [
            check("ok/two_frames.anm"),
            check("err/T16_second_key.anm"),
            check("err/T09_reversed_offset.anm"),
            check("err/T12_end_past_file.anm"),
            check("warn/T13_trailing_1024.anm"),
            check("err/T05_count_65535.anm"),
            animfmt(["check", "--from", "tmd-anm", "../tmd-anm/warn/T03_magic_0080.anm"]),
            animfmt(["check", "../tmd/err/index_of_quad.tmd"]),
        ]
    );
    let json =
        animfmt(["check", "--json", "../tmd-anm/err/T16_second_key.anm"]).exits(1).json("check");
    let found = &json["files"][0]["diagnostics"][0];
    assert_eq!(
        (&found["offset"], &found["length"], &found["line"], &found["column"]),
        (&20.into(), &18.into(), &Value::Null, &Value::Null)
    );
    let run = animfmt([
        "convert",
        "../tmd-anm/err/T16_second_key.anm",
        "-o",
        "/dev/null/x",
        "--to",
        "glb",
    ])
    .exits(2);
    assert!(run.stdout().is_empty());
}

/// All fixtures: what is said of them is as the schemas have it, and the exit status is that of
/// their folder.
#[test]
fn every_fixture() {
    let mut seen = 0;
    for (format, extensions) in [("tmd-anm", ["anm", "anc"].as_slice()), ("tmd", &["tmd"])] {
        for (folder, status) in [("ok", 0), ("warn", 0), ("err", 1)] {
            for name in names_in(&testdata().join("..").join(format).join(folder)) {
                let Some((_, extension)) =
                    name.rsplit_once('.').filter(|(_, extension)| extensions.contains(extension))
                else {
                    continue;
                };
                let from = if extension == "anc" { "tmd-anc" } else { format };
                let path = format!("../{format}/{folder}/{name}");
                let args = |command: &'static str| {
                    [command, "--json", "--from", from, path.as_str()].map(str::to_owned)
                };
                let (check, info) =
                    (animfmt(args("check")).exits(status), animfmt(args("info")).exits(status));
                let (check, info) = (check.json("check"), info.json("info"));
                assert_eq!(
                    check["files"][0]["error"].is_string(),
                    info["error"].is_string(),
                    "{path}"
                );
                if folder != "ok" {
                    animfmt(["check", "--strict", "--from", from, &path]).exits(1);
                    assert_ne!(
                        check["files"][0]["diagnostics"].as_array().unwrap().len(),
                        0,
                        "{path}"
                    );
                }
                seen += 1;
            }
        }
    }
    assert!(seen > 150, "{seen}");
}

#[test]
fn sample_has_the_files_own_axes() {
    assert_runs!(
        "sample_tmd",
        None,
        [
            animfmt(["sample", "../tmd-anm/ok/nothing_is_held.anm", "--fps", "30", "--csv"]),
            animfmt([
                "sample",
                "../tmd-anm/ok/nothing_is_held.anm",
                "--at",
                "0.07",
                "--csv",
                "--hold",
                "--unit-scale",
                "0.1"
            ]),
            animfmt([
                "sample",
                "../tmd-anm/ok/empty_frame_between.anm",
                "--at",
                "0,0.04,0.1",
                "--csv"
            ]),
            animfmt(["sample", "../tmd-anm/ok/three_records.anc", "--at", "0.1", "--csv"]),
            animfmt(["sample", "../tmd/ok/two_objects.tmd", "--at", "0"]),
        ]
    );
    animfmt(["sample", "../tmd-anm/ok/two_frames.anm", "--at", "0"]).exits(0).json("sample");
}

/// T25, T03: other files of that name, told by what they look like.
#[test]
fn other_files_of_that_name() {
    let game = Game::new();
    game.write("png.anm", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    game.write("text.anm", "[Animation]\nframes = 12\n");
    game.write("paint.anm", b"FORM\0\0\x10\0ANIMFORM\0\0\x01\0ILBM");
    game.write("swapped.anm", b"\x80\0\0\x1e\0\x01\0\x05\0\x06\0\0");
    game.write("random.anm", b"\x12\x8f\xe0\x07 \xff\x33\x9a\0\x01");
    game.write("empty.anm", "");
    let names = ["png", "text", "paint", "swapped", "random", "empty"];
    let runs = names.map(|name| game.run(&format!("info {name}.anm")).exits(1).shown());
    insta::assert_snapshot!("other_anm", runs.join("\n"));
    for name in names {
        let run = game.convert(&format!("{name}.anm -o x.glb")).exits(1);
        let why = match name {
            "empty" => "it is empty",
            // ANM text has that extension too.
            "text" => "something else than ANM text",
            _ => "it is no TMD ANM",
        };
        assert!(run.stderr().contains(why), "{}", run.stderr());
    }
    assert!(!game.path("x.glb").exists());
}

/// X11: where the content does not decide and the name does not either, whoever asks does.
#[test]
fn both_formats_at_once() {
    let game = Game::new();
    let bytes = fixture_bytes("tmd-anm/ok/both_ways.anm");
    for (name, args, format) in [
        ("x.anm", "", "tmd-anm"),
        ("x.anc", "", "tmd-anc"),
        ("x.anm", " --from tmd-anc", "tmd-anc"),
        ("x", " --from tmd-anm", "tmd-anm"),
    ] {
        game.write(name, &bytes);
        assert_eq!(
            game.run(&format!("info --json {name}{args}")).exits(0).json("info")["format"],
            format,
            "{name}{args}"
        );
    }
    let run = game.run("info x").exits(1);
    assert_eq!(run.stderr(), "error: x: this may be TMD ANM or TMD ANC; say which with --from\n");
}

/// T14: of what is longer than the file can use, no more is read than shows that there is more.
#[cfg(unix)]
#[test]
fn what_never_ends() {
    let game = Game::new();
    // An endless ANC is one by its name only, since it is told by its length.
    for (name, format) in [("WALK.ANM", ""), ("FLY.ANC", "--from tmd-anc")] {
        let sparse = format!("sparse_{name}");
        game.write(&sparse, game.read(name));
        File::options().write(true).open(game.path(&sparse)).unwrap().set_len(10 << 30).unwrap();
        for line in [
            format!("animfmt check {sparse}"),
            format!("(cat {name}; cat /dev/zero) | animfmt check - {format}"),
            format!("(cat {name}; yes) | animfmt convert - -o {name}.glb {format} 2>&1"),
        ] {
            // 200 MB of address space are enough for the program and what it may read.
            let output = shell(&game, &format!("ulimit -v 200000; {line}"));
            assert_eq!(
                output.status.code(),
                Some(0),
                "{line}: {}",
                String::from_utf8_lossy(&output.stderr)
            );
            assert!(String::from_utf8_lossy(&output.stdout).contains("-trailing]"), "{line}");
        }
    }
}

/// A line of the shell in the folder, `animfmt` being the program.
#[cfg(unix)]
fn shell(game: &Game, line: &str) -> Output {
    let line = format!("animfmt() {{ '{}' \"$@\"; }}\n{line}", env!("CARGO_BIN_EXE_animfmt"));
    std::process::Command::new("sh")
        .args(["-c", &line])
        .current_dir(game.0.path())
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

/// T21: an object that the model does not have.
#[test]
fn an_object_beyond_the_model() {
    let game = Game::new();
    game.write("BEYOND.ANM", fixture_bytes("tmd-anm/ok/T21_object_255.anm"));
    let run = game.convert("VIBRI.TMD BEYOND.ANM -o x.glb").exits(0);
    assert!(
        run.stderr().contains("object 255") && run.stderr().contains("10 objects"),
        "{}",
        run.stderr()
    );
    assert!(run.stderr().contains("BEYOND.ANM"), "it says whose object it is: {}", run.stderr());
    game.convert("VIBRI.TMD BEYOND.ANM -o strict.glb --strict").exits(1);
    assert!(!game.path("strict.glb").exists());
    // Without a model there is nothing that it could be beyond.
    assert!(!game.convert("BEYOND.ANM -o y.glb").exits(0).stderr().contains("warning"));
}

/// T10, T22, T23: as much as a file can hold, and as little said about it.
#[test]
fn full_files() {
    let game = Game::new();
    let flood: Vec<u8> = (0..65_529_u32).flat_map(|key| [(key % 256) as u8, 0]).collect();
    game.write("flood.anm", packed(30, &[&flood]));
    for args in ["check flood.anm", "info flood.anm", "convert flood.anm -o flood.glb"] {
        let run = game.run(args).exits(0);
        let lines = run
            .stdout()
            .lines()
            .chain(run.stderr().lines())
            .filter(|line| !line.starts_with("  object_"))
            .count();
        assert!(lines <= 20, "{args}: {lines} lines\n{}{}", run.stdout(), run.stderr());
    }
    game.write("empty.anm", packed(30, &vec![[].as_slice(); 65_531]));
    assert!(game.run("check empty.anm").exits(0).stdout().contains("no problems"));
    // Offsets that go back and forth: the sum of what they name is told, not read.
    let mut bomb = packed(30, &vec![[].as_slice(); 32_766]);
    bomb.resize(131_070, 0);
    for entry in bomb[6..].as_chunks_mut::<2>().0.iter_mut().take(32_767).skip(1).step_by(2) {
        *entry = [0xff; 2];
    }
    game.write("bomb.anm", bomb);
    let run = game.run("check bomb.anm").exits(1);
    assert!(run.stderr().contains("overlap") && run.stderr().contains("limit"), "{}", run.stderr());
}

/// Files of one motion become one file, packed, and what is too long for one becomes several.
#[test]
fn joined_and_split() {
    let game = Game::new();
    game.convert("WALK.ANM RUN.ANM -o both.anm").exits(0);
    let (walk, run, both) = (
        tmd::anm(&game.read("WALK.ANM")),
        tmd::anm(&game.read("RUN.ANM")),
        tmd::anm(&game.read("both.anm")),
    );
    assert_eq!(both.frames, [walk.frames, run.frames].concat());
    assert!(both.gap.is_empty() && both.trailing.is_empty() && both.rate_field == 30);
    game.convert("WALK.ANM RUN.ANM --rate 15 -o slow.anm").exits(0);
    assert_eq!(tmd::anm(&game.read("slow.anm")).rate_field, 15);

    let frame = [5, 7].into_iter().chain(1..19).collect::<Vec<u8>>();
    game.write("LONG.ANM", packed(30, &vec![frame.as_slice(); 5_000]));
    let before = game.names();
    let refused = game.convert("LONG.ANM LONG.ANM -o two.anm").exits(1);
    assert!(
        refused.stderr().contains("it takes 2 files") && refused.stderr().contains("--split"),
        "{}",
        refused.stderr()
    );
    assert_eq!(game.names(), before, "nothing was written");
    // As the message advises.
    game.convert("LONG.ANM LONG.ANM --split --to tmd-anm -o parts").exits(0);
    let parts: Vec<_> = names_in(&game.path("parts"))
        .iter()
        .map(|name| tmd::anm(&game.read(&format!("parts/{name}"))))
        .collect();
    assert_eq!(parts.iter().map(|part| part.frames.len()).collect::<Vec<_>>(), [5_957, 4_043]);
}

/// T26: a long clip of another format. No part of one is ever written over that of another.
#[test]
fn long_clips_in_parts() {
    let game = Game::new();
    game.write("flag.amo", pole(&[("wave", "3000", "2000")]));
    let refused = game.convert("flag.amo -o wave.anm --to tmd-anm").exits(1);
    assert!(
        refused.stderr().contains("90000 frames") && refused.stderr().contains("it takes 7 files"),
        "{}",
        refused.stderr()
    );
    assert!(!game.path("wave.anm").exists());
    game.convert("flag.amo --split --to tmd-anm -o parts -q").exits(0);
    let frames = |name: &String| tmd::anm(&game.read(&format!("parts/{name}"))).frames.len();
    let names = names_in(&game.path("parts"));
    assert_eq!((names.len(), names.iter().map(frames).sum::<usize>()), (7, 90_000), "{names:?}");

    // Another clip is called what the second part of the first one is called.
    game.write("flag.amo", pole(&[("wave", "3000", "2000"), ("wave_2", "1", "20")]));
    for force in ["", " --force"] {
        let run = game.convert(&format!("flag.amo --split --to tmd-anm -o clash -q{force}"));
        let names = names_in(&game.path("clash"));
        let written: usize = names
            .iter()
            .map(|name| tmd::anm(&game.read(&format!("clash/{name}"))).frames.len())
            .sum();
        assert!(
            run.status() != 0 || written == 90_030,
            "{written} frames in {names:?}\n{}",
            run.stderr()
        );
    }
}

/// T27: values that do not fit, and which option makes them fit.
#[test]
fn values_that_do_not_fit() {
    let game = Game::new();
    game.write("far.amo", pole(&[("wave", "1", "60000")]));
    let refused = game.convert("far.amo -o far.anm --to tmd-anm").exits(1);
    assert!(
        refused.stderr().contains("the position of joint `pole`")
            && refused.stderr().contains("--clamp"),
        "{}",
        refused.stderr()
    );
    assert!(!game.path("far.anm").exists());
    let clamped = game.convert("far.amo -o far.anm --to tmd-anm --clamp").exits(0);
    assert!(clamped.stderr().contains("tmd-anm-clamped"), "{}", clamped.stderr());
    let lowest =
        tmd::anm(&game.read("far.anm")).frames.last().unwrap().keys[0].position.unwrap()[1];
    assert_eq!(lowest, i16::MIN, "up is down");
    let scaled = game.convert("far.amo -o scaled.anm --to tmd-anm --unit-scale 2").exits(0);
    assert!(!scaled.stderr().contains("clamped"));
    let anm = tmd::anm(&game.read("scaled.anm"));
    assert_eq!(anm.frames[15].keys[0].position, Some([0, -15_000, 0]));
}

/// O32: one key a billion seconds from now.
#[test]
fn thirty_years_of_frames() {
    let game = Game::new();
    game.write("flag.amo", pole(&[("wave", "1e9", "2")]));
    for args in
        ["flag.amo -o x.anm --to tmd-anm --fps 60", "flag.amo --split --to tmd-anm -o x --fps 60"]
    {
        let run = game.convert(args).exits(1);
        assert!(
            run.stderr().contains("60000000000 samples, more than the limit of"),
            "{}",
            run.stderr()
        );
    }
}

#[test]
fn what_does_not_go_together() {
    let game = Game::new();
    game.write("flag.amo", pole(&[("wave", "1", "2")]));
    game.write("OTHER.TMD", game.read("VIBRI.TMD"));
    let mut faster = game.read("RUN.ANM");
    faster[2] = 60;
    game.write("FAST.ANM", faster);
    let refused = [
        ("VIBRI.TMD OTHER.TMD WALK.ANM -o x.glb", 2),
        ("VIBRI.TMD WALK.ANM flag.amo -o x.glb", 2),
        ("VIBRI.TMD WALK.ANM RUN.ANM --clip JUMP -o x.glb", 2),
        ("VIBRI.TMD WALK.ANM RUN.ANM -o x.anm", 1),
        ("WALK.ANM FAST.ANM -o x.anm", 1),
        ("WALK.ANM RUN.ANM --rate 12.5 -o x.anm", 1),
        ("VIBRI.TMD -o x.anm", 1),
        ("flag.amo -o x.anm --to tmd-anm --fps 0.5", 1),
        ("WALK.ANM -o WALK.ANM --force", 2),
        ("WALK.ANM RUN.ANM -o none/x.anm", 2),
    ];
    let runs = refused.map(|(args, status)| game.convert(args).exits(status).shown());
    insta::assert_snapshot!("tmd_refused", runs.join("\n"));
    assert!(game.names().iter().all(|name| !name.starts_with('x')));
    // The same name twice is two clips.
    game.write("walk.anm", game.read("WALK.ANM"));
    game.convert("VIBRI.TMD WALK.ANM walk.anm WALK.ANM -o same.glb").exits(0);
    let mut names = game.clips("same.glb");
    names.sort();
    names.dedup();
    assert_eq!(names.len(), 3, "{names:?}");
}

/// What `convert` says of what is lost.
#[test]
fn losses_are_told() {
    let game = Game::new();
    game.write("flag.amo", pole(&[("wave", "1", "2")]));
    let runs = [
        "VIBRI.TMD WALK.ANM -o x.anm",
        "VIBRI.TMD WALK.ANM FLY.ANC -o x.amo",
        "flag.amo -o y.anm --to tmd-anm",
    ];
    let runs = runs.map(|args| game.convert(args).exits(0).shown());
    insta::assert_snapshot!("tmd_losses", runs.join("\n"));
    let json = game.convert("VIBRI.TMD WALK.ANM RUN.ANM -o z.glb --json").exits(0).json("convert");
    assert_eq!(json["conversions"].as_array().unwrap().len(), 1);
    game.convert("WALK.ANM RUN.ANM -o z.anm --json").exits(0).json("convert");
}

/// Files are written as a whole or not at all, whatever ends a pipe.
#[test]
fn a_model_from_a_pipe() {
    let game = Game::new();
    let mut child = command()
        .args(["convert", "-", "--with", "WALK.ANM", "-o", "x.glb"])
        .current_dir(game.0.path())
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(&game.read("VIBRI.TMD")).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(game.clips("x.glb"), ["WALK"]);
}
