//! The alpha modes of materials, given the textures in their scene.

use crate::model::transparency::Transparency;
use crate::{AlphaMode, Budget, Image, Material, Mesh, Primitive, Scene};

impl Scene {
    /// Returns the alpha mode of each material, with [`AlphaMode::Texture`] resolved by looking at
    /// the pixels of the texture, as far as the budget allows.
    pub fn alpha_modes(&self, budget: &Budget) -> Vec<AlphaMode> {
        let mut known = vec![None; self.images.len()];
        let mut resolved = |material: &Material| {
            let texture = material.base_color_image?;
            let image = self.image(texture)?;
            if material.base_color[3] < 1.0 || !image.has_alpha() {
                return None;
            }
            let known = known.get_mut(texture.index())?;
            Some(*known.get_or_insert_with(|| of_pixels(image, budget)))
        };
        let modes = self.materials.iter().map(|material| match material.alpha_mode {
            AlphaMode::Texture => resolved(material).unwrap_or(AlphaMode::Colors),
            alpha => alpha,
        });
        modes.collect()
    }
}

/// Returns the alpha mode for an image.
fn of_pixels(image: &Image, budget: &Budget) -> AlphaMode {
    let bytes = image.bytes.as_deref().unwrap_or_default();
    match Transparency::of(bytes, budget) {
        Some(Transparency::Opaque) => AlphaMode::Colors,
        Some(Transparency::Cutout) => AlphaMode::Mask(AlphaMode::CUTOFF),
        Some(Transparency::Smooth) => AlphaMode::Blend,
        None => AlphaMode::Mask(AlphaMode::FAINT),
    }
}

impl Mesh {
    /// Returns whether any vertex of one of the mesh's primitives is translucent.
    pub fn has_translucent(&self, part: &Primitive) -> bool {
        let alpha = |index: &u32| self.colors.get(*index as usize).map(|color| color[3]);
        !self.colors.is_empty() && part.indices.iter().filter_map(alpha).any(|alpha| alpha < 1.0)
    }
}

impl Material {
    /// Returns the alpha mode, or `None` if it is what X3D readers choose by default: they blend
    /// translucent colours, and treat the texture according to its pixels.
    pub fn stated_alpha_mode(&self, scene: &Scene) -> Option<AlphaMode> {
        let texture = || self.base_color_image.and_then(|image| scene.image(image));
        let is_opaque = self.base_color[3] >= 1.0;
        let is_stated = match self.alpha_mode {
            AlphaMode::Texture => false,
            AlphaMode::Colors => is_opaque && texture().is_some_and(Image::may_have_alpha),
            AlphaMode::Blend => is_opaque,
            AlphaMode::Mask(_) => true,
        };
        is_stated.then_some(self.alpha_mode)
    }
}
