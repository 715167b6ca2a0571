//! Conversion between sRGB and linear colours.

use crate::file::number::narrow;

/// Converts an sRGB colour component (IEC 61966-2-1), from 0 to 1, to linear.
///
/// ```
/// assert!((anim_ir::color::to_linear(0.5) - 0.214).abs() < 1e-3);
/// ```
pub fn to_linear(component: f32) -> f32 {
    let c = f64::from(component);
    finite(if c <= 0.040_45 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) })
}

/// Converts a linear colour component, from 0 to 1, to sRGB (IEC 61966-2-1).
pub fn to_srgb(component: f32) -> f32 {
    let c = f64::from(component);
    finite(if c <= 0.003_130_8 { c * 12.92 } else { 1.055 * c.powf(1.0 / 2.4) - 0.055 })
}

/// Narrows a number. One far outside the range of colours becomes the largest or smallest `f32`.
fn finite(component: f64) -> f32 {
    narrow(component).clamp(f32::MIN, f32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finite_colours_stay_finite() {
        for component in [-3e38, 3e38] {
            assert!(to_srgb(component).is_finite() && to_linear(component).is_finite());
        }
    }

    #[test]
    fn there_and_back() {
        assert_eq!([0.0, 1.0].map(to_linear), [0.0, 1.0]);
        for step in 0..=100_u8 {
            let component = f32::from(step) / 100.0;
            assert!((to_srgb(to_linear(component)) - component).abs() < 1e-6);
        }
    }
}
