//! `ElevationGrid` (ISO/IEC 19775-1, 13.3.4): heights over a grid in the xz plane.

use std::borrow::Cow;

use anim_ir::{Diagnostics, Topology, Vec3};

use super::form::{Attribute, Form, Index, Values};
use super::source::Source;
use super::{sets, texture};
use crate::codes;
use crate::graph::{Graph, Node};
use crate::math::{to_f32, to_i32};

pub(super) fn form<'a>(
    graph: &'a Graph,
    source: &Source,
    node: &'a Node,
    points: Cow<'a, [Vec3]>,
    diagnostics: &mut Diagnostics,
) -> Option<Form<'a>> {
    let Some((columns, rows)) = size(node) else {
        let [columns, rows] = dimensions(node);
        let heights = node.floats("height").len();
        // Empty, as by default.
        if heights == 0 && columns.min(rows) == 0 {
            return None;
        }
        diagnostics.push(&codes::GEOMETRY_COUNT, node.span, || {
            format!(
                "a grid of {columns} by {rows} points has {heights} heights; expected at \
                 least 2 by 2 points, and a height for each"
            )
        });
        return None;
    };
    let mut index = Vec::with_capacity(points.len().saturating_mul(5));
    let point = |row: i32, column: i32| row.saturating_mul(columns).saturating_add(column);
    for (row, next_row) in (0..rows).zip(1..rows) {
        for (column, next_column) in (0..columns).zip(1..columns) {
            index.extend([
                point(row, column),
                point(next_row, column),
                point(next_row, next_column),
                point(row, next_column),
                -1,
            ]);
        }
    }
    let mut form = Form::new(Topology::Triangles, points, index.into());
    form.ccw = node.flag("ccw");
    form.double_sided = !node.flag("solid");
    form.crease_angle = node.float("creaseAngle");
    form.colors = sets::colors(graph, source, node);
    form.normals = sets::given_normals(graph, source, node);
    form.texcoords = sets::texcoords(graph, source, node, diagnostics).or_else(|| {
        Some(Attribute { values: Values::of(texture::grid(columns, rows)), index: Index::Point })
    });
    Some(form)
}

fn dimensions(node: &Node) -> [i32; 2] {
    ["xDimension", "zDimension"].map(|field| node.ints(field).first().copied().unwrap_or(0))
}

/// Returns the number of columns along x and rows along z, if the grid has at least two of each and
/// a height for each point.
fn size(node: &Node) -> Option<(i32, i32)> {
    let [columns, rows] = dimensions(node);
    let points = columns.checked_mul(rows)?;
    (columns >= 2 && rows >= 2 && points <= to_i32(node.floats("height").len()))
        .then_some((columns, rows))
}

/// Returns the points of the grid, row by row.
pub(super) fn points(node: &Node) -> Vec<Vec3> {
    let Some((columns, rows)) = size(node) else { return Vec::new() };
    let [x_spacing, z_spacing] = ["xSpacing", "zSpacing"].map(|field| f64::from(node.float(field)));
    let grid = (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
    let point = |((column, row), height): ((i32, i32), &f32)| {
        Vec3::new(
            to_f32(f64::from(column) * x_spacing),
            *height,
            to_f32(f64::from(row) * z_spacing),
        )
    };
    grid.zip(node.floats("height")).map(point).collect()
}
