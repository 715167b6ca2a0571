//! Compares the conversion of AMO to GLB with an independent evaluation. The oracle, written from
//! the format notes, reads the `.amo`; the GLB is read with the `gltf` crate; and the positions of
//! all face corners are compared.

use anim_formats::amo::{self, Dialect};
use anim_formats::anim_ir::{Deformer, Pose, Sampler, Scene, Severity, SkeletonId, Topology};
use test_oracle::amo::generate;
use test_oracle::fixtures::scale;
use test_oracle::{amo as amo_oracle, compare};

use crate::{assert_corners, glb_of, glb_with, testdata, written};

const DIALECTS: [(Dialect, amo_oracle::Dialect); 5] = [
    (Dialect::Extobj, amo_oracle::Dialect::Extobj),
    (Dialect::Spec, amo_oracle::Dialect::Spec),
    (Dialect::Editamo, amo_oracle::Dialect::Editamo),
    (Dialect::Lines, amo_oracle::Dialect::Lines),
    (Dialect::Counted, amo_oracle::Dialect::Counted),
];

fn scene_of(text: &[u8], dialect: Dialect) -> Scene {
    let parsed = amo::Document::parse(text).unwrap();
    assert_eq!(parsed.value.dialect(), dialect, "the dialect is detected");
    assert!(parsed.diagnostics.worst() < Some(Severity::Error), "{:?}", parsed.diagnostics);
    amo::to_ir(&parsed.value, &amo::ToIr::default()).value
}

/// Returns times at, between, before and after the keys.
fn moments(times: &[f64]) -> Vec<f64> {
    let between = times
        .windows(2)
        .flat_map(|pair| [0.25, 0.5, 0.9].map(|part| pair[0] + (pair[1] - pair[0]) * part));
    let (first, last) =
        (times.first().copied().unwrap_or(0.0), times.last().copied().unwrap_or(0.0));
    times.iter().copied().chain(between).chain([first - 1.0, last + 1.0]).collect()
}

fn check(text: &[u8], dialect: (Dialect, amo_oracle::Dialect), label: &str) {
    let scene = scene_of(text, dialect.0);
    let model = glb_of(&scene);
    // The scene must contain all influences, the GLB only the four that glTF allows.
    let all = amo_oracle::read(text, dialect.1);
    let mut expected = amo_oracle::read(text, dialect.1);
    expected.limit_influences(4);
    assert!(model.weights_sum_ok(), "{label}");
    let tolerance = 1e-4 * expected.size().max(1e-3);
    let clips: Vec<usize> =
        (0..all.clips.len()).filter(|clip| !all.clips[*clip].key_times.is_empty()).collect();
    assert_eq!(model.animation_names().len(), clips.len(), "{label}");
    let triangles =
        |animation, t| model.triangles_at(animation, t).into_iter().flatten().collect::<Vec<_>>();
    if clips.is_empty() {
        let in_file = expected.rest_corners().concat();
        assert_corners(&triangles(None, 0.0), &in_file, tolerance, &format!("{label} at rest"));
    }
    for (animation, clip) in clips.into_iter().enumerate() {
        for t in moments(&all.clips[clip].key_times) {
            let label = format!("{label}, {} at {t}", all.clips[clip].name);
            // The generator creates no negative times, which would be shifted in glTF.
            let in_file = expected.face_corners_at(clip, t).concat();
            assert_corners(&triangles(Some(animation), t), &in_file, tolerance, &label);
            let in_file = all.face_corners_at(clip, t).concat();
            let in_scene = corners_of_scene(&scene, clip, t);
            assert_corners(&in_scene, &in_file, tolerance, &format!("{label}: IR"));
        }
    }
}

