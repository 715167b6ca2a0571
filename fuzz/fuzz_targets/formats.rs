//! Fuzzes one file in any format. The first byte of the input selects the format. If the
//! environment variable `FORMAT` names it instead, the corpus of the format can contain ordinary
//! files:
//!
//! ```sh
//! FORMAT=amo cargo +nightly fuzz run formats fuzz/corpus/amo testdata/amo/ok
//! ```
#![no_main]

use std::sync::LazyLock;

use anim_formats::Format;
use anim_formats_fuzz::{chosen, formats};

static FORMAT: LazyLock<Option<Format>> =
    LazyLock::new(|| Some(std::env::var("FORMAT").ok()?.parse().expect("a known format")));

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    match (*FORMAT, bytes) {
        (Some(format), _) => formats::exercise(format, bytes),
        (None, [choice, file @ ..]) => formats::exercise(chosen(*choice), file),
        (None, []) => {}
    }
});
