//! Tests for merging the clips of scenes with the same skeleton.

use std::collections::BTreeSet;

use anim_ir::Interpolation::{Cubic, Linear};
use anim_ir::diff::{Options, diff};
use anim_ir::{
    Axes, Channel, Clip, ClipId, Event, Joint, JointId, JointRef, Mat4, MergeError, Mesh, MeshId,
    Mismatch, MorphTarget, Motion, Node, NodeId, Player, Pose, Primitive, Scene, Severity,
    Skeleton, Skin, SkinId, State, StateMachine, Target, TimelineBuilder, Topology, Transform,
    Value, Vec3, merge, validate,
};

use crate::keys;

const HIP: JointId = JointId::new(0);
const KNEE: JointId = JointId::new(1);

fn at(x: f32) -> Transform {
    Transform { translation: Vec3::new(x, 0.0, 0.0), ..Transform::IDENTITY }
}

/// Returns a leg whose knee moves to `x` in one clip, with an event.
fn take(clip: &str, x: f32) -> Scene {
    let mut builder = TimelineBuilder::new("");
    keys(
        &mut builder,
        KNEE,
        Channel::Translation,
        Linear,
        &[0.0, 1.0],
        &[10.0, 0.0, 0.0, x, 0.0, 0.0],
    );
    builder.event(Event { time: 0.5, name: format!("step {x}"), ..Event::default() });
    let knee = Joint { rest: at(10.0), ..Joint::new("knee", Some(HIP)) };
    Scene {
        skeletons: vec![Skeleton {
            joints: vec![Joint::new("hip", None), knee],
            ..Skeleton::default()
        }],
        timelines: vec![builder.finish()],
        clips: vec![Clip {
            name: clip.into(),
            end: 1.0,
            joints: Some(BTreeSet::from([KNEE])),
            ..Clip::default()
        }],
        ..Scene::default()
    }
}

/// Adds a mesh with a morph target that is skinned to the knee.
fn dressed(mut scene: Scene) -> Scene {
    let target = MorphTarget { positions: vec![Vec3::ZERO], ..MorphTarget::default() };
    scene.meshes.push(Mesh {
        positions: vec![Vec3::new(1.0, 2.0, 3.0)],
        morph_targets: vec![target],
        primitives: vec![Primitive {
            topology: Topology::Points,
            indices: vec![0],
            ..Primitive::default()
        }],
        ..Mesh::default()
    });
    scene.skins.push(Skin {
        joints: vec![KNEE],
        inverse_bind: vec![Mat4::IDENTITY],
        ..Skin::default()
    });
    scene.nodes.push(Node {
        name: "sock".into(),
        parent: Some(JointRef { joint: KNEE, ..JointRef::default() }),
        mesh: Some(MeshId::new(0)),
        skin: Some(SkinId::new(0)),
        ..Node::default()
    });
    scene
}

/// Stores the knee before the hip, which a file may do if both are roots.
fn reordered(mut scene: Scene) -> Scene {
    let joints = &mut scene.skeletons[0].joints;
    joints.swap(0, 1);
    joints.iter_mut().for_each(|joint| joint.parent = None);
    for clip in &mut scene.clips {
        clip.joints = Some(BTreeSet::from([HIP]));
    }
    let mut builder = TimelineBuilder::new("");
    keys(&mut builder, HIP, Channel::Translation, Linear, &[0.0], &[7.0, 0.0, 0.0]);
    scene.timelines = vec![builder.finish()];
    scene
}

fn merged(inputs: Vec<(&str, Scene)>) -> anim_ir::Merged {
    let inputs = inputs.into_iter().map(|(name, scene)| (name.to_owned(), scene)).collect();
    let merged = merge(inputs).unwrap();
    assert!(validate(&merged.scene).worst() < Some(Severity::Error));
    merged
}

fn names(scene: &Scene) -> Vec<&str> {
    scene.clips.iter().map(|clip| clip.name.as_str()).collect()
}

