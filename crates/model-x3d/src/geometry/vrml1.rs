//! VRML 1.0 sets of faces, lines and points, whose values come from the nodes in effect (VRML
//! 1.0c, nodes `IndexedFaceSet`, `MaterialBinding`, `NormalBinding`).

use std::borrow::Cow;
use std::ops::Range;

use anim_ir::{Diagnostics, Topology, Vec3};

use super::form::{Attribute, Form, Index, Values};
use super::source::Source;
use super::texture;
use crate::codes;
use crate::graph::{Graph, Node, NodeId};
use crate::math::to_i32;

pub(super) fn form<'a>(
    graph: &'a Graph,
    source: &Source,
    node: &'a Node,
    points: Cow<'a, [Vec3]>,
    diagnostics: &mut Diagnostics,
) -> Option<Form<'a>> {
    let binding = word(graph, source.material_binding, "value", "OVERALL");
    let per_segment = binding.starts_with("PER_PART");
    let (topology, index) = match node.kind.name {
        "IndexedFaceSet" => (Topology::Triangles, Cow::Borrowed(node.ints("coordIndex"))),
        "IndexedLineSet" if per_segment => {
            (Topology::Lines, segments(node.ints("coordIndex")).into())
        }
        "IndexedLineSet" => (Topology::Lines, Cow::Borrowed(node.ints("coordIndex"))),
        "PointSet" => (Topology::Points, some_points(node, points.len()).collect()),
        name => {
            diagnostics
                .push(&codes::GEOMETRY_KIND, node.span, || format!("unsupported geometry {name}"));
            return None;
        }
    };
    let mut form = Form::new(topology, points, index);
    let colors = colors(graph, source);
    if colors.len() > 1 {
        let index = if topology == Topology::Points && binding != "OVERALL" && binding != "DEFAULT"
        {
            Some(Index::CornerOrder)
        } else {
            bound(binding, list(node, "materialIndex"))
        };
        form.colors = index.map(|index| Attribute { values: colors, index });
    }
    if topology == Topology::Triangles {
        let binding = word(graph, source.normal_binding, "value", "DEFAULT");
        let indices = list(node, "normalIndex");
        let index = match binding {
            "OVERALL" => Index::First,
            _ => bound(binding, indices).unwrap_or_else(|| per_vertex(indices)),
        };
        form.normals =
            source.normals.map(|_| Attribute { values: Values::of(source.normals(graph)), index });
        if source.textured {
            let values = texture::coordinates(graph, source, diagnostics);
            form.texcoords = values.map(|values| Attribute {
                values,
                index: per_vertex(list(node, "textureCoordIndex")),
            });
        }
        let ordering = word(graph, source.shape_hints, "vertexOrdering", "UNKNOWN_ORDERING");
        form.ccw = ordering != "CLOCKWISE";
        // Faces are single-sided only if they belong to a solid with known vertex ordering.
        form.double_sided = ordering == "UNKNOWN_ORDERING"
            || word(graph, source.shape_hints, "shapeType", "UNKNOWN_SHAPE_TYPE") != "SOLID";
        form.crease_angle = source
            .shape_hints
            .and_then(|id| graph.node(id))
            .map_or(0.5, |hints| hints.float("creaseAngle"));
    }
    Some(form)
}

/// Returns the colours of the `Material` in effect, which combine its diffuse colours and
/// transparencies. If there are fewer transparencies than colours, the last one is repeated.
pub(super) fn colors<'a>(graph: &'a Graph, source: &Source) -> Values<'a, [f32; 4]> {
    let Some(material) = source.material.and_then(|id| graph.node(id)) else {
        return Values::of(&[][..]);
    };
    let transparency = material.floats("transparency");
    let colors = material.floats("diffuseColor").as_chunks::<3>().0;
    Values::new(colors.len(), move |number| {
        let [r, g, b] = *colors.get(number)?;
        let transparency = transparency.get(number).or(transparency.last()).copied();
        Some([r, g, b, 1.0 - transparency.unwrap_or(0.0)].map(|part| part.clamp(0.0, 1.0)))
    })
}

/// Whether the parts of a primitive have separate materials.
pub(super) fn materials_per_part(graph: &Graph, source: &Source) -> bool {
    word(graph, source.material_binding, "value", "OVERALL").starts_with("PER_PART")
}

/// Returns the keyword in a field of a node in effect, or `default` if there is none.
fn word<'a>(graph: &'a Graph, id: Option<NodeId>, field: &str, default: &'a str) -> &'a str {
    id.and_then(|id| graph.node(id)?.strings(field).first()).map_or(default, String::as_str)
}

/// Returns an index list; its default is a single -1, which means an empty list.
fn list<'a>(node: &'a Node, field: &str) -> &'a [i32] {
    match node.ints(field) {
        [-1] => &[],
        list => list,
    }
}

/// How a binding assigns values to corners; `None` for `OVERALL` and `DEFAULT`.
fn bound<'a>(binding: &str, list: &'a [i32]) -> Option<Index<'a>> {
    match binding {
        "PER_PART" | "PER_FACE" => Some(Index::FaceOrder),
        "PER_PART_INDEXED" | "PER_FACE_INDEXED" if list.is_empty() => Some(Index::FaceOrder),
        "PER_PART_INDEXED" | "PER_FACE_INDEXED" => Some(Index::Face(Cow::Borrowed(list))),
        "PER_VERTEX" => Some(Index::CornerOrder),
        "PER_VERTEX_INDEXED" => Some(per_vertex(list)),
        _ => None,
    }
}

const fn per_vertex(list: &[i32]) -> Index<'_> {
    if list.is_empty() { Index::Point } else { Index::Corner(Cow::Borrowed(list)) }
}

/// Splits polylines into segments of two points.
fn segments(lists: &[i32]) -> Vec<i32> {
    lists
        .windows(2)
        .filter(|pair| !pair.contains(&-1))
        .flat_map(|pair| pair.iter().copied().chain([-1]))
        .collect()
}

/// Returns the points of a `PointSet`: `numPoints` points starting at `startIndex`, or all
/// remaining points.
pub(super) fn some_points(node: &Node, count: usize) -> Range<i32> {
    let [start, asked] =
        ["startIndex", "numPoints"].map(|field| node.ints(field).first().copied().unwrap_or(-1));
    let count = to_i32(count);
    let start = start.max(0);
    let end = if asked < 0 { count } else { start.saturating_add(asked).min(count) };
    start..end
}
