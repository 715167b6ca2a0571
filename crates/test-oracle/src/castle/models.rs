//! Random animations whose frames are glTF, OBJ or X3D, and their evaluation.
//!
//! Both the files and the expected geometry come from one description, [`Movie`], so nothing is
//! parsed here. Positions are rounded to `f32` before they are written. Consecutive frames turn by
//! less than 170°, so the shortest arc is unambiguous.

mod evaluate;
mod gltf;
mod make;
mod scene;
mod text;

use self::gltf::Place;
pub use self::scene::{Frame, Kind, Mix, Movie, Options};
use super::generate::Generated;
use crate::random::Rng;

/// Generates an animation.
pub fn models(seed: u64, options: Options) -> (Generated, Movie) {
    let mut rng = Rng::new(seed.wrapping_mul(8) ^ 0x006d_6f64_656c_7300);
    let count = options.frames.unwrap_or_else(|| rng.pick(&[1, 2, 2, 3, 3, 4, 5, 7, 12, 30]));
    let movie = make::movie(count, options, &mut rng);
    let generated = written(&movie, &mut rng);
    (generated, movie)
}

/// Writes the same poses as frames of another kind. Panics unless the scenes are simple.
pub fn rewritten(movie: &Movie, kind: Kind, seed: u64) -> (Generated, Movie) {
    let mut movie = movie.clone();
    movie.frames.iter_mut().for_each(|frame| frame.kind = kind);
    let generated = written(&movie, &mut Rng::new(seed));
    (generated, movie)
}

fn written(movie: &Movie, rng: &mut Rng) -> Generated {
    let mut text = String::from("<?xml version=\"1.0\"?>\n<animation name=\"models\">\n");
    let mut files = Vec::new();
    // Different ways of storing glTF are one kind if the folder is the same.
    let one_place = rng.chance(50).then(|| rng.pick(&Place::ALL));
    // Frames in a folder are not blended with those in another.
    let folder = rng.pick(&["", "", "models/"]);
    for (number, (time, frame)) in movie.times.iter().zip(&movie.frames).enumerate() {
        let (name, bytes) = match frame.kind {
            Kind::Gltf => {
                let place = one_place.unwrap_or_else(|| rng.pick(&Place::ALL));
                let place =
                    if folder.is_empty() || !place.is_inlined() { place } else { Place::Glb };
                let made = gltf::gltf(&frame.scene, place, number, rng);
                if let Some((name, bytes)) = made.buffer {
                    files.push((format!("{folder}{name}"), bytes));
                }
                if place.is_inlined() {
                    let json = String::from_utf8(made.main).unwrap();
                    text += &format!(
                        "<frame time=\"{time}\" mime_type=\"model/gltf+json\">{}</frame>\n",
                        text::escaped(&json)
                    );
                    continue;
                }
                let end = if place == Place::Glb { "glb" } else { "gltf" };
                (format!("{folder}{number}.{end}"), made.main)
            }
            Kind::Obj => (format!("{folder}{number}.obj"), text::obj(&frame.scene, rng)),
            Kind::X3d => (format!("{folder}{number}.x3d"), text::x3d(&frame.scene)),
        };
        text += &format!("<frame time=\"{time}\" url=\"{name}\"/>\n");
        files.push((name, bytes));
    }
    text += "</animation>\n";
    Generated { text: text.into_bytes(), files }
}
