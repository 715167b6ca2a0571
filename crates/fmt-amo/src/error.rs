//! Why a scene cannot be written.

use anim_ir::{InvalidScene, LimitError, ParseError};
use thiserror::Error;

use crate::dialect::Dialect;

/// A scene that cannot be written at all.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FromIrError {
    /// The scene contradicts itself.
    #[error(transparent)]
    Invalid(#[from] InvalidScene),
    /// Sampling would make too much, or the scene is too large.
    #[error(transparent)]
    Limit(#[from] LimitError),
    /// The dialect can be read only.
    #[error("the dialect {0} cannot be written")]
    Dialect(Dialect),
    /// The file would be too large to be read.
    #[error(transparent)]
    Unreadable(#[from] ParseError),
}
