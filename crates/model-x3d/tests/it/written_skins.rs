//! Skins as X3D: which become humanoids, which are sampled, and what hides them.

use anim_ir::{
    Channel, Clip, Influences, Interpolation, Joint, JointRef, Mat4, Mesh, MorphTarget, Node,
    NodeId, Primitive, Quat, Scene, Skeleton, Skin, Target, TimelineBuilder, Topology, Transform,
    Vec3,
};
use model_x3d::{Encoding, FromIr, from_ir};

use crate::frames::{assert_near, seen_at};
use crate::written::{read, triangle, write};

/// A triangle whose last point follows a joint that makes a quarter turn about its parent, the hip.
/// Both joints and the triangle's own one are hidden for a time.
fn leg(hidden: &[usize]) -> Scene {
    let mut skeleton = Skeleton::new("body");
    let hip = skeleton.add_joint(Joint::new("hip", None));
    let knee = skeleton.add_joint(Joint::new("knee", Some(hip)));
    let foot = skeleton.add_joint(Joint::new("foot", Some(knee)));
    let joints = [hip, knee, foot];
    let mut builder = TimelineBuilder::new("");
    let turn = Quat::from_axis_angle(Vec3::new(0.0, 0.0, 1.0), std::f64::consts::FRAC_PI_2);
    let turns = [[0.0, 0.0, 0.0, 1.0], turn.to_array()].concat();
    builder
        .keys(knee.into(), Channel::Rotation, Interpolation::Linear, &[0.0, 1.0], &turns)
        .unwrap();
    for joint in hidden.iter().map(|at| joints[*at]) {
        // Each joint is hidden for a second: the hip from 1 s, the knee from 2 s.
        let from = 1.0 + joint.index() as f32;
        let (times, values) = ([0.0, from, from + 1.0], [1.0, 0.0, 1.0]);
        let step = Interpolation::Step;
        builder.keys(joint.into(), Channel::Visibility, step, &times, &values).unwrap();
    }
    let mut scene = Scene::default();
    let skeleton = scene.add_skeleton(skeleton);
    let timeline = scene.add_timeline(builder.finish());
    scene.add_clip(Clip { name: "kick".into(), timeline, end: 5.0, ..Clip::default() });
    let influences =
        Influences { per_vertex: 1, joints: vec![0, 0, 1], weights: vec![1.0, 1.0, 1.0] };
    let mesh = scene.add_mesh(Mesh { influences, ..triangle() });
    let skin = scene.add_skin(Skin {
        skeleton,
        joints: vec![hip, knee],
        inverse_bind: vec![Mat4::IDENTITY; 2],
    });
    let parent = Some(JointRef { skeleton, joint: knee });
    scene.add_node(Node { mesh: Some(mesh), skin: Some(skin), parent, ..Node::default() });
    scene
}

/// Asserts that the same vertices are visible in both scenes at all times, to within `near`.
#[track_caller]
fn assert_same(before: &Scene, after: &Scene) {
    for time in [0.0, 0.5, 0.999, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5] {
        let expected: Vec<[f32; 3]> =
            seen_at(before, 0, time).iter().map(|point| point.to_array()).collect();
        assert_near(&seen_at(after, 0, time), &expected);
    }
}

/// Writes a scene whose skins are sampled, and returns why.
fn why_sampled(scene: &Scene) -> Vec<String> {
    let losses = from_ir(scene, &FromIr::default()).unwrap().losses;
    let skins = losses.iter().filter(|loss| loss.code.id == "x3d-loss-skin");
    skins.map(|loss| loss.message.clone()).collect()
}

#[test]
fn joints_hide_the_shapes_of_a_humanoid() {
    let scene = leg(&[0, 1]);
    let (text, codes) = write(&scene, &FromIr::default(), Encoding::Xml);
    assert!(codes.is_empty() && text.contains("<HAnimHumanoid "), "{codes:?}\n{text}");
    let after = read(&text);
    let shown = [0.0, 1.5, 2.5, 3.5].map(|time| !seen_at(&after, 0, time).is_empty());
    assert_eq!(shown, [true, false, false, true]);
    assert_same(&scene, &after);
}

#[test]
fn joints_hide_what_the_joints_of_a_humanoid_carry() {
    let mut scene = leg(&[1, 2]);
    let mesh = scene.add_mesh(Mesh { name: "shoe".into(), ..triangle() });
    let skeleton = scene.nodes[0].parent.unwrap().skeleton;
    let parent = Some(JointRef { skeleton, joint: anim_ir::JointId::new(2) });
    scene.add_node(Node { mesh: Some(mesh), parent, ..Node::default() });
    let (text, codes) = write(&scene, &FromIr::default(), Encoding::Xml);
    assert!(codes.is_empty() && text.contains("<HAnimSegment"), "{codes:?}\n{text}");
    let counts = [0.0, 1.5, 2.5, 3.5, 4.5].map(|time| seen_at(&read(&text), 0, time).len());
    // The knee hides both, from 2 s on, and the foot only what it carries, from 3 s on.
    assert_eq!(counts, [6, 6, 0, 3, 6]);
}

