//! Tests TMD models and their motion through the facade: to GLB, to TMD ANM, to y-up formats. The
//! results are compared with an independent evaluation.

mod axes;
mod cameras;
mod detected;
mod drawn;
mod to_glb;
mod written;

use anim_formats::anim_ir::{Converted, Scene, validate};
use anim_formats::{TmdFiles, TmdMotion, tmd, tmd_anm, tmd_scene};
use test_oracle::math::Mat4;

use crate::{Set, settings};

/// The bytes of a model and its motions and camera.
#[derive(Clone, Debug, Default)]
struct Files {
    model: Option<Vec<u8>>,
    /// The names and parts of the motions.
    motions: Vec<(String, Vec<Vec<u8>>)>,
    cameras: Vec<(String, Vec<u8>)>,
}

impl Files {
    fn new(model: Option<Vec<u8>>) -> Files {
        Files { model, ..Files::default() }
    }

    fn motion(mut self, name: &str, parts: &[&[u8]]) -> Files {
        self.motions.push((name.to_owned(), parts.iter().map(|part| part.to_vec()).collect()));
        self
    }

    fn camera(mut self, name: &str, bytes: &[u8]) -> Files {
        self.cameras.push((name.to_owned(), bytes.to_vec()));
        self
    }

    /// Returns the combined scene, which is valid whatever problems the files have.
    fn scene(&self, options: Set<'_>) -> Converted<Scene> {
        let model =
            self.model.as_ref().map(|bytes| tmd::Document::parse(&bytes[..]).unwrap().value);
        let parse = |bytes: &Vec<u8>| tmd_anm::Document::parse(bytes.clone()).unwrap().value;
        let motions: Vec<(&String, Vec<_>)> = self
            .motions
            .iter()
            .map(|(name, parts)| (name, parts.iter().map(parse).collect()))
            .collect();
        let cameras: Vec<_> = self
            .cameras
            .iter()
            .map(|(name, bytes)| (name, tmd_anm::CameraDocument::parse(&bytes[..]).unwrap().value))
            .collect();
        let files = TmdFiles {
            model: model.as_ref(),
            motions: motions
                .iter()
                .map(|(name, parts)| TmdMotion {
                    name: (*name).clone(),
                    documents: parts.iter().collect(),
                })
                .collect(),
            cameras: cameras.iter().map(|(name, camera)| ((*name).clone(), camera)).collect(),
        };
        let made = tmd_scene(&files, &settings(options));
        let invalid = validate(&made.value);
        assert!(invalid.is_empty(), "{invalid:?}");
        made
    }
}

/// Returns a packed file whose frames have complete keys.
fn anm(rate: i16, frames: &[&[Key]]) -> Vec<u8> {
    let keys = |frame: &&[Key]| frame.iter().copied().map(Key::to_ir).collect();
    let frames = frames.iter().map(|frame| tmd_anm::NewFrame::new(keys(frame))).collect();
    tmd_anm::Sequence { rate, frames, trailing: Vec::new() }.write().unwrap().to_bytes().to_vec()
}

/// An object and its transform.
#[derive(Clone, Copy)]
struct Key(u8, [i16; 3]);

impl Key {
    fn to_ir(self) -> tmd_anm::Key {
        tmd_anm::Key { object: self.0, position: Some(self.1), ..tmd_anm::Key::default() }
    }
}

/// Asserts that two matrices are equal: rotation and scale within a millionth of the largest scale,
/// positions within a millionth of the farthest position.
#[track_caller]
fn assert_near(found: &Mat4, expected: &Mat4, farthest: f64, label: &str) {
    for (column, (a, b)) in found.iter().zip(expected).enumerate() {
        let bound = 1e-6 * if column < 3 { 8.0 } else { farthest };
        assert!(
            a.iter().zip(b).all(|(a, b)| (a - b).abs() <= bound),
            "{label}:\n{found:?}\n{expected:?}"
        );
    }
}

/// Returns the start time of a frame in glTF.
fn start(frame: usize, rate: f64) -> f64 {
    f64::from((frame as f64 / rate) as f32)
}

/// Returns the start and midpoint of a frame, and the time just before the next frame starts.
fn moments(frame: usize, rate: f64) -> [f64; 3] {
    let (from, to) = (start(frame, rate), start(frame + 1, rate));
    [from, f64::midpoint(from, to), f64::from((to as f32).next_down())]
}
