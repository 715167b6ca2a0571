//! Tests the evaluators with generated files.

use std::collections::BTreeSet;

use test_oracle::math::dot;
use test_oracle::random::Rng;
use test_oracle::tmd::generate::{
    self, Addresses, AncCase, AncOptions, AnmCase, AnmOptions, Content, ModelCase, ModelOptions,
};
use test_oracle::tmd::{self, Anm, Frame, Key, Object, Options, Triangle};

use crate::close;

/// Generates files for one case. Returns them with the options used to generate them.
fn generated(case: AnmCase) -> impl Iterator<Item = (AnmOptions, Vec<u8>, Anm)> {
    (0..40).map(move |seed| {
        let mut rng = Rng::new(seed * 100 + case as u64);
        let options = AnmOptions { case, frames: rng.between(4, 30), objects: rng.between(1, 20) };
        let bytes = generate::anm(&mut rng, &options);
        let anm = tmd::anm(&bytes);
        (options, bytes, anm)
    })
}

const RATES: [i16; 6] = [1, 10, 15, 20, 30, 60];

/// Cases whose files consist only of a header, a table and complete consecutive frames.
const CANONICAL: [AnmCase; 6] = [
    AnmCase::Canonical,
    AnmCase::NoFrames,
    AnmCase::EmptyFrames,
    AnmCase::OddRate,
    AnmCase::UnknownFlags,
    AnmCase::DuplicateKeys,
];

#[test]
fn canonical_files_only_contain_frames() {
    let mut seen = BTreeSet::new();
    for case in CANONICAL {
        for (options, bytes, anm) in generated(case) {
            let keys: Vec<&Key> = anm.frames.iter().flat_map(|frame| &frame.keys).collect();
            let parts =
                |key: &&Key| [key.rotation, key.scale, key.position].iter().flatten().count();
            let of_keys: usize = keys.iter().map(|key| 2 + 6 * parts(key)).sum();
            let is_double = |frame: &Frame| {
                let objects: BTreeSet<u8> = frame.keys.iter().map(|key| key.object).collect();
                objects.len() < frame.keys.len()
            };
            let some_frame = |is: &dyn Fn(&Frame) -> bool| anm.frames.iter().any(is);
            let mut objects = keys.iter().map(|key| usize::from(key.object));
            for (what, is_so) in [
                ("size", bytes.len() == 8 + 2 * anm.frames.len() + of_keys),
                ("objects", objects.all(|object| object < options.objects)),
                ("empty", some_frame(&|f| f.keys.is_empty()) == (case == AnmCase::EmptyFrames)),
                ("flags", keys.iter().any(|k| k.flags > 7) == (case == AnmCase::UnknownFlags)),
                ("twice", some_frame(&is_double) == (case == AnmCase::DuplicateKeys)),
            ] {
                assert!(is_so, "{case:?}: {what}");
            }
            seen.extend(keys.iter().map(|key| key.flags & 7));
            let hold = Options { hold: true, ..Options::default() };
            for (number, frame) in anm.frames.iter().enumerate() {
                for object in 0..=255 {
                    let matrix = anm.matrix(number, object, &hold);
                    assert_eq!(matrix.is_some(), frame.key_of(object).is_some());
                    assert!(matrix.is_none_or(|m| m.as_flattened().iter().all(|x| x.is_finite())));
                }
            }
        }
    }
    assert_eq!(seen.len(), 8, "not every combination of flags occurs");
}

#[test]
fn objects_appear_and_disappear() {
    let mut changes = 0;
    for (_, _, anm) in generated(AnmCase::Canonical) {
        let shown = |frame: usize, object: u8| anm.frames[frame].key_of(object).is_some();
        for frame in 1..anm.frames.len() {
            changes += (0..20).filter(|&o| shown(frame - 1, o) != shown(frame, o)).count();
        }
    }
    assert!(changes > 200, "{changes}");
}

#[test]
fn every_case_matches_its_name() {
    for case in AnmCase::ALL {
        for (options, bytes, anm) in generated(case) {
            let frames = &anm.frames;
            let reversed = frames.iter().filter(|frame| frame.reversed).count();
            assert_eq!(reversed, usize::from(case == AnmCase::Reversed), "{case:?}");
            let has_last = anm.objects().last() == Some(&255);
            for (what, is_so) in [
                ("gap", anm.gap.is_empty() == (case != AnmCase::Gap)),
                ("header", anm.overlaps_header == (case == AnmCase::Overlap)),
                ("truncated", anm.truncated == (case == AnmCase::Truncated)),
                ("magic", (anm.magic == 0x8000) == (case != AnmCase::BadMagic)),
                ("rate", RATES.contains(&anm.rate_field) == (case != AnmCase::OddRate)),
                // If the first frame overlaps the header, its bytes are parsed as keys of any
                // object.
                ("last", has_last == (case == AnmCase::OutsideObject) || case == AnmCase::Overlap),
            ] {
                assert!(is_so, "{case:?}: {what}");
            }
            let trailing = &anm.trailing[..];
            match case {
                AnmCase::TrailingZeros => assert!(matches!(trailing, [0] | [0, 0] | [0, 0, 0])),
                AnmCase::TrailingByte => assert!(trailing.len() == 1 && trailing != [0]),
                AnmCase::TrailingData => assert!(trailing.len() >= 4),
                _ => assert!(trailing.is_empty(), "{case:?}"),
            }
            let crossing = frames.iter().filter(|frame| !frame.rest.is_empty()).count();
            match case {
                AnmCase::CrossingKey => assert_eq!(crossing, 1),
                // If the file is truncated between keys, no frame has a rest.
                AnmCase::Truncated => assert!(crossing <= 1),
                // The first frame overlaps the header, whose bytes are parsed as keys; any count is
                // possible.
                AnmCase::Overlap => {}
                _ => assert_eq!(crossing, 0, "{case:?}"),
            }
            let frames_expected = if case == AnmCase::NoFrames { 0 } else { options.frames };
            assert_eq!(frames.len(), frames_expected);
            assert!(bytes.len() < 131_072);
        }
    }
}

