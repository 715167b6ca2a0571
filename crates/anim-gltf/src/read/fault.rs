//! What cannot be used of a file.

use anim_ir::LimitError;
use thiserror::Error;

/// Something that cannot be used.
#[derive(Clone, Debug, Error)]
pub(crate) enum Fault {
    /// One item of the file; the rest stands.
    #[error("{pointer}: {message}")]
    Item {
        /// Where in the JSON, as a JSON pointer (RFC 6901).
        pointer: String,
        message: String,
    },
    /// The item is in a buffer that is not there, which has been said.
    #[error("its buffer is missing")]
    Told,
    /// There is no going on.
    #[error(transparent)]
    Limit(#[from] LimitError),
}

impl Fault {
    pub(crate) fn new(pointer: impl Into<String>, message: impl Into<String>) -> Fault {
        Fault::Item { pointer: pointer.into(), message: message.into() }
    }
}