fn mismatch(other: Scene) -> (String, Mismatch) {
    let inputs = vec![("a".to_owned(), take("a", 0.0)), ("b".to_owned(), other)];
    let MergeError { input, joint, mismatch, .. } = merge(inputs).unwrap_err();
    assert_eq!(input, 1);
    (joint, mismatch)
}

#[test]
fn clips_of_one_skeleton_are_merged() {
    let all = merged(vec![("a", take("walk", 1.0)), ("b", take("run", 2.0))]).scene;
    assert_eq!((names(&all), all.skeletons.len()), (vec!["walk", "run"], 1));
    for (name, x) in [("walk", 1.0), ("run", 2.0)] {
        let mut one = all.clone();
        one.keep_clip(all.find_clip(name).unwrap());
        let found = diff(&take(name, x), &one, &Options::default()).unwrap();
        assert!(found.is_same() && found.events == 1, "{found:?}");
    }
}

#[test]
fn clips_are_named_after_their_files_if_necessary() {
    let named = |names: [&[&str]; 3]| {
        let files = ["walk", "run", "walk"].into_iter().zip(names);
        let scenes = files.map(|(file, clips)| {
            let mut scene = take("", 0.0);
            let clip = |name: &&str| Clip { name: (*name).into(), ..scene.clips[0].clone() };
            scene.clips = clips.iter().map(clip).collect();
            (file, scene)
        });
        let merged = merged(scenes.collect());
        let renamed: usize = merged.changes.iter().map(|changes| changes.renamed.len()).sum();
        (names_of(&merged.scene), renamed)
    };
    let names_of_all = |names: &[&str], renamed| (names.join(" "), renamed);
    let take = "Take";
    assert_eq!(named([&["a"], &["b"], &["c"]]), names_of_all(&["a", "b", "c"], 0));
    assert_eq!(named([&[""], &[""], &["x"]]), names_of_all(&["walk", "run", "x"], 0));
    assert_eq!(named([&[take], &[take], &["x"]]), names_of_all(&["walk", "run", "x"], 2));
    assert_eq!(
        named([&[take, "a"], &[take], &[take, "run"]]),
        names_of_all(&["walk_Take", "a", "run.001", "walk_Take.001", "run"], 3)
    );
}

fn names_of(scene: &Scene) -> String {
    names(scene).join(" ")
}

#[test]
fn joints_are_matched_by_name() {
    let mut flat = take("a", 0.0);
    flat.skeletons[0].joints[1].parent = None;
    let all = merged(vec![("a", flat), ("b", dressed(reordered(take("b", 0.0))))]);
    let (scene, of_b) = (&all.scene, &all.scene.clips[1]);
    assert_eq!(of_b.joints, Some(BTreeSet::from([KNEE])));
    assert_eq!(scene.timeline(of_b.timeline).unwrap().tracks()[0].target, Target::Joint(KNEE));
    // The meshes of the first scene that has any, bound to the same joints.
    assert_eq!((all.meshes_of, &scene.skins[0].joints), (1, &vec![HIP]));
    assert_eq!(scene.nodes[0].parent.unwrap().joint, HIP);
}

#[test]
fn skeletons_must_agree() {
    let (joint, added) = {
        let mut other = take("b", 0.0);
        other.skeletons[0].joints.push(Joint::new("toe", Some(KNEE)));
        mismatch(other)
    };
    assert_eq!((joint.as_str(), added), ("toe", Mismatch::Added));
    let mut other = take("b", 0.0);
    other.skeletons[0].joints[1].parent = None;
    let parents = Mismatch::Parent([None, Some("hip".into())]);
    assert_eq!(mismatch(other), ("knee".into(), parents));
    let mut other = take("b", 0.0);
    other.skeletons[0].joints[1].rest = at(10.1);
    let (joint, Mismatch::Rest(gap)) = mismatch(other) else { panic!() };
    assert!(joint == "knee" && (gap.translation - 0.1).abs() < 1e-5);
    let mut other = take("b", 0.0);
    other.timelines.clear();
    other.clips.clear();
    other.skeletons[0].joints.truncate(1);
    assert_eq!(mismatch(other), ("knee".into(), Mismatch::Missing));
    // Differences within rounding are ignored.
    let mut other = take("b", 0.0);
    other.skeletons[0].joints[1].rest = at(10.000_1);
    merged(vec![("a", take("a", 0.0)), ("b", other)]);
}

