//! Keys that the writer adds for compatibility with players, and that the reader removes.

use std::collections::BTreeSet;

use anim_gltf::{Document, FromIr, FromIrError, ToIr, codes, from_ir, to_ir};
use anim_ir::Channel::{Rotation, Scale, Translation, Visibility};
use anim_ir::Interpolation::{Cubic, Linear, Step};
use anim_ir::{
    Clip, Joint, JointId, KeyTable, Limits, Material, Mesh, MorphTarget, Scene, Skeleton,
    TimelineBuilder, TimelineId, Vec3,
};
use gltf::animation::{Interpolation as Kind, Property};
use serde_json::{Value, json};

use crate::read::round_trip::{self, assert_same};
use crate::read::there_and_back;
use crate::scenes::{arm, clip, count, keys, moving, node, quarter, triangle, weights};
use crate::written::{Written, write, write_with};

/// Returns a triangle with two morph targets, whose weights have cubic keys.
fn blending(times: &[f32], values: &[f32]) -> Scene {
    let target = |way: [f32; 3]| MorphTarget {
        positions: vec![Vec3::ZERO, Vec3::from(way), Vec3::ZERO],
        ..MorphTarget::default()
    };
    let morph_targets = vec![target([0.0, 3.0, 0.0]), target([0.5, 0.0, -0.25])];
    let mut builder = TimelineBuilder::new("blend");
    weights(&mut builder, 0, Cubic, times, values);
    let range = clip("blend", times[0], times[times.len() - 1]);
    Scene {
        timelines: vec![builder.finish()],
        clips: vec![range],
        meshes: vec![Mesh { morph_targets, ..round_trip::triangle("m") }],
        materials: vec![Material::new("plain")],
        nodes: vec![node("m", 0, None)],
        ..Scene::default()
    }
}

/// Returns a scene with all kinds of tangents: steep, flat, and with weights that leave the range 0
/// to 1.
fn splines() -> Scene {
    let values = [
        [0.0, 0.0, 0.0, 0.0, 4.0, -3.0],
        [0.0, 0.5, 1.0, 0.25, 0.0, 0.5],
        [-8.0, 0.0, 0.5, 1.0, 2.0, 0.0],
    ];
    blending(&[0.25, 1.0, 1.5], &values.concat())
}

fn interpolations(written: &Written) -> Vec<Option<&str>> {
    let samplers = written.json["animations"][0]["samplers"].as_array().unwrap();
    samplers.iter().map(|sampler| sampler["interpolation"].as_str()).collect()
}

/// Returns the file after editing its JSON and its binary chunk.
fn edited(glb: &[u8], edit: impl Fn(&mut Value, &mut [u8])) -> Vec<u8> {
    let mut parts = gltf::Glb::from_slice(glb).unwrap();
    let mut json: Value = serde_json::from_slice(&parts.json).unwrap();
    let bin = parts.bin.get_or_insert_default().to_mut();
    edit(&mut json, bin);
    parts.json = serde_json::to_vec(&json).unwrap().into();
    parts.to_vec().unwrap()
}

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
}

fn read(glb: &[u8]) -> Scene {
    crate::read(glb).unwrap().value
}

#[test]
fn every_mesh_with_morph_targets_has_weights() {
    let mut scene = splines();
    scene.meshes.push(triangle("plain"));
    let written = write("morph-weights", &scene);
    assert_eq!(written.json["meshes"][0]["weights"], json!([0.0, 0.0]));
    assert_eq!(written.json["meshes"][1].get("weights"), None);
    let mut back = there_and_back(&scene, &FromIr::default()).value;
    assert!(back.meshes[0].morph_weights.is_empty(), "zeros are the default weights");
    scene.meshes[0].morph_weights = vec![0.0, 0.5];
    back = there_and_back(&scene, &FromIr::default()).value;
    assert_eq!(back.meshes[0].morph_weights, [0.0, 0.5]);
}

