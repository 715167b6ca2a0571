//! Geometry, how it follows joints, and what it looks like.

use std::fmt;
use std::sync::Arc;

use crate::names::named;
use crate::{Extras, ImageId, JointId, Mat4, MaterialId, SkeletonId, Vec3};

/// What the indices of a primitive make.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Topology {
    /// One index each.
    Points,
    /// Two indices each.
    Lines,
    /// Three indices each, counter-clockwise seen from the front.
    #[default]
    Triangles,
}

named!(Topology, "topology", {
    Points => "points",
    Lines => "lines",
    Triangles => "triangles",
});

impl Topology {
    /// How many indices make one element.
    pub const fn corners(self) -> usize {
        match self {
            Topology::Points => 1,
            Topology::Lines => 2,
            Topology::Triangles => 3,
        }
    }
}

/// A part of a mesh with one topology and one material.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Primitive {
    /// What the indices make.
    pub topology: Topology,
    /// Into the mesh's vertices.
    pub indices: Vec<u32>,
    /// What it looks like.
    pub material: Option<MaterialId>,
}

/// Which joints move a vertex, and how much: a table with a row for each vertex.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Influences {
    /// Entries in a row.
    pub per_vertex: usize,
    /// Indices into [`Skin::joints`], row by row.
    pub joints: Vec<u32>,
    /// Weights, row by row. They sum to 1, or to 0 where the vertex stays at rest.
    pub weights: Vec<f32>,
}

/// A shape that a mesh can be blended to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MorphTarget {
    /// Name in the file; may be empty.
    pub name: String,
    /// For each vertex, how far it moves at weight 1.
    pub positions: Vec<Vec3>,
    /// For each vertex, how far its normal moves at weight 1; empty where normals stay.
    pub normals: Vec<Vec3>,
}

/// Vertices and what they make. All vertex arrays are as long as `positions`, or empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Name in the file.
    pub name: String,
    /// In the mesh's own space, in the file's unit of length.
    pub positions: Vec<Vec3>,
    /// Directions; a zero vector where the file gives none for this vertex.
    pub normals: Vec<Vec3>,
    /// u to the right, v down, from the upper left corner.
    pub texcoords: Vec<[f32; 2]>,
    /// Red, green, blue, alpha; linear, 0 to 1.
    pub colors: Vec<[f32; 4]>,
    /// Which joints move the vertices; empty where the mesh has no skin.
    pub influences: Influences,
    /// Shapes to blend to.
    pub morph_targets: Vec<MorphTarget>,
    /// How much of each morph target there is while nothing animates it; as many as there are
    /// targets, or none.
    pub morph_weights: Vec<f32>,
    /// The parts.
    pub primitives: Vec<Primitive>,
    /// What the format says beyond this.
    pub extras: Extras,
}

impl Mesh {
    /// How many elements of a topology there are.
    pub fn count(&self, topology: Topology) -> usize {
        let parts = self.primitives.iter().filter(|part| part.topology == topology);
        parts.fold(0, |sum, part| sum.saturating_add(part.indices.len() / topology.corners()))
    }
}

/// How a mesh is bound to a skeleton.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skin {
    /// The skeleton that moves the mesh.
    pub skeleton: SkeletonId,
    /// Joints of the skeleton that the mesh's influences name by their place here.
    pub joints: Vec<JointId>,
    /// For each of them, the matrix from the mesh's space to the joint's at bind time.
    pub inverse_bind: Vec<Mat4>,
}

impl Skin {
    /// Skinning matrices: for each joint of the skin, `model · inverse_bind`, from the mesh's space
    /// at bind time to the model's.
    /// `model` holds the joints' model matrices, in the skeleton's order
    /// ([`crate::Pose::model_matrices`]). Reuses the memory of `out`.
    pub fn matrices(&self, model: &[Mat4], out: &mut Vec<Mat4>) {
        out.clear();
        out.extend(
            self.joints.iter().zip(&self.inverse_bind).map(|(joint, bind)| {
                model.get(joint.index()).map_or(*bind, |model| *model * *bind)
            }),
        );
    }
}

/// An image that materials use: a file, its bytes, or both.
#[derive(Clone, Default, PartialEq)]
pub struct Image {
    /// Name; may be empty.
    pub name: String,
    /// Path of the image file, relative to the scene's file, with forward slashes, not
    /// percent-encoded; `None` where the image is not a file of its own.
    pub path: Option<String>,
    /// The content of the image file; `None` where it has not been read. Shared by all copies of a
    /// scene.
    pub bytes: Option<Arc<[u8]>>,
}

impl Image {
    /// The image file at a path, not read.
    pub fn at(path: impl Into<String>) -> Image {
        Image { path: Some(path.into()), ..Image::default() }
    }

    /// The content of an image file, without a path.
    pub fn embedded(bytes: impl Into<Arc<[u8]>>) -> Image {
        Image { bytes: Some(bytes.into()), ..Image::default() }
    }

    /// The media type, where the bytes are known and are one of the two kinds that glTF takes.
    pub fn mime_type(&self) -> Option<&'static str> {
        image_type(self.bytes.as_deref()?)
    }
}

// The bytes would fill pages.
impl fmt::Debug for Image {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Image")
            .field("name", &self.name)
            .field("path", &self.path)
            .field("bytes", &self.bytes.as_ref().map(|bytes| bytes.len()))
            .finish()
    }
}

/// The media type of an image file, judged by its first bytes: `image/png` or `image/jpeg`.
pub fn image_type(bytes: &[u8]) -> Option<&'static str> {
    if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        Some("image/png")
    } else if bytes.starts_with(b"\xff\xd8\xff") {
        Some("image/jpeg")
    } else {
        None
    }
}

/// What a surface looks like.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// Name in the file.
    pub name: String,
    /// Red, green, blue, alpha; linear, 0 to 1.
    pub base_color: [f32; 4],
    /// The image that the base colour is multiplied with.
    pub base_color_image: Option<ImageId>,
    /// Light that the surface gives off: red, green, blue; linear, 0 to 1.
    pub emissive: [f32; 3],
    /// 0 mirror, 1 matt.
    pub roughness: f32,
    /// Whether both sides are seen.
    pub double_sided: bool,
    /// Whether the surface has its base colour in any light, as lines, points and old games' models
    /// have.
    pub unlit: bool,
    /// What the format says beyond this.
    pub extras: Extras,
}

impl Default for Material {
    fn default() -> Material {
        Material::new("")
    }
}

impl Material {
    /// White, opaque, matt, seen from both sides.
    pub fn new(name: impl Into<String>) -> Material {
        Material {
            name: name.into(),
            base_color: [1.0; 4],
            base_color_image: None,
            emissive: [0.0; 3],
            roughness: 1.0,
            double_sided: true,
            unlit: false,
            extras: Extras::new(),
        }
    }
}
