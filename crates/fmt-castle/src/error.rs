//! Why a scene cannot be written.

use anim_ir::{EditError, InvalidScene, LimitError};
use thiserror::Error;

/// A scene that cannot be written at all.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum FromIrError {
    /// The scene is invalid.
    #[error(transparent)]
    Invalid(#[from] InvalidScene),
    /// Sampling would exceed the limits.
    #[error(transparent)]
    Limit(#[from] LimitError),
    /// The rate is not a finite number greater than 0.
    #[error("invalid frame rate {0}: it must be positive")]
    Rate(f64),
    /// There is nothing to show: no clip and no mesh.
    #[error("the scene has neither clips nor meshes")]
    Empty,
    /// The format cannot hold what was made.
    #[error(transparent)]
    Edit(#[from] EditError),
}
