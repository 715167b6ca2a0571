//! An evaluator of `.amo` text, directly based on the notes on the format.
//!
//! The input is assumed to be well-formed. If the notes specify that an invalid line is reported
//! and dropped, this evaluator panics instead, unless dropping the line requires no extra code.

mod raw;
pub(super) mod read;

use crate::compare::diagonal;
use crate::math::{
    IDENTITY, Mat4, inverse, lerp, mul, rotation, sample, slerp, transform_point, translation,
    weighted_sum,
};

cases! {
    /// The incompatible dialects (the columns of the table).
    #[derive(Default)]
    pub enum Dialect {
        /// D0: `jp parent` or 0-based `j`, times in frames, 0-based fourth and fifth face slots.
        Extobj,
        /// D1: as in the specification.
        #[default]
        Spec,
        /// D1e: like D1, but with 0-based parents and glTF texture coordinates.
        Editamo,
        /// D2: `k` lines before the keys, w x y z quaternions, a rest matrix after `j`.
        Lines,
        /// D3: counted blocks of bare rows; all indices are 0-based.
        Counted,
    }
}

/// A corner of a face: 0-based indices into the tables of the [`Model`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Corner {
    /// Index into [`Model::positions`].
    pub position: usize,
    /// Index into [`Model::texcoords`].
    pub texcoord: Option<usize>,
    /// Index of the `vn` line in the file.
    pub normal: Option<usize>,
    /// Index into [`Model::vertex_joints`].
    pub joints: Option<usize>,
    /// Index into [`Model::vertex_weights`].
    pub weights: Option<usize>,
}

#[derive(Clone, Debug)]
pub struct Clip {
    /// The name, which extends to the end of the line (reading 4). Empty for keys before the first
    /// `a` (reading 8).
    pub name: String,
    /// All distinct key times of any joint, in seconds and ascending (reading 6; see the
    /// penultimate row of the table for the units in the file).
    pub key_times: Vec<f64>,
    /// The position keys of each joint: time in seconds and position, in strictly ascending order.
    pub position_keys: Vec<Vec<(f64, [f64; 3])>>,
    /// The rotation keys of each joint: time in seconds and x y z w (not normalised, reading 7), in
    /// strictly ascending order.
    pub rotation_keys: Vec<Vec<(f64, [f64; 4])>>,
}

#[derive(Clone, Debug)]
pub struct Model {
    /// The name of each joint, in file order. Joints of `jp` lines and implicit joints (reading 9)
    /// have an empty name.
    pub joint_names: Vec<String>,
    /// The parent of each joint, as a joint index.
    pub joint_parents: Vec<Option<usize>>,
    /// The parent-relative rest matrix of each joint, if the file has rest matrices (reading 5).
    pub joint_rests: Vec<Option<Mat4>>,
    pub clips: Vec<Clip>,
    /// The polygons in file order, each with at least three corners (reading 10).
    pub faces: Vec<Vec<Corner>>,
    /// The `v` lines, in file axes and units.
    pub positions: Vec<[f64; 3]>,
    /// The `vt` lines, as stored.
    pub texcoords: Vec<[f64; 2]>,
    /// The `vj` lines as 0-based joints; `None` for unused slots (reading 2).
    pub vertex_joints: Vec<Vec<Option<usize>>>,
    /// The `vw` lines, as stored (reading 3).
    pub vertex_weights: Vec<Vec<f64>>,
    dialect: Dialect,
    influence_limit: usize,
}

impl Model {
    /// Returns the parent-relative matrix of a joint `t` seconds into a clip: rest · T · R if the
    /// file has a rest matrix, otherwise T · R (reading 5). Positions are interpolated linearly,
    /// rotations along the shortest arc. Times outside the keys use the nearest key (reading 6).
    pub fn joint_local(&self, clip: usize, joint: usize, t: f64) -> Mat4 {
        let clip = &self.clips[clip];
        let position = sample(&clip.position_keys[joint], t, lerp).unwrap_or([0.0; 3]);
        let turn = sample(&clip.rotation_keys[joint], t, slerp).unwrap_or([0.0, 0.0, 0.0, 1.0]);
        let key = mul(&translation(position), &rotation(turn));
        mul(&self.joint_rests[joint].unwrap_or(IDENTITY), &key)
    }

