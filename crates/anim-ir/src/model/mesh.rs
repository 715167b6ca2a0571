//! Meshes, skins, materials and images.

use std::fmt;
use std::sync::Arc;

use crate::names::named;
use crate::{Extras, ImageId, JointId, Mat4, MaterialId, SkeletonId, Vec3};

/// The topology of a primitive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Topology {
    /// One index per point.
    Points,
    /// Two indices per line.
    Lines,
    /// Three indices per triangle, counter-clockwise when seen from the front.
    #[default]
    Triangles,
}

named!(Topology, "topology", {
    Points => "points",
    Lines => "lines",
    Triangles => "triangles",
});

impl Topology {
    /// How many indices an element has.
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
    /// The topology of the elements.
    pub topology: Topology,
    /// Indices of the mesh's vertices.
    pub indices: Vec<u32>,
    /// The material; `None` for the default.
    pub material: Option<MaterialId>,
}

/// The joints that move each vertex, with weights: a table with a row per vertex.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Influences {
    /// Entries per row.
    pub per_vertex: usize,
    /// Indices into [`Skin::joints`], row by row.
    pub joints: Vec<u32>,
    /// Weights, row by row. They sum to 1, or to 0 for a vertex that stays at rest.
    pub weights: Vec<f32>,
}

impl Influences {
    /// The row of a vertex: indices into [`Skin::joints`] with their weights.
    pub fn of_vertex(&self, vertex: usize) -> impl Iterator<Item = (u32, f32)> {
        let start = vertex.saturating_mul(self.per_vertex);
        let row = start..start.saturating_add(self.per_vertex);
        let joints = self.joints.get(row.clone()).unwrap_or_default().iter().copied();
        joints.zip(self.weights.get(row).unwrap_or_default().iter().copied())
    }
}

/// A morph target.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MorphTarget {
    /// Name in the file; may be empty.
    pub name: String,
    /// Displacement of each vertex at weight 1.
    pub positions: Vec<Vec3>,
    /// Change of each vertex normal at weight 1; empty if normals stay the same.
    pub normals: Vec<Vec3>,
}

/// Vertices and primitives. All vertex arrays are as long as `positions`, or empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Name in the file.
    pub name: String,
    /// Positions in the mesh's own space, in the file's unit of length.
    pub positions: Vec<Vec3>,
    /// Unit normals; zero for a vertex without one in the file.
    pub normals: Vec<Vec3>,
    /// Texture coordinates: u to the right, v down, from the upper left corner.
    pub texcoords: Vec<[f32; 2]>,
    /// Vertex colours: linear red, green, blue, alpha, 0 to 1.
    pub colors: Vec<[f32; 4]>,
    /// The joints that move the vertices; empty if the mesh has no skin.
    pub influences: Influences,
    /// Morph targets.
    pub morph_targets: Vec<MorphTarget>,
    /// Weight of each morph target while nothing animates it; as many as there are targets, or
    /// none.
    pub morph_weights: Vec<f32>,
    /// Primitives.
    pub primitives: Vec<Primitive>,
    /// Format-specific data.
    pub extras: Extras,
}

impl Mesh {
    /// How many elements of a topology it has.
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
    /// Joints of the skeleton. The mesh's influences are indices of this list.
    pub joints: Vec<JointId>,
    /// Inverse bind matrix of each joint: from mesh space to the joint's space at bind time.
    pub inverse_bind: Vec<Mat4>,
}

impl Skin {
    /// Computes the skinning matrix of each joint, `model · inverse_bind`, from mesh space at bind
    /// time to model space.
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
    /// percent-encoded; `None` if the image is not a file of its own.
    pub path: Option<String>,
    /// The content of the image file; `None` if it has not been read. Shared by all copies of a
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

    /// The media type, if the bytes are known and are one of the two kinds that glTF supports.
    pub fn mime_type(&self) -> Option<&'static str> {
        image_type(self.bytes.as_deref()?)
    }
}

// Omits the bytes, which would fill pages.
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

/// A material.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// Name in the file.
    pub name: String,
    /// Red, green, blue, alpha; linear, 0 to 1.
    pub base_color: [f32; 4],
    /// The image that the base colour is multiplied with.
    pub base_color_image: Option<ImageId>,
    /// Light that the surface emits: red, green, blue; linear, 0 to 1.
    pub emissive: [f32; 3],
    /// The image that the emissive colour is multiplied with.
    pub emissive_image: Option<ImageId>,
    /// 0 dielectric, 1 metal.
    pub metallic: f32,
    /// 0 mirror, 1 matt.
    pub roughness: f32,
    /// The image whose blue is multiplied with `metallic`, and its green with `roughness`.
    pub metallic_roughness_image: Option<ImageId>,
    /// Normals in tangent space, as glTF has them: x right, y up, z out of the surface.
    pub normal_image: Option<ImageId>,
    /// Scales x and y of the normals in the image.
    pub normal_scale: f32,
    /// The image whose red channel is how much indirect light reaches the surface.
    pub occlusion_image: Option<ImageId>,
    /// How much of the occlusion counts, 0 to 1.
    pub occlusion_strength: f32,
    /// Whether both sides are visible.
    pub double_sided: bool,
    /// Whether the base colour is independent of lighting, as for lines, points and models of old
    /// games.
    pub unlit: bool,
    /// Format-specific data.
    pub extras: Extras,
}

impl Default for Material {
    fn default() -> Material {
        Material::new("")
    }
}

impl Material {
    /// White, opaque, matt, non-metallic, visible from both sides.
    pub fn new(name: impl Into<String>) -> Material {
        Material {
            name: name.into(),
            base_color: [1.0; 4],
            base_color_image: None,
            emissive: [0.0; 3],
            emissive_image: None,
            metallic: 0.0,
            roughness: 1.0,
            metallic_roughness_image: None,
            normal_image: None,
            normal_scale: 1.0,
            occlusion_image: None,
            occlusion_strength: 1.0,
            double_sided: true,
            unlit: false,
            extras: Extras::new(),
        }
    }

    /// The images that it uses: base colour, emissive, metallic and roughness, normals, occlusion.
    pub const fn images(&self) -> [Option<ImageId>; 5] {
        [
            self.base_color_image,
            self.emissive_image,
            self.metallic_roughness_image,
            self.normal_image,
            self.occlusion_image,
        ]
    }

    /// The images that it uses, in the order of [`Material::images`], to be replaced.
    pub const fn images_mut(&mut self) -> [&mut Option<ImageId>; 5] {
        [
            &mut self.base_color_image,
            &mut self.emissive_image,
            &mut self.metallic_roughness_image,
            &mut self.normal_image,
            &mut self.occlusion_image,
        ]
    }
}
