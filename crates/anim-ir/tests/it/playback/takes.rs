//! Random clips with keys, for the implementation and for the oracle.

use std::collections::BTreeMap;

use anim_ir::{Channel, Interpolation, JointId, NodeId, Target, TimelineBuilder};
use test_oracle::play::Transform;
use test_oracle::play::clip::{Keys, weights_at};
use test_oracle::random::Rng;

/// The keys of a clip whose timeline starts at 0.
#[derive(Clone, Debug, Default)]
pub(super) struct Take {
    pub(super) duration: f64,
    pub(super) joints: Vec<Keys>,
    /// The morph weights of nodes.
    pub(super) weights: BTreeMap<usize, Vec<(f64, Vec<f64>)>>,
}

/// Rounds to a number that a key can have.
pub(super) fn single(number: f64) -> f64 {
    f64::from(number as f32)
}

/// Returns a random transform whose scale is the same along all axes.
pub(super) fn random_transform(rng: &mut Rng) -> Transform {
    Transform {
        translation: [0; 3].map(|_| single(rng.range(-2.0, 2.0))),
        rotation: rng.turn(80.0).map(single),
        scale: [single(rng.range(0.5, 1.5)); 3],
    }
}

impl Take {
    /// Returns a clip of up to 2 s, with keys at multiples of 1/8 s for some of the joints and
    /// nodes. `weights` are the numbers of morph targets of the nodes.
    pub(super) fn random(rng: &mut Rng, joints: usize, weights: &[usize]) -> Take {
        let eighths = rng.between(2, 16);
        let mut take = Take { duration: eighths as f64 / 8.0, ..Take::default() };
        for _ in 0..joints {
            let mut keys = Keys::default();
            let transform = |rng: &mut Rng| {
                let Transform { translation, rotation, .. } = random_transform(rng);
                (translation, rotation, [0; 3].map(|_| single(rng.range(0.5, 1.5))))
            };
            if rng.chance(70) {
                keys.translation = times(rng, eighths).map(|t| (t, transform(rng).0)).collect();
            }
            if rng.chance(70) {
                keys.rotation = times(rng, eighths).map(|t| (t, transform(rng).1)).collect();
            }
            if rng.chance(40) {
                keys.scale = times(rng, eighths).map(|t| (t, transform(rng).2)).collect();
            }
            if rng.chance(30) {
                keys.visible = times(rng, eighths).map(|t| (t, rng.chance(50))).collect();
            }
            take.joints.push(keys);
        }
        for (node, count) in weights.iter().enumerate() {
            if rng.chance(50) {
                let row =
                    |rng: &mut Rng| (0..*count).map(|_| single(rng.range(0.0, 1.0))).collect();
                take.weights.insert(node, times(rng, eighths).map(|t| (t, row(rng))).collect());
            }
        }
        take
    }

    /// Adds all keys to a timeline.
    pub(super) fn add_to(&self, builder: &mut TimelineBuilder) {
        for (joint, keys) in self.joints.iter().enumerate() {
            let target = JointId::new(joint).into();
            add(builder, target, Channel::Translation, &keys.translation);
            add(builder, target, Channel::Rotation, &keys.rotation);
            add(builder, target, Channel::Scale, &keys.scale);
            let visible: Vec<(f64, [f64; 1])> =
                keys.visible.iter().map(|(time, on)| (*time, [f64::from(u8::from(*on))])).collect();
            add(builder, target, Channel::Visibility, &visible);
        }
        for (node, keys) in &self.weights {
            add(builder, NodeId::new(*node).into(), Channel::MorphWeights, keys);
        }
    }

    /// Returns the weights of the nodes that the clip animates.
    pub(super) fn weights_at(&self, time: f64) -> BTreeMap<usize, Vec<f64>> {
        self.weights.iter().map(|(node, keys)| (*node, weights_at(keys, time))).collect()
    }
}

/// Returns up to four ascending times from 0 to the end.
fn times(rng: &mut Rng, eighths: usize) -> impl Iterator<Item = f64> + use<> {
    let times: std::collections::BTreeSet<usize> =
        (0..rng.between(1, 4)).map(|_| rng.below(eighths + 1)).collect();
    times.into_iter().map(|eighth| eighth as f64 / 8.0)
}

fn add<V: AsRef<[f64]>>(
    builder: &mut TimelineBuilder,
    target: Target,
    channel: Channel,
    keys: &[(f64, V)],
) {
    if keys.is_empty() {
        return;
    }
    let interpolation = match channel {
        Channel::Visibility => Interpolation::Step,
        _ => Interpolation::Linear,
    };
    let times: Vec<f32> = keys.iter().map(|key| key.0 as f32).collect();
    let values: Vec<f32> =
        keys.iter().flat_map(|key| key.1.as_ref()).map(|number| *number as f32).collect();
    crate::keys(builder, target, channel, interpolation, &times, &values);
}
