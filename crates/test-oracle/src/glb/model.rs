//! A whole file, and where everything is.

use gltf::animation::Property;

use super::animation::Animation;
use super::mesh::Primitive;
use super::node::{Local, Node};
use super::skin::{Skin, skinned};
use crate::math::{Mat4, mul, normalized, rotation, scaling, transform_point, translation};

/// A whole file.
#[derive(Clone, Debug)]
pub struct Model {
    pub(super) nodes: Vec<Node>,
    pub(super) meshes: Vec<Vec<Primitive>>,
    pub(super) skins: Vec<Skin>,
    pub(super) animations: Vec<Animation>,
    /// For every camera its vertical field of view and its aspect ratio.
    pub(super) cameras: Vec<(f64, Option<f64>)>,
}

impl Model {
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
        self.animations[animation?].at(node, property, t)
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
    pub(super) fn worlds(&self, animation: Option<usize>, t: f64) -> Vec<Mat4> {
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
        self.worlds(animation, t)[self.named(name)]
    }

    /// The weights of the morph targets of the first node of that name, as
    /// [`Model::node_world`] gives its matrix.
    ///
    /// # Panics
    ///
    /// When no node has that name.
    pub fn node_weights(&self, animation: Option<usize>, name: &str, t: f64) -> Vec<f64> {
        self.weights(animation, self.named(name), t)
    }

    fn named(&self, name: &str) -> usize {
        let is_named = |node: &Node| node.name.as_deref() == Some(name);
        let node = self.nodes.iter().position(is_named);
        node.unwrap_or_else(|| panic!("no node is called {name}"))
    }

    fn weights(&self, animation: Option<usize>, node: usize, t: f64) -> Vec<f64> {
        self.animated(animation, node, Property::MorphTargetWeights, t)
            .unwrap_or_else(|| self.nodes[node].weights.clone())
    }

    /// For every primitive of every node with a mesh, in file order of the nodes, the node, the
    /// primitive and the places of its vertices in the scene.
    pub(super) fn placed(
        &self,
        animation: Option<usize>,
        t: f64,
    ) -> Vec<(usize, &Primitive, Vec<[f64; 3]>)> {
        let worlds = self.worlds(animation, t);
        let mut placed = Vec::new();
        for (n, node) in self.nodes.iter().enumerate() {
            let Some(mesh) = node.mesh else { continue };
            let weights = self.weights(animation, n, t);
            let joints = node.skin.map(|skin| self.skins[skin].matrices(&worlds));
            for primitive in &self.meshes[mesh] {
                let place = |vertex: usize| {
                    let position = primitive.morphed(vertex, &weights);
                    // A skinned mesh is placed by its joints alone.
                    match (&joints, &primitive.influences) {
                        (Some(joints), Some(influences)) => {
                            skinned(joints, &influences[vertex], position)
                        }
                        _ => transform_point(&worlds[n], position),
                    }
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
