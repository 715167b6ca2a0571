//! Layers of motion, mixed in order.

use std::collections::BTreeMap;

use super::Transform;
use crate::math::{lerp, quaternion_product, slerp};

/// What is mixed: joints and nodes with morph weights.
#[derive(Clone, Debug)]
pub struct Rig {
    /// The rest pose, relative to the parents.
    pub rest: Vec<Transform>,
    /// Whether each joint is visible at rest.
    pub visible: Vec<bool>,
    pub nodes: Vec<Node>,
}

/// A node whose mesh has morph targets.
#[derive(Clone, Debug)]
pub struct Node {
    /// The joint to which the node is attached.
    pub joint: Option<usize>,
    /// The weights of the mesh.
    pub weights: Vec<f64>,
}

/// A pose. The transforms are relative to the parent or, in a motion of deltas, to the rest pose.
#[derive(Clone, Debug, PartialEq)]
pub struct Pose {
    pub transforms: Vec<Transform>,
    pub visible: Vec<bool>,
    /// The morph weights by node.
    pub weights: BTreeMap<usize, Vec<f64>>,
}

/// What a clip or a state machine shows at a moment.
#[derive(Clone, Debug)]
pub struct Motion {
    /// The pose, with the weights of the nodes that are animated.
    pub pose: Pose,
    /// Whether it moves each joint.
    pub moves: Vec<bool>,
    /// Whether the transforms are relative to the rest pose.
    pub deltas: bool,
}

/// A layer.
#[derive(Clone, Debug)]
pub struct Layer {
    /// The motion, or the old one during a crossfade.
    pub motion: Motion,
    /// The new motion of a crossfade, and its share.
    pub fading_to: Option<(Motion, f64)>,
    pub weight: f64,
    /// The joints that the layer may move; `None` for all.
    pub mask: Option<Vec<bool>>,
    pub kind: Kind,
}

/// How a layer is applied.
#[derive(Clone, Debug)]
pub enum Kind {
    Override,
    /// Adds the difference from a reference, or from the rest pose.
    Additive(Option<Reference>),
}

/// The pose from which differences are taken.
#[derive(Clone, Debug)]
pub struct Reference {
    pub pose: Pose,
    /// Whether the transforms are relative to the rest pose.
    pub deltas: bool,
}

/// The result of all layers.
#[derive(Clone, Debug)]
pub struct Mixed {
    pub pose: Pose,
    /// Whether the transforms are relative to the rest pose.
    pub deltas: bool,
    /// How clear the choice of the shorter arc was: the smallest absolute dot product of two
    /// rotations that were interpolated.
    pub clarity: f64,
}

/// A value that a layer has for a joint or node, with the weight that it has there.
struct Part<T> {
    value: T,
    weight: f64,
}

/// Mixes layers over the rest pose.
pub fn mix(rig: &Rig, layers: &[Layer]) -> Mixed {
    let deltas = !layers.is_empty() && layers.iter().all(Layer::is_of_deltas);
    let base = |joint: usize| if deltas { Transform::IDENTITY } else { rig.rest[joint] };
    let weights = rig.nodes.iter().map(|node| node.weights.clone()).enumerate().collect();
    let transforms = (0..rig.rest.len()).map(base).collect();
    let mut pose = Pose { transforms, visible: rig.visible.clone(), weights };
    let mut mixer = Mixer { rig, deltas, clarity: 1.0 };
    for layer in layers {
        let masked = |joint: usize| layer.mask.as_ref().is_none_or(|mask| mask[joint]);
        for joint in (0..rig.rest.len()).filter(|joint| masked(*joint)) {
            mixer.apply_to_joint(layer, joint, &mut pose);
        }
        for (node, of) in rig.nodes.iter().enumerate() {
            if of.joint.is_none_or(masked) {
                mixer.apply_to_node(layer, node, &mut pose);
            }
        }
    }
    Mixed { pose, deltas, clarity: mixer.clarity }
}

impl Layer {
    /// Whether everything in the layer is relative to the rest pose.
    fn is_of_deltas(&self) -> bool {
        let new = self.fading_to.as_ref().is_none_or(|(motion, _)| motion.deltas);
        let reference = match &self.kind {
            Kind::Additive(Some(reference)) => reference.deltas,
            Kind::Additive(None) | Kind::Override => true,
        };
        self.motion.deltas && new && reference
    }
}

struct Mixer<'a> {
    rig: &'a Rig,
    deltas: bool,
    clarity: f64,
}

