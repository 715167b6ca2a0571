//! castle-anim-frames and the scenes that its frames are: two timings, two judges, and other files
//! that are opened with care.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::PathBuf;

use serde_json::Value;

use crate::convert::glb_json;
use crate::{Run, animfmt, assert_runs, command, names_in, testdata};

/// A folder with files.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        fs::write(self.path(name), content).unwrap();
    }

    /// Runs the program in the folder, with arguments in one string.
    fn run(&self, args: &str) -> Run {
        let output = command().args(args.split(' ')).current_dir(self.0.path()).output().unwrap();
        Run { line: args.to_owned(), output }
    }

    /// The triangles that the program sees in a file.
    fn triangles(&self, args: &str) -> u64 {
        let info: Value =
            serde_json::from_slice(&self.run(&format!("info --json {args}")).output.stdout)
                .unwrap();
        info["meshes"]
            .as_array()
            .unwrap()
            .iter()
            .map(|mesh| mesh["triangles"].as_u64().unwrap())
            .sum()
    }
}

/// A scene of one triangle, some way up.
fn still(height: u32) -> String {
    format!(
        "<X3D version='3.0'><Scene><Shape><IndexedFaceSet coordIndex='0 1 2'><Coordinate point='0 \
         {height} 0 1 0 0 0 0 1'/></IndexedFaceSet></Shape></Scene></X3D>"
    )
}

/// An animation of frames that are files.
fn animation(urls: &[&str]) -> String {
    let frames =
        urls.iter().enumerate().map(|(time, url)| format!("<frame time='{time}' url='{url}'/>\n"));
    format!("<animation>\n{}</animation>\n", frames.collect::<String>())
}

#[test]
fn info_has_two_timings() {
    let castle = |name: &str| format!("../castle/ok/{name}.castle-anim-frames");
    assert_runs!(
        "info",
        None,
        [
            animfmt([
                "info",
                &castle("loop_and_backwards"),
                &castle("C22_scenes_per_time_zero"),
                &castle("animations_root"),
                &castle("one_frame_late")
            ]),
            animfmt([
                "info",
                &castle("all_attributes"),
                "../castle/load/missing_frame.castle-anim-frames",
                "../x3d/ok/transform.x3d"
            ]),
        ]
    );
    let folder = Folder::new();
    let frame = |time: &str| {
        format!(
            "<frame time='{time}' bounding_box_size='1 1 1' bounding_box_center='0 0 0'>{}</frame>",
            still(1)
        )
    };
    folder.write(
        "a.kanim",
        format!(
            "<animation scenes_per_time='4' backwards='true'>{}{}{}</animation>",
            frame("1"),
            frame("1.5"),
            frame("2")
        ),
    );
    let info = folder.run("info --json a.kanim").exits(0).json("info");
    let timing = &info["clips"][0]["timing"];
    // Two scenes from each frame to the next and one for the last: five, a fifth of a second each,
    // and the same way back.
    let expected = serde_json::json!({
        "file": {
            "frames": 3, "frame_times": [1, 1.5, 2], "scenes_per_time": 4, "step": false,
            "loop": false, "backwards": true, "bounding_box": true
        },
        "engine": {
            "scenes": 5, "duration": 2, "frame_times": [0, 0.4, 0.8],
            "frame_times_back": [1.8, 1.4, 1]
        },
    });
    assert_eq!(*timing, expected);
    assert!(
        animfmt(["info", "--json", "ok/spec.amo"]).json("info")["clips"][0].get("timing").is_none()
    );
}

#[test]
fn check_has_two_judges() {
    assert_runs!(
        "check",
        None,
        [
            animfmt(["check", "../castle/ok/one_frame.castle-anim-frames"]),
            animfmt([
                "check",
                "../castle/warn/C12_attribute_on_animation.castle-anim-frames",
                "../castle/err/C24_loop_1.castle-anim-frames"
            ]),
            animfmt(["check", "../castle/err/C01_billion_laughs.castle-anim-frames"]),
            animfmt(["check", "--json", "../castle/err/C24_loop_1.castle-anim-frames"]),
            animfmt(["check", "../x3d/warn/unknown_node.x3d"]),
        ]
    );
    let judged = |name: &str| {
        let file = animfmt(["check", "--json", &format!("../castle/{name}.castle-anim-frames")])
            .json("check")["files"][0]
            .clone();
        ["specification", "engine"].map(|judge| file["verdicts"][judge].as_bool())
    };
    assert_eq!(judged("ok/one_frame"), [Some(true); 2]);
    assert_eq!(judged("warn/C12_attribute_on_animation"), [Some(true), Some(false)]);
    assert_eq!(judged("err/C24_loop_1"), [Some(false), Some(true)]);
    assert_eq!(judged("err/C08_equal_times"), [Some(false); 2]);
    assert_eq!(judged("err/C01_billion_laughs"), [None; 2], "nothing is read");
}