#[test]
fn meshes_are_kept_once() {
    let mut other = dressed(take("c", 0.0));
    let mut builder = TimelineBuilder::new("");
    builder.keys(NodeId::new(0).into(), Channel::MorphWeights, Linear, &[0.0], &[0.5]).unwrap();
    other.timelines = vec![builder.finish()];
    let mut changed = dressed(take("d", 0.0));
    changed.meshes[0].positions[0].x = 5.0;
    changed.meshes[0].morph_targets.clear();
    let all = merged(vec![
        ("a", dressed(take("a", 0.0))),
        ("b", take("b", 0.0)),
        ("c", other.clone()),
        ("d", changed.clone()),
    ]);
    assert_eq!((all.scene.meshes.len(), all.scene.nodes.len(), all.scene.clips.len()), (1, 1, 4));
    assert_eq!(all.scene.timelines[2].tracks()[0].target, Target::Node(NodeId::new(0)));
    let differs: Vec<bool> = all.changes.iter().map(|changes| changes.has_other_meshes).collect();
    assert_eq!(differs, [false, false, false, true]);
    // Weights without a counterpart are dropped.
    let all = merged(vec![("d", changed), ("c", other)]);
    assert_eq!(
        (all.changes[1].nodes.as_slice(), all.scene.timelines[1].tracks().len()),
        (&["sock".to_owned()][..], 0)
    );
}

#[test]
fn axes_machines_and_extras() {
    let mut down = take("b", 3.0).in_axes(Axes::YDown).into_owned();
    down.extras.insert("amo".into(), Value::from("x"));
    down.machines.push(StateMachine {
        states: vec![State { name: "go".into(), motion: Motion::Clip(ClipId::new(0)) }],
        ..StateMachine::default()
    });
    let all = merged(vec![("a", take("a", 0.0)), ("b", down)]);
    assert_eq!(all.scene.axes, Axes::YUp);
    assert_eq!(all.scene.machines[0].states[0].motion, Motion::Clip(ClipId::new(1)));
    assert!(all.changes[1].has_other_extras && all.scene.extras.is_empty());
    assert!(merge(Vec::new()).unwrap().scene.clips.is_empty());
}

/// The error groups the inputs that can be merged with each other, up to a number of groups.
#[test]
fn inputs_with_the_same_skeletons_are_grouped() {
    let other = |number: usize| {
        let mut scene = take("x", 1.0);
        scene.skeletons[0].joints[1].name = format!("knee {number}");
        scene
    };
    let inputs = [take("a", 0.0), take("b", 0.0), other(1), take("c", 0.0), other(1)];
    let error = merge(inputs.map(|scene| (String::new(), scene)).into()).unwrap_err();
    let groups: Vec<&[usize]> = error.groups.iter().map(|group| group.inputs.as_slice()).collect();
    assert_eq!((groups, error.ungrouped), (vec![&[0, 1, 3][..], &[2, 4]], 0));
    assert_eq!(error.groups[0].mismatch, None);
    let found = error.groups[1].mismatch.as_ref().unwrap();
    assert_eq!((found.other, found.joint.as_str()), (0, "knee 1"));
    assert_eq!(found.mismatch, Mismatch::Added);
    assert_eq!((error.input, error.joint.as_str()), (2, "knee 1"));
    // The reason given is that of the most similar group before.
    let mut lower = other(1);
    lower.skeletons[0].joints[1].rest.translation = Vec3::new(0.0, -9.0, 0.0);
    let inputs = [take("a", 0.0), other(1), lower].map(|scene| (String::new(), scene));
    let error = merge(inputs.into()).unwrap_err();
    let found = error.groups[2].mismatch.as_ref().unwrap();
    assert_eq!(found.other, 1);
    assert!(matches!(found.mismatch, Mismatch::Rest(_)));
    let many = (0..20).map(|number| (String::new(), other(number)));
    let error = merge(many.collect()).unwrap_err();
    assert_eq!((error.groups.len(), error.ungrouped), (8, 12));
}

