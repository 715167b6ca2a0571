//! Differences between the vertices of two shapes.

use std::collections::BTreeSet;

use crate::ops::diff::differ::Differ;
use crate::ops::diff::difference::{Attribute, Difference, Side};
use crate::ops::diff::placing::Placing;
use crate::ops::diff::shape::{Shape, TOPOLOGIES};
use crate::ops::diff::triangles::{Triangle, matched};
use crate::{Mesh, MorphTarget, Topology, Vec3, sort_by};

/// The corresponding vertices of two shapes with the same number of elements.
pub(super) struct Corners<'a> {
    shapes: [Shape<'a>; 2],
    /// The distinct pairs of corresponding vertices, in the vertex order of the first shape.
    pairs: Vec<[usize; 2]>,
}

/// A difference of an attribute.
#[derive(Clone, Copy)]
struct Differing {
    count: usize,
    vertex: usize,
    by: f64,
}

impl<'a> Corners<'a> {
    /// Matches the corners of all elements in order.
    pub(super) fn of(shapes: [Shape<'a>; 2], placing: &Placing) -> Corners<'a> {
        let mut corners = Corners { shapes, pairs: Vec::new() };
        let swaps = placing.mirrors_one();
        corners.set_pairs(
            TOPOLOGIES.into_iter().flat_map(|topology| in_order(shapes, topology, swaps)),
        );
        corners
    }

    /// Matches the corners of triangles by the distance of these points, which also matches meshes
    /// that split quads along different diagonals. Returns the number of such quads.
    pub(super) fn match_triangles(&mut self, points: [&[Vec3]; 2], placing: &Placing) -> usize {
        let [a, b] = self.meshes();
        let swaps = placing.mirrors_one();
        let found = matched([&triangles(a, false), &triangles(b, swaps)], |x, y| {
            distance(
                placed(points[0], placing, Side::A, x as usize),
                placed(points[1], placing, Side::B, y as usize),
            )
        });
        let shapes = self.shapes;
        let others = [Topology::Lines, Topology::Points].into_iter();
        let others = others.flat_map(|topology| in_order(shapes, topology, swaps));
        self.set_pairs(others.chain(found.pairs));
        found.flipped
    }

    fn set_pairs(&mut self, pairs: impl Iterator<Item = [u32; 2]>) {
        self.pairs = pairs.map(|pair| pair.map(|vertex| vertex as usize)).collect();
        sort_by(&mut self.pairs, Ord::cmp);
        self.pairs.dedup();
    }

    /// The number of pairs of vertices.
    pub(super) fn len(&self) -> usize {
        self.pairs.len()
    }

    pub(super) fn meshes(&self) -> [&'a Mesh; 2] {
        self.shapes.map(|shape| shape.mesh)
    }

    /// Returns the largest distance between corresponding points, in the space of comparison.
    pub(super) fn farthest(&self, points: [&[Vec3]; 2], placing: &Placing) -> f64 {
        let apart = self.pairs.iter().map(|[a, b]| {
            distance(
                placed(points[0], placing, Side::A, *a),
                placed(points[1], placing, Side::B, *b),
            )
        });
        apart.filter(|by| !by.is_nan()).fold(0.0, f64::max)
    }

    pub(super) fn compare(mut self, differ: &mut Differ<'_>, name: &str, placing: &Placing) {
        let tolerance = differ.options.tolerance;
        let length = self.length(placing);
        let [a, b] = self.meshes();
        self.compare_positions(differ, name, placing, tolerance * length);
        self.compare_normals(differ, name, placing);
        self.compare_texcoords(differ, name);
        let colors = self.differing(tolerance, |x, y| {
            let color = |mesh: &Mesh, vertex| mesh.colors.get(vertex).copied().unwrap_or([1.0; 4]);
            farthest(&color(a, x), &color(b, y))
        });
        self.push(differ, name, Attribute::Colors, None, colors);
        let [scene_a, scene_b] = differ.scenes;
        let mut rows = [Vec::new(), Vec::new()];
        let weights = self.differing(tolerance, |x, y| {
            let [row_a, row_b] = &mut rows;
            differ.followed.influences(Side::A, scene_a, self.shapes[0], x, row_a);
            differ.followed.influences(Side::B, scene_b, self.shapes[1], y, row_b);
            heaviest(row_a, row_b)
        });
        self.push(differ, name, Attribute::Influences, None, weights);
        self.compare_targets(differ, name, placing, length);
    }

    /// Compares the positions. If some differ by more than `most`, first tries to match the
    /// triangles by distance.
    fn compare_positions(
        &mut self,
        differ: &mut Differ<'_>,
        name: &str,
        placing: &Placing,
        most: f64,
    ) {
        let [a, b] = self.meshes();
        let mut moved = self.moved(placing, most);
        if moved.is_some() {
            let count = self.match_triangles([&a.positions, &b.positions], placing);
            moved = self.moved(placing, most);
            if count > 0 {
                differ.push(Difference::Diagonals { shape: name.to_owned(), count });
            }
        }
        self.push(differ, name, Attribute::Positions, None, moved);
    }

    fn moved(&self, placing: &Placing, most: f64) -> Option<Differing> {
        let [a, b] = self.meshes();
        self.differing(most, |x, y| {
            distance(
                placed(&a.positions, placing, Side::A, x),
                placed(&b.positions, placing, Side::B, y),
            )
        })
    }

    fn compare_normals(&self, differ: &mut Differ<'_>, name: &str, placing: &Placing) {
        let [a, b] = self.meshes();
        let has_normals =
            [a, b].map(|mesh| mesh.normals.iter().any(|normal| *normal != Vec3::ZERO));
        if !self.in_both(differ, name, Attribute::Normals, has_normals) {
            return;
        }
        let normal = |mesh: &Mesh, side: Side, vertex: usize| {
            let own = vector(&mesh.normals, vertex);
            placing.frame(side).map_or(own, |frame| frame.normal(vertex, own))
        };
        let mut zero = BTreeSet::new();
        let turned = self.differing(differ.options.tolerance, |x, y| {
            let angle = angle(normal(a, Side::A, x), normal(b, Side::B, y));
            if angle.is_nan() {
                zero.insert(x);
            }
            angle
        });
        differ.found.zero_normals = differ.found.zero_normals.saturating_add(zero.len());
        self.push(differ, name, Attribute::Normals, None, turned);
    }

    fn compare_texcoords(&self, differ: &mut Differ<'_>, name: &str) {
        let [a, b] = self.meshes();
        let has_texcoords = [a, b].map(|mesh| !mesh.texcoords.is_empty());
        if !self.in_both(differ, name, Attribute::TextureCoordinates, has_texcoords) {
            return;
        }
        let found = self.differing(differ.options.tolerance, |x, y| {
            let at = |mesh: &Mesh, vertex| mesh.texcoords.get(vertex).copied().unwrap_or_default();
            farthest(&at(a, x), &at(b, y))
        });
        self.push(differ, name, Attribute::TextureCoordinates, None, found);
    }

    fn compare_targets(&self, differ: &mut Differ<'_>, name: &str, placing: &Placing, length: f64) {
        let [a, b] = self.meshes();
        let shape = || name.to_owned();
        let counts = [a, b].map(|mesh| mesh.morph_targets.len());
        if counts[0] != counts[1] {
            differ.push(Difference::Targets { shape: shape(), counts });
            return;
        }
        let tolerance = differ.options.tolerance;
        for (number, (x, y)) in a.morph_targets.iter().zip(&b.morph_targets).enumerate() {
            if x.name != y.name {
                let names = [x, y].map(|target| target.name.clone());
                differ.push(Difference::TargetName { shape: shape(), names });
            }
            let label = || match x.name.as_str() {
                "" => format!("#{}", number.saturating_add(1)),
                name => name.to_owned(),
            };
            let weights = [a, b]
                .map(|mesh| f64::from(mesh.morph_weights.get(number).copied().unwrap_or(0.0)));
            if (weights[0] - weights[1]).abs() > tolerance {
                let target = label();
                differ.push(Difference::TargetWeight { shape: shape(), target, weights });
            }
            let delta = |vectors: &[Vec3], side: Side, vertex: usize| {
                let delta = vector(vectors, vertex);
                placing.frame(side).map_or(delta, |frame| frame.vector(vertex, delta)).to_f64()
            };
            let moved = self.differing(tolerance * length, |v, w| {
                distance(delta(&x.positions, Side::A, v), delta(&y.positions, Side::B, w))
            });
            self.push(differ, name, Attribute::Positions, Some(label()), moved);
            if x.normals.is_empty() && y.normals.is_empty() {
                continue;
            }
            let bent = |mesh: &Mesh, target: &MorphTarget, side: Side, vertex: usize| {
                let own = vector(&mesh.normals, vertex) + vector(&target.normals, vertex);
                placing.frame(side).map_or(own, |frame| frame.normal(vertex, own))
            };
            let turned = self
                .differing(tolerance, |v, w| angle(bent(a, x, Side::A, v), bent(b, y, Side::B, w)));
            self.push(differ, name, Attribute::Normals, Some(label()), turned);
        }
    }

    /// Returns whether both shapes have an attribute. Reports a difference if only one has it.
    fn in_both(
        &self,
        differ: &mut Differ<'_>,
        name: &str,
        attribute: Attribute,
        has: [bool; 2],
    ) -> bool {
        let shape = name.to_owned();
        match has {
            [true, true] => return true,
            [false, false] => {}
            [in_a, _] => {
                let side = if in_a { Side::A } else { Side::B };
                differ.push(Difference::AttributeOnly { shape, attribute, side });
            }
        }
        false
    }

    /// Returns the number of vertices of the first shape for which `gap` exceeds `most`, and the
    /// vertex with the largest gap. Returns `None` if no gap exceeds `most`.
    fn differing(&self, most: f64, mut gap: impl FnMut(usize, usize) -> f64) -> Option<Differing> {
        let mut found: Option<Differing> = None;
        let mut last = None;
        for [a, b] in &self.pairs {
            let by = gap(*a, *b);
            if by <= most || by.is_nan() {
                continue;
            }
            let found = found.get_or_insert(Differing { count: 0, vertex: *a, by });
            found.count = found.count.saturating_add(usize::from(last != Some(*a)));
            last = Some(*a);
            if by > found.by {
                (found.vertex, found.by) = (*a, by);
            }
        }
        found
    }

    fn push(
        &self,
        differ: &mut Differ<'_>,
        name: &str,
        attribute: Attribute,
        target: Option<String>,
        found: Option<Differing>,
    ) {
        if let Some(Differing { count, vertex, by }) = found {
            let at = vector(&self.shapes[0].mesh.positions, vertex);
            let shape = name.to_owned();
            differ.push(Difference::Vertices { shape, attribute, target, count, vertex, at, by });
        }
    }

    /// Returns the largest coordinate in the space of comparison.
    pub(super) fn length(&self, placing: &Placing) -> f64 {
        let of = |side: Side| {
            let positions = side.of(self.shapes).mesh.positions.iter().enumerate();
            let placed = positions.map(|(vertex, point)| {
                placing.frame(side).map_or(*point, |frame| frame.point(vertex, *point))
            });
            let numbers = placed.flat_map(|point| point.to_f64()).map(f64::abs);
            numbers.filter(|number| number.is_finite()).fold(0.0, f64::max)
        };
        let length = of(Side::A).max(of(Side::B));
        if length > 0.0 { length } else { 1.0 }
    }
}

/// Returns the corresponding vertices of the elements of a topology, in order.
fn in_order(
    shapes: [Shape<'_>; 2],
    topology: Topology,
    swaps: bool,
) -> impl Iterator<Item = [u32; 2]> {
    let [a, b] = shapes.map(|shape| shape.mesh);
    corners(a, topology, false).zip(corners(b, topology, swaps)).map(|(a, b)| [a, b])
}

/// Returns the vertices of all elements of a topology, concatenated. `swaps` reverses the winding
/// of triangles, keeping their first vertex, as writers do for baked matrices that mirror.
fn corners(mesh: &Mesh, topology: Topology, swaps: bool) -> impl Iterator<Item = u32> {
    let parts = mesh.primitives.iter().filter(move |part| part.topology == topology);
    let elements = parts.flat_map(move |part| part.indices.chunks_exact(topology.corners()));
    elements.flat_map(move |element| {
        let element = match *element {
            [a, b, c] if swaps => [a, c, b],
            [a, b, c] => [a, b, c],
            [a, b] => [a, b, b],
            _ => [element.first().copied().unwrap_or_default(); 3],
        };
        element.into_iter().take(topology.corners())
    })
}

fn triangles(mesh: &Mesh, swaps: bool) -> Vec<Triangle> {
    let corners: Vec<u32> = corners(mesh, Topology::Triangles, swaps).collect();
    corners.as_chunks().0.to_vec()
}

/// Returns a point in the space of comparison.
fn placed(points: &[Vec3], placing: &Placing, side: Side, vertex: usize) -> [f64; 3] {
    let point = vector(points, vertex);
    placing.frame(side).map_or(point, |frame| frame.point(vertex, point)).to_f64()
}

fn vector(vectors: &[Vec3], vertex: usize) -> Vec3 {
    vectors.get(vertex).copied().unwrap_or(Vec3::ZERO)
}

fn distance([a, b, c]: [f64; 3], [x, y, z]: [f64; 3]) -> f64 {
    ((a - x).powi(2) + (b - y).powi(2) + (c - z).powi(2)).sqrt()
}

/// Returns the angle between two directions in radians; NaN if only one is non-zero.
fn angle(a: Vec3, b: Vec3) -> f64 {
    match (a.normalized(), b.normalized()) {
        (Some(a), Some(b)) => a.cross(b).length().atan2(a.dot(b)),
        (None, None) => 0.0,
        _ => f64::NAN,
    }
}

fn farthest(a: &[f32], b: &[f32]) -> f64 {
    let apart = a.iter().zip(b).map(|(a, b)| (f64::from(*a) - f64::from(*b)).abs());
    apart.fold(0.0, f64::max)
}

/// Returns the largest difference between the weights of two vertices. Both lists are sorted by
/// joint, and missing joints have a weight of 0.
fn heaviest(a: &[(usize, f64)], b: &[(usize, f64)]) -> f64 {
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    let mut most = 0.0_f64;
    loop {
        let by = match (a.peek(), b.peek()) {
            (None, None) => return most,
            (Some((x, weight)), Some((y, other))) if x == y => {
                a.next();
                b.next();
                weight - other
            }
            (Some((x, weight)), y) if y.is_none_or(|(y, _)| x < y) => {
                a.next();
                *weight
            }
            (_, y) => {
                let weight = y.map_or(0.0, |(_, weight)| *weight);
                b.next();
                weight
            }
        };
        most = most.max(by.abs());
    }
}
