//! Positions of End Sites, derived from meshes.

use std::cmp::Ordering;

use anim_ir::{Influences, JointRef, Mat4, Node, Skin, Vec3, double};

use super::local::Local;
use super::source::Source;

/// Returns, for each joint, the farthest vertex that is attached to it or of which it is the
/// strongest influence, at rest, in the joint's space without scale.
///
/// If several nodes share a mesh, all vertices are considered only for the first of them, and the
/// outermost vertices for the others, which keeps the cost linear in the scene's size.
pub(super) fn farthest(
    source: &Source<'_>,
    matrices: &[Mat4],
    rest: &[Local],
) -> Vec<Option<[f64; 3]>> {
    let turns = turns(source, rest);
    let mut farthest = vec![None; matrices.len()];
    let mut outermost: Vec<Option<Vec<usize>>> = vec![None; source.scene.meshes.len()];
    for node in &source.scene.nodes {
        let Some((id, mesh)) = node.mesh.and_then(|id| Some((id, source.scene.mesh(id)?))) else {
            continue;
        };
        let see = |(joint, vertex): (usize, Vec3)| {
            let (Some(matrix), Some(turn)) = (matrices.get(joint), turns.get(joint)) else {
                return;
            };
            let [x, y, z, _] = matrix.columns[3];
            let apart = (matrix.transform_point(vertex) - Vec3::new(x, y, z)).to_f64();
            let apart = double::transform(double::to_matrix(double::conjugate(*turn)), apart);
            let length = double::length(apart);
            if let Some(slot) = farthest.get_mut(joint)
                && length.is_finite()
                && length > slot.map_or(0.0, double::length)
            {
                *slot = Some(apart);
            }
        };
        let skin = node.skin.and_then(|skin| source.scene.skin(skin));
        let place = hangs_from(source, node);
        let bound = |vertex: usize| {
            let position = *mesh.positions.get(vertex)?;
            match (skin, place) {
                (Some(skin), _) if skin.skeleton == source.id => {
                    bound(skin, position, &mesh.influences, vertex)
                }
                (None, Some(joint)) => Some((joint, node.transform.transform_point(position))),
                _ => None,
            }
        };
        match outermost.get_mut(id.index()) {
            Some(Some(vertices)) => {
                vertices.iter().filter_map(|vertex| bound(*vertex)).for_each(see)
            }
            Some(unknown) => {
                (0..mesh.positions.len()).filter_map(bound).for_each(see);
                *unknown = Some(outermost_of(&mesh.positions));
            }
            None => {}
        }
    }
    farthest
}

/// Returns the vertices with the smallest and the largest coordinate on each axis.
fn outermost_of(positions: &[Vec3]) -> Vec<usize> {
    let along = |axis: usize| {
        let coordinate = move |position: &Vec3| position.to_array().get(axis).copied();
        let compare = move |(_, a): &(usize, &Vec3), (_, b): &(usize, &Vec3)| {
            coordinate(a).partial_cmp(&coordinate(b)).unwrap_or(Ordering::Equal)
        };
        let least = positions.iter().enumerate().min_by(compare);
        [least, positions.iter().enumerate().max_by(compare)]
    };
    let found = [0, 1, 2].into_iter().flat_map(along);
    found.flatten().map(|(vertex, _)| vertex).collect()
}

/// Returns the joint to which a node is attached.
fn hangs_from(source: &Source<'_>, node: &Node) -> Option<usize> {
    let JointRef { skeleton, joint, .. } = node.parent?;
    (skeleton == source.id).then_some(joint.index())
}

/// Returns the joint with the strongest influence on a vertex, and the vertex in that joint's
/// space.
fn bound(
    skin: &Skin,
    position: Vec3,
    influences: &Influences,
    vertex: usize,
) -> Option<(usize, Vec3)> {
    let width = influences.per_vertex.max(1);
    let of_vertex = vertex.checked_mul(width)?..vertex.checked_add(1)?.checked_mul(width)?;
    let joints = influences.joints.get(of_vertex.clone())?;
    let pairs = joints.iter().zip(influences.weights.get(of_vertex)?);
    let (joint, _) = pairs.max_by(|(_, a), (_, b)| a.total_cmp(b))?;
    let joint = usize::try_from(*joint).ok()?;
    let bind = skin.inverse_bind.get(joint)?;
    Some((skin.joints.get(joint)?.index(), bind.transform_point(position)))
}

/// Returns the rest rotation of each joint in model space.
fn turns(source: &Source<'_>, rest: &[Local]) -> Vec<double::Quat> {
    let mut turns: Vec<double::Quat> = Vec::with_capacity(rest.len());
    for (joint, local) in source.skeleton.joints.iter().zip(rest) {
        let own = local.rotation.to_f64();
        let above = joint.parent.and_then(|parent| turns.get(parent.index()));
        turns.push(above.map_or(own, |above| double::multiply(*above, own)));
    }
    turns
}
