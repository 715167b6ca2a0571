//! Tests that baked motion is close to the original.

use std::borrow::Cow;

use proptest::prelude::*;

use crate::ops::bake::corners::{Corners, bounds};
use crate::ops::bake::joint_player::Source;
use crate::ops::bake::place::Place;
use crate::ops::bake::tracks::{Tracks, is_not_plain};
use crate::{
    Bake, Channel, Clip, ClipId, EulerOrder, Interpolation, Joint, JointId, MachineId, Motion,
    Pose, Sampler, Scene, Sequence, SequenceKey, SequenceOrder, Skeleton, State, StateId,
    StateMachine, StatePlayer, Target, Timeline, TimelineBuilder, Transform, Transition, Wave,
    WaveShape, Wrap,
};

const ROOT: Target = Target::Joint(JointId::new(0));

fn scene(waves: &[[Wave; 3]], end: f32) -> Scene {
    let mut skeleton = Skeleton::nodes("s");
    let mut builder = TimelineBuilder::new("t");
    for (joint, [displacement, angles, offset]) in waves.iter().enumerate() {
        skeleton.joints.push(Joint::new(format!("j{joint}"), None));
        let target = Target::Joint(JointId::new(joint));
        builder.wave(target, Channel::Translation, *displacement).unwrap();
        builder.wave(target, Channel::Euler(EulerOrder::Zyx), *angles).unwrap();
        builder.wave(target, Channel::Offset, *offset).unwrap();
    }
    let clip = Clip { name: "waves".into(), end, ..Clip::default() };
    Scene {
        skeletons: vec![skeleton],
        timelines: vec![builder.finish()],
        clips: vec![clip],
        ..Scene::default()
    }
}

fn at(scene: &Scene, clip: &Clip, time: f64) -> Vec<Place> {
    let (timeline, mut pose) = (scene.timeline(clip.timeline).unwrap(), Pose::default());
    Sampler::new(scene.skeleton(timeline.skeleton).unwrap(), timeline).sample(time, &mut pose);
    pose.transforms.iter().copied().map(Place::of).collect()
}

/// Returns the maximum deviation of the baked scene from the original at many times, relative to
/// how far each joint moves and rotates. At each time, the smallest deviation within a rounding
/// error of the time counts, since the motion may jump.
fn worst(
    times: &[f64],
    exact: impl Fn(f64) -> Vec<Place>,
    found: impl Fn(f64) -> Vec<Place>,
    end: f64,
) -> f64 {
    let joints = exact(0.0).len();
    let mut worst: f64 = 0.0;
    for joint in 0..joints {
        let all: Vec<Place> =
            (0..=400).map(|step| exact(end * f64::from(step) / 400.0)[joint]).collect();
        let range =
            |channel| all.iter().map(|place| all[0].distance(place, channel)).fold(1e-4, f64::max);
        let (moves, turns) = (range(Channel::Translation), range(Channel::Rotation));
        for time in times {
            let error = |time: f64| {
                let (a, b) = (exact(time)[joint], found(time)[joint]);
                (a.distance(&b, Channel::Translation) / moves)
                    .max(a.distance(&b, Channel::Rotation) / turns)
            };
            let near_a_jump = [-1e-6, 1e-6].map(|away| error(time + away * end.max(1.0)));
            worst = worst.max(error(*time).min(near_a_jump[0]).min(near_a_jump[1]));
        }
    }
    worst
}

