//! The subset of the glTF 2.0 schema that this crate reads and writes. Any other field is ignored.
//!
//! Fields are written in the order of declaration. Write-only fields have `skip_deserializing`, so
//! the reader accepts invalid values in them.

pub(crate) mod extras;
pub(crate) mod strict;

use std::borrow::Cow;

use serde::de::IgnoredAny;
use serde::ser::SerializeMap as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use extras::JsonExtras;

/// OpenGL constants used by glTF, such as component types.
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

/// Extensions that this crate supports. `KHR_mesh_quantization` is only read.
pub(crate) mod extension {
    pub(crate) const ANIMATION_POINTER: &str = "KHR_animation_pointer";
    pub(crate) const MATERIALS_UNLIT: &str = "KHR_materials_unlit";
    pub(crate) const MESH_QUANTIZATION: &str = "KHR_mesh_quantization";
    pub(crate) const NODE_VISIBILITY: &str = "KHR_node_visibility";
}

/// Defines glTF objects with the names from the schema. A field declared as `field?` is omitted if
/// it has its default value.
macro_rules! objects {
    ($($(#[$of_object:meta])* $object:ident $(<$life:lifetime>)? {
        $($(#[$of_field:meta])* $field:ident $(?: $rare:ty)? $(: $usual:ty)?,)*
    })*) => { $(
        #[derive(Debug, PartialEq, Deserialize, Serialize)]
        #[serde(rename_all = "camelCase")]
        $(#[$of_object])*
        pub(crate) struct $object $(<$life>)? { $(
            $(#[$of_field])*
            $(#[serde(default, skip_serializing_if = "is_default")] pub(crate) $field: $rare)?
            $(pub(crate) $field: $usual)?
        ,)* }
    )* };
}

objects! {
    #[derive(Default)]
    #[serde(default)]
    Root<'a> {
        asset: Option<Asset>,
        extensions_used?: Vec<Cow<'static, str>>,
        extensions_required?: Vec<Cow<'static, str>>,
        scene: Option<usize>,
        scenes: Vec<Scene<'a>>,
        nodes: Vec<Node<'a>>,
        meshes?: Vec<Mesh<'a>>,
        skins?: Vec<Skin<'a>>,
        animations?: Vec<Animation<'a>>,
        cameras?: Vec<Camera<'a>>,
        materials?: Vec<Material<'a>>,
        textures?: Vec<Texture>,
        samplers?: Vec<TextureSampler>,
        images?: Vec<Image<'a>>,
        accessors?: Vec<Accessor>,
        buffer_views?: Vec<BufferView>,
        buffers?: Vec<Buffer>,
        extras?: HasExtras,
    }

    Asset {
        #[serde(skip_deserializing)]
        generator: &'static str,
        version: Cow<'static, str>,
        min_version?: Option<String>,
        copyright?: Option<String>,
        extras?: HasExtras,
    }

    #[derive(Default)]
    #[serde(default)]
    Scene<'a> {
        name?: Cow<'a, str>,
        nodes: Vec<usize>,
        extras?: JsonExtras<'a>,
    }

    #[derive(Default)]
    #[serde(default)]
    Node<'a> {
        name: Cow<'a, str>,
        mesh?: Option<usize>,
        skin?: Option<usize>,
        camera?: Option<usize>,
        matrix?: Option<[f32; 16]>,
        translation?: Option<[f32; 3]>,
        rotation?: Option<[f32; 4]>,
        scale?: Option<[f32; 3]>,
        weights?: Vec<f32>,
        children?: Vec<usize>,
        extensions?: NodeExtensions,
        extras?: JsonExtras<'a>,
    }

    /// Extensions of a node: the visibility of the node and its children.
    #[derive(Clone, Copy, Default)]
    #[serde(default)]
    NodeExtensions {
        #[serde(rename = "KHR_node_visibility")]
        visibility?: Option<NodeVisibility>,
    }

    #[derive(Clone, Copy)]
    NodeVisibility {
        #[serde(default = "yes")]
        visible: bool,
    }

    #[derive(Default)]
    #[serde(default)]
    Mesh<'a> {
        name?: Cow<'a, str>,
        primitives: Vec<Primitive>,
        weights?: Cow<'a, [f32]>,
        extras?: JsonExtras<'a>,
    }

    Primitive {
        attributes: Attributes,
        indices?: Option<usize>,
        material?: Option<usize>,
        #[serde(default = "triangles", skip_serializing_if = "is_triangles")]
        mode: u32,
        targets?: Vec<Attributes>,
        extras?: HasExtras,
    }

    Skin<'a> {
        name?: Cow<'a, str>,
        #[serde(default)]
        inverse_bind_matrices: Option<usize>,
        #[serde(skip_deserializing)]
        skeleton?: Option<usize>,
        joints: Vec<usize>,
        extras?: HasExtras,
    }

    #[derive(Default)]
    #[serde(default)]
    Animation<'a> {
        name: Cow<'a, str>,
        channels: Vec<Channel<'a>>,
        samplers: Vec<Sampler>,
        extras?: JsonExtras<'a>,
    }

    Channel<'a> {
        sampler: usize,
        target: ChannelTarget,
        extras?: JsonExtras<'a>,
    }

    ChannelTarget {
        node?: Option<usize>,
        path: Cow<'static, str>,
        extensions?: TargetExtensions,
    }

    /// Extensions of a channel's target: a pointer to a property that core glTF cannot animate.
    #[derive(Default)]
    #[serde(default)]
    TargetExtensions {
        #[serde(rename = "KHR_animation_pointer")]
        pointer?: Option<AnimationPointer>,
    }

    AnimationPointer {
        pointer: String,
    }

    Sampler {
        input: usize,
        /// Interpolation is linear if this is absent.
        interpolation?: Option<Cow<'static, str>>,
        output: usize,
        extras?: HasExtras,
    }

    #[derive(Default)]
    #[serde(default)]
    Camera<'a> {
        name?: Cow<'a, str>,
        perspective: Option<Perspective>,
        #[serde(rename = "type", skip_deserializing)]
        kind: &'static str,
        extras?: JsonExtras<'a>,
    }

    Perspective {
        aspect_ratio?: Option<f32>,
        yfov: f32,
        zfar?: Option<f32>,
        znear: f32,
    }

    #[derive(Clone, Default)]
    #[serde(default)]
    Material<'a> {
        name?: Cow<'a, str>,
        pbr_metallic_roughness: PbrMetallicRoughness,
        normal_texture?: Option<NormalTexture>,
        occlusion_texture?: Option<OcclusionTexture>,
        emissive_texture?: Option<TextureInfo>,
        emissive_factor?: [f32; 3],
        alpha_mode?: AlphaMode,
        /// Only for [`AlphaMode::Mask`], where it is 0.5 if absent.
        alpha_cutoff?: Option<f32>,
        double_sided?: bool,
        extensions?: MaterialExtensions,
        extras?: JsonExtras<'a>,
    }

    #[derive(Clone)]
    #[serde(default)]
    PbrMetallicRoughness {
        #[serde(skip_serializing_if = "are_ones")]
        base_color_factor: [f32; 4],
        base_color_texture?: Option<TextureInfo>,
        metallic_factor: f32,
        #[serde(skip_serializing_if = "is_one")]
        roughness_factor: f32,
        metallic_roughness_texture?: Option<TextureInfo>,
    }

    /// Extensions of a material: whether it is unlit.
    #[derive(Clone, Copy, Default)]
    #[serde(default)]
    MaterialExtensions {
        #[serde(rename = "KHR_materials_unlit", serialize_with = "empty_object")]
        unlit?: Option<IgnoredAny>,
    }

    #[derive(Clone, Copy)]
    TextureInfo {
        index: usize,
        tex_coord?: usize,
    }

    #[derive(Clone, Copy)]
    NormalTexture {
        #[serde(flatten)]
        texture: TextureInfo,
        #[serde(default = "one", skip_serializing_if = "is_one")]
        scale: f32,
    }

    #[derive(Clone, Copy)]
    OcclusionTexture {
        #[serde(flatten)]
        texture: TextureInfo,
        #[serde(default = "one", skip_serializing_if = "is_one")]
        strength: f32,
    }

    #[derive(Default)]
    #[serde(default)]
    Texture {
        sampler: Option<usize>,
        source: Option<usize>,
        extras?: HasExtras,
    }

    #[serde(default)]
    TextureSampler {
        mag_filter: u32,
        min_filter: u32,
        wrap_s: u32,
        wrap_t: u32,
    }

    #[derive(Default)]
    #[serde(default)]
    Image<'a> {
        name?: Cow<'a, str>,
        uri?: Option<String>,
        mime_type?: Cow<'static, str>,
        buffer_view?: Option<usize>,
        extras?: HasExtras,
    }

    #[derive(Default)]
    Accessor {
        #[serde(default)]
        buffer_view: Option<usize>,
        byte_offset?: usize,
        component_type: u32,
        normalized?: bool,
        count: usize,
        #[serde(rename = "type")]
        element: Cow<'static, str>,
        #[serde(skip_deserializing)]
        max?: Vec<f32>,
        #[serde(skip_deserializing)]
        min?: Vec<f32>,
        #[serde(default, skip_serializing)]
        sparse: Option<Sparse>,
    }

    Sparse {
        count: usize,
        indices: SparseIndices,
        values: SparseValues,
    }

    SparseIndices {
        buffer_view: usize,
        byte_offset?: usize,
        component_type: u32,
    }

    SparseValues {
        buffer_view: usize,
        byte_offset?: usize,
    }

    BufferView {
        buffer: usize,
        byte_offset?: usize,
        byte_length: usize,
        #[serde(default, skip_serializing)]
        byte_stride: Option<usize>,
        #[serde(skip_deserializing)]
        target?: Option<u32>,
    }

    Buffer {
        uri?: Option<String>,
        byte_length: usize,
    }
}

