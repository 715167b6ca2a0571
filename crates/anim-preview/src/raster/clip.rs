//! Clipping of triangles by the planes of the camera.

use super::model::{Attributes, Corner, Viewport};

/// How far triangles may reach beyond the picture, as a multiple of half its size. Farther corners
/// are cut off, which bounds the coordinates.
const GUARD: f64 = 8.0;
/// A triangle that is cut by six planes.
const MOST: usize = 9;

/// A convex polygon.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Polygon {
    corners: [Corner; MOST],
    count: usize,
}

impl Polygon {
    fn push(&mut self, corner: Corner) {
        if let Some(free) = self.corners.get_mut(self.count) {
            *free = corner;
            self.count = self.count.saturating_add(1);
        }
    }

    fn corners(&self) -> &[Corner] {
        self.corners.get(..self.count).unwrap_or_default()
    }

    /// Returns the triangles around the first corner.
    pub(super) fn fan(&self) -> impl Iterator<Item = [Corner; 3]> {
        let (first, rest) = self.corners().split_first().unzip();
        let rest: &[Corner] = rest.unwrap_or_default();
        rest.iter().zip(rest.iter().skip(1)).filter_map(move |(b, c)| Some([*first?, *b, *c]))
    }

    /// Keeps the part where a distance is at least 0.
    fn cut(&self, distance: impl Fn([f64; 3]) -> f64) -> Polygon {
        let mut kept = Polygon::default();
        let corners = self.corners();
        for (corner, next) in corners.iter().zip(corners.iter().cycle().skip(1)) {
            let (here, there) = (distance(corner.at), distance(next.at));
            if here >= 0.0 {
                kept.push(*corner);
            }
            if (here >= 0.0) != (there >= 0.0) {
                // Computed from the same side for both triangles at an edge.
                let (from, to, part) = if here >= 0.0 {
                    (corner, next, here / (here - there))
                } else {
                    (next, corner, there / (there - here))
                };
                kept.push(between(from, to, part));
            }
        }
        kept
    }
}

/// Whether a triangle needs no clipping.
pub(super) fn is_inside(corners: &[Corner; 3], viewport: &Viewport) -> bool {
    let Viewport { near, far, factors, .. } = *viewport;
    corners.iter().all(|Corner { at: [x, y, z], .. }| {
        let reach = -z * GUARD;
        let across = (x * factors[0]).abs().max((y * factors[1]).abs());
        -z >= near && -z <= far && across <= reach && reach < f64::INFINITY
    })
}

/// Returns the part of a triangle that may be visible.
pub(super) fn clip(corners: [Corner; 3], viewport: &Viewport) -> Polygon {
    if corners.iter().any(|corner| corner.at.iter().any(|c| !c.is_finite())) {
        return Polygon::default();
    }
    let mut polygon = Polygon::default();
    corners.into_iter().for_each(|corner| polygon.push(corner));
    let Viewport { near, far, factors: [x, y], .. } = *viewport;
    let planes: [&dyn Fn([f64; 3]) -> f64; 6] = [
        &|at| -at[2] - near,
        &|at| far + at[2],
        &|at| -at[2] * GUARD - at[0] * x,
        &|at| -at[2] * GUARD + at[0] * x,
        &|at| -at[2] * GUARD - at[1] * y,
        &|at| -at[2] * GUARD + at[1] * y,
    ];
    for plane in planes {
        if polygon.corners().iter().any(|corner| plane(corner.at) < 0.0) {
            polygon = polygon.cut(plane);
        }
    }
    polygon
}

fn between(a: &Corner, b: &Corner, part: f64) -> Corner {
    let weight = anim_ir::number::narrow(part);
    let mix = |a: f32, b: f32| a + (b - a) * weight;
    let (from, to) = (&a.attributes, &b.attributes);
    let mut mixed = Attributes::default();
    for ((mixed, a), b) in mixed.normal.iter_mut().zip(from.normal).zip(to.normal) {
        *mixed = mix(a, b);
    }
    for ((mixed, a), b) in mixed.texcoord.iter_mut().zip(from.texcoord).zip(to.texcoord) {
        *mixed = mix(a, b);
    }
    for ((mixed, a), b) in mixed.color.iter_mut().zip(from.color).zip(to.color) {
        *mixed = mix(a, b);
    }
    Corner { at: anim_ir::double::lerp(a.at, b.at, part), attributes: mixed }
}
