//! Hostile files beyond the conformance suite: corrupted output of this crate, replaced numbers,
//! and files that request a lot of memory.

use anim_gltf::{Document, FromIr, ToIr, codes, from_ir, to_ir};
use anim_ir::{JointId, Limits, ParseErrorKind, Scene};
use conformance::Growth;
use proptest::prelude::*;

use super::fixtures;
use super::round_trip::everything;
use crate::read;

pub(super) fn glb(json: &str, bin: &[u8]) -> Vec<u8> {
    let mut chunks = Vec::new();
    for (kind, content) in [(b"JSON", json.as_bytes()), (b"BIN\0", bin)] {
        chunks.extend((content.len() as u32).to_le_bytes());
        chunks.extend(kind);
        chunks.extend(content);
    }
    [b"glTF".as_slice(), &2_u32.to_le_bytes(), &(chunks.len() as u32 + 12).to_le_bytes(), &chunks]
        .concat()
}

/// Uses a GLB written by this crate, since the fixtures are JSON.
#[test]
fn truncated_and_corrupted_glbs_do_not_panic() {
    let mut bytes = from_ir(&everything(), &FromIr::default()).unwrap().value;
    let exercise = |bytes: &[u8]| crate::conformance().exercise(bytes);
    (0..=bytes.len()).step_by(3).for_each(|length| exercise(&bytes[..length]));
    for (at, mask) in (0..bytes.len()).zip([0x01, 0xff].into_iter().cycle()).step_by(3) {
        bytes[at] ^= mask;
        exercise(&bytes);
        bytes[at] ^= mask;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

    /// Replaces numbers in the JSON: counts, offsets, indices and lengths.
    #[test]
    fn replaced_numbers_do_not_panic(
        which in any::<prop::sample::Index>(),
        places in prop::collection::vec((any::<prop::sample::Index>(), 0usize..12), 1..4),
    ) {
        const NUMBERS: [&str; 12] = [
            "0", "1", "2", "3", "7", "65535", "4294967295", "4294967296", "9223372036854775807",
            "18446744073709551615", "5121", "5126",
        ];
        let files = fixtures();
        let mut text = String::from_utf8(files[which.index(files.len())].1.clone()).unwrap();
        for (place, number) in places {
            // Find integers that are not part of a name or another number.
            let found: Vec<_> = text
                .match_indices(|c: char| c.is_ascii_digit())
                .map(|(at, _)| at)
                .filter(|at| *at > 0 && text[..*at].ends_with(['\n', ' ']))
                .filter(|at| text[*at..].contains([',', '\n']))
                .collect();
            if found.is_empty() {
                continue;
            }
            let start = found[place.index(found.len())];
            let end = start + text[start..].find(|c: char| !c.is_ascii_digit()).unwrap();
            text.replace_range(start..end, NUMBERS[number]);
        }
        crate::conformance().exercise(text.as_bytes());
    }
}

#[test]
fn containers() {
    let json = r#"{"asset":{"version":"2.0"},"nodes":[{"name":"é"}]}"#;
    let good = glb(json, &[]);
    assert_eq!(read(&good).unwrap().value.skeletons[0].joints[0].name, "é");
    let document = Document::parse(&good[..]).unwrap().value;
    assert_eq!((document.is_glb(), &*document.to_bytes()), (true, &good[..]));
    let text = std::str::from_utf8(document.json()).unwrap();
    assert_eq!((text.trim_end(), document.bin()), (json, Some(&[][..])));
    let trailing = [good.as_slice(), b"more"].concat();
    let losses = read(&trailing).unwrap().losses;
    assert_eq!((losses.count(&codes::TRAILING), losses.counts().len()), (1, 1));
    let padded = glb(&format!("{json}\0\0 \0"), &[]);
    assert!(read(&padded).is_ok());
    assert!(read(&[b"\xef\xbb\xbf", json.as_bytes()].concat()).is_ok());
    let refused = |bytes: &[u8]| read(bytes).unwrap_err().to_string();
    let mut version = good.clone();
    version[4] = 1;
    assert_eq!(refused(&version), "unsupported glTF version 1; only glTF 2 is supported");
    let mut chunk = good.clone();
    chunk[12] += 100;
    assert_eq!(refused(&chunk), "invalid GLB: chunk 0 extends past the end of the file");
    let mut kind = good.clone();
    kind[16..20].copy_from_slice(b"BIN\0");
    assert_eq!(refused(&kind), "invalid GLB: the first chunk is not JSON");
    assert_eq!(
        refused(&good[..20]),
        format!("invalid GLB: expected {} bytes, found 20", good.len())
    );
    let mut utf8 = good;
    let at = utf8.len() - 15;
    utf8[at] = 0xff;
    let error = read(&utf8).unwrap_err();
    assert!(error.to_string().starts_with("line 1, column "), "{error}");
    assert_eq!((error.kind(), error.location()), (ParseErrorKind::Structure, None));
    let error = read(b"{\"asset\":\r\n  ?}").unwrap_err();
    assert_eq!(error.to_string(), "line 2, column 3: expected a value");
}

/// Returns a hierarchy of nodes with at most one child each.
fn nodes(count: usize, child: impl Fn(usize) -> Option<usize>) -> Vec<u8> {
    let node = |number| {
        child(number).map_or("{}".to_owned(), |child| format!(r#"{{"children":[{child}]}}"#))
    };
    let nodes = (0..count).map(node).collect::<Vec<_>>().join(",");
    format!(r#"{{"asset":{{"version":"2.0"}},"nodes":[{nodes}]}}"#).into_bytes()
}

fn chain(count: usize) -> Vec<u8> {
    nodes(count, |number| Some(number + 1).filter(|next| *next < count))
}

fn backwards(count: usize) -> Vec<u8> {
    nodes(count, |number| number.checked_sub(1))
}

fn ring(count: usize) -> Vec<u8> {
    nodes(count, |number| Some((number + 1) % count))
}

pub(crate) fn growth() -> Vec<Growth> {
    vec![
        ("a chain", 15_000, chain),
        ("a reversed chain", 15_000, backwards),
        ("a ring", 30_000, ring),
    ]
}

#[test]
fn deep_hierarchies_are_read() {
    let count = 200_000;
    let last = JointId::new(count - 2);
    for bytes in [chain(count), backwards(count)] {
        let joints = &read(&bytes).unwrap().value.skeletons[0].joints;
        assert_eq!((joints.len(), joints[count - 1].parent), (count, Some(last)));
    }
    let error = read(&ring(count)).unwrap_err();
    assert_eq!(error.to_string(), "/nodes/0: the node is part of a cycle or a descendant of one");
}

/// Asserts that the file exceeds the limits of a small server.
fn assert_too_much(bytes: &[u8]) {
    let limits = Limits { memory: Some(1 << 20), ..Limits::default() };
    let document = Document::parse(bytes).unwrap().value;
    let read = to_ir(&document, &ToIr::default().with_limits(limits));
    assert_eq!((read.losses.count(&codes::NO_SCENE), read.value), (1, Scene::default()));
}

/// Reads small files that request a lot of memory.
#[test]
fn oversized_requests_are_not_allocated() {
    let file = |accessors: &str, more: &str| {
        let nodes = r#""nodes":[{"mesh":0}]"#;
        format!(
            r#"{{"asset":{{"version":"2.0"}},{nodes},
                "bufferViews":[{{"buffer":0,"byteLength":4000}}],"buffers":[{{"byteLength":4000}}],
                "accessors":[{accessors}],{more}}}"#
        )
    };
    let zeros = r#"{"componentType":5126,"count":100000000,"type":"VEC3"}"#;
    let primitive = r#"{"attributes":{"POSITION":0}}"#;
    let one =
        glb(&file(zeros, &format!(r#""meshes":[{{"primitives":[{primitive}]}}]"#)), &[0; 4000]);
    assert_too_much(&one);
    // Many meshes share an accessor.
    let stored = r#"{"bufferView":0,"componentType":5126,"count":300,"type":"VEC3"}"#;
    let meshes = vec![format!(r#"{{"primitives":[{primitive}]}}"#); 2_000].join(",");
    assert_too_much(&glb(&file(stored, &format!(r#""meshes":[{meshes}]"#)), &[0; 4000]));
    let targets = vec!["{}"; 10_000].join(",");
    let morph = format!(
        r#""meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"targets":[{targets}]}}]}}]"#
    );
    assert_too_much(&glb(&file(stored, &morph), &[0; 4000]));
    // Primitives that share their vertices in the file still share them in the scene.
    let parts = vec![primitive; 100].join(",");
    let shared = file(stored, &format!(r#""meshes":[{{"primitives":[{parts}]}}]"#));
    let shared = read(&glb(&shared, &[0; 4000])).unwrap().value;
    assert_eq!((shared.meshes[0].positions.len(), shared.meshes[0].primitives.len()), (300, 100));
}

/// Objects of two bytes take hundreds of bytes in a scene.
#[test]
fn empty_objects_must_be_paid_for() {
    let all = "the objects of the JSON";
    for (name, what, count) in [("nodes", all, 700_000), ("materials", "materials", 450_000)] {
        let objects = |count: usize| {
            let list = vec!["{}"; count].join(",");
            format!("{{\"asset\":{{\"version\":\"2.0\"}},\"{name}\":[{list}]}}")
        };
        assert!(Document::parse(objects(100_000).as_bytes()).is_ok());
        let error = Document::parse(objects(count).as_bytes()).unwrap_err();
        assert!(matches!(error.kind(), ParseErrorKind::Limit(limit) if limit.what == what));
    }
}
