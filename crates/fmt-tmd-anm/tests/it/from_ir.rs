//! Writing scenes: files contain the poses of the scene, rounded to the nearest value, and losses
//! are reported.

use std::f64::consts::TAU;

use anim_ir::format::{SeveralClips, Write as _};
use anim_ir::{
    Axes, Channel, Clip, EulerOrder, Event, Interpolation, Joint, JointId, Limits, Mat4, Mesh,
    Pose, PoseSpace, Quat, Sampler, Scene, Skeleton, Target, TimeBase, Timeline, TimelineBuilder,
    Vec3, Wrap,
};
use fmt_tmd_anm::{
    Document, FromIr, FromIrError, Key, NewFrame, Sequence, TmdAnm, ToIr, WriteError, codes,
    from_ir, to_ir,
};
use test_oracle::random::Rng;
use test_oracle::tmd::generate::{self, AnmCase, AnmOptions};

const FIRST: Target = Target::Joint(JointId::new(0));

fn scene_of(skeleton: Skeleton, timeline: Timeline, end: f32) -> Scene {
    let clips = vec![Clip { name: "walk".to_owned(), end, ..Clip::default() }];
    let (skeletons, timelines) = (vec![skeleton], vec![timeline]);
    Scene { axes: Axes::YDown, skeletons, timelines, clips, ..Scene::default() }
}

/// Returns a builder for a timeline with a frame rate.
fn at_rate(per_second: f32) -> TimelineBuilder {
    TimelineBuilder::new("").with_time_base(TimeBase::Frames { per_second })
}

fn joints(count: usize) -> Skeleton {
    let joints = (0..count).map(|index| Joint::new(format!("object_{index}"), None)).collect();
    Skeleton { joints, ..Skeleton::nodes("") }
}

/// Returns a scene with a joint that stays at each position for 1/30 s.
fn places(values: &[[f32; 3]]) -> Scene {
    let times: Vec<f32> = (0..values.len()).map(|frame| frame as f32 / 30.0).collect();
    let (mut builder, step) = (at_rate(30.0), Interpolation::Step);
    builder.keys(FIRST, Channel::Translation, step, &times, values.as_flattened()).unwrap();
    scene_of(joints(1), builder.finish(), values.len() as f32 / 30.0)
}

fn keys(document: &Document<'_>) -> Vec<Vec<Key>> {
    document.frames().map(|frame| frame.keys().collect()).collect()
}

/// The angle between two rotations, in radians.
fn between(a: Quat, b: Quat) -> f64 {
    let d = a.conjugate() * b;
    2.0 * (f64::from(d.x).hypot(f64::from(d.y)).hypot(f64::from(d.z))).atan2(f64::from(d.w.abs()))
}

