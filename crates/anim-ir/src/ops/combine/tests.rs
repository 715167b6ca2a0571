//! Combined clips, compared with layers.

use proptest::prelude::*;

use super::*;
use crate::{
    Channel, Interpolation, Joint, Layer, Limits, Mixer, Player, Pose, Sampler, SkeletonId,
};

/// Returns a scene with three joints and a clip for each of `clips`: its start and length in
/// quarters of a second on a take with a key every half second, its joints, and whether it loops.
fn scene(clips: &[(u8, u8, Vec<usize>, bool)]) -> Scene {
    let mut scene = Scene::default();
    let mut skeleton = Skeleton::new("s");
    let joints: Vec<JointId> =
        ["a", "b", "c"].map(|name| skeleton.add_joint(Joint::new(name, None))).into();
    scene.add_skeleton(skeleton);
    let mut builder = TimelineBuilder::new("take");
    let times: Vec<f32> = (0_u8..20).map(|key| f32::from(key) / 2.0).collect();
    for (number, joint) in (1_u8..).zip(&joints) {
        let value = |key: u8| [f32::from(key.wrapping_mul(37) % 16 * number), 1.0, 0.0];
        let values: Vec<f32> = (0..20).flat_map(value).collect();
        let line = Interpolation::Linear;
        builder.keys((*joint).into(), Channel::Translation, line, &times, values).unwrap();
    }
    for time in 0_u8..40 {
        let name = time.to_string();
        builder.event(Event { time: f32::from(time) / 4.0, name, ..Event::default() });
    }
    let timeline = scene.add_timeline(builder.finish());
    for (start, length, moved, loops) in clips {
        let start = f32::from(*start) / 4.0;
        scene.add_clip(Clip {
            timeline,
            start,
            end: start + f32::from(*length) / 4.0,
            joints: Some(moved.iter().map(|joint| joints[*joint]).collect()),
            wrap: if *loops { Wrap::Loop } else { Wrap::Once },
            ..Clip::default()
        });
    }
    scene
}

proptest! {
    #[test]
    fn a_combined_clip_plays_like_its_layers(
        clips in prop::collection::vec(
            (0..20_u8, 0..19_u8, prop::collection::vec(0..3_usize, 1..3), any::<bool>()),
            1..4,
        ),
        moments in prop::collection::vec(0.001..0.999_f64, 8),
    ) {
        let mut scene = scene(&clips);
        let ids: Vec<ClipId> = scene.enumerate_clips().map(|(id, _)| id).collect();
        let budget = Budget::for_scene(&Limits::default(), &scene);
        let combined = scene.combine("both", &ids, &budget).unwrap();
        let clip = scene.clip(combined).unwrap();
        let (timeline, skeleton) = scene.motion_of(clip).unwrap();
        let mut sampler = Sampler::for_clip(skeleton, timeline, clip);
        let mut mixer = Mixer::new(&scene, SkeletonId::new(0)).unwrap();
        mixer.layers =
            ids.iter().map(|id| Layer::clip(Player::new(&scene, *id).unwrap())).collect();
        let (mut own, mut expected) = (Pose::default(), Pose::default());
        for moment in moments {
            let time = moment * clip.duration();
            for (layer, id) in mixer.layers.iter_mut().zip(&ids) {
                let wraps = layer.player_mut().unwrap();
                // Players wrap at the end of a loop, so jumps are not compared.
                let into_round = time % scene.clip(*id).unwrap().duration().max(1e-9);
                prop_assume!(into_round > 1e-4);
                wraps.seek(time);
            }
            mixer.pose(&mut expected);
            sampler.sample(time, &mut own);
            for (own, expected) in own.transforms.iter().zip(&expected.transforms) {
                let apart = own.translation.distance(expected.translation);
                prop_assert!(apart < 1e-3, "{own:?} is not {expected:?} at {time}");
            }
        }
        mixer.layers.iter_mut().for_each(|layer| layer.player_mut().unwrap().seek(0.0));
        let mut fired: Vec<(f32, String)> = mixer
            .advance(clip.duration())
            .map(|fired| (narrow(fired.crossing.after), fired.crossing.event.name.clone()))
            .collect();
        if clip.duration() > 0.0 {
            // A loop that ends with the combined clip also crosses its start there.
            fired.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let mut own: Vec<(f32, String)> =
                timeline.events.iter().map(|event| (event.time, event.name.clone())).collect();
            own.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            fired.retain(|one| one.0 < clip.end);
            own.retain(|one| one.0 < clip.end);
            prop_assert_eq!(own, fired);
        }
    }
}

