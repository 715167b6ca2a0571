//! An evaluator of glTF 2.0 files: the node hierarchy, animations, skins and morph targets,
//! as defined by the specification.
//!
//! The `gltf` crate parses and validates the JSON; this module reads and checks the content of
//! accessors. All values are converted to `f64` exactly, and computations use `f64`. Positions are
//! in glTF units (metres) and axes (Y up); times are in seconds.

mod accessor;
mod animation;
mod mesh;
mod model;

use gltf::camera::Projection;
use gltf::{Gltf, buffer};

use self::animation::Animation;
use self::mesh::{Primitive, Skin, read_nodes};
pub use self::model::{Camera, Drawn, Model, Vertex};

/// Reads a GLB whose only buffer, if any, is its BIN chunk.
pub fn read(bytes: &[u8]) -> Model {
    assert!(bytes.starts_with(b"glTF"), "not a GLB");
    let mut file = Gltf::from_slice(bytes).expect("a valid GLB");
    let bin = file.blob.take().unwrap_or_default();
    for buffer in file.buffers() {
        assert!(matches!(buffer.source(), buffer::Source::Bin), "a buffer outside the GLB");
    }
    model(&file, &bin)
}

/// Reads the JSON of a `.gltf` file and the content of its only buffer. The buffer's URI is
/// ignored.
pub fn read_parts(json: &[u8], bin: &[u8]) -> Model {
    assert!(!json.starts_with(b"glTF"), "a GLB instead of JSON");
    model(&Gltf::from_slice(json).expect("valid glTF"), bin)
}

fn model(document: &gltf::Document, bin: &[u8]) -> Model {
    assert!(document.buffers().count() <= 1, "more than one buffer");
    let primitives = |mesh: gltf::Mesh<'_>| {
        mesh.primitives().map(|primitive| Primitive::new(&primitive, bin)).collect()
    };
    let meshes: Vec<Vec<Primitive>> = document.meshes().map(primitives).collect();
    let nodes = read_nodes(document, &meshes);
    let skins: Vec<Skin> = document.skins().map(|skin| Skin::new(&skin, bin)).collect();
    for node in &nodes {
        if let (Some(mesh), Some(skin)) = (node.mesh, node.skin) {
            meshes[mesh].iter().for_each(|primitive| skins[skin].check(primitive));
        }
    }
    let animations =
        document.animations().map(|animation| Animation::new(&animation, &nodes, bin)).collect();
    let cameras = document.cameras().map(|camera| lens(&camera)).collect();
    Model { nodes, meshes, skins, animations, cameras }
}

/// Returns the vertical field of view and the aspect ratio.
fn lens(camera: &gltf::Camera<'_>) -> (f64, Option<f64>) {
    match camera.projection() {
        Projection::Perspective(lens) => {
            (f64::from(lens.yfov()), lens.aspect_ratio().map(f64::from))
        }
        Projection::Orthographic(_) => panic!("orthographic cameras are not supported"),
    }
}
