//! What moves in a scene, and what moves with it.

use std::collections::{HashMap, HashSet};

use anim_ir::{Channel, JointRef, NodeId, Scene, SkeletonId, Target};

/// The targets of tracks, and what belongs to joints.
#[derive(Debug, Default)]
pub(super) struct Moving {
    /// Joints that move.
    pub(super) joints: HashSet<JointRef>,
    /// Joints that are hidden, always or for a time.
    pub(super) hidden: HashSet<JointRef>,
    /// Nodes whose morph weights change.
    pub(super) morphed: HashSet<NodeId>,
    /// What clips move, in the order of the tracks, by skeleton. Nodes have none.
    pub(super) channels: HashMap<Option<SkeletonId>, Vec<(Target, Channel)>>,
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
        let mut known = HashSet::new();
        for clip in &scene.clips {
            let Some(timeline) = scene.timeline(clip.timeline) else { continue };
            for track in timeline.tracks() {
                let skeleton = track.joint().map(|_| timeline.skeleton);
                if known.insert((skeleton, track.target, track.channel)) {
                    let channels = moving.channels.entry(skeleton).or_default();
                    channels.push((track.target, track.channel));
                }
                match track.target {
                    Target::Joint(joint) => {
                        let at = JointRef { skeleton: timeline.skeleton, joint };
                        let is_hidden = track.channel == Channel::Visibility;
                        if is_hidden { &mut moving.hidden } else { &mut moving.joints }.insert(at);
                    }
                    Target::Node(node) => {
                        moving.morphed.insert(node);
                    }
                    _ => {}
                }
            }
        }
        moving
    }
}
