//! Forbids `cfg` attributes that test for the absence of several features, since such lists grow
//! with every format.

use super::source::Source;

pub(super) fn problems(sources: &[Source]) -> Vec<String> {
    // Split in two so that this file does not contain the attribute.
    let list = ["cfg(not(", "any("].concat();
    let of = |source: &Source| -> Vec<String> {
        let lines = source.text.lines().enumerate().filter(|(_, line)| line.contains(&list));
        lines
            .map(|(at, _)| format!("{}:{}: a list of features", source.path, at.saturating_add(1)))
            .collect()
    };
    sources.iter().filter(|source| source.path.starts_with("crates/")).flat_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_features_below_crates_are_found() {
        let text = ["#[cfg(any(a))]", "#[", "cfg(not(", "any("].concat();
        let of = |path: &str| problems(&[Source { path: path.to_owned(), text: text.clone() }]);
        assert_eq!(of("crates/a/src/lib.rs"), ["crates/a/src/lib.rs:1: a list of features"]);
        assert!(of("xtask/src/main.rs").is_empty());
    }
}
