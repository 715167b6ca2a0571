//! The binary data. It is planned first, so that all lengths are known and the output is allocated
//! only once. Then it is written sequentially.

use std::rc::Rc;

use crate::error::FromIrError;
use crate::json;
use crate::write::bytes::{put_narrow, put_words};
use crate::write::influences::Prepared;
use crate::write::keys::KeyOutput;

/// A piece of the buffer's content, borrowed from the scene if possible.
#[derive(Debug)]
pub(crate) enum Piece<'a> {
    /// Bytes.
    Bytes(&'a [u8]),
    /// Bytes created by the writer.
    OwnedBytes(Vec<u8>),
    /// Little-endian.
    Floats(&'a [f32]),
    /// Little-endian, created by the writer.
    OwnedFloats(Vec<f32>),
    /// Little-endian.
    Wide(&'a [u32]),
    /// Little-endian, created by the writer.
    OwnedShorts(Vec<u16>),
    /// The lower 16 bits of each value, little-endian.
    Narrow(&'a [u32]),
    /// Joint indices, four bytes per vertex.
    Joints8(Rc<Prepared<'a>>),
    /// Joint indices, four 16-bit values per vertex.
    Joints16(Rc<Prepared<'a>>),
    /// Weights, four per vertex.
    Weights(Rc<Prepared<'a>>),
    /// Values of keys.
    Keys(Box<KeyOutput<'a>>),
}

impl Piece<'_> {
    /// Returns the length in bytes.
    pub(crate) fn len(&self) -> usize {
        let floats = |count: usize| count.saturating_mul(4);
        match self {
            Piece::Bytes(bytes) => bytes.len(),
            Piece::OwnedBytes(bytes) => bytes.len(),
            Piece::Floats(values) => floats(values.len()),
            Piece::OwnedFloats(values) => floats(values.len()),
            Piece::Wide(values) => floats(values.len()),
            Piece::OwnedShorts(values) => values.len().saturating_mul(2),
            Piece::Narrow(values) => values.len().saturating_mul(2),
            Piece::Joints8(prepared) => prepared.vertices().saturating_mul(4),
            Piece::Joints16(prepared) => prepared.vertices().saturating_mul(8),
            Piece::Weights(prepared) => prepared.vertices().saturating_mul(16),
            Piece::Keys(keys) => keys.len(),
        }
    }

    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Piece::Bytes(bytes) => out.extend_from_slice(bytes),
            Piece::OwnedBytes(bytes) => out.extend_from_slice(bytes),
            Piece::Floats(values) => put_words(out, values),
            Piece::OwnedFloats(values) => put_words(out, values),
            Piece::Wide(values) => put_words(out, values),
            Piece::OwnedShorts(values) => {
                out.extend(values.iter().flat_map(|value| value.to_le_bytes()));
            }
            Piece::Narrow(values) => put_narrow(out, values),
            Piece::Joints8(prepared) => prepared.put_joints8(out),
            Piece::Joints16(prepared) => prepared.put_joints16(out),
            Piece::Weights(prepared) => prepared.put_weights(out),
            Piece::Keys(keys) => keys.put(out),
        }
    }
}

/// The file's only buffer.
#[derive(Debug, Default)]
pub(crate) struct Bin<'a> {
    /// Buffer views for accessors and images.
    pub(crate) views: Vec<json::BufferView>,
    /// Offset and content.
    pieces: Vec<(usize, Piece<'a>)>,
    length: usize,
    /// Maximum length in bytes.
    pub(crate) most: usize,
}

impl<'a> Bin<'a> {
    /// Creates a buffer of at most `most` bytes.
    pub(crate) fn new(most: usize) -> Bin<'a> {
        // Leave room for rounding up to a multiple of 4.
        Bin { most: most.min(usize::MAX - 3), ..Bin::default() }
    }

    /// Adds a buffer view, aligned to 4 bytes, and returns its index.
    pub(crate) fn add_view(
        &mut self,
        target: Option<u32>,
        pieces: impl IntoIterator<Item = Piece<'a>>,
    ) -> Result<usize, FromIrError> {
        let most = self.most;
        let start = self.len();
        let mut end = start;
        for piece in pieces {
            let offset = end;
            end = end
                .checked_add(piece.len())
                .filter(|end| *end <= most)
                .ok_or(FromIrError::TooLarge { most })?;
            self.pieces.push((offset, piece));
        }
        self.length = end;
        let byte_length = end.saturating_sub(start);
        self.views.push(json::BufferView {
            buffer: 0,
            byte_offset: start,
            byte_length,
            byte_stride: None,
            target,
        });
        Ok(self.views.len().saturating_sub(1))
    }

    /// Returns the length in bytes, a multiple of 4.
    pub(crate) fn len(&self) -> usize {
        self.length.next_multiple_of(4)
    }

    /// Appends the entire buffer, [`Bin::len`] bytes.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        let start = out.len();
        for (offset, piece) in &self.pieces {
            let at = start.saturating_add(*offset);
            out.resize(at, 0);
            piece.write(out);
            // A no-op unless the piece wrote a number of bytes other than `len()`. The next piece
            // must start at its offset regardless.
            out.resize(at.saturating_add(piece.len()), 0);
        }
        out.resize(start.saturating_add(self.len()), 0);
    }
}
