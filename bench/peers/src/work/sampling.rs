//! Samplers of keyed joints, which fill a pose of 64 joints at each of a thousand times.

use anim_formats::anim_ir::{
    Channel, Interpolation, Joint, Pose, Sampler, Skeleton, Timeline, TimelineBuilder,
};
use bevy_math::{Quat, Vec3};

use crate::child::Watch;
use crate::contender::{Found, Spent, Work, found};
use crate::inputs::keys::{self, JOINTS, KEYS, Key, RATE};

pub trait Sample: 'static {
    /// The names of the expected results in play order and at random times.
    const NAMES: [&'static str; 2] = ["play order", "random times"];

    fn new() -> Self;

    fn sample(&mut self, time: f64);

    /// The values of the last pose.
    fn values(&self) -> Vec<f32>;
}

fn at_times<S: Sample>(in_order: bool) -> Work {
    let mut sampler = S::new();
    let times = keys::times(in_order);
    let name = S::NAMES[usize::from(!in_order)];
    Box::new(move |check| {
        if !check {
            let watch = Watch::start();
            for _ in 0..keys::REPEATS {
                times.iter().for_each(|time| sampler.sample(*time));
            }
            return (watch.stop(), Found::new());
        }
        let sum = times.iter().map(|time| {
            sampler.sample(*time);
            sampler.values().iter().map(|value| f64::from(value.abs())).sum::<f64>()
        });
        (Spent::default(), found([(name, sum.sum())]))
    })
}

pub struct Ours {
    sampler: Sampler<'static>,
    pose: Pose,
}

impl Sample for Ours {
    fn new() -> Ours {
        let keys = keys::all();
        let mut skeleton = Skeleton::new("");
        let mut timeline = TimelineBuilder::new("");
        let times: Vec<f32> = (0..KEYS).map(|key| (key as f64 / RATE) as f32).collect();
        for (number, keys) in keys.chunks(KEYS).enumerate() {
            let joint = skeleton.add_joint(Joint::new(format!("joint_{number}"), None));
            let channels =
                [(Channel::Translation, 0..3), (Channel::Rotation, 3..7), (Channel::Scale, 7..10)];
            for (channel, part) in channels {
                let values: Vec<f32> =
                    keys.iter().flat_map(|key| key[part.clone()].iter().copied()).collect();
                timeline
                    .keys(joint.into(), channel, Interpolation::Linear, &times, values)
                    .expect("valid keys");
            }
        }
        let (skeleton, timeline): (&Skeleton, &Timeline) =
            (Box::leak(Box::new(skeleton)), Box::leak(Box::new(timeline.finish())));
        Ours { sampler: Sampler::new(skeleton, timeline), pose: Pose::default() }
    }

    fn sample(&mut self, time: f64) {
        self.sampler.sample(time, &mut self.pose);
    }

    fn values(&self) -> Vec<f32> {
        let values = |joint: &anim_formats::anim_ir::Transform| {
            let [translation, scale] = [joint.translation, joint.scale].map(|v| v.to_array());
            translation.into_iter().chain(joint.rotation.to_array()).chain(scale)
        };
        self.pose.transforms.iter().flat_map(values).collect()
    }
}

/// A track with separate times and values, as in most engines.
struct Track<T> {
    times: Vec<f32>,
    values: Vec<T>,
}

impl<T: Copy> Track<T> {
    /// For each joint, the part of its keys that starts at `first`.
    fn all<const N: usize>(first: usize, value: impl Fn([f32; N]) -> T) -> Vec<Track<T>> {
        let times: Vec<f32> = (0..KEYS).map(|key| (key as f64 / RATE) as f32).collect();
        let part = |key: &Key| value(std::array::from_fn(|at| key[first + at]));
        let track =
            |keys: &[Key]| Track { times: times.clone(), values: keys.iter().map(part).collect() };
        keys::all().chunks(KEYS).map(track).collect()
    }

    /// Returns the two keys around a time, and the position of the time between them, from 0 to 1.
    fn around(&self, time: f32) -> (T, T, f32) {
        let after = self.times.partition_point(|key| *key <= time).clamp(1, self.times.len() - 1);
        let (from, to) = (self.times[after - 1], self.times[after]);
        let part = ((time - from) / (to - from)).clamp(0.0, 1.0);
        (self.values[after - 1], self.values[after], part)
    }
}

