//! Readers of GLB.

use std::fs;
use std::path::Path;

use anim_formats::anim_ir::Scene;
use anim_formats::gltf::{Document, ToIr, to_ir};
use gltf::Gltf;

use crate::Failure;
use crate::contender::{Found, Work, found, work};
use crate::work::models::{in_scene, sums};

fn scene(input: &'static [u8]) -> Scene {
    to_ir(&Document::parse(input).expect("a valid file").value, &ToIr::default()).value
}

pub fn scenes(input: &'static [u8]) -> Work {
    work(
        move || scene(input),
        |scene| {
            let tracks = scene.timelines.iter().flat_map(|timeline| {
                timeline.tracks().iter().flat_map(|track| timeline.keys(track).values())
            });
            let keys = tracks.flatten().map(|value| f64::from(value.abs())).sum();
            let positions = in_scene(scene)["positions"];
            found([("positions", positions), ("keys", keys)])
        },
    )
}

/// The data of a scene: vertices, indices, inverse bind matrices and keys.
#[derive(Default)]
struct Everything {
    positions: Vec<Vec<[f32; 3]>>,
    normals: Vec<Vec<[f32; 3]>>,
    texcoords: Vec<Vec<[f32; 2]>>,
    joints: Vec<Vec<[u16; 4]>>,
    weights: Vec<Vec<[f32; 4]>>,
    indices: Vec<Vec<u32>>,
    inverses: Vec<Vec<[[f32; 4]; 4]>>,
    times: Vec<Vec<f32>>,
    vectors: Vec<Vec<[f32; 3]>>,
    rotations: Vec<Vec<[f32; 4]>>,
}

fn read(gltf: &Gltf) -> Everything {
    let mut all = Everything::default();
    let buffer = |_: gltf::Buffer<'_>| gltf.blob.as_deref();
    for part in gltf.meshes().flat_map(|mesh| mesh.primitives()) {
        let reader = part.reader(buffer);
        all.positions.extend(reader.read_positions().map(Iterator::collect));
        all.normals.extend(reader.read_normals().map(Iterator::collect));
        all.texcoords.extend(reader.read_tex_coords(0).map(|list| list.into_f32().collect()));
        all.joints.extend(reader.read_joints(0).map(|list| list.into_u16().collect()));
        all.weights.extend(reader.read_weights(0).map(|list| list.into_f32().collect()));
        all.indices.extend(reader.read_indices().map(|list| list.into_u32().collect()));
    }
    for skin in gltf.skins() {
        let matrices = skin.reader(buffer).read_inverse_bind_matrices();
        all.inverses.extend(matrices.map(Iterator::collect));
    }
    for channel in gltf.animations().flat_map(|animation| animation.channels()) {
        use gltf::animation::util::ReadOutputs;
        let reader = channel.reader(buffer);
        all.times.extend(reader.read_inputs().map(Iterator::collect));
        match reader.read_outputs() {
            Some(ReadOutputs::Translations(list)) => all.vectors.push(list.collect()),
            Some(ReadOutputs::Scales(list)) => all.vectors.push(list.collect()),
            Some(ReadOutputs::Rotations(list)) => all.rotations.push(list.into_f32().collect()),
            Some(ReadOutputs::MorphTargetWeights(_)) | None => {}
        }
    }
    all
}

pub fn gltf_crate(input: &'static [u8]) -> Work {
    let run = move || read(&Gltf::from_slice(input).expect("a valid file"));
    work(run, |all| {
        let keys = all.vectors.iter().flat_map(|list| list.as_flattened());
        let keys = keys.chain(all.rotations.iter().flat_map(|list| list.as_flattened()));
        let keys = keys.map(|value| f64::from(value.abs())).sum();
        found([("positions", in_everything(all)["positions"]), ("keys", keys)])
    })
}

fn in_everything(all: &Everything) -> Found {
    let meshes = all.positions.iter().zip(&all.indices);
    sums(
        meshes.flat_map(|(positions, indices)| {
            indices.iter().map(|index| positions[*index as usize])
        }),
    )
}

/// Returns the result of a program that wrote a GLB.
pub fn found_in_file(path: &Path) -> Result<Found, Failure> {
    Ok(in_everything(&read(&Gltf::from_slice(&fs::read(path)?)?)))
}
