//! Joint numbers and bindings in the output file.

use anim_ir::{
    Diagnostics, Joint, JointId, JointRef, Mat4, Scene, Skeleton, SkeletonId, Transform,
    diag::escape,
};

use crate::codes;

/// The binding of a joint in the output file.
#[derive(Clone, Copy, Default)]
pub(crate) struct Bound {
    /// Transforms from mesh space to joint space.
    pub(crate) bind: Mat4,
    /// Transforms from joint space to mesh space.
    pub(crate) unbind: Mat4,
}

/// The joints of all skeletons, concatenated.
#[derive(Default)]
pub(crate) struct Binding {
    joints: Vec<Bound>,
    /// Index of each skeleton's first joint.
    first_joint: Vec<usize>,
    /// The joints' rest pose in model space, per skeleton.
    rest: Vec<Vec<Mat4>>,
    /// The joints whose keys have to be rewritten, in ascending order, per skeleton.
    displaced: Vec<Vec<JointId>>,
    /// The joints that are not at the origin of the file's space at rest, in ascending order, with
    /// the matrix of their rest pose there.
    resting: Vec<(JointRef, Mat4)>,
}

impl Binding {
    /// Binds each joint as in the first skin that uses it. Unused joints are bound at rest.
    pub(crate) fn new(scene: &Scene, losses: &mut Diagnostics) -> Binding {
        let mut binding = Binding::default();
        for (id, skeleton) in scene.enumerate_skeletons() {
            binding.first_joint.push(binding.joints.len());
            let mut binds: Vec<Option<Mat4>> = vec![None; skeleton.joints.len()];
            for skin in scene.skins.iter().filter(|skin| skin.skeleton == id) {
                for (joint, bind) in skin.joints.iter().zip(&skin.inverse_bind) {
                    let Some(slot) = binds.get_mut(joint.index()) else { continue };
                    if slot.get_or_insert(*bind).is_near(*bind, 1e-5) {
                        continue;
                    }
                    let name = skeleton.joint(*joint).map_or("", |joint| &joint.name);
                    losses.push(&codes::LOSS_BIND, None, || {
                        format!("joint `{}` has two different bind matrices", escape(name))
                    });
                }
            }
            let at_rest = skeleton.rest_model_matrices();
            for (bind, rest) in binds.into_iter().zip(&at_rest) {
                let bind = bind.or_else(|| rest.inverse()).unwrap_or_default();
                let unbind = bind.inverse().unwrap_or_default();
                binding.joints.push(Bound { bind, unbind });
            }
            binding.rest.push(at_rest);
            binding.displaced.push(binding.displaced_joints(id, skeleton));
            for (joint, own) in skeleton.enumerate_joints() {
                let reference = JointRef { skeleton: id, joint };
                let matrix = binding.keyed(reference, own, own.rest_matrix());
                if !is_origin(matrix) {
                    binding.resting.push((reference, matrix));
                }
            }
        }
        binding
    }

    /// The one-based number of a joint in the file.
    pub(crate) fn number(&self, JointRef { skeleton, joint }: JointRef) -> usize {
        self.first_joint.get(skeleton.index()).copied().unwrap_or_default() + joint.index() + 1
    }

    /// The binding of a joint.
    pub(crate) fn bound(&self, joint: JointRef) -> Bound {
        self.joints.get(self.number(joint) - 1).copied().unwrap_or_default()
    }

    /// Returns the matrix of a key in the file that has the same effect on vertices as `local`, the
    /// matrix from the joint's space to the parent's space.
    pub(crate) fn keyed(&self, id: JointRef, joint: &Joint, local: Mat4) -> Mat4 {
        let parent = joint.parent.map(|joint| self.bound(JointRef { joint, ..id }).unbind);
        parent.unwrap_or_default() * local * self.bound(id).bind
    }

    /// The joints that need a key in each animation that does not move them, with its matrix.
    pub(crate) fn resting(&self) -> &[(JointRef, Mat4)] {
        &self.resting
    }

    fn displaced_joints(&self, id: SkeletonId, skeleton: &Skeleton) -> Vec<JointId> {
        let at_origin = |joint| self.bound(JointRef { skeleton: id, joint }).bind == Mat4::IDENTITY;
        let joints = skeleton.enumerate_joints().filter(|(id, joint)| {
            !(at_origin(*id)
                && joint.parent.is_none_or(at_origin)
                && joint.rest == Transform::IDENTITY
                && joint.exact_rest.is_none())
        });
        joints.map(|(id, _)| id).collect()
    }

    /// The joints of a skeleton whose bind or rest pose, or whose parent's bind pose, is not the
    /// identity, in ascending order.
    pub(crate) fn displaced(&self, skeleton: SkeletonId) -> &[JointId] {
        self.displaced.get(skeleton.index()).map_or(&[], Vec::as_slice)
    }

    /// The rest pose of a skeleton's joints in model space.
    pub(crate) fn rest(&self, skeleton: SkeletonId) -> &[Mat4] {
        self.rest.get(skeleton.index()).map_or(&[], Vec::as_slice)
    }

    /// The rest pose of a joint in model space.
    pub(crate) fn at_rest(&self, JointRef { skeleton, joint }: JointRef) -> Mat4 {
        self.rest(skeleton).get(joint.index()).copied().unwrap_or_default()
    }
}

/// Whether a key with this matrix has the same effect as no key.
pub(crate) fn is_origin(matrix: Mat4) -> bool {
    matrix.is_near(Mat4::IDENTITY, 1e-6)
}
