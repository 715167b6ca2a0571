//! Owned frames, which can be created, edited, joined, split, and packed into files.

use std::ops::Range;

use anim_ir::diag::plural;
use anim_ir::{Converted, Diagnostics};

use crate::codes;
use crate::document::{Document, Frame};
use crate::error::{JoinError, WriteError};
use crate::header::{HEADER, Header, MAGIC, REACH};
use crate::key::Key;
use crate::parser::MOST_FRAMES;

/// The content of an ANM file as owned data, without offsets.
///
/// A round trip from a [`Document`] preserves the order of keys, unknown bits, incomplete keys, and
/// the bytes after the last frame. It does not preserve a gap after the table, overlapping or
/// descending offsets, or a wrong magic number, since the written file is packed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sequence {
    /// Frames per second. If the value is not positive, 30 is used instead. The game's files use 1,
    /// 10, 15, 20, 30 or 60.
    pub rate: i16,
    /// The frames, in order.
    pub frames: Vec<NewFrame>,
    /// The bytes after the last frame.
    pub trailing: Vec<u8>,
}

/// A frame of a [`Sequence`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewFrame {
    /// The keys. Objects without a key are not drawn.
    pub keys: Vec<Key>,
    /// The bytes after the last complete key. Their number must be even.
    pub rest: Vec<u8>,
}

impl Document<'_> {
    /// Edits frames and keys. The file is then repacked; see [`Sequence`] for what is preserved.
    ///
    /// # Errors
    ///
    /// Returns a [`WriteError`] if the result does not fit in a file. The document is then
    /// unchanged.
    pub fn edit(&mut self, change: impl FnOnce(&mut Sequence)) -> Result<(), WriteError> {
        let mut sequence = Sequence::of(self);
        change(&mut sequence);
        *self = sequence.write()?;
        Ok(())
    }
}

impl NewFrame {
    /// Creates a frame from keys.
    pub const fn new(keys: Vec<Key>) -> NewFrame {
        NewFrame { keys, rest: Vec::new() }
    }

    fn of(frame: Frame<'_>) -> NewFrame {
        let mut keys = frame.keys();
        NewFrame { keys: keys.by_ref().collect(), rest: keys.rest().to_vec() }
    }

    fn size(&self) -> usize {
        self.keys.iter().fold(self.rest.len(), |sum, key| sum.saturating_add(key.size()))
    }
}

impl Sequence {
    /// Copies the content of a document.
    pub fn of(document: &Document<'_>) -> Sequence {
        let frames = document.frames().map(NewFrame::of).collect();
        Sequence { rate: document.rate(), frames, trailing: document.trailing().to_vec() }
    }

    /// Concatenates the frames of all documents. The rate is the specified rate, otherwise that of
    /// the documents.
    ///
    /// # Errors
    ///
    /// Returns a [`JoinError`] if there are no documents, or if their rates differ and none is
    /// specified.
    pub fn join(
        documents: &[&Document<'_>],
        rate: Option<i16>,
    ) -> Result<Converted<Sequence>, JoinError> {
        let (first, last) = documents.first().zip(documents.last()).ok_or(JoinError::Empty)?;
        let mut losses = Diagnostics::new();
        let mut joined = Sequence {
            rate: rate.unwrap_or(first.rate()),
            frames: Vec::new(),
            trailing: last.trailing().to_vec(),
        };
        for (index, document) in documents.iter().enumerate() {
            if rate.is_none() && document.rate() != joined.rate {
                return Err(JoinError::Rates {
                    first: joined.rate,
                    document: index,
                    rate: document.rate(),
                });
            }
            let behind = if index + 1 == documents.len() { 0 } else { document.trailing().len() };
            let lost = document.gap().len() + behind;
            losses.lost(&codes::LOSS_JOIN, lost > 0, || {
                format!(
                    "{} outside of frames in file {} are dropped",
                    plural(lost, "byte"),
                    index + 1
                )
            });
            joined.frames.extend(document.frames().map(NewFrame::of));
        }
        Ok(Converted { value: joined, losses })
    }

    /// Writes one file.
    ///
    /// # Errors
    ///
    /// Returns a [`WriteError`] with the number of files needed if the frames do not fit in one
    /// file.
    pub fn write(&self) -> Result<Document<'static>, WriteError> {
        match self.parts()?.as_slice() {
            [] | [_] => Ok(self.part(&self.frames, &self.trailing)),
            parts => {
                let bytes = self.frames.iter().fold(table_end(self.frames.len()), |sum, frame| {
                    sum.saturating_add(frame.size())
                });
                Err(WriteError::Files { frames: self.frames.len(), bytes, files: parts.len() })
            }
        }
    }

