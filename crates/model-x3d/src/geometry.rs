//! Conversion of geometry nodes to meshes in local space, and the positions of their vertices in
//! other frames.
//!
//! Every kind of geometry is converted to a common form, with faces as lists of point indices
//! ([`read`]). The faces are checked and triangulated ([`faces`]), normals are computed if the file
//! has none ([`smoothing`]), and corners become vertices ([`vertices`]).

mod elevation_grid;
mod extrusion;
mod faces;
mod form;
mod planar;
mod read;
mod sets;
mod shapes;
mod smoothing;
mod source;
#[cfg(test)]
mod tests;
mod texture;
mod vertices;
mod vrml1;

use std::borrow::Cow;

use anim_ir::color::to_linear;
use anim_ir::{Budget, Diagnostics, Mesh, Primitive, Topology, Vec3};

use crate::codes;
use crate::graph::Graph;
use crate::math::pick;
use faces::Faces;
use form::renumber;
pub(crate) use read::CornerCount;
pub(crate) use shapes::is_shape;
use smoothing::Smoothing;
pub(crate) use source::Source;
use vertices::Vertices;

/// A geometry converted to a mesh.
#[derive(Clone, Debug)]
pub(crate) struct Built {
    /// The mesh, unnamed, with one primitive and no material. Flat faces have no normals, which
    /// means flat shading in glTF. Vertex colours, if present, replace the material's colour.
    pub(crate) mesh: Mesh,
    /// Whether both sides are visible.
    pub(crate) double_sided: bool,
    /// Whether the points are generated rather than contained in the file.
    pub(crate) is_generated: bool,
    /// The index of each vertex's point in the geometry.
    points: Vec<u32>,
    /// The index of each vertex's normal; empty if the mesh has no normals.
    normals: Vec<u32>,
    /// How to compute normals if the file has none.
    smoothing: Option<Smoothing>,
}

/// Converts a geometry to a mesh. Reports a problem and returns `None` if it is unsupported or
/// empty.
pub(crate) fn build(
    graph: &Graph,
    source: &Source,
    budget: &Budget,
    diagnostics: &mut Diagnostics,
) -> Option<Built> {
    let form = read::read(graph, source, budget, diagnostics)?;
    let node = graph.node(source.geometry)?;
    let span = node.span;
    if form.points.is_empty() {
        // Exporters write geometry without points and faces for objects without a mesh.
        if form.faces().next().is_some() {
            diagnostics.push(&codes::GEOMETRY_EMPTY, span, || {
                "this geometry has faces but no coordinates".to_owned()
            });
        }
        return None;
    }
    let mut faces = Faces::read(&form, span, budget, diagnostics);
    if faces.elements.is_empty() {
        diagnostics.push(&codes::GEOMETRY_EMPTY, span, || "this geometry is empty".to_owned());
        return None;
    }
    let wants_normals = form.topology == Topology::Triangles && form.normals.is_none();
    // Other geometries may use other parts of the same lists, so no step takes time for all of
    // them.
    let corners = &mut faces.corners;
    let used_points = renumber(&mut corners.points, form.points.len());
    let points: Cow<'_, [Vec3]> = match &used_points {
        Some(used) => pick(used, &form.points).into(),
        None => (&*form.points).into(),
    };
    let used_normals =
        form.normals.as_ref().and_then(|it| renumber(&mut corners.normals, it.values.len()));
    let colors = form.colors.as_ref().map(|it| it.values.used(&mut corners.colors));
    let texcoords = form.texcoords.as_ref().map(|it| it.values.used(&mut corners.texcoords));
    let smoothing = if wants_normals {
        smoothing::groups(&mut faces, &points, form.crease_angle)
    } else {
        None
    };
    let vertices = Vertices::of(&faces, points.len(), colors.as_deref(), texcoords.as_deref());
    let original = |used: Option<Vec<u32>>, of_vertices: Vec<u32>| match used {
        Some(used) => pick(&of_vertices, &used),
        None => of_vertices,
    };

    let mut built = Built {
        mesh: Mesh {
            positions: pick(&vertices.points, &points),
            texcoords: texcoords.map_or(Vec::new(), |values| pick(&vertices.texcoords, &values)),
            colors: colors.map_or(Vec::new(), |values| linear(pick(&vertices.colors, &values))),
            primitives: vec![Primitive {
                topology: form.topology,
                indices: pick(&faces.elements, &vertices.of_corner),
                material: None,
            }],
            ..Mesh::default()
        },
        double_sided: form.double_sided,
        is_generated: read::is_generated(node),
        points: original(used_points, vertices.points),
        normals: original(used_normals, vertices.normals),
        smoothing: smoothing.map(|smoothing| smoothing.of_vertices(faces.ends, vertices.of_corner)),
    };
    built.mesh.normals = built.normals(graph, source, &built.mesh.positions);
    Some(built)
}

impl Built {
    /// Returns the positions of the same vertices in another frame of equal structure.
    pub(crate) fn positions(&self, graph: &Graph, source: &Source) -> Vec<Vec3> {
        pick(&self.points, &read::points(graph, source))
    }

    /// Returns the index of each vertex's point in the coordinates.
    pub(crate) fn vertex_points(&self) -> &[u32] {
        &self.points
    }

    /// Returns the positions of the same vertices if the coordinates have these points.
    pub(crate) fn positions_of(&self, points: &[Vec3]) -> Vec<Vec3> {
        pick(&self.points, points)
    }

    /// Returns the normals of the same vertices in another frame of equal structure, either from
    /// the file or computed for these positions. Empty if the mesh has none.
    pub(crate) fn normals(&self, graph: &Graph, source: &Source, positions: &[Vec3]) -> Vec<Vec3> {
        match &self.smoothing {
            Some(smoothing) => pick(&self.normals, &smoothing.normals(positions)),
            None if self.normals.is_empty() => Vec::new(),
            None => pick(&self.normals, &read::normals(graph, source)),
        }
    }

    /// Returns the normals of the same vertices if the file gives these vectors. `None` if the
    /// normals are computed.
    pub(crate) fn normals_of(&self, vectors: &[f32]) -> Option<Vec<Vec3>> {
        let is_given = self.smoothing.is_none() && !self.normals.is_empty();
        let vectors = bytemuck::cast_slice(vectors.as_chunks::<3>().0);
        is_given.then(|| pick(&self.normals, vectors))
    }
}

/// Converts colours from sRGB (files) to linear (meshes).
fn linear(mut colors: Vec<[f32; 4]>) -> Vec<[f32; 4]> {
    for [r, g, b, _] in &mut colors {
        (*r, *g, *b) = (to_linear(*r), to_linear(*g), to_linear(*b));
    }
    colors
}
