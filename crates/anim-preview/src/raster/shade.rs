//! The colour of a triangle at a point of the picture.

use super::model::Surface;
use super::painter::Painter;
use super::triangle::{Light, Plane, Tint, Triangle};
use crate::lanes::{Lanes, limited};
use crate::texture::Texture;

/// The direction towards the light, in camera space. The light is above and to the right of the
/// camera, and shines forwards.
const LIGHT: [f32; 3] = [0.36, 0.6, 0.714];
/// The strengths of the ambient, sky and directional light.
const AMBIENT: f32 = 0.32;
const SKY: f32 = 0.12;
const DIFFUSE: f32 = 0.68;

/// Computes the colours of a triangle.
pub(super) struct Shader<'a> {
    triangle: &'a Triangle,
    surface: &'a Surface,
    texture: Option<&'a Texture>,
    emissive: Option<&'a Texture>,
}

impl<'a> Shader<'a> {
    pub(super) fn new(painter: &Painter<'a>, triangle: &'a Triangle) -> Option<Shader<'a>> {
        let surface = painter.surfaces.get(triangle.surface as usize)?;
        let texture = |index: Option<usize>| painter.textures.get(index?);
        let (texture, emissive) = (texture(surface.texture), texture(surface.emissive_texture));
        Some(Shader { triangle, surface, texture, emissive })
    }

    /// Returns the linear colour at a point in pixels, and its straight alpha. The alpha of opaque
    /// surfaces is 1.
    #[inline]
    pub(super) fn color(&self, [x, y]: [f32; 2]) -> Lanes {
        let Triangle { place, origin: [left, top], range: [low, high], .. } = self.triangle;
        let from = [x - left, y - top];
        let Lanes([depth, u, v, _]) = place.at(from);
        let distance = 1.0 / limited(depth, *low, *high);
        let mut color = match &self.triangle.tint {
            Tint::Even(color) => *color,
            Tint::Mixed(plane) => plane.at(from) * distance,
        };
        let [red, green, blue] = self.surface.emissive;
        let mut glow = Lanes([red, green, blue, 0.0]);
        if self.texture.is_some() || self.emissive.is_some() {
            let at = [u * distance, v * distance];
            let spread = spread(place, at, distance);
            if let Some(texture) = self.texture {
                color = color * texture.sample(at, spread);
            }
            if let Some(texture) = self.emissive {
                glow = glow * texture.sample(at, spread);
            }
        }
        let Lanes([.., alpha]) = color;
        let light = match &self.triangle.light {
            Light::Unlit => None,
            Light::Flat(light) => Some(*light),
            Light::Smooth(normal) => Some(light_on(normal.at(from))),
        };
        let Lanes([red, green, blue, _]) = light.map_or(color, |light| color * light + glow);
        let alpha = if self.surface.blended { alpha } else { 1.0 };
        Lanes([red, green, blue, alpha].map(|part| limited(part, 0.0, 1.0)))
    }
}

/// Returns how texture coordinates change along x, and along y.
#[inline]
fn spread(place: &Plane, [u, v]: [f32; 2], distance: f32) -> Lanes {
    let Plane { right: Lanes([across, u_x, v_x, _]), down: Lanes([down, u_y, v_y, _]), .. } = place;
    (Lanes([*u_x, *v_x, *u_y, *v_y])
        - Lanes([u, v, u, v]) * Lanes([*across, *across, *down, *down]))
        * distance
}

/// Returns the light on a surface with a normal, which may have any length.
pub(super) fn light_on(Lanes([x, y, z, _]): Lanes) -> f32 {
    let length = (x * x + y * y + z * z).sqrt();
    let scale = if length > 0.0 { 1.0 / length } else { 0.0 };
    let facing = x * LIGHT[0] + y * LIGHT[1] + z * LIGHT[2];
    let facing = if facing > 0.0 { facing * scale } else { 0.0 };
    AMBIENT + SKY * (y * scale + 1.0) / 2.0 + DIFFUSE * facing
}
