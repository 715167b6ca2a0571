//! Vertex joints and weights.

use anim_ir::Influences;

use crate::json::Attributes;
use crate::read::fault::Fault;
use crate::read::skin::ReadSkin;
use crate::read::source::Source;

/// Reads four or eight influences per vertex. Returns `None` if the vertices have no influences.
pub(crate) fn read_influences(
    source: &mut Source<'_>,
    attributes: &Attributes,
    skin: &ReadSkin,
    same: impl Fn(usize, &str) -> Result<(), Fault>,
) -> Result<Option<Influences>, Fault> {
    let mut sets = Vec::new();
    for (joints, weights) in [("JOINTS_0", "WEIGHTS_0"), ("JOINTS_1", "WEIGHTS_1")] {
        let (Some(joints_at), Some(weights_at)) = (attributes.get(joints), attributes.get(weights))
        else {
            break;
        };
        let (joints_read, weights_read) =
            (source.integers(joints_at, 4)?, source.floats::<f32>(weights_at, 4)?);
        same(joints_read.len() / 4, &format!("/attributes/{joints}"))?;
        same(weights_read.len() / 4, &format!("/attributes/{weights}"))?;
        sets.push((joints_read, weights_read));
    }
    let mut sets = sets.into_iter();
    let Some((mut joints, mut weights)) = sets.next() else { return Ok(None) };
    let mut per_vertex = 4;
    if let Some((more_joints, more_weights)) = sets.next() {
        source.spend(joints.len().saturating_mul(16))?;
        (joints, weights, per_vertex) =
            (side_by_side(&joints, &more_joints), side_by_side(&weights, &more_weights), 8);
    }
    renumber(&mut joints, &mut weights, skin);
    Ok(Some(Influences { per_vertex, joints, weights }))
}

fn side_by_side<T: Copy>(first: &[T], second: &[T]) -> Vec<T> {
    let (first, second) = (first.as_chunks::<4>().0, second.as_chunks::<4>().0);
    first
        .iter()
        .zip(second)
        .flat_map(|(first, second)| first.iter().chain(second))
        .copied()
        .collect()
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
