//! The JSON of a glTF file, as far as this crate writes it. Field names are those of the glTF 2.0
//! schema.

use std::borrow::Cow;

use serde::Serialize;

use crate::extras::JsonExtras;

/// Component types and other enumerations of OpenGL that glTF uses by number.
pub(crate) mod gl {
    pub(crate) const UNSIGNED_BYTE: u16 = 5121;
    pub(crate) const UNSIGNED_SHORT: u16 = 5123;
    pub(crate) const UNSIGNED_INT: u16 = 5125;
    pub(crate) const FLOAT: u16 = 5126;
    pub(crate) const ARRAY_BUFFER: u16 = 34962;
    pub(crate) const ELEMENT_ARRAY_BUFFER: u16 = 34963;
    pub(crate) const LINEAR: u16 = 9729;
    pub(crate) const LINEAR_MIPMAP_LINEAR: u16 = 9987;
    pub(crate) const REPEAT: u16 = 10497;
    pub(crate) const POINTS: u8 = 0;
    pub(crate) const LINES: u8 = 1;
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Root<'a> {
    pub(crate) asset: Asset,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) extensions_used: Vec<&'static str>,
    pub(crate) scene: usize,
    pub(crate) scenes: [Scene<'a>; 1],
    pub(crate) nodes: Vec<Node<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) meshes: Vec<Mesh<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) skins: Vec<Skin<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) animations: Vec<Animation<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) cameras: Vec<Camera<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) materials: Vec<Material<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) textures: Vec<Texture>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) samplers: Vec<TextureSampler>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) images: Vec<Image<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) accessors: Vec<Accessor>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) buffer_views: Vec<BufferView>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) buffers: Vec<Buffer>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Asset {
    pub(crate) generator: &'static str,
    pub(crate) version: &'static str,
}

#[derive(Debug, Serialize)]
pub(crate) struct Scene<'a> {
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(crate) name: &'a str,
    pub(crate) nodes: Vec<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) extras: Option<JsonExtras<'a>>,
}

#[derive(Debug, Default, Serialize)]
pub(crate) struct Node<'a> {
    pub(crate) name: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) mesh: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) skin: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) camera: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) translation: Option<[f32; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rotation: Option<[f32; 4]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) scale: Option<[f32; 3]>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) children: Vec<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) extensions: Option<NodeExtensions>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) extras: Option<JsonExtras<'a>>,
}

/// Extensions of a node: whether it and its children are seen.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct NodeExtensions {
    #[serde(rename = "KHR_node_visibility")]
    pub(crate) visibility: NodeVisibility,
}

#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct NodeVisibility {
    pub(crate) visible: bool,
}

#[derive(Debug, Serialize)]
pub(crate) struct Camera<'a> {
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(crate) name: &'a str,
    pub(crate) perspective: Perspective,
    #[serde(rename = "type")]
    pub(crate) kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) extras: Option<JsonExtras<'a>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Perspective {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) aspect_ratio: Option<f32>,
    pub(crate) yfov: f32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) zfar: Option<f32>,
    pub(crate) znear: f32,
}

#[derive(Debug, Serialize)]
pub(crate) struct Mesh<'a> {
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(crate) name: &'a str,
    pub(crate) primitives: Vec<Primitive>,
    #[serde(skip_serializing_if = "<[f32]>::is_empty")]
    pub(crate) weights: &'a [f32],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) extras: Option<JsonExtras<'a>>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Primitive {
    pub(crate) attributes: Attributes,
    pub(crate) indices: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) material: Option<usize>,
    /// Triangles where absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) mode: Option<u8>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) targets: Vec<MorphTarget>,
}

#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) struct Attributes {
    pub(crate) position: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) normal: Option<usize>,
    #[serde(rename = "TEXCOORD_0", skip_serializing_if = "Option::is_none")]
    pub(crate) texcoord: Option<usize>,
    #[serde(rename = "COLOR_0", skip_serializing_if = "Option::is_none")]
    pub(crate) color: Option<usize>,
    #[serde(rename = "JOINTS_0", skip_serializing_if = "Option::is_none")]
    pub(crate) joints: Option<usize>,
    #[serde(rename = "WEIGHTS_0", skip_serializing_if = "Option::is_none")]
    pub(crate) weights: Option<usize>,
}

#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) struct MorphTarget {
    pub(crate) position: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) normal: Option<usize>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Skin<'a> {
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(crate) name: &'a str,
    pub(crate) inverse_bind_matrices: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) skeleton: Option<usize>,
    pub(crate) joints: Vec<usize>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Animation<'a> {
    pub(crate) name: Cow<'a, str>,
    pub(crate) channels: Vec<Channel>,
    pub(crate) samplers: Vec<Sampler>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) extras: Option<JsonExtras<'a>>,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct Channel {
    pub(crate) sampler: usize,
    pub(crate) target: ChannelTarget,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct ChannelTarget {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) node: Option<usize>,
    pub(crate) path: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) extensions: Option<TargetExtensions>,
}

/// Extensions of a channel's target: what is animated is no property of nodes that glTF itself
/// knows.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct TargetExtensions {
    #[serde(rename = "KHR_animation_pointer")]
    pub(crate) pointer: AnimationPointer,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct AnimationPointer {
    pub(crate) pointer: String,
}

#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Sampler {
    pub(crate) input: usize,
    /// Linear where absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) interpolation: Option<&'static str>,
    pub(crate) output: usize,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Material<'a> {
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(crate) name: &'a str,
    pub(crate) pbr_metallic_roughness: PbrMetallicRoughness,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) emissive_factor: Option<[f32; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) alpha_mode: Option<&'static str>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) double_sided: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) extensions: Option<MaterialExtensions>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) extras: Option<JsonExtras<'a>>,
}

/// Extensions of a material: it is unlit.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct MaterialExtensions {
    #[serde(rename = "KHR_materials_unlit")]
    pub(crate) unlit: Empty,
}

/// `{}`.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Empty {}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PbrMetallicRoughness {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) base_color_factor: Option<[f32; 4]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) base_color_texture: Option<TextureInfo>,
    pub(crate) metallic_factor: f32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) roughness_factor: Option<f32>,
}

#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct TextureInfo {
    pub(crate) index: usize,
}

#[derive(Debug, Serialize)]
pub(crate) struct Texture {
    pub(crate) sampler: usize,
    pub(crate) source: usize,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TextureSampler {
    pub(crate) mag_filter: u16,
    pub(crate) min_filter: u16,
    pub(crate) wrap_s: u16,
    pub(crate) wrap_t: u16,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Image<'a> {
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(crate) name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) uri: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) mime_type: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) buffer_view: Option<usize>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Accessor {
    pub(crate) buffer_view: usize,
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) byte_offset: usize,
    pub(crate) component_type: u16,
    pub(crate) count: usize,
    #[serde(rename = "type")]
    pub(crate) element: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) max: Vec<f32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) min: Vec<f32>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BufferView {
    pub(crate) buffer: usize,
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) byte_offset: usize,
    pub(crate) byte_length: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) target: Option<u16>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Buffer {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) uri: Option<String>,
    pub(crate) byte_length: usize,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}
