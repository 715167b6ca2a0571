//! Tests the conversion of ANM and TMD to GLB: every frame matches the files, without
//! interpolation.

use anim_formats::anim_ir::EulerOrder;
use anim_formats::{tmd as model_tmd, tmd_anm};
use test_oracle::fixtures::scale;
use test_oracle::glb;
use test_oracle::math::Mat4;
use test_oracle::random::Rng;
use test_oracle::tmd::generate::{
    self, Addresses, AnmCase, AnmOptions, Content, ModelCase, ModelOptions,
};
use test_oracle::tmd::{self, Anm, Model, Options, Order};

use super::drawn::{assert_same, expected, found};
use super::{Files, Key, anm, assert_near, moments, start};
use crate::{Set, glb_of, settings, written};

/// The expectations for a scene.
struct Judge<'a> {
    model: Option<&'a Model>,
    motion: tmd_anm::ToIr,
    still: model_tmd::ToIr,
}

/// The number of comparisons.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    frames: usize,
    hidden: usize,
    triangles: usize,
    lines: usize,
    dots: usize,
}

impl<'a> Judge<'a> {
    fn new(model: Option<&'a Model>, options: Set<'_>) -> Judge<'a> {
        let settings = settings(options);
        Judge { model, motion: settings.apply(), still: settings.apply() }
    }

    fn rate(&self, anm: &Anm) -> f64 {
        self.motion.frames_per_second.unwrap_or(anm.rate)
    }

    fn oracle(&self) -> Options {
        let is_xyz = self.motion.rotation_order == EulerOrder::Xyz;
        Options {
            order: if is_xyz { Order::Xyz } else { Order::Zyx },
            hold: self.motion.hold,
            position_factor: f64::from(self.motion.unit),
        }
    }

    /// Returns the scale of an object's points.
    fn factor(&self, object: usize) -> f64 {
        let scale = self
            .model
            .filter(|_| self.still.apply_scale)
            .map_or(1.0, |model| model.objects[object].scale_factor());
        f64::from(self.still.unit) * scale
    }

    /// Compares every frame of a clip in the GLB.
    fn clip(&self, glb: &glb::Model, name: &str, anm: &Anm, label: &str) -> Seen {
        let mut seen = Seen::default();
        let animation = glb.animation_names().iter().position(|found| found == name);
        let rate = self.rate(anm);
        if let Some(animation) = animation {
            let last = glb.key_times(animation).last().copied();
            // Without frames, the clip has the minimum duration of an animation.
            let shortest = f64::from(1.0_f32 / 60.0);
            let end = if anm.frames.is_empty() { shortest } else { start(anm.frames.len(), rate) };
            assert_eq!(last, Some(end), "{label}: the end of {name}");
        }
        for frame in 0..anm.frames.len() {
            for t in moments(frame, rate) {
                let label = format!("{label}, {name}, frame {frame} at {t}");
                self.moment(glb, animation, t, anm, frame, &label, &mut seen);
            }
            seen.frames += 1;
        }
        seen
    }

    #[expect(clippy::too_many_arguments, reason = "all of them identify a frame of a clip")]
    fn moment(
        &self,
        glb: &glb::Model,
        animation: Option<usize>,
        t: f64,
        anm: &Anm,
        frame: usize,
        label: &str,
        seen: &mut Seen,
    ) {
        let named = || anm.objects().into_iter().map(usize::from).collect();
        let objects: Vec<usize> =
            self.model.map_or_else(named, |model| (0..model.objects.len()).collect());
        let drawn = glb.drawn_at(animation, t);
        for object in objects {
            let matrix = anm.matrix(frame, object as u8, &self.oracle());
            let label = format!("{label}, object {object}");
            let world = glb.node_world(animation, &format!("object_{object}"), t);
            let farthest = 32_768.0 * f64::from(self.motion.unit);
            match &matrix {
                Some(matrix) => assert_near(&world, &tmd::to_gltf(matrix), farthest, &label),
                None => assert!(!has_extent(&world), "{label} should be hidden"),
            }
            let Some(model) = self.model else { continue };
            let expected = matrix.filter(has_extent).map_or(Vec::new(), |matrix| {
                expected(&model.objects[object], &matrix, self.factor(object))
            });
            let parts =
                drawn.iter().filter(|part| part.shown && object_of(glb, part.node) == Some(object));
            let found: Vec<_> = parts.flat_map(found).collect();
            let size = matrix
                .map_or(0.0, |matrix| size(&matrix, &model.objects[object], self.factor(object)));
            assert_same(&found, &expected, 1e-5 * size, &label);
            let count = |corners: usize| {
                expected.iter().filter(|element| element.corners() == corners).count()
            };
            seen.triangles += count(3);
            seen.lines += count(2);
            seen.dots += count(1);
            seen.hidden += usize::from(matrix.is_none());
        }
    }
}

