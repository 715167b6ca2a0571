//! Tests for retargeting the motion of one scene to the joints of another.

use anim_ir::Interpolation::Linear;
use anim_ir::{
    Channel, Clip, ClipId, Joint, JointId, JointRef, Motion, Node, Retargeted, Scene, Severity,
    Skeleton, SkeletonId, SkinId, State, StateMachine, Target, TimelineBuilder, TimelineId,
    Transform, Vec3, validate,
};

use crate::keys;

fn skeleton(bones: bool, names: &[&str]) -> Skeleton {
    let mut skeleton = if bones { Skeleton::new("rig") } else { Skeleton::nodes("") };
    skeleton.joints = names.iter().map(|name| Joint::new(*name, None)).collect();
    skeleton
}

/// Returns a scene with a clip that moves each joint along x by its index, and a state that plays
/// the clip.
fn motion(names: &[&str]) -> Scene {
    let mut builder = TimelineBuilder::new("wag");
    for joint in 0..names.len() {
        let key = [joint as f32, 0.0, 0.0];
        keys(&mut builder, JointId::new(joint), Channel::Translation, Linear, &[0.0], &key);
    }
    let clip = Clip {
        name: "wag".to_owned(),
        joints: Some((0..names.len()).map(JointId::new).collect()),
        ..Clip::default()
    };
    let state = State { name: "wagging".to_owned(), motion: Motion::Clip(ClipId::new(0)) };
    Scene {
        skeletons: vec![skeleton(false, names)],
        timelines: vec![builder.finish()],
        clips: vec![clip],
        machines: vec![StateMachine { states: vec![state], ..StateMachine::default() }],
        extras: [("stt".to_owned(), 1.0.into())].into(),
        ..Scene::default()
    }
}

/// Returns the name of the model's joint that each track moves, and the index of the joint in the
/// motion.
fn moved(model: &Scene) -> Vec<(&str, f32)> {
    let timeline = model.timelines.last().unwrap();
    let skeleton = model.skeleton(timeline.skeleton).unwrap();
    let of = |track: &anim_ir::Track| {
        let Target::Joint(joint) = track.target else { panic!("{track:?}") };
        let number = timeline.keys(track).values().next().unwrap()[0];
        (skeleton.joint(joint).unwrap().name.as_str(), number)
    };
    timeline.tracks().iter().map(of).collect()
}

fn assert_valid(scene: &Scene) {
    let problems = validate(scene);
    assert!(problems.iter().all(|problem| problem.severity() < Severity::Error), "{problems:?}");
}

#[test]
fn joints_are_found_by_name_in_the_skeleton_with_most_matches() {
    let own = Clip { name: "own".to_owned(), ..Clip::default() };
    let mut model = Scene {
        skeletons: vec![
            skeleton(true, &["tail", "x"]),
            skeleton(true, &["root", "ear", "tail", "ear"]),
        ],
        timelines: vec![TimelineBuilder::new("own").finish()],
        clips: vec![own.clone()],
        ..Scene::default()
    };
    let result = model.take_motion(motion(&["tail", "nose", "ear", "x", "root"]));
    let one = |name: &str| vec![name.to_owned()];
    let (missing, fixed, ambiguous) = (one("nose"), one("x"), one("ear"));
    assert_eq!(result, Retargeted { found: 3, missing, fixed, ambiguous });
    assert_eq!(moved(&model), [("tail", 0.0), ("ear", 2.0), ("root", 4.0)]);
    assert_eq!(
        (model.timelines[1].skeleton, model.clips[1].timeline, &model.clips[1].joints),
        (SkeletonId::new(1), TimelineId::new(1), &Some([0, 1, 2].map(JointId::new).into()))
    );
    assert_eq!(
        (&model.clips[0], &model.machines[0].states[0].motion, model.machines[0].skeleton),
        (&own, &Motion::Clip(ClipId::new(1)), SkeletonId::new(1))
    );
    assert!(model.extras.contains_key("stt"));
    assert_valid(&model);
}

#[test]
fn matching_nodes_become_joints() {
    let place = Transform { translation: Vec3::new(1.0, 2.0, 3.0), ..Transform::IDENTITY };
    let node = |name: &str, parent| Node {
        name: name.to_owned(),
        parent,
        transform: place,
        ..Node::default()
    };
    let mut model = Scene {
        skeletons: vec![skeleton(false, &["stand"])],
        nodes: vec![
            node("lamp", Some(JointRef::default())),
            node("shade", None),
            Node { skin: Some(SkinId::new(0)), ..node("skinned", None) },
        ],
        ..Scene::default()
    };
    let result = model.take_motion(motion(&["lamp", "shade", "skinned", "stand"]));
    assert_eq!((result.found, result.fixed), (3, vec!["skinned".to_owned()]));
    assert_eq!(moved(&model), [("lamp", 0.0), ("shade", 1.0), ("stand", 3.0)]);
    let joints = &model.skeletons[0].joints;
    let parents = [joints[1].parent, joints[2].parent];
    assert_eq!((parents, joints[1].rest), ([Some(JointId::new(0)), None], place));
    let lamp = JointRef { skeleton: SkeletonId::new(0), joint: JointId::new(1) };
    assert_eq!(model.nodes[0].parent, Some(lamp));
    assert_eq!([0, 2].map(|node| model.nodes[node].transform), [Transform::IDENTITY, place]);
}

#[test]
fn a_model_without_joints_gets_joints() {
    let mut model = Scene {
        nodes: vec![Node { name: "lamp".to_owned(), ..Node::default() }],
        ..Scene::default()
    };
    let result = model.take_motion(motion(&["lamp"]));
    assert_eq!((result.found, model.skeletons.len(), model.skeletons[0].bones), (1, 1, false));
    assert_valid(&model);
    let mut empty = Scene::default();
    assert_eq!(empty.take_motion(motion(&["lamp"])).missing, ["lamp"]);
    assert_valid(&empty);
}
