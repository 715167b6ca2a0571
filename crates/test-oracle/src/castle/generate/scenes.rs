//! Random scenes, what they are made of, and scenes that are not structurally equal to others.

mod vrml1;
mod x3d;

use self::vrml1::vrml1_shapes;
use self::x3d::x3d_mesh;
use super::Form;
use super::tree::{Change, Node, Value};
use super::write::Encoding;
use crate::random::Rng;

/// What is made only on demand, because it needs a test of its own.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// VRML 1.0 frames with a `MatrixTransform` that varies together with the coordinates below it,
    /// and no other frames.
    pub varying_matrices: bool,
    /// Boxes, spheres, cones and cylinders among the meshes.
    pub primitives: bool,
}

/// What a scene has had so far.
struct Made {
    options: Options,
    /// Whether only types of VRML 97 may be used.
    vrml97: bool,
    /// What can be used again.
    shapes: Vec<Node>,
    materials: Vec<Node>,
    names: usize,
}

impl Made {
    fn new(vrml97: bool, options: Options) -> Self {
        Self { options, vrml97, shapes: Vec::new(), materials: Vec::new(), names: 0 }
    }

    fn name(&mut self, start: &str) -> String {
        self.names += 1;
        format!("{start}_{}", self.names)
    }
}

/// A scene for files of such a form.
pub(super) fn scene(form: Form, options: Options, rng: &mut Rng) -> Node {
    match form {
        Form::Files(Encoding::Vrml1) => vrml1::vrml1(options, rng),
        Form::Files(Encoding::Vrml97) | Form::Mixed => x3d::x3d(true, options, rng),
        _ => x3d::x3d(false, options, rng),
    }
}

/// Points three numbers each, and polygons.
struct Mesh {
    points: Vec<f64>,
    polygons: Vec<Vec<i64>>,
}

/// A sheet of quadrilaterals, some of them cut into triangles, sometimes with a polygon of more
/// corners beside it and a point that nothing uses.
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

/// The lists after each other, each ended by −1.
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

/// The scene with a change that makes it another structure.
pub(super) fn altered(scene: &Node, rng: &mut Rng) -> Node {
    let mut altered = scene.clone();
    let is_faces = |node: &Node| node.kind == "IndexedFaceSet" && !node.used;
    let is_points = |node: &Node| matches!(node.kind, "Coordinate" | "Coordinate3") && !node.used;
    let way = rng.below(4);
    match (way, altered.find(&is_faces).is_some()) {
        (0, true) => {
            // The first polygon once more, in all lists.
            let faces = altered.find(&is_faces).unwrap();
            for list in ["coordIndex", "texCoordIndex", "textureCoordIndex"] {
                if let Some(numbers) = faces.integers(list) {
                    let end = numbers.iter().position(|&number| number < 0).unwrap();
                    numbers.extend_from_within(..=end);
                }
            }
        }
        (1, true) => altered.find(&is_faces).unwrap().def = Some("Renamed".to_owned()),
        (2, true) => {
            // One point more.
            let points = altered.find(&is_points).unwrap().fields.first_mut();
            if let Some((_, Value::Numbers { values, .. })) = points {
                values.extend([0.1, 0.2, 0.3]);
            }
        }
        _ => add_node(&mut altered, rng),
    }
    altered
}

/// Adds a mesh to the root, or in VRML 1.0 to the first Separator.
fn add_node(scene: &mut Node, rng: &mut Rng) {
    // Names that are not there yet.
    let made = &mut Made { names: 1000, ..Made::new(true, Options::default()) };
    let vrml1 = scene.find(&|node| node.kind == "Separator").is_some();
    let (holder, more) = if vrml1 {
        // In a Separator of its own, so that it leaves nothing behind.
        let more = Node::group("Separator", vrml1_shapes(true, made, rng));
        (scene.find(&|node| node.kind == "Separator"), more)
    } else {
        (Some(scene), x3d_mesh(made, rng))
    };
    let children =
        holder.and_then(|node| node.fields.iter_mut().find(|(name, _)| *name == "children"));
    match children {
        Some((_, Value::Nodes(children))) => children.push(more),
        _ => panic!("a root without children"),
    }
}
