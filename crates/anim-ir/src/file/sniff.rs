//! How sure a format is that a file is its own.

use std::borrow::Cow;

/// How sure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// It is not.
    No,
    /// Nothing speaks against it, but other formats look the same.
    Possible,
    /// It has what only this format has.
    Likely,
    /// It says so itself.
    Certain,
}

impl Confidence {
    /// `no`, `possible`, `likely` or `certain`.
    pub const fn name(self) -> &'static str {
        match self {
            Confidence::No => "no",
            Confidence::Possible => "possible",
            Confidence::Likely => "likely",
            Confidence::Certain => "certain",
        }
    }
}

/// What a look at a file's content gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sniff {
    /// How sure it is.
    pub confidence: Confidence,
    /// Why.
    pub reason: Cow<'static, str>,
}

impl Sniff {
    /// A verdict and its reason.
    pub fn new(confidence: Confidence, reason: impl Into<Cow<'static, str>>) -> Sniff {
        Sniff { confidence, reason: reason.into() }
    }
}
