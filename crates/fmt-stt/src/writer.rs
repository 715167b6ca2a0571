//! Builds documents from data: one keyword, number, name or vector per line, like the examples of
//! the specification.

use std::fmt::Write as _;

use anim_ir::number::{parse_f32, shortest};
use anim_ir::{EditError, Limits, Parsed};

use crate::document::{Document, Key, Node, State};
use crate::motion::{Behaviour, SequenceType, Step};
use crate::options::ParseOptions;

/// A state to write.
#[derive(Clone, Debug, PartialEq)]
pub struct NewState {
    /// The name.
    pub name: String,
    /// The nodes of the state, or the states that it plays.
    pub motion: NewMotion,
}

/// The content of a state to write.
#[derive(Clone, Debug, PartialEq)]
pub enum NewMotion {
    /// `SINGLE`: an arrangement of nodes.
    Single(Vec<NewNode>),
    /// `KEYFRAME`: a sequence of other states.
    Keyframe(NewSequence),
}

/// A node to write.
#[derive(Clone, Debug, PartialEq)]
pub struct NewNode {
    /// The name.
    pub name: String,
    /// The node's position and orientation, or how they change.
    pub behaviour: Behaviour,
}

/// The key sequence of a keyframe state to write.
#[derive(Clone, Debug, PartialEq)]
pub struct NewSequence {
    /// The order in which the keys are played.
    pub kind: SequenceType,
    /// The name of the starting key.
    pub start: String,
    /// The keys.
    pub keys: Vec<NewKey>,
}

/// A key to write.
#[derive(Clone, Debug, PartialEq)]
pub struct NewKey {
    /// The name of the state it shows.
    pub state: String,
    /// Whether the keyframe state may be left at this key.
    pub exit: bool,
    /// The step to the next key.
    pub forward: Step,
    /// The step to the previous key.
    pub backward: Step,
}

impl Document<'_> {
    /// Builds a UTF-8 document from the given states.
    ///
    /// # Errors
    ///
    /// [`EditError`] if a number is not finite, or if a name is too long or contains a brace, a
    /// line break or a NUL.
    pub fn build(states: &[NewState]) -> Result<Document<'static>, EditError> {
        Ok(Document::build_parsed(states)?.value)
    }

    /// Like [`Document::build`], with the problems that are found when the text is parsed.
    pub(crate) fn build_parsed(
        states: &[NewState],
    ) -> Result<Parsed<Document<'static>>, EditError> {
        let mut writer = Writer::default();
        writer.line(format_args!("#MINDRENDER 1.1\n{}", states.len()));
        for state in states {
            writer.state(state)?;
        }
        // Parse the text to build the flat arrays.
        let limits = Limits { input_bytes: usize::MAX, ..Limits::default() };
        Ok(Document::parse_with(writer.finish().into_bytes(), &ParseOptions { limits })?)
    }

    /// Returns the content of the document as owned data, for comparison or for building a modified
    /// document.
    pub fn data(&self) -> Vec<NewState> {
        self.states().map(|state| state.data()).collect()
    }
}

impl State<'_> {
    /// Returns the content of the state as owned data, for writing a modified state.
    pub fn data(&self) -> NewState {
        let motion = match self.sequence() {
            None => {
                let node = |node: Node<'_>| NewNode {
                    name: node.name().into_owned(),
                    behaviour: node.behaviour(),
                };
                NewMotion::Single(self.nodes().map(node).collect())
            }
            Some(sequence) => {
                let key = |key: Key<'_>| NewKey {
                    state: key.name().into_owned(),
                    exit: key.exit(),
                    forward: key.forward(),
                    backward: key.backward(),
                };
                let (kind, start) = (sequence.kind(), sequence.start_name().into_owned());
                NewMotion::Keyframe(NewSequence {
                    kind,
                    start,
                    keys: sequence.keys().map(key).collect(),
                })
            }
        };
        NewState { name: self.name().into_owned(), motion }
    }
}

/// Collects the text of a file.
#[derive(Debug, Default)]
pub(crate) struct Writer {
    out: String,
}

impl Writer {
    pub(crate) fn finish(self) -> String {
        self.out
    }

