//! Why there is no scene.

use anim_ir::LimitError;
use thiserror::Error;

/// The bytes are no glTF file, or one that cannot be read at all. Everything less is a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The input, or what it unpacks to, is more than the limits allow.
    #[error("{0}")]
    Limit(#[from] LimitError),
    /// The container is broken.
    #[error("the GLB cannot be read: {0}")]
    Glb(String),
    /// The JSON is none, or is not that of a glTF file.
    #[error("line {line}, column {column} of the JSON: {message}")]
    Json {
        /// What is wrong.
        message: String,
        /// Line of the JSON, from 1.
        line: usize,
        /// Column in bytes, from 1; 0 where nothing of the line was read.
        column: usize,
    },
    /// Another version than 2.
    #[error("this is glTF {0}; only glTF 2 is read")]
    Version(String),
    /// The file says that it cannot be understood without these.
    #[error("the file requires what is not known here: {}", .0.join(", "))]
    Extensions(Vec<String>),
    /// The nodes make no tree, or there is no such scene.
    #[error("{pointer}: {message}")]
    Invalid {
        /// Where in the JSON, as a JSON pointer (RFC 6901).
        pointer: String,
        /// What is wrong.
        message: String,
    },
}

/// Something that cannot be used.
#[derive(Clone, Debug)]
pub(crate) enum Fault {
    /// One item of the file; the rest stands.
    Item {
        /// Where in the JSON, as a JSON pointer (RFC 6901).
        pointer: String,
        message: String,
    },
    /// The item is in a buffer that is not there, which has been said.
    Told,
    /// There is no going on.
    Limit(LimitError),
}

impl Fault {
    pub(crate) fn new(pointer: impl Into<String>, message: impl Into<String>) -> Fault {
        Fault::Item { pointer: pointer.into(), message: message.into() }
    }
}

impl From<LimitError> for Fault {
    fn from(error: LimitError) -> Fault {
        Fault::Limit(error)
    }
}
