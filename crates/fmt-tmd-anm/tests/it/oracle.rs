//! Compares random files of all kinds, canonical or not, with an independent implementation that
//! shares no code with this crate.

use anim_ir::{EulerOrder, Pose, Sampler, Scene};
use fmt_tmd_anm::{
    CameraDocument, CameraKey, CameraToIr, Document, ToIr, camera_to_ir, parts_to_ir, to_ir,
};
use test_oracle::random::Rng;
use test_oracle::tmd::generate::{self, AncCase, AncOptions, AnmCase, AnmOptions};
use test_oracle::tmd::{self, Anm, Options, Order};

/// Returns files for every case, each with a description.
fn files() -> impl Iterator<Item = (String, Vec<u8>)> {
    AnmCase::ALL.into_iter().flat_map(|case| {
        (0..12).map(move |seed| {
            let options = AnmOptions { case, frames: 4 + seed, objects: 1 + seed * seed };
            (format!("{case:?} {seed}"), generate::anm(&mut Rng::new(seed as u64), &options))
        })
    })
}

#[test]
fn documents_match_the_oracle() {
    let mut keys_seen = 0;
    for (name, bytes) in files() {
        let (document, expected) = (Document::parse(&bytes[..]).unwrap().value, tmd::anm(&bytes));
        assert_eq!(document.to_bytes(), bytes, "{name}");
        let head = (document.magic(), document.rate(), f64::from(document.frames_per_second()));
        assert_eq!(head, (expected.magic, expected.rate_field, expected.rate), "{name}");
        assert_eq!(document.frame_count(), expected.frames.len(), "{name}");
        assert_eq!(document.gap(), expected.gap, "{name}");
        assert_eq!(document.trailing(), expected.trailing, "{name}");
        let last = expected.objects().last().copied();
        assert_eq!(document.objects(), last.map_or(0, |last| usize::from(last) + 1), "{name}");
        for (frame, expected) in document.frames().zip(&expected.frames) {
            let found: Vec<tmd::Key> = frame.keys().map(|key| raw(&key)).collect();
            assert_eq!((&found, frame.rest()), (&expected.keys, &expected.rest[..]), "{name}");
            let mut drawn: Vec<tmd::Key> = frame.drawn().map(|key| raw(&key)).collect();
            drawn.sort_by_key(|key| key.object);
            let counting = (0..=255).filter_map(|object| expected.key_of(object));
            assert!(counting.eq(drawn), "{name}");
            keys_seen += found.len();
        }
    }
    assert!(keys_seen > 10_000, "{keys_seen}");
}

fn raw(key: &fmt_tmd_anm::Key) -> tmd::Key {
    tmd::Key {
        object: key.object,
        flags: key.flags(),
        rotation: key.rotation,
        scale: key.scale,
        position: key.position,
    }
}

#[test]
fn scenes_match_the_frames() {
    let mut compared = 0;
    for (name, bytes) in files() {
        let (document, expected) = (Document::parse(&bytes[..]).unwrap().value, tmd::anm(&bytes));
        for (rotation_order, order) in
            [(EulerOrder::Zyx, Order::Zyx), (EulerOrder::Xyz, Order::Xyz)]
        {
            for (hold, unit) in [(false, 1.0), (true, 0.25)] {
                let options = ToIr::default().with_rotation_order(rotation_order);
                let options = options.with_hold(hold).with_unit(unit);
                let scene = to_ir(&document, &options);
                assert!(anim_ir::validate(&scene.value).is_empty(), "{name}");
                let options = Options { order, hold, position_factor: f64::from(unit) };
                compared += compare(&scene.value, &expected, 0, 0.0, &options, &name);
            }
        }
    }
    assert!(compared > 100_000, "{compared}");
}

/// Joined files form one clip, in which each file keeps its own rate.
#[test]
fn joined_files_are_played_in_order() {
    let of = |seed: u64, case| {
        generate::anm(&mut Rng::new(seed), &AnmOptions { case, ..AnmOptions::default() })
    };
    let mut files: Vec<Vec<u8>> = (0..8).map(|seed| of(seed, AnmCase::Canonical)).collect();
    files[3] = of(3, AnmCase::NoFrames);
    let documents: Vec<Document<'_>> =
        files.iter().map(|bytes| Document::parse(&bytes[..]).unwrap().value).collect();
    let scene = parts_to_ir(&documents.iter().collect::<Vec<_>>(), &ToIr::default()).value;
    let (mut frame, mut start) = (0, 0.0);
    let mut rates = Vec::new();
    for bytes in &files {
        let expected = tmd::anm(bytes);
        let compared = compare(&scene, &expected, frame, start, &Options::default(), "joined");
        assert!(compared > 0 || expected.frames.is_empty());
        (frame, start) = (frame + expected.frames.len(), start + expected.duration());
        rates.push(expected.rate_field);
    }
    rates.dedup();
    assert!(rates.len() > 3, "{rates:?}");
    assert!((f64::from(scene.clips[0].end) - start).abs() < 1e-5);
}

