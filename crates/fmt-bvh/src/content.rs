//! The content of a file in flat arrays: a million joints take a few allocations. Names are
//! ranges of the file.

use anim_ir::source::Place;

use crate::channel::ChannelType;

/// The content of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Content {
    /// Whether the file is read as Latin-1 because it is not UTF-8.
    pub(crate) latin1: bool,
    /// Joints and end sites in the order of the file, parents before their children.
    pub(crate) joints: Vec<JointData>,
    /// Columns of the rows.
    pub(crate) channels: Vec<ChannelType>,
    pub(crate) motion: Option<Motion>,
    /// Complete rows.
    pub(crate) rows: Vec<Row>,
    /// Numbers of these rows, one row after the other.
    pub(crate) values: Vec<f32>,
}

/// No joint.
pub(crate) const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct JointData {
    pub(crate) name: Place,
    /// The parent's index, or [`NONE`].
    pub(crate) parent: u32,
    pub(crate) is_end: bool,
    /// Start of the numbers of the OFFSET; 0 if it is missing.
    pub(crate) offset_at: u32,
    pub(crate) offset: [f32; 3],
    /// The first column of its CHANNELS; [`NONE`] if it has no CHANNELS.
    pub(crate) first_channel: u32,
    pub(crate) channel_count: u32,
}

/// The statements between MOTION and the rows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Motion {
    /// The number of frames as written; empty if missing.
    pub(crate) count: Place,
    /// Its value.
    pub(crate) frames: Option<u64>,
    /// The frame time as written; empty if missing.
    pub(crate) time: Place,
    /// Its value in seconds, positive.
    pub(crate) seconds: Option<f64>,
    /// Start of the rows.
    pub(crate) start: u32,
    /// Start of the text after the rows, or the end of the file.
    pub(crate) end: u32,
}

/// A row with a number for each channel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Row {
    /// Place of its first number.
    pub(crate) start: u32,
    /// Its frame number. Rows that are too short count, too.
    pub(crate) frame: u32,
}
