//! Tests that every kind of difference between scenes is found, and that invisible changes are
//! ignored.

use anim_ir::Interpolation::{Linear, Step};
use anim_ir::diff::{Diff, Difference, Options, Side, diff};
use anim_ir::{
    Channel, Clip, ClipId, EulerOrder, Event, Extras, Interpolation, Joint, JointId, JointRef,
    Limits, Motion, Node, NodeId, PoseSpace, Quat, Scene, Sequence, SequenceKey, SequenceOrder,
    Skeleton, State, StateId, StateMachine, Target, Timeline, TimelineBuilder, TimelineId,
    Transform, Transition, Value, Vec3, Wave, WaveShape, Wrap,
};

use crate::keys;

const TIMES: [f32; 3] = [1.0, 1.5, 2.0];
const ARM: Target = Target::Joint(JointId::new(1));

/// Returns a timeline on which one joint moves along x and rotates about z, with two events.
fn timeline(interpolation: Interpolation, moves: [f32; 3], turns: [f32; 3]) -> Timeline {
    let mut builder = TimelineBuilder::new("");
    let moves = moves.map(|x| [x, 0.0, 0.0]).concat();
    keys(&mut builder, ARM, Channel::Translation, interpolation, &TIMES, &moves);
    let turns = turns
        .map(|angle| Quat::from_axis_angle(Vec3::new(0.0, 0.0, 1.0), f64::from(angle)).to_array())
        .concat();
    keys(&mut builder, ARM, Channel::Rotation, interpolation, &TIMES, &turns);
    builder.event(Event { time: 1.25, name: "step".into(), ..Event::default() });
    builder.event(Event { time: 2.0, name: "stop".into(), ..Event::default() });
    builder.finish()
}

fn scene() -> Scene {
    let joints = vec![
        Joint::new("hip", None),
        Joint {
            rest: Transform { translation: Vec3::new(10.0, 0.0, 0.0), ..Transform::IDENTITY },
            ..Joint::new("arm", Some(JointId::new(0)))
        },
    ];
    Scene {
        skeletons: vec![Skeleton { joints, ..Skeleton::default() }],
        timelines: vec![timeline(Linear, [10.0, 12.0, 10.0], [0.0, 0.5, 0.0])],
        clips: vec![Clip { name: "walk".into(), start: 1.0, end: 2.0, ..Clip::default() }],
        ..Scene::default()
    }
}

/// Returns the scene with a different motion.
pub(crate) fn moving(add: impl FnOnce(&mut TimelineBuilder)) -> Scene {
    let mut builder = TimelineBuilder::new("");
    add(&mut builder);
    Scene { timelines: vec![builder.finish()], ..scene() }
}

pub(crate) fn found(a: &Scene, b: &Scene) -> Diff {
    diff(a, b, &Options::default()).unwrap()
}

/// Returns the differences caused by a change to a scene. Asserts that swapping the scenes results
/// in the same number of differences of each kind.
#[track_caller]
pub(crate) fn changes(scene: &Scene, change: impl FnOnce(&mut Scene)) -> Vec<Difference> {
    let mut other = scene.clone();
    change(&mut other);
    let (there, back) = (found(scene, &other), found(&other, scene));
    assert_eq!(there.counts, back.counts);
    there.differences
}

#[track_caller]
fn changed(change: impl FnOnce(&mut Scene)) -> Vec<Difference> {
    changes(&scene(), change)
}

#[track_caller]
pub(crate) fn only(mut differences: Vec<Difference>) -> Difference {
    assert_eq!(differences.len(), 1, "{differences:#?}");
    differences.pop().unwrap()
}

#[test]
fn nothing() {
    let same = found(&scene(), &scene());
    assert_eq!((same.joints, same.clips, same.events, same.is_same()), (2, 1, 2, true));
    let empty = found(&Scene::default(), &Scene::default());
    assert!(empty.is_same(), "two empty files are equal");
}

