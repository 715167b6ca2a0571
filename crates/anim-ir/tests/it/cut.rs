//! Parts of timelines.

use anim_ir::{
    Channel, Clip, Curve, Cut, Event, Interpolation, Joint, JointId, Pose, Sampler, Skeleton,
    Target, Timeline, TimelineBuilder, Wave, WaveShape,
};

fn skeleton() -> Skeleton {
    let mut skeleton = Skeleton::new("arm");
    skeleton.joints = ["a", "b", "c", "d", "e"].map(|name| Joint::new(name, None)).to_vec();
    skeleton
}

/// Joints with keys of every interpolation at times of their own: from -1 to 4 s.
fn take() -> Timeline {
    let mut builder = TimelineBuilder::new("take");
    let times: Vec<f32> = (-4..=16).map(|quarter| quarter as f32 * 0.25).collect();
    let wavy = |numbers: usize| {
        (0..times.len() * numbers).map(|number| (number as f32 * 0.7).sin()).collect::<Vec<f32>>()
    };
    builder
        .keys(
            Target::Joint(JointId::new(0)),
            Channel::Translation,
            Interpolation::Linear,
            &times,
            &wavy(3),
        )
        .unwrap();
    let half: f32 = 0.5_f32.sqrt();
    builder
        .keys(
            Target::Joint(JointId::new(1)),
            Channel::Rotation,
            Interpolation::Linear,
            &[-1.0, 4.0],
            &[0.0, 0.0, 0.0, 1.0, half, 0.0, 0.0, half],
        )
        .unwrap();
    builder
        .keys(
            Target::Joint(JointId::new(2)),
            Channel::Scale,
            Interpolation::Step,
            &[0.0, 1.1, 3.0],
            &[1., 1., 1., 2., 2., 2., 3., 3., 3.],
        )
        .unwrap();
    builder
        .keys(
            Target::Joint(JointId::new(2)),
            Channel::Translation,
            Interpolation::Cubic,
            &[-1.0, 0.6, 4.0],
            &wavy(9)[..27],
        )
        .unwrap();
    builder
        .keys(
            Target::Joint(JointId::new(3)),
            Channel::Translation,
            Interpolation::Linear,
            &[3.0, 3.5],
            &[5.0; 6],
        )
        .unwrap();
    let wave = Wave {
        shape: WaveShape::Sine,
        end: [1.0, 2.0, 3.0],
        period: 0.7,
        offset: 0.1,
        ..Wave::default()
    };
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
fn keys_inside_and_no_others() {
    let take = take();
    let cut = take.cut(&clip(0.5, 2.0), Cut::default());
    for track in take.tracks() {
        let all = take.keys(track);
        let expected: Vec<(f32, &[f32])> = all
            .times
            .iter()
            .copied()
            .zip(all.values())
            .filter(|(time, _)| (0.5..=2.0).contains(time))
            .collect();
        let found = cut
            .tracks()
            .iter()
            .find(|other| (other.target, other.channel) == (track.target, track.channel));
        match (&track.curve, found) {
            (Curve::Keys { .. }, None) => assert_eq!(expected, []),
            (Curve::Keys { .. }, Some(found)) => {
                let keys = cut.keys(found);
                assert_eq!(
                    keys.times.iter().copied().zip(keys.values()).collect::<Vec<_>>(),
                    expected
                );
            }
            (curve, found) => assert_eq!(Some(curve), found.map(|track| &track.curve)),
        }
    }
    assert_eq!(cut.events.iter().map(|event| event.time).collect::<Vec<_>>(), [0.5, 1.5, 2.0]);
    let open = |start, end| take.open_tracks(&clip(start, end), &skeleton());
    // The rotation and the move of joint 3 have no key there.
    assert_eq!((take.tracks().len(), cut.tracks().len(), open(0.5, 2.0)), (7, 5, 4));
    assert_eq!((open(-1.0, 4.0), open(5.0, 6.0)), (0, 5));
}

#[test]
fn with_borders_each_moment_looks_as_before() {
    let take = take();
    for (start, end) in [
        (0.5, 2.0),
        (0.55, 1.93),
        (-1.0, 4.0),
        (-2.0, 5.0),
        (1.2, 1.2),
        (3.1, 3.2),
        (4.5, 6.0),
        (-3.0, -2.0),
    ] {
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
                for (joint, (a, b)) in expected.transforms.iter().zip(&found.transforms).enumerate()
                {
                    let numbers = |transform: &anim_ir::Transform| -> Vec<f32> {
                        let sign = transform.rotation.w.signum();
                        let rotation = transform.rotation.to_array().map(|number| number * sign);
                        [
                            &transform.translation.to_array()[..],
                            &rotation,
                            &transform.scale.to_array(),
                        ]
                        .concat()
                    };
                    let far = numbers(a)
                        .iter()
                        .zip(numbers(b))
                        .map(|(a, b)| (a - b).abs())
                        .fold(0.0, f32::max);
                    assert!(
                        far < 2e-5,
                        "{start} to {end}, rebase {rebase}, at {time}: joint {joint} is {far} away"
                    );
                }
            }
            assert!(
                cut.range()
                    .is_none_or(|(first, last)| f64::from(first) >= f64::from(start) - origin
                        && f64::from(last) <= f64::from(end) - origin)
            );
        }
    }
}