    pub(crate) fn state(&mut self, state: &NewState) -> Result<(), EditError> {
        self.name(&state.name)?;
        match &state.motion {
            NewMotion::Single(nodes) => {
                self.line(format_args!("SINGLE\n{}", nodes.len()));
                nodes.iter().try_for_each(|node| self.node(node))
            }
            NewMotion::Keyframe(sequence) => {
                self.line(format_args!(
                    "KEYFRAME\n{}\n{}",
                    sequence.keys.len(),
                    sequence.kind.number()
                ));
                self.name(&sequence.start)?;
                sequence.keys.iter().try_for_each(|key| self.key(key))
            }
        }
    }

    fn node(&mut self, node: &NewNode) -> Result<(), EditError> {
        self.name(&node.name)?;
        match &node.behaviour {
            Behaviour::Static(vectors) => {
                self.line(format_args!("STATIC"));
                vectors.iter().try_for_each(|vector| self.numbers(vector))
            }
            Behaviour::Dynamic(channels) => {
                self.line(format_args!("DYNAMIC"));
                channels.iter().try_for_each(|channel| {
                    self.numbers(&channel.start)?;
                    self.numbers(&channel.end)?;
                    let (period, offset) = (number(channel.period)?, number(channel.offset)?);
                    self.line(format_args!("{period} {offset} {}", channel.kind.number()));
                    Ok(())
                })
            }
        }
    }

    fn key(&mut self, key: &NewKey) -> Result<(), EditError> {
        let NewKey { state, exit, forward, backward } = key;
        self.line(format_args!("{}", flag(*exit)));
        self.numbers(&[forward.seconds, backward.seconds])?;
        self.line(format_args!("{} {}", flag(forward.morph), flag(backward.morph)));
        self.name(state)
    }

    fn name(&mut self, text: &str) -> Result<(), EditError> {
        self.line(format_args!("{}", name(text)?));
        Ok(())
    }

    fn numbers(&mut self, numbers: &[f32]) -> Result<(), EditError> {
        for (index, value) in numbers.iter().enumerate() {
            self.out.push_str(if index == 0 { "" } else { " " });
            self.out.push_str(&number(*value)?);
        }
        self.out.push('\n');
        Ok(())
    }

    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        // Writing to a String cannot fail.
        let _ = writeln!(self.out, "{line}");
    }
}

/// Formats a flag.
pub(crate) const fn flag(set: bool) -> &'static str {
    if set { "1" } else { "0" }
}

/// Formats a name in braces.
pub(crate) fn name(text: &str) -> Result<String, EditError> {
    let longest = Limits::default().name_bytes;
    if text.len() > longest || text.contains(['{', '}', '\n', '\r', '\0']) {
        let rule = "cannot be written: it must be at most 4096 bytes long, without braces, \
                    line breaks or NULs";
        return Err(EditError::name(text, rule));
    }
    Ok(format!("{{{text}}}"))
}

/// Formats a number with six decimals or, if that would lose precision, in the shortest form that
/// parses to the same value.
pub(crate) fn number(value: f32) -> Result<String, EditError> {
    if !value.is_finite() {
        return Err(EditError::NotFinite("a number"));
    }
    // Write negative zero as zero.
    let six = format!("{:.6}", if value == 0.0 { 0.0 } else { value });
    Ok(if parse_f32(six.as_bytes()) == Ok(value) { six } else { shortest(value) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_six_decimals_where_that_is_enough() {
        let text = |value| number(value).unwrap();
        assert_eq!(
            [50.0, -0.5, 0.1, -0.0, 1e-6].map(text),
            ["50.000000", "-0.500000", "0.100000", "0.000000", "0.000001"]
        );
        assert_eq!([1e-7, 0.12345678, 3e-45].map(text), ["1e-7", "0.12345678", "3e-45"]);
        assert_eq!(number(f32::NAN), Err(EditError::NotFinite("a number")));
    }

    #[test]
    fn names_that_cannot_be_written() {
        for text in ["a{", "}", "a\nb", "a\rb", "\0", &"x".repeat(4097)] {
            assert!(matches!(name(text), Err(EditError::Text { .. })), "{text:?}");
        }
        assert_eq!(name(" a\té ").unwrap(), "{ a\té }");
    }
}
