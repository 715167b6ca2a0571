//! The readers never panic, and time and memory are proportional to input size. In addition to the
//! common suite, these tests use arbitrary tables and files of the maximum size.

use anim_ir::{EulerOrder, LimitError, Limits, ParseErrorKind, Severity, validate};
use conformance::Growth;
use fmt_tmd_anm::{
    CameraDocument, CameraSequence, CameraToIr, Document, FromIr, Key, NewFrame, ParseError,
    Sequence, ToIr, camera_to_ir, codes, from_ir, parts_to_ir, to_ir,
};
use proptest::prelude::*;
use test_oracle::random::Rng;
use test_oracle::tmd::generate::{self, AncOptions, AnmCase, AnmOptions};

/// Checks in addition to the common suite: the keys of a frame and the rest cover its bytes,
/// extreme options produce valid scenes, and files can be joined, split and joined again.
pub(crate) fn also(bytes: &[u8]) {
    if let Ok(parsed) = Document::parse(bytes) {
        for frame in parsed.value.frames() {
            let keys: usize = frame.keys().map(|key| key.size()).sum();
            assert_eq!(keys + frame.rest().len(), frame.bytes().len());
            assert_eq!(&bytes[frame.span().start..frame.span().end], frame.bytes());
        }
        let options =
            ToIr::default().with_objects(Some(3)).with_hold(true).with_linear(true).with_unit(1e38);
        let scene = parts_to_ir(&[&parsed.value, &parsed.value], &options).value;
        let problems = validate(&scene);
        assert!(problems.is_empty(), "{problems:?}");
        let options = FromIr::default()
            .with_split(true)
            .with_unit(options.unit)
            .with_rotation_order(EulerOrder::Yxz);
        from_ir(&scene, &options).unwrap();
        let sequence = Sequence::of(&parsed.value);
        if let Ok(documents) = sequence.split() {
            let again = Sequence::join(&documents.iter().collect::<Vec<_>>(), None).unwrap().value;
            assert_eq!(again, sequence);
        }
    }
    if let Ok(parsed) = CameraDocument::parse(bytes) {
        let options = CameraToIr::default().with_frames_per_second(Some(1e-38)).with_unit(3e38);
        let problems = validate(&camera_to_ir(&parsed.value, &options).value);
        assert!(problems.is_empty(), "{problems:?}");
        let sequence = CameraSequence::of(&parsed.value);
        assert_eq!(CameraSequence::of(&sequence.write().unwrap()).keys, sequence.keys);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// A valid header with arbitrary offsets.
    #[test]
    fn any_table(
        table in prop::collection::vec(0_u16..60, 1..12),
        body in prop::collection::vec(any::<u8>(), 0..100),
        rate in any::<i16>(),
    ) {
        let mut bytes = vec![0, 0x80];
        bytes.extend(rate.to_le_bytes());
        bytes.extend((table.len() as u16 - 1).to_le_bytes());
        bytes.extend(table.iter().flat_map(|place| place.to_le_bytes()));
        bytes.extend(body);
        crate::conformance().exercise(&bytes);
    }

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..100)) {
        crate::conformance().exercise(&bytes);
    }
}

/// T02: a truncated file is never mistaken for a complete file with fewer frames.
#[test]
fn every_prefix_of_a_valid_file_is_an_error() {
    fn check(bytes: &[u8], worst: fn(&[u8]) -> Result<Option<Severity>, ParseError>) {
        for length in 0..bytes.len() {
            let worst = worst(&bytes[..length]);
            let is_error = worst.is_err() || worst == Ok(Some(Severity::Error));
            assert!(is_error, "{length} of {}: {worst:?}", bytes.len());
        }
    }
    for seed in 0..10 {
        let options = AnmOptions { case: AnmCase::Canonical, frames: 8, objects: 4 };
        let bytes = generate::anm(&mut Rng::new(seed), &options);
        assert_eq!(Document::parse(&bytes[..]).unwrap().diagnostics.worst(), None);
        check(&bytes, |bytes| Ok(Document::parse(bytes)?.diagnostics.worst()));
        let bytes = generate::anc(&mut Rng::new(seed), &AncOptions::default());
        check(&bytes, |bytes| Ok(CameraDocument::parse(bytes)?.diagnostics.worst()));
    }
}

/// Returns a file with the given table, padded with zeros to the given length.
fn with_table(table: &[u16], length: usize) -> Vec<u8> {
    let mut bytes = vec![0, 0x80, 30, 0];
    bytes.extend((table.len() as u16 - 1).to_le_bytes());
    bytes.extend(table.iter().flat_map(|place| place.to_le_bytes()));
    bytes.resize(length.max(bytes.len()), 0);
    bytes
}

