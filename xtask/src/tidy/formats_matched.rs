//! Forbids matching on formats outside of their own crates, except in the joins.

use super::source::Source;

/// The registry and the joins, which may match on formats.
const MAY_MATCH: [&str; 10] = [
    "registry.rs",
    "registry_macro.rs",
    "joins.rs",
    "frames.rs",
    "castle_output.rs",
    "resource_files.rs",
    "tmd_files.rs",
    "motion.rs",
    "states.rs",
    "split.rs",
];

pub(super) fn problems(sources: &[Source]) -> Vec<String> {
    let looked_at = |source: &&Source| {
        let joins = source.path.strip_prefix("crates/anim-formats/src/");
        let others = source.path.starts_with("crates/anim-cli/src/");
        others || joins.is_some_and(|name| !MAY_MATCH.contains(&name))
    };
    let of = |source: &Source| -> Vec<String> {
        let lines = source.text.lines().enumerate();
        let lines = lines.filter(|(_, line)| matches_a_format(line));
        lines
            .map(|(at, _)| format!("{}:{}: matches on a format", source.path, at.saturating_add(1)))
            .collect()
    };
    sources.iter().filter(looked_at).flat_map(of).collect()
}

/// Returns whether a line of code names a variant of `AnyDocument`, or tests the type (`.is::<`) or
/// the id of a format. Comments do not count.
fn matches_a_format(line: &str) -> bool {
    let variant =
        line.split("AnyDocument::").skip(1).any(|rest| rest.starts_with(char::is_uppercase));
    let comment = line.trim_start().starts_with("//");
    !comment
        && (variant
            || line.contains(".is::<")
            || line.contains("format.id() ==")
            || line.contains("format().id() =="))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_on_formats_are_found() {
        let text = "// AnyDocument::Amo\nif let AnyDocument::Amo(_) = x {}\nAnyDocument::parse(b)\n\
                    format.is::<Amo>()\n";
        let of = |path: &str| problems(&[Source { path: path.to_owned(), text: text.to_owned() }]);
        let path = "crates/anim-cli/src/info.rs";
        let expected = [2, 4].map(|line| format!("{path}:{line}: matches on a format"));
        assert_eq!(of(path), expected);
        assert!(of("crates/anim-formats/src/joins.rs").is_empty());
    }
}
