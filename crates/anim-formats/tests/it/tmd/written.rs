//! Tests writing scenes to TMD ANM. The files are read back by the oracle and by this project.

use anim_formats::anim_ir::{
    Channel, Clip, ClipId, EulerOrder, Interpolation, Joint, JointId, Quat, Scene, Skeleton,
    TimeBase, TimelineBuilder, Transform,
};
use anim_formats::tmd_anm::{FromIr, FromIrError};
use anim_formats::{AnyDocument, ConvertError, LoadOptions, convert, join_tmd, load, tmd_anm};
use test_oracle::fixtures::scale;
use test_oracle::math::{self, Mat4};
use test_oracle::random::Rng;
use test_oracle::tmd::generate::{self, AnmCase, AnmOptions};
use test_oracle::tmd::{self, Options, Order};
use test_oracle::{amo as amo_oracle, growth};

use super::{Files, Key, anm};
use crate::{Set, assert_said, cause, format, settings, testdata, written};

/// Half a unit for each of the three angles, in radians.
const TURN: f64 = 3.0 * std::f64::consts::PI / 4096.0;

fn write(scene: &Scene, options: Set<'_>) -> Result<Vec<u8>, ConvertError> {
    Ok(written(scene, "tmd-anm", options)?.value.main)
}

/// Returns the distance between the 3 × 3 parts of two matrices.
fn turned(a: &Mat4, b: &Mat4) -> f64 {
    (0..3)
        .flat_map(|column| (0..3).map(move |row| (column, row)))
        .map(|(c, r)| (a[c][r] - b[c][r]).abs())
        .fold(0.0, f64::max)
}

fn moved(a: &Mat4, b: &Mat4) -> f64 {
    (0..3).map(|i| (a[3][i] - b[3][i]).abs()).fold(0.0, f64::max)
}

/// Joints without parents, with keys at each frame, at 10 frames per second.
struct Moving {
    translations: Vec<[f64; 3]>,
    rotations: Vec<[f64; 4]>,
    scales: Vec<[f64; 3]>,
}

impl Moving {
    fn random(rng: &mut Rng, frames: usize) -> Moving {
        let three = |rng: &mut Rng, most: f64| [0; 3].map(|_| rng.range(-most, most));
        Moving {
            translations: (0..frames).map(|_| three(rng, 30_000.0)).collect(),
            rotations: (0..frames)
                .map(|_| math::normalized([0; 4].map(|_| rng.range(-1.0, 1.0))))
                .collect(),
            scales: (0..frames).map(|_| three(rng, 7.9)).collect(),
        }
    }

    fn matrix(&self, frame: usize) -> Mat4 {
        let turned =
            math::mul(&math::rotation(self.rotations[frame]), &math::scaling(self.scales[frame]));
        math::mul(&math::translation(self.translations[frame]), &turned)
    }
}

fn scene_of(joints: &[Moving]) -> Scene {
    let frames = joints[0].translations.len();
    let times: Vec<f32> = (0..frames).map(|frame| (frame as f64 / 10.0) as f32).collect();
    let numbers = |values: Vec<f64>| values.into_iter().map(|x| x as f32).collect::<Vec<_>>();
    let mut builder =
        TimelineBuilder::new("t").with_time_base(TimeBase::Frames { per_second: 10.0 });
    let mut skeleton = Skeleton::nodes("s");
    for (index, joint) in joints.iter().enumerate() {
        skeleton.joints.push(Joint::new(format!("object_{index}"), None));
        let target = JointId::new(index).into();
        for (channel, values) in [
            (Channel::Translation, numbers(joint.translations.concat())),
            (Channel::Rotation, numbers(joint.rotations.concat())),
            (Channel::Scale, numbers(joint.scales.concat())),
        ] {
            builder.keys(target, channel, Interpolation::Step, &times, &values).unwrap();
        }
    }
    let clip = Clip { name: "A".to_owned(), end: (frames as f64 / 10.0) as f32, ..Clip::default() };
    Scene {
        skeletons: vec![skeleton],
        timelines: vec![builder.finish()],
        clips: vec![clip],
        ..Scene::default()
    }
}

/// Returns a scene with a joint for each transform, at rest for the given number of seconds.
fn still(transforms: &[Transform], seconds: f32) -> Scene {
    let mut skeleton = Skeleton::nodes("s");
    for (index, rest) in transforms.iter().enumerate() {
        skeleton.joints.push(Joint { rest: *rest, ..Joint::new(format!("object_{index}"), None) });
    }
    let clip = Clip { name: "A".to_owned(), end: seconds, ..Clip::default() };
    let timeline =
        TimelineBuilder::new("t").with_time_base(TimeBase::Frames { per_second: 30.0 }).finish();
    Scene {
        skeletons: vec![skeleton],
        timelines: vec![timeline],
        clips: vec![clip],
        ..Scene::default()
    }
}

