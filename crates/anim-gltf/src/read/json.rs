//! The JSON of a glTF file, as far as this crate reads it. Field names are those of the glTF 2.0
//! schema; what is not here is passed over.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::extras::JsonExtras;

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct Root {
    pub(crate) asset: Option<Asset>,
    pub(crate) extensions_used: Vec<String>,
    pub(crate) extensions_required: Vec<String>,
    pub(crate) scene: Option<usize>,
    pub(crate) scenes: Vec<Scene>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) meshes: Vec<Mesh>,
    pub(crate) skins: Vec<Skin>,
    pub(crate) animations: Vec<Animation>,
    pub(crate) cameras: Vec<Camera>,
    pub(crate) materials: Vec<Material>,
    pub(crate) textures: Vec<Texture>,
    pub(crate) images: Vec<Image>,
    pub(crate) accessors: Vec<Accessor>,
    pub(crate) buffer_views: Vec<BufferView>,
    pub(crate) buffers: Vec<Buffer>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Asset {
    pub(crate) version: String,
    #[serde(default)]
    pub(crate) min_version: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Scene {
    pub(crate) name: String,
    pub(crate) nodes: Vec<usize>,
    pub(crate) extras: JsonExtras,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Node {
    pub(crate) name: String,
    pub(crate) mesh: Option<usize>,
    pub(crate) skin: Option<usize>,
    pub(crate) camera: Option<usize>,
    pub(crate) matrix: Option<[f32; 16]>,
    pub(crate) translation: Option<[f32; 3]>,
    pub(crate) rotation: Option<[f32; 4]>,
    pub(crate) scale: Option<[f32; 3]>,
    pub(crate) weights: Vec<f32>,
    pub(crate) children: Vec<usize>,
    pub(crate) extensions: NodeExtensions,
    pub(crate) extras: JsonExtras,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct NodeExtensions {
    #[serde(rename = "KHR_node_visibility")]
    pub(crate) visibility: Option<NodeVisibility>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
pub(crate) struct NodeVisibility {
    #[serde(default = "yes")]
    pub(crate) visible: bool,
}

const fn yes() -> bool {
    true
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Mesh {
    pub(crate) name: String,
    pub(crate) primitives: Vec<Primitive>,
    pub(crate) weights: Vec<f32>,
    pub(crate) extras: JsonExtras,
}

/// Accessors by the name of the attribute.
pub(crate) type Attributes = BTreeMap<String, usize>;

#[derive(Debug, Deserialize)]
pub(crate) struct Primitive {
    pub(crate) attributes: Attributes,
    #[serde(default)]
    pub(crate) indices: Option<usize>,
    #[serde(default)]
    pub(crate) material: Option<usize>,
    #[serde(default = "triangles")]
    pub(crate) mode: u32,
    #[serde(default)]
    pub(crate) targets: Vec<Attributes>,
}

const fn triangles() -> u32 {
    4
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Skin {
    #[serde(default)]
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) inverse_bind_matrices: Option<usize>,
    pub(crate) joints: Vec<usize>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Animation {
    pub(crate) name: String,
    pub(crate) channels: Vec<Channel>,
    pub(crate) samplers: Vec<Sampler>,
    pub(crate) extras: JsonExtras,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Channel {
    pub(crate) sampler: usize,
    pub(crate) target: ChannelTarget,
}

#[derive(Debug, Deserialize)]
pub(crate) struct ChannelTarget {
    #[serde(default)]
    pub(crate) node: Option<usize>,
    pub(crate) path: String,
    #[serde(default)]
    pub(crate) extensions: TargetExtensions,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct TargetExtensions {
    #[serde(rename = "KHR_animation_pointer")]
    pub(crate) pointer: Option<AnimationPointer>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct AnimationPointer {
    pub(crate) pointer: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Sampler {
    pub(crate) input: usize,
    #[serde(default)]
    pub(crate) interpolation: Option<String>,
    pub(crate) output: usize,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Camera {
    pub(crate) name: String,
    pub(crate) perspective: Option<Perspective>,
    pub(crate) extras: JsonExtras,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Perspective {
    #[serde(default)]
    pub(crate) aspect_ratio: Option<f32>,
    pub(crate) yfov: f32,
    #[serde(default)]
    pub(crate) zfar: Option<f32>,
    pub(crate) znear: f32,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct Material {
    pub(crate) name: String,
    pub(crate) pbr_metallic_roughness: PbrMetallicRoughness,
    pub(crate) normal_texture: Option<TextureInfo>,
    pub(crate) occlusion_texture: Option<TextureInfo>,
    pub(crate) emissive_texture: Option<TextureInfo>,
    pub(crate) emissive_factor: [f32; 3],
    pub(crate) alpha_mode: AlphaMode,
    pub(crate) double_sided: bool,
    pub(crate) extensions: MaterialExtensions,
    pub(crate) extras: JsonExtras,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum AlphaMode {
    #[default]
    Opaque,
    Mask,
    Blend,
}

#[derive(Debug, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct PbrMetallicRoughness {
    pub(crate) base_color_factor: [f32; 4],
    pub(crate) base_color_texture: Option<TextureInfo>,
    pub(crate) metallic_factor: f32,
    pub(crate) roughness_factor: f32,
    pub(crate) metallic_roughness_texture: Option<TextureInfo>,
}

impl Default for PbrMetallicRoughness {
    fn default() -> PbrMetallicRoughness {
        PbrMetallicRoughness {
            base_color_factor: [1.0; 4],
            base_color_texture: None,
            metallic_factor: 1.0,
            roughness_factor: 1.0,
            metallic_roughness_texture: None,
        }
    }
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TextureInfo {
    pub(crate) index: usize,
    #[serde(default)]
    pub(crate) tex_coord: usize,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct MaterialExtensions {
    #[serde(rename = "KHR_materials_unlit")]
    pub(crate) unlit: Option<serde::de::IgnoredAny>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Texture {
    pub(crate) source: Option<usize>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct Image {
    pub(crate) name: String,
    pub(crate) uri: Option<String>,
    pub(crate) mime_type: String,
    pub(crate) buffer_view: Option<usize>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Accessor {
    #[serde(default)]
    pub(crate) buffer_view: Option<usize>,
    #[serde(default)]
    pub(crate) byte_offset: usize,
    pub(crate) component_type: u32,
    #[serde(default)]
    pub(crate) normalized: bool,
    pub(crate) count: usize,
    #[serde(rename = "type")]
    pub(crate) element: String,
    #[serde(default)]
    pub(crate) sparse: Option<Sparse>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Sparse {
    pub(crate) count: usize,
    pub(crate) indices: SparseIndices,
    pub(crate) values: SparseValues,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SparseIndices {
    pub(crate) buffer_view: usize,
    #[serde(default)]
    pub(crate) byte_offset: usize,
    pub(crate) component_type: u32,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SparseValues {
    pub(crate) buffer_view: usize,
    #[serde(default)]
    pub(crate) byte_offset: usize,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BufferView {
    pub(crate) buffer: usize,
    #[serde(default)]
    pub(crate) byte_offset: usize,
    pub(crate) byte_length: usize,
    #[serde(default)]
    pub(crate) byte_stride: Option<usize>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Buffer {
    #[serde(default)]
    pub(crate) uri: Option<String>,
    pub(crate) byte_length: usize,
}
