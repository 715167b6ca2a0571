// The example in the README.

use anim_formats::anim_ir::{Pose, Sampler};
use anim_formats::{Format, LoadOptions, Settings, convert, load};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let loaded = load("testdata/amo/ok/octopus_arm.amo", &LoadOptions::default())?;
    for problem in &loaded.diagnostics {
        eprintln!("{}: {}", problem.code.id, problem.message);
    }

    let scene = &loaded.scene;
    let mut pose = Pose::default();
    for clip in &scene.clips {
        let Some((timeline, skeleton)) = scene.motion_of(clip) else { continue };
        let mut sampler = Sampler::for_clip(skeleton, timeline, clip);
        sampler.sample(f64::from(clip.start) + 0.25, &mut pose); // seconds
        println!("{}: {} joints", clip.name, pose.transforms.len());
    }

    let glb: Format = "glb".parse()?;
    let written = convert(scene, glb, &Settings::default(), "arm")?;
    std::fs::write("arm.glb", written.value.main)?;
    Ok(())
}
