//! Writing scenes with waves, keys and state machines, and the losses reported.

use std::collections::BTreeMap;

use anim_ir::{
    Channel as Property, Clip, ClipId, Code, Converted, EulerOrder, Event, Extras, Interpolation,
    Joint, JointId, Limits, MachineId, Motion, Pose, Quat, Sampler, Scene, Sequence, SequenceKey,
    SequenceOrder, Severity, Skeleton, State, StateId, StateMachine, StatePlayer, Target,
    TimelineBuilder, TimelineId, Transform, Transition, Value, Vec3, Wave, WaveShape, Wrap,
};
use fmt_stt::{
    Behaviour, Document, FromIr, FromIrError, Key, NewMotion, SequenceType, ToIr, codes,
    from_extras, from_ir, to_ir,
};
use test_oracle::fixtures;
use test_oracle::random::Rng;
use test_oracle::stt::generate::{self, Options};

/// Builds a scene with a two-second clip and joints with the given parents.
fn scene(parents: &[Option<usize>], tracks: impl FnOnce(&mut TimelineBuilder)) -> Scene {
    let mut skeleton = Skeleton::new("s");
    for (index, parent) in parents.iter().enumerate() {
        skeleton.add_joint(Joint::new(format!("joint {index}"), parent.map(JointId::new)));
    }
    let mut builder = TimelineBuilder::new("t");
    tracks(&mut builder);
    let clip = Clip { name: "move".to_owned(), end: 2.0, wrap: Wrap::Loop, ..Clip::default() };
    Scene {
        skeletons: vec![skeleton],
        timelines: vec![builder.finish()],
        clips: vec![clip],
        ..Scene::default()
    }
}

const fn joint(index: usize) -> Target {
    Target::Joint(JointId::new(index))
}

/// Adds keys for the joint's x translation, given as (time, value) pairs.
fn along_x(
    builder: &mut TimelineBuilder,
    index: usize,
    interpolation: Interpolation,
    keys: &[(f32, f32)],
) {
    let times: Vec<f32> = keys.iter().map(|(time, _)| *time).collect();
    let places: Vec<f32> = keys.iter().flat_map(|(_, x)| [*x, 0.0, 0.0]).collect();
    let channel = Property::Translation;
    builder.keys(joint(index), channel, interpolation, &times, &places).unwrap();
}

fn written(scene: &Scene) -> Converted<Document<'static>> {
    let written = from_ir(scene, &FromIr::default()).unwrap();
    let again = Document::parse(written.value.to_bytes()).unwrap();
    assert!(again.diagnostics.total(Severity::Error) == 0, "{:?}", again.diagnostics);
    written
}

fn names(document: &Document<'_>) -> Vec<String> {
    document.states().map(|state| state.name().into_owned()).collect()
}

fn count(written: &Converted<Document<'_>>, code: &Code) -> u64 {
    written.losses.count(code)
}

/// Returns the pose of the file's first state at a given time.
fn pose_at(document: &Document<'_>, time: f64) -> Vec<Transform> {
    let scene = to_ir(document, &ToIr::default()).value;
    played(&scene, StateId::new(0), time)
}

/// Returns a state's pose at a given time.
fn played(scene: &Scene, state: StateId, time: f64) -> Vec<Transform> {
    let mut player = StatePlayer::new(scene, MachineId::new(0)).unwrap();
    player.enter(state);
    player.advance(time);
    let mut pose = Pose::default();
    player.pose(&mut pose);
    pose.transforms
}

/// Returns the first joint's x translation at a given time.
fn x_at(document: &Document<'_>, time: f64) -> f32 {
    pose_at(document, time)[0].translation.x
}

/// A round trip through a scene restores the exact values from the extras.
#[test]
fn round_trip_with_extras() {
    for seed in 0..40 {
        let odd = Options { odd: true, ..Options::default() };
        let text = generate::file(&mut Rng::new(seed), &odd);
        let document = Document::parse(text.as_bytes()).unwrap().value;
        let options = ToIr::default().with_rotation_order(EulerOrder::Xyz);
        let back = written(&to_ir(&document, &options).value);
        assert_eq!(back.value.data(), document.data());
        assert_eq!((count(&back, &codes::FROM_EXTRAS), back.losses.counts().len()), (1, 1));
    }
}

