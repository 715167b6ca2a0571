//! What the generators write, the evaluators read.

use std::collections::BTreeSet;

use test_oracle::random::Rng;
use test_oracle::tmd::generate::{
    self, Addresses, AncCase, AncOptions, AnmCase, AnmOptions, Content, ModelCase, ModelOptions,
};
use test_oracle::tmd::{self, Anm, Key, Object, Options};

use super::evaluate::close;

/// Files of one case with the options that they were made with.
fn generated(case: AnmCase) -> impl Iterator<Item = (AnmOptions, Vec<u8>, Anm)> {
    (0..40).map(move |seed| {
        let mut rng = Rng::new(seed * 100 + case as u64);
        let options = AnmOptions { case, frames: rng.between(4, 30), objects: rng.between(1, 20) };
        let bytes = generate::anm(&mut rng, &options);
        let anm = tmd::anm(&bytes);
        (options, bytes, anm)
    })
}

/// How many bytes the keys of a frame take.
fn size(keys: &[Key]) -> usize {
    keys.iter()
        .map(|key| 2 + 6 * [key.rotation, key.scale, key.position].iter().flatten().count())
        .sum()
}

#[test]
fn canonical_files_have_nothing_but_frames() {
    let mut seen = BTreeSet::new();
    for case in [
        AnmCase::Canonical,
        AnmCase::NoFrames,
        AnmCase::EmptyFrames,
        AnmCase::OddRate,
        AnmCase::UnknownFlags,
        AnmCase::DuplicateKeys,
    ] {
        for (options, bytes, anm) in generated(case) {
            assert_eq!(
                anm.frames.len(),
                if case == AnmCase::NoFrames { 0 } else { options.frames }
            );
            let of_keys: usize = anm.frames.iter().map(|frame| size(&frame.keys)).sum();
            assert_eq!(bytes.len(), 8 + 2 * anm.frames.len() + of_keys);
            assert!(anm.frames.iter().all(|frame| frame.rest.is_empty() && !frame.reversed));
            assert!(anm.objects().iter().all(|&object| usize::from(object) < options.objects));
            assert_eq!(
                anm.frames.iter().any(|frame| frame.keys.is_empty()),
                case == AnmCase::EmptyFrames
            );
            assert_eq!([1, 10, 15, 20, 30, 60].contains(&anm.rate_field), case != AnmCase::OddRate);
            let keys = || anm.frames.iter().flat_map(|frame| &frame.keys);
            assert_eq!(keys().any(|key| key.flags > 7), case == AnmCase::UnknownFlags);
            let twice = |keys: &[Key]| {
                keys.iter().map(|key| key.object).collect::<BTreeSet<_>>().len() < keys.len()
            };
            assert_eq!(
                anm.frames.iter().any(|frame| twice(&frame.keys)),
                case == AnmCase::DuplicateKeys
            );
            seen.extend(keys().map(|key| key.flags & 7));
            for frame in 0..anm.frames.len() {
                for object in 0..=255 {
                    let matrix =
                        anm.matrix(frame, object, &Options { hold: true, ..Options::default() });
                    assert_eq!(
                        matrix.is_some(),
                        anm.frames[frame].keys.iter().any(|key| key.object == object)
                    );
                    assert!(matrix.is_none_or(|m| m.as_flattened().iter().all(|x| x.is_finite())));
                }
            }
        }
    }
    assert_eq!(seen.len(), 8, "not every combination of flags occurs");
}

#[test]
fn objects_come_and_go() {
    let mut changes = 0;
    for (_, _, anm) in generated(AnmCase::Canonical) {
        let shown = |frame: usize, object: u8| anm.frames[frame].key_of(object).is_some();
        changes += (1..anm.frames.len())
            .flat_map(|frame| (0..20).map(move |o| (frame, o)))
            .filter(|&(f, o)| shown(f - 1, o) != shown(f, o))
            .count();
    }
    assert!(changes > 200, "{changes}");
}

