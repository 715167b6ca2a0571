//! Skeletons.

use thiserror::Error;

use crate::model::ids::items;
use crate::{Extras, JointId, Mat4, Transform};

/// A frame of reference that can be animated, and that meshes are attached or skinned to.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Name in the file; not necessarily unique.
    pub name: String,
    /// The parent, which comes before the joint; `None` for a root.
    pub parent: Option<JointId>,
    /// Rest pose, relative to the parent.
    pub rest: Transform,
    /// The rest pose, if it has shear or is otherwise not exactly representable as a
    /// [`Transform`]; [`Joint::rest`] is then an approximation.
    pub exact_rest: Option<Mat4>,
    /// Whether everything attached to the joint is visible, unless animated. A hidden joint hides
    /// its children too.
    pub visible: bool,
    /// Index of the joint in the file, counted from 0. Joints are sorted here, but not necessarily
    /// in files.
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
    /// A visible joint at its parent's origin.
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

    /// The exact rest pose as a matrix, relative to the parent.
    pub fn rest_matrix(&self) -> Mat4 {
        self.exact_rest.unwrap_or_else(|| self.rest.to_matrix())
    }
}

/// A forest of joints, parents before children.
#[derive(Clone, Debug, PartialEq)]
pub struct Skeleton {
    /// Name; may be empty.
    pub name: String,
    /// Parents come before their children.
    pub joints: Vec<Joint>,
    /// Whether the joints are bones, which Blender shows as an armature. Otherwise they are the
    /// nodes of a scene graph, which meshes are attached to.
    pub bones: bool,
}

/// The given parents do not form a forest.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SkeletonError {
    /// A parent index beyond the last joint.
    #[error("joint {joint} names parent {parent}, but there are {count} joints")]
    Parent {
        /// The joint.
        joint: usize,
        /// The parent that it names.
        parent: usize,
        /// How many joints there are.
        count: usize,
    },
    /// Joints that are their own ancestors.
    #[error("{} joints are their own ancestors, first {:?}", .0.len(), .0.first())]
    Cycle(Vec<usize>),
}

impl Default for Skeleton {
    fn default() -> Skeleton {
        Skeleton::new("")
    }
}

impl Skeleton {
    /// An empty skeleton of bones.
    pub fn new(name: impl Into<String>) -> Skeleton {
        Skeleton { name: name.into(), joints: Vec::new(), bones: true }
    }

    /// An empty skeleton of scene graph nodes.
    pub fn nodes(name: impl Into<String>) -> Skeleton {
        Skeleton { bones: false, ..Skeleton::new(name) }
    }

    /// Sorts a file's joints so that parents come before their children, and otherwise keeps their
    /// order. Takes linear time, without recursion.
    ///
    /// # Errors
    ///
    /// A parent that does not exist, or all joints in or below a cycle, in ascending order.
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
            // Up to the first ancestor that is placed, then down again.
            let mut next = Some(start);
            while let Some(joint) = next.filter(|joint| {
                placed.get(*joint) == Some(&false) && on_chain.get(*joint) == Some(&false)
            }) {
                chain.push(joint);
                set(&mut on_chain, joint);
                next = parents.get(joint).copied().flatten();
            }
            // It stopped at a joint of this chain, or at one that an earlier cycle skipped: these
            // are never placed.
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

    /// For each joint, the matrix from its rest space to model space.
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
    fn a_cycle_names_all_that_hangs_below_it() {
        let parents = [None, Some(2), Some(1), Some(2), Some(0), Some(5)];
        assert_eq!(Skeleton::parents_first(&parents), Err(SkeletonError::Cycle(vec![1, 2, 3, 5])));
        assert_eq!(
            Skeleton::parents_first(&[Some(7)]),
            Err(SkeletonError::Parent { joint: 0, parent: 7, count: 1 })
        );
    }

    #[test]
    fn a_chain_of_a_million_joints_from_the_wrong_end() {
        let count = 1_000_000;
        let parents: Vec<_> =
            (0..count).map(|joint| (joint + 1 < count).then_some(joint + 1)).collect();
        let order = Skeleton::parents_first(&parents).unwrap();
        assert_eq!((order[0], order[count - 1]), (count - 1, 0));
    }
}
