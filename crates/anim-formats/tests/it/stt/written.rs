//! Tests writing scenes to STT: scenes read from STT give the same file, other scenes the same
//! poses.

use std::collections::HashMap;

use anim_formats::anim_ir::{Converted, Scene};
use anim_formats::{
    AnyDocument, ConvertError, LoadOptions, NoMachine, Output, Settings, load, stt as fmt_stt,
};
use test_oracle::fixtures::scale;
use test_oracle::glb;
use test_oracle::math::{IDENTITY, Mat4, mul};
use test_oracle::stt::{self, Order};

use super::{Case, generated};
use crate::{cause, format, glb_of, scene_of, testdata, written};

fn write(scene: &Scene) -> Result<Converted<Output>, ConvertError> {
    written(scene, "stt", &[])
}

fn text_of(scene: &Scene) -> String {
    String::from_utf8(write(scene).unwrap().value.main).unwrap()
}

/// Scenes retain the values in the file: degrees, types without effect, node counts, the order of
/// states.
#[test]
fn generated_files_round_trip() {
    let mut lines = 0;
    for seed in 3000..scale(3040, 3100) {
        let case = Case::new(&generated(seed, seed % 2 == 0));
        let written = write(&case.scene).unwrap();
        assert_eq!(written.losses.count(&fmt_stt::codes::FROM_EXTRAS), 1);
        let text = String::from_utf8(written.value.main).unwrap();
        assert_eq!(stt::parse(&text), case.file, "seed {seed}");
        assert!(text.starts_with("#MINDRENDER 1.1\n"));
        lines += text.lines().count();
    }
    assert!(lines > scale(4_000, 10_000), "{lines}");
}

fn is_writable(name: &str) -> bool {
    !name.contains(['{', '}', '\n', '\r'])
}

/// The fixtures without errors round-trip, apart from their layout.
#[test]
fn fixtures_round_trip() {
    let mut seen = 0;
    for folder in ["ok", "warn"] {
        for entry in std::fs::read_dir(testdata("stt").join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let bytes = std::fs::read(&path).unwrap();
            let parsed =
                AnyDocument::parse(&bytes[..], format("stt"), &Settings::default()).unwrap();
            let AnyDocument::Stt(document) = &parsed.value else { panic!("{path:?}") };
            let states: Vec<_> = document.data();
            // Names that the writer rejects are changed.
            if document.states().any(|state| {
                !is_writable(&state.name()) || state.nodes().any(|node| !is_writable(&node.name()))
            }) {
                continue;
            }
            let scene = scene_of(&parsed.value, &[]).value;
            let text = match write(&scene) {
                Ok(written) => written.value.main,
                Err(error) => {
                    assert!(states.is_empty(), "{path:?}: {error}");
                    continue;
                }
            };
            let again = fmt_stt::Document::parse(text).unwrap();
            assert_eq!(again.value.data(), states, "{path:?}");
            seen += 1;
        }
    }
    assert!(seen > 60, "{seen}");
}

/// A file in another format, and its GLB as read by the oracle.
struct Other {
    scene: Scene,
    model: glb::Model,
}

impl Other {
    fn new(path: &str) -> Other {
        let scene = load(testdata(path), &LoadOptions::default()).unwrap().scene;
        let model = glb_of(&scene);
        Other { scene, model }
    }

    /// Compares the poses of the STT file converted from the scene just after every key of every
    /// clip except the last, and halfway between keys if `between` is set. Returns the number of
    /// comparisons.
    fn compare(&self, between: bool) -> usize {
        let file = stt::parse(&text_of(&self.scene));
        let mut compared = 0;
        for (animation, name) in self.model.animation_names().iter().enumerate() {
            let state = file.find(name);
            let keys = self.model.key_times(animation);
            let behind =
                keys.iter().map(|time| time + 1e-5).filter(|time| *time < keys[keys.len() - 1]);
            let halfway =
                keys.windows(2).filter(|_| between).map(|pair| f64::midpoint(pair[0], pair[1]));
            for time in behind.chain(halfway) {
                let pose = stt::pose_at(&file, state, time, Order::Zyx);
                let places: HashMap<String, Mat4> =
                    pose.into_iter().map(|(node, place)| (node, place.matrix())).collect();
                for node in places.keys() {
                    let Some(expected) =
                        without_scale(&self.model.node_world(Some(animation), node, time))
                    else {
                        continue;
                    };
                    let found = self.world(node, &places);
                    let pairs = found.as_flattened().iter().zip(expected.as_flattened());
                    let off = pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                    let size = expected[3].iter().fold(1.0_f64, |most, x| most.max(x.abs()));
                    let label = format!("{name:?} {node:?} at {time}");
                    assert!(off < 1e-3 * size, "{label}: {found:?} {expected:?}");
                    compared += 1;
                }
            }
        }
        compared
    }

