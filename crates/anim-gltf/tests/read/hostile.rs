//! No file makes the reader panic, and none costs more than its size and the limits.

use std::time::{Duration, Instant};

use anim_gltf::{NoBuffers, ReadError, ReadOptions, WriteOptions, read, sniff, to_glb};
use anim_ir::{Converted, Limits, Scene, validate};
use proptest::prelude::*;

use crate::fixtures;
use crate::round_trip::everything;

fn small() -> ReadOptions {
    let mut options = ReadOptions::default();
    options.limits = Limits { input_bytes: 1 << 20, ..Limits::default() };
    options
}

/// Reads, and checks all that holds of whatever is read.
fn exercise(bytes: &[u8]) -> Result<Converted<Scene>, ReadError> {
    sniff(bytes);
    let read = read(bytes, &mut NoBuffers, &small());
    match &read {
        Ok(found) => {
            let problems = validate(&found.value);
            assert!(problems.is_empty(), "{problems:?}");
            for told in &found.losses {
                assert!(
                    told.message.len() < 1_000 && !told.message.contains(char::is_control),
                    "{}",
                    told.message
                );
            }
        }
        Err(error) => assert!(
            error.to_string().len() < 1_000 && !error.to_string().contains(char::is_control),
            "{error}"
        ),
    }
    read
}

/// Whatever was read can be written, unless that would be too large.
fn write(read: Result<Converted<Scene>, ReadError>) {
    if let Ok(found) = read {
        let mut options = WriteOptions::default();
        options.max_bytes = 1 << 22;
        match to_glb(&found.value, &options) {
            Ok(written) => assert!(exercise(&written.value).is_ok()),
            Err(anim_gltf::WriteError::TooLarge { .. }) => {}
            Err(error) => panic!("{error}"),
        }
    }
}

fn glb(json: &str, bin: &[u8]) -> Vec<u8> {
    let mut chunks = Vec::new();
    for (kind, content) in [(b"JSON", json.as_bytes()), (b"BIN\0", bin)] {
        chunks.extend((content.len() as u32).to_le_bytes());
        chunks.extend(kind);
        chunks.extend(content);
    }
    [b"glTF".as_slice(), &2_u32.to_le_bytes(), &(chunks.len() as u32 + 12).to_le_bytes(), &chunks]
        .concat()
}

