//! Tests how conversions treat normals that disagree with the faces.

use anim_formats::anim_ir::{Diagnostics, Mesh, NoFiles, Parsed, Vec3};
use anim_formats::{AnyDocument, AssembleOptions, Content, Part, Settings, assemble, detect};

use crate::{Set, assert_said, format, scene_of, settings, testdata, written};

fn read(name: &str, bytes: Vec<u8>) -> AnyDocument<'static> {
    let format = detect(&bytes, Some(name)).first().unwrap().format;
    AnyDocument::parse(bytes, format, &Settings::default()).unwrap().value
}

fn fixture(name: &str) -> AnyDocument<'static> {
    read(name, std::fs::read(testdata(&format!("amo/warn/{name}"))).unwrap())
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Returns, for each corner of each face, the cosine of the angle between its normal and the face
/// normal, and whether the face points away from the centre of the box.
fn angles(mesh: &Mesh) -> Vec<(f64, bool)> {
    let at = |vectors: &[Vec3], corner: u32| vectors[corner as usize].to_f64();
    let minus = |a: [f64; 3], b: [f64; 3]| [0, 1, 2].map(|axis| a[axis] - b[axis]);
    let dot = |a: [f64; 3], b: [f64; 3]| (0..3).map(|axis| a[axis] * b[axis]).sum::<f64>();
    let mut found = Vec::new();
    for face in mesh.primitives[0].indices.chunks(3) {
        let [a, b, c] = [face[0], face[1], face[2]].map(|corner| at(&mesh.positions, corner));
        let front = cross(minus(b, a), minus(c, a));
        let outward = dot(front, minus(a, [1.5, 1.0, 0.75])) > 0.0;
        for corner in face {
            let normal = at(&mesh.normals, *corner);
            let length = (dot(front, front) * dot(normal, normal)).sqrt();
            found.push((dot(front, normal) / length, outward));
        }
    }
    assert_eq!(found.len(), 36);
    found
}

fn is_right(mesh: &Mesh) -> bool {
    angles(mesh).into_iter().all(|(cosine, outward)| cosine > 0.999 && outward)
}

#[test]
fn a_single_rotation_is_undone_in_animated_obj_and_reported() {
    for (name, message) in [
        ("N01_normals_turned.amo", "the normals of `crate` were rotated 180° about z"),
        ("N01_normals_inverted.amo", "the normals of `crate` were inverted"),
        ("N01_faces_reversed.amo", "the faces of `crate` were reversed"),
    ] {
        let document = fixture(name);
        let found = document.inspect();
        assert_eq!(found.iter().map(|one| one.code.id).collect::<Vec<_>>(), ["amo-normals"]);
        for fix in [&[][..], &[("normals", "fix")]] {
            let made = scene_of(&document, fix);
            assert_said(&made.losses, "convert-normals-fixed", message);
            assert!(is_right(&made.value.meshes[0]), "{name}");
        }
        let kept = scene_of(&document, &[("normals", "keep")]);
        assert!(!is_right(&kept.value.meshes[0]), "{name}");
        assert!(kept.losses.is_empty(), "{name}: {:?}", kept.losses);
    }
}

#[test]
fn other_odd_normals_are_reported_and_recomputed_on_request() {
    let document = fixture("N01_normals_mixed.amo");
    assert_said(&document.inspect(), "amo-normals", "point away from 16 % of the faces");
    let made = scene_of(&document, &[]);
    assert_said(&made.losses, "convert-normals-odd", "16 % of the faces");
    let kept = scene_of(&document, &[("normals", "keep")]).value;
    assert_eq!(made.value, kept);
    let remade = scene_of(&document, &[("normals", "recompute")]);
    // The corners of the box are split, since each side has separate normals.
    assert!(is_right(&remade.value.meshes[0]));
    assert!(remade.losses.is_empty());
}

#[test]
fn a_glb_has_the_fixed_normals_and_keeps_its_own() {
    let glb = |options: Set<'_>| {
        let scene = scene_of(&fixture("N01_normals_turned.amo"), options).value;
        read("a.glb", written(&scene, "glb", &[]).unwrap().value.main)
    };
    let fixed = glb(&[]);
    for options in [&[][..], &[("normals", "fix")], &[("normals", "keep")]] {
        let back = scene_of(&fixed, options);
        assert!(is_right(&back.value.meshes[0]) && back.losses.is_empty());
    }
    let turned = glb(&[("normals", "keep")]);
    let back = scene_of(&turned, &[]);
    assert!(!is_right(&back.value.meshes[0]), "glTF normals are not changed");
    assert!(back.losses.is_empty());
    let back = scene_of(&turned, &[("normals", "fix")]);
    assert!(is_right(&back.value.meshes[0]));
    assert_said(&back.losses, "convert-normals-fixed", "180° about z");
}

#[test]
fn the_same_format_is_written_byte_for_byte_by_default() {
    let document = fixture("N01_normals_turned.amo");
    let made = |options| {
        let parsed = Parsed { value: document.clone(), diagnostics: Diagnostics::new() };
        let part = Part { name: "a".into(), parsed, files: Box::new(NoFiles), way: String::new() };
        assemble(vec![part], &AssembleOptions::new(format("amo"), settings(options))).unwrap()
    };
    let plain = made(&[]);
    let Content::Written(Ok(output)) = plain.content else { panic!("{plain:?}") };
    assert_eq!(output.main, document.to_bytes().into_owned());
    for options in [&[("normals", "fix")][..], &[("normals", "fix"), ("to-dialect", "spec")]] {
        let changed = made(options);
        let Content::Scene(scene) = &changed.content else { panic!("{changed:?}") };
        assert!(is_right(&scene.meshes[0]));
        assert_said(&changed.losses, "convert-through-scene", "");
        let written = written(scene, "amo", &[]).unwrap().value.main;
        assert!(read("a.amo", written).inspect().is_empty());
    }
}

/// In every Animated OBJ fixture, `fix` changes exactly what `check` warns about.
#[test]
fn nothing_else_is_touched() {
    let mut seen = 0;
    for folder in ["ok", "warn", "err"] {
        for file in std::fs::read_dir(testdata(&format!("amo/{folder}"))).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "amo") {
                continue;
            }
            let Ok(parsed) =
                AnyDocument::parse(std::fs::read(&path).unwrap(), format("amo"), &settings(&[]))
            else {
                continue;
            };
            let [kept, fixed] = [&[("normals", "keep")][..], &[]]
                .map(|options| scene_of(&parsed.value, options).value);
            let is_named = path.file_name().unwrap().to_str().unwrap().starts_with("N01");
            let is_mixed = path.to_str().unwrap().contains("mixed");
            assert_eq!(kept != fixed, is_named && !is_mixed, "{path:?}");
            let found = parsed.value.inspect();
            let has_zero = path.file_name().unwrap().to_str().unwrap().starts_with("N02");
            assert_eq!(found.iter().any(|one| one.code.id == "amo-normals"), is_named, "{path:?}");
            assert_eq!(found.iter().any(|one| one.code.id == "amo-zero-normal"), has_zero);
            seen += 1;
        }
    }
    assert!(seen > 150, "{seen}");
}