/// Frames, what they take in, and their textures are looked at too.
#[test]
fn check_looks_into_frames() {
    let check =
        |name: &str| animfmt(["check", &format!("../castle/load/{name}.castle-anim-frames")]);
    assert_runs!(
        "check_frames",
        None,
        [
            check("missing_frame"),
            check("missing_texture"),
            check("scene_error"),
            check("gz_cut"),
            check("C06_inline_cycle")
        ]
    );
    let mut seen = 0;
    for name in
        names_in(&testdata().join("../castle/load")).into_iter().filter(|name| name.contains('.'))
    {
        let warns =
            ["missing_texture", "scene_unknown_node"].iter().any(|warns| name.starts_with(warns));
        let path = format!("../castle/load/{name}");
        animfmt(["check", &path]).exits(i32::from(!warns));
        if warns {
            animfmt(["check", "--strict", &path]).exits(1);
        }
        seen += 1;
    }
    assert!(seen > 30);
}

/// UTF-16, Latin-1 and gzip: lines and columns are those of the text that people see, and so is the
/// line that is shown.
#[test]
fn places_in_other_encodings() {
    for name in ["C21_utf16_le_time", "C21_utf16_be_time", "C21_latin1_time"] {
        let path = format!("../castle/err/{name}.castle-anim-frames");
        let run = animfmt(["check", &path]).exits(1);
        assert!(
            run.stdout().contains(&format!(
                "\n --> {path}:8:18\n  |\n8 |     <frame time=\"0\">\n  |                  ^\n"
            )),
            "{}",
            run.stdout()
        );
        assert!(run.stdout().contains("4 |   <animation name=\"été\">"), "{}", run.stdout());
        let out = Folder::new();
        let run = animfmt(["convert", &path, "-o", out.path("x.glb").to_str().unwrap()]).exits(1);
        assert!(run.stderr().contains(&format!("{path}:8:18: the time `0`")), "{}", run.stderr());
        // Offsets are those of the file.
        let json = animfmt(["check", "--json", &path]).json("check");
        let wrong = json["files"][0]["diagnostics"]
            .as_array()
            .unwrap()
            .iter()
            .find(|found| found["code"] == "castle-time-order")
            .unwrap()
            .clone();
        assert_eq!((&wrong["line"], &wrong["column"]), (&8.into(), &18.into()));
        let (offset, length) = (
            wrong["offset"].as_u64().unwrap() as usize,
            wrong["length"].as_u64().unwrap() as usize,
        );
        let bytes = fs::read(testdata().join(&path)).unwrap();
        assert_eq!(
            bytes[offset..offset + length].iter().filter(|byte| **byte != 0).collect::<Vec<_>>(),
            [&b'0'],
            "{name}"
        );
    }
    let folder = Folder::new();
    folder.write("a.x3d", "<X3D version='3.0'>\n  <Scene><Sphear/></Scene></X3D>");
    gzip(&folder, "cat a.x3d", "a.x3d.gz");
    let run = folder.run("check a.x3d.gz").exits(0);
    assert!(
        run.stdout().contains(" --> a.x3d.gz:2:11\n  |\n2 |   <Scene><Sphear/></Scene></X3D>\n"),
        "{}",
        run.stdout()
    );
}

/// All fixtures, whatever is wrong with them: two commands of one mind.
#[test]
fn every_fixture_follows_the_schema() {
    let mut files = Vec::new();
    for folder in
        ["castle/ok", "castle/warn", "castle/err", "castle/load", "x3d/ok", "x3d/warn", "x3d/err"]
    {
        let names = names_in(&testdata().join("..").join(folder)).into_iter();
        files.extend(
            names
                .filter(|name| name.contains('.') && !name.ends_with(".png"))
                .map(|name| format!("../{folder}/{name}")),
        );
    }
    assert!(files.len() > 500, "{}", files.len());
    let info = animfmt(["info", "--json"].into_iter().chain(files.iter().map(String::as_str)))
        .exits(1)
        .json("info");
    let check = animfmt(["check", "--json"].into_iter().chain(files.iter().map(String::as_str)))
        .exits(1)
        .json("check");
    for (info, check) in
        info["files"].as_array().unwrap().iter().zip(check["files"].as_array().unwrap())
    {
        assert_eq!(
            (&info["file"], info.get("format").is_some()),
            (&check["file"], check["format"].is_string())
        );
        let is_castle = check["format"] == "castle";
        assert_eq!(check.get("verdicts").is_some(), is_castle, "{check}");
        for clip in info["clips"].as_array().into_iter().flatten() {
            let timing = &clip["timing"];
            let frames = timing["file"]["frame_times"].as_array().unwrap();
            assert_eq!(
                (frames[0].as_f64(), frames[frames.len() - 1].as_f64()),
                (clip["start"].as_f64(), clip["end"].as_f64()),
                "{info}"
            );
            assert_eq!(frames.len(), timing["engine"]["frame_times"].as_array().unwrap().len());
        }
    }
}

