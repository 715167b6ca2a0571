//! Errors that occur when writing.

use anim_ir::{InvalidScene, LimitError};
use thiserror::Error;

/// The error for a scene that cannot be written at all.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FromIrError {
    /// The scene is inconsistent.
    #[error(transparent)]
    Invalid(#[from] InvalidScene),
    /// The motion exceeds a limit.
    #[error(transparent)]
    Limit(#[from] LimitError),
    /// The scene has no state machine.
    #[error("the input has no state machine; only STT files and glTF files converted from them do")]
    NoMachine,
}
