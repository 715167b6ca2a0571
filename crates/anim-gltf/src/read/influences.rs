//! Vertex joints and weights.

use anim_ir::Influences;

use crate::json::Attributes;
use crate::read::fault::Fault;
use crate::read::skin::ReadSkin;
use crate::read::source::Source;

/// Returns the number of sets of four influences: `JOINTS_0` and `WEIGHTS_0`, and so on.
pub(crate) fn sets(attributes: &Attributes) -> usize {
    let has = |set: &usize| {
        let has = |name: &str| attributes.get(&format!("{name}_{set}")).is_some();
        has("JOINTS") && has("WEIGHTS")
    };
    (0..attributes.0.len()).take_while(has).count()
}

/// Reads all sets of influences. Returns `None` if the vertices have no influences.
pub(crate) fn read_influences(
    source: &mut Source<'_>,
    attributes: &Attributes,
    skin: &ReadSkin,
    same: impl Fn(usize, &str) -> Result<(), Fault>,
) -> Result<Option<Influences>, Fault> {
    let sets = sets(attributes);
    let per_vertex = sets.saturating_mul(4);
    let (mut joints, mut weights) = (Vec::new(), Vec::new());
    for set in 0..sets {
        let [joints_read, weights_read] = ["JOINTS", "WEIGHTS"].map(|name| format!("{name}_{set}"));
        let (Some(joints_at), Some(weights_at)) =
            (attributes.get(&joints_read), attributes.get(&weights_read))
        else {
            break;
        };
        let (of_joints, of_weights) =
            (source.integers(joints_at, 4)?, source.floats::<f32>(weights_at, 4)?);
        same(of_joints.len() / 4, &format!("/attributes/{joints_read}"))?;
        same(of_weights.len() / 4, &format!("/attributes/{weights_read}"))?;
        if sets == 1 {
            (joints, weights) = (of_joints, of_weights);
            break;
        }
        if set == 0 {
            source.spend(of_joints.len().saturating_mul(sets).saturating_mul(8))?;
            joints = vec![0; of_joints.len().saturating_mul(sets)];
            weights = vec![0.0; joints.len()];
        }
        put_set(&mut joints, &of_joints, (set, per_vertex));
        put_set(&mut weights, &of_weights, (set, per_vertex));
    }
    if sets == 0 {
        return Ok(None);
    }
    renumber(&mut joints, &mut weights, skin);
    Ok(Some(Influences { per_vertex, joints, weights }))
}

/// Copies a set to its columns in rows of `per_vertex` values.
fn put_set<T: Copy>(rows: &mut [T], values: &[T], (set, per_vertex): (usize, usize)) {
    for (row, values) in rows.chunks_exact_mut(per_vertex).zip(values.as_chunks::<4>().0) {
        if let Some(row) = row.as_chunks_mut::<4>().0.get_mut(set) {
            *row = *values;
        }
    }
}

/// Converts joint indices in the file to indices into the scene's skin. The influence of the static
/// joint is removed. Influences with a weight of 0 may refer to missing joints; they get joint 0.
fn renumber(joints: &mut [u32], weights: &mut [f32], skin: &ReadSkin) {
    if let Some(numbers) = &skin.numbers {
        for (joint, weight) in joints.iter_mut().zip(weights.iter_mut()) {
            match usize::try_from(*joint).ok().and_then(|joint| numbers.get(joint)) {
                Some(Some(number)) => *joint = *number,
                Some(None) => (*joint, *weight) = (0, 0.0),
                // The index is out of range, which is reported for the node that uses the skin.
                None => {}
            }
        }
    }
    let most = joints.iter().fold(0, |most, joint| *joint.max(&most));
    if usize::try_from(most).is_ok_and(|most| most >= skin.skin.joints.len()) {
        for (joint, weight) in joints.iter_mut().zip(weights.iter()) {
            if *weight == 0.0 {
                *joint = 0;
            }
        }
    }
}

/// Pads influences to `per_vertex` per vertex. If there are none, adds influences with a weight of
/// 0 for `rows` vertices.
pub(crate) fn widen(influences: &mut Influences, per_vertex: usize, rows: usize) {
    let old = influences.per_vertex;
    if old == 0 {
        let entries = rows.saturating_mul(per_vertex);
        *influences =
            Influences { per_vertex, joints: vec![0; entries], weights: vec![0.0; entries] };
    } else if old < per_vertex {
        influences.joints = wide_rows(&influences.joints, old, per_vertex);
        influences.weights = wide_rows(&influences.weights, old, per_vertex);
        influences.per_vertex = per_vertex;
    }
}

fn wide_rows<T: Copy + Default>(rows: &[T], old: usize, new: usize) -> Vec<T> {
    let mut wide = Vec::with_capacity((rows.len() / old.max(1)).saturating_mul(new));
    for row in rows.chunks_exact(old.max(1)) {
        wide.extend_from_slice(row);
        wide.extend(std::iter::repeat_n(T::default(), new.saturating_sub(old)));
    }
    wide
}
