//! Removes the flat normals that the writer added to a mesh with morph targets.

use anim_ir::{Mesh, Value};

use crate::json::extras::{FLAT_NORMALS, Ours};

/// Restores the original mesh by removing the added normals and duplicate vertices. Leaves the mesh
/// unchanged if a duplicate differs from its original, as after a change by another program.
pub(crate) fn remove_flat_normals(mesh: &mut Mesh, ours: &Ours) {
    if !ours.has(FLAT_NORMALS) {
        return;
    }
    let Some(copies) = copies(mesh, ours.list(FLAT_NORMALS)) else { return };
    let vertices = mesh.positions.len().saturating_sub(copies.len());
    for part in &mut mesh.primitives {
        for index in &mut part.indices {
            let copy = usize::try_from(*index).ok().and_then(|index| index.checked_sub(vertices));
            if let Some(original) = copy.and_then(|copy| copies.get(copy)) {
                *index = *original;
            }
        }
    }
    mesh.normals.clear();
    mesh.positions.truncate(vertices);
    mesh.texcoords.truncate(vertices);
    mesh.colors.truncate(vertices);
    let entries = vertices.saturating_mul(mesh.influences.per_vertex);
    mesh.influences.joints.truncate(entries);
    mesh.influences.weights.truncate(entries);
    for target in &mut mesh.morph_targets {
        target.positions.truncate(vertices);
        target.normals.clear();
    }
}

/// Returns the index of each duplicate's original, or `None` if any duplicate differs from its
/// original.
fn copies(mesh: &Mesh, listed: &[Value]) -> Option<Vec<u32>> {
    let vertices = mesh.positions.len().checked_sub(listed.len())?;
    let mut copies = Vec::with_capacity(listed.len());
    for (copy, original) in (vertices..).zip(listed) {
        let Value::Number(number) = original else { return None };
        // Parsing fails for negative and fractional numbers, which are not vertex indices.
        let original = format!("{number}").parse::<u32>().ok()?;
        let at = usize::try_from(original).ok().filter(|at| *at < vertices)?;
        let same = mesh.positions.get(at) == mesh.positions.get(copy)
            && mesh.morph_targets.iter().all(|t| t.positions.get(at) == t.positions.get(copy));
        if !same {
            return None;
        }
        copies.push(original);
    }
    Some(copies)
}
