//! Names for `DEF`.

use crate::operations::Names;

/// Hands out names that are names in XML and in the classic encoding, each once.
#[derive(Debug, Default)]
pub(super) struct DefNames {
    taken: Names,
}

impl DefNames {
    /// The name, with `_` for what it must not have.
    pub(super) fn give(&mut self, name: &str, fallback: &str) -> String {
        let name = if name.is_empty() { fallback } else { name };
        let mut plain: String = name
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' })
            .collect();
        if !plain.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
            plain.insert(0, '_');
        }
        self.taken.unique(&plain)
    }
}