#[test]
fn generated_cameras_are_read() {
    for case in AncCase::ALL {
        for seed in 0..40 {
            let mut rng = Rng::new(seed);
            let options = AncOptions { case, records: rng.between(1, 40) };
            let bytes = generate::anc(&mut rng, &options);
            let anc = tmd::anc(&bytes);
            let of_whole = 6 + 16 * options.records;
            let is_cut = case == AncCase::Truncated;
            let undetermined = matches!(case, AncCase::Vertical | AncCase::NoDirection);
            let mut matrices = anc.records.iter().map(tmd::Record::matrix);
            let is_usual = |record: &tmd::Record| (1..2048).contains(&record.fov);
            for (what, is_so) in [
                ("cut", (bytes.len() < of_whole) == is_cut),
                ("trailing", (bytes.len() > of_whole) == (case == AncCase::Trailing)),
                ("records", anc.records.len() == options.records - usize::from(is_cut)),
                ("magic", (anc.magic == 0x8000) == (case != AncCase::BadMagic)),
                ("rate", RATES.contains(&anc.rate_field) == (case != AncCase::OddRate)),
                ("direction", matrices.any(|matrix| matrix.is_none()) == undetermined),
                ("view", anc.records.iter().all(is_usual) == (case != AncCase::OddFov)),
            ] {
                assert!(is_so, "{case:?}: {what}");
            }
            for m in anc.records.iter().filter_map(tmd::Record::matrix) {
                let [right, down, front] = [0, 1, 2].map(|i| [m[i][0], m[i][1], m[i][2]]);
                close(&[dot(right, right), dot(down, down), dot(front, front)], &[1.0; 3]);
                close(&[dot(right, down), dot(down, front), dot(front, right)], &[0.0; 3]);
            }
        }
    }
}

#[test]
fn generated_models_have_every_kind_of_packet() {
    for addresses in Addresses::ALL {
        for case in ModelCase::ALL {
            for seed in 0..20 {
                let objects = 1 + seed as usize % 7;
                let options = ModelOptions { addresses, case, objects, ..ModelOptions::default() };
                let model = tmd::model(&generate::model(&mut Rng::new(seed), &options));
                assert_eq!(model.objects.len(), objects);
                for (number, object) in model.objects.iter().enumerate() {
                    if case == ModelCase::EmptyObjects && number % 2 == 0 {
                        assert_eq!(*object, Object { scale: object.scale, ..Object::default() });
                    } else {
                        has_every_kind(object, case);
                    }
                }
            }
        }
    }
}

fn has_every_kind(object: &Object, case: ModelCase) {
    // There are ten kinds of triangles, ten kinds of quads, and two kinds of lines.
    assert_eq!(object.triangles.len(), 30);
    assert_eq!((object.lines.len(), object.dots.len(), object.sprites), (2, 2, 4));
    let count = |wanted: ModelCase| if case == wanted { 2 } else { 0 };
    assert_eq!(object.outside, count(ModelCase::OutsideVertices));
    assert_eq!(object.unknown, count(ModelCase::UnknownPackets));
    // Of the ten kinds, six are lit and four are textured. Two are both, and have no colours. Each
    // quad counts as two triangles.
    let triangles = |is: fn(&&Triangle) -> bool| object.triangles.iter().filter(is).count();
    assert_eq!(triangles(|triangle| triangle.corners[0].uv.is_some()), 12);
    assert_eq!(triangles(|triangle| triangle.corners[0].normal.is_some()), 18);
    assert_eq!(triangles(|triangle| triangle.corners[0].colour.is_some()), 24);
    assert_eq!(triangles(|triangle| triangle.style.clut.is_some()), 12);
    let corners = object.triangles.iter().flat_map(|triangle| triangle.corners);
    let mut normals = corners.filter_map(|corner| corner.normal);
    assert!(normals.all(|normal| (dot(normal, normal) - 1.0).abs() < 1e-3));
}

#[test]
fn address_kinds_are_equivalent() {
    let with = |addresses| {
        let options =
            ModelOptions { addresses, content: Content::Lines, ..ModelOptions::default() };
        tmd::model(&generate::model(&mut Rng::new(5), &options))
    };
    let model = with(Addresses::Offsets);
    assert!(model.objects.iter().all(|object| object.lines.len() + object.dots.len() >= 5));
    assert_eq!(with(Addresses::File), model);
    assert_eq!(with(Addresses::Memory), model);
}
