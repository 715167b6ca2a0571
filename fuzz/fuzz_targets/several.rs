//! Fuzzes two files that may be related. The first four bytes are the formats of both files and the
//! 16-bit length of the first file.
#![no_main]

use anim_formats_fuzz::{chosen, several};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let [first, second, low, high, files @ ..] = bytes else { return };
    let length = usize::from(u16::from_le_bytes([*low, *high]));
    let (a, b) = files.split_at(length.min(files.len()));
    several::exercise(&[(chosen(*first), a), (chosen(*second), b)]);
});