#[test]
fn joints_of_the_clip_only() {
    let take = take();
    let arm = Clip { joints: Some([JointId::new(2)].into()), ..clip(0.0, 2.0) };
    let cut = take.cut(&arm, Cut::default().with_borders(false).with_rebase(true));
    assert!(cut.tracks().iter().all(|track| track.target == Target::Joint(JointId::new(2))));
    assert_eq!(
        cut.tables()
            .iter()
            .map(|table| (table.width(), table.times().to_vec()))
            .collect::<Vec<_>>(),
        [(3, vec![0.0, 1.1]), (9, vec![0.6])]
    );
}

#[test]
fn rounding_brings_no_keys_together() {
    let mut builder = TimelineBuilder::new("");
    let times = [1.0, 1.0_f32.next_up(), 1.0_f32.next_up().next_up()];
    builder
        .keys(
            Target::Joint(JointId::new(0)),
            Channel::Scale,
            Interpolation::Linear,
            &times,
            &[1.0; 9],
        )
        .unwrap();
    let cut = builder
        .finish()
        .cut(&clip(-1e9, 2.0), Cut::default().with_borders(false).with_rebase(true));
    let times = cut.tables()[0].times();
    assert!(times.len() == 3 && times.array_windows::<2>().all(|[a, b]| a < b), "{times:?}");
}

/// Neighbours of unlike signs, as exporters write them: the curve goes far within the sphere.
#[test]
fn cubic_rotations_with_borders_become_lines() {
    let mut builder = TimelineBuilder::new("take");
    let (a, b) = ([0.1_f32, 0.2, 0.3, 0.927], [-0.5_f32, 0.1, -0.2, -0.836]);
    let keys = [[0.0; 4], a, [0.3, -0.2, 0.1, -0.4], [0.1, 0.1, -0.3, -0.2], b, [0.0; 4]].concat();
    builder
        .keys(
            Target::Joint(JointId::new(0)),
            Channel::Rotation,
            Interpolation::Cubic,
            &[0.0, 2.0],
            &keys,
        )
        .unwrap();
    let moves = [[0.0; 9], [1.0; 9]].concat();
    builder
        .keys(
            Target::Joint(JointId::new(0)),
            Channel::Translation,
            Interpolation::Cubic,
            &[0.0, 2.0],
            &moves,
        )
        .unwrap();
    let take = builder.finish();
    let cut = take.cut(&clip(0.3, 1.7), Cut::default().with_borders(true).with_rebase(false));
    let kinds: Vec<_> = cut
        .tables()
        .iter()
        .map(|table| (table.interpolation(), table.times()[0], *table.times().last().unwrap()))
        .collect();
    assert_eq!(kinds, [(Interpolation::Cubic, 0.3, 1.7), (Interpolation::Linear, 0.3, 1.7)]);
    assert!(
        (17..2000).contains(&cut.tables()[1].times().len()),
        "{}",
        cut.tables()[1].times().len()
    );
    let times = || (0..=400).map(|step| 0.3 + 1.4 * f64::from(step) / 400.0);
    for (expected, found) in poses(&take, times()).iter().zip(poses(&cut, times())) {
        let [a, b] = [expected.transforms[0].rotation, found.transforms[0].rotation]
            .map(|rotation| rotation.to_array());
        let cosine: f32 = a.iter().zip(b).map(|(a, b)| a * b).sum();
        assert!(cosine.abs() > 1.0 - 1e-6, "{a:?} {b:?}");
    }
    // Where nothing is cut, nothing is sampled.
    assert_eq!(
        take.cut(&clip(0.0, 2.0), Cut::default().with_borders(true).with_rebase(false)),
        take
    );
}
