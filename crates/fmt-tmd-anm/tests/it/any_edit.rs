//! An edit of any document changes only what it targets.

use fmt_tmd_anm::{CameraDocument, CameraSequence, Document, Key, Sequence};
use proptest::prelude::*;
use proptest::sample::Index;

/// A new rate, and the frame and the key to remove. An empty frame gets a key instead.
#[derive(Clone, Debug)]
pub(crate) struct AnyEdit {
    at: [Index; 2],
    rate: i16,
}

/// Asserts that an edit changes only what it targets, and that the edited file is read back as the
/// edited document. The fuzz target `edits` calls this with other files.
pub(crate) fn change_what_they_name(bytes: Vec<u8>, edit: AnyEdit) -> Result<(), TestCaseError> {
    if let Ok(parsed) = Document::parse(bytes.clone()) {
        let mut document = parsed.value;
        document.set_rate(edit.rate);
        prop_assert_eq!(&document.to_bytes()[4..], &bytes[4..]);
        let mut expected = Sequence::of(&document);
        let change = |sequence: &mut Sequence| {
            let count = sequence.frames.len();
            if count == 0 {
                return;
            }
            let frame = &mut sequence.frames[edit.at[0].index(count)];
            match frame.keys.len() {
                0 => frame.keys.push(Key::default()),
                keys => drop(frame.keys.remove(edit.at[1].index(keys))),
            }
        };
        change(&mut expected);
        match document.edit(change) {
            Ok(()) => {
                let again = Document::parse(document.to_bytes()).unwrap();
                prop_assert_eq!(Sequence::of(&again.value), expected);
            }
            Err(_) => prop_assert_eq!(document.to_bytes()[4..].to_vec(), bytes[4..].to_vec()),
        }
    }
    if let Ok(parsed) = CameraDocument::parse(bytes) {
        let mut document = parsed.value;
        let mut expected = CameraSequence::of(&document);
        let change = |sequence: &mut CameraSequence| {
            let count = sequence.keys.len();
            if count > 0 {
                sequence.keys.remove(edit.at[0].index(count));
            }
            sequence.rate = edit.rate;
        };
        change(&mut expected);
        document.edit(change).unwrap();
        let again = CameraDocument::parse(document.to_bytes()).unwrap();
        prop_assert_eq!(CameraSequence::of(&again.value), expected);
    }
    Ok(())
}

/// Returns an edit.
pub(crate) fn edits() -> impl Strategy<Value = AnyEdit> {
    any::<([Index; 2], i16)>().prop_map(|(at, rate)| AnyEdit { at, rate })
}

#[cfg(test)]
proptest! {
    #![proptest_config(ProptestConfig::with_cases(test_oracle::fixtures::scale(500, 5_000)))]

    #[test]
    fn edits_change_what_they_name(
        file in conformance::mutations::mutated("tmd-anm", &["anm", "anc", "ANM", "ANC"]),
        edit in edits(),
    ) {
        change_what_they_name(file.0, edit)?;
    }
}
