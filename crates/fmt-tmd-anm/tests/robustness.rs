//! No input makes the readers panic, and none costs more than its size: cut files, flipped bytes,
//! files that are as large as can be.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "tests fail loudly"
)]

mod common;

use std::time::{Duration, Instant};

use anim_ir::{Diagnostics, EulerOrder, Interpolation, LimitError, Limits, Severity};
use fmt_tmd_anm::{
    CameraDocument, CameraSequence, CameraToIr, Document, FromIr, Key, NewFrame, ParseError,
    ParseOptions, Sequence, ToIr, camera_to_ir, codes, from_ir, sniff, sniff_camera, to_ir,
};
use proptest::prelude::*;
use test_oracle::generate::Rng;
use test_oracle::generate_tmd::{self, AncOptions, AnmCase, AnmOptions};

/// Everything that can be done with a file, as either format: read, write back, edit, make a scene,
/// check it, write that.
fn exercise(bytes: &[u8]) {
    sniff(bytes);
    sniff_camera(bytes);
    if let Ok(parsed) = Document::parse(bytes) {
        assert_eq!(parsed.value.to_bytes(), bytes, "unedited, every byte");
        check_diagnostics(&parsed.diagnostics, bytes);
        for frame in parsed.value.frames() {
            assert_eq!(
                frame.keys().map(|key| key.size()).sum::<usize>() + frame.rest().len(),
                frame.bytes().len()
            );
            assert_eq!(&bytes[frame.span().start..frame.span().end], frame.bytes());
        }
        for options in [
            ToIr::default(),
            ToIr {
                objects: Some(3),
                hold: true,
                interpolation: Interpolation::Cubic,
                unit: 1e38,
                ..ToIr::default()
            },
        ] {
            let scene = to_ir(&[&parsed.value, &parsed.value], &options).value;
            let problems = anim_ir::validate(&scene);
            assert!(problems.is_empty(), "{problems:?}");
            from_ir(
                &scene,
                &FromIr {
                    split: true,
                    unit: options.unit,
                    rotation_order: EulerOrder::Yxz,
                    ..FromIr::default()
                },
            )
            .unwrap();
        }
        let sequence = Sequence::of(&parsed.value);
        if let Ok(documents) = sequence.split() {
            let again = Sequence::join(&documents.iter().collect::<Vec<_>>(), None).unwrap().value;
            assert_eq!(again, sequence);
        }
    }
    if let Ok(parsed) = CameraDocument::parse(bytes) {
        assert_eq!(parsed.value.to_bytes(), bytes, "unedited, every byte");
        check_diagnostics(&parsed.diagnostics, bytes);
        for options in [
            CameraToIr::default(),
            CameraToIr { frames_per_second: Some(1e-38), unit: 3e38, ..CameraToIr::default() },
        ] {
            let problems = anim_ir::validate(&camera_to_ir(&parsed.value, &options).value);
            assert!(problems.is_empty(), "{problems:?}");
        }
        let sequence = CameraSequence::of(&parsed.value);
        assert_eq!(CameraSequence::of(&sequence.write().unwrap()).keys, sequence.keys);
    }
}

fn check_diagnostics(diagnostics: &Diagnostics, bytes: &[u8]) {
    for diagnostic in diagnostics {
        if let Some(span) = diagnostic.span {
            assert!(span.start <= span.end && span.end <= bytes.len(), "{diagnostic:?}");
        }
        assert!(diagnostic.message.len() <= 200, "{}", diagnostic.message);
    }
}

fn small_fixtures() -> impl Iterator<Item = (String, Vec<u8>)> {
    common::fixtures().into_iter().filter(|(_, bytes)| bytes.len() < 4 << 10)
}

#[test]
fn every_truncation_of_every_small_file() {
    for (_, bytes) in small_fixtures() {
        for length in 0..=bytes.len() {
            exercise(&bytes[..length]);
        }
    }
}

