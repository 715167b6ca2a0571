//! Clips, keys and events.

use std::collections::BTreeSet;

use anim_gltf::{FromIr, FromIrError, codes, from_ir, to_gltf};
use anim_ir::Channel::{MorphWeights, Rotation, Scale, Translation};
use anim_ir::Interpolation::{Cubic, Linear, Step};
use anim_ir::{
    Clip, Event, Joint, JointId, Limits, Node, NodeId, Scene, Skeleton, TimeBase, TimelineBuilder,
    Wrap,
};
use gltf::animation::{Interpolation as Kind, Property};

use crate::scenes::{arm, clip, count, extras, keys, moving, waving};
use crate::written::{Written, names, write, write_with};

fn windows() -> Scene {
    let mut builder =
        TimelineBuilder::new("take").with_time_base(TimeBase::Progress { duration: 1.5 });
    keys(&mut builder, 0, Translation, Linear, &[0., 1., 2., 3., 4.], &count(15));
    keys(&mut builder, 1, Translation, Linear, &[0., 4.], &[0., 0., 0., 4., 4., 4.]);
    keys(&mut builder, 1, Scale, Step, &[0., 4.], &[1., 1., 1., 4., 4., 4.]);
    builder.constant(JointId::new(0).into(), Scale, &[2., 2., 2.]).unwrap();
    let turns = [[0.0_f32, 0., 0., 2.], [0., 0., 0., 1.]].concat();
    keys(&mut builder, 0, Rotation, Linear, &[0.5, 1.5], &turns);
    for time in [0.5, 1.0, 2.5, 9.0] {
        builder.event(Event { time, name: format!("at {time}"), ..Event::default() });
    }
    let (elbow, none) = (BTreeSet::from([JointId::new(1)]), BTreeSet::new());
    let clips = vec![
        clip("all", 0.0, 4.0),
        Clip { wrap: Wrap::PingPong, ..clip("part", 1.0, 3.0) },
        Clip { joints: Some(elbow), ..clip("part", 1.0, 3.0) },
        Clip { joints: Some(none), extras: extras("anm", "x"), ..clip("none", 1.0, 2.0) },
        clip("", 2.0, 2.0),
    ];
    moving(arm(), builder, clips)
}

#[test]
fn clips_are_windows() {
    let written = write("windows", &windows());
    let names: Vec<_> = names(written.document.animations(), |item| item.name());
    assert_eq!(names, ["all", "part", "part.001", "take"]);
    assert_eq!(written.channel("all", "shoulder", Property::Translation).0, [0., 1., 2., 3., 4.]);
    assert_eq!(written.channel("part", "shoulder", Property::Translation).1, count(12)[3..]);
    for (node, property, time, value) in [
        // The rotation is normalised.
        ("shoulder", Property::Rotation, 1.5, &[0., 0., 0., 1.][..]),
        ("shoulder", Property::Scale, 1.0, &[2.; 3]),
        // No key within the clip: the value at the start, not the rest pose.
        ("elbow", Property::Translation, 1.0, &[1.; 3]),
        ("elbow", Property::Scale, 1.0, &[1.; 3]),
    ] {
        let expected = (vec![time], value.to_vec(), Kind::Step);
        assert_eq!(written.channel("part", node, property), expected, "{node} {property:?}");
    }
    assert_eq!(written.animation("part.001").channels().count(), 2);
    assert_eq!(
        written.codes(),
        // The three clips that start or end between keys: `part` (the elbow's translation and the
        // shoulder's rotation), its duplicate and the last clip (the elbow's translation).
        [("gltf-outside-clips", 1), ("gltf-clip-border", 3), ("gltf-empty-animation", 1)]
    );
    let animations = written.json["animations"].as_array().unwrap().iter();
    let all = animations.chain(written.json["scenes"].as_array().unwrap());
    let extras: Vec<String> = all.map(|item| item["extras"].to_string()).collect();
    insta::assert_snapshot!(extras.join("\n"));
}

/// A cubic track that is cut between two keys loses motion unless their values are equal and the
/// slopes between them are 0.
#[test]
fn still_splines_lose_no_motion() {
    for (slope, reported) in [(0.0, 0), (1.0, 1)] {
        let mut builder = TimelineBuilder::new("take");
        let key = [[0.0_f32; 3], [5.0; 3], [slope; 3]].concat();
        keys(&mut builder, 0, Translation, Cubic, &[0., 2., 4.], &key.repeat(3));
        let scene = moving(arm(), builder, vec![clip("part", 1.0, 4.0)]);
        let losses = from_ir(&scene, &FromIr::default()).unwrap().losses;
        assert_eq!(losses.count(&codes::CLIP_BORDER), reported);
    }
}

