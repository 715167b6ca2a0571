//! X3D and VRML 97 sets of faces, lines and points, with or without indices.

use std::borrow::Cow;

use anim_ir::{Diagnostics, Span, Topology, Vec3};

use super::form::{Attribute, Form, Index, Values};
use super::source::Source;
use super::texture;
use crate::codes;
use crate::graph::{Graph, Node};
use crate::math::to_i32;
use crate::nodes::is_instance;

pub(super) fn form<'a>(
    graph: &'a Graph,
    source: &Source,
    node: &'a Node,
    points: Cow<'a, [Vec3]>,
    diagnostics: &mut Diagnostics,
) -> Option<Form<'a>> {
    let count = points.len();
    let mut counted =
        |field: &str, least: i32| counted(node.ints(field), least, count, node.span, diagnostics);
    let (topology, index) = match node.kind.name {
        "IndexedFaceSet" => (Topology::Triangles, Cow::Borrowed(node.ints("coordIndex"))),
        "IndexedTriangleSet" => (Topology::Triangles, pieces(node.ints("index"), 3).into()),
        "IndexedQuadSet" => (Topology::Triangles, pieces(node.ints("index"), 4).into()),
        "IndexedTriangleFanSet" => (Topology::Triangles, fans(node.ints("index")).into()),
        "IndexedTriangleStripSet" => (Topology::Triangles, strips(node.ints("index")).into()),
        "TriangleSet" => (Topology::Triangles, pieces(&in_order(count), 3).into()),
        "QuadSet" => (Topology::Triangles, pieces(&in_order(count), 4).into()),
        "TriangleFanSet" => (Topology::Triangles, fans(&counted("fanCount", 3)).into()),
        "TriangleStripSet" => (Topology::Triangles, strips(&counted("stripCount", 3)).into()),
        "IndexedLineSet" => (Topology::Lines, Cow::Borrowed(node.ints("coordIndex"))),
        "LineSet" => (Topology::Lines, counted("vertexCount", 2).into()),
        "PointSet" => (Topology::Points, in_order(count).into()),
        name => {
            diagnostics.push(&codes::GEOMETRY_KIND, node.span, || {
                if is_instance(node.kind) {
                    "the prototype of this geometry cannot be used".to_owned()
                } else {
                    format!("unsupported geometry {name}")
                }
            });
            return None;
        }
    };
    let mut form = Form::new(topology, points, index);
    form.colors = colors(graph, source, node);
    if topology == Topology::Triangles {
        form.normals = given_normals(graph, source, node);
        form.texcoords = texcoords(graph, source, node, diagnostics);
        form.ccw = node.flag("ccw");
        form.double_sided = !node.flag("solid");
        // Only IndexedFaceSet has a crease angle. Other sets are either smooth or flat (ISO/IEC
        // 19775-1, 11.4).
        form.crease_angle = match node.kind.name {
            "IndexedFaceSet" => node.float("creaseAngle"),
            _ if node.flag("normalPerVertex") => std::f32::consts::PI,
            _ => 0.0,
        };
    }
    Some(form)
}

/// Returns the colours of the geometry's `Color` or `ColorRGBA`.
pub(super) fn colors<'a>(
    graph: &'a Graph,
    source: &Source,
    node: &'a Node,
) -> Option<Attribute<'a, [f32; 4]>> {
    let colors = graph.node(source.colors?)?;
    let numbers = colors.floats("color");
    let values = match colors.kind.name {
        "ColorRGBA" => Values::of(numbers.as_chunks::<4>().0),
        _ => {
            let colors = numbers.as_chunks::<3>().0;
            let opaque = |[r, g, b]: &[f32; 3]| [*r, *g, *b, 1.0];
            Values::new(colors.len(), move |number| colors.get(number).map(opaque))
        }
    };
    let values = values.map(|color| color.map(|part| part.clamp(0.0, 1.0)));
    // Fans, strips and similar sets ignore colorPerVertex and treat it as TRUE (ISO/IEC
    // 19775-1, 11.4).
    let per_vertex = match node.kind.name {
        "IndexedFaceSet" | "IndexedLineSet" | "ElevationGrid" => node.flag("colorPerVertex"),
        _ => true,
    };
    Some(Attribute { values, index: index(per_vertex, node.ints("colorIndex")) })
}

