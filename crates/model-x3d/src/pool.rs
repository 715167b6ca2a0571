//! Meshes that are equal are there once.

use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use anim_ir::{Mesh, Vec3};

use crate::motion::{Motion, Page};

/// The meshes of a scene, each once.
#[derive(Debug, Default)]
pub(crate) struct MeshPool {
    pub(crate) meshes: Vec<Mesh>,
    by_content: HashMap<u64, Vec<usize>>,
}

impl MeshPool {
    /// The mesh of a page.
    pub(crate) fn add(
        &mut self,
        motion: &Motion,
        page: &Page,
        name: &str,
        material: usize,
        morph_normals: bool,
    ) -> usize {
        let mesh = motion.mesh(page, name, material, morph_normals);
        let mut hasher = DefaultHasher::new();
        let parts: Vec<&[u32]> =
            mesh.primitives.iter().map(|part| part.indices.as_slice()).collect();
        (material, parts).hash(&mut hasher);
        let targets = mesh.morph_targets.iter().map(|target| &target.positions);
        for vectors in [&mesh.positions, &mesh.normals].into_iter().chain(targets) {
            bytemuck::cast_slice::<Vec3, u8>(vectors).hash(&mut hasher);
        }
        let candidates = self.by_content.entry(hasher.finish()).or_default();
        let is_same = |other: &Mesh| {
            (&other.positions, &other.normals, &other.texcoords, &other.colors)
                == (&mesh.positions, &mesh.normals, &mesh.texcoords, &mesh.colors)
                && (&other.primitives, &other.morph_targets)
                    == (&mesh.primitives, &mesh.morph_targets)
        };
        if let Some(known) =
            candidates.iter().copied().find(|at| self.meshes.get(*at).is_some_and(is_same))
        {
            return known;
        }
        let at = self.meshes.len();
        candidates.push(at);
        self.meshes.push(mesh);
        at
    }
}
