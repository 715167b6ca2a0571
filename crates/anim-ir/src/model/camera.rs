//! What cameras see.

use crate::Extras;

/// A perspective camera. It looks from the origin of its node along the axis that goes into the
/// screen ([`crate::Axes`]).
#[derive(Clone, Debug, PartialEq)]
pub struct Camera {
    /// Name in the file; may be empty.
    pub name: String,
    /// From the lower to the upper border of the picture, in radians, between 0 and half a turn.
    pub vertical_fov: f32,
    /// Width of the picture by its height; `None`: that of the window.
    pub aspect: Option<f32>,
    /// Nothing nearer is seen. In the scene's unit of length, greater than 0.
    pub near: f32,
    /// Nothing farther is seen; `None`: it sees for ever.
    pub far: Option<f32>,
    /// What the format says beyond this.
    pub extras: Extras,
}

impl Default for Camera {
    /// A camera of a quarter turn.
    fn default() -> Camera {
        Camera::new("", std::f32::consts::FRAC_PI_2)
    }
}

impl Camera {
    /// A camera of an angle of view in radians, that sees from 0.1 units on.
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
