//! Skeleton joints written as nodes.

use anim_ir::{JointId, Mat4, PoseSpace, Scene, Skeleton, SkeletonId, UniqueNames};

use super::def_name::def_name;

/// Maximum depth of joints written as nodes: the depth that an XML reader accepts, minus the
/// elements around and inside the joints.
const MAX_DEPTH: usize = 200;

/// The joints of a skeleton.
#[derive(Debug)]
pub(super) struct Joints {
    pub(super) joints: Vec<JointNode>,
    pub(super) roots: Vec<JointId>,
    /// The rest pose, in model space.
    pub(super) rest: Vec<Mat4>,
    /// Whether each joint and all its ancestors are visible at rest.
    pub(super) visible: Vec<bool>,
}

/// A joint that may be written as a node.
#[derive(Debug)]
pub(super) struct JointNode {
    pub(super) name: String,
    parent: Option<JointId>,
    depth: usize,
    pub(super) children: Vec<JointId>,
    /// Meshes attached to the joint, as indices into the list of meshes.
    pub(super) meshes: Vec<usize>,
    /// Whether the joint is written, because geometry is attached to it or to a descendant.
    pub(super) written: bool,
    /// Whether the joint can be written as a node: nested nodes can express its model-space
    /// transform, and it is not nested too deeply.
    pub(super) exact: bool,
}

impl Joints {
    pub(super) fn of(
        scene: &Scene,
        id: SkeletonId,
        skeleton: &Skeleton,
        names: &mut UniqueNames<'static>,
    ) -> Joints {
        let deltas = scene.timelines.iter().any(|timeline| {
            timeline.skeleton == id && timeline.pose_space == PoseSpace::DeltaFromRest
        });
        let mut joints: Vec<JointNode> = Vec::with_capacity(skeleton.joints.len());
        let mut roots = Vec::new();
        for (id, joint) in skeleton.enumerate_joints() {
            let (mut depth, mut parent_is_exact) = (0, true);
            match joint.parent.and_then(|parent| joints.get_mut(parent.index())) {
                Some(parent) => {
                    (depth, parent_is_exact) = (parent.depth + 1, parent.exact);
                    parent.children.push(id);
                }
                None => roots.push(id),
            }
            let scale = joint.rest.scale;
            // A rotation below a non-uniform scale causes shear.
            let even = scale.x == scale.y && scale.y == scale.z;
            joints.push(JointNode {
                name: def_name(names, &joint.name, "joint"),
                parent: joint.parent,
                depth,
                children: Vec::new(),
                meshes: Vec::new(),
                written: false,
                exact: parent_is_exact
                    && joint.exact_rest.is_none()
                    && (even || !deltas)
                    && depth < MAX_DEPTH,
            });
        }
        let shows = |id| skeleton.joint(id).is_none_or(|joint| joint.visible);
        let visible = effective_visibility(skeleton, shows);
        Joints { joints, roots, rest: skeleton.rest_model_matrices(), visible }
    }

    /// Attaches a mesh to a joint and marks the joint and all its ancestors to be written.
    pub(super) fn carry(&mut self, joint: JointId, mesh: usize) {
        if let Some(joint) = self.joints.get_mut(joint.index()) {
            joint.meshes.push(mesh);
        }
        let mut next = Some(joint);
        while let Some(joint) = next.and_then(|next| self.joints.get_mut(next.index()))
            && !joint.written
        {
            joint.written = true;
            next = joint.parent;
        }
    }
}

/// Returns whether each joint and all its ancestors are visible, where `shows` is whether the joint
/// itself is.
pub(super) fn effective_visibility(
    skeleton: &Skeleton,
    shows: impl Fn(JointId) -> bool,
) -> Vec<bool> {
    let mut visible: Vec<bool> = Vec::with_capacity(skeleton.joints.len());
    for (id, joint) in skeleton.enumerate_joints() {
        let above = joint.parent.and_then(|parent| visible.get(parent.index()).copied());
        visible.push(above.unwrap_or(true) && shows(id));
    }
    visible
}

#[cfg(test)]
mod tests {
    use anim_ir::Joint;

    use super::*;

    #[test]
    fn joints_below_hidden_joints_are_hidden() {
        let joint = |parent: Option<usize>, visible| Joint {
            parent: parent.map(JointId::new),
            visible,
            ..Joint::default()
        };
        let joints = vec![
            joint(None, true),
            joint(Some(0), false),
            joint(Some(1), true),
            joint(Some(0), true),
        ];
        let skeleton = Skeleton { joints, ..Skeleton::default() };
        let shows = |id| skeleton.joint(id).is_some_and(|joint| joint.visible);
        assert_eq!(effective_visibility(&skeleton, shows), [true, false, false, true]);
    }
}
