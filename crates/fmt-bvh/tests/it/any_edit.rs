//! An edit of any document changes only what it targets.

use fmt_bvh::{Document, EditError};
use proptest::prelude::*;

/// An edit whose indices may be out of range. Lists of values have the wrong length if `is_short`.
#[derive(Clone, Debug)]
pub(crate) enum AnyEdit {
    Value(usize, usize, f32),
    Frame { frame: usize, value: f32, is_short: bool },
    FrameTime(f64),
    Offset(usize, [f32; 3]),
    Rename(usize, String),
    Push { value: f32, is_short: bool },
    Pop,
}

fn any_edit() -> impl Strategy<Value = AnyEdit> {
    let frame = || 0..4_usize;
    let joint = || 0..5_usize;
    let number = || prop_oneof![any::<f32>(), -5.0_f32..100.0, Just(0.0)];
    let is_short = || prop::bool::weighted(0.1);
    prop_oneof![
        (frame(), 0..9_usize, number())
            .prop_map(|(frame, channel, value)| AnyEdit::Value(frame, channel, value)),
        (frame(), number(), is_short()).prop_map(|(frame, value, is_short)| AnyEdit::Frame {
            frame,
            value,
            is_short
        }),
        prop_oneof![
            Just(f64::NAN),
            Just(0.0),
            (1..2_000_000_u32).prop_map(|micros| f64::from(micros) / 1e6)
        ]
        .prop_map(AnyEdit::FrameTime),
        (joint(), prop::array::uniform3(number()))
            .prop_map(|(joint, offset)| AnyEdit::Offset(joint, offset)),
        (joint(), prop_oneof!["[a-e]", "\\PC{0,5}", "[A-Z]{4,6}"])
            .prop_map(|(joint, to)| AnyEdit::Rename(joint, to)),
        (number(), is_short()).prop_map(|(value, is_short)| AnyEdit::Push { value, is_short }),
        Just(AnyEdit::Pop),
    ]
}

/// Name, parent, whether it is an end site, offset, channels.
type JointModel = (String, Option<usize>, bool, [f32; 3], String);

/// The content of a document.
#[derive(Clone, Debug, PartialEq)]
struct Model {
    joints: Vec<JointModel>,
    frame_time: Option<f64>,
    declared_frames: Option<u64>,
    frames: Vec<Vec<f32>>,
}

impl Model {
    fn of(document: &Document<'_>) -> Model {
        let joints = document.joints().map(|joint| {
            let name = joint.name().into_owned();
            let channels = format!("{:?}", joint.channels());
            (name, joint.parent(), joint.is_end_site(), joint.offset(), channels)
        });
        Model {
            joints: joints.collect(),
            frame_time: document.frame_time(),
            declared_frames: document.declared_frames(),
            frames: document.frames().map(|frame| frame.values().to_vec()).collect(),
        }
    }

    /// Makes the same change as [`AnyEdit::apply`].
    fn apply(&mut self, edit: AnyEdit, width: usize) {
        match edit {
            AnyEdit::Value(frame, channel, value) => self.frames[frame][channel] = value,
            AnyEdit::Frame { frame, value, .. } => self.frames[frame] = vec![value; width],
            AnyEdit::FrameTime(seconds) => self.frame_time = Some(seconds),
            AnyEdit::Offset(joint, offset) => self.joints[joint].3 = offset,
            AnyEdit::Rename(joint, to) => self.joints[joint].0 = to,
            AnyEdit::Push { value, .. } => {
                self.frames.push(vec![value; width]);
                self.declared_frames = self.declared_frames.map(|frames| frames.saturating_add(1));
            }
            AnyEdit::Pop => {
                self.frames.pop();
                self.declared_frames = self.declared_frames.map(|frames| frames.saturating_sub(1));
            }
        }
    }
}

impl AnyEdit {
    /// Edits a document.
    fn apply(&self, document: &mut Document<'_>) -> Result<(), EditError> {
        let width = document.channels().len();
        let values = |value, is_short| vec![value; width.saturating_sub(usize::from(is_short))];
        match self.clone() {
            AnyEdit::Value(frame, channel, value) => document.set_value(frame, channel, value),
            AnyEdit::Frame { frame, value, is_short } => {
                document.set_frame(frame, &values(value, is_short))
            }
            AnyEdit::FrameTime(seconds) => document.set_frame_time(seconds),
            AnyEdit::Offset(joint, offset) => document.set_offset(joint, offset),
            AnyEdit::Rename(joint, to) => document.rename(joint, &to),
            AnyEdit::Push { value, is_short } => document.push_frame(&values(value, is_short)),
            AnyEdit::Pop => document.pop_frame(),
        }
    }
}

fn is_about_others(error: &EditError) -> bool {
    let error = error.to_string();
    ["ambiguous", "invalid value", "invalid text", "fewer"].iter().any(|word| error.contains(word))
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
        let (before, mut expected) = (document.clone(), Model::of(&document));
        match edit.apply(&mut document) {
            Ok(()) => expected.apply(edit, before.channels().len()),
            Err(error) => {
                prop_assert!(!is_valid || !is_about_others(&error));
                prop_assert_eq!(&document, &before);
            }
        }
        prop_assert_eq!(Model::of(&document), expected);
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
        file in conformance::mutations::mutated("bvh", &["bvh"]),
        edits in edits(),
    ) {
        change_what_they_name(file.0, edits)?;
    }
}