#[test]
fn textures_are_found_from_the_output() {
    let folder = Folder::new();
    let png = fs::read(testdata().join("../castle/ok/textures/checker.png")).unwrap();
    folder.write("in/textures/a b.png", &png);
    let textured = still(1).replace(
        "<Shape>",
        "<Shape><Appearance><ImageTexture url='\"../textures/a%20b.png\"'/></Appearance>",
    );
    folder.write("in/frames/low.x3d", &textured);
    folder.write("in/frames/high.x3d", textured.replace("0 1 0 1", "0 2 0 1"));
    folder.write("in/walk.kanim", animation(&["frames/low.x3d", "frames/high.x3d"]));
    fs::create_dir_all(folder.path("out/deep")).unwrap();
    folder.run("convert in/walk.kanim -o out/deep/walk.glb").exits(0);
    let gltf = glb_json(&fs::read(folder.path("out/deep/walk.glb")).unwrap());
    assert_eq!(gltf["images"][0]["uri"], "../../in/textures/a%20b.png");
    assert_eq!(gltf["images"].as_array().unwrap().len(), 1);
    assert_eq!(gltf["meshes"][0]["primitives"][0]["targets"].as_array().unwrap().len(), 1);
    folder.run("convert in/walk.kanim -o out/walk.glb --embed").exits(0);
    let embedded = fs::read(folder.path("out/walk.glb")).unwrap();
    assert!(glb_json(&embedded)["images"][0].get("uri").is_none());
    assert!(embedded.windows(png.len()).any(|window| window == png));
    // A missing one is told, and the rest is written.
    fs::remove_file(folder.path("in/textures/a b.png")).unwrap();
    let run = folder.run("convert in/walk.kanim -o out/bare.glb").exits(0);
    assert!(
        run.stderr().contains("the image `textures/a b.png` cannot be used: there is no such file"),
        "{}",
        run.stderr()
    );
    assert!(glb_json(&fs::read(folder.path("out/bare.glb")).unwrap()).get("images").is_none());
}

/// A frame that is made of other parts is held, and that is told.
#[test]
fn frames_of_other_parts() {
    let folder = Folder::new();
    let path = "../castle/ok/frames_mixed_kinds.castle-anim-frames";
    let run = animfmt(["convert", path, "-o", folder.path("x.glb").to_str().unwrap()]).exits(0);
    assert!(
        run.stderr().contains("loss[x3d-frames-differ]: frame 2 of clip `animation`"),
        "{}",
        run.stderr()
    );
}

/// C04: nothing outside the folder is opened, unless that is allowed.
#[test]
fn frames_outside_the_folder() {
    let folder = Folder::new();
    folder.write("frames/low.x3d", still(1));
    folder.write("walks/a/walk.kanim", animation(&["../../frames/low.x3d"]));
    folder.write("walks/a/encoded.kanim", animation(&["%2e%2e/..%2fframes/low.x3d"]));
    folder.write(
        "walks/a/inline.kanim",
        "<animation><frame time='0'><X3D version='3.0'><Scene><Inline \
         url='\"../../frames/low.x3d\"'/></Scene></X3D></frame></animation>",
    );
    for name in ["walk", "encoded", "inline"] {
        let path = format!("walks/a/{name}.kanim");
        let run = folder.run(&format!("check {path}")).exits(1);
        assert!(
            run.stdout().contains("it is outside the folder that may be read")
                && run.stdout().contains("--root FOLDER"),
            "{}",
            run.stdout()
        );
        assert_eq!(folder.triangles(&path), 0);
        for root in [".", "walks/..", folder.path("").to_str().unwrap()] {
            folder.run(&format!("check {path} --root {root}")).exits(0);
            assert_eq!(
                folder.triangles(&format!("{path} --root {root}")),
                1,
                "{name} below {root}"
            );
        }
        // Not far enough up.
        folder.run(&format!("check {path} --root walks")).exits(1);
    }
    let run = folder.run("check walks/a/walk.kanim --root frames").exits(2);
    assert_eq!(
        run.stderr(),
        "error: walks/a/walk.kanim: the file is not below the folder that may be read\n"
    );
    folder.run("check walks/a/walk.kanim --root nowhere").exits(2);
}

