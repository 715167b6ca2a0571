//! No input makes the reader panic, and none costs more than its size: cut files, flipped bytes,
//! objects that share everything.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::cast_possible_truncation,
    reason = "tests fail loudly"
)]

mod common;

use std::time::{Duration, Instant};

use anim_ir::{Limits, Severity};
use model_tmd::{Document, ParseError, ParseOptions, ToIr, sniff, to_ir};
use proptest::prelude::*;

/// Everything that can be done with a file: read, look at everything, write back, make a scene.
fn exercise(bytes: &[u8]) -> bool {
    sniff(bytes);
    let Ok(parsed) = Document::parse(bytes) else { return false };
    let document = parsed.value;
    assert_eq!(&document.to_bytes()[..], bytes);
    for diagnostic in &parsed.diagnostics {
        let span = diagnostic.span.unwrap();
        assert!(span.start < span.end && span.end <= bytes.len(), "{diagnostic:?}");
        assert!(diagnostic.message.len() <= 500, "{}", diagnostic.message);
    }
    for object in document.objects() {
        assert_eq!(document.vertices(object).len(), object.vertices.len() / 8);
        assert_eq!(document.normals(object).len(), object.normals.len() / 8);
        let packets: Vec<_> = document.packets(object).collect();
        assert!(packets.len() <= object.n_primitive as usize);
        // Back to back, and nothing is left over.
        assert!(packets.windows(2).all(|pair| pair[0].span.end == pair[1].span.start));
        assert_eq!(
            packets.iter().map(|packet| packet.span.len()).sum::<usize>(),
            object.packets.len()
        );
    }
    for options in [ToIr::default(), ToIr { unit: 0.001, apply_scale: true }] {
        let problems = anim_ir::validate(&to_ir(&document, &options).value);
        assert!(problems.is_empty(), "{problems:?}");
    }
    true
}

/// A header has 12 bytes.
#[test]
fn every_truncation_of_every_fixture() {
    for (name, bytes) in common::fixtures(&["ok", "warn", "err"]) {
        for length in 0..bytes.len() {
            assert!(!exercise(&bytes[..length]) || length >= 12, "{name} {length}");
        }
        exercise(&bytes);
    }
}

/// Something of its objects is missing, wherever it is cut.
#[test]
fn a_cut_file_is_never_fine() {
    let (_, bytes) = common::fixtures(&["ok"])
        .into_iter()
        .find(|(name, _)| name == "ok/two_objects.tmd")
        .unwrap();
    let table_end = 12 + 2 * 28;
    for length in table_end..bytes.len() {
        assert_eq!(
            Document::parse(&bytes[..length]).unwrap().diagnostics.worst(),
            Some(Severity::Error),
            "{length}"
        );
    }
}

#[test]
fn every_byte_flipped() {
    let (mut read, mut tried) = (0, 0);
    for (_, mut bytes) in common::fixtures(&["ok", "warn", "err"]) {
        for at in 0..bytes.len() {
            for mask in [0x01, 0x10, 0x80, 0xff] {
                bytes[at] ^= mask;
                read += u32::from(exercise(&bytes));
                tried += 1;
                bytes[at] ^= mask;
            }
        }
    }
    assert!(read > tried / 2, "most of them are still files: {read} of {tried}");
}

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn any_packets(packets in prop::collection::vec(any::<u8>(), 0..300), fixp in 0_u32..2, numbers in prop::array::uniform7(0_u32..120)) {
        let mut bytes = words(&[0x41, fixp, 1]);
        bytes.extend(words(&numbers));
        bytes.extend(packets);
        prop_assert!(exercise(&bytes));
    }

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..100)) {
        exercise(&[b"\x41\0\0\0", &bytes[..]].concat());
    }
}

/// Objects with the same packets: `objects` entries for `packets` black dots at their only vertex.
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

/// As if 28 bytes a time asked for a megabyte again and again.
#[test]
fn objects_that_share_too_much_are_refused_in_no_time() {
    let bytes = shared(40_000, 100_000);
    let start = Instant::now();
    let error = Document::parse(&bytes[..]).unwrap_err();
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    assert!(matches!(error, ParseError::Limit(_)), "{error}");
    // A few may.
    let parsed = Document::parse(shared(20, 1_000)).unwrap();
    assert!(parsed.diagnostics.is_empty());
    assert_eq!(
        parsed
            .value
            .objects()
            .iter()
            .map(|object| parsed.value.packets(object).count())
            .sum::<usize>(),
        20_000
    );
}

/// A count that the file does not cover costs nothing.
#[test]
fn counts_are_not_believed() {
    for field in 0..6 {
        let mut numbers = [28, 0, 28, 0, 28, 0, 0];
        numbers[field] = u32::MAX;
        let bytes = [words(&[0x41, 0, 1]), words(&numbers), vec![0; 64]].concat();
        assert!(exercise(&bytes), "{field}");
    }
    assert_eq!(
        Document::parse(words(&[0x41, 0, u32::MAX])).unwrap_err().to_string(),
        "the object table needs 120259084272 bytes, the file has 12"
    );
    let options = ParseOptions { limits: Limits { input_bytes: 100, ..Limits::default() } };
    assert_eq!(
        Document::parse_with(vec![0; 101], &options).unwrap_err().to_string(),
        "the input has 101 bytes, more than the limit of 100"
    );
}

/// A million packets that are wrong: counted, not kept.
#[test]
fn a_million_wrong_packets() {
    let mut bytes = words(&[0x41, 0, 1, 0, 0, 0, 0, 28, 1_000_000, 0]);
    bytes.extend(words(&[0x8000_0000]).repeat(1_000_000));
    let parsed = Document::parse(&bytes[..]).unwrap();
    assert_eq!(
        (parsed.diagnostics.iter().count(), parsed.diagnostics.total(Severity::Warning)),
        (10, 1_000_000)
    );
}

/// Eight times the input must not take much more than eight times as long.
#[test]
fn time_is_linear() {
    // Lines between vertices of which each packet uses others, in objects of a hundred.
    let file = |objects: u32| {
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
    };
    let time = |objects: u32| {
        let bytes = file(objects);
        let start = Instant::now();
        let document = Document::parse(&bytes[..]).unwrap().value;
        assert_eq!(to_ir(&document, &ToIr::default()).value.meshes.len(), objects as usize);
        start.elapsed().as_secs_f64()
    };
    time(500);
    let (small, great) = (
        (0..3).map(|_| time(500)).fold(f64::MAX, f64::min),
        (0..3).map(|_| time(4_000)).fold(f64::MAX, f64::min),
    );
    assert!(great < small * 8.0 * 4.0, "{small} s and {great} s");
}
