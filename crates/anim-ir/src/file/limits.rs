//! Limits on the resources that reading a file may use.

use thiserror::Error;

/// Limits that are checked before any allocation not bounded by the size of the input.
///
/// The defaults are generous enough for any real file. A server that processes untrusted files may
/// want to lower them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum size of the input in bytes. Capped at 4 GiB - 1, since offsets are stored in 32
    /// bits.
    pub input_bytes: usize,
    /// Maximum length of a line in bytes, for text formats.
    pub line_bytes: usize,
    /// Maximum length of a name in bytes.
    pub name_bytes: usize,
    /// Maximum number of vertices of a concave polygon, since triangulation can take quadratic
    /// time.
    pub concave_corners: usize,
    /// Maximum number of samples that an operation may bake.
    pub samples: usize,
    /// How many diagnostics with a repair are kept in addition to the first ten of each code: 0 by
    /// default, or a high value to collect all repairs together. If it is not 0, readers continue
    /// after an error as if it were repaired where this is needed to reveal the next error.
    pub fixes: usize,
    /// How many diagnostics of each code are kept. The default and the minimum are
    /// [`KEPT_PER_CODE`](crate::Diagnostics::KEPT_PER_CODE).
    pub diagnostics: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            input_bytes: 1 << 30,
            line_bytes: 16 << 20,
            name_bytes: 4096,
            concave_corners: 1 << 14,
            samples: 10_000_000,
            fixes: 0,
            diagnostics: 10,
        }
    }
}

impl Limits {
    /// Checks the size of an input.
    ///
    /// # Errors
    ///
    /// Returns [`LimitError`] if the size exceeds [`Limits::input_bytes`] or 4 GiB - 1.
    pub fn check_input(&self, bytes: usize) -> Result<(), LimitError> {
        let most = self.input_bytes.min(u32::MAX as usize);
        if bytes > most {
            Err(LimitError { what: "the input", unit: "bytes", found: bytes, most })
        } else {
            Ok(())
        }
    }

    /// Checks a number of samples. `what` is the item that needs them, for the message.
    ///
    /// # Errors
    ///
    /// Returns [`LimitError`] if there are more than [`Limits::samples`].
    pub fn check_samples(&self, what: &'static str, found: usize) -> Result<(), LimitError> {
        let most = self.samples;
        if found > most { Err(LimitError { what, unit: "samples", found, most }) } else { Ok(()) }
    }

    /// Creates a counter for samples that are taken incrementally.
    pub const fn count_samples(&self, what: &'static str) -> Samples<'_> {
        Samples { limits: self, what, taken: 0 }
    }
}

/// A counter for samples that are taken incrementally, up to a limit.
#[derive(Clone, Copy, Debug)]
pub struct Samples<'a> {
    limits: &'a Limits,
    what: &'static str,
    taken: usize,
}

impl Samples<'_> {
    /// Counts more samples.
    ///
    /// # Errors
    ///
    /// Returns [`LimitError`] if the total exceeds [`Limits::samples`].
    pub fn take(&mut self, samples: usize) -> Result<(), LimitError> {
        self.taken = self.taken.saturating_add(samples);
        self.limits.check_samples(self.what, self.taken)
    }
}

/// The error for a file or an operation that exceeds a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{what} must not exceed {most} {unit}{}", self.actual())]
pub struct LimitError {
    /// The item that is too large.
    pub what: &'static str,
    /// The unit of the counts.
    pub unit: &'static str,
    /// The actual count, or `usize::MAX` if it is too large to represent.
    pub found: usize,
    /// The limit.
    pub most: usize,
}

impl LimitError {
    /// Formats the actual count, if known.
    fn actual(&self) -> String {
        if self.found == usize::MAX { String::new() } else { format!(" (found {})", self.found) }
    }
}