/// C04: other ways to say where a file is.
#[test]
fn addresses_that_are_no_relative_paths() {
    let folder = Folder::new();
    for (url, why) in [
        ("http://127.0.0.1:9/a.x3d", "addresses with `http:` are not opened"),
        ("HTTPS://127.0.0.1:9/a.x3d", "addresses with `HTTPS:` are not opened"),
        ("file:///etc/passwd", "addresses with `file:` are not opened"),
        ("castle-data:/a.x3d", "addresses with `castle-data:` are not opened"),
        ("/etc/passwd", "only paths relative to the file"),
        ("%2fetc%2fpasswd", "only paths relative to the file"),
        ("//host/a.x3d", "only paths relative to the file"),
        ("..\\..\\etc\\passwd", "only paths relative to the file"),
        ("%5c%5chost%5ca.x3d", "only paths relative to the file"),
        ("C:/a.x3d", "only paths relative to the file"),
        ("C%3A/a.x3d", "only paths relative to the file"),
        ("%ff.x3d", "its address is not UTF-8"),
        ("a.x3d%00", "its address has a zero byte"),
        ("../../etc/passwd", "it is outside the folder"),
        ("data:,nothing", "this is neither X3D nor VRML"),
        ("data:;base64,!", "its base64 is broken"),
        ("data:", "a comma before its content"),
    ] {
        folder.write("a.kanim", animation(&[url]));
        let run = folder.run("check a.kanim").exits(1);
        assert!(
            run.stdout().contains("error[x3d-file]") && run.stdout().contains(why),
            "{url}: {}",
            run.stdout()
        );
    }
    folder.write(
        "a.kanim",
        animation(&[&format!(
            "data:model/x3d+xml,{}",
            still(1).replace('\'', "%22").replace('<', "%3C")
        )]),
    );
    assert_eq!(folder.triangles("a.kanim"), 1);
    // What comes through a pipe has no folder.
    let output = command()
        .args(["check", "-"])
        .stdin(File::open(testdata().join("../castle/ok/frames_x3dv.castle-anim-frames")).unwrap())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stdout).unwrap().contains("no other files are opened here"));
}

/// C05: links are followed inside the folder only.
#[cfg(unix)]
#[test]
fn links_out_of_the_folder() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new();
    folder.write("secret/low.x3d", still(1));
    folder.write("in/sub/deep/high.x3d", still(2));
    symlink("../secret/low.x3d", folder.path("in/link.x3d")).unwrap();
    symlink(folder.path("secret/low.x3d"), folder.path("in/absolute.x3d")).unwrap();
    symlink("../secret", folder.path("in/out")).unwrap();
    symlink("../out", folder.path("in/sub/twice")).unwrap();
    symlink("sub/deep/high.x3d", folder.path("in/inside.x3d")).unwrap();
    folder.write(
        "in/taking_in.x3d",
        "<X3D version='3.0'><Scene><Inline url='\"link.x3d\"'/></Scene></X3D>",
    );
    let urls = [
        "link.x3d",
        "%6cink.x3d",
        "sub/../link.x3d",
        "absolute.x3d",
        "out/low.x3d",
        "%6Fut/low.x3d",
        "out%2Flow.x3d",
        "sub/twice/low.x3d",
        "sub/deep/../twice/low.x3d",
        "taking_in.x3d",
    ];
    for url in urls {
        folder.write("in/walk.kanim", animation(&[url]));
        let run = folder.run("check in/walk.kanim").exits(1);
        assert!(
            run.stdout().contains("it is outside the folder that may be read"),
            "{url}: {}",
            run.stdout()
        );
        assert_eq!(folder.triangles("in/walk.kanim"), 0, "{url}");
    }
    // They are there, though, and an absolute link leads out of every folder.
    for url in urls.into_iter().filter(|url| !url.starts_with("absolute")) {
        folder.write("in/walk.kanim", animation(&[url]));
        assert_eq!(folder.triangles("in/walk.kanim --root ."), 1, "{url}");
    }
    folder.write("in/walk.kanim", animation(&["inside.x3d"]));
    assert_eq!(folder.triangles("in/walk.kanim"), 1);
}

