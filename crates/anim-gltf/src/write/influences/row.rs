//! The joints and weights of one vertex.

use anim_ir::number::narrow;
use anim_ir::sort_by;

/// Number of influences per vertex that all glTF readers support.
pub(crate) const SLOTS: usize = 4;
/// Tolerance within which the sum of weights may differ from 1 for the weights to be written
/// unchanged: three f32 rounding errors, such as those from dividing by the sum. Less than the 2e-7
/// that the validator allows.
const EXACT: f32 = 1.8e-7;
/// Tolerance within which the sum of weights may differ from 1 for the weights to be normalised
/// without a report. Weights in text files have at least three decimals.
const ROUNDED: f64 = 2e-3;
/// Up to this number, the influences of a vertex are compared pairwise; larger numbers are sorted.
const FEW: usize = 16;

/// Number of vertices that were changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Changes {
    /// Vertices that lost their smallest weights because they had too many.
    pub(crate) cut: usize,
    /// Vertices with negative weights, or weights that did not sum to 1.
    pub(crate) scaled: usize,
    /// Vertices without influences.
    pub(crate) at_rest: usize,
}

/// The mapping from scene joint indices to glTF joint indices.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Numbering<'a> {
    /// For each index in the scene's skin, the index in the glTF skin; `None` if they are equal.
    pub(crate) places: Option<&'a [u32]>,
    /// The joint that never moves.
    pub(crate) at_rest: u32,
}

impl Numbering<'_> {
    pub(super) fn place(&self, joint: u32) -> u32 {
        let Some(places) = self.places else { return joint };
        usize::try_from(joint).ok().and_then(|joint| places.get(joint)).copied().unwrap_or(0)
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Row {
    pub(super) joints: [u32; SLOTS],
    pub(super) weights: [f32; SLOTS],
}

/// Whether a row is valid: nonnegative weights that sum to 1, and no duplicate joints.
#[inline]
pub(super) fn is_clean(joints: &[u32; SLOTS], weights: &[f32; SLOTS]) -> bool {
    sums_to_one(weights) & is_apart(joints, weights)
}

#[inline]
fn sums_to_one(weights: &[f32; SLOTS]) -> bool {
    let [a, b, c, d] = *weights;
    (((a + b) + (c + d)) - 1.0).abs() <= EXACT
}

/// Whether weights are nonnegative and at most one of each joint's weights is not 0.
#[inline]
fn is_apart(joints: &[u32; SLOTS], weights: &[f32; SLOTS]) -> bool {
    let [a, b, c, d] = *weights;
    let positive = (a >= 0.0) & (b >= 0.0) & (c >= 0.0) & (d >= 0.0);
    // Replace joints that have a weight of 0 with four distinct indices that no skin has.
    let joint = |joint: u32, weight: f32, none: u32| if weight == 0.0 { none } else { joint };
    let [j0, j1, j2, j3] = *joints;
    let (i, j, k, l) = (
        joint(j0, a, u32::MAX),
        joint(j1, b, u32::MAX - 1),
        joint(j2, c, u32::MAX - 2),
        joint(j3, d, u32::MAX - 3),
    );
    positive & (i != j) & (i != k) & (i != l) & (j != k) & (j != l) & (k != l)
}

/// Returns the joints, with 0 in place of joints that have a weight of 0.
#[inline]
pub(super) fn used(joints: &[u32; SLOTS], weights: &[f32; SLOTS]) -> [u32; SLOTS] {
    let [a, b, c, d] = *weights;
    let [i, j, k, l] = *joints;
    let used = |joint: u32, weight: f32| if weight == 0.0 { 0 } else { joint };
    [used(i, a), used(j, b), used(k, c), used(l, d)]
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) joint: u32,
    pub(super) weight: f64,
    order: usize,
}

