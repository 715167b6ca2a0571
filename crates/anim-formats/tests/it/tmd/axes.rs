//! Tests writing y-down scenes to y-up formats.

use anim_formats::anim_ir::{Axes, Scene};
use test_oracle::{amo as amo_oracle, castle as castle_oracle};

use super::{Files, Key, anm, start};
use crate::{assert_said, written};

/// Returns a scene with a camera and a triangle that is visible only in the first frame.
fn scene() -> Scene {
    let words: [u32; 10] = [0x41, 0, 1, 28, 3, 0, 0, 52, 1, 0];
    let vertices: [i16; 12] = [0, 0, 0, 0, 10, 0, 0, 0, 10, 20, 30, 0];
    let mut model: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    model.extend(vertices.iter().flat_map(|number| number.to_le_bytes()));
    model.extend([4, 3, 3, 0x21, 255, 128, 0, 0x21, 0, 0, 1, 0, 2, 0, 0, 0]);
    let motion = anm(10, &[&[Key(0, [1, 2, 3])], &[]]);
    let camera: Vec<u8> = [i16::MIN, 10, 1, 0, 0, -500, 0, 0, 0, 0, 512]
        .into_iter()
        .flat_map(i16::to_le_bytes)
        .collect();
    let scene =
        Files::new(Some(model)).motion("A", &[&motion]).camera("FLY", &camera).scene(&[]).value;
    assert_eq!(scene.axes, Axes::YDown);
    scene
}

/// The position of the triangle in the first frame, with y up.
const PLACES: [[f64; 3]; 3] = [[1.0, -2.0, -3.0], [11.0, -2.0, -3.0], [11.0, -22.0, -33.0]];

fn assert_places(found: &[[f64; 3]], what: &str) {
    let near = |a: &[f64; 3], b: &[f64; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-3);
    assert!(
        !found.is_empty()
            && PLACES.iter().all(|place| found.iter().any(|other| near(place, other))),
        "{what}: {found:?}"
    );
    assert!(
        found.iter().all(|other| PLACES.iter().any(|place| near(place, other))),
        "{what}: {found:?}"
    );
}

#[test]
fn to_animated_obj() {
    let made = written(&scene(), "amo", &[]).unwrap();
    assert_said(&made.losses, "amo-loss-visibility", "");
    assert_said(&made.losses, "amo-loss-camera", "");
    let model = amo_oracle::read(&made.value.main, amo_oracle::Dialect::Spec);
    let clip = model.clips.iter().position(|clip| clip.name == "A").unwrap();
    assert_places(&model.face_corners_at(clip, start(0, 10.0)).concat(), "amo");
}

#[test]
fn to_castle_anim_frames() {
    let made = written(&scene(), "castle", &[("fps", "10")]).unwrap();
    assert_said(&made.losses, "castle-loss-camera", "");
    let movie =
        castle_oracle::read(&made.value.main, &|_| panic!("the output refers to another file"));
    let clip = movie.animations.iter().find(|animation| animation.name == "A").unwrap();
    assert_places(&clip.corners_at(clip.times[0]), "castle");
    assert!(clip.corners_at(clip.times[1]).is_empty(), "hidden in the second frame");
}
