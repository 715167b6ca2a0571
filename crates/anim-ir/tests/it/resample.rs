//! Resampling of keys at a frame rate.

use anim_ir::{
    Budget, Channel, Clip, Interpolation, Joint, JointId, Limits, RESAMPLED, Scene, Skeleton,
    Target, TimelineBuilder,
};

const JOINT: Target = Target::Joint(JointId::new(0));

/// Returns a scene with a joint that has a linear rotation, a cubic translation and a stepped
/// scale, all with different times.
fn scene() -> Scene {
    let mut builder = TimelineBuilder::new("");
    let turns = [[0.0_f32, 0.0, 0.0, 1.0], [0.0, 0.0, 1.0, 0.0]].concat();
    builder.keys(JOINT, Channel::Rotation, Interpolation::Linear, &[0.1, 1.0], &turns).unwrap();
    let moves = [[0.0_f32; 3], [0.0; 3], [2.0, 0.0, 0.0], [2.0, 0.0, 0.0], [2.0; 3], [0.0; 3]];
    builder
        .keys(JOINT, Channel::Translation, Interpolation::Cubic, &[0.0, 2.0], moves.concat())
        .unwrap();
    let sizes = [[1.0_f32; 3], [2.0; 3]].concat();
    builder.keys(JOINT, Channel::Scale, Interpolation::Step, &[0.0, 0.77], &sizes).unwrap();
    Scene {
        skeletons: vec![Skeleton { joints: vec![Joint::new("j", None)], ..Skeleton::default() }],
        timelines: vec![builder.finish()],
        clips: vec![Clip { start: 0.3, end: 0.5, ..Clip::default() }],
        ..Scene::default()
    }
}

#[test]
fn keys_are_at_frames_and_borders() {
    let mut scene = scene();
    let budget = Budget::for_scene(&Limits::default(), &scene);
    let losses = scene.resample(4.0, &budget).unwrap();
    assert_eq!(losses.count(&RESAMPLED), 1);
    let timeline = &scene.timelines[0];
    let keys = |channel: Channel| {
        let track = timeline.tracks().iter().find(|track| track.channel == channel).unwrap();
        timeline.keys(track)
    };
    // The start of the clip adds a key at 0.3 s. Its end, at 0.5 s, is a whole frame.
    assert_eq!(keys(Channel::Rotation).times, [0.1, 0.25, 0.3, 0.5, 0.75, 1.0]);
    let moved = keys(Channel::Translation);
    assert_eq!(moved.times, [0.0, 0.25, 0.3, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0]);
    assert_eq!(moved.interpolation, Interpolation::Linear);
    // The Hermite curve from 0 to 2 in 2 s, with a slope of 2 per second at both ends.
    let x = moved.values().nth(3).unwrap()[0];
    assert!((x - 0.6875).abs() < 1e-6, "{x}");
    let turned = keys(Channel::Rotation);
    let middle = turned.values().nth(3).unwrap();
    let angle = 2.0 * f64::from(middle[2]).asin();
    assert!((angle - std::f64::consts::PI * 4.0 / 9.0).abs() < 1e-5, "{angle}");
    assert_eq!(keys(Channel::Scale).times, [0.0, 0.77]);
}

#[test]
fn keys_at_whole_frames_are_not_reported() {
    let mut scene = scene();
    let budget = Budget::for_scene(&Limits::default(), &scene);
    scene.resample(4.0, &budget).unwrap();
    let before = scene.clone();
    assert!(scene.resample(4.0, &budget).unwrap().is_empty());
    assert_eq!(scene, before);
}

#[test]
fn extreme_rates_are_limited() {
    for rate in [1e12, 1e300, f64::MAX] {
        let mut scene = scene();
        let budget = Budget::for_scene(&Limits::default(), &scene);
        assert!(scene.resample(rate, &budget).is_err(), "{rate}");
    }
    let mut scene = scene();
    let budget = Budget::for_scene(&Limits::default(), &scene);
    scene.resample(1e-300, &budget).unwrap();
    assert_eq!(scene.timelines[0].tables()[0].times(), [0.1, 0.3, 0.5, 1.0]);
}
