//! Conversion of scenes from other formats: the output and the reported losses.

use anim_ir::{
    Channel, Clip, Event, Influences, Interpolation, Joint, JointId, JointRef, Limits, Mat4,
    Material, MaterialId, Mesh, MeshId, MorphTarget, Node, NodeId, Primitive, Quat, Scene,
    Severity, Skeleton, SkeletonId, Skin, SkinId, Timeline, TimelineBuilder, Topology, Transform,
    Vec3, Wrap,
};
use fmt_amo::{Dialect, Document, FromIr, FromIrError, ToIr, from_ir, to_ir};

/// A scene with everything that the format cannot store.
fn everything() -> Scene {
    let mut skeleton = Skeleton::new("rig");
    let root = skeleton.add_joint(Joint::new("root #1", None));
    let tip = skeleton.add_joint(Joint::new("", Some(root)));
    skeleton.joints[1].rest.translation = Vec3::new(0.0, 2.0, 0.0);
    let mut colored = Material::new("paint");
    colored.base_color = [1.0, 0.0, 0.0, 1.0];
    let inverse_bind =
        skeleton.rest_model_matrices().iter().map(|matrix| matrix.inverse().unwrap()).collect();
    let window =
        Clip { name: "wave\nhello".into(), end: 0.75, wrap: Wrap::Loop, ..Clip::default() };
    let (skeletons, skeleton) = (vec![skeleton], SkeletonId::default());
    let node = |name: &str, mesh| Node {
        name: name.into(),
        mesh: Some(MeshId::new(mesh)),
        ..Node::default()
    };
    Scene {
        skeletons,
        timelines: vec![timeline(root, tip)],
        clips: vec![window, Clip { name: "all".into(), end: 1.0, ..Clip::default() }],
        meshes: vec![sheet(), hat()],
        skins: vec![Skin { skeleton, joints: vec![root, tip], inverse_bind }],
        nodes: vec![
            Node { skin: Some(SkinId::default()), ..node("sheet", 0) },
            Node {
                parent: Some(JointRef { skeleton, joint: tip }),
                transform: Transform { translation: Vec3::ONE, ..Transform::IDENTITY },
                ..node("hat", 1)
            },
        ],
        materials: vec![colored],
        ..Scene::default()
    }
}

fn timeline(root: JointId, tip: JointId) -> Timeline {
    let mut builder = TimelineBuilder::new("t");
    let quarter =
        Quat::from_axis_angle(Vec3::new(0.0, 0.0, 1.0), std::f64::consts::FRAC_PI_2).to_array();
    let turns = [Quat::IDENTITY.to_array(), quarter].concat();
    let (line, node) = (Interpolation::Linear, NodeId::default().into());
    builder.keys(tip.into(), Channel::Rotation, Interpolation::Step, &[0.0, 1.0], &turns).unwrap();
    builder.keys(root.into(), Channel::Scale, line, &[0.5], &[1.0, 2.0, 1.0]).unwrap();
    builder.keys(node, Channel::MorphWeights, line, &[0.0], &[1.0]).unwrap();
    builder.constant(root.into(), Channel::Translation, &[3.0, 0.0, 0.0]).unwrap();
    builder.event(Event { time: 0.5, name: "step".into(), ..Event::default() });
    builder.finish()
}

fn sheet() -> Mesh {
    let positions = vec![Vec3::ONE; 3];
    let smile = MorphTarget { name: "smile".into(), positions, normals: Vec::new() };
    Mesh {
        name: "sheet".into(),
        positions: [[0., 2., 0.], [1., 2., 0.], [0., 3., 0.]].map(Vec3::from).to_vec(),
        texcoords: vec![[0.0, 0.0], [1.0, 0.25], [0.0, 1.0]],
        colors: vec![[1.0; 4]; 3],
        influences: Influences {
            per_vertex: 5,
            joints: [[1, 0, 0, 0, 0], [0, 1, 0, 1, 0], [0; 5]].concat(),
            weights: [[1.0, 0.0, 0.0, 0.0, 0.0], [0.3, 0.3, 0.2, 0.1, 0.1], [0.0; 5]].concat(),
        },
        morph_targets: vec![smile],
        primitives: vec![
            Primitive { material: Some(MaterialId::default()), ..triangle() },
            Primitive { topology: Topology::Lines, indices: vec![0, 1, 1, 2], material: None },
            Primitive { topology: Topology::Points, indices: vec![2], material: None },
        ],
        ..Mesh::default()
    }
}

fn triangle() -> Primitive {
    Primitive { topology: Topology::Triangles, indices: vec![0, 1, 2], material: None }
}

