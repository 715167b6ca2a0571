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
