//! Playing several clips and state machines over each other.

#[cfg(test)]
mod tests;

use crate::play::crossing::Crossing;
use crate::play::layer::{Layer, at_rest};
use crate::play::posed::Posed;
use crate::{NodeId, Pose, PoseSpace, Scene, Skeleton, SkeletonId};

/// Plays layers over each other: an arm waves while the legs walk. In a game loop, call `advance`,
/// then `pose`. Once every layer has been played, these methods no longer allocate.
///
/// The result starts as the rest pose, and the layers are applied in order:
///
/// - An override layer interpolates translation, scale and morph weights linearly by its weight,
///   and rotations along the shorter arc. A joint is visible as in the last override layer that
///   moves it with at least half of the weight.
/// - An additive layer adds its weight times the difference of translation, scale and morph weights
///   from a reference, by default the rest pose, and multiplies by the rotation from the reference,
///   scaled by the weight.
///
/// A layer moves the joints that its clip names, or else those that its timeline animates, and of
/// these only the ones in its mask. It changes the morph weights of the nodes that it animates,
/// unless they are attached to a joint outside its mask. A layer of weight 1 replaces what is below
/// it exactly, and one of weight 0 changes nothing.
///
/// If the timelines of all layers have the same [`PoseSpace`], that is the space of the result;
/// otherwise it is [`PoseSpace::ParentRelative`].
///
/// ```
/// use anim_ir::{
///     Channel, Clip, Joint, JointMask, Layer, Mixer, Player, Pose, Scene, Skeleton,
///     TimelineBuilder,
/// };
///
/// let mut scene = Scene::default();
/// let mut skeleton = Skeleton::new("body");
/// let leg = skeleton.add_joint(Joint::new("leg", None));
/// let arm = skeleton.add_joint(Joint::new("arm", None));
/// let skeleton = scene.add_skeleton(skeleton);
/// for (joint, x) in [(leg, 1.0), (arm, 2.0)] {
///     let mut builder = TimelineBuilder::new("");
///     builder.constant(joint.into(), Channel::Translation, &[x, 0.0, 0.0])?;
///     let timeline = scene.add_timeline(builder.finish());
///     let joints = Some([joint].into());
///     scene.add_clip(Clip { timeline, joints, end: 1.0, ..Clip::default() });
/// }
///
/// let mut mixer = Mixer::new(&scene, skeleton).ok_or("no skeleton")?;
/// for (clip, _) in scene.enumerate_clips() {
///     mixer.layers.push(Layer::clip(Player::new(&scene, clip).ok_or("no clip")?));
/// }
/// mixer.layers[1].fade_to(0.0, 0.5);
/// for fired in mixer.advance(0.25) {
///     println!("layer {}: {}", fired.layer, fired.crossing.event.name);
/// }
/// let mut pose = Pose::default();
/// mixer.pose(&mut pose);
/// let x = |joint| pose.transform(joint).map(|transform| transform.translation.x);
/// assert_eq!((x(leg), x(arm)), (Some(1.0), Some(1.0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Mixer<'a> {
    /// The layers, from the lowest to the highest. They play clips and machines of the skeleton of
    /// the mixer.
    pub layers: Vec<Layer<'a>>,
    scene: &'a Scene,
    skeleton: &'a Skeleton,
    id: SkeletonId,
    morphing: Morphing,
}

/// Work space for morph weights, by the index of the node.
#[derive(Clone, Debug, Default)]
struct Morphing {
    /// The place of the node in the pose.
    places: Vec<Option<usize>>,
    /// Whether the new motion of a crossfade animates the node.
    is_new: Vec<bool>,
}

/// An event that a step of a [`Mixer`] crosses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LayerCrossing<'a> {
    /// The index of the layer.
    pub layer: usize,
    /// The weight of the layer at the end of the step.
    pub weight: f32,
    /// The event.
    pub crossing: Crossing<'a>,
}

/// The events that a step of a [`Mixer`] crosses, in the order in which they occur; at the same
/// moment, in the order of the layers. Those that are not taken before the next step are left out.
#[derive(Debug)]
pub struct MixerCrossings<'m, 'a>(&'m mut Mixer<'a>);

impl<'a> Iterator for MixerCrossings<'_, 'a> {
    type Item = LayerCrossing<'a>;

    fn next(&mut self) -> Option<LayerCrossing<'a>> {
        let layers = self.0.layers.iter_mut().enumerate();
        let next = layers.filter_map(|(layer, of)| Some((layer, of.next_after()?)));
        let (layer, _) = next.min_by(|(_, a), (_, b)| a.total_cmp(b))?;
        let of = self.0.layers.get_mut(layer)?;
        Some(LayerCrossing { layer, weight: of.weight(), crossing: of.next_crossing()? })
    }
}

impl<'a> Mixer<'a> {
    /// Creates a mixer without layers. Returns `None` if the skeleton does not exist in the scene.
    pub fn new(scene: &'a Scene, skeleton: SkeletonId) -> Option<Mixer<'a>> {
        let (id, skeleton) = (skeleton, scene.skeleton(skeleton)?);
        Some(Mixer { layers: Vec::new(), scene, skeleton, id, morphing: Morphing::default() })
    }

    /// Returns the skeleton that the layers move.
    pub const fn skeleton(&self) -> &'a Skeleton {
        self.skeleton
    }

    /// Advances the time of all layers and fades. Clips go back in time if `seconds` is negative;
    /// state machines and fades then stand still. A non-finite value has no effect.
    ///
    /// Returns the events that the step crosses in all layers, whatever their weight. During a
    /// synchronised crossfade, the moments of events are computed as if the rate of the step were
    /// constant.
    pub fn advance(&mut self, seconds: f64) -> MixerCrossings<'_, 'a> {
        let seconds = if seconds.is_finite() { seconds } else { 0.0 };
        self.layers.iter_mut().for_each(|layer| layer.advance(seconds));
        MixerCrossings(self)
    }

