//! Why there is nothing to give.

use anim_ir::LimitError;
use thiserror::Error;

/// The bytes are no ANM text. Everything less is a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ParseError {
    /// The input or a line is longer than the limits allow.
    #[error("{0}")]
    Limit(#[from] LimitError),
    /// The bytes are text in UTF-16.
    #[error("the file looks like UTF-16, which is not read")]
    Utf16,
    /// There is no line but comments and blank ones.
    #[error("the file is empty: at least one animation set is needed")]
    Empty,
    /// Less than half of the lines begin with a keyword of the format.
    #[error(
        "the file is something else than ANM text: {known} of {lines} lines begin with `as`, \
         `bl`, `ev` or `an`"
    )]
    NotAnmText {
        /// Lines that do.
        known: usize,
        /// Lines that are neither blank nor comments.
        lines: usize,
    },
}

/// A value that the format cannot hold, or an edit of what is not there.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EditError {
    /// There is no set, bone, event or clip of that number.
    #[error("there is no {what} {index}")]
    Missing {
        /// What was asked for.
        what: &'static str,
        /// Which.
        index: usize,
    },
    /// A time that is NaN, infinite or too great for 32 bits of floating point.
    #[error("the time is not finite")]
    NotFinite,
    /// A clip that ends before it starts.
    #[error("the clip ends before it starts")]
    Range,
    /// A name that would be read as something else.
    #[error(
        "the name {0} cannot be written: 1 to 4096 bytes, no blanks, no line ends, no NUL, no `#` \
         first, and for bones no `+` first"
    )]
    Name(String),
    /// A name with a character that a file in Latin-1 cannot have.
    #[error(
        "the name {0} cannot be written: the file is not UTF-8, and Latin-1 has not all of its \
         characters"
    )]
    Encoding(String),
    /// A set without bones or without clips.
    #[error("the set {name} has no {what}")]
    Incomplete {
        /// The set, quoted.
        name: String,
        /// `bones` or `clips`.
        what: &'static str,
    },
    /// Nothing that a reader takes would be left.
    #[error("{0}")]
    Unreadable(#[from] ParseError),
}

/// A scene that cannot be written at all.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FromIrError {
    /// The scene contradicts itself.
    #[error("the scene is not valid: {0}")]
    Invalid(String),
    /// There would be too much to write.
    #[error("{0}")]
    Limit(#[from] LimitError),
    /// No clip of the scene can be written.
    #[error("the scene has no clip that ANM text can say")]
    Empty,
    /// A value that the format cannot hold came out of the scene.
    #[error("{0}")]
    Value(#[from] EditError),
}
