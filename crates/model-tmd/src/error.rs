//! Why there is nothing to give.

use anim_ir::{LimitError, Span};
use thiserror::Error;

/// The bytes are not TMD, or ask for too much. Everything less is a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ParseError {
    /// The input is longer than the limits allow, or its objects share packets too often.
    #[error("{0}")]
    Limit(#[from] LimitError),
    /// The first word is another one.
    #[error("the first word is {found:#010x}, not 0x00000041")]
    Magic {
        /// The word.
        found: u32,
    },
    /// The file ends before its object table does.
    #[error("{what} needs {needs} bytes, the file has {has}")]
    CutOff {
        /// What is cut off.
        what: &'static str,
        /// Bytes from the start of the file to its end.
        needs: usize,
        /// Bytes of the file.
        has: usize,
    },
}

impl ParseError {
    /// The bytes of the file to blame, where some are.
    pub fn span(&self) -> Option<Span> {
        match self {
            ParseError::Limit(_) => None,
            ParseError::Magic { .. } => Some(Span::new(0, 4)),
            ParseError::CutOff { has, .. } => Some(Span::new(*has, *has)),
        }
    }
}
