//! Documents: the bytes of a file, its content, and views of it.

use std::borrow::Cow;

use anim_ir::source::Place;
use anim_ir::{Limits, Span};

use crate::channel::ChannelType;
use crate::content::{Content, JointData, NONE, Row};
use crate::rate;

anim_ir::options! {
    /// Options for reading a file.
    pub struct ParseOptions {}
}

/// A parsed file. Borrows its bytes if parsed from a slice, owns them if parsed from a `Vec`.
#[derive(Clone, Debug, PartialEq)]
pub struct Document<'a> {
    pub(crate) source: Cow<'a, [u8]>,
    pub(crate) content: Content,
    /// Kept because an edited file is parsed again with the same options.
    pub(crate) limits: Limits,
}

impl<'a> Document<'a> {
    /// Whether names are read as Latin-1, because the file is not UTF-8.
    pub const fn is_latin1(&self) -> bool {
        self.content.latin1
    }

    /// Joints and end sites in file order, parents before children.
    pub fn joints(&self) -> impl ExactSizeIterator<Item = Joint<'_>> + DoubleEndedIterator + Clone {
        self.content.joints.iter().map(|data| Joint { document: self, data })
    }

    /// Returns a joint or end site by index.
    pub fn joint(&self, index: usize) -> Option<Joint<'_>> {
        self.content.joints.get(index).map(|data| Joint { document: self, data })
    }

    /// Returns the index of the first joint with the given name, ignoring end sites.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.joints().position(|joint| !joint.is_end_site() && joint.name() == name)
    }

    /// All channels, in the order of the columns.
    pub fn channels(&self) -> &[ChannelType] {
        &self.content.channels
    }

    /// The complete rows, in order.
    pub fn frames(&self) -> impl ExactSizeIterator<Item = Frame<'_>> + DoubleEndedIterator + Clone {
        let width = self.content.channels.len().max(1);
        let values = self.content.values.chunks_exact(width);
        self.content.rows.iter().zip(values).map(|(row, values)| Frame { row, values })
    }

    /// Returns a frame by its index in [`Document::frames`].
    pub fn frame(&self, index: usize) -> Option<Frame<'_>> {
        let width = self.content.channels.len();
        let start = index.checked_mul(width)?;
        let values = self.content.values.get(start..start.checked_add(width)?)?;
        self.content.rows.get(index).map(|row| Frame { row, values })
    }

    /// Whether the file has a MOTION section.
    pub const fn has_motion(&self) -> bool {
        self.content.motion.is_some()
    }

    /// The number of frames declared in the file.
    pub fn declared_frames(&self) -> Option<u64> {
        self.content.motion?.frames
    }

    /// The frame time as written in the file.
    pub fn frame_time_text(&self) -> Option<Cow<'_, str>> {
        Some(self.text_at(self.content.motion?.time)).filter(|text| !text.is_empty())
    }

    /// Seconds per frame; `None` if the file does not specify it.
    pub fn frame_time(&self) -> Option<f64> {
        self.content.motion?.seconds
    }

    /// Frames per second: the nearest common rate that rounds to the frame time, otherwise its
    /// reciprocal. `None` without a valid frame time.
    pub fn frames_per_second(&self) -> Option<f64> {
        let motion = self.content.motion?;
        Some(rate::of_text(motion.time.of(&self.source), motion.seconds?))
    }

    fn text_at(&self, place: Place) -> Cow<'_, str> {
        place.text(&self.source, self.content.latin1)
    }
}

/// A joint or an end site.
#[derive(Clone, Copy, Debug)]
pub struct Joint<'a> {
    document: &'a Document<'a>,
    data: &'a JointData,
}

impl<'a> Joint<'a> {
    /// The name; end sites usually have none.
    pub fn name(&self) -> Cow<'a, str> {
        self.document.text_at(self.data.name)
    }

    /// The span of the name in the file.
    pub const fn span(&self) -> Span {
        self.data.name.span()
    }

    /// The index of the parent; `None` for a root.
    pub fn parent(&self) -> Option<usize> {
        (self.data.parent != NONE).then_some(self.data.parent as usize)
    }

    /// Whether this is an `End Site`, the end of the last bone of a chain.
    pub const fn is_end_site(&self) -> bool {
        self.data.is_end
    }

    /// The position relative to the parent, in the file's unit of length.
    pub const fn offset(&self) -> [f32; 3] {
        self.data.offset
    }

    /// The joint's channels in file order.
    pub fn channels(&self) -> &'a [ChannelType] {
        let end = self.first_channel().saturating_add(self.data.channel_count as usize);
        self.document.content.channels.get(self.first_channel()..end).unwrap_or_default()
    }

    /// The column of the joint's first channel; meaningless if the joint has no channels.
    pub const fn first_channel(&self) -> usize {
        self.data.first_channel as usize
    }
}

/// A row of the motion.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    row: &'a Row,
    values: &'a [f32],
}

impl<'a> Frame<'a> {
    /// The zero-based frame number, which determines the time. Rows that are too short are skipped,
    /// but still counted.
    pub const fn number(&self) -> usize {
        self.row.frame as usize
    }

    /// One value per channel: positions in the file's unit, angles in degrees.
    pub const fn values(&self) -> &'a [f32] {
        self.values
    }
}