/// Compares every object in every frame: at the frame's midpoint, shortly before its end and, for
/// the first file, at its start and at the end of the clip. Returns the number of comparisons.
fn compare(
    scene: &Scene,
    expected: &Anm,
    first_frame: usize,
    start: f64,
    options: &Options,
    name: &str,
) -> usize {
    let skeleton = &scene.skeletons[0];
    let mut sampler = Sampler::new(skeleton, &scene.timelines[0]);
    let (mut pose, mut matrices, mut compared) = (Pose::default(), Vec::new(), 0);
    for frame in 0..expected.frames.len() {
        let inside = [0.5, 0.99].map(|part| start + (frame as f64 + part) / expected.rate);
        let mut times = inside.to_vec();
        if first_frame == 0 {
            times.push(frame as f64 / expected.rate);
            let (end, is_last) = (scene.clips[0].end, frame + 1 == expected.frames.len());
            times.extend(
                Some(f64::from(end)).filter(|_| is_last && end == expected.duration() as f32),
            );
        }
        for time in times {
            sampler.sample(time, &mut pose);
            pose.model_matrices(skeleton, &mut matrices);
            let seen = pose.effective_visibility(skeleton);
            for (object, matrix) in matrices.iter().enumerate() {
                let place = expected.matrix(frame, object as u8, options);
                assert_eq!(seen[object], place.is_some(), "{name}: object {object} at {time}");
                let Some(place) = place else { continue };
                for (column, (found, exact)) in matrix.columns.iter().zip(&place).enumerate() {
                    // Translations are exact; the other elements have magnitudes of up to 8 and are
                    // rounded.
                    let most = if column == 3 { 0.0 } else { 4e-6 };
                    for (a, b) in found.iter().zip(exact) {
                        assert!(
                            (f64::from(*a) - b).abs() <= most,
                            "{name}: object {object} at {time}: {matrix:?} {place:?}"
                        );
                    }
                }
                compared += 1;
            }
        }
    }
    compared
}

/// On request, frames are interpolated linearly.
#[test]
fn linear_interpolation_between_frames() {
    let options = AnmOptions { frames: 20, ..AnmOptions::default() };
    let bytes = generate::anm(&mut Rng::new(5), &options);
    let (document, expected) = (Document::parse(&bytes[..]).unwrap().value, tmd::anm(&bytes));
    let scene = to_ir(&document, &ToIr::default().with_linear(true)).value;
    let mut sampler = Sampler::new(&scene.skeletons[0], &scene.timelines[0]);
    let (mut pose, mut compared) = (Pose::default(), 0);
    for frame in 0..19 {
        sampler.sample((frame as f64 + 0.5) / expected.rate, &mut pose);
        for object in expected.objects() {
            let at = |frame: usize| expected.matrix(frame, object, &Options::default());
            let (Some(a), Some(b)) = (at(frame), at(frame + 1)) else { continue };
            let middle = pose.transforms[usize::from(object)].translation.to_array();
            for (axis, found) in middle.into_iter().enumerate() {
                let error = f64::from(found) - (a[3][axis] + b[3][axis]) / 2.0;
                assert!(error.abs() < 0.05, "frame {frame}, object {object}");
            }
            compared += 1;
        }
    }
    assert!(compared > 20, "{compared}");
}

#[test]
fn a_model_with_fewer_objects_and_one_with_more() {
    let options = AnmOptions { case: AnmCase::OutsideObject, ..AnmOptions::default() };
    let bytes = generate::anm(&mut Rng::new(1), &options);
    let document = Document::parse(&bytes[..]).unwrap().value;
    let with = |objects, outside| {
        let scene = to_ir(&document, &ToIr::default().with_objects(Some(objects)));
        assert_eq!(scene.value.skeletons[0].joints.len(), objects);
        assert_eq!(scene.losses.count(&fmt_tmd_anm::codes::OBJECT), outside);
        scene
    };
    with(5, 1);
    let none = with(0, 1).losses;
    let message = &none.iter().find(|loss| loss.code.id == "tmd-anm-object").unwrap().message;
    assert!(message.ends_with("but the model has no objects"), "{message}");
    let many = with(300, 0);
    let mut pose = Pose::default();
    Sampler::new(&many.value.skeletons[0], &many.value.timelines[0]).sample(0.0, &mut pose);
    assert!(!pose.visible[299], "objects without keys are never drawn");
}

#[test]
fn cameras_match_the_records() {
    let mut compared = 0;
    for case in AncCase::ALL {
        for seed in 0..20 {
            let bytes =
                generate::anc(&mut Rng::new(seed), &AncOptions { case, ..AncOptions::default() });
            let (document, expected) =
                (CameraDocument::parse(&bytes[..]).unwrap().value, tmd::anc(&bytes));
            assert_eq!(document.to_bytes(), bytes, "{case:?}");
            let head = (document.magic(), document.rate(), f64::from(document.frames_per_second()));
            assert_eq!(head, (expected.magic, expected.rate_field, expected.rate), "{case:?}");
            assert_eq!(document.trailing(), expected.trailing, "{case:?}");
            let record =
                |CameraKey { eye, look_at, roll, fov }| tmd::Record { eye, look_at, roll, fov };
            let records = document.keys().map(record);
            assert!(records.eq(expected.records.iter().copied()), "{case:?}");
            let scene = camera_to_ir(&document, &CameraToIr::default()).value;
            assert!(anim_ir::validate(&scene).is_empty());
            let mut sampler = Sampler::new(&scene.skeletons[0], &scene.timelines[0]);
            let (mut pose, mut matrices) = (Pose::default(), Vec::new());
            for (frame, record) in expected.records.iter().enumerate() {
                sampler.sample((frame as f64 + 0.5) / expected.rate, &mut pose);
                pose.model_matrices(&scene.skeletons[0], &mut matrices);
                let Some(place) = record.matrix() else { continue };
                for (found, exact) in
                    matrices[0].columns.iter().flatten().zip(place.iter().flatten())
                {
                    assert!(
                        (f64::from(*found) - exact).abs() < 1e-6,
                        "{case:?} {frame}: {:?} {place:?}",
                        matrices[0]
                    );
                }
                compared += 1;
            }
        }
    }
    assert!(compared > 1_000, "{compared}");
}
