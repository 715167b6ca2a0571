//! Reads geometry nodes of all kinds.

use std::borrow::Cow;

use anim_ir::{Budget, Diagnostics, Span, Topology, Vec3};

use super::form::{Attribute, Form, Index};
use super::source::Source;
use super::{elevation_grid, extrusion, planar, sets, shapes, texture, vrml1};
use crate::codes;
use crate::graph::{Graph, Node};
use crate::nodes::Family;

/// The memory that building takes for a point of an `Extrusion`: faces, attributes and vertices.
const POINT_BYTES: usize = 128;
/// Reads the form of a geometry. Reports a problem and returns `None` if it is unsupported.
pub(super) fn read<'a>(
    graph: &'a Graph,
    source: &Source,
    budget: &Budget,
    diagnostics: &mut Diagnostics,
) -> Option<Form<'a>> {
    let node = graph.node(source.geometry)?;
    check_extrusion(node, budget, diagnostics)?;
    let points = points(graph, source);
    let mut form = match (node.kind.family, node.kind.name) {
        _ if shapes::is_shape(node) => {
            // In Castle Game Engine, these may only be generated.
            sets::texcoords(graph, source, node, diagnostics);
            shapes::form(graph, source, node)
        }
        _ if planar::is_planar(node) => planar::form(node),
        (Family::X3d, "ElevationGrid") => {
            elevation_grid::form(graph, source, node, points, diagnostics)?
        }
        (Family::X3d, "Extrusion") => {
            sets::texcoords(graph, source, node, diagnostics);
            extrusion::form(node, points, diagnostics)?
        }
        (Family::X3d, _) => sets::form(graph, source, node, points, diagnostics)?,
        (Family::Vrml1, _) => vrml1::form(graph, source, node, points, diagnostics)?,
    };
    // Texture coordinates that are generated, or (in VRML 1.0) meant for another shape, are only
    // useful with a texture.
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
    if let Some(Attribute { values, index }) = form.texcoords.take() {
        let values = texture::transformed(values, graph, source, diagnostics);
        form.texcoords = Some(Attribute { values, index });
    }
    Some(form)
}

/// Whether the points of a geometry are generated rather than contained in the file.
pub(crate) fn is_generated(node: &Node) -> bool {
    shapes::is_shape(node) || planar::is_planar(node) || node.kind.name == "Extrusion"
}

/// Checks the memory for building an `Extrusion`, the only node that multiplies points. Reports a
/// problem and returns `None` if it exceeds the budget. The mesh is charged later, if it is kept.
fn check_extrusion(node: &Node, budget: &Budget, diagnostics: &mut Diagnostics) -> Option<()> {
    let points = if node.kind.name == "Extrusion" { extrusion::point_count(node) } else { 0 };
    budget
        .check("the points of an Extrusion", points.saturating_mul(POINT_BYTES))
        .map_err(|error| diagnostics.push(&codes::GEOMETRY_LIMIT, node.span, || error.to_string()))
        .ok()
}

/// The number of corners of a geometry, approximately.
pub(crate) struct CornerCount {
    /// Those that the node lists.
    pub(crate) listed: usize,
    /// Those that a set without indices has because it uses the points of its `Coordinate`. Its
    /// definition may be short however many there are.
    pub(crate) implied: usize,
}

impl CornerCount {
    pub(crate) fn of(graph: &Graph, source: &Source) -> CornerCount {
        let points = source.points(graph).len();
        let Some(node) = graph.node(source.geometry) else {
            return CornerCount { listed: 0, implied: 0 };
        };
        let counted = |field: &str| {
            let counts = node.ints(field).iter().map(|count| usize::try_from(*count).unwrap_or(0));
            counts.fold(0, usize::saturating_add).min(points)
        };
        let implied = match node.kind.name {
            "PointSet" if node.kind.family == Family::Vrml1 => {
                vrml1::some_points(node, points).len()
            }
            "TriangleSet" | "QuadSet" | "PointSet" => points,
            "TriangleFanSet" => counted("fanCount"),
            "TriangleStripSet" => counted("stripCount"),
            "LineSet" => counted("vertexCount"),
            _ => 0,
        };
        let indices = ["coordIndex", "index"].map(|field| node.ints(field).len());
        // Each height belongs to about four quads.
        let heights = node.floats("height").len().saturating_mul(4);
        let listed = indices.into_iter().fold(heights, usize::saturating_add);
        CornerCount { listed, implied }
    }
}