fn hat() -> Mesh {
    Mesh {
        name: "hat".into(),
        positions: vec![Vec3::ZERO; 3],
        primitives: vec![triangle()],
        ..Mesh::default()
    }
}

#[test]
fn everything_that_the_format_cannot_store_is_reported() {
    let converted = from_ir(&everything(), &FromIr::default()).unwrap();
    let losses: Vec<String> =
        converted.losses.iter().map(|loss| format!("{}: {}", loss.code.id, loss.message)).collect();
    let text = String::from_utf8(converted.value.to_bytes().into_owned())
        .unwrap()
        .replace(env!("CARGO_PKG_VERSION"), "<version>");
    insta::assert_snapshot!(format!("{}\n\n{text}", losses.join("\n")));
}

/// Written as is, a name that ends with numbers would be read as a name, a parent and a rest
/// matrix.
#[test]
fn a_joint_name_that_looks_like_a_matrix_is_read_back_as_a_name() {
    let matrix = "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1";
    for name in [format!("hip 0 {matrix}"), format!("hip 0 {matrix} 1 2 3"), "a ".repeat(17) + "b"]
    {
        let mut scene = everything();
        scene.skeletons[0].joints[0].name.clone_from(&name);
        let converted = from_ir(&scene, &FromIr::default()).unwrap();
        let expected = name.replace(' ', "_");
        assert!(converted.losses.iter().any(|loss| loss.message.contains(&expected)), "{name}");
        let bytes = converted.value.to_bytes().into_owned();
        let again = Document::parse(&bytes[..]).unwrap().value;
        assert_eq!(again.dialect(), Dialect::Spec, "{name}");
        assert_eq!(again.joints()[0].name, expected);
        assert_eq!(again.joints()[0].rest, None);
        let mut document = again;
        assert!(document.rename_joint(0, &name).is_err(), "{name}");
    }
    let mut scene = everything();
    scene.skeletons[0].joints[0].name = "hip 1 2 3".to_owned();
    let converted = from_ir(&scene, &FromIr::default()).unwrap();
    assert_eq!(converted.value.joints()[0].name, "hip 1 2 3", "short names are kept");
}

/// Readers reject longer ones.
#[test]
fn names_of_more_than_4096_bytes_are_shortened() {
    let mut scene = everything();
    let name = "é".repeat(3000);
    scene.skeletons[0].joints[0].name.clone_from(&name);
    scene.clips[0].name.clone_from(&name);
    let converted = from_ir(&scene, &FromIr::default()).unwrap();
    assert!(converted.losses.iter().any(|loss| loss.code.id == "amo-loss-name"));
    let bytes = converted.value.to_bytes();
    let again = Document::parse(&bytes[..]).unwrap();
    let mut errors = again.diagnostics.iter().filter(|it| it.severity() == Severity::Error);
    assert_eq!(errors.next().map(|error| &error.message), None);
    assert_eq!(again.value.joints()[0].name, "é".repeat(2047));
    assert_eq!(again.value.animations()[0].name, "é".repeat(2047));
}

#[test]
fn sampling_adds_keys_up_to_a_limit() {
    let keys = |rate| {
        from_ir(&everything(), &FromIr::default().with_frames_per_second(Some(rate)))
            .map(|c| c.value.animations()[1].keys.len())
    };
    assert!(keys(30.0).unwrap() > keys(5.0).unwrap());
    assert!(matches!(keys(1e9), Err(FromIrError::Limit(_))));
}

/// At a rate at which nothing can be sampled, keys are written at the times of the scene's keys.
#[test]
fn an_impossible_rate_is_ignored() {
    let keys = |rate| {
        let written = from_ir(&everything(), &FromIr::default().with_frames_per_second(Some(rate)));
        written.unwrap().value.animations().iter().map(|one| one.keys.len()).collect::<Vec<_>>()
    };
    for rate in [0.0, -30.0, f64::INFINITY] {
        assert_eq!(keys(rate), keys(f64::NAN), "{rate}");
    }
}

/// A mesh is written again for each node that uses it, so the output may be much larger than the
/// scene.
#[test]
fn repeated_meshes_are_limited() {
    let mut scene = everything();
    let hat = scene.nodes[1].clone();
    let limits = Limits { memory: Some(1 << 20), ..Limits::default() };
    let options = FromIr::default().with_limits(limits);
    assert!(from_ir(&scene, &options).is_ok());
    scene.nodes.extend(vec![hat; 100_000]);
    let error = from_ir(&scene, &options).unwrap_err().to_string();
    assert!(error.starts_with("repeated meshes"), "{error}");
}

