//! Materials, textures and images.

use std::borrow::Cow;
use std::collections::HashMap;

use anim_ir::diag::quote;
use anim_ir::{AlphaMode, Budget, Diagnostics, Image, Material, Scene, image_type};
use serde::de::IgnoredAny;

use crate::codes;
use crate::error::FromIrError;
use crate::json;
use crate::png;
use crate::uri::percent_encode;
use crate::write::buffer::{Bin, Piece};
use crate::write::extras::extras;
use crate::write::shown_mesh;

/// Materials, textures and images.
#[derive(Debug, Default)]
pub(crate) struct Materials<'a> {
    pub(crate) list: Vec<json::Material<'a>>,
    pub(crate) textures: Vec<json::Texture>,
    pub(crate) images: Vec<json::Image<'a>>,
    /// Untextured copies, by original material.
    plain: HashMap<usize, usize>,
    /// The versions of materials that are opaque by themselves: for meshes with opaque vertices,
    /// and for meshes with translucent vertices, if there are such meshes.
    versions: HashMap<usize, [Option<usize>; 2]>,
    /// The material for primitives without a material, if any.
    missing: Option<usize>,
}

/// Whether images are embedded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ImagePlace {
    /// Embeds PNG and JPEG images whose content is known.
    Embedded,
    /// References images that have a path, except PNG images with metadata to remove.
    External,
}

impl<'a> Materials<'a> {
    pub(crate) fn plan(
        scene: &'a Scene,
        (place, budget): (ImagePlace, &Budget),
        bin: &mut Bin<'a>,
        losses: &mut Diagnostics,
    ) -> Result<Materials<'a>, FromIrError> {
        let mut materials = Materials::default();
        let mut image_of = Vec::with_capacity(scene.images.len());
        let mut images = Images { place, views: HashMap::new(), bin, losses };
        for image in &scene.images {
            let planned = images.plan(image)?;
            image_of.push(planned.is_some().then_some(materials.images.len()));
            materials.images.extend(planned);
        }
        let mut texture_of: HashMap<usize, usize> = HashMap::new();
        let alphas = scene.alpha_modes(budget);
        for (index, (material, alpha)) in scene.materials.iter().zip(alphas).enumerate() {
            let textures = material.images().map(|image| {
                let source = image_of.get(image?.index()).copied().flatten()?;
                let index = *texture_of.entry(source).or_insert_with(|| {
                    materials.textures.push(json::Texture {
                        sampler: Some(0),
                        source: Some(source),
                        ..json::Texture::default()
                    });
                    materials.textures.len().saturating_sub(1)
                });
                Some(json::TextureInfo { index, tex_coord: 0 })
            });
            materials.list.push(plan_material(index, (material, alpha), textures, losses));
        }
        Ok(materials)
    }

    /// Returns the sampler shared by all textures, if any.
    pub(crate) fn samplers(&self) -> Vec<json::TextureSampler> {
        self.textures.first().map(|_| json::TextureSampler::default()).into_iter().collect()
    }

    /// Whether any material is unlit, which requires an extension.
    pub(crate) fn any_unlit(&self) -> bool {
        self.list.iter().any(|material| material.extensions.unlit.is_some())
    }

    /// Returns the material for primitives without a material.
    pub(crate) fn missing(&mut self) -> usize {
        *self.missing.get_or_insert_with(|| {
            self.list.push(json::Material {
                name: "default".into(),
                pbr_metallic_roughness: json::PbrMetallicRoughness {
                    metallic_factor: 0.0,
                    ..json::PbrMetallicRoughness::default()
                },
                double_sided: true,
                ..json::Material::default()
            });
            self.list.len().saturating_sub(1)
        })
    }

    /// Returns the material for a primitive. If the material has textures but the mesh has no
    /// texture coordinates, reports this and returns an untextured copy.
    pub(crate) fn of_primitive(
        &mut self,
        material: usize,
        has_texcoords: bool,
        see_through: bool,
        losses: &mut Diagnostics,
        mesh: &str,
    ) -> Option<usize> {
        let wanted = self.list.get(material)?;
        let mut index = material;
        if !has_texcoords && wanted.has_texture() {
            losses.push(&codes::NO_TEXCOORDS, None, || {
                format!(
                    "{} has no texture coordinates for material {}",
                    shown_mesh(mesh),
                    quote(wanted.name.as_bytes())
                )
            });
            index = match self.plain.get(&material) {
                Some(plain) => *plain,
                None => {
                    let mut plain = wanted.clone();
                    plain.remove_textures();
                    let at = self.push(plain);
                    self.plain.insert(material, at);
                    at
                }
            };
        }
        self.for_vertices(index, see_through)
    }

    /// Returns the version of a material for opaque or for translucent vertices. Vertex colours are
    /// multiplied by the material's colour, but their alpha is ignored unless the material enables
    /// it.
    fn for_vertices(&mut self, index: usize, see_through: bool) -> Option<usize> {
        let alpha_mode = if see_through { json::AlphaMode::Blend } else { json::AlphaMode::Opaque };
        let [opaque, translucent] = self.versions.get(&index).copied().unwrap_or_default();
        if let Some(known) = if see_through { translucent } else { opaque } {
            return Some(known);
        }
        let material = self.list.get_mut(index)?;
        let is_first = opaque.or(translucent).is_none();
        if is_first && material.alpha_mode != json::AlphaMode::Opaque {
            return Some(index);
        }
        let version = if is_first {
            material.alpha_mode = alpha_mode;
            index
        } else {
            let copy = json::Material { alpha_mode, ..material.clone() };
            self.push(copy)
        };
        let versions =
            if see_through { [opaque, Some(version)] } else { [Some(version), translucent] };
        self.versions.insert(index, versions);
        Some(version)
    }

    fn push(&mut self, material: json::Material<'a>) -> usize {
        self.list.push(material);
        self.list.len().saturating_sub(1)
    }
}