impl Seen {
    fn add(&mut self, other: Seen) {
        self.frames += other.frames;
        self.hidden += other.hidden;
        self.triangles += other.triangles;
        self.lines += other.lines;
        self.dots += other.dots;
    }
}

fn has_extent(matrix: &Mat4) -> bool {
    matrix[..3].iter().any(|column| column[..3].iter().any(|x| *x != 0.0))
}

/// Returns the object that a node is part of.
fn object_of(glb: &glb::Model, node: usize) -> Option<usize> {
    let (names, parents) = (glb.node_names(), glb.node_parents());
    let up = std::iter::successors(Some(node), |node| parents[*node]);
    up.filter_map(|node| names[node].strip_prefix("object_")?.parse().ok()).last()
}

/// Returns the largest intermediate value when computing a position, which determines the rounding
/// error.
fn size(matrix: &Mat4, object: &tmd::Object, factor: f64) -> f64 {
    let greatest =
        |numbers: &[f64]| numbers.iter().fold(0.0_f64, |most, number| most.max(number.abs()));
    let ends = object
        .lines
        .iter()
        .flat_map(|line| line.ends.map(|end| end.0))
        .chain(object.dots.iter().map(|dot| dot.place));
    let corners =
        object.triangles.iter().flat_map(|triangle| triangle.corners.map(|corner| corner.position));
    let point = ends.chain(corners).map(|point| greatest(&point)).fold(1.0, f64::max) * factor;
    3.0 * matrix[..3].iter().map(|column| greatest(&column[..3])).fold(0.0, f64::max) * point
        + greatest(&matrix[3][..3])
}

fn model_options(rng: &mut Rng) -> ModelOptions {
    ModelOptions {
        addresses: rng.pick(&Addresses::ALL),
        content: rng.pick(&[Content::All, Content::Lines]),
        case: rng.pick(&ModelCase::ALL),
        objects: rng.between(1, 7),
    }
}

#[test]
fn every_kind_of_file_with_a_model() {
    let mut seen = Seen::default();
    for case in AnmCase::ALL {
        for seed in 0..scale(4, 12) {
            let mut rng = Rng::new(1000 * seed + case as u64);
            let bytes = generate::anm(&mut rng, &AnmOptions { case, frames: 8, objects: 5 });
            let model = generate::model(&mut rng, &model_options(&mut Rng::new(seed)));
            let label = format!("{case:?} {seed}");
            let scene = Files::new(Some(model.clone())).motion("WALK", &[&bytes]).scene(&[]);
            let (anm, model) = (tmd::anm(&bytes), tmd::model(&model));
            let beyond =
                anm.objects().iter().any(|object| usize::from(*object) >= model.objects.len());
            let is_reported = scene.losses.count(&tmd_anm::codes::OBJECT) > 0;
            assert_eq!(is_reported, beyond, "{label}: {:?}", scene.losses);
            let judge = Judge::new(Some(&model), &[]);
            seen.add(judge.clip(&glb_of(&scene.value), "WALK", &anm, &label));
        }
    }
    let part = scale(3, 1);
    assert!(seen.frames > 1_300 / part && seen.hidden > 1_000 / part, "{seen:?}");
    assert!(seen.triangles > 50_000 / part && seen.lines > 20_000 / part, "{seen:?}");
    assert!(seen.dots > 5_000 / part, "{seen:?}");
}

