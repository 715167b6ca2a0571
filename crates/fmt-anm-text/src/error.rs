//! Why a scene cannot be written.

use anim_ir::{EditError, InvalidScene, LimitError};
use thiserror::Error;

/// A scene that cannot be written at all.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FromIrError {
    /// The scene contradicts itself.
    #[error(transparent)]
    Invalid(#[from] InvalidScene),
    /// There would be too much to write.
    #[error(transparent)]
    Limit(#[from] LimitError),
    /// No clip of the scene can be written.
    #[error("the scene has no clip that ANM text can say")]
    Empty,
    /// A value that the format cannot hold came out of the scene.
    #[error(transparent)]
    Value(#[from] EditError),
}
