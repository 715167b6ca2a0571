//! What a geometry node says, in one form for all kinds of geometry.

use std::borrow::Cow;

use anim_ir::{Diagnostics, Limits, Span, Topology, Vec3};

use super::{Source, codes, elevation_grid, extrusion, sets, shapes, texture, vrml1};
use crate::graph::{Graph, Node, NodeId};
use crate::nodes::Family;

/// A geometry: points, and faces as lists of indices into them.
pub(super) struct Form<'a> {
    /// What the faces are: polygons that are yet to be cut into triangles, polylines, or points.
    pub(super) topology: Topology,
    pub(super) points: Vec<Vec3>,
    /// The points of one face after the other, with -1 between them.
    pub(super) index: Cow<'a, [i32]>,
    pub(super) normals: Option<Attribute<'a, Vec3>>,
    pub(super) colors: Option<Attribute<'a, [f32; 4]>>,
    pub(super) texcoords: Option<Attribute<'a, [f32; 2]>>,
    /// Radians. Where the file has no normals, edges between faces whose normals are less than this
    /// apart are smooth.
    pub(super) crease_angle: f32,
    /// Whether faces are seen counter-clockwise from their front.
    pub(super) ccw: bool,
    pub(super) double_sided: bool,
}

/// What corners have beside their point.
pub(super) struct Attribute<'a, T> {
    pub(super) values: Vec<T>,
    pub(super) index: Index<'a>,
}

/// Which value a corner of a face has.
pub(super) enum Index<'a> {
    /// That of its point's index.
    Point,
    /// That of the index in the same place of a list like the faces'.
    Corner(Cow<'a, [i32]>),
    /// The first corner has the first value, and so on.
    CornerOrder,
    /// That of the face's index in a list.
    Face(Cow<'a, [i32]>),
    /// The first face has the first value, and so on.
    FaceOrder,
    /// All corners have the first value.
    First,
}

impl<'a> Form<'a> {
    pub(super) const fn new(
        topology: Topology,
        points: Vec<Vec3>,
        index: Cow<'a, [i32]>,
    ) -> Form<'a> {
        Form {
            topology,
            points,
            index,
            normals: None,
            colors: None,
            texcoords: None,
            crease_angle: 0.0,
            ccw: true,
            double_sided: false,
        }
    }

    /// The index list without a -1 at its end.
    fn indices(&self) -> &[i32] {
        self.index.strip_suffix(&[-1]).unwrap_or(&self.index)
    }

    /// The points of each face.
    pub(super) fn faces(&self) -> impl Iterator<Item = &[i32]> {
        let indices = self.indices();
        (!indices.is_empty()).then(|| indices.split(|index| *index == -1)).into_iter().flatten()
    }

    /// The points of an index that are there.
    fn used_points(&self) -> impl Iterator<Item = (usize, Vec3)> {
        self.index.iter().filter_map(|index| {
            let index = usize::try_from(*index).ok()?;
            Some((index, *self.points.get(index)?))
        })
    }
}

/// The form of a geometry; `None`, with a diagnostic, where it is not understood.
pub(super) fn read<'a>(
    graph: &'a Graph,
    source: &Source,
    limits: &Limits,
    diagnostics: &mut Diagnostics,
) -> Option<Form<'a>> {
    let node = graph.node(source.geometry)?;
    let points = points(graph, source, limits);
    let mut form = match (node.kind.family, node.kind.name) {
        _ if shapes::is_shape(node) => shapes::form(graph, source, node),
        (Family::X3d, "ElevationGrid") => {
            elevation_grid::form(graph, source, node, points, diagnostics)?
        }
        (Family::X3d, "Extrusion") => extrusion::form(node, points, limits, diagnostics)?,
        (Family::X3d, _) => sets::form(graph, source, node, points, diagnostics)?,
        (Family::Vrml1, _) => vrml1::form(graph, source, node, points, diagnostics)?,
    };
    // What is made or was meant for another shape is of no use without a texture.
    let wanted = source.textured || (node.kind.family == Family::X3d && source.texcoords.is_some());
    if !wanted {
        form.texcoords = None;
    }
    let needs = Needs::of(&form);
    needs.check(&mut form.normals, "normals", node.span, diagnostics);
    needs.check(&mut form.colors, "colours", node.span, diagnostics);
    needs.check(&mut form.texcoords, "texture coordinates", node.span, diagnostics);
    if form.texcoords.is_none() && source.textured && form.topology == Topology::Triangles {
        let values =
            texture::default_mapping(&form.points, form.used_points().map(|(_, point)| point));
        form.texcoords = Some(Attribute { values, index: Index::Point });
    }
    if let Some(texcoords) = &mut form.texcoords {
        texture::transform(&mut texcoords.values, graph, &source.texture_transform, diagnostics);
    }
    Some(form)
}

