//! Puppets: skeletons with long takes, written as glTF without the code under test.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use test_oracle::anm_text::{Bone, FRAMES_PER_SECOND, Tree, generate};
use test_oracle::math::normalized;
use test_oracle::random::Rng;

use crate::program::{glb_json, list};

/// The keys of one property of a bone.
#[derive(Clone)]
pub(crate) struct Keys {
    pub(crate) bone: usize,
    pub(crate) path: &'static str,
    interpolation: &'static str,
    times: Vec<f32>,
    pub(crate) values: Vec<f32>,
}

impl Keys {
    pub(crate) fn random(
        rng: &mut Rng,
        bone: usize,
        path: &'static str,
        interpolation: &'static str,
        times: Vec<f32>,
    ) -> Keys {
        let tangent = if interpolation == "CUBICSPLINE" { width(path) } else { 0 };
        let mut values = Vec::new();
        for _ in &times {
            let mut numbers = |count: usize, most: f64| {
                (0..count).map(|_| rng.range(-most, most)).collect::<Vec<f64>>()
            };
            let mut value = numbers(width(path), 0.5);
            if path == "rotation" {
                value = normalized([value[0], value[1], value[2], 1.0]).to_vec();
            }
            let all = [numbers(tangent, 2.0), value, numbers(tangent, 2.0)].concat();
            values.extend(all.into_iter().map(|x| x as f32));
        }
        Keys { bone, path, interpolation, times, values }
    }

    /// Returns the bits of the times and values of some keys. A single key has no tangents, since
    /// glTF does not allow a cubic spline with one key.
    pub(crate) fn bits(&self, keys: impl Fn(f32) -> bool, moved: impl Fn(f32) -> f32) -> Bits {
        let size = self.values.len() / self.times.len();
        let kept: Vec<usize> = (0..self.times.len()).filter(|key| keys(self.times[*key])).collect();
        let numbers = if kept.len() == 1 && size > width(self.path) {
            width(self.path)..2 * width(self.path)
        } else {
            0..size
        };
        let values = kept.iter().flat_map(|key| &self.values[key * size..][numbers.clone()]);
        (
            kept.iter().map(|key| moved(self.times[*key]).to_bits()).collect(),
            values.map(|x| x.to_bits()).collect(),
        )
    }
}

const fn width(path: &str) -> usize {
    if path.len() == "rotation".len() { 4 } else { 3 }
}

/// A skeleton and its takes, written as glTF without the code under test.
pub(crate) struct Puppet {
    /// Names and parents of the bones.
    pub(crate) bones: Vec<(String, Option<usize>)>,
    pub(crate) takes: Vec<(&'static str, Vec<Keys>)>,
}

impl Puppet {
    /// Returns a puppet with the skeleton of the fixtures and these takes.
    pub(crate) fn new(takes: Vec<(&'static str, Vec<Keys>)>) -> Puppet {
        let bones = generate::puppet().bones.into_iter().map(|bone| (bone.name, bone.parent));
        Puppet { bones: bones.collect(), takes }
    }

    /// Returns a puppet with rotation and translation keys for all bones; each bone has keys at
    /// different frames.
    pub(crate) fn sparse(interpolation: &'static str) -> Puppet {
        Puppet::moving(interpolation, &["rotation", "translation"])
    }

    /// Returns a puppet with keys for these properties of all bones; each bone has keys at
    /// different frames.
    pub(crate) fn moving(interpolation: &'static str, paths: &[&'static str]) -> Puppet {
        let mut rng = Rng::new(7);
        let times = |bone: usize, first: usize| {
            (0..)
                .map(|key| first + key * (3 + bone))
                .take_while(|frame| *frame <= 110)
                .map(at_frame)
                .collect()
        };
        let tracks = (0..generate::puppet().bones.len())
            .flat_map(|bone| paths.iter().enumerate().map(move |path| (bone, path)));
        let keys = tracks.map(|(bone, (number, path))| {
            Keys::random(&mut rng, bone, path, interpolation, times(bone, number * bone))
        });
        Puppet::new(vec![("take", keys.collect())])
    }

