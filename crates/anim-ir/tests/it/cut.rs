//! Tests for cutting clips out of timelines.

use anim_ir::Interpolation::{Cubic, Linear, Step};
use anim_ir::{
    Channel, Clip, Curve, Cut, EulerOrder, Event, Joint, JointId, Mesh, Node, Pose, Quat, Sampler,
    Scene, Skeleton, Target, Timeline, TimelineBuilder, Track, Transform, Wave, WaveShape,
};

use crate::keys;

fn skeleton() -> Skeleton {
    let mut skeleton = Skeleton::new("arm");
    skeleton.joints = ["a", "b", "c", "d", "e"].map(|name| Joint::new(name, None)).to_vec();
    skeleton
}

/// Returns a timeline with keys of every interpolation mode, at different times from -1 to 4 s.
fn take() -> Timeline {
    let mut builder = TimelineBuilder::new("take");
    let times: Vec<f32> = (-4..=16).map(|quarter| quarter as f32 * 0.25).collect();
    let wavy = |numbers: usize| {
        (0..times.len() * numbers).map(|number| (number as f32 * 0.7).sin()).collect::<Vec<f32>>()
    };
    keys(&mut builder, JointId::new(0), Channel::Translation, Linear, &times, &wavy(3));
    let half: f32 = 0.5_f32.sqrt();
    let turns = [0.0, 0.0, 0.0, 1.0, half, 0.0, 0.0, half];
    keys(&mut builder, JointId::new(1), Channel::Rotation, Linear, &[-1.0, 4.0], &turns);
    let (times, sizes) = ([0.0, 1.1, 3.0], [[1.0; 3], [2.0; 3], [3.0; 3]].concat());
    keys(&mut builder, JointId::new(2), Channel::Scale, Step, &times, &sizes);
    let (times, curve) = ([-1.0, 0.6, 4.0], &wavy(9)[..27]);
    keys(&mut builder, JointId::new(2), Channel::Translation, Cubic, &times, curve);
    builder
        .keys(Target::Joint(JointId::new(3)), Channel::Translation, Linear, &[3.0, 3.5], &[5.0; 6])
        .unwrap();
    let (shape, end) = (WaveShape::Sine, [1.0, 2.0, 3.0]);
    let wave = Wave { shape, end, period: 0.7, offset: 0.1, ..Wave::default() };
    builder.wave(Target::Joint(JointId::new(4)), Channel::Translation, wave).unwrap();
    builder.constant(Target::Joint(JointId::new(4)), Channel::Scale, &[2.0; 3]).unwrap();
    for time in [-1.0, 0.5, 1.5, 2.0, 3.0] {
        builder.event(Event { time, name: format!("at {time}"), ..Event::default() });
    }
    builder.finish()
}

fn clip(start: f32, end: f32) -> Clip {
    Clip { start, end, ..Clip::default() }
}

fn poses(timeline: &Timeline, times: impl Iterator<Item = f64>) -> Vec<Pose> {
    let skeleton = skeleton();
    let mut sampler = Sampler::new(&skeleton, timeline);
    times
        .map(|time| {
            let mut pose = Pose::default();
            sampler.sample(time, &mut pose);
            pose
        })
        .collect()
}

#[test]
fn only_keys_inside_the_clip_are_kept() {
    let take = take();
    let cut = take.cut(&clip(0.5, 2.0), Cut::default());
    for track in take.tracks() {
        let all = take.keys(track);
        let inside = |(time, _): &(&f32, &[f32])| (0.5..=2.0).contains(*time);
        let expected: Vec<_> = all.times.iter().zip(all.values()).filter(inside).collect();
        let is_same =
            |other: &&Track| (other.target, other.channel) == (track.target, track.channel);
        let found = cut.tracks().iter().find(is_same);
        match (&track.curve, found) {
            (Curve::Keys { .. }, None) => assert_eq!(expected, []),
            (Curve::Keys { .. }, Some(found)) => {
                let keys = cut.keys(found);
                assert_eq!(keys.times.iter().zip(keys.values()).collect::<Vec<_>>(), expected);
            }
            (curve, found) => assert_eq!(Some(curve), found.map(|track| &track.curve)),
        }
    }
    assert_eq!(cut.events.iter().map(|event| event.time).collect::<Vec<_>>(), [0.5, 1.5, 2.0]);
    let scene = Scene { skeletons: vec![skeleton()], ..Scene::default() };
    let open = |start, end| take.open_tracks(&clip(start, end), &scene);
    // The rotation of joint 1 and the translation of joint 3 have no keys in this range.
    assert_eq!((take.tracks().len(), cut.tracks().len(), open(0.5, 2.0)), (7, 5, 4));
    assert_eq!((open(-1.0, 4.0), open(5.0, 6.0)), (0, 5));
}

