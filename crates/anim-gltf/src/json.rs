//! The JSON of a glTF file, as far as this crate reads and writes it. Field names are those of the
//! glTF 2.0 schema; what is not here is passed over.
//!
//! Fields stand in the order in which they are written. What is only written says
//! `skip_deserializing`: a reader must not stumble over what it has no use for.

pub(crate) mod extras;

use std::borrow::Cow;

use serde::de::IgnoredAny;
use serde::ser::SerializeMap as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use extras::JsonExtras;

/// Component types and other enumerations of OpenGL that glTF uses by number.
pub(crate) mod gl {
    pub(crate) const BYTE: u32 = 5120;
    pub(crate) const UNSIGNED_BYTE: u32 = 5121;
    pub(crate) const SHORT: u32 = 5122;
    pub(crate) const UNSIGNED_SHORT: u32 = 5123;
    pub(crate) const UNSIGNED_INT: u32 = 5125;
    pub(crate) const FLOAT: u32 = 5126;
    pub(crate) const ARRAY_BUFFER: u32 = 34962;
    pub(crate) const ELEMENT_ARRAY_BUFFER: u32 = 34963;
    pub(crate) const LINEAR: u32 = 9729;
    pub(crate) const LINEAR_MIPMAP_LINEAR: u32 = 9987;
    pub(crate) const REPEAT: u32 = 10497;
    pub(crate) const POINTS: u32 = 0;
    pub(crate) const LINES: u32 = 1;
    pub(crate) const LINE_LOOP: u32 = 2;
    pub(crate) const LINE_STRIP: u32 = 3;
    pub(crate) const TRIANGLES: u32 = 4;
    pub(crate) const TRIANGLE_STRIP: u32 = 5;
    pub(crate) const TRIANGLE_FAN: u32 = 6;
}

/// The extensions that are read and written.
pub(crate) mod extension {
    pub(crate) const ANIMATION_POINTER: &str = "KHR_animation_pointer";
    pub(crate) const MATERIALS_UNLIT: &str = "KHR_materials_unlit";
    pub(crate) const MESH_QUANTIZATION: &str = "KHR_mesh_quantization";
    pub(crate) const NODE_VISIBILITY: &str = "KHR_node_visibility";
}

#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct Root<'a> {
    pub(crate) asset: Option<Asset>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) extensions_used: Vec<Cow<'static, str>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) extensions_required: Vec<Cow<'static, str>>,
    pub(crate) scene: Option<usize>,
    pub(crate) scenes: Vec<Scene<'a>>,
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
    #[serde(skip_serializing_if = "Vec::is_empty", skip_deserializing)]
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

#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Asset {
    #[serde(skip_deserializing)]
    pub(crate) generator: &'static str,
    pub(crate) version: Cow<'static, str>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) min_version: Option<String>,
}

#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub(crate) struct Scene<'a> {
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(crate) name: Cow<'a, str>,
    pub(crate) nodes: Vec<usize>,
    #[serde(skip_serializing_if = "JsonExtras::is_empty")]
    pub(crate) extras: JsonExtras<'a>,
}

#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub(crate) struct Node<'a> {
    pub(crate) name: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) mesh: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) skin: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) camera: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) matrix: Option<[f32; 16]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) translation: Option<[f32; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rotation: Option<[f32; 4]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) scale: Option<[f32; 3]>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) weights: Vec<f32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) children: Vec<usize>,
    #[serde(skip_serializing_if = "is_default")]
    pub(crate) extensions: NodeExtensions,
    #[serde(skip_serializing_if = "JsonExtras::is_empty")]
    pub(crate) extras: JsonExtras<'a>,
}

/// Extensions of a node: whether it and its children are seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default)]
pub(crate) struct NodeExtensions {
    #[serde(rename = "KHR_node_visibility", skip_serializing_if = "Option::is_none")]
    pub(crate) visibility: Option<NodeVisibility>,
}

