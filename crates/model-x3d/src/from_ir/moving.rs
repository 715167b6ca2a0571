//! What moves in a scene, and what moves with it.

use std::collections::{HashMap, HashSet};

use anim_ir::{Channel, Clip, JointId, JointRef, NodeId, Scene, SkeletonId, Target};

/// The targets of tracks, and what belongs to joints.
#[derive(Debug, Default)]
pub(super) struct Moving {
    /// Joints that move.
    pub(super) joints: HashSet<JointRef>,
    /// Joints that are hidden, always or for a time.
    pub(super) hidden: HashSet<JointRef>,
    /// Nodes whose morph weights change.
    pub(super) morphed: HashSet<NodeId>,
    /// The same nodes, in the order of the tracks.
    nodes: Vec<NodeId>,
    /// The joints that tracks move or hide, by skeleton, in the order of the tracks.
    order: HashMap<SkeletonId, Vec<JointId>>,
    channels: HashMap<JointRef, Vec<Channel>>,
    /// Joints to which shapes or cameras are attached.
    pub(super) carrying: HashSet<JointRef>,
    /// The nodes with skins, by skeleton.
    pub(super) skinned: HashMap<SkeletonId, Vec<NodeId>>,
}

impl Moving {
    pub(super) fn of(scene: &Scene) -> Moving {
        let mut moving = Moving::default();
        for (skeleton, joints) in scene.enumerate_skeletons() {
            let hidden = joints.enumerate_joints().filter(|(_, joint)| !joint.visible);
            moving.hidden.extend(hidden.map(|(joint, _)| JointRef { skeleton, joint }));
        }
        for (id, node) in scene.enumerate_nodes() {
            match node.skin.and_then(|skin| scene.skin(skin)) {
                Some(skin) => moving.skinned.entry(skin.skeleton).or_default().push(id),
                None => moving.carrying.extend(node.parent),
            }
        }
        for clip in &scene.clips {
            let Some(timeline) = scene.timeline(clip.timeline) else { continue };
            for track in timeline.tracks() {
                match track.target {
                    Target::Joint(joint) => {
                        let at = JointRef { skeleton: timeline.skeleton, joint };
                        let is_hidden = track.channel == Channel::Visibility;
                        if is_hidden { &mut moving.hidden } else { &mut moving.joints }.insert(at);
                        moving.add(at, track.channel);
                    }
                    Target::Node(node) if moving.morphed.insert(node) => moving.nodes.push(node),
                    _ => {}
                }
            }
        }
        moving
    }

    fn add(&mut self, at: JointRef, channel: Channel) {
        let channels = self.channels.entry(at).or_default();
        if channels.is_empty() {
            self.order.entry(at.skeleton).or_default().push(at.joint);
        }
        if !channels.contains(&channel) {
            channels.push(channel);
        }
    }

    /// Returns what any clip moves among the targets of one: nodes, which have no skeleton, and
    /// joints. If the clip names a few joints, no others are visited, since there may be as many
    /// joints as clips.
    pub(super) fn in_clip<'m>(
        &'m self,
        skeleton: SkeletonId,
        clip: &'m Clip,
    ) -> impl Iterator<Item = (Option<SkeletonId>, Target, Channel)> + 'm {
        let all = self.order.get(&skeleton).map_or(&[][..], Vec::as_slice);
        let named = clip.joints.as_ref().filter(|joints| joints.len() < all.len());
        let all = if named.is_some() { &[] } else { all };
        let joints = named.into_iter().flatten();
        let joints = joints.chain(all.iter().filter(|joint| clip.has_joint(**joint)));
        let joints = joints.flat_map(move |joint| {
            let channels = self.channels.get(&JointRef { skeleton, joint: *joint });
            let channels = channels.into_iter().flatten();
            channels.map(move |channel| (Some(skeleton), Target::Joint(*joint), *channel))
        });
        let nodes = self.nodes.iter();
        joints.chain(nodes.map(|node| (None, Target::Node(*node), Channel::MorphWeights)))
    }
}
