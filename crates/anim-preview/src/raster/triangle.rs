//! Triangles in the picture.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clipping keeps coordinates below 2^27, so all products fit into 64 bits"
)]

use std::ops::Range;

use anim_ir::number::narrow;

use super::model::{Attributes, Corner, Surface, Viewport};

/// Coordinates are multiples of 1/256 of a pixel.
const UNIT: i64 = 256;

/// A triangle, clockwise in the picture (whose y axis points down).
pub(super) struct Triangle {
    /// Corners in units.
    corners: [[i64; 2]; 3],
    pub(super) surface: u32,
    /// 1 / distance of each corner.
    pub(super) depths: [f32; 3],
    /// The first corner, in pixels.
    pub(super) origin: [f32; 2],
    /// How the weights of the second and the third corner change along x and y.
    pub(super) slopes: [[f32; 2]; 2],
    pub(super) attributes: [Attributes; 3],
    /// Added to the depth of surfaces in front of all others.
    lift: f32,
}

/// A line a·x + b·y + c, at least 0 on the side of the triangle.
#[derive(Clone, Copy)]
struct Edge {
    a: i64,
    b: i64,
    c: i64,
}

impl Edge {
    fn between([x0, y0]: [i64; 2], [x1, y1]: [i64; 2]) -> Edge {
        let (a, b) = (y0 - y1, x1 - x0);
        // Samples on the line belong to the triangle below or to the right of it.
        let top_left = a > 0 || (a == 0 && b > 0);
        Edge { a, b, c: -(a * x0 + b * y0) - i64::from(!top_left) }
    }
}

/// The depths of a triangle in a row of samples.
#[derive(Clone, Copy)]
pub(super) struct Depths {
    first: f32,
    step: f32,
    /// Those of the farthest and the nearest corner. Rounding does not lead beyond them.
    low: f32,
    high: f32,
}

impl Depths {
    #[inline]
    pub(super) fn at(&self, column: f32) -> f32 {
        (self.first + self.step * column).max(self.low).min(self.high)
    }
}

impl Triangle {
    /// Projects a clipped triangle. Returns `None` if it covers nothing or shows its back.
    pub(super) fn new(
        corners: [Corner; 3],
        viewport: &Viewport,
        surface: &Surface,
        index: u32,
    ) -> Option<Triangle> {
        let mut points = corners.map(|corner| project(corner.at, viewport));
        let mut depths = corners.map(|corner| narrow(-1.0 / corner.at[2]));
        let mut attributes = corners.map(|corner| corner.attributes);
        let mut area = area_of(points);
        let is_back = area > 0;
        if area == 0 || (is_back && !surface.double_sided) {
            return None;
        }
        // The shape of the triangle before rounding.
        let flat = if surface.lit { flat_normal(corners) } else { [0.0; 3] };
        for attributes in &mut attributes {
            if attributes.normal == [0.0; 3] {
                attributes.normal = flat;
            }
            if is_back {
                attributes.normal = attributes.normal.map(|c| -c);
            }
        }
        if !is_back {
            points.swap(1, 2);
            depths.swap(1, 2);
            attributes.swap(1, 2);
            area = -area;
        }
        let [[x0, y0], [x1, y1], [x2, y2]] = points;
        let slope = |units: i64| narrow(units as f64 * UNIT as f64 / area as f64);
        let lift = if surface.in_front { narrow(2.0 / viewport.near) } else { 0.0 };
        Some(Triangle {
            corners: points,
            surface: index,
            depths,
            origin: [x0, y0].map(|c| narrow(c as f64 / UNIT as f64)),
            slopes: [[slope(y2 - y0), slope(x0 - x2)], [slope(y0 - y1), slope(x1 - x0)]],
            attributes,
            lift,
        })
    }

    /// Returns approximately how many samples are tested to draw the triangle.
    pub(super) fn work(&self, viewport: &Viewport) -> u64 {
        let rows = self.rows(viewport.samples);
        let all = u64::from(viewport.width) * u64::from(viewport.height);
        let area = area_of(self.corners).unsigned_abs() / (2 * UNIT * UNIT) as u64;
        let samples = u64::from(viewport.samples * viewport.samples);
        let rows = rows.start.max(0)..rows.end.min(i64::from(viewport.height * viewport.samples));
        area.min(all) * samples + (rows.end - rows.start).max(0) as u64 * 8
    }

    pub(super) fn middle_depth(&self) -> f32 {
        self.depths.iter().sum::<f32>() / 3.0 + self.lift
    }

    /// Returns the rows of samples between the highest and the lowest corner.
    pub(super) fn rows(&self, samples: u32) -> Range<i64> {
        let (step, first) = grid(samples);
        let [[_, a], [_, b], [_, c]] = self.corners;
        div_ceil(a.min(b).min(c) - first, step)..(a.max(b).max(c) - first).div_euclid(step) + 1
    }

    /// Returns a function from rows of samples to the covered columns.
    pub(super) fn spans(&self, samples: u32, columns: i64) -> impl Fn(i64) -> Range<usize> {
        let (step, first) = grid(samples);
        let [p, q, r] = self.corners;
        let edges = [Edge::between(p, q), Edge::between(q, r), Edge::between(r, p)];
        move |row| {
            let y = row * step + first;
            let (mut start, mut end) = (0, columns);
            for Edge { a, b, c } in edges {
                let at_first = b * y + c + a * first;
                if a > 0 {
                    start = start.max(div_ceil(-at_first, a * step));
                } else if a < 0 {
                    end = end.min(at_first.div_euclid(-a * step) + 1);
                } else if at_first < 0 {
                    end = 0;
                }
            }
            start as usize..end.max(start) as usize
        }
    }

    /// Returns the depths in a row.
    pub(super) fn depth(&self, row: i64, samples: u32) -> Depths {
        let (step, first) = grid(samples);
        let [d0, d1, d2] = self.depths.map(f64::from);
        let along = |axis: fn(&[f32; 2]) -> f32| {
            let [s1, s2] = [&self.slopes[0], &self.slopes[1]].map(|slope| f64::from(axis(slope)));
            s1 * (d1 - d0) + s2 * (d2 - d0)
        };
        let (dx, dy) = (along(|slope| slope[0]), along(|slope| slope[1]));
        let [x0, y0] = self.corners[0];
        let y = (row * step + first - y0) as f64 / UNIT as f64;
        let x = (first - x0) as f64 / UNIT as f64;
        let lift = f64::from(self.lift);
        let low = self.depths.iter().copied().fold(f32::INFINITY, f32::min);
        let high = self.depths.iter().copied().fold(0.0, f32::max);
        Depths {
            first: narrow(d0 + lift + x * dx + y * dy),
            step: narrow(dx * step as f64 / UNIT as f64),
            low: low + self.lift,
            high: high + self.lift,
        }
    }
}

/// Returns the distance between samples and the position of the first one, in units.
fn grid(samples: u32) -> (i64, i64) {
    let step = UNIT / i64::from(samples.max(1));
    (step, step / 2)
}

fn div_ceil(a: i64, b: i64) -> i64 {
    -(-a).div_euclid(b)
}

fn project([x, y, z]: [f64; 3], viewport: &Viewport) -> [i64; 2] {
    let [across, down] = [x * viewport.factors[0], -y * viewport.factors[1]];
    let place = |ratio: f64, side: u32| {
        ((ratio / -z + 1.0) / 2.0 * f64::from(side) * UNIT as f64).round() as i64
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
