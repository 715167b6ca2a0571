//! Nodes: joints at rest, their parent and visibility nodes, cameras.

use std::collections::BTreeSet;

use anim_gltf::{FromIr, Up, from_ir};
use anim_ir::Channel::{Rotation, Scale, Translation, Visibility};
use anim_ir::Interpolation::{Cubic, Linear, Step};
use anim_ir::{
    Axes, Camera, CameraId, Clip, Joint, JointId, Mat4, Material, Mesh, Node, Pose, PoseSpace,
    Quat, Sampler, Scene, Skeleton, TimelineBuilder, TimelineId, Topology, Transform, Vec3,
};
use gltf::animation::{Interpolation as Kind, Property};

use crate::read::there_and_back;
use crate::scenes::{
    arm, assert_near, at, below, clip, keys, moved, moving, node, painted, part, quarter_turn,
    sheared, triangle, waving,
};
use crate::written::{folder, names, write, write_with};

#[test]
fn rest_poses_with_shear_are_two_nodes() {
    let written = write("sheared", &sheared([1.0, 0.0, 0.0]));
    insta::assert_snapshot!(written.pretty());
    assert!(written.losses.is_empty());
    let near = |node: &str, expected: [[f64; 3]; 4]| {
        let found = written.world(Some("t"), 1.0, node).map(|[x, y, z, _]| [x, y, z]);
        assert_near(&found, &expected);
    };
    // Hand-computed: M · T · R, where M is the shear and R maps x to y and y to -x.
    near("sheared", [[0.5, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, -2.0], [4.0, 0.0, 0.0]]);
    // Its child, S · R, maps x to 2 y, y to -x and z to 3 z. The parent then rotates and shears the
    // result.
    near("turned", [[-2.0, 0.0, 0.0], [-0.5, -1.0, 0.0], [0.0, 0.0, -6.0], [3.0, 0.0, 0.0]]);
    // T · S: the translation by (1, 1, 1) becomes (1, 2, 3).
    near("pushed", [[1.0, 2.0, 0.0], [-4.0, 0.0, 0.0], [0.0, 0.0, -12.0], [1.5, 1.0, -6.0]]);
    assert!(written.document.nodes().all(|node| node.name() != Some("pushed.rest")));
}

#[test]
fn clips_relative_to_the_parent_on_a_sheared_joint() {
    let mut scene = sheared([1.0, 0.0, 0.0]);
    let mut builder = TimelineBuilder::new("p");
    let value = [1.0, 2.0, 3.0];
    keys(&mut builder, 0, Translation, Cubic, &[0.0, 1.0], &[value; 6].concat());
    keys(&mut builder, 1, Scale, Step, &[0.5], &value);
    scene.timelines.push(builder.finish());
    scene.clips.push(Clip { timeline: TimelineId::new(1), ..clip("p", 0.0, 1.0) });
    let written = write("sheared-both", &scene);
    let joints = &scene.skeletons[0].joints;
    let upper = Transform { translation: Vec3::from(value), ..joints[0].rest }.to_matrix();
    let lower = upper * Transform { scale: Vec3::from(value), ..joints[1].rest }.to_matrix();
    for (node, expected) in [("sheared", upper), ("turned", lower)] {
        let found = written.world(Some("p"), 0.0, node);
        let expected = expected.columns.map(|column| column.map(f64::from));
        let mut numbers = found.as_flattened().iter().zip(expected.as_flattened());
        assert!(numbers.all(|(a, b)| (a - b).abs() < 1e-6), "{node}: {found:?}");
    }
    // The other clip is unchanged.
    assert!((written.world(Some("t"), 1.0, "sheared")[0][0] - 0.5).abs() < 1e-6);
}

fn assert_values_near(found: &[f32], expected: &[f32]) {
    assert_eq!(found.len(), expected.len());
    assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{found:?}");
}