/// Without keys in a clip, morph targets have the default weights of the mesh, and joints with
/// Euler angles their rest rotation.
#[test]
fn tracks_that_stay_at_rest_are_not_open() {
    let open = |weights: [f32; 2], value: [f32; 2], degrees: f64| {
        let mut scene = Scene { skeletons: vec![skeleton()], ..Scene::default() };
        let rest = [0.0, 0.5, 0.0];
        scene.skeletons[0].joints[0].rest.rotation = Quat::from_euler(rest, EulerOrder::Xyz);
        let mesh = Mesh { morph_weights: weights.to_vec(), ..Mesh::default() };
        let mesh = Some(scene.add_mesh(mesh));
        let node = scene.add_node(Node { mesh, ..Node::default() });
        let mut builder = TimelineBuilder::new("");
        let values = [value, value].concat();
        let target = Target::Node(node);
        builder.keys(target, Channel::MorphWeights, Linear, &[0.0, 9.0], &values).unwrap();
        let turn = scene.skeletons[0].joints[0].rest.rotation.to_euler(EulerOrder::Xyz);
        let turn = turn.map(|angle| (angle + degrees) as f32);
        let turns = [turn, turn].concat();
        let euler = Channel::Euler(EulerOrder::Xyz);
        let joint = Target::Joint(JointId::new(0));
        builder.keys(joint, euler, Linear, &[0.0, 9.0], &turns).unwrap();
        builder.finish().open_tracks(&clip(1.0, 2.0), &scene)
    };
    assert_eq!(open([0.0, 0.0], [0.0, 0.0], 0.0), 0);
    assert_eq!(open([0.25, 1.0], [0.25, 1.0], 0.0), 0);
    assert_eq!(open([0.25, 1.0], [0.0, 0.0], 0.0), 1);
    assert_eq!(open([0.0, 0.0], [0.0, 0.0], 0.5), 1);
}

/// A cubic track with equal values is still if its slopes are 0; steps hold their value.
#[test]
fn tracks_are_open_if_they_move_at_a_border() {
    let scene = Scene { skeletons: vec![skeleton()], ..Scene::default() };
    let open = |interpolation, values: &[f32], clip: Clip| {
        let mut builder = TimelineBuilder::new("");
        let times = [0.0, 2.0, 4.0];
        keys(&mut builder, JointId::new(0), Channel::Scale, interpolation, &times, values);
        builder.finish().open_tracks(&clip, &scene)
    };
    // A key has the slope before it, its value, and the slope after it.
    let cubic = |slope: f32| [[0.0; 3], [1.0; 3], [slope; 3]].concat().repeat(3);
    for (slope, is_open) in [(0.0, 0), (0.5, 1)] {
        assert_eq!(open(Cubic, &cubic(slope), clip(1.0, 4.0)), is_open);
        assert_eq!(open(Cubic, &cubic(slope), clip(0.0, 3.0)), is_open);
        assert_eq!(open(Cubic, &cubic(slope), clip(0.5, 1.5)), is_open);
    }
    let steps = [[1.0; 3], [2.0; 3], [3.0; 3]].concat();
    assert_eq!(open(Step, &steps, clip(1.0, 4.0)), 1);
    assert_eq!(open(Step, &steps, clip(0.0, 3.0)), 0);
    assert_eq!(open(Step, &steps, clip(0.5, 1.5)), 0);
}

/// Returns the components of a transform, with the sign of the rotation normalised to a positive w.
fn numbers(transform: &Transform) -> impl Iterator<Item = f32> {
    let Transform { translation, rotation, scale } = *transform;
    let rotation = rotation.to_array().map(|number| number * rotation.w.signum());
    translation.to_array().into_iter().chain(rotation).chain(scale.to_array())
}