/// Keys outside the range of a clip belong to other clips.
#[test]
fn keys_outside_the_clip_are_not_compared() {
    let with = |first: f32, last: f32| {
        moving(|builder| {
            let places = [first, 0.0, 0.0, 10.0, 0.0, 0.0, 12.0, 0.0, 0.0, last, 0.0, 0.0];
            keys(builder, ARM, Channel::Translation, Step, &[0.25, 1.0, 1.75, 3.0], &places);
        })
    };
    assert!(found(&with(3.0, 4.0), &with(5.0, 6.0)).is_same());
    let without_both = moving(|builder| {
        let places = [10.0, 0.0, 0.0, 12.0, 0.0, 0.0];
        keys(builder, ARM, Channel::Translation, Step, &[1.0, 1.75], &places);
    });
    assert!(found(&with(3.0, 4.0), &without_both).is_same());
}

#[test]
fn joints() {
    let added = only(changed(|scene| scene.skeletons[0].joints.push(Joint::new("hip", None))));
    assert_eq!(added, Difference::JointOnly { joint: "hip#2".into(), side: Side::B });
    let hangs = only(changed(|scene| scene.skeletons[0].joints[1].parent = None));
    let parents = [Some("hip".into()), None];
    assert_eq!(hangs, Difference::Parent { joint: "arm".into(), parents });
    let place = Vec3::new(0.0, 3.0, 4.0);
    let rest = only(changed(|scene| scene.skeletons[0].joints[0].rest.translation = place));
    let Difference::Rest { joint, gap } = rest else { panic!() };
    assert_eq!((joint.as_str(), gap.translation, gap.rotation, gap.scale), ("hip", 5.0, 0.0, 0.0));
    let hidden = only(changed(|scene| scene.skeletons[0].joints[0].visible = false));
    assert_eq!(hidden, Difference::RestVisible { joint: "hip".into(), seen_in: Side::A });
}

/// To mirror along two axes is to turn by 180° about the third, so formats that store matrices
/// write one for the other.
#[test]
fn mirrored_joints() {
    let placed = |[x, y, z, w]: [f32; 4], [a, b, c]: [f32; 3]| {
        let mut scene = scene();
        let rest = &mut scene.skeletons[0].joints[0].rest;
        (rest.rotation, rest.scale) = (Quat::new(x, y, z, w), Vec3::new(a, b, c));
        scene
    };
    let plain = placed([0.5, 0.5, 0.5, 0.5], [-1.0, 2.0, 3.0]);
    for (rotation, scale) in [
        ([0.5, -0.5, -0.5, 0.5], [1.0, 2.0, -3.0]),
        ([0.5, 0.5, -0.5, -0.5], [-1.0, -2.0, -3.0]),
        ([0.5, -0.5, 0.5, -0.5], [1.0, -2.0, 3.0]),
    ] {
        let other = placed(rotation, scale);
        let matrix = |scene: &Scene| scene.skeletons[0].joints[0].rest.to_matrix();
        assert_eq!(matrix(&plain), matrix(&other), "{scale:?}");
        assert!(found(&plain, &other).is_same(), "{scale:?}");
        assert!(found(&other, &plain).is_same(), "{scale:?}");
        assert!(!found(&plain, &placed([0.5; 4], scale)).is_same(), "{scale:?}");
    }
}

/// Each skeleton numbers its joints from 0.
#[test]
fn motion_of_the_second_skeleton() {
    let waving = |far: f32| {
        let mut scene = scene();
        let joints = vec![Joint::new("tip", None)];
        let tail = scene.add_skeleton(Skeleton { joints, ..Skeleton::new("tail") });
        let mut builder = TimelineBuilder::new("").with_skeleton(tail);
        let tip = Target::Joint(JointId::new(0));
        keys(&mut builder, tip, Channel::Translation, Linear, &[0.0], &[far, 0.0, 0.0]);
        let timeline = scene.add_timeline(builder.finish());
        scene.add_clip(Clip { name: "wag".into(), timeline, ..Clip::default() });
        scene
    };
    let Difference::Pose { clip, joint, .. } = only(found(&waving(1.0), &waving(2.0)).differences)
    else {
        panic!()
    };
    assert_eq!((clip.as_str(), joint.as_str()), ("wag", "tip"));
}

