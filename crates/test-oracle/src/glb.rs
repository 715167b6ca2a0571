//! An evaluator of glTF 2.0 files: the node hierarchy, animations, skins and morph targets, by the
//! specification.
//!
//! The `gltf` crate parses and validates the JSON; what accessors hold is read and checked here.
//! Everything stored is turned into `f64` exactly, and computed with as such. Places are in glTF's
//! units (metres) and axes (Y up), times in seconds.

use gltf::accessor::{Accessor, DataType, Dimensions};
use gltf::animation::{Interpolation, Property};
use gltf::camera::Projection;
use gltf::material::AlphaMode;
use gltf::mesh::Mode;
use gltf::{Gltf, Semantic, buffer};

use crate::math::{
    IDENTITY, Mat4, lerp, mul, normalized, rotation, scaling, slerp, transform_point, translation,
};

/// A whole file.
#[derive(Clone, Debug)]
pub struct Model {
    nodes: Vec<Node>,
    meshes: Vec<Vec<Primitive>>,
    skins: Vec<Skin>,
    animations: Vec<Animation>,
    /// For every camera its vertical field of view and its aspect ratio.
    cameras: Vec<(f64, Option<f64>)>,
}

/// What one primitive of one node draws, placed.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawn {
    /// The node, as a number into [`Model::node_names`].
    pub node: usize,
    /// Whether there is anything to see: not where the scale of the node, or that of all its skin's
    /// joints, is zero along all axes, which is how objects are hidden that a viewer cannot hide
    /// otherwise.
    pub shown: bool,
    /// Whether light does not matter (`KHR_materials_unlit`).
    pub unlit: bool,
    /// Whether both sides are seen.
    pub double_sided: bool,
    /// Whether what is behind it shines through.
    pub blended: bool,
    /// The corners of every triangle.
    pub triangles: Vec<[Vertex; 3]>,
    /// The ends of every line.
    pub lines: Vec<[Vertex; 2]>,
    /// Every point.
    pub points: Vec<Vertex>,
}

/// A vertex of what is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vertex {
    /// In the scene's space.
    pub place: [f64; 3],
    /// In the mesh's own space, as stored.
    pub normal: Option<[f64; 3]>,
    /// That of the vertex times that of the material: linear red, green, blue; alpha. Textures are
    /// left out.
    pub colour: [f64; 4],
    /// Set 0.
    pub texcoord: Option<[f64; 2]>,
}

/// A camera with perspective, placed. It looks along its −z, and its +y is up in the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// The node, as a number into [`Model::node_names`].
    pub node: usize,
    /// From its space to the scene's.
    pub world: Mat4,
    /// Whether the node's scale is other than zero along some axis.
    pub shown: bool,
    /// In radians.
    pub vertical_fov: f64,
    /// Width of the picture by its height.
    pub aspect: Option<f64>,
}

#[derive(Clone, Debug)]
struct Node {
    name: Option<String>,
    parent: Option<usize>,
    local: Local,
    mesh: Option<usize>,
    skin: Option<usize>,
    camera: Option<usize>,
    /// The weights of morph targets, where the node or its mesh has them.
    weights: Vec<f64>,
}

#[derive(Clone, Copy, Debug)]
enum Local {
    Matrix(Mat4),
    Parts { translation: [f64; 3], rotation: [f64; 4], scale: [f64; 3] },
}

#[derive(Clone, Debug)]
struct Primitive {
    mode: Mode,
    positions: Vec<[f64; 3]>,
    /// For every morph target what it adds to the positions.
    targets: Vec<Vec<[f64; 3]>>,
    texcoords: Option<Vec<[f64; 2]>>,
    normals: Option<Vec<[f64; 3]>>,
    /// Those of the vertices times that of the material.
    colours: Vec<[f64; 4]>,
    unlit: bool,
    double_sided: bool,
    blended: bool,
    /// For every vertex its joints, as numbers into the skin's, and their weights as stored.
    influences: Option<Vec<[(usize, f64); 4]>>,
    /// The vertices in the order of the indices, or all of them.
    indices: Vec<usize>,
}

#[derive(Clone, Debug)]
struct Skin {
    joints: Vec<usize>,
    inverse_bind_matrices: Vec<Mat4>,
}

#[derive(Clone, Debug)]
struct Animation {
    name: Option<String>,
    channels: Vec<Channel>,
}

#[derive(Clone, Debug)]
struct Channel {
    node: usize,
    property: Property,
    interpolation: Interpolation,
    times: Vec<f64>,
    /// One for every time, or for cubic splines three: in-tangent, value, out-tangent.
    values: Vec<Vec<f64>>,
}

/// Reads a GLB whose only buffer, if any, is its BIN chunk.
///
/// # Panics
///
/// On anything invalid.
pub fn read(bytes: &[u8]) -> Model {
    assert!(bytes.starts_with(b"glTF"), "not a GLB");
    let mut file = Gltf::from_slice(bytes).expect("a valid GLB");
    let bin = file.blob.take().unwrap_or_default();
    for buffer in file.buffers() {
        assert!(matches!(buffer.source(), buffer::Source::Bin), "a buffer outside of the GLB");
    }
    Model::new(&file, &bin)
}

/// Reads the JSON of a `.gltf` file and the content of its only buffer, wherever its URI points.
///
/// # Panics
///
/// On anything invalid.
pub fn read_parts(json: &[u8], bin: &[u8]) -> Model {
    assert!(!json.starts_with(b"glTF"), "a GLB in place of JSON");
    Model::new(&Gltf::from_slice(json).expect("valid glTF"), bin)
}