/// The oracle evaluates both the splines, according to the specification, and the linear keys.
#[test]
fn linear_weights_stay_within_the_tolerance() {
    let scene = splines();
    let linear = write("linear-weights", &scene);
    let cubic = write_with("cubic-weights", &scene, &FromIr::default().with_cubic(true));
    assert_eq!(interpolations(&linear), [None, Some("CUBICSPLINE")]);
    assert_eq!(interpolations(&cubic), [Some("CUBICSPLINE")]);
    // The diagonal of the bounding box of all shapes, which extends from -0.25 to 0 along z.
    let size = distance([0.0, 0.0, -0.25], [0.6, 3.0, 0.0]);
    let mut worst = 0.0_f64;
    for step in 0..=5_000 {
        let time = 0.25 + f64::from(step) * 0.000_25;
        let [found, expected] =
            [&linear, &cubic].map(|written| written.drawn(Some("blend"), time, "m"));
        for (found, expected) in found.iter().zip(&expected) {
            worst = worst.max(distance(*found, *expected) / size);
        }
    }
    assert!((1e-7..1e-5).contains(&worst), "{worst}");
    let (times, _, kind) = linear.channel("blend", "m", Property::MorphTargetWeights);
    assert_eq!(kind, Kind::Linear);
    assert!((100..2_000).contains(&times.len()), "{} keys", times.len());
    for time in [0.25, 1.0, 1.5] {
        assert!(times.contains(&time), "keys of the spline are kept");
    }
}

#[test]
fn cubic_weights_round_trip_exactly() {
    let at_zero = FromIr::default().with_clips_start_at_zero(true);
    let mut early = splines();
    let mut builder = TimelineBuilder::new("blend");
    weights(&mut builder, 0, Cubic, &[-1.0, 0.5], &count(12));
    early.timelines = vec![builder.finish()];
    early.clips = vec![clip("blend", -1.0, 0.5)];
    for (scene, options) in
        [(splines(), FromIr::default()), (splines(), at_zero), (early, FromIr::default())]
    {
        assert_same(&there_and_back(&scene, &options).value, &scene);
    }
}