/// The parent of a mesh may be a joint or a plain node.
#[test]
fn nodes_with_and_without_joints_are_equal() {
    let node = |name: &str| Node {
        name: name.into(),
        parent: Some(JointRef::default()),
        ..Node::default()
    };
    let mut flat = scene();
    flat.nodes.push(node("shape"));
    let mut deep = scene();
    deep.skeletons[0].joints.push(Joint::new("shape", Some(JointId::new(0))));
    assert!(found(&flat, &deep).is_same() && found(&deep, &flat).is_same());
    assert_eq!(found(&scene(), &deep).counts["joint"], 1);
}

#[test]
fn clips() {
    let renamed = changed(|scene| scene.clips[0].name = "run".into());
    let alone = |clip: &str, side| Difference::ClipOnly { clip: clip.into(), side };
    assert_eq!(renamed, [alone("walk", Side::A), alone("run", Side::B)]);
    let wrap = only(changed(|scene| scene.clips[0].wrap = Wrap::Loop));
    let wraps = [Wrap::Unspecified, Wrap::Loop];
    assert_eq!(wrap, Difference::Wrap { clip: "walk".into(), wraps });
    let longer = only(changed(|scene| scene.clips[0].end = 2.5));
    assert_eq!(longer, Difference::Length { clip: "walk".into(), lengths: [1.0, 1.5] });
}

/// The clip was moved on its timeline, together with its keys and events.
#[test]
fn moved_clips_differ_only_in_their_start() {
    let old = &scene().timelines[0];
    let mut moved = moving(|builder| {
        for track in old.tracks() {
            let found = old.keys(track);
            let times: Vec<f32> = found.times.iter().map(|time| time - 1.0).collect();
            let values = found.values().collect::<Vec<_>>().concat();
            keys(builder, track.target, track.channel, found.interpolation, &times, &values);
        }
        for event in &old.events {
            builder.event(Event { time: event.time - 1.0, ..event.clone() });
        }
    });
    (moved.clips[0].start, moved.clips[0].end) = (0.0, 1.0);
    assert_eq!(
        found(&scene(), &moved).differences,
        [Difference::Start { clip: "walk".into(), starts: [1.0, 0.0] }]
    );
}

#[test]
fn events() {
    let at = |time: f32| changed(move |scene| scene.timelines[0].events[0].time = time);
    assert_eq!(at(1.2504), []);
    let moved = at(1.5);
    let event = |clip: Option<&str>, event: &str, time, side| Difference::EventOnly {
        clip: clip.map(str::to_owned),
        event: event.into(),
        time,
        side,
    };
    let step = |time, side| event(Some("walk"), "step", time, side);
    assert_eq!(moved, [step(0.25, Side::A), step(0.5, Side::B)]);
    let outside = changed(|scene| scene.timelines[0].events[1].time = 2.5);
    let stop = |clip, time, side| event(clip, "stop", time, side);
    let expected = [stop(Some("walk"), 1.0, Side::A), stop(None, 2.5, Side::B)];
    assert_eq!(outside, expected, "the clip does not contain events outside it");
}

#[test]
fn keys_and_poses() {
    let other =
        |moves, turns| changed(move |scene| scene.timelines = vec![timeline(Linear, moves, turns)]);
    // The tolerance is 0.001 of the largest coordinate, which is 12.
    assert_eq!(other([10.0, 12.0, 10.011], [0.0, 0.5, 0.0]), []);
    let farther = only(other([10.0, 12.0, 10.014], [0.0, 0.5, 0.0]));
    let Difference::Pose { clip, joint, time, gap } = farther else { panic!() };
    assert_eq!((clip.as_str(), joint.as_str(), time), ("walk", "arm", 1.0));
    assert!((gap.translation - 0.014).abs() < 1e-5 && gap.rotation < 1e-6, "{gap:?}");
    let turned = only(other([10.0, 12.0, 10.0], [0.0, 0.7, 0.0]));
    let Difference::Pose { time, gap, .. } = turned else { panic!() };
    assert!(time == 0.5 && (gap.rotation - 0.2).abs() < 1e-6, "{gap:?}");

    let more = changed(|scene| {
        let old = scene.timelines.remove(0);
        *scene = moving(|builder| {
            let x = [10.0, 11.0, 12.0, 11.0, 10.0].map(|x| [x, 0.0, 0.0]).concat();
            keys(builder, ARM, Channel::Translation, Linear, &[1.0, 1.25, 1.5, 1.75, 2.0], &x);
            let turns = old.keys(&old.tracks()[1]).values().collect::<Vec<_>>().concat();
            keys(builder, ARM, Channel::Rotation, Linear, &TIMES, &turns);
            old.events.into_iter().for_each(|event| builder.event(event));
        });
    });
    let keys = Difference::KeysOnly {
        clip: "walk".into(),
        target: "arm".into(),
        count: 2,
        first: 0.25,
        side: Side::B,
    };
    assert_eq!(only(more), keys, "the poses are the same");
}

