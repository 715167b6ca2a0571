//! The four keywords and the two options, and suggestions for misspelt words.

use strsim::osa_distance;

/// The first word of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keyword {
    /// An animation set.
    As,
    /// A bone of a set.
    Bl,
    /// An event.
    Ev,
    /// An animation.
    An,
}

impl Keyword {
    const ALL: [Keyword; 4] = [Keyword::As, Keyword::Bl, Keyword::Ev, Keyword::An];

    pub(crate) const fn text(self) -> &'static str {
        match self {
            Keyword::As => "as",
            Keyword::Bl => "bl",
            Keyword::Ev => "ev",
            Keyword::An => "an",
        }
    }

    #[inline]
    pub(crate) const fn of(word: &[u8]) -> Option<Keyword> {
        match word {
            b"as" => Some(Keyword::As),
            b"bl" => Some(Keyword::Bl),
            b"ev" => Some(Keyword::Ev),
            b"an" => Some(Keyword::An),
            _ => None,
        }
    }

    /// Returns the only keyword at an edit distance of at most 1, and whether only the case
    /// differs.
    pub(crate) fn nearest(word: &[u8]) -> Option<(Keyword, bool)> {
        let word = small_letters(word)?;
        if let Some(keyword) = Keyword::of(word.as_bytes()) {
            return Some((keyword, true));
        }
        let mut near =
            Keyword::ALL.into_iter().filter(|keyword| osa_distance(&word, keyword.text()) <= 1);
        near.next().filter(|_| near.next().is_none()).map(|keyword| (keyword, false))
    }
}

/// An option after the name in a `bl` line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BoneOption {
    Children,
    Parent,
}

impl BoneOption {
    pub(crate) const fn text(self) -> &'static str {
        match self {
            BoneOption::Children => "+children",
            BoneOption::Parent => "+parent",
        }
    }

    pub(crate) const fn of(word: &[u8]) -> Option<BoneOption> {
        match word {
            b"+children" => Some(BoneOption::Children),
            b"+parent" => Some(BoneOption::Parent),
            _ => None,
        }
    }

    /// Returns the option that a word resembles, and whether only the case differs.
    pub(crate) fn nearest(word: &[u8]) -> Option<(BoneOption, bool)> {
        // A word with characters other than letters may be two words joined together.
        let word = small_letters(word).filter(|word| {
            word.strip_prefix('+')
                .is_some_and(|word| word.bytes().all(|byte| byte.is_ascii_lowercase()))
        })?;
        let near = |option: &BoneOption| {
            let text = option.text();
            // Abbreviated, misspelt by one or two letters, or singular instead of plural or vice
            // versa.
            text.starts_with(&word) && word.len() > 2
                || osa_distance(&word, text) <= 2
                || (*option == BoneOption::Children && word == "+childs")
        };
        let option = [BoneOption::Children, BoneOption::Parent].into_iter().find(near)?;
        Some((option, word == option.text()))
    }
}

/// Returns the edit distance of words that are short enough to be compared.
fn small_letters(word: &[u8]) -> Option<String> {
    const LONGEST: usize = 16;
    let word = std::str::from_utf8(word).ok()?;
    (word.len() <= LONGEST).then(|| word.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_meant() {
        let nearest = |word: &str| Keyword::nearest(word.as_bytes());
        let near = [Keyword::As, Keyword::Bl, Keyword::Ev, Keyword::An]
            .map(|keyword| Some((keyword, false)));
        assert_eq!(["ass", "lb", "evt", "na"].map(nearest), near);
        assert_eq!(nearest("AS"), Some((Keyword::As, true)));
        assert_eq!(["a", "ax", "event", "[as]"].map(nearest), [None; 4], "none, or more than one");
        let option = |word: &str| BoneOption::nearest(word.as_bytes());
        assert_eq!(option("+CHILDREN"), Some((BoneOption::Children, true)));
        assert_eq!(
            ["+child", "+childs", "+childern"].map(option),
            [Some((BoneOption::Children, false)); 3]
        );
        assert_eq!(
            ["+parents", "+p", "+x"].map(option),
            [Some((BoneOption::Parent, false)), None, None]
        );
    }
}
