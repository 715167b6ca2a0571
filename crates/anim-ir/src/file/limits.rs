//! Bounds on what a file may ask for.

use thiserror::Error;

/// Limits that are checked before every allocation that the size of the input does not bound.
///
/// The defaults are generous enough for any real file; a server that processes untrusted files may
/// want lower ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Largest input in bytes. Never more than 4 GiB - 1, since offsets are kept in 32 bits.
    pub input_bytes: usize,
    /// Longest line of a text format in bytes.
    pub line_bytes: usize,
    /// Longest name in bytes.
    pub name_bytes: usize,
    /// Most corners of a concave polygon: triangulating it takes quadratic time.
    pub concave_corners: usize,
    /// Most samples that one operation may bake.
    pub samples: usize,
    /// How many diagnostics with a repair are kept beyond the first ten of each code: none by
    /// default, many to collect all repairs at once. If it is not 0, the reader continues after an
    /// error as if it were repaired, if only that reveals the next one.
    pub fixes: usize,
    /// How many diagnostics of each code are kept: never fewer than
    /// [`KEPT_PER_CODE`](crate::Diagnostics::KEPT_PER_CODE), which is the default.
    pub diagnostics: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            input_bytes: 1 << 30,
            line_bytes: 16 << 20,
            name_bytes: 4096,
            concave_corners: 2048,
            samples: 10_000_000,
            fixes: 0,
            diagnostics: 10,
        }
    }
}

impl Limits {
    /// Checks an input's size.
    ///
    /// # Errors
    ///
    /// [`LimitError`] if it exceeds [`Limits::input_bytes`] or 4 GiB - 1.
    pub fn check_input(&self, bytes: usize) -> Result<(), LimitError> {
        let most = self.input_bytes.min(u32::MAX as usize);
        if bytes > most {
            Err(LimitError { what: "the input", unit: "bytes", found: bytes, most })
        } else {
            Ok(())
        }
    }

    /// Checks a number of samples; `what` names their owner in the message.
    ///
    /// # Errors
    ///
    /// [`LimitError`] if there are more than [`Limits::samples`].
    pub fn check_samples(&self, what: &'static str, found: usize) -> Result<(), LimitError> {
        let most = self.samples;
        if found > most { Err(LimitError { what, unit: "samples", found, most }) } else { Ok(()) }
    }

    /// A counter for samples that are taken piece by piece.
    pub const fn count_samples(&self, what: &'static str) -> Samples<'_> {
        Samples { limits: self, what, taken: 0 }
    }
}

/// Samples that are taken piece by piece, of as many as the limits allow.
#[derive(Clone, Copy, Debug)]
pub struct Samples<'a> {
    limits: &'a Limits,
    what: &'static str,
    taken: usize,
}

impl Samples<'_> {
    /// Takes more samples.
    ///
    /// # Errors
    ///
    /// [`LimitError`] if the total exceeds [`Limits::samples`].
    pub fn take(&mut self, samples: usize) -> Result<(), LimitError> {
        self.taken = self.taken.saturating_add(samples);
        self.limits.check_samples(self.what, self.taken)
    }
}

/// A file asks for more than the limits allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{what} has {}", self.excess())]
pub struct LimitError {
    /// What is too large.
    pub what: &'static str,
    /// The unit that is counted.
    pub unit: &'static str,
    /// How many there are; `usize::MAX` if too many to count.
    pub found: usize,
    /// How many are allowed.
    pub most: usize,
}

impl LimitError {
    /// How many there are, if known, and how many are allowed.
    fn excess(&self) -> String {
        let LimitError { unit, found, most, .. } = self;
        if *found == usize::MAX {
            format!("more than the limit of {most} {unit}")
        } else {
            format!("{found} {unit}, more than the limit of {most}")
        }
    }
}