#[test]
fn keys_before_the_rest_pose_are_converted() {
    let mut skeleton = arm();
    skeleton.joints[1].rest = Transform {
        rotation: quarter_turn(),
        scale: Vec3::new(2.0, 2.0, 2.0),
        ..moved(5.0, 0.0, 0.0)
    };
    let mut builder = TimelineBuilder::new("t").with_pose_space(PoseSpace::DeltaFromRest);
    // For each key, the in-tangent, the value and the out-tangent.
    let moves = [[1., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.], [2., 0., 0.], [0.; 3]];
    keys(&mut builder, 1, Translation, Cubic, &[0.0, 1.0], moves.as_flattened());
    // About z: the last two components of each quaternion.
    let about_z = |turns: [[f32; 2]; 6]| turns.map(|[z, w]| [0.0, 0.0, z, w]).concat();
    let turns = about_z([[0.5, 0.], [0., 1.], [0.; 2], [0.; 2], [1., 0.], [0., 0.25]]);
    keys(&mut builder, 1, Rotation, Cubic, &[0.0, 1.0], &turns);
    keys(&mut builder, 1, Scale, Step, &[0.0, 1.0], &[1., 2., 3., 4., 5., 6.]);
    let written = write("deltas", &moving(skeleton, builder, vec![clip("t", 0.0, 1.0)]));
    let (times, values, kind) = written.channel("t", "elbow", Property::Translation);
    assert_eq!((times, kind), (vec![0.0, 1.0], Kind::CubicSpline));
    let expected = [[0., 2., 0.], [5., 2., 0.], [-2., 0., 0.], [0., 0., 2.], [5., 4., 0.], [0.; 3]];
    assert_values_near(&values, expected.as_flattened());
    let (_, values, _) = written.channel("t", "elbow", Property::Rotation);
    let h = std::f32::consts::FRAC_1_SQRT_2;
    // The source quaternions, multiplied by a rotation of 90° about z. Tangents keep their length.
    let quarter = h / 4.0;
    let expected =
        about_z([[h / 2., -h / 2.], [h, h], [0.; 2], [0.; 2], [h, -h], [quarter, quarter]]);
    assert_values_near(&values, &expected);
    assert_eq!(written.channel("t", "elbow", Property::Scale).1, [2., 4., 6., 8., 10., 12.]);
    let inputs: BTreeSet<usize> =
        written.animation("t").samplers().map(|sampler| sampler.input().index()).collect();
    assert_eq!(inputs.len(), 1, "equal times share an accessor");
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
        skeleton.joints.push(Joint { rest, ..Joint::new(name, parent.map(JointId::new)) });
    }
    skeleton.joints[3].rest.scale = Vec3::new(0.0, 1.0, 1.0);
    let scene = Scene {
        skeletons: vec![skeleton, Skeleton::new("empty"), arm()],
        nodes: vec![Node { name: "bones".into(), parent: at(0, 2), ..Node::default() }],
        ..Scene::default()
    };
    let written = write("bones", &scene);
    insta::assert_snapshot!(written.pretty());
    let skin = written.document.skins().next().unwrap();
    let reader = skin.reader(|_| Some(&written.bin));
    let bind: Vec<_> = reader.read_inverse_bind_matrices().unwrap().collect();
    assert_eq!(bind[2][3], [-1.0, -3.0, -3.0, 1.0]);
    // The matrix of a joint with a scale of 0 has no inverse.
    assert_eq!(bind[3], Mat4::IDENTITY.columns);
    // The scene's own node keeps its name, and the armature gets another name.
    assert_eq!(written.node("bones").children().count(), 0);
    let roots = written.document.default_scene().unwrap().nodes();
    assert_eq!(names(roots, |item| item.name()), ["bones.001", "arm"]);
}

#[test]
fn a_chain_of_a_million_joints() {
    let count = 1_000_000;
    let mut skeleton = Skeleton::new("chain");
    let parents = (0..count).map(|i: usize| i.checked_sub(1).map(JointId::new));
    let rest = moved(0.0, 0.001, 0.0);
    skeleton.joints = parents.map(|parent| Joint { rest, ..Joint::new("link", parent) }).collect();
    let scene = Scene { skeletons: vec![skeleton], ..Scene::default() };
    let glb = from_ir(&scene, &FromIr::default()).unwrap();
    assert!(glb.losses.is_empty() && glb.value.len() > 64 * count);
}

