//! Files that were written, read by another reader: an evaluator of glTF in f64, written against
//! the specification.

use std::collections::HashMap;
use std::path::PathBuf;

use anim_gltf::{FromIr, from_ir};
use anim_ir::{Diagnostics, Scene};
use gltf::animation::util::ReadOutputs;
use gltf::animation::{Interpolation, Property};

/// Column-major.
pub(crate) type Matrix = [[f64; 4]; 4];

pub(crate) const IDENTITY: Matrix =
    [[1., 0., 0., 0.], [0., 1., 0., 0.], [0., 0., 1., 0.], [0., 0., 0., 1.]];

pub(crate) struct Written {
    pub(crate) document: gltf::Document,
    pub(crate) bin: Vec<u8>,
    pub(crate) losses: Diagnostics,
    pub(crate) json: serde_json::Value,
}

/// Where the tests leave their files for `scripts/gltf-validate.mjs`.
pub(crate) fn folder() -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("anim-gltf");
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Writes the scene as GLB, reads it back, and leaves the file where the validator can be run on
/// it.
pub(crate) fn write(name: &str, scene: &Scene) -> Written {
    write_with(name, scene, &FromIr::default())
}

pub(crate) fn write_with(name: &str, scene: &Scene, options: &FromIr) -> Written {
    let glb = from_ir(scene, options).unwrap();
    assert_eq!(from_ir(scene, options).unwrap(), glb, "the same every time");
    if !name.is_empty() {
        std::fs::write(folder().join(format!("{name}.glb")), &glb.value).unwrap();
    }
    read(&glb.value, glb.losses)
}

pub(crate) fn read(bytes: &[u8], losses: Diagnostics) -> Written {
    let parsed = gltf::Glb::from_slice(bytes).unwrap();
    assert_eq!(parsed.header.length as usize, bytes.len());
    let json = serde_json::from_slice(&parsed.json).unwrap();
    let bin = parsed.bin.map(|bin| bin.into_owned()).unwrap_or_default();
    let document = gltf::Gltf::from_slice(bytes).unwrap().document;
    Written { document, bin, losses, json }
}

impl Written {
    /// The JSON without what differs between versions, and readable.
    pub(crate) fn pretty(&self) -> String {
        let mut json = self.json.clone();
        json["asset"]["generator"] = "anim-formats VERSION".into();
        compact(&serde_json::to_string_pretty(&json).unwrap())
    }

