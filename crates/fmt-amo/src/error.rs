//! Errors when writing a scene.

use anim_ir::{InvalidScene, LimitError, ParseError};
use thiserror::Error;

use crate::dialect::Dialect;

/// The reason a scene cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FromIrError {
    /// The scene is invalid.
    #[error(transparent)]
    Invalid(#[from] InvalidScene),
    /// Sampling would exceed a limit, or the scene is too large.
    #[error(transparent)]
    Limit(#[from] LimitError),
    /// Only reading is supported for this dialect.
    #[error("the dialect {0} cannot be written")]
    Dialect(Dialect),
    /// The file would be too large to be read back.
    #[error(transparent)]
    Unreadable(#[from] ParseError),
}
