//! Operations on whole scenes.

pub(crate) mod axes;
pub(crate) mod bake;
pub(crate) mod clips;
pub(crate) mod combine;
pub(crate) mod cut;
pub mod diff;
pub(crate) mod dump;
pub(crate) mod merge;
pub(crate) mod normals;
pub(crate) mod resample;
pub(crate) mod retarget;
pub(crate) mod rotate;
pub(crate) mod triangulate;
pub(crate) mod up;
pub(crate) mod validate;
