//! Small scenes, each with its point; read back with another reader, and left for the Khronos
//! validator.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    reason = "tests may fail loudly"
)]

mod common;

use std::collections::BTreeSet;

use anim_gltf::{CODES, WriteError, WriteOptions, to_glb, to_gltf};
use anim_ir::{
    Axes, Camera, Channel, Clip, Diagnostics, Event, Extras, Image, ImageSource, Influences,
    Interpolation, Joint, Mat4, Material, Mesh, MorphTarget, Node, PoseSpace, Primitive, Quat,
    Scene, Skeleton, Skin, Target, TimeBase, TimelineBuilder, Topology, Transform, Value, Vec3,
    Wrap,
};
use common::{write, write_with};
use gltf::animation::{Interpolation as Kind, Property};

const LINE: Interpolation = Interpolation::Linear;

/// One white pixel.
const PNG: [u8; 67] = [
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, 0x49, 0x48, 0x44, 0x52, 0, 0, 0,
    1, 0, 0, 0, 1, 8, 0, 0, 0, 0, 0x3a, 0x7e, 0x9b, 0x55, 0, 0, 0, 0x0a, 0x49, 0x44, 0x41, 0x54,
    0x78, 0x9c, 0x63, 0xf8, 0x0f, 0, 1, 1, 1, 0, 0x1b, 0xb6, 0xee, 0x56, 0, 0, 0, 0, 0x49, 0x45,
    0x4e, 0x44, 0xae, 0x42, 0x60, 0x82,
];

fn quarter_turn() -> Quat {
    Quat::from_axis_angle(Vec3::new(0.0, 0.0, 1.0), std::f64::consts::FRAC_PI_2)
}

fn moved(x: f32, y: f32, z: f32) -> Transform {
    Transform { translation: Vec3::new(x, y, z), ..Transform::IDENTITY }
}

fn arm() -> Skeleton {
    let mut skeleton = Skeleton::new("arm");
    skeleton.joints.push(Joint::new("shoulder", None));
    skeleton.joints.push(Joint { rest: moved(0.0, 1.0, 0.0), ..Joint::new("elbow", Some(0)) });
    skeleton
}

fn part(topology: Topology, indices: &[u32]) -> Primitive {
    Primitive { topology, indices: indices.to_vec(), material: None }
}

fn triangle(name: &str) -> Mesh {
    Mesh {
        name: name.into(),
        positions: vec![Vec3::ZERO, Vec3::new(0.1, 0.0, 0.0), Vec3::new(0.0, 2.0, 0.0)],
        primitives: vec![part(Topology::Triangles, &[0, 1, 2])],
        ..Mesh::default()
    }
}

fn skinned_triangle(name: &str, per_vertex: usize, joints: &[u32], weights: &[f32]) -> Mesh {
    Mesh {
        influences: Influences { per_vertex, joints: joints.into(), weights: weights.into() },
        ..triangle(name)
    }
}

fn node(name: &str, mesh: usize, skin: Option<usize>) -> Node {
    Node { name: name.into(), mesh: Some(mesh), skin, ..Node::default() }
}

fn skin_of(skeleton: &Skeleton) -> Skin {
    let rest = skeleton.rest_model_matrices();
    Skin {
        skeleton: 0,
        joints: (0..rest.len()).collect(),
        inverse_bind: rest.iter().map(|m| m.inverse().unwrap()).collect(),
    }
}

fn clip(name: &str, start: f32, end: f32) -> Clip {
    Clip { name: name.into(), start, end, ..Clip::default() }
}

fn extras(name: &str, value: impl Into<Value>) -> Extras {
    Extras::from([(name.to_owned(), value.into())])
}

/// An arm with a skinned triangle that waves.
fn waving() -> Scene {
    let skeleton = arm();
    let mut builder = TimelineBuilder::new("wave").time_base(TimeBase::Frames { per_second: 24.0 });
    let turn = quarter_turn().to_array();
    builder
        .keys(
            Target::Joint(1),
            Channel::Rotation,
            LINE,
            &[0.0, 0.1],
            &[[0., 0., 0., 1.], turn].concat(),
        )
        .unwrap();
    builder
        .keys(Target::Joint(1), Channel::Translation, LINE, &[0.0, 0.1], &[0., 1., 0., 0., 2., 0.])
        .unwrap();
    builder.constant(Target::Joint(0), Channel::Scale, &[2.0; 3]).unwrap();
    builder.event(Event { time: 0.1, name: "clap".into(), payload: extras("volume", 0.5_f32) });
    let weights = [1.0, 0.0, 0.0, 0.0, 0.5, 0.5, 0.0, 0.0, 0.1, 0.9, 0.0, 0.0];
    Scene {
        name: "waving".into(),
        skins: vec![skin_of(&skeleton)],
        skeletons: vec![skeleton],
        timelines: vec![builder.finish()],
        clips: vec![Clip {
            wrap: Wrap::Loop,
            extras: extras("amo", Value::from([("line", 12.0.into())])),
            ..clip("wave", 0.0, 0.1)
        }],
        meshes: vec![skinned_triangle(
            "sleeve",
            4,
            &[0, 1, 1, 1, 0, 1, 0, 0, 0, 1, 0, 0],
            &weights,
        )],
        nodes: vec![node("sleeve", 0, Some(0))],
        ..Scene::default()
    }
}

#[test]
fn an_arm_waves() {
    let written = write("waving", &waving());
    insta::assert_snapshot!(written.pretty());
    assert!(written.losses.is_empty());
    // A joint at (0, 1, 0) that moves up by one and turns by a quarter, under one that doubles all.
    let (world, _) = written.evaluate(Some("wave"), 0.1);
    let found = written.skinned("sleeve", &world);
    let expected = [
        [0.0, 0.0, 0.0],
        [0.5 * 0.2 + 0.5 * 2.0, 0.5 * 4.2, 0.0],
        [0.9 * -2.0, 0.1 * 4.0 + 0.9 * 4.0, 0.0],
    ];
    for (found, expected) in found.iter().zip(expected) {
        // The vertex (0.1, 0, 0) is (0.1, -1, 0) to the elbow, turned (1, 0.1, 0), moved (1, 2.1,
        // 0), doubled (2, 4.2, 0).
        assert!(
            found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6),
            "{found:?} {expected:?}"
        );
    }
    let part = written.node("sleeve").mesh().unwrap().primitives().next().unwrap();
    let reader = part.reader(|_| Some(&written.bin));
    let joints: Vec<_> = reader.read_joints(0).unwrap().into_u16().collect();
    assert_eq!(
        joints,
        [[0, 0, 0, 0], [0, 1, 0, 0], [0, 1, 0, 0]],
        "no joint where there is no weight"
    );
    assert_eq!(
        reader.read_weights(0).unwrap().into_f32().collect::<Vec<_>>()[2],
        [0.1, 0.9, 0.0, 0.0]
    );
    assert_eq!(part.bounding_box().max, [0.1, 2.0, 0.0]);
}