#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
pub(crate) struct NodeVisibility {
    #[serde(default = "yes")]
    pub(crate) visible: bool,
}

const fn yes() -> bool {
    true
}

#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub(crate) struct Mesh<'a> {
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(crate) name: Cow<'a, str>,
    pub(crate) primitives: Vec<Primitive>,
    #[serde(skip_serializing_if = "<[f32]>::is_empty")]
    pub(crate) weights: Cow<'a, [f32]>,
    #[serde(skip_serializing_if = "JsonExtras::is_empty")]
    pub(crate) extras: JsonExtras<'a>,
}

/// Accessors by the name of the attribute: in the order of the names where they were read.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Attributes(pub(crate) Vec<(Cow<'static, str>, usize)>);

impl Attributes {
    pub(crate) fn get(&self, name: &str) -> Option<usize> {
        self.0.iter().find(|(found, _)| found == name).map(|(_, accessor)| *accessor)
    }
}

impl<'de> Deserialize<'de> for Attributes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Attributes, D::Error> {
        type Map = std::collections::BTreeMap<Cow<'static, str>, usize>;
        Ok(Attributes(Map::deserialize(deserializer)?.into_iter().collect()))
    }
}

impl Serialize for Attributes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, accessor)| (name, accessor)))
    }
}

#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Primitive {
    pub(crate) attributes: Attributes,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) indices: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) material: Option<usize>,
    #[serde(default = "triangles", skip_serializing_if = "is_triangles")]
    pub(crate) mode: u32,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) targets: Vec<Attributes>,
}

const fn triangles() -> u32 {
    gl::TRIANGLES
}

const fn is_triangles(mode: &u32) -> bool {
    *mode == gl::TRIANGLES
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Skin<'a> {
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub(crate) name: Cow<'a, str>,
    #[serde(default)]
    pub(crate) inverse_bind_matrices: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none", skip_deserializing)]
    pub(crate) skeleton: Option<usize>,
    pub(crate) joints: Vec<usize>,
}

#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub(crate) struct Animation<'a> {
    pub(crate) name: Cow<'a, str>,
    pub(crate) channels: Vec<Channel>,
    pub(crate) samplers: Vec<Sampler>,
    #[serde(skip_serializing_if = "JsonExtras::is_empty")]
    pub(crate) extras: JsonExtras<'a>,
}

#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Channel {
    pub(crate) sampler: usize,
    pub(crate) target: ChannelTarget,
}

#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct ChannelTarget {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) node: Option<usize>,
    pub(crate) path: Cow<'static, str>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) extensions: TargetExtensions,
}

/// Extensions of a channel's target: what is animated is no property of nodes that glTF itself
/// knows.
#[derive(Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default)]
pub(crate) struct TargetExtensions {
    #[serde(rename = "KHR_animation_pointer", skip_serializing_if = "Option::is_none")]
    pub(crate) pointer: Option<AnimationPointer>,
}

#[derive(Debug, PartialEq, Deserialize, Serialize)]
pub(crate) struct AnimationPointer {
    pub(crate) pointer: String,
}

#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Sampler {
    pub(crate) input: usize,
    /// Linear where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) interpolation: Option<Cow<'static, str>>,
    pub(crate) output: usize,
}

#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub(crate) struct Camera<'a> {
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(crate) name: Cow<'a, str>,
    pub(crate) perspective: Option<Perspective>,
    #[serde(rename = "type", skip_deserializing)]
    pub(crate) kind: &'static str,
    #[serde(skip_serializing_if = "JsonExtras::is_empty")]
    pub(crate) extras: JsonExtras<'a>,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Perspective {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) aspect_ratio: Option<f32>,
    pub(crate) yfov: f32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) zfar: Option<f32>,
    pub(crate) znear: f32,
}

