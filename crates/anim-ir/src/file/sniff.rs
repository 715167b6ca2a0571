//! Detection by content: how likely a file is of a format.

use std::borrow::Cow;

/// How likely it is that a file is in a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// It is in another format.
    No,
    /// Nothing rules it out, but other formats look the same.
    Possible,
    /// It has content that only occurs in this format.
    Likely,
    /// It has the format's magic number or header.
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

/// The result of looking at a file's content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sniff {
    /// How likely it is.
    pub confidence: Confidence,
    /// The reason, for people.
    pub reason: Cow<'static, str>,
}

impl Sniff {
    /// Constructs a verdict with its reason.
    pub fn new(confidence: Confidence, reason: impl Into<Cow<'static, str>>) -> Sniff {
        Sniff { confidence, reason: reason.into() }
    }
}
