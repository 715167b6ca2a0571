//! Loads a file of any format and prints a joint's position for every tenth of a second of a clip.
//!
//! `cargo run -p anim-formats --example load_and_sample [FILE [CLIP JOINT]]`

use anim_formats::anim_ir::{Pose, Sampler, Vec3};
use anim_formats::{LoadOptions, load};

/// The default file, clip and joint.
pub(crate) const DEFAULTS: [&str; 3] =
    [concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/cookbook/reed.amo"), "sway", "tip"];

/// Prints the positions of the joint.
pub(crate) fn run([path, clip, joint]: [&str; 3]) -> Result<(), Box<dyn std::error::Error>> {
    // Companion files (materials, frames, buffers) are also read.
    let loaded = load(path, &LoadOptions::default())?;
    for problem in &loaded.diagnostics {
        eprintln!("{}: {}", problem.code.id, problem.message);
    }

    let scene = &loaded.scene;
    let clip = scene.find_clip(clip).and_then(|clip| scene.clip(clip)).ok_or("no such clip")?;
    let (timeline, skeleton) = scene.motion_of(clip).ok_or("the clip has no motion")?;
    let joint = skeleton.find_joint(joint).ok_or("no such joint")?;

    let mut sampler = Sampler::for_clip(skeleton, timeline, clip);
    let (mut pose, mut matrices) = (Pose::default(), Vec::new());
    let mut time = f64::from(clip.start);
    while time <= f64::from(clip.end) {
        sampler.sample(time, &mut pose); // seconds; allocates on the first call only
        pose.model_matrices(skeleton, &mut matrices);
        let matrix = matrices.get(joint.index()).ok_or("no such joint")?;
        println!("{time:4.1} s: {:?}", matrix.transform_point(Vec3::ZERO).to_array());
        time += 0.1;
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut given = std::env::args().skip(1);
    let given = DEFAULTS.map(|default| given.next().unwrap_or_else(|| default.to_owned()));
    run(given.each_ref().map(String::as_str))
}
