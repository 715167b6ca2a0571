//! Fuzzes one file in any format. The first byte selects the format, unless the environment does,
//! so that each format can have a corpus of ordinary files:
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
