//! Why a scene cannot be written.

use anim_ir::{EditError, InvalidScene, LimitError};
use thiserror::Error;

/// A scene that cannot be written at all.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum FromIrError {
    /// The scene contradicts itself.
    #[error(transparent)]
    Invalid(#[from] InvalidScene),
    /// Sampling would make too much.
    #[error(transparent)]
    Limit(#[from] LimitError),
    /// The rate is no finite number greater than 0.
    #[error("{0} is no number of frames a second")]
    Rate(f64),
    /// There is nothing to show: no clip and no mesh.
    #[error("the scene has no clip and no mesh")]
    Empty,
    /// The format cannot hold what was made.
    #[error(transparent)]
    Edit(#[from] EditError),
}
