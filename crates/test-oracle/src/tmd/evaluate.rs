//! An evaluator of the PlayStation files of Vib-Ribbon, by the project's notes on the format:
//! models (`.TMD`), what moves them (`.ANM`) and what sees them (`.ANC`).
//!
//! All three are little-endian. Their axes are x to the right, y down, z into the screen;
//! [`to_gltf`] and [`point_to_gltf`] change them. Read is what the notes' table reads, errors or
//! not; where the notes leave nothing to decode, these functions panic.

pub(super) mod anc;
pub(super) mod anm;
pub(super) mod model;

pub use crate::math::Order;
use crate::math::{Mat4, mul, scaling};

/// What a file calls a turn.
const TURN: f64 = 4096.0;
/// What a file calls 1, in scales and normals.
const ONE: f64 = 4096.0;

/// Half a turn about x, which takes the files' axes to those of glTF, and back.
const AXES: [f64; 3] = [1.0, -1.0, -1.0];

/// What a matrix in the files' axes is in those of glTF.
pub fn to_gltf(m: &Mat4) -> Mat4 {
    mul(&scaling(AXES), &mul(m, &scaling(AXES)))
}

/// What a point or a direction in the files' axes is in those of glTF.
pub fn point_to_gltf(p: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|i| AXES[i] * p[i])
}

/// Frames a second: 30 where the field says nothing usable.
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

/// Three of them.
fn vector_at(bytes: &[u8], at: usize) -> [i16; 3] {
    [0, 2, 4].map(|offset| i16_at(bytes, at + offset))
}
