//! Mesh variants: one per mesh and skin.

use std::collections::BTreeSet;

use anim_ir::{Diagnostics, Mesh, MeshId, Scene, SkinId, insert_all};

use crate::codes;
use crate::write::shown_mesh;

/// A mesh of the glTF file: a mesh of the scene with the joint indices of one skin, or without
/// joint indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Variant {
    pub(crate) mesh: MeshId,
    pub(crate) skin: Option<SkinId>,
}

/// The meshes of the glTF file, in order.
#[derive(Debug)]
pub(crate) struct Variants {
    pub(crate) list: Vec<Variant>,
    /// For each node of the scene, its index in `list`.
    pub(crate) of_node: Vec<Option<usize>>,
}

impl Variants {
    /// Returns one variant for each combination of non-empty mesh and skin that a node uses. A
    /// non-empty mesh that no node uses gets a variant without a skin.
    pub(crate) fn of(scene: &Scene, losses: &mut Diagnostics) -> Variants {
        let drawn: Vec<bool> = scene.meshes.iter().map(draws).collect();
        let variant = |node: &anim_ir::Node| {
            let mesh = node.mesh.filter(|mesh| drawn.get(mesh.index()) == Some(&true))?;
            let skinned = scene.mesh(mesh).is_some_and(|mesh| mesh.influences.per_vertex > 0);
            Some(Variant { mesh, skin: node.skin.filter(|_| skinned) })
        };
        let mut all: BTreeSet<Variant> = insert_all(scene.nodes.iter().filter_map(variant));
        for ((id, mesh), drawn) in scene.enumerate_meshes().zip(&drawn) {
            if !drawn {
                losses.push(&codes::EMPTY_MESH, None, || {
                    format!("{} has no points, lines or triangles", shown_mesh(&mesh.name))
                });
                continue;
            }
            let (first, last) = (None, Some(SkinId::new(usize::MAX)));
            let of_mesh = |skin: Option<SkinId>| Variant { mesh: id, skin };
            let mut variants = all.range(of_mesh(first)..=of_mesh(last)).peekable();
            let unused = variants.peek().is_none();
            let skinned = variants.any(|variant| variant.skin.is_some());
            if unused {
                all.insert(of_mesh(None));
            }
            if !skinned && mesh.influences.weights.iter().any(|weight| *weight != 0.0) {
                losses.push(&codes::NO_SKIN, None, || {
                    let mesh = shown_mesh(&mesh.name);
                    format!("{mesh} has joint indices, but no node uses it with a skin")
                });
            }
        }
        let list: Vec<Variant> = all.into_iter().collect();
        let of_node = scene
            .nodes
            .iter()
            .map(|node| variant(node).and_then(|variant| list.binary_search(&variant).ok()))
            .collect();
        Variants { list, of_node }
    }
}

/// Whether there is anything to draw. glTF does not allow meshes without primitives or primitives
/// without vertices.
fn draws(mesh: &Mesh) -> bool {
    mesh.primitives.iter().any(|part| !part.indices.is_empty())
}
