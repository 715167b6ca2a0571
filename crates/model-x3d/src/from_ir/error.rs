//! Errors that occur when writing.

use anim_ir::{InvalidScene, LimitError};
use thiserror::Error;

/// The deepest nesting of joints that is written. Readers of XML refuse more than 256 elements, and
/// switches and shapes need some.
pub(super) const MOST_NESTED: usize = 100;

/// The error for a scene that cannot be written at all.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum FromIrError {
    /// The scene is inconsistent.
    #[error(transparent)]
    Invalid(#[from] InvalidScene),
    /// The frame rate is not a finite positive number.
    #[error("invalid frame rate {0}: it must be positive")]
    Rate(f64),
    /// Joints are nested deeper than readers of XML accept.
    #[error("joints are nested {0} deep; X3D is written with at most {MOST_NESTED}")]
    Nested(usize),
    /// The file exceeds a limit.
    #[error(transparent)]
    Limit(#[from] LimitError),
}