/// Returns a leg with a mesh of two morph targets of these names, whose weights move from (0, 0) to
/// (1, 0), as lines and as a cubic curve, which starts with the slopes (2, 0).
fn morphing(clip: &str, names: [&str; 2]) -> Scene {
    let mut scene = dressed(take(clip, 0.0));
    let target = |name: &str| MorphTarget {
        name: name.into(),
        positions: vec![Vec3::ZERO],
        ..MorphTarget::default()
    };
    scene.meshes[0].morph_targets = names.map(target).into();
    scene.nodes.push(scene.nodes[0].clone());
    let mut builder = TimelineBuilder::new("");
    let times = [0.0, 1.0];
    let mut add = |node: usize, interpolation, values: &[f32]| {
        let target = NodeId::new(node).into();
        builder.keys(target, Channel::MorphWeights, interpolation, &times, values).unwrap();
    };
    add(0, Linear, &[0.0, 0.0, 1.0, 0.0]);
    add(1, Cubic, &[0.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
    scene.timelines = vec![builder.finish()];
    scene
}

#[test]
fn morph_weights_are_matched_by_the_names_of_targets() {
    let first = ["smile", "blink"];
    let weights = |names: [&str; 2]| -> (Vec<f32>, Vec<f32>, usize) {
        let all = merged(vec![("a", morphing("a", first)), ("b", morphing("b", names))]);
        let timeline = &all.scene.timelines[1];
        let of = |track: usize| {
            let track = timeline.tracks().get(track);
            track.map_or(Vec::new(), |track| {
                timeline.keys(track).values().flatten().copied().collect()
            })
        };
        (of(0), of(1), all.changes[1].nodes.len())
    };
    let kept = (
        vec![0.0, 0.0, 1.0, 0.0],
        vec![0.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0],
        0,
    );
    let swapped = (
        vec![0.0, 0.0, 0.0, 1.0],
        vec![0.0, 0.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0],
        0,
    );
    assert_eq!(weights(first), kept);
    assert_eq!(weights(["", ""]), kept);
    assert_eq!(weights(["blink", "smile"]), swapped);
    assert_eq!(weights(["smile", "frown"]), (Vec::new(), Vec::new(), 2));
}

/// The clips of each input show a joint as it is at rest in that input.
#[test]
fn clips_keep_the_visibility_of_joints_at_rest() {
    let take = |clip: &str, visible: [bool; 2], moved: Option<JointId>| {
        let mut scene = take(clip, 0.0);
        scene.clips[0].joints = moved.map(|joint| BTreeSet::from([joint]));
        for (joint, visible) in scene.skeletons[0].joints.iter_mut().zip(visible) {
            joint.visible = visible;
        }
        scene
    };
    let shown = |all: &anim_ir::Merged, clip: usize| {
        let mut pose = Pose::default();
        Player::new(&all.scene, ClipId::new(clip)).unwrap().pose(&mut pose);
        pose.visible
    };
    let a = take("a", [true, false], None);
    let all = merged(vec![("a", a.clone()), ("b", take("b", [false, true], None))]);
    assert_eq!((shown(&all, 0), shown(&all, 1)), (vec![true, false], vec![false, true]));
    assert!(all.changes[1].shown.is_empty());
    // A clip that moves only the knee cannot hide the hip.
    let all = merged(vec![("a", a), ("b", take("b", [false, true], Some(KNEE)))]);
    assert_eq!(
        (shown(&all, 1), all.changes[1].shown.as_slice()),
        (vec![true, true], &["hip".to_owned()][..])
    );
}
