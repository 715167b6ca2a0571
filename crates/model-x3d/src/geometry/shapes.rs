//! Box, Sphere, Cone and Cylinder (ISO/IEC 19775-1, 13.3), and Cube in VRML 1.0c, with their
//! normals and texture coordinates.

use std::f64::consts::TAU;
use std::sync::LazyLock;

use anim_ir::{Topology, Vec3};

use super::form::{Attribute, Form, Index, Values};
use super::source::Source;
use super::vrml1;
use crate::graph::{Graph, Node};
use crate::math::{to_f32, to_i32, unit};
use crate::nodes::Family;

/// Number of sides of round shapes.
const SECTORS: usize = 24;
/// Number of face rows on a sphere, from pole to pole.
const RINGS: usize = 16;

/// The faces of a shape, counter-clockwise as seen from outside.
#[derive(Clone, Default)]
pub(super) struct Shape {
    pub(super) points: Vec<Vec3>,
    pub(super) normals: Vec<Vec3>,
    texcoords: Vec<[f32; 2]>,
    faces: Lists,
    /// The part of the shape that contains each face, numbered as in VRML 1.0.
    parts: Vec<i32>,
}

/// The corners of faces as indices of points, normals and texture coordinates, with -1 after each
/// face.
#[derive(Clone, Default)]
struct Lists {
    points: Vec<i32>,
    normals: Vec<i32>,
    texcoords: Vec<i32>,
}

pub(crate) fn is_shape(node: &Node) -> bool {
    matches!(node.kind.name, "Box" | "Cube" | "Sphere" | "Cone" | "Cylinder")
}

pub(super) fn form<'a>(graph: &'a Graph, source: &Source, node: &Node) -> Form<'a> {
    let Shape { points, normals, texcoords, faces, parts } = shape(node);
    let mut form = Form::new(Topology::Triangles, points.into(), faces.points.into());
    form.normals =
        Some(Attribute { values: Values::of(normals), index: Index::Corner(faces.normals.into()) });
    form.texcoords = Some(Attribute {
        values: Values::of(texcoords),
        index: Index::Corner(faces.texcoords.into()),
    });
    // In VRML 1.0, closed shapes have no `solid` field and are single-sided.
    form.ccw = is_ccw(node);
    form.double_sided = node.kind.field("solid").is_some() && !node.flag("solid");
    if node.kind.family == Family::Vrml1 && vrml1::materials_per_part(graph, source) {
        let values = vrml1::colors(graph, source);
        form.colors =
            (values.len() > 1).then(|| Attribute { values, index: Index::Face(parts.into()) });
    }
    form
}

/// Whether a shape is seen from outside. In Castle Game Engine, a `Box` may be seen from inside.
fn is_ccw(node: &Node) -> bool {
    node.kind.field("ccw").is_none() || node.flag("ccw")
}

pub(super) fn shape(node: &Node) -> Shape {
    let number = |field: &str| f64::from(node.float(field));
    let mut shape = match node.kind.name {
        "Box" => cuboid(node.array("size").map(f64::from)),
        "Cube" => cuboid(["width", "height", "depth"].map(number)),
        "Sphere" => sphere(number("radius")),
        "Cone" => cone(node, number("bottomRadius"), number("height")),
        "Cylinder" => cylinder(node, number("radius"), number("height")),
        _ => Shape::default(),
    };
    if !is_ccw(node) {
        shape.normals.iter_mut().for_each(|normal| *normal = -*normal);
    }
    shape
}

/// Whether a part is present: a flag in X3D, a keyword in `parts` in VRML 1.0.
fn has(node: &Node, flag: &str, word: &str) -> bool {
    match node.kind.family {
        Family::X3d => node.flag(flag),
        Family::Vrml1 => {
            let words = node.strings("parts");
            words.is_empty() || words.iter().any(|part| part == word || part == "ALL")
        }
    }
}

impl Shape {
    /// Adds a point and returns its index.
    fn point(&mut self, point: [f64; 3]) -> i32 {
        self.points.push(Vec3::from(point.map(to_f32)));
        to_i32(self.points.len().saturating_sub(1))
    }

    fn normal(&mut self, normal: [f64; 3]) -> i32 {
        self.normals.push(Vec3::from(unit(normal).map(to_f32)));
        to_i32(self.normals.len().saturating_sub(1))
    }

    fn texcoord(&mut self, texcoord: [f64; 2]) -> i32 {
        self.texcoords.push(texcoord.map(to_f32));
        to_i32(self.texcoords.len().saturating_sub(1))
    }

