//! `DEF` names of nodes.

use std::borrow::Cow;

use anim_ir::UniqueNames;

/// Makes a unique `DEF` name that is valid in both the XML and classic encodings, replacing invalid
/// characters with `_`.
pub(super) fn def_name(names: &mut UniqueNames<'static>, name: &str, fallback: &str) -> String {
    let name = if name.is_empty() { fallback } else { name };
    let fit = |name: Cow<'static, str>, number: &str| {
        let known = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let mut fitted: String = name.chars().chain(number.chars()).map(known).collect();
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
