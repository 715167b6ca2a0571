//! Why there is nothing to give.

use anim_ir::source::{Location, locate};
use anim_ir::text::{EncodingError, Text};
use anim_ir::{LimitError, Span, diag::quote, xml};
use thiserror::Error;

/// The bytes are not castle-anim-frames, or ask for too much. Everything less is a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ParseError {
    /// The input is longer than the limits allow.
    #[error("{0}")]
    Limit(#[from] LimitError),
    /// The bytes are no text.
    #[error("{0}")]
    Encoding(#[from] EncodingError),
    /// The text is not well-formed XML, has a DTD of its own, or is nested beyond reason.
    #[error("line {line}, column {column}: {problem}")]
    Xml {
        /// What is wrong: one sentence, no full stop.
        problem: String,
        /// Line in the decoded text, from 1.
        line: usize,
        /// Column in characters, from 1.
        column: usize,
        /// Where, in bytes of the file.
        span: Span,
    },
    /// The root element is another one.
    #[error("the root element is {root}, not `animations` or `animation`")]
    Root {
        /// Its name, quoted.
        root: String,
        /// Where it is, in bytes of the file.
        span: Span,
    },
}

impl ParseError {
    /// The bytes of the file to blame, where some are.
    pub fn span(&self) -> Option<Span> {
        match self {
            ParseError::Limit(_) => None,
            ParseError::Encoding(error) => Some(error.span()),
            ParseError::Xml { span, .. } | ParseError::Root { span, .. } => Some(*span),
        }
    }

    /// A problem at a span of the text.
    pub(crate) fn xml(text: &Text<'_>, span: Span, problem: String) -> ParseError {
        let Location { line, column } = locate(text.as_str().as_bytes(), span.start);
        ParseError::Xml { problem, line, column, span: text.source_span(span) }
    }

    pub(crate) fn guard(text: &Text<'_>, error: xml::Error) -> ParseError {
        ParseError::xml(text, error.span, error.message)
    }
}

/// A value that the format cannot hold, or an edit of what is not there.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum EditError {
    /// There is no animation or frame of that number.
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
    /// A text with a character that XML 1.0 lacks, in any spelling.
    #[error("{what} {text} has a control character, which XML cannot hold")]
    Character {
        /// What the text is.
        what: &'static str,
        /// The text, quoted.
        text: String,
    },
    /// An empty name, which the engine refuses.
    #[error("an animation needs a name")]
    EmptyName,
    /// A time that is not between those of the frames before and after.
    #[error("the time {0} is not between those of the frames before and after")]
    Order(f32),
    /// An animation needs a frame.
    #[error("an animation needs at least one frame")]
    LastFrame,
    /// The content to inline is no X3D document in XML.
    #[error("the content is no X3D document in XML: {0}")]
    NotX3d(String),
    /// The frame has its content inline: it has no url.
    #[error("frame {0} has its content inline and no url")]
    Inline(usize),
}

impl EditError {
    pub(crate) fn character(what: &'static str, text: &str) -> EditError {
        EditError::Character { what, text: quote(text.as_bytes()) }
    }
}

/// A scene that cannot be written at all.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum FromIrError {
    /// The scene contradicts itself.
    #[error("the scene is not valid: {0}")]
    Invalid(String),
    /// Sampling would make too much.
    #[error("{0}")]
    Limit(#[from] LimitError),
    /// The rate is no finite number greater than 0.
    #[error("{0} is no number of frames a second")]
    Rate(f32),
    /// There is nothing to show: no clip and no mesh.
    #[error("the scene has no clip and no mesh")]
    Empty,
}