/// Without extras, a round trip preserves all waves and sequences, with angles up to f32 rounding
/// of radians.
#[test]
fn round_trip_without_extras() {
    let mut moving = 0;
    for seed in 0..40 {
        let text = generate::file(&mut Rng::new(seed), &Options::default());
        let document = Document::parse(text.as_bytes()).unwrap().value;
        let mut scene = to_ir(&document, &ToIr::default()).value;
        scene.extras = Extras::new();
        let back = written(&scene);
        assert_eq!(names(&back.value), names(&document), "seed {seed}: {:?}", back.losses);
        for (state, found) in document.data().iter().zip(back.value.data()) {
            match (&state.motion, &found.motion) {
                (NewMotion::Keyframe(state), NewMotion::Keyframe(found)) => {
                    assert_eq!(state, found)
                }
                (NewMotion::Single(state), NewMotion::Single(found)) => {
                    assert_eq!(state.len(), found.len());
                    let behaviours = found.iter().map(|node| &node.behaviour);
                    moving += behaviours.filter(|it| matches!(it, Behaviour::Dynamic(_))).count();
                }
                _ => panic!("seed {seed}: unexpected kind of state"),
            }
        }
        let again = to_ir(&back.value, &ToIr::default()).value;
        for (a, b) in scene.clips.iter().zip(&again.clips) {
            assert_eq!((a.end, a.wrap), (b.end, b.wrap), "seed {seed}, {}", a.name);
        }
        let poses = |scene: &Scene, state, time| {
            let names = scene.skeletons[0].joints.iter().map(|joint| joint.name.clone());
            names.zip(played(scene, state, time)).collect::<BTreeMap<_, _>>()
        };
        for state in (0..document.states().len()).map(StateId::new) {
            for time in [0.0, 0.3, 1.7] {
                let (before, after) = (poses(&scene, state, time), poses(&again, state, time));
                for (a, b) in before.values().zip(after.values()) {
                    let size = a.translation.length().max(1.0) as f32;
                    assert!(
                        a.to_matrix().is_near(b.to_matrix(), 2e-4 * size),
                        "seed {seed}, {state:?}, {time} s: {a:?} is not {b:?}"
                    );
                }
            }
        }
    }
    assert!(moving > 50);
}

#[test]
fn each_key_of_a_clip_becomes_a_state() {
    let quarter = Quat::from_axis_angle(Vec3::new(0.0, 0.0, 1.0), std::f64::consts::FRAC_PI_2);
    let scene = scene(&[None, None], |builder| {
        let (line, moved) = (Interpolation::Linear, [0., 0., 0., 4., 0., 0., 0., 8., 0.]);
        let turns = [Quat::IDENTITY, quarter].map(Quat::to_array).concat();
        let times = [0.0, 0.5, 2.0];
        builder.keys(joint(0), Property::Translation, line, &times, &moved).unwrap();
        builder.keys(joint(1), Property::Rotation, line, &[0.0, 2.0], &turns).unwrap();
    });
    let written = written(&scene);
    assert_eq!(names(&written.value), ["move", "move 1", "move 2", "move 3"]);
    let sequence = written.value.state(0).unwrap().sequence().unwrap();
    assert_eq!((sequence.kind(), sequence.start()), (SequenceType::LoopForwards, 0));
    let way = |key: Key<'_>| {
        (key.forward().seconds, key.forward().morph, key.backward().seconds, key.exit())
    };
    let ways: Vec<_> = sequence.keys().map(way).collect();
    assert_eq!(ways, [(0.5, true, 0.0, true), (1.5, true, 0.5, true), (0.0, false, 1.5, true)]);
    let sampled = count(&written, &codes::LOSS_SAMPLED);
    assert_eq!((sampled, count(&written, &codes::LOSS_CURVE)), (1, 0));
    let mut sampler = Sampler::new(&scene.skeletons[0], &scene.timelines[0]);
    let mut pose = Pose::default();
    for time in [0.0, 0.2, 0.5, 1.1, 1.9] {
        sampler.sample(time, &mut pose);
        for (found, expected) in pose_at(&written.value, time).iter().zip(&pose.transforms) {
            assert!(
                found.to_matrix().is_near(expected.to_matrix(), 1e-5),
                "{time} s: {found:?} is not {expected:?}"
            );
        }
    }
    assert_eq!(pose_at(&written.value, 2.0)[0], Transform::IDENTITY, "restarts from the beginning");
}