#[test]
fn every_kind_of_file_without_a_model() {
    let mut seen = 0;
    for case in AnmCase::ALL {
        for seed in 0..scale(5, 20) {
            let mut rng = Rng::new(1000 * seed + case as u64);
            let bytes = generate::anm(&mut rng, &AnmOptions { case, frames: 12, objects: 4 });
            let label = format!("no model {case:?} {seed}");
            let scene = Files::default().motion("RUN", &[&bytes]).scene(&[]);
            assert_eq!(scene.losses.count(&tmd_anm::codes::OBJECT), 0, "{label}");
            let judge = Judge::new(None, &[]);
            seen += judge.clip(&glb_of(&scene.value), "RUN", &tmd::anm(&bytes), &label).frames;
        }
    }
    assert!(seen > scale(750, 3_000), "{seen}");
}

#[test]
fn every_option() {
    let all: [Set<'_>; 6] = [
        &[("rotation-order", "xyz")],
        &[("hold", "true")],
        &[("rate", "12.5")],
        &[("unit-scale", "0.01")],
        &[("tmd-scale", "true")],
        &[
            ("rotation-order", "xyz"),
            ("hold", "true"),
            ("rate", "60"),
            ("unit-scale", "250"),
            ("tmd-scale", "true"),
        ],
    ];
    for (number, options) in all.into_iter().enumerate() {
        let mut differs = 0;
        for seed in 0..10 {
            let mut rng = Rng::new(seed);
            let bytes = generate::anm(&mut rng, &AnmOptions { frames: 8, ..AnmOptions::default() });
            let model = generate::model(&mut rng, &ModelOptions::default());
            let label = format!("option {number} {seed}");
            let files = Files::new(Some(model.clone())).motion("A", &[&bytes]);
            let scene = files.scene(options).value;
            differs += usize::from(scene != files.scene(&[]).value);
            let model = tmd::model(&model);
            Judge::new(Some(&model), options).clip(&glb_of(&scene), "A", &tmd::anm(&bytes), &label);
        }
        assert!(differs > 5, "option {number} changes only {differs} of 10 models");
    }
}

/// Values are interpolated linearly between frames and match each frame exactly at its start.
#[test]
fn linear_interpolation_between_frames() {
    let bytes =
        anm(10, &[&[Key(0, [0, 0, 0])], &[Key(0, [100, 50, -10])], &[], &[Key(0, [7, 7, 7])]]);
    let files = Files::default().motion("A", &[&bytes]);
    let (step, linear) = (files.scene(&[]), files.scene(&[("linear", "true")]));
    let (step, linear) = (glb_of(&step.value), glb_of(&linear.value));
    assert_eq!(step.key_times(0), linear.key_times(0));
    assert_eq!(step.key_times(0), [0, 1, 2, 3, 4].map(|frame| start(frame, 10.0)));
    let place = |glb: &glb::Model, t: f64| {
        glb.node_world(Some(0), "object_0", t)[3].map(|x| (1000.0 * x).round() / 1000.0)
    };
    assert_eq!([0.0, 0.05, 0.0999].map(|t| place(&step, t)), [[0.0, 0.0, 0.0, 1.0]; 3]);
    assert_eq!(place(&linear, 0.05), [50.0, -25.0, 5.0, 1.0]);
    assert_eq!(place(&linear, start(1, 10.0)), [100.0, -50.0, 10.0, 1.0]);
    let shown = |t: f64| has_extent(&linear.node_world(Some(0), "object_0", t));
    assert_eq!(
        [0.15, 0.19999, 0.25, 0.35].map(shown),
        [true, true, false, true],
        "hidden immediately, not gradually"
    );
}

/// Clips without motion keep their duration.
#[test]
fn stills_keep_their_duration() {
    let model = generate::model(
        &mut Rng::new(1),
        &ModelOptions { objects: 1, content: Content::Lines, ..ModelOptions::default() },
    );
    let (none, moved): (&[Key], &[Key]) = (&[], &[Key(0, [5, 6, 7])]);
    for (label, frames) in [
        ("nothing drawn", [none, none]),
        ("never moved", [moved, moved]),
        ("drawn once", [moved, none]),
    ] {
        let scene =
            Files::new(Some(model.clone())).motion("A", &[&anm(30, &frames)]).scene(&[]).value;
        assert_eq!(scene.clips[0].end, start(2, 30.0) as f32, "{label}");
        let glb = glb_of(&scene);
        assert_eq!(glb.animation_names(), ["A"], "{label}");
        assert_eq!(glb.key_times(0).last(), Some(&start(2, 30.0)), "{label}");
    }
    // A two-byte key in each of two frames. Everything is at rest, but the clip still exists.
    let unmoved: Vec<u8> = [0x8000, 30, 2, 6, 7, 8, 0, 0]
        .into_iter()
        .flat_map(|word: u16| word.to_le_bytes())
        .collect();
    let scene = Files::new(Some(model)).motion("A", &[&unmoved]).scene(&[]).value;
    let glb = glb_of(&scene);
    assert_eq!(glb.animation_names(), ["A"]);
    assert_eq!(glb.key_times(0).last(), Some(&start(2, 30.0)));
    assert!(glb.drawn_at(Some(0), 0.0).iter().all(|part| part.shown));
}

