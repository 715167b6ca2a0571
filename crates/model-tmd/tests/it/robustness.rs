//! The reader never panics, and time and memory are proportional to input size. In addition to the
//! common suite, these tests use arbitrary packets and objects that share all of their data.

use anim_ir::{Limits, ParseErrorKind, Severity};
use conformance::Growth;
use model_tmd::{Document, ParseOptions, ToIr, to_ir};
use proptest::prelude::*;
use test_oracle::fixtures;

/// Checks in addition to the common suite: views of an object cover its bytes, and scaled scenes
/// are valid.
pub(crate) fn also(bytes: &[u8]) {
    let Ok(parsed) = Document::parse(bytes) else { return };
    assert!(bytes.len() >= 12, "a header");
    let document = parsed.value;
    for object in document.objects() {
        assert_eq!(document.vertices(object).len(), object.vertices.len() / 8);
        assert_eq!(document.normals(object).len(), object.normals.len() / 8);
        let packets: Vec<_> = document.packets(object).collect();
        assert!(packets.len() <= object.n_primitive as usize);
        // Packets are contiguous and complete.
        assert!(packets.windows(2).all(|pair| pair[0].span.end == pair[1].span.start));
        let length: usize = packets.iter().map(|packet| packet.span.len()).sum();
        assert_eq!(length, object.packets.len());
    }
    let options = ToIr::default().with_unit(0.001).with_apply_scale(true);
    let problems = anim_ir::validate(&to_ir(&document, &options).value);
    assert!(problems.is_empty(), "{problems:?}");
}

/// Runs all operations on a file that can be read.
fn exercise(bytes: &[u8]) {
    Document::parse(bytes).unwrap();
    crate::conformance().exercise(bytes);
}

/// A file that is truncated after the object table always has an error.
#[test]
fn a_truncated_file_is_never_valid() {
    let bytes = std::fs::read(fixtures::folder("tmd").join("ok/two_objects.tmd")).unwrap();
    let table_end = 12 + 2 * 28;
    for length in table_end..bytes.len() {
        let worst = Document::parse(&bytes[..length]).unwrap().diagnostics.worst();
        assert_eq!(worst, Some(Severity::Error), "{length}");
    }
}

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn any_packets(
        packets in prop::collection::vec(any::<u8>(), 0..300),
        fixp in 0_u32..2,
        numbers in prop::array::uniform7(0_u32..120),
    ) {
        let mut bytes = words(&[0x41, fixp, 1]);
        bytes.extend(words(&numbers));
        bytes.extend(packets);
        exercise(&bytes);
    }

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..100)) {
        crate::conformance().exercise(&[b"\x41\0\0\0", &bytes[..]].concat());
    }
}

/// A file with `objects` entries in its object table, all of which share one vertex and `packets`
/// packets that draw black dots at it.
fn shared(objects: u32, packets: u32) -> Vec<u8> {
    let table = 28 * objects;
    let mut bytes = words(&[0x41, 0, objects]);
    for _ in 0..objects {
        bytes.extend(words(&[table, 1, 0, 0, table + 8, packets, 0]));
    }
    bytes.extend([0; 8]);
    bytes.extend(words(&[0x4001_0203, 0, 0]).repeat(packets as usize));
    bytes
}

/// Without the limit, every 28-byte entry could cause another megabyte of work.
#[test]
fn objects_that_share_too_much_are_rejected() {
    let bytes = shared(40_000, 100_000);
    let error = Document::parse(&bytes[..]).unwrap_err();
    assert!(matches!(error.kind(), ParseErrorKind::Limit(_)), "{error}");
    // Sharing a few packets is allowed.
    let parsed = Document::parse(shared(20, 1_000)).unwrap();
    assert!(parsed.diagnostics.is_empty());
    let counts = parsed.value.objects().iter().map(|object| parsed.value.packets(object).count());
    assert_eq!(counts.sum::<usize>(), 20_000);
}

/// The packets of all objects together may take 1 MiB more than four times the file.
#[test]
fn the_limit_on_shared_packets_is_exact() {
    let bytes = shared(207, 440);
    assert_eq!(12 * 207 * 440, 4 * bytes.len() + (1 << 20));
    assert!(Document::parse(bytes).is_ok());
    assert!(Document::parse(shared(207, 441)).is_err());
}

/// A declared count that exceeds the file does not allocate memory.
#[test]
fn declared_counts_are_not_trusted() {
    for field in 0..6 {
        let mut numbers = [28, 0, 28, 0, 28, 0, 0];
        numbers[field] = u32::MAX;
        let bytes = [words(&[0x41, 0, 1]), words(&numbers), vec![0; 64]].concat();
        exercise(&bytes);
    }
    assert_eq!(
        Document::parse(words(&[0x41, 0, u32::MAX])).unwrap_err().to_string(),
        "the object table needs 120259084272 bytes, but the file has 12"
    );
    let options =
        ParseOptions::default().with_limits(Limits { input_bytes: 100, ..Limits::default() });
    assert_eq!(
        Document::parse_with(vec![0; 101], &options).unwrap_err().to_string(),
        "the input must not exceed 100 bytes (found 101)"
    );
}

/// A million invalid packets are counted, but not all are kept.
#[test]
fn a_million_invalid_packets_are_counted() {
    let mut bytes = words(&[0x41, 0, 1, 0, 0, 0, 0, 28, 1_000_000, 0]);
    bytes.extend(words(&[0x8000_0000]).repeat(1_000_000));
    let parsed = Document::parse(&bytes[..]).unwrap();
    let found = parsed.diagnostics;
    assert_eq!((found.iter().count(), found.total(Severity::Warning)), (10, 1_000_000));
}

/// Objects with a hundred lines each, no two of which connect the same vertices.
pub(crate) fn growth() -> Vec<Growth> {
    fn file(objects: usize) -> Vec<u8> {
        let objects = objects as u32;
        let (table, object) = (28 * objects, 100 * 12 + 101 * 8);
        let mut bytes = words(&[0x41, 0, objects]);
        for number in 0..objects {
            let start = table + number * object;
            bytes.extend(words(&[start + 1200, 101, 0, 0, start, 100, 0]));
        }
        for _ in 0..objects {
            for packet in 0..100 {
                bytes.extend(words(&[0x4001_0203, packet, packet | (packet + 1) << 16]));
            }
            bytes.extend([1; 101 * 8]);
        }
        bytes
    }
    vec![("objects", 500, file)]
}