#[test]
fn every_cut_and_every_flip_of_small_files() {
    let ours = to_glb(&everything(), &WriteOptions::default()).unwrap().value;
    let mut files: Vec<Vec<u8>> = fixtures()
        .into_iter()
        .map(|(_, bytes)| bytes)
        .filter(|bytes| bytes.len() < 2_500)
        .collect();
    assert!(files.len() > 30);
    files.push(ours);
    for mut bytes in files {
        for length in 0..bytes.len() {
            exercise(&bytes[..length]).ok();
        }
        for at in 0..bytes.len() {
            for mask in [0x01, 0xff] {
                bytes[at] ^= mask;
                let read = exercise(&bytes);
                if mask == 0x01 && at % 4 == 0 {
                    write(read);
                }
                bytes[at] ^= mask;
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

    /// Numbers of the JSON exchanged for others: counts, offsets, indices, lengths.
    #[test]
    fn numbers_exchanged(which in any::<prop::sample::Index>(), places in prop::collection::vec((any::<prop::sample::Index>(), 0usize..12), 1..4)) {
        const NUMBERS: [&str; 12] =
            ["0", "1", "2", "3", "7", "65535", "4294967295", "4294967296", "9223372036854775807", "18446744073709551615", "5121", "5126"];
        let files = fixtures();
        let mut text = String::from_utf8(files[which.index(files.len())].1.clone()).unwrap();
        for (place, number) in places {
            // Whole numbers that stand alone.
            let found: Vec<_> = text.match_indices(|c: char| c.is_ascii_digit()).map(|(at, _)| at)
                .filter(|at| *at > 0 && text[..*at].ends_with(['\n', ' ']) && text[*at..].contains([',', '\n'])).collect();
            if found.is_empty() {
                continue;
            }
            let start = found[place.index(found.len())];
            let end = start + text[start..].find(|c: char| !c.is_ascii_digit()).unwrap();
            text.replace_range(start..end, NUMBERS[number]);
        }
        write(exercise(text.as_bytes()));
    }
}

#[test]
fn containers() {
    let json = r#"{"asset":{"version":"2.0"},"nodes":[{"name":"é"}]}"#;
    let good = glb(json, &[]);
    assert_eq!(exercise(&good).unwrap().value.skeletons[0].joints[0].name, "é");
    let trailing = [good.as_slice(), b"more"].concat();
    assert_eq!(
        exercise(&trailing)
            .unwrap()
            .losses
            .counts()
            .iter()
            .map(|(code, _)| code.id)
            .collect::<Vec<_>>(),
        ["gltf-trailing"]
    );
    let padded = glb(&format!("{json}\0\0 \0"), &[]);
    assert!(exercise(&padded).is_ok());
    assert!(exercise(&[b"\xef\xbb\xbf", json.as_bytes()].concat()).is_ok());
    let refused = |bytes: &[u8]| exercise(bytes).unwrap_err().to_string();
    let mut version = good.clone();
    version[4] = 1;
    assert_eq!(refused(&version), "this is glTF 1; only glTF 2 is read");
    let mut chunk = good.clone();
    chunk[12] += 100;
    assert_eq!(refused(&chunk), "the GLB cannot be read: chunk 0 ends beyond the file");
    let mut kind = good.clone();
    kind[16..20].copy_from_slice(b"BIN\0");
    assert_eq!(refused(&kind), "the GLB cannot be read: its first chunk is no JSON");
    assert_eq!(
        refused(&good[..20]),
        format!("the GLB cannot be read: it should have {} bytes and has 20", good.len())
    );
    let mut utf8 = good;
    let at = utf8.len() - 15;
    utf8[at] = 0xff;
    assert!(matches!(exercise(&utf8), Err(ReadError::Json { .. })));
}

#[test]
fn what_is_deep_or_long_is_read_in_its_own_time() {
    let start = Instant::now();
    let count = 200_000;
    let nodes = |child: &dyn Fn(usize) -> Option<usize>| -> String {
        let node = |number| {
            child(number).map_or("{}".to_owned(), |child| format!(r#"{{"children":[{child}]}}"#))
        };
        (0..count).map(node).collect::<Vec<_>>().join(",")
    };
    let file = |nodes: String| {
        format!(r#"{{"asset":{{"version":"2.0"}},"nodes":[{nodes}]}}"#).into_bytes()
    };
    let options = ReadOptions::default();
    let read = |bytes: &[u8]| read(bytes, &mut NoBuffers, &options);
    let chain =
        read(&file(nodes(&|number| (number + 1 < count).then_some(number + 1)))).unwrap().value;
    assert_eq!(
        (chain.skeletons[0].joints.len(), chain.skeletons[0].joints[count - 1].parent),
        (count, Some(count - 2))
    );
    let backwards = read(&file(nodes(&|number| number.checked_sub(1)))).unwrap().value;
    assert_eq!(backwards.skeletons[0].joints[count - 1].parent, Some(count - 2));
    let ring = read(&file(nodes(&|number| Some((number + 1) % count)))).unwrap_err();
    assert_eq!(ring.to_string(), "/nodes/0: the node is its own ancestor, or below one that is");
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

/// Few bytes that ask for many.
#[test]
fn what_the_file_does_not_cover_is_not_made() {
    let file = |accessors: &str, more: &str| {
        let nodes = r#""nodes":[{"mesh":0}]"#;
        format!(
            r#"{{"asset":{{"version":"2.0"}},{nodes},"bufferViews":[{{"buffer":0,"byteLength":4000}}],"buffers":[{{"byteLength":4000}}],"accessors":[{accessors}],{more}}}"#
        )
    };
    let zeros = r#"{"componentType":5126,"count":100000000,"type":"VEC3"}"#;
    let primitive = r#"{"attributes":{"POSITION":0}}"#;
    let one =
        glb(&file(zeros, &format!(r#""meshes":[{{"primitives":[{primitive}]}}]"#)), &[0; 4000]);
    assert!(matches!(exercise(&one), Err(ReadError::Limit(_))));
    // The same bytes over and over.
    let stored = r#"{"bufferView":0,"componentType":5126,"count":300,"type":"VEC3"}"#;
    let meshes = vec![format!(r#"{{"primitives":[{primitive}]}}"#); 2_000].join(",");
    assert!(matches!(
        exercise(&glb(&file(stored, &format!(r#""meshes":[{meshes}]"#)), &[0; 4000])),
        Err(ReadError::Limit(_))
    ));
    let targets = vec!["{}"; 10_000].join(",");
    let morph = format!(
        r#""meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"targets":[{targets}]}}]}}]"#
    );
    assert!(matches!(exercise(&glb(&file(stored, &morph), &[0; 4000])), Err(ReadError::Limit(_))));
    // Parts that share their vertices share them here too.
    let parts = vec![primitive; 100].join(",");
    let shared = exercise(&glb(
        &file(stored, &format!(r#""meshes":[{{"primitives":[{parts}]}}]"#)),
        &[0; 4000],
    ))
    .unwrap()
    .value;
    assert_eq!((shared.meshes[0].positions.len(), shared.meshes[0].primitives.len()), (300, 100));
}
