//! Edits of documents. The properties are those of the format crates' tests, with edits chosen by
//! the fuzzer.

use std::fmt::Debug;

use anim_formats::{AnyDocument, Format, stt as stt_files, tmd_anm as tmd_files};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{
    Config, RngAlgorithm, TestCaseError, TestCaseResult, TestRng, TestRunner,
};

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

/// Edits a file. The choices determine the edits.
pub fn exercise(format: Format, bytes: &[u8], choices: &[u8]) {
    match format.id() {
        "amo" => check(bytes, choices, amo::edits(), amo::change_what_they_name),
        "anm-text" => check(bytes, choices, anm_text::edits(), anm_text::change_what_they_name),
        "bvh" => check(bytes, choices, bvh::edits(), bvh::change_what_they_name),
        "castle" => check(bytes, choices, castle::edits(), castle::change_what_they_name),
        "stt" => check(bytes, choices, stt::edits(), stt::change_what_they_name),
        "tmd-anm" | "tmd-anc" => {
            check(bytes, choices, tmd_anm::edits(), tmd_anm::change_what_they_name);
        }
        // Other documents have no edits.
        _ => {}
    }
}

fn check<E: Debug + Clone>(
    bytes: &[u8],
    choices: &[u8],
    edits: impl Strategy<Value = E>,
    property: impl FnOnce(Vec<u8>, E) -> TestCaseResult,
) {
    let random = TestRng::from_seed(RngAlgorithm::PassThrough, choices);
    let mut runner = TestRunner::new_with_rng(Config::default(), random);
    let Ok(edits) = edits.new_tree(&mut runner) else { return };
    let edits = edits.current();
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