impl Mixer<'_> {
    fn apply_to_joint(&mut self, layer: &Layer, joint: usize, pose: &mut Pose) {
        let old = layer.motion.moves[joint].then_some(&layer.motion);
        let new = layer.fading_to.as_ref().filter(|(motion, _)| motion.moves[joint]);
        let fading = layer.fading_to.as_ref().map(|(_, share)| *share);
        let of = |motion: &Motion| {
            (self.converted(&motion.pose, motion.deltas, joint), motion.pose.visible[joint])
        };
        let part = match (old.map(of), new.map(|(motion, _)| of(motion)), fading) {
            (None, None, _) => return,
            (Some(value), None, None) => Part { value, weight: layer.weight },
            (Some(value), None, Some(share)) => {
                Part { value, weight: layer.weight * (1.0 - share) }
            }
            (None, Some(value), share) => Part { value, weight: layer.weight * share.unwrap() },
            (Some(old), Some(new), share) => {
                let share = share.unwrap();
                let transform = self.interpolate(&old.0, &new.0, share);
                let visible = if share >= 0.5 { new.1 } else { old.1 };
                Part { value: (transform, visible), weight: layer.weight }
            }
        };
        let Part { value: (transform, visible), weight } = part;
        let below = pose.transforms[joint];
        pose.transforms[joint] = match &layer.kind {
            Kind::Override => self.interpolate(&below, &transform, weight),
            Kind::Additive(reference) => {
                let reference = self.reference(reference.as_ref(), joint);
                self.add(&below, &reference, &transform, weight)
            }
        };
        if matches!(layer.kind, Kind::Override) && weight >= 0.5 {
            pose.visible[joint] = visible;
        }
    }

    fn apply_to_node(&self, layer: &Layer, node: usize, pose: &mut Pose) {
        let old = layer.motion.pose.weights.get(&node);
        let new = layer
            .fading_to
            .as_ref()
            .map(|(motion, share)| (motion.pose.weights.get(&node), *share));
        let part = match (old, new) {
            (None, None | Some((None, _))) => return,
            (Some(old), None) => Part { value: old.clone(), weight: layer.weight },
            (Some(old), Some((None, share))) => {
                Part { value: old.clone(), weight: layer.weight * (1.0 - share) }
            }
            (None, Some((Some(new), share))) => {
                Part { value: new.clone(), weight: layer.weight * share }
            }
            (Some(old), Some((Some(new), share))) => {
                let value = old.iter().zip(new).map(|(a, b)| a + (b - a) * share).collect();
                Part { value, weight: layer.weight }
            }
        };
        let own = &self.rig.nodes[node].weights;
        let reference = match &layer.kind {
            Kind::Override => None,
            Kind::Additive(None) => Some(own),
            Kind::Additive(Some(reference)) => {
                Some(reference.pose.weights.get(&node).unwrap_or(own))
            }
        };
        let below = pose.weights.get_mut(&node).unwrap();
        for (index, below) in below.iter_mut().enumerate() {
            let from = reference.map_or(*below, |reference| reference[index]);
            *below += part.weight * (part.value[index] - from);
        }
    }

    /// Returns a transform in the space of the result.
    fn converted(&self, pose: &Pose, deltas: bool, joint: usize) -> Transform {
        let own = pose.transforms[joint];
        if deltas && !self.deltas { self.rig.rest[joint].mul(&own) } else { own }
    }

    /// Returns the reference of an additive layer in the space of the result.
    fn reference(&self, reference: Option<&Reference>, joint: usize) -> Transform {
        match reference {
            Some(reference) => self.converted(&reference.pose, reference.deltas, joint),
            None if self.deltas => Transform::IDENTITY,
            None => self.rig.rest[joint],
        }
    }

    fn interpolate(&mut self, from: &Transform, to: &Transform, weight: f64) -> Transform {
        Transform {
            translation: lerp(from.translation, to.translation, weight),
            rotation: self.slerp(from.rotation, to.rotation, weight),
            scale: lerp(from.scale, to.scale, weight),
        }
    }

    fn add(
        &mut self,
        below: &Transform,
        reference: &Transform,
        own: &Transform,
        weight: f64,
    ) -> Transform {
        let sum = |below: [f64; 3], from: [f64; 3], to: [f64; 3]| {
            std::array::from_fn(|i| below[i] + weight * (to[i] - from[i]))
        };
        let [x, y, z, w] = reference.rotation;
        let turn = quaternion_product([-x, -y, -z, w], own.rotation);
        let part = self.slerp([0.0, 0.0, 0.0, 1.0], turn, weight);
        Transform {
            translation: sum(below.translation, reference.translation, own.translation),
            rotation: quaternion_product(below.rotation, part),
            scale: sum(below.scale, reference.scale, own.scale),
        }
    }

    fn slerp(&mut self, from: [f64; 4], to: [f64; 4], weight: f64) -> [f64; 4] {
        let dot: f64 = (0..4).map(|i| from[i] * to[i]).sum();
        self.clarity = self.clarity.min(dot.abs());
        slerp(from, to, weight)
    }
}

/// Returns the weight of a layer some seconds after the start of a fade.
pub fn faded(from: f64, to: f64, seconds: f64, elapsed: f64) -> f64 {
    if elapsed >= seconds { to } else { from + (to - from) * elapsed / seconds }
}

/// Returns the rounds that both clips of a synchronised crossfade have played after some seconds,
/// given the rates of the old and the new clip in rounds per second: the sum of many short steps.
/// After the crossfade, the new clip plays at its own rate.
pub fn synchronised_rounds(rates: [f64; 2], seconds: f64, elapsed: f64) -> f64 {
    const STEPS: usize = 1000;
    let fading = elapsed.min(seconds);
    let step = fading / STEPS as f64;
    let rate = |step_number: usize| {
        let middle = (step_number as f64 + 0.5) * step;
        faded(rates[0], rates[1], seconds, middle)
    };
    let during: f64 = (0..STEPS).map(|number| rate(number) * step).sum();
    during + (elapsed - fading) * rates[1]
}