/// Values are rounded to the nearest unit.
#[test]
fn errors_are_at_most_half_a_unit() {
    for (order, oracle) in [(EulerOrder::Zyx, Order::Zyx), (EulerOrder::Xyz, Order::Xyz)] {
        for seed in 0..scale(15, 40) {
            let mut rng = Rng::new(seed);
            let joints = [0; 3].map(|_| Moving::random(&mut rng, 20));
            let bytes = write(&scene_of(&joints), &[("rotation-order", order.name())]).unwrap();
            let anm = tmd::anm(&bytes);
            assert_eq!((anm.rate_field, anm.frames.len(), anm.magic), (10, 20, 0x8000));
            for (object, joint) in joints.iter().enumerate() {
                for frame in 0..20 {
                    let options = Options { order: oracle, ..Options::default() };
                    let found = anm.matrix(frame, object as u8, &options).unwrap();
                    let (found, expected) = (tmd::to_gltf(&found), joint.matrix(frame));
                    let greatest =
                        joint.scales[frame].iter().fold(0.0_f64, |most, x| most.max(x.abs()));
                    let label = format!("{order:?} {seed}, object {object}, frame {frame}");
                    let most = TURN * greatest + 0.5 / 4096.0 + 1e-5;
                    assert!(
                        turned(&found, &expected) <= most && moved(&found, &expected) <= 0.5 + 1e-2,
                        "{label}: {found:?} {expected:?}"
                    );
                }
            }
        }
    }
}

/// Files round-trip through a scene: the transforms and frames are bit-identical, whatever the
/// structure of the file.
#[test]
fn files_round_trip() {
    let mut seen = 0;
    for case in AnmCase::ALL {
        for seed in 0..scale(4, 10) {
            for (order, oracle) in [(EulerOrder::Zyx, Order::Zyx), (EulerOrder::Xyz, Order::Xyz)] {
                let options = AnmOptions { case, ..AnmOptions::default() };
                let bytes = generate::anm(&mut Rng::new(100 * seed + case as u64), &options);
                if case == AnmCase::NoFrames {
                    continue;
                }
                let label = format!("{case:?} {seed} {order:?}");
                let options = [("rotation-order", order.name())];
                let scene = Files::default().motion("A", &[&bytes]).scene(&options).value;
                let written = write(&scene, &options).unwrap();
                let (before, after) = (tmd::anm(&bytes), tmd::anm(&written));
                assert!(
                    after.gap.is_empty()
                        && after.trailing.is_empty()
                        && !after.overlaps_header
                        && !after.truncated,
                    "{label}"
                );
                let length = |anm: &tmd::Anm| (anm.frames.len(), anm.rate);
                assert_eq!(length(&before), length(&after), "{label}");
                let options = Options { order: oracle, ..Options::default() };
                for frame in 0..before.frames.len() {
                    for object in before.objects() {
                        let [a, b] =
                            [&before, &after].map(|anm| anm.matrix(frame, object, &options));
                        let label = format!("{label}, object {object}, frame {frame}");
                        assert_eq!(a.is_some(), b.is_some(), "{label}");
                        let Some((a, b)) = a.zip(b) else { continue };
                        let is_same = turned(&a, &b) < 1e-9 && moved(&a, &b) == 0.0;
                        assert!(is_same, "{label}:\n{a:?}\n{b:?}");
                        seen += 1;
                    }
                }
            }
        }
    }
    assert!(seen > scale(2_000, 5_000), "{seen}");
}

/// With the same unit scale for reading and writing, values are unchanged.
#[test]
fn units_cancel_out() {
    let bytes = anm(30, &[&[Key(0, [1, -2, 32_767])], &[Key(0, [-32_768, 3, 4])]]);
    for unit in ["0.001", "0.1", "3", "1000"] {
        let options: Set<'_> = &[("unit-scale", unit)];
        let scene = Files::default().motion("A", &[&bytes]).scene(options).value;
        assert_eq!(write(&scene, options).unwrap(), bytes, "{unit}");
    }
}

