//! Why nothing was written.

use std::error::Error;

use thiserror::Error;

/// Why nothing was written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ConvertError {
    /// The format cannot hold what was to be written, or an option asks for what it cannot do.
    #[error("{error}")]
    Format {
        /// What was to be written, for people.
        format: &'static str,
        /// Why it was not.
        error: Box<dyn Error + Send + Sync>,
        /// What to do about it, in terms of the program's options: the end of a sentence.
        help: Option<&'static str>,
    },
    /// The format is only read.
    #[error("{0} cannot be written")]
    ReadOnly(&'static str),
}

impl ConvertError {
    /// What a format said.
    #[allow(dead_code, reason = "a build without formats has none")]
    pub(crate) fn new<F: anim_ir::format::Format>(
        error: impl Error + Send + Sync + 'static,
        help: Option<&'static str>,
    ) -> ConvertError {
        ConvertError::Format { format: F::INFO.title, error: Box::new(error), help }
    }

    /// What to do about it, in terms of the program's options: the end of a sentence such as
    /// `--clamp moves it into the range`.
    pub const fn help(&self) -> Option<&'static str> {
        match self {
            ConvertError::Format { help, .. } => *help,
            ConvertError::ReadOnly(_) => None,
        }
    }
}
