//! Meshes, skins, materials and images.

use std::fmt;
use std::sync::Arc;

use crate::diag::quote;
use crate::model::image::{IMAGE_OUTSIDE, has_alpha, image_type};
use crate::names::named;
use crate::{Diagnostics, Extras, ImageId, JointId, Mat4, MaterialId, SkeletonId, Vec3};

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
    /// Returns the number of indices per element.
    pub const fn corners(self) -> usize {
        match self {
            Topology::Points => 1,
            Topology::Lines => 2,
            Topology::Triangles => 3,
        }
    }
}

/// A part of a mesh with a single topology and material.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Primitive {
    /// The topology of the elements.
    pub topology: Topology,
    /// Indices into the mesh's vertices.
    pub indices: Vec<u32>,
    /// The material; `None` for the default material.
    pub material: Option<MaterialId>,
}

/// Joint indices and weights: a table with a row per vertex.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Influences {
    /// The number of entries per row.
    pub per_vertex: usize,
    /// Indices into [`Skin::joints`], row by row.
    pub joints: Vec<u32>,
    /// Weights, row by row. Each row sums to 1, or to 0 for a vertex that stays at rest.
    pub weights: Vec<f32>,
}

impl Influences {
    /// Returns the influences of a vertex: indices into [`Skin::joints`] with their weights.
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
    /// Change of each vertex normal at weight 1. Empty if the target does not change normals.
    pub normals: Vec<Vec3>,
}

/// Vertices and primitives. `normals`, `texcoords` and `colors` are either empty or as long as
/// `positions`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Name in the file.
    pub name: String,
    /// Positions in mesh space, in the file's length unit.
    pub positions: Vec<Vec3>,
    /// Unit normals, or the zero vector for a vertex without a normal in the file.
    pub normals: Vec<Vec3>,
    /// Texture coordinates: the origin is the upper left corner, with u to the right and v down.
    pub texcoords: Vec<[f32; 2]>,
    /// Vertex colours: linear red, green, blue and alpha, from 0 to 1.
    pub colors: Vec<[f32; 4]>,
    /// The joints that move the vertices; empty if the mesh has no skin.
    pub influences: Influences,
    /// Morph targets.
    pub morph_targets: Vec<MorphTarget>,
    /// Default weight of each morph target. Either empty or as long as `morph_targets`.
    pub morph_weights: Vec<f32>,
    /// Primitives.
    pub primitives: Vec<Primitive>,
    /// Format-specific data.
    pub extras: Extras,
}

impl Mesh {
    /// Returns the number of elements with a topology.
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
    /// Joints of the skeleton. The mesh's influences are indices into this list.
    pub joints: Vec<JointId>,
    /// Inverse bind matrix of each joint, from mesh space to joint space at bind time.
    pub inverse_bind: Vec<Mat4>,
}

impl Skin {
    /// Computes the skinning matrix of each joint, `model · inverse_bind`, from mesh space at bind
    /// time to model space.
    ///
    /// `model` contains the joints' model matrices in skeleton order
    /// ([`crate::Pose::model_matrices`]). The memory of `out` is reused.
    pub fn matrices(&self, model: &[Mat4], out: &mut Vec<Mat4>) {
        out.clear();
        out.extend(
            self.joints.iter().zip(&self.inverse_bind).map(|(joint, bind)| {
                model.get(joint.index()).map_or(*bind, |model| *model * *bind)
            }),
        );
    }
}

/// An image used by materials: a path, the bytes of the image file, or both.
#[derive(Clone, Default, PartialEq)]
pub struct Image {
    /// Name; may be empty.
    pub name: String,
    /// Path of the image file relative to the scene's file, with forward slashes and not
    /// percent-encoded. `None` if the image is not a separate file.
    pub path: Option<String>,
    /// The content of the image file, or `None` if it has not been read. Clones of a scene share
    /// it.
    pub bytes: Option<Arc<[u8]>>,
}

impl Image {
    /// Creates an image with a path, without reading the file.
    pub fn at(path: impl Into<String>) -> Image {
        Image { path: Some(path.into()), ..Image::default() }
    }

    /// Creates an image from the content of an image file, without a path.
    pub fn embedded(bytes: impl Into<Arc<[u8]>>) -> Image {
        Image { bytes: Some(bytes.into()), ..Image::default() }
    }

    /// Reports that a file will refer to this image although it is outside the file's folder.
    /// Writers call this for each image that they refer to by its path.
    pub fn report_outside(&self, losses: &mut Diagnostics) {
        let Some(path) = self.path.as_deref().filter(|path| path.starts_with("../")) else {
            return;
        };
        losses.push(&IMAGE_OUTSIDE, None, || {
            format!("the image {} is outside the output's folder", quote(path.as_bytes()))
        });
    }

