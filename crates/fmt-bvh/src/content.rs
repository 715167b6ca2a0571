//! The content of a file in flat arrays, which need only a few allocations for a million joints.
//! Names are stored as byte ranges into the file.

use anim_ir::source::Place;

use crate::channel::ChannelType;

/// The content of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Content {
    /// Whether the file is read as Latin-1 because it is not UTF-8.
    pub(crate) latin1: bool,
    /// Joints and end sites in file order, parents before children.
    pub(crate) joints: Vec<JointData>,
    /// The channels, which are the columns of the rows.
    pub(crate) channels: Vec<ChannelType>,
    pub(crate) motion: Option<Motion>,
    /// Complete rows.
    pub(crate) rows: Vec<Row>,
    /// The values of the complete rows, row by row.
    pub(crate) values: Vec<f32>,
}

/// Marks a missing index.
pub(crate) const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct JointData {
    pub(crate) name: Place,
    /// The parent's index, or [`NONE`].
    pub(crate) parent: u32,
    pub(crate) is_end: bool,
    /// Start of the OFFSET values; 0 if OFFSET is missing.
    pub(crate) offset_at: u32,
    pub(crate) offset: [f32; 3],
    /// The first column of the joint's CHANNELS; [`NONE`] without CHANNELS.
    pub(crate) first_channel: u32,
    pub(crate) channel_count: u32,
}

/// The statements between MOTION and the rows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Motion {
    /// The number of frames as written; empty if missing.
    pub(crate) count: Place,
    /// The number of frames; `None` if it is missing or invalid.
    pub(crate) frames: Option<u64>,
    /// The frame time as written; empty if missing.
    pub(crate) time: Place,
    /// The frame time in seconds, positive.
    pub(crate) seconds: Option<f64>,
    /// Start of the rows.
    pub(crate) start: u32,
    /// Start of the text after the rows, or the end of the file.
    pub(crate) end: u32,
}

/// A row with one value per channel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Row {
    /// Offset of the first value in the file.
    pub(crate) start: u32,
    /// The frame number. Rows that are too short are skipped, but still counted.
    pub(crate) frame: u32,
}
