//! The error for scenes with more clips than a file can hold.

use thiserror::Error;

use crate::file::diag::quote;
use crate::model::scene::Scene;

/// The error for a scene with several clips or states, for formats that store one per file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}", self.in_file("file"))]
pub struct SeveralClips(pub Vec<String>);

/// Maximum length of a list of names in a message, in bytes.
const LISTED: usize = 300;

/// Lists as many of the names as fit, and counts the rest. Lists at least one.
fn listed(names: &[String]) -> String {
    let mut text = String::new();
    for (number, name) in names.iter().enumerate() {
        let name = quote(name.as_bytes());
        if number > 0 {
            if text.len().saturating_add(name.len()) > LISTED {
                return format!("{text} and {} more", names.len().saturating_sub(number));
            }
            text.push_str(", ");
        }
        text.push_str(&name);
    }
    text
}

impl SeveralClips {
    /// Returns the message for a kind of file, such as `BVH file`.
    pub fn in_file(&self, kind: &str) -> String {
        let SeveralClips(names) = self;
        let (count, names) = (names.len(), listed(names));
        format!("the scene has {count} clips, but a {kind} can hold only one: {names}")
    }

    /// Checks that there is at most one clip or state.
    ///
    /// # Errors
    ///
    /// Returns [`SeveralClips`] with the names if there are several.
    pub fn check(scene: &Scene) -> Result<(), SeveralClips> {
        let playables = scene.playables();
        if playables.len() <= 1 {
            return Ok(());
        }
        Err(SeveralClips(playables.iter().map(|(name, _)| (*name).to_owned()).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_clips_are_escaped_and_their_list_is_limited() {
        let message = |names: Vec<String>| SeveralClips(names).to_string();
        assert_eq!(
            message(vec!["walk".to_owned(), "\u{9b}31m\nrun".to_owned()]),
            r"the scene has 2 clips, but a file can hold only one: `walk`, `\u{9b}31m\u{a}run`"
        );
        let many = message(vec!["x".repeat(200); 2000]);
        assert!(many.len() < 500 && many.ends_with("…` and 1996 more"), "{many}");
    }
}
