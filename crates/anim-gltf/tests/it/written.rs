//! Reads written files with an independent reader: the `gltf` crate and the oracle's evaluator on
//! top of it.

use std::path::PathBuf;

use anim_gltf::{FromIr, from_ir};
use anim_ir::{Diagnostics, Scene};
use gltf::animation::util::ReadOutputs;
use gltf::animation::{Interpolation, Property};
use test_oracle::glb::{self, Model};
use test_oracle::math::Mat4;

pub(crate) struct Written {
    pub(crate) document: gltf::Document,
    pub(crate) bin: Vec<u8>,
    pub(crate) losses: Diagnostics,
    pub(crate) json: serde_json::Value,
    pub(crate) model: Model,
}

/// Returns the folder where tests store files for `scripts/gltf-validate.mjs`.
pub(crate) fn folder() -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("anim-gltf");
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Writes the scene as a GLB, reads it back and keeps the file for the validator.
pub(crate) fn write(name: &str, scene: &Scene) -> Written {
    write_with(name, scene, &FromIr::default())
}

pub(crate) fn write_with(name: &str, scene: &Scene, options: &FromIr) -> Written {
    let glb = from_ir(scene, options).unwrap();
    assert_eq!(from_ir(scene, options).unwrap(), glb, "output is deterministic");
    if !name.is_empty() {
        std::fs::write(folder().join(format!("{name}.glb")), &glb.value).unwrap();
    }
    let parsed = gltf::Glb::from_slice(&glb.value).unwrap();
    assert_eq!(parsed.header.length as usize, glb.value.len());
    Written {
        document: gltf::Gltf::from_slice(&glb.value).unwrap().document,
        losses: glb.losses,
        json: serde_json::from_slice(&parsed.json).unwrap(),
        bin: parsed.bin.map(|bin| bin.into_owned()).unwrap_or_default(),
        model: glb::read(&glb.value),
    }
}

impl Written {
    /// Returns the JSON, pretty-printed and without the version number.
    pub(crate) fn pretty(&self) -> String {
        let mut json = self.json.clone();
        json["asset"]["generator"] = "anim-formats VERSION".into();
        compact(&serde_json::to_string_pretty(&json).unwrap())
    }

    pub(crate) fn node(&self, name: &str) -> gltf::Node<'_> {
        let node = self.document.nodes().find(|node| node.name() == Some(name));
        node.unwrap_or_else(|| panic!("no node {name}"))
    }

    /// Returns the first primitive of a node's mesh.
    pub(crate) fn part(&self, node: &str) -> gltf::Primitive<'_> {
        self.node(node).mesh().unwrap().primitives().next().unwrap()
    }

    pub(crate) fn animation(&self, name: &str) -> gltf::Animation<'_> {
        let animation = self.document.animations().find(|item| item.name() == Some(name));
        animation.unwrap_or_else(|| panic!("no animation {name}"))
    }

    /// Returns the times and values of a channel. The values of all keys are concatenated.
    pub(crate) fn channel(
        &self,
        animation: &str,
        node: &str,
        property: Property,
    ) -> (Vec<f32>, Vec<f32>, Interpolation) {
        let animation = self.animation(animation);
        let is_it = |channel: &gltf::animation::Channel<'_>| {
            let target = channel.target();
            (target.node().name(), target.property()) == (Some(node), property)
        };
        let channel = animation.channels().find(is_it);
        let channel = channel.unwrap_or_else(|| panic!("no channel {property:?} of {node}"));
        let reader = channel.reader(|_| Some(&self.bin));
        let values = match reader.read_outputs().unwrap() {
            ReadOutputs::Translations(values) => values.flatten().collect(),
            ReadOutputs::Scales(values) => values.flatten().collect(),
            ReadOutputs::Rotations(values) => values.into_f32().flatten().collect(),
            ReadOutputs::MorphTargetWeights(values) => values.into_f32().collect(),
        };
        let times = reader.read_inputs().unwrap().collect();
        (times, values, channel.sampler().interpolation())
    }

    pub(crate) fn codes(&self) -> Vec<(&'static str, u64)> {
        self.losses.counts().iter().map(|(code, count)| (code.id, *count)).collect()
    }

    fn number(&self, animation: Option<&str>) -> Option<usize> {
        animation.map(|name| self.animation(name).index())
    }

    /// Returns the world matrix of a node, at a time in an animation or at rest.
    pub(crate) fn world(&self, animation: Option<&str>, time: f64, node: &str) -> Mat4 {
        self.model.node_world(self.number(animation), node, time)
    }

    /// Returns the triangle corners or points of a node with a single primitive.
    pub(crate) fn drawn(&self, animation: Option<&str>, time: f64, node: &str) -> Vec<[f64; 3]> {
        let number = self.node(node).index();
        let mut drawn = self.model.drawn_at(self.number(animation), time);
        drawn.retain(|drawn| drawn.node == number);
        let corners = drawn[0].triangles.as_flattened().iter().chain(&drawn[0].points);
        corners.map(|vertex| vertex.place).collect()
    }
}

/// Puts short arrays on one line to make snapshots more readable.
fn compact(json: &str) -> String {
    let mut out = String::new();
    let mut lines = json.lines().peekable();
    while let Some(line) = lines.next() {
        out.push_str(line);
        let numbers = line.ends_with('[')
            && lines.peek().is_some_and(|next| {
                next.trim().starts_with(|c: char| c.is_ascii_digit() || c == '-')
            });
        if numbers {
            for line in lines.by_ref() {
                let line = line.trim();
                out.push_str(line);
                if line.starts_with(']') {
                    break;
                }
                if line.ends_with(',') {
                    out.push(' ');
                }
            }
        }
        out.push('\n');
    }
    out
}

/// Returns the names of nodes or animations, all of which have a name.
pub(crate) fn names<T>(
    items: impl Iterator<Item = T>,
    name: impl Fn(&T) -> Option<&str>,
) -> Vec<String> {
    items.map(|item| name(&item).unwrap().to_owned()).collect()
}
