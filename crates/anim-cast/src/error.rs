//! Why there is no file.

use anim_ir::format::SeveralClips;
use anim_ir::{InvalidScene, LimitError};
use thiserror::Error;

/// A scene that cannot be written at all.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum FromIrError {
    /// The scene contradicts itself.
    #[error(transparent)]
    Invalid(#[from] InvalidScene),
    /// The scene has no clip.
    #[error("the scene has no clip")]
    Empty,
    /// There are several clips, and a file holds one.
    #[error(transparent)]
    SeveralClips(#[from] SeveralClips),
    /// The clip moves no skeleton.
    #[error("the clip has no skeleton")]
    NoSkeleton,
    /// Frames per second that are not a number greater than 0.
    #[error("invalid frame rate {0}: it must be positive")]
    Rate(f64),
    /// There would be too much to write.
    #[error(transparent)]
    Limit(#[from] LimitError),
}