    /// Returns the tree of bones for the oracle, with the key times of the first take.
    pub(crate) fn tree(&self) -> Tree {
        let bone = |(index, (name, parent)): (usize, &(String, Option<usize>))| {
            let tracks = self.takes[0].1.iter().filter(|keys| keys.bone == index);
            let times = tracks.flat_map(|keys| &keys.times);
            let mut keys: Vec<f64> = times.map(|time| f64::from(*time)).collect();
            keys.sort_by(f64::total_cmp);
            keys.dedup();
            Bone { name: name.clone(), parent: *parent, keys }
        };
        Tree { bones: self.bones.iter().enumerate().map(bone).collect() }
    }

    /// Returns a `.gltf` file, with a buffer at the given URI.
    pub(crate) fn gltf(&self, uri: &str) -> (String, Vec<u8>) {
        let (mut document, bin) = self.document();
        document["buffers"][0]["uri"] = uri.into();
        (document.to_string(), bin)
    }

    pub(crate) fn glb(&self) -> Vec<u8> {
        let (document, bin) = self.document();
        let mut json = document.to_string().into_bytes();
        json.resize(json.len().next_multiple_of(4), b' ');
        let u32 = |n: usize| u32::try_from(n).unwrap().to_le_bytes();
        let lengths = [&u32(12 + 8 + json.len() + 8 + bin.len())[..], &u32(json.len())].concat();
        [b"glTF\x02\0\0\0", &lengths[..], b"JSON", &json, &u32(bin.len()), b"BIN\0", &bin].concat()
    }

