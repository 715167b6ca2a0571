//! Everything that can be done with the bytes of a castle-anim-frames file, whose frames are in it.
#![no_main]

use anim_formats::anim_ir::{Limits, Pose, Sampler, validate};
use anim_formats::{
    AnyDocument, ConvertOptions, Format, ParseOptions, SceneOptions, Target, convert,
};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Ok(parsed) = AnyDocument::parse(bytes, Format::Castle, &ParseOptions::default()) else {
        return;
    };
    assert_eq!(parsed.value.to_bytes(), bytes);
    // Small limits: what a small file can blow up to is to be found in little time.
    let limits = Limits { samples: 10_000, ..Limits::default() };
    let scene = parsed.value.to_scene(&SceneOptions { limits, ..SceneOptions::default() }).value;
    assert!(validate(&scene).is_empty());
    for clip in &scene.clips {
        if let (Some(timeline), Some(skeleton)) =
            (scene.timelines.get(clip.timeline), scene.skeletons.first())
        {
            Sampler::for_clip(skeleton, timeline, clip).sample(0.5, &mut Pose::default());
        }
    }
    convert(&scene, Target::Glb, &ConvertOptions::default()).expect("a valid scene is written");
    // Frames have each mesh wherever it is used. Not every scene can be stills: one without a clip
    // has no frame.
    if scene.nodes.len() < 100
        && let Ok(written) = convert(&scene, Target::Castle, &ConvertOptions::default())
    {
        AnyDocument::parse(&written.value.main[..], Format::Castle, &ParseOptions::default())
            .expect("what is written is read");
    }
});
