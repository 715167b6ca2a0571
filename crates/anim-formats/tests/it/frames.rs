//! Compares the conversion of castle-anim-frames to GLB with an independent evaluation. The oracle,
//! written from the format notes and the standards, interpolates every value between two frames,
//! the GLB is read with the `gltf` crate, and the positions of all face corners are compared.

use std::collections::HashMap;
use std::path::Path;

use anim_formats::anim_ir::{Scene, Severity, Wrap};
use anim_formats::{AnyDocument, LoadOptions, castle, load};
use test_oracle::castle::generate::{Generated, Options, castle_with};
use test_oracle::fixtures::scale;
use test_oracle::{castle as oracle, glb};

use crate::{Set, assert_corners, glb_of, scene_of, settings, testdata, written};

/// The maximum error of a vertex position, relative to the size of the scene. Half of this allows
/// for the approximation of splined morph weights by linear keys.
const TOLERANCE: f64 = 2e-5;

/// Loads the scene of a file on disk, including frames in other files.
fn load_scene(path: &Path, options: Set<'_>, label: &str) -> Scene {
    let options = LoadOptions::default().with_settings(settings(options));
    let loaded = load(path, &options).unwrap();
    let found = &loaded.diagnostics;
    assert!(found.worst() < Some(Severity::Error), "{label}: {found:?}");
    assert_eq!(*loaded.document.to_bytes(), std::fs::read(path).unwrap(), "{label}");
    let invalid = anim_formats::anim_ir::validate(&loaded.scene);
    assert!(invalid.is_empty(), "{label}: {invalid:?}");
    loaded.scene
}

fn scene_of_generated(generated: &Generated, options: Set<'_>, label: &str) -> Scene {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in &generated.files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
    let path = folder.path().join("generated.castle-anim-frames");
    std::fs::write(&path, &generated.text).unwrap();
    load_scene(&path, options, label)
}

/// Returns times at, between, before and after the frames, each as in the file and as in the GLB,
/// whose times are f32.
pub(crate) fn moments(times: &[f64], shift: f64) -> Vec<(f64, f64)> {
    let part_way = |a: f64, b: f64, part: f64| a + (b - a) * part;
    let between = times.windows(2).flat_map(|pair| {
        let [start, end] = [pair[0], pair[1]].map(|time| in_glb(time, shift));
        [0.2, 0.5, 0.9].map(|part| (part_way(pair[0], pair[1], part), part_way(start, end, part)))
    });
    let (first, last) =
        (times.first().copied().unwrap_or(0.0), times.last().copied().unwrap_or(0.0));
    let outside = [first - 1.0, last + 1.0].map(|time| (time, time - shift));
    times.iter().map(|time| (*time, in_glb(*time, shift))).chain(between).chain(outside).collect()
}

/// Returns a frame's time in the GLB.
fn in_glb(time: f64, shift: f64) -> f64 {
    f64::from((f64::from(time as f32) - f64::from(shift as f32)) as f32)
}

/// Returns the face corners of visible geometry. In the GLB, hidden geometry is scaled to a point.
pub(crate) fn seen<const N: usize>(elements: Vec<[[f64; 3]; N]>) -> Vec<[f64; 3]> {
    elements
        .into_iter()
        .filter(|corners| corners.iter().any(|corner| *corner != corners[0]))
        .flatten()
        .collect()
}

struct Checked {
    moments: usize,
    unequal: usize,
    morphing: usize,
}

