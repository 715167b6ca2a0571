//! Generates docs/codes.md: all codes, grouped by format.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use anim_formats::anim_ir::{Category, Code};
use anim_formats::{Format, all_codes};

const HEAD: &str = "\
<!-- Written by `cargo xtask codegen`. -->

# Codes

Every diagnostic has a code, whose meaning never changes. `animfmt check --explain CODE` prints its
entry on this page.

An **error** means that something was skipped, a **warning** that something was accepted although it
is incorrect or suspicious, and a **note** that nothing is wrong. The word after that is the
category:

";

pub(super) fn page() -> String {
    let mut out = HEAD.to_owned();
    for category in Category::ALL {
        // Writing to a `String` cannot fail.
        let _ = writeln!(out, "- **{}**: {}", category.name(), category.meaning());
    }
    let mut left: BTreeSet<&str> = all_codes().iter().map(|code| code.id).collect();
    for format in Format::all() {
        let own: Vec<&Code> =
            format.info().codes.iter().copied().filter(|code| left.remove(code.id)).collect();
        section(&mut out, format.title(), &own);
    }
    let shared: Vec<&Code> =
        all_codes().into_iter().filter(|code| left.contains(code.id)).collect();
    section(&mut out, "Common to several formats", &shared);
    out
}

fn section(out: &mut String, title: &str, codes: &[&Code]) {
    if codes.is_empty() {
        return;
    }
    // Writing to a `String` cannot fail.
    let _ = write!(out, "\n## {title}\n");
    for Code { id, severity, category, meaning, example, action } in codes {
        let (severity, category) = (severity.name(), category.name());
        let _ = write!(out, "\n### {id}\n\n*{severity}, {category}.* {}\n", escaped(meaning));
        if !example.is_empty() {
            let _ = write!(out, "\n```text\n{example}\n```\n");
        }
        let _ = write!(out, "\n{}\n", escaped(action));
    }
}

/// Escapes text for Markdown, except in backticks.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    let mut in_code = false;
    for c in text.chars() {
        in_code ^= c == '`';
        if !in_code && matches!(c, '<' | '*' | '_' | '[' | '\\') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_on_the_page_once() {
        let page = page();
        for code in all_codes() {
            assert_eq!(page.matches(&format!("\n### {}\n", code.id)).count(), 1, "{}", code.id);
        }
    }

    #[test]
    fn text_outside_of_backticks_is_plain() {
        assert_eq!(escaped("a*b `c*d` <e>"), "a\\*b `c*d` \\<e>");
    }
}
