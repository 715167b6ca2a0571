//! How waves and states become keys.

use crate::file::limits::Limits;

/// How to make keys.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Bake {
    /// How far what is played may be from what is meant, as a part of how far the joint moves (or
    /// turns) in the clip.
    pub tolerance: f64,
    /// Bounds on what is made. A sample is a moment that is looked at.
    pub limits: Limits,
}

impl Default for Bake {
    fn default() -> Bake {
        Bake { tolerance: 0.001, limits: Limits::default() }
    }
}

impl Bake {
    /// Sets [`Bake::tolerance`].
    #[must_use]
    pub const fn with_tolerance(mut self, tolerance: f64) -> Bake {
        self.tolerance = tolerance;
        self
    }

    /// Sets [`Bake::limits`].
    #[must_use]
    pub const fn with_limits(mut self, limits: Limits) -> Bake {
        self.limits = limits;
        self
    }
}
