//! ANC: the position and target of a camera over time.

use std::f64::consts::TAU;

use super::{TURN, frame_rate, i16_at, to_gltf, u16_at, vector_at};
use crate::math::{Mat4, cross};

#[derive(Clone, Debug, PartialEq)]
pub struct Anc {
    /// The magic number in the file, normally 0x8000.
    pub magic: u16,
    /// The rate as stored in the file.
    pub rate_field: i16,
    /// Frames per second.
    pub rate: f64,
    /// The complete records, up to the number in the header.
    pub records: Vec<Record>,
    pub trailing: Vec<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    pub eye: [i16; 3],
    pub look_at: [i16; 3],
    /// The roll in units of 1/4096 turn.
    pub roll: i16,
    /// The vertical field of view in units of 1/4096 turn.
    pub fov: i16,
}

/// Parses a file.
///
/// # Panics
///
/// If the header is truncated.
pub fn anc(bytes: &[u8]) -> Anc {
    let count = usize::from(u16_at(bytes, 4));
    let (header, body) = bytes.split_at(6);
    let records: Vec<Record> = body.chunks_exact(16).take(count).map(record).collect();
    Anc {
        magic: u16_at(header, 0),
        rate_field: i16_at(header, 2),
        rate: frame_rate(i16_at(header, 2)),
        trailing: body[16 * records.len()..].to_vec(),
        records,
    }
}

fn record(bytes: &[u8]) -> Record {
    Record {
        eye: vector_at(bytes, 0),
        look_at: vector_at(bytes, 6),
        roll: i16_at(bytes, 12),
        fov: i16_at(bytes, 14),
    }
}

impl Record {
    /// Returns the vertical field of view in radians.
    pub fn vertical_fov(&self) -> f64 {
        f64::from(self.fov) * TAU / TURN
    }

    /// Returns the matrix from camera space to file space, in file axes. The camera looks along its
    /// +z axis, with −y up. `None` if the up or view direction is undefined because the camera
    /// looks along y or at its own position.
    pub fn matrix(&self) -> Option<Mat4> {
        let eye = self.eye.map(f64::from);
        let [x, y, z]: [f64; 3] = std::array::from_fn(|i| f64::from(self.look_at[i]) - eye[i]);
        let across = x.hypot(z);
        if across == 0.0 {
            return None;
        }
        let length = across.hypot(y);
        let forward = [x / length, y / length, z / length];
        // The horizontal right vector, and the vector perpendicular to right and forward in the
        // plane of y and forward.
        let right = [z / across, 0.0, -x / across];
        let down = cross(forward, right);
        let (sin, cos) = (f64::from(self.roll) * TAU / TURN).sin_cos();
        let rolled_right = [0, 1, 2].map(|i| cos * right[i] + sin * down[i]);
        let rolled_down = [0, 1, 2].map(|i| cos * down[i] - sin * right[i]);
        let column = |[x, y, z]: [f64; 3], w| [x, y, z, w];
        Some([
            column(rolled_right, 0.0),
            column(rolled_down, 0.0),
            column(forward, 0.0),
            column(eye, 1.0),
        ])
    }

    /// Returns the matrix of a glTF camera, which looks along its −z axis with +y up, in glTF axes.
    /// Returns `None` in the same cases as [`Self::matrix`].
    pub fn gltf_matrix(&self) -> Option<Mat4> {
        // A rotation by 180° about x converts both the camera axes and the file axes.
        self.matrix().as_ref().map(to_gltf)
    }
}