/// Returns the face corners of a scene, evaluated with the scene's own sampling and skinning.
fn corners_of_scene(scene: &Scene, clip: usize, t: f64) -> Vec<[f64; 3]> {
    let (mut pose, mut deformer) = (Pose::default(), Deformer::default());
    let clip = &scene.clips[clip];
    if let Some((timeline, skeleton)) = scene.motion_of(clip) {
        Sampler::for_clip(skeleton, timeline, clip).sample(t, &mut pose);
    }
    let mut corners = Vec::new();
    for (number, node) in scene.enumerate_nodes() {
        assert!(deformer.deform_node(scene, number, SkeletonId::new(0), &pose));
        let mesh = scene.mesh(node.mesh.unwrap()).unwrap();
        let parts = mesh.primitives.iter().filter(|part| part.topology == Topology::Triangles);
        corners.extend(
            parts
                .flat_map(|part| &part.indices)
                .map(|index| deformer.positions()[*index as usize].to_array().map(f64::from)),
        );
    }
    corners
}

#[test]
fn generated_files_of_every_dialect() {
    for dialect in DIALECTS {
        for seed in 0..scale(60, 150) {
            let text = generate::amo(dialect.1, seed);
            check(&text, dialect, &format!("{} {seed}", dialect.0));
        }
    }
}

#[test]
fn fixtures_of_every_dialect() {
    let folder = testdata("amo/ok");
    let mut seen = Vec::new();
    for name in [
        "bones_only",
        "cr",
        "crlf",
        "editamo",
        "extobj",
        "extobj_names",
        "forward",
        "lines_frames",
        "lines_rest",
        "many_clips",
        "names",
        "no_final_newline",
        "octopus_arm",
        "shear",
        "spec",
        "two_objects",
        "counted",
        "counted_static",
        "static",
        "polygon",
    ] {
        let text = std::fs::read(folder.join(name).with_extension("amo")).unwrap();
        let found = amo::Document::parse(&text[..]).unwrap().value.dialect();
        let dialect = DIALECTS.into_iter().find(|dialect| dialect.0 == found).unwrap();
        check(&text, dialect, name);
        seen.push(found);
    }
    assert!(DIALECTS.iter().all(|dialect| seen.contains(&dialect.0)));
}

/// Checks the output of `animfmt sample`: each joint's position relative to its parent.
#[test]
fn joints_relative_to_their_parents() {
    for dialect in DIALECTS {
        for seed in 0..scale(50, 100) {
            let text = generate::amo(dialect.1, seed);
            let (scene, expected) =
                (scene_of(&text, dialect.0), amo_oracle::read(&text, dialect.1));
            let Some(skeleton) = scene.skeletons.first() else { continue };
            for (number, clip) in scene.clips.iter().enumerate() {
                let (timeline, _) = scene.motion_of(clip).unwrap();
                let mut sampler = Sampler::for_clip(skeleton, timeline, clip);
                let mut pose = Pose::default();
                for t in moments(&expected.clips[number].key_times) {
                    sampler.sample(t, &mut pose);
                    for (index, joint) in skeleton.enumerate_joints() {
                        let wanted = expected.joint_local(number, joint.source_index, t);
                        // A transform cannot represent shear. If the rest matrix has shear, only
                        // the exact matrix can match.
                        let transform = pose.local_transform(joint, index).to_matrix();
                        let uneven = joint.exact_rest.is_some()
                            || joint.rest.scale.x != joint.rest.scale.y
                            || joint.rest.scale.y != joint.rest.scale.z;
                        let both = [pose.local_matrix(joint, index)]
                            .into_iter()
                            .chain((!uneven).then_some(transform));
                        for found in both {
                            let near =
                                found.columns.iter().flatten().zip(wanted.iter().flatten()).all(
                                    |(a, b)| (f64::from(*a) - b).abs() <= 1e-4 * b.abs().max(1.0),
                                );
                            assert!(
                                near,
                                "{} {seed}, clip {number}, {} at {t}: {found:?} {wanted:?}",
                                dialect.0, joint.name
                            );
                        }
                    }
                }
            }
        }
    }
}

