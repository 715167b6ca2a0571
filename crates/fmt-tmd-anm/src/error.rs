//! Why something cannot be written.

use anim_ir::diag::quote;
use anim_ir::format::SeveralClips;
use anim_ir::{InvalidScene, LimitError};
use thiserror::Error;

/// What does not fit into a file of the format.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum WriteError {
    /// More frames than a table can hold, or more bytes than it can address.
    #[error(
        "{frames} frames of {bytes} bytes do not fit into one file (at most 65531 frames and 131070 \
         bytes); {files} files are needed"
    )]
    Files {
        /// How many frames there are.
        frames: usize,
        /// Bytes of the file that it would be.
        bytes: usize,
        /// How many files it takes.
        files: usize,
    },
    /// A frame that is too large for a file.
    #[error("frame {frame} has {bytes} bytes, and a file can hold at most 131060")]
    Frame {
        /// Which, from 0.
        frame: usize,
        /// Its bytes.
        bytes: usize,
    },
    /// Frames are of whole half-words.
    #[error("frame {frame} has an odd number of bytes after its keys")]
    Odd {
        /// Which, from 0.
        frame: usize,
    },
    /// More records than the header of a camera can count.
    #[error("{0} camera records do not fit into one file (at most 65535)")]
    Records(usize),
}

/// A frame rate that a file cannot store.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error("invalid frame rate {0}: it must be a whole number from 1 to 32767")]
pub struct RateError(pub f64);

/// Documents that cannot be joined.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum JoinError {
    /// Nothing to join.
    #[error("there are no files to join")]
    Empty,
    /// The rates differ, and no rate was given.
    #[error("file {} has {rate} frames per second, the first one {first}", .document.saturating_add(1))]
    Rates {
        /// Rate of the first document.
        first: i16,
        /// Which document, from 0.
        document: usize,
        /// Its rate.
        rate: i16,
    },
    /// The requested rate cannot be stored.
    #[error(transparent)]
    Rate(#[from] RateError),
    /// The result does not fit.
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// Help for where one file is not enough.
pub(crate) const SPLIT_HELP: &str = "write several with --split and a folder as the output";

impl JoinError {
    /// What to do about it, where an option or a command helps: the end of a sentence.
    pub const fn help(&self) -> Option<&'static str> {
        match self {
            JoinError::Rates { .. } => Some("set the rate of the result with --rate"),
            JoinError::Write(WriteError::Files { .. }) => Some(SPLIT_HELP),
            _ => None,
        }
    }
}

/// Why a scene cannot be written.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum FromIrError {
    /// The scene is invalid.
    #[error(transparent)]
    Invalid(#[from] InvalidScene),
    /// A clip moves no skeleton, but morph targets or nothing at all.
    #[error(
        "clip {} moves no joints, and TMD ANM can only animate joints",
        quote(.0.as_bytes())
    )]
    NoJoints(String),
    /// Sampling would exceed the limits.
    #[error(transparent)]
    Limit(#[from] LimitError),
    /// The scene has no clip.
    #[error("the scene has no clip")]
    Empty,
    /// There are several clips or states.
    #[error(transparent)]
    Several(#[from] SeveralClips),
    /// The requested rate cannot be stored.
    #[error(transparent)]
    Rate(#[from] RateError),
    /// The unit is not a length.
    #[error("invalid unit {0}: it must be positive")]
    Unit(f32),
    /// Objects are numbered by a byte.
    #[error("the skeleton has {0} joints, and the format supports at most 256 objects")]
    Joints(usize),
    /// A value is out of range.
    #[error(
        "{what} of joint `{joint}` at {time} s is {}, which the format cannot hold ({range})",
        anim_ir::number::narrow(*.value)
    )]
    Value {
        /// Which property.
        what: &'static str,
        /// Name of the joint, escaped.
        joint: String,
        /// Seconds on the timeline.
        time: f32,
        /// The value.
        value: f64,
        /// What can be held.
        range: &'static str,
    },
    /// A clip does not fit into one file.
    #[error("clip `{clip}`: {error}")]
    Write {
        /// Name of the clip, escaped.
        clip: String,
        /// Why.
        error: WriteError,
    },
}