#[test]
fn steps_are_not_morphed() {
    let mut scene = scene(&[None], |builder| {
        along_x(builder, 0, Interpolation::Step, &[(0.0, 1.0), (0.5, 2.0)]);
    });
    scene.clips[0].wrap = Wrap::Once;
    let written = written(&scene);
    let sequence = written.value.state(0).unwrap().sequence().unwrap();
    assert_eq!(sequence.kind(), SequenceType::OnceForwards);
    let places = [0.0, 0.4, 0.6, 9.0].map(|time| x_at(&written.value, time));
    assert_eq!(places, [1.0, 1.0, 2.0, 2.0]);
}

/// A clip that plays forwards and back once repeats its keys in reverse.
#[test]
fn ping_pong_once_clips_repeat_their_keys() {
    let mut scene = scene(&[None], |builder| {
        along_x(builder, 0, Interpolation::Linear, &[(0.0, 0.0), (0.5, 4.0), (2.0, 1.0)]);
    });
    scene.clips[0].wrap = Wrap::PingPongOnce;
    let written = written(&scene);
    assert_eq!(names(&written.value), ["move", "move 1", "move 2", "move 3"]);
    let places = [0.25, 0.5, 2.0, 3.5, 3.75, 9.0].map(|time| x_at(&written.value, time));
    assert_eq!(places, [2.0, 4.0, 1.0, 4.0, 2.0, 0.0]);
}

/// The format has no hierarchy, but the model that plays the states has.
#[test]
fn child_joints_are_written_relative_to_their_parents() {
    let mut scene = scene(&[None, Some(0)], |builder| {
        along_x(builder, 0, Interpolation::Linear, &[(0.0, 0.0), (2.0, 4.0)]);
    });
    scene.skeletons[0].joints[1].rest.translation = Vec3::new(0.0, 3.0, 0.0);
    let written = written(&scene);
    assert_eq!(count(&written, &codes::LOSS_HIERARCHY), 1);
    let places = pose_at(&written.value, 1.0).into_iter().map(|place| place.translation);
    assert_eq!(places.collect::<Vec<_>>(), [Vec3::new(2.0, 0.0, 0.0), Vec3::new(0.0, 3.0, 0.0)]);
}

#[test]
fn waves_of_child_joints_remain_waves() {
    let wave = Wave { end: [0.0, 2.0, 0.0], period: 2.0, ..Wave::default() };
    let scene = scene(&[None, Some(0)], |builder| {
        builder.wave(joint(1), Property::Translation, wave).unwrap();
    });
    let written = written(&scene);
    assert_eq!(names(&written.value), ["move"]);
    assert_eq!(pose_at(&written.value, 0.5)[1].translation, Vec3::new(0.0, 0.5, 0.0));
}

/// A wave whose clip starts late on the timeline, and wave shapes that the format expresses
/// differently.
#[test]
fn waves_start_at_the_clip_start() {
    let (shape, start, end) = (WaveShape::Sine, [1.0, 0.0, 0.0], [3.0, 0.0, 0.0]);
    let wave = Wave { shape, backwards: true, start, end, period: 4.0, offset: 0.5 };
    let growth = Wave { shape: WaveShape::Growth, start: [0.0, 2.0, 0.0], ..Wave::default() };
    let mut scene = scene(&[None, None, None], |builder| {
        builder.wave(joint(0), Property::Translation, wave).unwrap();
        builder.wave(joint(1), Property::Offset, growth).unwrap();
        builder.constant(joint(2), Property::Rotation, &[0.0, 0.0, 0.0, 1.0]).unwrap();
    });
    (scene.clips[0].start, scene.clips[0].end) = (1.0, 5.0);
    let written = written(&scene);
    assert_eq!(names(&written.value), ["move"]);
    for time in [0.0, 0.7, 6.0] {
        let pose = pose_at(&written.value, time);
        assert!((f64::from(pose[0].translation.x) - wave.at(time + 1.0)[0]).abs() < 1e-6);
        assert!((f64::from(pose[1].translation.y) - 2.0 * (time + 1.0)).abs() < 1e-5);
    }
    let last = written.value.state(0).unwrap().nodes().next_back().unwrap();
    assert!(matches!(last.behaviour(), Behaviour::Static(_)));
    assert!(written.losses.is_empty());
}

