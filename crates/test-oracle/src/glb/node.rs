//! The tree of nodes.

use super::mesh::Primitive;
use crate::math::Mat4;

#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) name: Option<String>,
    pub(super) parent: Option<usize>,
    pub(super) local: Local,
    pub(super) mesh: Option<usize>,
    pub(super) skin: Option<usize>,
    pub(super) camera: Option<usize>,
    /// The weights of morph targets, where the node or its mesh has them.
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
        let weights =
            node.weights().or_else(|| node.mesh().and_then(|mesh| mesh.weights())).map_or_else(
                || vec![0.0; targets],
                |weights| weights.iter().copied().map(f64::from).collect(),
            );
        assert_eq!(weights.len(), targets, "not as many weights as targets");
        Self {
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
    }
}

/// All nodes of a file, each hanging from at most one and none from itself.
pub(super) fn read_nodes(document: &gltf::Document, meshes: &[Vec<Primitive>]) -> Vec<Node> {
    let mut nodes: Vec<Node> = document.nodes().map(|node| Node::new(&node, meshes)).collect();
    for node in document.nodes() {
        for child in node.children() {
            let parent = &mut nodes[child.index()].parent;
            assert!(parent.is_none(), "a node with two parents");
            *parent = Some(node.index());
        }
    }
    for start in 0..nodes.len() {
        let above = std::iter::successors(Some(start), |&node| nodes[node].parent);
        assert!(above.take(nodes.len() + 1).count() <= nodes.len(), "a node is its own ancestor");
    }
    nodes
}
