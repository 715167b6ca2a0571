//! What a geometry node looks like: a mesh in the node's own space, and where its vertices are in
//! other frames.
//!
//! Each kind of geometry is brought to one form, faces of points in lists of indices
//! ([`form`]). Its faces are checked and cut into triangles ([`faces`]), get normals where the file
//! has none ([`smoothing`]), and their corners become vertices ([`vertices`]).

pub(crate) mod codes;
mod elevation_grid;
mod extrusion;
mod faces;
mod form;
mod sets;
mod shapes;
mod smoothing;
#[cfg(test)]
mod tests;
mod texture;
mod vertices;
mod vrml1;

use anim_ir::color::to_linear;
use anim_ir::number::narrow;
use anim_ir::{Diagnostics, Limits, Mesh, Primitive, Topology, Vec3};

use crate::graph::{Graph, NodeId};
use faces::Faces;
use smoothing::Smoothing;
use vertices::Vertices;

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

/// A geometry as a mesh.
#[derive(Clone, Debug)]
pub(crate) struct Built {
    /// One primitive without a material. No name, no normals where the faces are flat: glTF means
    /// flat normals then.
    ///
    /// Where there are colours, they take the place of the material's colour.
    pub(crate) mesh: Mesh,
    /// Whether both sides are seen.
    pub(crate) double_sided: bool,
    /// For each vertex, its point.
    points: Vec<u32>,
    /// For each vertex, its normal; empty where the mesh has none.
    normals: Vec<u32>,
    /// What normals are made of where the file has none.
    smoothing: Option<Smoothing>,
    limits: Limits,
}

/// Makes a mesh of a geometry. `None`, with a diagnostic, where it is not understood or has nothing
/// to show.
pub(crate) fn build(
    graph: &Graph,
    source: &Source,
    limits: &Limits,
    diagnostics: &mut Diagnostics,
) -> Option<Built> {
    let form = form::read(graph, source, limits, diagnostics)?;
    let span = graph.node(source.geometry)?.span;
    if form.points.is_empty() {
        // Neither points nor faces: exporters write such things for objects without a mesh.
        if form.faces().next().is_some() {
            diagnostics.push(&codes::GEOMETRY_EMPTY, span, || {
                "this geometry has faces and no coordinates".to_owned()
            });
        }
        return None;
    }
    let mut faces = Faces::read(&form, span, limits, diagnostics);
    if faces.elements.is_empty() {
        diagnostics
            .push(&codes::GEOMETRY_EMPTY, span, || "this geometry has nothing to show".to_owned());
        return None;
    }
    let wants_normals = form.topology == Topology::Triangles && form.normals.is_none();
    let smoothing = if wants_normals {
        smoothing::groups(&mut faces, &form.points, form.crease_angle)
    } else {
        None
    };
    let vertices = Vertices::of(&faces, &form);

    let mut built = Built {
        mesh: Mesh {
            positions: pick(&vertices.points, &form.points),
            texcoords: form
                .texcoords
                .as_ref()
                .map_or(Vec::new(), |texcoords| pick(&vertices.texcoords, &texcoords.values)),
            colors: form
                .colors
                .as_ref()
                .map_or(Vec::new(), |colors| linear(pick(&vertices.colors, &colors.values))),
            primitives: vec![Primitive {
                topology: form.topology,
                indices: pick(&faces.elements, &vertices.of_corner),
                material: None,
            }],
            ..Mesh::default()
        },
        double_sided: form.double_sided,
        points: vertices.points,
        normals: vertices.normals,
        smoothing: smoothing.map(|smoothing| smoothing.of_vertices(faces.ends, vertices.of_corner)),
        limits: *limits,
    };
    built.mesh.normals = built.normals(graph, source, &built.mesh.positions);
    Some(built)
}

impl Built {
    /// Positions of the same vertices in another frame of equal structure.
    pub(crate) fn positions(&self, graph: &Graph, source: &Source) -> Vec<Vec3> {
        pick(&self.points, &form::points(graph, source, &self.limits))
    }

    /// Normals of the same vertices in another frame of equal structure: the file's own, or made of
    /// the faces at these positions. Empty where the mesh has none.
    pub(crate) fn normals(&self, graph: &Graph, source: &Source, positions: &[Vec3]) -> Vec<Vec3> {
        match &self.smoothing {
            Some(smoothing) => pick(&self.normals, &smoothing.normals(positions)),
            None if self.normals.is_empty() => Vec::new(),
            None => pick(&self.normals, &form::normals(graph, source)),
        }
    }
}

/// The values that the indices name; the last one for indices that are too great, which only a
/// frame of another structure has.
fn pick<T: Copy + Default>(indices: &[u32], values: &[T]) -> Vec<T> {
    let last = values.last().copied().unwrap_or_default();
    indices.iter().map(|index| values.get(*index as usize).copied().unwrap_or(last)).collect()
}

/// A count as an index, as the lists of files have them.
fn to_i32(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}

/// A count as an index of this module. Inputs are shorter than 4 GiB, so it always fits.
fn to_u32(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// A number that was worked out from numbers of the file: what is too great for f32 becomes the
/// greatest f32.
pub(crate) fn to_f32(value: f64) -> f32 {
    narrow(value.clamp(f32::MIN.into(), f32::MAX.into()))
}

/// Files have colours as screens show them, meshes as light.
fn linear(mut colors: Vec<[f32; 4]>) -> Vec<[f32; 4]> {
    for [r, g, b, _] in &mut colors {
        (*r, *g, *b) = (to_linear(*r), to_linear(*g), to_linear(*b));
    }
    colors
}
