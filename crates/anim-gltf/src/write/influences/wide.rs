//! Eight influences per vertex, as two sets of four.

use anim_ir::Influences;
use anim_ir::number::narrow;

use super::row::{Changes, Numbering, SLOTS, collect, is_off};

/// Number of influences in two sets.
const SLOTS_OF_BOTH: usize = 2 * SLOTS;

/// Vertex joints and weights of a mesh: the first four influences of each vertex, and the last
/// four.
#[derive(Debug, Default)]
pub(crate) struct Wide {
    pub(crate) joints: [Vec<u16>; 2],
    pub(crate) weights: [Vec<f32>; 2],
}

impl Wide {
    /// Returns the rows of a mesh and how many vertices were changed, or `None` if four influences
    /// are sufficient.
    pub(crate) fn new(
        source: &Influences,
        vertices: usize,
        numbering: Numbering<'_>,
    ) -> Option<(Wide, Changes)> {
        if source.per_vertex <= SLOTS {
            return None;
        }
        let (mut wide, mut changes) = (Wide::default(), Changes::default());
        let mut is_needed = false;
        let mut entries = Vec::new();
        let rows = source.joints.chunks_exact(source.per_vertex);
        for (joints, weights) in
            rows.zip(source.weights.chunks_exact(source.per_vertex)).take(vertices)
        {
            let place = |joint: u32| numbering.place(joint);
            let (sum, negative, fits) =
                collect(joints, weights, (place, SLOTS_OF_BOTH), &mut entries);
            changes.cut = changes.cut.saturating_add(usize::from(!fits));
            let scaled = negative || (sum > 0.0 && is_off(sum));
            changes.scaled = changes.scaled.saturating_add(usize::from(scaled));
            is_needed |= entries.len() > SLOTS;
            let mut row = [(0_u32, 0.0_f64); SLOTS_OF_BOTH];
            for (slot, entry) in row.iter_mut().zip(&entries) {
                *slot = (entry.joint, entry.weight);
            }
            if entries.is_empty() {
                changes.at_rest = changes.at_rest.saturating_add(1);
                row[0] = (numbering.at_rest, 1.0);
            }
            wide.push(row);
        }
        is_needed.then_some((wide, changes))
    }

    /// Adds a row, with its weights divided by their sum. The largest weight absorbs the rounding
    /// errors.
    fn push(&mut self, row: [(u32, f64); SLOTS_OF_BOTH]) {
        let sum: f64 = row.iter().map(|(_, weight)| weight).sum();
        let mut weights = row.map(|(_, weight)| narrow(weight / sum));
        let missing = 1.0 - weights.iter().copied().map(f64::from).sum::<f64>();
        if let Some(greatest) = weights.iter_mut().max_by(|a, b| a.total_cmp(b)) {
            *greatest = narrow(f64::from(*greatest) + missing);
        }
        // Influences with a weight of 0 use joint 0. Joint indices always fit in 16 bits.
        let joint = |((joint, _), weight): (&(u32, f64), &f32)| {
            if *weight == 0.0 { 0 } else { u16::try_from(*joint).unwrap_or_default() }
        };
        let joints: Vec<u16> = row.iter().zip(&weights).map(joint).collect();
        for (set, (joints, weights)) in
            joints.as_chunks::<SLOTS>().0.iter().zip(weights.as_chunks::<SLOTS>().0).enumerate()
        {
            if let (Some(all_joints), Some(all_weights)) =
                (self.joints.get_mut(set), self.weights.get_mut(set))
            {
                all_joints.extend(joints);
                all_weights.extend(weights);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(per_vertex: usize, joints: &[u32], weights: &[f32]) -> Option<(Wide, Changes)> {
        let source = Influences { per_vertex, joints: joints.into(), weights: weights.into() };
        Wide::new(&source, joints.len() / per_vertex, Numbering { places: None, at_rest: 99 })
    }

    #[test]
    fn eight_influences_are_kept_and_a_ninth_is_not() {
        let joints: Vec<u32> = (1..=9).chain(0..9).collect();
        let weights = [0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.25, 0.05];
        let (wide, changes) = rows(9, &joints, &[weights, [0.0; 9]].concat()).unwrap();
        assert_eq!(wide.joints, [[1, 2, 3, 4, 99, 0, 0, 0], [5, 6, 7, 8, 0, 0, 0, 0]]);
        let sum: f64 = wide.weights.iter().flat_map(|set| &set[..4]).copied().map(f64::from).sum();
        assert!((sum - 1.0).abs() < 1e-7, "{sum}");
        assert!((wide.weights[1][3] - 0.25 / 0.95).abs() < 1e-6);
        assert_eq!((wide.weights[0][4], wide.weights[1][4]), (1.0, 0.0));
        assert_eq!(changes, Changes { cut: 1, scaled: 0, at_rest: 1 });
    }

    #[test]
    fn meshes_with_four_influences_do_not_get_eight() {
        assert!(rows(4, &[1, 2, 3, 4], &[0.25; 4]).is_none());
        assert!(rows(5, &[1, 2, 3, 4, 1], &[0.2; 5]).is_none(), "duplicate joint");
    }
}
