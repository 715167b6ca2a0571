//! Ways between frames that are no straight lines: below a VRML 1.0 matrix that changes. Such
//! matrices are blended number by number, which no joint does, so they go into the vertices, which
//! then move on curves.

use anim_ir::number::narrow;
use anim_ir::{Mat4, Mesh, Topology, Transform, Vec3};

use crate::geometry::{Built, to_f32};
use crate::graph::Graph;
use crate::plan::{PlannedShape, Step};

/// The way between two frames, where it is no straight line: `(1-u)·a + u·b + u(1-u)·bow`, or where
/// that is not enough `(1-u)·a + u·b + u(1-u)²·bow + u²(1-u)·late`, which is every curve of third
/// degree. No weight is negative: Blender would make it zero.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bulge {
    pub(crate) bow: Vec<Vec3>,
    /// Empty where there is none.
    pub(crate) late: Vec<Vec3>,
}

/// Steps one after the other, at `u` between two frames: matrices number by number, other
/// transforms as joints are.
pub(crate) fn baked_matrix(steps: &[Step], a: &Graph, b: &Graph, u: f32) -> Mat4 {
    let mix = |a: f32, b: f32| narrow(f64::from(a) + (f64::from(b) - f64::from(a)) * f64::from(u));
    let mix_vectors = |a: Vec3, b: Vec3| Vec3::new(mix(a.x, b.x), mix(a.y, b.y), mix(a.z, b.z));
    steps.iter().fold(Mat4::IDENTITY, |before, step| {
        let local = match (step.matrix(a), step.matrix(b)) {
            (Some(a), Some(b)) => {
                let mut numbers = a.to_columns();
                for (number, other) in numbers.iter_mut().zip(b.to_columns()) {
                    *number = mix(*number, other);
                }
                Mat4::from_columns(numbers)
            }
            _ => {
                let (a, b) = (step.transform(a), step.transform(b));
                let mixed = Transform {
                    translation: mix_vectors(a.translation, b.translation),
                    rotation: a.rotation.slerp(b.rotation, u),
                    scale: mix_vectors(a.scale, b.scale),
                };
                mixed.to_matrix()
            }
        };
        before * local
    })
}

/// A point by a matrix. What is too great for f32 becomes the greatest f32, and what is no number
/// 0: huge numbers of the file cancel out.
pub(crate) fn place(matrix: Mat4, point: Vec3) -> Vec3 {
    let placed = matrix.transform_point(point).to_array();
    Vec3::from(placed.map(|c| if c.is_nan() { 0.0 } else { to_f32(f64::from(c)) }))
}

/// The way of a shape from one frame to the next.
pub(crate) struct Way<'w> {
    pub(crate) shape: &'w PlannedShape,
    pub(crate) a: &'w Graph,
    pub(crate) b: &'w Graph,
    pub(crate) times: (f32, f32),
    pub(crate) morph_normals: bool,
}

