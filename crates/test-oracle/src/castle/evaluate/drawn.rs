//! What is drawn: polygons, lines, points and solids, in world space.

use crate::math::{Mat4, inverse, transform_point};

/// A corner of a face.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Corner {
    /// In world space.
    pub place: [f64; 3],
    /// As the file has it (v up), where it has any.
    pub texcoord: Option<[f64; 2]>,
}

/// Everything that is drawn.
#[derive(Clone, Debug, Default)]
pub struct Drawn {
    /// Polygons as listed, with three corners or more.
    pub faces: Vec<Vec<Corner>>,
    /// The two ends of every line.
    pub lines: Vec<[[f64; 3]; 2]>,
    /// Single points.
    pub points: Vec<[f64; 3]>,
    /// Solids with an analytic surface.
    pub primitives: Vec<Primitive>,
}

impl Drawn {
    /// All places, and for solids the corners of the boxes around them.
    pub(super) fn all_points(&self) -> Vec<[f64; 3]> {
        let mut points: Vec<_> = self.faces.iter().flatten().map(|corner| corner.place).collect();
        points.extend(self.lines.as_flattened());
        points.extend(&self.points);
        points.extend(self.primitives.iter().flat_map(Primitive::box_corners));
        points
    }
}

/// A solid somewhere.
#[derive(Clone, Debug, PartialEq)]
pub struct Primitive {
    /// Which one.
    pub solid: Solid,
    /// From its own space to the world.
    pub world: Mat4,
}

/// A solid with its centre at the origin and its axis along y.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are those of the standard")]
pub enum Solid {
    Box { size: [f64; 3] },
    Sphere { radius: f64 },
    Cone { bottom_radius: f64, height: f64, side: bool, bottom: bool },
    Cylinder { radius: f64, height: f64, side: bool, top: bool, bottom: bool },
}

impl Primitive {
    /// A point of the world in the solid's own space. Panics where the solid is flat.
    pub fn to_local(&self, place: [f64; 3]) -> [f64; 3] {
        transform_point(&inverse(&self.world), place)
    }

    /// How far a point of the world is from the surface, in the units of the solid's own space.
    pub fn distance_from_surface(&self, place: [f64; 3]) -> f64 {
        let [x, y, z] = self.to_local(place);
        let from_axis = x.hypot(z);
        // From a disc across the axis, and (as from / to) from a line in the plane of axis and
        // point.
        let disc = |at: f64, radius: f64| (y - at).hypot((from_axis - radius).max(0.0));
        let line = |from: [f64; 2], to: [f64; 2]| {
            let (along, way) =
                ([to[0] - from[0], to[1] - from[1]], [from_axis - from[0], y - from[1]]);
            let part = ((way[0] * along[0] + way[1] * along[1]) / along[0].hypot(along[1]).powi(2))
                .clamp(0.0, 1.0);
            (way[0] - along[0] * part).hypot(way[1] - along[1] * part)
        };
        let nearest = |parts: &[(bool, f64)]| {
            parts.iter().filter(|part| part.0).map(|part| part.1).fold(f64::INFINITY, f64::min)
        };
        match self.solid {
            Solid::Box { size } => {
                let beyond: [f64; 3] = std::array::from_fn(|i| [x, y, z][i].abs() - size[i] / 2.0);
                let outside = beyond.iter().map(|d| d.max(0.0).powi(2)).sum::<f64>().sqrt();
                let inside = beyond.iter().copied().fold(f64::NEG_INFINITY, f64::max).min(0.0);
                outside - inside
            }
            Solid::Sphere { radius } => (from_axis.hypot(y) - radius).abs(),
            Solid::Cone { bottom_radius, height, side, bottom } => {
                let half = height / 2.0;
                nearest(&[
                    (side, line([bottom_radius, -half], [0.0, half])),
                    (bottom, disc(-half, bottom_radius)),
                ])
            }
            Solid::Cylinder { radius, height, side, top, bottom } => {
                let half = height / 2.0;
                nearest(&[
                    (side, line([radius, -half], [radius, half])),
                    (top, disc(half, radius)),
                    (bottom, disc(-half, radius)),
                ])
            }
        }
    }

    /// The solid's extent along its own axes, from its centre.
    pub fn half_size(&self) -> [f64; 3] {
        match self.solid {
            Solid::Box { size } => size.map(|side| side / 2.0),
            Solid::Sphere { radius } => [radius; 3],
            Solid::Cone { bottom_radius: radius, height, .. }
            | Solid::Cylinder { radius, height, .. } => [radius, height / 2.0, radius],
        }
    }

    /// The corners of the box around the solid along its own axes, in world space.
    pub fn box_corners(&self) -> Vec<[f64; 3]> {
        let sign = |corner: usize, axis: usize| if corner >> axis & 1 == 0 { -1.0 } else { 1.0 };
        let half = self.half_size();
        let local =
            (0..8).map(|corner| std::array::from_fn(|axis| half[axis] * sign(corner, axis)));
        local.map(|corner| transform_point(&self.world, corner)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{mul, scaling, translation};

    #[test]
    fn distances_from_surfaces() {
        let at = |solid, place| {
            let primitive =
                Primitive { solid, world: mul(&translation([10.0, 0.0, 0.0]), &scaling([2.0; 3])) };
            primitive.distance_from_surface(place)
        };
        let unit_box = Solid::Box { size: [2.0, 4.0, 6.0] };
        assert_eq!(at(unit_box, [12.0, 4.0, 6.0]), 0.0);
        assert_eq!(at(unit_box, [10.0, 0.0, 0.0]), 1.0);
        assert_eq!(at(unit_box, [18.0, 12.0, 0.0]), 5.0);
        let sphere = Solid::Sphere { radius: 1.0 };
        assert_eq!(at(sphere, [10.0, -2.0, 0.0]), 0.0);
        assert_eq!(at(sphere, [10.0, 0.0, 5.0]), 1.5);
        let cone = Solid::Cone { bottom_radius: 1.0, height: 2.0, side: true, bottom: false };
        assert!(at(cone, [10.0, 2.0, 0.0]) < 1e-12);
        assert!(at(cone, [10.0, 0.0, 1.0]) < 1e-12);
        assert!((at(cone, [10.0, -2.0, 0.0]) - 0.8f64.sqrt()).abs() < 1e-12);
        let tube =
            Solid::Cylinder { radius: 1.0, height: 2.0, side: true, top: true, bottom: false };
        assert_eq!(at(tube, [10.0, 2.0, 1.0]), 0.0);
        assert_eq!(at(tube, [12.0, -2.0, 0.0]), 0.0);
        assert_eq!(at(tube, [10.0, -2.0, 0.0]), 1.0);
    }
}
