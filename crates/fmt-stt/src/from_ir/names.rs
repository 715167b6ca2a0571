//! Names that the format can hold, each once.

use std::collections::HashMap;

use anim_ir::Diagnostics;
use anim_ir::diag::quote;

use crate::codes;

/// Bytes of a name, so that a number fits behind it.
const LONGEST: usize = 4000;

/// Names that are taken, and the number that the next of that name gets.
#[derive(Debug, Default)]
pub(super) struct Names(HashMap<String, usize>);

impl Names {
    /// The name, with other characters in place of those that the format lacks, and a number behind
    /// it where it is taken.
    pub(super) fn unique(&mut self, wanted: &str, losses: &mut Diagnostics) -> String {
        let name = self.numbered(&possible(wanted));
        if name != wanted {
            losses.push(&codes::LOSS_NAME, None, || {
                format!("{} is written as {}", quote(wanted.as_bytes()), quote(name.as_bytes()))
            });
        }
        name
    }

    /// The name, with a number behind it where it is taken.
    pub(super) fn numbered(&mut self, name: &str) -> String {
        let mut number = match self.0.get(name) {
            None => {
                self.0.insert(name.to_owned(), 2);
                return name.to_owned();
            }
            Some(number) => *number,
        };
        loop {
            let numbered = format!("{name} {number}");
            number = number.saturating_add(1);
            if !self.0.contains_key(&numbered) {
                self.0.insert(numbered.clone(), 2);
                self.0.insert(name.to_owned(), number);
                return numbered;
            }
        }
    }
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
        let (mut names, mut losses) = (Names::default(), Diagnostics::new());
        let wanted = ["walk", "walk", "walk 2", "walk", "a{b}\n", "", ""];
        let found = wanted.map(|name| names.unique(name, &mut losses));
        assert_eq!(found, ["walk", "walk 2", "walk 2 2", "walk 3", "a(b)_", "", " 2"]);
        assert_eq!(losses.count(&codes::LOSS_NAME), 5);
        assert_eq!(names.unique(&"é".repeat(4096), &mut losses).len(), 4000);
    }
}
