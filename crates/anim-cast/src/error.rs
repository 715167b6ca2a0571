//! Why there is no file.

use anim_ir::LimitError;
use thiserror::Error;

/// A clip that cannot be written at all.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum CastError {
    /// The scene contradicts itself.
    #[error("the scene is not valid: {0}")]
    Invalid(String),
    /// There is no clip of that number.
    #[error("the scene has no clip {0}")]
    NoClip(usize),
    /// The clip moves no skeleton.
    #[error("the clip has no skeleton")]
    NoSkeleton,
    /// Frames in a second that are not a number greater than 0.
    #[error("{0} frames a second cannot be")]
    Rate(f32),
    /// There would be too much to write.
    #[error("{0}")]
    Limit(#[from] LimitError),
}