/// A skin without weights leaves its mesh to the node.
#[test]
fn a_skinned_mesh_without_weights_stays_in_place() {
    let mut scene = everything();
    scene.meshes[0].influences = Influences::default();
    scene.nodes[0].transform.translation = Vec3::new(0.0, 0.0, 7.0);
    let written = from_ir(&scene, &FromIr::default()).unwrap().value.to_bytes().into_owned();
    let text = String::from_utf8(written).unwrap();
    assert!(text.contains("o sheet\nv 0 2 7\n"), "{text}");
}

/// Normals are rotated with their mesh, and stay perpendicular to surfaces that are scaled.
#[test]
fn normals_of_placed_meshes() {
    let mut scene = everything();
    scene.meshes[1].normals = vec![Vec3::new(0.6, 0.8, 0.0); 3];
    let quarter = |axis| Quat::from_axis_angle(Vec3::from(axis), std::f64::consts::FRAC_PI_2);
    let mut written = |rotation, scale| {
        scene.nodes[1].transform = Transform { rotation, scale, ..Transform::IDENTITY };
        let value = from_ir(&scene, &FromIr::default()).unwrap().value;
        let mesh = &to_ir(&value, &ToIr::default()).value.meshes[1];
        mesh.normals[0].to_array().map(|number| (number * 100.0).round())
    };
    assert_eq!(written(quarter([0.0, 0.0, 1.0]), Vec3::ONE), [-80.0, 60.0, 0.0]);
    assert_eq!(written(quarter([1.0, 0.0, 0.0]), Vec3::ONE), [60.0, 0.0, 80.0]);
    assert_eq!(written(Quat::IDENTITY, Vec3::new(1.0, 2.0, 1.0)), [83.0, 55.0, 0.0]);
}

#[test]
fn invalid_scenes_are_rejected() {
    let mut scene = everything();
    scene.meshes[0].positions[0].x = f32::NAN;
    assert!(matches!(from_ir(&scene, &FromIr::default()), Err(FromIrError::Invalid(_))));
    let mut scene = everything();
    scene.skins[0].inverse_bind = vec![Mat4::IDENTITY];
    assert!(matches!(from_ir(&scene, &FromIr::default()), Err(FromIrError::Invalid(_))));
}

#[test]
fn only_the_spec_dialect_can_be_written() {
    for dialect in Dialect::ALL {
        let written = from_ir(&everything(), &FromIr::default().with_dialect(dialect));
        assert_eq!(written.is_ok(), dialect == Dialect::Spec, "{dialect}");
    }
}

/// Row O32: sampling at 60 frames per second up to a key after 30 years is rejected before memory
/// is allocated.
#[test]
fn a_key_in_the_far_future_is_rejected() {
    let text = b"ao clock\nv 0 0 0\nj hand -1\na tick\nap 0 1 0 0 0\nap 1e9 1 1 0 0\n";
    let document = fmt_amo::Document::parse(&text[..]).unwrap().value;
    let scene = fmt_amo::to_ir(&document, &fmt_amo::ToIr::default()).value;
    let plain = from_ir(&scene, &FromIr::default()).unwrap().value;
    assert_eq!(plain.animations()[0].keys.len(), 2);
    let sampled = FromIr::default().with_frames_per_second(Some(60.0));
    let error = from_ir(&scene, &sampled).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the sampled keys need a memory limit of at least 39 TB; the limit is 269 MB \
         (`--max-memory`)"
    );
}

/// A joint has one bind matrix in the file, so a second skin cannot bind it elsewhere.
#[test]
fn a_joint_is_bound_once() {
    let losses = |scene: &Scene| {
        let converted = from_ir(scene, &FromIr::default()).unwrap();
        let loss = converted.losses.iter().find(|loss| loss.code.id == "amo-loss-bind");
        loss.map(|loss| loss.message.clone())
    };
    let mut scene = everything();
    scene.skins.push(scene.skins[0].clone());
    scene.nodes.push(Node { skin: Some(SkinId::new(1)), ..scene.nodes[0].clone() });
    assert_eq!(losses(&scene), None, "the same matrices");
    let moved = Transform { translation: Vec3::ONE, ..Transform::IDENTITY }.to_matrix();
    scene.skins[1].inverse_bind[0] = moved;
    assert_eq!(losses(&scene).as_deref(), Some("joint `root #1` has two different bind matrices"));
}

