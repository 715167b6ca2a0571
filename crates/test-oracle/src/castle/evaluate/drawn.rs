//! What is drawn: polygons, lines, points and solids, in world space.

use crate::math::{Mat4, transform_point};

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
    /// The solid's extent along its own axes, from its centre.
    fn half_size(&self) -> [f64; 3] {
        match self.solid {
            Solid::Box { size } => size.map(|side| side / 2.0),
            Solid::Sphere { radius } => [radius; 3],
            Solid::Cone { bottom_radius: radius, height, .. }
            | Solid::Cylinder { radius, height, .. } => [radius, height / 2.0, radius],
        }
    }

    /// The corners of the box around the solid along its own axes, in world space.
    fn box_corners(&self) -> Vec<[f64; 3]> {
        let sign = |corner: usize, axis: usize| if corner >> axis & 1 == 0 { -1.0 } else { 1.0 };
        let half = self.half_size();
        let local =
            (0..8).map(|corner| std::array::from_fn(|axis| half[axis] * sign(corner, axis)));
        local.map(|corner| transform_point(&self.world, corner)).collect()
    }
}