fn check(movie: &oracle::Movie, scene: &Scene, label: &str) -> Checked {
    let model = glb_of(scene);
    let mut checked = Checked {
        moments: 0,
        unequal: 0,
        morphing: scene.meshes.iter().filter(|mesh| !mesh.morph_targets.is_empty()).count(),
    };
    let names = model.animation_names();
    for (clip, animation) in scene.clips.iter().zip(&movie.animations) {
        let start = animation.times[0] as f32;
        assert_eq!(clip.start, start, "{label}");
        // A single unnamed animation is named after the file.
        if movie.animations.len() > 1 || animation.name != "animation" {
            assert_eq!(clip.name, animation.name, "{label}");
        }
        let tolerance = TOLERANCE * movie.size().max(1e-3);
        // A clip without motion is not an animation in glTF.
        let number = names.iter().position(|name| *name == clip.name);
        // Negative times are shifted to 0.
        let shift = animation.times[0].min(0.0);
        for (t, in_glb) in moments(&animation.times, shift) {
            let found = seen(model.triangles_at(number, in_glb));
            let expected = animation.corners_at(t);
            let label = format!("{label}, {} at {t}", animation.name);
            assert_corners(&found, &expected, tolerance, &label);
            let lines = seen(model.lines_at(number, in_glb));
            assert_corners(
                &lines,
                animation.drawn_at(t).lines.as_flattened(),
                tolerance,
                &format!("{label}, lines"),
            );
            checked.moments += 1;
        }
        checked.unequal +=
            (1..animation.times.len()).filter(|i| !animation.structurally_equal(i - 1)).count();
    }
    checked
}

fn check_seeds(
    generator: Options,
    options: Set<'_>,
    seeds: std::ops::Range<u64>,
    what: &str,
) -> (usize, usize, usize) {
    let mut sums = (0, 0, 0);
    for seed in seeds {
        let generated = castle_with(seed, generator);
        let movie = oracle::read(&generated.text, &|path| generated.file(path));
        let label = format!("{what} {seed}");
        let checked = check(&movie, &scene_of_generated(&generated, options, &label), &label);
        sums = (sums.0 + checked.moments, sums.1 + checked.unequal, sums.2 + checked.morphing);
    }
    sums
}

#[test]
fn generated_files() {
    let (moments, unequal, morphing) =
        check_seeds(Options::default(), &[], 0..scale(100, 250), "seed");
    assert!(
        moments > scale(800, 2_000) && unequal > scale(20, 50) && morphing > scale(20, 50),
        "{moments} {unequal} {morphing}"
    );
}

/// The vertices of a scene are numbered as faces use them, but a blend needs equal indices in the
/// files.
#[test]
fn obj_frames_with_other_indices_are_not_blended() {
    let triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
    let other = "v 0 0 1\nv 1 0 1\nv 0 1 1\n";
    for (second, blends) in [
        (format!("{other}f 1 2 3\n"), true),
        (format!("{other}f 2 3 1\n"), false),
        (format!("{other}v 5 5 5\nf 1 2 3\n"), false),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            std::fs::write(folder.path().join(name), text).unwrap();
            folder.path().join(name)
        };
        write("a.obj", &format!("{triangle}f 1 2 3\n"));
        write("b.obj", &second);
        let frames = "<frame file_name='a.obj' time='0'/><frame file_name='b.obj' time='1'/>";
        let path =
            write("ab.kanim", &format!("<animations><animation>{frames}</animation></animations>"));
        let scene = load_scene(&path, &[], &second);
        let targets: usize = scene.meshes.iter().map(|mesh| mesh.morph_targets.len()).sum();
        assert_eq!((scene.meshes.len(), targets), if blends { (1, 1) } else { (2, 0) }, "{second}");
    }
}

#[test]
fn matrices_that_change() {
    let generator = Options { varying_matrices: true, ..Options::default() };
    let (moments, _, morphing) = check_seeds(generator, &[], 0..scale(48, 120), "matrix");
    assert!(moments > scale(400, 1_000) && morphing > scale(12, 30), "{moments} {morphing}");
}

#[test]
fn a_low_morph_target_limit_splits_the_mesh() {
    let options = [("morph-targets", "4")];
    check_seeds(Options::default(), &options, 300..scale(325, 400), "pages");
    let generator = Options { varying_matrices: true, ..Options::default() };
    check_seeds(generator, &options, 300..scale(315, 350), "matrix pages");
}

