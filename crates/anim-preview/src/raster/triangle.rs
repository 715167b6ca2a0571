//! Triangles in the picture.

use std::ops::Range;

use anim_ir::number::narrow;

use super::edges::{Edges, UNIT};
use super::light::light_on;
use super::model::{Corner, Surface, Viewport};
use crate::lanes::Lanes;

/// How many samples take as long as starting a row of them.
const SAMPLES_PER_ROW: u64 = 24;

/// A triangle, clockwise in the picture (whose y axis points down).
pub(super) struct Triangle {
    edges: Edges,
    depth: Depth,
    pub(super) surface: u32,
    /// The corner that is farthest away, in pixels. Planes start from it.
    pub(super) origin: [f32; 2],
    /// 1 / distance, and the texture coordinates times that.
    pub(super) place: Plane,
    /// 1 / distance of the farthest and the nearest corner.
    pub(super) range: [f32; 2],
    pub(super) tint: Tint,
    pub(super) light: Light,
    /// Approximately how many samples are tested to draw the triangle.
    pub(super) work: u64,
}

/// Linear functions of the place in the picture.
#[derive(Clone, Copy)]
pub(super) struct Plane {
    pub(super) at: Lanes,
    pub(super) right: Lanes,
    pub(super) down: Lanes,
}

/// The colour of the surface times that of the vertices.
#[derive(Clone, Copy)]
pub(super) enum Tint {
    /// The same everywhere.
    Even(Lanes),
    /// Times 1 / distance.
    Mixed(Plane),
}

/// The light on the triangle.
#[derive(Clone, Copy)]
pub(super) enum Light {
    Unlit,
    /// The same everywhere.
    Flat(f32),
    /// The normal, times a positive factor.
    Smooth(Plane),
}

/// 1 / distance in samples, which decides what is in front.
struct Depth {
    /// At the first sample of the picture.
    at: f64,
    right: f64,
    down: f64,
    /// Those of the farthest and the nearest corner. Rounding does not lead beyond them.
    low: f32,
    high: f32,
}

/// The covered samples of a row, and their depths.
#[derive(Clone, Default)]
pub(super) struct Line {
    pub(super) span: Range<usize>,
    /// The depth of the first sample.
    first: f32,
    step: f32,
    low: f32,
    high: f32,
}

impl Line {
    /// Returns the depths of samples, counted from the start of the span.
    #[inline]
    pub(super) fn depths(&self, numbers: Lanes) -> Lanes {
        let depths = numbers * self.step + self.first;
        depths.fast_max(Lanes::splat(self.low)).fast_min(Lanes::splat(self.high))
    }
}

impl Plane {
    #[inline]
    pub(super) fn at(&self, [right, down]: [f32; 2]) -> Lanes {
        self.at + self.right * right + self.down * down
    }
}

impl Triangle {
    /// Projects a clipped triangle. Returns `None` if it covers nothing or shows its back.
    pub(super) fn new(
        mut corners: [Corner; 3],
        viewport: &Viewport,
        surface: &Surface,
        index: u32,
    ) -> Option<Triangle> {
        let mut points = corners.map(|corner| project(corner.at, viewport));
        let area = area_of(points);
        let is_back = area > 0;
        if area == 0 || (is_back && !surface.double_sided) {
            return None;
        }
        if surface.lit && corners.iter().any(|corner| corner.attributes.normal == [0.0; 3]) {
            let flat = flat_normal(corners);
            for corner in &mut corners {
                if corner.attributes.normal == [0.0; 3] {
                    corner.attributes.normal = flat;
                }
            }
        }
        if !is_back {
            points.swap(1, 2);
            corners.swap(1, 2);
        }
        let edges = Edges::new(points, viewport)?;
        let depths = corners.map(|corner| -1.0 / corner.at[2]);
        // Where depths differ very much, the sums of planes that start at the lowest are exact.
        let farthest = if depths[0] <= depths[1] && depths[0] <= depths[2] {
            0
        } else if depths[1] <= depths[2] {
            1
        } else {
            2
        };
        points.rotate_left(farthest);
        corners.rotate_left(farthest);
        Some(Triangle::of_points(points, &corners, (viewport, surface, is_back), (edges, index)))
    }

