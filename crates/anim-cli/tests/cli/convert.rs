//! `animfmt convert`

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::Value;

use crate::{Run, animfmt, assert_runs, command, names_in, testdata};

/// A folder of its own for the outputs of a test.
struct Out(tempfile::TempDir);

impl Out {
    fn new() -> Out {
        Out(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        self.path(name).to_string_lossy().into_owned()
    }

    fn names(&self) -> Vec<String> {
        names_in(self.0.path())
    }

    /// A fixture, copied here.
    fn copy(&self, fixture: &str, name: &str) {
        fs::copy(testdata().join(fixture), self.path(name)).unwrap();
    }
}

/// Runs `convert` with arguments in one string; `OUT` stands for the folder.
fn convert(out: &Out, args: &str) -> Run {
    let folder = out.text("");
    let folder = folder.trim_end_matches('/');
    animfmt(
        ["convert".to_owned()]
            .into_iter()
            .chain(args.split_whitespace().map(|arg| arg.replace("OUT", folder))),
    )
}

/// The JSON in a GLB file.
pub(crate) fn glb_json(bytes: &[u8]) -> Value {
    assert_eq!((&bytes[..4], &bytes[16..20]), (b"glTF".as_slice(), b"JSON".as_slice()));
    assert_eq!(u32::from_le_bytes(bytes[8..12].try_into().unwrap()) as usize, bytes.len());
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    serde_json::from_slice(&bytes[20..20 + length]).unwrap()
}

fn read_json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

#[test]
fn one_file() {
    let out = Out::new();
    assert_runs!(
        "convert_one",
        Some(out.0.path()),
        [
            convert(&out, "ok/octopus_arm.amo -o OUT/a.glb"),
            convert(&out, "ok/octopus_arm.amo -o OUT/a.gltf -q"),
            convert(&out, "ok/O09_five_entries_lines.amo -o OUT/b.txt --to amo"),
            convert(&out, "ok/spec.amo -o OUT"),
            convert(&out, "ok/spec.amo -o OUT --to glb"),
            convert(&out, "ok/spec.amo -o OUT/new/ --to glb"),
            convert(&out, "ok/spec.amo -o OUT/c"),
            convert(&out, "ok/spec.amo -o OUT/none/c.glb"),
            convert(&out, "none.amo -o OUT/c.glb"),
            convert(&out, "ok/octopus_arm.png -o OUT/c.glb"),
            convert(&out, "err/O01_index_zero.amo -o OUT/d.glb"),
            convert(&out, "warn/X10_many_warnings.amo -o OUT/e.glb"),
            convert(&out, "warn/X10_many_warnings.amo -o OUT/f.glb --strict -q"),
            convert(&out, "ok/spec.amo -o OUT/g.glb --strict"),
            convert(&out, "ok/O16_parent_zero.amo -o OUT/h.glb --strict"),
        ]
    );
    let expected = [
        "a.bin", "a.glb", "a.gltf", "b.txt", "d.glb", "e.glb", "g.glb", "h.glb", "new", "spec.glb",
    ];
    assert_eq!(out.names(), expected, "no temporary file is left");
    glb_json(&fs::read(out.path("a.glb")).unwrap());
    let gltf = read_json(&out.path("a.gltf"));
    assert_eq!(gltf["buffers"][0]["uri"], "a.bin");
    assert_eq!(gltf["buffers"][0]["byteLength"], fs::read(out.path("a.bin")).unwrap().len());
    animfmt(["check", &out.text("b.txt")]).exits(0);
}

#[test]
fn images_are_found_from_the_output() {
    let out = Out::new();
    for name in ["octopus_arm.amo", "octopus_arm.mtl", "octopus_arm.png"] {
        out.copy(&format!("ok/{name}"), name);
    }
    fs::create_dir_all(out.path("far/away")).unwrap();
    convert(&out, "OUT/octopus_arm.amo -o OUT/near.glb").exits(0);
    convert(&out, "OUT/octopus_arm.amo -o OUT/far/away/far.gltf").exits(0);
    convert(&out, "OUT/octopus_arm.amo -o OUT/far/away/in.glb --embed").exits(0);
    assert_eq!(
        glb_json(&fs::read(out.path("near.glb")).unwrap())["images"][0]["uri"],
        "octopus_arm.png"
    );
    assert_eq!(
        read_json(&out.path("far/away/far.gltf"))["images"][0]["uri"],
        "../../octopus_arm.png"
    );
    let embedded = fs::read(out.path("far/away/in.glb")).unwrap();
    let image = &glb_json(&embedded)["images"][0];
    assert_eq!((image.get("uri"), &image["mimeType"]), (None, &"image/png".into()));
    let png = fs::read(out.path("octopus_arm.png")).unwrap();
    assert!(embedded.windows(png.len()).any(|window| window == png));
}

#[test]
fn options_reach_the_conversion() {
    let out = Out::new();
    convert(&out, "ok/spec.amo -o OUT/keep.glb --up y").exits(0);
    convert(&out, "ok/spec.amo -o OUT/turned.glb --up z").exits(0);
    convert(&out, "ok/lines_rest.amo -o OUT/auto.glb").exits(0);
    convert(&out, "ok/lines_rest.amo -o OUT/delta.glb --amo-keys delta").exits(0);
    convert(&out, "ok/lines_rest.amo -o OUT/parent.glb --amo-keys parent").exits(0);
    convert(&out, "ok/lines_rest.amo -o OUT/few.amo").exits(0);
    convert(&out, "ok/lines_rest.amo -o OUT/many.amo --fps 120").exits(0);
    let same = |a: &str, b: &str| fs::read(out.path(a)).unwrap() == fs::read(out.path(b)).unwrap();
    assert!(same("auto.glb", "delta.glb") && !same("auto.glb", "parent.glb"));
    assert!(!same("keep.glb", "turned.glb"));
    let length = |name: &str| fs::metadata(out.path(name)).unwrap().len();
    assert!(length("many.amo") > 2 * length("few.amo"));
}

#[test]
fn standard_input_and_output() {
    let pipe = |args: &[&str]| {
        let mut child = command()
            .arg("convert")
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let source = fs::read(testdata().join("ok/spec.amo")).unwrap();
        let _ = child.stdin.take().unwrap().write_all(&source);
        child.wait_with_output().unwrap()
    };
    let glb = pipe(&["-", "-o", "-", "--to", "glb"]);
    assert!(glb.status.success());
    glb_json(&glb.stdout);
    let out = Out::new();
    assert!(pipe(&["-", "-o", &out.text("x.glb")]).status.success());
    assert_eq!(fs::read(out.path("x.glb")).unwrap(), glb.stdout);
    assert!(pipe(&["-", "-o", &out.text(""), "--to", "glb"]).status.success());
    assert_eq!(out.names(), ["stdin.glb", "x.glb"]);

    let embedded =
        animfmt(["convert", "ok/octopus_arm.amo", "-o", "-", "--to", "glb", "-q"]).exits(0);
    assert_eq!(glb_json(&embedded.output.stdout)["images"][0]["mimeType"], "image/png");
    assert_runs!(
        "convert_stdout",
        None,
        [
            animfmt(["convert", "ok/spec.amo", "-o", "-"]),
            animfmt(["convert", "ok/spec.amo", "-o", "-", "--to", "gltf"]),
            animfmt(["convert", "ok/spec.amo", "-o", "-", "--to", "glb", "--json"]),
            animfmt(["convert", "ok/spec.amo", "ok/static.amo", "-o", "-", "--to", "glb"]),
            animfmt(["convert", "-", "-", "-o", "folder/", "--to", "glb"]),
        ]
    );
}

#[test]
fn existing_outputs_are_kept() {
    let out = Out::new();
    for name in ["a.glb", "b.bin"] {
        fs::write(out.path(name), "old").unwrap();
    }
    assert_runs!(
        "convert_existing",
        Some(out.0.path()),
        [
            convert(&out, "ok/spec.amo -o OUT/a.glb"),
            convert(&out, "ok/spec.amo -o OUT/b.gltf"),
            convert(&out, "err/O28_utf16_be.amo -o OUT/a.glb --force"),
            convert(&out, "warn/O28_bom.amo -o OUT/a.glb --force --strict"),
        ]
    );
    assert_eq!(out.names(), ["a.glb", "b.bin"]);
    assert!(out.names().iter().all(|name| fs::read(out.path(name)).unwrap() == b"old"));
    convert(&out, "ok/spec.amo -o OUT/a.glb --force").exits(0);
    glb_json(&fs::read(out.path("a.glb")).unwrap());
}

/// X02: an output that is the input, by whatever name.
#[cfg(unix)]
#[test]
fn inputs_are_never_written_over() {
    let out = Out::new();
    out.copy("ok/spec.amo", "a.amo");
    out.copy("ok/static.amo", "b.amo");
    fs::hard_link(out.path("a.amo"), out.path("hard.amo")).unwrap();
    std::os::unix::fs::symlink("a.amo", out.path("soft.amo")).unwrap();
    std::os::unix::fs::symlink(".", out.path("here")).unwrap();
    assert_runs!(
        "convert_onto_input",
        Some(out.0.path()),
        [
            convert(&out, "OUT/a.amo -o OUT/a.amo --force"),
            convert(&out, "OUT/a.amo -o OUT/hard.amo --force"),
            convert(&out, "OUT/a.amo -o OUT/soft.amo --force"),
            convert(&out, "OUT/soft.amo -o OUT/a.amo --force"),
            convert(&out, "OUT/a.amo -o OUT/here/a.amo --force"),
            convert(&out, "OUT/a.amo OUT/b.amo -o OUT --to amo --force"),
        ]
    );
    assert_eq!(
        fs::read(out.path("a.amo")).unwrap(),
        fs::read(testdata().join("ok/spec.amo")).unwrap()
    );
    assert_eq!(out.names(), ["a.amo", "b.amo", "hard.amo", "here", "soft.amo"]);
}

/// X12: two inputs for one output, also where names differ in case only.
#[test]
fn collisions_are_refused_before_anything_is_written() {
    let out = Out::new();
    fs::create_dir_all(out.path("in")).unwrap();
    out.copy("ok/spec.amo", "in/Walk.amo");
    out.copy("ok/static.amo", "in/walk.hnd");
    out.copy("ok/static.amo", "in/run.amo");
    fs::create_dir_all(out.path("out")).unwrap();
    fs::write(out.path("out/Walk.glb"), "old").unwrap();
    assert_runs!(
        "convert_collisions",
        Some(out.0.path()),
        [
            convert(&out, "ok/spec.amo ok/spec.amo -o OUT/out --to glb"),
            convert(&out, "OUT/in/run.amo OUT/in/Walk.amo OUT/in/walk.hnd -o OUT/out --to gltf"),
            convert(&out, "ok/spec.amo OUT/in/Walk.amo -o OUT/out --to glb"),
            convert(&out, "ok/spec.amo ok/static.amo -o OUT/one.glb"),
            convert(&out, "ok/spec.amo ok/static.amo -o OUT/out/Walk.glb --to glb"),
        ]
    );
    assert_eq!(names_in(&out.path("out")), ["Walk.glb"]);
}

#[test]
fn a_batch_goes_on() {
    let out = Out::new();
    let args = "ok/spec.amo err/O28_utf16_be.amo none.amo err/O01_index_zero.amo ok/static.amo -o \
                OUT/new --to glb";
    assert_runs!("convert_batch", Some(out.0.path()), [convert(&out, args)]);
    assert_eq!(names_in(&out.path("new")), ["O01_index_zero.glb", "spec.glb", "static.glb"]);
    convert(&out, "ok/spec.amo ok/static.amo -o OUT/good --to gltf").exits(0);
    assert_eq!(names_in(&out.path("good")), ["spec.bin", "spec.gltf", "static.bin", "static.gltf"]);
}

#[test]
fn for_programs() {
    let out = Out::new();
    let run = convert(
        &out,
        "ok/O09_five_entries_lines.amo err/O01_index_zero.amo none.amo -o OUT --to glb --json",
    )
    .exits(1);
    let json = run.json("convert");
    assert_eq!(run.stderr().lines().count(), 1, "{}", run.stderr());
    let conversions = json["conversions"].as_array().unwrap();
    let outputs: Vec<_> =
        conversions.iter().map(|conversion| conversion["output"].as_str()).collect();
    assert_eq!(
        outputs,
        [
            Some(out.text("O09_five_entries_lines.glb").as_str()),
            Some(&out.text("O01_index_zero.glb")),
            None
        ]
    );
    assert_eq!(conversions[0]["losses"][0]["code"], "gltf-influences");
    assert_eq!(conversions[1]["diagnostics"]["errors"], 1);
    assert!(conversions[2]["error"].is_string() && conversions[2]["diagnostics"].is_null());
    // Refused before anything was done: there is nothing to report on.
    assert!(
        convert(&out, "ok/O09_five_entries_lines.amo -o OUT --to glb --json")
            .exits(2)
            .stdout()
            .is_empty()
    );
}

/// X01: names of outputs come from names of inputs, and are one harmless component each.
#[cfg(unix)]
#[test]
fn names_of_outputs_are_harmless() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let out = Out::new();
    fs::create_dir(out.path("in")).unwrap();
    let names: [&[u8]; 6] =
        [b"-rf.amo", b"CON.amo", b".amo", b"a\\..\\b.amo", b"\x1b[2J\n.amo", b"bad\xff.amo"];
    let mut inputs = Vec::new();
    for name in names {
        let path = out.path("in").join(OsStr::from_bytes(name));
        fs::copy(testdata().join("ok/static.amo"), &path).unwrap();
        inputs.push(path);
    }
    let run = command()
        .arg("convert")
        .args(&inputs)
        .args(["--from", "amo", "--to", "glb", "-o"])
        .arg(out.path("out"))
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    assert_eq!(
        names_in(&out.path("out")),
        ["_-rf.glb", "_.amo.glb", "_CON.glb", "_[2J_.glb", "a_.._b.glb", "bad_.glb"]
    );
    let stderr = String::from_utf8(run.stderr).unwrap();
    assert!(stderr.contains("/bad_.glb (") && !stderr.contains('\u{1b}'), "{stderr}");
}
