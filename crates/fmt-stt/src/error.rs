//! Why a scene cannot be written.

use anim_ir::diag::quote;
use anim_ir::{EditError, InvalidScene, LimitError};
use thiserror::Error;

/// A scene that cannot be written at all.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FromIrError {
    /// The scene contradicts itself.
    #[error(transparent)]
    Invalid(#[from] InvalidScene),
    /// A clip moves no skeleton, but morph targets or nothing at all.
    #[error("clip {} moves no joints, and STT has nothing else that moves", quote(.0.as_bytes()))]
    NoJoints(String),
    /// Sampling would make too much.
    #[error(transparent)]
    Limit(#[from] LimitError),
    /// The scene has no clip.
    #[error("the scene has no clip")]
    Empty,
    /// A number that is not finite came out of the scene, or a name too long.
    #[error(transparent)]
    Value(#[from] EditError),
}
