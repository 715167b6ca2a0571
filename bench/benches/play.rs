//! Playback: mixing four layers of 64 joints, beside sampling the same clips alone; advancing a
//! clip without and with a thousand events; the step of a state machine.
//!
//! Throughput is in joint poses (of each layer), and in steps.

use anim_formats::anim_ir::{
    Channel, Clip, ClipId, Event, Interpolation, Joint, Layer, MachineId, Mixer, Motion, Player,
    Pose, Quat, Scene, Sequence, SequenceKey, SequenceOrder, Skeleton, SkeletonId, State, StateId,
    StateMachine, StatePlayer, TimelineBuilder, Transition, Vec3, Wrap,
};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;

#[cfg(feature = "bevy")]
#[path = "play/bevy.rs"]
mod bevy;

const JOINTS: usize = 64;
const LAYERS: usize = 4;
const KEYS: usize = 300;
/// Steps of each iteration.
const STEPS: usize = 1000;

fn wave(layer: usize, joint: usize, key: usize, speed: f64) -> f64 {
    (key as f64 * speed + (joint + 7 * layer) as f64).sin()
}

fn translation(layer: usize, joint: usize, key: usize) -> [f32; 3] {
    [0.1, 0.2, 0.3].map(|speed| wave(layer, joint, key, speed) as f32)
}

fn rotation(layer: usize, joint: usize, key: usize) -> [f32; 4] {
    let axis = Vec3::new(wave(layer, joint, key, 0.05) as f32, 1.0, 0.3);
    Quat::from_axis_angle(axis, wave(layer, joint, key, 0.2) * 2.0).to_array()
}

fn scale(layer: usize, joint: usize, key: usize) -> [f32; 3] {
    translation(layer, joint, key).map(|value| 1.0 + value / 10.0)
}

fn keys<const N: usize>(values: &dyn Fn(usize) -> [f32; N]) -> Vec<f32> {
    (0..KEYS).flat_map(values).collect()
}

/// Returns a scene with four looping clips of 10 s with translation, rotation and scale keys for
/// all joints, and a machine that plays them in a sequence.
fn scene() -> Scene {
    let mut scene = Scene::default();
    let mut skeleton = Skeleton::new("s");
    let mut parent = None;
    for joint in 0..JOINTS {
        parent = Some(skeleton.add_joint(Joint::new(format!("j{joint}"), parent)));
    }
    let joints: Vec<_> = skeleton.enumerate_joints().map(|(id, _)| id).collect();
    scene.add_skeleton(skeleton);
    let times: Vec<f32> = (0..KEYS).map(|key| key as f32 / 30.0).collect();
    let mut machine = StateMachine::default();
    for layer in 0..LAYERS {
        let mut builder = TimelineBuilder::new("t");
        for id in &joints {
            let joint = id.index();
            let line = Interpolation::Linear;
            let mut add = |channel, values: Vec<f32>| {
                builder.keys((*id).into(), channel, line, &times, values).unwrap();
            };
            add(Channel::Translation, keys(&|key| translation(layer, joint, key)));
            add(Channel::Rotation, keys(&|key| rotation(layer, joint, key)));
            add(Channel::Scale, keys(&|key| scale(layer, joint, key)));
        }
        let timeline = scene.add_timeline(builder.finish());
        let end = (KEYS - 1) as f32 / 30.0;
        let clip = Clip { timeline, end, wrap: Wrap::Loop, ..Clip::default() };
        let motion = Motion::Clip(scene.add_clip(clip));
        machine.states.push(State { name: layer.to_string(), motion });
    }
    let way = Transition { seconds: 0.7, morph: true };
    let key = |state| SequenceKey { state: Some(state), exit: false, forward: way, backward: way };
    let keys = (0..LAYERS).map(|state| key(StateId::new(state))).collect();
    let motion = Motion::Sequence(Sequence::new(SequenceOrder::LoopForwards, 0, keys));
    machine.states.push(State { name: "all".to_owned(), motion });
    scene.add_machine(machine);
    scene
}

fn mix(criterion: &mut Criterion) {
    let scene = scene();
    let mut group = criterion.benchmark_group("mix");
    group.throughput(Throughput::Elements((STEPS * LAYERS * JOINTS) as u64));
    let players = || -> Vec<Player<'_>> {
        (0..LAYERS).map(|clip| Player::new(&scene, ClipId::new(clip)).unwrap()).collect()
    };
    group.bench_function("four layers", |bencher| {
        let mut mixer = Mixer::new(&scene, SkeletonId::new(0)).unwrap();
        let layer = |player| Layer::clip(player).with_weight(0.4);
        mixer.layers = players().into_iter().map(layer).collect();
        let mut pose = Pose::default();
        bencher.iter(|| {
            for _ in 0..STEPS {
                mixer.advance(0.01);
                mixer.pose(&mut pose);
                black_box(&pose);
            }
        });
    });
    group.bench_function("the same clips sampled alone", |bencher| {
        let (mut players, mut pose) = (players(), Pose::default());
        bencher.iter(|| {
            for _ in 0..STEPS {
                for player in &mut players {
                    player.advance(0.01);
                    player.pose(&mut pose);
                    black_box(&pose);
                }
            }
        });
    });
    #[cfg(feature = "bevy")]
    bevy::mix(&mut group);
    group.finish();
}

fn advance(criterion: &mut Criterion) {
    let mut scene = scene();
    let events = |count: usize| {
        let event = |number: usize| Event {
            time: number as f32 * 10.0 / count as f32,
            name: number.to_string(),
            ..Event::default()
        };
        (0..count).map(event).collect::<Vec<_>>()
    };
    scene.timelines[1].events = events(1000);
    let mut group = criterion.benchmark_group("advance");
    group.throughput(Throughput::Elements(STEPS as u64));
    // A thousand frames between two of the events.
    let step = 0.01 / 1000.0;
    for (name, clip) in [("no events", 0), ("a thousand events", 1)] {
        group.bench_function(name, |bencher| {
            let mut player = Player::new(&scene, ClipId::new(clip)).unwrap();
            bencher.iter(|| {
                let mut crossed = 0;
                for _ in 0..STEPS {
                    crossed += player.advance(black_box(step)).count();
                }
                (crossed, player.time())
            });
        });
    }
    group.finish();
}

fn states(criterion: &mut Criterion) {
    let scene = scene();
    let mut group = criterion.benchmark_group("states");
    group.throughput(Throughput::Elements(STEPS as u64));
    group.bench_function("a step with a request, without the pose", |bencher| {
        let mut player = StatePlayer::new(&scene, MachineId::new(0)).unwrap();
        player.enter(StateId::new(LAYERS));
        bencher.iter(|| {
            let mut crossed = 0;
            for _ in 0..STEPS {
                black_box(player.request(StateId::new(0)));
                crossed += player.advance(black_box(0.01)).count();
                black_box(player.moment());
            }
            crossed
        });
    });
    group.finish();
}

criterion_group!(benches, mix, advance, states);
criterion_main!(benches);