/// `count` elements of `width` components each, from `offset` in a view.
fn read_elements(
    view: &buffer::View<'_>,
    offset: usize,
    count: usize,
    width: usize,
    data_type: DataType,
    normalized: bool,
    bin: &[u8],
) -> Vec<Vec<f64>> {
    let size = data_type.size();
    let stride = view.stride().unwrap_or(width * size);
    assert!(stride >= width * size, "elements overlap");
    assert_eq!((view.offset() + offset) % size, 0, "an accessor is not aligned");
    assert_eq!(stride % size, 0, "a stride is not aligned");
    assert_eq!(view.buffer().index(), 0, "more than one buffer");
    let buffer = &bin[..view.buffer().length()];
    let data = &buffer[view.offset()..view.offset() + view.length()];
    let component = |at: usize| -> f64 {
        let bytes = &data[at..at + size];
        match (data_type, normalized) {
            (DataType::F32, _) => f64::from(f32::from_le_bytes(bytes.try_into().unwrap())),
            (DataType::U32, false) => f64::from(u32::from_le_bytes(bytes.try_into().unwrap())),
            (DataType::U16, false) => f64::from(u16::from_le_bytes(bytes.try_into().unwrap())),
            (DataType::U16, true) => {
                f64::from(u16::from_le_bytes(bytes.try_into().unwrap())) / 65535.0
            }
            (DataType::I16, false) => f64::from(i16::from_le_bytes(bytes.try_into().unwrap())),
            (DataType::I16, true) => {
                (f64::from(i16::from_le_bytes(bytes.try_into().unwrap())) / 32767.0).max(-1.0)
            }
            (DataType::U8, false) => f64::from(bytes[0]),
            (DataType::U8, true) => f64::from(bytes[0]) / 255.0,
            (DataType::I8, false) => f64::from(i8::from_le_bytes([bytes[0]])),
            (DataType::I8, true) => (f64::from(i8::from_le_bytes([bytes[0]])) / 127.0).max(-1.0),
            (DataType::U32, true) => panic!("32-bit integers cannot be normalised"),
        }
    };
    (0..count)
        .map(|i| {
            let start = offset + i * stride;
            (0..width).map(|c| component(start + c * size)).collect()
        })
        .collect()
}

/// All elements of an accessor, checked to be finite numbers.
fn read_accessor(accessor: &Accessor<'_>, bin: &[u8]) -> Vec<Vec<f64>> {
    let width = accessor.dimensions().multiplicity();
    let data_type = accessor.data_type();
    assert!(
        data_type == DataType::F32
            || !matches!(
                accessor.dimensions(),
                Dimensions::Mat2 | Dimensions::Mat3 | Dimensions::Mat4
            ),
        "matrices of integers are not supported"
    );
    let normalized = accessor.normalized();
    let count = accessor.count();
    let mut elements = match accessor.view() {
        Some(view) => {
            read_elements(&view, accessor.offset(), count, width, data_type, normalized, bin)
        }
        None => vec![vec![0.0; width]; count],
    };
    if let Some(sparse) = accessor.sparse() {
        use gltf::accessor::sparse::IndexType;
        let (indices, values) = (sparse.indices(), sparse.values());
        let index_type = match indices.index_type() {
            IndexType::U8 => DataType::U8,
            IndexType::U16 => DataType::U16,
            IndexType::U32 => DataType::U32,
        };
        let places = read_elements(
            &indices.view(),
            indices.offset(),
            sparse.count(),
            1,
            index_type,
            false,
            bin,
        );
        let replacements = read_elements(
            &values.view(),
            values.offset(),
            sparse.count(),
            width,
            data_type,
            normalized,
            bin,
        );
        for (place, replacement) in places.iter().zip(replacements) {
            elements[place[0] as usize] = replacement;
        }
    }
    assert!(
        elements.iter().flatten().all(|x| x.is_finite()),
        "an accessor holds something that is not a finite number"
    );
    elements
}

fn arrays<const N: usize>(elements: &[Vec<f64>]) -> Vec<[f64; N]> {
    elements
        .iter()
        .map(|element| element[..].try_into().expect("elements of the expected width"))
        .collect()
}

fn widened(values: &[f32]) -> Vec<f64> {
    values.iter().copied().map(f64::from).collect()
}

/// Whether a matrix leaves anything of what it is applied to but a point.
fn has_extent(m: &Mat4) -> bool {
    m[..3].iter().any(|column| column[..3].iter().any(|&x| x != 0.0))
}

impl Primitive {
    fn new(primitive: &gltf::Primitive<'_>, bin: &[u8]) -> Self {
        let attribute = |semantic: Semantic| {
            let accessor = primitive.get(&semantic)?;
            Some(read_accessor(&accessor, bin))
        };
        let positions: Vec<[f64; 3]> =
            arrays(&attribute(Semantic::Positions).expect("a primitive's positions"));
        let count = positions.len();
        let texcoords = attribute(Semantic::TexCoords(0)).map(|elements| arrays(&elements));
        let normals = attribute(Semantic::Normals).map(|elements| arrays(&elements));
        let material = primitive.material();
        let factor = material.pbr_metallic_roughness().base_color_factor().map(f64::from);
        let colours = match attribute(Semantic::Colors(0)) {
            // Without alpha it is 1.
            Some(elements) => elements
                .iter()
                .map(|e| std::array::from_fn(|i| factor[i] * e.get(i).copied().unwrap_or(1.0)))
                .collect(),
            None => vec![factor; count],
        };
        let influences = match (attribute(Semantic::Joints(0)), attribute(Semantic::Weights(0))) {
            (Some(joints), Some(weights)) => {
                assert_eq!((joints.len(), weights.len()), (count, count));
                let of_vertex = |(joints, weights): ([f64; 4], [f64; 4])| {
                    std::array::from_fn(|i| (joints[i] as usize, weights[i]))
                };
                Some(
                    arrays::<4>(&joints)
                        .into_iter()
                        .zip(arrays::<4>(&weights))
                        .map(of_vertex)
                        .collect(),
                )
            }
            (None, None) => None,
            _ => panic!("joints without weights or weights without joints"),
        };
        assert!(
            primitive.get(&Semantic::Joints(1)).is_none(),
            "more than four joints to a vertex are not supported"
        );
        let targets = primitive
            .morph_targets()
            .map(|target| match target.positions() {
                Some(accessor) => arrays(&read_accessor(&accessor, bin)),
                None => vec![[0.0; 3]; count],
            })
            .collect();
        let indices = match primitive.indices() {
            Some(accessor) => {
                read_accessor(&accessor, bin).iter().map(|index| index[0] as usize).collect()
            }
            None => (0..count).collect(),
        };
        let primitive = Self {
            mode: primitive.mode(),
            positions,
            targets,
            texcoords,
            normals,
            colours,
            unlit: material.unlit(),
            double_sided: material.double_sided(),
            blended: material.alpha_mode() == AlphaMode::Blend,
            influences,
            indices,
        };
        primitive.check();
        primitive
    }

    fn check(&self) {
        let count = self.positions.len();
        assert!(self.indices.iter().all(|&index| index < count), "an index is out of range");
        assert!(
            self.targets.iter().all(|target| target.len() == count),
            "a morph target has not as many vertices as the mesh"
        );
        assert!(
            self.texcoords.as_ref().is_none_or(|t| t.len() == count),
            "not as many texture coordinates as vertices"
        );
        assert!(
            self.normals.as_ref().is_none_or(|n| n.len() == count),
            "not as many normals as vertices"
        );
        assert_eq!(self.colours.len(), count, "not as many colours as vertices");
    }