impl json::Material<'_> {
    fn has_texture(&self) -> bool {
        let pbr = &self.pbr_metallic_roughness;
        pbr.base_color_texture.is_some()
            || pbr.metallic_roughness_texture.is_some()
            || self.normal_texture.is_some()
            || self.occlusion_texture.is_some()
            || self.emissive_texture.is_some()
    }

    fn remove_textures(&mut self) {
        self.pbr_metallic_roughness.base_color_texture = None;
        self.pbr_metallic_roughness.metallic_roughness_texture = None;
        self.normal_texture = None;
        self.occlusion_texture = None;
        self.emissive_texture = None;
    }
}

/// The textures of a material, in the order of [`Material::images`].
type Textures = [Option<json::TextureInfo>; 5];

fn plan_material<'a>(
    index: usize,
    (material, alpha): (&'a Material, AlphaMode),
    textures: Textures,
    losses: &mut Diagnostics,
) -> json::Material<'a> {
    let [base_color_texture, emissive_texture, metallic_roughness_texture, normal, occlusion] =
        textures;
    let mut clamped = false;
    let mut clamp = |value: f32| {
        clamped |= !(0.0..=1.0).contains(&value);
        value.clamp(0.0, 1.0)
    };
    let base_color = material.base_color.map(&mut clamp);
    let emissive = material.emissive.map(&mut clamp);
    let [metallic, roughness, strength] =
        [material.metallic, material.roughness, material.occlusion_strength].map(&mut clamp);
    if clamped {
        losses.push(&codes::COLOR_RANGE, None, || {
            format!(
                "material {} has a colour or a factor outside 0 to 1",
                quote(material.name.as_bytes())
            )
        });
    }
    let (alpha_mode, alpha_cutoff) = match alpha {
        AlphaMode::Mask(cutoff) => (
            json::AlphaMode::Mask,
            Some(cutoff.max(0.0)).filter(|cutoff| *cutoff != AlphaMode::CUTOFF),
        ),
        AlphaMode::Colors | AlphaMode::Texture if base_color[3] >= 1.0 => {
            (json::AlphaMode::Opaque, None)
        }
        _ => (json::AlphaMode::Blend, None),
    };
    json::Material {
        name: Cow::Borrowed(&material.name),
        pbr_metallic_roughness: json::PbrMetallicRoughness {
            base_color_factor: base_color,
            base_color_texture,
            metallic_factor: metallic,
            roughness_factor: roughness,
            metallic_roughness_texture,
        },
        normal_texture: normal
            .map(|texture| json::NormalTexture { texture, scale: material.normal_scale }),
        occlusion_texture: occlusion.map(|texture| json::OcclusionTexture { texture, strength }),
        emissive_texture,
        emissive_factor: emissive,
        alpha_mode,
        alpha_cutoff,
        double_sided: material.double_sided,
        extensions: json::MaterialExtensions { unlit: material.unlit.then_some(IgnoredAny) },
        extras: extras(&material.extras, Vec::new(), losses, || format!("material {index}")),
    }
}

