//! A posed scene: the positions of its joints and vertices.

use std::collections::HashMap;

use anim_ir::{Joint, JointRef, Mat4, NodeId, Pose, Scene, SkeletonId, Transform};

use super::joints::{Joints, effective_visibility};

/// A scene with one skeleton in a pose and all other skeletons at rest.
pub(super) struct Posed<'p> {
    scene: &'p Scene,
    skeletons: &'p [Joints],
    pose: &'p Pose,
    /// The posed skeleton, if any.
    skeleton: Option<SkeletonId>,
    /// The model-space matrix of each joint of that skeleton.
    model: Vec<Mat4>,
    /// Whether each joint of that skeleton and all its ancestors are visible.
    visible: Vec<bool>,
    /// The morph weights of each scene node.
    pub(super) weights: HashMap<NodeId, &'p [f32]>,
}

impl<'p> Posed<'p> {
    pub(super) fn new(
        scene: &'p Scene,
        skeletons: &'p [Joints],
        pose: &'p Pose,
        skeleton: Option<SkeletonId>,
    ) -> Posed<'p> {
        let mut model = Vec::new();
        if let Some(skeleton) = skeleton.and_then(|id| scene.skeleton(id)) {
            pose.model_matrices(skeleton, &mut model);
        }
        let weights =
            pose.morph_weights.iter().map(|(node, weights)| (*node, weights.as_slice())).collect();
        let visible = Vec::new();
        let mut posed = Posed { scene, skeletons, pose, skeleton, model, visible, weights };
        if let Some((id, skeleton)) = skeleton.and_then(|id| Some((id, scene.skeleton(id)?))) {
            let shows = |joint| posed.shows(JointRef { skeleton: id, joint });
            posed.visible = effective_visibility(skeleton, shows);
        }
        posed
    }

    fn is_posed(&self, skeleton: SkeletonId) -> bool {
        self.skeleton == Some(skeleton)
    }

    /// Returns a joint's transform relative to its parent.
    pub(super) fn local(&self, at: JointRef) -> Transform {
        match self.scene.joint(at) {
            Some(joint) if self.is_posed(at.skeleton) => self.pose.local_transform(joint, at.joint),
            Some(joint) => joint.rest,
            None => Transform::IDENTITY,
        }
    }

    /// Returns the matrix of each joint from joint space to model space.
    pub(super) fn matrices(&self, skeleton: SkeletonId) -> &[Mat4] {
        if self.is_posed(skeleton) {
            &self.model
        } else {
            self.skeletons.get(skeleton.index()).map_or(&[], |joints| &joints.rest)
        }
    }

    /// Returns the matrix from joint space to model space.
    pub(super) fn matrix(&self, at: JointRef) -> Mat4 {
        self.matrices(at.skeleton).get(at.joint.index()).copied().unwrap_or_default()
    }

    /// Whether a joint itself is visible, regardless of its ancestors.
    pub(super) fn shows(&self, at: JointRef) -> bool {
        let posed = self.pose.visible.get(at.joint.index()).filter(|_| self.is_posed(at.skeleton));
        // The skeleton's visibility applies unless the pose sets it.
        let rest = || self.scene.joint(at).is_none_or(|joint: &Joint| joint.visible);
        posed.copied().unwrap_or_else(rest)
    }

    /// Whether a joint and all its ancestors are visible.
    pub(super) fn is_visible(&self, at: JointRef) -> bool {
        let skeleton = || Some(self.skeletons.get(at.skeleton.index())?.visible.as_slice());
        let visible = if self.is_posed(at.skeleton) { Some(&*self.visible) } else { skeleton() };
        visible.and_then(|visible| visible.get(at.joint.index())).copied().unwrap_or(true)
    }
}
