//! Why a scene cannot be written.

use anim_ir::diag::quote;
use anim_ir::format::SeveralClips;
use anim_ir::{EditError, InvalidScene, LimitError};
use thiserror::Error;

/// A scene that cannot be written at all.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum FromIrError {
    /// The scene contradicts itself.
    #[error(transparent)]
    Invalid(#[from] InvalidScene),
    /// A file holds one clip.
    #[error(transparent)]
    SeveralClips(#[from] SeveralClips),
    /// There is no skeleton.
    #[error("the scene has no skeleton")]
    NoSkeleton,
    /// The clip's skeleton has no joints.
    #[error("clip {} moves no joints, and BVH has nothing else that moves", quote(.0.as_bytes()))]
    NoJoints(String),
    /// A frame rate that cannot be.
    #[error("invalid frame rate {0}: it must be positive")]
    Rate(f64),
    /// Sampling would make too much.
    #[error(transparent)]
    Limit(#[from] LimitError),
    /// A number that is not finite came out of the scene, or a name that is too long.
    #[error(transparent)]
    Value(#[from] EditError),
}
