//! Bakes motion to keys: a state machine of 64 joints, each with two waves, and a state that blends
//! two of its states.

use anim_formats::anim_ir::{
    Bake, Channel, Clip, EulerOrder, Joint, JointId, Motion, Scene, Sequence, SequenceKey,
    SequenceOrder, Skeleton, State, StateId, StateMachine, TimelineBuilder, Transition, Wave,
    WaveShape,
};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const JOINTS: usize = 64;

/// Returns a scene whose joints swing, each at its own rate.
fn swinging() -> Scene {
    let mut scene = Scene { skeletons: vec![Skeleton::nodes("s")], ..Scene::default() };
    scene.skeletons[0].joints = (0..JOINTS).map(|n| Joint::new(format!("j{n}"), None)).collect();
    let mut states = Vec::new();
    for shape in [WaveShape::Sine, WaveShape::Triangle] {
        let mut builder = TimelineBuilder::new("");
        for joint in 0..JOINTS {
            let period = 0.7 + 0.013 * joint as f32;
            let wave = Wave { shape, end: [1.0, 0.5, 0.2], period, ..Wave::default() };
            let target = JointId::new(joint).into();
            builder.wave(target, Channel::Translation, wave).unwrap();
            builder.wave(target, Channel::Euler(EulerOrder::Zyx), wave).unwrap();
        }
        let timeline = scene.add_timeline(builder.finish());
        let clip = scene.add_clip(Clip { timeline, end: 4.0, ..Clip::default() });
        states.push(State { name: format!("{shape:?}"), motion: Motion::Clip(clip) });
    }
    let key = |state| SequenceKey {
        state: Some(StateId::new(state)),
        forward: Transition { seconds: 2.0, morph: true },
        ..SequenceKey::default()
    };
    let both = Sequence::new(SequenceOrder::LoopForwards, 0, vec![key(0), key(1)]);
    states.push(State { name: "both".into(), motion: Motion::Sequence(both) });
    scene.machines.push(StateMachine { states, ..StateMachine::default() });
    scene
}

fn bake(criterion: &mut Criterion) {
    let scene = swinging();
    let baked = |scene: &Scene| -> usize {
        let baked = scene.baked(&Bake::default()).unwrap().value;
        baked.timelines.iter().map(|timeline| timeline.key_count()).sum()
    };
    let keys = baked(&scene);
    assert!(keys > 10_000);
    let mut group = criterion.benchmark_group("bake");
    group.throughput(Throughput::Elements(keys as u64)).sample_size(20);
    group.bench_function("keys of a machine", |bencher| bencher.iter(|| baked(&scene)));
    group.finish();
}

criterion_group!(benches, bake);
criterion_main!(benches);
