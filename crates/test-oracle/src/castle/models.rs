//! Random animations whose frames are glTF, OBJ or X3D, and their evaluation.
//!
//! Both the files and the expected geometry come from one description, [`Movie`], so nothing is
//! parsed here. Positions are rounded to `f32` before they are written. Consecutive frames turn by
//! less than 170°, so the shortest arc is unambiguous.

mod evaluate;
mod gltf;
mod make;
mod text;

use self::gltf::Place;
use super::generate::Generated;
use crate::random::Rng;

cases! {
    /// What a frame is written as.
    pub enum Kind {
        Gltf,
        Obj,
        X3d,
    }
}

/// The kinds of frames in a movie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mix {
    /// All frames have this kind.
    Only(Kind),
    /// Runs of frames of all kinds.
    All,
}

/// What is generated.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The number of frames; random if `None`.
    pub frames: Option<usize>,
    pub mix: Mix,
    /// Whether all frames have the same structure.
    pub even: bool,
    /// Whether the scene has only nodes with translation, rotation and scale, and triangles.
    pub simple: bool,
}

/// An animation: what each frame shows, and when.
#[derive(Clone, Debug)]
pub struct Movie {
    /// In seconds, as in the file.
    pub times: Vec<f64>,
    pub frames: Vec<Frame>,
}

#[derive(Clone, Debug)]
pub struct Frame {
    pub kind: Kind,
    pub(crate) scene: Scene,
}

/// A glTF scene. Node 0 and later are in no particular order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scene {
    pub(crate) roots: Vec<usize>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) meshes: Vec<Mesh>,
    pub(crate) skin: Option<Skin>,
}

#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) name: String,
    pub(crate) children: Vec<usize>,
    pub(crate) translation: [f64; 3],
    pub(crate) rotation: [f64; 4],
    pub(crate) scale: [f64; 3],
    pub(crate) mesh: Option<usize>,
    /// Whether the mesh is skinned, by the only skin.
    pub(crate) skinned: bool,
    /// Morph weights instead of those of the mesh.
    pub(crate) weights: Option<Vec<f64>>,
}

#[derive(Clone, Debug)]
pub(crate) struct Mesh {
    pub(crate) primitives: Vec<Primitive>,
    /// The default weight of each morph target.
    pub(crate) weights: Vec<f64>,
}

#[derive(Clone, Debug)]
pub(crate) struct Primitive {
    /// The mode in glTF: 0 is points, 1 to 3 are lines, 4 to 6 are triangles.
    pub(crate) mode: usize,
    pub(crate) points: Vec<[f64; 3]>,
    /// Whether the points are those of the mesh's first primitive, also in the file.
    pub(crate) shares: bool,
    pub(crate) normals: bool,
    pub(crate) targets: Vec<Vec<[f64; 3]>>,
    pub(crate) indices: Option<Vec<usize>>,
    /// For each point, four joints and their weights in 255ths.
    pub(crate) joints: Option<Vec<[(usize, u8); 4]>>,
}

#[derive(Clone, Debug)]
pub(crate) struct Skin {
    pub(crate) joints: Vec<usize>,
    /// Inverse bind matrices; the identity if `None`.
    pub(crate) inverses: Option<Vec<crate::math::Mat4>>,
}

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