    /// Adds a face. Each corner has a point, a normal and a texture coordinate.
    fn face(&mut self, part: i32, corners: impl IntoIterator<Item = [i32; 3]>) {
        for [point, normal, texcoord] in corners.into_iter().chain([[-1; 3]]) {
            self.faces.points.push(point);
            self.faces.normals.push(normal);
            self.faces.texcoords.push(texcoord);
        }
        self.parts.push(part);
    }

    /// Adds a circle of points, counter-clockwise as seen from above, starting at the back, where
    /// textures start. Returns the indices of the points.
    fn ring(&mut self, radius: f64, y: f64) -> Vec<i32> {
        (0..SECTORS).map(|sector| self.point(around(share(sector, SECTORS), radius, y))).collect()
    }

    /// Adds a cap that closes a ring. Its texture appears upright when the shape is tilted towards
    /// the viewer (top) or away from the viewer (bottom).
    fn cap(&mut self, part: i32, ring: &[i32], up: f64) {
        let normal = self.normal([0.0, up, 0.0]);
        let mut corners = Vec::with_capacity(ring.len());
        for (sector, point) in ring.iter().enumerate() {
            let [x, _, z] = around(share(sector, SECTORS), 0.5, 0.0);
            corners.push([*point, normal, self.texcoord([0.5 + x, 0.5 - z * up])]);
        }
        if up < 0.0 {
            corners.reverse();
        }
        self.face(part, corners);
    }
}

fn share(part: usize, of: usize) -> f64 {
    f64::from(to_i32(part)) / f64::from(to_i32(of))
}

/// Returns the point at a fraction of the circle, starting at the back, counter-clockwise seen from
/// above.
fn around(share: f64, radius: f64, y: f64) -> [f64; 3] {
    let (sin, cos) = (share * TAU).sin_cos();
    [-sin * radius, y, -cos * radius]
}

/// Returns the pairs of adjacent elements of a ring, each with the index of its first element.
fn neighbours<T: Copy>(ring: &[T]) -> impl Iterator<Item = (usize, [T; 2])> {
    ring.iter().zip(ring.iter().cycle().skip(1)).map(|(a, b)| [*a, *b]).enumerate()
}

fn cuboid(size: [f64; 3]) -> Shape {
    let mut shape = Shape::default();
    let [x, y, z] = size.map(|side| side / 2.0);
    let texcoords =
        [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]].map(|texcoord| shape.texcoord(texcoord));
    // The index of a point consists of three bits: right, top, front.
    let points: Vec<i32> = (0..8_u8)
        .map(|bits| {
            shape.point(
                [(1, x), (2, y), (4, z)].map(|(bit, c)| if bits & bit == 0 { -c } else { c }),
            )
        })
        .collect();
    // The lower left, lower right, upper right and upper left corners of each face in texture
    // space, in the order of the parts in VRML 1.0.
    let faces: [([f64; 3], [usize; 4]); 6] = [
        ([0.0, 0.0, 1.0], [4, 5, 7, 6]),
        ([0.0, 0.0, -1.0], [1, 0, 2, 3]),
        ([-1.0, 0.0, 0.0], [0, 4, 6, 2]),
        ([1.0, 0.0, 0.0], [5, 1, 3, 7]),
        ([0.0, 1.0, 0.0], [6, 7, 3, 2]),
        ([0.0, -1.0, 0.0], [0, 1, 5, 4]),
    ];
    for (part, (normal, corners)) in (0_i32..).zip(faces) {
        let normal = shape.normal(normal);
        let corner =
            |(at, texcoord): (usize, i32)| points.get(at).map(|point| [*point, normal, texcoord]);
        shape.face(part, corners.into_iter().zip(texcoords).filter_map(corner));
    }
    shape
}

fn cylinder(node: &Node, radius: f64, height: f64) -> Shape {
    let mut shape = Shape::default();
    let bottom = shape.ring(radius, -height / 2.0);
    let top = shape.ring(radius, height / 2.0);
    if has(node, "side", "SIDES") {
        let normals: Vec<i32> = (0..SECTORS)
            .map(|sector| shape.normal(around(share(sector, SECTORS), 1.0, 0.0)))
            .collect();
        let texcoords: Vec<[i32; 2]> = (0..=SECTORS)
            .map(|sector| [0.0, 1.0].map(|v| shape.texcoord([share(sector, SECTORS), v])))
            .collect();
        let columns = neighbours(&bottom)
            .zip(neighbours(&top))
            .zip(neighbours(&normals))
            .zip(texcoords.windows(2));
        for ((((_, low), (_, high)), (_, normal)), texcoords) in columns {
            if let [[low_left, high_left], [low_right, high_right]] = *texcoords {
                shape.face(
                    0,
                    [
                        [low[0], normal[0], low_left],
                        [low[1], normal[1], low_right],
                        [high[1], normal[1], high_right],
                        [high[0], normal[0], high_left],
                    ],
                );
            }
        }
    }
    if has(node, "top", "TOP") {
        shape.cap(1, &top, 1.0);
    }
    if has(node, "bottom", "BOTTOM") {
        shape.cap(2, &bottom, -1.0);
    }
    shape
}

