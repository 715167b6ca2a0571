//! An edit of any document changes only what it targets.

use fmt_stt::{
    Behaviour, Channel, Document, EditError, NewKey, NewMotion, NewNode, NewSequence, NewState,
    Part, Step,
};
use proptest::prelude::*;

use super::strategies::{channel, name, number, state as new_state, step};

/// An edit whose indices may be out of range.
#[derive(Clone, Debug)]
pub(crate) enum AnyEdit {
    Vector(usize, usize, Part, [f32; 3]),
    Channel(usize, usize, Part, Channel),
    SequenceType(usize, i32),
    Exit(usize, usize, bool),
    Forward(usize, usize, Step),
    Backward(usize, usize, Step),
    KeyState(usize, usize, String),
    Start(usize, String),
    RenameState(usize, String),
    RenameNode(usize, usize, String),
    Insert(usize, NewState),
    Remove(usize),
    Replace(usize, NewState),
}

fn any_edit() -> impl Strategy<Value = AnyEdit> {
    let state = || 0..5_usize;
    let item = || 0..3_usize;
    let part = || prop::sample::select(Part::ALL.to_vec());
    // Often collides with the name of another state.
    let name = || prop_oneof!["[a-e]", name()];
    prop_oneof![
        (state(), item(), part(), prop::array::uniform3(number()))
            .prop_map(|(state, node, part, value)| AnyEdit::Vector(state, node, part, value)),
        (state(), item(), part(), channel())
            .prop_map(|(state, node, part, value)| AnyEdit::Channel(state, node, part, value)),
        (state(), -2..8).prop_map(|(state, kind)| AnyEdit::SequenceType(state, kind)),
        (state(), item(), any::<bool>())
            .prop_map(|(state, key, exit)| AnyEdit::Exit(state, key, exit)),
        (state(), item(), step()).prop_map(|(state, key, step)| AnyEdit::Forward(state, key, step)),
        (state(), item(), step())
            .prop_map(|(state, key, step)| AnyEdit::Backward(state, key, step)),
        (state(), item(), name()).prop_map(|(state, key, to)| AnyEdit::KeyState(state, key, to)),
        (state(), name()).prop_map(|(state, to)| AnyEdit::Start(state, to)),
        (state(), name()).prop_map(|(state, to)| AnyEdit::RenameState(state, to)),
        (state(), item(), name())
            .prop_map(|(state, node, to)| AnyEdit::RenameNode(state, node, to)),
        (state(), new_state()).prop_map(|(state, new)| AnyEdit::Insert(state, new)),
        state().prop_map(AnyEdit::Remove),
        (state(), new_state()).prop_map(|(state, new)| AnyEdit::Replace(state, new)),
    ]
}

impl AnyEdit {
    /// Edits a document.
    fn apply(&self, document: &mut Document<'_>) -> Result<(), EditError> {
        match self.clone() {
            AnyEdit::Vector(state, node, part, value) => {
                document.set_vector(state, node, part, value)
            }
            AnyEdit::Channel(state, node, part, value) => {
                document.set_channel(state, node, part, value)
            }
            AnyEdit::SequenceType(state, kind) => document.set_sequence_type(state, kind.into()),
            AnyEdit::Exit(state, key, exit) => document.set_exit(state, key, exit),
            AnyEdit::Forward(state, key, step) => document.set_forward(state, key, step),
            AnyEdit::Backward(state, key, step) => document.set_backward(state, key, step),
            AnyEdit::KeyState(state, key, to) => document.set_key_state(state, key, &to),
            AnyEdit::Start(state, to) => document.set_start(state, &to),
            AnyEdit::RenameState(state, to) => document.rename_state(state, &to),
            AnyEdit::RenameNode(state, node, to) => {
                let missing = EditError::Missing { what: "node", index: node };
                let from = document.state(state).and_then(|state| state.nodes().nth(node));
                let from = from.ok_or(missing)?.name().into_owned();
                document.rename_node(&from, &to).map(|_| ())
            }
            AnyEdit::Insert(state, new) => document.insert_state(state, &new),
            AnyEdit::Remove(state) => document.remove_state(state),
            AnyEdit::Replace(state, new) => document.replace_state(state, &new),
        }
    }

