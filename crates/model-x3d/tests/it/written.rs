//! Scenes as X3D, compared with files and values made by hand.

use anim_ir::{
    Channel, Clip, Deformer, Diagnostics, Image, Influences, Interpolation, Joint, JointId,
    JointRef, Mat4, Material, Mesh, MorphTarget, Node, NodeId, Pose, Primitive, Quat, Sampler,
    Scene, Skeleton, Skin, Target, TimelineBuilder, Transform, Vec3, Wrap,
};
use model_x3d::{Document, Encoding, FromIr, FromIrError, ToIr, from_ir, to_ir};

/// Writes a scene. Also returns the codes of losses.
pub(crate) fn write(
    scene: &Scene,
    options: &FromIr,
    encoding: Encoding,
) -> (String, Vec<&'static str>) {
    let made = from_ir(scene, options).unwrap();
    let mut losses = made.losses;
    let text = made.value.write(encoding, &mut losses);
    let mut codes: Vec<&str> = losses.iter().map(|loss| loss.code.id).collect();
    codes.dedup();
    (text, codes)
}

pub(crate) fn read(text: &str) -> Scene {
    let parsed = Document::parse(text.as_bytes()).unwrap();
    assert!(parsed.diagnostics.is_empty(), "{:?}\n{text}", parsed.diagnostics);
    let made = to_ir(&parsed.value, &ToIr::default());
    assert!(made.losses.is_empty(), "{:?}\n{text}", made.losses);
    made.value
}

pub(crate) fn triangle() -> Mesh {
    Mesh {
        name: "sail".to_owned(),
        positions: [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].map(Vec3::from).into(),
        primitives: vec![Primitive { indices: vec![0, 1, 2], ..Primitive::default() }],
        ..Mesh::default()
    }
}

/// A triangle on a joint that moves and is hidden for a time.
fn flag() -> Scene {
    let mut skeleton = Skeleton::new("scene");
    let pole = skeleton.add_joint(Joint::new("the pole", None));
    let rest = Transform { translation: Vec3::new(0.0, 2.0, 0.0), ..Transform::IDENTITY };
    let cloth = skeleton.add_joint(Joint { rest, ..Joint::new("cloth", Some(pole)) });
    let mut builder = TimelineBuilder::new("");
    let (step, linear) = (Interpolation::Step, Interpolation::Linear);
    let turn = Quat::from_axis_angle(Vec3::new(0.0, 1.0, 0.0), 1.5).to_array();
    let turns = [[0.0, 0.0, 0.0, 1.0], turn].concat();
    builder.keys(pole.into(), Channel::Rotation, linear, &[0.0, 2.0], &turns).unwrap();
    builder.keys(cloth.into(), Channel::Visibility, step, &[0.0, 1.0], &[1.0, 0.0]).unwrap();
    let mut scene = Scene::default();
    let skeleton = scene.add_skeleton(skeleton);
    let timeline = scene.add_timeline(builder.finish());
    scene.add_clip(Clip {
        name: "wave".into(),
        timeline,
        end: 2.0,
        wrap: Wrap::Loop,
        ..Clip::default()
    });
    let still = scene.add_timeline(TimelineBuilder::new("").finish());
    scene.add_clip(Clip {
        name: "calm".into(),
        timeline: still,
        end: 1.0,
        wrap: Wrap::Once,
        ..Clip::default()
    });
    let red =
        scene.add_material(Material { base_color: [1.0, 0.0, 0.0, 1.0], ..Material::new("red") });
    let mut mesh = triangle();
    mesh.primitives[0].material = Some(red);
    let mesh = scene.add_mesh(mesh);
    let parent = Some(JointRef { skeleton, joint: cloth });
    scene.add_node(Node { name: "sail".into(), parent, mesh: Some(mesh), ..Node::default() });
    scene
}

