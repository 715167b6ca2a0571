//! Why there is nothing to give.

use anim_ir::diag::quote;
use anim_ir::source::{Location, locate};
use anim_ir::{LimitError, Span};
use thiserror::Error;

/// The bytes are no STT file. Everything less is a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ParseError {
    /// The input is longer than the limits allow.
    #[error("{0}")]
    Limit(#[from] LimitError),
    /// The bytes are text in UTF-16.
    #[error("the file looks like UTF-16, which is not read")]
    Utf16,
    /// The header is not `#MINDRENDER`, a version and the number of states.
    #[error("line {line}, column {column}: expected {expected}, found {found}")]
    Header {
        /// What must be there.
        expected: &'static str,
        /// What is there, quoted.
        found: String,
        /// Line, from 1.
        line: usize,
        /// Column in characters, from 1.
        column: usize,
        /// Where it is.
        span: Span,
    },
}

impl ParseError {
    /// The bytes to blame, where some are.
    pub const fn span(&self) -> Option<Span> {
        match self {
            ParseError::Limit(_) | ParseError::Utf16 => None,
            ParseError::Header { span, .. } => Some(*span),
        }
    }

    pub(crate) fn header(
        source: &[u8],
        span: Span,
        expected: &'static str,
        found: String,
    ) -> ParseError {
        let Location { line, column } = locate(source, span.start);
        ParseError::Header { expected, found, line, column, span }
    }
}

/// A value that the format cannot hold, or an edit of what is not there.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EditError {
    /// There is no state, node or key of that number, or not of that kind.
    #[error("there is no {what} {index}")]
    Missing {
        /// What was asked for.
        what: &'static str,
        /// Which.
        index: usize,
    },
    /// A number that is NaN or infinite.
    #[error("{0} is not finite")]
    NotFinite(&'static str),
    /// A name with a brace, a line end, a NUL, or longer than 4096 bytes.
    #[error(
        "the name {0} cannot be written: no braces, no line ends, no NUL, and 4096 bytes at most"
    )]
    Name(String),
    /// A name with a character that a file in Latin-1 cannot have.
    #[error(
        "the name {0} cannot be written: the file is not UTF-8, and Latin-1 has not all of its \
         characters"
    )]
    Encoding(String),
    /// There is a state of that name already, and keys would mean the wrong one.
    #[error("there is a state {0} already")]
    Taken(String),
    /// More bytes than a reader takes.
    #[error("{0}")]
    Unreadable(#[from] ParseError),
}

/// A scene that cannot be written at all.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FromIrError {
    /// The scene contradicts itself.
    #[error("the scene is not valid: {0}")]
    Invalid(String),
    /// A clip moves no skeleton, but morph targets or nothing at all.
    #[error("clip {} moves no joints, and STT has nothing else that moves", quote(.0.as_bytes()))]
    NoJoints(String),
    /// Sampling would make too much.
    #[error("{0}")]
    Limit(#[from] LimitError),
    /// There is no clip.
    #[error("the scene has no clip")]
    Empty,
    /// A number that is not finite came out of the scene, or a name too long.
    #[error("{0}")]
    Value(#[from] EditError),
}
