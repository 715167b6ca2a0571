//! Names that the format can hold, each once.

use anim_ir::diag::quote;
use anim_ir::{Diagnostics, UniqueNames};

use crate::codes;

/// Bytes of a name, so that a number fits behind it.
const LONGEST: usize = 4000;

/// The name, with other characters in place of those that the format lacks, and a number behind it
/// where it is taken.
pub(super) fn unique(
    names: &mut UniqueNames<'_>,
    wanted: &str,
    losses: &mut Diagnostics,
) -> String {
    let name = names.claim(possible(wanted)).into_owned();
    losses.lost(&codes::LOSS_NAME, name != wanted, || {
        format!("{} is written as {}", quote(wanted.as_bytes()), quote(name.as_bytes()))
    });
    name
}

fn possible(name: &str) -> String {
    let character = |c: char| match c {
        '{' => '(',
        '}' => ')',
        c if c.is_control() => '_',
        c => c,
    };
    let mut possible: String = name.chars().map(character).collect();
    let end = (LONGEST - 3..=LONGEST).rev().find(|at| possible.is_char_boundary(*at));
    possible.truncate(end.unwrap_or(LONGEST));
    possible
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_possible_and_unique() {
        let (mut names, mut losses) = (UniqueNames::new(), Diagnostics::new());
        let wanted = ["walk", "walk", "walk.001", "walk", "a{b}\n", "", ""];
        let found = wanted.map(|name| unique(&mut names, name, &mut losses));
        assert_eq!(found, ["walk", "walk.001", "walk.001.001", "walk.002", "a(b)_", "", ".001"]);
        assert_eq!(losses.count(&codes::LOSS_NAME), 5);
        assert_eq!(unique(&mut names, &"é".repeat(4096), &mut losses).len(), 4000);
    }
}