/// If a clip has both waves and keys, its waves are sampled at their corners.
#[test]
fn waves_mixed_with_keys_are_sampled() {
    let wave =
        Wave { shape: WaveShape::Triangle, end: [8.0, 0.0, 0.0], period: 1.0, ..Wave::default() };
    let scene = scene(&[None, None], |builder| {
        builder.wave(joint(0), Property::Translation, wave).unwrap();
        along_x(builder, 1, Interpolation::Linear, &[(0.0, 0.0), (2.0, 4.0)]);
    });
    let written = written(&scene);
    assert_eq!(names(&written.value).len(), 1 + 5, "at 0, 0.5, 1, 1.5 and 2 s");
    assert_eq!(count(&written, &codes::LOSS_CURVE), 1);
    assert_eq!([0.25, 0.5, 1.75].map(|time| x_at(&written.value, time)), [4.0, 8.0, 4.0]);
}

/// Only a wave that changes something is sampled.
#[test]
fn waves_beside_a_single_key() {
    let states = |end: f32| {
        let end = [end, 0.0, 0.0];
        let wave = Wave { shape: WaveShape::Triangle, end, period: 1.0, ..Wave::default() };
        let scene = scene(&[None, None], |builder| {
            builder.wave(joint(0), Property::Translation, wave).unwrap();
            along_x(builder, 1, Interpolation::Linear, &[(0.0, 4.0)]);
        });
        names(&written(&scene).value).len()
    };
    assert_eq!((states(0.0), states(8.0)), (1, 1 + 5));
}

/// A sequence may start at a key whose state is also shown by an earlier key, and keys may lack a
/// state.
#[test]
fn state_machines() {
    let mut scene = scene(&[None], |builder| {
        builder.constant(joint(0), Property::Translation, &[1., 0., 0.]).unwrap()
    });
    scene.clips.push(Clip { name: "unused".to_owned(), ..scene.clips[0].clone() });
    let key = |state: Option<usize>| SequenceKey {
        state: state.map(StateId::new),
        exit: true,
        forward: Transition { seconds: 1.5, morph: true },
        backward: Transition::default(),
    };
    let keys = [Some(0), None, Some(1), Some(0)].map(key).to_vec();
    let sequence = Sequence::new(SequenceOrder::PingPongForwards, 3, keys);
    let state = |name: &str, motion| State { name: name.to_owned(), motion };
    let states = vec![
        state("still", Motion::Clip(ClipId::new(0))),
        state("same", Motion::Clip(ClipId::new(0))),
        state("tour", Motion::Sequence(sequence)),
    ];
    scene.machines.push(StateMachine { states, ..StateMachine::default() });
    let written = written(&scene);
    assert_eq!(names(&written.value), ["still", "same", "still.001", "tour", "unused"]);
    let tour = written.value.state(3).unwrap().sequence().unwrap();
    assert_eq!(tour.kind(), SequenceType::PingPongForwards);
    assert_eq!((tour.start(), tour.start_name().as_ref()), (2, "still.001"));
    let keys: Vec<_> = tour.keys().map(|key| key.name().into_owned()).collect();
    assert_eq!(keys, ["still", "same", "still.001"]);
    assert_eq!((count(&written, &codes::LOSS_KEY), count(&written, &codes::LOSS_NAME)), (1, 1));
}

