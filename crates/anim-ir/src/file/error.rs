//! Errors for unreadable files, impossible edits and unavailable companion files.

use std::borrow::Cow;
use std::fmt;

use thiserror::Error;

use crate::file::diag::quote;
use crate::file::encoding::EncodingError;
use crate::file::source::Location;
use crate::{LimitError, Span};

/// The error for a file that cannot be read at all, shared by all formats. Problems in a readable
/// file are reported as diagnostics.
///
/// Displays as `line 3, column 7: message` if the line and column are known, otherwise as the
/// message alone.
///
/// ```
/// use anim_ir::source::locate;
/// use anim_ir::{ParseError, ParseErrorKind, Span};
///
/// let span = Span::new(4, 5);
/// let error = ParseError::structure(span, "expected `{`").at(locate(b"one\n2", span.start));
/// assert_eq!(error.to_string(), "line 2, column 1: expected `{`");
/// assert_eq!((error.kind(), error.span()), (ParseErrorKind::Structure, Some(span)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError(Box<Content>);

/// Boxed to keep results small.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Content {
    kind: ParseErrorKind,
    message: Cow<'static, str>,
    span: Option<Span>,
    location: Option<Location>,
}

/// The reason why a file cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseErrorKind {
    /// The file exceeds a limit.
    Limit(LimitError),
    /// The encoding is unsupported, or the bytes are invalid in the expected encoding.
    Encoding,
    /// The file is in another format: the magic number, header or root element is missing.
    Format,
    /// The file is in this format, but too damaged to read.
    Structure,
}

impl ParseErrorKind {
    /// Returns `limit`, `encoding`, `format` or `structure`.
    pub const fn name(self) -> &'static str {
        match self {
            ParseErrorKind::Limit(_) => "limit",
            ParseErrorKind::Encoding => "encoding",
            ParseErrorKind::Format => "format",
            ParseErrorKind::Structure => "structure",
        }
    }
}

impl ParseError {
    fn new(
        kind: ParseErrorKind,
        span: impl Into<Option<Span>>,
        message: impl Into<Cow<'static, str>>,
    ) -> ParseError {
        let (message, span) = (message.into(), span.into());
        ParseError(Box::new(Content { kind, message, span, location: None }))
    }

    /// Creates an error for an exceeded limit. `span` is `None` if the limit is not about a
    /// particular part of the file.
    pub fn limit(span: impl Into<Option<Span>>, error: LimitError) -> ParseError {
        ParseError::new(ParseErrorKind::Limit(error), span, error.to_string())
    }

    /// Creates an error for an unsupported encoding, or for bytes that are invalid in the expected
    /// encoding.
    pub fn encoding(span: Span, message: impl Into<Cow<'static, str>>) -> ParseError {
        ParseError::new(ParseErrorKind::Encoding, span, message)
    }

    /// Creates an error for a file in another format. `span` covers the bytes found instead of the
    /// format's magic number or header, or is `None` if their location is not fixed.
    pub fn format(
        span: impl Into<Option<Span>>,
        message: impl Into<Cow<'static, str>>,
    ) -> ParseError {
        ParseError::new(ParseErrorKind::Format, span, message)
    }

    /// Creates an error for a write-only format.
    pub fn unsupported(title: &str) -> ParseError {
        ParseError::new(ParseErrorKind::Format, None, format!("{title} cannot be read"))
    }

    /// Creates an error for a file that is too damaged to read.
    pub fn structure(span: Span, message: impl Into<Cow<'static, str>>) -> ParseError {
        ParseError::new(ParseErrorKind::Structure, span, message)
    }

    /// Adds the line and column, for text formats.
    #[must_use]
    pub fn at(mut self, location: Location) -> ParseError {
        self.0.location = Some(location);
        self
    }

    /// Returns the reason why the file cannot be read.
    pub fn kind(&self) -> ParseErrorKind {
        self.0.kind
    }

    /// Returns a message without the location: a sentence fragment without a full stop.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Returns the bytes that caused the error, or `None` if there is no single location.
    pub fn span(&self) -> Option<Span> {
        self.0.span
    }

    /// Returns the line and column, for text formats.
    pub fn location(&self) -> Option<Location> {
        self.0.location
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(Location { line, column }) = self.0.location {
            write!(f, "line {line}, column {column}: ")?;
        }
        f.write_str(&self.0.message)
    }
}

impl std::error::Error for ParseError {}

impl From<LimitError> for ParseError {
    fn from(error: LimitError) -> ParseError {
        ParseError::limit(None, error)
    }
}

impl From<EncodingError> for ParseError {
    fn from(error: EncodingError) -> ParseError {
        ParseError::encoding(error.span(), error.to_string())
    }
}

