//! Errors in items of a file.

use anim_ir::LimitError;
use thiserror::Error;

/// An error in a file.
#[derive(Clone, Debug, Error)]
pub(crate) enum Fault {
    /// One item is invalid; the rest of the file is still usable.
    #[error("{pointer}: {message}")]
    Item {
        /// JSON pointer to the item (RFC 6901).
        pointer: String,
        message: String,
    },
    /// The item's buffer is missing, which has already been reported.
    #[error("its buffer is missing")]
    Told,
    /// Reading cannot continue.
    #[error(transparent)]
    Limit(#[from] LimitError),
}

impl Fault {
    pub(crate) fn new(pointer: impl Into<String>, message: impl Into<String>) -> Fault {
        Fault::Item { pointer: pointer.into(), message: message.into() }
    }
}