    /// Writes as few files as possible, split at frame boundaries. The bytes after the last frame
    /// are written to the last file.
    ///
    /// # Errors
    ///
    /// Returns a [`WriteError`] if a single frame does not fit in a file.
    pub fn split(&self) -> Result<Vec<Document<'static>>, WriteError> {
        let parts = self.parts()?;
        let last = parts.len().saturating_sub(1);
        let document = |(index, range): (usize, Range<usize>)| {
            let trailing = if index == last { self.trailing.as_slice() } else { &[] };
            self.part(self.frames.get(range).unwrap_or_default(), trailing)
        };
        Ok(parts.into_iter().enumerate().map(document).collect())
    }

    /// Writes one file or, if `split` is set, as few as possible.
    pub(crate) fn files(&self, split: bool) -> Result<Vec<Document<'static>>, WriteError> {
        if split { self.split() } else { self.write().map(|document| vec![document]) }
    }

    /// Returns the range of frames in each file; there is always at least one file. Filling each
    /// file as far as possible results in the fewest files.
    fn parts(&self) -> Result<Vec<Range<usize>>, WriteError> {
        let mut parts = Vec::new();
        let (mut start, mut size) = (0, table_end(0));
        for (index, frame) in self.frames.iter().enumerate() {
            let bytes = frame.size();
            if bytes % 2 != 0 {
                return Err(WriteError::Odd { frame: index });
            }
            if bytes > REACH - table_end(1) {
                return Err(WriteError::Frame { frame: index, bytes });
            }
            let grown = size + 2 + bytes;
            if grown > REACH {
                parts.push(start..index);
                (start, size) = (index, table_end(1) + bytes);
            } else {
                size = grown;
            }
        }
        parts.push(start..self.frames.len());
        Ok(parts)
    }

    /// Writes frames that are known to fit in one file.
    fn part(&self, frames: &[NewFrame], trailing: &[u8]) -> Document<'static> {
        let bytes = frames.iter().fold(table_end(frames.len()), |sum, frame| sum + frame.size());
        let mut out = Vec::with_capacity(bytes + trailing.len());
        Header { magic: MAGIC, rate: self.rate, frames: narrow(frames.len()) }.write(&mut out);
        let mut place = table_end(frames.len());
        out.extend(narrow(place / 2).to_le_bytes());
        for frame in frames {
            place += frame.size();
            out.extend(narrow(place / 2).to_le_bytes());
        }
        for frame in frames {
            frame.keys.iter().for_each(|key| key.write(&mut out));
            out.extend_from_slice(&frame.rest);
        }
        out.extend_from_slice(trailing);
        Document { source: out.into(), frames: frames.len() }
    }
}

/// Size of the header and the table in bytes. With 65,531 frames, they occupy the entire range that
/// the table can address.
const fn table_end(frames: usize) -> usize {
    HEADER + 2 * (frames + 1)
}

const _: () = assert!(
    table_end(MOST_FRAMES) <= REACH && table_end(MOST_FRAMES + 1) > REACH,
    "the number of frames is limited by the range of the table"
);

/// Converts a value that is known to fit.
fn narrow(number: usize) -> u16 {
    u16::try_from(number).unwrap_or(u16::MAX)
}
