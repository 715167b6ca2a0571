//! `DEF` names of nodes.

use std::borrow::Cow;

use anim_ir::UniqueNames;
use anim_ir::encoding::truncate;

/// The length of a name in bytes, without a number. Each still has all names, and readers limit
/// their length, this project's to 4,096 bytes.
const LONGEST: usize = 4000;

/// Makes a unique `DEF` name that is valid in both the XML and classic encodings, replacing invalid
/// characters with `_`.
pub(super) fn def_name(names: &mut UniqueNames<'static>, name: &str, fallback: &str) -> String {
    let name = if name.is_empty() { fallback } else { name };
    let fit = |name: Cow<'static, str>, number: &str| {
        let known = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let mut fitted: String = name.chars().map(known).collect();
        truncate(&mut fitted, LONGEST);
        fitted.extend(number.chars().map(known));
        if !fitted.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
            fitted.insert(0, '_');
        }
        Cow::Owned(fitted)
    };
    names.claim_fitted(name.to_owned(), fit).into_owned()
}

/// Formats the attribute with the name of a node that is used again.
pub(super) fn definition(name: Option<&str>) -> String {
    name.map(|name| format!(" DEF=\"{name}\"")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_are_shortened_and_stay_unique() {
        let (mut names, long) = (UniqueNames::default(), "j".repeat(1_000_000));
        let claimed = [(); 2].map(|()| def_name(&mut names, &long, ""));
        let short = "j".repeat(LONGEST);
        assert_eq!(claimed, [short.clone(), format!("{short}_001")]);
    }
}