/// A joint that no clip shows keeps what it hides.
#[test]
fn joints_that_are_always_hidden_are_read_again() {
    for (joint, options) in [
        (0, FromIr::default()),
        (1, FromIr::default()),
        (1, FromIr::default().with_coordinates(true)),
    ] {
        let mut scene = leg(&[]);
        scene.skeletons[0].joints[joint].visible = false;
        let (text, _) = write(&scene, &options, Encoding::Xml);
        let after = read(&text);
        assert_eq!((after.nodes.len(), after.meshes.len()), (1, 1), "{text}");
        assert_eq!(seen_at(&after, 0, 0.5), [], "{text}");
    }
    let mut scene = leg(&[]);
    scene.nodes[0].skin = None;
    scene.skeletons[0].joints[0].visible = false;
    let (text, _) = write(&scene, &FromIr::default(), Encoding::Classic);
    let after = read(&text);
    assert_eq!((after.nodes.len(), seen_at(&after, 0, 0.5).len()), (1, 0), "{text}");
    let hidden = |scene: &Scene| -> Vec<bool> {
        scene.skeletons[0].joints.iter().map(|joint| !joint.visible).collect()
    };
    assert_eq!(hidden(&after), hidden(&scene), "no joint is added");
}

#[test]
fn joints_hide_sampled_skins() {
    let scene = leg(&[0, 1]);
    let options = FromIr::default().with_coordinates(true).with_frames_per_second(Some(1000.0));
    let (text, codes) = write(&scene, &options, Encoding::Xml);
    assert_eq!(codes, ["ir-resampled", "x3d-loss-skin"]);
    assert!(!text.contains("HAnim"), "{text}");
    let after = read(&text);
    let shown = [0.0, 1.5, 2.5, 3.5].map(|time| !seen_at(&after, 0, time).is_empty());
    assert_eq!(shown, [true, false, false, true]);
}

#[test]
fn a_mesh_without_weights_stays_where_it_is() {
    let mut scene = leg(&[]);
    scene.meshes[0].influences = Influences::default();
    let (text, codes) = write(&scene, &FromIr::default(), Encoding::Xml);
    assert!(codes.is_empty() && !text.contains("HAnim"), "{codes:?}");
    assert_same(&scene, &read(&text));
}

#[test]
fn skins_are_sampled_for_a_reason() {
    let mut morphed = leg(&[]);
    morphed.meshes[0].morph_targets = vec![MorphTarget {
        positions: vec![Vec3::new(0.0, 0.0, 2.0); 3],
        ..MorphTarget::default()
    }];
    morphed.meshes[0].morph_weights = vec![0.0];
    let mut builder = TimelineBuilder::new("");
    let (target, weights) = (Target::Node(NodeId::new(0)), Channel::MorphWeights);
    builder.keys(target, weights, Interpolation::Linear, &[0.0, 5.0], &[0.0, 1.0]).unwrap();
    morphed.timelines[0] = builder.finish();
    let mut heavy = leg(&[]);
    heavy.meshes[0].influences.weights[2] = 0.5;
    let mut twice = leg(&[]);
    let knee = twice.skins[0].joints[1];
    let moved =
        [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 3.0, 1.0]];
    twice.skins[0].joints.push(knee);
    twice.skins[0].inverse_bind.push(Mat4::from_columns(moved.concat().try_into().unwrap()));
    let mut flat = leg(&[]);
    let scale = [1.0, 0.0, 1.0, 1.0];
    let columns = (0..16).map(|at| if at % 5 == 0 { scale[at / 5] } else { 0.0 });
    flat.skins[0].inverse_bind[1] =
        Mat4::from_columns(columns.collect::<Vec<f32>>().try_into().unwrap());
    for (scene, why) in [
        (morphed, "`sail`: it is morphed and skinned"),
        (heavy, "`sail`: the weights of some vertices do not add up to 1"),
        (twice, "`sail`: a joint is bound twice, or with a matrix that has no inverse"),
        (flat, "`sail`: a joint is bound twice, or with a matrix that has no inverse"),
    ] {
        assert_eq!(why_sampled(&scene), [why]);
        let options = FromIr::default().with_frames_per_second(Some(1000.0));
        let (text, _) = write(&scene, &options, Encoding::Xml);
        assert!(!text.contains("HAnim"), "{text}");
        let after = read(&text);
        for time in [0.0, 0.5, 1.0, 2.0, 5.0] {
            let expected: Vec<_> =
                seen_at(&scene, 0, time).iter().map(|point| point.to_array()).collect();
            let found = seen_at(&after, 0, time);
            assert_eq!(found.len(), expected.len());
            for (a, b) in found.iter().zip(&expected) {
                let far = a.to_array().iter().zip(b).any(|(a, b)| (a - b).abs() > 2e-3);
                assert!(!far, "{why}: {a:?} is {b:?} at {time}");
            }
        }
    }
}

