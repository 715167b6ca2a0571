//! Targets of tracks in the glTF file.

use anim_ir::double::{IDENTITY, to_matrix};
use anim_ir::{Channel, Joint, JointRef, PoseSpace, Scene, Target, Timeline, Track, Transform};

use crate::math::unit;
use crate::write::hierarchy::{Hierarchy, JointNodes};
use crate::write::keys::KeyMap;

/// The object that a track animates.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Moved<'a, 'b> {
    Joint(&'b JointNodes, &'a Joint),
    Node(usize),
}

/// The objects that tracks can animate.
#[derive(Clone, Copy)]
pub(crate) struct Targets<'a, 'b> {
    pub(crate) scene: &'a Scene,
    pub(crate) tree: &'b Hierarchy<'b>,
}

impl<'a, 'b> Targets<'a, 'b> {
    /// Returns the target of a track, or `None` if glTF cannot animate it.
    pub(crate) fn find(self, timeline: &Timeline, track: &Track) -> Option<Moved<'a, 'b>> {
        match (track.target, track.channel) {
            (
                Target::Joint(joint),
                Channel::Translation | Channel::Rotation | Channel::Scale | Channel::Visibility,
            ) => {
                let joint = JointRef { skeleton: timeline.skeleton, joint };
                let (nodes, joint) = (self.tree.joint(joint)?, self.scene.joint(joint)?);
                let is_lost = track.channel == Channel::Visibility && nodes.switch.is_none();
                (!is_lost).then_some(Moved::Joint(nodes, joint))
            }
            (Target::Node(node), Channel::MorphWeights) => {
                let node = self.tree.of_scene(node)?;
                self.tree.nodes.get(node)?.mesh.map(|_| Moved::Node(node))
            }
            _ => None,
        }
    }

    /// Returns the node that a track animates in the glTF file, and the conversion of its values.
    pub(crate) fn destination(
        self,
        timeline: &Timeline,
        track: &Track,
        moved: &Moved<'_, '_>,
    ) -> (usize, KeyMap) {
        let plain =
            if track.channel == Channel::Rotation { KeyMap::Rotation(None) } else { KeyMap::Copy };
        match moved {
            Moved::Joint(nodes, _) if track.channel == Channel::Visibility => {
                let switch = nodes.switch.unwrap_or(nodes.node);
                (switch, if self.tree.is_flagged(switch) { KeyMap::Flag } else { KeyMap::Show })
            }
            Moved::Node(node) => (*node, KeyMap::Copy),
            Moved::Joint(nodes, joint) => match (timeline.pose_space, &nodes.helper) {
                (PoseSpace::DeltaFromRest, None) => {
                    (nodes.node, with_rest(&joint.rest, track.channel))
                }
                (PoseSpace::DeltaFromRest, Some(helper)) => match (helper.turn, track.channel) {
                    (Some(turn), Channel::Translation) => {
                        (nodes.node, KeyMap::Affine(to_matrix(turn), [0.0; 3]))
                    }
                    (Some(turn), Channel::Rotation) => (nodes.node, KeyMap::Rotation(Some(turn))),
                    _ => (nodes.node, plain),
                },
                (_, None) => (nodes.node, plain),
                (_, Some(helper)) => (helper.node, plain),
            },
        }
    }
}

/// Returns the node property to which a channel is written. Visibility becomes a scale of 0 or 1.
pub(crate) const fn path(channel: Channel) -> &'static str {
    match channel {
        Channel::Visibility => Channel::Scale.name(),
        other => other.name(),
    }
}

/// Returns the conversion of one channel's values that applies `rest` to `T · R · S`. The product
/// is also a translation, rotation and scale because the scale of `rest` is uniform or `R` is
/// absent.
fn with_rest(rest: &Transform, channel: Channel) -> KeyMap {
    let turn = unit(rest.rotation.to_f64());
    let scale = rest.scale.to_f64();
    match channel {
        Channel::Rotation => KeyMap::Rotation(Some(turn).filter(|turn| *turn != IDENTITY)),
        Channel::Scale if scale != [1.0; 3] => KeyMap::Factors(scale),
        Channel::Translation if *rest != Transform::IDENTITY => {
            let [a, b, c] = to_matrix(turn);
            let [x, y, z] = scale;
            KeyMap::Affine(
                [a.map(|e| e * x), b.map(|e| e * y), c.map(|e| e * z)],
                rest.translation.to_f64(),
            )
        }
        _ => KeyMap::Copy,
    }
}
