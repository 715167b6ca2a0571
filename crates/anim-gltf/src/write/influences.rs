//! Vertex joints and weights in the form that glTF requires: four per vertex, weights that sum to
//! 1, no duplicate joints, and joint 0 if the weight is 0.

mod row;
mod wide;

use anim_ir::Influences;

use crate::write::bytes::put_words;
pub(crate) use row::{Changes, Numbering, SLOTS};
use row::{Row, is_clean, make_row, used};
pub(crate) use wide::Wide;

/// Number of vertices per block. Blocks that are already valid are copied.
const BLOCK: usize = 1024;
/// The influences of a mesh for one skin: the scene's own arrays where they are valid, and new rows
/// elsewhere.
#[derive(Debug)]
pub(crate) struct Prepared<'a> {
    source: &'a Influences,
    vertices: usize,
    /// For each block, whether its rows are in `made`.
    remade: Vec<bool>,
    made: Vec<Row>,
}

impl<'a> Prepared<'a> {
    pub(crate) fn new(
        source: &'a Influences,
        vertices: usize,
        numbering: Numbering<'_>,
    ) -> (Prepared<'a>, Changes) {
        let mut changes = Changes::default();
        let mut prepared = Prepared {
            source,
            vertices,
            remade: Vec::with_capacity(vertices.div_ceil(BLOCK)),
            made: Vec::new(),
        };
        let per_vertex = source.per_vertex;
        let as_they_are = per_vertex == SLOTS && numbering.places.is_none();
        let mut scratch = Vec::new();
        let rows_in =
            |block: usize| BLOCK.min(vertices.saturating_sub(block.saturating_mul(BLOCK)));
        for block in 0..vertices.div_ceil(BLOCK) {
            let range = block.saturating_mul(BLOCK).saturating_mul(per_vertex)..;
            let joints = source.joints.get(range.clone()).unwrap_or_default();
            let weights = source.weights.get(range).unwrap_or_default();
            let count = rows_in(block);
            let clean = as_they_are && {
                let (joints, weights) =
                    (joints.as_chunks::<SLOTS>().0, weights.as_chunks::<SLOTS>().0);
                // No early exit: a branch-free loop is faster, since almost all rows are valid.
                joints
                    .iter()
                    .zip(weights)
                    .take(count)
                    .fold(true, |clean, (joints, weights)| clean & is_clean(joints, weights))
            };
            prepared.remade.push(!clean);
            if clean {
                continue;
            }
            if prepared.made.is_empty() {
                // If one block is invalid, most of the remaining blocks are usually invalid, too.
                prepared.made.reserve(vertices.saturating_sub(block.saturating_mul(BLOCK)));
            }
            for row in 0..count {
                let range = row.saturating_mul(per_vertex)
                    ..row.saturating_add(1).saturating_mul(per_vertex);
                let joints = joints.get(range.clone()).unwrap_or_default();
                let weights = weights.get(range).unwrap_or_default();
                let row = make_row(joints, weights, numbering, &mut scratch, &mut changes);
                prepared.made.push(row);
            }
        }
        (prepared, changes)
    }

    pub(crate) fn vertices(&self) -> usize {
        self.vertices
    }

    pub(crate) fn put_joints8(&self, out: &mut Vec<u8>) {
        self.put_joints(out, |joints| joints.map(|joint| joint.to_le_bytes()[0]));
    }

    pub(crate) fn put_joints16(&self, out: &mut Vec<u8>) {
        let narrow = |joint: u32| {
            let [low, high, ..] = joint.to_le_bytes();
            [low, high]
        };
        self.put_joints(out, |joints| joints.map(narrow));
    }

