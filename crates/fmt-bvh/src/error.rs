//! Why a scene cannot be written.

use anim_ir::diag::quote;
use anim_ir::format::SeveralClips;
use anim_ir::{EditError, InvalidScene, LimitError};
use thiserror::Error;

/// Why a scene cannot be written at all.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum FromIrError {
    /// The scene is invalid.
    #[error(transparent)]
    Invalid(#[from] InvalidScene),
    /// A file holds one clip.
    #[error(transparent)]
    SeveralClips(#[from] SeveralClips),
    /// There is no skeleton.
    #[error("the scene has no skeleton")]
    NoSkeleton,
    /// The clip's skeleton has no joints.
    #[error("clip {} moves no joints, and BVH can animate nothing else", quote(.0.as_bytes()))]
    NoJoints(String),
    /// An invalid frame rate.
    #[error("invalid frame rate {0}: it must be positive")]
    Rate(f64),
    /// Sampling exceeds the limits.
    #[error(transparent)]
    Limit(#[from] LimitError),
    /// The scene has a number that is not finite, or a name that is too long.
    #[error(transparent)]
    Value(#[from] EditError),
}
