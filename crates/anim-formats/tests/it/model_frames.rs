//! Compares animations whose frames are glTF, OBJ and X3D with an independent evaluation of the
//! description from which both the files and the expected geometry are made.

use std::path::Path;

use anim_formats::anim_ir::Severity;
use anim_formats::{LoadOptions, Loaded, load};
use test_oracle::castle::generate::Generated;
use test_oracle::castle::models::{Kind, Mix, Movie, Options, models, rewritten};
use test_oracle::fixtures::scale;

use crate::frames::{moments, seen};
use crate::{assert_corners, glb_of};

/// The maximum error of a position, relative to the largest coordinate.
const TOLERANCE: f64 = 1e-5;

const RANDOM: Options =
    Options { frames: None, mix: Mix::Only(Kind::Gltf), even: false, simple: false };

/// Writes files to a folder and loads the animation.
fn loaded(generated: &Generated, folder: &Path) -> Loaded {
    for (name, bytes) in &generated.files {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
    let path = folder.join("models.castle-anim-frames");
    std::fs::write(&path, &generated.text).unwrap();
    load(path, &LoadOptions::default()).unwrap()
}

/// Compares what is visible at and between frames, and returns the number of times compared.
fn check(generated: &Generated, movie: &Movie, tolerance: f64, label: &str) -> usize {
    let folder = tempfile::tempdir().unwrap();
    let loaded = loaded(generated, folder.path());
    let found = &loaded.diagnostics;
    assert!(found.worst() < Some(Severity::Error), "{label}: {found:?}");
    let scene = &loaded.scene;
    let invalid = anim_formats::anim_ir::validate(scene);
    assert!(invalid.is_empty(), "{label}: {invalid:?}");
    let parts = movie.parts();
    if movie.is_even() {
        // A mesh with more than 256 targets is split.
        let most = parts * (1 + movie.times.len() / 256);
        assert!(
            scene.meshes.len() <= most,
            "{label}: {} of {most}, {found:?}, {:?}",
            scene.meshes.len(),
            loaded.losses
        );
        let most = scene.meshes.iter().map(|mesh| mesh.morph_targets.len()).max();
        assert!(most < Some(movie.times.len()), "{label}: {most:?} targets");
    }
    let model = glb_of(scene);
    let number = (!model.animation_names().is_empty()).then_some(0);
    let shift = movie.times[0].min(0.0);
    let tolerance = tolerance * movie.size();
    let moments = moments(&movie.times, shift);
    for (t, in_glb) in &moments {
        let expected = movie.shown_at(*t);
        let label = format!("{label} at {t} of {:?}", movie.times);
        let found = seen(model.triangles_at(number, *in_glb));
        assert_corners(&found, expected.triangles.as_flattened(), tolerance, &label);
        let found = seen(model.lines_at(number, *in_glb));
        let label = format!("{label}, lines");
        assert_corners(&found, expected.lines.as_flattened(), tolerance, &label);
        // Hidden points are somewhere.
        if movie.is_even() {
            let found = model.points_at(number, *in_glb);
            assert_corners(&found, &expected.points, tolerance, &format!("{label}, points"));
        }
    }
    moments.len()
}

fn check_seeds(options: Options, seeds: std::ops::Range<u64>, what: &str) {
    let (mut compared, mut even, mut uneven) = (0, 0, 0);
    let count = seeds.end - seeds.start;
    for seed in seeds {
        let (generated, movie) = models(seed, options);
        compared += check(&generated, &movie, TOLERANCE, &format!("{what} {seed}"));
        *if movie.is_even() { &mut even } else { &mut uneven } += 1;
    }
    assert!(compared > count as usize * 3, "{compared}");
    let both = even > 0 && (options.even || uneven > 0);
    assert!(both || options.frames.is_some(), "{even} {uneven}");
}

#[test]
fn gltf_frames() {
    check_seeds(RANDOM, 0..scale(120, 400), "gltf");
}

#[test]
fn gltf_frames_of_one_structure() {
    check_seeds(Options { even: true, ..RANDOM }, 0..scale(120, 400), "even");
}

#[test]
fn obj_frames() {
    check_seeds(Options { mix: Mix::Only(Kind::Obj), ..RANDOM }, 0..scale(60, 200), "obj");
}

#[test]
fn frames_of_all_kinds() {
    check_seeds(Options { mix: Mix::All, ..RANDOM }, 0..scale(100, 300), "mixed");
}

/// More frames than morph targets in one mesh.
#[test]
fn many_frames() {
    let options = Options { frames: Some(300), simple: true, ..RANDOM };
    check_seeds(options, 0..scale(1, 10), "many");
    check_seeds(Options { even: true, ..options }, 0..scale(1, 10), "many even");
}

/// The same poses as X3D, as glTF and as OBJ look the same: at the frames, and the first two also
/// between them.
#[test]
fn x3d_and_gltf_frames_of_the_same_poses() {
    let options = Options { mix: Mix::Only(Kind::X3d), even: true, simple: true, ..RANDOM };
    for seed in 0..scale(40, 150) {
        let (x3d, movie) = models(seed, options);
        let (gltf, same) = rewritten(&movie, Kind::Gltf, seed);
        check(&x3d, &movie, 1e-6, &format!("as X3D {seed}"));
        check(&gltf, &same, 1e-6, &format!("as glTF {seed}"));
        let [x3d, gltf] = [x3d, gltf].map(|generated| {
            let folder = tempfile::tempdir().unwrap();
            glb_of(&loaded(&generated, folder.path()).scene)
        });
        let number = (!x3d.animation_names().is_empty()).then_some(0);
        assert_eq!(x3d.animation_names(), gltf.animation_names());
        for (t, in_glb) in moments(&movie.times, movie.times[0].min(0.0)) {
            let [a, b] =
                [&x3d, &gltf].map(|model| model.triangles_at(number, in_glb).into_flattened());
            assert_corners(&b, &a, 1e-6 * movie.size(), &format!("same {seed} at {t}"));
        }
    }
}
