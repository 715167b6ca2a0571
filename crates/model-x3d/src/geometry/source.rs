//! The nodes that make up a geometry.

use anim_ir::Vec3;

use crate::graph::{Graph, NodeId};

/// The nodes that define the geometry of a shape. IDs are valid in all structurally equal frames.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Source {
    /// The geometry node: `IndexedFaceSet`, `Box`, …
    pub(crate) geometry: NodeId,
    /// X3D: in the geometry's `coord` field. VRML 1.0: the `Coordinate3` in effect.
    pub(crate) coordinates: Option<NodeId>,
    /// X3D: in the `normal` field. VRML 1.0: the `Normal` in effect.
    pub(crate) normals: Option<NodeId>,
    /// X3D: in the `color` field.
    pub(crate) colors: Option<NodeId>,
    /// X3D: in the `texCoord` field. VRML 1.0: the `TextureCoordinate2` in effect.
    pub(crate) texcoords: Option<NodeId>,
    /// The texture transforms. The last one is applied first.
    pub(crate) texture_transform: Vec<NodeId>,
    /// VRML 1.0: the `Material` in effect. Depending on the binding, its lists are vertex or face
    /// colours.
    pub(crate) material: Option<NodeId>,
    /// VRML 1.0: the `MaterialBinding` in effect.
    pub(crate) material_binding: Option<NodeId>,
    /// VRML 1.0: the `NormalBinding` in effect.
    pub(crate) normal_binding: Option<NodeId>,
    /// VRML 1.0: the `ShapeHints` in effect.
    pub(crate) shape_hints: Option<NodeId>,
    /// Whether the shape has a texture. If so, and if the file has no texture coordinates, they are
    /// generated.
    pub(crate) textured: bool,
    /// Whether the texture is flipped (a Castle Game Engine extension), so v points down.
    pub(crate) flipped: bool,
}

impl Source {
    /// Returns the points of the coordinate node.
    pub(super) fn points<'a>(&self, graph: &'a Graph) -> &'a [Vec3] {
        vectors(graph, self.coordinates, "point")
    }

    /// Returns the normals of the normal node.
    pub(super) fn normals<'a>(&self, graph: &'a Graph) -> &'a [Vec3] {
        vectors(graph, self.normals, "vector")
    }
}

fn vectors<'a>(graph: &'a Graph, id: Option<NodeId>, field: &str) -> &'a [Vec3] {
    let numbers = id.and_then(|id| graph.node(id)).map_or(&[][..], |node| node.floats(field));
    bytemuck::cast_slice(numbers.as_chunks::<3>().0)
}