/// Builds a row that is valid in glTF.
pub(super) fn make_row(
    joints: &[u32],
    weights: &[f32],
    numbering: Numbering<'_>,
    scratch: &mut Vec<Entry>,
    changes: &mut Changes,
) -> Row {
    let place = |joint: u32| numbering.place(joint);
    let mut row = Row { joints: [0; SLOTS], weights: [0.0; SLOTS] };
    if joints.len() <= SLOTS {
        match (joints.try_into(), weights.try_into()) {
            (Ok(joints), Ok(weights)) if numbering.places.is_none() => {
                row = Row { joints, weights }
            }
            _ => {
                for ((to, joint), (weight, from)) in
                    row.joints.iter_mut().zip(joints).zip(row.weights.iter_mut().zip(weights))
                {
                    (*to, *weight) = (place(*joint), *from);
                }
            }
        }
        let sum: f64 = row.weights.iter().copied().map(f64::from).sum();
        if sum > 0.0 && is_apart(&row.joints, &row.weights) {
            if sums_to_one(&row.weights) {
                return Row { joints: used(&row.joints, &row.weights), ..row };
            }
            changes.scaled = changes.scaled.saturating_add(usize::from(is_off(sum)));
            return scaled(row.joints, row.weights.map(f64::from), sum);
        }
    }
    let (sum, negative, fits) = collect(joints, weights, (place, SLOTS), scratch);
    changes.cut = changes.cut.saturating_add(usize::from(!fits));
    changes.scaled =
        changes.scaled.saturating_add(usize::from(negative || (sum > 0.0 && is_off(sum))));
    let mut kept = [0.0; SLOTS];
    row.joints = [0; SLOTS];
    for (entry, (joint, weight)) in scratch.iter().zip(row.joints.iter_mut().zip(&mut kept)) {
        (*joint, *weight) = (entry.joint, entry.weight);
    }
    let total: f64 = kept.iter().sum();
    if total > 0.0 {
        return scaled(row.joints, kept, total);
    }
    changes.at_rest = changes.at_rest.saturating_add(1);
    Row { joints: [numbering.at_rest, 0, 0, 0], weights: [1.0, 0.0, 0.0, 0.0] }
}

pub(super) fn is_off(sum: f64) -> bool {
    (sum - 1.0).abs() > ROUNDED
}

/// Divides weights by their sum. The largest weight absorbs all rounding errors; its own error is
/// at most 2⁻²⁴.
#[inline]
fn scaled(joints: [u32; SLOTS], weights: [f64; SLOTS], sum: f64) -> Row {
    let factor = 1.0 / sum;
    let [a, b, c, d] = weights.map(|weight| narrow(weight * factor));
    let missing = 1.0 - ((f64::from(a) + f64::from(b)) + (f64::from(c) + f64::from(d)));
    let greatest = a.max(b).max(c.max(d));
    // Branch-free, since the position of the largest weight is unpredictable.
    let (is_a, is_b, is_c) = (a == greatest, b == greatest, c == greatest);
    let filled = |weight: f32, is_greatest: bool| {
        if is_greatest { narrow(f64::from(weight) + missing) } else { weight }
    };
    let weights = [
        filled(a, is_a),
        filled(b, is_b & !is_a),
        filled(c, is_c & !is_a & !is_b),
        filled(d, !is_a & !is_b & !is_c),
    ];
    Row { joints: used(&joints, &weights), weights }
}

/// Returns up to `most` of the largest influences, without duplicate joints and in the original
/// order. Also returns the sum of all positive weights, whether any weight is negative, and whether
/// `most` was sufficient.
pub(super) fn collect(
    joints: &[u32],
    weights: &[f32],
    (place, most): (impl Fn(u32) -> u32, usize),
    into: &mut Vec<Entry>,
) -> (f64, bool, bool) {
    into.clear();
    let (mut sum, mut negative) = (0.0, false);
    for (order, (joint, weight)) in joints.iter().zip(weights).enumerate() {
        negative |= *weight < 0.0;
        if *weight > 0.0 {
            let (joint, weight) = (place(*joint), f64::from(*weight));
            sum += weight;
            let same = if joints.len() <= FEW {
                into.iter_mut().find(|entry| entry.joint == joint)
            } else {
                None
            };
            match same {
                Some(entry) => entry.weight += weight,
                None => into.push(Entry { joint, weight, order }),
            }
        }
    }
    if joints.len() > FEW {
        sort_by(into, |a, b| a.joint.cmp(&b.joint).then(a.order.cmp(&b.order)));
        into.dedup_by(|later, first| {
            let same = later.joint == first.joint;
            if same {
                first.weight += later.weight;
            }
            same
        });
    }
    let fits = into.len() <= most;
    if !fits {
        sort_by(into, |a, b| b.weight.total_cmp(&a.weight).then(a.order.cmp(&b.order)));
        into.truncate(most);
    }
    sort_by(into, |a, b| a.order.cmp(&b.order));
    (sum, negative, fits)
}
