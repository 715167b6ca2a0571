//! Joints with translation, rotation and scale keys: ten seconds at 30 keys per second. Also the
//! times at which to sample them.

use std::array;

use test_oracle::math::slerp;
use test_oracle::random::Rng;

use crate::contender::found;
use crate::inputs::Made;

pub const JOINTS: usize = 64;
pub const KEYS: usize = 300;
pub const RATE: f64 = 30.0;
/// The number of sample times, and how often a run goes through them.
pub const SAMPLES: usize = 1000;
pub const REPEATS: usize = 50;

/// A key: translation, rotation (x, y, z, w) and scale.
pub type Key = [f32; 10];

/// The keys of all joints, grouped by joint.
pub fn all() -> Vec<Key> {
    let mut keys = Vec::with_capacity(JOINTS * KEYS);
    for joint in 0..JOINTS {
        for key in 0..KEYS {
            let wave = |speed: f64| (key as f64 * speed + joint as f64).sin();
            let half = wave(0.2);
            let axis = [wave(0.05), 1.0, 0.3];
            let length = axis.iter().map(|x| x * x).sum::<f64>().sqrt();
            let turn = axis.map(|x| x / length * half.sin());
            let moved = [wave(0.1), wave(0.2), wave(0.3)];
            let scale = moved.map(|x| 1.0 + x / 10.0);
            let all = moved.into_iter().chain(turn).chain([half.cos()]).chain(scale);
            let all: Vec<f32> = all.map(|value| value as f32).collect();
            keys.push(array::from_fn(|at| all[at]));
        }
    }
    keys
}

pub fn times(in_order: bool) -> Vec<f64> {
    let last = (KEYS - 1) as f64 / RATE;
    let mut rng = Rng::new(1);
    let at = |sample: usize| last * sample as f64 / SAMPLES as f64;
    (0..SAMPLES).map(|sample| if in_order { at(sample) } else { rng.range(0.0, last) }).collect()
}

/// Computes the expected results: sums of the absolute values of all poses. The file is empty,
/// since contenders build the keys themselves.
pub fn make() -> Made {
    let keys = all();
    let sum = |in_order, as_vectors| {
        let poses = times(in_order).into_iter().flat_map(|time| {
            keys.chunks(KEYS).map(move |of_joint| {
                let at = (time * RATE).floor().min((KEYS - 2) as f64);
                let (a, b, t) =
                    (of_joint[at as usize], of_joint[at as usize + 1], time * RATE - at);
                let lerp = |at: usize| f64::from(a[at]) * (1.0 - t) + f64::from(b[at]) * t;
                let turn = |key: Key| array::from_fn(|at| f64::from(key[3 + at]));
                let rotation = if as_vectors {
                    array::from_fn(|at| lerp(3 + at))
                } else {
                    slerp(turn(a), turn(b), t)
                };
                let moved = [0, 1, 2, 7, 8, 9].map(|at| lerp(at).abs()).iter().sum::<f64>();
                moved + rotation.iter().map(|x| x.abs()).sum::<f64>()
            })
        });
        poses.sum::<f64>()
    };
    let found = found([
        ("joint poses", (REPEATS * SAMPLES * JOINTS) as f64),
        ("play order", sum(true, false)),
        ("random times", sum(false, false)),
        ("vectors in play order", sum(true, true)),
        ("vectors at random times", sum(false, true)),
    ]);
    Made { bytes: Vec::new(), found }
}