#[test]
fn two_files_instead_of_one() {
    let scene = waving();
    let files = to_gltf(&scene, &WriteOptions::default(), "data/of wave.bin").unwrap().value;
    let json: serde_json::Value = serde_json::from_slice(&files.json).unwrap();
    assert_eq!(
        (json["buffers"][0]["uri"].as_str(), json["buffers"][0]["byteLength"].as_u64()),
        (Some("data/of%20wave.bin"), Some(files.bin.len() as u64))
    );
    let glb = write("", &scene);
    assert_eq!(glb.bin, files.bin);
    let folder = common::folder();
    std::fs::create_dir_all(folder.join("data")).unwrap();
    std::fs::write(folder.join("waving.gltf"), &files.json).unwrap();
    std::fs::write(folder.join("data/of wave.bin"), &files.bin).unwrap();
    assert_eq!(to_gltf(&scene, &WriteOptions::default(), ""), Err(WriteError::BinUri));
}

#[test]
fn nothing_at_all() {
    let written = write("nothing", &Scene::default());
    insta::assert_snapshot!(written.json["scenes"], @r#"[{"nodes":[0]}]"#);
    assert!(written.bin.is_empty() && written.losses.is_empty());
    assert!(
        to_gltf(&Scene::default(), &WriteOptions::default(), "x.bin").unwrap().value.bin.is_empty()
    );
}

/// A rest pose with shear, one with uneven scale that keys turn behind, and one with uneven scale
/// that they do not.
fn sheared() -> Scene {
    let mut skeleton = Skeleton::new("sheared");
    let shear = Mat4 {
        columns: [
            [1.0, 0.0, 0.0, 0.0],
            [0.5, 1.0, 0.0, 0.0],
            [0.0, 0.0, -2.0, 0.0],
            [3.0, 0.0, 0.0, 1.0],
        ],
    };
    skeleton.joints.push(Joint {
        exact_rest: Some(shear),
        rest: shear.to_transform(),
        extras: extras("amo", 1.0),
        ..Joint::new("sheared", None)
    });
    let uneven = Transform { scale: Vec3::new(1.0, 2.0, 3.0), ..moved(0.0, 1.0, 0.0) };
    skeleton.joints.push(Joint { rest: uneven, ..Joint::new("turned", Some(0)) });
    skeleton.joints.push(Joint { rest: uneven, ..Joint::new("pushed", Some(0)) });
    let mut builder = TimelineBuilder::new("t").pose_space(PoseSpace::DeltaFromRest);
    let turn = quarter_turn().to_array();
    for joint in [0, 1] {
        builder
            .keys(
                Target::Joint(joint),
                Channel::Rotation,
                LINE,
                &[0.0, 1.0],
                &[[0., 0., 0., 1.], turn].concat(),
            )
            .unwrap();
    }
    builder
        .keys(Target::Joint(0), Channel::Translation, LINE, &[0.0, 1.0], &[0., 0., 0., 1., 0., 0.])
        .unwrap();
    builder
        .keys(Target::Joint(2), Channel::Translation, LINE, &[0.0, 1.0], &[0., 0., 0., 1., 1., 1.])
        .unwrap();
    builder
        .keys(Target::Joint(2), Channel::Scale, LINE, &[0.0, 1.0], &[1., 1., 1., 2., 2., 2.])
        .unwrap();
    Scene {
        skeletons: vec![skeleton],
        timelines: vec![builder.finish()],
        clips: vec![clip("t", 0.0, 1.0)],
        ..Scene::default()
    }
}

#[test]
fn rest_poses_with_shear_are_two_nodes() {
    let written = write("sheared", &sheared());
    insta::assert_snapshot!(written.pretty());
    assert!(written.losses.is_empty());
    let (world, _) = written.evaluate(Some("t"), 1.0);
    let near = |node: &str, expected: [[f64; 3]; 4]| {
        let found = world[written.node(node).index()];
        for (found, expected) in found.iter().zip(expected) {
            assert!(
                found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 2e-6),
                "{node}: {found:?} {expected:?}"
            );
        }
    };
    // By hand: M · T · R with M the shear; R takes x to y and y to -x.
    near("sheared", [[0.5, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, -2.0], [4.0, 0.0, 0.0]]);
    // Below it, S · R: x to 2 y, y to -x, z to 3 z; all of it turned and sheared by the parent.
    near("turned", [[-2.0, 0.0, 0.0], [-0.5, -1.0, 0.0], [0.0, 0.0, -6.0], [3.0, 0.0, 0.0]]);
    // T · S: the move by (1, 1, 1) becomes (1, 2, 3).
    near(
        "pushed",
        [[1.0, 2.0, 0.0], [-4.0, 0.0, 0.0], [0.0, 0.0, -12.0], [4.0 - 3.0 + 0.5, 1.0, -6.0]],
    );
    assert!(written.document.nodes().all(|node| node.name() != Some("pushed.rest")));
}

#[test]
fn clips_relative_to_the_parent_on_a_sheared_joint() {
    let mut scene = sheared();
    let mut builder = TimelineBuilder::new("p");
    let value = [1.0, 2.0, 3.0];
    builder
        .keys(
            Target::Joint(0),
            Channel::Translation,
            Interpolation::Cubic,
            &[0.0, 1.0],
            &[value; 6].concat(),
        )
        .unwrap();
    builder.keys(Target::Joint(1), Channel::Scale, Interpolation::Step, &[0.5], &value).unwrap();
    scene.timelines.push(builder.finish());
    scene.clips.push(Clip { timeline: 1, ..clip("p", 0.0, 1.0) });
    let written = write("sheared-both", &scene);
    let (world, _) = written.evaluate(Some("p"), 0.0);
    let joints = &scene.skeletons[0].joints;
    let expected = Transform { translation: Vec3::from(value), ..joints[0].rest }.to_matrix();
    let found = world[written.node("sheared").index()];
    assert!(
        found
            .iter()
            .flatten()
            .zip(expected.columns.iter().flatten())
            .all(|(a, b)| (a - f64::from(*b)).abs() < 1e-6),
        "{found:?}"
    );
    let expected = expected * Transform { scale: Vec3::from(value), ..joints[1].rest }.to_matrix();
    let found = world[written.node("turned").index()];
    assert!(
        found
            .iter()
            .flatten()
            .zip(expected.columns.iter().flatten())
            .all(|(a, b)| (a - f64::from(*b)).abs() < 1e-6),
        "{found:?}"
    );
    // In the other clip nothing changed.
    let (world, _) = written.evaluate(Some("t"), 1.0);
    assert!((world[written.node("sheared").index()][0][0] - 0.5).abs() < 1e-6);
}

