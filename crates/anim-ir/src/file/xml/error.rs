//! Why a text is refused.

use thiserror::Error;

use crate::file::diag::Span;

/// What kind of problem a text has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// It is not well-formed XML.
    Syntax,
    /// It has a DTD of its own, which could declare entities.
    Dtd,
    /// It is beyond one of the limits.
    Limit,
}

/// Why a text is refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct Error {
    /// What kind of problem it is.
    pub kind: ErrorKind,
    /// Where, in bytes of the text.
    pub span: Span,
    /// One sentence, no full stop.
    pub message: String,
}

impl Error {
    pub(super) fn syntax(span: Span, message: impl Into<String>) -> Error {
        Error { kind: ErrorKind::Syntax, span, message: message.into() }
    }

    pub(super) fn limit(span: Span, message: impl Into<String>) -> Error {
        Error { kind: ErrorKind::Limit, span, message: message.into() }
    }
}