    /// Whether the file is available and stores an alpha channel. Its pixels are not decoded.
    pub fn has_alpha(&self) -> bool {
        self.bytes.as_deref().is_some_and(has_alpha)
    }

    /// Whether the file may store an alpha channel. If it has not been read, its name decides: JPEG
    /// files have none.
    pub(crate) fn may_have_alpha(&self) -> bool {
        let Some(bytes) = self.bytes.as_deref() else {
            let path = self.path.as_deref().unwrap_or_default().to_ascii_lowercase();
            return ![".jpg", ".jpeg"].iter().any(|end| path.ends_with(end));
        };
        has_alpha(bytes)
    }

    /// Returns the media type, if the bytes are available and in one of the two formats that glTF
    /// supports.
    pub fn mime_type(&self) -> Option<&'static str> {
        image_type(self.bytes.as_deref()?)
    }
}

// Omits the bytes, which would clutter the output.
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

/// How a material uses alpha: the product of the alpha of its base colour, its texture and the
/// vertex colours.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum AlphaMode {
    /// Blended if the base colour or a vertex is translucent. The alpha of the texture is ignored.
    #[default]
    Colors,
    /// If the base colour is opaque, depends on the pixels of the texture, as in Castle Game
    /// Engine: [`AlphaMode::Blend`] if any of them is translucent, [`AlphaMode::Mask`] with
    /// [`AlphaMode::CUTOFF`] if each is opaque or invisible, and with [`AlphaMode::FAINT`] if they
    /// cannot be decoded. Otherwise like [`AlphaMode::Colors`].
    /// See [`Scene::alpha_modes`](crate::Scene::alpha_modes).
    Texture,
    /// Blended.
    Blend,
    /// Opaque where the alpha is at least this, and otherwise invisible.
    Mask(f32),
}

impl AlphaMode {
    /// The cutoff of [`AlphaMode::Mask`] if the file states none.
    pub const CUTOFF: f32 = 0.5;
    /// The cutoff of [`AlphaMode::Texture`] if the pixels are not known.
    pub const FAINT: f32 = 0.25;
}

/// A material.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// Name in the file.
    pub name: String,
    /// Base colour: linear red, green, blue and alpha, from 0 to 1.
    pub base_color: [f32; 4],
    /// The image that the base colour is multiplied by.
    pub base_color_image: Option<ImageId>,
    /// The base colour (linear red, green and blue) to use if its image turns out to be unusable;
    /// `None` if the colour is the same with and without the image. In VRML 97, images replace the
    /// colour.
    pub color_without_image: Option<[f32; 3]>,
    /// Emissive colour: linear red, green and blue, from 0 to 1.
    pub emissive: [f32; 3],
    /// The image that the emissive colour is multiplied by.
    pub emissive_image: Option<ImageId>,
    /// Metalness: 0 for dielectrics, 1 for metals.
    pub metallic: f32,
    /// Roughness: 0 for a mirror, 1 for a matt surface.
    pub roughness: f32,
    /// The image whose blue channel is multiplied by `metallic` and whose green channel is
    /// multiplied by `roughness`.
    pub metallic_roughness_image: Option<ImageId>,
    /// Tangent-space normal map, as in glTF: x right, y up, z out of the surface.
    pub normal_image: Option<ImageId>,
    /// Scale factor for the x and y components of the normal map.
    pub normal_scale: f32,
    /// Occlusion map: the red channel is the fraction of indirect light that reaches the surface.
    pub occlusion_image: Option<ImageId>,
    /// Strength of the occlusion map, 0 to 1.
    pub occlusion_strength: f32,
    /// How alpha is used.
    pub alpha_mode: AlphaMode,
    /// Whether both sides are visible.
    pub double_sided: bool,
    /// Whether the base colour is independent of lighting, as for lines, points and the models of
    /// old games.
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
    /// Creates a white, opaque, matt, non-metallic, double-sided material.
    pub fn new(name: impl Into<String>) -> Material {
        Material {
            name: name.into(),
            base_color: [1.0; 4],
            base_color_image: None,
            color_without_image: None,
            emissive: [0.0; 3],
            emissive_image: None,
            metallic: 0.0,
            roughness: 1.0,
            metallic_roughness_image: None,
            normal_image: None,
            normal_scale: 1.0,
            occlusion_image: None,
            occlusion_strength: 1.0,
            alpha_mode: AlphaMode::Colors,
            double_sided: true,
            unlit: false,
            extras: Extras::new(),
        }
    }

    /// Returns the images of the material: base colour, emissive, metallic-roughness, normal,
    /// occlusion.
    pub const fn images(&self) -> [Option<ImageId>; 5] {
        [
            self.base_color_image,
            self.emissive_image,
            self.metallic_roughness_image,
            self.normal_image,
            self.occlusion_image,
        ]
    }

    /// Returns mutable references to the images, in the order of [`Material::images`].
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