    /// The corners of every triangle, as numbers into the vertices.
    fn triangles(&self) -> Vec<[usize; 3]> {
        let v = &self.indices;
        match self.mode {
            Mode::Triangles => {
                assert_eq!(v.len() % 3, 0, "an incomplete triangle");
                v.chunks(3).map(|t| [t[0], t[1], t[2]]).collect()
            }
            Mode::TriangleStrip => (2..v.len())
                .map(|i| {
                    if i % 2 == 0 { [v[i - 2], v[i - 1], v[i]] } else { [v[i - 2], v[i], v[i - 1]] }
                })
                .collect(),
            Mode::TriangleFan => (2..v.len()).map(|i| [v[i - 1], v[i], v[0]]).collect(),
            _ => Vec::new(),
        }
    }

    /// The ends of every line, as numbers into the vertices.
    fn lines(&self) -> Vec<[usize; 2]> {
        let v = &self.indices;
        let along = v.windows(2).map(|w| [w[0], w[1]]);
        match self.mode {
            Mode::Lines => {
                assert_eq!(v.len() % 2, 0, "an incomplete line");
                v.chunks(2).map(|l| [l[0], l[1]]).collect()
            }
            Mode::LineStrip => along.collect(),
            Mode::LineLoop => along.chain([[v[v.len() - 1], v[0]]]).collect(),
            _ => Vec::new(),
        }
    }

    /// The points, as numbers into the vertices.
    fn points(&self) -> Vec<[usize; 1]> {
        match self.mode {
            Mode::Points => self.indices.iter().map(|&v| [v]).collect(),
            _ => Vec::new(),
        }
    }
}

impl Channel {
    fn new(
        channel: &gltf::animation::Channel<'_>,
        targets: &dyn Fn(usize) -> usize,
        bin: &[u8],
    ) -> Self {
        let sampler = channel.sampler();
        let node = channel.target().node().index();
        let property = channel.target().property();
        let interpolation = sampler.interpolation();
        assert_eq!(sampler.input().data_type(), DataType::F32, "times are not floats");
        let times: Vec<f64> =
            read_accessor(&sampler.input(), bin).iter().map(|time| time[0]).collect();
        assert!(!times.is_empty(), "an animation without keys");
        assert!(times[0] >= 0.0, "a key before the start");
        assert!(times.windows(2).all(|pair| pair[0] < pair[1]), "times are not strictly ascending");
        let mut values = read_accessor(&sampler.output(), bin);
        if property == Property::MorphTargetWeights {
            let flat: Vec<f64> = values.into_iter().flatten().collect();
            values = flat.chunks(targets(node)).map(<[f64]>::to_vec).collect();
        }
        let width = match property {
            Property::Translation | Property::Scale => 3,
            Property::Rotation => 4,
            Property::MorphTargetWeights => targets(node),
        };
        assert!(values.iter().all(|value| value.len() == width), "values of the wrong width");
        let per_key = match interpolation {
            Interpolation::CubicSpline => 3,
            Interpolation::Linear | Interpolation::Step => 1,
        };
        assert_eq!(values.len(), per_key * times.len(), "not as many values as times");
        Self { node, property, interpolation, times, values }
    }

    /// The value at a key.
    fn value(&self, key: usize) -> &[f64] {
        match self.interpolation {
            Interpolation::CubicSpline => &self.values[3 * key + 1],
            Interpolation::Linear | Interpolation::Step => &self.values[key],
        }
    }

    fn at(&self, t: f64) -> Vec<f64> {
        let last = self.times.len() - 1;
        if t <= self.times[0] {
            return self.value(0).to_vec();
        }
        if t >= self.times[last] {
            return self.value(last).to_vec();
        }
        let next = self.times.iter().position(|&time| time > t).unwrap();
        let before = next - 1;
        let duration = self.times[next] - self.times[before];
        let u = (t - self.times[before]) / duration;
        let (a, b) = (self.value(before), self.value(next));
        match self.interpolation {
            Interpolation::Step => a.to_vec(),
            Interpolation::Linear if self.property == Property::Rotation => {
                slerp(a.try_into().unwrap(), b.try_into().unwrap(), u).to_vec()
            }
            Interpolation::Linear => (0..a.len()).map(|i| lerp([a[i]], [b[i]], u)[0]).collect(),
            Interpolation::CubicSpline => {
                let out_tangent = &self.values[3 * before + 2];
                let in_tangent = &self.values[3 * next];
                let (u2, u3) = (u * u, u * u * u);
                (0..a.len())
                    .map(|i| {
                        (2.0 * u3 - 3.0 * u2 + 1.0) * a[i]
                            + duration * (u3 - 2.0 * u2 + u) * out_tangent[i]
                            + (3.0 * u2 - 2.0 * u3) * b[i]
                            + duration * (u3 - u2) * in_tangent[i]
                    })
                    .collect()
            }
        }
    }
}

