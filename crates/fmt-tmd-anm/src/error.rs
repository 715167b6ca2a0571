//! Why something cannot be written.

use anim_ir::diag::quote;
use anim_ir::format::SeveralClips;
use anim_ir::{InvalidScene, LimitError};
use thiserror::Error;

/// What no file of the format can hold.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum WriteError {
    /// More frames than a table can serve, or more bytes than it can reach.
    #[error(
        "{frames} frames of {bytes} bytes do not fit one file (65531 frames, 131070 bytes); it \
         takes {files} files"
    )]
    Files {
        /// How many frames there are.
        frames: usize,
        /// Bytes of the file that it would be.
        bytes: usize,
        /// How many files it takes.
        files: usize,
    },
    /// One frame that is too great for a file of its own.
    #[error("frame {frame} has {bytes} bytes, a file of one frame can hold 131060")]
    Frame {
        /// Which, from 0.
        frame: usize,
        /// Its bytes.
        bytes: usize,
    },
    /// Frames are of whole half-words.
    #[error("frame {frame} has an odd number of bytes behind its keys")]
    Odd {
        /// Which, from 0.
        frame: usize,
    },
    /// More records than the header of a camera can count.
    #[error("{0} records of a camera do not fit one file (65535)")]
    Records(usize),
}

/// A rate that a file cannot name.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error("{0} frames a second cannot be written: the rate is a whole number from 1 to 32767")]
pub struct RateError(pub f64);

/// Documents that cannot be one after the other.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum JoinError {
    /// There is none.
    #[error("there is no document to join")]
    Empty,
    /// Rates differ, and none was asked for.
    #[error("file {} has the rate {rate}, the first one {first}", .document.saturating_add(1))]
    Rates {
        /// Rate of the first document.
        first: i16,
        /// Which document, from 0.
        document: usize,
        /// Its rate.
        rate: i16,
    },
    /// A rate that the file cannot name was asked for.
    #[error(transparent)]
    Rate(#[from] RateError),
    /// What was joined does not fit.
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// What to do where one file is not enough.
pub(crate) const SPLIT_HELP: &str = "--split and a folder write several";

impl JoinError {
    /// What to do about it, where an option or a command helps: the end of a sentence.
    pub const fn help(&self) -> Option<&'static str> {
        match self {
            JoinError::Rates { .. } => Some("say with --rate which they are to have"),
            JoinError::Write(WriteError::Files { .. }) => Some(SPLIT_HELP),
            _ => None,
        }
    }
}

/// A scene that the format cannot hold, or not as asked for.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum FromIrError {
    /// The scene contradicts itself.
    #[error(transparent)]
    Invalid(#[from] InvalidScene),
    /// A clip moves no skeleton, but morph targets or nothing at all.
    #[error(
        "clip {} moves no joints, and TMD ANM has nothing else that moves",
        quote(.0.as_bytes())
    )]
    NoJoints(String),
    /// Sampling would make too much.
    #[error(transparent)]
    Limit(#[from] LimitError),
    /// The scene has no clip.
    #[error("the scene has no clip")]
    Empty,
    /// There are several clips or states.
    #[error(transparent)]
    Several(#[from] SeveralClips),
    /// A rate that the file cannot name was asked for.
    #[error(transparent)]
    Rate(#[from] RateError),
    /// A unit that is no length.
    #[error("the unit {0} is not a number greater than 0")]
    Unit(f32),
    /// Objects are numbered by a byte.
    #[error("the skeleton has {0} joints, the format can number 256 objects")]
    Joints(usize),
    /// A number that does not fit.
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
    /// A clip that does not fit one file.
    #[error("clip `{clip}`: {error}")]
    Write {
        /// Name of the clip, escaped.
        clip: String,
        /// Why.
        error: WriteError,
    },
}