    /// Returns the glTF document and its buffer, with a static root node `rig` and a triangle bound
    /// to the last bone.
    fn document(&self) -> (Value, Vec<u8>) {
        let mut content = Content::default();
        let last = u8::try_from(self.bones.len() - 1).unwrap();
        let positions = content.add("VEC3", 3, &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
        let joints = content.add_bytes(
            &[last, 0, 0, 0].repeat(3),
            json!({"componentType": 5121, "type": "VEC4", "count": 3}),
        );
        let weights = content.add("VEC4", 4, &[1.0, 0.0, 0.0, 0.0].repeat(3));
        let rig = self.bones.len();
        let bones = self.bones.iter();
        let mut nodes: Vec<Value> =
            bones.map(|(name, _)| json!({"name": name, "translation": [0, 1, 0]})).collect();
        nodes.extend([json!({"name": "rig"}), json!({"name": "sleeve", "mesh": 0, "skin": 0})]);
        for (bone, (_, parent)) in self.bones.iter().enumerate() {
            let children = &mut nodes[parent.unwrap_or(rig)]["children"];
            match children {
                Value::Array(children) => children.push(bone.into()),
                _ => *children = json!([bone]),
            }
        }
        let animations: Vec<Value> =
            self.takes.iter().map(|(name, take)| content.animation(name, take)).collect();
        let mut document = json!({
            "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [rig, rig + 1]}],
            "nodes": nodes,
            "meshes": [{"name": "sleeve", "primitives": [{
                "attributes": {"POSITION": positions, "JOINTS_0": joints, "WEIGHTS_0": weights},
                "material": 0,
            }]}],
            "materials": [{"name": "cloth", "pbrMetallicRoughness": {
                "baseColorFactor": [1.0, 0.5, 0.0, 1.0], "metallicFactor": 0.0,
            }}],
            "skins": [{"skeleton": rig, "joints": (0..rig).collect::<Vec<_>>()}],
            "buffers": [{"byteLength": content.bin.len()}], "bufferViews": content.views,
            "accessors": content.accessors,
        });
        if !animations.is_empty() {
            document["animations"] = animations.into();
        }
        (document, content.bin)
    }
}

/// Accessors, each with its own buffer view.
#[derive(Default)]
struct Content {
    bin: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Content {
    fn add(&mut self, kind: &str, width: usize, values: &[f32]) -> usize {
        let column = |column: usize| values.iter().skip(column).step_by(width).copied();
        let bounds = |of: fn(f32, f32) -> f32| {
            (0..width).map(|c| column(c).reduce(of).unwrap()).collect::<Vec<f32>>()
        };
        let bytes: Vec<u8> = values.iter().flat_map(|x| x.to_le_bytes()).collect();
        let (min, max) = (bounds(f32::min), bounds(f32::max));
        let accessor = json!({
            "componentType": 5126, "type": kind, "count": values.len() / width,
            "min": min, "max": max,
        });
        self.add_bytes(&bytes, accessor)
    }

    fn add_bytes(&mut self, bytes: &[u8], mut accessor: Value) -> usize {
        accessor["bufferView"] = self.views.len().into();
        self.views
            .push(json!({"buffer": 0, "byteOffset": self.bin.len(), "byteLength": bytes.len()}));
        self.accessors.push(accessor);
        self.bin.extend(bytes);
        self.accessors.len() - 1
    }

    fn animation(&mut self, name: &str, take: &[Keys]) -> Value {
        let (mut samplers, mut channels) = (Vec::new(), Vec::new());
        for keys in take {
            let input = self.add("SCALAR", 1, &keys.times);
            let kind = if width(keys.path) == 4 { "VEC4" } else { "VEC3" };
            let output = self.add(kind, width(keys.path), &keys.values);
            let target = json!({"node": keys.bone, "path": keys.path});
            channels.push(json!({"sampler": samplers.len(), "target": target}));
            let interpolation = keys.interpolation;
            samplers
                .push(json!({"input": input, "output": output, "interpolation": interpolation}));
        }
        json!({"name": name, "samplers": samplers, "channels": channels})
    }
}

/// The times and values of a channel, as bits.
pub(crate) type Bits = (Vec<u32>, Vec<u32>);

/// Returns the channels of an animation in a GLB, by node and property.
pub(crate) fn channels(glb: &[u8], animation: &Value) -> BTreeMap<(String, String), Bits> {
    let json = glb_json(glb);
    let bin = &glb[20 + u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize + 8..];
    let number = |value: &Value| value.as_u64().unwrap_or(0) as usize;
    let bits = |accessor: &Value| -> Vec<u32> {
        let accessor = &json["accessors"][number(accessor)];
        let view = &json["bufferViews"][number(&accessor["bufferView"])];
        assert_eq!(
            (&accessor["componentType"], view.get("byteStride")),
            (&5126.into(), None),
            "tightly packed floats"
        );
        let start = number(&view["byteOffset"]) + number(&accessor["byteOffset"]);
        let kinds = ["SCALAR", "VEC2", "VEC3", "VEC4"];
        let width = 1 + kinds.iter().position(|kind| accessor["type"] == *kind).unwrap();
        let bytes = &bin[start..start + number(&accessor["count"]) * width * 4];
        bytes.as_chunks::<4>().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect()
    };
    let channel = |channel: &Value| {
        let sampler = &animation["samplers"][number(&channel["sampler"])];
        let node = &json["nodes"][number(&channel["target"]["node"])]["name"];
        let key = [node, &channel["target"]["path"]].map(|name| name.as_str().unwrap().to_owned());
        let (mut times, mut values) = (bits(&sampler["input"]), bits(&sampler["output"]));
        // A key that is repeated to give the animation a duration counts as one key.
        if channel["extras"]["anim_formats"]["held"] == Value::Bool(true) {
            let half = values.len() / 2;
            assert_eq!((times.len(), &values[..half]), (2, &values[half..]));
            times.truncate(1);
            values.truncate(half);
        }
        (key.into(), (times, values))
    };
    // A channel that only holds the rest pose, for players, is not part of the clip.
    let is_own = |channel: &&Value| channel["extras"]["anim_formats"]["rest"] != true;
    list(&animation["channels"]).iter().filter(is_own).map(channel).collect()
}

/// Returns the time of a frame in the ANM text.
pub(crate) fn at_frame(frame: usize) -> f32 {
    (frame as f64 / FRAMES_PER_SECOND) as f32
}

/// Returns the animations by name, and the clips without motion listed in the scene's extras.
pub(crate) fn clips(glb: &[u8]) -> BTreeMap<String, Value> {
    let json = glb_json(glb);
    let named = |value: &Value| (value["name"].as_str().unwrap().to_owned(), value.clone());
    let moving = json["animations"].as_array().into_iter().flatten().map(named);
    let still =
        json["scenes"][0]["extras"]["anim_formats"]["clips"].as_array().into_iter().flatten();
    moving.chain(still.map(named)).collect()
}

/// Returns the `anim_formats` extras of a clip, in an animation or in the scene.
pub(crate) fn notes(clip: &Value) -> &Value {
    clip.pointer("/extras/anim_formats").unwrap_or(clip)
}
