//! Tests the evaluators with hand-computed cases and with generated files.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::panic,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "test code, which may panic"
)]

mod generators;
mod glb;

mod amo {
    mod evaluate;
    mod generate;
}

mod anm_text {
    mod evaluate;
    mod generate;
}

mod castle {
    mod evaluate;
    mod generate;
}

mod play {
    mod events;
    mod machine;
    mod mixer;
    mod root_motion;
}

mod stt {
    mod evaluate;
    mod generate;
    mod play;
}

mod tmd {
    mod evaluate;
    mod generate;
}

#[track_caller]
fn close(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    assert!(
        found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9),
        "{found:?} is not {expected:?}"
    );
}
