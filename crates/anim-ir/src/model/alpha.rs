//! How the alpha of a material is used in a scene, which has its texture.

use crate::{Alpha, Image, Material, Scene};

impl Material {
    /// Returns how alpha is used, with [`Alpha::Texture`] replaced according to the texture.
    pub fn alpha_in(&self, scene: &Scene) -> Alpha {
        let texture = || self.base_color_image.and_then(|image| scene.image(image));
        match self.alpha {
            Alpha::Texture if texture().is_some_and(Image::has_alpha) => Alpha::Blend,
            Alpha::Texture => Alpha::Colors,
            alpha => alpha,
        }
    }

    /// Returns how alpha is used, unless a reader that blends what is translucent, including the
    /// texture, would do the same. X3D readers do that by default.
    pub fn stated_alpha(&self, scene: &Scene) -> Option<Alpha> {
        let texture = || self.base_color_image.and_then(|image| scene.image(image));
        let is_blended = self.base_color[3] < 1.0 || texture().is_some_and(Image::has_alpha);
        match self.alpha {
            Alpha::Texture => None,
            Alpha::Colors => {
                Some(Alpha::Colors).filter(|_| is_blended && self.base_color[3] >= 1.0)
            }
            Alpha::Blend => Some(Alpha::Blend).filter(|_| !is_blended),
            mask @ Alpha::Mask(_) => Some(mask),
        }
    }
}
