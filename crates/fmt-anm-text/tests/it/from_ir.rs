//! Writing scenes: how clips, joints and events become sets, and what is reported.

use anim_ir::{
    Channel, Clip, Converted, Event, Interpolation, Joint, JointId, Limits, Scene, Skeleton,
    Timeline, TimelineBuilder, TimelineId,
};
use fmt_anm_text::{Document, FromIr, ParseOptions, codes, from_ir};

/// Returns a take of one second in which every joint of a skeleton moves.
fn take(events: &[(f32, &str)]) -> Timeline {
    let mut builder = TimelineBuilder::new("take");
    for joint in 0..3 {
        let (times, zeros) = ([0.0, 1.0, 2.0], [0.0; 9]);
        let joint = JointId::new(joint).into();
        builder.keys(joint, Channel::Translation, Interpolation::Linear, &times, &zeros).unwrap();
    }
    for (time, name) in events {
        builder.event(Event { time: *time, name: (*name).to_owned(), ..Event::default() });
    }
    builder.finish()
}

/// Returns clips from 0 to 1 and from 1 to 2 seconds on a hip with two legs.
fn scene() -> Scene {
    let hip = JointId::new(0);
    let joints = vec![
        Joint::new("hip", None),
        Joint::new("left", Some(hip)),
        Joint::new("right", Some(hip)),
    ];
    let clip = |name: &str, start, end| Clip { name: name.into(), start, end, ..Clip::default() };
    Scene {
        skeletons: vec![Skeleton { joints, ..Skeleton::default() }],
        timelines: vec![take(&[(0.5, "step"), (1.5, "stop")])],
        clips: vec![clip("walk", 0.0, 1.0), clip("turn", 1.0, 2.0)],
        ..Scene::default()
    }
}

fn written(scene: &Scene) -> Converted<String> {
    let Converted { value, losses } = from_ir(scene, &FromIr::default()).unwrap();
    Converted { value: String::from_utf8(value.to_bytes().into_owned()).unwrap(), losses }
}

/// The lines of a set, without indents.
fn lines(scene: &Scene) -> Vec<String> {
    written(scene).value.lines().map(|line| line.trim().to_owned()).collect()
}

#[test]
fn clips_and_events_of_all_joints() {
    let expected =
        ["as all", "bl hip +children", "ev 12 step", "ev 36 stop", "an 0 24 walk", "an 24 48 turn"];
    assert_eq!(lines(&scene()), expected);
}

/// Each part of a split take may list only the joints that move in it. Its set has all of them.
#[test]
fn a_set_has_the_joints_of_all_its_clips() {
    let mut scene = scene();
    for (clip, joint) in scene.clips.iter_mut().zip([1, 2]) {
        clip.joints = Some([JointId::new(joint)].into());
        (clip.name, clip.group) = (format!("legs/{}", clip.name), Some("legs".into()));
    }
    assert_eq!(lines(&scene)[..3], ["as legs", "bl left", "bl right"]);
}

/// An event that is on two timelines is written once, and others of its timeline as well.
#[test]
fn events_of_several_timelines() {
    let mut scene = scene();
    scene.timelines.push(take(&[(0.5, "step"), (1.75, "end")]));
    scene.clips[1].timeline = TimelineId::new(1);
    let events: Vec<String> =
        lines(&scene).into_iter().filter(|line| line.starts_with("ev")).collect();
    assert_eq!(events, ["ev 12 step", "ev 36 stop", "ev 42 end"]);
}

/// A clip ends with the last key in its range when it is read back.
#[test]
fn ranges_without_keys_at_their_ends_are_reported() {
    let lost = |end: f32| {
        let mut scene = scene();
        scene.timelines[0].events.clear();
        scene.clips[1].end = end;
        written(&scene).losses.count(&codes::LOSS_RANGE)
    };
    assert_eq!((lost(2.0), lost(2.5)), (0, 1));
}

#[test]
fn bones_of_the_same_name_are_reported() {
    let mut scene = scene();
    scene.clips.truncate(1);
    scene.clips[0].joints = Some([JointId::new(1), JointId::new(2)].into());
    assert_eq!(written(&scene).losses.count(&codes::LOSS_BONES), 0);
    scene.skeletons[0].joints[2].name = "left".into();
    assert_eq!(written(&scene).losses.count(&codes::LOSS_BONES), 2);
}

/// A long name ends before the character that does not fit.
#[test]
fn long_names_are_cut_between_characters() {
    let mut scene = scene();
    scene.clips.truncate(1);
    scene.clips[0].name = format!("a{}", "é".repeat(3000));
    let text = written(&scene).value;
    let name = text.split_ascii_whitespace().find(|word| word.starts_with("aé")).unwrap();
    assert_eq!(name.len(), 3999);
}

/// A misspelled `an` line is no reason to report that its set has none.
#[test]
fn a_misspelled_clip_line_is_counted() {
    let said = |text: &str| {
        let limits = Limits { fixes: 0, ..Limits::default() };
        let parsed =
            Document::parse_with(text.as_bytes(), &ParseOptions::default().with_limits(limits));
        let found = parsed.unwrap().diagnostics;
        found.iter().map(|found| found.message.clone()).collect::<Vec<_>>()
    };
    assert_eq!(said("as a\nbl u\nAN 0 1 x\n"), ["expected `bl`, `ev` or `an`, found `AN`"]);
}
