//! Conversion errors.

use std::error::Error;

use thiserror::Error;

/// An error that prevents a file from being written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ConvertError {
    /// The format cannot represent the content, or an option asks for something that it does not
    /// support.
    #[error("{error}")]
    Format {
        /// The title of the output format.
        format: &'static str,
        /// The error reported by the format.
        error: Box<dyn Error + Send + Sync>,
        /// A suggestion that refers to the program's options, to append to a sentence.
        help: Option<&'static str>,
    },
    /// The format is read-only.
    #[error("{0} cannot be written")]
    ReadOnly(&'static str),
}

impl ConvertError {
    /// Wraps the error from a format.
    #[allow(dead_code, reason = "unused if no format feature is enabled")]
    pub(crate) fn new<F: anim_ir::format::Format>(
        error: impl Error + Send + Sync + 'static,
        help: Option<&'static str>,
    ) -> ConvertError {
        ConvertError::Format { format: F::INFO.title, error: Box::new(error), help }
    }

    /// Returns a suggestion that refers to the program's options, to append to a sentence, such as
    /// `use --clamp to limit it to the range`.
    pub const fn help(&self) -> Option<&'static str> {
        match self {
            ConvertError::Format { help, .. } => *help,
            ConvertError::ReadOnly(_) => None,
        }
    }
}
