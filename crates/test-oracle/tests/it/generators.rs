//! Tests the common properties of all generators.

use test_oracle::random::Rng;
use test_oracle::{amo, anm_text, bvh, castle, stt, tmd};

/// Generates a file for a seed.
type Generator = fn(u64) -> Vec<u8>;

const GENERATORS: [(&str, Generator); 11] = [
    ("D0", |seed| amo::generate::amo(amo::Dialect::Extobj, seed)),
    ("D1", |seed| amo::generate::amo(amo::Dialect::Spec, seed)),
    ("D1e", |seed| amo::generate::amo(amo::Dialect::Editamo, seed)),
    ("D2", |seed| amo::generate::amo(amo::Dialect::Lines, seed)),
    ("D3", |seed| amo::generate::amo(amo::Dialect::Counted, seed)),
    ("ANM text", |seed| {
        let mut rng = Rng::new(seed);
        let tree = anm_text::generate::tree(&mut rng, 12);
        let options = anm_text::generate::Options { odd: true, ..Default::default() };
        anm_text::generate::file(&mut rng, &tree, &options).into_bytes()
    }),
    ("BVH", |seed| bvh::generate::bvh(&Default::default(), &mut Rng::new(seed)).into_bytes()),
    ("castle", |seed| format!("{:?}", castle::generate::castle(seed)).into_bytes()),
    ("STT", |seed| stt::generate::file(&mut Rng::new(seed), &Default::default()).into_bytes()),
    ("ANM", |seed| tmd::generate::anm(&mut Rng::new(seed), &Default::default())),
    ("TMD", |seed| tmd::generate::model(&mut Rng::new(seed), &Default::default())),
];

#[test]
fn files_are_determined_by_the_seed() {
    for (name, make) in GENERATORS {
        let files: Vec<Vec<u8>> = (0..20).map(make).collect();
        for (seed, file) in (0..).zip(&files) {
            assert!(*file == make(seed), "{name} {seed}");
            assert_eq!(files.iter().filter(|other| *other == file).count(), 1, "{name} {seed}");
        }
    }
}

/// Generates a file of approximately the given size.
type Large = fn(usize) -> Vec<u8>;

/// Generators of large files, and their size tolerance in percent.
const LARGE: [(&str, Large, usize); 8] = [
    ("AMO", amo::generate::large_amo, 5),
    ("OBJ", amo::generate::large_obj, 5),
    ("ANM text", anm_text::generate::large, 3),
    ("BVH", bvh::generate::large, 5),
    ("castle that repeats", |bytes| castle::generate::large(bytes, true), 20),
    ("castle", |bytes| castle::generate::large(bytes, false), 20),
    ("STT", |bytes| stt::generate::large(bytes, false), 3),
    ("STT on a line", |bytes| stt::generate::large(bytes, true), 3),
];

#[test]
fn large_files_have_the_requested_size() {
    for (name, make, percent) in LARGE {
        let file = make(300_000);
        assert!(file.len().abs_diff(300_000) <= 3_000 * percent, "{name}: {}", file.len());
        assert!(file == make(300_000), "{name}");
    }
}
