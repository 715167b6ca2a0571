//! What is drawn, and what sees it.

use super::mesh::Primitive;
use super::model::Model;
use crate::math::Mat4;

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
    pub triangles: Vec<[Vertex; 3]>,
    pub lines: Vec<[Vertex; 2]>,
    pub points: Vec<Vertex>,
}

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

/// Whether a matrix leaves anything of what it is applied to but a point.
fn has_extent(m: &Mat4) -> bool {
    m[..3].iter().any(|column| column[..3].iter().any(|&x| x != 0.0))
}

impl Model {
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
                triangles: primitive.triangles().iter().map(|v| v.map(vertex)).collect(),
                lines: primitive.lines().iter().map(|v| v.map(vertex)).collect(),
                points: primitive.points().iter().map(|&[v]| vertex(v)).collect(),
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
}
