//! Detects ANM text by content.

use anim_ir::encoding::text_start;
use anim_ir::{Confidence, Sniff};

use crate::keyword::Keyword;
use crate::tokens::Line;

/// Checks the first two significant lines: `as` with one name, then another valid line. A file with
/// only the first is [`Confidence::Possible`].
pub fn sniff(source: &[u8]) -> Sniff {
    let mut lines = significant_lines(source);
    let Some(first) = lines.next() else {
        return Sniff::new(Confidence::No, "has only comments");
    };
    if keyword(first) != Some(Keyword::As) {
        return Sniff::new(Confidence::No, "does not start with an `as` line");
    }
    match lines.next().map(keyword) {
        Some(Some(_)) => Sniff::new(
            Confidence::Likely,
            "starts with an `as` line, followed by another valid line",
        ),
        Some(None) => Sniff::new(Confidence::No, "the line after `as` is not ANM text"),
        None => Sniff::new(Confidence::Possible, "contains only an `as` line"),
    }
}

fn significant_lines(source: &[u8]) -> impl Iterator<Item = Line<'_>> {
    let mut next = Line::at(source, text_start(source));
    std::iter::from_fn(move || {
        while !next.is_end_of_file() {
            let mut line = next;
            next.next_line();
            line.skip_blanks();
            if !matches!(line.first(), None | Some(b'#')) {
                return Some(line);
            }
        }
        None
    })
}

/// Returns the keyword of a line, if it has a valid number of tokens.
fn keyword(mut line: Line<'_>) -> Option<Keyword> {
    let keyword = Keyword::of(line.token().ok()?.bytes)?;
    let (least, most) = match keyword {
        Keyword::As => (1, 1),
        Keyword::Bl => (1, 3),
        Keyword::Ev => (2, 2),
        Keyword::An => (3, 3),
    };
    let tokens = (0..=most).take_while(|_| line.token().is_ok()).count();
    (least..=most).contains(&tokens).then_some(keyword)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_itself_from_others() {
        let confidence = |text: &[u8]| sniff(text).confidence;
        assert_eq!(
            confidence(b"\xef\xbb\xbf# head\r\n\r\n \tas Head\r\n# b\r\nbl neck\r\n"),
            Confidence::Likely
        );
        assert_eq!(confidence(b"as Head\ras Arm"), Confidence::Likely);
        assert_eq!(confidence(b"as Head"), Confidence::Possible);
        for text in [
            "",
            "# as a",
            "[as]\nbl a",
            "bl a\nas b",
            "as you can see\nbl",
            "as Head\nand so on",
            "as\nbl a",
            "AS a\nbl b",
            "as a\nan 1 x",
            "\0as a\nbl b",
        ] {
            assert_eq!(confidence(text.as_bytes()), Confidence::No, "{text}");
        }
    }
}
