//! Parses 50 MB from memory into a complete document, on one thread and on two. Compared with tobj
//! and obj-rs on the subset that they support.

use anim_formats::amo::{Document, ParseOptions};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use test_oracle::amo::generate;

const SIZE: usize = 50 << 20;

fn parse(criterion: &mut Criterion) {
    for (name, text) in [("amo", generate::large_amo(SIZE)), ("obj", generate::large_obj(SIZE))] {
        let mut group = criterion.benchmark_group(format!("parse/{name}"));
        group.throughput(Throughput::Bytes(text.len() as u64)).sample_size(10);
        group.bench_function("memcpy", |bencher| bencher.iter(|| text.to_vec()));
        for threads in [1, 2] {
            let options = ParseOptions::default().with_threads(threads);
            group.bench_with_input(
                BenchmarkId::new("fmt-amo", threads),
                &options,
                |bencher, options| {
                    bencher.iter(|| Document::parse_with(&text[..], options).unwrap());
                },
            );
        }
        if name == "obj" {
            let load = |options: &tobj::LoadOptions| {
                tobj::load_obj_buf(&mut &text[..], options, |_| {
                    Ok((Vec::new(), Default::default()))
                })
                .unwrap()
                .0
            };
            group.bench_function("tobj", |bencher| {
                bencher.iter(|| load(&tobj::LoadOptions::default()))
            });
            group.bench_function("tobj (one index)", |bencher| {
                bencher.iter(|| load(&tobj::GPU_LOAD_OPTIONS))
            });
            group.bench_function("obj-rs", |bencher| {
                bencher.iter(|| obj::raw::parse_obj(&text[..]).unwrap())
            });
        }
        group.finish();
    }
}

/// Measures inputs of three sizes, to show that parsing time is linear in the input.
fn linear(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("parse/linear");
    group.sample_size(10);
    for megabytes in [5, 50, 100] {
        let text = generate::large_amo(megabytes << 20);
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(format!("{megabytes} MB"), |bencher| {
            bencher.iter(|| Document::parse(&text[..]).unwrap())
        });
    }
    group.finish();
}

criterion_group!(benches, parse, linear);
criterion_main!(benches);