/// Texture coordinates follow glTF's convention.
#[test]
fn texture_coordinates() {
    for dialect in DIALECTS {
        for seed in 0..scale(25, 50) {
            let text = generate::amo(dialect.1, seed);
            let expected = amo_oracle::read(&text, dialect.1);
            let point = |[u, v]: [f64; 2]| [u, v, 0.0];
            let expected: Vec<[f64; 3]> =
                expected.face_texcoords().into_iter().flatten().flatten().map(point).collect();
            let found = glb_of(&scene_of(&text, dialect.0)).triangle_texcoords();
            let found: Vec<[f64; 3]> = found.into_iter().flatten().flatten().map(point).collect();
            if !expected.is_empty() {
                // A face corner without a texture coordinate has (0, 0) in the GLB if other face
                // corners of its mesh have texture coordinates.
                let distance = expected
                    .iter()
                    .map(|e| {
                        found
                            .iter()
                            .map(|f| (e[0] - f[0]).hypot(e[1] - f[1]))
                            .fold(f64::MAX, f64::min)
                    })
                    .fold(0.0, f64::max);
                assert!(distance < 1e-5, "{} {seed}: {distance}", dialect.0);
            }
        }
    }
}

/// Each key becomes one key, with exactly the same f32 time as in the file.
#[test]
fn key_times_are_exact() {
    for dialect in DIALECTS {
        for seed in 0..scale(30, 60) {
            let text = generate::amo(dialect.1, seed);
            let expected = amo_oracle::read(&text, dialect.1);
            let model = glb_with(&scene_of(&text, dialect.0), &[("no-rest-keys", "true")]);
            let clips = expected.clips.iter().filter(|clip| !clip.key_times.is_empty());
            for (animation, clip) in clips.enumerate() {
                #[expect(clippy::cast_possible_truncation, reason = "glTF has f32")]
                let mut times: Vec<f32> = clip.key_times.iter().map(|t| *t as f32).collect();
                times.dedup();
                let mut found: Vec<f32> =
                    model.key_times(animation).iter().map(|t| *t as f32).collect();
                // If no channel has two keys, the first channel's key is held, so that the
                // animation has a duration.
                let positions = clip.position_keys.iter().map(Vec::len);
                let most = positions.chain(clip.rotation_keys.iter().map(Vec::len)).max();
                if most == Some(1) && found.len() > times.len() {
                    found.pop();
                }
                let near = times.len() == found.len()
                    && times
                        .iter()
                        .zip(&found)
                        .all(|(a, b)| (a - b).abs() <= a.abs() * f32::EPSILON);
                assert!(near, "{} {seed} {}: {times:?} {found:?}", dialect.0, clip.name);
            }
        }
    }
}

/// A round trip through the specification's dialect gives the same positions at every key time.
#[test]
fn written_amo_moves_the_same_vertices() {
    for dialect in DIALECTS {
        for seed in 0..scale(30, 60) {
            let text = generate::amo(dialect.1, seed);
            let scene = scene_of(&text, dialect.0);
            let written = written(&scene, "amo", &[]).unwrap();
            let again = amo::Document::parse(&written.value.main[..]).unwrap();
            assert!(
                again.diagnostics.worst() < Some(Severity::Error),
                "{} {seed}: {:?}",
                dialect.0,
                again.diagnostics
            );
            let scaled = written.losses.iter().any(|loss| loss.code.id == "amo-loss-scale");
            let mut expected = amo_oracle::read(&text, dialect.1);
            expected.limit_influences(4);
            let found = amo_oracle::read(&written.value.main, amo_oracle::Dialect::Spec);
            let tolerance = 2e-4 * expected.size().max(1e-3);
            for clip in 0..expected.clips.len() {
                for t in expected.clips[clip].key_times.clone() {
                    let (a, b) = (
                        expected.face_corners_at(clip, t).concat(),
                        found.face_corners_at(clip, t).concat(),
                    );
                    let distance = compare::max_distance_between_sets(&a, &b);
                    // If rest matrices have shear or non-uniform scale, so do the keys. This is
                    // reported.
                    assert!(
                        scaled || distance <= tolerance,
                        "{} {seed}, clip {clip} at {t}: {distance} of {tolerance}",
                        dialect.0
                    );
                }
            }
        }
    }
}
