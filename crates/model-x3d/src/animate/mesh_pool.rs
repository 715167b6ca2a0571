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
    /// mesh. A new mesh is charged to the budget, if any.
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
        if let Some(known) =
            candidates.iter().copied().find(|at| self.meshes.get(at.index()).is_some_and(is_same))
        {
            return Ok(known);
        }
        let bytes = mesh.size().saturating_mul(COPIES);
        budget.map_or(Ok(()), |budget| budget.charge("generated meshes", bytes))?;
        let at = MeshId::new(self.meshes.len());
        candidates.push(at);
        self.meshes.push(mesh);
        Ok(at)
    }
}
