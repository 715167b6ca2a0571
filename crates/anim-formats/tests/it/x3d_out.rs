//! What is written as X3D and read again shows the same at all times. Both scenes are compared as
//! GLBs, which the oracle evaluates.

use std::path::Path;

use anim_formats::anim_ir::format::Context;
use anim_formats::anim_ir::{NoFiles, Scene, Severity};
use anim_formats::{LoadOptions, Settings, load, parse_bytes, scene_of};
use test_oracle::glb::Model;

use crate::{Set, assert_corners, format, glb_of, good_fixtures, written};

/// The largest distance of a corner, relative to the size of the scene.
const TOLERANCE: f64 = 1e-5;
/// The same for skins that are sampled.
const SAMPLED: f64 = 2e-3;

/// Writes a scene as X3D and reads it. Also returns whether skins are sampled.
fn there_and_back(scene: &Scene, to: &str, options: Set<'_>, label: &str) -> (Scene, bool) {
    let made = written(scene, to, options).unwrap();
    let is_sampled = made.losses.iter().any(|loss| loss.code.id == "x3d-loss-skin");
    let bytes = made.value.main;
    let options = LoadOptions::default().with_format(format("x3d"));
    let parsed = parse_bytes(bytes, None, &options).unwrap();
    let settings = Settings::default();
    let files = &mut NoFiles;
    let loaded = scene_of(parsed, &mut Context { name: "x", files, settings: &settings });
    let worst = loaded.diagnostics.worst();
    assert!(worst < Some(Severity::Warning), "{label}: {:?}", loaded.diagnostics);
    (loaded.scene, is_sampled)
}

/// Returns all visible corners of triangles and lines, and all points.
fn corners(model: &Model, clip: Option<usize>, t: f64) -> [Vec<[f64; 3]>; 3] {
    let triangles = model.triangles_at(clip, t).into_iter();
    let triangles = triangles.filter(|[a, b, c]| a != b || b != c).flatten().collect();
    let lines = model.lines_at(clip, t).into_iter().filter(|[a, b]| a != b).flatten().collect();
    [triangles, lines, model.points_at(clip, t)]
}

fn size(corners: &[Vec<[f64; 3]>; 3]) -> f64 {
    let all = corners.iter().flatten().flatten();
    all.fold(0.0, |most, number| f64::max(most, number.abs()))
}

/// Compares two scenes at rest, and at times of each clip. Returns the number of comparisons.
fn check(before: &Scene, after: &Scene, tolerance: f64, label: &str) -> usize {
    let models = [glb_of(before), glb_of(after)];
    let mut moments = vec![(None, None, [0.0; 2], "rest".to_owned())];
    for (clip, written) in before.clips.iter().zip(&after.clips) {
        // States that play sequences become further clips.
        let states = before.machines.iter().map(|machine| machine.states.len()).sum::<usize>();
        let most = before.clips.len() + states;
        assert!((before.clips.len()..=most).contains(&after.clips.len()), "{label}");
        // A clip without motion is not an animation in glTF.
        let number = |model: &Model, name: &str| {
            model.animation_names().iter().position(|known| known == name)
        };
        let own = number(&models[0], &clip.name);
        let other = number(&models[1], &written.name);
        for part in [0.0, 0.1, 0.25, 0.5, 0.617, 0.9, 0.999] {
            // In a GLB, only clips that start before 0 are moved.
            let start = f64::from(clip.start).max(0.0);
            let t = clip.duration() * part;
            moments.push((own, other, [start + t, t], clip.name.clone()));
        }
    }
    let expected: Vec<_> =
        moments.iter().map(|(own, _, [t, _], _)| corners(&models[0], *own, *t)).collect();
    let size = expected.iter().map(size).fold(1.0, f64::max);
    for ((_, other, [_, t], clip), expected) in moments.iter().zip(&expected) {
        let found = corners(&models[1], *other, *t);
        for (found, expected) in found.iter().zip(expected) {
            assert_corners(found, expected, tolerance * size, &format!("{label}, {clip} at {t}"));
        }
    }
    moments.len()
}

#[test]
fn all_fixtures() {
    let mut count = 0;
    for (path, _) in good_fixtures() {
        let Ok(loaded) = load(Path::new(&path), &LoadOptions::default()) else { continue };
        for to in ["x3d", "x3dv"] {
            let label = format!("{path} as {to}");
            let (after, is_sampled) = there_and_back(&loaded.scene, to, &[], &label);
            let tolerance = if is_sampled { SAMPLED } else { TOLERANCE };
            count += check(&loaded.scene, &after, tolerance, &label);
        }
    }
    assert!(count > 3_000, "{count}");
}
