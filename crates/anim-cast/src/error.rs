//! Errors that occur when writing.

use anim_ir::format::SeveralClips;
use anim_ir::{InvalidScene, LimitError};
use thiserror::Error;

/// The error for a scene that cannot be written at all.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum FromIrError {
    /// The scene is inconsistent.
    #[error(transparent)]
    Invalid(#[from] InvalidScene),
    /// The scene has no clip.
    #[error("the scene has no clip")]
    Empty,
    /// The scene has several clips, but a file can hold only one.
    #[error(transparent)]
    SeveralClips(#[from] SeveralClips),
    /// The clip has no skeleton, or one without joints.
    #[error("the clip has no skeleton")]
    NoSkeleton,
    /// The frame rate is not a finite positive number.
    #[error("invalid frame rate {0}: it must be positive")]
    Rate(f64),
    /// The clip or the file exceeds a limit.
    #[error(transparent)]
    Limit(#[from] LimitError),
}
