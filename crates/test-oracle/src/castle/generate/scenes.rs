//! Random scenes and their parts.

pub(super) mod vrml1;
pub(super) mod x3d;

use super::tree::{Change, Node, Value};
use crate::random::Rng;

/// Content that is only generated on request, because it requires a separate test.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Only VRML 1.0 frames, with a `MatrixTransform` that varies together with the coordinates
    /// below it.
    pub varying_matrices: bool,
    /// Boxes, spheres, cones and cylinders among the meshes.
    pub primitives: bool,
}

/// The parts of a scene generated so far.
pub(super) struct Made {
    options: Options,
    /// Whether only VRML 97 node types are allowed.
    vrml97: bool,
    /// Shapes that can be reused.
    shapes: Vec<Node>,
    materials: Vec<Node>,
    pub(super) names: usize,
}

impl Made {
    pub(super) fn new(vrml97: bool, options: Options) -> Self {
        Self { options, vrml97, shapes: Vec::new(), materials: Vec::new(), names: 0 }
    }

    fn name(&mut self, start: &str) -> String {
        self.names += 1;
        format!("{start}_{}", self.names)
    }
}

/// Points with three coordinates each, and polygons.
struct Mesh {
    points: Vec<f64>,
    polygons: Vec<Vec<i64>>,
}

/// Generates a sheet of quadrilaterals, some of them split into triangles, sometimes with an
/// additional polygon with more corners and an unused point.
fn mesh(rng: &mut Rng) -> Mesh {
    let (width, height) = (rng.between(1, 3), rng.between(1, 3));
    let mut points = Vec::new();
    for y in 0..=height {
        for x in 0..=width {
            points.extend([
                x as f64 + rng.range(-0.2, 0.2),
                y as f64 + rng.range(-0.2, 0.2),
                rng.range(-0.5, 0.5),
            ]);
        }
    }
    let mut polygons = Vec::new();
    for y in 0..height {
        for x in 0..width {
            let first = (y * (width + 1) + x) as i64;
            let above = first + width as i64 + 1;
            if rng.chance(30) {
                polygons.push(vec![first, first + 1, above + 1]);
                polygons.push(vec![first, above + 1, above]);
            } else {
                polygons.push(vec![first, first + 1, above + 1, above]);
            }
        }
    }
    if rng.chance(40) {
        let first = points.len() / 3;
        let corners = rng.between(3, 6);
        for corner in 0..corners {
            let angle = std::f64::consts::TAU * corner as f64 / corners as f64;
            points.extend([angle.cos() - 2.0, angle.sin(), 0.25]);
        }
        polygons.push((first..first + corners).map(|point| point as i64).collect());
    }
    if rng.chance(20) {
        points.extend([0.5, 0.5, 0.5]);
    }
    Mesh { points, polygons }
}

/// Concatenates the lists, each terminated by −1.
fn ended(lists: &[Vec<i64>]) -> Value {
    Value::Integers(lists.iter().flat_map(|list| list.iter().copied().chain([-1])).collect())
}

fn change_of_points(rng: &mut Rng) -> Change {
    if rng.chance(50) { Change::By(0.25) } else { Change::Constant }
}

fn place(most: f64, rng: &mut Rng) -> [f64; 3] {
    [0, 1, 2].map(|_| rng.range(-most, most))
}

fn factors(rng: &mut Rng) -> [f64; 3] {
    let all = rng.range(0.5, 1.8);
    match rng.below(10) {
        0..4 => [all; 3],
        4 => [-all, all, all],
        _ => [0, 1, 2].map(|_| rng.range(0.5, 1.8)),
    }
}
