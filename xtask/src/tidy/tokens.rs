//! Splits a Rust file into tokens, ignoring comments and literals.

/// Returns words, `::`, and other punctuation as single characters.
pub(super) fn tokens(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            _ if first.is_whitespace() => first.len_utf8(),
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => comment(rest),
            _ => literal(rest).unwrap_or_else(|| {
                let length = match word(rest) {
                    0 if rest.starts_with("::") => 2,
                    0 => first.len_utf8(),
                    length => length,
                };
                found.extend(rest.get(..length));
                length
            }),
        };
        rest = rest.get(length..).unwrap_or_default();
    }
    found
}

/// Returns the length of the word at the start.
fn word(text: &str) -> usize {
    text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len())
}

/// Returns the length of the block comment at the start, including nested comments.
fn comment(text: &str) -> usize {
    let mut depth = 0_usize;
    let mut at = 0_usize;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let (step, deeper) = match rest {
            _ if rest.starts_with("/*") => (2, depth.saturating_add(1)),
            _ if rest.starts_with("*/") => (2, depth.saturating_sub(1)),
            _ => (rest.chars().next().map_or(1, char::len_utf8), depth),
        };
        (at, depth) = (at.saturating_add(step), deeper);
        if depth == 0 {
            break;
        }
    }
    at
}

/// Returns the length of the string or character literal at the start, if any.
fn literal(text: &str) -> Option<usize> {
    let after = text.strip_prefix(['b', 'c']).unwrap_or(text);
    let (opened, close, escapes) = if let Some(raw) = after.strip_prefix('r') {
        let inside = raw.trim_start_matches('#');
        let marks = raw.get(..raw.len().checked_sub(inside.len())?)?;
        (inside.strip_prefix('"')?, format!("\"{marks}"), false)
    } else if let Some(inside) = after.strip_prefix('"') {
        (inside, "\"".to_owned(), true)
    } else {
        let inside = after.strip_prefix('\'')?;
        let mut chars = inside.chars();
        // Otherwise, the quote starts a lifetime or a label.
        (chars.next()? == '\\' || chars.next()? == '\'').then_some(())?;
        (inside, "'".to_owned(), true)
    };
    let mut rest = opened;
    while !rest.is_empty() && !rest.starts_with(&close) {
        let mut chars = rest.chars();
        if chars.next() == Some('\\') && escapes {
            chars.next();
        }
        rest = chars.as_str();
    }
    let rest = rest.strip_prefix(&close).unwrap_or(rest);
    text.len().checked_sub(rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_literals_are_ignored() {
        let text = "use a::b; // c::d\n/* e /* f */ g */ /// h\nlet x = \"i\\\"::j\" + k;\n\
                    r#\"l\" m\"# n b\"o\" br\"\\\" p";
        let expected = "use a :: b ; let x = + k ; n p";
        assert_eq!(tokens(text).join(" "), expected);
    }

    #[test]
    fn characters_are_not_lifetimes() {
        let text = "fn f<'a>(c: &'a str) { '{' '\\'' b'}' 'é' '\\u{7b}' 'x: loop {} }";
        let expected = "fn f < ' a > ( c : & ' a str ) { ' x : loop { } }";
        assert_eq!(tokens(text).join(" "), expected);
    }

    #[test]
    fn unterminated_tokens_end_with_the_file() {
        for text in ["a \"b", "a /* b", "a r##\"b\"#", "a '\\"] {
            assert_eq!(tokens(text), ["a"], "{text}");
        }
    }
}
