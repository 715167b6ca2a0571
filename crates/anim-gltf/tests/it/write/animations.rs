//! Clips, keys and events.

use std::collections::BTreeSet;

use anim_gltf::{FromIr, FromIrError, from_ir, to_gltf};
use anim_ir::{
    Channel, Clip, Diagnostics, Event, Interpolation, Joint, JointId, Node, NodeId, Scene,
    Skeleton, TimeBase, TimelineBuilder, Wrap,
};
use gltf::animation::{Interpolation as Kind, Property};

use crate::scenes::{LINE, arm, clip, extras, keys, waving};
use crate::written::{names, write, write_with};

fn windows() -> Scene {
    let mut builder =
        TimelineBuilder::new("take").with_time_base(TimeBase::Progress { duration: 1.5 });
    keys(
        &mut builder,
        0,
        Channel::Translation,
        LINE,
        &[0., 1., 2., 3., 4.],
        &(0..15_u8).map(f32::from).collect::<Vec<_>>(),
    );
    keys(&mut builder, 1, Channel::Translation, LINE, &[0., 4.], &[0., 0., 0., 4., 4., 4.]);
    keys(
        &mut builder,
        1,
        Channel::Scale,
        Interpolation::Step,
        &[0., 4.],
        &[1., 1., 1., 4., 4., 4.],
    );
    builder.constant(JointId::new(0).into(), Channel::Scale, &[2., 2., 2.]).unwrap();
    let turns = [[0.0_f32, 0., 0., 2.], [0., 0., 0., 1.]].concat();
    keys(&mut builder, 0, Channel::Rotation, LINE, &[0.5, 1.5], &turns);
    for time in [0.5, 1.0, 2.5, 9.0] {
        builder.event(Event { time, name: format!("at {time}"), ..Event::default() });
    }
    Scene {
        skeletons: vec![arm()],
        timelines: vec![builder.finish()],
        clips: vec![
            clip("all", 0.0, 4.0),
            Clip { wrap: Wrap::PingPong, ..clip("part", 1.0, 3.0) },
            Clip { joints: Some(BTreeSet::from([JointId::new(1)])), ..clip("part", 1.0, 3.0) },
            Clip {
                joints: Some(BTreeSet::new()),
                extras: extras("anm", "x"),
                ..clip("none", 1.0, 2.0)
            },
            clip("", 2.0, 2.0),
        ],
        ..Scene::default()
    }
}

