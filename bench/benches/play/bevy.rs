//! The same four layers, blended as `animate_targets` of bevy_animation does it for each entity:
//! curves are applied and blended in its evaluators, which write a `Transform`.
//!
//! It runs without an app. Looking up the graph, the assets and the player is not included, so Bevy
//! does more than this. The weights are normalised.

use std::hint::black_box;

use bevy_animation::animation_curves::{
    AnimatableCurve, AnimatableKeyframeCurve, AnimationCurve, AnimationCurveEvaluator,
};
use bevy_animation::graph::AnimationNodeIndex;
use bevy_animation::prelude::Animatable;
use bevy_animation::{AnimationEntityMut, animated_field};
use bevy_ecs::world::World;
use bevy_math::{Quat, Vec3};
use bevy_transform::components::Transform;
use criterion::BenchmarkGroup;
use criterion::measurement::WallTime;

use super::{JOINTS, KEYS, LAYERS, STEPS, rotation, scale, translation};

/// The curves of a joint's channel, one for each layer, and their evaluator.
struct Channel {
    curves: Vec<Box<dyn AnimationCurve>>,
    evaluator: Box<dyn AnimationCurveEvaluator>,
}

impl Channel {
    fn new(curve: impl Fn(usize) -> Box<dyn AnimationCurve>) -> Channel {
        let curves: Vec<_> = (0..LAYERS).map(curve).collect();
        let evaluator = curves[0].create_evaluator();
        Channel { curves, evaluator }
    }

    fn blend(&mut self, time: f32) {
        let node = |layer: usize| AnimationNodeIndex::new(layer + 1);
        for (layer, curve) in self.curves.iter().enumerate() {
            curve.apply(&mut *self.evaluator, time, 0.4, node(layer)).unwrap();
        }
        for layer in (0..LAYERS).rev() {
            self.evaluator.blend(node(layer)).unwrap();
        }
        self.evaluator.push_blend_register(1.0, node(LAYERS)).unwrap();
    }
}

fn keyed<T: Animatable>(value: impl Fn(usize) -> T) -> AnimatableKeyframeCurve<T> {
    let keys = (0..KEYS).map(|key| (key as f32 / 30.0, value(key)));
    AnimatableKeyframeCurve::new(keys).unwrap()
}

pub fn mix(group: &mut BenchmarkGroup<'_, WallTime>) {
    let mut world = World::new();
    let mut joints: Vec<_> = (0..JOINTS)
        .map(|joint| {
            let channels = [
                Channel::new(|layer| {
                    let value = |key| Vec3::from_array(translation(layer, joint, key));
                    Box::new(AnimatableCurve::new(
                        animated_field!(Transform::translation),
                        keyed(value),
                    ))
                }),
                Channel::new(|layer| {
                    let value = |key| Quat::from_array(rotation(layer, joint, key));
                    Box::new(AnimatableCurve::new(
                        animated_field!(Transform::rotation),
                        keyed(value),
                    ))
                }),
                Channel::new(|layer| {
                    let value = |key| Vec3::from_array(scale(layer, joint, key));
                    Box::new(AnimatableCurve::new(animated_field!(Transform::scale), keyed(value)))
                }),
            ];
            (world.spawn(Transform::default()).id(), channels)
        })
        .collect();
    let mut entities = world.query::<AnimationEntityMut>();
    let mut time = 0.0;
    let mut step = |world: &mut World| {
        time = (time + 0.01) % ((KEYS - 1) as f32 / 30.0);
        for (entity, channels) in &mut joints {
            for channel in channels {
                channel.blend(time);
                channel.evaluator.commit(entities.get_mut(world, *entity).unwrap()).unwrap();
            }
        }
        time
    };
    let time = step(&mut world);
    let moved = world.query::<&Transform>().iter(&world).next().unwrap().translation;
    let key = (time * 30.0).floor() as usize;
    let expected: f32 = (0..LAYERS)
        .map(|layer| {
            let [from, to] = [key, key + 1].map(|key| translation(layer, 0, key)[0]);
            (from + (to - from) * (time * 30.0).fract()) / LAYERS as f32
        })
        .sum();
    assert!((moved.x - expected).abs() < 1e-5, "{moved:?} instead of {expected}");
    group.bench_function("four layers in bevy_animation", |bencher| {
        bencher.iter(|| {
            for _ in 0..STEPS {
                black_box(step(&mut world));
            }
        });
    });
}