    pub(crate) fn node(&self, name: &str) -> gltf::Node<'_> {
        self.document
            .nodes()
            .find(|node| node.name() == Some(name))
            .unwrap_or_else(|| panic!("no node {name}"))
    }

    /// The first primitive of a node's mesh.
    pub(crate) fn part(&self, node: &str) -> gltf::Primitive<'_> {
        self.node(node).mesh().unwrap().primitives().next().unwrap()
    }

    pub(crate) fn animation(&self, name: &str) -> gltf::Animation<'_> {
        self.document
            .animations()
            .find(|animation| animation.name() == Some(name))
            .unwrap_or_else(|| panic!("no animation {name}"))
    }

    /// Times and numbers of a channel; the numbers of all keys one after the other.
    pub(crate) fn channel(
        &self,
        animation: &str,
        node: &str,
        property: Property,
    ) -> (Vec<f32>, Vec<f32>, Interpolation) {
        let animation = self.animation(animation);
        let channel = animation
            .channels()
            .find(|channel| {
                channel.target().node().name() == Some(node)
                    && channel.target().property() == property
            })
            .unwrap_or_else(|| panic!("no channel {property:?} of {node}"));
        let (times, values) = self.keys(&channel);
        (times, values, channel.sampler().interpolation())
    }

    fn keys(&self, channel: &gltf::animation::Channel<'_>) -> (Vec<f32>, Vec<f32>) {
        let reader = channel.reader(|_| Some(&self.bin));
        let values = match reader.read_outputs().unwrap() {
            ReadOutputs::Translations(values) => values.flatten().collect(),
            ReadOutputs::Scales(values) => values.flatten().collect(),
            ReadOutputs::Rotations(values) => values.into_f32().flatten().collect(),
            ReadOutputs::MorphTargetWeights(values) => values.into_f32().collect(),
        };
        (reader.read_inputs().unwrap().collect(), values)
    }

    pub(crate) fn codes(&self) -> Vec<(&'static str, u64)> {
        self.losses.counts().iter().map(|(code, count)| (code.id, *count)).collect()
    }

    /// World matrices of all nodes, and animated morph weights by node, at a time of an animation
    /// or at rest.
    pub(crate) fn evaluate(
        &self,
        animation: Option<&str>,
        time: f64,
    ) -> (Vec<Matrix>, HashMap<usize, Vec<f64>>) {
        let mut local: Vec<([f64; 3], [f64; 4], [f64; 3])> = self
            .document
            .nodes()
            .map(|node| {
                let (t, r, s) = node.transform().decomposed();
                (t.map(f64::from), r.map(f64::from), s.map(f64::from))
            })
            .collect();
        let mut weights = HashMap::new();
        for channel in animation
            .into_iter()
            .flat_map(|name| self.animation(name).channels().collect::<Vec<_>>())
        {
            let (times, values) = self.keys(&channel);
            let node = channel.target().node().index();
            let rotation = channel.target().property() == Property::Rotation;
            let value = sample(&times, &values, channel.sampler().interpolation(), rotation, time);
            match channel.target().property() {
                Property::Translation => local[node].0 = value.try_into().unwrap(),
                Property::Rotation => local[node].1 = value.try_into().unwrap(),
                Property::Scale => local[node].2 = value.try_into().unwrap(),
                Property::MorphTargetWeights => assert_eq!(weights.insert(node, value), None),
            }
        }
        let mut world = vec![[[f64::NAN; 4]; 4]; local.len()];
        let mut open: Vec<(gltf::Node<'_>, Matrix)> =
            self.document.default_scene().unwrap().nodes().map(|node| (node, IDENTITY)).collect();
        while let Some((node, parent)) = open.pop() {
            let (t, r, s) = local[node.index()];
            let matrix = multiply(&parent, &compose(t, r, s));
            world[node.index()] = matrix;
            open.extend(node.children().map(|child| (child, matrix)));
        }
        (world, weights)
    }

    /// Where the vertices of a skinned node's first primitive are, by the rules of glTF.
    pub(crate) fn skinned(&self, name: &str, world: &[Matrix]) -> Vec<[f64; 3]> {
        let skin = self.node(name).skin().unwrap();
        let bind: Vec<Matrix> = skin
            .reader(|_| Some(&self.bin))
            .read_inverse_bind_matrices()
            .unwrap()
            .map(|m| m.map(|c| c.map(f64::from)))
            .collect();
        let joints: Vec<usize> = skin.joints().map(|joint| joint.index()).collect();
        assert_eq!(bind.len(), joints.len());
        let part = self.part(name);
        let reader = part.reader(|_| Some(&self.bin));
        let vertices = reader.read_positions().unwrap();
        let influences = reader
            .read_joints(0)
            .unwrap()
            .into_u16()
            .zip(reader.read_weights(0).unwrap().into_f32());
        vertices
            .zip(influences)
            .map(|(position, (numbers, weights))| {
                let mut sum = [0.0; 3];
                for (number, weight) in
                    numbers.into_iter().zip(weights).filter(|(_, weight)| *weight != 0.0)
                {
                    let number = usize::from(number);
                    let moved = point(
                        &multiply(&world[joints[number]], &bind[number]),
                        position.map(f64::from),
                    );
                    for axis in 0..3 {
                        sum[axis] += f64::from(weight) * moved[axis];
                    }
                }
                sum
            })
            .collect()
    }
}

