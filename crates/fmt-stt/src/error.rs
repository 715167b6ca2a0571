//! Errors of writing scenes.

use anim_ir::diag::quote;
use anim_ir::{EditError, InvalidScene, LimitError};
use thiserror::Error;

/// The reason why a scene cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FromIrError {
    /// The scene is invalid.
    #[error(transparent)]
    Invalid(#[from] InvalidScene),
    /// A clip moves no skeleton, but only morph targets or nothing at all.
    #[error("clip {} moves no joints, and STT can only animate joints", quote(.0.as_bytes()))]
    NoJoints(String),
    /// Sampling would exceed the limits.
    #[error(transparent)]
    Limit(#[from] LimitError),
    /// The scene has no clip.
    #[error("the scene has no clip")]
    Empty,
    /// A number is not finite, or a name is too long.
    #[error(transparent)]
    Value(#[from] EditError),
}