/// T27: out-of-range values are rejected, or clamped on request. No value wraps around.
#[test]
fn values_that_do_not_fit() {
    let at = |x: f32| Transform { translation: [x, 0.0, 0.0].into(), ..Transform::IDENTITY };
    let scaled = |x: f32| Transform { scale: [x, 1.0, 1.0].into(), ..Transform::IDENTITY };
    for (transform, what, value, clamped) in [
        (at(40_000.0), "position", "40000", [32_767, 4096]),
        (at(-40_000.0), "position", "-40000", [-32_768, 4096]),
        (at(32_767.5), "position", "32767.5", [32_767, 4096]),
        (at(f32::MAX), "position", "340282", [32_767, 4096]),
        (scaled(9.0), "scale", "9", [0, 32_767]),
        (scaled(-9.0), "scale", "-9", [0, -32_768]),
        (scaled(8.0), "scale", "8", [0, 32_767]),
    ] {
        let scene = still(&[transform], 0.1);
        let error = write(&scene, &[]).unwrap_err();
        assert_eq!(error.help(), Some("use --clamp to limit it to the range"), "{what} {value}");
        let said = error.to_string();
        assert!([what, value, "object_0"].iter().all(|word| said.contains(word)), "{said}");
        let made = written(&scene, "tmd-anm", &[("clamp", "true")]).unwrap();
        assert_said(&made.losses, "tmd-anm-clamped", value);
        let key = tmd::anm(&made.value.main).frames[0].key_of(0).unwrap();
        let [x, _, _] = key.position.unwrap_or_default();
        let [scale, _, _] = key.scale.unwrap_or([4096; 3]);
        assert_eq!([x, scale], clamped, "{what} {value}");
    }
    // Extreme values that still fit.
    for transform in [at(32_767.4), at(-32_768.4), scaled(-8.0), scaled(32_767.0 / 4096.0)] {
        write(&still(&[transform], 0.1), &[]).unwrap();
    }
    for bad in [f32::NAN, f32::INFINITY] {
        for transform in [
            at(bad),
            scaled(bad),
            Transform { rotation: Quat { x: bad, y: 0.0, z: 0.0, w: 1.0 }, ..Transform::IDENTITY },
        ] {
            for options in [&[] as Set<'_>, &[("clamp", "true")]] {
                let refused = write(&still(&[transform], 0.1), options);
                assert!(matches!(refused, Err(ConvertError::Format { .. })), "{transform:?}");
            }
        }
    }
    for unit in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        let options = FromIr::default().with_unit(unit);
        assert!(tmd_anm::from_ir(&still(&[at(1.0)], 0.1), &options).is_err(), "{unit}");
    }
}

#[test]
fn at_most_256_objects_fit() {
    let joints = [Transform { translation: [1.0, 2.0, 3.0].into(), ..Transform::IDENTITY }; 257];
    let written = tmd::anm(&write(&still(&joints[..256], 0.1), &[]).unwrap());
    assert_eq!((written.objects().len(), written.objects()[255]), (256, 255));
    let refused = write(&still(&joints, 0.1), &[]).unwrap_err().to_string();
    assert!(refused.contains("257 joints") && refused.contains("256"), "{refused}");
}

/// T26: motions with too many frames or too many bytes are rejected, unless they are split into as
/// many files as needed. No frames are lost.
#[test]
fn motions_too_long_for_a_file_are_refused_or_split() {
    let hidden = |frames: f32| {
        let mut scene = still(&[Transform::IDENTITY], frames / 30.0);
        scene.skeletons[0].joints[0].visible = false;
        scene
    };
    let full = write(&hidden(65_531.0), &[]).unwrap();
    assert_eq!((tmd::anm(&full).frames.len(), full.len()), (65_531, 131_070));
    // 256 objects of 20 bytes and a table entry: 25 frames per file.
    let place = Transform {
        translation: [1.0; 3].into(),
        rotation: Quat { x: 1.0, y: 0.0, z: 0.0, w: 0.0 },
        scale: [2.0; 3].into(),
    };
    let heavy = still(&[place; 256], 2.0);
    for (scene, frames, files) in [(hidden(65_532.0), 65_532, 2), (heavy, 60, 3)] {
        let refused = write(&scene, &[]).unwrap_err().to_string();
        assert!(
            refused.contains(&format!("{frames} frames"))
                && refused.contains(&format!("{files} files are needed")),
            "{refused}"
        );
        let split = settings(&[("split", "true")]);
        let made = convert(&scene, format("tmd-anm"), &split, "LONG").unwrap().value;
        let names: Vec<&str> = made.companions.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["LONG_2.anm", "LONG_3.anm"][..files - 1]);
        let parts: Vec<&[u8]> = std::iter::once(&made.main)
            .chain(made.companions.iter().map(|(_, bytes)| bytes))
            .map(Vec::as_slice)
            .collect();
        assert!(parts.iter().all(|part| part.len() <= 131_070));
        assert_eq!(parts.iter().map(|part| tmd::anm(part).frames.len()).sum::<usize>(), frames);

        // Joined again, the motion is too long for one file, and is split into the same files.
        let documents: Vec<_> =
            parts.iter().map(|part| tmd_anm::Document::parse(*part).unwrap().value).collect();
        let documents: Vec<&tmd_anm::Document<'_>> = documents.iter().collect();
        let refused = join_tmd(&documents, &settings(&[]), "x").unwrap_err();
        assert_eq!(refused.help(), Some("use --split with a folder as the output"), "{refused}");
        let joined = join_tmd(&documents, &split, "LONG").unwrap().value;
        assert!(joined == made, "split at the same frames again");
    }
}

