//! Geometry tests against independently computed values: areas, volumes, hand-computed corners, and
//! normals of spheres.
#![allow(
    clippy::string_slice,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    reason = "tests fail loudly"
)]

mod faces;
mod limits;
mod scene;
mod sets;
mod shapes;
mod smoothing;
mod texture;
mod vrml1;