#[test]
fn modified_linear_keys_are_kept() {
    let glb = from_ir(&splines(), &FromIr::default()).unwrap().value;
    let kind = |glb: &[u8]| read(glb).timelines[0].tables()[0].interpolation();
    assert_eq!(kind(&glb), Cubic);
    assert_eq!(kind(&edited(&glb, |_, _| {})), Cubic, "written again, unchanged");
    let later = |json: &mut Value, bin: &mut [u8]| {
        let input = &json["animations"][0]["samplers"][0]["input"];
        let accessor = &json["accessors"][input.as_u64().unwrap() as usize];
        let view = &json["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
        let start = view["byteOffset"].as_u64().unwrap_or(0);
        let first = (start + accessor["byteOffset"].as_u64().unwrap_or(0)) as usize;
        bin[first..first + 4].copy_from_slice(&0.125_f32.to_le_bytes());
    };
    assert_eq!(kind(&edited(&glb, later)), Linear, "the first key is earlier");
    let unreadable = |json: &mut Value, _: &mut [u8]| {
        let animation = &mut json["animations"][0];
        let cubic = &animation["channels"][0]["extras"]["anim_formats"]["cubic"]["sampler"];
        let sampler = cubic.as_u64().unwrap() as usize;
        animation["samplers"][sampler]["input"] = json!(999);
    };
    assert_eq!(kind(&edited(&glb, unreadable)), Linear, "there are no cubic times");
    for (name, value) in [
        ("sampler", json!(0)),
        ("sampler", json!(7)),
        ("sampler", json!(-1e300)),
        ("sampler", json!("1")),
        ("checksum", json!(12)),
        ("checksum", Value::Null),
    ] {
        let edit = |json: &mut Value, _: &mut [u8]| {
            let channel = &mut json["animations"][0]["channels"][0];
            channel["extras"]["anim_formats"]["cubic"][name] = value.clone();
        };
        assert_eq!(kind(&edited(&glb, edit)), Linear, "{name} {value}");
    }
}

#[test]
fn linear_keys_respect_the_limits() {
    let limits = Limits { memory: Some(4 * 16 * 50), ..Limits::default() };
    let error = from_ir(&splines(), &FromIr::default().with_limits(limits)).unwrap_err();
    assert!(matches!(error, FromIrError::Limit(_)), "{error}");
    let cubic = FromIr::default().with_limits(limits).with_cubic(true);
    assert!(from_ir(&splines(), &cubic).is_ok());
}

/// Returns a scene with three clips of one skeleton that animate different targets. One of them
/// animates nothing.
fn siblings() -> Scene {
    let mut skeleton = arm();
    skeleton.joints[0].visible = false;
    let mut first = TimelineBuilder::new("first");
    keys(&mut first, 0, Translation, Linear, &[0.5, 1.0], &count(6));
    keys(&mut first, 0, Visibility, Step, &[0.5, 1.0], &[0.0, 1.0]);
    let mut second = TimelineBuilder::new("second");
    keys(&mut second, 1, Rotation, Linear, &[0.0, 2.0], &quarter());
    keys(&mut second, 1, Scale, Linear, &[0.0, 2.0], &[1., 1., 1., 2., 2., 2.]);
    weights(&mut second, 0, Linear, &[0.0, 2.0], &[0.0, 0.0, 1.0, 0.5]);
    let third = TimelineBuilder::new("third");
    let timelines = vec![first.finish(), second.finish(), third.finish()];
    let clips = [("first", 0.25, 1.0), ("second", 0.0, 2.0), ("third", 1.0, 3.0)];
    let clips = clips.iter().enumerate().map(|(at, (name, start, end))| Clip {
        timeline: TimelineId::new(at),
        ..clip(name, *start, *end)
    });
    let mut mesh = splines().meshes.remove(0);
    mesh.morph_weights = vec![0.0, 0.5];
    Scene {
        skeletons: vec![skeleton],
        timelines,
        clips: clips.collect(),
        meshes: vec![mesh],
        materials: vec![Material::new("plain")],
        nodes: vec![node("m", 0, None)],
        ..Scene::default()
    }
}

/// Returns the channel targets of an animation, and whether they are marked as rest keys.
fn channels(written: &Written, animation: usize) -> Vec<(String, bool)> {
    let channels = written.json["animations"][animation]["channels"].as_array().unwrap();
    let named = channels.iter().map(|channel| {
        let target = &channel["target"];
        let node = &written.json["nodes"][target["node"].as_u64().unwrap() as usize]["name"];
        let name = format!("{} {}", node.as_str().unwrap(), target["path"].as_str().unwrap());
        (name, channel["extras"]["anim_formats"]["rest"] == json!(true))
    });
    named.collect()
}

#[test]
fn clips_get_rest_keys_for_channels_of_other_clips() {
    let written = write("rest-keys", &siblings());
    let all: BTreeSet<String> = channels(&written, 0).into_iter().map(|(name, _)| name).collect();
    for (animation, own) in [(0, 2), (1, 3), (2, 0)] {
        let channels = channels(&written, animation);
        assert_eq!(channels.iter().filter(|(_, rest)| !rest).count(), own);
        assert_eq!(channels.into_iter().map(|(name, _)| name).collect::<BTreeSet<_>>(), all);
    }
    let step = |time: f32, value: &[f32]| (vec![time], value.to_vec(), Kind::Step);
    let rest = |animation: &str, node: &str, property| written.channel(animation, node, property);
    assert_eq!(rest("first", "elbow", Property::Rotation), step(0.25, &[0.0, 0.0, 0.0, 1.0]));
    assert_eq!(rest("first", "m", Property::MorphTargetWeights), step(0.25, &[0.0, 0.5]));
    assert_eq!(rest("second", "shoulder", Property::Translation), step(0.0, &[0.0; 3]));
    assert_eq!(rest("second", "shoulder.visibility", Property::Scale), step(0.0, &[0.0; 3]));
    assert!(written.losses.is_empty(), "{:?}", written.losses);
    // The clips share the values of their rest keys.
    let output = |animation: usize, channel: usize| {
        let animation = &written.json["animations"][animation];
        let sampler = animation["channels"][channel]["sampler"].as_u64().unwrap() as usize;
        animation["samplers"][sampler]["output"].as_u64().unwrap()
    };
    assert_eq!((output(0, 2), output(0, 4)), (output(2, 2), output(2, 4)));
}

#[test]
fn rest_keys_are_removed_on_reading() {
    let scene = siblings();
    let by_extension = FromIr::default().with_node_visibility(true);
    for options in [FromIr::default(), by_extension, FromIr::default().with_no_rest_keys(true)] {
        let back = there_and_back(&scene, &options);
        assert!(back.losses.is_empty(), "{:?}", back.losses);
        assert_same(&back.value, &scene);
    }
}

/// Clips of the same name that move different skeletons play together, so that neither resets the
/// morph weights that the other animates.
#[test]
fn halves_of_an_animation_do_not_reset_each_others_weights() {
    let scene = |name: &str| {
        let mut scene = splines();
        let first = scene.timelines.remove(0);
        scene.clips.clear();
        let skeletons = ["left", "right"].map(|name| {
            let mut skeleton = Skeleton::new(name);
            skeleton.joints.push(Joint::new(name, None));
            scene.add_skeleton(skeleton)
        });
        for (name, skeleton, weighs) in [("a", 0, true), (name, 1, false), ("b", 1, true)] {
            let mut builder = TimelineBuilder::new(name).with_skeleton(skeletons[skeleton]);
            keys(&mut builder, 0, Translation, Linear, &[0.0, 1.0], &[0., 0., 0., 1., 0., 0.]);
            let mut timeline = builder.finish();
            if weighs {
                timeline = first.clone();
                timeline.skeleton = skeletons[skeleton];
            }
            let timeline = scene.add_timeline(timeline);
            scene.add_clip(Clip { timeline, ..clip(name, 0.25, 1.5) });
        }
        scene
    };
    let weighs = |scene: &Scene| {
        let written = write("", scene);
        let animations = written.json["animations"].as_array().unwrap();
        let paths = animations.iter().map(|animation| {
            let channels = animation["channels"].as_array().unwrap();
            channels.iter().any(|channel| channel["target"]["path"] == "weights")
        });
        paths.collect::<Vec<_>>()
    };
    assert_eq!(weighs(&scene("a")), [true, false, true]);
    assert_eq!(weighs(&scene("other")), [true, true, true]);
}

#[test]
fn rest_keys_can_be_disabled() {
    let written = write_with("", &siblings(), &FromIr::default().with_no_rest_keys(true));
    assert_eq!((channels(&written, 0).len(), channels(&written, 1).len()), (2, 3));
    assert_eq!(written.codes(), [("gltf-empty-animation", 1)]);
}

#[test]
fn partial_clips_get_rest_keys_for_their_own_joints_only() {
    let mut scene = siblings();
    let joints = |joints: &[usize]| Some(joints.iter().copied().map(JointId::new).collect());
    scene.clips[0].joints = joints(&[0]);
    scene.clips[2].joints = joints(&[1]);
    let written = write("", &scene);
    assert_eq!([0, 1].map(|animation| channels(&written, animation).len()), [2, 5]);
    let third = [("elbow rotation", true), ("elbow scale", true)];
    assert_eq!(channels(&written, 2), third.map(|(name, rest)| (name.to_owned(), rest)));
    let back = there_and_back(&scene, &FromIr::default());
    assert!(back.losses.is_empty(), "{:?}", back.losses);
    assert_same(&back.value, &scene);
    assert_eq!(back.value.clips[2].joints, joints(&[1]));
}

#[test]
fn modified_rest_keys_are_kept() {
    let glb = from_ir(&siblings(), &FromIr::default()).unwrap().value;
    let moved = edited(&glb, |json, _| {
        let nodes = json["nodes"].as_array_mut().unwrap();
        let shoulder = nodes.iter_mut().find(|node| node["name"] == "shoulder").unwrap();
        shoulder["translation"] = json!([0.0, 0.5, 0.0]);
    });
    let tracks = |scene: &Scene| -> Vec<usize> {
        scene.timelines.iter().map(|timeline| timeline.tracks().len()).collect()
    };
    assert_eq!(tracks(&read(&glb)), [2, 3, 0]);
    assert_eq!(tracks(&read(&moved)), [2, 4, 1], "the key no longer matches the node");
}

#[test]
fn the_number_of_rest_keys_is_bounded() {
    let mut skeleton = Skeleton::new("s");
    let mut scene = Scene::default();
    for joint in 0..400 {
        skeleton.joints.push(Joint::new(format!("j{joint}"), None));
        let mut builder = TimelineBuilder::new("t");
        builder.constant(JointId::new(joint).into(), Scale, &[2.0; 3]).unwrap();
        scene.timelines.push(builder.finish());
        let timeline = TimelineId::new(joint);
        scene.clips.push(Clip { timeline, ..clip("c", 0.0, 1.0) });
    }
    scene.skeletons.push(skeleton);
    let written = write("", &scene);
    assert_eq!(channels(&written, 0).len(), 1);
    assert_eq!(written.codes(), [("gltf-rest-keys", 1)]);
    let loss = written.losses.iter().next().unwrap();
    assert_eq!(loss.message, "the 400 clips of skeleton `s` would need 159600 rest keys");
}

#[test]
fn many_clips_of_different_parts_hide_each_others_parts() {
    let mut skeleton = Skeleton::new("s");
    let mut scene = Scene::default();
    for joint in 0..150 {
        skeleton.joints.push(Joint { visible: false, ..Joint::new(format!("j{joint}"), None) });
        let mut builder = TimelineBuilder::new("t");
        builder.constant(JointId::new(joint).into(), Visibility, &[1.0]).unwrap();
        scene.timelines.push(builder.finish());
        let timeline = TimelineId::new(joint);
        scene.clips.push(Clip { timeline, ..clip("c", 0.0, 1.0) });
    }
    scene.skeletons.push(skeleton);
    let written = write("", &scene);
    assert_eq!([0, 149].map(|animation| channels(&written, animation).len()), [150, 150]);
    assert!(written.losses.is_empty(), "{:?}", written.losses);
}

#[test]
fn clips_without_motion_have_a_duration() {
    let mut builder = TimelineBuilder::new("still");
    builder.constant(JointId::new(0).into(), Scale, &[2.0; 3]).unwrap();
    keys(&mut builder, 1, Translation, Linear, &[0.0, 0.5, 4.0], &count(9));
    let clips = [("pose", 0.5, 0.5), ("hold", 1.0, 3.0)];
    let clips = clips.map(|(name, start, end)| clip(name, start, end));
    let scene = moving(arm(), builder, clips.into());
    let written = write("still", &scene);
    for (name, end) in [("pose", 0.5 + 1.0 / 60.0), ("hold", 3.0)] {
        let (times, values, kind) = written.channel(name, "shoulder", Property::Scale);
        assert_eq!((values, kind), (vec![2.0; 6], Kind::Step));
        assert_eq!((times.len(), times[1]), (2, end));
        assert_eq!(written.channel(name, "elbow", Property::Translation).0.len(), 1);
    }
    let back = there_and_back(&scene, &FromIr::default()).value;
    let range = |clip: &Clip| (clip.start, clip.end);
    assert_eq!(back.clips.iter().map(range).collect::<Vec<_>>(), [(0.5, 0.5), (1.0, 3.0)]);
    for timeline in &back.timelines {
        assert_eq!(timeline.keys(&timeline.tracks()[0]).times, [0.0], "a constant");
    }
    // Far from 0, f32 cannot represent a difference of 1/60 s.
    let mut far = scene.clone();
    far.clips = vec![clip("far", 1e9, 1e9)];
    let times = write("", &far).channel("far", "shoulder", Property::Scale).0;
    assert_eq!(times, [1e9, 1e9_f32.next_up()]);
}

#[test]
fn names_follow_a_template() {
    let mut builder = TimelineBuilder::new("take");
    keys(&mut builder, 0, Translation, Linear, &[0.0, 1.0], &count(6));
    let of_set = |set: &str| Clip { group: Some(set.into()), ..clip("walk/fast", 0.0, 1.0) };
    let clips = vec![of_set("Leg"), of_set("Arm"), clip("walk/fast", 0.0, 1.0)];
    let scene = moving(arm(), builder, clips);
    let names = |options: &FromIr| {
        let written = write_with("", &scene, options);
        crate::written::names(written.document.animations(), |item| item.name())
    };
    assert_eq!(names(&FromIr::default()), ["walk/fast", "walk/fast.001", "walk/fast.002"]);
    let options = FromIr::default().with_clip_names(Some("{set}_{clip}".into()));
    assert_eq!(names(&options), ["Leg_walk/fast", "Arm_walk/fast", "walk/fast"]);
    let back = |options: &FromIr| {
        let back = there_and_back(&scene, options).value;
        back.clips.into_iter().map(|clip| clip.name).collect::<Vec<_>>()
    };
    assert_eq!(back(&FromIr::default()), ["walk/fast"; 3], "made unique, and restored");
    assert_eq!(back(&options), ["Leg_walk/fast", "Arm_walk/fast", "walk/fast"], "renamed");
    let wrong = FromIr::default().with_clip_names(Some("{name}".into()));
    let error = from_ir(&scene, &wrong).unwrap_err();
    assert_eq!(
        error.to_string(),
        "invalid clip names: unknown placeholder `{name}`; use `{clip}` or `{set}`"
    );
}

/// With any memory limit, the cubic keys are either restored or refused. They are not replaced by
/// the linear keys that other programs use.
#[test]
fn a_memory_limit_does_not_change_which_keys_are_read() {
    let scene = splines();
    let glb = from_ir(&scene, &FromIr::default()).unwrap().value;
    let document = Document::parse(&glb).unwrap().value;
    let read = |memory: usize| {
        let limits = Limits { memory: Some(memory), ..Limits::default() };
        to_ir(&document, &ToIr::default().with_limits(limits))
    };
    let (mut refused, mut whole) = (0, 0);
    for memory in (0..200_000).step_by(40) {
        let found = read(memory);
        if found.losses.count(&codes::NO_SCENE) == 1 {
            refused += 1;
        } else {
            whole += 1;
            let kinds = found.value.timelines[0].tables().iter().map(KeyTable::interpolation);
            assert!(kinds.eq([Cubic]), "{memory}");
        }
    }
    assert!(refused > 100 && whole > 100, "{refused} {whole}");
}