#[test]
fn deltas_go_into_the_keys() {
    let mut skeleton = arm();
    skeleton.joints[1].rest = Transform {
        rotation: quarter_turn(),
        scale: Vec3::new(2.0, 2.0, 2.0),
        ..moved(5.0, 0.0, 0.0)
    };
    let mut builder = TimelineBuilder::new("t").pose_space(PoseSpace::DeltaFromRest);
    let cubic =
        [[1., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.], [2., 0., 0.], [0., 0., 0.]]
            .concat();
    builder
        .keys(Target::Joint(1), Channel::Translation, Interpolation::Cubic, &[0.0, 1.0], &cubic)
        .unwrap();
    let turns = [
        [0., 0., 0.5, 0.],
        [0., 0., 0., 1.],
        [0.; 4],
        [0.; 4],
        [0., 0., 1., 0.],
        [0., 0., 0., 0.25],
    ]
    .concat();
    builder
        .keys(Target::Joint(1), Channel::Rotation, Interpolation::Cubic, &[0.0, 1.0], &turns)
        .unwrap();
    builder
        .keys(
            Target::Joint(1),
            Channel::Scale,
            Interpolation::Step,
            &[0.0, 1.0],
            &[1., 2., 3., 4., 5., 6.],
        )
        .unwrap();
    let scene = Scene {
        skeletons: vec![skeleton],
        timelines: vec![builder.finish()],
        clips: vec![clip("t", 0.0, 1.0)],
        ..Scene::default()
    };
    let written = write("deltas", &scene);
    let (times, values, kind) = written.channel("t", "elbow", Property::Translation);
    assert_eq!((times, kind), (vec![0.0, 1.0], Kind::CubicSpline));
    let expected =
        [[0., 2., 0.], [5., 2., 0.], [-2., 0., 0.], [0., 0., 2.], [5., 4., 0.], [0., 0., 0.]]
            .concat();
    assert!(values.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-6), "{values:?}");
    let (_, values, _) = written.channel("t", "elbow", Property::Rotation);
    let h = std::f32::consts::FRAC_1_SQRT_2;
    // A quarter about z, times each: tangents keep their length.
    let expected = [
        [0., 0., 0.5 * h, -0.5 * h],
        [0., 0., h, h],
        [0.; 4],
        [0.; 4],
        [0., 0., h, -h],
        [0., 0., 0.25 * h, 0.25 * h],
    ]
    .concat();
    assert!(values.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-6), "{values:?}");
    assert_eq!(written.channel("t", "elbow", Property::Scale).1, [2., 4., 6., 8., 10., 12.]);
    let inputs: BTreeSet<usize> =
        written.animation("t").samplers().map(|sampler| sampler.input().index()).collect();
    assert_eq!(inputs.len(), 1, "equal times are written once");
}

#[test]
fn bones_alone_are_an_armature() {
    let mut skeleton = Skeleton::new("bones");
    for (name, parent, rest) in [
        ("", None, moved(1., 2., 3.)),
        ("b", None, Transform::IDENTITY),
        ("b", Some(0), moved(0., 1., 0.)),
        ("b.001", Some(1), moved(0., 0., 0.)),
    ] {
        skeleton.joints.push(Joint { rest, ..Joint::new(name, parent) });
    }
    skeleton.joints[3].rest.scale = Vec3::new(0.0, 1.0, 1.0);
    let scene = Scene {
        skeletons: vec![skeleton, Skeleton::new("empty"), arm()],
        nodes: vec![Node { name: "bones".into(), parent: Some((0, 2)), ..Node::default() }],
        ..Scene::default()
    };
    let written = write("bones", &scene);
    insta::assert_snapshot!(written.pretty());
    let skin = written.document.skins().next().unwrap();
    let bind: Vec<_> =
        skin.reader(|_| Some(&written.bin)).read_inverse_bind_matrices().unwrap().collect();
    assert_eq!(bind[2][3], [-1.0, -3.0, -3.0, 1.0]);
    // No inverse where a joint has no size.
    assert_eq!(bind[3], Mat4::IDENTITY.columns);
    assert_eq!(
        written.node("bones").children().count(),
        0,
        "the scene's own node has its name, the armature another"
    );
    assert_eq!(
        written
            .document
            .default_scene()
            .unwrap()
            .nodes()
            .map(|node| node.name().unwrap().to_owned())
            .collect::<Vec<_>>(),
        ["bones.001", "arm"]
    );
}

fn windows() -> Scene {
    let mut builder = TimelineBuilder::new("take").time_base(TimeBase::Progress { duration: 1.5 });
    builder
        .keys(
            Target::Joint(0),
            Channel::Translation,
            LINE,
            &[0., 1., 2., 3., 4.],
            &(0..15_u8).map(f32::from).collect::<Vec<_>>(),
        )
        .unwrap();
    builder
        .keys(Target::Joint(1), Channel::Translation, LINE, &[0., 4.], &[0., 0., 0., 4., 4., 4.])
        .unwrap();
    builder
        .keys(
            Target::Joint(1),
            Channel::Scale,
            Interpolation::Step,
            &[0., 4.],
            &[1., 1., 1., 4., 4., 4.],
        )
        .unwrap();
    builder.constant(Target::Joint(0), Channel::Scale, &[2., 2., 2.]).unwrap();
    let turns = [[0.0_f32, 0., 0., 2.], [0., 0., 0., 1.]].concat();
    builder.keys(Target::Joint(0), Channel::Rotation, LINE, &[0.5, 1.5], &turns).unwrap();
    for time in [0.5, 1.0, 2.5, 9.0] {
        builder.event(Event { time, name: format!("at {time}"), payload: Extras::new() });
    }
    Scene {
        skeletons: vec![arm()],
        timelines: vec![builder.finish()],
        clips: vec![
            clip("all", 0.0, 4.0),
            Clip { wrap: Wrap::PingPong, ..clip("part", 1.0, 3.0) },
            Clip { joints: Some(BTreeSet::from([1])), ..clip("part", 1.0, 3.0) },
            Clip {
                joints: Some(BTreeSet::new()),
                extras: extras("anm", "x"),
                ..clip("none", 1.0, 2.0)
            },
            clip("", 2.0, 2.0),
        ],
        ..Scene::default()
    }
}