    fn put_joints<N: bytemuck::NoUninit + bytemuck::Zeroable>(
        &self,
        out: &mut Vec<u8>,
        narrow: impl Fn([u32; SLOTS]) -> [N; SLOTS],
    ) where
        [N; SLOTS]: bytemuck::NoUninit,
    {
        let mut block = [[N::zeroed(); SLOTS]; BLOCK];
        let (joints, weights) =
            (self.source.joints.chunks(BLOCK * SLOTS), self.source.weights.chunks(BLOCK * SLOTS));
        self.for_blocks(joints.zip(weights), |own, made| {
            let mut count = 0;
            if let Some((joints, weights)) = own {
                let (joints, weights) =
                    (joints.as_chunks::<SLOTS>().0, weights.as_chunks::<SLOTS>().0);
                count = joints.len();
                for ((joints, weights), to) in joints.iter().zip(weights).zip(&mut block) {
                    *to = narrow(used(joints, weights));
                }
            } else {
                count = count.max(made.len());
                for (row, to) in made.iter().zip(&mut block) {
                    *to = narrow(row.joints);
                }
            }
            out.extend_from_slice(bytemuck::cast_slice(block.get(..count).unwrap_or_default()));
        });
    }

    pub(crate) fn put_weights(&self, out: &mut Vec<u8>) {
        if self.made.is_empty() {
            put_words(out, &self.source.weights);
            return;
        }
        let mut block = [[0.0; SLOTS]; BLOCK];
        self.for_blocks(self.source.weights.chunks(BLOCK * SLOTS), |own, made| {
            if let Some(weights) = own {
                put_words(out, weights);
            } else {
                for (row, to) in made.iter().zip(&mut block) {
                    *to = row.weights;
                }
                put_words(out, block.get(..made.len()).unwrap_or_default().as_flattened());
            }
        });
    }