#[test]
fn every_byte_flipped() {
    for (_, mut bytes) in small_fixtures() {
        for at in 0..bytes.len().min(200) {
            for mask in [0x01, 0x10, 0xff] {
                bytes[at] ^= mask;
                exercise(&bytes);
                bytes[at] ^= mask;
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// A header that is right, places that are anything.
    #[test]
    fn any_table(table in prop::collection::vec(0_u16..60, 1..12), body in prop::collection::vec(any::<u8>(), 0..100), rate in any::<i16>()) {
        let mut bytes = vec![0, 0x80];
        bytes.extend(rate.to_le_bytes());
        bytes.extend((table.len() as u16 - 1).to_le_bytes());
        bytes.extend(table.iter().flat_map(|place| place.to_le_bytes()));
        bytes.extend(body);
        exercise(&bytes);
    }

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..100)) {
        exercise(&bytes);
    }
}

/// T02: what is cut is never taken for a whole file with fewer frames.
#[test]
fn every_prefix_of_a_valid_file_is_an_error() {
    for seed in 0..10 {
        let bytes = generate_tmd::anm(
            &mut Rng::new(seed),
            &AnmOptions { case: AnmCase::Canonical, frames: 8, objects: 4 },
        );
        assert_eq!(Document::parse(&bytes[..]).unwrap().diagnostics.worst(), None);
        for length in 0..bytes.len() {
            let worst = Document::parse(&bytes[..length]).map(|parsed| parsed.diagnostics.worst());
            assert!(
                worst.is_err() || worst == Ok(Some(Severity::Error)),
                "{length} of {}: {worst:?}",
                bytes.len()
            );
        }
        let bytes = generate_tmd::anc(&mut Rng::new(seed), &AncOptions::default());
        for length in 0..bytes.len() {
            let worst =
                CameraDocument::parse(&bytes[..length]).map(|parsed| parsed.diagnostics.worst());
            assert!(
                worst.is_err() || worst == Ok(Some(Severity::Error)),
                "{length} of {}: {worst:?}",
                bytes.len()
            );
        }
    }
}

/// A header and a table; what follows is zero.
fn with_table(table: &[u16], length: usize) -> Vec<u8> {
    let mut bytes = vec![0, 0x80, 30, 0];
    bytes.extend((table.len() as u16 - 1).to_le_bytes());
    bytes.extend(table.iter().flat_map(|place| place.to_le_bytes()));
    bytes.resize(length.max(bytes.len()), 0);
    bytes
}

fn best_of_five(mut run: impl FnMut()) -> Duration {
    let time = |_| {
        let start = Instant::now();
        run();
        start.elapsed()
    };
    (0..5).map(time).min().unwrap()
}

/// T10: half a billion keys in 128 KiB are refused by the table alone.
#[test]
fn a_bomb_of_reversed_places() {
    let table: Vec<u16> =
        (0..32_767).map(|entry| if entry % 2 == 0 { 32_770 } else { 65_535 }).collect();
    let bytes = with_table(&table, 131_070);
    let error = Document::parse(&bytes[..]).unwrap_err();
    let ParseError::Limit(LimitError { found, most, .. }) = error else { panic!("{error}") };
    assert_eq!((found, most), (2 * 536_788_995, 131_070));
    let time = best_of_five(|| drop(Document::parse(&bytes[..])));
    assert!(time < Duration::from_millis(if cfg!(debug_assertions) { 10 } else { 1 }), "{time:?}");
}

/// Frames that share bytes are fine while they add up to no more than a file can have.
#[test]
fn a_table_that_goes_back_a_little() {
    let mut table = vec![20; 12];
    table[5] = 40;
    let parsed = Document::parse(with_table(&table, 80)).unwrap();
    assert_eq!(
        (parsed.diagnostics.count(&codes::REVERSED), parsed.value.frame(4).unwrap().keys().count()),
        (1, 20)
    );
}

/// T22, and T23: as many frames, and as many keys in one frame, as there can be.
#[test]
fn as_many_as_there_can_be() {
    let empty =
        Sequence { rate: 30, frames: vec![NewFrame::default(); 65_531], trailing: Vec::new() }
            .write()
            .unwrap();
    let parsed = Document::parse(empty.to_bytes()).unwrap();
    assert!(parsed.diagnostics.is_empty());
    assert_eq!((parsed.value.frame_count(), parsed.value.objects()), (65_531, 0));

    let keys = (0..65_530_u32)
        .map(|number| Key { object: (number % 200) as u8, ..Key::default() })
        .collect();
    let full = Sequence { rate: 30, frames: vec![NewFrame::new(keys)], trailing: Vec::new() }
        .write()
        .unwrap();
    assert_eq!(full.to_bytes().len(), 131_070);
    let parsed = Document::parse(full.to_bytes()).unwrap();
    let said: Vec<&str> =
        parsed.diagnostics.iter().map(|diagnostic| diagnostic.message.as_str()).collect();
    assert_eq!(
        said,
        ["frame 0 has another key for object 0, and 65329 more keys like it"],
        "all are counted, one is listed"
    );
    assert_eq!(parsed.value.frame(0).unwrap().drawn().count(), 200);
    for document in [&empty, &full] {
        let time = best_of_five(|| {
            let document = Document::parse(document.to_bytes()).unwrap().value;
            to_ir(&[&document], &ToIr::default());
        });
        assert!(time < Duration::from_millis(500), "{time:?}");
    }
}

/// Limits hold, and what is left out for them is told.
#[test]
fn limits_hold() {
    let bytes = generate_tmd::anm(&mut Rng::new(1), &AnmOptions::default());
    let parse = |input_bytes| {
        Document::parse_with(
            &bytes[..],
            &ParseOptions { limits: Limits { input_bytes, ..Limits::default() } },
        )
    };
    assert!(parse(bytes.len()).is_ok());
    assert!(matches!(parse(bytes.len() - 1), Err(ParseError::Limit(_))));
    let document = parse(bytes.len()).unwrap().value;
    let scene = to_ir(
        &[&document],
        &ToIr { limits: Limits { samples: 10, ..Limits::default() }, ..ToIr::default() },
    );
    assert_eq!(scene.losses.count(&codes::SCENE_LIMIT), 1);
    assert!(
        scene.value.clips[0].end < document.frame_count() as f32 / document.frames_per_second()
    );
    assert!(anim_ir::validate(&scene.value).is_empty());
}

/// Rates at which f32 cannot tell frames apart, and numbers that are no rate and no unit.
#[test]
fn odd_numbers_for_options() {
    let bytes =
        generate_tmd::anm(&mut Rng::new(2), &AnmOptions { frames: 100, ..AnmOptions::default() });
    let document = Document::parse(&bytes[..]).unwrap().value;
    for number in
        [f32::MIN_POSITIVE, 1e-45, 1e-30, 1e30, f32::MAX, f32::INFINITY, f32::NAN, 0.0, -1.0]
    {
        let options = ToIr { frames_per_second: Some(number), unit: number, ..ToIr::default() };
        let scene = to_ir(&[&document, &document], &options).value;
        let problems = anim_ir::validate(&scene);
        assert!(
            problems.is_empty() && !scene.timelines[0].tracks().is_empty(),
            "{number}: {problems:?}"
        );
    }
}
