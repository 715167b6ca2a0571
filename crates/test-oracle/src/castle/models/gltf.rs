//! Frames as glTF.

use std::collections::HashMap;

use super::super::generate::base64;
use super::scene::{Node, Primitive, Scene};
use crate::random::Rng;

cases! {
    /// How a frame is stored.
    pub(super) enum Place {
        /// In the animation file, with its buffer.
        Inlined,
        /// In the animation file, with its buffer in another file.
        InlinedWithBuffer,
        /// A `.gltf` with its buffer.
        Embedded,
        /// A `.gltf` with its buffer in another file in a subfolder.
        Buffer,
        Glb,
    }
}

impl Place {
    pub(super) fn is_inlined(self) -> bool {
        matches!(self, Place::Inlined | Place::InlinedWithBuffer)
    }
}

/// The content of a frame, and the path and content of its buffer if that is a file.
pub(super) struct Made {
    pub(super) main: Vec<u8>,
    pub(super) buffer: Option<(String, Vec<u8>)>,
}

/// Writes a scene. The same content is stored in different ways.
pub(super) fn gltf(scene: &Scene, place: Place, number: usize, rng: &mut Rng) -> Made {
    let scene = &if rng.chance(25) { renumbered(scene, rng) } else { scene.clone() };
    let mut buffers = Buffers::default();
    let meshes: Vec<String> =
        scene.meshes.iter().map(|mesh| mesh_text(mesh, &mut buffers, rng)).collect();
    let mut parts = vec![
        r#""asset":{"version":"2.0"}"#.to_owned(),
        format!(r#""meshes":[{}]"#, meshes.join(",")),
    ];
    if let Some(skin) = &scene.skin {
        let matrices = skin.inverses.as_ref().map_or(String::new(), |all| {
            let numbers: Vec<f64> = all.iter().flatten().flatten().copied().collect();
            let accessor = buffers.floats(&numbers, "MAT4", 16);
            format!(r#","inverseBindMatrices":{accessor}"#)
        });
        parts.push(format!(r#""skins":[{{"joints":{:?}{matrices}}}]"#, skin.joints));
    }
    let mut nodes: Vec<String> = scene.nodes.iter().map(|node| node_text(node, rng)).collect();
    let mut scenes = format!(r#"{{"nodes":{:?}}}"#, scene.roots);
    if rng.chance(15) {
        // Another scene is not shown.
        nodes.push(r#"{"name":"elsewhere","mesh":0}"#.to_owned());
        scenes = format!(r#"{{"nodes":[{}]}},{scenes}"#, nodes.len() - 1);
        parts.push(r#""scene":1"#.to_owned());
    } else {
        parts.push(r#""scene":0"#.to_owned());
    }
    parts.push(format!(r#""scenes":[{scenes}],"nodes":[{}]"#, nodes.join(",")));
    // `base64` needs a multiple of three, and a GLB of four.
    buffers.bytes.resize(buffers.bytes.len().next_multiple_of(12), 0);
    let (uri, buffer) = match place {
        Place::Inlined | Place::Embedded => {
            let data = base64(&buffers.bytes);
            (Some(format!("data:application/octet-stream;base64,{data}")), None)
        }
        Place::InlinedWithBuffer | Place::Buffer => {
            let name = format!("buffers/{number}.bin");
            (Some(name.clone()), Some((name, buffers.bytes.clone())))
        }
        Place::Glb => (None, None),
    };
    let uri = uri.map_or(String::new(), |uri| format!(r#","uri":"{uri}""#));
    parts.push(format!(
        r#""accessors":[{}],"bufferViews":[{}],"buffers":[{{"byteLength":{}{uri}}}]"#,
        buffers.accessors.join(","),
        buffers.views.join(","),
        buffers.bytes.len()
    ));
    rng.shuffle(&mut parts);
    let json = format!("{{{}}}", parts.join(","));
    let main = if place == Place::Glb { glb(json, &buffers.bytes) } else { json.into_bytes() };
    Made { main, buffer }
}

/// Returns the same scene with its meshes in another order in the file. (Nodes keep theirs: the
/// reader compares them in the order of the file.)
fn renumbered(scene: &Scene, rng: &mut Rng) -> Scene {
    let mut order: Vec<usize> = (0..scene.meshes.len()).collect();
    rng.shuffle(&mut order);
    let place = |old: usize| order.iter().position(|one| *one == old).unwrap();
    let mut renumbered = scene.clone();
    renumbered.meshes = order.iter().map(|old| scene.meshes[*old].clone()).collect();
    for node in &mut renumbered.nodes {
        node.mesh = node.mesh.map(place);
    }
    renumbered
}

fn glb(mut json: String, bin: &[u8]) -> Vec<u8> {
    json += &" ".repeat(json.len().next_multiple_of(4) - json.len());
    let mut bytes = b"glTF".to_vec();
    let number = |number: usize| (number as u32).to_le_bytes();
    bytes.extend(number(2));
    bytes.extend(number(12 + 8 + json.len() + 8 + bin.len()));
    bytes.extend(number(json.len()));
    bytes.extend(b"JSON");
    bytes.extend(json.as_bytes());
    bytes.extend(number(bin.len()));
    bytes.extend(b"BIN\0");
    bytes.extend(bin);
    bytes
}

fn node_text(node: &Node, rng: &mut Rng) -> String {
    let mut parts = vec![format!(r#""name":"{}""#, node.name.replace('"', "\\\""))];
    let mut keep = |is_default: bool| !is_default || rng.chance(20);
    let fields = [
        ("translation", &node.translation[..], keep(node.translation == [0.0; 3])),
        ("rotation", &node.rotation[..], keep(node.rotation == [0.0, 0.0, 0.0, 1.0])),
        ("scale", &node.scale[..], keep(node.scale == [1.0; 3])),
    ];
    if rng.chance(15) {
        parts.push(format!(r#""matrix":{:?}"#, node.local().as_flattened()));
    } else {
        let kept = fields.iter().filter(|(_, _, keep)| *keep);
        parts.extend(kept.map(|(name, value, _)| format!(r#""{name}":{value:?}"#)));
    }
    if !node.children.is_empty() {
        parts.push(format!(r#""children":{:?}"#, node.children));
    }
    if let Some(mesh) = node.mesh {
        parts.push(format!(r#""mesh":{mesh}"#));
    }
    if node.skinned {
        parts.push(r#""skin":0"#.to_owned());
    }
    if let Some(weights) = &node.weights {
        parts.push(format!(r#""weights":{weights:?}"#));
    }
    format!("{{{}}}", parts.join(","))
}

fn mesh_text(mesh: &super::scene::Mesh, buffers: &mut Buffers, rng: &mut Rng) -> String {
    let mut first = None;
    let mut text = |primitive| primitive_text(primitive, &mut first, buffers, rng);
    let primitives: Vec<String> = mesh.primitives.iter().map(&mut text).collect();
    let zero = mesh.weights.iter().all(|weight| *weight == 0.0);
    let weights = match zero && (mesh.weights.is_empty() || rng.chance(50)) {
        true => String::new(),
        false => format!(r#","weights":{:?}"#, mesh.weights),
    };
    format!(r#"{{"primitives":[{}]{weights}}}"#, primitives.join(","))
}

/// `shared` is the accessor of the points of the first primitive.
fn primitive_text(
    primitive: &Primitive,
    shared: &mut Option<usize>,
    buffers: &mut Buffers,
    rng: &mut Rng,
) -> String {
    // Normals are not compared, but must be unit vectors.
    let normals: Vec<[f64; 3]> =
        primitive.points.iter().map(|_| rng.direction().map(|x| f64::from(x as f32))).collect();
    let mut attributes = Vec::new();
    let theirs = shared.filter(|_| primitive.shares);
    if primitive.normals && theirs.is_none() && rng.chance(30) {
        let [points, normals] = buffers.interleaved(&primitive.points, &normals);
        attributes.push(format!(r#""POSITION":{points},"NORMAL":{normals}"#));
        shared.get_or_insert(points);
    } else {
        let points = theirs.unwrap_or_else(|| buffers.points(&primitive.points, rng));
        shared.get_or_insert(points);
        attributes.push(format!(r#""POSITION":{points}"#));
        if primitive.normals {
            let normals = buffers.floats(normals.as_flattened(), "VEC3", 3);
            attributes.push(format!(r#""NORMAL":{normals}"#));
        }
    }
    if let Some(joints) = &primitive.joints {
        let numbers: Vec<usize> = joints.iter().flatten().map(|(joint, _)| *joint).collect();
        let wide = rng.chance(50);
        let number = buffers.integers(&numbers, if wide { 2 } else { 1 }, "VEC4", 4, false);
        attributes.push(format!(r#""JOINTS_0":{number}"#));
        let weights: Vec<u8> = joints.iter().flatten().map(|(_, weight)| *weight).collect();
        let number = match rng.below(3) {
            0 => {
                let weights: Vec<f64> =
                    weights.iter().map(|w| f64::from((f64::from(*w) / 255.0) as f32)).collect();
                buffers.floats(&weights, "VEC4", 4)
            }
            // A 255th is 257 65535ths.
            size => {
                let factor = if size == 2 { 257 } else { 1 };
                let weights: Vec<usize> =
                    weights.iter().map(|weight| usize::from(*weight) * factor).collect();
                buffers.integers(&weights, size, "VEC4", 4, true)
            }
        };
        attributes.push(format!(r#""WEIGHTS_0":{number}"#));
    }
    let mut parts = vec![format!(r#""attributes":{{{}}}"#, attributes.join(","))];
    if let Some(indices) = &primitive.indices {
        let size = rng.pick(&[1, 2, 4]);
        parts.push(format!(r#""indices":{}"#, buffers.integers(indices, size, "SCALAR", 1, false)));
    }
    if primitive.mode != 4 || rng.chance(30) {
        parts.push(format!(r#""mode":{}"#, primitive.mode));
    }
    if !primitive.targets.is_empty() {
        let targets = primitive.targets.iter();
        let targets: Vec<String> = targets
            .map(|target| format!(r#"{{"POSITION":{}}}"#, buffers.points(target, rng)))
            .collect();
        parts.push(format!(r#""targets":[{}]"#, targets.join(",")));
    }
    format!("{{{}}}", parts.join(","))
}

#[derive(Default)]
struct Buffers {
    bytes: Vec<u8>,
    views: Vec<String>,
    accessors: Vec<String>,
    /// The accessors of plain content, which are shared.
    known: HashMap<(String, Vec<u8>), usize>,
}

fn float_bytes(numbers: &[f64]) -> Vec<u8> {
    numbers.iter().flat_map(|number| (*number as f32).to_le_bytes()).collect()
}

fn integer_bytes(numbers: &[usize], size: usize) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()[..size].to_vec()).collect()
}

/// Returns the number of an unsigned component type in glTF.
fn component(size: usize) -> usize {
    [0, 5121, 5123, 0, 5125][size]
}

fn bounds(points: &[[f64; 3]]) -> String {
    let fold = |start: f64, of: fn(f64, f64) -> f64| {
        [0, 1, 2].map(|axis| points.iter().map(|point| point[axis]).fold(start, of))
    };
    format!(r#","min":{:?},"max":{:?}"#, fold(f64::MAX, f64::min), fold(f64::MIN, f64::max))
}

impl Buffers {
    fn view(&mut self, bytes: &[u8], more: &str) -> usize {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0xaa);
        self.views.push(format!(
            r#"{{"buffer":0,"byteOffset":{},"byteLength":{}{more}}}"#,
            self.bytes.len(),
            bytes.len()
        ));
        self.bytes.extend(bytes);
        self.views.len() - 1
    }

    fn accessor(&mut self, text: String) -> usize {
        self.accessors.push(format!("{{{text}}}"));
        self.accessors.len() - 1
    }

    fn plain(&mut self, bytes: &[u8], text: String) -> usize {
        let key = (text.clone(), bytes.to_vec());
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let view = self.view(bytes, "");
        let made = self.accessor(format!(r#""bufferView":{view},{text}"#));
        self.known.insert(key, made);
        made
    }

    fn floats(&mut self, numbers: &[f64], kind: &str, width: usize) -> usize {
        let count = numbers.len() / width;
        let text = format!(r#""componentType":5126,"count":{count},"type":"{kind}""#);
        self.plain(&float_bytes(numbers), text)
    }

    fn integers(
        &mut self,
        numbers: &[usize],
        size: usize,
        kind: &str,
        width: usize,
        normalized: bool,
    ) -> usize {
        let text = format!(
            r#""componentType":{},"count":{},"type":"{kind}"{}"#,
            component(size),
            numbers.len() / width,
            if normalized { r#","normalized":true"# } else { "" }
        );
        self.plain(&integer_bytes(numbers, size), text)
    }

    /// Writes positions: plain, with gaps, or sparse with or without a base.
    fn points(&mut self, points: &[[f64; 3]], rng: &mut Rng) -> usize {
        let count = points.len();
        let rest =
            format!(r#""componentType":5126,"count":{count},"type":"VEC3"{}"#, bounds(points));
        match rng.below(8) {
            0 => {
                let with_gap = |point: &[f64; 3]| [float_bytes(point), vec![0xbb; 8]].concat();
                let bytes: Vec<u8> = points.iter().flat_map(with_gap).collect();
                let view = self.view(&bytes, r#","byteStride":20"#);
                self.accessor(format!(r#""bufferView":{view},{rest}"#))
            }
            way @ 1..=2 => {
                let has_base = way == 1;
                let replaced: Vec<usize> =
                    (0..count).filter(|at| !has_base || *at == 0 || rng.chance(30)).collect();
                let base = has_base.then(|| {
                    let mut base = points.to_vec();
                    replaced.iter().for_each(|number| base[*number] = [0.5, -0.25, 0.125]);
                    self.view(&float_bytes(base.as_flattened()), "")
                });
                let size = rng.pick(&[1, 2, 4]);
                let indices = self.view(&integer_bytes(&replaced, size), "");
                let values: Vec<[f64; 3]> = replaced.iter().map(|number| points[*number]).collect();
                let values = self.view(&float_bytes(values.as_flattened()), "");
                let base = base.map_or(String::new(), |view| format!(r#""bufferView":{view},"#));
                self.accessor(format!(
                    r#"{base}{rest},"sparse":{{"count":{},"indices":{{"bufferView":{indices},
"componentType":{}}},"values":{{"bufferView":{values}}}}}"#,
                    replaced.len(),
                    component(size)
                ))
            }
            _ => {
                let view = self.view(&float_bytes(points.as_flattened()), "");
                self.accessor(format!(r#""bufferView":{view},{rest}"#))
            }
        }
    }

    fn interleaved(&mut self, points: &[[f64; 3]], normals: &[[f64; 3]]) -> [usize; 2] {
        let both = points.iter().zip(normals);
        let bytes: Vec<u8> =
            both.flat_map(|(point, normal)| float_bytes(&[*point, *normal].concat())).collect();
        let view = self.view(&bytes, r#","byteStride":24"#);
        let rest = format!(r#""componentType":5126,"count":{},"type":"VEC3""#, points.len());
        let bounds = bounds(points);
        [
            self.accessor(format!(r#""bufferView":{view},{rest}{bounds}"#)),
            self.accessor(format!(r#""bufferView":{view},"byteOffset":12,{rest}"#)),
        ]
    }
}
