//! Why a scene could not be written.

use thiserror::Error;

/// Nothing was written. What is written with something missing is no error: see
/// [`CODES`](crate::CODES).
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum WriteError {
    /// [`anim_ir::validate`] found errors.
    #[error("the scene is not whole ({errors} errors): {}", .first.join("; "))]
    Invalid {
        /// How many there are.
        errors: u64,
        /// What the first of them say.
        first: Vec<String>,
    },
    /// Waves or states would become too many keys.
    #[error("{0}")]
    Limit(#[from] anim_ir::LimitError),
    /// More bytes than are allowed, than the 32-bit lengths of a GLB hold, or than there is memory
    /// for.
    #[error("the result would have more than {most} bytes, or more than there is memory for")]
    TooLarge {
        /// How many are allowed.
        most: usize,
    },
    /// The vertices that one skin moves use more joints than 16-bit joint numbers tell apart.
    #[error("vertices of skin {skin} use {joints} joints, more than the 65536 of glTF")]
    TooManyJoints {
        /// Index of the skin in the scene.
        skin: usize,
        /// How many joints have a weight, with the one that holds vertices at rest.
        joints: usize,
    },
    /// [`to_gltf`](crate::to_gltf) was given an empty name for the file of binary data.
    #[error("the file of binary data needs a name")]
    BinUri,
    /// The JSON could not be put into text; no scene is known to cause it.
    #[error("the JSON could not be written: {0}")]
    Json(String),
}
