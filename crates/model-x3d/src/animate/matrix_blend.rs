//! Curved paths between frames, which occur below a changing VRML 1.0 matrix. Such matrices are
//! blended element by element, which joints cannot do, so they are baked into the vertices, which
//! then move along curves.

use anim_ir::number::narrow;
use anim_ir::{Mat4, Mesh, Primitive, Topology, Transform, Vec3};

use super::plan::PlannedShape;
use super::step::Step;
use crate::geometry::Built;
use crate::graph::Graph;
use crate::math::to_f32;

/// A curved path between two frames: `(1-u)·a + u·b + u(1-u)·bow`, or if that does not fit,
/// `(1-u)·a + u·b + u(1-u)²·bow + u²(1-u)·late`, which can represent any cubic curve. Weights are
/// never negative, since Blender would clamp negative weights to zero.
#[derive(Clone, Debug, Default)]
pub(super) struct Curve {
    pub(super) bow: Vec<Vec3>,
    /// Empty if the curve needs only `bow`.
    pub(super) late: Vec<Vec3>,
}

impl Curve {
    /// Number of morph targets that the curve needs.
    pub(super) fn target_count(&self) -> usize {
        if self.late.is_empty() { 1 } else { 2 }
    }
}

/// Interpolates linearly between two numbers by a fraction `u`.
fn mix(a: f32, b: f32, u: f32) -> f32 {
    narrow(f64::from(a) + (f64::from(b) - f64::from(a)) * f64::from(u))
}

fn mix_points(a: Vec3, b: Vec3, u: f32) -> Vec3 {
    Vec3::new(mix(a.x, b.x, u), mix(a.y, b.y, u), mix(a.z, b.z, u))
}

/// Composes steps, interpolated by `u` between two frames: matrices element by element, other
/// transforms in the same way as joints.
pub(super) fn baked_matrix(steps: &[Step], a: &Graph, b: &Graph, u: f32) -> Mat4 {
    steps.iter().fold(Mat4::IDENTITY, |before, step| {
        let local = match (step.matrix(a), step.matrix(b)) {
            (Some(a), Some(b)) => {
                let mut numbers = a.to_columns();
                for (number, other) in numbers.iter_mut().zip(b.to_columns()) {
                    *number = mix(*number, other, u);
                }
                Mat4::from_columns(numbers)
            }
            _ => {
                let (a, b) = (step.transform(a), step.transform(b));
                let mixed = Transform {
                    translation: mix_points(a.translation, b.translation, u),
                    rotation: a.rotation.slerp(b.rotation, u),
                    scale: mix_points(a.scale, b.scale, u),
                };
                mixed.to_matrix()
            }
        };
        before * local
    })
}

/// Transforms a point by a matrix. Values beyond the range of f32 are clamped. NaN, which occurs
/// when huge numbers cancel out, becomes 0.
pub(super) fn place(matrix: Mat4, point: Vec3) -> Vec3 {
    let placed = matrix.transform_point(point).to_array();
    Vec3::from(placed.map(|c| if c.is_nan() { 0.0 } else { to_f32(f64::from(c)) }))
}

/// The path of a shape between two consecutive frames.
pub(super) struct Way<'w> {
    pub(super) shape: &'w PlannedShape,
    pub(super) a: &'w Graph,
    pub(super) b: &'w Graph,
    pub(super) times: (f32, f32),
    pub(super) morph_normals: bool,
}

impl Way<'_> {
    /// Returns the fraction of the path at a given time, from 0 to 1.
    pub(super) fn part(&self, time: f32) -> f32 {
        let (start, end) = (f64::from(self.times.0), f64::from(self.times.1));
        narrow((f64::from(time) - start) / (end - start))
    }

    /// Returns the vertices at a fraction of the path, before the baked steps are applied.
    fn mixed(&self, built: &Built, u: f32) -> Vec<Vec3> {
        let mut from = built.positions(self.a, &self.shape.source);
        for (from, to) in from.iter_mut().zip(built.positions(self.b, &self.shape.source)) {
            *from = mix_points(*from, to, u);
        }
        from
    }

    /// Returns the positions and normals at a fraction of the path.
    pub(super) fn shape_at(&self, built: &Built, u: f32) -> (Vec<Vec3>, Vec<Vec3>) {
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

    /// Fits a curve between two fractions of the path. Also returns the deviation at the midpoint,
    /// relative to the shape's size.
    pub(super) fn curve(&self, built: &Built, first: f32, last: f32) -> (Curve, f64) {
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
        // A path that f32 cannot distinguish from a straight line is treated as straight.
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
        (Curve { bow, late }, if size > 0.0 { error / size } else { 0.0 })
    }
}

/// Transforms normals, given the matrix for points. The results are unit vectors, or zero where the
/// matrix leaves no direction. If the matrix is singular, the normals are unchanged.
pub(super) fn turn_normals(normals: &mut [Vec3], matrix: Mat4) {
    let Some(matrix) = matrix.normal_matrix() else { return };
    for normal in normals {
        *normal = matrix.transform_vector(*normal).normalized().unwrap_or(Vec3::ZERO);
    }
}

/// Reverses the winding of faces if the matrix mirrors, which would swap front and back. Players do
/// this for joint matrices, but not for baked vertices.
pub(super) fn turn_faces(mesh: &mut Mesh, matrix: Mat4) {
    let mirrors = matrix.determinant() < 0.0;
    let is_turned = |part: &&mut Primitive| mirrors && part.topology == Topology::Triangles;
    for part in mesh.primitives.iter_mut().filter(is_turned) {
        for [_, b, c] in part.indices.as_chunks_mut::<3>().0 {
            std::mem::swap(b, c);
        }
    }
}