    fn of_points(
        points: [[i64; 2]; 3],
        corners: &[Corner; 3],
        (viewport, surface, is_back): (&Viewport, &Surface, bool),
        (edges, index): (Edges, u32),
    ) -> Triangle {
        let [[x0, y0], [x1, y1], [x2, y2]] = points;
        let area = area_of(points);
        let slope = |units: i64| (units * UNIT) as f64 / area as f64;
        let slopes = [[slope(y2 - y0), slope(x0 - x2)], [slope(y0 - y1), slope(x1 - x0)]];
        let depths = corners.each_ref().map(|corner| -1.0 / corner.at[2]);
        let origin = [x0, y0].map(|at| at as f64 / UNIT as f64);
        let lift = if surface.in_front { 2.0 / viewport.near } else { 0.0 };
        let depth = Depth::new(depths.map(|depth| depth + lift), slopes, origin, viewport.samples);
        let depths = depths.map(narrow);
        let slopes = slopes.map(|slope| slope.map(narrow));
        let plane = |values: [Lanes; 3]| plane_of(values, depths, slopes);
        let place = corners.each_ref().map(|corner| {
            let [u, v] = corner.attributes.texcoord;
            Lanes::new([1.0, u, v, 0.0])
        });
        let colors = corners.each_ref().map(|corner| Lanes::new(corner.attributes.color));
        let own = surface.color;
        let tint = if colors[0] == colors[1] && colors[0] == colors[2] {
            Tint::Even(own * colors[0])
        } else {
            Tint::Mixed(plane(colors.map(|color| own * color)))
        };
        let normals = corners.each_ref().map(|corner| {
            let [x, y, z] = corner.attributes.normal;
            Lanes::new([x, y, z, 0.0]) * if is_back { -1.0 } else { 1.0 }
        });
        let light = if !surface.lit {
            Light::Unlit
        } else if normals[0] == normals[1] && normals[0] == normals[2] {
            Light::Flat(light_on(normals[0]))
        } else {
            Light::Smooth(plane(normals))
        };
        Triangle {
            work: work(area, &edges.rows, viewport),
            edges,
            surface: index,
            origin: origin.map(narrow),
            place: plane(place),
            range: [depths[0], depths[1].max(depths[2])],
            tint,
            light,
            depth,
        }
    }

    /// Returns the rows of samples that may be covered.
    pub(super) fn rows(&self) -> Range<u32> {
        self.edges.rows.clone()
    }

    /// Returns the covered samples of each row from `first` on.
    pub(super) fn lines(&self, first: u32) -> impl Iterator<Item = Line> {
        let Depth { at, right, down, low, high } = self.depth;
        let step = narrow(right);
        self.edges.spans(first).zip(first..).map(move |(span, row)| {
            let first = narrow(at + down * f64::from(row) + right * span.start as f64);
            Line { span, first, step, low, high }
        })
    }
}

impl Depth {
    fn new(depths: [f64; 3], slopes: [[f64; 2]; 2], origin: [f64; 2], samples: u32) -> Depth {
        let [a, b, c] = depths;
        let along = |to_b: f64, to_c: f64| to_b * (b - a) + to_c * (c - a);
        let [to_b, to_c] = slopes;
        let (right, down) = (along(to_b[0], to_c[0]), along(to_b[1], to_c[1]));
        let side = f64::from(samples.max(1));
        let first = 0.5 / side;
        Depth {
            at: a + right * (first - origin[0]) + down * (first - origin[1]),
            right: right / side,
            down: down / side,
            low: narrow(a.min(b).min(c)),
            high: narrow(a.max(b).max(c)),
        }
    }
}

/// Returns the plane of values times depths.
fn plane_of(values: [Lanes; 3], depths: [f32; 3], slopes: [[f32; 2]; 2]) -> Plane {
    let [a, b, c] = values;
    let (a, b, c) = (a * depths[0], b * depths[1], c * depths[2]);
    let [[right_b, down_b], [right_c, down_c]] = slopes;
    let (to_b, to_c) = (b - a, c - a);
    Plane { at: a, right: to_b * right_b + to_c * right_c, down: to_b * down_b + to_c * down_c }
}

fn work(area: i64, rows: &Range<u32>, viewport: &Viewport) -> u64 {
    let all = u64::from(viewport.width) * u64::from(viewport.height);
    let area = area.unsigned_abs() / (2 * UNIT.unsigned_abs() * UNIT.unsigned_abs());
    let samples = u64::from(viewport.samples * viewport.samples);
    area.min(all) * samples + u64::from(rows.end.saturating_sub(rows.start)) * SAMPLES_PER_ROW
}

#[expect(clippy::cast_possible_truncation, reason = "clipping keeps coordinates below 2^27")]
fn project([x, y, z]: [f64; 3], viewport: &Viewport) -> [i64; 2] {
    let [across, down] = [x * viewport.factors[0], -y * viewport.factors[1]];
    // Rounds to the nearest integer, without a call on processors that cannot.
    const OFFSET: i64 = 1 << 27;
    let place = |ratio: f64, side: u32| {
        let units = (ratio / -z + 1.0) / 2.0 * f64::from(side) * UNIT as f64;
        (units + (OFFSET as f64 + 0.5)) as i64 - OFFSET
    };
    [place(across, viewport.width), place(down, viewport.height)]
}

/// Returns twice the area, positive if the corners are clockwise in the picture.
fn area_of([[x0, y0], [x1, y1], [x2, y2]]: [[i64; 2]; 3]) -> i64 {
    (x1 - x0) * (y2 - y0) - (y1 - y0) * (x2 - x0)
}

fn flat_normal([a, b, c]: [Corner; 3]) -> [f32; 3] {
    let side = |to: Corner| {
        let ([x, y, z], [x0, y0, z0]) = (to.at, a.at);
        [x - x0, y - y0, z - z0]
    };
    let normal = anim_ir::double::unit(anim_ir::double::cross(side(b), side(c)));
    normal.unwrap_or([0.0, 0.0, 1.0]).map(narrow)
}
