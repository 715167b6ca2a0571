//! Applying repairs to a file: only the bytes that they name change.

use crate::{Diagnostic, Diagnostics, Edits, Fix};

/// The diagnostics whose repairs can be applied together, in file order. Of two repairs that
/// overlap, the one that starts first is taken.
pub fn choose(diagnostics: &Diagnostics) -> Vec<&Diagnostic> {
    let mut found: Vec<(&Diagnostic, &Fix)> = diagnostics
        .iter()
        .filter_map(|diagnostic| Some((diagnostic, diagnostic.fix.as_ref()?)))
        .collect();
    found.sort_by_key(|(_, fix)| fix.span);
    let mut edits = Edits::of_length(usize::MAX);
    found.retain(|(_, fix)| edits.replace(fix.span, fix.replacement.as_str()).is_ok());
    found.into_iter().map(|(diagnostic, _)| diagnostic).collect()
}

/// Applies repairs that do not overlap, as [`choose`] returns them. A repair that lies outside the
/// bytes or overlaps an earlier one is skipped.
pub fn apply<'a>(source: &[u8], fixes: impl IntoIterator<Item = &'a Fix>) -> Vec<u8> {
    let mut edits = Edits::of(source);
    for fix in fixes {
        // What cannot be applied is skipped.
        let _ = edits.replace(fix.span, fix.replacement.as_str());
    }
    edits.apply(source).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Category, Code, Severity, Span};

    static WRONG: Code = Code {
        id: "t-wrong",
        severity: Severity::Error,
        category: Category::Syntax,
        meaning: "",
        example: "",
        action: "",
    };

    fn repaired(source: &str, fixes: &[(usize, usize, &str)]) -> String {
        let mut diagnostics = Diagnostics::new();
        for (start, end, replacement) in fixes {
            diagnostics.report(&WRONG, || {
                Diagnostic::new(&WRONG, None, "x").fix(Span::new(*start, *end), *replacement)
            });
        }
        let chosen = choose(&diagnostics);
        let fixes = chosen.iter().filter_map(|diagnostic| diagnostic.fix.as_ref());
        String::from_utf8(apply(source.as_bytes(), fixes)).unwrap()
    }

    #[test]
    fn what_does_not_overlap_is_done_at_once() {
        assert_eq!(repaired("abcdef", &[(4, 5, "E"), (0, 1, ""), (1, 2, "BB")]), "BBcdEf");
        assert_eq!(repaired("abcdef", &[(2, 4, "x"), (1, 3, "y"), (3, 6, "z")]), "ayz");
        assert_eq!(repaired("ab", &[(1, 1, "x"), (1, 1, "y"), (2, 2, "!")]), "axb!");
        let one = "an insertion before what is replaced: one of them";
        assert_eq!(repaired("ab", &[(1, 1, "x"), (1, 2, "y")]), "axb", "{one}");
        assert_eq!(repaired("ab", &[(1, 9, "x")]), "ab", "a place outside the file");
    }
}
