//! The poses in which skins bind joints to vertices.
//!
//! In glTF, vertices follow `joint · inverse bind`. In H-Anim (ISO/IEC 19774-1, 4.4), they follow
//! the joint itself, so a joint is written as this product. With *B* for the bind matrix of a joint
//! and *P* for that of its parent, the transform relative to the parent becomes *P · T · R · S ·
//! B⁻¹*. If *P* and *B* only move, turn and scale evenly, this is again a translation, a rotation
//! and a scale, about the origin of *B* as the centre and along its axes, each of which depends
//! only on its own counterpart: keys and what lies between them are preserved.

use std::collections::BTreeMap;

use anim_ir::{JointId, Mat4, Quat, Skeleton, Skin, Transform, Vec3};

/// The largest part by which matrices may differ through rounding.
const ROUNDING: f32 = 1e-5;

/// The bind pose of a joint and that of its parent. Their scale is the same along all axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bind {
    pub(super) parent: Transform,
    pub(super) own: Transform,
}

impl Bind {
    pub(super) fn translation(&self, translation: Vec3) -> Vec3 {
        self.parent.transform_point(translation) - self.own.translation
    }

    pub(super) fn rotation(&self, rotation: Quat) -> Quat {
        let [x, y, z, w] = self.own.rotation.to_array();
        self.parent.rotation * rotation * Quat::from([-x, -y, -z, w])
    }

    pub(super) fn scale(&self, scale: Vec3) -> Vec3 {
        scale * (self.parent.scale.x / self.own.scale.x)
    }
}

/// The bind matrices of a skeleton's joints, as far as skins give them.
#[derive(Clone, Debug)]
pub(super) struct Binds {
    given: BTreeMap<JointId, Mat4>,
}

impl Binds {
    /// Returns the bind matrices of a skin, or `None` if a joint has two or a matrix has no
    /// inverse.
    pub(super) fn of(skin: &Skin) -> Option<Binds> {
        let mut binds = Binds { given: BTreeMap::new() };
        for (joint, inverse) in skin.joints.iter().zip(&skin.inverse_bind) {
            let bind = inverse.inverse()?;
            if binds.given.insert(*joint, bind).is_some_and(|before| before != bind) {
                return None;
            }
        }
        Some(binds)
    }

    /// Adds those of another skin, unless they contradict.
    pub(super) fn join(&mut self, other: &Binds) -> bool {
        let agrees =
            |(joint, bind): (&JointId, &Mat4)| self.given.get(joint).is_none_or(|own| own == bind);
        let agree = other.given.iter().all(agrees);
        if agree {
            self.given.extend(&other.given);
        }
        agree
    }

    /// Returns the bind poses of all joints, or `None` if one has shear, uneven scale or no scale.
    /// A joint without a bind matrix is bound as it is at rest.
    pub(super) fn poses(&self, skeleton: &Skeleton) -> Option<Vec<Bind>> {
        let mut poses: Vec<Bind> = Vec::with_capacity(skeleton.joints.len());
        for (number, joint) in skeleton.enumerate_joints() {
            if joint.exact_rest.is_some() {
                return None;
            }
            let above = |parent: JointId| poses.get(parent.index()).map(|bind| bind.own);
            let parent = joint.parent.and_then(above).unwrap_or_default();
            let given = self.given.get(&number).copied();
            let matrix = given.unwrap_or_else(|| parent.to_matrix() * joint.rest.to_matrix());
            poses.push(Bind { parent, own: even(matrix)? });
        }
        Some(poses)
    }
}

/// Returns the parts of a matrix that moves, turns and scales evenly.
pub(super) fn even(matrix: Mat4) -> Option<Transform> {
    let mut parts = matrix.to_transform();
    let Vec3 { x, y, z } = parts.scale;
    let scale = (x + y + z) / 3.0;
    let is_even = [x, y, z].iter().all(|one| (one - scale).abs() <= ROUNDING * scale);
    parts.scale = Vec3::new(scale, scale, scale);
    let size = scale.max(1.0);
    (scale > 0.0 && is_even && parts.to_matrix().is_near(matrix, ROUNDING * size)).then_some(parts)
}
