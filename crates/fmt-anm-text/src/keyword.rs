//! The four keywords and the two options, and suggestions for misspelt words.

use anim_ir::is_misspelt;

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
    /// Lists the keywords that are allowed after this one.
    pub(crate) const fn next(self) -> &'static str {
        match self {
            Keyword::As => "`bl`",
            Keyword::Bl => "`bl`, `ev` or `an`",
            Keyword::Ev => "`ev` or `an`",
            Keyword::An => "`an` or `as`",
        }
    }

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
        let within = |most| {
            Keyword::ALL.into_iter().filter(move |keyword| is_misspelt(word, keyword.text(), most))
        };
        if let Some(keyword) = within(0).next() {
            return Some((keyword, true));
        }
        let mut near = within(1);
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
        if !word.strip_prefix(b"+")?.iter().all(u8::is_ascii_alphabetic) {
            return None;
        }
        let near = |option: &BoneOption| {
            let text = option.text();
            let start = text.as_bytes().get(..word.len());
            // The word is an abbreviation, is one or two letters away, or is `+childs`.
            word.len() > 2 && start.is_some_and(|start| start.eq_ignore_ascii_case(word))
                || is_misspelt(word, text, 2)
                || (*option == BoneOption::Children && is_misspelt(word, "+childs", 0))
        };
        let option = [BoneOption::Children, BoneOption::Parent].into_iter().find(near)?;
        Some((option, is_misspelt(word, option.text(), 0)))
    }
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
