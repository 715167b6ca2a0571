//! Frames to motion: what is seen at which time, what is shared, and what hostile files cost.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "tests fail loudly"
)]

mod common;

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anim_ir::{
    Channel, Clip, Converted, Diagnostics, Interpolation, Pose, Sampler, Scene, Severity, Vec3,
    diag::plural, validate,
};
use model_x3d::{Animate, Document, Frame, FrameReader, Graph, Take, animate};

/// A scene in X3D.
fn scene(content: &str) -> String {
    format!("<X3D><Scene>{content}</Scene></X3D>")
}

/// A triangle of these points in a transform of its own.
fn triangle(translation: &str, points: &str) -> String {
    let shape = format!(
        "<Shape><IndexedFaceSet coordIndex='0 1 2 -1'><Coordinate \
         point='{points}'/></IndexedFaceSet></Shape>"
    );
    scene(&format!("<Transform translation='{translation}'>{shape}</Transform>"))
}

/// Frames, one a second from 0 on, that stand in one file.
fn take(name: &str, texts: &[String]) -> Take {
    let mut reader = FrameReader::default();
    let mut diagnostics = Diagnostics::new();
    let mut start = 0;
    let frames = texts.iter().enumerate().map(|(number, text)| {
        let graph = reader.read(text, start, &[], &mut diagnostics).unwrap();
        start += text.len();
        Frame { time: number as f32, graph: Arc::new(graph), in_file: true, span: None }
    });
    let frames: Vec<Frame> = frames.collect();
    let end = frames.last().map_or(0.0, |frame| frame.time);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    Take { clip: Clip { name: name.to_owned(), end, ..Clip::default() }, frames, step: false }
}

/// Makes a scene, which must be valid, and within a time that only a step of more than linear time
/// exceeds.
fn make(takes: Vec<Take>, options: &Animate) -> Converted<Scene> {
    let start = Instant::now();
    let made = animate(takes, options, &mut |_| 0);
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
    let problems = validate(&made.value);
    assert!(problems.is_empty(), "{problems:?}");
    made
}

fn clean(takes: Vec<Take>, options: &Animate) -> Scene {
    let made = make(takes, options);
    assert!(made.losses.is_empty(), "{:?}", made.losses);
    made.value
}

/// The vertices that are seen at a time of a clip, in the scene's space: those of one node after
/// the other.
fn seen_at(scene: &Scene, clip: usize, time: f64) -> Vec<Vec3> {
    let (skeleton, clip) = (&scene.skeletons[0], &scene.clips[clip]);
    let mut pose = Pose::default();
    Sampler::for_clip(skeleton, &scene.timelines[clip.timeline], clip).sample(time, &mut pose);
    let (mut matrices, seen) = (Vec::new(), pose.seen(skeleton));
    pose.model_matrices(skeleton, &mut matrices);
    let mut vertices = Vec::new();
    for (number, node) in scene.nodes.iter().enumerate() {
        let joint = node.parent.map(|(_, joint)| joint);
        if joint.is_some_and(|joint| !seen[joint]) {
            continue;
        }
        let mesh = &scene.meshes[node.mesh.unwrap()];
        let weights = pose
            .morph_weights
            .iter()
            .find(|(at, _)| *at == number)
            .map_or(&[][..], |(_, weights)| weights);
        for (at, position) in mesh.positions.iter().enumerate() {
            let mut moved = position.to_array();
            for (target, weight) in mesh.morph_targets.iter().zip(weights) {
                moved
                    .iter_mut()
                    .zip(target.positions[at].to_array())
                    .for_each(|(sum, delta)| *sum += weight * delta);
            }
            vertices.push(joint.map_or(Vec3::from(moved), |joint| {
                matrices[joint].transform_point(Vec3::from(moved))
            }));
        }
    }
    vertices
}

#[track_caller]
fn assert_near(found: &[Vec3], expected: &[[f32; 3]]) {
    let near = |(a, b): (&Vec3, &[f32; 3])| {
        a.to_array().iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-5 * (1.0 + b.abs()))
    };
    assert!(
        found.len() == expected.len() && found.iter().zip(expected).all(near),
        "found {found:?}, expected {expected:?}"
    );
}

