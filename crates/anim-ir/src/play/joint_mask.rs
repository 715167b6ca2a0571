//! Sets of joints.

use crate::{Clip, JointId, Skeleton, Timeline, Track};

/// A set of joints of a skeleton, such as the joints that a layer of a [`crate::Mixer`] moves.
///
/// ```
/// use anim_ir::{Joint, JointMask, Skeleton};
///
/// let mut skeleton = Skeleton::new("body");
/// let hips = skeleton.add_joint(Joint::new("hips", None));
/// let leg = skeleton.add_joint(Joint::new("leg", Some(hips)));
/// let foot = skeleton.add_joint(Joint::new("foot", Some(leg)));
/// let mask = JointMask::subtree(&skeleton, leg);
/// assert_eq!([hips, leg, foot].map(|joint| mask.contains(joint)), [false, true, true]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JointMask(Option<Vec<bool>>);

impl JointMask {
    /// All joints.
    pub const ALL: JointMask = JointMask(None);

    /// Returns the set of the given joints. Joints that the skeleton does not have are ignored.
    pub fn of(skeleton: &Skeleton, joints: impl IntoIterator<Item = JointId>) -> JointMask {
        let mut members = vec![false; skeleton.joints.len()];
        for joint in joints {
            if let Some(member) = members.get_mut(joint.index()) {
                *member = true;
            }
        }
        JointMask(Some(members))
    }

    /// Returns the joints that a clip moves: those that it names, or else those that its timeline
    /// animates.
    pub fn of_clip(skeleton: &Skeleton, timeline: &Timeline, clip: &Clip) -> JointMask {
        match &clip.joints {
            Some(joints) => JointMask::of(skeleton, joints.iter().copied()),
            None => JointMask::of(skeleton, timeline.tracks().iter().filter_map(Track::joint)),
        }
    }

    /// Returns a joint and all joints below it.
    pub fn subtree(skeleton: &Skeleton, root: JointId) -> JointMask {
        let mut members: Vec<bool> = Vec::with_capacity(skeleton.joints.len());
        // Parents come before their children.
        for (id, joint) in skeleton.enumerate_joints() {
            let parent = joint.parent.and_then(|parent| members.get(parent.index()));
            members.push(id == root || parent == Some(&true));
        }
        JointMask(Some(members))
    }

    /// Whether a joint is in the set.
    pub fn contains(&self, joint: JointId) -> bool {
        self.has(joint.index())
    }

    #[inline]
    pub(super) fn has(&self, joint: usize) -> bool {
        self.0.as_ref().is_none_or(|members| members.get(joint) == Some(&true))
    }
}