#[test]
fn every_case_has_what_it_is_called_for() {
    for case in AnmCase::ALL {
        for (options, bytes, anm) in generated(case) {
            let frames = &anm.frames;
            let reversed = frames.iter().filter(|frame| frame.reversed).count();
            assert_eq!(reversed, usize::from(case == AnmCase::Reversed), "{case:?}");
            assert_eq!(anm.gap.is_empty(), case != AnmCase::Gap, "{case:?}");
            assert_eq!(anm.overlaps_header, case == AnmCase::Overlap, "{case:?}");
            assert_eq!(anm.truncated, case == AnmCase::Truncated, "{case:?}");
            assert_eq!(anm.magic == 0x8000, case != AnmCase::BadMagic, "{case:?}");
            assert_eq!(
                anm.objects().last() == Some(&255),
                case == AnmCase::OutsideObject
                    || (case == AnmCase::Overlap && anm.objects().contains(&255))
            );
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
                // Cut by whole keys, there is no rest.
                AnmCase::Truncated => assert!(crossing <= 1),
                // What comes of a header that is read as keys.
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
fn generated_files_differ_by_seed_only() {
    let anm = |seed| generate::anm(&mut Rng::new(seed), &AnmOptions::default());
    let anc = |seed| generate::anc(&mut Rng::new(seed), &AncOptions::default());
    let model = |seed| generate::model(&mut Rng::new(seed), &ModelOptions::default());
    assert!(anm(1) == anm(1) && anc(1) == anc(1) && model(1) == model(1));
    assert!(anm(1) != anm(2) && anc(1) != anc(2) && model(1) != model(2));
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
            assert_eq!(bytes.len().cmp(&of_whole), case_length(case), "{case:?}");
            assert_eq!(
                anc.records.len(),
                options.records - usize::from(case == AncCase::Truncated)
            );
            assert_eq!(anc.magic == 0x8000, case != AncCase::BadMagic);
            assert_eq!([1, 10, 15, 20, 30, 60].contains(&anc.rate_field), case != AncCase::OddRate);
            let undetermined = matches!(case, AncCase::Vertical | AncCase::NoDirection);
            assert_eq!(
                anc.records.iter().any(|record| record.matrix().is_none()),
                undetermined,
                "{case:?}"
            );
            let usual = |record: &tmd::Record| (1..2048).contains(&record.fov);
            assert_eq!(anc.records.iter().all(usual), case != AncCase::OddFov);
            for m in anc.records.iter().filter_map(tmd::Record::matrix) {
                let [right, down, front] = [0, 1, 2].map(|i| [m[i][0], m[i][1], m[i][2]]);
                let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
                close([dot(right, right), dot(down, down), dot(front, front)], [1.0; 3]);
                close([dot(right, down), dot(down, front), dot(front, right)], [0.0; 3]);
            }
        }
    }
}

fn case_length(case: AncCase) -> std::cmp::Ordering {
    match case {
        AncCase::Truncated => std::cmp::Ordering::Less,
        AncCase::Trailing => std::cmp::Ordering::Greater,
        _ => std::cmp::Ordering::Equal,
    }
}

#[test]
fn generated_models_have_every_kind_of_packet() {
    for addresses in Addresses::ALL {
        for case in ModelCase::ALL {
            for seed in 0..20 {
                let options = ModelOptions {
                    addresses,
                    case,
                    content: Content::All,
                    objects: 1 + seed as usize % 7,
                };
                let model = tmd::model(&generate::model(&mut Rng::new(seed), &options));
                assert_eq!(model.objects.len(), options.objects);
                for (number, object) in model.objects.iter().enumerate() {
                    if case == ModelCase::EmptyObjects && number % 2 == 0 {
                        assert_eq!(*object, Object { scale: object.scale, ..Object::default() });
                        continue;
                    }
                    // Ten kinds of triangles, ten of quads; two kinds of lines.
                    assert_eq!(
                        (
                            object.triangles.len(),
                            object.lines.len(),
                            object.dots.len(),
                            object.sprites
                        ),
                        (30, 2, 2, 4)
                    );
                    let count = |wanted: ModelCase| if case == wanted { 2 } else { 0 };
                    assert_eq!(object.outside, count(ModelCase::OutsideVertices));
                    assert_eq!(object.unknown, count(ModelCase::UnknownPackets));
                    // Of the ten kinds six are lit, four textured, two both: those have no colours.
                    // Quads count twice.
                    let corners = || object.triangles.iter().map(|triangle| triangle.corners[0]);
                    assert_eq!(corners().filter(|corner| corner.uv.is_some()).count(), 12);
                    assert_eq!(corners().filter(|corner| corner.normal.is_some()).count(), 18);
                    assert_eq!(corners().filter(|corner| corner.colour.is_some()).count(), 24);
                    assert_eq!(
                        object
                            .triangles
                            .iter()
                            .filter(|triangle| triangle.style.clut.is_some())
                            .count(),
                        12
                    );
                    let lengths = object
                        .triangles
                        .iter()
                        .flat_map(|t| t.corners)
                        .filter_map(|corner| corner.normal);
                    assert!(
                        lengths
                            .map(|n| n.map(|x| x * x).iter().sum::<f64>())
                            .all(|square| (square - 1.0).abs() < 1e-3)
                    );
                }
            }
        }
    }
}

#[test]
fn the_form_of_addresses_changes_nothing_else() {
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