/// C07: what is no file of reasonable size.
#[cfg(unix)]
#[test]
fn frames_that_are_no_files() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new();
    fs::create_dir(folder.path("folder.x3d")).unwrap();
    symlink("/dev/zero", folder.path("zero.x3d")).unwrap();
    assert!(
        std::process::Command::new("mkfifo")
            .arg(folder.path("pipe.x3d"))
            .status()
            .unwrap()
            .success()
    );
    let _socket = std::os::unix::net::UnixListener::bind(folder.path("socket.x3d")).unwrap();
    File::create(folder.path("huge.x3d")).unwrap().set_len(10 << 30).unwrap();
    folder.write("large.x3d", still(1) + &" ".repeat(1 << 20));
    for (url, why) in [
        ("folder.x3d", "it is no regular file"),
        ("folder.x3d/", "it is no regular file"),
        ("zero.x3d", "it is outside the folder"),
        ("pipe.x3d", "it is no regular file"),
        ("socket.x3d", "it is no regular file"),
        ("huge.x3d", "the input has 10737418240 bytes, more than the limit of "),
        ("large.x3d", "more than the limit of "),
    ] {
        folder.write("a.kanim", animation(&[url]));
        let run = folder.run("check a.kanim --max-input 1M").exits(1);
        assert!(run.stdout().contains(why), "{url}: {}", run.stdout());
    }
    // Where the folder is the whole file system, a device is still none.
    let up = "../".repeat(folder.0.path().canonicalize().unwrap().components().count() - 1);
    symlink(format!("{up}dev/zero"), folder.path("device.x3d")).unwrap();
    folder.write("a.kanim", animation(&["device.x3d"]));
    let run = folder.run("check a.kanim --root /").exits(1);
    assert!(run.stdout().contains("it is no regular file"), "{}", run.stdout());
}

/// C06: files that take in each other.
#[test]
fn cycles() {
    let folder = Folder::new();
    let inline =
        |url: &str| format!("<X3D version='3.0'><Scene><Inline url='\"{url}\"'/></Scene></X3D>");
    folder.write("a.x3d", inline("b.x3d"));
    folder.write("b.x3d", inline("sub/../a.x3d"));
    folder.write("self.wrl", "#VRML V2.0 utf8\nInline { url \"self.wrl\" }\n");
    folder.write("cycle.kanim", animation(&["a.x3d", "self.wrl"]));
    let run = folder.run("check cycle.kanim").exits(1);
    assert_eq!(run.stdout().matches("takes in itself").count(), 2, "{}", run.stdout());
    folder.write("a.kanim", animation(&["b.kanim"]));
    folder.write("b.kanim", animation(&["a.kanim"]));
    assert!(folder.run("check a.kanim").exits(1).stdout().contains("`b.kanim`"));
    // Each takes in the next one twice: 2^40 in all.
    for depth in 0..40 {
        let next = format!("<Inline url='\"{}.x3d\"'/>", depth + 1);
        folder.write(
            &format!("{depth}.x3d"),
            format!("<X3D version='3.0'><Scene>{next}{next}</Scene></X3D>"),
        );
    }
    folder.write("40.x3d", still(1));
    folder.write("tree.kanim", animation(&["0.x3d"]));
    folder.run("check tree.kanim").exits(1);
}

/// C07, X10: as many problems as frames are counted, not listed.
#[test]
fn a_hundred_thousand_missing_frames() {
    let folder = Folder::new();
    let mut text = String::from("<animation>\n");
    for frame in 0..100_000 {
        writeln!(text, "<frame time='{frame}' url='frames/{frame}.x3d'/>").unwrap();
    }
    text.push_str("</animation>\n");
    folder.write("many.kanim", text);
    for command in ["check many.kanim", "convert many.kanim -o many.glb"] {
        let run = folder.run(command).exits(1);
        let told = [run.stdout(), run.stderr()].concat();
        assert!(told.contains("… and 99990 more x3d-file in many.kanim"), "{told}");
        assert!(told.len() < 20_000, "{}", told.len());
    }
}

/// The output of a command of the shell, compressed.
fn gzip(folder: &Folder, line: &str, name: &str) {
    let line = format!("{line} | gzip -9 > {name}");
    assert!(
        std::process::Command::new("sh")
            .args(["-c", &line])
            .current_dir(folder.0.path())
            .status()
            .unwrap()
            .success()
    );
}

/// What a small file unpacks to is bounded like a file.
#[test]
fn compressed_bombs() {
    let folder = Folder::new();
    gzip(&folder, "head -c 10000000 /dev/zero", "bomb.x3d.gz");
    assert!(fs::metadata(folder.path("bomb.x3d.gz")).unwrap().len() < 20_000);
    folder.write("a.kanim", animation(&["bomb.x3d.gz"]));
    let limit =
        "what the compressed file unpacks to has 1048577 bytes, more than the limit of 1048576";
    assert!(folder.run("check a.kanim --max-input 1M").exits(1).stdout().contains(limit));
    assert!(folder.run("check bomb.x3d.gz --max-input 1M").exits(1).stderr().contains(limit));
}

