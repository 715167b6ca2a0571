//! Frames to work with: made anew, changed, put together, taken apart, and packed into files.

use std::ops::Range;

use anim_ir::diag::plural;
use anim_ir::{Converted, Diagnostics};

use crate::codes;
use crate::document::{Document, Frame};
use crate::error::{JoinError, WriteError};
use crate::header::{HEADER, Header, MAGIC, REACH};
use crate::key::Key;
use crate::parser::MOST_FRAMES;

/// What an ANM file says, owned and without places.
///
/// Made of a [`Document`] and written again it keeps the order of keys, unknown bits, what is no
/// whole key, and what follows the last frame. A gap after the table, places that overlap or go
/// back and a magic that is wrong are not kept: what is written is packed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sequence {
    /// Frames a second; 30 where it is not greater than 0. Files of the game have 1, 10, 15, 20, 30
    /// or 60.
    pub rate: i16,
    /// Frame after frame.
    pub frames: Vec<NewFrame>,
    /// The bytes after the last frame.
    pub trailing: Vec<u8>,
}

/// A frame of a [`Sequence`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewFrame {
    /// Keys; an object without one is not drawn.
    pub keys: Vec<Key>,
    /// The bytes after the last complete key; an even number of bytes.
    pub rest: Vec<u8>,
}

impl Document<'_> {
    /// Changes frames and keys. The file is then packed anew: see [`Sequence`] for what stays.
    ///
    /// # Errors
    ///
    /// [`WriteError`] where the result does not fit a file; the document is then as it was.
    pub fn edit(&mut self, change: impl FnOnce(&mut Sequence)) -> Result<(), WriteError> {
        let mut sequence = Sequence::of(self);
        change(&mut sequence);
        *self = sequence.write()?;
        Ok(())
    }
}

impl NewFrame {
    /// Of keys.
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
    /// What a document says.
    pub fn of(document: &Document<'_>) -> Sequence {
        let frames = document.frames().map(NewFrame::of).collect();
        Sequence { rate: document.rate(), frames, trailing: document.trailing().to_vec() }
    }

    /// The frames of all documents, one document after the other. The rate is the one given,
    /// otherwise that of the documents.
    ///
    /// # Errors
    ///
    /// [`JoinError`] where there is no document, or their rates differ and none is given.
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
                    "{} of file {} that belong to no frame are left out",
                    plural(lost, "byte"),
                    index + 1
                )
            });
            joined.frames.extend(document.frames().map(NewFrame::of));
        }
        Ok(Converted { value: joined, losses })
    }

    /// One file.
    ///
    /// # Errors
    ///
    /// [`WriteError`] where the frames do not fit one; it says how many it takes.
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

    /// As few files as possible, cut between frames. The bytes after the last frame go into
    /// the last file.
    ///
    /// # Errors
    ///
    /// [`WriteError`] where one frame does not fit a file.
    pub fn split(&self) -> Result<Vec<Document<'static>>, WriteError> {
        let parts = self.parts()?;
        let last = parts.len().saturating_sub(1);
        let document = |(index, range): (usize, Range<usize>)| {
            let trailing = if index == last { self.trailing.as_slice() } else { &[] };
            self.part(self.frames.get(range).unwrap_or_default(), trailing)
        };
        Ok(parts.into_iter().enumerate().map(document).collect())
    }

    /// One file, or as few as it takes.
    pub(crate) fn files(&self, split: bool) -> Result<Vec<Document<'static>>, WriteError> {
        if split { self.split() } else { self.write().map(|document| vec![document]) }
    }

    /// Which frames go into which file; at least one file. Taking as many as fit each time makes
    /// the fewest.
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

    /// A file of frames that fit one.
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

/// Bytes of header and table; those of 65,531 frames and a table are the most that the table
/// reaches.
const fn table_end(frames: usize) -> usize {
    HEADER + 2 * (frames + 1)
}

const _: () = assert!(
    table_end(MOST_FRAMES) <= REACH && table_end(MOST_FRAMES + 1) > REACH,
    "what a table can reach bounds how many frames it has"
);

/// What was seen to fit.
fn narrow(number: usize) -> u16 {
    u16::try_from(number).unwrap_or(u16::MAX)
}
