//! The surfaces of a scene's meshes.

use std::collections::HashMap;

use anim_ir::{AlphaMode, Budget, Diagnostics, Image, ImageId, Material, Mesh, Scene, Topology};

use crate::codes;
use crate::lanes::Lanes;
use crate::raster::Surface;
use crate::texture::{Texture, ToLinear};

/// Surfaces, and the surface of each primitive of each mesh.
pub(super) struct Surfaces {
    pub(super) list: Vec<Surface>,
    pub(super) of_mesh: Vec<Vec<usize>>,
}

impl Surfaces {
    /// `textures` are those of the images, and the texture for images that the scene does not have.
    pub(super) fn new(scene: &Scene, textures: &[Texture], budget: &Budget) -> Surfaces {
        let alphas = scene.alpha_modes(budget);
        let mut surfaces = Surfaces { list: Vec::new(), of_mesh: Vec::new() };
        let mut known = HashMap::new();
        for mesh in &scene.meshes {
            let mut own = Vec::with_capacity(mesh.primitives.len());
            for part in &mesh.primitives {
                let is_flat = part.topology != Topology::Triangles;
                let key =
                    (part.material, is_flat, mesh.has_translucent(part), mesh.texcoords.is_empty());
                let index = *known.entry(key).or_insert_with(|| {
                    let material = part.material.and_then(|id| scene.material(id));
                    let alpha = part.material.and_then(|id| alphas.get(id.index()));
                    let default = Material::default();
                    let material = material.unwrap_or(&default);
                    let mut surface = surface_of(material, alpha, mesh, textures);
                    surface.lit &= !is_flat;
                    surface.blended |= key.2;
                    // A mask that hides nothing need not be sorted.
                    let lowest = surface.texture.and_then(|index| textures.get(index));
                    let lowest = lowest.map_or(1.0, |texture| texture.lowest_alpha);
                    let lowest = lowest * material.base_color[3];
                    if surface.cutoff.is_some_and(|cutoff| lowest >= cutoff) && !key.2 {
                        (surface.blended, surface.cutoff) = (false, None);
                    }
                    surfaces.list.push(surface);
                    surfaces.list.len().saturating_sub(1)
                });
                own.push(index);
            }
            surfaces.of_mesh.push(own);
        }
        surfaces
    }
}

/// `alpha` is the resolved alpha mode. Without texture coordinates, textures do not apply.
fn surface_of(
    material: &Material,
    alpha: Option<&AlphaMode>,
    mesh: &Mesh,
    textures: &[Texture],
) -> Surface {
    let checker = textures.len().saturating_sub(1);
    let texture = |image: Option<ImageId>| {
        image.map(|image| image.index().min(checker)).filter(|_| !mesh.texcoords.is_empty())
    };
    let finite = |value: f32| if value.is_finite() { value.clamp(0.0, 1.0) } else { 1.0 };
    let color = material.base_color.map(finite);
    let [red, green, blue] = material.emissive.map(finite);
    let (blended, cutoff) = match alpha {
        Some(AlphaMode::Blend) => (true, None),
        Some(AlphaMode::Mask(cutoff)) => (true, Some(*cutoff)),
        Some(AlphaMode::Colors | AlphaMode::Texture) | None => (color[3] < 1.0, None),
    };
    Surface {
        color: Lanes::new(color),
        texture: texture(material.base_color_image),
        emissive: Lanes::new([red, green, blue, 0.0]),
        emissive_texture: texture(material.emissive_image),
        lit: !material.unlit,
        double_sided: material.double_sided,
        blended,
        cutoff,
        in_front: false,
    }
}

/// Decodes the images that are drawn. The last texture is for those that the scene does not have.
pub(super) fn decode_images(
    scene: &Scene,
    table: &ToLinear,
    budget: &Budget,
    losses: &mut Diagnostics,
) -> Vec<Texture> {
    let mut is_used = vec![false; scene.images.len()];
    for material in &scene.materials {
        for image in [material.base_color_image, material.emissive_image].into_iter().flatten() {
            if let Some(used) = is_used.get_mut(image.index()) {
                *used = true;
            }
        }
    }
    let mut decode = |(number, (image, is_used)): (usize, (&Image, bool))| {
        if !is_used {
            return Texture::checker(table);
        }
        Texture::decode(image, table, budget).unwrap_or_else(|why| {
            losses.push(&codes::TEXTURE, None, || format!("image {}{why}", name_of(number, image)));
            Texture::checker(table)
        })
    };
    let mut textures: Vec<Texture> =
        scene.images.iter().zip(is_used).enumerate().map(&mut decode).collect();
    textures.push(Texture::checker(table));
    textures
}

fn name_of(number: usize, image: &Image) -> String {
    let name = image.path.as_deref().unwrap_or(&image.name);
    if name.is_empty() { format!("{number} ") } else { format!("`{name}` ") }
}