/// C01 to C03: entities are neither resolved nor fetched.
#[test]
fn entities() {
    let folder = Folder::new();
    let document = |dtd: &str, name: &str| {
        format!(
            "<!DOCTYPE animation {dtd}>\n<animation name='{name}'><frame \
             time='0'>{}</frame></animation>",
            still(1)
        )
    };
    let laughs: String = (1..10)
        .map(|i| format!("<!ENTITY a{i} '{}'>", format!("&a{};", i - 1).repeat(10)))
        .collect();
    for (dtd, name) in [
        (format!("[<!ENTITY a0 'ha'>{laughs}]"), "&a9;".to_owned()),
        (format!("[<!ENTITY x '{}'>]", "x".repeat(10_000)), "&x;".repeat(10_000)),
        ("[<!ENTITY x SYSTEM 'file:///etc/passwd'>]".to_owned(), "&x;".to_owned()),
        ("[<!ENTITY % x SYSTEM 'http://127.0.0.1:9/x.dtd'> %x;]".to_owned(), "a".to_owned()),
    ] {
        folder.write("a.kanim", document(&dtd, &name));
        let run = folder.run("check a.kanim").exits(1);
        assert!(
            run.stderr().contains("error: a.kanim: line 1, column 1: ") && run.stderr().len() < 600,
            "{}",
            run.stderr()
        );
        assert!(run.stdout().is_empty());
    }
    // Without a subset it is legal, and not looked for.
    folder.write("a.kanim", document("SYSTEM 'http://127.0.0.1:9/a.dtd'", "a"));
    folder.run("check a.kanim").exits(0);
}

/// The same, as the system sees it.
#[cfg(target_os = "linux")]
#[test]
fn nothing_is_opened_or_connected() {
    let folder = Folder::new();
    folder.write(
        "low.x3d",
        "<!DOCTYPE X3D SYSTEM 'http://127.0.0.1:9/x3d.dtd'>".to_owned() + &still(1),
    );
    let urls = [
        "low.x3d",
        "http://127.0.0.1:9/a.x3d",
        "file:///etc/passwd",
        "/etc/passwd",
        "../../../../../../etc/passwd",
    ];
    folder.write(
        "a.kanim",
        animation(&urls).replace(
            "<animation>",
            "<!DOCTYPE animation SYSTEM 'http://127.0.0.1:9/a.dtd'><animation>",
        ),
    );
    folder.write(
        "b.kanim",
        "<!DOCTYPE animation [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><animation name='&x;'/>",
    );
    // A trace for each thread: in a common one a call and its result would be two lines.
    let strace = std::process::Command::new("strace")
        .args([
            "-ff",
            "-e",
            "trace=%network,%file",
            "-o",
            "trace",
            env!("CARGO_BIN_EXE_animfmt"),
            "check",
            "a.kanim",
            "b.kanim",
        ])
        .current_dir(folder.0.path())
        .output();
    let files = fs::read_dir(folder.0.path()).unwrap().map(|entry| entry.unwrap().path());
    let traces = files.filter(|path| path.file_stem().is_some_and(|stem| stem == "trace"));
    let trace: String = traces.map(|path| fs::read_to_string(path).unwrap()).collect();
    if !trace.contains("a.kanim") {
        eprintln!(
            "skipped: there is no strace that works here ({:?})",
            strace.map(|output| output.status)
        );
        return;
    }
    let lines = |word: &str| trace.lines().filter(|line| line.contains(word)).collect::<Vec<_>>();
    assert!(lines("\"low.x3d\"").iter().any(|line| !line.contains("= -1")), "frames are opened");
    // The system is asked for a file below the folder, and refuses.
    assert!(
        lines("passwd").iter().all(|line| line.contains("../etc/passwd") && line.contains("= -1")),
        "{:?}",
        lines("passwd")
    );
    for never in [".dtd", "connect(", "socket(", "AF_INET"] {
        assert_eq!(lines(never), Vec::<&str>::new());
    }
}