/// Short arrays on one line: a snapshot is read by people.
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

pub(crate) fn multiply(a: &Matrix, b: &Matrix) -> Matrix {
    b.map(|column| std::array::from_fn(|row| (0..4).map(|k| a[k][row] * column[k]).sum()))
}

pub(crate) fn point(m: &Matrix, p: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|row| m[0][row] * p[0] + m[1][row] * p[1] + m[2][row] * p[2] + m[3][row])
}

pub(crate) fn compose(t: [f64; 3], [x, y, z, w]: [f64; 4], s: [f64; 3]) -> Matrix {
    let column = |v: [f64; 3], f: f64| [v[0] * f, v[1] * f, v[2] * f, 0.0];
    [
        column([1. - 2. * (y * y + z * z), 2. * (x * y + z * w), 2. * (x * z - y * w)], s[0]),
        column([2. * (x * y - z * w), 1. - 2. * (x * x + z * z), 2. * (y * z + x * w)], s[1]),
        column([2. * (x * z + y * w), 2. * (y * z - x * w), 1. - 2. * (x * x + y * y)], s[2]),
        [t[0], t[1], t[2], 1.0],
    ]
}

/// A sampler as appendix C of the specification has it.
fn sample(
    times: &[f32],
    values: &[f32],
    interpolation: Interpolation,
    rotation: bool,
    time: f64,
) -> Vec<f64> {
    let cubic = interpolation == Interpolation::CubicSpline;
    let width = values.len() / times.len() / if cubic { 3 } else { 1 };
    let get = |key: usize, part: usize| -> Vec<f64> {
        let start = if cubic { (key * 3 + part) * width } else { key * width };
        values[start..start + width].iter().copied().map(f64::from).collect()
    };
    let unit = |value: Vec<f64>| {
        let length = value.iter().map(|e| e * e).sum::<f64>().sqrt();
        value.into_iter().map(|e| e / length).collect()
    };
    let next = times.iter().position(|key| f64::from(*key) > time).unwrap_or(times.len());
    if next == 0 || next == times.len() {
        return get(next.saturating_sub(1), 1);
    }
    let (from, to) = (f64::from(times[next - 1]), f64::from(times[next]));
    let t = (time - from) / (to - from);
    let (a, b) = (get(next - 1, 1), get(next, 1));
    match interpolation {
        Interpolation::Step => a,
        Interpolation::Linear if rotation => {
            let dot: f64 = a.iter().zip(&b).map(|(a, b)| a * b).sum();
            let angle = dot.abs().min(1.0).acos();
            let (wa, wb) = if angle < 1e-6 {
                (1.0 - t, t)
            } else {
                (((1.0 - t) * angle).sin() / angle.sin(), (t * angle).sin() / angle.sin())
            };
            unit(a.iter().zip(&b).map(|(a, b)| a * wa + b * wb * dot.signum()).collect())
        }
        Interpolation::Linear => a.iter().zip(&b).map(|(a, b)| a + (b - a) * t).collect(),
        Interpolation::CubicSpline => {
            let (out, into, span) = (get(next - 1, 2), get(next, 0), to - from);
            let (t2, t3) = (t * t, t * t * t);
            let value = (0..width)
                .map(|i| {
                    (2. * t3 - 3. * t2 + 1.) * a[i]
                        + span * (t3 - 2. * t2 + t) * out[i]
                        + (-2. * t3 + 3. * t2) * b[i]
                        + span * (t3 - t2) * into[i]
                })
                .collect();
            if rotation { unit(value) } else { value }
        }
    }
}

/// The names of nodes or animations, which all have one.
pub(crate) fn names<T>(
    items: impl Iterator<Item = T>,
    name: impl Fn(&T) -> Option<&str>,
) -> Vec<String> {
    items.map(|item| name(&item).unwrap().to_owned()).collect()
}