/// Returns the normals of the geometry's `Normal`.
pub(super) fn given_normals<'a>(
    graph: &'a Graph,
    source: &Source,
    node: &'a Node,
) -> Option<Attribute<'a, Vec3>> {
    source.normals?;
    Some(Attribute {
        values: Values::of(source.normals(graph)),
        index: index(node.flag("normalPerVertex"), node.ints("normalIndex")),
    })
}

/// Returns the shape's texture coordinates, if it has any ([`Source::texcoords`]).
pub(super) fn texcoords<'a>(
    graph: &'a Graph,
    source: &Source,
    node: &'a Node,
    diagnostics: &mut Diagnostics,
) -> Option<Attribute<'a, [f32; 2]>> {
    let values = texture::coordinates(graph, source, diagnostics)?;
    Some(Attribute { values, index: index(true, node.ints("texCoordIndex")) })
}

/// Returns the binding of values to corners (ISO/IEC 19775-1, 13.3.6): with an index list, by
/// corner or by face; without one, by point or by face.
const fn index(per_vertex: bool, list: &[i32]) -> Index<'_> {
    match (per_vertex, list.is_empty()) {
        (true, true) => Index::Point,
        (true, false) => Index::Corner(Cow::Borrowed(list)),
        (false, true) => Index::FaceOrder,
        (false, false) => Index::Face(Cow::Borrowed(list)),
    }
}

/// Returns the indices of all points.
pub(super) fn in_order(count: usize) -> Vec<i32> {
    (0..to_i32(count)).collect()
}

/// Splits indices into faces with the given number of corners.
pub(super) fn pieces(list: &[i32], corners: usize) -> Vec<i32> {
    list.chunks(corners).flat_map(|face| face.iter().copied().chain([-1])).collect()
}

/// Splits the points into consecutive pieces of the given lengths.
fn counted(
    counts: &[i32],
    least: i32,
    points: usize,
    span: Span,
    diagnostics: &mut Diagnostics,
) -> Vec<i32> {
    let points = to_i32(points);
    let mut index = Vec::new();
    let mut start = 0_i32;
    for count in counts {
        let end = start.saturating_add(*count);
        if *count < least || end > points {
            diagnostics.push(&codes::GEOMETRY_COUNT, span, || {
                format!(
                    "{count} points are requested, but at least {least} are required and {} \
                    are left",
                    points.saturating_sub(start)
                )
            });
        } else {
            index.extend((start..end).chain([-1]));
        }
        start = end.clamp(start, points);
    }
    index
}

/// Splits lists into triangle fans around the first point of each list.
fn fans(lists: &[i32]) -> Vec<i32> {
    triangles(lists, |list, out| {
        if let Some((first, others)) = list.split_first() {
            out.extend(
                others
                    .windows(2)
                    .flat_map(|pair| [*first].into_iter().chain(pair.iter().copied()).chain([-1])),
            );
        }
    })
}

/// Splits triangle strips: every three consecutive points form a triangle, with alternating
/// winding.
fn strips(lists: &[i32]) -> Vec<i32> {
    triangles(lists, |list, out| {
        for (at, three) in list.windows(3).enumerate() {
            if let [a, b, c] = *three {
                out.extend(if at % 2 == 0 { [a, b, c, -1] } else { [b, a, c, -1] });
            }
        }
    })
}

/// Applies `cut` to each list. Lists too short for a triangle are kept, so that they are
/// reported.
fn triangles(lists: &[i32], cut: impl Fn(&[i32], &mut Vec<i32>)) -> Vec<i32> {
    let mut out = Vec::with_capacity(lists.len().saturating_mul(3));
    for list in lists.strip_suffix(&[-1]).unwrap_or(lists).split(|index| *index == -1) {
        if list.len() < 3 {
            out.extend(list.iter().copied().chain([-1]));
        } else {
            cut(list, &mut out);
        }
    }
    out
}
