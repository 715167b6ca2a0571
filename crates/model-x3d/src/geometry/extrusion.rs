//! `Extrusion` (ISO/IEC 19775-1, 13.3.5): a cross-section moved along a spine.

use std::borrow::Cow;

use anim_ir::{Diagnostics, Topology, Vec3};

use super::form::{Attribute, Form, Index, Values};
use super::texture;
use crate::codes;
use crate::graph::Node;
use crate::math::{add, cross, dot, scaled, subtract, to_f32, to_i32, unit};

type Vector = [f64; 3];

/// Directions are treated as parallel if the sine of the angle between them is below this.
const TINY: f64 = 1e-7;

pub(super) fn form<'a>(
    node: &'a Node,
    points: Cow<'a, [Vec3]>,
    diagnostics: &mut Diagnostics,
) -> Option<Form<'a>> {
    let section = section(node);
    let (columns, rows) = (section.len(), spine(node).len());
    if columns < 2 || rows < 2 {
        diagnostics.push(&codes::GEOMETRY_COUNT, node.span, || {
            format!(
                "the cross-section and spine of an Extrusion need at least 2 points each, but \
                have {columns} and {rows}"
            )
        });
        return None;
    }

    // The last point of a closed curve is the same as its first, which makes the seam smooth.
    // Texture coordinates continue across it.
    let closed_section = section.first() == section.last() && columns > 2;
    let closed_spine = is_closed(&spine(node));
    let (columns, rows) = (to_i32(columns), to_i32(rows));
    let place = |row: i32, column: i32| row.saturating_mul(columns).saturating_add(column);
    let point = |row: i32, column: i32| {
        let row = if closed_spine && row == rows.saturating_sub(1) { 0 } else { row };
        let column = if closed_section && column == columns.saturating_sub(1) { 0 } else { column };
        place(row, column)
    };
    let mut texcoords = texture::grid(columns, rows);
    let mut index = Vec::with_capacity(points.len().saturating_mul(5));
    let mut texcoord_index = Vec::with_capacity(points.len().saturating_mul(5));
    for (row, next_row) in (0..rows).zip(1..rows) {
        for (column, next_column) in (0..columns).zip(1..columns) {
            let corners =
                [(row, column), (row, next_column), (next_row, next_column), (next_row, column)];
            index.extend(corners.into_iter().map(|(row, column)| point(row, column)).chain([-1]));
            texcoord_index
                .extend(corners.into_iter().map(|(row, column)| place(row, column)).chain([-1]));
        }
    }
    let first_of_cap = to_i32(texcoords.len());
    texcoords.extend(cap_texcoords(section));
    let corners = if closed_section { columns.saturating_sub(1) } else { columns };
    let mut cap = |row: i32, columns: &mut dyn Iterator<Item = i32>| {
        for column in columns {
            index.push(point(row, column));
            texcoord_index.push(first_of_cap.saturating_add(column));
        }
        index.push(-1);
        texcoord_index.push(-1);
    };
    if node.flag("beginCap") {
        cap(0, &mut (0..corners).rev());
    }
    if node.flag("endCap") {
        cap(rows.saturating_sub(1), &mut (0..corners));
    }

    let mut form = Form::new(Topology::Triangles, points, index.into());
    form.ccw = node.flag("ccw");
    form.double_sided = !node.flag("solid");
    form.crease_angle = node.float("creaseAngle");
    form.texcoords = Some(Attribute {
        values: Values::of(texcoords),
        index: Index::Corner(texcoord_index.into()),
    });
    Some(form)
}

/// Returns the number of points of all cross-sections.
pub(super) fn point_count(node: &Node) -> usize {
    section(node).len().saturating_mul(node.floats("spine").len() / 3)
}

/// Returns the points of all cross-sections, from the start of the spine to its end.
pub(super) fn points(node: &Node) -> Vec<Vec3> {
    let section = section(node);
    let spine = spine(node);
    let scales = node.floats("scale").as_chunks::<2>().0;
    let orientations = node.floats("orientation").as_chunks::<4>().0;
    let mut points = Vec::with_capacity(section.len().saturating_mul(spine.len()));
    for (at, (center, [x, y, z])) in spine.iter().zip(planes(&spine)).enumerate() {
        // If there are fewer values than spine points, the last value is repeated.
        let scale = scales.get(at).or(scales.last()).copied().unwrap_or([1.0; 2]);
        let [axis @ .., angle] = orientations
            .get(at)
            .or(orientations.last())
            .copied()
            .unwrap_or_default()
            .map(f64::from);
        // Rotate the axes of the cross-section's plane once, so each point costs only two
        // products.
        let turned = |direction: Vector| {
            let [a, b, c] = rotated(direction, axis, angle);
            add(add(scaled(x, a), scaled(y, b)), scaled(z, c))
        };
        let [scale_x, scale_z] = scale.map(f64::from);
        let across = scaled(turned([1.0, 0.0, 0.0]), scale_x);
        let along = scaled(turned([0.0, 0.0, 1.0]), scale_z);
        for [section_x, section_z] in section {
            let offset =
                add(scaled(across, f64::from(*section_x)), scaled(along, f64::from(*section_z)));
            points.push(Vec3::from(add(*center, offset).map(to_f32)));
        }
    }
    points
}

