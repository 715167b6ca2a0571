//! The colour of a triangle at a point of the picture.

use super::model::{Attributes, Surface};
use super::painter::Painter;
use super::triangle::Triangle;

/// The direction towards the light, in camera space. The light is above and to the right of the
/// camera, and shines forwards.
const LIGHT: [f32; 3] = [0.36, 0.6, 0.714];
/// The strengths of the ambient, sky and directional light.
const AMBIENT: f32 = 0.32;
const SKY: f32 = 0.12;
const DIFFUSE: f32 = 0.68;

/// Returns the linear colour of a triangle at a point in pixels, and its straight alpha. The alpha
/// of opaque surfaces is 1.
pub(super) fn shade(painter: &Painter<'_>, triangle: &Triangle, [x, y]: [f32; 2]) -> [f32; 4] {
    let Some(surface) = painter.surfaces.get(triangle.surface as usize) else { return [0.0; 4] };
    let Triangle { depths, origin, slopes: [to_b, to_c], attributes: [a, b, c], .. } = triangle;
    let (right, down) = (x - origin[0], y - origin[1]);
    let (in_b, in_c) = (to_b[0] * right + to_b[1] * down, to_c[0] * right + to_c[1] * down);
    let weights = [(1.0 - in_b - in_c) * depths[0], in_b * depths[1], in_c * depths[2]];
    let total = 1.0 / (weights[0] + weights[1] + weights[2]);
    let [p, q, r] = weights.map(|weight| weight * total);
    let mix = |a: f32, b: f32, c: f32| a * p + b * q + c * r;
    let mut color = surface.color;
    if surface.texture.is_some() || surface.emissive_texture.is_some() {
        let u = [a.texcoord[0], b.texcoord[0], c.texcoord[0]];
        let v = [a.texcoord[1], b.texcoord[1], c.texcoord[1]];
        let at = [mix(u[0], u[1], u[2]), mix(v[0], v[1], v[2])];
        let spread = |axis: fn(&[f32; 2]) -> f32| {
            let (db, dc) = (axis(to_b), axis(to_c));
            let changes = [-(db + dc) * depths[0], db * depths[1], dc * depths[2]];
            let of = |[a, b, c]: [f32; 3], at: f32| {
                let [da, db, dc] = changes;
                (a * da + b * db + c * dc - at * (da + db + dc)) * total
            };
            [of(u, at[0]), of(v, at[1])]
        };
        let (across, down) = (spread(|slope| slope[0]), spread(|slope| slope[1]));
        let spread = [across[0], across[1], down[0], down[1]];
        let texel = |index: Option<usize>| {
            let texture = index.and_then(|index| painter.textures.get(index));
            texture
                .map_or([1.0; 4], |texture| texture.sample(at[0], at[1], spread, painter.tables.0))
        };
        multiply(&mut color, texel(surface.texture));
        let mut glow = texel(surface.emissive_texture);
        multiply(&mut glow, [surface.emissive[0], surface.emissive[1], surface.emissive[2], 1.0]);
        return finish(surface, color, [glow[0], glow[1], glow[2]], [a, b, c], [p, q, r]);
    }
    finish(surface, color, surface.emissive, [a, b, c], [p, q, r])
}

/// Applies vertex colours and light.
fn finish(
    surface: &Surface,
    mut color: [f32; 4],
    glow: [f32; 3],
    [a, b, c]: [&Attributes; 3],
    [p, q, r]: [f32; 3],
) -> [f32; 4] {
    let mut vertex = [0.0; 4];
    for (((sum, a), b), c) in vertex.iter_mut().zip(a.color).zip(b.color).zip(c.color) {
        *sum = a * p + b * q + c * r;
    }
    multiply(&mut color, vertex);
    if surface.lit {
        let mut normal = [0.0; 3];
        for (((sum, a), b), c) in normal.iter_mut().zip(a.normal).zip(b.normal).zip(c.normal) {
            *sum = a * p + b * q + c * r;
        }
        let light = light_on(normal);
        color.iter_mut().take(3).zip(glow).for_each(|(part, glow)| *part = *part * light + glow);
    }
    if !surface.blended {
        color[3] = 1.0;
    }
    color.map(|part| part.clamp(0.0, 1.0))
}

fn multiply(color: &mut [f32; 4], by: [f32; 4]) {
    color.iter_mut().zip(by).for_each(|(part, by)| *part *= by);
}

fn light_on([x, y, z]: [f32; 3]) -> f32 {
    let length = (x * x + y * y + z * z).sqrt();
    let scale = if length > 0.0 { 1.0 / length } else { 0.0 };
    let [x, y, z] = [x * scale, y * scale, z * scale];
    let facing = (x * LIGHT[0] + y * LIGHT[1] + z * LIGHT[2]).max(0.0);
    AMBIENT + SKY * (y + 1.0) / 2.0 + DIFFUSE * facing
}