    /// Returns the matrix from joint space to file space: the product of the local matrices of a
    /// joint and its ancestors.
    pub fn joint_world(&self, clip: usize, joint: usize, t: f64) -> Mat4 {
        let local = self.joint_local(clip, joint, t);
        match self.joint_parents[joint] {
            Some(parent) => mul(&self.joint_world(clip, parent, t), &local),
            None => local,
        }
    }

    /// Returns the matrix from joint space to file space in the rest pose: the product of the rest
    /// matrices of a joint and its ancestors, or the identity if the file has none (reading 5).
    pub fn joint_rest_world(&self, joint: usize) -> Mat4 {
        let local = self.joint_rests[joint].unwrap_or(IDENTITY);
        match self.joint_parents[joint] {
            Some(parent) => mul(&self.joint_rest_world(parent), &local),
            None => local,
        }
    }

    /// Returns the matrix that a joint applies to its vertices: world · inverse(rest world)
    /// (reading 5).
    pub fn skin_matrix(&self, clip: usize, joint: usize, t: f64) -> Mat4 {
        mul(&self.joint_world(clip, joint, t), &inverse(&self.joint_rest_world(joint)))
    }

    /// Returns the joints that influence a corner, with weights that sum to 1. Empty if the corner
    /// stays at rest (reading 3).
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

    /// Limits the influences of each corner to the `limit` largest weights (reading 3 uses four for
    /// glTF). Among equal weights, those that come first in the file are kept.
    pub fn limit_influences(&mut self, limit: usize) {
        self.influence_limit = limit;
    }

    /// Returns the corner positions of each face in file space, `t` seconds into a clip,
    /// transformed by the weighted skin matrices of their joints (readings 3 and 5).
    pub fn face_corners_at(&self, clip: usize, t: f64) -> Vec<Vec<[f64; 3]>> {
        let skin: Vec<Mat4> =
            (0..self.joint_names.len()).map(|joint| self.skin_matrix(clip, joint, t)).collect();
        self.map_corners(|corner| {
            let rest = self.positions[corner.position];
            let influences = self.influences(corner);
            if influences.is_empty() {
                return rest;
            }
            let moved =
                |(joint, weight): (usize, f64)| (transform_point(&skin[joint], rest), weight);
            weighted_sum(influences.into_iter().map(moved))
        })
    }

    /// Returns the corner positions of each face in file space at rest: the `v` values as stored.
    pub fn rest_corners(&self) -> Vec<Vec<[f64; 3]>> {
        self.map_corners(|corner| self.positions[corner.position])
    }

    /// Returns the corner texture coordinates of each face as expected in a glTF file: with V
    /// flipped, except in editamo's files, where they are unchanged (section "The OBJ base").
    pub fn face_texcoords(&self) -> Vec<Vec<Option<[f64; 2]>>> {
        self.map_corners(|corner| {
            let [u, v] = self.texcoords[corner.texcoord?];
            Some(if self.dialect == Dialect::Editamo { [u, v] } else { [u, 1.0 - v] })
        })
    }

    /// Returns the diagonal of the bounding box of all corners at rest, in file units; 0 without
    /// faces.
    pub fn size(&self) -> f64 {
        diagonal(&self.rest_corners().concat())
    }

    fn map_corners<T>(&self, of_corner: impl Fn(&Corner) -> T) -> Vec<Vec<T>> {
        let of_face = |face: &Vec<Corner>| face.iter().map(&of_corner).collect();
        self.faces.iter().map(of_face).collect()
    }
}
