//! Plays a clip in a game loop and skins its meshes on the CPU.
//!
//! `cargo run -p anim-formats --example play_and_skin [FILE]`

use anim_formats::anim_ir::{Deformer, Player, Pose, Vec3, Wrap};
use anim_formats::{LoadOptions, load};

/// The default file.
pub(crate) const DEFAULT: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/amo/ok/octopus_arm.amo");

/// Plays one second.
pub(crate) fn run(path: &str) -> Result<(), Box<dyn std::error::Error>> {
    let scene = load(path, &LoadOptions::default())?.scene;
    let (id, clip) = scene.enumerate_clips().next().ok_or("the file has no clip")?;
    let (timeline, _) = scene.motion_of(clip).ok_or("the clip has no motion")?;
    let player = Player::new(&scene, id).ok_or("the clip has no motion")?;
    let mut player = player.with_wrap(Wrap::PingPong).with_speed(0.5);

    // Both reuse their buffers, so nothing is allocated after the first frame.
    let (mut pose, mut deformer) = (Pose::default(), Deformer::default());
    for _frame in 0..60 {
        player.advance(1.0 / 60.0);
        player.pose(&mut pose);
        for (node, _) in scene.enumerate_nodes() {
            if deformer.deform_node(&scene, node, timeline.skeleton, &pose) {
                draw(player.time(), deformer.positions(), deformer.normals());
            }
        }
    }
    Ok(())
}

/// Stands in for a renderer that uploads the vertices.
fn draw(time: f64, positions: &[Vec3], normals: &[Vec3]) {
    let top = positions.iter().map(|position| position.y).fold(f32::MIN, f32::max);
    println!(
        "{time:.3} s: {} vertices and {} normals, up to {top}",
        positions.len(),
        normals.len()
    );
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    run(&std::env::args().nth(1).unwrap_or_else(|| DEFAULT.to_owned()))
}
