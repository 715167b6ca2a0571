//! Why nothing was loaded.

use std::io;

use anim_ir::{LimitError, ParseError};
use thiserror::Error;

use crate::detect::Candidate;

/// Why nothing was loaded.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The file cannot be opened or read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file is too large.
    #[error(transparent)]
    Limit(#[from] LimitError),
    /// No format claims the content, and the name says nothing.
    #[error("this is no format that is known here{}{}", if .0.is_empty() { "" } else { "; " }, .0)]
    Unknown(String),
    /// Several formats claim the content equally.
    #[error("this may be {}; say which", titles(.0))]
    Ambiguous(Vec<Candidate>),
    /// The format is known, but the content is not readable.
    #[error(transparent)]
    Parse(#[from] ParseError),
}

fn titles(candidates: &[Candidate]) -> String {
    let titles: Vec<&str> = candidates.iter().map(|candidate| candidate.format.title()).collect();
    titles.join(" or ")
}
