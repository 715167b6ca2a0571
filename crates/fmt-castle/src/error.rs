//! Errors that occur when writing scenes.

use anim_ir::{EditError, InvalidScene, LimitError};
use thiserror::Error;

/// Reasons why a scene cannot be written.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum FromIrError {
    /// The scene is invalid.
    #[error(transparent)]
    Invalid(#[from] InvalidScene),
    /// Sampling exceeds the limits.
    #[error(transparent)]
    Limit(#[from] LimitError),
    /// The frame rate is not a finite number greater than 0.
    #[error("invalid frame rate {0}: it must be positive")]
    Rate(f64),
    /// The scene has neither clips nor meshes, so there is nothing to show.
    #[error("the scene has neither clips nor meshes")]
    Empty,
    /// The format cannot store the result.
    #[error(transparent)]
    Edit(#[from] EditError),
}
