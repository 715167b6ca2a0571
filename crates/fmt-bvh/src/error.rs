//! Errors when writing a scene.

use anim_ir::diag::quote;
use anim_ir::format::SeveralClips;
use anim_ir::{EditError, InvalidScene, LimitError};
use thiserror::Error;

/// The reason a scene cannot be written.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum FromIrError {
    /// The scene is invalid.
    #[error(transparent)]
    Invalid(#[from] InvalidScene),
    /// The scene has several clips, but a file can store only one.
    #[error(transparent)]
    SeveralClips(#[from] SeveralClips),
    /// The scene has no skeleton.
    #[error("the scene has no skeleton")]
    NoSkeleton,
    /// The clip's skeleton has no joints.
    #[error("clip {} does not animate joints; BVH supports nothing else", quote(.0.as_bytes()))]
    NoJoints(String),
    /// An invalid frame rate.
    #[error("invalid frame rate {0}: it must be positive")]
    Rate(f64),
    /// Sampling exceeds the limits.
    #[error(transparent)]
    Limit(#[from] LimitError),
    /// The scene contains a number that is not finite, or a name that is too long.
    #[error(transparent)]
    Value(#[from] EditError),
}