struct Images<'a, 'b> {
    place: ImagePlace,
    /// Buffer views of image content that has already been added, keyed by the address of the
    /// content, so that images can share them.
    views: HashMap<usize, usize>,
    bin: &'b mut Bin<'a>,
    losses: &'b mut Diagnostics,
}

impl<'a> Images<'a, '_> {
    /// Plans an image. Returns `None` for an image without a path whose content is missing or is
    /// neither PNG nor JPEG.
    fn plan(&mut self, image: &'a Image) -> Result<Option<json::Image<'a>>, FromIrError> {
        let mut planned =
            json::Image { name: Cow::Borrowed(&image.name), ..json::Image::default() };
        let name = || quote(image.path.as_ref().unwrap_or(&image.name).as_bytes());
        let path = image.path.as_deref().filter(|path| !path.is_empty());
        let bytes = image.bytes.as_deref();
        // Determine the type from the content, since readers reject a JPEG labelled as PNG.
        if let Some((bytes, mime_type)) = bytes.and_then(|bytes| Some((bytes, image_type(bytes)?)))
        {
            let is_odd = png::is_odd(bytes);
            if is_odd {
                self.losses.push(&codes::IMAGE_CLEANED, None, || {
                    // The path is relative to the output, so it may start with many `../`.
                    let name = path.unwrap_or(&image.name).rsplit('/').next().unwrap_or_default();
                    format!(
                        "image {} has chunks that glTF readers ignore, such as a colour profile; \
                         the output contains a copy without them",
                        quote(name.as_bytes())
                    )
                });
            }
            if is_odd || path.is_none() || self.place == ImagePlace::Embedded {
                planned.mime_type = mime_type.into();
                planned.buffer_view = Some(self.view(bytes, is_odd)?);
                return Ok(Some(planned));
            }
        }
        let mut lost = |message: String| self.losses.push(&codes::IMAGE, None, || message);
        let Some(path) = path else {
            lost(match bytes {
                Some(bytes) => {
                    format!("image {} ({} bytes) is neither PNG nor JPEG", name(), bytes.len())
                }
                None => format!("image {} has neither a path nor content", name()),
            });
            return Ok(None);
        };
        let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
        if !["png", "jpg", "jpeg"].iter().any(|known| extension.eq_ignore_ascii_case(known)) {
            lost(format!("image {} has no PNG or JPEG file extension", name()));
        }
        image.report_outside(self.losses);
        planned.uri = Some(percent_encode(path));
        Ok(Some(planned))
    }

    fn view(&mut self, bytes: &'a [u8], is_odd: bool) -> Result<usize, FromIrError> {
        if let Some(view) = self.views.get(&bytes.as_ptr().addr()) {
            return Ok(*view);
        }
        let piece =
            if is_odd { Piece::OwnedBytes(png::cleaned(bytes)) } else { Piece::Bytes(bytes) };
        let view = self.bin.add_view(None, [piece])?;
        self.views.insert(bytes.as_ptr().addr(), view);
        Ok(view)
    }
}
