//! Meshes whose vertices are set by interpolators, because they are morphed or because their skin
//! is sampled.

use anim_ir::{Deformer, LimitError, Mesh, NodeId as SceneNodeId, SkinId, Topology};

use crate::graph::{NodeId, Value};
use crate::make::{Maker, VertexLists, Vertices, drawn};

/// A mesh whose vertices move.
#[derive(Debug)]
pub(super) struct Bent {
    /// The node of the scene.
    pub(super) node: SceneNodeId,
    /// The skin, if vertices follow it here instead of in a humanoid.
    pub(super) skin: Option<SkinId>,
    /// The nodes with positions. Those of points have only these vertices.
    pub(super) points: Vec<(NodeId, Option<Vec<u32>>)>,
    pub(super) normals: Option<NodeId>,
}

impl Bent {
    /// Adds the shapes of a mesh at rest. Returns them as well.
    pub(super) fn add(
        maker: &mut Maker<'_>,
        (id, name): (SceneNodeId, &str),
        mesh: &Mesh,
        skin: Option<SkinId>,
    ) -> Result<(Bent, Vec<NodeId>), LimitError> {
        let mut deformer = Deformer::default();
        let rest = maker.skin_at_rest(skin);
        deformer.deform(mesh, &mesh.morph_weights, &rest);
        let lists = VertexLists {
            positions: deformer.positions().into(),
            normals: deformer.normals().into(),
            texcoords: (&*mesh.texcoords).into(),
        };
        let vertices = maker.vertices(&format!("{name}_vertices"), &lists)?;
        let parts = || mesh.primitives.iter().filter(|part| !part.indices.is_empty());
        // The geometries of lines and points have no normals.
        let is_lit = parts().any(|part| part.topology == Topology::Triangles);
        let normals = vertices.normals.filter(|_| is_lit);
        let mut bent = Bent { node: id, skin, points: Vec::new(), normals };
        let mut shapes = Vec::new();
        for part in parts() {
            let shape = maker.shape(name, (mesh, part), vertices)?;
            shapes.push(shape);
            if part.topology == Topology::Points
                && let Some(own) = coordinates(maker, shape)
            {
                bent.points.push((own, Some(part.indices.clone())));
            }
        }
        if parts().any(|part| part.topology != Topology::Points) {
            bent.points.extend(vertices.points.map(|points| (points, None)));
        }
        Ok((bent, shapes))
    }
}

/// Adds the vertices of a mesh that nothing moves.
pub(super) fn still(maker: &mut Maker<'_>, mesh: &Mesh) -> Result<Vertices, LimitError> {
    let mut deformer = Deformer::default();
    deformer.deform(mesh, &mesh.morph_weights, &[]);
    let lists = VertexLists {
        positions: deformer.positions().into(),
        normals: deformer.normals().into(),
        texcoords: (&*mesh.texcoords).into(),
    };
    maker.vertices("", &lists)
}

/// Returns the coordinates of a shape.
fn coordinates(maker: &Maker<'_>, shape: NodeId) -> Option<NodeId> {
    let child = |id: NodeId, field: &str| match maker.node(id)?.given(field)? {
        Value::Nodes(nodes) => nodes.first().copied(),
        _ => None,
    };
    child(child(shape, "geometry")?, "coord")
}

/// Returns the rows of a list of vectors at the given indices, or all.
pub(super) fn rows(list: &[f32], of: Option<&[u32]>) -> Vec<f32> {
    match of {
        Some(of) => drawn(list, 3, of.iter().map(|at| *at as usize)),
        None => list.into(),
    }
}
