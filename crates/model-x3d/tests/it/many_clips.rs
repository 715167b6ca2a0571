//! Scenes in which each clip moves something of its own, written as X3D.

use std::collections::BTreeSet;

use anim_ir::{
    Channel, Clip, Interpolation, Joint, JointId, JointRef, Node, Pose, Sampler, Scene, Skeleton,
    TimelineBuilder, Transform, Vec3, Wrap,
};
use model_x3d::{Encoding, FromIr};

use crate::written::{read, triangle, write};

/// Returns a scene of triangles in a row, with a clip for each that lifts it by 2 in a second, or
/// hides every third. Every fifth clip names the first ten joints and the one that it moves.
fn row(count: usize) -> Scene {
    let mut scene = Scene::default();
    let mut skeleton = Skeleton::new("row");
    for number in 0..count {
        let translation = Vec3::new(number as f32, 0.0, 0.0);
        let rest = Transform { translation, ..Transform::IDENTITY };
        skeleton.add_joint(Joint { rest, ..Joint::new(format!("j{number}"), None) });
    }
    let skeleton = scene.add_skeleton(skeleton);
    let mesh = scene.add_mesh(triangle());
    for number in 0..count {
        let joint = JointId::new(number);
        let parent = Some(JointRef { skeleton, joint });
        scene.add_node(Node { parent, mesh: Some(mesh), ..Node::default() });
        let mut builder = TimelineBuilder::new("").with_skeleton(skeleton);

        if number % 3 == 0 {
            let (channel, step) = (Channel::Visibility, Interpolation::Step);
            builder.keys(joint.into(), channel, step, &[0.0, 0.5], &[1.0, 0.0]).unwrap();
        } else {
            let (channel, linear) = (Channel::Translation, Interpolation::Linear);
            let lift = [number as f32, 0.0, 0.0, number as f32, 2.0, 0.0];
            builder.keys(joint.into(), channel, linear, &[0.0, 1.0], &lift).unwrap();
        }
        let timeline = scene.add_timeline(builder.finish());
        let named = (0..10).chain([number]).map(JointId::new).collect::<BTreeSet<JointId>>();
        let joints = (number % 5 == 0).then_some(named);
        let (name, wrap) = (format!("c{number}"), Wrap::Loop);
        scene.add_clip(Clip { name, timeline, end: 1.0, wrap, joints, ..Clip::default() });
    }
    scene
}

#[test]
fn each_clip_leaves_all_else_at_rest() {
    let count = 150;
    let scene = row(count);
    let (text, _) = write(&scene, &FromIr::default(), Encoding::Xml);
    let after = read(&text);
    assert_eq!(after.clips.len(), count);
    for (number, clip) in after.clips.iter().enumerate() {
        let (timeline, skeleton) = after.motion_of(clip).unwrap();
        // What has no track would stay as another clip left it.
        let named = (0..10).chain([number]).collect::<BTreeSet<usize>>().len();
        let expected = if number % 5 == 0 { named } else { count };
        assert_eq!(timeline.tracks().len(), expected, "{}", clip.name);
        let mut pose = Pose::default();
        Sampler::for_clip(skeleton, timeline, clip).sample(0.75, &mut pose);
        let mut matrices = Vec::new();
        pose.model_matrices(skeleton, &mut matrices);
        let shown = pose.effective_visibility(skeleton);
        for (other, node) in after.nodes.iter().enumerate() {
            let at = node.parent.unwrap().joint.index();
            let moves = other == number;
            let lift = if moves && other % 3 != 0 { 1.5 } else { 0.0 };
            let place = matrices[at].transform_point(Vec3::ZERO);
            assert!((place - Vec3::new(other as f32, lift, 0.0)).length() < 1e-5, "{place:?}");
            assert_eq!(shown[at], !(moves && other % 3 == 0), "{other} in {}", clip.name);
        }
    }
}

/// n clips that each reset what the others move take n · log n routes. A few take no relays.
#[test]
fn resets_are_shared() {
    let text = |count: usize| write(&row(count), &FromIr::default(), Encoding::Xml).0;
    assert!(!text(8).contains("ScalarInterpolator") && text(17).contains("ScalarInterpolator"));
    let routes = |count: usize| text(count).matches("<ROUTE ").count();
    let few = routes(256);
    assert!(few < 256 * 32, "{few}");
    assert!(routes(2048) < few * 12);
}
