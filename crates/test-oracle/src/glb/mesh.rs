//! Meshes with their morph targets, skins and nodes.

use gltf::Semantic;
use gltf::material::AlphaMode;
use gltf::mesh::Mode;

use super::accessor::{arrays, read_accessor};
use crate::math::{IDENTITY, Mat4, has_cycle, mul, transform_point, weighted_sum};

#[derive(Clone, Debug)]
pub(super) struct Primitive {
    pub(super) mode: Mode,
    pub(super) positions: Vec<[f64; 3]>,
    /// For each morph target, its position deltas.
    pub(super) targets: Vec<Vec<[f64; 3]>>,
    pub(super) texcoords: Option<Vec<[f64; 2]>>,
    pub(super) normals: Option<Vec<[f64; 3]>>,
    /// The vertex colours multiplied by the material's colour.
    pub(super) colours: Vec<[f64; 4]>,
    pub(super) unlit: bool,
    pub(super) double_sided: bool,
    pub(super) blended: bool,
    /// For each vertex, its joints as indices into the skin's joints, and their weights as stored.
    pub(super) influences: Option<Vec<Vec<(usize, f64)>>>,
    /// The vertices in index order, or all vertices.
    pub(super) indices: Vec<usize>,
}

impl Primitive {
    pub(super) fn new(primitive: &gltf::Primitive<'_>, bin: &[u8]) -> Self {
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
            // The default alpha is 1.
            Some(elements) => elements
                .iter()
                .map(|e| std::array::from_fn(|i| factor[i] * e.get(i).copied().unwrap_or(1.0)))
                .collect(),
            None => vec![factor; count],
        };
        let mut influences: Option<Vec<Vec<(usize, f64)>>> = None;
        for set in 0..2 {
            match (attribute(Semantic::Joints(set)), attribute(Semantic::Weights(set))) {
                (Some(joints), Some(weights)) => {
                    assert_eq!((joints.len(), weights.len()), (count, count));
                    let all = influences.get_or_insert_with(|| vec![Vec::new(); count]);
                    for (vertex, (joints, weights)) in
                        arrays::<4>(&joints).iter().zip(&arrays::<4>(&weights)).enumerate()
                    {
                        all[vertex].extend((0..4).map(|i| (joints[i] as usize, weights[i])));
                    }
                }
                (None, None) => {}
                _ => panic!("joints without weights or weights without joints"),
            }
        }
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
        let counts = [
            Some(self.colours.len()),
            self.texcoords.as_ref().map(Vec::len),
            self.normals.as_ref().map(Vec::len),
        ];
        let mut counts =
            counts.into_iter().flatten().chain(self.targets.iter().map(|target| target.len()));
        assert!(
            counts.all(|other| other == count),
            "attributes differ in their number of vertices"
        );
    }

    /// Returns the corners of each triangle, as vertex indices.
    pub(super) fn triangles(&self) -> Vec<[usize; 3]> {
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

    /// Returns the ends of each line, as vertex indices.
    pub(super) fn lines(&self) -> Vec<[usize; 2]> {
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

    /// Returns the points, as vertex indices.
    pub(super) fn points(&self) -> Vec<[usize; 1]> {
        match self.mode {
            Mode::Points => self.indices.iter().map(|&v| [v]).collect(),
            _ => Vec::new(),
        }
    }

    /// Returns the position of a vertex in mesh space with morph targets applied.
    pub(super) fn morphed(&self, vertex: usize, weights: &[f64]) -> [f64; 3] {
        let moved = self.targets.iter().zip(weights).map(|(target, &w)| (target[vertex], w));
        weighted_sum([(self.positions[vertex], 1.0)].into_iter().chain(moved))
    }
}

#[derive(Clone, Debug)]
pub(super) struct Skin {
    pub(super) joints: Vec<usize>,
    pub(super) inverse_bind_matrices: Vec<Mat4>,
}

impl Skin {
    pub(super) fn new(skin: &gltf::Skin<'_>, bin: &[u8]) -> Self {
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
            "the numbers of inverse bind matrices and joints differ"
        );
        Self { joints, inverse_bind_matrices }
    }

    pub(super) fn check(&self, primitive: &Primitive) {
        let influences = primitive.influences.as_ref().expect("joints of a skinned mesh");
        let mut joints = influences.iter().flatten().map(|&(joint, _)| joint);
        assert!(joints.all(|joint| joint < self.joints.len()), "a joint is out of range");
    }

    /// Returns the matrix that each joint applies to its vertices.
    pub(super) fn matrices(&self, worlds: &[Mat4]) -> Vec<Mat4> {
        let joints = self.joints.iter().zip(&self.inverse_bind_matrices);
        joints.map(|(&joint, inverse_bind)| mul(&worlds[joint], inverse_bind)).collect()
    }
}

/// Transforms a point by the weighted joints.
pub(super) fn skinned(matrices: &[Mat4], influences: &[(usize, f64)], point: [f64; 3]) -> [f64; 3] {
    weighted_sum(
        influences
            .iter()
            .map(|&(joint, weight)| (transform_point(&matrices[joint], point), weight)),
    )
}

#[derive(Clone, Debug)]
pub(super) struct Node {
    /// The name; empty if missing.
    pub(super) name: String,
    pub(super) parent: Option<usize>,
    pub(super) local: Local,
    pub(super) mesh: Option<usize>,
    pub(super) skin: Option<usize>,
    pub(super) camera: Option<usize>,
    /// The morph weights of the node, or else of its mesh, or else zeros.
    pub(super) weights: Vec<f64>,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Local {
    Matrix(Mat4),
    Parts { translation: [f64; 3], rotation: [f64; 4], scale: [f64; 3] },
}

impl Node {
    fn new(node: &gltf::Node<'_>, meshes: &[Vec<Primitive>]) -> Self {
        let targets = node.mesh().map_or(0, |mesh| {
            let of_primitives = meshes[mesh.index()].iter();
            of_primitives.map(|p| p.targets.len()).max().unwrap_or(0)
        });
        let weights = node.weights().or_else(|| node.mesh()?.weights());
        let weights = weights
            .map_or(vec![0.0; targets], |weights| weights.iter().copied().map(f64::from).collect());
        assert_eq!(weights.len(), targets, "the numbers of weights and targets differ");
        Self {
            name: node.name().unwrap_or_default().to_owned(),
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
    }
}

/// Reads all nodes of a file. Panics if a node has several parents or is its own ancestor.
pub(super) fn read_nodes(document: &gltf::Document, meshes: &[Vec<Primitive>]) -> Vec<Node> {
    let mut nodes: Vec<Node> = document.nodes().map(|node| Node::new(&node, meshes)).collect();
    for node in document.nodes() {
        for child in node.children() {
            let parent = &mut nodes[child.index()].parent;
            assert!(parent.is_none(), "a node with two parents");
            *parent = Some(node.index());
        }
    }
    let parents: Vec<Option<usize>> = nodes.iter().map(|node| node.parent).collect();
    assert!(!has_cycle(&parents), "a node is its own ancestor");
    nodes
}