/// A flip book shows the shape of the preceding frame.
#[test]
fn a_flip_book_has_the_shapes_of_the_frames() {
    for seed in 0..scale(30, 60) {
        let generated = castle_with(seed, Options::default());
        let movie = oracle::read(&generated.text, &|path| generated.file(path));
        let label = format!("flip-book {seed}");
        let scene = scene_of_generated(&generated, &[("flip-book", "true")], &label);
        assert!(scene.meshes.iter().all(|mesh| mesh.morph_targets.is_empty()), "{label}");
        let model = glb_of(&scene);
        for (clip, animation) in scene.clips.iter().zip(&movie.animations) {
            let number = model.animation_names().iter().position(|name| *name == clip.name);
            let shift = animation.times[0].min(0.0);
            for t in &animation.times {
                let found = seen(model.triangles_at(number, in_glb(*t, shift)));
                let tolerance = 1e-5 * movie.size().max(1e-3);
                assert_corners(
                    &found,
                    &animation.corners_at(*t),
                    tolerance,
                    &format!("{label} at {t}"),
                );
            }
        }
    }
}

/// Repeats the comparison for the small hand-written files in the repository.
#[test]
fn fixtures() {
    let folder = testdata("castle/ok");
    let mut seen = 0;
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        if !["castle-anim-frames", "kanim"].iter().any(|end| path.extension() == Some(end.as_ref()))
        {
            continue;
        }
        let label = path.file_name().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read(&path).unwrap();
        let parsed = castle::Document::parse(&text[..]).unwrap().value;
        // The oracle does not read frames in glTF.
        let frames = parsed.animations().iter().flat_map(|animation| &animation.frames);
        if frames.clone().any(|frame| matches!(&frame.content, castle::Content::Gltf(_))) {
            continue;
        }
        let mut files: HashMap<String, Vec<u8>> = HashMap::new();
        collect(&folder, &folder, &mut files);
        let generated = Generated { text, files: files.into_iter().collect() };
        let Ok(movie) = std::panic::catch_unwind(|| {
            oracle::read(&generated.text, &|path| generated.file(path))
        }) else {
            continue;
        };
        let has_lines = |animation: &oracle::Animation| {
            !animation.drawn_at(animation.times[0]).primitives.is_empty()
        };
        if movie.animations.iter().any(has_lines) {
            continue;
        }
        check(&movie, &load_scene(&path, &[], &label), &label);
        seen += 1;
    }
    assert!(seen > 10, "{seen}");
}

fn collect(root: &Path, folder: &Path, files: &mut HashMap<String, Vec<u8>>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(root, &path, files);
        } else {
            let name = path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
            files.insert(name, std::fs::read(&path).unwrap());
        }
    }
}

/// The backward half of a ping-pong clip mirrors the forward half.
#[test]
fn the_backward_half_mirrors_the_forward_half() {
    let mut turned = 0;
    for seed in 0..scale(60, 80) {
        let generated = castle_with(seed, Options::default());
        let movie = oracle::read(&generated.text, &|path| generated.file(path));
        let label = format!("backwards {seed}");
        let scene = scene_of_generated(&generated, &[("bake-backwards", "true")], &label);
        let model = glb_of(&scene);
        for (clip, animation) in scene.clips.iter().zip(&movie.animations) {
            let number = model.animation_names().iter().position(|name| *name == clip.name);
            let (first, last) = (animation.times[0], *animation.times.last().unwrap());
            let shift = first.min(0.0);
            if !animation.backwards || animation.times.len() < 2 {
                assert_eq!(clip.end, last as f32, "{label}");
                continue;
            }
            assert!(
                (f64::from(clip.end) - (last + (last - first))).abs() < 1e-5 * last.abs().max(1.0),
                "{label}"
            );
            assert_eq!(clip.wrap, if animation.loops { Wrap::Loop } else { Wrap::Once }, "{label}");
            let even = (1..animation.times.len()).all(|i| animation.structurally_equal(i - 1))
                && !animation.step;
            // At the midpoint of each step, which is the same in both directions if frames are
            // interpolated.
            for pair in animation.times.windows(2).filter(|_| even) {
                let t = f64::midpoint(pair[0], pair[1]);
                let found = seen(model.triangles_at(number, last + (last - t) - shift));
                let tolerance = 1e-4 * movie.size().max(1e-3);
                assert_corners(
                    &found,
                    &animation.corners_at(t),
                    tolerance,
                    &format!("{label} at {t}"),
                );
                turned += 1;
            }
        }
    }
    assert!(turned > scale(22, 30), "{turned}");
}