/// Clips share the model, and do not affect each other.
#[test]
fn several_files_are_several_clips() {
    for seed in 0..12 {
        let mut rng = Rng::new(seed);
        let model = generate::model(
            &mut rng,
            &ModelOptions { content: Content::Lines, ..ModelOptions::default() },
        );
        let files: Vec<Vec<u8>> = [3, 5, 7]
            .map(|objects| {
                generate::anm(&mut rng, &AnmOptions { objects, frames: 6, ..AnmOptions::default() })
            })
            .into();
        let names = ["WALK", "RUN", "walk"];
        let all = names
            .iter()
            .zip(&files)
            .fold(Files::new(Some(model.clone())), |all, (name, file)| all.motion(name, &[file]));
        let label = format!("clips {seed}");
        let scene = all.scene(&[]).value;
        assert_eq!(scene.clips.iter().map(|clip| &clip.name).collect::<Vec<_>>(), names);
        assert_eq!((scene.skeletons.len(), scene.skeletons[0].joints.len()), (1, 5), "{label}");
        let glb = glb_of(&scene);
        assert_eq!(glb.animation_names(), names, "{label}");
        let model = tmd::model(&model);
        let judge = Judge::new(Some(&model), &[]);
        for (name, file) in names.iter().zip(&files) {
            assert!(judge.clip(&glb, name, &tmd::anm(file), &label).frames == 6);
        }
        // Without a clip, the entire model is visible, as in its file.
        assert!(glb.drawn_at(None, 0.0).iter().all(|part| part.shown), "{label}");
    }
}

/// The game splits a long motion into several files.
#[test]
fn joined_files_are_one_clip() {
    let parts = [
        anm(10, &[&[Key(0, [1, 0, 0])], &[Key(0, [2, 0, 0]), Key(1, [9, 9, 9])]]),
        anm(20, &[&[Key(0, [3, 0, 0])]]),
        anm(0, &[&[], &[Key(1, [4, 0, 0])]]),
    ];
    let scene =
        Files::default().motion("LONG", &[&parts[0], &parts[1], &parts[2]]).scene(&[]).value;
    assert_eq!(scene.clips.iter().map(|clip| clip.name.as_str()).collect::<Vec<_>>(), ["LONG"]);
    let glb = glb_of(&scene);
    let x = |object: &str, t: f64| {
        let world = glb.node_world(Some(0), object, t);
        has_extent(&world).then_some(world[3][0])
    };
    // Each file has its own rate. The frames last 0.1 s, 0.1 s; 0.05 s; 1/30 s, 1/30 s.
    let third = 1.0 / 30.0;
    let times = [0.05, 0.15, 0.21, 0.249, 0.251, 0.25 + 1.5 * third];
    assert_eq!(
        times.map(|t| x("object_0", t)),
        [Some(1.0), Some(2.0), Some(3.0), Some(3.0), None, None]
    );
    assert_eq!(times.map(|t| x("object_1", t)), [None, Some(9.0), None, None, None, Some(4.0)]);
    let last = *glb.key_times(0).last().unwrap();
    assert!((last - (0.25 + 2.0 * third)).abs() < 1e-7, "{last}");
}

