//! Compares two scenes with 100,000 keys each: a copy, and a copy that is moved.

use anim_formats::anim_ir::diff::{Options, diff};
use anim_formats::anim_ir::{
    Channel, Clip, Interpolation, Joint, JointId, Scene, Skeleton, TimelineBuilder,
};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const JOINTS: usize = 50;
const KEYS: u16 = 1000;

/// Returns a scene with keys on two channels of each joint, moved by `offset`.
fn keyed(offset: f32) -> Scene {
    let mut skeleton = Skeleton::new("s");
    let mut builder = TimelineBuilder::new("t");
    let times: Vec<f32> = (0..KEYS).map(|key| f32::from(key) / 30.0).collect();
    for joint in 0..JOINTS {
        let parent = joint.checked_sub(1).map(JointId::new);
        let target = skeleton.add_joint(Joint::new(format!("j{joint}"), parent)).into();
        let angle = |time: f32| time + joint as f32;
        let places = times.iter().flat_map(|time| [angle(*time).sin() + offset, 1.0, 2.0]);
        let turns =
            times.iter().flat_map(|time| [angle(*time).sin(), 0.0, 0.0, angle(*time).cos()]);
        for (channel, values) in [
            (Channel::Translation, places.collect::<Vec<f32>>()),
            (Channel::Rotation, turns.collect()),
        ] {
            builder.keys(target, channel, Interpolation::Linear, &times, values).unwrap();
        }
    }
    let mut scene = Scene::default();
    scene.add_skeleton(skeleton);
    let timeline = scene.add_timeline(builder.finish());
    let end = times[times.len() - 1];
    scene.add_clip(Clip { name: "walk".into(), timeline, end, ..Clip::default() });
    scene
}

fn compare(criterion: &mut Criterion) {
    let (a, options) = (keyed(0.0), Options::default());
    let mut group = criterion.benchmark_group("diff");
    let keys = 2 * JOINTS * usize::from(KEYS);
    group.throughput(Throughput::Elements(keys as u64)).sample_size(20);
    for (name, offset) in [("same", 0.0), ("moved", 0.5)] {
        let b = keyed(offset);
        assert_eq!(diff(&a, &b, &options).unwrap().is_same(), offset == 0.0);
        group.bench_function(name, |bencher| {
            bencher.iter(|| diff(&a, &b, &options).unwrap().differences.len())
        });
    }
    group.finish();
}

criterion_group!(benches, compare);
criterion_main!(benches);
