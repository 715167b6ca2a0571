//! Poses that only some of the joints belong to.

use crate::{Pose, Skeleton};

/// A pose and the joints that it animates. Other joints are at rest.
#[derive(Clone, Debug, Default)]
pub(super) struct Posed {
    pub(super) pose: Pose,
    pub(super) moved: Vec<bool>,
}

impl Posed {
    pub(super) fn moves(&self, joint: usize) -> bool {
        self.moved.get(joint) == Some(&true)
    }

    /// Blends the transforms towards another pose. If only one of the poses animates a joint, the
    /// joint follows that pose. Visibility and morph weights are not blended.
    pub(super) fn blend(&mut self, other: &mut Posed, part: f32, skeleton: &Skeleton) {
        if self.pose.space != other.pose.space {
            self.pose.make_parent_relative(skeleton);
            other.pose.make_parent_relative(skeleton);
        }
        let own = self.pose.transforms.iter_mut().zip(&mut self.moved);
        let others = other.pose.transforms.iter().zip(&other.moved);
        for ((transform, moved), (to, to_moved)) in own.zip(others) {
            match (*moved, *to_moved) {
                (true, true) => *transform = transform.lerp(*to, part),
                (false, true) => *transform = *to,
                _ => {}
            }
            *moved |= *to_moved;
        }
    }
}
