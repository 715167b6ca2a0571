//! ANM documents: the bytes of a file, and views of its frames and keys.

use std::borrow::Cow;

use anim_ir::Span;

use crate::header::HEADER;
use crate::key::{Key, Keys};

/// A parsed ANM file. Borrows its bytes if parsed from a slice, owns them if parsed from a `Vec`.
///
/// The document only stores the bytes. Frames and keys are views of them, so overlapping frames
/// cost nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document<'a> {
    pub(crate) source: Cow<'a, [u8]>,
    /// The number of frames. The table is completely within the source.
    pub(crate) frames: usize,
}

crate::header::header_of!(Document);

/// A frame, which is a sequence of keys. Objects without a key are not drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Frame<'a> {
    bytes: &'a [u8],
    start: usize,
}

impl<'a> Document<'a> {
    /// The number of frames.
    pub const fn frame_count(&self) -> usize {
        self.frames
    }

    /// The offset table: the start of each frame and the end of the last, in units of two
    /// bytes from the start of the file.
    pub fn table(&self) -> impl DoubleEndedIterator<Item = u16> + ExactSizeIterator + Clone {
        let bytes = self.source.get(HEADER..self.table_end()).unwrap_or_default();
        bytes.as_chunks::<2>().0.iter().map(|bytes| u16::from_le_bytes(*bytes))
    }

    /// Offset of the first byte after the table.
    pub(crate) const fn table_end(&self) -> usize {
        HEADER + 2 * (self.frames + 1)
    }

    /// The byte offset of a frame's start, or of the end of the last frame if `index` is the number
    /// of frames.
    fn place(&self, index: usize) -> Option<usize> {
        let at = HEADER.checked_add(index.checked_mul(2)?)?;
        let entry = self.source.get(at..)?.first_chunk()?;
        Some(usize::from(u16::from_le_bytes(*entry)) * 2)
    }

    /// Returns a frame; `None` beyond the last frame. A frame that ends before it starts is empty;
    /// a frame that extends beyond the end of the file is truncated.
    pub fn frame(&self, index: usize) -> Option<Frame<'_>> {
        let next = index.checked_add(1).filter(|next| *next <= self.frames)?;
        Some(Frame::between(&self.source, self.place(index)?, self.place(next)?))
    }

    /// The frames.
    pub fn frames(&self) -> impl ExactSizeIterator<Item = Frame<'_>> + Clone {
        // The table was checked when the document was created.
        (0..self.frames).map(|index| self.frame(index).unwrap_or_default())
    }

    /// The bytes between the table and the first frame; empty in a canonical file.
    pub fn gap(&self) -> &[u8] {
        let first = self.place(0).unwrap_or_default();
        self.source.get(self.table_end()..first.min(self.source.len())).unwrap_or_default()
    }

    /// The bytes after the last frame.
    pub fn trailing(&self) -> &[u8] {
        let end = self.place(self.frames).unwrap_or_default().max(self.table_end());
        self.source.get(end..).unwrap_or_default()
    }

    /// The number of objects that a model must have for all keys: the highest index plus one.
    pub fn objects(&self) -> usize {
        let keys = self.frames().flat_map(|frame| frame.keys());
        keys.map(|key| usize::from(key.object) + 1).max().unwrap_or(0)
    }
}

impl<'a> Frame<'a> {
    /// The bytes between two offsets, truncated at the end of the file; empty if the offsets are
    /// reversed.
    pub(crate) fn between(source: &'a [u8], start: usize, end: usize) -> Frame<'a> {
        let start = start.min(source.len());
        Frame { bytes: source.get(start..end.min(source.len())).unwrap_or_default(), start }
    }

    /// The bytes of the frame.
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The span of the frame in the file.
    pub const fn span(&self) -> Span {
        Span::new(self.start, self.start.saturating_add(self.bytes.len()))
    }

    /// The complete keys, in file order.
    pub const fn keys(&self) -> Keys<'a> {
        Keys::new(self.bytes)
    }

    /// The bytes after the last complete key, which are an incomplete key; empty in a canonical
    /// file.
    pub fn rest(&self) -> &'a [u8] {
        let mut keys = self.keys();
        keys.by_ref().for_each(drop);
        keys.rest()
    }

    /// The keys that are drawn: if an object has several, only the last one.
    pub fn drawn(&self) -> impl Iterator<Item = Key> + use<'a> {
        // Keys are identified by the number of remaining bytes.
        let mut last = [usize::MAX; 256];
        let mut keys = self.keys();
        while let Some(key) = keys.next() {
            if let Some(slot) = last.get_mut(usize::from(key.object)) {
                *slot = keys.rest().len();
            }
        }
        let mut keys = self.keys();
        std::iter::from_fn(move || {
            loop {
                let key = keys.next()?;
                if last.get(usize::from(key.object)) == Some(&keys.rest().len()) {
                    return Some(key);
                }
            }
        })
    }
}
