//! Format detection by content.

use std::borrow::Cow;

/// How likely a file is to be in a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// The file is in another format.
    No,
    /// Nothing rules the format out, but the content could also be another format's.
    Possible,
    /// The content is typical of this format.
    Likely,
    /// The file has the format's magic number, header or root element.
    Certain,
}

impl Confidence {
    /// Returns `no`, `possible`, `likely` or `certain`.
    pub const fn name(self) -> &'static str {
        match self {
            Confidence::No => "no",
            Confidence::Possible => "possible",
            Confidence::Likely => "likely",
            Confidence::Certain => "certain",
        }
    }
}

/// The result of format detection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sniff {
    /// How likely the file is to be in the format.
    pub confidence: Confidence,
    /// A human-readable reason.
    pub reason: Cow<'static, str>,
}

impl Sniff {
    /// Creates a result.
    pub fn new(confidence: Confidence, reason: impl Into<Cow<'static, str>>) -> Sniff {
        Sniff { confidence, reason: reason.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn confidence_has_an_order_and_names() {
        let all = [Confidence::No, Confidence::Possible, Confidence::Likely, Confidence::Certain];
        assert!(all.is_sorted());
        assert_eq!(all.map(Confidence::name), ["no", "possible", "likely", "certain"]);
    }
}