/// C17 to C20, and C30: too much of one thing, in the animation file and in what is inside its
/// frames.
#[test]
fn too_much_of_one_thing() {
    let folder = Folder::new();
    let inside = |content: &str| {
        format!(
            "<animation><frame time='0'><X3D \
             version='3.0'><Scene>{content}</Scene></X3D></frame></animation>"
        )
    };
    let nested = "<a>".repeat(1_000_000) + &"</a>".repeat(1_000_000);
    let attributes: String = (0..1_000_000).map(|number| format!(" a{number}=''")).collect();
    let namespaces: String =
        (0..2_000).map(|number| format!("<g xmlns:n{number}='urn:{number}'/>")).collect();
    let nested_namespaces = (0..2_000)
        .fold(String::new(), |text, number| text + &format!("<g xmlns:n{number}='urn:{number}'>"));
    for (name, text, why) in [
        ("deep", nested.clone(), "256"),
        ("deep_inside", inside(&nested), "256"),
        ("attributes", format!("<animation{attributes}/>"), "256"),
        ("attributes_inside", inside(&format!("<Group{attributes}/>")), "256"),
        ("namespaces", inside(&namespaces), "256"),
        ("namespaces_nested", inside(&nested_namespaces), "256"),
        // C30: read in one piece, and refused by its size.
        (
            "attribute",
            format!("<animation name='{}'/>", "x".repeat(4 << 20)),
            "more than the limit of 3145728",
        ),
    ] {
        folder.write("a.kanim", text);
        let limit = if name == "attribute" { " --max-input 3M" } else { "" };
        let run = folder.run(&format!("check a.kanim --from castle{limit}")).exits(1);
        let told = [run.stdout(), run.stderr()].concat();
        assert!(told.contains(why) && told.len() < 2_000, "{name}: {told}");
    }
    // Nothing looks into glTF.
    folder.write(
        "a.kanim",
        format!(
            "<animation><frame time='0' mime_type='model/gltf+json'>{}</frame></animation>",
            "[".repeat(100_000)
        ),
    );
    assert!(folder.run("check a.kanim").exits(1).stdout().contains("castle-frame-kind"));
    // A name of 64 MB is a name, and costs no more than it is long.
    folder.write(
        "a.kanim",
        format!(
            "<animation name='{}'><frame time='0'>{}</frame></animation>",
            "x".repeat(64 << 20),
            still(1)
        ),
    );
    assert!(folder.run("check a.kanim").exits(0).stdout().len() < 2_000);
    File::create(folder.path("huge.kanim")).unwrap().set_len(5 << 30).unwrap();
    assert!(
        folder
            .run("check huge.kanim")
            .exits(1)
            .stderr()
            .contains("5368709120 bytes, more than the limit of 1073741824")
    );
}

/// Files for the tests of what is written: two animations of a triangle each, in files of their
/// own, one in a folder of its own.
fn two_animations() -> Folder {
    let folder = Folder::new();
    for (name, heights) in [("walk", [0, 1]), ("more/jump", [0, 5])] {
        let stem = name.rsplit('/').next().unwrap();
        let parent = name.strip_suffix(stem).unwrap();
        for (number, height) in heights.into_iter().enumerate() {
            folder.write(&format!("{parent}{stem}_{number}.x3d"), still(height));
        }
        let frames = format!(
            "<!-- kept -->\n<animation><frame url=\"{stem}_0.x3d\" time=\"0\"/><frame \
             url=\"{stem}_1.x3d\" time=\"0.5\"/></animation>\n"
        );
        folder.write(&format!("{name}.kanim"), frames);
    }
    folder
}

fn clip_names(folder: &Folder, file: &str) -> Vec<String> {
    let info: Value =
        serde_json::from_slice(&folder.run(&format!("info --json {file}")).output.stdout).unwrap();
    info["clips"]
        .as_array()
        .unwrap()
        .iter()
        .map(|clip| clip["name"].as_str().unwrap().to_owned())
        .collect()
}

/// Without anything to do, what is written are the bytes that were read; in another folder the
/// frames are found from there.
#[test]
fn castle_to_castle() {
    let folder = two_animations();
    let written = folder.run("convert walk.kanim -o same.castle-anim-frames").exits(0);
    assert_eq!(written.stderr().lines().count(), 2, "{}", written.stderr());
    assert_eq!(
        fs::read(folder.path("same.castle-anim-frames")).unwrap(),
        fs::read(folder.path("walk.kanim")).unwrap()
    );
    folder.run("convert more/jump.kanim -o moved.kanim").exits(0);
    assert!(
        fs::read_to_string(folder.path("moved.kanim")).unwrap().contains("url=\"more/jump_1.x3d\"")
    );
    assert_eq!(folder.triangles("moved.kanim"), 1);
}

