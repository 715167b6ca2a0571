//! A GLB with a skin, a mesh and clips with keys for every channel of every joint.

use serde_json::{Value, json};
use test_oracle::random::Rng;

use crate::contender::found;
use crate::inputs::Made;

const JOINTS: usize = 64;
const KEYS: usize = 300;

/// The binary chunk and the accessors into it.
#[derive(Default)]
struct Binary {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Binary {
    /// Adds an accessor and returns its index.
    fn add(&mut self, component: u32, kind: &str, count: usize, bytes: Vec<u8>) -> usize {
        self.views.push(json!({
            "buffer": 0, "byteOffset": self.bytes.len(), "byteLength": bytes.len()
        }));
        self.accessors.push(json!({
            "bufferView": self.views.len() - 1, "componentType": component, "type": kind,
            "count": count
        }));
        self.bytes.extend(bytes);
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        self.accessors.len() - 1
    }

    fn floats(&mut self, kind: &str, values: &[f32]) -> usize {
        let width = match kind {
            "SCALAR" => 1,
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" => 4,
            _ => 16,
        };
        let bytes = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.add(5126, kind, values.len() / width, bytes)
    }
}

fn size_of(values: &[f32]) -> f64 {
    values.iter().map(|value| f64::from(value.abs())).sum()
}

/// Generates a file of about the given size, a third of it the mesh, the rest clips.
pub fn make(size: usize) -> Made {
    let mut rng = Rng::new(size as u64);
    let mut binary = Binary::default();
    let vertices = (size / 3 / 76).clamp(3, 4_000_000);
    let (mesh, positions) = mesh(&mut binary, vertices, &mut rng);
    let matrix = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1].map(|x| x as f32);
    let inverse = binary.floats("MAT4", &matrix.repeat(JOINTS));
    let times: Vec<f32> = (0..KEYS).map(|key| key as f32 / 30.0).collect();
    let (mut animations, mut keys) = (Vec::new(), 0.0);
    while animations.is_empty() || binary.bytes.len() < size {
        let input = binary.floats("SCALAR", &times);
        // glTF requires bounds for key times.
        binary.accessors[input]["min"] = json!([times[0]]);
        binary.accessors[input]["max"] = json!([times[KEYS - 1]]);
        let (mut samplers, mut channels) = (Vec::new(), Vec::new());
        for joint in 0..JOINTS {
            for (path, kind) in [("translation", "VEC3"), ("rotation", "VEC4"), ("scale", "VEC3")] {
                let values: Vec<f32> = (0..KEYS)
                    .flat_map(|_| match path {
                        "rotation" => rng.turn(90.0).map(|x| x as f32).to_vec(),
                        _ => [0; 3].map(|_| rng.range(0.1, 2.0) as f32).to_vec(),
                    })
                    .collect();
                keys += size_of(&values);
                let output = binary.floats(kind, &values);
                channels.push(json!({
                    "sampler": samplers.len(), "target": { "node": joint + 1, "path": path }
                }));
                samplers.push(json!({ "input": input, "output": output }));
            }
        }
        let name = format!("clip_{}", animations.len());
        animations.push(json!({ "name": name, "samplers": samplers, "channels": channels }));
    }
    let mut nodes = vec![json!({ "mesh": 0, "skin": 0 })];
    nodes.extend((0..JOINTS).map(|joint| match joint + 1 {
        JOINTS => json!({ "name": format!("joint_{joint}") }),
        _ => json!({ "name": format!("joint_{joint}"), "children": [joint + 2] }),
    }));
    let joints: Vec<usize> = (1..=JOINTS).collect();
    let json = json!({
        "asset": { "version": "2.0" }, "scene": 0, "scenes": [{ "nodes": [0, 1] }],
        "nodes": nodes, "meshes": [mesh],
        "skins": [{ "joints": joints, "inverseBindMatrices": inverse }],
        "animations": animations, "accessors": binary.accessors, "bufferViews": binary.views,
        "buffers": [{ "byteLength": binary.bytes.len() }],
    });
    let found = found([("positions", positions), ("keys", keys)]);
    Made { bytes: container(&json, &binary.bytes), found }
}

fn mesh(binary: &mut Binary, vertices: usize, rng: &mut Rng) -> (Value, f64) {
    let mut values = |width: usize| -> Vec<f32> {
        (0..vertices * width).map(|_| rng.range(-1.0, 1.0) as f32).collect()
    };
    let (positions, texcoords) = (values(3), values(2));
    let normals: Vec<f32> = (0..vertices).flat_map(|_| rng.direction()).map(|x| x as f32).collect();
    let indices: Vec<u32> = (0..vertices as u32 * 6)
        .map(|at| (at / 6 + [0, 1, 7, 0, 7, 6][at as usize % 6]) % vertices as u32)
        .collect();
    let sum = indices.iter().map(|index| size_of(&positions[*index as usize * 3..][..3])).sum();
    let joints: Vec<u8> = (0..vertices * 4).map(|at| ((at / 40 + at) % JOINTS) as u8).collect();
    let attributes = json!({
        "POSITION": binary.floats("VEC3", &positions),
        "NORMAL": binary.floats("VEC3", &normals),
        "TEXCOORD_0": binary.floats("VEC2", &texcoords),
        "WEIGHTS_0": binary.floats("VEC4", &[0.4, 0.3, 0.2, 0.1].repeat(vertices)),
        "JOINTS_0": binary.add(5121, "VEC4", vertices, joints),
    });
    // glTF requires bounds for positions.
    let at = attributes["POSITION"].as_u64().unwrap_or_default() as usize;
    let bound = |start: f32, of: fn(f32, f32) -> f32| -> [f32; 3] {
        std::array::from_fn(|axis| positions.iter().skip(axis).step_by(3).copied().fold(start, of))
    };
    binary.accessors[at]["min"] = json!(bound(f32::INFINITY, f32::min));
    binary.accessors[at]["max"] = json!(bound(f32::NEG_INFINITY, f32::max));
    let bytes = indices.iter().flat_map(|index| index.to_le_bytes()).collect();
    let indices = binary.add(5125, "SCALAR", indices.len(), bytes);
    (json!({ "primitives": [{ "attributes": attributes, "indices": indices }] }), sum)
}

fn container(json: &Value, binary: &[u8]) -> Vec<u8> {
    let mut json = json.to_string().into_bytes();
    json.resize(json.len().next_multiple_of(4), b' ');
    let length = 12 + 8 + json.len() + 8 + binary.len();
    let mut out = Vec::with_capacity(length);
    let words = [0x4654_6C67, 2, length as u32, json.len() as u32, 0x4E4F_534A];
    out.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    out.extend(json);
    out.extend([binary.len() as u32, 0x004E_4942].iter().flat_map(|word| word.to_le_bytes()));
    out.extend(binary);
    out
}
