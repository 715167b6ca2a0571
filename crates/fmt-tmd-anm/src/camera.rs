//! ANC documents: the bytes of a file, and a view of its records.

use std::borrow::Cow;

use anim_ir::diag::plural;
use anim_ir::{Diagnostics, Limits, Span};

use crate::codes;
use crate::error::WriteError;
use crate::header::{HEADER, Header, MAGIC, RECORD, SharedCodes};
use crate::key::vector_of;

const SHARED: SharedCodes = SharedCodes {
    magic: &codes::CAMERA_MAGIC,
    rate: &codes::CAMERA_RATE,
    trailing: &codes::CAMERA_TRAILING,
    padding: &codes::CAMERA_PADDING,
    last: "record",
};

/// A parsed ANC file. Borrows its bytes if parsed from a slice, owns them if parsed from a `Vec`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CameraDocument<'a> {
    pub(crate) source: Cow<'a, [u8]>,
}

crate::header::header_of!(CameraDocument);

/// The camera in one frame. Positions are in the models' unit: +x right, +y down, +z into the
/// screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CameraKey {
    /// The position of the camera (`vpx`, `vpy`, `vpz`).
    pub eye: [i16; 3],
    /// The point that the camera looks at (`vrx`, `vry`, `vrz`).
    pub look_at: [i16; 3],
    /// Roll about the viewing direction, from x to y (`rz`); 4096 is 360°.
    pub roll: i16,
    /// Vertical field of view at an aspect ratio of 4:3; 4096 is 360°.
    pub fov: i16,
}

/// The content of an ANC file as owned data.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CameraSequence {
    /// Frames per second. If the value is not positive, 30 is used instead. The game's files use 1,
    /// 10, 15, 20, 30 or 60.
    pub rate: i16,
    /// One record per frame.
    pub keys: Vec<CameraKey>,
    /// The bytes after the last record.
    pub trailing: Vec<u8>,
}

impl<'a> CameraDocument<'a> {
    pub(crate) fn check(&self, header: Header, limits: &Limits) -> Diagnostics {
        let mut diagnostics = Diagnostics::within(limits);
        SHARED.check_header(header, &mut diagnostics);
        let (names, has) = (usize::from(header.frames), self.frame_count());
        if has < names {
            diagnostics.push(&codes::CAMERA_TRUNCATED, Span::new(4, HEADER), || {
                let (needs, ends) = (HEADER + RECORD * names, self.source.len());
                format!(
                    "the header declares {}, ending at byte 0x{needs:x}, but the file ends at \
                         0x{ends:x}, after {has}",
                    plural(names, "record")
                )
            });
        } else {
            SHARED.check_trailing(self.trailing(), self.source.len(), &mut diagnostics);
        }
        diagnostics
    }

    /// The number of complete records, one per frame.
    pub fn frame_count(&self) -> usize {
        usize::from(self.header().frames).min(self.source.len().saturating_sub(HEADER) / RECORD)
    }

    /// The records.
    pub fn keys(&self) -> impl ExactSizeIterator<Item = CameraKey> + Clone {
        let records =
            self.source.get(HEADER..HEADER + RECORD * self.frame_count()).unwrap_or_default();
        records.as_chunks::<RECORD>().0.iter().map(CameraKey::of)
    }

    /// The bytes after the last complete record. In a truncated file, these are an incomplete
    /// record.
    pub fn trailing(&self) -> &[u8] {
        self.source.get(HEADER + RECORD * self.frame_count()..).unwrap_or_default()
    }

    /// Edits the records. This also corrects the magic and the number of records.
    ///
    /// # Errors
    ///
    /// Returns a [`WriteError`] if there are too many records. The document is then unchanged.
    pub fn edit(&mut self, change: impl FnOnce(&mut CameraSequence)) -> Result<(), WriteError> {
        let mut sequence = CameraSequence::of(self);
        change(&mut sequence);
        *self = sequence.write()?;
        Ok(())
    }
}

impl CameraKey {
    fn of(record: &[u8; RECORD]) -> CameraKey {
        let [a, b, c, d, e, f, g, h, i, j, k, l, roll @ .., m, n] = *record;
        CameraKey {
            eye: vector_of([a, b, c, d, e, f]),
            look_at: vector_of([g, h, i, j, k, l]),
            roll: i16::from_le_bytes(roll),
            fov: i16::from_le_bytes([m, n]),
        }
    }

    fn write(&self, out: &mut Vec<u8>) {
        for number in self.eye.into_iter().chain(self.look_at).chain([self.roll, self.fov]) {
            out.extend(number.to_le_bytes());
        }
    }
}

impl CameraSequence {
    /// Copies the content of a document.
    pub fn of(document: &CameraDocument<'_>) -> CameraSequence {
        CameraSequence {
            rate: document.rate(),
            keys: document.keys().collect(),
            trailing: document.trailing().to_vec(),
        }
    }

    /// Writes a file.
    ///
    /// # Errors
    ///
    /// Returns a [`WriteError`] if there are more than 65,535 records.
    pub fn write(&self) -> Result<CameraDocument<'static>, WriteError> {
        let frames =
            u16::try_from(self.keys.len()).map_err(|_| WriteError::Records(self.keys.len()))?;
        let mut out = Vec::with_capacity(HEADER + RECORD * self.keys.len() + self.trailing.len());
        Header { magic: MAGIC, rate: self.rate, frames }.write(&mut out);
        self.keys.iter().for_each(|key| key.write(&mut out));
        out.extend_from_slice(&self.trailing);
        Ok(CameraDocument { source: out.into() })
    }
}
