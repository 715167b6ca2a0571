//! How the alpha of a material is used in a scene, which has its texture.

use crate::{Alpha, Image, Material, Scene};

impl Material {
    /// Returns how alpha is used, with [`Alpha::Texture`] replaced according to the texture.
    pub fn alpha_in(&self, scene: &Scene) -> Alpha {
        let texture = || self.base_color_image.and_then(|image| scene.image(image));
        match self.alpha {
            Alpha::Texture
                if self.base_color[3] >= 1.0 && texture().is_some_and(Image::has_alpha) =>
            {
                Alpha::Mask(Alpha::FAINT)
            }
            Alpha::Texture => Alpha::Colors,
            alpha => alpha,
        }
    }

    /// Returns how alpha is used, unless readers that blend translucent colours, and decide about
    /// the texture by its pixels, do the same. X3D readers do that by default.
    pub fn stated_alpha(&self, scene: &Scene) -> Option<Alpha> {
        let texture = || self.base_color_image.and_then(|image| scene.image(image));
        let is_opaque = self.base_color[3] >= 1.0;
        let is_stated = match self.alpha {
            Alpha::Texture => false,
            Alpha::Colors => is_opaque && texture().is_some_and(Image::has_alpha),
            Alpha::Blend => is_opaque,
            Alpha::Mask(_) => true,
        };
        is_stated.then_some(self.alpha)
    }
}
