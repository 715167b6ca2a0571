//! Edits of documents. The edits and their properties are those of the format crates' tests.

use std::fmt::Debug;

use anim_formats::{AnyDocument, Format, stt as stt_files, tmd_anm as tmd_files};
use conformance::mutations::drawn;
use proptest::strategy::Strategy;
use proptest::test_runner::{TestCaseError, TestCaseResult};

use crate::choice::Choices;

#[path = "../../crates/fmt-amo/tests/it/any_edit.rs"]
mod amo;
#[path = "../../crates/fmt-anm-text/tests/it/any_edit.rs"]
mod anm_text;
#[path = "../../crates/fmt-bvh/tests/it/any_edit.rs"]
mod bvh;
#[path = "../../crates/fmt-castle/tests/it/any_edit.rs"]
mod castle;
/// Content of STT documents, used by the edits.
#[path = "../../crates/fmt-stt/tests/it/strategies.rs"]
mod strategies;
#[path = "../../crates/fmt-stt/tests/it/any_edit.rs"]
mod stt;
#[path = "../../crates/fmt-tmd-anm/tests/it/any_edit.rs"]
mod tmd_anm;

/// Makes a few edits of a file, which depend only on the file.
pub fn exercise(format: Format, bytes: &[u8]) {
    match format.id() {
        "amo" => check(bytes, amo::edits(), amo::change_what_they_name),
        "anm-text" => check(bytes, anm_text::edits(), anm_text::change_what_they_name),
        "bvh" => check(bytes, bvh::edits(), bvh::change_what_they_name),
        "castle" => check(bytes, castle::edits(), castle::change_what_they_name),
        "stt" => check(bytes, stt::edits(), stt::change_what_they_name),
        "tmd-anm" | "tmd-anc" => check(bytes, tmd_anm::edits(), tmd_anm::change_what_they_name),
        // Other documents have no edits.
        _ => {}
    }
}

fn check<E: Debug + Clone>(
    bytes: &[u8],
    edits: impl Strategy<Value = E>,
    property: impl FnOnce(Vec<u8>, E) -> TestCaseResult,
) {
    let edits = drawn(&edits, Choices::of(bytes).number());
    if let Err(TestCaseError::Fail(reason)) = property(bytes.to_vec(), edits.clone()) {
        panic!("{edits:?}: {reason}");
    }
}

/// Takes documents apart and rebuilds them from their content.
pub(crate) fn rebuild(document: &AnyDocument<'_>) {
    match document {
        AnyDocument::Stt(document) => {
            let data = document.data();
            if let Ok(built) = stt_files::Document::build(&data) {
                assert_eq!(built.data(), data);
            }
        }
        AnyDocument::TmdAnm(document) => {
            let sequence = tmd_files::Sequence::of(document);
            if let Ok(parts) = sequence.split() {
                let parts: Vec<&tmd_files::Document<'_>> = parts.iter().collect();
                let joined =
                    tmd_files::Sequence::join(&parts, None).expect("all parts have the same rate");
                assert_eq!(joined.value, sequence);
            }
        }
        AnyDocument::TmdAnc(document) => {
            let sequence = tmd_files::CameraSequence::of(document);
            sequence.write().expect("the number of records does not exceed the number read");
        }
        _ => {}
    }
}