#[test]
fn losses_are_reported() {
    let mut scene = scene(&[None], |builder| {
        let (cubic, step) = (Interpolation::Cubic, Interpolation::Step);
        builder.keys(joint(0), Property::Translation, cubic, &[0., 2.], &[0.5; 18]).unwrap();
        builder.constant(joint(0), Property::Scale, &[2., 1., 1.]).unwrap();
        builder.keys(joint(0), Property::Visibility, step, &[0., 1.], &[1., 0.]).unwrap();
        builder.event(Event { time: 1.0, name: "bang".to_owned(), ..Event::default() });
    });
    scene.meshes.push(anim_ir::Mesh::default());
    scene.extras.insert("amo".to_owned(), true.into());
    scene.skeletons[0].joints[0].name = "a{b}".to_owned();
    let written = written(&scene);
    let lost: Vec<&str> = written.losses.counts().iter().map(|(code, _)| code.id).collect();
    for what in ["curve", "scale", "visibility", "events", "meshes", "extras", "name"] {
        assert!(lost.contains(&&*format!("stt-loss-{what}")), "{what} is not in {lost:?}");
    }
    assert_eq!(written.value.state(1).unwrap().nodes().next().unwrap().name(), "a(b)");
}

#[test]
fn invalid_scenes_are_rejected() {
    assert!(matches!(from_ir(&Scene::default(), &FromIr::default()), Err(FromIrError::Empty)));
    let keyed = scene(&[None, None], |builder| {
        along_x(builder, 0, Interpolation::Linear, &[(0.0, 0.0), (2.0, 0.0)]);
    });
    let with = |samples: usize| {
        FromIr::default()
            .with_limits(Limits { memory: Some(2 * (640 * samples + 8)), ..Limits::default() })
    };
    assert!(matches!(from_ir(&keyed, &with(3)), Err(FromIrError::Limit(_))));
    assert!(from_ir(&keyed, &with(4)).is_ok());
    let fast = Wave { shape: WaveShape::Triangle, end: [1.0; 3], period: 1e-30, ..Wave::default() };
    // In a clip with keys, waves are sampled at their corners.
    let fast = scene(&[None, Some(0)], |builder| {
        builder.wave(joint(0), Property::Translation, fast).unwrap();
        along_x(builder, 1, Interpolation::Linear, &[(0.0, 0.0), (2.0, 1.0)]);
    });
    assert!(matches!(from_ir(&fast, &FromIr::default()), Err(FromIrError::Limit(_))));
    let mut broken = keyed;
    broken.clips[0].timeline = TimelineId::new(7);
    assert!(matches!(from_ir(&broken, &FromIr::default()), Err(FromIrError::Invalid(_))));
}

#[test]
fn names_that_the_format_cannot_store_are_replaced() {
    let path = fixtures::folder("stt").join("warn/S11_line_end_in_name.stt");
    let document = Document::parse(std::fs::read(path).unwrap()).unwrap().value;
    let written = written(&to_ir(&document, &ToIr::default()).value);
    assert_eq!(names(&document)[0], "raised\nhigh");
    assert_eq!(names(&written.value)[0], "raised_high");
    assert_eq!((count(&written, &codes::LOSS_NAME), count(&written, &codes::FROM_EXTRAS)), (1, 0));
}

/// A clip that specifies no joints has a node for each joint, whether or not it moves.
#[test]
fn nodes_of_many_clips_exceed_a_limit() {
    let mut still = scene(&[None; 100], |builder| {
        builder.constant(joint(0), Property::Translation, &[1.0; 3]).unwrap();
    });
    let with = |nodes: usize| {
        FromIr::default().with_limits(Limits { memory: Some(2 * 644 * nodes), ..Limits::default() })
    };
    still.clips = vec![still.clips[0].clone(); 10];
    assert!(matches!(from_ir(&still, &with(999)), Err(FromIrError::Limit(_))));
    assert!(from_ir(&still, &with(1000)).is_ok());
    still.clips[0].joints = Some([JointId::new(0)].into());
    assert!(from_ir(&still, &with(999)).is_ok());

    let mut keyed = scene(&[None; 100], |builder| {
        along_x(builder, 0, Interpolation::Linear, &[(0.0, 0.0), (2.0, 4.0)]);
    });
    assert!(matches!(from_ir(&keyed, &with(100)), Err(FromIrError::Limit(_))));
    keyed.clips[0].joints = Some([JointId::new(0)].into());
    assert!(from_ir(&keyed, &with(100)).is_ok());
}