#[test]
fn both_encodings() {
    let (xml, codes) = write(&flag(), &FromIr::default(), Encoding::Xml);
    assert_eq!(codes, ["x3d-loss-name"]);
    insta::assert_snapshot!("flag_xml", xml);
    let (classic, _) = write(&flag(), &FromIr::default(), Encoding::Classic);
    insta::assert_snapshot!("flag_classic", classic);
    let scenes = [&xml, &classic].map(|text| anim_ir::dump(&read(text)));
    assert_eq!(scenes[0], scenes[1]);
}

/// A joint that is bound away from its rest pose, turned and scaled, and moved by a clip.
fn arm(bind_scale: Vec3) -> Scene {
    let mut skeleton = Skeleton::new("arm");
    let rest = |x: f32, angle: f64| Transform {
        translation: Vec3::new(x, 0.5, 0.0),
        rotation: Quat::from_axis_angle(Vec3::new(0.0, 0.0, 1.0), angle),
        scale: Vec3::ONE,
    };
    let upper = skeleton.add_joint(Joint { rest: rest(1.0, 0.3), ..Joint::new("upper", None) });
    let lower =
        skeleton.add_joint(Joint { rest: rest(2.0, -0.6), ..Joint::new("lower", Some(upper)) });
    let bind = |x: f32, angle: f64, scale: Vec3| {
        let rotation = Quat::from_axis_angle(Vec3::new(0.6, 0.0, 0.8), angle);
        Transform { translation: Vec3::new(x, 0.25, 0.0), rotation, scale }.to_matrix()
    };
    let binds = [bind(0.5, 0.4, Vec3::new(2.0, 2.0, 2.0)), bind(1.5, 1.1, bind_scale)];
    let mut builder = TimelineBuilder::new("");
    let linear = Interpolation::Linear;
    let turn = Quat::from_axis_angle(Vec3::new(0.0, 0.8, 0.6), 1.2).to_array();
    let turns = [skeleton.joints[1].rest.rotation.to_array(), turn].concat();
    builder.keys(lower.into(), Channel::Rotation, linear, &[0.0, 1.0], &turns).unwrap();
    let scales = [1.0, 1.0, 1.0, 1.0, 2.0, 0.5];
    builder.keys(lower.into(), Channel::Scale, linear, &[0.0, 1.0], &scales).unwrap();
    let moves = [1.0, 0.5, 0.0, 1.0, 2.5, -1.0];
    builder.keys(upper.into(), Channel::Translation, linear, &[0.0, 1.0], &moves).unwrap();
    let mut scene = Scene::default();
    let skeleton = scene.add_skeleton(skeleton);
    let timeline = scene.add_timeline(builder.finish());
    scene.add_clip(Clip { name: "reach".into(), timeline, end: 1.0, ..Clip::default() });
    let influences = Influences {
        per_vertex: 2,
        joints: vec![0, 1, 0, 1, 0, 1],
        weights: vec![1.0, 0.0, 0.25, 0.75, 0.0, 1.0],
    };
    let mesh = scene.add_mesh(Mesh { influences, ..triangle() });
    let inverse_bind = binds.iter().map(|bind| bind.inverse().unwrap()).collect();
    let joints = [upper, lower].map(|joint: JointId| joint).to_vec();
    let skin = scene.add_skin(Skin { skeleton, joints, inverse_bind });
    scene.add_node(Node { mesh: Some(mesh), skin: Some(skin), ..Node::default() });
    scene
}

/// Returns the vertices of the first node in the first clip, at a time.
fn vertices(scene: &Scene, time: f64) -> Vec<Vec3> {
    let clip = &scene.clips[0];
    let (timeline, skeleton) = scene.motion_of(clip).unwrap();
    let mut pose = Pose::default();
    Sampler::for_clip(skeleton, timeline, clip).sample(time, &mut pose);
    let mut deformer = Deformer::default();
    let node = &scene.nodes[0];
    deformer.deform_node(scene, NodeId::new(0), timeline.skeleton, &pose);
    let mut model = Vec::new();
    pose.model_matrices(skeleton, &mut model);
    let parent = node.parent.filter(|_| node.skin.is_none());
    let place = parent.map_or(Mat4::IDENTITY, |at| model[at.joint.index()]);
    deformer.positions().iter().map(|point| place.transform_point(*point)).collect()
}

