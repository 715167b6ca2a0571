//! Why a scene cannot be written.

use anim_ir::{InvalidScene, LimitError, SkinId};
use thiserror::Error;

/// A scene that cannot be written at all. What is written with something missing is no error: see
/// [`codes`](crate::codes).
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FromIrError {
    /// The scene contradicts itself.
    #[error(transparent)]
    Invalid(#[from] InvalidScene),
    /// Waves or states would become too many keys.
    #[error(transparent)]
    Limit(#[from] LimitError),
    /// More bytes than are allowed, than the 32-bit lengths of a GLB hold, or than there is memory
    /// for.
    #[error("the output would exceed {most} bytes or the available memory")]
    TooLarge {
        /// How many are allowed.
        most: usize,
    },
    /// The vertices that one skin moves use more joints than 16-bit joint numbers tell apart.
    #[error("vertices of skin {skin} use {joints} joints, more than the 65536 that glTF allows")]
    TooManyJoints {
        /// The skin.
        skin: SkinId,
        /// How many joints have a weight, with the one that holds vertices at rest.
        joints: usize,
    },
    /// The template for names of animations ([`FromIr::clip_names`](crate::FromIr::clip_names))
    /// makes no names.
    #[error("invalid template for clip names: {0}")]
    ClipNames(String),
    /// The JSON could not be put into text; no scene is known to cause it.
    #[error("the JSON could not be written: {0}")]
    Json(String),
}
