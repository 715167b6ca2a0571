//! Unit normals.

use anim_ir::double::{cross, length};
use anim_ir::number::narrow;
use anim_ir::{Mesh, Topology, Vec3};

/// Tolerance for the squared length of a normal to be written unchanged. Text files often have only
/// four decimals.
const UNIT_NORMAL: f32 = 2e-4;

pub(crate) enum Normals {
    AsTheyAre,
    Made { normals: Vec<f32>, filled: usize },
}

/// Returns normals of length 1, or `None` if the mesh has no normals.
pub(crate) fn unit_normals(mesh: &Mesh) -> Option<Normals> {
    if mesh.normals.is_empty() {
        return None;
    }
    let is_unit = |n: &Vec3| (n.x * n.x + n.y * n.y + n.z * n.z - 1.0).abs() <= UNIT_NORMAL;
    // No early exit: a branch-free loop is faster.
    if mesh.normals.iter().fold(true, |all, normal| all & is_unit(normal)) {
        return Some(Normals::AsTheyAre);
    }
    let mut filled = 0_usize;
    let mut normals = Vec::with_capacity(mesh.normals.len().saturating_mul(3));
    for normal in &mesh.normals {
        let unit =
            if is_unit(normal) { *normal } else { normal.normalized().unwrap_or(Vec3::ZERO) };
        filled = filled.saturating_add(usize::from(unit == Vec3::ZERO));
        normals.extend(unit.to_array());
    }
    if filled > 0 {
        let sums = face_normals(mesh);
        for (normal, sum) in normals.as_chunks_mut::<3>().0.iter_mut().zip(&sums) {
            if *normal == [0.0; 3] {
                let length = length(*sum);
                *normal = if length > 0.0 && length.is_finite() {
                    sum.map(|e| narrow(e / length))
                } else {
                    [0.0, 0.0, 1.0]
                };
            }
        }
    }
    Some(Normals::Made { normals, filled })
}

/// Returns, for each vertex, the sum of the normals of its triangles. The length of each normal is
/// twice the triangle's area.
fn face_normals(mesh: &Mesh) -> Vec<[f64; 3]> {
    let mut sums = vec![[0.0; 3]; mesh.positions.len()];
    for part in mesh.primitives.iter().filter(|part| part.topology == Topology::Triangles) {
        for corners in part.indices.as_chunks::<3>().0 {
            let [Some(a), Some(b), Some(c)] =
                corners.map(|corner| mesh.positions.get(usize::try_from(corner).ok()?))
            else {
                continue;
            };
            let [a, b, c] = [a, b, c].map(|corner| corner.to_f64());
            let edge =
                |from: [f64; 3], to: [f64; 3]| [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
            let normal = cross(edge(a, b), edge(a, c));
            for corner in corners {
                if let Some(sum) =
                    usize::try_from(*corner).ok().and_then(|corner| sums.get_mut(corner))
                {
                    *sum = [sum[0] + normal[0], sum[1] + normal[1], sum[2] + normal[2]];
                }
            }
        }
    }
    sums
}
