//! Joints and how they hang together.

use thiserror::Error;

use crate::model::ids::items;
use crate::{Extras, JointId, Mat4, Transform};

/// A frame of reference that can be animated and that meshes hang from or are skinned to.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Name in the file; not necessarily unique.
    pub name: String,
    /// The parent, which comes before the joint; `None` for a root.
    pub parent: Option<JointId>,
    /// Rest pose, relative to the parent.
    pub rest: Transform,
    /// The rest pose where it has shear or another form that no
    /// [`Transform`] holds exactly; [`Joint::rest`] is then near it.
    pub exact_rest: Option<Mat4>,
    /// Whether what hangs from the joint is seen, while nothing animates that. A joint that is not
    /// hides its children too.
    pub visible: bool,
    /// Index of the joint in the file, counted from 0: joints are sorted here, files need not be.
    pub source_index: usize,
    /// What the format says beyond this.
    pub extras: Extras,
}

impl Default for Joint {
    fn default() -> Joint {
        Joint::new("", None)
    }
}

impl Joint {
    /// A joint at rest at its parent's place, to be seen.
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

    /// The rest pose as a matrix, relative to the parent: the exact one where there is one.
    pub fn rest_matrix(&self) -> Mat4 {
        self.exact_rest.unwrap_or_else(|| self.rest.to_matrix())
    }
}

/// A tree (or several) of joints, parents before children.
#[derive(Clone, Debug, PartialEq)]
pub struct Skeleton {
    /// Name of the whole.
    pub name: String,
    /// Parents come before their children.
    pub joints: Vec<Joint>,
    /// Whether the joints are bones, to be shown and worked with as such (Blender makes an armature
    /// of them). Otherwise they are the places that meshes hang from: the nodes of a scene graph.
    pub bones: bool,
}

/// The parents that were given do not make a forest.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SkeletonError {
    /// A parent index beyond the last joint.
    #[error("joint {joint} names parent {parent}, but there are {count} joints")]
    Parent {
        /// The joint.
        joint: usize,
        /// What it names.
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
    /// Without joints, for bones.
    pub fn new(name: impl Into<String>) -> Skeleton {
        Skeleton { name: name.into(), joints: Vec::new(), bones: true }
    }

    /// Without joints, for the nodes of a scene graph.
    pub fn nodes(name: impl Into<String>) -> Skeleton {
        Skeleton { bones: false, ..Skeleton::new(name) }
    }

    /// An order of a file's joints in which every parent comes before its children, otherwise as
    /// given, found in linear time without recursion.
    ///
    /// # Errors
    ///
    /// A parent that does not exist, or all joints that hang in or below a cycle, in ascending
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
            // Up to the first ancestor that has its place, then down again.
            let mut next = Some(start);
            while let Some(joint) = next.filter(|joint| {
                placed.get(*joint) == Some(&false) && on_chain.get(*joint) == Some(&false)
            }) {
                chain.push(joint);
                set(&mut on_chain, joint);
                next = parents.get(joint).copied().flatten();
            }
            // Stopped at a joint of this chain or at one that an earlier cycle left out: these are
            // never placed.
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

    /// For each joint, the matrix from its space at rest to the model's.
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