#[test]
fn clips_are_windows() {
    let written = write("windows", &windows());
    let names: Vec<_> = written
        .document
        .animations()
        .map(|animation| animation.name().unwrap().to_owned())
        .collect();
    assert_eq!(names, ["all", "part", "part.001", "take"]);
    assert_eq!(written.channel("all", "shoulder", Property::Translation).0, [0., 1., 2., 3., 4.]);
    assert_eq!(
        written.channel("part", "shoulder", Property::Translation).1,
        (3..12_u8).map(f32::from).collect::<Vec<_>>()
    );
    assert_eq!(
        written.channel("part", "shoulder", Property::Rotation),
        (vec![1.5], vec![0., 0., 0., 1.], Kind::Step),
        "made a unit quaternion"
    );
    assert_eq!(
        written.channel("part", "shoulder", Property::Scale),
        (vec![1.0], vec![2.; 3], Kind::Step)
    );
    // No key inside: the value at the start, not the rest pose.
    assert_eq!(
        written.channel("part", "elbow", Property::Translation),
        (vec![1.0], vec![1.; 3], Kind::Step)
    );
    assert_eq!(
        written.channel("part", "elbow", Property::Scale),
        (vec![1.0], vec![1.; 3], Kind::Step)
    );
    assert_eq!(written.animation("part.001").channels().count(), 2);
    assert_eq!(
        written.codes(),
        // Of `part`, the elbow's move and the shoulder's turn; of its twin and of the last one, the
        // elbow's move.
        [("gltf-outside-clips", 1), ("gltf-clip-border", 3), ("gltf-empty-animation", 1)]
    );
    let extras: Vec<String> = written.json["animations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|animation| animation["extras"].to_string())
        .collect();
    insta::assert_snapshot!(format!("{}\n{}", extras.join("\n"), written.json["scenes"][0]["extras"]), @r#"
    {"anim_formats":{"end":4,"events":[{"name":"at 0.5","time":0.5},{"name":"at 1","time":1},{"name":"at 2.5","time":2.5}],"start":0,"time_base":{"progress_seconds":1.5},"timeline":"take"}}
    {"anim_formats":{"end":3,"events":[{"name":"at 1","time":1},{"name":"at 2.5","time":2.5}],"start":1,"time_base":{"progress_seconds":1.5},"timeline":"take","wrap":"ping-pong"}}
    {"anim_formats":{"end":3,"events":[{"name":"at 1","time":1},{"name":"at 2.5","time":2.5}],"name":"part","partial":true,"start":1,"time_base":{"progress_seconds":1.5},"timeline":"take"}}
    {"anim_formats":{"end":2,"name":"","start":2,"time_base":{"progress_seconds":1.5},"timeline":"take"}}
    {"anim_formats":{"clips":[{"end":2,"events":[{"name":"at 1","time":1}],"extras":{"anm":"x"},"joints":[],"name":"none","start":1,"time_base":{"progress_seconds":1.5},"timeline":"take"}]}}
    "#);
}

/// Events of a set are in the clips of that set only, though all are on one timeline.
#[test]
fn events_go_to_clips_of_their_set() {
    let of = |set: &str| extras("anm-text", Value::from([("set", set.into())]));
    let mut builder = TimelineBuilder::new("take");
    builder.keys(Target::Joint(0), Channel::Translation, LINE, &[0.0, 1.0, 2.0], &[0.; 9]).unwrap();
    for (name, time, payload) in [
        ("all", 0.5, Extras::new()),
        ("arm", 0.5, of("Arm")),
        ("leg", 0.5, of("Leg")),
        ("late", 1.5, of("Leg")),
    ] {
        builder.event(Event { time, name: name.into(), payload });
    }
    let of_set = |name: &str, set: &str, end| Clip { extras: of(set), ..clip(name, 0.0, end) };
    let mut scene = Scene {
        skeletons: vec![arm()],
        timelines: vec![builder.finish()],
        clips: vec![
            of_set("Arm/a", "Arm", 2.0),
            of_set("Leg/a", "Leg", 1.0),
            of_set("Leg/b", "Leg", 0.0),
        ],
        ..Scene::default()
    };
    let written = write("sets", &scene);
    let events = |animation: usize| {
        let list =
            written.json["animations"][animation]["extras"]["anim_formats"]["events"].as_array();
        list.map(|list| {
            list.iter().map(|event| event["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
        })
    };
    assert_eq!(
        [0, 1, 2].map(events),
        [
            Some(vec!["all".to_owned(), "arm".to_owned()]),
            Some(vec!["all".to_owned(), "leg".to_owned()]),
            None
        ]
    );
    let told =
        |losses: &Diagnostics| losses.iter().map(|loss| loss.message.clone()).collect::<Vec<_>>();
    assert_eq!(
        told(&written.losses),
        ["0 keys and 1 events of timeline `take` are in none of its clips"],
        "`late` is in the range of Arm/a only"
    );
    scene.clips.push(clip("all", 1.0, 2.0));
    let written = write("", &scene);
    assert!(written.losses.is_empty());
    assert_eq!(
        written.json["animations"][3]["extras"]["anim_formats"]["events"][0]["name"].as_str(),
        Some("late"),
        "a clip without a set takes all"
    );
}

#[test]
fn clips_that_start_at_zero() {
    let mut options = WriteOptions::default();
    options.clips_start_at_zero = true;
    let written = write_with("windows-at-zero", &windows(), &options);
    assert_eq!(written.channel("part", "shoulder", Property::Translation).0, [0., 1., 2.]);
    assert_eq!(written.channel("part", "shoulder", Property::Scale).0, [0.0]);
    let extras = &written.json["animations"][1]["extras"]["anim_formats"];
    assert_eq!(
        (
            extras["start"].as_f64(),
            extras["time_offset"].as_f64(),
            extras["events"][1]["time"].as_f64()
        ),
        (Some(0.0), Some(1.0), Some(1.5))
    );
}

#[test]
fn times_before_zero_are_moved() {
    let mut builder = TimelineBuilder::new("t");
    builder
        .keys(
            Target::Joint(0),
            Channel::Translation,
            LINE,
            &[-0.5, 0.25],
            &[0., 0., 0., 1., 1., 1.],
        )
        .unwrap();
    builder
        .keys(Target::Joint(1), Channel::Translation, LINE, &[0.0, 1.0], &[0., 0., 0., 1., 1., 1.])
        .unwrap();
    builder.constant(Target::Joint(0), Channel::Scale, &[1.; 3]).unwrap();
    builder.event(Event { time: 0.0, name: "e".into(), ..Event::default() });
    let scene = Scene {
        skeletons: vec![arm()],
        timelines: vec![builder.finish()],
        clips: vec![clip("t", -1.0, 1.0)],
        ..Scene::default()
    };
    let written = write("negative", &scene);
    assert_eq!(written.channel("t", "shoulder", Property::Translation).0, [0.0, 0.75]);
    assert_eq!(written.channel("t", "elbow", Property::Translation).0, [0.5, 1.5]);
    assert_eq!(written.channel("t", "shoulder", Property::Scale).0, [0.0]);
    assert_eq!(written.codes(), [("gltf-time-shift", 1)]);
    insta::assert_snapshot!(written.json["animations"][0]["extras"], @r#"{"anim_formats":{"end":1.5,"events":[{"name":"e","time":0.5}],"start":-0.5,"time_offset":-0.5}}"#);
}

#[test]
fn timelines_without_a_clip_are_written_whole() {
    let mut builder = TimelineBuilder::new("take");
    builder.keys(Target::Joint(0), Channel::Translation, LINE, &[1.0, 2.0], &[0.; 6]).unwrap();
    let mut events = TimelineBuilder::new("events");
    events.event(Event { time: 3.0, name: "e".into(), ..Event::default() });
    let scene = Scene {
        skeletons: vec![arm()],
        timelines: vec![builder.finish(), events.finish(), TimelineBuilder::new("x").finish()],
        ..Scene::default()
    };
    let written = write("no-clip", &scene);
    assert_eq!(written.channel("take", "shoulder", Property::Translation).0, [1.0, 2.0]);
    assert_eq!(written.codes(), [("gltf-empty-animation", 1)]);
    assert_eq!(
        written.json["scenes"][0]["extras"]["anim_formats"]["clips"][0]["start"].as_f64(),
        Some(3.0)
    );
}

#[test]
fn tracks_that_move_nothing_are_told() {
    let mut builder = TimelineBuilder::new("t");
    builder.constant(Target::Node(0), Channel::Translation, &[0.; 3]).unwrap();
    builder.constant(Target::Joint(0), Channel::MorphWeights, &[0.; 3]).unwrap();
    let scene = Scene {
        skeletons: vec![arm()],
        nodes: vec![Node::default()],
        timelines: vec![builder.finish()],
        ..Scene::default()
    };
    let written = write("", &scene);
    assert_eq!(written.document.animations().count(), 0);
    assert_eq!(written.codes(), [("gltf-track-target", 2), ("gltf-empty-animation", 1)]);
}

#[test]
fn meshes_of_all_kinds() {
    let textured = Material {
        base_color_image: Some(0),
        base_color: [1.0, 0.5, 0.25, 0.5],
        ..Material::new("textured")
    };
    let odd = Material {
        base_color: [2.0, -1.0, 0.5, 1.0],
        emissive: [0.0, 9.0, 0.0],
        roughness: 0.5,
        double_sided: false,
        base_color_image: Some(1),
        extras: extras("mtl", "x"),
        ..Material::new("odd")
    };
    let plain = Mesh {
        texcoords: vec![[0.0, 0.25], [1.0, 0.5], [0.5, 1.0]],
        normals: vec![Vec3::new(0.0, 0.0, 3.0), Vec3::ZERO, Vec3::new(0.6, 0.0, 0.8)],
        primitives: vec![
            Primitive { material: Some(0), ..part(Topology::Triangles, &[0, 1, 2]) },
            part(Topology::Triangles, &[]),
            Primitive { material: Some(1), ..part(Topology::Lines, &[0, 1]) },
        ],
        extras: extras("obj", "mesh"),
        ..triangle("plain")
    };
    let colored = Mesh {
        colors: vec![[1.0, 0.0, 0.0, 1.0], [2.0, 0.0, 0.0, 1.0], [-1.0, 0.5, 0.0, 0.5]],
        normals: vec![Vec3::ZERO; 3],
        primitives: vec![
            part(Topology::Points, &[0, 2]),
            Primitive { material: Some(0), ..part(Topology::Lines, &[0, 1, 1, 2]) },
        ],
        ..triangle("colored")
    };
    let empty = Mesh { primitives: vec![part(Topology::Points, &[])], ..triangle("empty") };
    let image = |name: &str, source| Image { name: name.into(), source };
    let scene = Scene {
        meshes: vec![plain, colored, empty, triangle("unused")],
        materials: vec![textured, odd],
        images: vec![
            image(
                "pixel",
                ImageSource::Embedded { mime_type: "image/jpeg".into(), bytes: PNG.into() },
            ),
            image("", ImageSource::Path("images/white pixel.png".into())),
            image("", ImageSource::Path(String::new())),
            image(
                "bmp",
                ImageSource::Embedded { mime_type: "image/bmp".into(), bytes: b"BM".to_vec() },
            ),
        ],
        skeletons: vec![arm()],
        nodes: vec![
            Node {
                transform: Transform {
                    rotation: quarter_turn(),
                    scale: Vec3::new(1., 2., 3.),
                    ..moved(1., 2., 3.)
                },
                ..node("a", 0, None)
            },
            Node { parent: Some((0, 1)), ..node("b", 1, None) },
            node("c", 2, None),
            Node { extras: extras("x", 1.0), ..node("", 0, None) },
        ],
        extras: extras("obj", "scene"),
        ..Scene::default()
    };
    std::fs::create_dir_all(common::folder().join("images")).unwrap();
    std::fs::write(common::folder().join("images/white pixel.png"), PNG).unwrap();
    let written = write("meshes", &scene);
    insta::assert_snapshot!(written.pretty());
    assert_eq!(
        written.codes(),
        [
            ("gltf-empty-mesh", 1),
            ("gltf-image", 2),
            ("gltf-color-range", 2),
            ("gltf-normals", 2),
            ("gltf-empty-primitive", 1),
            ("gltf-no-texcoords", 1)
        ]
    );
    let normals = |node: &str| -> Vec<[f32; 3]> {
        let node = written.node(node);
        let part = node.mesh().unwrap().primitives().next().unwrap();
        part.reader(|_| Some(&written.bin)).read_normals().unwrap().collect()
    };
    assert_eq!(normals("a"), [[0., 0., 1.], [0., 0., 1.], [0.6, 0.0, 0.8]]);
    assert_eq!(normals("b"), [[0., 0., 1.]; 3]);
    let b = written.node("b");
    let part = b.mesh().unwrap().primitives().next().unwrap();
    let colors: Vec<_> =
        part.reader(|_| Some(&written.bin)).read_colors(0).unwrap().into_rgba_f32().collect();
    assert_eq!(colors[1..], [[1.0, 0.0, 0.0, 1.0], [0.0, 0.5, 0.0, 0.5]]);
    let (world, _) = written.evaluate(None, 0.0);
    assert_eq!(world[b.index()][3], [0.0, 1.0, 0.0, 1.0], "hangs from the elbow");
    // The two-file form has the image inside as well.
    let files = to_gltf(&scene, &WriteOptions::default(), "meshes.bin").unwrap().value;
    std::fs::write(common::folder().join("meshes.gltf"), files.json).unwrap();
    std::fs::write(common::folder().join("meshes.bin"), files.bin).unwrap();
}

#[test]
fn indices_take_the_room_they_need() {
    let count = 70_000_u32;
    let many = |highest: u32| Mesh {
        positions: (0..count).map(|i| Vec3::new(i as f32, 0.0, -1.0)).collect(),
        primitives: vec![part(Topology::Points, &[0, highest])],
        ..Mesh::default()
    };
    let scene = Scene {
        meshes: vec![many(65_534), many(65_535), many(69_999)],
        nodes: (0..3).map(|i| node("", i, None)).collect(),
        ..Scene::default()
    };
    let written = write("indices", &scene);
    let kinds: Vec<_> = written
        .document
        .meshes()
        .map(|mesh| mesh.primitives().next().unwrap().indices().unwrap().data_type())
        .collect();
    use gltf::accessor::DataType;
    assert_eq!(kinds, [DataType::U16, DataType::U32, DataType::U32]);
    let mesh = written.document.meshes().nth(2).unwrap();
    let indices: Vec<u32> = mesh
        .primitives()
        .next()
        .unwrap()
        .reader(|_| Some(&written.bin))
        .read_indices()
        .unwrap()
        .into_u32()
        .collect();
    assert_eq!(indices, [0, 69_999]);
}

#[test]
fn vertices_without_influences_stay() {
    let mut skeleton = arm();
    skeleton.joints[0].rest = moved(0.0, 0.0, 9.0);
    let mut builder = TimelineBuilder::new("t");
    builder
        .keys(Target::Joint(0), Channel::Translation, LINE, &[0.0, 1.0], &[0., 0., 9., 5., 0., 9.])
        .unwrap();
    let scene = Scene {
        skins: vec![skin_of(&skeleton)],
        skeletons: vec![skeleton],
        timelines: vec![builder.finish()],
        meshes: vec![skinned_triangle(
            "m",
            2,
            &[0, 1, 0, 0, 1, 0],
            &[0.5, 0.5, 0.0, 0.0, 3.0, 0.0],
        )],
        // What a skinned node's own place is has no effect; neither has what it hangs from.
        nodes: vec![Node {
            parent: Some((0, 1)),
            transform: moved(7., 7., 7.),
            ..node("n", 0, Some(0))
        }],
        ..Scene::default()
    };
    let written = write("at-rest", &scene);
    assert_eq!(written.codes(), [("gltf-weights-sum", 1)]);
    let (world, _) = written.evaluate(Some("t"), 1.0);
    let found = written.skinned("n", &world);
    for (found, expected) in
        found.iter().zip([[5.0, 0.0, 0.0], [0.1_f32.into(), 0.0, 0.0], [5.0, 2.0, 0.0]])
    {
        assert!(
            found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6),
            "{found:?} {expected:?}"
        );
    }
    assert_eq!(
        written
            .node("arm")
            .children()
            .map(|node| node.name().unwrap().to_owned())
            .collect::<Vec<_>>(),
        ["shoulder", "arm.static"]
    );
}

#[test]
fn one_mesh_with_two_skins_and_without() {
    let mut scene = waving();
    let skin = scene.skins[0].clone();
    // The second skin names the elbow twice, with different matrices, and the shoulder twice with
    // the same.
    let shifted = moved(1.0, 0.0, 0.0).to_matrix() * skin.inverse_bind[1];
    scene.skins.push(Skin {
        joints: vec![1, 1, 0, 0],
        inverse_bind: vec![
            skin.inverse_bind[1],
            shifted,
            skin.inverse_bind[0],
            skin.inverse_bind[0],
        ],
        ..skin
    });
    scene.nodes.push(node("twice", 0, Some(1)));
    scene.nodes.push(node("plain", 0, None));
    scene.nodes.push(node("sleeve", 0, Some(0)));
    let written = write("two-skins", &scene);
    assert_eq!(written.document.meshes().count(), 3);
    assert_eq!(
        written
            .document
            .meshes()
            .map(|mesh| mesh
                .primitives()
                .next()
                .unwrap()
                .get(&gltf::Semantic::Positions)
                .unwrap()
                .index())
            .collect::<BTreeSet<_>>()
            .len(),
        1
    );
    assert_eq!(
        written.node("sleeve.001").mesh().unwrap().index(),
        written.node("sleeve").mesh().unwrap().index()
    );
    let (world, _) = written.evaluate(None, 0.0);
    // At rest the second entry moves by one along x: half of it for the second vertex, nine tenths
    // for the third.
    let found = written.skinned("twice", &world);
    for (found, expected) in found.iter().zip([[0.0, 0.0, 0.0], [0.6, 0.0, 0.0], [0.9, 2.0, 0.0]]) {
        assert!(
            found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6),
            "{found:?} {expected:?}"
        );
    }
    assert_eq!(
        written
            .document
            .skins()
            .nth(1)
            .unwrap()
            .joints()
            .map(|joint| joint.name().unwrap().to_owned())
            .collect::<Vec<_>>(),
        ["elbow", "elbow.again", "shoulder"]
    );
    let plain = written.node("plain");
    assert!(
        plain
            .mesh()
            .unwrap()
            .primitives()
            .next()
            .unwrap()
            .get(&gltf::Semantic::Joints(0))
            .is_none()
    );
}

#[test]
fn influences_without_a_skin_and_skins_without_influences() {
    let mut scene = waving();
    scene.nodes[0].skin = None;
    let written = write("no-skin", &scene);
    assert_eq!(written.codes(), [("gltf-no-skin", 1)]);
    let mut scene = waving();
    scene.meshes[0].influences = Influences::default();
    let written = write("no-influences", &scene);
    assert!(written.losses.is_empty() && written.node("sleeve").skin().is_none());
}

#[test]
fn five_influences_become_four() {
    let mut scene = waving();
    for i in 2..300 {
        scene.skeletons[0].joints.push(Joint::new(format!("j{i}"), Some(0)));
    }
    scene.skins = vec![skin_of(&scene.skeletons[0])];
    let weights = [0.2, 0.2, 0.2, 0.2, 0.2, 0.1, 0.2, 0.3, 0.4, 0.0, 0.1, 0.1, 0.2, 0.3, 0.3];
    scene.meshes[0] =
        skinned_triangle("five", 5, &[0, 1, 2, 3, 299, 4, 299, 6, 7, 8, 0, 0, 1, 2, 2], &weights);
    let written = write("five", &scene);
    assert_eq!(written.codes(), [("gltf-influences", 1)]);
    let node = written.node("sleeve");
    let part = node.mesh().unwrap().primitives().next().unwrap();
    assert_eq!(
        part.get(&gltf::Semantic::Joints(0)).unwrap().data_type(),
        gltf::accessor::DataType::U16
    );
    let reader = part.reader(|_| Some(&written.bin));
    assert_eq!(
        reader.read_joints(0).unwrap().into_u16().collect::<Vec<_>>(),
        [[0, 1, 2, 3], [4, 299, 6, 7], [0, 1, 2, 0]]
    );
    assert_eq!(reader.read_weights(0).unwrap().into_f32().next(), Some([0.25; 4]));
}

#[test]
fn shapes_are_blended() {
    let morph = |name: &str, x: f32, normals: bool| MorphTarget {
        name: name.into(),
        positions: vec![Vec3::new(x, -0.0, 0.5); 3],
        normals: if normals { vec![Vec3::new(0.0, 0.1, 0.0); 3] } else { vec![] },
    };
    let face = Mesh {
        normals: vec![Vec3::new(0., 0., 1.); 3],
        morph_targets: vec![morph("smile", 1.0, true), morph("", -1.0, true)],
        morph_weights: vec![0.25, 0.0],
        ..triangle("face")
    };
    let bare = Mesh {
        morph_targets: vec![morph("", 1.0, true)],
        morph_weights: vec![0.0],
        ..triangle("bare")
    };
    let mut builder = TimelineBuilder::new("t");
    builder
        .keys(Target::Node(0), Channel::MorphWeights, LINE, &[0.0, 1.0], &[0., 1., 1., 0.])
        .unwrap();
    builder
        .keys(
            Target::Node(2),
            Channel::MorphWeights,
            Interpolation::Cubic,
            &[0.0, 1.0],
            &(0..12_u8).map(f32::from).collect::<Vec<_>>(),
        )
        .unwrap();
    builder
        .keys(Target::Node(1), Channel::MorphWeights, Interpolation::Cubic, &[0.5], &[9., 0.5, 9.])
        .unwrap();
    let scene = Scene {
        meshes: vec![face, bare],
        nodes: vec![node("a", 0, None), node("b", 1, None), node("c", 0, None)],
        timelines: vec![builder.finish()],
        clips: vec![clip("t", 0.0, 1.0)],
        ..Scene::default()
    };
    let written = write("morphs", &scene);
    assert_eq!(written.codes(), [("gltf-morph-normals", 1)]);
    assert_eq!(
        written.channel("t", "a", Property::MorphTargetWeights),
        (vec![0.0, 1.0], vec![0., 1., 1., 0.], Kind::Linear)
    );
    assert_eq!(
        written.channel("t", "c", Property::MorphTargetWeights).1,
        (0..12_u8).map(f32::from).collect::<Vec<_>>()
    );
    assert_eq!(
        written.channel("t", "b", Property::MorphTargetWeights),
        (vec![0.5], vec![0.5], Kind::Step),
        "a spline needs two keys"
    );
    let mesh = &written.json["meshes"][0];
    assert_eq!(
        (mesh["extras"].to_string().as_str(), mesh["weights"].to_string().as_str()),
        (r#"{"targetNames":["smile",""]}"#, "[0.25,0.0]")
    );
    assert_eq!(written.json["meshes"][1].get("weights"), None);
    let targets: Vec<_> = written
        .node("a")
        .mesh()
        .unwrap()
        .primitives()
        .next()
        .unwrap()
        .reader(|_| Some(&written.bin))
        .read_morph_targets()
        .map(|(p, n, _)| (p.unwrap().collect::<Vec<_>>(), n.unwrap().count()))
        .collect();
    assert_eq!(targets[1], (vec![[-1.0, 0.0, 0.5]; 3], 3));
}

#[test]
fn a_chain_of_a_million_joints() {
    let count = 1_000_000;
    let mut skeleton = Skeleton::new("chain");
    skeleton.joints = (0..count)
        .map(|i: usize| Joint {
            rest: moved(0.0, 0.001, 0.0),
            ..Joint::new("link", i.checked_sub(1))
        })
        .collect();
    let scene = Scene { skeletons: vec![skeleton], ..Scene::default() };
    let glb = to_glb(&scene, &WriteOptions::default()).unwrap();
    assert!(glb.losses.is_empty() && glb.value.len() > 64 * count);
}

#[test]
fn skins_with_more_joints_than_numbers() {
    let count = 70_000;
    let mut skeleton = Skeleton::new("crowd");
    skeleton.joints = (0..count)
        .map(|i| Joint { rest: moved(i as f32, 0.0, 0.0), ..Joint::new(format!("j{i}"), None) })
        .collect();
    let mut scene = Scene {
        skins: vec![skin_of(&skeleton)],
        skeletons: vec![skeleton],
        meshes: vec![skinned_triangle(
            "m",
            2,
            &[69_999, 3, 5, 69_998, 0, 1],
            &[0.5, 0.5, 1.0, 0.0, 0.0, 0.0],
        )],
        nodes: vec![node("n", 0, Some(0))],
        ..Scene::default()
    };
    let written = write("crowd", &scene);
    let skin = written.document.skins().next().unwrap();
    assert_eq!(
        skin.joints().map(|joint| joint.name().unwrap().to_owned()).collect::<Vec<_>>(),
        ["j3", "j5", "j69999", "crowd.static"]
    );
    let (world, _) = written.evaluate(None, 0.0);
    let found = written.skinned("n", &world);
    assert!(
        found
            .iter()
            .zip(&scene.meshes[0].positions)
            .all(|(a, b)| a.iter().zip(b.to_array()).all(|(a, b)| (a - f64::from(b)).abs() < 1e-6)),
        "{found:?}"
    );

    let vertices = 66_000;
    scene.meshes[0] = Mesh {
        positions: vec![Vec3::ZERO; vertices],
        influences: Influences {
            per_vertex: 1,
            joints: (0..vertices as u32).collect(),
            weights: vec![1.0; vertices],
        },
        primitives: vec![part(Topology::Points, &[0])],
        ..Mesh::default()
    };
    assert_eq!(
        to_glb(&scene, &WriteOptions::default()).unwrap_err(),
        WriteError::TooManyJoints { skin: 0, joints: 66_000 }
    );
}

#[test]
fn what_is_not_whole_is_refused() {
    let mut scene = waving();
    scene.skins[0].joints.push(7);
    let error = to_glb(&scene, &WriteOptions::default()).unwrap_err();
    insta::assert_snapshot!(error, @"the scene is not whole (2 errors): skin 0: joint is number 7 \
                                     of 2; skin 0: inverse bind matrices: 2 where 3 belong");
}

#[test]
fn many_clips_on_a_long_take_are_bounded() {
    let mut skeleton = Skeleton::new("s");
    let mut builder = TimelineBuilder::new("t");
    for joint in 0..200 {
        skeleton.joints.push(Joint::new("j", None));
        builder.constant(Target::Joint(joint), Channel::Scale, &[1.0; 3]).unwrap();
    }
    let clips = vec![clip("c", 0.0, 1.0); 1_000];
    let scene = Scene {
        skeletons: vec![skeleton],
        timelines: vec![builder.finish()],
        clips,
        ..Scene::default()
    };
    let mut options = WriteOptions::default();
    options.max_bytes = 1_000_000;
    let refused = Err(WriteError::TooLarge { most: 1_000_000 });
    assert_eq!(to_glb(&scene, &options).map(|_| ()), refused);
    assert_eq!(to_gltf(&scene, &options, "x.bin").map(|_| ()), refused);
    // The buffer alone is too large.
    options.max_bytes = 100;
    assert_eq!(to_glb(&waving(), &options).map(|_| ()), Err(WriteError::TooLarge { most: 100 }));
    // The buffer fits, the JSON does not.
    options.max_bytes = 400;
    assert_eq!(
        to_gltf(&waving(), &options, "x.bin").map(|_| ()),
        Err(WriteError::TooLarge { most: 400 })
    );
}

#[test]
fn every_code_explains_itself() {
    let ids: BTreeSet<&str> = CODES.iter().map(|code| code.id).collect();
    assert_eq!(ids.len(), CODES.len());
    for code in CODES {
        assert!(
            code.id.starts_with("gltf-")
                && code.meaning.ends_with('.')
                && code.action.ends_with('.')
                && !code.example.ends_with('.'),
            "{}",
            code.id
        );
    }
}

fn come_and_go() -> Scene {
    let mut skeleton = Skeleton::nodes("stage");
    skeleton.joints.push(Joint { rest: moved(1.0, 0.0, 0.0), ..Joint::new("door", None) });
    skeleton.joints.push(Joint { visible: false, ..Joint::new("ghost", Some(0)) });
    let mut builder = TimelineBuilder::new("night");
    builder
        .keys(
            Target::Joint(1),
            Channel::Visibility,
            Interpolation::Step,
            &[0.0, 1.0, 2.0],
            &[0.0, 1.0, 0.0],
        )
        .unwrap();
    builder.constant(Target::Joint(0), Channel::Visibility, &[1.0]).unwrap();
    let unlit = Material { unlit: true, ..Material::new("glow") };
    let mesh = Mesh {
        primitives: vec![Primitive { material: Some(0), ..part(Topology::Triangles, &[0, 1, 2]) }],
        ..triangle("sheet")
    };
    Scene {
        skeletons: vec![skeleton],
        timelines: vec![builder.finish()],
        meshes: vec![mesh],
        materials: vec![unlit],
        nodes: vec![Node { parent: Some((0, 1)), ..node("sheet", 0, None) }],
        ..Scene::default()
    }
}

/// The nodes of a scene graph are no bones, and what is hidden has no size.
#[test]
fn nodes_that_come_and_go() {
    let written = write("nodes_that_come_and_go", &come_and_go());
    assert!(written.codes().is_empty());
    let document = &written.document;
    assert_eq!((document.skins().count(), document.materials().next().unwrap().unlit()), (0, true));
    let names: Vec<&str> = document.nodes().map(|node| node.name().unwrap()).collect();
    assert_eq!(names, ["door.visibility", "door", "ghost.visibility", "ghost", "sheet"]);
    let scales: Vec<[f32; 3]> =
        document.nodes().map(|node| node.transform().decomposed().2).collect();
    assert_eq!(scales, [[1.0; 3], [1.0; 3], [0.0; 3], [1.0; 3], [1.0; 3]]);
    let animation = document.animations().next().unwrap();
    let channels: Vec<(usize, Kind, usize)> = animation
        .channels()
        .map(|channel| {
            (
                channel.target().node().index(),
                channel.sampler().interpolation(),
                channel.sampler().output().count(),
            )
        })
        .collect();
    assert_eq!(channels, [(2, Kind::Step, 3), (0, Kind::Step, 1)]);
}

/// The same with an extension: no node more, flags of a byte each. No reader at hand knows it, so
/// this is what the JSON says.
#[test]
fn nodes_that_come_and_go_by_extension() {
    let mut options = WriteOptions::default();
    options.node_visibility = true;
    let glb = to_glb(&come_and_go(), &options).unwrap().value;
    std::fs::write(common::folder().join("node_visibility.glb"), &glb).unwrap();
    let parsed = gltf::Glb::from_slice(&glb).unwrap();
    let json: serde_json::Value = serde_json::from_slice(&parsed.json).unwrap();
    assert_eq!(
        json["extensionsUsed"],
        serde_json::json!(["KHR_materials_unlit", "KHR_node_visibility", "KHR_animation_pointer"])
    );
    let visible: Vec<_> = json["nodes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|node| node["extensions"]["KHR_node_visibility"]["visible"].as_bool())
        .collect();
    assert_eq!(visible, [Some(true), Some(false), None]);
    let animation = &json["animations"][0];
    let target = &animation["channels"][0]["target"];
    assert_eq!((target["path"].as_str(), target.get("node")), (Some("pointer"), None));
    assert_eq!(
        target["extensions"]["KHR_animation_pointer"]["pointer"],
        "/nodes/1/extensions/KHR_node_visibility/visible"
    );
    let accessor =
        &json["accessors"][animation["samplers"][0]["output"].as_u64().unwrap() as usize];
    assert_eq!(
        accessor,
        &serde_json::json!({ "bufferView": accessor["bufferView"], "componentType": 5121, "count": 3, "type": "SCALAR" })
    );
    let view = &json["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
    let start = view["byteOffset"].as_u64().unwrap() as usize;
    assert_eq!(parsed.bin.unwrap()[start..start + 3], [0, 1, 0]);
}

/// A camera that looks at the first triangle of a scene whose y points down.
#[test]
fn a_camera_where_y_points_down() {
    let mut skeleton = Skeleton::nodes("rig");
    skeleton.joints.push(Joint { rest: moved(1.0, 2.0, -3.0), ..Joint::new("camera", None) });
    let lens = Camera { aspect: Some(1.5), far: Some(100.0), ..Camera::new("lens", 0.75) };
    let scene = Scene {
        axes: Axes::YDown,
        skeletons: vec![skeleton],
        meshes: vec![triangle("sheet")],
        nodes: vec![
            node("sheet", 0, None),
            Node { parent: Some((0, 0)), camera: Some(0), ..Node::default() },
        ],
        cameras: vec![lens, Camera { far: Some(0.0), ..Camera::new("broken", 0.0) }],
        ..Scene::default()
    };
    let written = write("camera", &scene);
    assert_eq!(written.codes(), [("gltf-camera", 1)]);
    let cameras: Vec<_> = written
        .document
        .cameras()
        .map(|camera| match camera.projection() {
            gltf::camera::Projection::Perspective(p) => {
                (p.yfov(), p.aspect_ratio(), p.znear(), p.zfar())
            }
            gltf::camera::Projection::Orthographic(_) => panic!("perspective"),
        })
        .collect();
    assert_eq!(cameras, [(0.75, Some(1.5), 0.1, Some(100.0)), (1e-4, None, 0.1, None)]);
    assert_eq!(written.node("camera").transform().decomposed().0, [1.0, -2.0, 3.0]);
    assert_eq!(written.node("camera").camera().unwrap().name(), Some("lens"));
    assert_eq!(
        written.document.meshes().next().unwrap().primitives().next().unwrap().bounding_box().min,
        [0.0, -2.0, 0.0]
    );
}
