//! The light.

use crate::lanes::Lanes;

/// The direction towards the light, in camera space. The light is above and to the right of the
/// camera, and shines forwards.
const LIGHT: [f32; 3] = [0.36, 0.6, 0.714];
/// The strengths of the ambient, sky and directional light.
const AMBIENT: f32 = 0.32;
const SKY: f32 = 0.12;
const DIFFUSE: f32 = 0.68;

/// Returns the light on a surface with a normal, which may have any length.
pub(super) fn light_on(normal: Lanes) -> f32 {
    let [x, y, z, _] = normal.to_array();
    let square = x * x + y * y + z * z;
    let scale = 1.0 / if square > f32::MIN_POSITIVE { square } else { f32::MIN_POSITIVE }.sqrt();
    let facing = x * LIGHT[0] + y * LIGHT[1] + z * LIGHT[2];
    let facing = if facing > 0.0 { facing * scale } else { 0.0 };
    AMBIENT + SKY / 2.0 + SKY / 2.0 * scale * y + DIFFUSE * facing
}
