//! What a file says, in flat arrays: a million joints are a few allocations. Names stay where they
//! are in the file.

use anim_ir::source::Place;

use crate::channel::ChannelType;

/// Everything the file says.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Content {
    /// Whether the file is read as Latin-1 because it is not UTF-8.
    pub(crate) latin1: bool,
    /// Joints and end sites in the order of the file, parents before their children.
    pub(crate) joints: Vec<JointData>,
    /// Columns of the rows.
    pub(crate) channels: Vec<ChannelType>,
    pub(crate) motion: Option<Motion>,
    /// Rows that are complete.
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
    /// Where the numbers of the OFFSET begin; 0 where there is none.
    pub(crate) offset_at: u32,
    pub(crate) offset: [f32; 3],
    /// The first column of its CHANNELS; [`NONE`] where it has no CHANNELS.
    pub(crate) first_channel: u32,
    pub(crate) channel_count: u32,
}

/// What stands between MOTION and the rows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Motion {
    /// The number of frames, as a word; empty where it is missing.
    pub(crate) count: Place,
    /// What it says.
    pub(crate) frames: Option<u64>,
    /// The frame time, as a word; empty where it is missing.
    pub(crate) time: Place,
    /// What it says, in seconds, positive.
    pub(crate) seconds: Option<f64>,
    /// Where the rows begin.
    pub(crate) start: u32,
    /// Where the text after the rows begins, or the end of the file.
    pub(crate) end: u32,
}

/// A row of as many numbers as there are channels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Row {
    /// Where its first number is.
    pub(crate) start: u32,
    /// The number of its frame: rows that are too short have one, too.
    pub(crate) frame: u32,
}
