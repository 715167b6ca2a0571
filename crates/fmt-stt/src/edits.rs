//! Edits to a document. Each edit replaces only the tokens it affects.

use std::borrow::Cow;
use std::ops::Range;

use anim_ir::diag::quote;
use anim_ir::encoding::Encoding;
use anim_ir::source::Place;
use anim_ir::{EditError, Edits, Span, sort_by};

use crate::content::{Content, KeyData, NodeData, NodeKind, SequenceData, StateKind, with_braces};
use crate::document::Document;
use crate::motion::{Channel, Part, SequenceType, Step};
use crate::options::ParseOptions;
use crate::tokens;
use crate::writer::{NewState, Writer, flag, name, number};

/// Edits. If the target does not exist, a number is not finite, or the format cannot store the
/// name, an edit returns an [`EditError`] and leaves the document unchanged.
#[expect(clippy::missing_errors_doc, reason = "documented on the impl block")]
impl Document<'_> {
    /// Sets a vector of a STATIC node. Unchanged numbers keep their spelling.
    pub fn set_vector(
        &mut self,
        state: usize,
        node: usize,
        part: Part,
        value: [f32; 3],
    ) -> Result<(), EditError> {
        let missing = EditError::Missing { what: "STATIC node", index: node };
        let NodeData { name, kind: NodeKind::Static(vectors) } = *self.node_data(state, node)?
        else {
            return Err(missing);
        };
        let old = *part_of(&mut self.content.vectors, vectors, part).ok_or(missing)?;
        // The keyword is followed by three numbers per part.
        let mut edits = Edits::of(&self.source);
        self.set_numbers(&mut edits, behind(name), 1 + 3 * part.index(), &old, &value)?;
        self.replace_words(&edits);
        if let Some(slot) = part_of(&mut self.content.vectors, vectors, part) {
            *slot = value;
        }
        Ok(())
    }

    /// Sets a channel of a DYNAMIC node. Unchanged numbers keep their spelling.
    pub fn set_channel(
        &mut self,
        state: usize,
        node: usize,
        part: Part,
        value: Channel,
    ) -> Result<(), EditError> {
        let missing = EditError::Missing { what: "DYNAMIC node", index: node };
        let NodeData { name, kind: NodeKind::Dynamic(channels) } = *self.node_data(state, node)?
        else {
            return Err(missing);
        };
        let old = *part_of(&mut self.content.channels, channels, part).ok_or(missing)?;
        let numbers = |channel: Channel| {
            let ([a, b, c], [d, e, f]) = (channel.start, channel.end);
            [a, b, c, d, e, f, channel.period, channel.offset]
        };
        // The keyword is followed by eight numbers and a type per part.
        let first = 1 + 9 * part.index();
        let mut edits = Edits::of(&self.source);
        self.set_numbers(&mut edits, behind(name), first, &numbers(old), &numbers(value))?;
        if old.kind != value.kind {
            let kind = self.word(behind(name), first + 8);
            edits.replace(kind, value.kind.number().to_string())?;
        }
        self.replace_words(&edits);
        if let Some(slot) = part_of(&mut self.content.channels, channels, part) {
            *slot = value;
        }
        Ok(())
    }

    /// Sets the order in which a KEYFRAME state plays its keys.
    pub fn set_sequence_type(&mut self, state: usize, kind: SequenceType) -> Result<(), EditError> {
        let sequence = self.sequence_index(state)?;
        let place = self.state_name(state)?;
        // The type comes after KEYFRAME and the key count.
        let mut edits = Edits::of(&self.source);
        edits.replace(self.word(behind(place), 2), kind.number().to_string())?;
        self.replace_words(&edits);
        if let Some(sequence) = self.content.sequences.get_mut(sequence) {
            sequence.kind = kind;
        }
        Ok(())
    }

    /// Sets whether a KEYFRAME state may be left at a key.
    pub fn set_exit(&mut self, state: usize, key: usize, exit: bool) -> Result<(), EditError> {
        let (start, index) = self.key_start(state, key)?;
        let old = self.key_data(index, key)?.exit;
        if old != exit {
            let mut edits = Edits::of(&self.source);
            edits.replace(self.word(start, 0), flag(exit))?;
            self.replace_words(&edits);
        }
        self.update_key(index, |key| key.exit = exit);
        Ok(())
    }

    /// Sets the step from a key to the next one.
    pub fn set_forward(&mut self, state: usize, key: usize, step: Step) -> Result<(), EditError> {
        let (start, index) = self.key_start(state, key)?;
        self.set_step(start, 1, self.key_data(index, key)?.forward(), step)?;
        let Step { seconds, morph } = step;
        self.update_key(index, |key| (key.forward_seconds, key.forward_morph) = (seconds, morph));
        Ok(())
    }

    /// Sets the step from a key to the previous one.
    pub fn set_backward(&mut self, state: usize, key: usize, step: Step) -> Result<(), EditError> {
        let (start, index) = self.key_start(state, key)?;
        self.set_step(start, 2, self.key_data(index, key)?.backward(), step)?;
        let Step { seconds, morph } = step;
        self.update_key(index, |key| (key.backward_seconds, key.backward_morph) = (seconds, morph));
        Ok(())
    }

    /// Sets the state that a key shows.
    pub fn set_key_state(&mut self, state: usize, key: usize, to: &str) -> Result<(), EditError> {
        let (_, index) = self.key_start(state, key)?;
        let place = self.key_data(index, key)?.name;
        self.rename(&[place], to)
    }

    /// Sets the name of the starting key of a KEYFRAME state.
    pub fn set_start(&mut self, state: usize, to: &str) -> Result<(), EditError> {
        let place = self.sequence_data(state)?.start_name;
        self.rename(&[place], to)
    }

    /// Renames a state and updates the keys and starting keys that refer to it. The new name must
    /// not be in use by another state.
    pub fn rename_state(&mut self, state: usize, to: &str) -> Result<(), EditError> {
        let own = self.state_name(state)?;
        let old = own.of(&self.source);
        if self.states().enumerate().any(|(index, other)| index != state && other.name() == to) {
            return Err(EditError::Taken { what: "state", name: quote(to.as_bytes()) });
        }
        // If several states have the same name, keys refer to the first.
        let is_meant =
            self.content.states.iter().position(|other| other.name.of(&self.source) == old)
                == Some(state);
        let keys = self.content.keys.iter().map(|key| key.name);
        let starts = self.content.sequences.iter().map(|sequence| sequence.start_name);
        let meant = keys.chain(starts).filter(|place| is_meant && place.of(&self.source) == old);
        let mut places: Vec<Place> = meant.chain([own]).collect();
        sort_by(&mut places, |a, b| a.start.cmp(&b.start));
        self.rename(&places, to)
    }

    /// Renames a node in all states. Returns the number of renamed occurrences.
    pub fn rename_node(&mut self, from: &str, to: &str) -> Result<usize, EditError> {
        let nodes = self.content.nodes.iter().map(|node| node.name);
        let places: Vec<Place> =
            nodes.filter(|place| place.text(&self.source, self.content.latin1) == from).collect();
        self.rename(&places, to)?;
        Ok(places.len())
    }

    /// Inserts a state before the state with the given index, or at the end.
    pub fn insert_state(&mut self, before: usize, state: &NewState) -> Result<(), EditError> {
        let text = self.written(state)?;
        let count = self.content.states.len();
        let (at, text) = match self.content.states.get(before) {
            Some(next) => (with_braces(next.name).start, [text, b"\n".to_vec()].concat()),
            None if before == count => {
                let end = before
                    .checked_sub(1)
                    .map_or(self.content.count.span().end, |last| self.state_end(last));
                (end, [b"\n".to_vec(), text].concat())
            }
            None => return Err(EditError::Missing { what: "state", index: before }),
        };
        self.replace_states(before..before, Span::new(at, at), &text, Some(state))
    }

    /// Removes a state, including any invalid text in it. Keys that refer to it are kept.
    pub fn remove_state(&mut self, state: usize) -> Result<(), EditError> {
        let Span { start, end } = self.state_span(state)?;
        // Also remove the whitespace after it, unless that would join two words.
        let mut rest = self.source.get(end..).unwrap_or_default();
        let before = start.checked_sub(1).and_then(|at| self.source.get(at));
        if before.is_some_and(u8::is_ascii_whitespace) {
            tokens::skip_blanks(&mut rest);
        }
        let end = self.source.len().saturating_sub(rest.len());
        self.replace_states(state..state + 1, Span::new(start, end), b"", None)
    }

    /// Replaces a state, including any invalid text in it. Keys that refer to the old name are
    /// kept.
    pub fn replace_state(&mut self, state: usize, by: &NewState) -> Result<(), EditError> {
        let span = self.state_span(state)?;
        let text = self.written(by)?;
        self.replace_states(state..state + 1, span, &text, Some(by))
    }

    /// Formats a state in the file's encoding, without a final line break.
    fn written(&self, state: &NewState) -> Result<Vec<u8>, EditError> {
        let mut writer = Writer::default();
        writer.state(state)?;
        let text = writer.finish();
        let text = self.encoding().encode(text.trim_end_matches('\n'));
        text.map(Cow::into_owned).map_err(|_| EditError::beyond_latin1(&state.name))
    }

    fn encoding(&self) -> Encoding {
        Encoding::utf8_or_latin1(self.content.latin1)
    }

    /// Returns the span of a state.
    fn state_span(&self, index: usize) -> Result<Span, EditError> {
        let state = self.content.states.get(index);
        let state = state.ok_or(EditError::Missing { what: "state", index })?;
        Ok(Span::new(with_braces(state.name).start, self.state_end(index)))
    }

    /// Returns the offset after the last word of a state or, after an error in it, the offset after
    /// the last word before the next state.
    fn state_end(&self, index: usize) -> usize {
        let Content { states, nodes, sequences, keys, broken, .. } = &self.content;
        let Some(state) = states.get(index) else { return self.source.len() };
        if let Ok(at) = broken.binary_search_by_key(&index, |(state, _)| *state as usize) {
            return broken.get(at).map_or(self.source.len(), |(_, unread)| unread.span().end);
        }
        let (name, words) = match state.kind {
            // Skip the keyword and the node count.
            StateKind::Single(run) => match run.of(nodes).last() {
                None => (state.name, 2),
                Some(NodeData { name, kind: NodeKind::Static(_) }) => (*name, 1 + 9),
                Some(NodeData { name, kind: NodeKind::Dynamic(_) }) => (*name, 1 + 27),
            },
            StateKind::Keyframe(sequence) => {
                let sequence = sequences.get(sequence as usize);
                let last = sequence.and_then(|sequence| Some(sequence.keys.of(keys).last()?.name));
                (last.or(sequence.map(|sequence| sequence.start_name)).unwrap_or(state.name), 0)
            }
        };
        let end = behind(name);
        if words == 0 { end } else { self.word(end, words - 1).end }
    }

    /// Replaces states, and the span of the file that contains them, with at most one new state.
    /// Updates the state count and parses the file again, unless other states would then be read
    /// differently.
    fn replace_states(
        &mut self,
        states: Range<usize>,
        span: Span,
        text: &[u8],
        by: Option<&NewState>,
    ) -> Result<(), EditError> {
        let change = i64::from(by.is_some()) - i64::from(!states.is_empty());
        let count = self.content.count;
        let declared = tokens::integer(&mut count.of(&self.source)).unwrap_or(0);
        // After an error, the parser reads past the declared count. If the edit removes the error,
        // it no longer does.
        let counted = declared.max(self.content.states_met.into()).saturating_add(change).max(0);
        let mut edits = Edits::of(&self.source);
        if counted != declared {
            edits.replace(count.span(), counted.to_string())?;
        }
        edits.replace(span, text)?;
        let mut edited = self.clone();
        edited.edit(&edits)?;
        let before = self.states().take(states.start).map(|state| state.data());
        let after = self.states().skip(states.end).map(|state| state.data());
        if !before.chain(by.cloned()).chain(after).eq(edited.states().map(|state| state.data())) {
            return Err(EditError::refused(
                "because of errors in the file, other states would be read differently",
            ));
        }
        *self = edited;
        Ok(())
    }

    fn rename(&mut self, places: &[Place], to: &str) -> Result<(), EditError> {
        let name = name(to)?;
        let text = self.encoding().encode(&name).map_err(|_| EditError::beyond_latin1(to))?;
        let mut edits = Edits::of(&self.source);
        for place in places {
            edits.replace(with_braces(*place), text.as_ref())?;
        }
        self.edit(&edits)
    }

    /// Applies edits and reparses the file, since names may now refer to other states.
    fn edit(&mut self, edits: &Edits<'_>) -> Result<(), EditError> {
        let bytes = edits.apply_as(&self.source, self.content.latin1)?;
        *self = Document::parse_with(bytes, &ParseOptions { limits: self.limits })?.value;
        Ok(())
    }

    /// Applies edits that do not affect names. Only the spans of the parsed content are updated.
    fn replace_words(&mut self, edits: &Edits<'_>) {
        self.source = Cow::Owned(edits.apply(&self.source).into_owned());
        self.content.shift(edits);
    }

    /// Replaces each number whose value changes. `first` is the index of the word that contains the
    /// first number, counting from `from`.
    fn set_numbers(
        &self,
        edits: &mut Edits<'_>,
        from: usize,
        first: usize,
        old: &[f32],
        new: &[f32],
    ) -> Result<(), EditError> {
        let texts =
            new.iter().map(|value| number(*value)).collect::<Result<Vec<String>, EditError>>()?;
        for (index, ((old, new), text)) in old.iter().zip(new).zip(texts).enumerate() {
            if old != new {
                edits.replace(self.word(from, first + index), text)?;
            }
        }
        Ok(())
    }

    /// Replaces the time and flag of one of a key's steps. The words of a key are its exit flag,
    /// times and morph flags; `at` is 1 for the forward step and 2 for the backward step.
    fn set_step(&mut self, start: usize, at: usize, old: Step, new: Step) -> Result<(), EditError> {
        let mut edits = Edits::of(&self.source);
        self.set_numbers(&mut edits, start, at, &[old.seconds], &[new.seconds])?;
        if old.morph != new.morph {
            edits.replace(self.word(start, at + 2), flag(new.morph))?;
        }
        self.replace_words(&edits);
        Ok(())
    }

    /// Returns the span of the `words`-th word after an offset, counting from 0.
    fn word(&self, from: usize, words: usize) -> Span {
        let mut input = self.source.get(from..).unwrap_or_default();
        let mut span = Span::new(from, from);
        for _ in 0..=words {
            // These words have already been parsed successfully.
            let length = tokens::word(&mut input).map_or(0, <[u8]>::len);
            let end = self.source.len().saturating_sub(input.len());
            span = Span::new(end.saturating_sub(length), end);
        }
        span
    }

    fn state_name(&self, index: usize) -> Result<Place, EditError> {
        let state = self.content.states.get(index).map(|state| state.name);
        state.ok_or(EditError::Missing { what: "state", index })
    }

    fn node_data(&self, state: usize, index: usize) -> Result<&NodeData, EditError> {
        let nodes = match self.content.states.get(state).map(|state| state.kind) {
            Some(StateKind::Single(nodes)) => nodes.of(&self.content.nodes),
            _ => return Err(EditError::Missing { what: "SINGLE state", index: state }),
        };
        nodes.get(index).ok_or(EditError::Missing { what: "node", index })
    }

    fn sequence_index(&self, state: usize) -> Result<usize, EditError> {
        let missing = EditError::Missing { what: "KEYFRAME state", index: state };
        self.content.sequence_of(state).ok_or(missing)
    }

    fn sequence_data(&self, state: usize) -> Result<&SequenceData, EditError> {
        let missing = EditError::Missing { what: "KEYFRAME state", index: state };
        self.content.sequences.get(self.sequence_index(state)?).ok_or(missing)
    }

    /// Returns the offset after the name before a key, where the search for its first word starts,
    /// and the key's index among all keys.
    fn key_start(&self, state: usize, key: usize) -> Result<(usize, usize), EditError> {
        let sequence = self.sequence_data(state)?;
        let keys = sequence.keys.of(&self.content.keys);
        if key >= keys.len() {
            return Err(EditError::Missing { what: "key", index: key });
        }
        let before = key.checked_sub(1).and_then(|before| keys.get(before));
        let before = before.map_or(sequence.start_name, |key| key.name);
        Ok((behind(before), sequence.keys.index(key)))
    }

    fn key_data(&self, index: usize, key: usize) -> Result<&KeyData, EditError> {
        self.content.keys.get(index).ok_or(EditError::Missing { what: "key", index: key })
    }

    fn update_key(&mut self, index: usize, change: impl FnOnce(&mut KeyData)) {
        self.content.keys.get_mut(index).map(change);
    }
}

/// Returns one of the three parts of a node.
fn part_of<T>(nodes: &mut [[T; 3]], node: u32, part: Part) -> Option<&mut T> {
    nodes.get_mut(node as usize)?.get_mut(part.index())
}

/// Returns the offset after a name's closing brace.
const fn behind(name: Place) -> usize {
    with_braces(name).end
}