impl Model {
    fn new(document: &gltf::Document, bin: &[u8]) -> Self {
        assert!(document.buffers().count() <= 1, "more than one buffer");
        let meshes: Vec<Vec<Primitive>> = document
            .meshes()
            .map(|mesh| {
                mesh.primitives().map(|primitive| Primitive::new(&primitive, bin)).collect()
            })
            .collect();

        let mut nodes: Vec<Node> = document
            .nodes()
            .map(|node| {
                let targets = node.mesh().map_or(0, |mesh| {
                    let of_primitives = meshes[mesh.index()].iter();
                    of_primitives.map(|p| p.targets.len()).max().unwrap_or(0)
                });
                let weights = node
                    .weights()
                    .or_else(|| node.mesh().and_then(|mesh| mesh.weights()))
                    .map_or_else(|| vec![0.0; targets], widened);
                assert_eq!(weights.len(), targets, "not as many weights as targets");
                Node {
                    name: node.name().map(str::to_owned),
                    parent: None,
                    local: match node.transform() {
                        gltf::scene::Transform::Matrix { matrix } => {
                            Local::Matrix(matrix.map(|column| column.map(f64::from)))
                        }
                        gltf::scene::Transform::Decomposed { translation, rotation, scale } => {
                            Local::Parts {
                                translation: translation.map(f64::from),
                                rotation: rotation.map(f64::from),
                                scale: scale.map(f64::from),
                            }
                        }
                    },
                    mesh: node.mesh().map(|mesh| mesh.index()),
                    skin: node.skin().map(|skin| skin.index()),
                    camera: node.camera().map(|camera| camera.index()),
                    weights,
                }
            })
            .collect();
        for node in document.nodes() {
            for child in node.children() {
                let parent = &mut nodes[child.index()].parent;
                assert!(parent.is_none(), "a node with two parents");
                *parent = Some(node.index());
            }
        }
        for start in 0..nodes.len() {
            let mut ancestor = Some(start);
            for _ in 0..=nodes.len() {
                ancestor = ancestor.and_then(|node| nodes[node].parent);
            }
            assert!(ancestor.is_none(), "a node is its own ancestor");
        }

        let skins: Vec<Skin> = document
            .skins()
            .map(|skin| {
                let joints: Vec<usize> = skin.joints().map(|joint| joint.index()).collect();
                let inverse_bind_matrices = match skin.inverse_bind_matrices() {
                    Some(accessor) => arrays::<16>(&read_accessor(&accessor, bin))
                        .into_iter()
                        .map(|m| std::array::from_fn(|c| std::array::from_fn(|r| m[4 * c + r])))
                        .collect(),
                    None => vec![IDENTITY; joints.len()],
                };
                assert_eq!(
                    inverse_bind_matrices.len(),
                    joints.len(),
                    "not as many inverse bind matrices as joints"
                );
                Skin { joints, inverse_bind_matrices }
            })
            .collect();
        for node in &nodes {
            let (Some(mesh), Some(skin)) = (node.mesh, node.skin) else {
                continue;
            };
            for primitive in &meshes[mesh] {
                let influences =
                    primitive.influences.as_ref().expect("joints and weights of a skinned mesh");
                assert!(
                    influences.iter().flatten().all(|&(joint, _)| joint < skins[skin].joints.len()),
                    "a vertex's joint is out of range"
                );
            }
        }

        let targets = |node: usize| nodes[node].weights.len();
        let animations: Vec<Animation> = document
            .animations()
            .map(|animation| {
                let channels: Vec<Channel> = animation
                    .channels()
                    .map(|channel| Channel::new(&channel, &targets, bin))
                    .collect();
                for (i, a) in channels.iter().enumerate() {
                    let same = |b: &Channel| a.node == b.node && a.property == b.property;
                    assert!(
                        !channels[..i].iter().any(same),
                        "two channels of one animation have the same target"
                    );
                    assert!(
                        a.property == Property::MorphTargetWeights
                            || matches!(nodes[a.node].local, Local::Parts { .. }),
                        "a node with a matrix is animated"
                    );
                }
                Animation { name: animation.name().map(str::to_owned), channels }
            })
            .collect();

        let cameras = document
            .cameras()
            .map(|camera| match camera.projection() {
                Projection::Perspective(lens) => {
                    (f64::from(lens.yfov()), lens.aspect_ratio().map(f64::from))
                }
                Projection::Orthographic(_) => {
                    panic!("cameras without perspective are not supported")
                }
            })
            .collect();

        Self { nodes, meshes, skins, animations, cameras }
    }

    /// The animations' names in file order, empty where there is none.
    pub fn animation_names(&self) -> Vec<String> {
        let names = self.animations.iter().map(|animation| &animation.name);
        names.map(|name| name.clone().unwrap_or_default()).collect()
    }

    /// The nodes' names in file order, empty where there is none.
    pub fn node_names(&self) -> Vec<String> {
        let names = self.nodes.iter().map(|node| &node.name);
        names.map(|name| name.clone().unwrap_or_default()).collect()
    }

    /// Every node's parent, in file order.
    pub fn node_parents(&self) -> Vec<Option<usize>> {
        self.nodes.iter().map(|node| node.parent).collect()
    }

    /// All distinct times in seconds, ascending, at which any channel of an animation has a key.
    pub fn key_times(&self, animation: usize) -> Vec<f64> {
        let channels = self.animations[animation].channels.iter();
        let mut times: Vec<f64> = channels.flat_map(|c| c.times.iter().copied()).collect();
        times.sort_by(f64::total_cmp);
        times.dedup();
        times
    }

    /// The value of an animation's channel at `t` seconds, if the node has such a channel.
    fn animated(
        &self,
        animation: Option<usize>,
        node: usize,
        property: Property,
        t: f64,
    ) -> Option<Vec<f64>> {
        self.animations[animation?]
            .channels
            .iter()
            .find(|channel| channel.node == node && channel.property == property)
            .map(|channel| channel.at(t))
    }

    /// A node's matrix relative to its parent: T · R · S, each from the animation or else from the
    /// node.
    fn local(&self, animation: Option<usize>, node: usize, t: f64) -> Mat4 {
        match self.nodes[node].local {
            Local::Matrix(matrix) => matrix,
            Local::Parts { translation: position, rotation: turn, scale } => {
                let value = |property| self.animated(animation, node, property, t);
                let array3 = |value: Vec<f64>| -> [f64; 3] { value[..].try_into().unwrap() };
                let position = value(Property::Translation).map_or(position, array3);
                let turn =
                    value(Property::Rotation).map_or(turn, |value| value[..].try_into().unwrap());
                let scale = value(Property::Scale).map_or(scale, array3);
                mul(&translation(position), &mul(&rotation(normalized(turn)), &scaling(scale)))
            }
        }
    }

    /// Every node's matrix to the scene's space.
    fn worlds(&self, animation: Option<usize>, t: f64) -> Vec<Mat4> {
        let mut worlds = vec![None; self.nodes.len()];
        for node in 0..self.nodes.len() {
            self.fill_world(animation, t, node, &mut worlds);
        }
        worlds.into_iter().map(Option::unwrap).collect()
    }

    fn fill_world(
        &self,
        animation: Option<usize>,
        t: f64,
        node: usize,
        worlds: &mut Vec<Option<Mat4>>,
    ) -> Mat4 {
        if let Some(world) = worlds[node] {
            return world;
        }
        let local = self.local(animation, node, t);
        let world = match self.nodes[node].parent {
            Some(parent) => mul(&self.fill_world(animation, t, parent, worlds), &local),
            None => local,
        };
        worlds[node] = Some(world);
        world
    }

