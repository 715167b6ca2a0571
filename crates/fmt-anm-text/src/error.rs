//! Errors when writing a scene.

use anim_ir::{EditError, InvalidScene, LimitError};
use thiserror::Error;

/// An error that prevents a scene from being written.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FromIrError {
    /// The scene is invalid.
    #[error(transparent)]
    Invalid(#[from] InvalidScene),
    /// The output would be too large.
    #[error(transparent)]
    Limit(#[from] LimitError),
    /// The scene has no clip that can be written.
    #[error("the scene has no clip that ANM text can represent")]
    Empty,
    /// The scene has a value that the format cannot represent.
    #[error(transparent)]
    Value(#[from] EditError),
}
