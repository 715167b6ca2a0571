//! Poses.

use crate::{Joint, JointId, Mat4, NodeId, PoseSpace, Skeleton, Transform};

/// A timeline sampled at a time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pose {
    /// The transform of each joint of the skeleton in the timeline's pose space: relative to the
    /// parent or to the rest pose.
    pub transforms: Vec<Transform>,
    /// The space of [`Pose::transforms`].
    pub space: PoseSpace,
    /// Whether each joint itself is visible, regardless of its ancestors. Empty if all joints are
    /// visible.
    pub visible: Vec<bool>,
    /// The morph weights of the nodes that the timeline animates.
    pub morph_weights: Vec<(NodeId, Vec<f32>)>,
}

impl Pose {
    /// Returns the transform of a joint in the timeline's pose space.
    pub fn transform(&self, joint: JointId) -> Option<&Transform> {
        self.transforms.get(joint.index())
    }

    /// Returns the morph weights of a node, or `None` if the timeline does not animate them and the
    /// defaults of the mesh apply ([`crate::Mesh::morph_weights`]).
    pub fn weights_of(&self, node: NodeId) -> Option<&[f32]> {
        let found = self.morph_weights.iter().find(|(of, _)| *of == node);
        found.map(|(_, weights)| weights.as_slice())
    }

    /// Returns the matrix from joint space to the parent's space.
    pub fn local_matrix(&self, joint: &Joint, id: JointId) -> Mat4 {
        let value = self.transform(id).copied();
        match self.space {
            // A joint at rest keeps the exact matrix, including shear.
            PoseSpace::ParentRelative => value
                .filter(|value| *value != joint.rest)
                .map_or_else(|| joint.rest_matrix(), Transform::to_matrix),
            PoseSpace::DeltaFromRest => joint.rest_matrix() * value.unwrap_or_default().to_matrix(),
        }
    }

    /// Whether each joint of the skeleton and all its ancestors are visible.
    pub fn effective_visibility(&self, skeleton: &Skeleton) -> Vec<bool> {
        let mut seen: Vec<bool> = Vec::with_capacity(skeleton.joints.len());
        for (id, joint) in skeleton.enumerate_joints() {
            let above = joint.parent.and_then(|parent| seen.get(parent.index()).copied());
            let own = self.visible.get(id.index()).copied();
            seen.push(above.unwrap_or(true) && own.unwrap_or(true));
        }
        seen
    }

    /// Returns a joint's transform relative to its parent. Equivalent to [`Pose::local_matrix`],
    /// but an approximation if that matrix has shear.
    pub fn local_transform(&self, joint: &Joint, id: JointId) -> Transform {
        let value = self.transform(id).copied();
        match self.space {
            PoseSpace::ParentRelative => value.unwrap_or(joint.rest),
            PoseSpace::DeltaFromRest => {
                let even = joint.rest.scale.x == joint.rest.scale.y
                    && joint.rest.scale.y == joint.rest.scale.z;
                match value {
                    Some(delta) if even && joint.exact_rest.is_none() => joint.rest * delta,
                    _ => self.local_matrix(joint, id).to_transform(),
                }
            }
        }
    }

    /// Converts the transforms to [`PoseSpace::ParentRelative`]; see [`Pose::local_transform`].
    pub(crate) fn make_parent_relative(&mut self, skeleton: &Skeleton) {
        if self.space == PoseSpace::ParentRelative {
            return;
        }
        for (id, joint) in skeleton.enumerate_joints() {
            let local = self.local_transform(joint, id);
            if let Some(transform) = self.transforms.get_mut(id.index()) {
                *transform = local;
            }
        }
        self.space = PoseSpace::ParentRelative;
    }

    /// Computes the matrix from each joint's space to model space. The memory of `out` is reused.
    pub fn model_matrices(&self, skeleton: &Skeleton, out: &mut Vec<Mat4>) {
        out.clear();
        for (id, joint) in skeleton.enumerate_joints() {
            let local = self.local_matrix(joint, id);
            let parent = joint.parent.and_then(|parent| out.get(parent.index()).copied());
            out.push(parent.map_or(local, |parent| parent * local));
        }
    }
}
