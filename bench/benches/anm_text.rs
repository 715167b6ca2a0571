//! ANM text: parses 20 MB of sets with bones, events, animations and comments into a document.
//! Compared with copying the bytes, and with the naive approach of splitting lines at whitespace
//! and parsing every word as a number with the standard library.

use anim_formats::anm_text::Document;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use test_oracle::anm_text::generate;

fn parse(criterion: &mut Criterion) {
    let bytes = generate::large(20_000_000);
    let text = std::str::from_utf8(&bytes).unwrap();
    assert!(Document::parse(&bytes[..]).unwrap().diagnostics.is_empty());
    let mut group = criterion.benchmark_group("anm_text");
    group.throughput(Throughput::Bytes(bytes.len() as u64)).sample_size(20);
    group.bench_function("memcpy", |bencher| bencher.iter(|| bytes.clone()));
    group.bench_function("document", |bencher| {
        bencher.iter(|| Document::parse(&bytes[..]).unwrap().value.sets().len())
    });
    group.bench_function("lines, words, f32", |bencher| {
        let words = || text.lines().flat_map(str::split_ascii_whitespace);
        bencher.iter(|| {
            words().filter_map(|word| word.parse::<f32>().ok()).map(f64::from).sum::<f64>()
        });
    });
    group.finish();
}

criterion_group!(benches, parse);
criterion_main!(benches);
