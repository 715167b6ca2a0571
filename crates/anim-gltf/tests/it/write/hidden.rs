//! Hidden joints that carry what a scale of 0 does not hide, or must not collapse.

use anim_gltf::{FromIr, from_ir};
use anim_ir::Channel::Visibility;
use anim_ir::Interpolation::Step;
use anim_ir::{Camera, CameraId, Joint, Node, Pose, Sampler, Scene, Skeleton, SkeletonId};
use anim_ir::{TimelineBuilder, TimelineId};

use crate::read::there_and_back;
use crate::scenes::{assert_near, at, clip, keys, moved, node, triangle, waving};
use crate::written::write;

/// Returns [`waving`] with a joint that is not a bone.
fn with_group(visible: bool) -> Scene {
    let mut scene = waving();
    let mut group = Skeleton::nodes("");
    let rest = moved(3.0, 0.0, 0.0);
    group.joints.push(Joint { visible, rest, ..Joint::new("group", None) });
    scene.skeletons.push(group);
    scene
}

/// The visibility of a bone only concerns what is attached to it, not the skin that it bends.
#[test]
fn hidden_bones_still_bend_skins() {
    let expected = write("", &waving()).drawn(None, 0.0, "sleeve");
    let mut scene = waving();
    scene.skeletons[0].joints[1].visible = false;
    let written = write("hidden_bone", &scene);
    assert_near(&written.drawn(None, 0.0, "sleeve"), &expected);
    assert!(written.losses.is_empty());
    let back = there_and_back(&scene, &FromIr::default()).value;
    assert_eq!(back.skeletons, scene.skeletons);
    // A scale of 0 hides what the bone carries, but also collapses the skin.
    scene.meshes.push(triangle("cuff"));
    scene.nodes.push(Node { parent: at(0, 1), ..node("cuff", 1, None) });
    assert_eq!(write("", &scene).codes(), [("gltf-visibility", 1)]);
}

#[test]
fn cameras_are_never_hidden() {
    let mut scene = with_group(false);
    scene.cameras.push(Camera::default());
    let camera = Some(CameraId::new(0));
    scene.nodes.push(Node { name: "eye".into(), parent: at(1, 0), camera, ..Node::default() });
    let written = write("hidden_camera", &scene);
    let [_, _, _, place] = written.world(None, 0.0, "group");
    assert_eq!(written.world(None, 0.0, "group")[0][0], 1.0);
    assert_eq!(place[..3], [3.0, 0.0, 0.0]);
    assert!(written.losses.is_empty());
}

/// A clip shows and hides a mesh whose joints are elsewhere.
#[test]
fn skinned_meshes_are_shown_and_hidden_in_clips() {
    let mut scene = with_group(true);
    scene.nodes[0].parent = at(1, 0);
    let mut builder = TimelineBuilder::new("blink").with_skeleton(SkeletonId::new(1));
    keys(&mut builder, 0, Visibility, Step, &[0.0, 1.0, 2.0], &[1.0, 0.0, 1.0]);
    scene.timelines.push(builder.finish());
    scene.clips.push(clip("blink", 0.0, 2.0));
    scene.clips[1].timeline = TimelineId::new(1);
    let written = write("hidden_skin", &scene);
    assert_eq!(written.codes(), [("gltf-visibility", 1)]);
    assert!(written.model.drawn_at(Some(1), 1.5)[0].shown);
    let options = FromIr::default().with_node_visibility(true);
    assert!(from_ir(&scene, &options).unwrap().losses.is_empty());
    let back = there_and_back(&scene, &options).value;
    let parent = back.nodes[0].parent.unwrap();
    assert_eq!(back.joint(parent).unwrap().name, "group");
    let clip = back.clips.iter().find(|clip| clip.name == "blink").unwrap();
    let (timeline, skeleton) = back.motion_of(clip).unwrap();
    let seen = [0.5, 1.5, 2.0].map(|time| {
        let mut pose = Pose::default();
        Sampler::new(skeleton, timeline).sample(time, &mut pose);
        pose.visible[parent.joint.index()]
    });
    assert_eq!(seen, [true, false, true]);
}

/// If all joints of a skin are below the hidden joint, a scale of 0 hides its meshes.
#[test]
fn a_scale_hides_skins_whose_joints_it_collapses() {
    let mut scene = waving();
    scene.nodes[0].parent = at(0, 0);
    scene.skeletons[0].joints[0].visible = false;
    let written = write("", &scene);
    assert!(written.losses.is_empty());
    assert!(!written.model.drawn_at(None, 0.0)[0].shown);
    assert!(
        written.json.get("extensionsUsed").is_none_or(|used| {
            !used.as_array().unwrap().contains(&"KHR_node_visibility".into())
        })
    );
    let back = there_and_back(&scene, &FromIr::default()).value;
    assert_eq!(back.skeletons, scene.skeletons);
}
