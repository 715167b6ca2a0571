//! Scenes that did not come from Animated OBJ: what is written, and what is said about the rest.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::cast_possible_truncation,
    reason = "tests fail loudly"
)]

use anim_ir::{
    Channel, Clip, Event, Influences, Interpolation, Joint, Mat4, Material, Mesh, MorphTarget,
    Node, Primitive, Quat, Scene, Skeleton, Skin, Target, TimelineBuilder, Topology, Transform,
    Vec3, Wrap,
};
use fmt_amo::{FromIr, FromIrError, from_ir};

/// Everything that the format has no word for, in one scene.
fn everything() -> Scene {
    let mut skeleton = Skeleton::new("rig");
    skeleton.joints.push(Joint::new("root #1", None));
    skeleton.joints.push(Joint::new("", Some(0)));
    skeleton.joints[1].rest.translation = Vec3::new(0.0, 2.0, 0.0);
    let mut builder = TimelineBuilder::new("t");
    let quarter =
        Quat::from_axis_angle(Vec3::new(0.0, 0.0, 1.0), std::f64::consts::FRAC_PI_2).to_array();
    let turns = [Quat::IDENTITY.to_array(), quarter].concat();
    builder
        .keys(Target::Joint(1), Channel::Rotation, Interpolation::Step, &[0.0, 1.0], &turns)
        .unwrap();
    builder
        .keys(Target::Joint(0), Channel::Scale, Interpolation::Linear, &[0.5], &[1.0, 2.0, 1.0])
        .unwrap();
    builder
        .keys(Target::Node(0), Channel::MorphWeights, Interpolation::Linear, &[0.0], &[1.0])
        .unwrap();
    builder.constant(Target::Joint(0), Channel::Translation, &[3.0, 0.0, 0.0]).unwrap();
    builder.event(Event { time: 0.5, name: "step".into(), ..Event::default() });
    let mut colored = Material::new("paint");
    colored.base_color = [1.0, 0.0, 0.0, 1.0];
    let mesh = Mesh {
        name: "sheet".into(),
        positions: vec![
            Vec3::new(0.0, 2.0, 0.0),
            Vec3::new(1.0, 2.0, 0.0),
            Vec3::new(0.0, 3.0, 0.0),
        ],
        texcoords: vec![[0.0, 0.0], [1.0, 0.25], [0.0, 1.0]],
        colors: vec![[1.0; 4]; 3],
        influences: Influences {
            per_vertex: 5,
            joints: [[1, 0, 0, 0, 0], [0, 1, 0, 1, 0], [0; 5]].concat(),
            weights: [[1.0, 0.0, 0.0, 0.0, 0.0], [0.3, 0.3, 0.2, 0.1, 0.1], [0.0; 5]].concat(),
        },
        morph_targets: vec![MorphTarget {
            name: "smile".into(),
            positions: vec![Vec3::ONE; 3],
            normals: Vec::new(),
        }],
        primitives: vec![
            Primitive { topology: Topology::Triangles, indices: vec![0, 1, 2], material: Some(0) },
            Primitive { topology: Topology::Lines, indices: vec![0, 1, 1, 2], material: None },
            Primitive { topology: Topology::Points, indices: vec![2], material: None },
        ],
        ..Mesh::default()
    };
    let bone = Mesh {
        name: "hat".into(),
        positions: vec![Vec3::ZERO; 3],
        primitives: vec![Primitive {
            topology: Topology::Triangles,
            indices: vec![0, 1, 2],
            material: None,
        }],
        ..Mesh::default()
    };
    let inverse_bind =
        skeleton.rest_model_matrices().iter().map(|matrix| matrix.inverse().unwrap()).collect();
    let window = Clip {
        name: "wave\nhello".into(),
        start: 0.0,
        end: 0.75,
        wrap: Wrap::Loop,
        ..Clip::default()
    };
    Scene {
        skeletons: vec![skeleton],
        timelines: vec![builder.finish()],
        clips: vec![window, Clip { name: "all".into(), end: 1.0, ..Clip::default() }],
        meshes: vec![mesh, bone],
        skins: vec![Skin { skeleton: 0, joints: vec![0, 1], inverse_bind }],
        nodes: vec![
            Node { name: "sheet".into(), mesh: Some(0), skin: Some(0), ..Node::default() },
            Node {
                name: "hat".into(),
                mesh: Some(1),
                parent: Some((0, 1)),
                transform: Transform { translation: Vec3::ONE, ..Transform::IDENTITY },
                ..Node::default()
            },
        ],
        materials: vec![colored],
        ..Scene::default()
    }
}

#[test]
fn what_cannot_be_said_is_said_to_be_lost() {
    let converted = from_ir(&everything(), &FromIr::default()).unwrap();
    let losses: Vec<String> =
        converted.losses.iter().map(|loss| format!("{}: {}", loss.code.id, loss.message)).collect();
    let text = String::from_utf8(converted.value.to_bytes().into_owned())
        .unwrap()
        .replace(env!("CARGO_PKG_VERSION"), "<version>");
    insta::assert_snapshot!(format!("{}\n\n{text}", losses.join("\n")));
}

#[test]
fn a_rate_makes_more_keys_and_has_a_limit() {
    let keys = |rate| {
        from_ir(&everything(), &FromIr { samples_per_second: Some(rate), ..FromIr::default() })
            .map(|c| c.value.animations()[1].keys.len())
    };
    assert!(keys(30.0).unwrap() > keys(5.0).unwrap());
    assert!(matches!(keys(1e9), Err(FromIrError::Limit(_))));
}

#[test]
fn a_scene_that_contradicts_itself_is_refused() {
    let mut scene = everything();
    scene.meshes[0].positions[0].x = f32::NAN;
    assert!(matches!(from_ir(&scene, &FromIr::default()), Err(FromIrError::Invalid(_))));
    let mut scene = everything();
    scene.skins[0].inverse_bind = vec![Mat4::IDENTITY];
    assert!(matches!(from_ir(&scene, &FromIr::default()), Err(FromIrError::Invalid(_))));
}

/// Row O32: a key after 30 years, sampled 60 times a second, is refused before anything is
/// allocated for it.
#[test]
fn a_key_in_the_far_future_is_not_baked() {
    let text = b"ao clock\nv 0 0 0\nj hand -1\na tick\nap 0 1 0 0 0\nap 1e9 1 1 0 0\n";
    let document = fmt_amo::Document::parse(&text[..]).unwrap().value;
    let scene = fmt_amo::to_ir(&document, &fmt_amo::ToIr::default()).value;
    let plain = from_ir(&scene, &FromIr::default()).unwrap().value;
    assert_eq!(plain.animations()[0].keys.len(), 2);
    let error = from_ir(&scene, &FromIr { samples_per_second: Some(60.0), ..FromIr::default() })
        .unwrap_err();
    insta::assert_snapshot!(error, @"an animation has 60000000000 samples, more than the limit of \
                                     10000000");
}
