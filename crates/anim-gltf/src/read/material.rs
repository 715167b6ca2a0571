//! Materials and images.

use anim_ir::diag::quote;
use anim_ir::{AlphaMode, Image, ImageId, LimitError, Material, address};

use crate::codes;
use crate::json;
use crate::read::fault::Fault;
use crate::read::source::Source;
use crate::uri::path_of;

/// Materials and images.
#[derive(Debug, Default)]
pub(crate) struct Looks {
    pub(crate) materials: Vec<Material>,
    pub(crate) images: Vec<Image>,
}

pub(crate) fn read(source: &mut Source<'_>) -> Result<Looks, LimitError> {
    let mut looks = Looks::default();
    let mut image_of = Vec::with_capacity(source.root.images.len());
    for (number, image) in source.root.images.iter().enumerate() {
        let read = read_image(source, number, image);
        let read = source.keep(&codes::IMAGE_SOURCE, read)?;
        image_of.push(read.is_some().then_some(looks.images.len()));
        looks.images.extend(read);
    }
    for (number, texture) in source.root.textures.iter().enumerate() {
        let sampler = texture.sampler.and_then(|sampler| source.root.samplers.get(sampler));
        if sampler.is_some_and(|sampler| *sampler != json::TextureSampler::default()) {
            source.found.push(&codes::MATERIAL, None, || {
                format!("/textures/{number}: the wrap modes and filters of its sampler are ignored")
            });
        }
    }
    for (number, material) in source.root.materials.iter().enumerate() {
        looks.materials.push(read_material(source, number, material, &image_of));
    }
    Ok(looks)
}

fn read_image(
    source: &mut Source<'_>,
    number: usize,
    image: &json::Image<'_>,
) -> Result<Image, Fault> {
    let pointer = |field: &str| format!("/images/{number}/{field}");
    let content = match (&image.uri, image.buffer_view) {
        (Some(uri), _) => {
            let wrong = |why: String| {
                Fault::new(pointer("uri"), format!("{}: {why}", quote(uri.as_bytes())))
            };
            match address::data(uri) {
                Some(content) => {
                    Image::embedded(content.map_err(|error| wrong(error.to_string()))?)
                }
                None => Image::at(path_of(uri).map_err(wrong)?),
            }
        }
        (None, Some(view)) => {
            let length = source.view(view)?.len();
            source.spend(length)?;
            Image::embedded(source.view(view)?)
        }
        (None, None) => {
            return Err(Fault::new(format!("/images/{number}"), "neither a URI nor a buffer view"));
        }
    };
    Ok(Image { name: image.name.clone().into_owned(), ..content })
}

fn read_material(
    source: &mut Source<'_>,
    number: usize,
    json: &json::Material<'_>,
    image_of: &[Option<usize>],
) -> Material {
    let pbr = &json.pbr_metallic_roughness;
    let mut left_out = Vec::new();
    let textures = [
        ("base colour", pbr.base_color_texture),
        ("emissive", json.emissive_texture),
        ("metallic-roughness", pbr.metallic_roughness_texture),
        ("normal", json.normal_texture.map(|normal| normal.texture)),
        ("occlusion", json.occlusion_texture.map(|occlusion| occlusion.texture)),
    ];
    let images =
        textures.map(|(name, texture)| match read_texture(source, number, texture?, image_of) {
            Ok(image) => image,
            Err(why) => {
                left_out.push(format!("the {name} texture, which {why}"));
                None
            }
        });
    let finite = |value: f32, instead: f32| if value.is_finite() { value } else { instead };
    let [red, green, blue, alpha] = pbr.base_color_factor.map(|number| finite(number, 1.0));
    // Alpha is ignored unless the material enables it.
    let alpha = if json.alpha_mode == json::AlphaMode::Opaque { 1.0 } else { alpha };
    let alpha_mode = match json.alpha_mode {
        json::AlphaMode::Opaque => AlphaMode::Colors,
        // The writer's way to store a translucent colour.
        json::AlphaMode::Blend if alpha < 1.0 => AlphaMode::Colors,
        json::AlphaMode::Blend => AlphaMode::Blend,
        json::AlphaMode::Mask => AlphaMode::Mask(finite(
            json.alpha_cutoff.unwrap_or(AlphaMode::CUTOFF),
            AlphaMode::CUTOFF,
        )),
    };
    if !left_out.is_empty() {
        source.found.push(&codes::MATERIAL, None, || {
            format!("/materials/{number}: ignored {}", left_out.join(", "))
        });
    }
    let unlit = json.extensions.unlit.is_some();
    let mut material = Material {
        base_color: [red, green, blue, alpha],
        emissive: json.emissive_factor.map(|number| finite(number, 0.0)),
        // Metalness does not affect unlit materials, and few writers set it.
        metallic: if unlit { 0.0 } else { finite(pbr.metallic_factor, 1.0) },
        roughness: finite(pbr.roughness_factor, 1.0),
        normal_scale: json.normal_texture.map_or(1.0, |normal| finite(normal.scale, 1.0)),
        occlusion_strength: json
            .occlusion_texture
            .map_or(1.0, |occlusion| finite(occlusion.strength, 1.0)),
        alpha_mode,
        double_sided: json.double_sided,
        unlit,
        extras: json.extras.own.clone().into_owned(),
        ..Material::new(json.name.clone())
    };
    for (slot, image) in material.images_mut().into_iter().zip(images) {
        *slot = image;
    }
    material
}

/// Returns the image of a texture. Returns `None` if a reference is broken, which is reported, or
/// the image could not be read.
///
/// # Errors
///
/// Returns the reason why the texture cannot be converted.
fn read_texture(
    source: &mut Source<'_>,
    material: usize,
    texture: json::TextureInfo,
    image_of: &[Option<usize>],
) -> Result<Option<ImageId>, &'static str> {
    let Some(found) = source.root.textures.get(texture.index) else {
        source.found.push(&codes::REFERENCE, None, || {
            format!("/materials/{material}: texture {} does not exist", texture.index)
        });
        return Ok(None);
    };
    if texture.tex_coord != 0 {
        return Err("uses a second set of texture coordinates");
    }
    let image = found.source.ok_or("is not a PNG or JPEG image")?;
    if image >= image_of.len() {
        source.found.push(&codes::REFERENCE, None, || {
            format!("/textures/{}: image {image} does not exist", texture.index)
        });
    }
    Ok(image_of.get(image).copied().flatten().map(ImageId::new))
}