/// Animations in separate files become clips of one scene that share their meshes.
#[test]
fn merged_files_share_their_meshes() {
    let still = |x: &str, z: &str| {
        format!(
            "<X3D><Scene><Transform DEF='T' translation='{x} 0 0'><Shape>\
             <IndexedFaceSet coordIndex='0 1 2 -1'><Coordinate point='0 0 0 1 0 0 0 1 {z}'/>\
             </IndexedFaceSet></Shape></Transform></Scene></X3D>"
        )
    };
    let file = |name: &str, frames: [(&str, &str); 2]| {
        let [a, b] = frames.map(|(x, z)| still(x, z));
        format!(
            "<animation name='{name}'><frame time='0'>{a}</frame><frame \
             time='1'>{b}</frame></animation>"
        )
    };
    let texts = [file("walk", [("0", "0"), ("5", "0")]), file("jump", [("0", "0"), ("0", "3")])];
    let [walk, jump] =
        texts.each_ref().map(|text| castle::Document::parse(text.as_bytes()).unwrap().value);
    let inputs = [&walk, &jump].map(|document| castle::Merge { document, folder: "" });
    let merged = castle::merge(&inputs).unwrap();
    assert!(merged.losses.is_empty());
    let made = scene_of(&AnyDocument::Castle(merged.value), &[]);
    assert_eq!(made.losses.worst(), None, "{:?}", made.losses);
    let scene = made.value;
    assert_eq!((scene.meshes.len(), scene.nodes.len(), scene.clips.len()), (1, 1, 2));
    assert_eq!(scene.meshes[0].morph_targets.len(), 1);
    // Each clip sets every channel: the walk keeps the shape, the jump keeps the position.
    let model = glb_of(&scene);
    let at = |clip, t| model.triangles_at(Some(clip), t)[0];
    assert_eq!(at(0, 1.0), [[5.0, 0.0, 0.0], [6.0, 0.0, 0.0], [5.0, 1.0, 0.0]]);
    assert_eq!(at(1, 0.5), [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 1.5]]);
}

/// A skinned model becomes stills, and the stills become a morphing mesh in the same position.
#[test]
fn any_scene_round_trips_through_frames() {
    let path = testdata("amo/ok/octopus_arm.amo");
    let scene = load(path, &LoadOptions::default()).unwrap().scene;
    let written = written(&scene, "castle", &[("fps", "20")]).unwrap().value.main;
    let document = castle::Document::parse(&written[..]).unwrap();
    assert!(document.diagnostics.worst() < Some(Severity::Warning), "{:?}", document.diagnostics);
    let back = scene_of(&AnyDocument::Castle(document.value), &[]).value;
    let (before, after) = (glb_of(&scene), glb_of(&back));
    assert_eq!(before.animation_names(), after.animation_names());
    for (number, clip) in back.clips.iter().enumerate() {
        for frame in 0..=((clip.end - clip.start) * 20.0) as usize {
            let t = f64::from(clip.start) + frame as f64 / 20.0;
            let corners = |model: &glb::Model| {
                model.triangles_at(Some(number), t).into_iter().flatten().collect::<Vec<_>>()
            };
            let label = format!("{} at {t}", clip.name);
            assert_corners(&corners(&before), &corners(&after), 1e-4, &label);
        }
    }
}
