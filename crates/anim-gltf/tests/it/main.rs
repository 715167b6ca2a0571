//! Reader and writer tests: the conformance suite, written files, and files from other writers.
//! Written files are checked with an independent reader, read back, and kept for the Khronos
//! validator.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    clippy::string_slice,
    reason = "tests may panic"
)]

mod evaluate;
mod read;
mod scenes;
mod write;
mod written;

use anim_gltf::{Document, Gltf, ParseError, ToIr, codes, to_ir};
use anim_ir::{Confidence, Converted, Scene};

conformance::suite! {
    folder: "gltf",
    subjects: vec![Subject::written::<Gltf>()],
    more_than: 100,
    // Positions are JSON pointers, which `fixtures_match_the_expected_results` checks.
    is_unjudged: |_| true,
    is_shown: |_| false,
    confidence: |name, _| name.starts_with("ok/").then_some(Confidence::Likely),
    small: 2_500,
    cases: 4_000,
    growth: read::hostile::growth(),
}

/// Parses a file and converts it to a scene.
fn read(bytes: &[u8]) -> Result<Converted<Scene>, ParseError> {
    let parsed = Document::parse(bytes)?;
    let mut read = to_ir(&parsed.value, &ToIr::default());
    let mut losses = parsed.diagnostics;
    losses.append(read.losses);
    read.losses = losses;
    Ok(read)
}

#[test]
fn every_code_explains_itself() {
    for code in codes::ALL {
        let sentences = code.meaning.ends_with('.') && code.action.ends_with('.');
        assert!(sentences && !code.example.ends_with('.'), "{}", code.id);
    }
}