/// Returns the points of a geometry, in the order that its index list refers to.
pub(super) fn points<'a>(graph: &'a Graph, source: &Source) -> Cow<'a, [Vec3]> {
    let Some(node) = graph.node(source.geometry) else { return Cow::default() };
    match node.kind.name {
        _ if shapes::is_shape(node) => shapes::shape(node).points.into(),
        _ if planar::is_planar(node) => planar::points(node).into(),
        "ElevationGrid" => elevation_grid::points(node).into(),
        "Extrusion" => extrusion::points(node).into(),
        _ => source.points(graph).into(),
    }
}

/// Returns the normals of a geometry, if any, from its definition or from the file.
pub(super) fn normals<'a>(graph: &'a Graph, source: &Source) -> Cow<'a, [Vec3]> {
    match graph.node(source.geometry) {
        Some(node) if shapes::is_shape(node) => shapes::shape(node).normals.into(),
        _ => source.normals(graph).into(),
    }
}

/// The number of values that a geometry needs for each kind of binding.
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

    /// Returns the only binding without indices that needs exactly this many values, if the
    /// requested binding needs more. Texture coordinates are always bound to points or corners.
    fn fitting<'a>(
        &self,
        asked: &Index<'_>,
        values: usize,
        what: &str,
    ) -> Option<(Index<'a>, &'static str)> {
        if matches!(asked, Index::Corner(_) | Index::Face(_)) || values < 2 {
            return None;
        }
        let ways = [
            (self.points, Index::Point, "point"),
            (self.faces, Index::FaceOrder, "face"),
            (self.corners, Index::CornerOrder, "corner"),
        ];
        let mut fitting = ways.into_iter().filter(|(count, _, each)| {
            *count == values && !(*each == "face" && what == "texture coordinates")
        });
        match (fitting.next(), fitting.next()) {
            (Some((_, index, each)), None) => Some((index, each)),
            _ => None,
        }
    }

    /// If there are too few values for the binding, uses the only other binding that fits, or drops
    /// the values.
    fn check<T>(
        &self,
        attribute: &mut Option<Attribute<'_, T>>,
        what: &str,
        span: Span,
        diagnostics: &mut Diagnostics,
    ) {
        let Some(Attribute { values, index }) = attribute else { return };
        let (found, needed) = match index {
            _ if values.len() == 0 => (0, self.corners.min(1)),
            Index::Point => (values.len(), self.points),
            Index::Corner(list) => (list.len(), self.indices),
            Index::CornerOrder => (values.len(), self.corners),
            Index::Face(list) => (list.len(), self.faces),
            Index::FaceOrder => (values.len(), self.faces),
            Index::First => (values.len(), 1),
        };
        if found < needed {
            if let Some((fitting, each)) = self.fitting(index, values.len(), what) {
                diagnostics.push(&codes::BINDING, span, || {
                    format!("expected {needed} {what}, found {found}, one for each {each}")
                });
                *index = fitting;
                return;
            }
            let of = if matches!(index, Index::Corner(_) | Index::Face(_)) && found > 0 {
                "indices of "
            } else {
                ""
            };
            diagnostics.push(&codes::TOO_FEW_VALUES, span, || {
                format!("expected {needed} {of}{what}, found {found}")
            });
            *attribute = None;
        }
    }
}