    /// The matrix from the space of the first node of that name to the scene's, `t` seconds into an
    /// animation or without one.
    ///
    /// # Panics
    ///
    /// When no node has that name.
    pub fn node_world(&self, animation: Option<usize>, name: &str, t: f64) -> Mat4 {
        let node = self
            .nodes
            .iter()
            .position(|node| node.name.as_deref() == Some(name))
            .unwrap_or_else(|| panic!("no node is called {name}"));
        self.worlds(animation, t)[node]
    }

    /// For every primitive of every node with a mesh, in file order of the nodes, the node, the
    /// primitive and the places of its vertices in the scene.
    fn placed(&self, animation: Option<usize>, t: f64) -> Vec<(usize, &Primitive, Vec<[f64; 3]>)> {
        let worlds = self.worlds(animation, t);
        let mut placed = Vec::new();
        for (n, node) in self.nodes.iter().enumerate() {
            let Some(mesh) = node.mesh else { continue };
            let weights = self
                .animated(animation, n, Property::MorphTargetWeights, t)
                .unwrap_or_else(|| node.weights.clone());
            // A skinned mesh is placed by its joints alone.
            let joint_matrices: Option<Vec<Mat4>> = node.skin.map(|skin| {
                let skin = &self.skins[skin];
                let joints = skin.joints.iter().map(|&joint| worlds[joint]);
                joints
                    .zip(&skin.inverse_bind_matrices)
                    .map(|(world, inverse_bind)| mul(&world, inverse_bind))
                    .collect()
            });
            for primitive in &self.meshes[mesh] {
                let place = |vertex: usize| {
                    let mut position = primitive.positions[vertex];
                    for (target, weight) in primitive.targets.iter().zip(&weights) {
                        for (sum, part) in position.iter_mut().zip(target[vertex]) {
                            *sum += weight * part;
                        }
                    }
                    let Some(joint_matrices) = &joint_matrices else {
                        return transform_point(&worlds[n], position);
                    };
                    let mut sum = [0.0; 3];
                    for &(joint, weight) in &primitive.influences.as_ref().unwrap()[vertex] {
                        let moved = transform_point(&joint_matrices[joint], position);
                        for (sum, part) in sum.iter_mut().zip(moved) {
                            *sum += weight * part;
                        }
                    }
                    sum
                };
                let places = (0..primitive.positions.len()).map(place).collect();
                placed.push((n, primitive, places));
            }
        }
        placed
    }

    fn elements_at<const N: usize>(
        &self,
        animation: Option<usize>,
        t: f64,
        elements: impl Fn(&Primitive) -> Vec<[usize; N]>,
    ) -> Vec<[[f64; 3]; N]> {
        let mut result = Vec::new();
        for (_, primitive, places) in self.placed(animation, t) {
            let of_primitive = elements(primitive);
            result.extend(of_primitive.iter().map(|element| element.map(|v| places[v])));
        }
        result
    }

    /// The corners of every triangle in the scene's space, `t` seconds into an animation or without
    /// one: the nodes that have a mesh in file order, whether or not a scene shows them, and in
    /// each its primitives and their triangles in file order. Outside of the keys the nearest one
    /// holds; weights are used exactly as stored.
    pub fn triangles_at(&self, animation: Option<usize>, t: f64) -> Vec<[[f64; 3]; 3]> {
        self.elements_at(animation, t, Primitive::triangles)
    }

    /// The ends of every line, as [`Model::triangles_at`] gives triangles.
    pub fn lines_at(&self, animation: Option<usize>, t: f64) -> Vec<[[f64; 3]; 2]> {
        self.elements_at(animation, t, Primitive::lines)
    }

    /// Every point, as [`Model::triangles_at`] gives triangles.
    pub fn points_at(&self, animation: Option<usize>, t: f64) -> Vec<[f64; 3]> {
        let points = self.elements_at(animation, t, Primitive::points);
        points.into_iter().map(|[point]| point).collect()
    }

    /// What every primitive of every node draws in the scene's space, hidden or not, in the order
    /// of [`Model::triangles_at`].
    pub fn drawn_at(&self, animation: Option<usize>, t: f64) -> Vec<Drawn> {
        let worlds = self.worlds(animation, t);
        let draw = |(node, primitive, places): (usize, &Primitive, Vec<[f64; 3]>)| {
            let vertex = |v: usize| Vertex {
                place: places[v],
                normal: primitive.normals.as_ref().map(|normals| normals[v]),
                colour: primitive.colours[v],
                texcoord: primitive.texcoords.as_ref().map(|texcoords| texcoords[v]),
            };
            Drawn {
                node,
                shown: match self.nodes[node].skin {
                    Some(skin) => {
                        self.skins[skin].joints.iter().any(|&joint| has_extent(&worlds[joint]))
                    }
                    None => has_extent(&worlds[node]),
                },
                unlit: primitive.unlit,
                double_sided: primitive.double_sided,
                blended: primitive.blended,
                triangles: primitive
                    .triangles()
                    .into_iter()
                    .map(|triangle| triangle.map(vertex))
                    .collect(),
                lines: primitive.lines().into_iter().map(|line| line.map(vertex)).collect(),
                points: primitive.points().into_iter().map(|[point]| vertex(point)).collect(),
            }
        };
        self.placed(animation, t).into_iter().map(draw).collect()
    }

    /// The cameras of all nodes that have one, in file order of the nodes.
    ///
    /// A field of view that changes needs an extension (`KHR_animation_pointer`), which is not
    /// read.
    pub fn cameras_at(&self, animation: Option<usize>, t: f64) -> Vec<Camera> {
        let worlds = self.worlds(animation, t);
        let of_node = |node: usize| {
            let (vertical_fov, aspect) = self.cameras[self.nodes[node].camera?];
            Some(Camera {
                node,
                world: worlds[node],
                shown: has_extent(&worlds[node]),
                vertical_fov,
                aspect,
            })
        };
        (0..self.nodes.len()).filter_map(of_node).collect()
    }

    /// The texture coordinates (set 0, V down) of every triangle's corners in the order of
    /// [`Model::triangles_at`], `None` for triangles of a primitive that has none.
    pub fn triangle_texcoords(&self) -> Vec<Option<[[f64; 2]; 3]>> {
        let mut result = Vec::new();
        for mesh in self.nodes.iter().filter_map(|node| node.mesh) {
            for primitive in &self.meshes[mesh] {
                for triangle in primitive.triangles() {
                    let texcoords = primitive.texcoords.as_ref();
                    result.push(texcoords.map(|texcoords| triangle.map(|v| texcoords[v])));
                }
            }
        }
        result
    }

