//! Bounds on what a file may ask for.

use thiserror::Error;

use crate::Diagnostics;

/// Bounds that stand before every allocation whose size is not the input's own.
///
/// The defaults fit any real file with room to spare; a server that takes files from strangers may
/// want less.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Greatest input in bytes. Never more than 4 GiB - 1, since offsets are kept in 32 bits.
    pub input_bytes: usize,
    /// Longest line of a text format in bytes.
    pub line_bytes: usize,
    /// Longest name in bytes.
    pub name_bytes: usize,
    /// Most corners of a polygon that is not convex: cutting it into triangles takes time with
    /// their square.
    pub concave_corners: usize,
    /// Most samples that an operation may bake.
    pub samples: usize,
    /// How many diagnostics with a repair are kept beyond the first ten of each code: none by
    /// default, many where all repairs are wanted at once. With any, reading goes on behind a
    /// mistake as if it were repaired where only that shows the next one.
    pub fixes: usize,
    /// How many diagnostics of each code are kept; never fewer than the first ten.
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
            diagnostics: Diagnostics::KEPT_PER_CODE,
        }
    }
}

impl Limits {
    /// Checks an input's size.
    ///
    /// # Errors
    ///
    /// [`LimitError`] where it is greater than [`Limits::input_bytes`] or than 4 GiB - 1.
    pub fn check_input(&self, bytes: usize) -> Result<(), LimitError> {
        let most = self.input_bytes.min(u32::MAX as usize);
        if bytes > most {
            Err(LimitError { what: "the input", unit: "bytes", found: bytes, most })
        } else {
            Ok(())
        }
    }

    /// Checks how many samples something has, `what` for a message.
    ///
    /// # Errors
    ///
    /// [`LimitError`] where there are more than [`Limits::samples`].
    pub fn check_samples(&self, what: &'static str, found: usize) -> Result<(), LimitError> {
        let most = self.samples;
        if found > most { Err(LimitError { what, unit: "samples", found, most }) } else { Ok(()) }
    }

    /// Counts the samples of something that are taken piece by piece.
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
    /// Takes so many more.
    ///
    /// # Errors
    ///
    /// [`LimitError`] where there are then more than [`Limits::samples`].
    pub fn take(&mut self, samples: usize) -> Result<(), LimitError> {
        self.taken = self.taken.saturating_add(samples);
        self.limits.check_samples(self.what, self.taken)
    }
}

/// A file asks for more than the limits allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{what} has {}", self.excess())]
pub struct LimitError {
    /// What is too great.
    pub what: &'static str,
    /// What is counted.
    pub unit: &'static str,
    /// How many there are; `usize::MAX`: too many to count.
    pub found: usize,
    /// How many are allowed.
    pub most: usize,
}

impl LimitError {
    /// How many there are, where anybody counted, and how many there may be.
    fn excess(&self) -> String {
        let LimitError { unit, found, most, .. } = self;
        if *found == usize::MAX {
            format!("more than the limit of {most} {unit}")
        } else {
            format!("{found} {unit}, more than the limit of {most}")
        }
    }
}
