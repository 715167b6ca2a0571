//! An evaluator of `.amo` text, straight from the notes on the format.
//!
//! The input is taken to be well-formed. Where the notes say that a bad line is dropped with an
//! error, this evaluator panics instead, unless dropping it costs nothing.

mod model;
mod raw;
mod read;

pub(super) use self::model::has_cycle;
pub use self::model::{Clip, Corner, Dialect, Model};
pub use self::read::read;
use crate::math::{
    IDENTITY, Mat4, inverse, lerp, mul, normalized, rotation, sample, slerp, transform_point,
    translation,
};

impl Model {
    /// The parent-relative matrix of a joint `t` seconds into a clip: rest · T · R where the file
    /// has a rest matrix, else T · R (reading 5). Positions go in straight lines, rotations the
    /// shortest way, and outside of the keys the nearest one holds (reading 6).
    pub fn joint_local(&self, clip: usize, joint: usize, t: f64) -> Mat4 {
        let clip = &self.clips[clip];
        let position = sample(&clip.position_keys[joint], t, lerp).unwrap_or([0.0; 3]);
        let turn = sample(&clip.rotation_keys[joint], t, slerp).unwrap_or([0.0, 0.0, 0.0, 1.0]);
        let key = mul(&translation(position), &rotation(normalized(turn)));
        mul(&self.joint_rests[joint].unwrap_or(IDENTITY), &key)
    }

    /// A joint's local matrix and those of its ancestors: from the joint's space to the file's.
    pub fn joint_world(&self, clip: usize, joint: usize, t: f64) -> Mat4 {
        let local = self.joint_local(clip, joint, t);
        match self.joint_parents[joint] {
            Some(parent) => mul(&self.joint_world(clip, parent, t), &local),
            None => local,
        }
    }

    /// From a joint's space to the file's in the rest pose: its rest matrix and those of its
    /// ancestors, the identity where the file has none (reading 5).
    pub fn joint_rest_world(&self, joint: usize) -> Mat4 {
        let local = self.joint_rests[joint].unwrap_or(IDENTITY);
        match self.joint_parents[joint] {
            Some(parent) => mul(&self.joint_rest_world(parent), &local),
            None => local,
        }
    }

    /// What a joint does to the vertices tied to it: world · inverse(rest world) (reading 5).
    pub fn skin_matrix(&self, clip: usize, joint: usize, t: f64) -> Mat4 {
        mul(&self.joint_world(clip, joint, t), &inverse(&self.joint_rest_world(joint)))
    }

    /// The joints that move a corner with weights that sum to 1, none where the corner stays at
    /// rest (reading 3).
    pub fn influences(&self, corner: &Corner) -> Vec<(usize, f64)> {
        let (Some(joints), Some(weights)) = (corner.joints, corner.weights) else {
            return Vec::new();
        };
        let joints = &self.vertex_joints[joints];
        let weights = &self.vertex_weights[weights];
        let mut influences: Vec<(usize, f64)> = joints
            .iter()
            .zip(weights)
            .filter_map(|(&joint, &weight)| Some((joint?, weight)))
            .filter(|&(_, weight)| weight > 0.0)
            .collect();
        if influences.len() > self.influence_limit {
            influences.sort_by(|a, b| b.1.total_cmp(&a.1));
            influences.truncate(self.influence_limit);
        }
        let sum: f64 = influences.iter().map(|&(_, weight)| weight).sum();
        for (_, weight) in &mut influences {
            *weight /= sum;
        }
        influences
    }

    /// The greatest number of joints with a weight that any corner has: more than four do not fit
    /// into glTF's first set.
    pub fn max_influences(&self) -> usize {
        let corners = self.faces.iter().flatten();
        corners.map(|corner| self.influences(corner).len()).max().unwrap_or(0)
    }

    /// From here on only the `limit` greatest weights of a corner count (reading 3 has four for
    /// glTF); of equal ones those that the file has first.
    pub fn limit_influences(&mut self, limit: usize) {
        self.influence_limit = limit;
    }

    /// For every face and corner the place in the file's space `t` seconds into a clip: the sum of
    /// what its joints' skin matrices make of it, by weight (readings 3 and 5).
    pub fn face_corners_at(&self, clip: usize, t: f64) -> Vec<Vec<[f64; 3]>> {
        let skin: Vec<Mat4> =
            (0..self.joint_names.len()).map(|joint| self.skin_matrix(clip, joint, t)).collect();
        self.map_corners(|corner| {
            let rest = self.positions[corner.position];
            let influences = self.influences(corner);
            if influences.is_empty() {
                return rest;
            }
            let mut place = [0.0; 3];
            for (joint, weight) in influences {
                let moved = transform_point(&skin[joint], rest);
                for (sum, part) in place.iter_mut().zip(moved) {
                    *sum += weight * part;
                }
            }
            place
        })
    }

    /// For every face and corner the place in the file's space at rest: its `v` as written.
    pub fn rest_corners(&self) -> Vec<Vec<[f64; 3]>> {
        self.map_corners(|corner| self.positions[corner.position])
    }

    /// For every face and corner the texture coordinates that a glTF file should have: V flipped,
    /// but as written in editamo's files (section "The OBJ base").
    pub fn face_texcoords(&self) -> Vec<Vec<Option<[f64; 2]>>> {
        self.map_corners(|corner| {
            let [u, v] = self.texcoords[corner.texcoord?];
            Some(if self.dialect == Dialect::Editamo { [u, v] } else { [u, 1.0 - v] })
        })
    }

    /// The diagonal of the box around all corners at rest, in the file's units; 0 without faces.
    pub fn size(&self) -> f64 {
        let corners: Vec<[f64; 3]> = self.rest_corners().into_iter().flatten().collect();
        if corners.is_empty() {
            return 0.0;
        }
        let extent = [0, 1, 2].map(|axis| {
            let along = corners.iter().map(|corner| corner[axis]);
            along.clone().fold(f64::MIN, f64::max) - along.fold(f64::MAX, f64::min)
        });
        extent.iter().map(|x| x * x).sum::<f64>().sqrt()
    }

    fn map_corners<T>(&self, of_corner: impl Fn(&Corner) -> T) -> Vec<Vec<T>> {
        let of_face = |face: &Vec<Corner>| face.iter().map(&of_corner).collect();
        self.faces.iter().map(of_face).collect()
    }
}