#[test]
fn clips_are_windows() {
    let written = write("windows", &windows());
    let names: Vec<_> = names(written.document.animations(), |item| item.name());
    assert_eq!(names, ["all", "part", "part.001", "take"]);
    assert_eq!(written.channel("all", "shoulder", Property::Translation).0, [0., 1., 2., 3., 4.]);
    assert_eq!(
        written.channel("part", "shoulder", Property::Translation).1,
        (3..12_u8).map(f32::from).collect::<Vec<_>>()
    );
    assert_eq!(
        written.channel("part", "shoulder", Property::Rotation),
        (vec![1.5], vec![0., 0., 0., 1.], Kind::Step),
        "made a unit quaternion"
    );
    assert_eq!(
        written.channel("part", "shoulder", Property::Scale),
        (vec![1.0], vec![2.; 3], Kind::Step)
    );
    // No key inside: the value at the start, not the rest pose.
    assert_eq!(
        written.channel("part", "elbow", Property::Translation),
        (vec![1.0], vec![1.; 3], Kind::Step)
    );
    assert_eq!(
        written.channel("part", "elbow", Property::Scale),
        (vec![1.0], vec![1.; 3], Kind::Step)
    );
    assert_eq!(written.animation("part.001").channels().count(), 2);
    assert_eq!(
        written.codes(),
        // Of `part`, the elbow's move and the shoulder's turn; of its twin and of the last one, the
        // elbow's move.
        [("gltf-outside-clips", 1), ("gltf-clip-border", 3), ("gltf-empty-animation", 1)]
    );
    let extras: Vec<String> = written.json["animations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|animation| animation["extras"].to_string())
        .collect();
    insta::assert_snapshot!(format!(
        "{}\n{}",
        extras.join("\n"),
        written.json["scenes"][0]["extras"]
    ));
}

/// Events of a group are in the clips of that group only, though all are on one timeline.
#[test]
fn events_go_to_clips_of_their_group() {
    let mut builder = TimelineBuilder::new("take");
    keys(&mut builder, 0, Channel::Translation, LINE, &[0.0, 1.0, 2.0], &[0.; 9]);
    for (name, time, group) in [
        ("all", 0.5, None),
        ("arm", 0.5, Some("Arm")),
        ("leg", 0.5, Some("Leg")),
        ("late", 1.5, Some("Leg")),
    ] {
        let group = group.map(str::to_owned);
        builder.event(Event { time, name: name.into(), group, ..Event::default() });
    }
    let in_group =
        |name: &str, group: &str, end| Clip { group: Some(group.into()), ..clip(name, 0.0, end) };
    let mut scene = Scene {
        skeletons: vec![arm()],
        timelines: vec![builder.finish()],
        clips: vec![
            in_group("Arm/a", "Arm", 2.0),
            in_group("Leg/a", "Leg", 1.0),
            in_group("Leg/b", "Leg", 0.0),
        ],
        ..Scene::default()
    };
    let written = write("groups", &scene);
    let events = |animation: usize| {
        let list =
            written.json["animations"][animation]["extras"]["anim_formats"]["events"].as_array();
        list.map(|list| {
            list.iter().map(|event| event["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
        })
    };
    assert_eq!(
        [0, 1, 2].map(events),
        [
            Some(vec!["all".to_owned(), "arm".to_owned()]),
            Some(vec!["all".to_owned(), "leg".to_owned()]),
            None
        ]
    );
    let told =
        |losses: &Diagnostics| losses.iter().map(|loss| loss.message.clone()).collect::<Vec<_>>();
    assert_eq!(
        told(&written.losses),
        ["0 keys and 1 events of timeline `take` are in none of its clips"],
        "`late` is in the range of Arm/a only"
    );
    scene.clips.push(clip("all", 1.0, 2.0));
    let written = write("", &scene);
    assert!(written.losses.is_empty());
    assert_eq!(
        written.json["animations"][3]["extras"]["anim_formats"]["events"][0]["name"].as_str(),
        Some("late"),
        "a clip without a group takes all"
    );
}

#[test]
fn clips_that_start_at_zero() {
    let options = FromIr::default().with_clips_start_at_zero(true);
    let written = write_with("windows-at-zero", &windows(), &options);
    assert_eq!(written.channel("part", "shoulder", Property::Translation).0, [0., 1., 2.]);
    assert_eq!(written.channel("part", "shoulder", Property::Scale).0, [0.0]);
    let extras = &written.json["animations"][1]["extras"]["anim_formats"];
    assert_eq!(
        (
            extras["start"].as_f64(),
            extras["time_offset"].as_f64(),
            extras["events"][1]["time"].as_f64()
        ),
        (Some(0.0), Some(1.0), Some(1.5))
    );
}

#[test]
fn times_before_zero_are_moved() {
    let mut builder = TimelineBuilder::new("t");
    keys(&mut builder, 0, Channel::Translation, LINE, &[-0.5, 0.25], &[0., 0., 0., 1., 1., 1.]);
    keys(&mut builder, 1, Channel::Translation, LINE, &[0.0, 1.0], &[0., 0., 0., 1., 1., 1.]);
    builder.constant(JointId::new(0).into(), Channel::Scale, &[1.; 3]).unwrap();
    builder.event(Event { time: 0.0, name: "e".into(), ..Event::default() });
    let scene = Scene {
        skeletons: vec![arm()],
        timelines: vec![builder.finish()],
        clips: vec![clip("t", -1.0, 1.0)],
        ..Scene::default()
    };
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
fn timelines_without_a_clip_are_written_whole() {
    let mut builder = TimelineBuilder::new("take");
    keys(&mut builder, 0, Channel::Translation, LINE, &[1.0, 2.0], &[0.; 6]);
    let mut events = TimelineBuilder::new("events");
    events.event(Event { time: 3.0, name: "e".into(), ..Event::default() });
    let scene = Scene {
        skeletons: vec![arm()],
        timelines: vec![builder.finish(), events.finish(), TimelineBuilder::new("x").finish()],
        ..Scene::default()
    };
    let written = write("no-clip", &scene);
    assert_eq!(written.channel("take", "shoulder", Property::Translation).0, [1.0, 2.0]);
    assert_eq!(written.codes(), [("gltf-empty-animation", 1)]);
    assert_eq!(
        written.json["scenes"][0]["extras"]["anim_formats"]["clips"][0]["start"].as_f64(),
        Some(3.0)
    );
}

#[test]
fn tracks_that_move_nothing_are_told() {
    let mut builder = TimelineBuilder::new("t");
    builder.constant(NodeId::new(0).into(), Channel::Translation, &[0.; 3]).unwrap();
    builder.constant(JointId::new(0).into(), Channel::MorphWeights, &[0.; 3]).unwrap();
    let scene = Scene {
        skeletons: vec![arm()],
        nodes: vec![Node::default()],
        timelines: vec![builder.finish()],
        ..Scene::default()
    };
    let written = write("", &scene);
    assert_eq!(written.document.animations().count(), 0);
    assert_eq!(written.codes(), [("gltf-track-target", 2), ("gltf-empty-animation", 1)]);
}

#[test]
fn many_clips_on_a_long_take_are_bounded() {
    let mut skeleton = Skeleton::new("s");
    let mut builder = TimelineBuilder::new("t");
    for joint in 0..200 {
        skeleton.joints.push(Joint::new("j", None));
        builder.constant(JointId::new(joint).into(), Channel::Scale, &[1.0; 3]).unwrap();
    }
    let clips = vec![clip("c", 0.0, 1.0); 1_000];
    let scene = Scene {
        skeletons: vec![skeleton],
        timelines: vec![builder.finish()],
        clips,
        ..Scene::default()
    };
    let mut options = FromIr::default().with_max_bytes(1_000_000);
    let refused = Err(FromIrError::TooLarge { most: 1_000_000 });
    assert_eq!(from_ir(&scene, &options).map(|_| ()), refused);
    assert_eq!(to_gltf(&scene, &options, "x").map(|_| ()), refused);
    // The buffer alone is too large.
    options.max_bytes = 100;
    assert_eq!(from_ir(&waving(), &options).map(|_| ()), Err(FromIrError::TooLarge { most: 100 }));
    // The buffer fits, the JSON does not.
    options.max_bytes = 400;
    assert_eq!(
        to_gltf(&waving(), &options, "x").map(|_| ()),
        Err(FromIrError::TooLarge { most: 400 })
    );
}