fn wave() -> impl Strategy<Value = Wave> {
    let vector = || prop::array::uniform3(-3.0f32..3.0);
    let shape = prop::sample::select(WaveShape::ALL.to_vec());
    (shape, any::<bool>(), vector(), vector(), 0.3f32..4.0, -5.0f32..5.0).prop_map(
        |(shape, backwards, start, end, period, offset)| Wave {
            shape,
            backwards,
            start,
            end,
            period,
            offset,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn baked_waves_stay_near(
        waves in prop::collection::vec(prop::array::uniform3(wave()), 1..3),
        times in prop::collection::vec(0.0f64..1.0, 60),
    ) {
        let scene = scene(&waves, 4.0);
        let baked = scene.baked(&Bake::default()).unwrap();
        prop_assert_eq!(baked.losses.count(&crate::BAKED), 1);
        let found = &*baked.value;
        let mut tracks = found.timelines.iter().flat_map(Timeline::tracks);
        prop_assert!(tracks.all(|track| !is_not_plain(track)));
        prop_assert!(crate::validate(found).is_empty());
        let times: Vec<f64> = times.iter().map(|time| time * 4.0).collect();
        let exact = |time| at(&scene, &scene.clips[0], time);
        let worst = worst(&times, exact, |time| at(found, &found.clips[0], time), 4.0);
        prop_assert!(worst < 0.001, "{worst}");
    }
}

#[test]
fn jumps_become_double_keys_and_straight_lines_need_no_extra_keys() {
    let wave = Wave { end: [8.0, 0.0, 0.0], period: 2.0, ..Wave::default() };
    let still = Wave::default();
    let scene = scene(&[[wave, still, still]], 4.0);
    let baked = scene.baked(&Bake::default()).unwrap().value;
    let timeline = baked.timeline(baked.clips[0].timeline).unwrap();
    let [track] = timeline.tracks() else { panic!("one track: {:?}", timeline.tracks()) };
    let keys = timeline.keys(track);
    assert_eq!(keys.times, [0.0, 2.0_f32.next_down(), 2.0, 4.0]);
    let x: Vec<f32> = keys.values().map(|value| value[0].round()).collect();
    assert_eq!(x, [0.0, 8.0, 0.0, 8.0]);
}

#[test]
fn timelines_with_only_keys_are_unchanged() {
    let mut builder = TimelineBuilder::new("t");
    builder.keys(ROOT, Channel::Translation, Interpolation::Linear, &[0.0], &[1.0; 3]).unwrap();
    let scene = Scene { timelines: vec![builder.finish()], ..Scene::default() };
    assert!(matches!(scene.baked(&Bake::default()).unwrap().value, Cow::Borrowed(_)));
}

/// Beside a joint that is sampled, a joint that only has keys keeps them.
#[test]
fn keys_beside_waves_are_unchanged() {
    let mut builder = TimelineBuilder::new("t");
    let wave = Wave { end: [8.0, 0.0, 0.0], ..Wave::default() };
    builder.wave(ROOT, Channel::Translation, wave).unwrap();
    let arm = Target::Joint(JointId::new(1));
    let values = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0];
    builder.keys(arm, Channel::Translation, Interpolation::Step, &[0.0, 1.0], &values).unwrap();
    let mut scene = scene(&[], 1.0);
    scene.skeletons[0].joints = vec![Joint::new("root", None), Joint::new("arm", None)];
    scene.timelines = vec![builder.finish()];
    let baked = scene.baked(&Bake::default()).unwrap().value;
    let timeline = baked.timeline(baked.clips[0].timeline).unwrap();
    let mut of_arm = timeline.tracks().iter().filter(|track| track.target == arm);
    let keys = timeline.keys(of_arm.next().unwrap());
    assert_eq!((keys.interpolation, keys.times), (Interpolation::Step, &[0.0, 1.0][..]));
    assert!(of_arm.next().is_none());
}

#[test]
fn too_many_samples_are_rejected_in_advance() {
    let fast = Wave { end: [1.0; 3], period: 1e-30, ..Wave::default() };
    let scene = scene(&[[fast, Wave::default(), Wave::default()]], 60.0);
    assert_eq!(scene.baked(&Bake::default()).unwrap_err().what, "the keys of baked motion");
}

/// Bakes a wave, a constant, a state that cycles through both with a blended and a switched
/// transition, and a state that plays this state.
#[test]
fn sequences_become_a_clip_of_one_round() {
    let (shape, end) = (WaveShape::Sine, [4.0, 0.0, 0.0]);
    let sine = Wave { shape, end, period: 1.5, ..Wave::default() };
    let mut scene = scene(&[[sine, Wave::default(), Wave::default()]], 1.5);
    let mut builder = TimelineBuilder::new("other");
    builder.constant(ROOT, Channel::Translation, &[0.0, 6.0, 0.0]).unwrap();
    builder.constant(ROOT, Channel::Euler(EulerOrder::Zyx), &[0.0, 1.0, 0.0]).unwrap();
    let timeline = scene.add_timeline(builder.finish());
    scene.add_clip(Clip { name: "other".into(), timeline, ..Clip::default() });
    let way = |seconds, morph| Transition { seconds, morph };
    let key = |state, forward| SequenceKey {
        state: Some(StateId::new(state)),
        exit: true,
        forward,
        backward: way(1.0, true),
    };
    let sequence = |order, keys| Motion::Sequence(Sequence::new(order, 0, keys));
    let round = vec![key(0, way(1.0, true)), key(1, way(0.5, false))];
    let nested = vec![key(2, way(4.0, true)), key(1, way(0.5, false))];
    let names = ["waves", "other", "round", "nested"];
    let motions = [
        Motion::Clip(ClipId::new(0)),
        Motion::Clip(ClipId::new(1)),
        sequence(SequenceOrder::LoopForwards, round),
        sequence(SequenceOrder::OnceForwards, nested),
    ];
    let states = names.into_iter().zip(motions);
    let states = states.map(|(name, motion)| State { name: name.into(), motion }).collect();
    scene.machines.push(StateMachine { states, ..StateMachine::default() });
    let baked = scene.baked(&Bake::default()).unwrap().value.into_owned();
    assert!(baked.clips.iter().map(|clip| clip.name.as_str()).eq(names));
    for (state, end) in [(2, 1.5), (3, 4.0)] {
        let clip = &baked.clips[state];
        assert_eq!(f64::from(clip.end), end);
        let exact = |time: f64| {
            let mut player = StatePlayer::new(&scene, MachineId::new(0)).unwrap();
            let mut pose = Pose::default();
            player.enter(StateId::new(state));
            player.advance(time);
            player.pose(&mut pose);
            pose.transforms.iter().copied().map(Place::of).collect()
        };
        let times: Vec<f64> = (1..200).map(|step| end * f64::from(step) / 200.0).collect();
        let worst = worst(&times, exact, |time| at(&baked, clip, time), end);
        assert!(worst < 0.001, "state {state}: {worst}");
    }
}

/// A state of sequences that are nested deeper than they are played is at rest in its clip too.
#[test]
fn nesting_ends_where_playback_ends() {
    let mut builder = TimelineBuilder::new("t");
    builder.constant(ROOT, Channel::Translation, &[6.0, 0.0, 0.0]).unwrap();
    let mut scene = scene(&[], 1.0);
    scene.skeletons[0].joints = vec![Joint::new("root", None)];
    scene.timelines = vec![builder.finish()];
    let mut states = vec![State { name: "0".into(), motion: Motion::Clip(ClipId::new(0)) }];
    for below in 0..=StatePlayer::DEEPEST {
        // For half a second the state before it, for half a second the clip.
        let key = |state| SequenceKey {
            state: Some(StateId::new(state)),
            forward: Transition { seconds: 0.5, morph: false },
            ..SequenceKey::default()
        };
        let sequence = Sequence::new(SequenceOrder::LoopForwards, 0, vec![key(below), key(0)]);
        states.push(State { name: states.len().to_string(), motion: Motion::Sequence(sequence) });
    }
    scene.machines.push(StateMachine { states, ..StateMachine::default() });
    let baked = scene.baked(&Bake::default()).unwrap().value;
    for state in 1..=StatePlayer::DEEPEST + 1 {
        let mut player = StatePlayer::new(&scene, MachineId::new(0)).unwrap();
        player.enter(StateId::new(state));
        player.advance(0.25);
        let mut played = Pose::default();
        player.pose(&mut played);
        let clip = baked.clips.iter().find(|clip| clip.name == state.to_string()).unwrap();
        let found = at(&baked, clip, 0.25)[0];
        let gap = found.distance(&Place::of(played.transforms[0]), Channel::Translation);
        assert!(gap < 1e-3, "state {state}: {gap}");
    }
}

/// The corners of a range are counted before they are listed.
#[test]
fn too_many_corners_are_not_listed() {
    let sequence = |seconds: f32| {
        let forward = Transition { seconds, morph: false };
        let key = SequenceKey { forward, ..SequenceKey::default() };
        Sequence::new(SequenceOrder::LoopForwards, 0, vec![key, key])
    };
    let count =
        |seconds: f32, to: f64| bounds(&sequence(seconds), 0.0, to).map(|bounds| bounds.len());
    assert_eq!(count(0.5, 10.0), Some(21));
    assert_eq!(count(0.5, 1e7), None);
    assert_eq!(count(1e7, 10.0), Some(2), "a round is longer than the range");
}

/// A key at the end of a range is no corner inside it, even if the end, at the full precision of a
/// sequence, is a little beyond the key.
#[test]
fn corners_at_the_ends_of_a_range_are_not_inside_it() {
    let mut builder = TimelineBuilder::new("t");
    let times = [1.0, 2.0, 3.0];
    builder.keys(ROOT, Channel::Translation, Interpolation::Linear, &times, &[0.0; 9]).unwrap();
    let mut scene = scene(&[], 4.0);
    scene.timelines = vec![builder.finish()];
    let tracks = Tracks::of(&scene);
    let (clip, timeline) = (&scene.clips[0], &scene.timelines[0]);
    let source = Source::Clip { id: ClipId::new(0), clip, timeline };
    let corners = Corners::of(&scene, &tracks, JointId::new(0));
    assert_eq!(corners.inside(&source, 1.0 - 1e-12, 3.0 + 1e-12), Some(vec![2.0]));
}

/// A sequence that stays in a state that plays another sequence shows one round of that sequence.
#[test]
fn a_sequence_that_stays_in_another_lasts_as_long_as_it() {
    let mut scene = scene(&[], 1.0);
    scene.skeletons[0].joints = vec![Joint::new("root", None)];
    let mut states = Vec::new();
    for (number, x) in [0.0, 10.0].into_iter().enumerate() {
        let mut builder = TimelineBuilder::new("t");
        builder.constant(ROOT, Channel::Translation, &[x, 0.0, 0.0]).unwrap();
        let timeline = scene.add_timeline(builder.finish());
        let clip = scene.add_clip(Clip { timeline, ..Clip::default() });
        states.push(State { name: format!("{number}"), motion: Motion::Clip(clip) });
    }
    let key = |state| SequenceKey {
        state: Some(StateId::new(state)),
        forward: Transition { seconds: 1.0, morph: true },
        ..SequenceKey::default()
    };
    let mid = Sequence::new(SequenceOrder::LoopForwards, 0, vec![key(0), key(1)]);
    states.push(State { name: "mid".into(), motion: Motion::Sequence(mid) });
    let top = Sequence::new(SequenceOrder::Stay, 0, vec![key(2)]);
    states.push(State { name: "top".into(), motion: Motion::Sequence(top) });
    scene.machines.push(StateMachine { states, ..StateMachine::default() });
    let baked = scene.baked(&Bake::default()).unwrap().value;
    let clip = baked.clips.iter().find(|clip| clip.name == "top").unwrap();
    assert_eq!((clip.end, clip.wrap), (2.0, Wrap::Loop));
    for (time, x) in [(0.0, 0.0), (0.5, 5.0), (1.0, 10.0), (1.5, 5.0)] {
        let expected = Transform { translation: [x, 0.0, 0.0].into(), ..Transform::IDENTITY };
        let gap = at(&baked, clip, time)[0].distance(&Place::of(expected), Channel::Translation);
        assert!(gap < 1e-3, "{time}: {gap}");
    }
}