/// Poses are compared not only at keys but also between them.
#[test]
fn interpolation() {
    let steps = changed(|scene| {
        scene.timelines = vec![timeline(Step, [10.0, 12.0, 10.0], [0.0, 0.5, 0.0])]
    });
    let Difference::Pose { time, gap, .. } = only(steps) else { panic!() };
    assert!([0.25, 0.75].contains(&time) && (gap.translation - 1.0).abs() < 1e-5, "{time} {gap:?}");
}

/// A step that is shifted by a rounding error is not a difference.
#[test]
fn steps_at_nearly_the_same_time_are_equal() {
    let jump = |at: f32| {
        let values = [[0.0; 3], [9.0, 0.0, 0.0]].concat();
        moving(|builder| keys(builder, ARM, Channel::Translation, Step, &[1.0, at], &values))
    };
    assert!(found(&jump(1.5), &jump(1.500_000_2)).is_same());
    assert!(found(&jump(1.5), &jump(1.51)).counts.into_keys().eq(["keys", "pose"]));
}

/// A key between two others that are close together is not a key at the time of either.
#[test]
fn dense_keys_on_the_same_line_are_equal() {
    let line = |times: &[f32]| {
        let place = |at: &f32| [(at - 1.0).min(0.01) * 1e4, 0.0, 0.0];
        let values: Vec<f32> = times.iter().flat_map(place).collect();
        moving(|builder| keys(builder, ARM, Channel::Translation, Linear, times, &values))
    };
    let mut options = Options::default();
    options.key_times = false;
    let [few, more] = [line(&[1.0, 1.01, 2.0]), line(&[1.0, 1.0002, 1.01, 2.0])];
    assert!(diff(&few, &more, &options).unwrap().is_same());
    assert!(diff(&more, &few, &options).unwrap().is_same());
}

/// Compares scenes with different channels, pose spaces or axes, but the same transforms at the
/// same times.
#[test]
fn different_representations_of_the_same_motion_are_equal() {
    let forms = changed(|scene| {
        let old = scene.timelines.remove(0);
        *scene = moving(|builder| {
            let (moves, turns) = ([2.0, 0.0, 0.0], [0.0, 0.0, 0.5]);
            for (channel, middle) in
                [(Channel::Translation, moves), (Channel::Euler(EulerOrder::default()), turns)]
            {
                let values = [[0.0; 3], middle, [0.0; 3]].concat();
                keys(builder, ARM, channel, Linear, &TIMES, &values);
            }
            old.events.into_iter().for_each(|event| builder.event(event));
        });
        scene.timelines[0].pose_space = PoseSpace::DeltaFromRest;
        *scene = scene.in_axes(anim_ir::Axes::YDown).into_owned();
    });
    assert_eq!(forms, []);
}

/// In glTF, nodes are hidden by a scale of 0.
#[test]
fn zero_scale_equals_hidden() {
    let hiding = |channel: Channel, values: &[f32]| {
        moving(|builder| keys(builder, ARM, channel, Step, &[1.0, 1.5], values))
    };
    let by_visibility = hiding(Channel::Visibility, &[1.0, 0.0]);
    let by_scale = hiding(Channel::Scale, &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0]);
    assert_eq!(found(&by_visibility, &by_scale).differences, []);
    let shown = found(&by_visibility, &hiding(Channel::Visibility, &[1.0, 1.0])).differences;
    let (clip, joint) = ("walk".into(), "arm".into());
    assert_eq!(shown, [Difference::Visible { clip, joint, time: 0.5, seen_in: Side::B }]);
}