    /// Calls `take` for each block: with the scene's own rows if they are unchanged, otherwise with
    /// `None` and the new rows.
    fn for_blocks<T>(
        &self,
        mut own: impl Iterator<Item = T>,
        mut take: impl FnMut(Option<T>, &[Row]),
    ) {
        let mut made = self.made.as_slice();
        let mut left = self.vertices;
        for remade in &self.remade {
            let count = left.min(BLOCK);
            left = left.saturating_sub(count);
            let own = own.next();
            if *remade {
                let (rows, rest) = made.split_at_checked(count).unwrap_or((made, &[]));
                made = rest;
                take(None, rows);
            } else {
                take(own, &[]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    type Found = ([u16; 4], [f32; 4]);

    fn rows(
        per_vertex: usize,
        joints: &[u32],
        weights: &[f32],
        places: Option<&[u32]>,
    ) -> (Vec<Found>, Changes) {
        let source = Influences { per_vertex, joints: joints.into(), weights: weights.into() };
        let vertices = joints.len() / per_vertex;
        let (prepared, changes) =
            Prepared::new(&source, vertices, Numbering { places, at_rest: 99 });
        let (mut wide, mut small, mut weights) = (vec![], vec![], vec![]);
        prepared.put_joints16(&mut wide);
        prepared.put_joints8(&mut small);
        prepared.put_weights(&mut weights);
        assert_eq!(
            (wide.len(), small.len(), weights.len()),
            (vertices * 8, vertices * 4, vertices * 16)
        );
        let joints: Vec<u16> = wide.as_chunks().0.iter().copied().map(u16::from_le_bytes).collect();
        let weights: Vec<f32> =
            weights.as_chunks().0.iter().copied().map(f32::from_le_bytes).collect();
        assert!(joints.iter().map(|joint| joint.to_le_bytes()[0]).eq(small));
        let (joints, weights) = (joints.as_chunks().0, weights.as_chunks().0);
        (joints.iter().copied().zip(weights.iter().copied()).collect(), changes)
    }

    #[test]
    fn valid_rows_are_kept_except_for_joints_without_weight() {
        let (rows, changes) =
            rows(4, &[5, 300, 7, 7, 1, 2, 3, 4], &[0.5, 0.5, 0.0, 0.0, 0.1, 0.2, 0.3, 0.4], None);
        assert_eq!(
            rows,
            [([5, 300, 0, 0], [0.5, 0.5, 0.0, 0.0]), ([1, 2, 3, 4], [0.1, 0.2, 0.3, 0.4])]
        );
        assert_eq!(changes, Changes::default());
    }

    #[test]
    fn rows_are_cut_merged_scaled_and_bound_to_the_static_joint() {
        let (found, changes) = rows(
            5,
            &[1, 2, 3, 4, 5, 0, 0, 0, 0, 0],
            &[0.1, 0.2, 0.3, 0.3, 0.1, 0.0, 0.0, 0.0, 0.0, 0.0],
            None,
        );
        assert_eq!(found[0].0, [1, 2, 3, 4]);
        assert!((found[0].1[2] - 1.0 / 3.0).abs() < 1e-6);
        assert_eq!(found[1], ([99, 0, 0, 0], [1.0, 0.0, 0.0, 0.0]));
        assert_eq!(changes, Changes { cut: 1, scaled: 0, at_rest: 1 });

        let (found, changes) = rows(4, &[1, 1, 2, 0], &[0.25, 0.25, 0.5, 0.0], None);
        assert_eq!((found[0], changes), (([1, 2, 0, 0], [0.5, 0.5, 0.0, 0.0]), Changes::default()));
        let (found, changes) = rows(2, &[1, 2], &[3.0, 1.0], None);
        assert_eq!((found[0], changes.scaled), (([1, 2, 0, 0], [0.75, 0.25, 0.0, 0.0]), 1));
        let (found, changes) = rows(2, &[1, 2], &[-3.0, 1.0], None);
        assert_eq!((found[0], changes.scaled), (([2, 0, 0, 0], [1.0, 0.0, 0.0, 0.0]), 1));
        let (found, _) = rows(4, &[0, 1, 2, 3], &[0.25; 4], Some(&[7, 7, 8, 9]));
        assert_eq!(found[0], ([7, 8, 9, 0], [0.5, 0.25, 0.25, 0.0]));
        let many: Vec<u32> = (0..40).map(|i| i % 8).collect();
        let (found, changes) = rows(40, &many, &[1.0; 40], None);
        assert_eq!((found[0], changes.cut), (([0, 1, 2, 3], [0.25; 4]), 1));
    }

    proptest! {
        #[test]
        fn sums_are_1_joints_are_unique_and_blocks_do_not_matter(
            per_vertex in 1usize..7,
            seed in prop::collection::vec((0u32..9, 0u8..9), 1..40),
            repeat in 1usize..200,
            small in any::<bool>(),
        ) {
            let seed: Vec<_> = seed.iter().cycle().take(seed.len() * repeat).copied().collect();
            let vertices = seed.len() / per_vertex;
            let factor = if small { 1e-43 } else { 0.1 };
            let entries = seed.iter().take(vertices * per_vertex);
            let (joints, weights): (Vec<u32>, Vec<f32>) =
                entries.map(|(joint, weight)| (*joint, f32::from(*weight) * factor)).unzip();
            let (rows, changes) = rows(per_vertex, &joints, &weights, None);
            let mut at_rest = 0;
            for (vertex, (found, w)) in rows.iter().enumerate() {
                let sum: f64 = w.iter().copied().map(f64::from).sum();
                prop_assert!((sum - 1.0).abs() <= 2.0e-7, "{:?}", w);
                for i in 0..4 {
                    prop_assert!(w[i] >= 0.0 && (w[i] > 0.0 || found[i] == 0));
                    let same = |j: usize| found[i] == found[j] && w[i] != 0.0 && w[j] != 0.0;
                    prop_assert!(!(0..i).any(same));
                }
                // Compare with the definition: each joint's total weight divided by the total of
                // the kept joints.
                let row = vertex * per_vertex..(vertex + 1) * per_vertex;
                let of = |joint: u16| -> f64 {
                    let entries = row.clone().filter(|i| joints[*i] == u32::from(joint));
                    entries.map(|i| f64::from(weights[i])).sum()
                };
                let total: f64 = (0..9).map(of).sum();
                if total == 0.0 {
                    at_rest += 1;
                    prop_assert_eq!(found[0], 99);
                } else {
                    let used = || (0..4).filter(|i| w[*i] > 0.0);
                    let kept: f64 = used().map(|i| of(found[i])).sum();
                    let least = used().map(|i| of(found[i])).fold(f64::MAX, f64::min);
                    let is_used = |joint: u16| used().any(|i| found[i] == joint);
                    prop_assert!((0..9).all(|joint| is_used(joint) || of(joint) <= least));
                    for i in used() {
                        prop_assert!((f64::from(w[i]) - of(found[i]) / kept).abs() < 1e-6);
                    }
                }
            }
            prop_assert_eq!(at_rest, changes.at_rest);
        }
    }
}
