//! What counts as a difference.

use crate::file::limits::Limits;

/// When two things are the same.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Options {
    /// Seconds that times may be apart.
    pub seconds: f64,
    /// How far poses may be apart: translations as a part of the greatest coordinate in either
    /// scene, rotations in radians, scales as a factor.
    pub tolerance: f64,
    /// How many differences of a kind are kept; the others are counted.
    pub kept: usize,
    /// Bounds. A sample is the pose of a joint at a moment.
    pub limits: Limits,
}

impl Default for Options {
    fn default() -> Options {
        Options { seconds: 0.0005, tolerance: 0.001, kept: 10, limits: Limits::default() }
    }
}

impl Options {
    /// Sets [`Options::seconds`].
    #[must_use]
    pub const fn with_seconds(mut self, seconds: f64) -> Options {
        self.seconds = seconds;
        self
    }

    /// Sets [`Options::tolerance`].
    #[must_use]
    pub const fn with_tolerance(mut self, tolerance: f64) -> Options {
        self.tolerance = tolerance;
        self
    }

    /// Sets [`Options::kept`].
    #[must_use]
    pub const fn with_kept(mut self, kept: usize) -> Options {
        self.kept = kept;
        self
    }

    /// Sets [`Options::limits`].
    #[must_use]
    pub const fn with_limits(mut self, limits: Limits) -> Options {
        self.limits = limits;
        self
    }
}