fn blinking_scene() -> Scene {
    let mut skeleton = Skeleton::nodes("stage");
    skeleton.joints.push(Joint { rest: moved(1.0, 0.0, 0.0), ..Joint::new("door", None) });
    skeleton.joints.push(Joint { visible: false, ..below(0, "ghost") });
    let mut builder = TimelineBuilder::new("night");
    keys(&mut builder, 1, Visibility, Step, &[0.0, 1.0, 2.0], &[0.0, 1.0, 0.0]);
    builder.constant(JointId::new(0).into(), Visibility, &[1.0]).unwrap();
    let unlit = Material { unlit: true, ..Material::new("glow") };
    let glowing = painted(0, part(Topology::Triangles, &[0, 1, 2]));
    Scene {
        meshes: vec![Mesh { primitives: vec![glowing], ..triangle("sheet") }],
        materials: vec![unlit],
        nodes: vec![Node { parent: at(0, 1), ..node("sheet", 0, None) }],
        ..moving(skeleton, builder, vec![])
    }
}

/// Nodes of a scene graph are not bones, and hidden nodes have a scale of 0.
#[test]
fn nodes_are_shown_and_hidden_by_scale() {
    let written = write("nodes_that_come_and_go", &blinking_scene());
    assert!(written.codes().is_empty());
    let document = &written.document;
    assert_eq!((document.skins().count(), document.materials().next().unwrap().unlit()), (0, true));
    let names = names(document.nodes(), |item| item.name());
    assert_eq!(names, ["door.visibility", "door", "ghost.visibility", "ghost", "sheet"]);
    let scales = document.nodes().map(|node| node.transform().decomposed().2);
    assert!(scales.eq([[1.0; 3], [1.0; 3], [0.0; 3], [1.0; 3], [1.0; 3]]));
    let animation = document.animations().next().unwrap();
    let channels = animation.channels().map(|channel| {
        let sampler = channel.sampler();
        (channel.target().node().index(), sampler.interpolation(), sampler.output().count())
    });
    assert!(channels.eq([(2, Kind::Step, 3), (0, Kind::Step, 1)]));
}

/// The joint is hidden, then shown, then hidden again.
#[test]
fn a_clip_between_two_keys_of_visibility_has_the_first() {
    for (start, is_seen) in [(0.25, false), (1.25, true)] {
        let mut scene = blinking_scene();
        scene.clips = vec![clip("night", start, start + 0.5)];
        let back = there_and_back(&scene, &FromIr::default()).value;
        let (timeline, skeleton) = back.motion_of(&back.clips[0]).unwrap();
        let mut pose = Pose::default();
        Sampler::new(skeleton, timeline).sample(0.25, &mut pose);
        assert_eq!(pose.visible[1], is_seen, "{start}");
    }
}

/// With the extension, no nodes are added, and flags are stored as single bytes. The independent
/// readers do not support the extension, so this checks the JSON.
#[test]
fn nodes_are_shown_and_hidden_by_extension() {
    let options = FromIr::default().with_node_visibility(true);
    let glb = from_ir(&blinking_scene(), &options).unwrap().value;
    std::fs::write(folder().join("node_visibility.glb"), &glb).unwrap();
    let parsed = gltf::Glb::from_slice(&glb).unwrap();
    let json: serde_json::Value = serde_json::from_slice(&parsed.json).unwrap();
    assert_eq!(
        json["extensionsUsed"],
        serde_json::json!(["KHR_materials_unlit", "KHR_node_visibility", "KHR_animation_pointer"])
    );
    let visible = [0, 1, 2].map(|node: usize| {
        json["nodes"][node]["extensions"]["KHR_node_visibility"]["visible"].as_bool()
    });
    assert_eq!(json["nodes"].as_array().map(Vec::len), Some(3));
    assert_eq!(visible, [Some(true), Some(false), None]);
    let animation = &json["animations"][0];
    let target = &animation["channels"][0]["target"];
    assert_eq!((target["path"].as_str(), target.get("node")), (Some("pointer"), None));
    assert_eq!(
        target["extensions"]["KHR_animation_pointer"]["pointer"],
        "/nodes/1/extensions/KHR_node_visibility/visible"
    );
    let number = |value: &serde_json::Value| value.as_u64().unwrap() as usize;
    let accessor = &json["accessors"][number(&animation["samplers"][0]["output"])];
    let view = &accessor["bufferView"];
    let expected = serde_json::json!({
        "bufferView": view, "componentType": 5121, "count": 3, "type": "SCALAR",
    });
    assert_eq!(accessor, &expected);
    let start = number(&json["bufferViews"][number(view)]["byteOffset"]);
    assert_eq!(parsed.bin.unwrap()[start..start + 3], [0, 1, 0]);
}

