//! The colour of a triangle at a point of the picture.

use super::light::light_on;
use super::painter::{Look, Painter};
use super::triangle::{Light, Plane, Tint, Triangle};
use crate::lanes::{Lanes, limited};
use crate::texture::Texture;

/// Computes the colours of a triangle.
pub(super) struct Shader<'a> {
    triangle: &'a Triangle,
    look: &'a Look<'a>,
}

impl<'a> Shader<'a> {
    pub(super) fn new(painter: &Painter<'a>, triangle: &'a Triangle) -> Option<Shader<'a>> {
        Some(Shader { triangle, look: painter.looks.get(triangle.surface as usize)? })
    }

    /// Returns the linear colour at a point in pixels, and its straight alpha. The alpha of opaque
    /// surfaces is 1.
    #[inline(always)]
    pub(super) fn color(&self, [x, y]: [f32; 2]) -> Lanes {
        let Triangle { place, origin: [left, top], range: [low, high], .. } = self.triangle;
        let from = [x - left, y - top];
        let [depth, u, v, _] = place.at(from).to_array();
        let distance = 1.0 / limited(depth, *low, *high);
        let mut color = match &self.triangle.tint {
            Tint::Even(color) => *color,
            Tint::Mixed(plane) => plane.at(from) * distance,
        };
        let Look { texture, emissive: mut glow, emissive_texture, lowest, .. } = *self.look;
        if texture.is_some() || emissive_texture.is_some() {
            let at = [u * distance, v * distance];
            let spread = spread(place, at, distance);
            if let Some(texture) = texture {
                color *= texture.sample(at, spread);
            }
            if let Some(texture) = emissive_texture {
                glow *= sample_rarely(texture, at, spread);
            }
        }
        let light = match &self.triangle.light {
            Light::Unlit => None,
            Light::Flat(light) => Some(*light),
            Light::Smooth(normal) => Some(light_on(normal.at(from))),
        };
        let lit = |light| color * Lanes::new([light, light, light, 1.0]) + glow;
        light.map_or(color, lit).fast_max(lowest).fast_min(Lanes::ONE)
    }

    /// The same, as a function of its own for places other than the loop over pixels.
    #[inline(never)]
    pub(super) fn color_apart(&self, at: [f32; 2]) -> Lanes {
        self.color(at)
    }

    /// Returns the alpha that a blended surface is drawn with where its own is `alpha`.
    pub(super) fn visible(&self, alpha: f32) -> f32 {
        let is_opaque = |cutoff| if alpha >= cutoff { 1.0 } else { 0.0 };
        self.look.cutoff.map_or(alpha, is_opaque)
    }
}

impl<'a> Painter<'a> {
    /// Returns what computes the colours of a triangle; `None` for an index without a triangle.
    pub(super) fn shader(&self, index: u32) -> Option<Shader<'a>> {
        Shader::new(self, self.triangles.get(index as usize)?)
    }
}

/// A function of its own, since few materials have a second texture.
#[inline(never)]
fn sample_rarely(texture: &Texture, at: [f32; 2], spread: Lanes) -> Lanes {
    texture.sample(at, spread)
}

/// Returns how texture coordinates change along x, and along y.
#[inline]
fn spread(place: &Plane, [u, v]: [f32; 2], distance: f32) -> Lanes {
    let [across, u_x, v_x, _] = place.right.to_array();
    let [down, u_y, v_y, _] = place.down.to_array();
    let moved = Lanes::new([u, v, u, v]) * Lanes::new([across, across, down, down]);
    (Lanes::new([u_x, v_x, u_y, v_y]) - moved) * distance
}