#[test]
fn transforms_become_keys_and_points_become_morph_targets() {
    let frames = [
        triangle("0 0 0", "0 0 0 1 0 0 0 1 0"),
        triangle("2 0 0", "0 0 4 1 0 0 0 1 0"),
        triangle("2 6 0", "0 0 4 1 0 0 0 1 0"),
    ];
    let made = clean(vec![take("walk", &frames)], &Animate::default());
    assert_eq!(
        (made.meshes.len(), made.meshes[0].morph_targets.len(), made.skeletons[0].joints.len()),
        (1, 1, 1)
    );
    assert_near(&seen_at(&made, 0, 0.0), &[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    assert_near(&seen_at(&made, 0, 0.5), &[[1.0, 0.0, 2.0], [2.0, 0.0, 0.0], [1.0, 1.0, 0.0]]);
    assert_near(&seen_at(&made, 0, 1.5), &[[2.0, 3.0, 4.0], [3.0, 3.0, 0.0], [2.0, 4.0, 0.0]]);
}

/// Two poses that take turns are one mesh and one morph target, however often.
#[test]
fn shapes_that_come_again_are_used_again() {
    let poses = [triangle("0 0 0", "0 0 0 1 0 0 0 1 0"), triangle("0 0 0", "0 0 1 1 0 0 0 1 0")];
    let frames: Vec<String> = (0..9).map(|n| poses[n % 2].clone()).collect();
    let made = clean(vec![take("flap", &frames)], &Animate::default());
    assert_eq!(made.meshes[0].morph_targets.len(), 1);
    assert_eq!(
        [0.0, 1.0, 2.5, 7.0, 8.0].map(|time| seen_at(&made, 0, time)[0].z),
        [0.0, 1.0, 0.5, 1.0, 0.0]
    );
}

#[test]
fn two_takes_share_what_they_have_in_common() {
    let rest = triangle("0 0 0", "0 0 0 1 0 0 0 1 0");
    let walk = take("walk", &[rest.clone(), triangle("3 0 0", "0 0 0 1 0 0 0 1 0")]);
    let wave = take("wave", &[rest, triangle("0 0 0", "0 0 2 1 0 0 0 1 0")]);
    let made = clean(vec![walk, wave], &Animate::default());
    assert_eq!(
        (made.meshes.len(), made.nodes.len(), made.clips.len(), made.timelines.len()),
        (1, 1, 2, 2)
    );
    assert_near(&seen_at(&made, 0, 1.0)[..1], &[[3.0, 0.0, 0.0]]);
    // What the other one moves stays in its place.
    assert_near(&seen_at(&made, 1, 1.0)[..1], &[[0.0, 0.0, 2.0]]);
}

#[test]
fn a_take_hides_what_belongs_to_others() {
    let square = scene(
        "<Shape><IndexedFaceSet coordIndex='0 1 2 3 -1'><Coordinate point='9 0 0 10 0 0 10 1 0 9 \
         1 0'/></IndexedFaceSet></Shape>",
    );
    let made = clean(
        vec![take("a", &[triangle("0 0 0", "0 0 0 1 0 0 0 1 0")]), take("b", &[square])],
        &Animate::default(),
    );
    assert_eq!([0, 1].map(|clip| seen_at(&made, clip, 0.0).len()), [3, 4]);
    let switches = made.skeletons[0].joints.iter().filter(|joint| joint.name.starts_with("frames"));
    assert_eq!(switches.map(|joint| joint.visible).collect::<Vec<_>>(), [true, false]);
}

/// The frame in the middle has a face more: it is shown alone, and what is around it stands still
/// up to it.
#[test]
fn a_frame_of_other_parts_takes_the_place_of_the_one_before() {
    let (first, last) =
        (triangle("0 0 0", "0 0 0 1 0 0 0 1 0"), triangle("8 0 0", "0 0 0 1 0 0 0 1 0"));
    let other = last.replace("0 1 2 -1", "0 1 2 -1 2 1 0 -1").replace("8 0 0", "4 0 0");
    let texts = [first, triangle("2 0 0", "0 0 0 1 0 0 0 1 0"), other, last];
    let made = make(vec![take("hop", &texts)], &Animate::default());
    let first_x = |time: f64| seen_at(&made.value, 0, time)[0].x;
    assert_eq!([0.5, 1.0, 1.5, 1.99].map(first_x), [1.0, 2.0, 2.0, 2.0]);
    assert_eq!([2.0, 2.5, 3.0, 9.0].map(first_x), [4.0, 4.0, 8.0, 8.0]);
    assert_eq!(made.losses.count(&model_x3d::codes::FRAMES_DIFFER), 2);
    // It is said at the node of the later frame, which is somewhere else in the file.
    let whole = texts.concat();
    let said: Vec<&str> =
        made.losses.iter().map(|loss| &whole[loss.span.unwrap().start..]).collect();
    assert!(said.iter().all(|node| node.starts_with("IndexedFaceSet coordIndex")), "{said:?}");
    assert!(said[0].contains("2 1 0 -1") && !said[1].contains("2 1 0 -1"), "{said:?}");
    let message = &made.losses.iter().next().unwrap().message;
    assert_eq!(
        message,
        "frame 2 of clip `hop` is not made of the same parts as the one before: coordIndex of \
         IndexedFaceSet"
    );
}

#[test]
fn steps_stay_until_the_next_frame() {
    let frames = [triangle("0 0 0", "0 0 0 1 0 0 0 1 0"), triangle("2 0 0", "0 0 4 1 0 0 0 1 0")];
    let stepping = Take { step: true, ..take("tick", &frames) };
    let made = clean(vec![stepping], &Animate::default());
    assert_eq!(
        made.timelines[0].tables().iter().map(anim_ir::KeyTable::interpolation).collect::<Vec<_>>(),
        [Interpolation::Step]
    );
    assert_near(&seen_at(&made, 0, 0.99)[..1], &[[0.0, 0.0, 0.0]]);
    assert_near(&seen_at(&made, 0, 1.0)[..1], &[[2.0, 0.0, 4.0]]);
}

/// Frames of a mesh that never looks the same twice.
fn restless(count: usize) -> Vec<String> {
    (0..count).map(|n| triangle("0 0 0", &format!("{n} 0 0 1 0 0 0 1 {n}"))).collect()
}

/// More shapes than a mesh may have targets: several meshes, of which one is seen at any time.
#[test]
fn pages() {
    let options = Animate { most_morph_targets: 10, ..Animate::default() };
    let made = clean(vec![take("long", &restless(50))], &options);
    assert!(made.meshes.len() >= 5, "{}", made.meshes.len());
    assert!(made.meshes.iter().all(|mesh| mesh.morph_targets.len() <= 10));
    for time in (0..490).map(|tenth| f64::from(tenth) / 10.0) {
        let seen = seen_at(&made, 0, time);
        assert_near(&seen, &[[time as f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, time as f32]]);
    }
}

/// For players that know no morph targets.
#[test]
fn a_flip_book_has_a_mesh_for_each_shape() {
    let made =
        clean(vec![take("flip", &restless(5))], &Animate { flip_book: true, ..Animate::default() });
    assert!(made.meshes.len() == 5 && made.meshes.iter().all(|mesh| mesh.morph_targets.is_empty()));
    assert_eq!(
        [0.0, 0.9, 1.0, 3.5, 4.0].map(|time| seen_at(&made, 0, time)[0].x),
        [0.0, 0.0, 1.0, 3.0, 4.0]
    );
    assert_eq!(
        made.timelines[0]
            .tracks()
            .iter()
            .filter(|track| track.channel == Channel::MorphWeights)
            .count(),
        0
    );
}

/// Sizes that differ by eight may not differ in time by much more.
#[test]
fn ten_thousand_frames_take_linear_time() {
    let time = |frames: usize| {
        let texts = restless(frames);
        let start = Instant::now();
        let made = make(vec![take("long", &texts)], &Animate::default()).value;
        let elapsed = start.elapsed().as_secs_f64();
        let targets: usize = made.meshes.iter().map(|mesh| mesh.morph_targets.len()).sum();
        assert!(
            targets >= frames - made.meshes.len() && made.meshes.len() <= frames / 200 + 1,
            "{} meshes, {targets} targets",
            made.meshes.len()
        );
        elapsed
    };
    time(100);
    let (small, great) = ((0..3).map(|_| time(1250)).fold(f64::MAX, f64::min), time(10_000));
    assert!(great < small * 8.0 * 4.0, "{small} s and {great} s");
}

/// All frames are unequal: each is a scene of its own.
#[test]
fn frames_that_all_differ_take_linear_time() {
    let time = |count: usize| {
        let boxes = (0..count).map(|n| {
            scene(
                &"<Shape><Box/></Shape>"
                    .repeat(n % 7 + 1)
                    .replace("<Shape>", &format!("<Shape DEF='s{n}'>")),
            )
        });
        let texts: Vec<String> = boxes.collect();
        let taken = take("odd", &texts);
        let start = Instant::now();
        let made = make(vec![taken], &Animate::default());
        assert_eq!(made.losses.count(&model_x3d::codes::FRAMES_DIFFER), count as u64 - 1);
        assert_eq!(made.value.meshes.len(), 1);
        start.elapsed().as_secs_f64()
    };
    time(100);
    let (small, great) = ((0..3).map(|_| time(1000)).fold(f64::MAX, f64::min), time(8000));
    assert!(great < small * 8.0 * 4.0, "{small} s and {great} s");
}

fn graph(text: String) -> Arc<Graph> {
    Arc::new(Document::parse(text.into_bytes()).unwrap().value.into_graph())
}

fn still(text: String) -> Take {
    Take {
        clip: Clip::default(),
        frames: vec![Frame { time: 0.0, graph: graph(text), in_file: true, span: None }],
        step: false,
    }
}

/// A scene in which the last of
/// `levels` groups uses the one before it twice, and so on down to `leaf`.
fn doubling(levels: usize, leaf: &str) -> String {
    let mut text = format!("#VRML V2.0 utf8\nSwitch {{ choice [ DEF g0 {leaf}\n");
    for level in 1..=levels {
        writeln!(text, "DEF g{level} Group {{ children [ USE g{0} USE g{0} ] }}", level - 1)
            .unwrap();
    }
    write!(text, "] }} USE g{levels}").unwrap();
    text
}

#[track_caller]
fn is_bounded(made: &Converted<Scene>) {
    assert!(made.losses.count(&model_x3d::codes::EXPANSION) > 0, "{:?}", made.losses);
    assert_eq!(made.losses.worst(), Some(Severity::Error));
}

/// Row C16: a billion uses of one box.
#[test]
fn uses_that_double_thirty_times() {
    let made = make(vec![still(doubling(30, "Shape { geometry Box { } }"))], &Animate::default());
    is_bounded(&made);
    assert_eq!(made.value.meshes.len(), 1);
    assert!((100_000..=1_000_100).contains(&made.value.nodes.len()), "{}", made.value.nodes.len());
    // Ten times are fine.
    let made = clean(vec![still(doubling(10, "Shape { geometry Box { } }"))], &Animate::default());
    assert_eq!((made.nodes.len(), made.meshes.len()), (1024, 1));
}

/// Each use has keys of its own: uses times frames are bounded as well.
#[test]
fn uses_that_double_and_move() {
    let frames = |leaf: &dyn Fn(usize) -> String| {
        let frames = (0..300).map(|n| Frame {
            time: n as f32,
            graph: graph(doubling(16, &leaf(n))),
            in_file: true,
            span: None,
        });
        Take { clip: Clip { end: 299.0, ..Clip::default() }, frames: frames.collect(), step: false }
    };
    let shape = |n: usize| {
        format!(
            "Shape {{ geometry IndexedFaceSet {{ coordIndex [0 1 2] coord Coordinate {{ point [{n} 0 0 1 0 0 0 1 0] }} }} }}"
        )
    };
    let moving = make(
        vec![frames(&|n| format!("Transform {{ translation {n} 0 0 children {} }}", shape(0)))],
        &Animate::default(),
    );
    is_bounded(&moving);
    let morphing = make(vec![frames(&shape)], &Animate::default());
    is_bounded(&morphing);
    for made in [moving, morphing] {
        let keys = made.value.timelines[0].key_count();
        assert!(keys <= 2_000_000, "{keys}");
    }
}

/// A mesh is made once, however often it is used.
#[test]
fn a_great_mesh_is_used_often() {
    let points: String = (0..60_000).map(|n| format!("{n} 0 1 ")).collect();
    let index: String = (0..60_000).map(|n| format!("{n} ")).collect();
    let leaf = format!(
        "Shape {{ geometry IndexedTriangleSet {{ index [{index}] coord Coordinate {{ point [{points}] }} }} }}"
    );
    let made = clean(vec![still(doubling(17, &leaf))], &Animate::default());
    assert_eq!((made.nodes.len(), made.meshes.len()), (1 << 17, 1));
}

/// Names, and transforms that each shape has a list of, are repeated with each use.
#[test]
fn uses_that_repeat_much() {
    let name = "n".repeat(4000);
    let leaf = format!("Group {{ children DEF {name} Shape {{ geometry Box {{ }} }} }}");
    is_bounded(&make(vec![still(doubling(18, &leaf))], &Animate::default()));

    let mut text = String::from("#VRML V1.0 ascii\nSeparator { Texture2 { filename \"a.png\" }\n");
    (0..100_000).for_each(|_| text.push_str("Texture2Transform { } Cube { }\n"));
    is_bounded(&make(vec![still(text + "}")], &Animate::default()));

    // Below a matrix that changes, all transforms go into the vertices.
    let frame = |n: usize| {
        let mut text = String::from("#VRML V1.0 ascii\nSwitch { DEF s0 Separator { Cube { } }\n");
        (1..=20_000).for_each(|level| {
            writeln!(text, "DEF s{level} Separator {{ Translation {{ }} USE s{} }}", level - 1)
                .unwrap()
        });
        write!(
            text,
            "}} MatrixTransform {{ matrix 1 0 0 {n} 0 1 0 0 0 0 1 0 0 0 0 1 }} USE s20000"
        )
        .unwrap();
        Frame { time: n as f32, graph: graph(text), in_file: true, span: None }
    };
    is_bounded(&make(
        vec![Take {
            clip: Clip { end: 1.0, ..Clip::default() },
            frames: vec![frame(0), frame(1)],
            step: false,
        }],
        &Animate::default(),
    ));
}

/// Deep by use, since a file may not nest that deep: no recursion anywhere.
#[test]
fn a_hundred_thousand_transforms_in_each_other() {
    let mut text =
        String::from("#VRML V2.0 utf8\nSwitch { choice [ DEF t0 Shape { geometry Box { } }\n");
    for level in 1..=100_000 {
        writeln!(
            text,
            "DEF t{level} Transform {{ translation 0 0 1 children USE t{} }}",
            level - 1
        )
        .unwrap();
    }
    let made = clean(vec![still(text + "] } USE t100000")], &Animate::default());
    assert_eq!(made.skeletons[0].joints.len(), 100_000);
    assert_eq!(common::Measures::of(&made).bounds().unwrap()[5], 100_001.0);

    for (header, node) in
        [("#VRML V2.0 utf8\n", "Group { children "), ("#VRML V1.0 ascii\n", "Separator { ")]
    {
        let parsed =
            Document::parse(format!("{header}{}", node.repeat(100_000)).into_bytes()).unwrap();
        assert_eq!(parsed.diagnostics.count(&model_x3d::codes::DEPTH), 1);
    }
    assert!(Document::parse(scene(&"<Group>".repeat(100_000)).into_bytes()).is_err());
}

#[test]
fn a_million_nodes() {
    let start = Instant::now();
    let groups = "Group { } ".repeat(1_000_000);
    let made = clean(
        vec![still(format!("#VRML V2.0 utf8\n{groups} Shape {{ geometry Box {{ }} }}"))],
        &Animate::default(),
    );
    assert_eq!(made.nodes.len(), 1);
    let made =
        clean(vec![still(scene(&"<Shape><Box/></Shape>".repeat(200_000)))], &Animate::default());
    assert_eq!(
        (made.nodes.len(), plural(made.meshes.len(), "mesh")),
        (200_000, "1 mesh".to_owned())
    );
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
}

/// What the numbers of a file overflow to is never NaN or infinite.
#[test]
fn huge_numbers() {
    let huge = |sign: &str| {
        let values = format!("{sign}3e38 {sign}3e38 {sign}3e38");
        let transform = format!(
            "translation='{values}' center='{values}' scale='{values}' rotation='{values} 3e38' \
             scaleOrientation='{values} 1'"
        );
        let shape = "<Shape><Appearance><ImageTexture url='a.png'/><TextureTransform scale='3e38 \
                     3e38' translation='3e38 3e38'/></Appearance>";
        let mesh = format!(
            "<IndexedFaceSet creaseAngle='3' coordIndex='0 1 2 3 -1 0 2 4'><Coordinate \
             point='{values} 0 0 0 {sign}3e38 0 0 1 2 3 0 {sign}1 0'/></IndexedFaceSet>"
        );
        scene(&format!(
            "<Transform {transform}><Transform \
             {transform}>{shape}{mesh}</Shape></Transform></Transform>"
        ))
    };
    for options in [
        Animate::default(),
        Animate { morph_normals: true, ..Animate::default() },
        Animate { flip_book: true, ..Animate::default() },
    ] {
        make(vec![take("huge", &[huge(""), huge("-"), huge("")])], &options);
    }
    let matrix = |sign: &str| {
        let numbers = vec![format!("{sign}3e38"); 16].join(" ");
        let text = format!(
            "#VRML V1.0 ascii\nMatrixTransform {{ matrix {numbers} }} Rotation \
             {{ rotation 1 {sign}1 0 {sign}2 }} MatrixTransform {{ matrix {numbers} }} Cube \
             {{ width 3e38 }}"
        );
        Frame {
            time: if sign.is_empty() { 0.0 } else { 1.0 },
            graph: graph(text),
            in_file: true,
            span: None,
        }
    };
    for morph_normals in [false, true] {
        let take = Take {
            clip: Clip { end: 1.0, ..Clip::default() },
            frames: vec![matrix(""), matrix("-")],
            step: false,
        };
        make(vec![take], &Animate { morph_normals, ..Animate::default() });
    }
}
