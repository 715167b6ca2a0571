//! An entire file: node transforms, visible geometry and cameras.

use gltf::animation::Property;

use super::animation::Animation;
use super::mesh::{Local, Node, Primitive, Skin, skinned};
use crate::math::{IDENTITY, Mat4, mul, rotation, scaling, transform_point, translation};

#[derive(Clone, Debug)]
pub struct Model {
    pub(super) nodes: Vec<Node>,
    pub(super) meshes: Vec<Vec<Primitive>>,
    pub(super) skins: Vec<Skin>,
    pub(super) animations: Vec<Animation>,
    /// For each camera, its vertical field of view and its aspect ratio.
    pub(super) cameras: Vec<(f64, Option<f64>)>,
}

impl Model {
    /// Returns the animation names in file order. Missing names are empty.
    pub fn animation_names(&self) -> Vec<String> {
        self.animations.iter().map(|animation| animation.name.clone()).collect()
    }

    /// Returns the node names in file order. Missing names are empty.
    pub fn node_names(&self) -> Vec<String> {
        self.nodes.iter().map(|node| node.name.clone()).collect()
    }

    /// Returns the parent of each node, in file order.
    pub fn node_parents(&self) -> Vec<Option<usize>> {
        self.nodes.iter().map(|node| node.parent).collect()
    }

    /// Returns all distinct key times of an animation in seconds, ascending.
    pub fn key_times(&self, animation: usize) -> Vec<f64> {
        let channels = self.animations[animation].channels.iter();
        let mut times: Vec<f64> = channels.flat_map(|c| c.times.iter().copied()).collect();
        times.sort_by(f64::total_cmp);
        times.dedup();
        times
    }

    /// Returns a node's matrix relative to its parent: T · R · S, each from the animation or
    /// otherwise from the node.
    fn local(&self, animation: Option<usize>, node: usize, t: f64) -> Mat4 {
        match self.nodes[node].local {
            Local::Matrix(matrix) => matrix,
            Local::Parts { translation: position, rotation: turn, scale } => {
                let value = |property| self.animations[animation?].at(node, property, t);
                let array3 = |value: Vec<f64>| -> [f64; 3] { value[..].try_into().unwrap() };
                let position = value(Property::Translation).map_or(position, array3);
                let turn =
                    value(Property::Rotation).map_or(turn, |value| value[..].try_into().unwrap());
                let scale = value(Property::Scale).map_or(scale, array3);
                mul(&translation(position), &mul(&rotation(turn), &scaling(scale)))
            }
        }
    }

    /// Returns the matrix of each node to scene space.
    pub(super) fn worlds(&self, animation: Option<usize>, t: f64) -> Vec<Mat4> {
        let locals: Vec<Mat4> =
            (0..self.nodes.len()).map(|node| self.local(animation, node, t)).collect();
        let world = |node: usize| {
            let parent = |&above: &usize| self.nodes[above].parent;
            let above = std::iter::successors(Some(node), parent).map(|above| &locals[above]);
            above.fold(IDENTITY, |world, local| mul(local, &world))
        };
        (0..self.nodes.len()).map(world).collect()
    }

    /// Returns the matrix to scene space of the first node with this name, `t` seconds into an
    /// animation or without an animation.
    pub fn node_world(&self, animation: Option<usize>, name: &str, t: f64) -> Mat4 {
        self.worlds(animation, t)[self.named(name)]
    }

    /// Returns [`Model::node_world`] for every node, in file order.
    pub fn node_worlds(&self, animation: Option<usize>, t: f64) -> Vec<Mat4> {
        self.worlds(animation, t)
    }

    /// Returns the morph weights of the first node with this name, at a time as for
    /// [`Model::node_world`].
    pub fn node_weights(&self, animation: Option<usize>, name: &str, t: f64) -> Vec<f64> {
        self.weights(animation, self.named(name), t)
    }

    fn named(&self, name: &str) -> usize {
        let node = self.nodes.iter().position(|node| node.name == name);
        node.unwrap_or_else(|| panic!("no node is named {name}"))
    }

    fn weights(&self, animation: Option<usize>, node: usize, t: f64) -> Vec<f64> {
        let animated = animation.and_then(|animation| {
            self.animations[animation].at(node, Property::MorphTargetWeights, t)
        });
        animated.unwrap_or_else(|| self.nodes[node].weights.clone())
    }

    /// Returns the node, the primitive and the vertex positions in scene space for each primitive
    /// of each node with a mesh, in node order.
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
                    // A skinned mesh is positioned by its joints alone.
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

