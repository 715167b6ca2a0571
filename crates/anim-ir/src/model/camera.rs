//! Cameras.

use crate::Extras;

/// A perspective camera at the origin of its node, looking along the axis that points into the
/// screen ([`crate::Axes`]).
#[derive(Clone, Debug, PartialEq)]
pub struct Camera {
    /// Name in the file; may be empty.
    pub name: String,
    /// Vertical field of view in radians, between 0 and π.
    pub vertical_fov: f32,
    /// Aspect ratio, width divided by height. `None` uses the aspect ratio of the viewport.
    pub aspect: Option<f32>,
    /// Distance to the near plane in the scene's length unit, greater than 0.
    pub near: f32,
    /// Distance to the far plane; `None` for infinity.
    pub far: Option<f32>,
    /// Format-specific data.
    pub extras: Extras,
}

impl Default for Camera {
    /// Returns a camera with a vertical field of view of 90°.
    fn default() -> Camera {
        Camera::new("", std::f32::consts::FRAC_PI_2)
    }
}

impl Camera {
    /// Creates a camera with a vertical field of view in radians and the near plane at 0.1.
    pub fn new(name: impl Into<String>, vertical_fov: f32) -> Camera {
        Camera {
            name: name.into(),
            vertical_fov,
            aspect: None,
            near: 0.1,
            far: None,
            extras: Extras::new(),
        }
    }
}
