//! Errors when loading files.

use std::io;

use anim_ir::{LimitError, ParseError};
use thiserror::Error;

use crate::detect::Candidate;

/// An error that prevents a file from being loaded.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The file cannot be opened or read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file is too large.
    #[error(transparent)]
    Limit(#[from] LimitError),
    /// No format matches the content or the name.
    #[error("unsupported format{}{}", if .0.is_empty() { "" } else { ": " }, .0)]
    Unknown(String),
    /// Several formats match the content equally well.
    #[error("ambiguous format: this may be {}; specify which", titles(.0))]
    Ambiguous(Vec<Candidate>),
    /// The format is known, but the content cannot be parsed.
    #[error(transparent)]
    Parse(#[from] ParseError),
}

fn titles(candidates: &[Candidate]) -> String {
    let titles: Vec<&str> = candidates.iter().map(|candidate| candidate.format.title()).collect();
    titles.join(" or ")
}