/// A file with an undefined state is not written as it was, since that would be an error.
#[test]
fn a_file_with_errors_is_not_copied() {
    let good = "#MINDRENDER 1.1\n2\n{calm} SINGLE 1 {lamp} STATIC 0 12 0 0 0 0 0 0 0\n\
                {evening} KEYFRAME 2 1 {calm} 1 1 1 0 0 {calm} 1 1 1 0 0 {calm}\n";
    let parse = |text: &str| Document::parse(text.as_bytes().to_vec()).unwrap();
    for (text, is_copied) in [(good.to_owned(), 1), (good.replace("0 {calm}\n", "0 {late}\n"), 0)] {
        let parsed = parse(&text);
        let has_errors = parsed.diagnostics.worst() >= Some(Severity::Error);
        assert_eq!(has_errors, is_copied == 0, "{:?}", parsed.diagnostics);
        let scene = to_ir(&parsed.value, &ToIr::default()).value;
        let written = from_ir(&scene, &FromIr::default()).unwrap();
        assert_eq!(count(&written, &codes::FROM_EXTRAS), is_copied);
        let again = parse(std::str::from_utf8(&written.value.to_bytes()).unwrap());
        assert!(again.diagnostics.worst() < Some(Severity::Error), "{:?}", again.diagnostics);
    }
}

/// A clip that swings stays a clip that swings.
#[test]
fn ping_pong_clips_are_ping_pong_sequences() {
    let mut scene = scene(&[None], |builder| {
        along_x(builder, 0, Interpolation::Linear, &[(0.0, 0.0), (2.0, 4.0)]);
    });
    scene.clips[0].wrap = Wrap::PingPong;
    let document = written(&scene).value;
    assert_eq!(document.find("move 2"), Some(2));
    assert_eq!(document.find("walk"), None);
    let sequence = document.state(0).unwrap().sequence().unwrap();
    assert_eq!(sequence.kind(), SequenceType::PingPongForwards);
    assert_eq!([1.0, 3.0].map(|time| x_at(&document, time)), [2.0, 2.0]);
}

/// Only the joints of the clip are nodes of its states.
#[test]
fn a_clip_writes_only_its_own_joints() {
    let mut scene = scene(&[None, None], |builder| {
        along_x(builder, 0, Interpolation::Linear, &[(0.0, 0.0), (2.0, 4.0)]);
        along_x(builder, 1, Interpolation::Linear, &[(0.0, 5.0), (2.0, 6.0)]);
    });
    scene.clips[0].joints = Some([JointId::new(1)].into());
    let document = written(&scene).value;
    let nodes: Vec<String> =
        document.state(1).unwrap().nodes().map(|node| node.name().into_owned()).collect();
    assert_eq!(nodes, ["joint 1"]);
    assert_eq!(x_at(&document, 1.0), 5.5);
}

/// The format interpolates transforms, so angles and offsets with their own keys are a loss.
#[test]
fn keyed_angles_are_a_loss() {
    let turning = |interpolation| {
        let scene = scene(&[None], |builder| {
            let channel = Property::Euler(EulerOrder::Xyz);
            let angles = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0];
            builder.keys(joint(0), channel, interpolation, &[0.0, 2.0], &angles).unwrap();
        });
        count(&written(&scene), &codes::LOSS_CURVE)
    };
    assert_eq!((turning(Interpolation::Linear), turning(Interpolation::Step)), (1, 0));
}