    /// Computes the current pose. Only the first call with a given `pose` allocates.
    pub fn pose(&mut self, pose: &mut Pose) {
        let skeleton = self.skeleton;
        self.layers.iter_mut().for_each(Layer::sample);
        pose.space = match self.layers.first() {
            Some(layer) => layer.space(),
            None => PoseSpace::default(),
        };
        if !self.layers.iter().all(|layer| layer.spaces().all(|space| space == pose.space)) {
            pose.space = PoseSpace::ParentRelative;
            self.layers.iter_mut().for_each(|layer| layer.make_parent_relative(skeleton));
        }
        let space = pose.space;
        pose.transforms.clear();
        pose.transforms.extend(skeleton.joints.iter().map(|joint| at_rest(joint, space)));
        let hides = |posed: &Posed| !posed.pose.visible.is_empty();
        let hide = |layer: &Layer<'_>| {
            let (old, new, _) = layer.parts();
            old.is_some_and(hides) || hides(new)
        };
        pose.visible.clear();
        if self.layers.iter().any(hide) || skeleton.joints.iter().any(|joint| !joint.visible) {
            pose.visible.extend(skeleton.joints.iter().map(|joint| joint.visible));
        }
        for layer in &self.layers {
            apply_joints(layer, skeleton, pose);
        }
        self.morph(pose);
    }

    /// Computes the morph weights of a pose.
    fn morph(&mut self, pose: &mut Pose) {
        let Mixer { layers, scene, id, morphing: Morphing { places, is_new }, .. } = self;
        let nodes = scene.nodes.len();
        places.clear();
        places.resize(nodes, None);
        is_new.resize(nodes, false);
        let mut count = 0;
        for layer in layers.iter() {
            let mut add = |node: NodeId, values: &[f32], weight: f32| {
                let Some(found) = scene.node(node) else { return };
                let parent = found.parent.filter(|parent| parent.skeleton == *id);
                if parent.is_some_and(|parent| !layer.has(parent.joint.index())) {
                    return;
                }
                let mesh = found.mesh.and_then(|mesh| scene.mesh(mesh));
                let rest = mesh.map_or(&[][..], |mesh| mesh.morph_weights.as_slice());
                let Some(place) = places.get_mut(node.index()) else { return };
                let place = *place.get_or_insert_with(|| {
                    set(pose, count, node, rest);
                    count = count.saturating_add(1);
                    count.saturating_sub(1)
                });
                if let Some((_, result)) = pose.morph_weights.get_mut(place) {
                    layer.apply_weights(node, rest, (values, weight), result);
                }
            };
            let (old, new, share) = layer.parts();
            let weight = layer.weight();
            if let Some(old) = old {
                mark(is_new, new, true);
                for (node, values) in &old.pose.morph_weights {
                    // A node that both animate is interpolated again below. After that, this is
                    // the share of the old motion.
                    let again = is_new.get(node.index()) == Some(&true);
                    let left =
                        if again && !layer.is_additive() { 1.0 - weight * share } else { 1.0 };
                    add(*node, values, weight * (1.0 - share) / left.max(f32::MIN_POSITIVE));
                }
                mark(is_new, new, false);
            }
            for (node, values) in &new.pose.morph_weights {
                add(*node, values, weight * share);
            }
        }
        pose.morph_weights.truncate(count);
    }
}

/// Marks the nodes that a motion animates.
fn mark(nodes: &mut [bool], posed: &Posed, is_animated: bool) {
    for (node, _) in &posed.pose.morph_weights {
        if let Some(mark) = nodes.get_mut(node.index()) {
            *mark = is_animated;
        }
    }
}

/// Applies a layer to the joints of a pose.
fn apply_joints(layer: &Layer<'_>, skeleton: &Skeleton, pose: &mut Pose) {
    let (old, new, share) = layer.parts();
    let whole = layer.weight();
    if whole <= 0.0 {
        return;
    }
    let space = pose.space;
    for ((id, joint), result) in skeleton.enumerate_joints().zip(&mut pose.transforms) {
        let index = id.index();
        if !layer.has(index) {
            continue;
        }
        let before = old.filter(|old| old.moves(index));
        let after = Some(new).filter(|new| new.moves(index));
        let of = |posed: &Posed| posed.pose.transform(id).copied();
        let (value, weight, shown) = match (before, after) {
            (Some(before), Some(after)) => {
                let value = of(before).zip(of(after)).map(|(a, b)| a.lerp(b, share));
                (value, whole, if share >= 0.5 { after } else { before })
            }
            (None, Some(after)) => (of(after), whole * share, after),
            (Some(before), None) => (of(before), whole * (1.0 - share), before),
            (None, None) => continue,
        };
        let Some(value) = value else { continue };
        layer.apply((id, joint), space, (&value, weight), result);
        if !layer.is_additive()
            && weight >= 0.5
            && let Some(visible) = pose.visible.get_mut(index)
        {
            *visible = shown.pose.visible.get(index).copied().unwrap_or(true);
        }
    }
}

/// Sets the weights of a node at a place in a pose, reusing memory.
fn set(pose: &mut Pose, place: usize, node: NodeId, weights: &[f32]) {
    if place >= pose.morph_weights.len() {
        pose.morph_weights.push((node, Vec::new()));
    }
    if let Some((of, own)) = pose.morph_weights.get_mut(place) {
        *of = node;
        own.clear();
        own.extend_from_slice(weights);
    }
}
