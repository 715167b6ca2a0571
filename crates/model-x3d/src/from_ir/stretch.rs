//! Any affine matrix as the fields of a `Transform`.

use anim_ir::double::{self, Mat3, dot, normalized, to_matrix};
use anim_ir::{Mat4, Quat, Vec3};

use crate::graph::Value;
use crate::make::{axis_angle, floats};

/// Rotations after which a symmetric matrix is diagonal except for rounding.
const SWEEPS: usize = 24;

/// Returns the fields of a `Transform` with this matrix. X3D scales along axes of any direction
/// (`scaleOrientation`), so that a rotation after such a scale can be any matrix: this is its polar
/// decomposition.
pub(super) fn matrix_fields(matrix: Mat4) -> Vec<(&'static str, Value)> {
    let numbers = matrix.to_columns();
    let [a, b, c, [x, y, z, _]] = numbers.as_chunks::<4>().0 else { return Vec::new() };
    let columns: Mat3 = [a, b, c].map(|[x, y, z, _]| [*x, *y, *z].map(f64::from));
    let (rotation, orientation, scale) = polar(columns);
    vec![
        ("translation", floats([*x, *y, *z])),
        ("rotation", floats(axis_angle(Quat::from_f64(rotation)))),
        ("scale", floats(Vec3::from_f64(scale).to_array())),
        ("scaleOrientation", floats(axis_angle(Quat::from_f64(orientation)))),
    ]
}

/// Returns the rotation, the directions of the scale, and the scale.
fn polar(m: Mat3) -> (double::Quat, double::Quat, double::Vec3) {
    // The columns of `axes` are the eigenvectors of the transposed matrix times the matrix.
    let mut square: Mat3 = m.map(|row| m.map(|column| dot(row, column)));
    let mut axes: Mat3 = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    for sweep in 0..SWEEPS {
        turn(&mut square, &mut axes, sweep % 3);
    }
    let [p, q, _] = axes;
    let axes: Mat3 = [p, q, double::cross(p, q)];
    // What the matrix makes of the axes is orthogonal.
    let images = axes.map(|axis| double::transform(m, axis));
    let mut scale = images.map(double::length);
    let mut units = [0, 1, 2].map(|at: usize| {
        let [image, length] = [images.get(at).copied(), scale.get(at).map(|length| [*length; 3])];
        let (image, [length, ..]) = (image.unwrap_or_default(), length.unwrap_or_default());
        if length > 0.0 { image.map(|part| part / length) } else { [0.0; 3] }
    });
    complete(&mut units);
    if double::determinant(units) < 0.0 {
        units[2] = units[2].map(|part| -part);
        scale[2] = -scale[2];
    }
    // rotation · axes = units
    let orientation = normalized(double::from_matrix(axes));
    let turned = normalized(double::from_matrix(units));
    let rotation = normalized(double::multiply(turned, double::conjugate(orientation)));
    (rotation, orientation, scale)
}

/// Replaces missing axes, which have a scale of 0, so that the axes are orthogonal.
fn complete(units: &mut Mat3) {
    let missing = |axis: double::Vec3| dot(axis, axis) < 0.5;
    for _ in 0..3 {
        let [a, b, c] = *units;
        *units = match (missing(a), missing(b), missing(c)) {
            (false, false, false) => return,
            (true, true, true) => to_matrix(double::IDENTITY),
            (true, false, false) => [double::cross(b, c), b, c],
            (false, true, false) => [a, double::cross(c, a), c],
            (false, false, true) => [a, b, double::cross(a, b)],
            (false, true, true) => [a, double::perpendicular(a), c],
            (true, false, true) => [double::perpendicular(b), b, c],
            (true, true, false) => [double::perpendicular(c), b, c],
        };
    }
}

/// Turns two axes so that the product of the matrix for this pair becomes 0 (Jacobi).
fn turn(square: &mut Mat3, axes: &mut Mat3, pair: usize) {
    let [a, b, c] = *square;
    let (first, second, both) = match pair {
        0 => (a[0], b[1], b[0]),
        1 => (a[0], c[2], c[0]),
        _ => (b[1], c[2], c[1]),
    };
    if both == 0.0 {
        return;
    }
    let theta = (second - first) / (2.0 * both);
    let sign = if theta < 0.0 { -1.0 } else { 1.0 };
    let tangent = sign / (theta.abs() + (theta * theta + 1.0).sqrt());
    let cosine = 1.0 / (tangent * tangent + 1.0).sqrt();
    let sine = tangent * cosine;
    let mix = |p: double::Vec3, q: double::Vec3| {
        let first =
            [p[0] * cosine - q[0] * sine, p[1] * cosine - q[1] * sine, p[2] * cosine - q[2] * sine];
        let second =
            [p[0] * sine + q[0] * cosine, p[1] * sine + q[1] * cosine, p[2] * sine + q[2] * cosine];
        [first, second]
    };
    let columns = |m: Mat3| {
        let [a, b, c] = m;
        match pair {
            0 => {
                let [a, b] = mix(a, b);
                [a, b, c]
            }
            1 => {
                let [a, c] = mix(a, c);
                [a, b, c]
            }
            _ => {
                let [b, c] = mix(b, c);
                [a, b, c]
            }
        }
    };
    *axes = columns(*axes);
    // Rows are turned like columns.
    *square = transposed(columns(transposed(columns(*square))));
}

fn transposed([a, b, c]: Mat3) -> Mat3 {
    [[a[0], b[0], c[0]], [a[1], b[1], c[1]], [a[2], b[2], c[2]]]
}
