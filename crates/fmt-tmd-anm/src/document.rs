//! An ANM file as it is: its bytes, and views of its frames and keys.

use std::borrow::Cow;

use anim_ir::Span;

use crate::header::HEADER;
use crate::key::{Key, Keys};

/// A file, read. Borrows the bytes where they are given as a slice, owns them where they are given
/// as a `Vec`.
///
/// The bytes are all there is: frames and keys are views of them, so that frames that overlap cost
/// nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document<'a> {
    pub(crate) source: Cow<'a, [u8]>,
    /// As many as the table has, whose end is in the source.
    pub(crate) frames: usize,
}

crate::header::header_of!(Document);

/// One frame: its keys back to back. It is complete in itself: an object without a key is not
/// drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Frame<'a> {
    bytes: &'a [u8],
    start: usize,
}

impl<'a> Document<'a> {
    /// How many frames there are.
    pub const fn frame_count(&self) -> usize {
        self.frames
    }

    /// Where frames start, in half-words from the start of the file, one number for each; and where
    /// the last one ends.
    pub fn table(&self) -> impl DoubleEndedIterator<Item = u16> + ExactSizeIterator + Clone {
        let bytes = self.source.get(HEADER..self.table_end()).unwrap_or_default();
        bytes.as_chunks::<2>().0.iter().map(|bytes| u16::from_le_bytes(*bytes))
    }

    /// Offset of the first byte after the table.
    pub(crate) const fn table_end(&self) -> usize {
        HEADER + 2 * (self.frames + 1)
    }

    /// Where a frame starts, in bytes; with the number of frames where the last one ends.
    fn place(&self, index: usize) -> Option<usize> {
        let at = HEADER.checked_add(index.checked_mul(2)?)?;
        let entry = self.source.get(at..)?.first_chunk()?;
        Some(usize::from(u16::from_le_bytes(*entry)) * 2)
    }

    /// A frame; `None` beyond the last. Of a frame that ends before it starts, or outside of the
    /// file, there is what there is.
    pub fn frame(&self, index: usize) -> Option<Frame<'_>> {
        let next = index.checked_add(1).filter(|next| *next <= self.frames)?;
        Some(Frame::between(&self.source, self.place(index)?, self.place(next)?))
    }

    /// All frames.
    pub fn frames(&self) -> impl ExactSizeIterator<Item = Frame<'_>> + Clone {
        // The table was there when the document was made.
        (0..self.frames).map(|index| self.frame(index).unwrap_or_default())
    }

    /// What stands between the table and the first frame; nothing in a canonical file.
    pub fn gap(&self) -> &[u8] {
        let first = self.place(0).unwrap_or_default();
        self.source.get(self.table_end()..first.min(self.source.len())).unwrap_or_default()
    }

    /// The bytes after the last frame.
    pub fn trailing(&self) -> &[u8] {
        let end = self.place(self.frames).unwrap_or_default().max(self.table_end());
        self.source.get(end..).unwrap_or_default()
    }

    /// How many objects a model needs for all keys to have theirs: the greatest index and one.
    pub fn objects(&self) -> usize {
        let keys = self.frames().flat_map(|frame| frame.keys());
        keys.map(|key| usize::from(key.object) + 1).max().unwrap_or(0)
    }
}

impl<'a> Frame<'a> {
    /// As far as the file goes. Reversed places make an empty frame.
    pub(crate) fn between(source: &'a [u8], start: usize, end: usize) -> Frame<'a> {
        let start = start.min(source.len());
        Frame { bytes: source.get(start..end.min(source.len())).unwrap_or_default(), start }
    }

    /// The bytes of the frame.
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Where it is in the file.
    pub const fn span(&self) -> Span {
        Span::new(self.start, self.start.saturating_add(self.bytes.len()))
    }

    /// Keys in the order of the file, as far as they are whole.
    pub const fn keys(&self) -> Keys<'a> {
        Keys::new(self.bytes)
    }

    /// The bytes after the last complete key: the start of one that is cut; nothing in a canonical
    /// file.
    pub fn rest(&self) -> &'a [u8] {
        let mut keys = self.keys();
        keys.by_ref().for_each(drop);
        keys.rest()
    }

    /// The keys that count: of several for one object the last one.
    pub fn drawn(&self) -> impl Iterator<Item = Key> + use<'a> {
        // How many bytes follow identifies a key.
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