/// Accessors, keyed by attribute name; sorted by name when read from a file.
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

/// Whether an object has extras that the scene model cannot store, and that are never written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct HasExtras(pub(crate) bool);

impl<'de> Deserialize<'de> for HasExtras {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<HasExtras, D::Error> {
        Ok(HasExtras(JsonExtras::deserialize(deserializer)? != JsonExtras::default()))
    }
}

const fn yes() -> bool {
    true
}

const fn triangles() -> u32 {
    gl::TRIANGLES
}

const fn is_triangles(mode: &u32) -> bool {
    *mode == gl::TRIANGLES
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum AlphaMode {
    #[default]
    Opaque,
    Mask,
    Blend,
}

fn empty_object<S: Serializer>(_: &Option<IgnoredAny>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_map(Some(0))?.end()
}

/// The sampler that is written for all textures. Without a filter, programs choose their own.
impl Default for TextureSampler {
    fn default() -> TextureSampler {
        TextureSampler {
            mag_filter: gl::LINEAR,
            min_filter: gl::LINEAR_MIPMAP_LINEAR,
            wrap_s: gl::REPEAT,
            wrap_t: gl::REPEAT,
        }
    }
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

const fn one() -> f32 {
    1.0
}

fn is_one(factor: &f32) -> bool {
    *factor == 1.0
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