/// Several files become one, with a clip for each, and one becomes several.
#[test]
fn merged_and_split() {
    let folder = two_animations();
    folder.run("convert walk.kanim more/jump.kanim --merge -o all.castle-anim-frames").exits(0);
    assert_eq!(clip_names(&folder, "all.castle-anim-frames"), ["walk", "jump"]);
    folder.run("convert walk.kanim more/jump.kanim --merge -o all.glb").exits(0);
    let json = glb_json(&fs::read(folder.path("all.glb")).unwrap());
    let names: Vec<&str> = json["animations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|animation| animation["name"].as_str().unwrap())
        .collect();
    // The second one's frames lie in another folder, and so are other scenes; the mesh that they
    // begin with is there once.
    assert_eq!((names, json["meshes"].as_array().unwrap().len()), (vec!["walk", "jump"], 2));

    folder.run("convert all.castle-anim-frames --split --to castle -o parts").exits(0);
    assert_eq!(
        names_in(&folder.path("parts")),
        ["jump.castle-anim-frames", "walk.castle-anim-frames"]
    );
    assert!(
        fs::read_to_string(folder.path("parts/jump.castle-anim-frames"))
            .unwrap()
            .contains("url=\"../more/jump_0.x3d\"")
    );
    folder.run("convert all.castle-anim-frames --split --to glb -o glbs").exits(0);
    assert_eq!(names_in(&folder.path("glbs")), ["jump.glb", "walk.glb"]);
    let refused = folder.run("convert all.castle-anim-frames --split --to glb -o glbs").exits(2);
    assert!(refused.stderr().contains("--force replaces it"), "{}", refused.stderr());
    let wrong = folder.run("convert walk_0.x3d --split --to glb -o x").exits(2);
    assert!(wrong.stderr().contains("cannot be split"), "{}", wrong.stderr());
}

/// X01: animations name files, but never where these are.
#[test]
fn names_of_animations_as_names_of_files() {
    let folder = Folder::new();
    let names = ["../../x", "/abs", "a/b", "CON", ".", "-rf", "Walk", "walk", "&#10;", "walk"];
    let animation = |name: &str| {
        format!("<animation name=\"{name}\"><frame time=\"0\">{}</frame></animation>", still(0))
    };
    folder.write(
        "in/all.kanim",
        format!("<animations>{}</animations>", names.map(animation).concat()),
    );
    folder.run("convert in/all.kanim --split --to castle -o out -q");
    let written = names_in(&folder.path("out"));
    let expected =
        ["_-rf", "unnamed", "_CON", "_abs", "_.._.._x", "a_b", "Walk", "walk_2", "walk_3", "_"];
    let mut expected: Vec<String> =
        expected.iter().map(|name| format!("{name}.castle-anim-frames")).collect();
    expected.sort();
    assert_eq!(written, expected);
    assert_eq!(names_in(folder.0.path()), ["in", "out"]);
}

/// Frames are put in, made smaller, and taken out again.
#[test]
fn frames_put_in_and_taken_out() {
    let folder = two_animations();
    folder.run("convert walk.kanim --inline -o whole.kanim").exits(0);
    let whole = fs::read_to_string(folder.path("whole.kanim")).unwrap();
    assert!(!whole.contains("url=") && whole.matches("<X3D").count() == 2, "{whole}");
    folder.run("convert whole.kanim --minify -o small.kanim").exits(0);
    let small = fs::metadata(folder.path("small.kanim")).unwrap().len();
    assert!(small < whole.len() as u64, "{small}");
    folder.run("convert whole.kanim --extract -o taken.kanim").exits(0);
    assert_eq!(folder.triangles("taken.kanim"), 1);
    assert!(
        folder.path("animation_0001.x3d").is_file() && folder.path("animation_0002.x3d").is_file()
    );
    for file in ["whole.kanim", "small.kanim", "taken.kanim"] {
        folder.run(&format!("convert {file} -o x.glb --force -q")).exits(0);
        let json = glb_json(&fs::read(folder.path("x.glb")).unwrap());
        assert_eq!(
            json["meshes"][0]["primitives"][0]["targets"].as_array().unwrap().len(),
            1,
            "{file}"
        );
    }
}

/// Any model becomes frames.
#[test]
fn amo_to_castle() {
    let folder = Folder::new();
    let arm = testdata().join("ok/octopus_arm.amo");
    folder.write("arm.amo", fs::read(arm).unwrap());
    folder.run("convert arm.amo --fps 10 --minify -o arm.castle-anim-frames").exits(0);
    assert_eq!(clip_names(&folder, "arm.castle-anim-frames"), clip_names(&folder, "arm.amo"));
    folder.run("convert arm.castle-anim-frames -o arm.glb").exits(0);
}
