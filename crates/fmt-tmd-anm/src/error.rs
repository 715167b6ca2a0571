//! Why there is nothing to give.

use anim_ir::LimitError;
use anim_ir::diag::quote;
use thiserror::Error;

/// Nothing can be read. Everything less is a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ParseError {
    /// The input, or what its overlapping frames add up to, is more than the limits allow.
    #[error("{0}")]
    Limit(#[from] LimitError),
    /// The file ends in the header.
    #[error("the header needs 6 bytes, the file has {length}")]
    Header {
        /// Bytes of the file.
        length: usize,
    },
    /// The file ends in the table of frames.
    #[error(
        "header and table need {needs} bytes for the number of frames, {frames}; the file has \
         {length}"
    )]
    Table {
        /// How many frames the header names.
        frames: usize,
        /// Bytes that header and table need.
        needs: usize,
        /// Bytes of the file.
        length: usize,
    },
    /// A file of the other order of bytes: the first word says so, and the file does not cover the
    /// table that it would have.
    #[error(
        "the first word is 0x0080: the bytes of each word seem to be swapped, the format is \
         little-endian"
    )]
    Swapped,
    /// A table so long that its numbers cannot reach behind its own end.
    #[error("{0} frames are impossible: 65531 is the most that a table can serve")]
    Frames(usize),
}

/// What no file of the format can hold.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
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

/// Documents that cannot be one after the other.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
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
}

/// A scene that the format cannot hold, or not as asked for.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum FromIrError {
    /// The scene contradicts itself.
    #[error("the scene is not valid: {0}")]
    Invalid(String),
    /// A clip moves no skeleton, but morph targets or nothing at all.
    #[error("clip {} moves no joints, and TMD ANM has nothing else that \
             moves", quote(.0.as_bytes()))]
    NoJoints(String),
    /// Sampling would make too much.
    #[error("{0}")]
    Limit(#[from] LimitError),
    /// There is no clip, or not the one that was asked for.
    #[error("the scene has {count} clips, none of them is clip {clip}")]
    Clip {
        /// Which was asked for, from 0.
        clip: usize,
        /// How many there are.
        count: usize,
    },
    /// A rate that the file cannot name.
    #[error("{0} frames a second cannot be written: the rate is a whole number from 1 to 32767")]
    Rate(f32),
    /// A unit that is no length.
    #[error("the unit {0} is not a number greater than 0")]
    Unit(f32),
    /// Objects are numbered by a byte.
    #[error("the skeleton has {0} joints, the format can number 256 objects")]
    Joints(usize),
    /// A number that does not fit.
    #[error("{what} of joint `{joint}` at {time} s is {}, which the format cannot hold \
             ({range})", anim_ir::number::narrow(*.value))]
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