impl Way<'_> {
    /// How far along the way a time is, 0 to 1.
    pub(crate) fn part(&self, time: f32) -> f32 {
        let (start, end) = (f64::from(self.times.0), f64::from(self.times.1));
        narrow((f64::from(time) - start) / (end - start))
    }

    /// The vertices part of the way along, before the steps that are baked.
    fn mixed(&self, built: &Built, u: f32) -> Vec<Vec3> {
        let mut from = built.positions(self.a, &self.shape.source);
        let mix =
            |a: f32, b: f32| narrow(f64::from(a) + (f64::from(b) - f64::from(a)) * f64::from(u));
        for (from, to) in from.iter_mut().zip(built.positions(self.b, &self.shape.source)) {
            *from = Vec3::new(mix(from.x, to.x), mix(from.y, to.y), mix(from.z, to.z));
        }
        from
    }

    /// Positions and normals part of the way along.
    pub(crate) fn shape_at(&self, built: &Built, u: f32) -> (Vec<Vec3>, Vec<Vec3>) {
        let matrix = baked_matrix(&self.shape.baked, self.a, self.b, u);
        let mut positions = self.mixed(built, u);
        let mut normals = if self.morph_normals {
            built.normals(self.a, &self.shape.source, &positions)
        } else {
            Vec::new()
        };
        turn_normals(&mut normals, matrix);
        positions.iter_mut().for_each(|position| *position = place(matrix, *position));
        (positions, normals)
    }

    /// The curve between two parts of the way, and how far from it the shape is in the middle,
    /// relative to its size.
    pub(crate) fn bulge(&self, built: &Built, first: f32, last: f32) -> (Bulge, f64) {
        let at = |part: f64| {
            let u = narrow(f64::from(first) + (f64::from(last) - f64::from(first)) * part);
            let matrix = baked_matrix(&self.shape.baked, self.a, self.b, u);
            self.mixed(built, u)
                .iter()
                .map(|point| place(matrix, *point).to_array().map(f64::from))
                .collect::<Vec<_>>()
        };
        let (start, third, half, two_thirds, end) =
            (at(0.0), at(1.0 / 3.0), at(0.5), at(2.0 / 3.0), at(1.0));
        let (mut bow, mut swing) =
            (Vec::with_capacity(start.len()), Vec::with_capacity(start.len()));
        let (mut size, mut bent, mut swung, mut error) = (0.0_f64, 0.0_f64, 0.0_f64, 0.0_f64);
        for ((((p0, p1), q1), q2), middle) in
            start.iter().zip(&end).zip(&third).zip(&two_thirds).zip(&half)
        {
            let (mut x, mut y) = ([0.0_f64; 3], [0.0_f64; 3]);
            let axes =
                p0.iter().zip(p1).zip(q1.iter().zip(q2)).zip(middle).zip(x.iter_mut().zip(&mut y));
            for ((((p0, p1), (q1, q2)), middle), (x, y)) in axes {
                let (r1, r2) = (q1 - (2.0 * p0 + p1) / 3.0, q2 - (p0 + 2.0 * p1) / 3.0);
                *x = (r1 + r2) * 2.25;
                *y = (r1 - r2) * 6.75;
                size = size.max(p0.abs()).max(p1.abs());
                bent = bent.max(x.abs());
                swung = swung.max(y.abs());
                error = error.max((middle - (p0 + p1) / 2.0 - *x / 4.0).abs());
            }
            let point = |v: [f64; 3]| Vec3::from(v.map(to_f32));
            bow.push(point(x));
            swing.push(point(y));
        }
        // What f32 cannot tell from a straight line is one.
        let least = size * 1e-6;
        if swung <= least {
            swing.clear();
        }
        if bent <= least && swing.is_empty() {
            bow.clear();
        }
        // bow·u(1-u) + swing·u(1-u)(1-2u) is (bow + swing)·u(1-u)² + (bow - swing)·u²(1-u).
        let mut late = swing;
        for (bow, swing) in bow.iter_mut().zip(&mut late) {
            let (x, y) = (bow.to_array().map(f64::from), swing.to_array().map(f64::from));
            let [mut sum, mut difference] = [x, x];
            sum.iter_mut().zip(&mut difference).zip(y).for_each(|((sum, difference), y)| {
                (*sum, *difference) = (*sum + y, *difference - y)
            });
            (*bow, *swing) = (sum.map(to_f32).into(), difference.map(to_f32).into());
        }
        (Bulge { bow, late }, if size > 0.0 { error / size } else { 0.0 })
    }
}

/// Normals go with the inverse of the matrix, transposed.
pub(crate) fn turn_normals(normals: &mut [Vec3], matrix: Mat4) {
    let Some(inverse) = matrix.inverse() else { return };
    let [a, b, c, _] = inverse.columns;
    for normal in normals {
        let dot =
            |column: [f32; 4]| column[0] * normal.x + column[1] * normal.y + column[2] * normal.z;
        let turned = Vec3::new(dot(a), dot(b), dot(c));
        *normal = turned.normalized().unwrap_or(Vec3::ZERO);
    }
}

/// A matrix that mirrors turns front to back: as a joint's it says so itself, in the vertices
/// nobody would know.
pub(crate) fn turn_faces(mesh: &mut Mesh, matrix: Mat4) {
    let [a, b, c, _] = matrix.columns.map(|[x, y, z, _]| [x, y, z].map(f64::from));
    let determinant = a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0])
        + a[2] * (b[0] * c[1] - b[1] * c[0]);
    if determinant < 0.0 {
        for part in mesh.primitives.iter_mut().filter(|part| part.topology == Topology::Triangles) {
            part.indices
                .as_chunks_mut::<3>()
                .0
                .iter_mut()
                .for_each(|[_, b, c]| std::mem::swap(b, c));
        }
    }
}