#[test]
fn morph_weights() {
    let weights = |name: &str, values: [f32; 4]| {
        let mut scene = moving(|builder| {
            keys(builder, NodeId::new(0), Channel::MorphWeights, Linear, &[1.0, 2.0], &values)
        });
        scene.nodes.push(Node { name: name.into(), ..Node::default() });
        scene
    };
    let (a, b) = (weights("face", [0.0, 0.0, 1.0, 0.0]), weights("face", [0.0, 0.0, 1.0, 0.5]));
    assert_eq!(
        found(&a, &b).differences,
        [Difference::Weights { clip: "walk".into(), node: "face".into(), time: 1.0, by: 0.5 }]
    );
    assert!(found(&a, &a).is_same());
}

#[test]
fn waves() {
    let wave = |end: f32| {
        let (shape, end) = (WaveShape::Sine, [end, 0.0, 0.0]);
        let wave = Wave { shape, end, period: 0.25, ..Wave::default() };
        moving(|builder| builder.wave(ARM, Channel::Translation, wave).unwrap())
    };
    assert!(found(&wave(1.0), &wave(1.0)).is_same());
    assert_eq!(found(&wave(1.0), &wave(2.0)).counts["pose"], 1);
}

#[test]
fn states() {
    let machine = |order, seconds: f32| {
        let mut scene = scene();
        let key = SequenceKey {
            state: Some(StateId::new(0)),
            forward: Transition { seconds, morph: true },
            ..SequenceKey::default()
        };
        let dance = Sequence::new(order, 0, vec![key, key]);
        let states = vec![
            State { name: "walk".into(), motion: Motion::Clip(ClipId::new(0)) },
            State { name: "dance".into(), motion: Motion::Sequence(dance) },
        ];
        scene.machines.push(StateMachine { states, ..StateMachine::default() });
        scene
    };
    let looping = machine(SequenceOrder::LoopForwards, 1.0);
    let same = found(&looping, &looping);
    assert_eq!((same.states, same.is_same()), (2, true));
    let of = |other: &Scene| only(found(&looping, other).differences);
    for (order, seconds, what) in [
        (SequenceOrder::OnceForwards, 1.0, "order"),
        (SequenceOrder::LoopForwards, 1.1, "time of a transition"),
    ] {
        let state = "dance".into();
        assert_eq!(of(&machine(order, seconds)), Difference::State { state, what });
    }
    let mut fewer = looping.clone();
    fewer.machines[0].states.pop();
    assert_eq!(of(&fewer), Difference::StateOnly { state: "dance".into(), side: Side::A });
    // If only one scene has states, they are compared as clips.
    assert_eq!(
        only(found(&looping, &scene()).differences),
        Difference::ClipOnly { clip: "dance".into(), side: Side::A }
    );
    assert_eq!(
        only(found(&scene(), &looping).differences),
        Difference::ClipOnly { clip: "dance".into(), side: Side::B }
    );
}

/// Clips that no state plays are compared also if there are states.
#[test]
fn clips_beside_states() {
    let with = |more: Option<&str>| {
        let mut scene = scene();
        let walk = State { name: "walk".into(), motion: Motion::Clip(ClipId::new(0)) };
        let machine = StateMachine { states: vec![walk], ..StateMachine::default() };
        scene.machines.push(machine);
        scene.clips.extend(more.map(|name| Clip { name: name.into(), ..scene.clips[0].clone() }));
        scene
    };
    assert!(found(&with(Some("run")), &with(Some("run"))).is_same());
    let clip = "run".to_owned();
    let alone = found(&with(Some("run")), &with(None)).differences;
    assert_eq!(only(alone), Difference::ClipOnly { clip, side: Side::A });
    assert_eq!(found(&with(Some("run")), &with(Some("hop"))).counts["clip"], 2);
    // A state that only one scene has is one difference.
    let mut other = with(None);
    other.machines[0].states[0].name = "stroll".into();
    other.clips[0].name = "stroll".into();
    assert!(!found(&with(None), &other).counts.contains_key("clip"));
}