/// T21: keys for an object that the model does not have are reported.
#[test]
fn an_object_that_is_not_in_the_model() {
    let model = generate::model(
        &mut Rng::new(1),
        &ModelOptions { objects: 10, content: Content::Lines, ..ModelOptions::default() },
    );
    let bytes = anm(30, &[&[Key(9, [1, 2, 3]), Key(255, [4, 5, 6])], &[Key(255, [4, 5, 6])]]);
    let made = Files::new(Some(model)).motion("A", &[&bytes]).scene(&[]);
    let messages: Vec<&str> = made
        .losses
        .iter()
        .filter(|loss| loss.code.id == "tmd-anm-object")
        .map(|loss| loss.message.as_str())
        .collect();
    let [only] = messages[..] else { panic!("{messages:?}") };
    let expected = "object 255 has keys in 2 frames, but the model has only objects 0 to 9";
    assert!(only.ends_with(expected), "{only}");
    assert_eq!(made.value.skeletons[0].joints.len(), 10);
    let glb = glb_of(&made.value);
    assert!(!glb.node_names().iter().any(|name| name.contains("255")));
    assert!(
        has_extent(&glb.node_world(Some(0), "object_9", 0.01))
            && !has_extent(&glb.node_world(Some(0), "object_9", 0.04))
    );
}

/// Keys for ten objects that the model does not have are reported together, since they have the
/// same cause: the wrong model.
#[test]
fn many_objects_beyond_the_model_are_reported_together() {
    let model = generate::model(
        &mut Rng::new(1),
        &ModelOptions { objects: 2, content: Content::Lines, ..ModelOptions::default() },
    );
    let keys: Vec<Key> = (0..12).map(|object| Key(object, [1, 2, 3])).collect();
    let made = Files::new(Some(model)).motion("A", &[&anm(30, &[&keys, &keys[..2]])]).scene(&[]);
    let messages = made.losses.iter().filter(|loss| loss.code.id == "tmd-anm-object");
    let messages: Vec<&str> = messages.map(|loss| loss.message.as_str()).collect();
    let [only] = messages[..] else { panic!("{messages:?}") };
    let expected = "objects 2 to 11 have keys in 1 frame, but the model has only objects 0 to 1";
    assert!(only.ends_with(expected), "{only}");
}

/// Checks one triangle by hand: on the screen, with y down, its vertices are clockwise, so its
/// front faces the viewer.
#[test]
fn fronts_stay_fronts() {
    let words: [u32; 10] = [0x41, 0, 1, 28, 3, 0, 0, 52, 1, 0];
    let vertices: [i16; 12] = [0, 0, 0, 0, 10, 0, 0, 0, 10, 10, 0, 0];
    let mut model: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    model.extend(vertices.iter().flat_map(|number| number.to_le_bytes()));
    // Flat, unlit.
    model.extend([4, 3, 1, 0x21, 255, 128, 0, 0x21, 0, 0, 1, 0, 2, 0, 0, 0]);
    let glb = glb_of(&Files::new(Some(model)).scene(&[]).value);
    let drawn = glb.drawn_at(None, 0.0);
    let [a, b, c] = drawn[0].triangles[0].map(|vertex| vertex.place);
    // The triangle faces the viewer, who looks along -z. It is counter-clockwise, so its area is
    // positive.
    let area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    assert_eq!(area, 100.0, "{a:?} {b:?} {c:?}");
    assert!(drawn[0].unlit && !drawn[0].double_sided);
    let [red, green, blue, alpha] = drawn[0].triangles[0][0].colour;
    assert!((red, blue, alpha) == (1.0, 0.0, 1.0) && (green - 0.215_86).abs() < 1e-4, "{green}");
}

/// On request, objects are hidden by an extension, and their scale is not changed.
#[test]
fn visibility_by_an_extension() {
    let bytes = anm(30, &[&[Key(0, [1, 2, 3])], &[], &[Key(0, [4, 5, 6])]]);
    let scene = Files::default().motion("A", &[&bytes]).scene(&[]).value;
    let glb = |options| written(&scene, "glb", options).unwrap().value.main;
    let says = |bytes: &[u8], word: &str| {
        bytes.windows(word.len()).any(|window| window == word.as_bytes())
    };
    let (plain, extended) = (glb(&[]), glb(&[("node-visibility", "true")]));
    assert!(!says(&plain, "KHR_node_visibility") && says(&plain, "\"scale\""));
    assert!(
        says(&extended, "KHR_node_visibility")
            && says(&extended, "KHR_animation_pointer")
            && !says(&extended, "\"scale\"")
    );
}
