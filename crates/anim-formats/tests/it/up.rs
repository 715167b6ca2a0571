//! The option `up` rotates what is drawn, not the keys.

use anim_formats::anim_ir::{NoFiles, Scene, UpAxis, UpEvidence, format::Context};
use anim_formats::{AnyDocument, LoadOptions, Settings, amo, load, note_up};
use test_oracle::amo::generate;
use test_oracle::{amo as amo_oracle, compare, glb};

use crate::{Set, assert_said, format, glb_of, scene_of, settings, testdata, written};

#[test]
fn z_becomes_y_for_skinned_and_rigid_meshes() {
    for (dialect, seeds) in
        [(amo_oracle::Dialect::Lines, 0..20), (amo_oracle::Dialect::Counted, 0..20)]
    {
        for seed in seeds {
            let text = generate::amo(dialect, seed);
            let scene =
                amo::to_ir(&amo::Document::parse(&text[..]).unwrap().value, &amo::ToIr::default())
                    .value;
            let model = |up| glb::read(&written(&scene, "glb", &[("up", up)]).unwrap().value.main);
            let (kept, turned) = (model("y"), model("z"));
            let animation = (!kept.animation_names().is_empty()).then_some(0);
            let points = |model: &glb::Model| {
                model.triangles_at(animation, 0.3).into_iter().flatten().collect::<Vec<_>>()
            };
            let expected: Vec<[f64; 3]> =
                points(&kept).into_iter().map(|[x, y, z]| [x, z, -y]).collect();
            assert!(
                compare::max_distance_between_sets(&points(&turned), &expected) < 1e-5,
                "{dialect:?} {seed}"
            );
        }
    }
}

/// X3D and frames rotate joints and nodes themselves. Their frames are exact at their own times.
#[test]
fn z_becomes_y_in_x3d_and_frames() {
    let fixtures = [
        ("bvh/ok/z_up.bvh", "x3d"),
        ("amo/ok/octopus_arm.amo", "x3d"),
        ("amo/ok/octopus_arm.amo", "castle"),
        ("amo/ok/counted.amo", "x3dv"),
        ("amo/ok/counted.amo", "castle"),
    ];
    for (path, to) in fixtures {
        let scene = load(testdata(path), &LoadOptions::default()).unwrap().scene;
        // Without a mesh, the joints are compared.
        let joints = scene.skeletons.iter().flat_map(|skeleton| &skeleton.joints);
        let joints: Vec<_> = joints.filter(|_| scene.meshes.is_empty()).collect();
        let points = |scene: &Scene| {
            let model = glb_of(scene);
            let places = joints.iter().map(|joint| {
                let [_, _, _, [x, y, z, _]] = model.node_world(Some(0), &joint.name, 0.0);
                [x, y, z]
            });
            let triangles = model.triangles_at(Some(0), 0.0).into_iter().flatten();
            triangles.chain(places).collect::<Vec<_>>()
        };
        let expected: Vec<_> = points(&scene).into_iter().map(|[x, y, z]| [x, z, -y]).collect();
        let bytes = written(&scene, to, &[("up", "z")]).unwrap().value.main;
        let from = if to == "castle" { "castle" } else { "x3d" };
        let document = AnyDocument::parse(bytes, format(from), &Settings::default()).unwrap().value;
        let found = points(&scene_of(&document, &[]).value);
        let off = compare::max_distance_between_sets(&found, &expected);
        let size = expected.iter().flatten().fold(1.0_f64, |most, x| most.max(x.abs()));
        assert!(off < 1e-4 * size, "{path} as {to}: {off} of {size}");
    }
}

fn scene(name: &str, text: &[u8]) -> Scene {
    let (_, extension) = name.rsplit_once('.').unwrap();
    let document = AnyDocument::parse(text, format(extension), &Settings::default()).unwrap().value;
    let settings = Settings::default();
    document.to_scene(&mut Context { name, files: &mut NoFiles, settings: &settings }).value
}

/// A wall that stands on z = 0, in a file without other hints about its axes.
const WALL: &[u8] = b"o wall\nv -1 -0.1 0\nv 1 -0.1 0\nv 1 0.1 2\nv -1 0.1 2\nf 1 2 3 4\n";
/// The same wall in the dialect of the Vasall engine.
const ENGINE: &[u8] = b"o wall\nv 4\n-1 -0.1 0\n1 -0.1 0\n1 0.1 2\n-1 0.1 2\n";

#[test]
fn apparent_z_up_scenes_are_reported_and_rotated_if_certain() {
    let bvh = std::fs::read(testdata("bvh/ok/z_up.bvh")).unwrap();
    for (name, text, evidence, reason) in [
        ("wall.amo", WALL, UpEvidence::Bounds, "starts at z = 0"),
        ("engine.amo", ENGINE, UpEvidence::Dialect, "this dialect"),
        ("z_up.bvh", &bvh, UpEvidence::Bones, "9.25 along z"),
    ] {
        let scene = scene(name, text);
        let guess = scene.guess_up();
        assert_eq!((guess.axis, guess.evidence), (UpAxis::Z, evidence), "{name}");
        assert!(guess.reason.contains(reason), "{name}: {}", guess.reason);
        let notes = |to: &str, set: Set<'_>| note_up(&scene, format(to), &settings(set));
        assert_said(&notes("glb", &[]), "convert-z-up", "--up z");
        for to in ["gltf", "x3d", "castle"] {
            assert_said(&notes(to, &[]), "convert-z-up", reason);
        }
        for up in ["y", "z"] {
            assert!(notes("glb", &[("up", up)]).is_empty(), "{name}");
        }
        assert!(notes("amo", &[]).is_empty(), "an output format without defined axes");
        let is_turned = evidence.decides();
        let (code, message) = if is_turned {
            ("convert-rotated-up", "rotated from z up to y up")
        } else {
            ("convert-z-up", "--up z")
        };
        assert_said(&notes("glb", &[("up", "auto")]), code, message);
        let made = |up| written(&scene, "glb", &[("up", up)]).unwrap().value.main;
        assert_eq!(made("auto"), made(if is_turned { "z" } else { "y" }), "{name}");
        assert_eq!(written(&scene, "glb", &[]).unwrap().value.main, made("y"), "{name}");
    }
}

#[test]
fn y_up_scenes_are_not_reported() {
    let glb = written(&scene("wall.amo", WALL), "glb", &[]).unwrap().value.main;
    let read = scene("wall.gltf", &glb);
    assert_eq!(read.guess_up().evidence, UpEvidence::Format);
    assert!(note_up(&read, format("glb"), &settings(&[])).is_empty());
    let standing = std::fs::read(testdata("amo/ok/octopus_arm.amo")).unwrap();
    let scene = scene("octopus_arm.amo", &standing);
    assert!(note_up(&scene, format("glb"), &settings(&[])).is_empty());
}