/// Values that do not change are stored in the node, however they are stored in the scene: as a
/// wave, or as angles in another order than the file's.
#[test]
fn still_values_are_static_nodes() {
    let angles = [0.25_f32, 0.5, 0.75];
    let still = |value: [f32; 3]| Wave { start: value, end: value, ..Wave::default() };
    let euler = Property::Euler(EulerOrder::Xyz);
    let scene = scene(&[None, None, None], |builder| {
        builder.wave(joint(0), Property::Translation, still([1.0, 2.0, 3.0])).unwrap();
        builder.wave(joint(1), euler, still(angles)).unwrap();
        builder.constant(joint(2), euler, &angles).unwrap();
    });
    let written = from_ir(&scene, &FromIr::default()).unwrap();
    let document = written.value;
    let nodes: Vec<_> = document.state(0).unwrap().nodes().collect();
    assert!(nodes.iter().all(|node| matches!(node.behaviour(), Behaviour::Static(_))));
    let pose = pose_at(&document, 0.0);
    assert_eq!(pose[0].translation, Vec3::new(1.0, 2.0, 3.0));
    let expected = Quat::from_euler(angles.map(f64::from), EulerOrder::Xyz);
    for transform in &pose[1..] {
        assert!(transform.rotation.angle_to(expected) < 1e-6, "{transform:?}");
    }
}

/// The same beside a joint that moves.
#[test]
fn still_angles_beside_a_wave() {
    let angles = [0.25_f32, 0.5, 0.75];
    let wave = Wave { end: [1.0, 0.0, 0.0], period: 2.0, ..Wave::default() };
    let mut scene = scene(&[None, None], |builder| {
        builder.wave(joint(0), Property::Translation, wave).unwrap();
        builder.constant(joint(1), Property::Euler(EulerOrder::Xyz), &angles).unwrap();
    });
    scene.clips[0].end = 2.0;
    let written = written(&scene);
    assert_eq!(count(&written, &codes::LOSS_CURVE), 0);
    let expected = Quat::from_euler(angles.map(f64::from), EulerOrder::Xyz);
    for time in [0.0, 0.5, 1.5] {
        let pose = pose_at(&written.value, time);
        assert!(pose[1].rotation.angle_to(expected) < 1e-6, "{pose:?}");
        assert!((f64::from(pose[0].translation.x) - wave.at(time)[0]).abs() < 1e-6);
    }
}

/// The file has angles in one order. Of a wave in another order, only the extremes are written.
#[test]
fn waves_of_angles_may_have_any_order() {
    let end = [0.9, 0.6, 1.2];
    let wave = Wave { shape: WaveShape::Sine, end, period: 2.0, ..Wave::default() };
    for order in EulerOrder::ALL {
        let mut scene = scene(&[None], |builder| {
            builder.wave(joint(0), Property::Euler(order), wave).unwrap();
        });
        scene.clips[0].end = 2.0;
        let written = written(&scene);
        let is_exact = order == FromIr::default().rotation_order;
        assert_eq!(count(&written, &codes::LOSS_CURVE), u64::from(!is_exact), "{order:?}");
        let times = if is_exact { [0.0, 0.2, 1.3] } else { [0.0, 0.5, 1.5] };
        for time in times {
            let expected = Quat::from_euler(wave.at(time), order);
            let found = pose_at(&written.value, time)[0].rotation;
            assert!(found.angle_to(expected) < 1e-6, "{order:?} {time} {found:?}");
        }
    }
}

/// Extras that are not complete are not used, and the scene is written from its motion.
#[test]
fn incomplete_extras_are_ignored() {
    let text = generate::file(&mut Rng::new(1), &Options::default());
    let document = Document::parse(text.as_bytes()).unwrap().value;
    let whole = to_ir(&document, &ToIr::default()).value.extras;
    assert!(from_extras(&whole).is_some());
    let broken = |path: &[&str], value: &Value| {
        let mut extras = whole.clone();
        let mut at = extras.get_mut("stt").unwrap();
        for name in path {
            at = match at {
                Value::Map(map) => map.get_mut(*name).unwrap(),
                Value::List(list) => &mut list[name.parse::<usize>().unwrap()],
                _ => panic!("{name}"),
            };
        }
        *at = value.clone();
        from_extras(&extras).is_none()
    };
    assert!(broken(&["states", "1", "nodes", "0"], &Value::from([("name", "n".into())])));
    assert!(broken(&["states", "1", "nodes", "0", "static", "0", "0"], &true.into()));
}
