//! Errors when writing and joining files.

use anim_ir::diag::quote;
use anim_ir::format::SeveralClips;
use anim_ir::{InvalidScene, LimitError};
use thiserror::Error;

/// Data that does not fit into a file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum WriteError {
    /// There are more frames than a table can store, or more bytes than it can address.
    #[error(
        "{frames} frames of {bytes} bytes do not fit into one file (at most 65531 frames and \
         131070 bytes); {files} files are needed"
    )]
    Files {
        /// The number of frames.
        frames: usize,
        /// The size of the resulting file in bytes.
        bytes: usize,
        /// The number of files needed.
        files: usize,
    },
    /// A frame is too large for a file.
    #[error("frame {frame} is {bytes} bytes long; a file can store at most 131060")]
    Frame {
        /// The index of the frame.
        frame: usize,
        /// The size of the frame in bytes.
        bytes: usize,
    },
    /// A frame has an odd length; frames consist of units of two bytes.
    #[error("frame {frame} has an odd number of bytes after its keys")]
    Odd {
        /// The index of the frame.
        frame: usize,
    },
    /// There are more records than the header of a camera file can declare.
    #[error("{0} camera records do not fit into one file (at most 65535)")]
    Records(usize),
}

/// A frame rate that a file cannot store.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error("invalid frame rate {0}: it must be an integer from 1 to 32767")]
pub struct RateError(pub f64);

/// The reason documents cannot be joined.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum JoinError {
    /// No documents were specified.
    #[error("there are no files to join")]
    Empty,
    /// The rates differ, and no rate was specified.
    #[error(
        "the frame rate of file {} is {rate}, but that of the first file is {first}",
        .document.saturating_add(1)
    )]
    Rates {
        /// The rate of the first document.
        first: i16,
        /// The index of the document with a different rate.
        document: usize,
        /// The rate of that document.
        rate: i16,
    },
    /// The requested rate cannot be stored.
    #[error(transparent)]
    Rate(#[from] RateError),
    /// The result does not fit.
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// Help if one file is not enough.
pub(crate) const SPLIT_HELP: &str = "use --split with a folder as the output";

impl JoinError {
    /// Suggests an option or command that helps, if any, as the end of a sentence.
    pub const fn help(&self) -> Option<&'static str> {
        match self {
            JoinError::Rates { .. } => Some("set the rate of the result with --rate"),
            JoinError::Write(WriteError::Files { .. }) => Some(SPLIT_HELP),
            _ => None,
        }
    }
}

/// The reason a scene cannot be written.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum FromIrError {
    /// The scene is invalid.
    #[error(transparent)]
    Invalid(#[from] InvalidScene),
    /// A clip does not animate a skeleton, but only morph targets or nothing at all.
    #[error(
        "clip {} does not animate joints; TMD ANM supports nothing else",
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
    /// The unit is not positive and finite.
    #[error("invalid unit {0}: it must be positive")]
    Unit(f32),
    /// The skeleton has too many joints, since object indices are bytes.
    #[error("the skeleton has {0} joints, but the format supports at most 256 objects")]
    Joints(usize),
    /// A value is out of range.
    #[error(
        "{what} of joint `{joint}` at {time} s is {}, which is out of range ({range})",
        anim_ir::number::narrow(*.value)
    )]
    Value {
        /// The property.
        what: &'static str,
        /// The name of the joint, escaped.
        joint: String,
        /// The time on the timeline, in seconds.
        time: f32,
        /// The value.
        value: f64,
        /// The valid range.
        range: &'static str,
    },
    /// A clip does not fit into one file.
    #[error("clip `{clip}`: {error}")]
    Write {
        /// The name of the clip, escaped.
        clip: String,
        /// The reason.
        error: WriteError,
    },
}
