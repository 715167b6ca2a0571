//! Samples 64 joints with translation, rotation and scale keys on a 10 s timeline at 30 keys per
//! second, in playback order and at random times. Throughput is in joints per second. Also deforms
//! a mesh of 20,000 vertices with four influences each; throughput is in bytes that are read and
//! written.

use anim_formats::anim_ir::{
    Channel, Deformer, Influences, Interpolation, Joint, Mat4, Mesh, Pose, Quat, Sampler, Skeleton,
    Timeline, TimelineBuilder, Transform, Vec3,
};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const JOINTS: usize = 64;
const KEYS: usize = 300;

fn scene() -> (Skeleton, Timeline) {
    let mut skeleton = Skeleton::new("s");
    let mut builder = TimelineBuilder::new("t");
    let times: Vec<f32> = (0..KEYS).map(|key| key as f32 / 30.0).collect();
    let mut parent = None;
    for joint in 0..JOINTS {
        let id = skeleton.add_joint(Joint::new(format!("j{joint}"), parent));
        parent = Some(id);
        let wave = |key: usize, speed: f64| (key as f64 * speed + joint as f64).sin();
        let add = |builder: &mut TimelineBuilder, channel, values: Vec<f32>| {
            builder.keys(id.into(), channel, Interpolation::Linear, &times, &values).unwrap();
        };
        add(
            &mut builder,
            Channel::Translation,
            (0..KEYS)
                .flat_map(|key| [0.1, 0.2, 0.3].map(|speed| wave(key, speed) as f32))
                .collect(),
        );
        let turn = |key: usize| {
            Quat::from_axis_angle(Vec3::new(wave(key, 0.05) as f32, 1.0, 0.3), wave(key, 0.2) * 2.0)
                .to_array()
        };
        add(&mut builder, Channel::Rotation, (0..KEYS).flat_map(turn).collect());
        add(
            &mut builder,
            Channel::Scale,
            (0..KEYS)
                .flat_map(|key| [0.1, 0.2, 0.3].map(|speed| 1.0 + wave(key, speed) as f32 / 10.0))
                .collect(),
        );
    }
    (skeleton, builder.finish())
}

fn sample(criterion: &mut Criterion) {
    let (skeleton, timeline) = scene();
    let play: Vec<f64> = (0..1000).map(|frame| f64::from(frame) / 100.0).collect();
    let mut state = 1_u64;
    let random: Vec<f64> = std::iter::repeat_with(|| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 40) as f64 / (1_u64 << 24) as f64 * 10.0
    })
    .take(1000)
    .collect();
    let mut group = criterion.benchmark_group("sample");
    for (name, times) in [("play order", &play), ("random times", &random)] {
        group.throughput(Throughput::Elements((times.len() * JOINTS) as u64));
        group.bench_function(name, |bencher| {
            let mut sampler = Sampler::new(&skeleton, &timeline);
            let mut pose = Pose::default();
            bencher.iter(|| {
                for time in times {
                    sampler.sample(*time, &mut pose);
                    std::hint::black_box(&pose);
                }
            });
        });
    }
    group.finish();
}

const VERTICES: usize = 20_000;

fn skin(criterion: &mut Criterion) {
    let joints = JOINTS as u32;
    let at = |vertex: usize, speed: f32| (vertex as f32 * speed).sin();
    let positions = (0..VERTICES).map(|v| Vec3::new(at(v, 0.1), at(v, 0.2), at(v, 0.3)));
    let normals = (0..VERTICES).map(|v| Vec3::new(at(v, 0.4), 1.0, at(v, 0.5)).normalized());
    let influences = Influences {
        per_vertex: 4,
        joints: (0..4 * VERTICES as u32).map(|at| (at / 1200 + at % 4) % joints).collect(),
        weights: [0.4, 0.3, 0.2, 0.1].repeat(VERTICES),
    };
    let mesh = Mesh {
        positions: positions.collect(),
        normals: normals.map(Option::unwrap).collect(),
        influences,
        ..Mesh::default()
    };
    let turn = |joint: u32| Transform {
        translation: Vec3::new(joint as f32, 1.0, 2.0),
        rotation: Quat::from_axis_angle(Vec3::new(0.3, 1.0, 0.2), f64::from(joint)),
        scale: Vec3::ONE,
    };
    let matrices: Vec<Mat4> = (0..joints).map(|joint| turn(joint).to_matrix()).collect();
    let mut deformer = Deformer::default();
    deformer.deform(&mesh, &[], &matrices);
    for (vertex, found) in deformer.positions().iter().enumerate().step_by(997) {
        let influences = mesh.influences.joints[4 * vertex..].iter().zip([0.4, 0.3, 0.2, 0.1]);
        let moved = influences
            .map(|(joint, weight)| turn(*joint).transform_point(mesh.positions[vertex]) * weight);
        assert!(moved.fold(Vec3::ZERO, |sum, part| sum + part).distance(*found) < 1e-4);
    }
    // Positions and normals are read and written; influences are read.
    let bytes = VERTICES * (2 * 24 + 32);
    let mut group = criterion.benchmark_group("skin");
    group.throughput(Throughput::Bytes(bytes as u64));
    group.bench_function("positions and normals", |bencher| {
        bencher.iter(|| {
            deformer.deform(&mesh, &[], &matrices);
            std::hint::black_box(&deformer).positions().len()
        });
    });
    let (from, mut to) = (vec![1_u8; bytes / 2], vec![0_u8; bytes / 2]);
    group.bench_function("memcpy", |bencher| {
        bencher.iter(|| to.copy_from_slice(std::hint::black_box(&from)));
    });
    group.finish();
}

criterion_group!(benches, sample, skin);
criterion_main!(benches);
