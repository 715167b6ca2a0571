//! Which nodes a geometry is made of.

use anim_ir::Vec3;

use crate::graph::{Graph, NodeId};

/// The nodes that say what a shape looks like; ids are valid in every frame that is structurally
/// equal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Source {
    /// `IndexedFaceSet`, `Box`, …
    pub(crate) geometry: NodeId,
    /// X3D: in the geometry's field `coord`. VRML 1.0: the `Coordinate3` in effect.
    pub(crate) coordinates: Option<NodeId>,
    /// X3D: in the field `normal`. VRML 1.0: the `Normal` in effect.
    pub(crate) normals: Option<NodeId>,
    /// X3D: in the field `color`.
    pub(crate) colors: Option<NodeId>,
    /// X3D: in the field `texCoord`. VRML 1.0: the `TextureCoordinate2` in effect.
    pub(crate) texcoords: Option<NodeId>,
    /// The last one is applied to the coordinates first.
    pub(crate) texture_transform: Vec<NodeId>,
    /// VRML 1.0: the `Material` in effect. Its lists are colours where the binding says so.
    pub(crate) material: Option<NodeId>,
    /// VRML 1.0: the `MaterialBinding` in effect.
    pub(crate) material_binding: Option<NodeId>,
    /// VRML 1.0: the `NormalBinding` in effect.
    pub(crate) normal_binding: Option<NodeId>,
    /// VRML 1.0: the `ShapeHints` in effect.
    pub(crate) shape_hints: Option<NodeId>,
    /// There is a texture: texture coordinates are made where the file has none.
    pub(crate) textured: bool,
}

impl Source {
    /// The points of the node for coordinates.
    pub(super) fn points(&self, graph: &Graph) -> Vec<Vec3> {
        vectors(graph, self.coordinates, "point")
    }

    /// The normals of the node for normals.
    pub(super) fn normals(&self, graph: &Graph) -> Vec<Vec3> {
        vectors(graph, self.normals, "vector")
    }
}

fn vectors(graph: &Graph, id: Option<NodeId>, field: &str) -> Vec<Vec3> {
    let numbers = id.and_then(|id| graph.node(id)).map_or(&[][..], |node| node.floats(field));
    numbers.as_chunks::<3>().0.iter().copied().map(Vec3::from).collect()
}