/// A round trip through a scene preserves every position and scale exactly, and every rotation to
/// within 1e-6 radians.
#[test]
fn round_trip() {
    let mut compared = 0;
    for (case, seed) in [AnmCase::Canonical, AnmCase::EmptyFrames, AnmCase::OddRate]
        .into_iter()
        .flat_map(|case| (0..10).map(move |seed| (case, seed)))
    {
        let options = AnmOptions { case, frames: 20, objects: 6 };
        let bytes = generate::anm(&mut Rng::new(seed), &options);
        let document = Document::parse(&bytes[..]).unwrap().value;
        for rotation_order in EulerOrder::ALL {
            let to = ToIr::default().with_rotation_order(rotation_order);
            let scene = to_ir(&document, &to).value;
            let from = FromIr::default().with_rotation_order(rotation_order);
            let written = from_ir(&scene, &from).unwrap();
            assert!(written.losses.is_empty(), "{:?}", written.losses);
            let [file] = &written.value[..] else { panic!("one file") };
            assert_eq!(file.frames_per_second(), document.frames_per_second());
            let worst = |bytes: &[u8]| Document::parse(bytes).unwrap().diagnostics.worst();
            assert!(worst(&file.to_bytes()) <= worst(&bytes));
            let (before, after) = (keys(&document), keys(file));
            assert_eq!(before.len(), after.len());
            for (before, after) in before.iter().zip(&after) {
                let mut before: Vec<&Key> = before.iter().collect();
                before.sort_by_key(|key| key.object);
                assert_eq!(before.len(), after.len());
                for (a, b) in before.into_iter().zip(after) {
                    let rotation = |key: &Key| {
                        let angles = key.rotation.unwrap_or([0; 3]).map(f64::from);
                        Quat::from_euler(angles.map(|angle| angle * TAU / 4096.0), rotation_order)
                    };
                    assert!(between(rotation(a), rotation(b)) < 1e-6, "{a:?} becomes {b:?}");
                    assert_eq!(a.object, b.object);
                    assert_eq!(a.position.unwrap_or([0; 3]), b.position.unwrap_or([0; 3]));
                    assert_eq!(a.scale.unwrap_or([4096; 3]), b.scale.unwrap_or([4096; 3]));
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 5_000, "{compared}");
}

/// Rotations that cannot be represented exactly are off by less than one unit, even if the middle
/// angle is near 90°.
#[test]
fn rotations_are_rounded_to_the_nearest() {
    let mut rng = Rng::new(1);
    let mut angle = || (rng.below(1 << 20) as f64 / (1 << 19) as f64 - 1.0) * TAU;
    for order in EulerOrder::ALL {
        let middle = usize::from(order.name().as_bytes()[1] - b'x');
        let turns: Vec<Quat> = (0..500)
            .map(|n| {
                let mut angles = [angle(), angle(), angle()];
                if n % 2 == 0 {
                    angles[middle] = TAU / 4.0 + angle() * if n % 4 == 0 { 0.0 } else { 1e-4 };
                }
                Quat::from_euler(angles, order)
            })
            .collect();
        let times: Vec<f32> = (0..turns.len()).map(|frame| frame as f32 / 30.0).collect();
        let values: Vec<f32> = turns.iter().flat_map(|turn| turn.to_array()).collect();
        let mut builder = TimelineBuilder::new("");
        builder.keys(FIRST, Channel::Rotation, Interpolation::Step, &times, &values).unwrap();
        let scene = scene_of(joints(1), builder.finish(), turns.len() as f32 / 30.0);
        let written = from_ir(&scene, &FromIr::default().with_rotation_order(order)).unwrap();
        assert_eq!(written.losses.count(&codes::LOSS_ROTATION), 1, "the error is reported");
        let again = to_ir(&written.value[0], &ToIr::default().with_rotation_order(order)).value;
        let mut sampler = Sampler::new(&again.skeletons[0], &again.timelines[0]);
        let mut pose = Pose::default();
        for (frame, turn) in turns.iter().enumerate() {
            sampler.sample((frame as f64 + 0.5) / 30.0, &mut pose);
            let error = between(*turn, pose.transforms[0].rotation);
            // Three angles are off by at most half a unit each, and rarely all in the same
            // direction.
            let units = error * 4096.0 / TAU;
            assert!(units < 1.0, "{} {turn:?}: {units}", order.name());
        }
    }
}

/// Hidden objects have no keys, objects at rest have two-byte keys, and steps are sampled correctly
/// at times that are not exact in f32.
#[test]
fn steps_are_sampled_correctly_at_every_rate() {
    for rate in [1.0_f32, 7.0, 10.0, 29.0, 60.0, 999.0, 32_767.0] {
        for start in [0.0_f32, 0.1, 1000.0] {
            let frames = 300;
            let times: Vec<f32> = (0..frames)
                .map(|frame| (f64::from(start) + f64::from(frame) / f64::from(rate)) as f32)
                .collect();
            if times.windows(2).any(|pair| pair[0] >= pair[1])
                || f64::from(start) * f64::from(f32::EPSILON) * 8.0 > 1.0 / f64::from(rate)
            {
                continue;
            }
            let values: Vec<f32> = (0..frames).flat_map(|frame| [frame as f32, 0.0, 0.0]).collect();
            let shown: Vec<f32> = (0..frames).map(|frame| (frame % 3 != 1) as u8 as f32).collect();
            let mut builder = at_rate(rate);
            for (channel, values) in [(Channel::Translation, values), (Channel::Visibility, shown)]
            {
                let second = Target::Joint(JointId::new(1));
                builder.keys(second, channel, Interpolation::Step, &times, &values).unwrap();
            }
            let mut scene = scene_of(joints(2), builder.finish(), 0.0);
            scene.clips[0].start = start;
            scene.clips[0].end = (f64::from(start) + f64::from(frames) / f64::from(rate)) as f32;
            let written = from_ir(&scene, &FromIr::default()).unwrap().value.remove(0);
            assert_eq!((written.rate(), written.frame_count()), (rate as i16, 300), "{start}");
            for (frame, keys) in keys(&written).into_iter().enumerate() {
                let still = Key::default();
                let position = Some([frame as i16, 0, 0]).filter(|_| frame > 0);
                let moved = Key { object: 1, position, ..still };
                let expected = if frame % 3 == 1 { vec![still] } else { vec![still, moved] };
                assert_eq!(keys, expected, "rate {rate}, start {start}, frame {frame}");
            }
        }
    }
}

#[test]
fn child_joints_are_written_in_model_space() {
    let mut skeleton = joints(2);
    skeleton.joints[0].rest.translation = Vec3::new(100.0, 0.0, 0.0);
    skeleton.joints[1].parent = Some(JointId::new(0));
    skeleton.joints[1].rest.translation = Vec3::new(0.0, 50.0, 0.0);
    let mut builder = TimelineBuilder::new("").with_pose_space(PoseSpace::DeltaFromRest);
    let quarter = Quat::from_axis_angle(Vec3::new(0.0, 0.0, 1.0), TAU / 4.0);
    builder.constant(FIRST, Channel::Rotation, &quarter.to_array()).unwrap();
    let mut scene = scene_of(skeleton, builder.finish(), 0.0);
    let written = from_ir(&scene, &FromIr::default()).unwrap();
    // The child is at (100, 0, 0) + Rz(90°)(0, 50, 0).
    let turned = Some([0, 0, 1024]);
    let expected = [
        Key { object: 0, rotation: turned, position: Some([100, 0, 0]), ..Key::default() },
        Key { object: 1, rotation: turned, position: Some([50, 0, 0]), ..Key::default() },
    ];
    assert_eq!(keys(&written.value[0]), [expected]);
    let shear = written.losses.count(&codes::LOSS_SHEAR);
    assert_eq!((written.losses.count(&codes::LOSS_HIERARCHY), shear), (1, 0));

    // Translation, rotation and scale cannot represent a combination of non-uniform scale and
    // rotation.
    scene.skeletons[0].joints[0].rest.scale = Vec3::new(1.0, 3.0, 1.0);
    scene.skeletons[0].joints[1].rest.rotation =
        Quat::from_axis_angle(Vec3::new(0.0, 0.0, 1.0), TAU / 8.0);
    assert_eq!(from_ir(&scene, &FromIr::default()).unwrap().losses.count(&codes::LOSS_SHEAR), 1);
}

/// Scenes with y up are rotated, and positions are divided by the unit.
#[test]
fn axes_and_unit() {
    let mut scene = places(&[[1.0, 2.0, 3.0]]);
    scene.axes = Axes::YUp;
    let written = from_ir(&scene, &FromIr::default().with_unit(0.5)).unwrap();
    assert_eq!(keys(&written.value[0])[0][0].position, Some([2, -4, -6]));
    assert!(written.losses.is_empty(), "{:?}", written.losses);
    for unit in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        let result = from_ir(&scene, &FromIr::default().with_unit(unit));
        assert!(matches!(result, Err(FromIrError::Unit(_))), "{unit}");
    }
}

/// T27: values that are out of range.
#[test]
fn out_of_range_values_are_rejected_or_clamped() {
    let scene = places(&[[0.0; 3], [32_767.4, -32_768.4, 0.0], [40_000.0, -1e30, 1.0]]);
    let refused = from_ir(&scene, &FromIr::default()).unwrap_err();
    let FromIrError::Value { what, joint, time, value, .. } = refused else { panic!("{refused}") };
    assert_eq!((what, joint.as_str()), ("the position", "object_0"));
    assert_eq!((time, value), (2.0 / 30.0, 40_000.0));
    let clamped = from_ir(&scene, &FromIr::default().with_clamp(true)).unwrap();
    assert_eq!(keys(&clamped.value[0])[2][0].position, Some([i16::MAX, i16::MIN, 1]));
    assert_eq!(clamped.losses.count(&codes::CLAMPED), 2);

    let mut builder = TimelineBuilder::new("");
    builder.constant(FIRST, Channel::Scale, &[9.0, -8.0, 0.0]).unwrap();
    let scene = scene_of(joints(1), builder.finish(), 0.0);
    let refused = from_ir(&scene, &FromIr::default());
    assert!(matches!(refused, Err(FromIrError::Value { what: "the scale", .. })));
    let clamped = from_ir(&scene, &FromIr::default().with_clamp(true)).unwrap();
    assert_eq!(keys(&clamped.value[0])[0][0].scale, Some([i16::MAX, i16::MIN, 0]));

    // Values that are not finite, in the scene or in intermediate results.
    let mut scene = places(&[[0.0; 3]]);
    scene.skeletons[0].joints[0].rest.translation.x = f32::NAN;
    assert!(matches!(from_ir(&scene, &FromIr::default()), Err(FromIrError::Invalid(_))));
    let mut huge = joints(2);
    huge.joints[0].rest.scale = Vec3::new(f32::MAX, f32::MAX, f32::MAX);
    huge.joints[1].parent = Some(JointId::new(0));
    huge.joints[1].exact_rest = Some(Mat4 { columns: [[f32::MAX, f32::MIN, f32::MAX, 0.0]; 4] });
    let scene = scene_of(huge, TimelineBuilder::new("").finish(), 0.0);
    for clamp in [false, true] {
        // Nothing panics, and without clamping the scene is rejected.
        let result = from_ir(&scene, &FromIr::default().with_clamp(clamp));
        assert!(clamp || result.is_err(), "{result:?}");
    }
}

/// A rate that is requested replaces that of the file, unless no time could be divided by it.
#[test]
fn the_requested_rate_is_used_for_reading() {
    let written = from_ir(&places(&[[0.0; 3]; 6]), &FromIr::default()).unwrap().value;
    let end = |rate| {
        let options = ToIr::default().with_frames_per_second(rate);
        to_ir(&written[0], &options).value.clips[0].end
    };
    assert_eq!([None, Some(60.0), Some(2.0)].map(end), [0.2, 0.1, 3.0]);
    assert_eq!([0.0, -2.0, f64::NAN, f64::INFINITY].map(|rate| end(Some(rate))), [0.2; 4]);
}

/// Keys of objects that the model lacks are reported by their numbers.
#[test]
fn keys_of_objects_that_the_model_lacks() {
    let said = |objects: &[u8]| {
        let key = |object: &u8| Key { object: *object, position: Some([1; 3]), ..Key::default() };
        let frame = NewFrame::new(objects.iter().map(key).collect());
        let sequence = Sequence { rate: 30, frames: vec![frame], trailing: Vec::new() };
        let document = sequence.write().unwrap();
        let read = to_ir(&document, &ToIr::default().with_objects(Some(1)));
        let found = read.losses.iter().find(|loss| loss.code.id == codes::OBJECT.id);
        found.map(|loss| loss.message.clone()).unwrap_or_default()
    };
    let lacks = "keys in 1 frame, but the model has only object 0";
    assert_eq!(said(&[0, 2, 3, 4]), format!("objects 2 to 4 have {lacks}"));
    assert_eq!(said(&[2, 4, 5]), format!("3 of objects 2 to 5 have {lacks}"));
    assert_eq!(said(&[3]), format!("object 3 has {lacks}"));
}

#[test]
fn rates_must_be_integers() {
    let mut builder = at_rate(23.976);
    let (line, values) = (Interpolation::Linear, [0.0, 0.0, 0.0, 30.0, 0.0, 0.0]);
    builder.keys(FIRST, Channel::Translation, line, &[0.0, 1.0], &values).unwrap();
    let scene = scene_of(joints(1), builder.finish(), 1.0);
    let written = from_ir(&scene, &FromIr::default()).unwrap();
    let file = &written.value[0];
    assert_eq!((file.rate(), file.frame_count()), (30, 30), "30 if the scene has no rate");
    assert_eq!(keys(file)[29][0].position, Some([29, 0, 0]));
    let duration = written.losses.count(&codes::LOSS_DURATION);
    assert_eq!((written.losses.count(&codes::LOSS_SAMPLED), duration), (1, 0));
    let at = |rate| from_ir(&scene, &FromIr::default().with_frames_per_second(Some(rate)));
    assert_eq!(at(15.0).unwrap().value[0].frame_count(), 15);
    for rate in [0.0, -1.0, 23.976, 32_768.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(at(rate), Err(FromIrError::Rate(_))), "{rate}");
    }
    // A length of 2.6 frames is reported, since it is not an integer.
    let mut scene = places(&[[0.0; 3]; 4]);
    scene.clips[0].end = 2.6 / 30.0;
    let written = from_ir(&scene, &FromIr::default()).unwrap();
    let duration = written.losses.count(&codes::LOSS_DURATION);
    assert_eq!((written.value[0].frame_count(), duration), (3, 1));
}

#[test]
fn bounds() {
    let mut scene = places(&[[1.0, 2.0, 3.0]]);
    scene.clips[0].end = 65_531.0 / 30.0;
    let one_file = from_ir(&scene, &FromIr::default()).unwrap_err();
    assert!(
        matches!(one_file, FromIrError::Write { error: WriteError::Files { files: 6, .. }, .. }),
        "{one_file}"
    );
    let split = FromIr::default().with_split(true);
    let files = from_ir(&scene, &split).unwrap().value;
    assert_eq!(files.len(), 6);
    let joined = Sequence::join(&files.iter().collect::<Vec<_>>(), None).unwrap().value;
    assert_eq!(joined.frames.len(), 65_531);
    let output = TmdAnm::from_ir(&scene, &split, "walk").unwrap().value;
    assert_eq!(output.main, *files[0].to_bytes());
    let names: Vec<&str> = output.companions.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["walk_2.anm", "walk_3.anm", "walk_4.anm", "walk_5.anm", "walk_6.anm"]);

    // This is rejected before sampling.
    scene.clips[0].end = 1e30;
    let endless = from_ir(&scene, &split);
    assert!(matches!(endless, Err(FromIrError::Limit(_))));
    scene.clips[0].end = 10.0;
    let with = |samples: usize| {
        FromIr::default()
            .with_limits(Limits { memory: Some(2 * 96 * samples), ..Limits::default() })
    };
    assert!(matches!(from_ir(&scene, &with(299)), Err(FromIrError::Limit(_))));
    from_ir(&scene, &with(300)).unwrap();

    let crowd = scene_of(joints(257), TimelineBuilder::new("").finish(), 0.0);
    assert_eq!(from_ir(&crowd, &FromIr::default()), Err(FromIrError::Joints(257)));
    assert_eq!(from_ir(&Scene::default(), &FromIr::default()), Err(FromIrError::Empty));
    scene.add_clip(Clip { name: "run".to_owned(), ..Clip::default() });
    let several = SeveralClips(vec!["walk".to_owned(), "run".to_owned()]);
    assert_eq!(from_ir(&scene, &FromIr::default()), Err(FromIrError::Several(several)));
}

#[test]
fn losses_are_reported() {
    let mut scene = places(&[[0.5, 0.0, 0.0]]);
    scene.skeletons[0].joints[0].name = "hip".to_owned();
    scene.skeletons.push(joints(1));
    scene.clips[0].wrap = Wrap::Loop;
    scene.clips[0].extras.insert("amo".to_owned(), 1.0.into());
    scene.meshes.push(Mesh::default());
    scene.cameras.push(anim_ir::Camera::new("", 1.0));
    scene.timelines[0].events.push(Event::default());
    let losses = from_ir(&scene, &FromIr::default()).unwrap().losses;
    let mut messages: Vec<String> =
        losses.iter().map(|loss| format!("{}: {}", loss.code.id, loss.message)).collect();
    messages.sort();
    insta::assert_snapshot!(messages.join("\n"));
}