#[track_caller]
fn assert_same_motion(before: &Scene, after: &Scene, near: f32) {
    for step in 0_u8..=20 {
        let time = f64::from(step) / 20.0;
        let pairs = vertices(before, time).into_iter().zip(vertices(after, time));
        for (a, b) in pairs {
            let far =
                (a - b).to_array().into_iter().fold(0.0, |most: f32, part| most.max(part.abs()));
            assert!(far <= near, "{a:?} is {b:?} at {time}");
        }
    }
}

#[test]
fn joints_bound_in_any_pose_become_a_humanoid() {
    let scene = arm(Vec3::new(0.5, 0.5, 0.5));
    let (text, codes) = write(&scene, &FromIr::default(), Encoding::Xml);
    assert!(codes.is_empty(), "{codes:?}");
    assert!(text.contains("<HAnimHumanoid ") && !text.contains("CoordinateInterpolator"));
    assert_same_motion(&scene, &read(&text), 1e-5);
}

#[test]
fn skins_that_humanoids_cannot_hold_are_sampled() {
    let uneven = arm(Vec3::new(0.5, 1.0, 0.5));
    let (text, codes) = write(&uneven, &FromIr::default(), Encoding::Xml);
    assert_eq!(codes, ["x3d-loss-skin"]);
    assert!(text.contains("<CoordinateInterpolator ") && !text.contains("HAnim"));
    assert_same_motion(&uneven, &read(&text), 4e-3);
    let even = arm(Vec3::ONE);
    let coordinates = FromIr::default().with_coordinates(true);
    let at_rate = coordinates.clone().with_frames_per_second(Some(100.0));
    for (options, near, expected) in [
        (coordinates, 4e-3, &["x3d-loss-skin"][..]),
        (at_rate, 1e-3, &["ir-resampled", "x3d-loss-skin"]),
    ] {
        let (text, codes) = write(&even, &options, Encoding::Classic);
        assert_eq!(codes, expected);
        assert_same_motion(&even, &read(&text), near);
    }
}

/// A mesh whose shape and normals change.
fn bubble() -> Scene {
    let mut mesh = triangle();
    mesh.normals = vec![Vec3::new(0.0, 0.0, 1.0); 3];
    let target = |x: f32, tilt: f32| MorphTarget {
        positions: vec![Vec3::new(x, 0.0, 0.5); 3],
        normals: vec![Vec3::new(tilt, 0.0, 0.0); 3],
        ..MorphTarget::default()
    };
    mesh.morph_targets = vec![target(1.0, 1.0), target(0.0, -0.5)];
    mesh.morph_weights = vec![0.0; 2];
    let mut scene = Scene::default();
    let mut skeleton = Skeleton::new("scene");
    let joint = skeleton.add_joint(Joint::new("place", None));
    let skeleton = scene.add_skeleton(skeleton);
    let mesh = scene.add_mesh(mesh);
    let parent = Some(JointRef { skeleton, joint });
    let node = scene.add_node(Node { parent, mesh: Some(mesh), ..Node::default() });
    let mut builder = TimelineBuilder::new("");
    let weights = [0.0, 0.0, 1.0, 0.5, 0.25, 1.0];
    let (target, linear) = (Target::Node(node), Interpolation::Linear);
    builder.keys(target, Channel::MorphWeights, linear, &[0.0, 0.5, 1.0], &weights).unwrap();
    let timeline = scene.add_timeline(builder.finish());
    scene.add_clip(Clip { name: "swell".into(), timeline, end: 1.0, ..Clip::default() });
    scene
}