#[test]
fn extras_of_one_format() {
    let extras = |format: &str, number: f64| {
        Extras::from([(format.to_owned(), Value::from([("x", number.into())]))])
    };
    let with = |extras: Extras| Scene { extras, ..scene() };
    assert_eq!(found(&with(extras("stt", 1.0)), &with(extras("amo", 2.0))).differences, []);
    let differs = found(&with(extras("stt", 1.0)), &with(extras("stt", 2.0))).differences;
    assert_eq!(differs, [Difference::Extras { of: "the scene".into(), format: "stt".into() }]);
}

/// Sampling stops at the limits, and the result reports this.
#[test]
fn limits() {
    let options = |samples: usize, kept| {
        let limits = Limits { memory: Some(640 * samples), ..Limits::default() };
        Options::default().with_limits(limits).with_kept(kept)
    };
    for (samples, in_part) in [(20, 0), (1, 1), (0, 1)] {
        let found = diff(&scene(), &scene(), &options(samples, 10)).unwrap();
        assert_eq!(found.clips_in_part, in_part, "{samples}");
    }
    let mut many = scene();
    many.skeletons[0].joints.extend((0..1000).map(|number| Joint::new(number.to_string(), None)));
    let flood = diff(&scene(), &many, &options(100, 3)).unwrap();
    assert_eq!((flood.differences.len(), flood.counts["joint"]), (3, 1000));
}

/// The cost of a clip depends on what it animates, not on the size of the scene.
#[test]
fn many_clips_of_one_joint_each() {
    let mut scene = Scene { skeletons: vec![Skeleton::default()], ..Scene::default() };
    for number in 0..200 {
        scene.skeletons[0].joints.push(Joint::new(number.to_string(), None));
        let mut builder = TimelineBuilder::new("");
        let target: Target = JointId::new(number).into();
        keys(&mut builder, target, Channel::Translation, Linear, &[0.0, 1.0], &[0.0; 6]);
        scene.timelines.push(builder.finish());
        let (name, timeline) = (number.to_string(), TimelineId::new(number));
        scene.clips.push(Clip { name, timeline, end: 1.0, ..Clip::default() });
    }
    let mut moved = scene.clone();
    let mut builder = TimelineBuilder::new("");
    let (target, far) = (Target::Joint(JointId::new(150)), [0.0, 0.0, 0.0, 5.0, 0.0, 0.0]);
    keys(&mut builder, target, Channel::Translation, Linear, &[0.0, 1.0], &far);
    moved.timelines[150] = builder.finish();
    let limits = Limits { memory: Some(640 * 500), ..Limits::default() };
    let found = diff(&scene, &moved, &Options::default().with_limits(limits)).unwrap();
    assert_eq!((found.clips_in_part, found.clips, found.differences.len()), (0, 200, 1));
    let Difference::Pose { clip, joint, .. } = only(found.differences) else { panic!() };
    assert_eq!((clip.as_str(), joint.as_str()), ("150", "150"));
}

/// Clips that all contain all events have more events together than are compared.
#[test]
fn events_of_many_clips_are_compared_in_part() {
    let many = |count: usize| {
        let mut builder = TimelineBuilder::new("take");
        (0..count).for_each(|_| builder.event(Event { time: 0.5, ..Event::default() }));
        let clip = |number| Clip { name: format!("c{number}"), end: 1.0, ..Clip::default() };
        Scene {
            skeletons: vec![Skeleton::new("rig")],
            timelines: vec![builder.finish()],
            clips: (0..count).map(clip).collect(),
            ..Scene::default()
        }
    };
    let found = |scene: &Scene| diff(scene, scene, &Options::default()).unwrap();
    let few = found(&many(100));
    assert_eq!((few.events, few.clips_in_part), (10_000, 0));
    let all = found(&many(3000));
    assert!(all.clips_in_part > 1000 && all.clips_in_part < 3000, "{}", all.clips_in_part);
    assert!(all.counts.is_empty() && !all.is_same());
}
