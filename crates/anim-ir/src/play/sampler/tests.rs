//! Compares poses with hand-computed values and with another implementation.

use proptest::prelude::*;

use crate::{
    Channel, Clip, EulerOrder, Interpolation, Joint, JointId, NodeId, Pose, PoseSpace, Quat,
    Sampler, Skeleton, Target, Timeline, TimelineBuilder, Transform, Vec3, Wave, WaveShape,
};

const JOINT: Target = Target::Joint(JointId::new(0));

fn one_joint(keys: impl FnOnce(&mut TimelineBuilder)) -> (Skeleton, Timeline) {
    let mut skeleton = Skeleton::new("s");
    skeleton.joints.push(Joint::new("j", None));
    let mut builder = TimelineBuilder::new("t");
    keys(&mut builder);
    (skeleton, builder.finish())
}

fn at(skeleton: &Skeleton, timeline: &Timeline, time: f64) -> Transform {
    let mut pose = Pose::default();
    Sampler::new(skeleton, timeline).sample(time, &mut pose);
    pose.transforms[0]
}

#[test]
fn values_are_clamped_outside_and_interpolated_between_keys() {
    let (skeleton, timeline) = one_joint(|builder| {
        let (line, step) = (Interpolation::Linear, Interpolation::Step);
        let (moves, sizes) = ([0., 0., 0., 4., 0., 0.], [1., 1., 1., 2., 2., 2.]);
        builder.keys(JOINT, Channel::Translation, line, &[1.0, 3.0], &moves).unwrap();
        builder.keys(JOINT, Channel::Scale, step, &[0.0, 2.0], &sizes).unwrap();
    });
    let xs =
        [f64::NAN, -1.0, 1.0, 2.0, 3.0, 9.0].map(|t| at(&skeleton, &timeline, t).translation.x);
    assert_eq!(xs, [0.0, 0.0, 0.0, 2.0, 4.0, 4.0]);
    assert_eq!([1.999, 2.0, 5.0].map(|t| at(&skeleton, &timeline, t).scale.x), [1.0, 2.0, 2.0]);
}

#[test]
fn cubic_curves_match_the_hermite_formula() {
    let (skeleton, timeline) = one_joint(|builder| {
        let keys = [[0.; 3], [0.; 3], [2., 0., 0.], [2., 0., 0.], [2., 0., 0.], [0.; 3]].concat();
        let cubic = Interpolation::Cubic;
        builder.keys(JOINT, Channel::Translation, cubic, &[0.0, 2.0], &keys).unwrap();
    });
    // Values 0 and 2 over two seconds, with tangents of 2 per second at both ends.
    let hermite = |t: f64| {
        (t.powi(3) - 2. * t * t + t) * 4.
            + (-2. * t.powi(3) + 3. * t * t) * 2.
            + (t.powi(3) - t * t) * 4.
    };
    for t in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let x = at(&skeleton, &timeline, t * 2.0).translation.x;
        assert!((f64::from(x) - hermite(t)).abs() < 1e-5);
    }
}

/// At a key, the rotation is that of the key, without rounding.
#[test]
fn values_at_keys_are_exact() {
    let turn = [0.1, 0.2, 0.3, 0.9];
    let still = [0.0; 4];
    for (interpolation, values) in [
        (Interpolation::Step, [turn, turn].concat()),
        (Interpolation::Linear, [turn, turn].concat()),
        (Interpolation::Cubic, [still, turn, still, still, turn, still].concat()),
    ] {
        let (skeleton, timeline) = one_joint(|builder| {
            builder.keys(JOINT, Channel::Rotation, interpolation, &[0.0, 1.0], &values).unwrap();
        });
        for time in [0.0, 1.0] {
            assert_eq!(at(&skeleton, &timeline, time).rotation.to_array(), turn);
        }
    }
}

