//! Every output can be read back without errors.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use anim_formats::anim_ir::format::Context;
use anim_formats::anim_ir::{ResolveError, Resolver, Scene, Severity};
use anim_formats::{Format, LoadOptions, Output, Settings, convert, load, parse_bytes, scene_of};

use proptest::prelude::*;
use test_oracle::random_file;

use crate::{format, testdata};

/// The formats that can be written and read.
const FORMATS: [&str; 10] =
    ["amo", "anm-text", "bvh", "castle", "stt", "tmd-anm", "x3d", "x3dv", "glb", "gltf"];

/// The files of an output, and those that its input refers to.
struct Files {
    written: HashMap<String, Vec<u8>>,
    folder: PathBuf,
}

impl Resolver for Files {
    fn read(&mut self, address: &str) -> Result<Vec<u8>, ResolveError> {
        match self.written.get(address) {
            Some(bytes) => Ok(bytes.clone()),
            None => std::fs::read(self.folder.join(address)).map_err(|_| ResolveError::NotFound),
        }
    }
}

/// Returns the errors found when reading an output and its companion files.
fn errors_in(output: Output, to: Format, folder: &Path) -> Vec<String> {
    let reader = match to.id() {
        "glb" => format("gltf"),
        "x3dv" => format("x3d"),
        _ => to,
    };
    let options = LoadOptions::default().with_format(reader);
    let parsed = match parse_bytes(output.main, None, &options) {
        Ok(parsed) => parsed,
        Err(error) => return vec![error.to_string()],
    };
    let mut files =
        Files { written: output.companions.into_iter().collect(), folder: folder.to_owned() };
    let settings = Settings::default();
    let mut context = Context { name: "x", files: &mut files, settings: &settings };
    let loaded = scene_of(parsed, &mut context);
    let errors = loaded.diagnostics.iter().filter(|found| found.severity() == Severity::Error);
    errors.map(|error| format!("{}: {}", error.code.id, error.message)).collect()
}

/// Writes a scene in every format, and reads each output. Returns the number of outputs.
fn every_output(scene: &Scene, folder: &Path, name: &str, wrong: &mut Vec<String>) -> usize {
    let mut count = 0;
    for to in FORMATS.map(format) {
        let Ok(made) = convert(scene, to, &Settings::default(), "x") else { continue };
        count += 1;
        let errors = errors_in(made.value, to, folder);
        if let Some(first) = errors.first() {
            wrong.push(format!("{name} → {}: {} errors, {first}", to.id(), errors.len()));
        }
    }
    count
}

#[test]
fn outputs_from_all_fixtures() {
    let (mut count, mut wrong) = (0, Vec::new());
    for (folder, more_than) in [
        ("amo", 100),
        ("anm-text", 100),
        ("bvh", 50),
        ("castle", 100),
        ("gltf", 50),
        ("stt", 100),
        ("tmd", 10),
        ("tmd-anm", 50),
        ("x3d", 100),
    ] {
        let mut seen = 0;
        for severity in ["ok", "warn", "err"] {
            for entry in std::fs::read_dir(testdata(folder).join(severity)).unwrap() {
                let path = entry.unwrap().path();
                let from = match (folder, path.extension().and_then(|end| end.to_str())) {
                    (_, None | Some("mtl" | "png" | "jpg" | "bin")) => continue,
                    ("tmd-anm", Some("anc")) => "tmd-anc",
                    (folder, _) => folder,
                };
                let options = LoadOptions::default().with_format(format(from));
                let Ok(loaded) = load(&path, &options) else { continue };
                let name = format!("{folder}/{severity}/{}", path.file_name().unwrap().display());
                count += every_output(&loaded.scene, path.parent().unwrap(), &name, &mut wrong);
                seen += 1;
            }
        }
        assert!(seen > more_than, "{folder}: {seen}");
    }
    assert!(count > 5_000, "{count}");
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
}

/// Names that formats may not be able to store, or may read as something else.
fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-c]{0,2}",
        "[ \t#{}<>&'\"/%\\\\\n\r\0+-]{1,5}",
        "\\PC{0,8}",
        "( -?[0-9]){16,20}",
        "[a-z]{1,4}( [0-9.]{1,3}){1,19}",
        prop::sample::select(vec!["SINGLE", "JOINT", "End Site", "as", "a", "MOTION", "-1", "nan"])
            .prop_map(str::to_owned),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// Random scenes with random names are read back without errors in every format.
    #[test]
    fn outputs_from_random_scenes(
        kind in 0..6_usize,
        seed in any::<u64>(),
        names in prop::collection::vec(name(), 1..8),
    ) {
        let (from, bytes) = random_file(kind, seed);
        let options = LoadOptions::default().with_format(format(from));
        let parsed = parse_bytes(bytes, None, &options).unwrap();
        let mut scene = crate::scene_of(&parsed.value, &[]).value;
        let mut names = names.iter().cycle();
        let mut rename = |slot: &mut String| slot.clone_from(names.next().unwrap());
        let joints = scene.skeletons.iter_mut().flat_map(|skeleton| &mut skeleton.joints);
        joints.for_each(|joint| rename(&mut joint.name));
        scene.skeletons.iter_mut().for_each(|skeleton| rename(&mut skeleton.name));
        scene.clips.iter_mut().for_each(|clip| rename(&mut clip.name));
        scene.meshes.iter_mut().for_each(|mesh| rename(&mut mesh.name));
        scene.nodes.iter_mut().for_each(|node| rename(&mut node.name));
        scene.materials.iter_mut().for_each(|material| rename(&mut material.name));
        let mut wrong = Vec::new();
        every_output(&scene, Path::new(""), from, &mut wrong);
        prop_assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
