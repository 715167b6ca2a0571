//! Vectors, rotations, matrices and transforms.

pub(crate) mod euler;
pub(crate) mod linear;
mod mint_conversions;
pub(crate) mod trig;
