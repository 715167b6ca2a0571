//! Vectors, rotations, matrices and transforms.

pub mod double;
pub(crate) mod euler;
pub(crate) mod mat4;
mod mint_conversions;
pub(crate) mod quat;
pub(crate) mod slerp;
pub(crate) mod transform;
pub(crate) mod trig;
pub(crate) mod vec3;