#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct Material<'a> {
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(crate) name: Cow<'a, str>,
    pub(crate) pbr_metallic_roughness: PbrMetallicRoughness,
    #[serde(skip_serializing)]
    pub(crate) normal_texture: Option<TextureInfo>,
    #[serde(skip_serializing)]
    pub(crate) occlusion_texture: Option<TextureInfo>,
    #[serde(skip_serializing)]
    pub(crate) emissive_texture: Option<TextureInfo>,
    #[serde(skip_serializing_if = "is_default")]
    pub(crate) emissive_factor: [f32; 3],
    #[serde(skip_serializing_if = "is_default")]
    pub(crate) alpha_mode: AlphaMode,
    #[serde(skip_serializing_if = "is_default")]
    pub(crate) double_sided: bool,
    #[serde(skip_serializing_if = "is_default")]
    pub(crate) extensions: MaterialExtensions,
    #[serde(skip_serializing_if = "JsonExtras::is_empty")]
    pub(crate) extras: JsonExtras<'a>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum AlphaMode {
    #[default]
    Opaque,
    Mask,
    Blend,
}

/// Extensions of a material: it is unlit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default)]
pub(crate) struct MaterialExtensions {
    #[serde(
        rename = "KHR_materials_unlit",
        serialize_with = "empty_object",
        skip_serializing_if = "Option::is_none"
    )]
    pub(crate) unlit: Option<IgnoredAny>,
}

fn empty_object<S: Serializer>(_: &Option<IgnoredAny>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_map(Some(0))?.end()
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct PbrMetallicRoughness {
    #[serde(skip_serializing_if = "are_ones")]
    pub(crate) base_color_factor: [f32; 4],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) base_color_texture: Option<TextureInfo>,
    pub(crate) metallic_factor: f32,
    #[serde(skip_serializing_if = "is_one")]
    pub(crate) roughness_factor: f32,
    #[serde(skip_serializing)]
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

fn are_ones(color: &[f32; 4]) -> bool {
    *color == [1.0; 4]
}

fn is_one(factor: &f32) -> bool {
    *factor == 1.0
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TextureInfo {
    pub(crate) index: usize,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) tex_coord: usize,
}

#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub(crate) struct Texture {
    #[serde(skip_deserializing)]
    pub(crate) sampler: usize,
    pub(crate) source: Option<usize>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TextureSampler {
    pub(crate) mag_filter: u32,
    pub(crate) min_filter: u32,
    pub(crate) wrap_s: u32,
    pub(crate) wrap_t: u32,
}

#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct Image<'a> {
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(crate) name: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) uri: Option<String>,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(crate) mime_type: Cow<'static, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) buffer_view: Option<usize>,
}

/// The media type of an image, by its first bytes: the two kinds that glTF takes.
pub(crate) fn image_type(bytes: &[u8]) -> Option<&'static str> {
    if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        Some("image/png")
    } else if bytes.starts_with(b"\xff\xd8\xff") {
        Some("image/jpeg")
    } else {
        None
    }
}

#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Accessor {
    #[serde(default)]
    pub(crate) buffer_view: Option<usize>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) byte_offset: usize,
    pub(crate) component_type: u32,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) normalized: bool,
    pub(crate) count: usize,
    #[serde(rename = "type")]
    pub(crate) element: Cow<'static, str>,
    #[serde(skip_serializing_if = "Vec::is_empty", skip_deserializing)]
    pub(crate) max: Vec<f32>,
    #[serde(skip_serializing_if = "Vec::is_empty", skip_deserializing)]
    pub(crate) min: Vec<f32>,
    #[serde(default, skip_serializing)]
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

#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BufferView {
    pub(crate) buffer: usize,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) byte_offset: usize,
    pub(crate) byte_length: usize,
    #[serde(default, skip_serializing)]
    pub(crate) byte_stride: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none", skip_deserializing)]
    pub(crate) target: Option<u32>,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Buffer {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) uri: Option<String>,
    pub(crate) byte_length: usize,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
