//! TMD ANM: parses files of the maximum length (128 KiB) into a document and reads every key.
//! Compared with parsers written with nom and binrw, which return the keys in a flat list. Also
//! reads a thousand files from disk on all cores, with and without parsing.

use std::fs;
use std::hint::black_box;
use std::io::Cursor;

use anim_formats::tmd_anm::{Document, ToIr, to_ir};
use binrw::BinRead;
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use nom::Parser as _;
use nom::number::complete::{le_i16, le_u8, le_u16};
use rayon::prelude::*;
use test_oracle::random::Rng;
use test_oracle::tmd::generate::{AnmOptions, anm};

/// Returns a file of nearly the maximum length.
fn file(seed: u64) -> Vec<u8> {
    let make = |frames| {
        anm(&mut Rng::new(seed), &AnmOptions { frames, objects: 24, ..AnmOptions::default() })
    };
    let frames = 120_000 / (make(50).len() / 50);
    make(frames)
}

/// A key in the flat list of the other parsers.
struct FlatKey {
    object: u8,
    flags: u8,
    values: [[i16; 3]; 3],
}

type Bytes<'a> = nom::IResult<&'a [u8], FlatKey>;

fn nom_key(input: &[u8]) -> Bytes<'_> {
    let (mut input, (object, flags)) = (le_u8, le_u8).parse(input)?;
    let mut values = [[0; 3]; 3];
    for (_, value) in values.iter_mut().enumerate().filter(|(bit, _)| flags & (1 << bit) != 0) {
        let (rest, (x, y, z)) = (le_i16, le_i16, le_i16).parse(input)?;
        (input, *value) = (rest, [x, y, z]);
    }
    Ok((input, FlatKey { object, flags, values }))
}

fn with_nom(file: &[u8]) -> Vec<FlatKey> {
    let (input, (_, _, count)) =
        (le_u16::<_, nom::error::Error<&[u8]>>, le_i16, le_u16).parse(file).unwrap();
    let (_, table) =
        nom::multi::count(le_u16::<_, nom::error::Error<&[u8]>>, usize::from(count) + 1)
            .parse(input)
            .unwrap();
    let mut keys = Vec::new();
    for span in table.windows(2) {
        let mut frame = &file[usize::from(span[0]) * 2..usize::from(span[1]) * 2];
        while !frame.is_empty() {
            let (rest, key) = nom_key(frame).unwrap();
            keys.push(key);
            frame = rest;
        }
    }
    keys
}

#[binrw::binread]
#[br(little)]
struct BinHeader {
    _magic: u16,
    _rate: i16,
    #[br(temp)]
    count: u16,
    #[br(count = usize::from(count) + 1)]
    table: Vec<u16>,
}

#[derive(BinRead)]
#[br(little)]
struct BinKey {
    object: u8,
    flags: u8,
    #[br(if(flags & 1 != 0))]
    rotation: [i16; 3],
    #[br(if(flags & 2 != 0))]
    scale: [i16; 3],
    #[br(if(flags & 4 != 0))]
    position: [i16; 3],
}

fn with_binrw(file: &[u8]) -> Vec<FlatKey> {
    let mut cursor = Cursor::new(file);
    let header = BinHeader::read(&mut cursor).unwrap();
    let mut keys = Vec::new();
    for span in header.table.windows(2) {
        cursor.set_position(u64::from(span[0]) * 2);
        while cursor.position() < u64::from(span[1]) * 2 {
            let BinKey { object, flags, rotation, scale, position } =
                BinKey::read(&mut cursor).unwrap();
            keys.push(FlatKey { object, flags, values: [rotation, scale, position] });
        }
    }
    keys
}

/// Returns a sum over all keys, so that none of them is optimised away.
fn sum(keys: &[FlatKey]) -> i64 {
    keys.iter()
        .map(|key| {
            i64::from(key.object)
                + i64::from(key.flags)
                + key.values.as_flattened().iter().copied().map(i64::from).sum::<i64>()
        })
        .sum()
}

