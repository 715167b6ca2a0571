//! The words of a line of a script.

use std::borrow::Cow;

use anim_formats::anim_ir::Span;
use anim_formats::codes::PLAY_SYNTAX;

use super::problem::Problem;

/// A word, or a name in double quotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word<'t> {
    pub(super) text: Cow<'t, str>,
    pub(super) span: Span,
    /// Keywords are not quoted.
    pub(super) is_quoted: bool,
}

/// Splits a line into words. `start` is the offset of the line in the script. A `#` at the start of
/// a word begins a comment.
pub(super) fn words(line: &str, start: usize) -> Result<Vec<Word<'_>>, Problem> {
    let mut words = Vec::new();
    let mut rest = line;
    loop {
        rest = rest.trim_start();
        let from = start.saturating_add(line.len().saturating_sub(rest.len()));
        let (word, length) = match rest.chars().next() {
            None | Some('#') => return Ok(words),
            Some('"') => quoted(rest, from)?,
            Some(_) => {
                let length = rest.find(char::is_whitespace).unwrap_or(rest.len());
                (Cow::Borrowed(rest.get(..length).unwrap_or_default()), length)
            }
        };
        let span = Span::new(from, from.saturating_add(length));
        words.push(Word { text: word, span, is_quoted: rest.starts_with('"') });
        rest = rest.get(length..).unwrap_or_default();
    }
}

/// Returns the name that text starts with, and the length with its quotes.
fn quoted(text: &str, from: usize) -> Result<(Cow<'_, str>, usize), Problem> {
    let whole = Span::new(from, from.saturating_add(text.trim_end().len()));
    let mut name = String::new();
    let mut characters = text.char_indices().skip(1);
    while let Some((place, c)) = characters.next() {
        let next = match c {
            '"' => {
                let length = place.saturating_add(1);
                let rest = text.get(length..).unwrap_or_default();
                if rest.starts_with(|next: char| !next.is_whitespace()) {
                    let span = Span::new(from, from.saturating_add(length));
                    return Err(Problem::new(
                        &PLAY_SYNTAX,
                        span,
                        "expected whitespace after the name",
                    ));
                }
                return Ok((name.into(), length));
            }
            '\\' => characters.next().map(|(_, escaped)| escaped),
            _ => Some(c),
        };
        match next {
            Some(next) if c != '\\' || matches!(next, '"' | '\\') => name.push(next),
            Some(_) => {
                let at = from.saturating_add(place);
                let problem = Problem::new(
                    &PLAY_SYNTAX,
                    Span::new(at, at.saturating_add(2)),
                    "unknown escape",
                );
                return Err(problem.help(
                    "in a quoted name, write `\\\"` for a quote and `\\\\` for a backslash",
                ));
            }
            None => break,
        }
    }
    Err(Problem::new(&PLAY_SYNTAX, whole, "a name without a closing quote"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_end_at_whitespace_and_names_at_their_quote() {
        let texts = |line: &'static str| {
            words(line, 0).map(|words| {
                words.into_iter().map(|word| word.text.into_owned()).collect::<Vec<_>>()
            })
        };
        assert_eq!(texts("  0\tplay  walk#2 # \"x").unwrap(), ["0", "play", "walk#2"]);
        assert_eq!(
            texts(r#"1 play "left \"arm\" \\" loop"#).unwrap(),
            ["1", "play", r#"left "arm" \"#, "loop"]
        );
        assert_eq!(texts("# 0 end").unwrap(), [""; 0]);
        for wrong in [r#"0 play "a"#, r#"0 play "a\"#, r#"0 play "a\n""#, r#"0 play "a"b"#] {
            assert!(texts(wrong).is_err(), "{wrong}");
        }
        let found = words("0 é \"b c\"", 10).unwrap();
        assert_eq!(
            found.iter().map(|word| word.span).collect::<Vec<_>>(),
            [Span::new(10, 11), Span::new(12, 14), Span::new(15, 20)]
        );
    }
}
