//! Why there is nothing to give.

use anim_ir::LimitError;
use thiserror::Error;

/// The bytes are not Animated OBJ, or ask for too much. Everything less is a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ParseError {
    /// The input or a line is longer than the limits allow.
    #[error("{0}")]
    Limit(#[from] LimitError),
    /// Text of two bytes a character.
    #[error("this looks like UTF-16, but Animated OBJ is ASCII or UTF-8 text")]
    Utf16,
    /// No line of the file starts with a keyword of the format.
    #[error("no line starts with a keyword of Animated OBJ")]
    NotAmo,
}

/// An edit that the document cannot take.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EditError {
    /// There is no animation, key or joint of that number.
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
    /// A name that the format cannot hold.
    #[error("the name {name} {why}")]
    Name {
        /// The name, quoted.
        name: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// The key has a value of the other kind.
    #[error("key {0} is of the other kind: a position cannot become a rotation")]
    Kind(usize),
    /// In this dialect keys share their time with others.
    #[error("key {0} shares its time with others in this dialect")]
    SharedTime(usize),
}

/// A scene that the format cannot hold at all.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum FromIrError {
    /// The scene contradicts itself.
    #[error("the scene is not valid: {0}")]
    Invalid(String),
    /// Baking would make too much.
    #[error("{0}")]
    Limit(#[from] LimitError),
}