/// The error for an edit that cannot be applied: the item does not exist, the format cannot store
/// the value, or the result would be invalid. Shared by all formats.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum EditError {
    /// No item of that kind has that index.
    #[error("there is no {what} {index}")]
    Missing {
        /// The kind of item requested, such as `joint`.
        what: &'static str,
        /// The zero-based index.
        index: usize,
    },
    /// The number is NaN or infinite.
    #[error("{0} is not finite")]
    NotFinite(&'static str),
    /// The format cannot store the text.
    #[error("{what} {text} {why}")]
    Text {
        /// The kind of text, such as `the name`.
        what: &'static str,
        /// The text, quoted.
        text: String,
        /// The reason, as the end of a sentence.
        why: &'static str,
    },
    /// The name is already in use, and the format identifies items by name.
    #[error("a {what} named {name} already exists")]
    Taken {
        /// The kind of item that has the name, such as `state`.
        what: &'static str,
        /// The name, quoted.
        name: String,
    },
    /// The format cannot represent the value.
    #[error("{0}")]
    Refused(Cow<'static, str>),
    /// The bytes are outside the file, or another edit already replaces them.
    #[error("bytes {} to {} are outside the file or replaced twice", .0.start, .0.end)]
    Place(Span),
    /// The edit would make the file unreadable.
    #[error(transparent)]
    Unreadable(#[from] ParseError),
}

impl EditError {
    /// Creates an error for a name that the format cannot store. The reason completes the sentence
    /// ``the name `x` …``.
    pub fn name(name: &str, why: &'static str) -> EditError {
        EditError::Text { what: "the name", text: quote(name.as_bytes()), why }
    }

    /// Creates an error for text that Latin-1 cannot represent, for a file that is not UTF-8.
    pub fn beyond_latin1(text: &str) -> EditError {
        EditError::name(
            text,
            "cannot be written: the file is not UTF-8, and Latin-1 cannot represent every \
 character",
        )
    }

    /// Creates an error for any other edit that the format cannot represent. `why` is a sentence
    /// without a full stop.
    pub fn refused(why: impl Into<Cow<'static, str>>) -> EditError {
        EditError::Refused(why.into())
    }
}

/// The reason why the content of a referenced file is unavailable. Displays as the end of a
/// sentence, such as ``the image `a.png` cannot be used: …``.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ResolveError {
    /// No other files can be opened, because the resolver is [`NoFiles`](crate::NoFiles).
    #[error("companion files are opened only if the input is a file")]
    NoFiles,
    /// The file does not exist.
    #[error("no such file")]
    NotFound,
    /// The file is outside the folder that may be read.
    #[error(
        "it is outside the folder that may be read{}{hint}",
        if .hint.is_empty() { "" } else { "; " }
    )]
    Outside {
        /// How to allow access, or an empty string.
        hint: &'static str,
    },
    /// The file is larger than allowed.
    #[error("{0}")]
    TooLarge(LimitError),
    /// The reference is unsupported, such as a URL, an absolute path or an invalid `data:` URI.
    #[error("{0}")]
    Unsupported(Cow<'static, str>),
    /// The operating system could not open or read the file.
    #[error("{0}")]
    Io(String),
}

impl From<LimitError> for ResolveError {
    fn from(error: LimitError) -> ResolveError {
        ResolveError::TooLarge(error)
    }
}

#[cfg(test)]
mod tests {
    use std::error::Error as _;

    use super::*;

    #[test]
    fn kinds_have_names() {
        let limit = LimitError { what: "a line", unit: "bytes", found: 9, most: 8 };
        let here = Span::new(0, 1);
        let errors = [
            ParseError::from(limit),
            ParseError::encoding(here, "x"),
            ParseError::format(here, "x"),
            ParseError::structure(here, "x"),
        ];
        let names = errors.each_ref().map(|error| error.kind().name());
        assert_eq!(names, ["limit", "encoding", "format", "structure"]);
        let unsupported = ParseError::unsupported("Cast");
        assert_eq!((unsupported.kind().name(), unsupported.span()), ("format", None));
        assert_eq!(unsupported.to_string(), "Cast cannot be read");
    }

    #[test]
    fn a_cause_is_printed_once() {
        let limit = LimitError { what: "a line", unit: "bytes", found: 9, most: 8 };
        let error = ParseError::from(limit);
        assert_eq!((error.to_string(), error.span()), (limit.to_string(), None));
        assert!(error.source().is_none());
        let edit = EditError::from(error);
        assert_eq!(edit.to_string(), limit.to_string());
        assert!(edit.source().is_none());
    }

    #[test]
    fn edit_errors_are_sentences() {
        let (what, name) = ("state", "`walk`".to_owned());
        let refused = "the clip ends before it starts";
        for (error, message) in [
            (EditError::Missing { what: "key", index: 3 }, "there is no key 3"),
            (EditError::NotFinite("the time"), "the time is not finite"),
            (
                EditError::name("a\nb", "contains a line break"),
                "the name `a\\u{a}b` contains a line break",
            ),
            (EditError::Taken { what, name }, "a state named `walk` already exists"),
            (EditError::refused(refused), refused),
        ] {
            assert_eq!(error.to_string(), message);
        }
    }

    #[test]
    fn errors_end_a_sentence() {
        let outside = |hint| ResolveError::Outside { hint }.to_string();
        let sentence = "it is outside the folder that may be read";
        assert_eq!(
            outside("allow more with `root`"),
            format!("{sentence}; allow more with `root`")
        );
        assert_eq!(outside(""), sentence);
    }
}