/// Events of a group are only written to clips of that group, even if all are on one timeline.
#[test]
fn clips_have_the_events_of_their_group() {
    let mut builder = TimelineBuilder::new("take");
    keys(&mut builder, 0, Translation, Linear, &[0.0, 1.0, 2.0], &[0.; 9]);
    for (name, time, group) in [
        ("all", 0.5, None),
        ("arm", 0.5, Some("Arm")),
        ("leg", 0.5, Some("Leg")),
        ("late", 1.5, Some("Leg")),
    ] {
        let group = group.map(str::to_owned);
        builder.event(Event { time, name: name.into(), group, ..Event::default() });
    }
    let clips = [("Arm/a", "Arm", 2.0), ("Leg/a", "Leg", 1.0), ("Leg/b", "Leg", 0.0)]
        .map(|(name, group, end)| Clip { group: Some(group.into()), ..clip(name, 0.0, end) });
    let mut scene = moving(arm(), builder, clips.into());
    let written = write("groups", &scene);
    let events = |written: &Written, animation: usize| -> Vec<String> {
        let ours = &written.json["animations"][animation]["extras"]["anim_formats"];
        let events = ours["events"].as_array().into_iter().flatten();
        events.map(|event| event["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(events(&written, 0), ["all", "arm"]);
    assert_eq!(events(&written, 1), ["all", "leg"]);
    assert_eq!(written.json["animations"][2]["extras"]["anim_formats"].get("events"), None);
    let messages: Vec<&str> = written.losses.iter().map(|loss| &*loss.message).collect();
    assert_eq!(
        messages,
        ["0 keys and 1 event of timeline `take` are outside all of its clips"],
        "`late` is only within the range of Arm/a"
    );
    scene.clips.push(clip("all", 1.0, 2.0));
    let written = write("", &scene);
    assert!(written.losses.is_empty());
    assert_eq!(events(&written, 3), ["late"], "a clip without a group has all events");
}

#[test]
fn clips_that_start_at_zero() {
    let options = FromIr::default().with_clips_start_at_zero(true);
    let written = write_with("windows-at-zero", &windows(), &options);
    assert_eq!(written.channel("part", "shoulder", Property::Translation).0, [0., 1., 2.]);
    assert_eq!(written.channel("part", "shoulder", Property::Scale).0, [0.0]);
    let extras = &written.json["animations"][1]["extras"]["anim_formats"];
    let times = [&extras["start"], &extras["time_offset"], &extras["events"][1]["time"]];
    assert_eq!(times.map(serde_json::Value::as_f64), [Some(0.0), Some(1.0), Some(1.5)]);
}

#[test]
fn negative_times_are_shifted() {
    let mut builder = TimelineBuilder::new("t");
    keys(&mut builder, 0, Translation, Linear, &[-0.5, 0.25], &[0., 0., 0., 1., 1., 1.]);
    keys(&mut builder, 1, Translation, Linear, &[0.0, 1.0], &[0., 0., 0., 1., 1., 1.]);
    builder.constant(JointId::new(0).into(), Scale, &[1.; 3]).unwrap();
    builder.event(Event { time: 0.0, name: "e".into(), ..Event::default() });
    let scene = moving(arm(), builder, vec![clip("t", -1.0, 1.0)]);
    let written = write("negative", &scene);
    assert_eq!(written.channel("t", "shoulder", Property::Translation).0, [0.0, 0.75]);
    assert_eq!(written.channel("t", "elbow", Property::Translation).0, [0.5, 1.5]);
    assert_eq!(written.channel("t", "shoulder", Property::Scale).0, [0.0]);
    assert_eq!(written.codes(), [("gltf-time-shift", 1)]);
    let expected = serde_json::json!({"anim_formats": {
        "start": -0.5, "end": 1.5, "time_offset": -0.5, "events": [{"name": "e", "time": 0.5}],
    }});
    assert_eq!(written.json["animations"][0]["extras"], expected);
}

#[test]
fn timelines_without_clips_are_written_entirely() {
    let mut builder = TimelineBuilder::new("take");
    keys(&mut builder, 0, Translation, Linear, &[1.0, 2.0], &[0.; 6]);
    let mut events = TimelineBuilder::new("events");
    events.event(Event { time: 3.0, name: "e".into(), ..Event::default() });
    let scene = Scene {
        skeletons: vec![arm()],
        timelines: vec![builder.finish(), events.finish(), TimelineBuilder::new("x").finish()],
        ..Scene::default()
    };
    let written = write_with("no-clip", &scene, &FromIr::default().with_no_rest_keys(true));
    assert_eq!(written.channel("take", "shoulder", Property::Translation).0, [1.0, 2.0]);
    assert_eq!(written.codes(), [("gltf-empty-animation", 1)]);
    assert_eq!(
        written.json["scenes"][0]["extras"]["anim_formats"]["clips"][0]["start"].as_f64(),
        Some(3.0)
    );
}

#[test]
fn tracks_with_invalid_targets_are_reported() {
    let mut builder = TimelineBuilder::new("t");
    builder.constant(NodeId::new(0).into(), Translation, &[0.; 3]).unwrap();
    builder.constant(JointId::new(0).into(), MorphWeights, &[0.; 3]).unwrap();
    let scene = Scene { nodes: vec![Node::default()], ..moving(arm(), builder, vec![]) };
    let written = write("", &scene);
    // A clip without motion still exists: it holds a node in the rest pose.
    let animation = written.animation("t");
    assert_eq!(animation.channels().count(), 1);
    let channel = animation.channels().next().unwrap();
    assert_eq!(channel.target().property(), Property::Translation);
    assert_eq!(written.codes(), [("gltf-track-target", 2)]);
    let write = |options: FromIr| write_with("", &scene, &options);
    let without = write(FromIr::default().with_no_rest_keys(true));
    assert_eq!(without.document.animations().count(), 0);
    assert_eq!(without.codes(), [("gltf-track-target", 2), ("gltf-empty-animation", 1)]);
}

#[test]
fn the_size_of_many_clips_is_bounded() {
    let mut skeleton = Skeleton::new("s");
    let mut builder = TimelineBuilder::new("t");
    for joint in 0..200 {
        skeleton.joints.push(Joint::new("j", None));
        builder.constant(JointId::new(joint).into(), Scale, &[1.0; 3]).unwrap();
    }
    let many = moving(skeleton, builder, vec![clip("c", 0.0, 1.0); 1_000]);
    let glb = |scene: &Scene, options: &FromIr| from_ir(scene, options).map(drop);
    let gltf = |scene: &Scene, options: &FromIr| to_gltf(scene, options, "x").map(drop);
    type Write = fn(&Scene, &FromIr) -> Result<(), FromIrError>;
    for (write, scene, most) in [
        (glb as Write, &many, 1_000_000),
        (gltf, &many, 1_000_000),
        // The buffer alone is too large.
        (glb, &waving(), 100),
        // The buffer fits, but the JSON does not.
        (gltf, &waving(), 400),
    ] {
        // Enough memory for all channels, so that only the size of the file is limited.
        let limits = Limits { memory: Some(4 << 30), ..Limits::default() };
        let options = FromIr::default().with_max_bytes(most).with_limits(limits);
        assert_eq!(write(scene, &options), Err(FromIrError::TooLarge { most }));
    }
}

/// If every clip has a mask, the keys of other joints are in no clip.
#[test]
fn keys_of_joints_outside_all_masks_are_reported() {
    let mut scene = waving();
    let outside = |scene: &Scene| {
        let losses = from_ir(scene, &FromIr::default()).unwrap().losses;
        losses.iter().map(|loss| loss.message.clone()).collect::<Vec<_>>()
    };
    let before = outside(&scene);
    for clip in &mut scene.clips {
        clip.joints = Some([JointId::new(0)].into());
    }
    let after = outside(&scene);
    let said = "4 keys and 0 events of timeline `wave` are outside all of its clips".to_owned();
    assert_eq!((before, after), (vec![], vec![said]));
}

/// Clips of one timeline repeat its channels, which take far more memory in a file than in a scene.
#[test]
fn channels_of_many_clips_are_limited() {
    let written = |count: usize| {
        let mut scene = Scene::default();
        let mut skeleton = Skeleton::new("");
        let mut builder = TimelineBuilder::new("");
        for number in 0..count {
            skeleton.add_joint(Joint::new(format!("j{number}"), None));
            let moves = [0., 0., 0., 1., 0., 0.];
            keys(&mut builder, number, Translation, Linear, &[0., 1.], &moves);
        }
        scene.add_skeleton(skeleton);
        scene.add_timeline(builder.finish());
        scene.clips = (0..count).map(|number| clip(&number.to_string(), 0.0, 1.0)).collect();
        from_ir(&scene, &FromIr::default())
    };
    assert!(written(100).is_ok());
    let error = written(500).unwrap_err().to_string();
    assert!(error.contains("the channels of clips"), "{error}");
}
