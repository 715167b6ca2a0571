//! Documents: the bytes of a file, its content, and views of it.

use std::borrow::Cow;

use anim_ir::source::Place;
use anim_ir::{Limits, Span};

use crate::channel::ChannelType;
use crate::content::{Content, JointData, NONE, Row};
use crate::rate;

anim_ir::options! {
    /// How to read a file.
    pub struct ParseOptions {}
}

/// A parsed file. Borrows the bytes of a slice and owns those of a `Vec`.
#[derive(Clone, Debug, PartialEq)]
pub struct Document<'a> {
    pub(crate) source: Cow<'a, [u8]>,
    pub(crate) content: Content,
    /// An edited file is parsed again with the same options.
    pub(crate) limits: Limits,
}

impl<'a> Document<'a> {
    /// Whether names are read as Latin-1, because the file is not UTF-8.
    pub const fn is_latin1(&self) -> bool {
        self.content.latin1
    }

    /// Joints and end sites in the order of the file, parents before their children.
    pub fn joints(&self) -> impl ExactSizeIterator<Item = Joint<'_>> + DoubleEndedIterator + Clone {
        self.content.joints.iter().map(|data| Joint { document: self, data })
    }

    /// A joint or an end site by its number.
    pub fn joint(&self, index: usize) -> Option<Joint<'_>> {
        self.content.joints.get(index).map(|data| Joint { document: self, data })
    }

    /// The first joint with a name, ignoring end sites.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.joints().position(|joint| !joint.is_end_site() && joint.name() == name)
    }

    /// All channels, which are the columns of the rows.
    pub fn channels(&self) -> &[ChannelType] {
        &self.content.channels
    }

    /// The complete rows, in order.
    pub fn frames(&self) -> impl ExactSizeIterator<Item = Frame<'_>> + DoubleEndedIterator + Clone {
        let width = self.content.channels.len().max(1);
        let values = self.content.values.chunks_exact(width);
        self.content.rows.iter().zip(values).map(|(row, values)| Frame { row, values })
    }

    /// A frame by its index in [`Document::frames`].
    pub fn frame(&self, index: usize) -> Option<Frame<'_>> {
        let width = self.content.channels.len();
        let start = index.checked_mul(width)?;
        let values = self.content.values.get(start..start.checked_add(width)?)?;
        self.content.rows.get(index).map(|row| Frame { row, values })
    }

    /// Whether the file has a MOTION.
    pub const fn has_motion(&self) -> bool {
        self.content.motion.is_some()
    }

    /// The number of frames that the file states.
    pub fn declared_frames(&self) -> Option<u64> {
        self.content.motion?.frames
    }

    /// The frame time as the file spells it.
    pub fn frame_time_text(&self) -> Option<Cow<'_, str>> {
        Some(self.text_at(self.content.motion?.time)).filter(|text| !text.is_empty())
    }

    /// Seconds from one frame to the next; `None` if the file does not state it.
    pub fn frame_time(&self) -> Option<f64> {
        self.content.motion?.seconds
    }

    /// Frames per second: the nearest common rate that rounds to the frame time, otherwise its
    /// reciprocal. `None` if the file has no valid frame time.
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
    /// Its name; end sites usually have none.
    pub fn name(&self) -> Cow<'a, str> {
        self.document.text_at(self.data.name)
    }

    /// The place of its name in the file.
    pub const fn span(&self) -> Span {
        self.data.name.span()
    }

    /// Its parent; `None` for a root.
    pub fn parent(&self) -> Option<usize> {
        (self.data.parent != NONE).then_some(self.data.parent as usize)
    }

    /// Whether it is an `End Site`: the end of the last bone of a chain.
    pub const fn is_end_site(&self) -> bool {
        self.data.is_end
    }

    /// Its position relative to its parent, in the file's unit of length.
    pub const fn offset(&self) -> [f32; 3] {
        self.data.offset
    }

    /// Its channels in the order of the file.
    pub fn channels(&self) -> &'a [ChannelType] {
        let end = self.first_channel().saturating_add(self.data.channel_count as usize);
        self.document.content.channels.get(self.first_channel()..end).unwrap_or_default()
    }

    /// The column of its first channel in the rows; meaningless if it has no channels.
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
    /// Its frame number, from 0, which determines its time. Rows that cannot be read count, too.
    pub const fn number(&self) -> usize {
        self.row.frame as usize
    }

    /// A number for each channel: positions in the file's unit, angles in degrees.
    pub const fn values(&self) -> &'a [f32] {
        self.values
    }
}