/// Joints whose channels are next to each other in a table are sampled as a whole. The order of the
/// tracks must not change the result, nor must channels or joints that are missing.
#[test]
fn joints_are_sampled_alike_however_their_tracks_are_ordered() {
    const T: Channel = Channel::Translation;
    const R: Channel = Channel::Rotation;
    const S: Channel = Channel::Scale;
    let mut skeleton = Skeleton::new("s");
    (0..80).for_each(|number| skeleton.joints.push(Joint::new(number.to_string(), None)));
    let value = |joint: usize, channel: Channel, key: f64| -> Vec<f32> {
        let angle = joint as f64 * 0.7 + key * 1.3;
        let [x, y, z] = [angle.sin(), angle.cos(), 0.3];
        match channel {
            R => Quat::from_axis_angle(Vec3::from_f64([x, y, z]), angle).to_array().to_vec(),
            T => Vec3::from_f64([x, y, z]).to_array().to_vec(),
            _ => Vec3::from_f64([1.0 + x / 2.0, y, z]).to_array().to_vec(),
        }
    };
    let build = |tracks: &[(usize, Channel)]| {
        let mut builder = TimelineBuilder::new("t");
        for (joint, channel) in tracks {
            let keys = [0.0, 1.0].map(|key| value(*joint, *channel, key)).concat();
            let target = Target::Joint(JointId::new(*joint));
            let line = Interpolation::Linear;
            builder.keys(target, *channel, line, &[0.0, 1.0], &keys).unwrap();
        }
        builder.finish()
    };
    let all: Vec<(usize, Channel)> =
        (5..80).flat_map(|joint| [T, R, S].map(|c| (joint, c))).collect();
    let mut gap = all.clone();
    gap.retain(|track| *track != (45, R) && *track != (60, S));
    for tracks in [all, gap, vec![(3, T), (3, R), (3, S), (5, T), (5, R), (5, S)]] {
        let mut backwards = tracks.clone();
        backwards.reverse();
        let [whole, apart] = [build(&tracks), build(&backwards)];
        let [mut poses, mut expected] = [Pose::default(), Pose::default()];
        for time in [0.0, 0.3, 0.5, 0.9, 1.0] {
            Sampler::new(&skeleton, &whole).sample(time, &mut poses);
            Sampler::new(&skeleton, &apart).sample(time, &mut expected);
            assert_eq!(poses, expected);
            let mut alone = Pose::default();
            Sampler::new(&skeleton, &whole).only(5).sample(time, &mut alone);
            assert_eq!(alone.transforms[5], expected.transforms[5]);
            assert_eq!(alone.transforms[50], Transform::IDENTITY);
        }
    }
}

#[test]
fn constants_and_morph_weights() {
    let (skeleton, timeline) = one_joint(|builder| {
        let [still, moving] = [5, 3].map(|node| Target::Node(NodeId::new(node)));
        let (channel, line) = (Channel::MorphWeights, Interpolation::Linear);
        builder.constant(still, channel, &[0.5]).unwrap();
        builder.keys(moving, channel, line, &[0.0, 1.0], &[0., 1., 1., 0.]).unwrap();
        builder.constant(JOINT, Channel::Scale, &[2., 3., 4.]).unwrap();
    });
    let mut pose = Pose::default();
    Sampler::new(&skeleton, &timeline).sample(0.25, &mut pose);
    assert_eq!(
        pose.morph_weights,
        [(NodeId::new(5), vec![0.5]), (NodeId::new(3), vec![0.25, 0.75])]
    );
    assert_eq!(pose.transforms[0].scale, Vec3::new(2., 3., 4.));
}

#[test]
fn deltas_apply_before_the_rest_pose() {
    let (mut skeleton, mut timeline) = one_joint(|builder| {
        let step = Interpolation::Step;
        builder.keys(JOINT, Channel::Translation, step, &[0.0], &[1., 0., 0.]).unwrap();
    });
    skeleton.joints[0].rest = Transform {
        rotation: Quat::from_axis_angle(Vec3::new(0., 0., 1.), std::f64::consts::FRAC_PI_2),
        ..Transform::IDENTITY
    };
    skeleton.joints[0].rest.translation.z = 5.0;
    timeline.pose_space = PoseSpace::DeltaFromRest;
    let mut pose = Pose::default();
    Sampler::new(&skeleton, &timeline).sample(0.0, &mut pose);
    let local = pose.local_transform(&skeleton.joints[0], JointId::new(0));
    assert!((local.translation.y - 1.0).abs() < 1e-6 && local.translation.z == 5.0, "{local:?}");
    let mut model = Vec::new();
    pose.model_matrices(&skeleton, &mut model);
    assert!(model[0].is_near(local.to_matrix(), 1e-6));
}