fn with_document(file: &[u8]) -> Vec<FlatKey> {
    let document = Document::parse(file).unwrap().value;
    let mut keys = Vec::new();
    for frame in document.frames() {
        for key in frame.keys() {
            let values = [key.rotation, key.scale, key.position].map(Option::unwrap_or_default);
            keys.push(FlatKey { object: key.object, flags: key.flags(), values });
        }
    }
    keys
}

/// Returns a file of the maximum length in which every frame spans the whole file. A reader that
/// expands the frames would get half a billion two-byte keys.
fn bomb() -> Vec<u8> {
    let frames = 32_766_u16;
    let mut file = [0x8000, 30, frames].map(u16::to_le_bytes).concat();
    file.extend(
        (0..=frames)
            .flat_map(|frame| if frame % 2 == 0 { frames + 4 } else { u16::MAX }.to_le_bytes()),
    );
    file.resize(131_070, 0);
    file
}

fn parse(criterion: &mut Criterion) {
    let files: Vec<Vec<u8>> = (0..64).map(file).collect();
    let bytes: usize = files.iter().map(Vec::len).sum();
    let expected: Vec<i64> = files.iter().map(|file| sum(&with_nom(file))).collect();
    let mut group = criterion.benchmark_group("tmd_anm");
    group.throughput(Throughput::Bytes(bytes as u64));
    group.bench_function("memcpy", |bencher| bencher.iter(|| files.clone()));
    group.bench_function("document", |bencher| {
        bencher.iter(|| {
            files
                .iter()
                .map(|file| Document::parse(&file[..]).unwrap().value.frame_count())
                .sum::<usize>()
        });
    });
    assert_eq!(files.iter().map(|file| sum(&with_document(file))).collect::<Vec<_>>(), expected);
    group.bench_function("document, keys in a list", |bencher| {
        bencher.iter(|| files.iter().map(|file| with_document(file).len()).sum::<usize>())
    });
    group.bench_function("nom", |bencher| {
        bencher.iter(|| files.iter().map(|file| with_nom(file).len()).sum::<usize>())
    });
    assert_eq!(files.iter().map(|file| sum(&with_binrw(file))).collect::<Vec<_>>(), expected);
    group.bench_function("binrw", |bencher| {
        bencher.iter(|| files.iter().map(|file| with_binrw(file).len()).sum::<usize>())
    });
    let bomb = bomb();
    assert!(Document::parse(&bomb[..]).is_err());
    group.bench_function("overlap bomb", |bencher| {
        bencher.iter(|| Document::parse(&bomb[..]).is_err())
    });
    group.bench_function("scene", |bencher| {
        let documents: Vec<Document<'_>> =
            files.iter().map(|file| Document::parse(&file[..]).unwrap().value).collect();
        bencher.iter(|| {
            documents
                .iter()
                .map(|document| to_ir(document, &ToIr::default()).value.timelines.len())
                .sum::<usize>()
        });
    });
    group.finish();
}

fn batch(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().unwrap();
    let paths: Vec<_> =
        (0..1000).map(|number| folder.path().join(format!("{number}.anm"))).collect();
    let mut bytes = 0;
    for (seed, path) in (0..).zip(&paths) {
        let file = file(seed % 50);
        bytes += file.len() as u64;
        fs::write(path, file).unwrap();
    }
    let mut group = criterion.benchmark_group("tmd_anm/1000 files on all cores");
    group.throughput(Throughput::Bytes(bytes)).sample_size(10);
    group.bench_function("read", |bencher| {
        bencher.iter_batched(
            || (),
            |()| {
                paths.par_iter().map(|path| black_box(fs::read(path).unwrap()).len()).sum::<usize>()
            },
            BatchSize::PerIteration,
        );
    });
    group.bench_function("read and parse", |bencher| {
        let parse = |bytes: Vec<u8>| Document::parse(bytes).unwrap().value.frame_count();
        bencher.iter_batched(
            || (),
            |()| paths.par_iter().map(|path| parse(fs::read(path).unwrap())).sum::<usize>(),
            BatchSize::PerIteration,
        );
    });
    group.finish();
}

criterion_group!(benches, parse, batch);
criterion_main!(benches);
