//! Why a scene cannot be written.

use anim_ir::{EditError, InvalidScene, LimitError};
use thiserror::Error;

/// Why a scene cannot be written at all.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FromIrError {
    /// The scene is invalid.
    #[error(transparent)]
    Invalid(#[from] InvalidScene),
    /// The output would be too large.
    #[error(transparent)]
    Limit(#[from] LimitError),
    /// No clip of the scene can be written.
    #[error("the scene has no clip that ANM text can hold")]
    Empty,
    /// The scene has a value that the format cannot hold.
    #[error(transparent)]
    Value(#[from] EditError),
}
