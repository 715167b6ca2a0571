//! An evaluator of the PlayStation files of Vib-Ribbon, based on the project's notes on the
//! formats: models (`.TMD`), their animations (`.ANM`) and cameras (`.ANC`).
//!
//! All three are little-endian. Their axes are x right, y down and z into the screen; [`to_gltf`]
//! and [`point_to_gltf`] convert them. Content that is readable according to the notes' table is
//! accepted even if it is an error. Functions panic where the notes do not define an
//! interpretation.

pub(super) mod anc;
pub(super) mod anm;
pub(super) mod model;

pub use crate::math::Order;
use crate::math::{Mat4, mul, scaling};

/// One full turn in file units.
const TURN: f64 = 4096.0;
/// The value 1 in file units, for scales and normals.
const ONE: f64 = 4096.0;

/// A rotation by 180° about x, which converts file axes to glTF axes, and glTF axes to file axes.
const AXES: [f64; 3] = [1.0, -1.0, -1.0];

/// Converts a matrix from file axes to glTF axes.
pub fn to_gltf(m: &Mat4) -> Mat4 {
    mul(&scaling(AXES), &mul(m, &scaling(AXES)))
}

/// Converts a point or a direction from file axes to glTF axes.
pub fn point_to_gltf(p: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|i| AXES[i] * p[i])
}

/// Frames per second; 30 if the field has an unusable value.
fn frame_rate(field: i16) -> f64 {
    if field > 0 { f64::from(field) } else { 30.0 }
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn i16_at(bytes: &[u8], at: usize) -> i16 {
    i16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

/// Returns three consecutive values.
fn vector_at(bytes: &[u8], at: usize) -> [i16; 3] {
    [0, 2, 4].map(|offset| i16_at(bytes, at + offset))
}
