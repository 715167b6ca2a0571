//! Everything that can be done with the bytes of a TMD file.
#![no_main]

use anim_formats::anim_ir::validate;
use anim_formats::{
    AnyDocument, ConvertOptions, Format, ParseOptions, SceneOptions, Target, convert,
};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Ok(parsed) = AnyDocument::parse(bytes, Format::Tmd, &ParseOptions::default()) else {
        return;
    };
    assert_eq!(parsed.value.to_bytes(), bytes);
    let scene = parsed.value.to_scene(&SceneOptions::default()).value;
    assert!(validate(&scene).is_empty());
    convert(&scene, Target::Glb, &ConvertOptions::default()).expect("a valid scene is written");
});
