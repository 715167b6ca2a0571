//! Reads 51 MB of castle-anim-frames with inlined X3D, from the bytes of the file to a scene with
//! morph targets, on one thread. In one file, most of the text repeats the previous frame, as in
//! real files; in the other, nothing repeats. A third has 300 frames of glTF, 100 KB each; a fourth
//! is an X3D scene whose interpolators have 51 MB of values. Compared with copying the bytes.

use anim_formats::anim_ir::format::Context;
use anim_formats::anim_ir::{NoFiles, Scene, Settings};
use anim_formats::castle::Document;
use anim_formats::{AnyDocument, Format, convert};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use test_oracle::castle::generate;

const SIZE: usize = 51_000_000;

fn scene(text: &[u8]) -> Scene {
    let document = AnyDocument::Castle(Document::parse(text).unwrap().value);
    let settings = Settings::default();
    let mut context = Context { name: "", files: &mut NoFiles, settings: &settings };
    document.to_scene(&mut context).value
}

fn frames(criterion: &mut Criterion) {
    for (name, repeats) in [("repeating", true), ("not repeating", false)] {
        let text = generate::large(SIZE, repeats);
        let mut group = criterion.benchmark_group(format!("frames/{name}"));
        group.throughput(Throughput::Bytes(text.len() as u64)).sample_size(10);
        group.bench_function("memcpy", |bencher| bencher.iter(|| text.clone()));
        group.bench_function("envelope", |bencher| {
            bencher.iter(|| Document::parse(&text[..]).unwrap().value.animations().len())
        });
        group.bench_function("bytes to scene", |bencher| {
            bencher.iter(|| scene(&text));
        });
        group.finish();
    }
    let text = generate::large_gltf();
    let mut group = criterion.benchmark_group("frames/glTF");
    group.throughput(Throughput::Bytes(text.len() as u64)).sample_size(10);
    group.bench_function("memcpy", |bencher| bencher.iter(|| text.clone()));
    group.bench_function("bytes to scene", |bencher| bencher.iter(|| scene(&text)));
    group.finish();
    let text = generate::large_interpolators(SIZE);
    let mut group = criterion.benchmark_group("interpolators");
    group.throughput(Throughput::Bytes(text.len() as u64)).sample_size(10);
    group.bench_function("bytes to scene", |bencher| {
        bencher.iter(|| {
            let parsed = anim_formats::x3d::Document::parse(&text[..]).unwrap();
            anim_formats::x3d::to_ir(&parsed.value, &anim_formats::x3d::ToIr::default()).value
        });
    });
    group.finish();
    let text = generate::large(3_000_000, true);
    let mut group = criterion.benchmark_group("frames/3 MB");
    group.throughput(Throughput::Bytes(text.len() as u64));
    let glb: Format = "glb".parse().unwrap();
    group.bench_function("bytes to GLB", |bencher| {
        bencher.iter(|| {
            convert(&scene(&text), glb, &Settings::default(), "").unwrap().value.main.len()
        });
    });
    group.finish();
}

criterion_group!(benches, frames);
criterion_main!(benches);