    /// Returns a node's place in the model, from the places of nodes relative to their parents.
    fn world(&self, node: &str, places: &HashMap<String, Mat4>) -> Mat4 {
        let (names, parents) = (self.model.node_names(), self.model.node_parents());
        let mut world = IDENTITY;
        let mut next = names.iter().position(|name| name == node);
        while let Some(index) = next {
            let Some(place) = places.get(&names[index]) else { break };
            world = mul(place, &world);
            next = parents[index];
        }
        world
    }

    /// Returns the codes of all diagnostics.
    fn losses(&self) -> Vec<&str> {
        let mut ids: Vec<&str> =
            write(&self.scene).unwrap().losses.iter().map(|loss| loss.code.id).collect();
        ids.dedup();
        ids
    }
}

/// Removes the scale, which STT does not support. Returns `None` for hidden nodes.
fn without_scale(matrix: &Mat4) -> Option<Mat4> {
    let mut plain = *matrix;
    for column in &mut plain[..3] {
        let length = column.iter().map(|x| x * x).sum::<f64>().sqrt();
        if length == 0.0 {
            return None;
        }
        column.iter_mut().for_each(|x| *x /= length);
    }
    Some(plain)
}

/// Children are relative to their parents, so they match between the keys as well.
#[test]
fn a_clip_of_amo() {
    let arm = Other::new("amo/ok/octopus_arm.amo");
    assert!(arm.compare(true) > 8 * 100);
    assert_eq!(
        arm.losses(),
        ["stt-loss-meshes", "stt-loss-extras", "stt-loss-hierarchy", "stt-loss-sampled"]
    );
}

/// Rotations between frames are interpolated spherically in both formats.
#[test]
fn frames_of_castle() {
    let mut compared = 0;
    for name in ["turning", "turning_other_axes"] {
        let other = Other::new(&format!("castle/ok/{name}.castle-anim-frames"));
        compared += other.compare(true);
        assert_eq!(other.losses(), ["stt-loss-meshes", "stt-loss-extras", "stt-loss-sampled"]);
    }
    assert!(compared > 3, "{compared}");
}

/// Stepped y-down frames are written y-up to STT, as they are to GLB.
#[test]
fn frames_of_tmd_anm() {
    let plain = Other::new("tmd-anm/ok/two_frames.anm");
    assert!(plain.compare(true) > 2);
    assert_eq!(plain.losses(), ["stt-loss-sampled"]);
    assert!(Other::new("tmd-anm/ok/rotation_order.anm").compare(true) > 0);
    let scaled = Other::new("tmd-anm/ok/nothing_is_held.anm");
    assert!(scaled.compare(true) > 3);
    assert_eq!(scaled.losses(), ["stt-loss-scale", "stt-loss-sampled"]);
    let hidden = Other::new("tmd-anm/ok/hide_and_show.anm");
    assert!(hidden.compare(true) > 3);
    assert_eq!(hidden.losses(), ["stt-loss-visibility", "stt-loss-sampled"]);
}

#[test]
fn scenes_that_cannot_be_written() {
    let nothing = write(&Scene::default()).unwrap_err();
    assert!(matches!(cause(&nothing), Some(fmt_stt::FromIrError::Empty)), "{nothing}");
    let still = Other::new("amo/ok/spec.amo").scene;
    for target in ["dot", "mermaid"] {
        let drawn = written(&still, target, &[]).unwrap_err();
        assert_eq!(cause(&drawn), Some(&NoMachine), "{drawn}");
    }
}
