//! Write errors.

use anim_ir::{InvalidScene, LimitError, SkinId};
use thiserror::Error;

/// A scene cannot be written. Partial losses are not errors: see [`codes`](crate::codes).
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FromIrError {
    /// The scene is inconsistent.
    #[error(transparent)]
    Invalid(#[from] InvalidScene),
    /// The baked or resampled keys, or the animations, would take too much memory.
    #[error(transparent)]
    Limit(#[from] LimitError),
    /// The output exceeds the limit, the 32-bit lengths of a GLB, or the available memory.
    #[error("the output would exceed {most} bytes or the available memory")]
    TooLarge {
        /// The limit in bytes.
        most: usize,
    },
    /// The vertices of a skin use more joints than 16-bit indices can address.
    #[error("vertices of skin {skin} use {joints} joints, more than the 65536 that glTF allows")]
    TooManyJoints {
        /// The skin.
        skin: SkinId,
        /// Number of joints with a weight, including the static joint for vertices without
        /// influences.
        joints: usize,
    },
    /// The template or list of animation names
    /// ([`FromIr::clip_names`](crate::FromIr::clip_names)) is invalid.
    #[error("invalid clip names: {0}")]
    ClipNames(String),
    /// The JSON could not be serialised. No scene is known to cause this.
    #[error("the JSON could not be serialised: {0}")]
    Json(String),
}
