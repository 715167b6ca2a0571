//! The alpha mode of a material, given the texture in its scene.

use crate::{AlphaMode, Image, Material, Scene};

impl Material {
    /// Returns the alpha mode, with [`AlphaMode::Texture`] resolved by looking at the texture.
    pub fn alpha_mode_in(&self, scene: &Scene) -> AlphaMode {
        let texture = || self.base_color_image.and_then(|image| scene.image(image));
        match self.alpha_mode {
            AlphaMode::Texture
                if self.base_color[3] >= 1.0 && texture().is_some_and(Image::has_alpha) =>
            {
                AlphaMode::Mask(AlphaMode::FAINT)
            }
            AlphaMode::Texture => AlphaMode::Colors,
            alpha => alpha,
        }
    }

    /// Returns the alpha mode, or `None` if it is what X3D readers choose by default: they blend
    /// translucent colours, and treat the texture according to its pixels.
    pub fn stated_alpha_mode(&self, scene: &Scene) -> Option<AlphaMode> {
        let texture = || self.base_color_image.and_then(|image| scene.image(image));
        let is_opaque = self.base_color[3] >= 1.0;
        let is_stated = match self.alpha_mode {
            AlphaMode::Texture => false,
            AlphaMode::Colors => is_opaque && texture().is_some_and(Image::has_alpha),
            AlphaMode::Blend => is_opaque,
            AlphaMode::Mask(_) => true,
        };
        is_stated.then_some(self.alpha_mode)
    }
}
