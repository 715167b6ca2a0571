//! An edit of any document changes only what it targets.

use fmt_amo::{Animation, Document, EditError, KeyValue};
use proptest::prelude::*;

/// An edit whose indices may be out of range.
#[derive(Clone, Debug)]
pub(crate) enum AnyEdit {
    Key(usize, usize, KeyValue),
    KeyTime(usize, usize, f32),
    RenameJoint(usize, String),
    RenameAnimation(usize, String),
}

fn any_edit() -> impl Strategy<Value = AnyEdit> {
    let animation = || 0..2_usize;
    let key = || 0..5_usize;
    let number = || prop_oneof![any::<f32>(), -5.0_f32..100.0];
    let value = prop_oneof![
        prop::array::uniform3(number()).prop_map(KeyValue::Position),
        prop::array::uniform4(number()).prop_map(KeyValue::Rotation),
    ];
    let name = || prop_oneof!["[a-e]", "\\PC{0,6}", "[a-z0-9 #-]{1,9}"];
    prop_oneof![
        (animation(), key(), value)
            .prop_map(|(animation, key, to)| AnyEdit::Key(animation, key, to)),
        (animation(), key(), number())
            .prop_map(|(animation, key, to)| AnyEdit::KeyTime(animation, key, to)),
        (0..4_usize, name()).prop_map(|(joint, to)| AnyEdit::RenameJoint(joint, to)),
        (animation(), name()).prop_map(|(animation, to)| AnyEdit::RenameAnimation(animation, to)),
    ]
}

/// Name, parent, rest matrix and tail.
type JointModel = (String, Option<usize>, Option<[f32; 16]>, Vec<f32>);
/// Joint, time and value.
type KeyModel = (u32, f32, KeyValue);
/// Name, duration, group times and keys.
type AnimationModel = (String, Option<f32>, Vec<f32>, Vec<KeyModel>);

/// The content of a document, without spans.
#[derive(Clone, Debug, PartialEq)]
struct Model {
    joints: Vec<JointModel>,
    animations: Vec<AnimationModel>,
    rest: String,
}

impl Model {
    fn of(document: &Document<'_>) -> Model {
        let joints = document
            .joints()
            .iter()
            .map(|joint| (joint.name.clone(), joint.parent, joint.rest, joint.tail.clone()));
        let animation = |animation: &Animation| {
            let keys = animation.keys.iter().map(|key| (key.joint, key.time, key.value));
            let Animation { name, duration_ms, group_times, .. } = animation.clone();
            (name, duration_ms, group_times, keys.collect())
        };
        let objects: Vec<&str> =
            document.objects().iter().map(|object| object.name.as_str()).collect();
        let elements: Vec<(_, Vec<_>)> =
            document.elements().map(|(kind, corners)| (kind, corners.collect())).collect();
        let rest = format!(
            "{} {objects:?} {elements:?} {:?} {:?} {:?} {:?}",
            document.dialect(),
            document.positions(),
            document.texcoords(),
            document.normals(),
            document.materials(),
        );
        Model {
            joints: joints.collect(),
            animations: document.animations().iter().map(animation).collect(),
            rest,
        }
    }

    /// Makes the same change as [`AnyEdit::apply`].
    fn apply(&mut self, edit: AnyEdit) {
        match edit {
            AnyEdit::Key(animation, key, to) => self.animations[animation].3[key].2 = to,
            AnyEdit::KeyTime(animation, key, to) => self.animations[animation].3[key].1 = to,
            AnyEdit::RenameJoint(joint, to) => self.joints[joint].0 = to,
            AnyEdit::RenameAnimation(animation, to) => self.animations[animation].0 = to,
        }
    }
}

impl AnyEdit {
    /// Edits a document.
    fn apply(&self, document: &mut Document<'_>) -> Result<(), EditError> {
        match self.clone() {
            AnyEdit::Key(animation, key, to) => document.set_key(animation, key, to),
            AnyEdit::KeyTime(animation, key, to) => document.set_key_time(animation, key, to),
            AnyEdit::RenameJoint(joint, to) => document.rename_joint(joint, &to),
            AnyEdit::RenameAnimation(animation, to) => document.rename_animation(animation, &to),
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
    let mut document = parsed.value;
    for edit in edits {
        let (before, mut expected) = (document.clone(), Model::of(&document));
        match edit.apply(&mut document) {
            Ok(()) => expected.apply(edit),
            Err(_) => prop_assert_eq!(document.to_bytes(), before.to_bytes()),
        }
        prop_assert_eq!(Model::of(&document), expected.clone());
        let bytes = document.to_bytes();
        prop_assert_eq!(Model::of(&Document::parse(&*bytes).unwrap().value), expected);
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
        file in conformance::mutations::mutated("amo", &["amo", "hnd"]),
        edits in edits(),
    ) {
        change_what_they_name(file.0, edits)?;
    }
}
