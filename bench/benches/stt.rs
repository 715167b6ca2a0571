//! STT: parses 50 MB of text into a document, both split into lines and as a single line. Compared
//! with copying the bytes, and with the naive approach of splitting the text at whitespace and
//! parsing every word as a number with the standard library. Also evaluates a node with three
//! waves, compared with hand-written code for three sines, and a step of a state machine.

use std::array;
use std::f64::consts::TAU;
use std::hint::black_box;

use anim_formats::anim_ir::{
    Channel, Clip, EulerOrder, Joint, JointId, MachineId, Motion, Pose, Sampler, Scene, Sequence,
    SequenceKey, SequenceOrder, Skeleton, State, StateId, StateMachine, StatePlayer,
    TimelineBuilder, Transform, Transition, Vec3, Wave, WaveShape,
};
use anim_formats::stt::Document;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use test_oracle::stt::generate;

fn parse(criterion: &mut Criterion) {
    for (name, one_line) in [("lines", false), ("one line", true)] {
        let text = generate::large(50_000_000, one_line);
        assert!(Document::parse(&text[..]).unwrap().diagnostics.is_empty());
        let mut group = criterion.benchmark_group(format!("stt/{name}"));
        group.throughput(Throughput::Bytes(text.len() as u64)).sample_size(10);
        group.bench_function("memcpy", |bencher| bencher.iter(|| text.clone()));
        group.bench_function("document", |bencher| {
            bencher.iter(|| Document::parse(&text[..]).unwrap().value.states().len())
        });
        group.bench_function("words to f32", |bencher| {
            let text = std::str::from_utf8(&text).unwrap();
            bencher.iter(|| {
                text.split_ascii_whitespace()
                    .filter_map(|word| word.parse::<f32>().ok())
                    .map(f64::from)
                    .sum::<f64>()
            });
        });
        group.finish();
    }
}

/// Returns the waves of a node: its translation, angles and offset. No two have the same phase, so
/// that results cannot be reused or predicted.
fn waves(node: usize, shape: WaveShape) -> [Wave; 3] {
    array::from_fn(|channel| {
        let (node, channel) = (node as f32, channel as f32);
        let (period, offset) = (1.7 + 0.013 * node + 0.1 * channel, -0.3 - node - channel);
        Wave {
            shape,
            start: [-1.0, 0.0, 0.5],
            end: [1.0, 2.0, -0.5],
            period,
            offset,
            ..Wave::default()
        }
    })
}

/// Returns a scene whose nodes have three waves each: two states with waves, and a state that
/// alternates between the two.
fn scene(nodes: usize) -> Scene {
    let mut scene = Scene { skeletons: vec![Skeleton::nodes("s")], ..Scene::default() };
    scene.skeletons[0].joints =
        (0..nodes).map(|node| Joint::new(format!("n{node}"), None)).collect();
    let mut states = Vec::new();
    for (number, shape) in [WaveShape::Sine, WaveShape::Triangle].into_iter().enumerate() {
        let mut builder = TimelineBuilder::new("");
        for node in 0..nodes {
            let [translation, angles, offset] = waves(node, shape);
            let target = JointId::new(node).into();
            builder.wave(target, Channel::Translation, translation).unwrap();
            builder.wave(target, Channel::Euler(EulerOrder::Zyx), angles).unwrap();
            builder.wave(target, Channel::Offset, offset).unwrap();
        }
        let timeline = scene.add_timeline(builder.finish());
        let clip = scene.add_clip(Clip { timeline, ..Clip::default() });
        states.push(State { name: number.to_string(), motion: Motion::Clip(clip) });
    }
    let key = |state| SequenceKey {
        state: Some(StateId::new(state)),
        exit: true,
        forward: Transition { seconds: 0.5, morph: true },
        ..SequenceKey::default()
    };
    states.push(State {
        name: "both".into(),
        motion: Motion::Sequence(Sequence::new(
            SequenceOrder::LoopForwards,
            0,
            vec![key(0), key(1)],
        )),
    });
    scene.machines.push(StateMachine { states, ..StateMachine::default() });
    scene
}

fn play(criterion: &mut Criterion) {
    const NODES: usize = 64;
    let scene = scene(NODES);
    let mut group = criterion.benchmark_group("stt/play 64 nodes with three waves each");
    group.throughput(Throughput::Elements(NODES as u64));
    let by_hand: Vec<[Wave; 3]> = (0..NODES).map(|node| waves(node, WaveShape::Sine)).collect();
    let mut pose = Pose::default();
    Sampler::new(&scene.skeletons[0], &scene.timelines[0]).sample(0.7, &mut pose);
    for (here, waves) in pose.transforms.iter().zip(&by_hand) {
        assert!(here.to_matrix().is_near(three_sines(waves, 0.7).to_matrix(), 1e-6));
    }
    group.bench_function("three sines by hand", |bencher| {
        let (mut transforms, mut time) = (Vec::new(), 0.0);
        bencher.iter(|| {
            time += 0.016;
            transforms.clear();
            transforms.extend(by_hand.iter().map(|waves| three_sines(waves, time)));
            black_box(&transforms).len()
        });
    });
    group.bench_function("pose of a state", |bencher| {
        let (mut sampler, mut pose, mut time) =
            (Sampler::new(&scene.skeletons[0], &scene.timelines[0]), Pose::default(), 0.0);
        bencher.iter(|| {
            time += 0.016;
            sampler.sample(time, &mut pose);
            black_box(&pose).transforms.len()
        });
    });
    group.bench_function("step of a machine that blends two states", |bencher| {
        let (mut player, mut pose) =
            (StatePlayer::new(&scene, MachineId::new(0)).unwrap(), Pose::default());
        player.enter(StateId::new(2));
        bencher.iter(|| {
            player.advance(0.016);
            player.pose(&mut pose);
            black_box(&pose).transforms.len()
        });
    });
    group.finish();
}

/// Evaluates three sine waves in the straightforward way: with the standard library's sine and
/// cosine, and quaternion products in f64.
fn three_sines(waves: &[Wave; 3], time: f64) -> Transform {
    let [place, angles, offset] = waves.each_ref().map(|wave| {
        let turns = (time + f64::from(wave.offset)) / f64::from(wave.period);
        let part = 0.5 + 0.5 * (TAU * (turns - turns.floor())).sin();
        array::from_fn::<f64, 3, _>(|i| {
            f64::from(wave.start[i]) + f64::from(wave.end[i] - wave.start[i]) * part
        })
    });
    let [(sx, cx), (sy, cy), (sz, cz)] = angles.map(|angle| (angle / 2.0).sin_cos());
    let turn = product(product([0.0, 0.0, sz, cz], [0.0, sy, 0.0, cy]), [sx, 0.0, 0.0, cx]);
    let [x, y, z, w] = turn;
    let moved = product(product(turn, [offset[0], offset[1], offset[2], 0.0]), [-x, -y, -z, w]);
    let translation: [f32; 3] = array::from_fn(|i| (place[i] + moved[i]) as f32);
    Transform {
        translation: translation.into(),
        rotation: turn.map(|number| number as f32).into(),
        scale: Vec3::ONE,
    }
}

fn product([ax, ay, az, aw]: [f64; 4], [bx, by, bz, bw]: [f64; 4]) -> [f64; 4] {
    [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]
}

criterion_group!(benches, parse, play);
criterion_main!(benches);
