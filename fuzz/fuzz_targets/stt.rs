//! Everything that can be done with the bytes of an STT file.
#![no_main]

use anim_formats::anim_ir::{Extras, Limits, Pose, StatePlayer, validate};
use anim_formats::stt::{Document, FromIr, ToIr, from_extras, from_ir, to_ir};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Ok(parsed) = Document::parse(bytes) else { return };
    assert_eq!(parsed.value.to_bytes(), bytes);
    let data = parsed.value.data();
    let mut scene = to_ir(&parsed.value, &ToIr::default()).value;
    assert!(validate(&scene).is_empty());
    if let Ok(built) = Document::build(&data) {
        assert_eq!(built.data(), data);
        assert_eq!(from_extras(&scene.extras).expect("they are complete").data(), data);
    }
    let states = parsed.value.states().len();
    if let Some(mut player) = StatePlayer::new(&scene, 0) {
        let mut pose = Pose::default();
        for state in 0..states.min(8) {
            player.request(state);
            player.advance(0.75);
            player.pose(&mut pose);
        }
    }
    let mut document = parsed.value.into_owned();
    for state in (0..states.min(8)).rev() {
        document.remove_state(state).expect("it is there");
    }
    // Without what the scene remembers of the file. Small limits: what a small file can blow up to
    // is to be found in little time.
    scene.extras = Extras::new();
    let limits = Limits { samples: 10_000, ..Limits::default() };
    if let Ok(written) = from_ir(&scene, &FromIr { limits, ..FromIr::default() }) {
        Document::parse(written.value.to_bytes()).expect("what is written is read");
    }
});
