//! An evaluator of `.amo` text, straight from the notes on the format.
//!
//! The input is taken to be well-formed. Where the notes say that a bad line is dropped with an
//! error, this evaluator panics instead, unless dropping it costs nothing.

mod raw;
pub(super) mod read;

use crate::compare::diagonal;
use crate::math::{
    IDENTITY, Mat4, inverse, lerp, mul, rotation, sample, slerp, transform_point, translation,
    weighted_sum,
};

cases! {
    /// Which of the incompatible dialects a text is in (the columns of the table).
    #[derive(Default)]
    pub enum Dialect {
        /// D0: `jp parent` or 0-based `j`, times in frames, face slots four and five 0-based.
        Extobj,
        /// D1: as in the specification.
        #[default]
        Spec,
        /// D1e: as D1, but 0-based parents and texture coordinates as in glTF.
        Editamo,
        /// D2: `k` lines before the keys, w x y z quaternions, a rest matrix behind `j`.
        Lines,
        /// D3: counted blocks of bare rows, everything 0-based.
        Counted,
    }
}

/// One corner of a face: 0-based numbers into the tables of the [`Model`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Corner {
    /// Which of [`Model::positions`].
    pub position: usize,
    /// Which of [`Model::texcoords`].
    pub texcoord: Option<usize>,
    /// Which `vn` of the file.
    pub normal: Option<usize>,
    /// Which of [`Model::vertex_joints`].
    pub joints: Option<usize>,
    /// Which of [`Model::vertex_weights`].
    pub weights: Option<usize>,
}

#[derive(Clone, Debug)]
pub struct Clip {
    /// The name up to the end of the line (reading 4), empty for keys before the first `a` (reading
    /// 8).
    pub name: String,
    /// All distinct times, in seconds and ascending, at which any joint has a key (reading 6 and
    /// the table's last row but one for the units of the file).
    pub key_times: Vec<f64>,
    /// For every joint its keys as time in seconds and position, times strictly ascending.
    pub position_keys: Vec<Vec<(f64, [f64; 3])>>,
    /// For every joint its keys as time in seconds and x y z w, not normalised (reading 7), times
    /// strictly ascending.
    pub rotation_keys: Vec<Vec<(f64, [f64; 4])>>,
}

#[derive(Clone, Debug)]
pub struct Model {
    /// Every joint's name in file order. Joints of `jp` lines and made-up joints (reading 9) have
    /// the empty name.
    pub joint_names: Vec<String>,
    /// Every joint's parent, as a number into the joints.
    pub joint_parents: Vec<Option<usize>>,
    /// Every joint's rest matrix, parent-relative, where the file has one (reading 5).
    pub joint_rests: Vec<Option<Mat4>>,
    pub clips: Vec<Clip>,
    /// The polygons in file order, each with three corners or more (reading 10).
    pub faces: Vec<Vec<Corner>>,
    /// The `v` of the file, in the file's own axes and units.
    pub positions: Vec<[f64; 3]>,
    /// The `vt` of the file, as written.
    pub texcoords: Vec<[f64; 2]>,
    /// The `vj` of the file as 0-based joints, `None` where unused (reading 2).
    pub vertex_joints: Vec<Vec<Option<usize>>>,
    /// The `vw` of the file, as written (reading 3).
    pub vertex_weights: Vec<Vec<f64>>,
    dialect: Dialect,
    influence_limit: usize,
}

impl Model {
    /// The parent-relative matrix of a joint `t` seconds into a clip: rest · T · R where the file
    /// has a rest matrix, else T · R (reading 5). Positions go in straight lines, rotations the
    /// shortest way, and outside of the keys the nearest one holds (reading 6).
    pub fn joint_local(&self, clip: usize, joint: usize, t: f64) -> Mat4 {
        let clip = &self.clips[clip];
        let position = sample(&clip.position_keys[joint], t, lerp).unwrap_or([0.0; 3]);
        let turn = sample(&clip.rotation_keys[joint], t, slerp).unwrap_or([0.0, 0.0, 0.0, 1.0]);
        let key = mul(&translation(position), &rotation(turn));
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
            let moved =
                |(joint, weight): (usize, f64)| (transform_point(&skin[joint], rest), weight);
            weighted_sum(influences.into_iter().map(moved))
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
        diagonal(&self.rest_corners().concat())
    }

    fn map_corners<T>(&self, of_corner: impl Fn(&Corner) -> T) -> Vec<Vec<T>> {
        let of_face = |face: &Vec<Corner>| face.iter().map(&of_corner).collect();
        self.faces.iter().map(of_face).collect()
    }
}