fn cone(node: &Node, radius: f64, height: f64) -> Shape {
    let mut shape = Shape::default();
    let bottom = shape.ring(radius, -height / 2.0);
    let apex = shape.point([0.0, height / 2.0, 0.0]);
    if has(node, "side", "SIDES") {
        // The slope of the side is height over radius; the slope of its normal is the inverse.
        let normal = |share: f64| around(share, height, radius);
        let normals: Vec<i32> =
            (0..SECTORS).map(|sector| shape.normal(normal(share(sector, SECTORS)))).collect();
        let sectors: Vec<_> = neighbours(&bottom).zip(neighbours(&normals)).collect();
        for ((sector, points), (_, normals)) in sectors {
            let [start, middle, end] = [0, 1, 2].map(|half| {
                share(sector.saturating_mul(2).saturating_add(half), SECTORS.saturating_mul(2))
            });
            let texcoords =
                [[start, 0.0], [end, 0.0], [middle, 1.0]].map(|texcoord| shape.texcoord(texcoord));
            let at_apex = shape.normal(normal(middle));
            let corners = [[points[0], normals[0]], [points[1], normals[1]], [apex, at_apex]];
            shape.face(
                0,
                corners
                    .into_iter()
                    .zip(texcoords)
                    .map(|([point, normal], texcoord)| [point, normal, texcoord]),
            );
        }
    }
    if has(node, "bottom", "BOTTOM") {
        shape.cap(1, &bottom, -1.0);
    }
    shape
}

/// A sphere of radius 1, and the direction of each of its points. A file may have thousands of
/// spheres, which only differ in their points.
static UNIT_SPHERE: LazyLock<(Shape, Vec<[f64; 3]>)> = LazyLock::new(unit_sphere);

fn sphere(radius: f64) -> Shape {
    let (unit, directions) = &*UNIT_SPHERE;
    let mut shape = Shape { points: Vec::with_capacity(directions.len()), ..unit.clone() };
    for [x, y, z] in directions {
        shape.points.push(Vec3::new(to_f32(x * radius), to_f32(y * radius), to_f32(z * radius)));
    }
    shape
}

fn unit_sphere() -> (Shape, Vec<[f64; 3]>) {
    let mut shape = Shape::default();
    let mut all_directions = Vec::new();
    // Each point and its texture coordinate. The seam has a separate column; a pole is one point in
    // all columns.
    let mut rows: Vec<Vec<[i32; 2]>> = Vec::new();
    for ring in 0..=RINGS {
        let (sin, cos) = (share(ring, RINGS) * TAU / 2.0).sin_cos();
        // At a pole, the texture coordinate is in the middle of the sector. A sector uses the first
        // of its two columns at the bottom pole, and the second at the top pole.
        let (sectors, to_middle) = match ring {
            0 => (1, 0.5),
            RINGS => (1, -0.5),
            _ => (SECTORS, 0.0),
        };
        let directions = (0..sectors).map(|sector| {
            around(share(sector, SECTORS), if sectors == 1 { 0.0 } else { sin }, -cos)
        });
        let points: Vec<i32> = directions
            .map(|direction| {
                shape.normal(direction);
                all_directions.push(direction);
                shape.point(direction)
            })
            .collect();
        let columns = (0..=SECTORS).zip(points.iter().cycle());
        let u = |sector: usize| share(sector, SECTORS) + to_middle / share(SECTORS, 1);
        rows.push(
            columns
                .map(|(sector, point)| [*point, shape.texcoord([u(sector), share(ring, RINGS)])])
                .collect(),
        );
    }
    for (low, high) in rows.iter().zip(rows.iter().skip(1)) {
        for (low, high) in low.windows(2).zip(high.windows(2)) {
            if let ([low_left, low_right], [high_left, high_right]) = (low, high) {
                // Normals have the same indices as points.
                let corners = [low_left, low_right, high_right, high_left]
                    .map(|[point, texcoord]| [*point, *point, *texcoord]);
                // At a pole, two corners are the same point; the first remains.
                let mut before = None;
                shape.face(
                    0,
                    corners
                        .into_iter()
                        .filter(|[point, ..]| before.replace(*point) != Some(*point)),
                );
            }
        }
    }
    (shape, all_directions)
}