/// The points of a geometry, in the order that its index list means.
pub(super) fn points(graph: &Graph, source: &Source, limits: &Limits) -> Vec<Vec3> {
    let Some(node) = graph.node(source.geometry) else { return Vec::new() };
    match node.kind.name {
        _ if shapes::is_shape(node) => shapes::shape(node).points,
        "ElevationGrid" => elevation_grid::points(node),
        "Extrusion" => extrusion::points(node, limits),
        _ => vectors(graph, source.coordinates, "point"),
    }
}

/// The normals of a geometry that has some: those of its kind, or the file's.
pub(super) fn normals(graph: &Graph, source: &Source) -> Vec<Vec3> {
    match graph.node(source.geometry) {
        Some(node) if shapes::is_shape(node) => shapes::shape(node).normals,
        _ => vectors(graph, source.normals, "vector"),
    }
}

fn vectors(graph: &Graph, id: Option<NodeId>, field: &str) -> Vec<Vec3> {
    let numbers = id.and_then(|id| graph.node(id)).map_or(&[][..], |node| node.floats(field));
    numbers.as_chunks::<3>().0.iter().copied().map(Vec3::from).collect()
}

/// How many values a geometry needs.
struct Needs {
    indices: usize,
    faces: usize,
    corners: usize,
    points: usize,
}

impl Needs {
    fn of(form: &Form<'_>) -> Needs {
        let corners = form.indices().iter().filter(|index| **index != -1).count();
        let points =
            form.used_points().map(|(index, _)| index.saturating_add(1)).max().unwrap_or(0);
        Needs { indices: form.indices().len(), faces: form.faces().count(), corners, points }
    }

    /// Takes values away that are too few, whatever their indices.
    fn check<T>(
        &self,
        attribute: &mut Option<Attribute<'_, T>>,
        what: &str,
        span: Span,
        diagnostics: &mut Diagnostics,
    ) {
        let Some(Attribute { values, index }) = attribute else { return };
        let (found, needed) = match index {
            _ if values.is_empty() => (0, self.corners.min(1)),
            Index::Point => (values.len(), self.points),
            Index::Corner(list) => (list.len(), self.indices),
            Index::CornerOrder => (values.len(), self.corners),
            Index::Face(list) => (list.len(), self.faces),
            Index::FaceOrder => (values.len(), self.faces),
            Index::First => (values.len(), 1),
        };
        if found < needed {
            let of = if matches!(index, Index::Corner(_) | Index::Face(_)) && found > 0 {
                "indices of "
            } else {
                ""
            };
            diagnostics.push(&codes::TOO_FEW_VALUES, span, || {
                format!("{needed} {of}{what} are needed here, and there are {found}")
            });
            *attribute = None;
        }
    }
}

/// The first node of a kind that holds several for several textures, else the node itself: glTF has
/// one texture.
pub(super) fn first_of<'a>(
    graph: &'a Graph,
    id: NodeId,
    kind: &str,
    field: &str,
) -> Option<&'a Node> {
    let node = graph.node(id)?;
    if node.kind.name == kind { graph.node(graph.child(id, field)?) } else { Some(node) }
}
