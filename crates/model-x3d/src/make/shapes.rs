//! Makes shapes of meshes.

use std::borrow::Cow;
use std::sync::Arc;

use anim_ir::color::to_srgb;
use anim_ir::{LimitError, Mesh, Primitive, Topology, Vec3};

use super::nodes::{Maker, floats};
use crate::graph::{NodeId, Value};

/// The vertices of one or more meshes.
#[derive(Debug, Default)]
pub(crate) struct VertexLists<'v> {
    pub(crate) positions: Cow<'v, [Vec3]>,
    /// As many as positions, or none.
    pub(crate) normals: Cow<'v, [Vec3]>,
    /// As many as positions, or none. v points down.
    pub(crate) texcoords: Cow<'v, [[f32; 2]]>,
}

/// The nodes that hold the vertices of a mesh.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Vertices {
    pub(crate) points: Option<NodeId>,
    pub(crate) normals: Option<NodeId>,
    pub(crate) texcoords: Option<NodeId>,
    /// The index of the mesh's first vertex in the nodes.
    pub(crate) first: usize,
    /// The number of vertices in the nodes.
    pub(crate) count: usize,
}

impl Maker<'_> {
    /// Adds the nodes of vertices.
    pub(crate) fn vertices(
        &mut self,
        name: &str,
        lists: &VertexLists<'_>,
    ) -> Result<Vertices, LimitError> {
        let vectors = |list: &[Vec3]| floats(bytemuck::cast_slice::<Vec3, f32>(list));
        let mut vertices = Vertices { count: lists.positions.len(), ..Vertices::default() };
        let points = vec![("point", vectors(&lists.positions))];
        vertices.points = Some(self.add("Coordinate", name, points)?);
        if !lists.normals.is_empty() {
            let normals = vec![("vector", vectors(&lists.normals))];
            vertices.normals = Some(self.add("Normal", "", normals)?);
        }
        if !lists.texcoords.is_empty() {
            // In X3D, v points up.
            let points: Vec<f32> =
                lists.texcoords.iter().flat_map(|[u, v]| [*u, 1.0 - v]).collect();
            let points = vec![("point", floats(points))];
            vertices.texcoords = Some(self.add("TextureCoordinate", "", points)?);
        }
        Ok(vertices)
    }

    /// Adds the shape of a primitive.
    pub(crate) fn shape(
        &mut self,
        name: &str,
        (mesh, part): (&Mesh, &Primitive),
        vertices: Vertices,
    ) -> Result<NodeId, LimitError> {
        let geometry = self.geometry((mesh, part), vertices)?;
        self.shape_of(name, geometry, part)
    }

    /// Adds a shape with a geometry that may have been used before.
    pub(crate) fn shape_of(
        &mut self,
        name: &str,
        geometry: NodeId,
        part: &Primitive,
    ) -> Result<NodeId, LimitError> {
        let node = |id: NodeId| Value::Nodes(vec![id]);
        let colors = self.node(geometry).and_then(|node| node.given("color"));
        let appearance = self.appearance(part.material, part.topology, colors.is_some())?;
        let fields = vec![("geometry", node(geometry)), ("appearance", node(appearance))];
        self.add("Shape", name, fields)
    }

    /// Adds the geometry of a primitive. A set of points has coordinates of its own.
    pub(crate) fn geometry(
        &mut self,
        (mesh, part): (&Mesh, &Primitive),
        vertices: Vertices,
    ) -> Result<NodeId, LimitError> {
        let node = |id: NodeId| Value::Nodes(vec![id]);
        let place = |at: &u32| (*at as usize).saturating_add(vertices.first);
        let index = |at: &u32| i32::try_from(place(at)).unwrap_or(i32::MAX);
        let double_sided =
            part.material.and_then(|id| self.scene.material(id)).is_none_or(|it| it.double_sided);
        let mut fields = Vec::new();
        let kind = match part.topology {
            Topology::Triangles => {
                let corners = part.indices.iter().map(index);
                fields.push(("index", Value::Ints(Arc::new(corners.collect()))));
                fields.push(("solid", Value::Bool(!double_sided)));
                // Otherwise, faces without normals are smooth (ISO/IEC 19775-1, 11.2.3).
                fields.push(("normalPerVertex", Value::Bool(vertices.normals.is_some())));
                fields.extend(vertices.normals.map(|id| ("normal", node(id))));
                fields.extend(vertices.texcoords.map(|id| ("texCoord", node(id))));
                "IndexedTriangleSet"
            }
            Topology::Lines => {
                let lines = part.indices.as_chunks::<2>().0.iter();
                let lines = lines.flat_map(|[from, to]| [index(from), index(to), -1]);
                fields.push(("coordIndex", Value::Ints(Arc::new(lines.collect()))));
                "IndexedLineSet"
            }
            Topology::Points => "PointSet",
        };
        let mut points = vertices.points;
        let mut colors = self.colors(mesh, part, vertices);
        if part.topology == Topology::Points {
            // A set of points draws all of them, in order.
            let own = points.and_then(|id| self.node(id)).map(|node| node.floats("point"));
            let own = own.map(|own| drawn(own, 3, part.indices.iter().map(place)));
            let own = own.unwrap_or_default();
            points = Some(self.add("Coordinate", "", vec![("point", floats(own))])?);
            colors = colors.map(|colors| drawn(&colors, 4, part.indices.iter().map(place)));
        }
        fields.extend(points.map(|id| ("coord", node(id))));
        if let Some(colors) = colors {
            let colors = self.add("ColorRGBA", "", vec![("color", floats(colors))])?;
            fields.push(("color", node(colors)));
        }
        self.add(kind, "", fields)
    }

    /// Returns the colours of the vertices in sRGB, or `None` if there are none. In X3D they
    /// replace the colour and transparency of the material instead of multiplying them.
    fn colors(&self, mesh: &Mesh, part: &Primitive, vertices: Vertices) -> Option<Vec<f32>> {
        let material = part.material.and_then(|id| self.scene.material(id));
        let [r, g, b, a] = material.map_or([1.0; 4], |material| material.base_color);
        let screen = |[red, green, blue, alpha]: &[f32; 4]| {
            [to_srgb(red * r), to_srgb(green * g), to_srgb(blue * b), alpha * a]
        };
        let after = vertices.count.saturating_sub(vertices.first.saturating_add(mesh.colors.len()));
        let no_color = |count: usize| std::iter::repeat_n([0.0; 4], count);
        let all = no_color(vertices.first)
            .chain(mesh.colors.iter().map(screen))
            .chain(no_color(after))
            .flatten();
        (!mesh.colors.is_empty()).then(|| all.collect())
    }
}

/// Returns the rows of a list at the given indices.
pub(crate) fn drawn(list: &[f32], width: usize, indices: impl Iterator<Item = usize>) -> Vec<f32> {
    let row = |at: usize| list.chunks_exact(width).nth(at).unwrap_or_default();
    indices.flat_map(row).copied().collect()
}