    /// Whether no vertex has a negative weight, and every vertex that has weights has them sum to 1
    /// within 1e-6.
    pub fn weights_sum_ok(&self) -> bool {
        let primitives = self.meshes.iter().flatten();
        let mut vertices = primitives.filter_map(|p| p.influences.as_ref()).flatten();
        vertices.all(|influences| {
            let sum: f64 = influences.iter().map(|&(_, weight)| weight).sum();
            (sum - 1.0).abs() <= 1e-6 && influences.iter().all(|&(_, weight)| weight >= 0.0)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HALF: f64 = std::f64::consts::FRAC_1_SQRT_2;

    fn close(a: &[f64], b: &[f64]) {
        assert_eq!(a.len(), b.len());
        // Rotations are stored with 24 bits.
        assert!(a.iter().zip(b).all(|(x, y)| (x - y).abs() < 1e-6), "{a:?} is not {b:?}");
    }

    /// A buffer and the JSON of its views and accessors.
    #[derive(Default)]
    struct Content {
        bin: Vec<u8>,
        views: Vec<String>,
        accessors: Vec<String>,
    }

    impl Content {
        fn add(&mut self, bytes: &[u8], shape: &str, count: usize) -> usize {
            self.views.push(format!(
                r#"{{"buffer":0,"byteOffset":{},"byteLength":{}}}"#,
                self.bin.len(),
                bytes.len()
            ));
            self.accessors.push(format!(
                r#"{{"bufferView":{},"count":{count},{shape}}}"#,
                self.views.len() - 1
            ));
            self.bin.extend(bytes);
            self.bin.resize(self.bin.len().next_multiple_of(4), 0);
            self.accessors.len() - 1
        }

        fn floats(&mut self, kind: &str, width: usize, values: &[f32]) -> usize {
            let bytes: Vec<u8> = values.iter().flat_map(|x| x.to_le_bytes()).collect();
            let bounds = |of: fn(f32, f32) -> f32| {
                let column = |c| values.iter().skip(c).step_by(width).copied().reduce(of);
                let columns: Vec<f32> = (0..width).map(|c| column(c).unwrap()).collect();
                format!("{columns:?}")
            };
            let shape = format!(
                r#""componentType":5126,"type":"{kind}","min":{},"max":{}"#,
                bounds(f32::min),
                bounds(f32::max)
            );
            self.add(&bytes, &shape, values.len() / width)
        }

        fn json(&self, rest: &str) -> String {
            format!(
                r#"{{"asset":{{"version":"2.0"}},"buffers":[{{"byteLength":{}}}],"bufferViews":[{}],"accessors":[{}],{rest}}}"#,
                self.bin.len(),
                self.views.join(","),
                self.accessors.join(",")
            )
        }

        fn glb(&self, rest: &str) -> Vec<u8> {
            let mut json = self.json(rest).into_bytes();
            json.resize(json.len().next_multiple_of(4), b' ');
            let mut glb = b"glTF".to_vec();
            for n in [2, 12 + 8 + json.len() + 8 + self.bin.len(), json.len()] {
                glb.extend((n as u32).to_le_bytes());
            }
            glb.extend(b"JSON");
            glb.extend(&json);
            glb.extend((self.bin.len() as u32).to_le_bytes());
            glb.extend(b"BIN\0");
            glb.extend(&self.bin);
            glb
        }
    }

    const TRIANGLE: [f32; 9] = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];

    #[test]
    fn parents_move_turn_and_scale_their_children() {
        let mut content = Content::default();
        content.floats("VEC3", 3, &TRIANGLE);
        let model = read(&content.glb(
            r#""meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
               "nodes":[{"name":"child","mesh":0,"translation":[0,2,0]},
                        {"name":"root","children":[0],"rotation":[0,0,1,1],"scale":[2,1,1],"translation":[0,0,5]},
                        {"mesh":0,"matrix":[1,0,0,0, 0.5,1,0,0, 0,0,1,0, 10,0,0,1]}]"#,
        ));
        let triangles = model.triangles_at(None, 0.0);
        assert_eq!(triangles.len(), 2);
        // (1 2 0), scaled (2 2 0), turned (-2 2 0), moved.
        close(&triangles[0][0], &[-2.0, 2.0, 5.0]);
        close(&triangles[1][1], &[10.5, 1.0, 0.0]);
        close(&model.node_world(None, "child", 0.0)[3], &[-2.0, 0.0, 5.0, 1.0]);
        assert_eq!(model.node_names(), ["child", "root", ""]);
        assert_eq!(model.node_parents(), [Some(1), None, None]);
        assert!(model.weights_sum_ok());
        assert_eq!(model.triangle_texcoords(), [None, None]);
    }

    fn animated(interpolation: &str, path: &str, values: (&str, usize, &[f32])) -> Model {
        let mut content = Content::default();
        content.floats("VEC3", 3, &TRIANGLE);
        content.floats("SCALAR", 1, &[1.0, 3.0]);
        content.floats(values.0, values.1, values.2);
        read(&content.glb(&format!(
            r#""meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}}}]}}],
               "nodes":[{{"mesh":0,"name":"n","translation":[0,0,7]}}],
               "animations":[{{"name":"a","samplers":[{{"input":1,"output":2,"interpolation":"{interpolation}"}}],
                 "channels":[{{"sampler":0,"target":{{"node":0,"path":"{path}"}}}}]}}]"#
        )))
    }

    fn corner(model: &Model, t: f64) -> [f64; 3] {
        model.triangles_at(Some(0), t)[0][0]
    }

    #[test]
    fn linear_rotations_go_the_shortest_way() {
        let half = HALF as f32;
        let model = animated(
            "LINEAR",
            "rotation",
            ("VEC4", 4, &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, -half, -half]),
        );
        close(&corner(&model, 0.0), &[1.0, 0.0, 7.0]);
        close(&corner(&model, 2.0), &[HALF, HALF, 7.0]);
        close(&corner(&model, 5.0), &[0.0, 1.0, 7.0]);
        close(&model.triangles_at(None, 2.0)[0][0], &[1.0, 0.0, 7.0]);
        assert_eq!(model.key_times(0), [1.0, 3.0]);
        assert_eq!(model.animation_names(), ["a"]);
    }

    #[test]
    fn linear_and_stepped_translations_replace_the_node_s() {
        let values: &[f32] = &[0.0, 0.0, 0.0, 4.0, 0.0, 0.0];
        let linear = animated("LINEAR", "translation", ("VEC3", 3, values));
        close(&corner(&linear, 2.5), &[4.0, 0.0, 0.0]);
        let stepped = animated("STEP", "translation", ("VEC3", 3, values));
        close(&corner(&stepped, 2.5), &[1.0, 0.0, 0.0]);
        close(&corner(&stepped, 3.0), &[5.0, 0.0, 0.0]);
    }

    #[test]
    fn cubic_splines_use_the_tangents_between_the_keys() {
        let values: &[f32] = &[
            9.0, 9.0, 9.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, // the first key
            0.0, 2.0, 0.0, 1.0, 0.0, 0.0, 9.0, 9.0, 9.0, // the second key
        ];
        let model = animated("CUBICSPLINE", "translation", ("VEC3", 3, values));
        // Half the way of 2 seconds: 0 + 2·0.125·1 + 0.5·1 and 2·(-0.125)·2.
        close(&corner(&model, 2.0), &[1.75, -0.5, 0.0]);
        close(&corner(&model, 1.0), &[1.0, 0.0, 0.0]);
        close(&corner(&model, 3.5), &[2.0, 0.0, 0.0]);
    }

    #[test]
    fn cubic_rotations_are_normalised() {
        let values: &[f32] = &[
            0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, // the first key
            0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, // the second key
        ];
        let model = animated("CUBICSPLINE", "rotation", ("VEC4", 4, values));
        close(&corner(&model, 2.0), &[0.0, 1.0, 7.0]);
    }

    #[test]
    fn scales_are_animated() {
        let model = animated("LINEAR", "scale", ("VEC3", 3, &[1.0, 1.0, 1.0, 3.0, 1.0, 1.0]));
        close(&corner(&model, 2.0), &[2.0, 0.0, 7.0]);
    }

    fn skinned(weights: &[u8]) -> Content {
        let mut content = Content::default();
        content.floats("VEC3", 3, &TRIANGLE);
        content.add(
            &[0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0],
            r#""componentType":5121,"type":"VEC4""#,
            3,
        );
        content.add(weights, r#""componentType":5121,"type":"VEC4","normalized":true"#, 3);
        let mut matrices = [0.0; 32];
        for i in [0, 5, 10, 15, 16, 21, 26, 31] {
            matrices[i] = 1.0;
        }
        matrices[16 + 12] = -3.0;
        content.floats("MAT4", 16, &matrices);
        content
    }

    const SKINNED: &str = r#""meshes":[{"primitives":[{"attributes":{"POSITION":0,"JOINTS_0":1,"WEIGHTS_0":2}}]}],
        "skins":[{"joints":[2,1],"inverseBindMatrices":3}],
        "nodes":[{"mesh":0,"skin":0,"translation":[100,0,0]},
                 {"translation":[3,0,1],"rotation":[0,0,1,1]},
                 {"children":[1],"translation":[0,10,0]}]"#;

    #[test]
    fn joints_place_the_vertices_by_their_weights() {
        let content = skinned(&[51, 204, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0]);
        let model = read(&content.glb(SKINNED));
        let [a, b, c] = model.triangles_at(None, 0.0)[0];
        // By the first joint (1 10 0); by the second (-2 0 0), turned (0 -2 0), moved (3 8 1).
        close(&a, &[0.2 + 0.8 * 3.0, 0.2 * 10.0 + 0.8 * 8.0, 0.8]);
        // By the second joint: (-3 1 0), turned (-1 -3 0), moved.
        close(&b, &[2.0, 7.0, 1.0]);
        close(&c, &[0.0, 10.0, 1.0]);
        assert!(model.weights_sum_ok());
    }

    #[test]
    fn weights_are_taken_as_stored() {
        let content = skinned(&[255, 51, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0]);
        let model = read(&content.glb(SKINNED));
        close(&model.triangles_at(None, 0.0)[0][0], &[1.0 + 0.2 * 3.0, 10.0 + 0.2 * 8.0, 0.2]);
        assert!(!model.weights_sum_ok());
    }

    #[test]
    fn morph_targets_add_to_the_positions() {
        let mut content = Content::default();
        content.floats("VEC3", 3, &TRIANGLE);
        content.floats("VEC3", 3, &[0.0, 4.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        content.floats("VEC3", 3, &[0.0, 0.0, 8.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        content.floats("SCALAR", 1, &[0.0, 1.0]);
        content.floats("SCALAR", 1, &[0.0, 0.0, 1.0, 0.5]);
        let model = read(&content.glb(
            r#""meshes":[{"weights":[0.5,0.25],
                 "primitives":[{"attributes":{"POSITION":0},"targets":[{"POSITION":1},{"POSITION":2}]}]}],
               "nodes":[{"mesh":0}],
               "animations":[{"samplers":[{"input":3,"output":4}],
                 "channels":[{"sampler":0,"target":{"node":0,"path":"weights"}}]}]"#,
        ));
        close(&model.triangles_at(None, 0.0)[0][0], &[1.0, 2.0, 2.0]);
        close(&corner(&model, 0.5), &[1.0, 2.0, 2.0]);
        close(&corner(&model, 1.0), &[1.0, 4.0, 4.0]);
    }

    #[test]
    fn all_modes_give_their_elements() {
        let mut content = Content::default();
        content.floats("VEC3", 3, &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 2.0, 0.0, 0.0, 3.0, 0.0, 0.0]);
        content.add(&[3, 0, 2, 0, 1, 0, 0, 0], r#""componentType":5123,"type":"SCALAR""#, 4);
        content.floats("VEC2", 2, &[0.0, 0.5, 1.0, 0.5, 2.0, 0.5, 3.0, 0.5]);
        let mode = |mode: usize| {
            read_parts(
                content
                    .json(&format!(
                        r#""nodes":[{{"mesh":0}}],"meshes":[{{"primitives":[
                           {{"mode":{mode},"indices":1,"attributes":{{"POSITION":0,"TEXCOORD_0":2}}}}]}}]"#
                    ))
                    .replace(r#""buffers":[{"#, r#""buffers":[{"uri":"a.bin","#)
                    .as_bytes(),
                &content.bin,
            )
        };
        fn xs<const N: usize>(elements: &[[[f64; 3]; N]]) -> Vec<[f64; N]> {
            elements.iter().map(|e| e.map(|p| p[0])).collect()
        }
        assert_eq!(mode(0).points_at(None, 0.0).len(), 4);
        assert_eq!(mode(0).points_at(None, 0.0)[0], [3.0, 0.0, 0.0]);
        assert_eq!(xs(&mode(1).lines_at(None, 0.0)), [[3.0, 2.0], [1.0, 0.0]]);
        assert_eq!(
            xs(&mode(2).lines_at(None, 0.0)),
            [[3.0, 2.0], [2.0, 1.0], [1.0, 0.0], [0.0, 3.0]]
        );
        assert_eq!(mode(3).lines_at(None, 0.0).len(), 3);
        assert_eq!(xs(&mode(5).triangles_at(None, 0.0)), [[3.0, 2.0, 1.0], [2.0, 0.0, 1.0]]);
        assert_eq!(xs(&mode(6).triangles_at(None, 0.0)), [[2.0, 1.0, 3.0], [1.0, 0.0, 3.0]]);
        assert!(mode(6).points_at(None, 0.0).is_empty());
        assert_eq!(mode(5).triangle_texcoords()[0], Some([[3.0, 0.5], [2.0, 0.5], [1.0, 0.5]]));
    }

    #[test]
    fn what_is_drawn_has_colours_and_may_be_hidden() {
        let mut content = Content::default();
        content.floats("VEC3", 3, &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
        content.add(
            &[255, 0, 51, 0, 255, 255, 255, 0],
            r#""componentType":5121,"type":"VEC3","normalized":true"#,
            2,
        );
        content.views[1] = content.views[1].replace('}', r#","byteStride":4}"#);
        content.floats("SCALAR", 1, &[0.0, 1.0]);
        content.floats("VEC3", 3, &[2.0, 2.0, 2.0, 0.0, 0.0, 0.0]);
        let model = read(&content.glb(
            r#""extensionsUsed":["KHR_materials_unlit"],
               "materials":[{"doubleSided":true,"pbrMetallicRoughness":{"baseColorFactor":[0.5,1,1,0.25]},"extensions":{"KHR_materials_unlit":{}}}],
               "meshes":[{"primitives":[{"mode":1,"material":0,"attributes":{"POSITION":0,"COLOR_0":1}},
                                        {"mode":0,"attributes":{"POSITION":0}}]}],
               "nodes":[{"translation":[0,5,0]},{"name":"a","mesh":0},{"mesh":0}],
               "animations":[{"samplers":[{"input":2,"output":3,"interpolation":"STEP"}],
                 "channels":[{"sampler":0,"target":{"node":1,"path":"scale"}}]}]"#,
        ));
        let drawn = model.drawn_at(Some(0), 0.5);
        let of_nodes: Vec<_> = drawn
            .iter()
            .map(|d| (d.node, d.shown, d.unlit, d.double_sided, d.lines.len(), d.points.len()))
            .collect();
        assert_eq!(
            of_nodes,
            [
                (1, true, true, true, 1, 0),
                (1, true, false, false, 0, 2),
                (2, true, true, true, 1, 0),
                (2, true, false, false, 0, 2)
            ]
        );
        let [a, b] = drawn[0].lines[0];
        close(&a.colour, &[0.5, 0.0, 0.2, 0.25]);
        close(&b.colour, &[0.5, 1.0, 1.0, 0.25]);
        assert_eq!((b.place, drawn[1].points[1].colour), ([2.0, 0.0, 0.0], [1.0; 4]));
        let shown: Vec<bool> = model.drawn_at(Some(0), 1.0).iter().map(|d| d.shown).collect();
        assert_eq!(shown, [false, false, true, true]);
    }

    #[test]
    fn cameras_are_placed() {
        let model = read(&Content::default().glb(
            r#""cameras":[{"type":"perspective","perspective":{"yfov":0.5,"aspectRatio":1.5,"znear":1}}],
               "nodes":[{"children":[1],"translation":[1,2,3]},{"camera":0,"rotation":[0,1,0,0]},{}]"#,
        ));
        let [camera] = model.cameras_at(None, 0.0).try_into().unwrap();
        assert_eq!(
            (camera.node, camera.shown, camera.vertical_fov, camera.aspect),
            (1, true, 0.5, Some(1.5))
        );
        // Half a turn about y: it looks along +z.
        close(&transform_point(&camera.world, [0.0, 1.0, -1.0]), &[1.0, 3.0, 4.0]);
    }

    #[test]
    fn sparse_and_absent_content_is_read() {
        let mut content = Content::default();
        content.floats("VEC3", 3, &[5.0, 6.0, 7.0]);
        content.add(&[2], r#""componentType":5121,"type":"SCALAR""#, 1);
        content.accessors.push(
            r#"{"componentType":5126,"type":"VEC3","count":3,"min":[0,0,0],"max":[5,6,7],
                "sparse":{"count":1,"indices":{"bufferView":1,"componentType":5121},"values":{"bufferView":0}}}"#
                .to_owned(),
        );
        let model = read(&content.glb(
            r#""nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":2}}]}]"#,
        ));
        assert_eq!(model.triangles_at(None, 0.0), [[[0.0; 3], [0.0; 3], [5.0, 6.0, 7.0]]]);
    }

    #[test]
    #[should_panic(expected = "out of range")]
    fn an_index_out_of_range_panics() {
        let mut content = Content::default();
        content.floats("VEC3", 3, &TRIANGLE);
        content.add(&[0, 1, 3], r#""componentType":5121,"type":"SCALAR""#, 3);
        read(&content.glb(r#""nodes":[{"mesh":0}],"meshes":[{"primitives":[{"indices":1,"attributes":{"POSITION":0}}]}]"#));
    }

    #[test]
    #[should_panic(expected = "range end index")]
    fn an_accessor_longer_than_its_view_panics() {
        let mut content = Content::default();
        content.floats("VEC3", 3, &TRIANGLE);
        content.accessors[0] = content.accessors[0].replace(r#""count":3"#, r#""count":4"#);
        read(&content.glb(
            r#""nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}]"#,
        ));
    }

    #[test]
    #[should_panic(expected = "not strictly ascending")]
    fn two_keys_at_one_time_panic() {
        let mut content = Content::default();
        content.floats("SCALAR", 1, &[1.0, 1.0]);
        content.floats("VEC3", 3, &[0.0; 6]);
        read(&content.glb(
            r#""nodes":[{}],"animations":[{"samplers":[{"input":0,"output":1}],
               "channels":[{"sampler":0,"target":{"node":0,"path":"translation"}}]}]"#,
        ));
    }
}
