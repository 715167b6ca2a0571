//! Geometry in the xy plane (ISO/IEC 19775-1, 14.3).

use std::f64::consts::TAU;

use anim_ir::{Topology, Vec3};

use super::form::{Attribute, Form, Index, Values};
use super::sets::{in_order, pieces};
use crate::graph::Node;
use crate::math::{to_f32, to_f64, to_i32};

/// Number of sides of a circle or an arc.
const SIDES: usize = 24;

pub(super) fn is_planar(node: &Node) -> bool {
    matches!(
        node.kind.name,
        "Arc2D"
            | "ArcClose2D"
            | "Circle2D"
            | "Disk2D"
            | "Polyline2D"
            | "Polypoint2D"
            | "Rectangle2D"
            | "TriangleSet2D"
    )
}

/// Returns the points, as many of them in every frame: other values only move them.
pub(super) fn points(node: &Node) -> Vec<Vec3> {
    let radius = |field: &str| f64::from(node.float(field));
    let of_file = |field: &str| {
        let points = node.floats(field).as_chunks::<2>().0;
        points.iter().map(|[x, y]| Vec3::new(*x, *y, 0.0)).collect()
    };
    match node.kind.name {
        "Arc2D" => arc(node, radius("radius")),
        "ArcClose2D" => {
            let mut points = arc(node, radius("radius"));
            points.push(Vec3::ZERO);
            points
        }
        "Circle2D" => circle(radius("radius")),
        "Disk2D" => {
            let mut points = circle(radius("outerRadius"));
            points.extend(circle(radius("innerRadius")));
            points
        }
        "Polyline2D" => of_file("lineSegments"),
        "Polypoint2D" => of_file("point"),
        "Rectangle2D" => {
            let [x, y] = node.array("size").map(|size: f32| size / 2.0);
            [[-x, -y], [x, -y], [x, y], [-x, y]].map(|[x, y]| Vec3::new(x, y, 0.0)).into()
        }
        "TriangleSet2D" => of_file("vertices"),
        _ => Vec::new(),
    }
}

pub(super) fn form(node: &Node) -> Form<'static> {
    let points = points(node);
    let all = in_order(points.len());
    let ended = |mut index: Vec<i32>| {
        index.push(-1);
        index
    };
    // Back to the first point.
    let closed = |mut index: Vec<i32>| {
        index.extend([0, -1]);
        index
    };
    let (topology, index) = match node.kind.name {
        "ArcClose2D" if node.strings("closureType") == ["CHORD"] => {
            (Topology::Triangles, ended(in_order(SIDES.saturating_add(1))))
        }
        "ArcClose2D" => (Topology::Triangles, pie()),
        "Circle2D" => (Topology::Lines, closed(all)),
        "Disk2D" => match Disk::of(node) {
            Disk::Full => (Topology::Triangles, ended(in_order(SIDES))),
            Disk::Line => (Topology::Lines, closed(in_order(SIDES))),
            Disk::Ring => (Topology::Triangles, ring()),
        },
        "Arc2D" | "Polyline2D" => (Topology::Lines, ended(all)),
        "Polypoint2D" => (Topology::Points, all),
        "TriangleSet2D" => (Topology::Triangles, pieces(&all, 3)),
        _ => (Topology::Triangles, ended(all)),
    };
    let mut form = Form::new(topology, points.into(), index.into());
    form.double_sided = !node.flag("solid");
    if node.kind.name == "Rectangle2D" {
        let corners = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        let values = Values::of(corners.to_vec());
        form.texcoords = Some(Attribute { values, index: Index::Point });
    }
    form
}

/// What a `Disk2D` is.
enum Disk {
    Full,
    Ring,
    /// Both radii are equal.
    Line,
}

impl Disk {
    fn of(node: &Node) -> Disk {
        let [inner, outer] = ["innerRadius", "outerRadius"].map(|field| node.float(field));
        if inner == outer {
            Disk::Line
        } else if inner == 0.0 {
            Disk::Full
        } else {
            Disk::Ring
        }
    }
}

/// Returns the angle of an arc, counter-clockwise: a whole turn if both ends are equal.
fn sweep(node: &Node) -> f64 {
    let [start, end] = ["startAngle", "endAngle"].map(|field| f64::from(node.float(field)));
    let turned = end - start;
    let sweep = if turned <= 0.0 { turned + TAU } else { turned };
    sweep.clamp(0.0, TAU)
}

/// Returns the points of an arc, from its start to its end.
fn arc(node: &Node, radius: f64) -> Vec<Vec3> {
    let (start, step) = (f64::from(node.float("startAngle")), sweep(node) / to_f64(SIDES));
    (0..=SIDES).map(|at| on_circle(radius, start + step * to_f64(at))).collect()
}

fn circle(radius: f64) -> Vec<Vec3> {
    let step = TAU / to_f64(SIDES);
    (0..SIDES).map(|at| on_circle(radius, step * to_f64(at))).collect()
}

fn on_circle(radius: f64, angle: f64) -> Vec3 {
    Vec3::new(to_f32(radius * angle.cos()), to_f32(radius * angle.sin()), 0.0)
}

/// Returns the triangles between an arc and its center, the last point.
fn pie() -> Vec<i32> {
    let center = to_i32(SIDES.saturating_add(1));
    (0..to_i32(SIDES)).flat_map(|at| [center, at, at.saturating_add(1), -1]).collect()
}

/// Returns the faces between an outer and an inner circle.
fn ring() -> Vec<i32> {
    let next = |at: usize| at.saturating_add(1) % SIDES;
    let inner = |at: usize| to_i32(at.saturating_add(SIDES));
    (0..SIDES)
        .flat_map(|at| [inner(at), to_i32(at), to_i32(next(at)), inner(next(at)), -1])
        .collect()
}
