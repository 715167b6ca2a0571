//! Families of generated files.

/// Files that repeat a structure any number of times.
pub(super) struct Family {
    pub(super) name: &'static str,
    /// The extension of the file.
    pub(super) extension: &'static str,
    pub(super) content: Content,
    /// The name and content of a second file: one that the first refers to, or a second input.
    pub(super) companion: Option<(&'static str, Content)>,
    /// Whether the second file is an input.
    pub(super) together: bool,
}

/// The content of a file with a given number of repetitions.
pub(super) enum Content {
    Text(&'static [Part]),
    Bytes(fn(usize) -> Vec<u8>),
}

/// A part of a text file. `$n` stands for the number of repetitions. In a repeated part, `$i` is
/// its number, from 0; `$j` the number after it; `$p` the number before it, or -1; `$q` the same in
/// groups of 50, each of which begins with -1; `$r` counts down to 1.
pub(super) enum Part {
    Once(&'static str),
    Each(&'static str),
}

/// A family of single text files: its name, the extension and the parts.
pub(super) type Row = (&'static str, &'static str, &'static [Part]);

impl Family {
    pub(super) const fn new(
        name: &'static str,
        extension: &'static str,
        content: Content,
    ) -> Family {
        Family { name, extension, content, companion: None, together: false }
    }

    pub(super) const fn of((name, extension, parts): Row) -> Family {
        Family::new(name, extension, Content::Text(parts))
    }

    /// Adds a file that the first refers to.
    pub(super) fn with_companion(self, name: &'static str, content: Content) -> Family {
        Family { companion: Some((name, content)), ..self }
    }

    /// Adds a second input.
    pub(super) fn with_input(self, name: &'static str, content: Content) -> Family {
        Family { companion: Some((name, content)), together: true, ..self }
    }

    /// Returns the names and contents of the files, the input first.
    pub(super) fn files(&self, count: usize) -> Vec<(String, Vec<u8>)> {
        let first = (format!("input.{}", self.extension), self.content.generate(count));
        let companion = self.companion.as_ref();
        let companion =
            companion.map(|(name, content)| ((*name).to_owned(), content.generate(count)));
        [first].into_iter().chain(companion).collect()
    }
}

impl Content {
    fn generate(&self, count: usize) -> Vec<u8> {
        match self {
            Content::Bytes(generate) => generate(count),
            Content::Text(parts) => {
                let mut text = String::new();
                for part in *parts {
                    match part {
                        Part::Once(piece) => fill(&mut text, piece, 0, count),
                        Part::Each(piece) => {
                            (0..count).for_each(|number| fill(&mut text, piece, number, count));
                        }
                    }
                }
                text.into_bytes()
            }
        }
    }
}

/// Appends a piece with its placeholders replaced.
fn fill(text: &mut String, piece: &str, number: usize, count: usize) {
    let mut pieces = piece.split('$');
    text.extend(pieces.next());
    for piece in pieces {
        let mut rest = piece.chars();
        let before = |is_first: bool| match number.checked_sub(1).filter(|_| !is_first) {
            Some(before) => before.to_string(),
            None => "-1".to_owned(),
        };
        match rest.next() {
            Some('n') => text.push_str(&count.to_string()),
            Some('i') => text.push_str(&number.to_string()),
            Some('j') => text.push_str(&(number + 1).to_string()),
            Some('p') => text.push_str(&before(false)),
            Some('q') => text.push_str(&before(number.is_multiple_of(50))),
            Some('r') => text.push_str(&(count - number).to_string()),
            _ => {
                text.push('$');
                rest = piece.chars();
            }
        }
        text.push_str(rest.as_str());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_replaced() {
        let parts = &[Part::Once("$n of $x:"), Part::Each(" $i $j $p $q $r"), Part::Once(".")];
        let text = Content::Text(parts).generate(2);
        assert_eq!(String::from_utf8(text).unwrap(), "2 of $x: 0 1 -1 -1 2 1 2 0 0 1.");
    }
}