    /// Makes the same change to the states of a document.
    fn model(self, states: &mut Vec<NewState>) {
        fn key(states: &mut [NewState], state: usize, key: usize) -> &mut NewKey {
            &mut sequence(states, state).keys[key]
        }
        fn sequence(states: &mut [NewState], state: usize) -> &mut NewSequence {
            let NewMotion::Keyframe(sequence) = &mut states[state].motion else { panic!() };
            sequence
        }
        fn node(states: &mut [NewState], state: usize, node: usize) -> &mut NewNode {
            let NewMotion::Single(nodes) = &mut states[state].motion else { panic!() };
            &mut nodes[node]
        }
        match self {
            AnyEdit::Vector(state, at, part, value) => {
                let Behaviour::Static(parts) = &mut node(states, state, at).behaviour else {
                    panic!()
                };
                parts[part.index()] = value;
            }
            AnyEdit::Channel(state, at, part, value) => {
                let Behaviour::Dynamic(parts) = &mut node(states, state, at).behaviour else {
                    panic!()
                };
                parts[part.index()] = value;
            }
            AnyEdit::SequenceType(state, kind) => sequence(states, state).kind = kind.into(),
            AnyEdit::Exit(state, at, exit) => key(states, state, at).exit = exit,
            AnyEdit::Forward(state, at, step) => key(states, state, at).forward = step,
            AnyEdit::Backward(state, at, step) => key(states, state, at).backward = step,
            AnyEdit::KeyState(state, at, to) => key(states, state, at).state = to,
            AnyEdit::Start(state, to) => sequence(states, state).start = to,
            AnyEdit::RenameState(state, to) => {
                let old = std::mem::replace(&mut states[state].name, to.clone());
                if states.iter().take(state).any(|earlier| earlier.name == old) {
                    return;
                }
                for state in states {
                    let NewMotion::Keyframe(sequence) = &mut state.motion else { continue };
                    let keys = sequence.keys.iter_mut().map(|key| &mut key.state);
                    for name in keys.chain([&mut sequence.start]).filter(|name| **name == old) {
                        name.clone_from(&to);
                    }
                }
            }
            AnyEdit::RenameNode(state, at, to) => {
                let old = node(states, state, at).name.clone();
                for state in states {
                    let NewMotion::Single(nodes) = &mut state.motion else { continue };
                    for node in nodes.iter_mut().filter(|node| node.name == old) {
                        node.name.clone_from(&to);
                    }
                }
            }
            AnyEdit::Insert(state, new) => states.insert(state, new),
            AnyEdit::Remove(state) => drop(states.remove(state)),
            AnyEdit::Replace(state, new) => states[state] = new,
        }
    }
}

/// Asserts that an edit changes only what it targets, and that the edited file is read back as the
/// edited document. The fuzz target `edits` calls this with other files.
pub(crate) fn change_what_they_name(
    bytes: Vec<u8>,
    edits: Vec<AnyEdit>,
) -> Result<(), TestCaseError> {
    let Ok(parsed) = Document::parse(bytes) else { return Ok(()) };
    let is_valid = parsed.diagnostics.is_empty();
    let mut document = parsed.value;
    for edit in edits {
        let (before, mut expected) = (document.clone(), document.data());
        match edit.apply(&mut document) {
            Ok(()) => edit.model(&mut expected),
            Err(error) => {
                prop_assert!(!is_valid || !error.to_string().contains("errors in the file"));
                prop_assert_eq!(&document, &before);
            }
        }
        prop_assert_eq!(document.data(), expected);
        let bytes = document.to_bytes();
        let again = Document::parse(&*bytes).unwrap();
        prop_assert_eq!(&again.value, &document);
    }
    Ok(())
}

/// Returns a few edits.
pub(crate) fn edits() -> impl Strategy<Value = Vec<AnyEdit>> {
    prop::collection::vec(any_edit(), 1..4)
}

#[cfg(test)]
proptest! {
    #![proptest_config(ProptestConfig::with_cases(test_oracle::fixtures::scale(2_000, 10_000)))]

    #[test]
    fn edits_change_what_they_name(
        file in conformance::mutations::mutated("stt", &["stt"]),
        edits in edits(),
    ) {
        change_what_they_name(file.0, edits)?;
    }
}
