//! Small workloads for `cargo xtask counts`. Without an argument, prints their names; with a name,
//! runs that workload once.
//!
//! Each workload creates its input first and then passes its work to [`measured`]. Only
//! instructions executed by the calling thread in that function are counted. Workloads use the
//! public API of the facade and of `anim-preview`. They are adapted when it changes, but always
//! perform the same work on the same input, so that counts remain comparable.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a measurement"
)]

mod inputs;

use std::env;
use std::hint::black_box;

use anim_formats::anim_ir::format::Context;
use anim_formats::anim_ir::{
    Bake, MachineId, NoFiles, Pose, Sampler, Scene, StateId, StatePlayer, Vec3, diff,
};
use anim_formats::{AnyDocument, Format, Settings, convert};
use anim_preview::{Camera, Moment, PreviewOptions, Stage};

const WORKLOADS: [(&str, fn()); 19] = [
    ("amo-parse", amo_parse),
    ("amo-to-scene", amo_to_scene),
    ("amo-to-glb", amo_to_glb),
    ("anm-text-parse", anm_text_parse),
    ("stt-parse", stt_parse),
    ("stt-to-scene", stt_to_scene),
    ("stt-poses", stt_poses),
    ("tmd-anm-to-scene", tmd_anm_to_scene),
    ("castle-to-glb", castle_to_glb),
    ("castle-unequal", castle_unequal),
    ("flat-normals", flat_normals),
    ("vrml-parse", vrml_parse),
    ("glb-to-scene", glb_to_scene),
    ("glb-keys-to-scene", glb_keys_to_scene),
    ("keyed-poses", keyed_poses),
    ("bake", bake),
    ("diff", diff_with_glb),
    ("diff-keys", diff_keys),
    ("picture", picture),
];

fn main() {
    match env::args().nth(1) {
        None => WORKLOADS.iter().for_each(|(name, _)| println!("{name}")),
        Some(name) => WORKLOADS.iter().find(|(known, _)| *known == name).unwrap().1(),
    }
}

/// Runs the work. Instructions are counted only within this function, which valgrind finds by name.
#[inline(never)]
fn measured(work: &mut dyn FnMut()) {
    work();
    // Prevents a tail call, which would leave this function before the work is done.
    black_box(());
}

// Everything below depends on the public API.

fn parse<'a>(bytes: &'a [u8], format: &str) -> AnyDocument<'a> {
    AnyDocument::parse(bytes, format.parse().unwrap(), &Settings::default()).unwrap().value
}

fn to_scene(document: &AnyDocument<'_>) -> Scene {
    let settings = Settings::default();
    document.to_scene(&mut Context { name: "", files: &mut NoFiles, settings: &settings }).value
}

fn to_glb(scene: &Scene) -> Vec<u8> {
    to_glb_with(scene, &Settings::default())
}

fn to_glb_with(scene: &Scene, settings: &Settings) -> Vec<u8> {
    convert(scene, "glb".parse().unwrap(), settings, "").unwrap().value.main
}

fn amo_scene(vertices: usize, frames: usize) -> Scene {
    to_scene(&parse(inputs::amo(vertices, frames).as_bytes(), "amo"))
}

fn amo_parse() {
    let text = inputs::amo(2000, 60);
    measured(&mut || drop(black_box(parse(text.as_bytes(), "amo"))));
}

fn amo_to_scene() {
    let text = inputs::amo(2000, 60);
    let document = parse(text.as_bytes(), "amo");
    measured(&mut || drop(black_box(to_scene(&document))));
}

fn amo_to_glb() {
    let scene = amo_scene(2000, 60);
    measured(&mut || drop(black_box(to_glb(&scene))));
}

fn anm_text_parse() {
    let text = inputs::anm_text(40);
    measured(&mut || drop(black_box(parse(text.as_bytes(), "anm-text"))));
}

fn stt_parse() {
    let text = inputs::stt(8);
    measured(&mut || drop(black_box(parse(text.as_bytes(), "stt"))));
}

fn stt_to_scene() {
    let text = inputs::stt(8);
    measured(&mut || drop(black_box(to_scene(&parse(text.as_bytes(), "stt")))));
}