#[test]
fn joined_files_are_packed() {
    let a = anm(15, &[&[Key(0, [1, 2, 3])], &[]]);
    let mut b_with_gap = anm(15, &[&[Key(7, [4, 5, 6]), Key(0, [7, 8, 9])]]);
    // There are two extra bytes between the table and the frame.
    b_with_gap.splice(10..10, [9, 9]);
    b_with_gap[6] += 1;
    b_with_gap[8] += 1;
    let parse = |bytes: &[u8]| tmd_anm::Document::parse(bytes.to_vec()).unwrap().value;
    let made = join_tmd(&[&parse(&a), &parse(&b_with_gap)], &settings(&[]), "x").unwrap();
    assert_said(&made.losses, "tmd-anm-loss-join", "2 bytes");
    assert_eq!(
        made.value.main,
        anm(15, &[&[Key(0, [1, 2, 3])], &[], &[Key(7, [4, 5, 6]), Key(0, [7, 8, 9])]])
    );
    let other = parse(&anm(30, &[&[]]));
    let refused = join_tmd(&[&parse(&a), &other], &settings(&[]), "x").unwrap_err().to_string();
    assert!(refused.contains("15") && refused.contains("30"), "{refused}");
    let faster = join_tmd(&[&parse(&a), &other], &settings(&[("rate", "60")]), "x").unwrap();
    assert_eq!(tmd::anm(&faster.value.main).rate_field, 60);
}

/// Child joints are written with their transforms in model space.
#[test]
fn hierarchies_are_flattened() {
    let loaded = load(testdata("amo/ok/octopus_arm.amo"), &LoadOptions::default()).unwrap();
    let AnyDocument::Amo(document) = &loaded.document else { panic!() };
    assert_eq!(document.dialect(), anim_formats::amo::Dialect::Spec);
    let expected = amo_oracle::read(&document.to_bytes(), amo_oracle::Dialect::Spec);
    let joints = &loaded.scene.skeletons[0].joints;
    assert!(joints.iter().any(|joint| joint.parent.is_some()));
    let unit = 0.001_f64;
    for (number, clip) in loaded.scene.clips.iter().enumerate() {
        let mut one = loaded.scene.clone();
        one.keep_clip(ClipId::new(number));
        let options = [("fps", "20"), ("unit-scale", "0.001")];
        let made = written(&one, "tmd-anm", &options).unwrap();
        assert_said(&made.losses, "tmd-anm-loss-hierarchy", "");
        let anm = tmd::anm(&made.value.main);
        let frames = ((clip.end - clip.start) * 20.0).round() as usize;
        assert_eq!((anm.rate, anm.frames.len()), (20.0, frames));
        for frame in 0..anm.frames.len() {
            for (object, joint) in joints.iter().enumerate() {
                let found =
                    tmd::to_gltf(&anm.matrix(frame, object as u8, &Options::default()).unwrap());
                let t = f64::from(clip.start) + frame as f64 / 20.0;
                let wanted = expected.joint_world(number, joint.source_index, t);
                let label =
                    format!("{}, {} in frame {frame}: {found:?} {wanted:?}", clip.name, joint.name);
                assert!(turned(&found, &wanted) < TURN + 1e-4, "{label}");
                assert!(
                    (0..3).all(|i| (found[3][i] * unit - wanted[3][i]).abs() < 0.51 * unit + 1e-4),
                    "{label}"
                );
            }
        }
    }
    let several = write(&loaded.scene, &[]).unwrap_err();
    assert!(matches!(cause(&several), Some(FromIrError::Several(_))), "{several}");
}

/// O32: an absurd number of frames is rejected before any is generated.
#[test]
fn a_clip_of_thirty_years_is_rejected() {
    let options = settings(&[("fps", "60"), ("split", "true")]);
    // Quadratic in the count, so generating the frames before rejecting them would not be linear.
    let seconds = |count: usize| (count * count) as f32;
    let refuse = |scene: &Scene| {
        let refused = convert(scene, format("tmd-anm"), &options, "LONG").unwrap_err();
        assert!(refused.to_string().contains("the sampled frames need"), "{refused}");
    };
    let still_for = |count| still(&[Transform::IDENTITY; 2], seconds(count));
    growth::assert_linear("a clip of thirty years", still_for, refuse, 30_000);
    for rate in [0.0, -1.0, 0.5, 40_000.0, f64::NAN] {
        let options = FromIr::default().with_frames_per_second(Some(rate));
        assert!(tmd_anm::from_ir(&still(&[], 1.0), &options).is_err(), "{rate}");
    }
}