/// Points have coordinates of their own, since a `PointSet` has no indices.
#[test]
fn points_follow_joints_beside_triangles() {
    for with_triangle in [true, false] {
        let mut scene = leg(&[]);
        let points =
            Primitive { topology: Topology::Points, indices: vec![2, 0], ..Primitive::default() };
        scene.meshes[0].primitives.push(points);
        if !with_triangle {
            scene.meshes[0].primitives.remove(0);
        }
        assert_eq!(why_sampled(&scene), ["`sail`: it has points"]);
        let (text, _) = write(&scene, &FromIr::default(), Encoding::Xml);
        let after = read(&text);
        let topologies: Vec<Topology> = after
            .meshes
            .iter()
            .flat_map(|mesh| mesh.primitives.iter().map(|part| part.topology))
            .collect();
        let mut expected = vec![Topology::Triangles, Topology::Points];
        expected.drain(..usize::from(!with_triangle));
        assert_eq!(topologies, expected);
        // The turned point is at (-1, 0, 0).
        let ends: Vec<[f32; 3]> = seen_at(&after, 0, 1.0).iter().map(|it| it.to_array()).collect();
        let points = &ends[ends.len() - 2..];
        assert_near(&seen_at(&after, 0, 1.0)[ends.len() - 2..], &[[-1.0, 0.0, 0.0], [0.0; 3]]);
        assert_eq!((ends.len(), points.len()), (if with_triangle { 5 } else { 2 }, 2));
    }
}

/// A jump needs keys on both sides of it.
#[test]
fn a_sampled_skin_jumps_where_its_joints_do() {
    let mut scene = leg(&[]);
    let mut builder = TimelineBuilder::new("");
    let knee = scene.skins[0].joints[1];
    let moves = [0.0, 0.0, 0.0, 0.0, 0.0, 4.0];
    let step = Interpolation::Step;
    builder.keys(knee.into(), Channel::Translation, step, &[0.0, 2.0], &moves).unwrap();
    scene.timelines[0] = builder.finish();
    let options = FromIr::default().with_coordinates(true);
    let after = read(&write(&scene, &options, Encoding::Xml).0);
    let z = |time| seen_at(&after, 0, time)[2].z;
    assert_eq!([0.0, 1.0, 1.99, 2.0, 3.0].map(z), [0.0, 0.0, 0.0, 4.0, 4.0]);
}

/// Meshes whose bind matrices contradict cannot be in one humanoid.
#[test]
fn meshes_with_contradicting_binds_have_humanoids_of_their_own() {
    let mut scene = leg(&[]);
    let moved = Transform { translation: Vec3::new(0.0, -2.0, 0.0), ..Transform::IDENTITY };
    let mut skin = scene.skins[0].clone();
    skin.inverse_bind[1] = moved.to_matrix();
    let skin = scene.add_skin(skin);
    let mut node = scene.nodes[0].clone();
    node.skin = Some(skin);
    scene.add_node(node);
    let (text, codes) = write(&scene, &FromIr::default(), Encoding::Xml);
    // Both have joints of the same names.
    assert_eq!(codes, ["x3d-loss-name"]);
    assert_eq!(text.matches("<HAnimHumanoid ").count(), 2);
    assert_same(&scene, &read(&text));
}

/// Weights may be in a timeline of another skeleton than that of the skin.
#[test]
fn weights_of_a_skin_beside_the_motion_of_another_skeleton() {
    let mut scene = leg(&[]);
    let positions = vec![Vec3::ZERO, Vec3::ZERO, Vec3::new(0.0, 3.0, 0.0)];
    scene.meshes[0].morph_targets = vec![MorphTarget { positions, ..MorphTarget::default() }];
    scene.meshes[0].morph_weights = vec![0.0];
    let mut prop = Skeleton::new("prop");
    let ball = prop.add_joint(Joint::new("ball", None));
    let prop = scene.add_skeleton(prop);
    let mut builder = TimelineBuilder::new("");
    let (target, linear) = (Target::Node(NodeId::new(0)), Interpolation::Linear);
    builder.keys(target, Channel::MorphWeights, linear, &[0.0, 1.0], &[0.0, 1.0]).unwrap();
    let moves = [0.0, 0.0, 0.0, 2.0, 0.0, 0.0];
    builder.keys(ball.into(), Channel::Translation, linear, &[0.0, 1.0], &moves).unwrap();
    let mut timeline = builder.finish();
    timeline.skeleton = prop;
    let timeline = scene.add_timeline(timeline);
    scene.clips[0] = Clip { name: "talk".into(), timeline, end: 1.0, ..Clip::default() };
    let (text, _) = write(&scene, &FromIr::default(), Encoding::Xml);
    let after = read(&text);
    for (time, y) in [(0.0, 1.0), (0.5, 2.5), (1.0, 4.0)] {
        let points = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, y, 0.0]];
        assert_near(&seen_at(&after, 0, time), &points);
    }
}