/// Extras under the format's own names are restored; any others are a loss.
#[test]
fn only_known_extras_are_kept() {
    let lost = |value: anim_ir::Value| {
        let mut scene = everything();
        scene.extras.insert("amo".to_owned(), value);
        from_ir(&scene, &FromIr::default()).unwrap().losses.count(&fmt_amo::codes::LOSS_EXTRAS)
    };
    assert_eq!(lost(anim_ir::Value::from([("dialect", "spec".into())])), 0);
    assert_eq!(lost(anim_ir::Value::from([("colour", "red".into())])), 1);
    assert_eq!(lost(true.into()), 1);
}

/// A clip has the keys of its own time range.
#[test]
fn keys_outside_the_clip_are_left_out() {
    let mut skeleton = Skeleton::new("rig");
    let root = skeleton.add_joint(Joint::new("root", None));
    let mut builder = TimelineBuilder::new("t");
    let (times, places) = ([0.0, 1.0, 2.0], [[0.0; 3], [1.0; 3], [2.0; 3]].concat());
    let (channel, line) = (Channel::Translation, Interpolation::Linear);
    builder.keys(root.into(), channel, line, &times, &places).unwrap();
    let scene = Scene {
        skeletons: vec![skeleton],
        timelines: vec![builder.finish()],
        clips: vec![Clip { name: "start".into(), end: 1.0, ..Clip::default() }],
        ..Scene::default()
    };
    let written = from_ir(&scene, &FromIr::default()).unwrap().value;
    let times: Vec<f32> = written.animations()[0].keys.iter().map(|key| key.time).collect();
    assert_eq!(times, [0.0, 1.0]);
}

/// A position that is finite, but not relative to the bind pose.
#[test]
fn keys_that_overflow_are_not_written() {
    let mut skeleton = Skeleton::new("rig");
    let root = skeleton.add_joint(Joint::new("root", None));
    skeleton.joints[0].rest.scale = Vec3::new(8.0, 8.0, 8.0);
    let tip = skeleton.add_joint(Joint::new("tip", Some(root)));
    skeleton.joints[1].rest.translation = Vec3::new(0.0, 1.0, 0.0);
    let mut builder = TimelineBuilder::new("t");
    let places = [0.0, 2.0, 0.0, 0.0, 1.0, f32::MAX];
    builder
        .keys(tip.into(), Channel::Translation, Interpolation::Linear, &[0.0, 1.0], &places)
        .unwrap();
    let scene = Scene {
        skeletons: vec![skeleton],
        timelines: vec![builder.finish()],
        clips: vec![Clip { name: "a".into(), end: 1.0, ..Clip::default() }],
        ..Scene::default()
    };
    let written = from_ir(&scene, &FromIr::default()).unwrap();
    let lost: Vec<_> = written.losses.iter().map(|loss| loss.code.id).collect();
    assert!(lost.contains(&"amo-loss-overflow"), "{lost:?}");
    let read = Document::parse(written.value.source()).unwrap();
    assert!(read.diagnostics.is_empty(), "{:?}", read.diagnostics);
    assert_eq!(String::from_utf8_lossy(written.value.source()).matches("\nap ").count(), 1);
}

/// Vertices that are finite in their mesh, but not where the rest pose puts them.
#[test]
fn vertices_that_overflow_stay_finite() {
    let mut scene = Scene::default();
    let mesh = scene.add_mesh(Mesh {
        name: "far".into(),
        positions: vec![Vec3::new(f32::MAX, 0.0, 0.0), Vec3::ONE],
        ..Mesh::default()
    });
    let transform = Transform { scale: Vec3::new(8.0, 8.0, 8.0), ..Transform::IDENTITY };
    scene.add_node(Node { mesh: Some(mesh), transform, ..Node::default() });
    let written = from_ir(&scene, &FromIr::default()).unwrap();
    let text = String::from_utf8_lossy(written.value.source());
    assert!(text.contains("v 3.4028235e38 0 0\nv 8 8 8\n"), "{text}");
    let lost: Vec<_> = written.losses.iter().map(|loss| &*loss.message).collect();
    assert_eq!(lost, ["1 of the vertices of mesh `far`"]);
}

/// The format has no rest poses.
#[test]
fn rest_poses_are_lost() {
    let mut scene = Scene::default();
    let mut skeleton = Skeleton::new("rig");
    let root = skeleton.add_joint(Joint::new("root", None));
    skeleton.add_joint(Joint::new("tip", Some(root)));
    scene.add_skeleton(skeleton);
    assert!(from_ir(&scene, &FromIr::default()).unwrap().losses.is_empty());
    scene.skeletons[0].joints[1].rest.translation = Vec3::ONE;
    let written = from_ir(&scene, &FromIr::default()).unwrap();
    let lost: Vec<_> = written.losses.iter().map(|loss| loss.code.id).collect();
    assert_eq!(lost, ["amo-loss-rest"]);
}