#[test]
fn z_up_is_converted_to_y_up() {
    let mut scene = waving();
    scene.skeletons[0].joints[1].rest = moved(1.0, 2.0, 3.0);
    let written = write_with("z-up", &scene, &FromIr::default().with_up(Up::Z));
    let [.., [x, y, z, _]] = written.world(None, 0.0, "elbow");
    assert_near(&[[x, y, z]], &[[1.0, 3.0, -2.0]]);
}

/// The keys of a joint without an armature are rotated like its rest pose.
#[test]
fn z_up_applies_to_animated_roots() {
    let mut builder = TimelineBuilder::new("");
    let x = Vec3::new(1.0, 0.0, 0.0);
    let turned = Quat::from_axis_angle(x, 0.5).to_array();
    let still = Quat::IDENTITY.to_array();
    let moves = [0.0, 0.0, 0.0, 1.0, 2.0, 3.0];
    keys(&mut builder, 0, Translation, Linear, &[0.0, 1.0], &moves);
    keys(&mut builder, 0, Rotation, Linear, &[0.0, 1.0], &[still, turned].concat());
    let mut skeleton = Skeleton::nodes("rig");
    skeleton.joints = vec![Joint::new("cart", None), Joint::new("load", Some(JointId::new(0)))];
    skeleton.joints[1].rest = moved(0.0, 0.0, 1.0);
    let scene = moving(skeleton, builder, vec![clip("roll", 0.0, 1.0)]);
    let plain = write_with("z-up-nodes-plain", &scene, &FromIr::default());
    let written = write_with("z-up-nodes", &scene, &FromIr::default().with_up(Up::Z));
    for time in [0.0, 0.5, 1.0] {
        for joint in ["cart", "load"] {
            let [[.., [x, y, z, _]], [.., found]] =
                [&plain, &written].map(|model| model.world(Some("roll"), time, joint));
            assert_near(&[[found[0], found[1], found[2]]], &[[x, z, -y]]);
        }
    }
}

/// The camera looks at the first triangle of the scene.
#[test]
fn a_camera_in_a_y_down_scene() {
    let mut skeleton = Skeleton::nodes("rig");
    skeleton.joints.push(Joint { rest: moved(1.0, 2.0, -3.0), ..Joint::new("camera", None) });
    let lens = Camera { aspect: Some(1.5), far: Some(100.0), ..Camera::new("lens", 0.75) };
    let scene = Scene {
        axes: Axes::YDown,
        skeletons: vec![skeleton],
        meshes: vec![triangle("sheet")],
        nodes: vec![
            node("sheet", 0, None),
            Node { parent: at(0, 0), camera: Some(CameraId::new(0)), ..Node::default() },
        ],
        cameras: vec![lens, Camera { far: Some(0.0), ..Camera::new("broken", 0.0) }],
        ..Scene::default()
    };
    let written = write("camera", &scene);
    assert_eq!(written.codes(), [("gltf-camera", 1)]);
    let cameras = written.document.cameras().map(|camera| match camera.projection() {
        gltf::camera::Projection::Perspective(p) => {
            (p.yfov(), p.aspect_ratio(), p.znear(), p.zfar())
        }
        gltf::camera::Projection::Orthographic(_) => panic!("perspective"),
    });
    assert!(cameras.eq([(0.75, Some(1.5), 0.1, Some(100.0)), (1e-4, None, 0.1, None)]));
    assert_eq!(written.node("camera").transform().decomposed().0, [1.0, -2.0, 3.0]);
    assert_eq!(written.node("camera").camera().unwrap().name(), Some("lens"));
    assert_eq!(written.part("sheet").bounding_box().min, [0.0, -2.0, 0.0]);
}