/// Plays a state machine that enters eight states one after another.
fn stt_poses() {
    let text = inputs::stt(1);
    let scene = to_scene(&parse(text.as_bytes(), "stt"));
    let (mut player, mut pose) =
        (StatePlayer::new(&scene, MachineId::new(0)).unwrap(), Pose::default());
    measured(&mut || {
        for state in 0..8 {
            player.enter(StateId::new(state));
            for _ in 0..200 {
                player.advance(1.0 / 60.0);
                player.pose(&mut pose);
                black_box(&pose);
            }
        }
    });
}

fn tmd_anm_to_scene() {
    let bytes = inputs::tmd_anm(200, 20);
    measured(&mut || drop(black_box(to_scene(&parse(&bytes, "tmd-anm")))));
}

fn castle_to_glb() {
    let text = inputs::castle(8, 400, true);
    let mut settings = Settings::default();
    settings.set(Format::option("no-morph-normals").unwrap(), "true").unwrap();
    measured(&mut || {
        let scene = to_scene(&parse(text.as_bytes(), "castle"));
        drop(black_box(to_glb_with(&scene, &settings)));
    });
}

/// Reads frames whose sheets all differ from those of the previous frame.
fn castle_unequal() {
    let text = inputs::castle(8, 400, false);
    measured(&mut || drop(black_box(to_scene(&parse(text.as_bytes(), "castle")))));
}

/// Writes meshes with morph targets that get flat normals, which almost triples the number of
/// vertices.
fn flat_normals() {
    let text = inputs::castle(8, 400, true);
    let scene = to_scene(&parse(text.as_bytes(), "castle"));
    measured(&mut || drop(black_box(to_glb(&scene))));
}

fn vrml_parse() {
    let text = inputs::vrml(10, 400);
    measured(&mut || drop(black_box(parse(text.as_bytes(), "x3d"))));
}

fn glb_to_scene() {
    let glb = to_glb(&amo_scene(2000, 60));
    measured(&mut || drop(black_box(to_scene(&parse(&glb, "gltf")))));
}

/// Reads keys on all three channels of joints.
fn glb_keys_to_scene() {
    let glb = to_glb(&inputs::keyed(64, 100, 0.0));
    measured(&mut || drop(black_box(to_scene(&parse(&glb, "gltf")))));
}

fn keyed_poses() {
    let scene = amo_scene(3, 60);
    let mut sampler = Sampler::new(&scene.skeletons[0], &scene.timelines[0]);
    let mut pose = Pose::default();
    measured(&mut || {
        for time in 0..2000 {
            sampler.sample(f64::from(time) / 1024.0, &mut pose);
            black_box(&pose);
        }
    });
}

/// Compares a scene with the same scene read back from a GLB.
fn diff_with_glb() {
    let scene = amo_scene(3, 60);
    let read = to_scene(&parse(&to_glb(&scene), "gltf"));
    measured(&mut || {
        let found = diff::diff(&scene, &read, &diff::Options::default()).unwrap();
        assert!(black_box(found).is_same());
    });
}

/// Compares scenes that differ at all keys.
fn diff_keys() {
    let [a, b] = [0.0, 0.5].map(|offset| inputs::keyed(16, 200, offset));
    measured(&mut || {
        let found = diff::diff(&a, &b, &diff::Options::default()).unwrap();
        assert!(!black_box(found).is_same());
    });
}

/// Bakes waves, and a state that plays other states, to keys.
fn bake() {
    let scene = to_scene(&parse(inputs::stt(1).as_bytes(), "stt"));
    measured(&mut || drop(black_box(scene.baked(&Bake::default()).unwrap().value)));
}

/// Draws a textured sheet on this thread.
fn picture() {
    let scene = inputs::textured_sheet(40);
    let options = PreviewOptions::default().with_size(240, 180).with_threads(Some(1));
    let mut stage = Stage::new(&scene, &options).unwrap();
    let (ahead, up) = (Vec3::new(0.1, 0.1, -1.0), Vec3::new(0.0, 1.0, 0.0));
    let camera = Camera::looking_at(Vec3::ZERO, ahead, up, 1.6, 0.1);
    measured(&mut || drop(black_box(stage.draw(Moment::Rest, &camera).unwrap())));
}
