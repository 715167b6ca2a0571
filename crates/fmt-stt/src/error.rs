//! Errors that occur when writing scenes.

use anim_ir::diag::quote;
use anim_ir::{EditError, InvalidScene, LimitError};
use thiserror::Error;

/// Reasons why a scene cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FromIrError {
    /// The scene is invalid.
    #[error(transparent)]
    Invalid(#[from] InvalidScene),
    /// A clip animates only morph targets, or nothing at all.
    #[error("clip {} moves no joints, and STT can only animate joints", quote(.0.as_bytes()))]
    NoJoints(String),
    /// Sampling exceeds the limits.
    #[error(transparent)]
    Limit(#[from] LimitError),
    /// The scene has no clips.
    #[error("the scene has no clips")]
    Empty,
    /// A number is not finite, or a name is too long.
    #[error(transparent)]
    Value(#[from] EditError),
}
