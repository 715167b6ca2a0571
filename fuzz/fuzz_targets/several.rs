//! Fuzzes two files that may belong together. The first four bytes are the formats of both and, in
//! 16 bits, the length of the first.
#![no_main]

use anim_formats_fuzz::{chosen, several};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let [first, second, low, high, files @ ..] = bytes else { return };
    let length = usize::from(u16::from_le_bytes([*low, *high]));
    let (a, b) = files.split_at(length.min(files.len()));
    several::exercise(&[(chosen(*first), a), (chosen(*second), b)]);
});