/// A typical first implementation: for each track, a binary search and, for rotations, a slerp
/// with trigonometric functions.
pub struct Naive {
    vectors: [Vec<Track<[f32; 3]>>; 2],
    rotations: Vec<Track<[f32; 4]>>,
    pose: Vec<Key>,
}

impl Sample for Naive {
    fn new() -> Naive {
        let vectors = [0, 7].map(|first| Track::all(first, |value: [f32; 3]| value));
        let rotations = Track::all(3, |value: [f32; 4]| value);
        Naive { vectors, rotations, pose: vec![[0.0; 10]; JOINTS] }
    }

    fn sample(&mut self, time: f64) {
        let time = time as f32;
        for (joint, pose) in self.pose.iter_mut().enumerate() {
            for (tracks, first) in self.vectors.iter().zip([0, 7]) {
                let (a, b, t) = tracks[joint].around(time);
                for axis in 0..3 {
                    pose[first + axis] = a[axis] * (1.0 - t) + b[axis] * t;
                }
            }
            let (a, b, t) = self.rotations[joint].around(time);
            let dot: f32 = a.iter().zip(b).map(|(a, b)| a * b).sum();
            let angle = dot.abs().min(1.0).acos();
            let sin = angle.sin();
            let (wa, wb) = if sin < 1e-4 {
                (1.0 - t, t.copysign(dot))
            } else {
                (((1.0 - t) * angle).sin() / sin, ((t * angle).sin() / sin).copysign(dot))
            };
            for axis in 0..4 {
                pose[3 + axis] = a[axis] * wa + b[axis] * wb;
            }
        }
    }

    fn values(&self) -> Vec<f32> {
        self.pose.concat()
    }
}

/// The same with the interpolation functions of `bevy_math`.
pub struct Bevy {
    vectors: [Vec<Track<Vec3>>; 2],
    rotations: Vec<Track<Quat>>,
    pose: Vec<(Vec3, Quat, Vec3)>,
}

impl Sample for Bevy {
    fn new() -> Bevy {
        let vectors = [0, 7].map(|first| Track::all(first, Vec3::from_array));
        let rotations = Track::all(3, Quat::from_array);
        Bevy { vectors, rotations, pose: vec![Default::default(); JOINTS] }
    }

    fn sample(&mut self, time: f64) {
        let time = time as f32;
        for (joint, pose) in self.pose.iter_mut().enumerate() {
            let [moved, scaled] = [0, 1].map(|which| {
                let (a, b, t) = self.vectors[which][joint].around(time);
                a.lerp(b, t)
            });
            let (a, b, t) = self.rotations[joint].around(time);
            *pose = (moved, a.slerp(b, t), scaled);
        }
    }

    fn values(&self) -> Vec<f32> {
        let values = |(moved, turned, scaled): &(Vec3, Quat, Vec3)| {
            moved.to_array().into_iter().chain(turned.to_array()).chain(scaled.to_array())
        };
        self.pose.iter().flat_map(values).collect()
    }
}

/// A lower bound for any sampler: reads two keys of each joint, and blends all of their numbers
/// alike. Keys are equally spaced, so none is searched for; rotations are neither interpolated
/// along the sphere nor normalized.
pub struct Blend {
    /// The numbers of all joints for each key.
    rows: Vec<Vec<f32>>,
    pose: Vec<f32>,
}

impl Sample for Blend {
    const NAMES: [&'static str; 2] = ["vectors in play order", "vectors at random times"];

    fn new() -> Blend {
        let keys = keys::all();
        let row = |key| keys.iter().skip(key).step_by(KEYS).flatten().copied().collect();
        Blend { rows: (0..KEYS).map(row).collect(), pose: vec![0.0; JOINTS * 10] }
    }

    fn sample(&mut self, time: f64) {
        let from = ((time * RATE) as usize).min(KEYS - 2);
        let part = (time * RATE - from as f64) as f32;
        let (a, b) = (&self.rows[from], &self.rows[from + 1]);
        for (value, (a, b)) in self.pose.iter_mut().zip(a.iter().zip(b)) {
            *value = a * (1.0 - part) + b * part;
        }
    }

    fn values(&self) -> Vec<f32> {
        self.pose.clone()
    }
}

/// Samples in playback order.
pub fn playing<S: Sample>(_: &'static [u8]) -> Work {
    at_times::<S>(true)
}

/// Samples at random times.
pub fn at_random<S: Sample>(_: &'static [u8]) -> Work {
    at_times::<S>(false)
}