#[test]
fn morphed_points_and_normals() {
    let scene = bubble();
    let (text, codes) = write(&scene, &FromIr::default(), Encoding::Xml);
    assert_eq!(codes, ["x3d-loss-morph"]);
    let after = read(&text);
    assert_same_motion(&scene, &after, 1e-6);
    // At the keys, normals are those of the scene.
    for (key, tilt) in [(0.5, 1.0 - 0.25), (1.0, 0.25 - 0.5)] {
        let mut pose = Pose::default();
        let (timeline, skeleton) = after.motion_of(&after.clips[0]).unwrap();
        Sampler::for_clip(skeleton, timeline, &after.clips[0]).sample(key, &mut pose);
        let mut deformer = Deformer::default();
        deformer.deform_node(&after, NodeId::new(0), timeline.skeleton, &pose);
        let expected = Vec3::new(tilt, 0.0, 1.0).normalized().unwrap();
        let far = (deformer.normals()[0] - expected).to_array().map(f32::abs);
        assert!(far.iter().all(|far| *far < 1e-6), "{:?}, not {expected:?}", deformer.normals()[0]);
    }
}

#[test]
fn a_sheared_joint_at_rest() {
    let mut scene = flag();
    scene.clips.clear();
    scene.timelines.clear();
    let columns =
        [[1.0, 0.2, 0.0, 0.0], [0.7, -1.5, 0.3, 0.0], [0.0, 0.4, 2.0, 0.0], [3.0, 4.0, 5.0, 1.0]];
    let matrix = Mat4::from_columns(columns.concat().try_into().unwrap());
    for matrix in [
        matrix,
        Mat4::from_columns(
            [[0.0; 4], columns[1], columns[2], columns[3]].concat().try_into().unwrap(),
        ),
    ] {
        scene.skeletons[0].joints[1].exact_rest = Some(matrix);
        let (text, _) = write(&scene, &FromIr::default(), Encoding::Xml);
        let after = read(&text);
        let end = after.nodes[0].parent.unwrap().joint.index();
        let found = after.skeletons[0].rest_model_matrices()[end];
        assert!(found.is_near(matrix, 1e-5), "{found:?}, not {matrix:?}");
    }
}

/// Where a scale is 0, the rotation is any that completes the others.
#[test]
fn joints_flat_in_any_direction() {
    let turn = Quat::from_axis_angle(Vec3::new(0.48, 0.6, 0.64), 0.7);
    let mut scene = flag();
    scene.clips.clear();
    scene.timelines.clear();
    for flat in 0..8_u8 {
        let scale = |bit: u8, size: f32| if flat & bit == 0 { size } else { 0.0 };
        let scale = Vec3::new(scale(1, 2.0), scale(2, 3.0), scale(4, 0.5));
        for rotation in [Quat::IDENTITY, turn] {
            let matrix = Transform { scale, rotation, ..Transform::IDENTITY }.to_matrix();
            scene.skeletons[0].joints[1].exact_rest = Some(matrix);
            let after = read(&write(&scene, &FromIr::default(), Encoding::Xml).0);
            let end = after.nodes[0].parent.unwrap().joint.index();
            let found = after.skeletons[0].rest_model_matrices()[end];
            assert!(found.is_near(matrix, 1e-5), "{found:?}, not {matrix:?}");
        }
    }
}

#[test]
fn frame_rates_are_positive() {
    for rate in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let options = FromIr::default().with_frames_per_second(Some(rate));
        let error = from_ir(&flag(), &options).unwrap_err();
        assert!(matches!(error, FromIrError::Rate(_)), "{error}");
    }
}

/// Two materials with the same image share its node, so that programs load it once.
#[test]
fn images_are_shared() {
    let mut scene = flag();
    let image = scene.add_image(Image { path: Some("cloth.png".to_owned()), ..Image::default() });
    scene.materials[0].base_color_image = Some(image);
    let mut blue = scene.materials[0].clone();
    blue.base_color = [0.0, 0.0, 1.0, 1.0];
    let blue = scene.add_material(blue);
    let part = scene.meshes[0].primitives[0].clone();
    scene.meshes[0].primitives.push(Primitive { material: Some(blue), ..part });
    let (text, _) = write(&scene, &FromIr::default(), Encoding::Xml);
    assert_eq!(text.matches("cloth.png").count(), 1, "{text}");
    let after = read(&text);
    assert_eq!((after.materials.len(), after.images.len()), (2, 1));
}