/// T10: half a billion keys in 128 KiB are rejected based on the table alone.
#[test]
fn a_bomb_of_reversed_offsets_is_rejected() {
    let table: Vec<u16> =
        (0..32_767).map(|entry| if entry % 2 == 0 { 32_770 } else { 65_535 }).collect();
    let bytes = with_table(&table, 131_070);
    let error = Document::parse(&bytes[..]).unwrap_err();
    let ParseErrorKind::Limit(LimitError { found, most, .. }) = error.kind() else {
        panic!("{error}")
    };
    assert_eq!((found, most), (2 * 536_788_995, 131_070));
}

/// Frames may share bytes as long as their total size does not exceed that of the largest file.
#[test]
fn a_slightly_descending_table_is_accepted() {
    let mut table = vec![20; 12];
    table[5] = 40;
    let parsed = Document::parse(with_table(&table, 80)).unwrap();
    assert_eq!(parsed.diagnostics.count(&codes::REVERSED), 1);
    assert_eq!(parsed.value.frame(4).unwrap().keys().count(), 20);
}

/// T22 and T23: the maximum number of frames, and of keys in one frame.
#[test]
fn the_maximum_numbers_of_frames_and_keys_can_be_read() {
    let empty = file(vec![NewFrame::default(); 65_531]);
    let parsed = Document::parse(empty).unwrap();
    assert!(parsed.diagnostics.is_empty());
    assert_eq!((parsed.value.frame_count(), parsed.value.objects()), (65_531, 0));

    let full = file(vec![NewFrame::new(keys(65_530))]);
    assert_eq!(full.len(), 131_070);
    let parsed = Document::parse(full).unwrap();
    let said: Vec<&str> = parsed.diagnostics.iter().map(|found| &*found.message).collect();
    // All duplicates are counted, but only one is listed.
    assert_eq!(said, ["duplicate key for object 0 in frame 0 (and 65329 more)"]);
    assert_eq!(parsed.value.frame(0).unwrap().drawn().count(), 200);
}

fn file(frames: Vec<NewFrame>) -> Vec<u8> {
    let sequence = Sequence { rate: 30, frames, trailing: Vec::new() };
    sequence.write().unwrap().to_bytes().into_owned()
}

fn keys(count: usize) -> Vec<Key> {
    (0..count).map(|number| Key { object: (number % 200) as u8, ..Key::default() }).collect()
}

/// Frames without keys, and one frame with keys.
pub(crate) fn growth() -> Vec<Growth> {
    vec![
        ("frames", 16_000, |count| file(vec![NewFrame::default(); count])),
        ("keys of one frame", 16_000, |count| file(vec![NewFrame::new(keys(count))])),
    ]
}

/// Frames that are dropped because of limits are reported.
#[test]
fn limits_hold() {
    let bytes = generate::anm(&mut Rng::new(1), &AnmOptions::default());
    let document = Document::parse(&bytes[..]).unwrap().value;
    let limits = Limits { memory: Some(4 * 64 * 10), ..Limits::default() };
    let scene = to_ir(&document, &ToIr::default().with_limits(limits));
    assert_eq!(scene.losses.count(&codes::SCENE_LIMIT), 1);
    let duration = document.frame_count() as f32 / document.frames_per_second();
    assert!(scene.value.clips[0].end < duration);
    assert!(validate(&scene.value).is_empty());
}

/// Rates at which f32 cannot distinguish frames, and invalid rates and units.
#[test]
fn extreme_option_values_do_not_panic() {
    let hundred = AnmOptions { frames: 100, ..AnmOptions::default() };
    let bytes = generate::anm(&mut Rng::new(2), &hundred);
    let document = Document::parse(&bytes[..]).unwrap().value;
    let least = f64::from(f32::MIN_POSITIVE);
    for number in [least, 1e-300, 1e-45, 1e-30, 1e30, f64::MAX, f64::INFINITY, f64::NAN, 0.0, -1.0]
    {
        let options = ToIr::default().with_frames_per_second(Some(number)).with_unit(number as f32);
        let scene = parts_to_ir(&[&document, &document], &options).value;
        let problems = validate(&scene);
        assert!(problems.is_empty(), "{number}: {problems:?}");
        assert!(!scene.timelines[0].tracks().is_empty(), "{number}");
    }
}

/// The frames of a table this long start behind the part of the file that offsets can address.
#[test]
fn a_table_that_is_too_long_is_rejected() {
    let frames = 65_532;
    let error = Document::parse(with_table(&vec![0; frames + 1], 0)).unwrap_err();
    assert!(error.to_string().contains("too many frames: 65532"), "{error}");
}
