//! STT: 50 MB of text, in lines and in one line, to a document. Beside it a copy of the bytes, and what anybody would do first: cutting the text at blanks and
//! giving every word to the standard library as a number. Then the pose of a node with three waves, and a step of a state machine.
#![allow(missing_docs, clippy::unwrap_used, clippy::indexing_slicing, reason = "a benchmark")]

use std::hint::black_box;

use anim_formats::anim_ir::{
    Channel, Clip, EulerOrder, Joint, Motion, Pose, Sampler, Scene, Sequence, SequenceKey, SequenceOrder, Skeleton, State, StateMachine, StatePlayer,
    Target, TimelineBuilder, Transition, Wave, WaveShape,
};
use anim_formats::stt::Document;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use test_oracle::generate_stt;

fn parse(criterion: &mut Criterion) {
    for (name, one_line) in [("lines", false), ("one line", true)] {
        let text = generate_stt::large(50_000_000, one_line);
        assert!(Document::parse(&text[..]).unwrap().diagnostics.is_empty());
        let mut group = criterion.benchmark_group(format!("stt/{name}"));
        group.throughput(Throughput::Bytes(text.len() as u64)).sample_size(10);
        group.bench_function("memcpy", |bencher| bencher.iter(|| text.clone()));
        group.bench_function("document", |bencher| bencher.iter(|| Document::parse(&text[..]).unwrap().value.states().len()));
        group.bench_function("words to f32", |bencher| {
            let text = std::str::from_utf8(&text).unwrap();
            bencher.iter(|| text.split_ascii_whitespace().filter_map(|word| word.parse::<f32>().ok()).map(f64::from).sum::<f64>());
        });
        group.finish();
    }
}

/// Nodes of three waves each, in two states, and a state that goes from one to the other.
fn scene(nodes: usize) -> Scene {
    let mut scene = Scene { skeletons: vec![Skeleton::nodes("s")], ..Scene::default() };
    scene.skeletons[0].joints = (0..nodes).map(|node| Joint::new(format!("n{node}"), None)).collect();
    let mut states = Vec::new();
    for (number, shape) in [WaveShape::Sine, WaveShape::Triangle].into_iter().enumerate() {
        let mut builder = TimelineBuilder::new("");
        let wave = Wave { shape, start: [-1.0, 0.0, 0.5], end: [1.0, 2.0, -0.5], period: 1.7, offset: -0.3, ..Wave::default() };
        for node in 0..nodes {
            builder.wave(Target::Joint(node), Channel::Translation, wave).unwrap();
            builder.wave(Target::Joint(node), Channel::Euler(EulerOrder::Zyx), wave).unwrap();
            builder.wave(Target::Joint(node), Channel::Offset, wave).unwrap();
        }
        scene.timelines.push(builder.finish());
        scene.clips.push(Clip { timeline: number, ..Clip::default() });
        states.push(State { name: number.to_string(), motion: Motion::Clip(number) });
    }
    let key = |state| SequenceKey { state: Some(state), exit: true, forward: Transition { seconds: 0.5, morph: true }, ..SequenceKey::default() };
    states.push(State { name: "both".into(), motion: Motion::Sequence(Sequence::new(SequenceOrder::LoopForwards, 0, vec![key(0), key(1)])) });
    scene.machines.push(StateMachine { states, ..StateMachine::default() });
    scene
}

fn play(criterion: &mut Criterion) {
    const NODES: usize = 64;
    let scene = scene(NODES);
    let mut group = criterion.benchmark_group("stt/play 64 nodes of three waves");
    group.throughput(Throughput::Elements(NODES as u64));
    group.bench_function("pose of a state", |bencher| {
        let (mut sampler, mut pose, mut time) = (Sampler::new(&scene.skeletons[0], &scene.timelines[0]), Pose::default(), 0.0);
        bencher.iter(|| {
            time += 0.016;
            sampler.sample(time, &mut pose);
            black_box(&pose).transforms.len()
        });
    });
    group.bench_function("step of a machine that blends two states", |bencher| {
        let (mut player, mut pose) = (StatePlayer::new(&scene, 0).unwrap(), Pose::default());
        player.enter(2);
        bencher.iter(|| {
            player.advance(0.016);
            player.pose(&mut pose);
            black_box(&pose).transforms.len()
        });
    });
    group.finish();
}

criterion_group!(benches, parse, play);
criterion_main!(benches);
