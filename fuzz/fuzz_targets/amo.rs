//! Everything that can be done with the bytes of an `.amo` file.
#![no_main]

use anim_formats::amo::{Document, ToIr, to_ir};
use anim_formats::anim_ir::{Pose, Sampler, validate};
use anim_formats::{ConvertOptions, Target, convert};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Ok(parsed) = Document::parse(bytes) else { return };
    assert_eq!(parsed.value.to_bytes(), bytes);
    let scene = to_ir(&parsed.value, &ToIr::default()).value;
    assert!(validate(&scene).is_empty());
    for clip in &scene.clips {
        if let (Some(timeline), Some(skeleton)) =
            (scene.timelines.get(clip.timeline), scene.skeletons.first())
        {
            Sampler::for_clip(skeleton, timeline, clip).sample(0.5, &mut Pose::default());
        }
    }
    convert(&scene, Target::Glb, &ConvertOptions::default()).expect("a valid scene is written");
    let written = convert(&scene, Target::Amo, &ConvertOptions::default())
        .expect(
            "a valid scene \
        is written",
        )
        .value
        .main;
    let again = Document::parse(&written[..]).expect("what is written is read").value;
    assert_eq!(again.animations().len(), parsed.value.animations().len());
});