/// Returns the three components of a sine wave in f64, as in [`WaveShape::Sine`].
fn sine(wave: &Wave, time: f64) -> [f64; 3] {
    let turns = (time + f64::from(wave.offset)) / f64::from(wave.period);
    let part = 0.5 + 0.5 * (std::f64::consts::TAU * turns.rem_euclid(1.0)).sin();
    std::array::from_fn(|i| f64::from(wave.start[i]) * (1.0 - part) + f64::from(wave.end[i]) * part)
}

proptest! {
    #[test]
    fn waves_are_composed_exact_to_f32(
        numbers in prop::array::uniform3(prop::array::uniform6(-10.0f32..10.0)),
        period in 0.1f32..10.0, time in -1e6_f64..1e6,
    ) {
        let [place, angles, offset] = numbers.map(|[a, b, c, d, e, f]| {
            let (shape, start, end) = (WaveShape::Sine, [a, b, c], [d, e, f]);
            Wave { shape, start, end, period, offset: a, backwards: false }
        });
        let (skeleton, timeline) = one_joint(|builder| {
            builder.wave(JOINT, Channel::Translation, place).unwrap();
            builder.wave(JOINT, Channel::Euler(EulerOrder::Zyx), angles).unwrap();
            builder.wave(JOINT, Channel::Offset, offset).unwrap();
        });
        let found = at(&skeleton, &timeline, time);
        // Rotate about x, then y, then z, each in its plane.
        let ([tx, ty, tz], [ax, ay, az]) = (sine(&place, time), sine(&angles, time));
        let turned = |[x, y, z]: [f64; 3]| {
            let (y, z) = (y * ax.cos() - z * ax.sin(), y * ax.sin() + z * ax.cos());
            let (z, x) = (z * ay.cos() - x * ay.sin(), z * ay.sin() + x * ay.cos());
            [x * az.cos() - y * az.sin(), x * az.sin() + y * az.cos(), z]
        };
        let [ox, oy, oz] = turned(sine(&offset, time));
        let place = [tx + ox, ty + oy, tz + oz];
        for (found, expected) in found.translation.to_f64().into_iter().zip(place) {
            prop_assert!((found - expected).abs() < 1e-5, "{found} {expected}");
        }
        let arrow = found.rotation.rotate(Vec3::new(1.0, -2.0, 3.0)).to_array();
        for (found, expected) in arrow.into_iter().zip(turned([1.0, -2.0, 3.0])) {
            prop_assert!((f64::from(found) - expected).abs() < 2e-6, "{found} {expected}");
        }
    }
}

/// Of three joints, the clip moves the first and the last, which has keys in two tables.
#[test]
fn samplers_of_single_joints_match_the_pose_of_a_clip() {
    let mut skeleton = Skeleton::new("s");
    for number in 0_u8..3 {
        let translation = Vec3::new(f32::from(number), 5.0, 0.0);
        let rest = Transform { translation, ..Transform::IDENTITY };
        skeleton.add_joint(Joint { rest, visible: number != 2, ..Joint::new("j", None) });
    }
    let mut builder = TimelineBuilder::new("t");
    let line = Interpolation::Linear;
    for joint in (0..3).rev().map(JointId::new) {
        let end = 1.0 + joint.index() as f32;
        builder
            .keys(joint.into(), Channel::Scale, line, &[0.0, end], &[1., 1., 1., 3., 3., 3.])
            .unwrap();
    }
    let moves = [0., 0., 0., 0., 8., 0.];
    builder.keys(JointId::new(2).into(), Channel::Translation, line, &[0.0, 4.0], &moves).unwrap();
    let timeline = builder.finish();
    let clip = Clip { joints: Some([0, 2].map(JointId::new).into()), ..Clip::default() };
    let mut all = Pose::default();
    Sampler::for_clip(&skeleton, &timeline, &clip).sample(2.0, &mut all);
    assert_eq!(all.transforms[2].translation, Vec3::new(0.0, 4.0, 0.0));
    let mut moved = Vec::new();
    for (joint, mut sampler) in Sampler::for_each_joint(&skeleton, &timeline, &clip) {
        let mut pose = Pose::default();
        sampler.sample(2.0, &mut pose);
        assert_eq!(pose.transforms, [all.transforms[joint.index()]]);
        assert_eq!(pose.visible.first().unwrap_or(&true), &all.visible[joint.index()]);
        moved.push(joint.index());
    }
    assert_eq!(moved, [0, 2]);
}
