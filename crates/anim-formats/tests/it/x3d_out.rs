//! What is written as X3D and read again shows the same at all times. Both scenes are compared as
//! GLBs, which the oracle evaluates.

use std::path::Path;

use anim_formats::anim_ir::format::Context;
use anim_formats::anim_ir::{Clip, NoFiles, Scene, Severity, Wrap};
use anim_formats::{LoadError, LoadOptions, Settings, load, parse_bytes, scene_of};
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

/// Returns the pairs of nodes that are joints with names of their own.
fn joints(before: &Scene, models: &[Model; 2]) -> Vec<(usize, usize)> {
    let names = models.each_ref().map(Model::node_names);
    let place = |names: &[String], name: &str| {
        let mut found = (0..names.len()).filter(|at| names[*at] == name);
        found.next().filter(|_| found.next().is_none())
    };
    let joints = before.skeletons.iter().flat_map(|skeleton| &skeleton.joints);
    // A GLB has no shear in its nodes, and a humanoid's joints are relative to their bind pose.
    let is_plain = joints.clone().all(|joint| joint.exact_rest.is_none());
    let joints = joints.filter(|_| before.skins.is_empty() && is_plain);
    joints
        .filter_map(|it| Some((place(&names[0], &it.name)?, place(&names[1], &it.name)?)))
        .collect()
}

/// Compares two scenes at rest, and at times of each clip. Returns the number of times, and of
/// joints compared.
fn check(before: &Scene, after: &Scene, tolerance: f64, label: &str) -> (usize, usize) {
    let models = [glb_of(before), glb_of(after)];
    let mut moments = vec![(None, None, [0.0; 2], "rest".to_owned())];
    for clip in &before.clips {
        // A clip without motion is not an animation in glTF.
        let number = |model: &Model, name: &str| {
            model.animation_names().iter().position(|known| known == name)
        };
        let own = number(&models[0], &clip.name);
        // A clip that moves nothing need not be there.
        let other = number(&models[1], &clip.name);
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
    let joints = joints(before, &models);
    for (own, other, times, clip) in &moments {
        let [expected, found] =
            [(0, own), (1, other)].map(|(at, clip)| models[at].node_worlds(*clip, times[at]));
        for (a, b) in &joints {
            let points = [&expected[*a], &found[*b]]
                .map(|world| world.map(|column| [column[0], column[1], column[2]]));
            let size =
                points[0].iter().flatten().fold(1.0, |most, number| f64::max(most, number.abs()));
            let label = format!("{label}, {clip} at {}: joint {a}", times[0]);
            assert_corners(&points[1], &points[0], 2.0 * tolerance * size, &label);
        }
    }
    (moments.len(), joints.len() * moments.len())
}

/// Asserts that clips have kept their length, and loop unless they play once. What moves nothing
/// may be missing. Returns the number of clips found.
fn check_clips(before: &Scene, after: &Scene, label: &str) -> usize {
    let kept = |clip: &&Clip| {
        let label = format!("{label}, {}", clip.name);
        let mut same = after.clips.iter().filter(|other| other.name == clip.name).peekable();
        let is_there = same.peek().is_some();
        let is_once = matches!(clip.wrap, Wrap::Once | Wrap::PingPongOnce);
        // A TimeSensor cannot be of length 0.
        let is_kept = |other: &Clip| {
            let difference = (other.duration() - clip.duration()).abs();
            let is_long = clip.duration() == 0.0 || difference <= 1e-6 * clip.duration();
            is_long && (other.wrap == Wrap::Once) == is_once
        };
        assert!(!is_there || same.any(is_kept), "{label}: {clip:?} is now {:?}", after.clips);
        is_there
    };
    before.clips.iter().filter(kept).count()
}

#[test]
fn all_fixtures() {
    let (mut files, mut clips, mut times, mut joints) = (0, 0, 0, 0);
    for (path, _) in good_fixtures() {
        let loaded = match load(Path::new(&path), &LoadOptions::default()) {
            Ok(loaded) => loaded,
            Err(error) => {
                assert!(matches!(error, LoadError::Unknown(_)), "{path}: {error}");
                continue;
            }
        };
        for to in ["x3d", "x3dv"] {
            let label = format!("{path} as {to}");
            let (after, is_sampled) = there_and_back(&loaded.scene, to, &[], &label);
            let tolerance = if is_sampled { SAMPLED } else { TOLERANCE };
            clips += check_clips(&loaded.scene, &after, &label);
            let counts = check(&loaded.scene, &after, tolerance, &label);
            (times, joints) = (times + counts.0, joints + counts.1);
            files += 1;
        }
    }
    let counts = (files, clips, times, joints);
    assert!(files > 1_200 && clips > 800 && times > 3_000 && joints > 10_000, "{counts:?}");
}
