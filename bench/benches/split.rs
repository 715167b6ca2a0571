//! Splits a 100 MB GLB, almost all of which is keys, into 100 clips. Baselines: reading and writing
//! it unsplit, and copying the same number of bytes.

use std::fmt::Write as _;

use anim_formats::anim_ir::{
    Channel, Clip, Cut, Interpolation, Joint, Scene, Skeleton, TimelineBuilder,
};
use anim_formats::gltf::{Document, FromIr, ToIr, from_ir, to_ir};
use anim_formats::{SplitOptions, anm_text, split, takes};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const JOINTS: usize = 100;
const KEYS: usize = 24_000;

/// Returns a GLB with a chain of joints that have keys for all three channels in every frame.
fn take() -> Vec<u8> {
    let mut skeleton = Skeleton::new("rig");
    let times: Vec<f32> = (0..KEYS).map(|key| key as f32 / 24.0).collect();
    let mut builder = TimelineBuilder::new("take");
    let mut parent = None;
    for joint in 0..JOINTS {
        let id = skeleton.add_joint(Joint::new(format!("joint{joint}"), parent));
        parent = Some(id);
        let wave = |numbers: usize| {
            (0..KEYS * numbers)
                .map(|number| (number as f32 * 0.01 + joint as f32).sin())
                .collect::<Vec<f32>>()
        };
        let target = id.into();
        builder
            .keys(target, Channel::Translation, Interpolation::Linear, &times, &wave(3))
            .unwrap();
        let turns: Vec<f32> =
            wave(1).iter().flat_map(|angle| [angle.sin(), 0.0, 0.0, angle.cos()]).collect();
        builder.keys(target, Channel::Rotation, Interpolation::Linear, &times, &turns).unwrap();
        builder.keys(target, Channel::Scale, Interpolation::Linear, &times, &wave(3)).unwrap();
    }
    let clip = Clip { name: "take".into(), end: *times.last().unwrap(), ..Clip::default() };
    let scene = Scene {
        skeletons: vec![skeleton],
        timelines: vec![builder.finish()],
        clips: vec![clip],
        ..Scene::default()
    };
    glb_of(&scene)
}

fn glb_of(scene: &Scene) -> Vec<u8> {
    from_ir(scene, &FromIr::default()).unwrap().value
}

/// Returns an ANM text file that defines a hundred consecutive clips of all joints.
fn cuts() -> Vec<u8> {
    let mut text = "as All\nbl joint0 +children\n".to_owned();
    for clip in 0..100 {
        writeln!(text, "an {} {} clip{clip}", clip * 240, clip * 240 + 239).unwrap();
    }
    text.into_bytes()
}

fn split_glb(criterion: &mut Criterion) {
    let glb = take();
    let cuts = anm_text::Document::parse(cuts()).unwrap().value;
    let whole = || {
        let document = Document::parse(&glb[..]).unwrap().value;
        to_ir(&document, &ToIr::default()).value
    };
    let cut = |options: Cut| {
        let mut scene = whole();
        let take = takes(&scene).swap_remove(0);
        let mut splitting = SplitOptions::default();
        splitting.cut = options;
        split(&mut scene, &take, &cuts, &splitting).unwrap();
        assert_eq!(scene.clips.len(), 100);
        glb_of(&scene)
    };
    let mut group = criterion.benchmark_group(format!("split_glb of {} MB", glb.len() >> 20));
    group.throughput(Throughput::Bytes(glb.len() as u64)).sample_size(10);
    group.bench_function("read and write", |bencher| bencher.iter(|| glb_of(&whole())));
    group.bench_function("read, split into 100 clips, write", |bencher| {
        bencher.iter(|| cut(Cut::default()))
    });
    group.bench_function("the same, with each clip starting at 0", |bencher| {
        bencher.iter(|| cut(Cut::default().with_rebase(true)))
    });
    group.bench_function("memcpy", |bencher| bencher.iter(|| glb.clone()));
    group.finish();
}

criterion_group!(benches, split_glb);
criterion_main!(benches);
