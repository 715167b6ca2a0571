//! Reader tests.

mod foreign;
pub(crate) mod hostile;
mod nodes;
mod random;
pub(crate) mod round_trip;

use std::path::PathBuf;

use anim_gltf::{FromIr, from_ir};
use anim_ir::{Converted, Scene, validate};
use test_oracle::fixtures;

/// Writes a scene and reads it back.
pub(crate) fn there_and_back(scene: &Scene, options: &FromIr) -> Converted<Scene> {
    let glb = from_ir(scene, options).unwrap().value;
    let mut read = crate::read(&glb).unwrap();
    assert!(validate(&read.value).is_empty());
    // The node index of a joint is not a property of the scene.
    forget_places(&mut read.value);
    read
}

fn forget_places(scene: &mut Scene) {
    for joint in scene.skeletons.iter_mut().flat_map(|skeleton| &mut skeleton.joints) {
        joint.source_index = 0;
    }
}

fn testdata() -> PathBuf {
    fixtures::folder("gltf")
}

/// Returns all fixtures as (`ok/strip.gltf`, bytes), sorted by name.
fn fixtures() -> Vec<(String, Vec<u8>)> {
    fixtures::all("gltf", &["gltf", "glb"], 100)
}