fn section(node: &Node) -> &[[f32; 2]] {
    node.floats("crossSection").as_chunks::<2>().0
}

fn spine(node: &Node) -> Vec<Vector> {
    node.floats("spine").as_chunks::<3>().0.iter().map(|point| point.map(f64::from)).collect()
}

fn is_closed(spine: &[Vector]) -> bool {
    spine.len() > 2 && spine.first() == spine.last()
}

/// Returns, for each point of the spine, the x, y and z axes of its cross-section's plane, where y
/// is the direction of the spine (13.3.5.3).
fn planes(spine: &[Vector]) -> Vec<[Vector; 3]> {
    let count = spine.len();
    let at = |index: usize| spine.get(index).copied().unwrap_or_default();
    let last = count.saturating_sub(1);
    // Returns the indices of the previous and next points. The ends of an open spine lack one of
    // them; the point itself takes its place, so there is no bend.
    let around = |index: usize| match index {
        _ if is_closed(spine) && (index == 0 || index == last) => [last.saturating_sub(1), 1],
        _ => [index.saturating_sub(1), index.saturating_add(1).min(last)],
    };
    let direction = |index: usize| {
        let [before, after] = around(index).map(at);
        unit(subtract(after, before))
    };
    let bend = |index: usize| {
        let [to_last, to_next] = around(index).map(|other| unit(subtract(at(other), at(index))));
        let z = cross(to_next, to_last);
        if dot(z, z).sqrt() > TINY { unit(z) } else { [0.0; 3] }
    };
    let ys = filled((0..count).map(direction).collect());
    let mut zs = filled((0..count).map(bend).collect());
    if zs.first().is_none_or(|z| *z == [0.0; 3]) {
        // For a straight spine, apply the rotation from the y axis to the spine's direction to all
        // axes.
        let y = ys.iter().copied().find(|y| *y != [0.0; 3]).unwrap_or([0.0, 1.0, 0.0]);
        return vec![turned_from_y(y); count];
    }
    // Do not flip the cross-section where the curve starts to bend in the other direction.
    let mut before = zs.first().copied().unwrap_or_default();
    for z in &mut zs {
        if dot(*z, before) < 0.0 {
            *z = scaled(*z, -1.0);
        }
        before = *z;
    }
    ys.into_iter().zip(zs).map(|(y, z)| [unit(cross(y, z)), y, z]).collect()
}

/// Replaces each zero vector with the previous vector, and zero vectors at the start with the first
/// nonzero vector.
fn filled(mut vectors: Vec<Vector>) -> Vec<Vector> {
    let mut last = vectors.iter().copied().find(|vector| *vector != [0.0; 3]).unwrap_or_default();
    for vector in &mut vectors {
        if *vector == [0.0; 3] {
            *vector = last;
        }
        last = *vector;
    }
    vectors
}

/// Returns the three axes after the shortest rotation that points y in the given direction.
fn turned_from_y(direction: Vector) -> [Vector; 3] {
    let up = [0.0, 1.0, 0.0];
    let axis = cross(up, direction);
    let angle = dot(axis, axis).sqrt().atan2(dot(up, direction));
    // The shortest rotation to straight down is not unique; rotate about x.
    let axis = if dot(axis, axis).sqrt() > TINY { axis } else { [1.0, 0.0, 0.0] };
    [rotated([1.0, 0.0, 0.0], axis, angle), direction, rotated([0.0, 0.0, 1.0], axis, angle)]
}

/// Rotates a vector about an axis by an angle in radians. A zero axis results in no rotation.
fn rotated(v: Vector, axis: Vector, angle: f64) -> Vector {
    let axis = unit(axis);
    if axis == [0.0; 3] {
        return v;
    }
    let (sin, cos) = angle.sin_cos();
    let along = scaled(axis, dot(axis, v) * (1.0 - cos));
    add(add(scaled(v, cos), scaled(cross(axis, v), sin)), along)
}

/// Returns the texture coordinates of a cap: x to the right, z up, the longer side of the
/// cross-section from 0 to 1.
fn cap_texcoords(section: &[[f32; 2]]) -> impl Iterator<Item = [f32; 2]> {
    let axis =
        |at: usize| section.iter().filter_map(move |point| point.get(at)).map(|c| f64::from(*c));
    let [x, z] = [0, 1].map(|at| {
        (axis(at).fold(f64::INFINITY, f64::min), axis(at).fold(f64::NEG_INFINITY, f64::max))
    });
    let longer = (x.1 - x.0).max(z.1 - z.0);
    let size = if longer > 0.0 { longer } else { 1.0 };
    section.iter().map(move |point| {
        let [s, t] = point.map(f64::from);
        [to_f32((s - x.0) / size), to_f32((t - z.0) / size)]
    })
}
