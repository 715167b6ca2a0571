//! An edit of any document changes only what it targets.

use fmt_anm_text::{Document, EditError, NewBone, NewClip, NewEvent, NewSet};
use proptest::prelude::*;

/// An edit whose indices may be out of range.
#[derive(Clone, Debug)]
pub(crate) enum AnyEdit {
    RenameSet(usize, String),
    RenameClip(usize, usize, String),
    RenameEvent(usize, usize, String),
    RenameBone(usize, usize, String),
    BoneOptions(usize, usize, [bool; 2]),
    EventTime(usize, usize, f32),
    ClipRange(usize, usize, f32, f32),
    InsertBone(usize, usize, NewBone),
    InsertEvent(usize, usize, NewEvent),
    InsertClip(usize, usize, NewClip),
    InsertSet(usize, NewSet),
    RemoveBone(usize, usize),
    RemoveEvent(usize, usize),
    RemoveClip(usize, usize),
    RemoveSet(usize),
}

fn any_edit() -> impl Strategy<Value = AnyEdit> {
    use AnyEdit::*;
    let set = || 0..3_usize;
    let item = || 0..4_usize;
    let time = || prop_oneof![any::<f32>(), -5.0_f32..100.0];
    let name = || prop_oneof!["[a-e]", "\\PC{0,5}"];
    let bone = || {
        (name(), any::<[bool; 2]>()).prop_map(|(name, [children, parent])| NewBone {
            name,
            children,
            parent,
        })
    };
    let event = || (time(), name()).prop_map(|(time, name)| NewEvent { time, name });
    let clip =
        || (time(), time(), name()).prop_map(|(start, end, name)| NewClip { start, end, name });
    let whole = (
        name(),
        prop::collection::vec(bone(), 1..3),
        prop::collection::vec(event(), 0..3),
        prop::collection::vec(clip(), 1..3),
    )
        .prop_map(|(name, bones, events, clips)| NewSet { name, bones, events, clips });
    prop_oneof![
        (set(), name()).prop_map(|(set, to)| RenameSet(set, to)),
        (set(), item(), name()).prop_map(|(set, at, to)| RenameClip(set, at, to)),
        (set(), item(), name()).prop_map(|(set, at, to)| RenameEvent(set, at, to)),
        (set(), item(), name()).prop_map(|(set, at, to)| RenameBone(set, at, to)),
        (set(), item(), any::<[bool; 2]>()).prop_map(|(set, at, to)| BoneOptions(set, at, to)),
        (set(), item(), time()).prop_map(|(set, at, to)| EventTime(set, at, to)),
        (set(), item(), time(), time())
            .prop_map(|(set, at, from, to)| ClipRange(set, at, from, to)),
        (set(), item(), bone()).prop_map(|(set, at, new)| InsertBone(set, at, new)),
        (set(), item(), event()).prop_map(|(set, at, new)| InsertEvent(set, at, new)),
        (set(), item(), clip()).prop_map(|(set, at, new)| InsertClip(set, at, new)),
        (set(), whole).prop_map(|(set, new)| InsertSet(set, new)),
        (set(), item()).prop_map(|(set, at)| RemoveBone(set, at)),
        (set(), item()).prop_map(|(set, at)| RemoveEvent(set, at)),
        (set(), item()).prop_map(|(set, at)| RemoveClip(set, at)),
        set().prop_map(RemoveSet),
    ]
}

impl AnyEdit {
    /// Edits a document.
    fn apply(&self, document: &mut Document<'_>) -> Result<(), EditError> {
        use AnyEdit::*;
        match self.clone() {
            RenameSet(set, to) => document.rename_set(set, &to),
            RenameClip(set, at, to) => document.rename_clip(set, at, &to),
            RenameEvent(set, at, to) => document.rename_event(set, at, &to),
            RenameBone(set, at, to) => {
                let missing = EditError::Missing { what: "bone", index: at };
                let from = document.set(set).and_then(|set| set.bones().nth(at)).ok_or(missing)?;
                let from = from.name().into_owned();
                document.rename_bone(&from, &to).map(|_| ())
            }
            BoneOptions(set, at, [children, parent]) => {
                document.set_bone_options(set, at, children, parent)
            }
            EventTime(set, at, to) => document.set_event_time(set, at, to),
            ClipRange(set, at, from, to) => document.set_clip_range(set, at, from, to),
            InsertBone(set, at, new) => document.insert_bone(set, at, &new),
            InsertEvent(set, at, new) => document.insert_event(set, at, &new),
            InsertClip(set, at, new) => document.insert_clip(set, at, &new),
            InsertSet(set, new) => document.insert_set(set, &new),
            RemoveBone(set, at) => document.remove_bone(set, at),
            RemoveEvent(set, at) => document.remove_event(set, at),
            RemoveClip(set, at) => document.remove_clip(set, at),
            RemoveSet(set) => document.remove_set(set),
        }
    }

    /// Makes the same change to the sets of a document.
    fn model(self, sets: &mut Vec<NewSet>) {
        use AnyEdit::*;
        match self {
            RenameSet(set, to) => sets[set].name = to,
            RenameClip(set, at, to) => sets[set].clips[at].name = to,
            RenameEvent(set, at, to) => sets[set].events[at].name = to,
            RenameBone(set, at, to) => {
                let old = sets[set].bones[at].name.clone();
                let bones = sets.iter_mut().flat_map(|set| &mut set.bones);
                bones.filter(|bone| bone.name == old).for_each(|bone| bone.name.clone_from(&to));
            }
            BoneOptions(set, at, [children, parent]) => {
                let bone = &mut sets[set].bones[at];
                (bone.children, bone.parent) = (children, parent);
            }
            EventTime(set, at, to) => sets[set].events[at].time = to,
            ClipRange(set, at, from, to) => {
                let clip = &mut sets[set].clips[at];
                (clip.start, clip.end) = (from, to);
            }
            InsertBone(set, at, new) => sets[set].bones.insert(at, new),
            InsertEvent(set, at, new) => sets[set].events.insert(at, new),
            InsertClip(set, at, new) => sets[set].clips.insert(at, new),
            InsertSet(set, new) => sets.insert(set, new),
            RemoveBone(set, at) => drop(sets[set].bones.remove(at)),
            RemoveEvent(set, at) => drop(sets[set].events.remove(at)),
            RemoveClip(set, at) => drop(sets[set].clips.remove(at)),
            RemoveSet(set) => drop(sets.remove(set)),
        }
    }
}

fn is_about_others(error: &EditError) -> bool {
    error.to_string().starts_with("errors in the file")
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
        let leaves_no_bone = matches!(edit, AnyEdit::RemoveBone(..));
        match edit.apply(&mut document) {
            Ok(()) => edit.model(&mut expected),
            Err(error) => {
                prop_assert!(!is_valid || !is_about_others(&error) || leaves_no_bone);
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
        file in conformance::mutations::mutated("anm-text", &["anm"]),
        edits in edits(),
    ) {
        change_what_they_name(file.0, edits)?;
    }
}
