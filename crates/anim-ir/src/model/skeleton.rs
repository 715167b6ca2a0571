//! Skeletons.

use thiserror::Error;

use crate::model::ids::items;
use crate::{Extras, JointId, Mat4, Transform};

/// An animatable frame of reference that meshes are attached or skinned to.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Name in the file; not necessarily unique.
    pub name: String,
    /// The parent, whose index is lower; `None` for a root.
    pub parent: Option<JointId>,
    /// Rest pose, relative to the parent.
    pub rest: Transform,
    /// The exact rest pose, if it has shear or cannot be represented exactly as a [`Transform`] for
    /// another reason. [`Joint::rest`] is then an approximation.
    pub exact_rest: Option<Mat4>,
    /// Whether everything attached to the joint is visible, unless this is animated. A hidden joint
    /// also hides its children.
    pub visible: bool,
    /// Zero-based index of the joint in the file, where parents need not come first.
    pub source_index: usize,
    /// Format-specific data.
    pub extras: Extras,
}

impl Default for Joint {
    fn default() -> Joint {
        Joint::new("", None)
    }
}

impl Joint {
    /// Creates a visible joint at its parent's origin.
    pub fn new(name: impl Into<String>, parent: Option<JointId>) -> Joint {
        Joint {
            name: name.into(),
            parent,
            rest: Transform::IDENTITY,
            exact_rest: None,
            visible: true,
            source_index: 0,
            extras: Extras::new(),
        }
    }

    /// Returns the exact rest pose as a matrix, relative to the parent.
    pub fn rest_matrix(&self) -> Mat4 {
        self.exact_rest.unwrap_or_else(|| self.rest.to_matrix())
    }
}

/// A forest of joints.
#[derive(Clone, Debug, PartialEq)]
pub struct Skeleton {
    /// Name; may be empty.
    pub name: String,
    /// The joints, parents before their children.
    pub joints: Vec<Joint>,
    /// Whether the joints are bones, which Blender displays as an armature. Otherwise they are
    /// scene graph nodes that meshes are attached to.
    pub bones: bool,
}

/// The error for parents that do not form a forest.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SkeletonError {
    /// The parent of a joint does not exist.
    #[error("joint {joint} has parent {parent}, but there are only {count} joints")]
    Parent {
        /// The joint.
        joint: usize,
        /// The index of the parent.
        parent: usize,
        /// The number of joints.
        count: usize,
    },
    /// Joints are in or below a cycle.
    #[error("cyclic parents: {} joints are in or below a cycle", .0.len())]
    Cycle(Vec<usize>),
}

impl Default for Skeleton {
    fn default() -> Skeleton {
        Skeleton::new("")
    }
}

impl Skeleton {
    /// Creates an empty skeleton of bones.
    pub fn new(name: impl Into<String>) -> Skeleton {
        Skeleton { name: name.into(), joints: Vec::new(), bones: true }
    }

    /// Creates an empty skeleton of scene graph nodes.
    pub fn nodes(name: impl Into<String>) -> Skeleton {
        Skeleton { bones: false, ..Skeleton::new(name) }
    }

    /// Sorts joints topologically, with parents before their children, and otherwise keeps their
    /// order. Takes linear time and does not recurse.
    ///
    /// # Errors
    ///
    /// Returns the parent that does not exist, or all joints in or below a cycle in ascending
    /// order.
    ///
    /// ```
    /// use anim_ir::Skeleton;
    /// assert_eq!(Skeleton::parents_first(&[Some(2), None, Some(1)]), Ok(vec![1, 2, 0]));
    /// ```
    pub fn parents_first(parents: &[Option<usize>]) -> Result<Vec<usize>, SkeletonError> {
        let count = parents.len();
        for (joint, parent) in parents.iter().enumerate() {
            if let Some(parent) = parent.filter(|parent| *parent >= count) {
                return Err(SkeletonError::Parent { joint, parent, count });
            }
        }
        let mut placed = vec![false; count];
        let mut order = Vec::with_capacity(count);
        let mut chain = Vec::new();
        let mut on_chain = vec![false; count];
        for start in 0..count {
            // Go up to the first ancestor that has already been placed, then place joints on the
            // way down.
            let mut next = Some(start);
            while let Some(joint) = next.filter(|joint| {
                placed.get(*joint) == Some(&false) && on_chain.get(*joint) == Some(&false)
            }) {
                chain.push(joint);
                set(&mut on_chain, joint);
                next = parents.get(joint).copied().flatten();
            }
            // If the search stopped at an unplaced joint, it is part of this chain or of an earlier
            // cycle, and is never placed.
            let cyclic = next.is_some_and(|joint| placed.get(joint) == Some(&false));
            for joint in chain.drain(..).rev().filter(|_| !cyclic) {
                set(&mut placed, joint);
                order.push(joint);
            }
        }
        if order.len() < count {
            let left = (0..count).filter(|joint| placed.get(*joint) == Some(&false));
            return Err(SkeletonError::Cycle(left.collect()));
        }
        Ok(order)
    }

    /// Returns the matrix of each joint from its rest space to model space.
    pub fn rest_model_matrices(&self) -> Vec<Mat4> {
        let mut matrices: Vec<Mat4> = Vec::with_capacity(self.joints.len());
        for joint in &self.joints {
            let local = joint.rest_matrix();
            let parent = joint.parent.and_then(|parent| matrices.get(parent.index()));
            matrices.push(parent.map_or(local, |parent| *parent * local));
        }
        matrices
    }
}

items! {
    Skeleton {
        "joint", joints: Joint as JointId =>
            joint, joint_mut, add_joint, enumerate_joints, find_joint;
    }
}

fn set(flags: &mut [bool], index: usize) {
    if let Some(flag) = flags.get_mut(index) {
        *flag = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cycle_is_reported_with_all_its_descendants() {
        let parents = [None, Some(2), Some(1), Some(2), Some(0), Some(5)];
        assert_eq!(Skeleton::parents_first(&parents), Err(SkeletonError::Cycle(vec![1, 2, 3, 5])));
        assert_eq!(
            Skeleton::parents_first(&[Some(7)]),
            Err(SkeletonError::Parent { joint: 0, parent: 7, count: 1 })
        );
    }

    #[test]
    fn a_reversed_chain_of_a_million_joints_is_sorted() {
        let count = 1_000_000;
        let parents: Vec<_> =
            (0..count).map(|joint| (joint + 1 < count).then_some(joint + 1)).collect();
        let order = Skeleton::parents_first(&parents).unwrap();
        assert_eq!((order[0], order[count - 1]), (count - 1, 0));
    }
}
