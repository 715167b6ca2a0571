//! Compares sampled scenes with an independent implementation that shares no code with this crate.

use anim_ir::{Mat4, Pose, Sampler, Scene};
use fmt_bvh::{Document, FromIr, Positions, ToIr, from_ir, to_ir};
use test_oracle::bvh::generate::{self, Layout, Options};
use test_oracle::bvh::{self, File};
use test_oracle::fixtures;
use test_oracle::random::Rng;

/// The matrices of all joints at a frame of the first clip.
pub(crate) fn matrices(scene: &Scene, frame: f64) -> Vec<Mat4> {
    let skeleton = &scene.skeletons[0];
    let Some(timeline) = scene.timelines.first() else { return skeleton.rest_model_matrices() };
    let rate = timeline.time_base.frames_per_second().unwrap();
    let (mut pose, mut matrices) = (Pose::default(), Vec::new());
    Sampler::new(skeleton, timeline).sample(frame / rate, &mut pose);
    pose.model_matrices(skeleton, &mut matrices);
    matrices
}

/// The difference between two poses, relative to their size.
pub(crate) fn difference(found: &[Mat4], expected: &[[[f64; 4]; 4]]) -> f64 {
    assert_eq!(found.len(), expected.len());
    let size = expected.iter().flatten().flatten().fold(1.0_f64, |size, x| size.max(x.abs()));
    let pairs = found.iter().zip(expected).flat_map(|(found, expected)| {
        let found = found.columns.into_iter().flatten();
        found.zip(expected.iter().flatten().copied())
    });
    pairs.fold(0.0, |worst: f64, (a, b)| worst.max((f64::from(a) - b).abs())) / size
}

/// Compares a scene with the file at all frames and halfway between frames.
fn compare(scene: &Scene, file: &File, positions: Positions, what: &str) {
    assert!(anim_ir::validate(scene).is_empty(), "{what}");
    for half in 0..(2 * file.frames.len()).max(2) - 1 {
        let frame = half as f64 / 2.0;
        let expected = file.model_matrices(frame, positions == Positions::Add);
        let worst = difference(&matrices(scene, frame), &expected);
        assert!(worst < 1e-5, "{what}, frame {frame}: {worst}");
    }
}

#[test]
fn poses_of_random_files_match_the_oracle() {
    for seed in 0..fixtures::scale(400, 20_000) {
        let mut rng = Rng::new(seed);
        let options = Options {
            layout: rng.pick(&Layout::ALL),
            joints: rng.between(1, 12),
            frames: rng.below(7),
        };
        let text = generate::bvh(&options, &mut rng);
        let file = bvh::parse(&text);
        let what = format!("seed {seed}, {options:?}\n{text}");
        let parsed = Document::parse(text.as_bytes()).unwrap();
        assert!(parsed.diagnostics.is_empty(), "{:?}\n{what}", parsed.diagnostics);
        let document = parsed.value;
        assert_eq!(document.joints().len(), file.joints.len(), "{what}");
        assert_eq!(document.frames().len(), file.frames.len(), "{what}");
        for positions in Positions::ALL {
            let options = ToIr::default().with_positions(positions);
            compare(&to_ir(&document, &options).value, &file, positions, &what);
        }
        // The canonical form and the file written from the scene have the same content.
        let formatted = String::from_utf8(document.formatted()).unwrap();
        let again = Document::parse(formatted.as_bytes()).unwrap();
        assert!(again.diagnostics.is_empty(), "{formatted}\n{what}");
        let scene = to_ir(&document, &ToIr::default()).value;
        assert_eq!(to_ir(&again.value, &ToIr::default()).value, scene, "{formatted}\n{what}");
        let written = from_ir(&scene, &FromIr::default().with_exact(true)).unwrap().value;
        let again = bvh::parse(std::str::from_utf8(&written.to_bytes()).unwrap());
        // A file without frames is written with a single frame, the rest pose.
        for frame in 0..file.frames.len().max(1) {
            let frame = frame as f64;
            let expected = file.model_matrices(frame, false);
            let found: Vec<_> = again.model_matrices(frame, false);
            // Ignore end sites that the writer added.
            let found = again.joints.iter().zip(found).filter(|(joint, _)| {
                !joint.is_end || file.joints.iter().any(|own| own.is_end && same(own, joint))
            });
            let found: Vec<Mat4> = found.map(|(_, matrix)| narrowed(&matrix)).collect();
            let worst = difference(&found, &expected);
            assert!(worst < 1e-5, "written, frame {frame}: {worst}\n{what}");
        }
    }
}

/// Whether two end sites have the same position, which is unlikely to happen by chance.
fn same(a: &bvh::Joint, b: &bvh::Joint) -> bool {
    a.offset.iter().zip(b.offset).all(|(a, b)| (a - b).abs() < 1e-5 * a.abs().max(1.0))
}

fn narrowed(matrix: &[[f64; 4]; 4]) -> Mat4 {
    Mat4 { columns: matrix.map(|column| column.map(|x| x as f32)) }
}

/// Files in the folder specified by `BVH_CORPUS`, if any.
#[test]
fn poses_of_corpus_files_match_the_oracle() {
    let Some(folder) = std::env::var_os("BVH_CORPUS") else { return };
    let mut seen = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let bytes = std::fs::read(&path).unwrap();
        let parsed = Document::parse(&bytes[..]).unwrap();
        let what = path.display().to_string();
        println!("{what}:\n{}", anim_ir::listing(&bytes, &parsed.diagnostics));
        assert_eq!(*parsed.value.to_bytes(), *bytes);
        let converted = to_ir(&parsed.value, &ToIr::default());
        println!("{}", anim_ir::listing(&bytes, &converted.losses));
        let file = bvh::parse(std::str::from_utf8(&bytes).unwrap());
        compare(&converted.value, &file, Positions::Replace, &what);
        crate::conformance().exercise(&bytes);
        seen += 1;
    }
    assert!(seen > 0);
}
