//! Everything that can be done with the bytes of a glTF file.
#![no_main]

use anim_formats::anim_ir::{Limits, validate};
use anim_formats::gltf::{NoBuffers, ReadOptions, WriteError, WriteOptions, read, sniff, to_glb};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let mut options = ReadOptions::default();
    options.limits = Limits { input_bytes: 1 << 20, ..Limits::default() };
    let Ok(found) = read(bytes, &mut NoBuffers, &options) else { return };
    assert!(validate(&found.value).is_empty());
    let mut writing = WriteOptions::default();
    writing.max_bytes = 1 << 19;
    sniff(bytes);
    match to_glb(&found.value, &writing) {
        Ok(written) => assert!(read(&written.value, &mut NoBuffers, &options).is_ok()),
        Err(error) => assert!(!matches!(error, WriteError::Invalid { .. }), "{error}"),
    }
});