#[test]
fn names_in_both_encodings() {
    let mut scene = Scene::default();
    let mut skeleton = Skeleton::new("");
    for name in ["a.b", "a b", "1", "é", "\u{1F600}", "a'\"<&>\\", "walk", "_"] {
        skeleton.add_joint(Joint::new(name, None));
    }
    scene.add_skeleton(skeleton);
    let mut builder = TimelineBuilder::new("");
    let (moved, linear) = (JointId::new(0).into(), Interpolation::Linear);
    builder.keys(moved, Channel::Scale, linear, &[0.0, 1.0], &[1.0; 6]).unwrap();
    let timeline = scene.add_timeline(builder.finish());
    for name in ["walk", "walk", "the run"] {
        scene.add_clip(Clip { name: name.into(), timeline, end: 1.0, ..Clip::default() });
    }
    for encoding in [Encoding::Xml, Encoding::Classic] {
        let (text, _) = write(&scene, &FromIr::default(), encoding);
        let graph = Document::parse(text.as_bytes()).unwrap().value.into_graph();
        let names = graph.nodes.iter().filter(|node| !node.kind.name.ends_with("Interpolator"));
        let names: Vec<&str> = names.filter_map(|node| node.name.as_deref()).collect();
        assert_eq!(
            names,
            [
                "a_b", "a_b_001", "_1", "é", "_", "a______", "walk_002", "__001", "walk",
                "walk_001", "the_run"
            ]
        );
        // All names are read as they were.
        let after = read(&text);
        let joints = |scene: &Scene| -> Vec<String> {
            scene.skeletons[0].joints.iter().map(|joint| joint.name.clone()).collect()
        };
        assert_eq!(joints(&after), joints(&scene));
        let clips: Vec<&str> = after.clips.iter().map(|clip| clip.name.as_str()).collect();
        assert_eq!(clips, ["walk", "walk", "the run"]);
    }
}

/// The classic reader rejects names of more than 4,096 bytes.
#[test]
fn long_names_are_shortened_and_kept_as_metadata() {
    let mut scene = Scene::default();
    let mut skeleton = Skeleton::new("");
    let names = ["é".repeat(3000), "é".repeat(3000) + "2"];
    for name in &names {
        skeleton.add_joint(Joint::new(name, None));
    }
    scene.add_skeleton(skeleton);
    let (text, _) = write(&scene, &FromIr::default(), Encoding::Classic);
    let parsed = Document::parse(text.as_bytes()).unwrap();
    assert_eq!(parsed.diagnostics.iter().map(|found| &found.message).next(), None);
    let graph = parsed.value.into_graph();
    let lengths: Vec<usize> =
        graph.nodes.iter().filter_map(|node| Some(node.name.as_deref()?.len())).collect();
    assert_eq!(lengths, [4000, 4004]);
    let after = read(&text);
    let joints: Vec<&String> = after.skeletons[0].joints.iter().map(|it| &it.name).collect();
    assert_eq!(joints, [&names[0], &names[1]]);
}

#[test]
fn joints_may_not_be_nested_too_deeply() {
    let mut scene = Scene::default();
    let mut skeleton = Skeleton::new("");
    let mut parent = None;
    for _ in 0..101 {
        parent = Some(skeleton.add_joint(Joint::new("", parent)));
    }
    scene.add_skeleton(skeleton);
    let error = from_ir(&scene, &FromIr::default()).unwrap_err();
    assert_eq!(error.to_string(), "joints are nested 101 deep; X3D is written with at most 100");
    scene.skeletons[0].joints.pop();
    let graph = from_ir(&scene, &FromIr::default()).unwrap().value;
    let text = graph.write(Encoding::Xml, &mut Diagnostics::new());
    assert_eq!(read(&text).skeletons[0].joints.len(), 100);
}
