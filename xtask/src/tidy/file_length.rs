//! Limits files to 500 lines, unless their header comment states a reason.

use super::source::Source;

const MOST: usize = 500;
/// The prefix of the line that states the reason.
const REASON: &str = "//! Long because ";

pub(super) fn problems(sources: &[Source]) -> Vec<String> {
    let long = sources.iter().filter(|source| source.is_compiled_in()).filter_map(|source| {
        let lines = source.text.lines().count();
        (lines > MOST && !has_reason(&source.text)).then(|| {
            format!(
                "{}: {lines} lines; split it or add `{REASON}…` to its header comment",
                source.path
            )
        })
    });
    long.collect()
}

fn has_reason(text: &str) -> bool {
    text.lines().take_while(|line| line.starts_with("//!")).any(|line| line.starts_with(REASON))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(head: &str, lines: usize) -> usize {
        let text = format!("{head}{}", "\n".repeat(lines - head.lines().count()));
        problems(&[Source { path: "crates/a/src/a.rs".to_owned(), text }]).len()
    }

    #[test]
    fn a_long_file_needs_a_reason_in_its_header_comment() {
        assert_eq!(found("//! A table.\n", 500), 0);
        assert_eq!(found("//! A table.\n", 501), 1);
        assert_eq!(found("//! A table.\n//!\n//! Long because it is one.\n", 501), 0);
        assert_eq!(found("//! A table.\n\n//! Long because it is one.\n", 501), 1);
    }
}