    /// Returns the corners of each triangle in scene space, `t` seconds into an animation or
    /// without an animation. Nodes, including nodes outside any scene, and their primitives and
    /// triangles are in file order. Times outside the keys use the nearest key. Weights are used
    /// exactly as stored.
    pub fn triangles_at(&self, animation: Option<usize>, t: f64) -> Vec<[[f64; 3]; 3]> {
        let drawn = self.drawn_at(animation, t);
        drawn.iter().flat_map(|drawn| &drawn.triangles).map(|v| v.map(|v| v.place)).collect()
    }

    /// Returns the ends of each line, ordered as in [`Model::triangles_at`].
    pub fn lines_at(&self, animation: Option<usize>, t: f64) -> Vec<[[f64; 3]; 2]> {
        let drawn = self.drawn_at(animation, t);
        drawn.iter().flat_map(|drawn| &drawn.lines).map(|v| v.map(|v| v.place)).collect()
    }

    /// Returns all points, ordered as in [`Model::triangles_at`].
    pub fn points_at(&self, animation: Option<usize>, t: f64) -> Vec<[f64; 3]> {
        let drawn = self.drawn_at(animation, t);
        drawn.iter().flat_map(|drawn| &drawn.points).map(|v| v.place).collect()
    }

    /// Returns the texture coordinates (set 0, V down) of each triangle's corners, in the order of
    /// [`Model::triangles_at`]. `None` for triangles of primitives without texture coordinates.
    pub fn triangle_texcoords(&self) -> Vec<Option<[[f64; 2]; 3]>> {
        let drawn = self.drawn_at(None, 0.0);
        let triangles = drawn.iter().flat_map(|drawn| &drawn.triangles);
        triangles.map(|[a, b, c]| Some([a.texcoord?, b.texcoord?, c.texcoord?])).collect()
    }

    /// Returns whether all weights are nonnegative, and the weights of each vertex with joints sum
    /// to 1 within 1e-6.
    pub fn weights_sum_ok(&self) -> bool {
        let primitives = self.meshes.iter().flatten();
        let mut vertices = primitives.filter_map(|p| p.influences.as_ref()).flatten();
        vertices.all(|influences| {
            let sum: f64 = influences.iter().map(|&(_, weight)| weight).sum();
            (sum - 1.0).abs() <= 1e-6 && influences.iter().all(|&(_, weight)| weight >= 0.0)
        })
    }
}

/// A primitive of a node in the scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawn {
    /// The node, as an index into [`Model::node_names`].
    pub node: usize,
    /// Whether the primitive is visible. It is hidden if the scale of the node or of all joints of
    /// its skin is zero along all axes, which hides objects in any viewer.
    pub shown: bool,
    /// Whether lighting is ignored (`KHR_materials_unlit`).
    pub unlit: bool,
    /// Whether both sides are visible.
    pub double_sided: bool,
    /// Whether the primitive is blended with the background.
    pub blended: bool,
    pub triangles: Vec<[Vertex; 3]>,
    pub lines: Vec<[Vertex; 2]>,
    pub points: Vec<Vertex>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vertex {
    /// The position in scene space.
    pub place: [f64; 3],
    /// The normal in mesh space, as stored.
    pub normal: Option<[f64; 3]>,
    /// The vertex colour multiplied by the material's colour: linear red, green, blue, and alpha.
    /// Textures are ignored.
    pub colour: [f64; 4],
    /// The texture coordinates of set 0.
    pub texcoord: Option<[f64; 2]>,
}

/// A perspective camera in the scene. It looks along its −z axis, with +y up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// The node, as an index into [`Model::node_names`].
    pub node: usize,
    /// The matrix from camera space to scene space.
    pub world: Mat4,
    /// Whether the node's scale is non-zero along at least one axis.
    pub shown: bool,
    /// The vertical field of view in radians.
    pub vertical_fov: f64,
    /// Width divided by height.
    pub aspect: Option<f64>,
}

/// Whether a matrix does not map all points to a single point.
fn has_extent(m: &Mat4) -> bool {
    m[..3].iter().any(|column| column[..3].iter().any(|&x| x != 0.0))
}

impl Model {
    /// Returns all primitives of all nodes in scene space, whether or not hidden, in the order of
    /// [`Model::triangles_at`].
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
                triangles: primitive.triangles().iter().map(|v| v.map(vertex)).collect(),
                lines: primitive.lines().iter().map(|v| v.map(vertex)).collect(),
                points: primitive.points().iter().map(|&[v]| vertex(v)).collect(),
            }
        };
        self.placed(animation, t).into_iter().map(draw).collect()
    }

    /// Returns the cameras of all nodes, in node order.
    ///
    /// Animating the field of view requires an extension (`KHR_animation_pointer`), which is not
    /// supported.
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
}
