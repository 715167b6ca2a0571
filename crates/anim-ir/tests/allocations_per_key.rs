//! Tests that operations on whole scenes do not allocate once per key.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests fail loudly")]

use allocation_counter::measure;
use anim_ir::diff::{self, diff};
use anim_ir::{
    Bake, Channel, Clip, EulerOrder, Interpolation, Joint, Motion, Scene, Sequence, SequenceKey,
    SequenceOrder, Skeleton, State, StateId, StateMachine, TimelineBuilder, Transition, Wave,
    WaveShape,
};

const JOINTS: usize = 4;
/// Vectors that grow to ten times their length are allocated four more times. A few of them are
/// filled for each joint.
const ROOM: u64 = 60 * JOINTS as u64;

/// Returns a scene whose joints have `keys` keys on two channels each, a second apart, moved by
/// `offset`.
fn keyed(keys: u16, offset: f32) -> Scene {
    let mut skeleton = Skeleton::new("s");
    let mut builder = TimelineBuilder::new("t");
    let times: Vec<f32> = (0..keys).map(f32::from).collect();
    for number in 0..JOINTS {
        let joint = skeleton.add_joint(Joint::new(format!("j{number}"), None));
        let places: Vec<f32> =
            times.iter().flat_map(|time| [time.sin() + offset, 1.0, 2.0]).collect();
        let turns: Vec<f32> =
            times.iter().flat_map(|time| [time.sin(), 0.0, 0.0, time.cos()]).collect();
        let line = Interpolation::Linear;
        builder.keys(joint.into(), Channel::Translation, line, &times, places).unwrap();
        builder.keys(joint.into(), Channel::Rotation, line, &times, turns).unwrap();
    }
    let mut scene = Scene::default();
    scene.add_skeleton(skeleton);
    let timeline = scene.add_timeline(builder.finish());
    let end = f32::from(keys);
    scene.add_clip(Clip { name: "walk".into(), timeline, end, ..Clip::default() });
    scene
}

#[test]
fn diff_does_not_allocate_per_key() {
    for offset in [0.0, 0.5] {
        let count = |keys| {
            let (a, b) = (keyed(keys, 0.0), keyed(keys, offset));
            let options = diff::Options::default();
            let mut is_same = false;
            let measured = measure(|| is_same = diff(&a, &b, &options).unwrap().is_same());
            assert_eq!(is_same, offset == 0.0);
            measured.count_total
        };
        let (few, many) = (count(1_000), count(10_000));
        assert!(many < few + ROOM, "{few} for 1,000 keys, {many} for 10,000");
    }
}

/// Returns a scene with joints that swing for `rounds` seconds, and a state that alternates between
/// two clips of them.
fn swinging(rounds: u8) -> Scene {
    let mut scene = Scene { skeletons: vec![Skeleton::nodes("s")], ..Scene::default() };
    let mut states = Vec::new();
    for shape in [WaveShape::Sine, WaveShape::Triangle] {
        let mut builder = TimelineBuilder::new("");
        for number in 0..JOINTS {
            if states.is_empty() {
                let joint = Joint::new(format!("j{number}"), None);
                scene.skeletons[0].joints.push(joint);
            }
            let wave = Wave { shape, end: [1.0, 0.5, 0.2], period: 1.0, ..Wave::default() };
            let joint = anim_ir::JointId::new(number).into();
            builder.wave(joint, Channel::Translation, wave).unwrap();
            builder.wave(joint, Channel::Euler(EulerOrder::Zyx), wave).unwrap();
        }
        let timeline = scene.add_timeline(builder.finish());
        let clip = Clip { timeline, end: f32::from(rounds), ..Clip::default() };
        let clip = scene.add_clip(clip);
        states.push(State { name: states.len().to_string(), motion: Motion::Clip(clip) });
    }
    let key = |state| SequenceKey {
        state: Some(StateId::new(state)),
        forward: Transition { seconds: f32::from(rounds), morph: true },
        ..SequenceKey::default()
    };
    let both = Sequence::new(SequenceOrder::LoopForwards, 0, vec![key(0), key(1)]);
    states.push(State { name: "both".into(), motion: Motion::Sequence(both) });
    scene.machines.push(StateMachine { states, ..StateMachine::default() });
    scene
}

#[test]
fn baking_does_not_allocate_per_key() {
    let baked = |rounds| {
        let scene = swinging(rounds);
        let mut keys = 0;
        let measured = measure(|| {
            let baked = scene.baked(&Bake::default()).unwrap().value;
            keys = baked.timelines.iter().map(|timeline| timeline.key_count()).sum();
        });
        (measured.count_total, keys)
    };
    let ((few, few_keys), (many, many_keys)) = (baked(4), baked(40));
    assert!(few_keys > 1_000 && many_keys > 9 * few_keys, "{few_keys} keys, {many_keys} keys");
    // Two clips and a sequence.
    assert!(many < few + 3 * ROOM, "{few} for {few_keys} keys, {many} for {many_keys}");
}
