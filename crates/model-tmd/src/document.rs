//! Documents, which consist of the bytes of a TMD file and views of its content.

use std::borrow::Cow;

use anim_ir::Span;

use crate::packet::{Packet, Packets};

/// The offset of the object table.
pub(crate) const TABLE: usize = 12;

anim_ir::options! {
    /// Options for reading a file.
    pub struct ParseOptions {}
}

/// A parsed TMD file. Borrows its bytes if parsed from a slice, owns them if parsed from a `Vec`.
///
/// The document stores only the bytes; vertices, normals and packets are views of them.
#[derive(Clone, Debug)]
pub struct Document<'a> {
    pub(crate) source: Cow<'a, [u8]>,
    pub(crate) flags: u32,
    pub(crate) fixp: Fixp,
    pub(crate) objects: Vec<Object>,
}

/// What the offsets in the object table are relative to (bit 0 of the flags).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fixp {
    /// The object table, at 0x0C.
    Relative,
    /// The start of the file.
    AbsoluteInFile,
    /// The start of the console's memory: offsets are memory addresses from when the file was
    /// saved.
    AbsoluteInMemory {
        /// The address of the file's first byte, chosen so that the first region directly follows
        /// the object table.
        base: u32,
    },
}

impl Fixp {
    /// Returns the position in the file to which an offset in the object table points; `None` if it
    /// is before the start of the file.
    pub fn file_offset(self, offset: u32) -> Option<usize> {
        let offset = usize::try_from(offset).ok()?;
        match self {
            Fixp::Relative => offset.checked_add(TABLE),
            Fixp::AbsoluteInFile => Some(offset),
            Fixp::AbsoluteInMemory { base } => offset.checked_sub(usize::try_from(base).ok()?),
        }
    }
}

/// An object, which is a rigid part of the model. Its spans only include items that are complete in
/// the file, and may overlap those of other objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Object {
    /// The span of its entry in the object table. Like all spans, it is in bytes from the start of
    /// the file.
    pub entry: Span,
    /// The span of its vertices, 8 bytes each.
    pub vertices: Span,
    /// The span of its normals, 8 bytes each.
    pub normals: Span,
    /// The span of its packets.
    pub packets: Span,
    /// The number of packets declared in the file.
    pub n_primitive: u32,
    /// The exponent of a factor 2^scale for the vertices. Sony's library ignores it.
    pub scale: i32,
}

/// A vertex, or a normal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Vector {
    /// +x right, +y down, +z into the screen. For normals, 4096 is 1.
    pub xyz: [i16; 3],
    /// Padding to eight bytes.
    pub pad: u16,
}

impl Vector {
    fn from_bytes([a, b, c, d, e, f, g, h]: [u8; 8]) -> Vector {
        Vector {
            xyz: [[a, b], [c, d], [e, f]].map(i16::from_le_bytes),
            pad: u16::from_le_bytes([g, h]),
        }
    }
}

impl<'a> Document<'a> {
    /// The second word of the file. Only bit 0 has a known meaning: see [`Document::fixp`].
    pub fn flags(&self) -> u32 {
        self.flags
    }

    /// What the offsets in the object table are relative to.
    pub fn fixp(&self) -> Fixp {
        self.fixp
    }

    /// The objects, in file order.
    pub fn objects(&self) -> &[Object] {
        &self.objects
    }

    /// Iterates over the vertices of one of this document's objects.
    pub fn vertices(&self, object: &Object) -> impl ExactSizeIterator<Item = Vector> + Clone {
        self.vectors(object.vertices).iter().copied().map(Vector::from_bytes)
    }

    /// Iterates over the normals of one of this document's objects.
    pub fn normals(&self, object: &Object) -> impl ExactSizeIterator<Item = Vector> + Clone {
        self.vectors(object.normals).iter().copied().map(Vector::from_bytes)
    }

    /// Returns a vertex of one of this document's objects.
    pub fn vertex(&self, object: &Object, index: u16) -> Option<Vector> {
        self.vectors(object.vertices).get(usize::from(index)).copied().map(Vector::from_bytes)
    }

    /// Returns a normal of one of this document's objects.
    pub fn normal(&self, object: &Object, index: u16) -> Option<Vector> {
        self.vectors(object.normals).get(usize::from(index)).copied().map(Vector::from_bytes)
    }

    /// Iterates over the packets of one of this document's objects, up to the last complete packet.
    pub fn packets(&self, object: &Object) -> impl Iterator<Item = Packet<'_>> + Clone {
        Packets::new(&self.source, object.packets)
    }

    fn vectors(&self, span: Span) -> &[[u8; 8]] {
        self.source.get(span.start..span.end).unwrap_or_default().as_chunks().0
    }
}
