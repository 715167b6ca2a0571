//! What the clips of a scene move.

use std::collections::HashSet;

use anim_ir::{Channel, JointRef, NodeId, Scene, SkeletonId, Target};

/// The targets of tracks.
#[derive(Debug, Default)]
pub(super) struct Moving {
    /// Joints that move.
    pub(super) joints: HashSet<JointRef>,
    /// Joints that are hidden, always or for a time.
    pub(super) hidden: HashSet<JointRef>,
    /// Nodes whose morph weights change.
    pub(super) morphed: HashSet<NodeId>,
    /// What clips move, in the order of the tracks. Nodes have no skeleton.
    pub(super) channels: Vec<(Option<SkeletonId>, Target, Channel)>,
}

impl Moving {
    pub(super) fn of(scene: &Scene) -> Moving {
        let mut moving = Moving::default();
        for (skeleton, joints) in scene.enumerate_skeletons() {
            let hidden = joints.enumerate_joints().filter(|(_, joint)| !joint.visible);
            moving.hidden.extend(hidden.map(|(joint, _)| JointRef { skeleton, joint }));
        }
        let mut known = HashSet::new();
        for clip in &scene.clips {
            let Some(timeline) = scene.timeline(clip.timeline) else { continue };
            for track in timeline.tracks() {
                let skeleton = track.joint().map(|_| timeline.skeleton);
                let channel = (skeleton, track.target, track.channel);
                if known.insert(channel) {
                    moving.channels.push(channel);
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
