//! Positions of End Sites, derived from meshes.

use anim_ir::{JointRef, Mat4, Node, Skin, Vec3, double};

use super::local::Local;
use super::source::Source;

/// Returns, for each joint, the farthest vertex that is attached to it or of which it is the
/// strongest influence, at rest, in the joint's space without scale.
pub(super) fn farthest(
    source: &Source<'_>,
    matrices: &[Mat4],
    rest: &[Local],
) -> Vec<Option<[f64; 3]>> {
    let turns = turns(source, rest);
    let mut farthest = vec![None; matrices.len()];
    for node in &source.scene.nodes {
        let Some(mesh) = node.mesh.and_then(|mesh| source.scene.mesh(mesh)) else { continue };
        let mut see = |joint: usize, vertex: Vec3| {
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
        match (node.skin.and_then(|skin| source.scene.skin(skin)), hangs_from(source, node)) {
            (Some(skin), _) if skin.skeleton == source.id => {
                let influences = &mesh.influences;
                let width = influences.per_vertex.max(1);
                let joints = influences.joints.chunks_exact(width);
                let weights = influences.weights.chunks_exact(width);
                for ((vertex, joints), weights) in mesh.positions.iter().zip(joints).zip(weights) {
                    if let Some((joint, vertex)) = bound(skin, *vertex, joints, weights) {
                        see(joint, vertex);
                    }
                }
            }
            (None, Some(joint)) => {
                for vertex in &mesh.positions {
                    see(joint, node.transform.transform_point(*vertex));
                }
            }
            _ => {}
        }
    }
    farthest
}

/// Returns the joint to which a node is attached.
fn hangs_from(source: &Source<'_>, node: &Node) -> Option<usize> {
    let JointRef { skeleton, joint, .. } = node.parent?;
    (skeleton == source.id).then_some(joint.index())
}

/// Returns the joint with the strongest influence on a vertex, and the vertex in that joint's
/// space.
fn bound(skin: &Skin, vertex: Vec3, joints: &[u32], weights: &[f32]) -> Option<(usize, Vec3)> {
    let pairs = joints.iter().zip(weights);
    let (joint, _) = pairs.max_by(|(_, a), (_, b)| a.total_cmp(b))?;
    let joint = usize::try_from(*joint).ok()?;
    let bind = skin.inverse_bind.get(joint)?;
    Some((skin.joints.get(joint)?.index(), bind.transform_point(vertex)))
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
