//! Skins.

use super::accessor::{arrays, read_accessor};
use super::mesh::Primitive;
use crate::math::{IDENTITY, Mat4, mul, transform_point};

#[derive(Clone, Debug)]
pub(super) struct Skin {
    pub(super) joints: Vec<usize>,
    pub(super) inverse_bind_matrices: Vec<Mat4>,
}

impl Skin {
    pub(super) fn new(skin: &gltf::Skin<'_>, bin: &[u8]) -> Self {
        let joints: Vec<usize> = skin.joints().map(|joint| joint.index()).collect();
        let inverse_bind_matrices = match skin.inverse_bind_matrices() {
            Some(accessor) => arrays::<16>(&read_accessor(&accessor, bin))
                .into_iter()
                .map(|m| std::array::from_fn(|c| std::array::from_fn(|r| m[4 * c + r])))
                .collect(),
            None => vec![IDENTITY; joints.len()],
        };
        assert_eq!(
            inverse_bind_matrices.len(),
            joints.len(),
            "not as many inverse bind matrices as joints"
        );
        Self { joints, inverse_bind_matrices }
    }

    pub(super) fn check(&self, primitive: &Primitive) {
        let influences =
            primitive.influences.as_ref().expect("joints and weights of a skinned mesh");
        assert!(
            influences.iter().flatten().all(|&(joint, _)| joint < self.joints.len()),
            "a vertex's joint is out of range"
        );
    }

    /// What each joint does to the vertices tied to it.
    pub(super) fn matrices(&self, worlds: &[Mat4]) -> Vec<Mat4> {
        let joints = self.joints.iter().zip(&self.inverse_bind_matrices);
        joints.map(|(&joint, inverse_bind)| mul(&worlds[joint], inverse_bind)).collect()
    }
}

/// The sum of what the joints make of a point, by weight.
pub(super) fn skinned(
    matrices: &[Mat4],
    influences: &[(usize, f64); 4],
    point: [f64; 3],
) -> [f64; 3] {
    let mut sum = [0.0; 3];
    for &(joint, weight) in influences {
        let moved = transform_point(&matrices[joint], point);
        for (sum, part) in sum.iter_mut().zip(moved) {
            *sum += weight * part;
        }
    }
    sum
}
