//! Colours of screens and colours of light.

use crate::file::number::narrow;

/// A component of a colour as screens take it (sRGB, IEC 61966-2-1), 0 to 1, as an amount of light.
///
/// ```
/// assert!((anim_ir::color::to_linear(0.5) - 0.214).abs() < 1e-3);
/// ```
pub fn to_linear(component: f32) -> f32 {
    let c = f64::from(component);
    narrow(if c <= 0.040_45 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) })
}

/// An amount of light, 0 to 1, as a component of a colour as screens take it.
pub fn to_srgb(component: f32) -> f32 {
    let c = f64::from(component);
    narrow(if c <= 0.003_130_8 { c * 12.92 } else { 1.055 * c.powf(1.0 / 2.4) - 0.055 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        assert_eq!([0.0, 1.0].map(to_linear), [0.0, 1.0]);
        for step in 0..=100_u8 {
            let component = f32::from(step) / 100.0;
            assert!((to_srgb(to_linear(component)) - component).abs() < 1e-6);
        }
    }
}