#[test]
fn with_borders_every_pose_is_unchanged() {
    let take = take();
    let inside = [(0.5, 2.0), (0.55, 1.93), (-1.0, 4.0), (1.2, 1.2), (3.1, 3.2)];
    for (start, end) in inside.into_iter().chain([(-2.0, 5.0), (4.5, 6.0), (-3.0, -2.0)]) {
        let times = || {
            (0..=64)
                .map(move |step| f64::from(start) + f64::from(end - start) * f64::from(step) / 64.0)
        };
        let expected = poses(&take, times());
        for rebase in [false, true] {
            let cut =
                take.cut(&clip(start, end), Cut::default().with_borders(true).with_rebase(rebase));
            let origin = if rebase { f64::from(start) } else { 0.0 };
            let found = poses(&cut, times().map(|time| time - origin));
            for ((time, expected), found) in times().zip(&expected).zip(&found) {
                let (a, b) = (&expected.transforms, &found.transforms);
                for (joint, (a, b)) in a.iter().zip(b).enumerate() {
                    let far = numbers(a).zip(numbers(b)).map(|(a, b)| (a - b).abs());
                    let far = far.fold(0.0, f32::max);
                    assert!(
                        far < 2e-5,
                        "{start} to {end}, rebase {rebase}, at {time}: joint {joint} off by {far}"
                    );
                }
            }
            let inside = f64::from(start) - origin..=f64::from(end) - origin;
            let mut range = cut.range().into_iter().flat_map(|(first, last)| [first, last]);
            assert!(range.all(|time| inside.contains(&f64::from(time))));
        }
    }
}

#[test]
fn only_joints_of_the_clip_are_kept() {
    let take = take();
    let arm = Clip { joints: Some([JointId::new(2)].into()), ..clip(0.0, 2.0) };
    let cut = take.cut(&arm, Cut::default().with_rebase(true));
    assert!(cut.tracks().iter().all(|track| track.target == Target::Joint(JointId::new(2))));
    let tables = cut.tables().iter().map(|table| (table.width(), table.times()));
    assert_eq!(tables.collect::<Vec<_>>(), [(3, &[0.0, 1.1][..]), (9, &[0.6])]);
}

#[test]
fn rounding_does_not_merge_keys() {
    let mut builder = TimelineBuilder::new("");
    let times = [1.0, 1.0_f32.next_up(), 1.0_f32.next_up().next_up()];
    builder
        .keys(Target::Joint(JointId::new(0)), Channel::Scale, Linear, &times, &[1.0; 9])
        .unwrap();
    let cut = builder.finish().cut(&clip(-1e9, 2.0), Cut::default().with_rebase(true));
    let times = cut.tables()[0].times();
    assert!(times.len() == 3 && times.array_windows::<2>().all(|[a, b]| a < b), "{times:?}");
}

/// Some exporters write neighbouring quaternions with opposite signs, for which the curve passes
/// deep inside the unit sphere.
#[test]
fn cubic_rotations_with_borders_become_line_segments() {
    let mut builder = TimelineBuilder::new("take");
    let (a, b) = ([0.1_f32, 0.2, 0.3, 0.927], [-0.5_f32, 0.1, -0.2, -0.836]);
    let turns = [[0.0; 4], a, [0.3, -0.2, 0.1, -0.4], [0.1, 0.1, -0.3, -0.2], b, [0.0; 4]].concat();
    keys(&mut builder, JointId::new(0), Channel::Rotation, Cubic, &[0.0, 2.0], &turns);
    let moves = [[0.0; 9], [1.0; 9]].concat();
    keys(&mut builder, JointId::new(0), Channel::Translation, Cubic, &[0.0, 2.0], &moves);
    let take = builder.finish();
    let cut = take.cut(&clip(0.3, 1.7), Cut::default().with_borders(true));
    let kinds: Vec<_> = cut
        .tables()
        .iter()
        .map(|table| (table.interpolation(), table.times()[0], *table.times().last().unwrap()))
        .collect();
    assert_eq!(kinds, [(Cubic, 0.3, 1.7), (Linear, 0.3, 1.7)]);
    let lines = cut.tables()[1].times().len();
    assert!((17..2000).contains(&lines), "{lines}");
    let times = || (0..=400).map(|step| 0.3 + 1.4 * f64::from(step) / 400.0);
    for (expected, found) in poses(&take, times()).iter().zip(poses(&cut, times())) {
        let [a, b] = [expected.transforms[0].rotation, found.transforms[0].rotation]
            .map(|rotation| rotation.to_array());
        let cosine: f32 = a.iter().zip(b).map(|(a, b)| a * b).sum();
        assert!(cosine.abs() > 1.0 - 1e-6, "{a:?} {b:?}");
    }
    // Nothing is sampled if the clip covers the whole timeline.
    assert_eq!(take.cut(&clip(0.0, 2.0), Cut::default().with_borders(true)), take);
}
