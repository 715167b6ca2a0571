//! Everything that can be done with the bytes of an X3D or VRML file.
#![no_main]

use anim_formats::anim_ir::{Limits, validate};
use anim_formats::{
    AnyDocument, ConvertOptions, Format, ParseOptions, SceneOptions, Target, convert,
};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Ok(parsed) = AnyDocument::parse(bytes, Format::X3d, &ParseOptions::default()) else {
        return;
    };
    assert_eq!(parsed.value.to_bytes(), bytes);
    // Small limits: what a small file can blow up to is to be found in little time.
    let limits = Limits { samples: 10_000, ..Limits::default() };
    let scene = parsed.value.to_scene(&SceneOptions { limits, ..SceneOptions::default() }).value;
    assert!(validate(&scene).is_empty());
    convert(&scene, Target::Glb, &ConvertOptions::default()).expect("a valid scene is written");
});