/// Returns the x of the second joint at some times of a clip of 8 s that moves the first joint,
/// combined with a clip of `timeline` that moves the second.
fn combined_with(clip: Clip, timeline: Timeline, times: &[f64]) -> (Vec<f32>, Timeline) {
    let mut scene = Scene::default();
    let mut skeleton = Skeleton::new("s");
    let a = skeleton.add_joint(Joint::new("a", None));
    let b = skeleton.add_joint(Joint::new("b", None));
    scene.add_skeleton(skeleton);
    let mut walk = TimelineBuilder::new("walk");
    let (channel, line) = (Channel::Translation, Interpolation::Linear);
    walk.keys(a.into(), channel, line, &[0.0, 8.0], [[0.0; 3], [8.0; 3]].concat()).unwrap();
    let walk = scene.add_timeline(walk.finish());
    let walk = scene.add_clip(Clip { timeline: walk, end: 8.0, ..Clip::default() });
    let timeline = scene.add_timeline(timeline);
    let clip = scene.add_clip(Clip { timeline, ..clip });
    let budget = Budget::for_scene(&Limits::default(), &scene);
    let both = scene.combine("both", &[walk, clip], &budget).unwrap();
    let both = scene.clip(both).unwrap();
    let (timeline, skeleton) = scene.motion_of(both).unwrap();
    let mut sampler = Sampler::for_clip(skeleton, timeline, both);
    let mut pose = Pose::default();
    let x = |time: &f64| {
        sampler.sample(*time, &mut pose);
        pose.transform(b).unwrap().translation.x
    };
    (times.iter().map(x).collect(), timeline.clone())
}

#[test]
fn each_round_of_a_loop_holds_its_first_and_last_key() {
    let clip = || Clip { end: 2.0, wrap: Wrap::Loop, ..Clip::default() };
    let times = [0.0, 0.5, 0.75, 1.5, 1.9, 2.0, 2.25, 2.75, 7.5, 8.0];
    let expected = [0.0, 0.0, 0.5, 1.0, 1.0, 0.0, 0.0, 0.5, 1.0, 1.0];
    let b = Target::Joint(JointId::new(1));
    let values = [[0.0; 3], [1.0; 3]].concat();
    let mut keys = TimelineBuilder::new("");
    keys.keys(b, Channel::Translation, Interpolation::Linear, &[0.5, 1.0], values).unwrap();
    assert_eq!(combined_with(clip(), keys.finish(), &times).0, expected);
    // The outer slopes have no effect.
    let (still, steep) = ([0.0; 3], [5.0; 3]);
    let values = [steep, [0.0; 3], still, still, [1.0; 3], steep].concat();
    let mut keys = TimelineBuilder::new("");
    keys.keys(b, Channel::Translation, Interpolation::Cubic, &[0.5, 1.0], values).unwrap();
    assert_eq!(combined_with(clip(), keys.finish(), &times).0, expected);
}

#[test]
fn waves_end_and_restart_with_their_clips() {
    // x moves from 0 to 4 in a period.
    let wave = |period: f32| {
        let mut builder = TimelineBuilder::new("");
        let wave = Wave { end: [4.0; 3], period, ..Wave::default() };
        builder.wave(JointId::new(1).into(), Channel::Translation, wave).unwrap();
        builder.finish()
    };
    let clip = |start: f32, end: f32, wrap: Wrap| Clip { start, end, wrap, ..Clip::default() };
    let near = |clip: Clip, period: f32, cases: &[(f64, f32)]| {
        let (times, expected): (Vec<f64>, Vec<f32>) = cases.iter().copied().unzip();
        let (found, timeline) = combined_with(clip, wave(period), &times);
        let far = found.iter().zip(&expected).any(|(a, b)| (a - b).abs() > 0.01);
        assert!(!far, "{found:?} is not {expected:?}");
        timeline.tracks().iter().any(|track| matches!(track.curve, Curve::Wave(_)))
    };
    let once = [(0.0, 0.5), (0.5, 1.0), (1.0, 1.5), (3.0, 1.5), (8.0, 1.5)];
    assert!(!near(clip(0.5, 1.5, Wrap::Once), 4.0, &once));
    let uneven = [(0.5, 1.0), (2.5, 1.0), (3.5, 1.0), (4.5, 3.0), (5.5, 1.0), (7.0, 2.0)];
    assert!(!near(clip(0.0, 3.0, Wrap::Loop), 2.0, &uneven));
    // Whole periods, or no shorter than the other clip: the wave is kept.
    let even = [(0.5, 1.0), (2.5, 1.0), (4.5, 1.0), (7.5, 3.0)];
    assert!(near(clip(0.0, 4.0, Wrap::Loop), 2.0, &even));
    assert!(near(clip(0.0, 8.0, Wrap::Once), 2.0, &even));
}

#[test]
fn clips_that_do_not_fit_are_refused() {
    let mut scene = scene(&[(0, 4, vec![0], true), (0, 1, vec![1], true)]);
    let budget = Budget::for_scene(&Limits::default(), &scene);
    assert_eq!(scene.combine("x", &[ClipId::new(9)], &budget), Err(CombineError::NoClip));
    assert_eq!(scene.combine("x", &[], &budget), Err(CombineError::NoClip));
    let other = scene.add_skeleton(Skeleton::new("other"));
    let timeline = scene.add_timeline(TimelineBuilder::new("").with_skeleton(other).finish());
    let clip = scene.add_clip(Clip { timeline, ..Clip::default() });
    let both = scene.combine("x", &[ClipId::new(0), clip], &budget);
    assert_eq!(both, Err(CombineError::Skeletons));
    // A loop of a hundred thousandth of a second, a million times.
    scene.clips[1].end = 1e-7;
    scene.clips[0].end = 9.0;
    let many = scene.combine("x", &[ClipId::new(0), ClipId::new(1)], &budget);
    assert!(matches!(many, Err(CombineError::Limit(_))), "{many:?}");
    assert_eq!(scene.clips.len(), 3);
}
