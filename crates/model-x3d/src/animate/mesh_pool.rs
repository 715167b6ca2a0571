//! Deduplication of meshes.

use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use anim_ir::{Budget, LimitError, Mesh, MeshId, Vec3};

/// The factor by which a generated mesh is charged: the text that writers produce for it takes more
/// memory and time than the mesh.
const COPIES: usize = 2;

/// The meshes of a scene, without duplicates.
#[derive(Debug, Default)]
pub(super) struct MeshPool {
    pub(super) meshes: Vec<Mesh>,
    by_content: HashMap<u64, Vec<MeshId>>,
}

impl MeshPool {
    /// Adds a mesh, unless an existing mesh is equal apart from its name. Returns the index of the
    /// mesh. The mesh is charged to the budget, if any, even if it is dropped as a duplicate.
    pub(super) fn add(
        &mut self,
        mesh: Mesh,
        budget: Option<&Budget>,
    ) -> Result<MeshId, LimitError> {
        let mut hasher = DefaultHasher::new();
        for part in &mesh.primitives {
            (part.material, &part.indices).hash(&mut hasher);
        }
        let targets = mesh.morph_targets.iter().map(|target| &target.positions);
        for vectors in [&mesh.positions, &mesh.normals].into_iter().chain(targets) {
            bytemuck::cast_slice::<Vec3, u8>(vectors).hash(&mut hasher);
        }
        let candidates = self.by_content.entry(hasher.finish()).or_default();
        let is_same = |other: &Mesh| {
            (&other.positions, &other.normals, &other.texcoords, &other.colors)
                == (&mesh.positions, &mesh.normals, &mesh.texcoords, &mesh.colors)
                && other.influences == mesh.influences
                && (&other.primitives, &other.morph_targets)
                    == (&mesh.primitives, &mesh.morph_targets)
        };
        let known =
            candidates.iter().copied().find(|at| self.meshes.get(at.index()).is_some_and(is_same));
        let copies = if known.is_some() { 1 } else { COPIES };
        if let Some(budget) = budget {
            budget.charge("generated meshes", mesh.size().saturating_mul(copies))?;
        }
        if let Some(known) = known {
            return Ok(known);
        }
        let at = MeshId::new(self.meshes.len());
        candidates.push(at);
        self.meshes.push(mesh);
        Ok(at)
    }
}
