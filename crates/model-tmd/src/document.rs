//! Everything a TMD file says: its bytes, and where in them is what.

use std::borrow::Cow;

use anim_ir::Span;

use crate::packet::{Packet, Packets};

/// Where the object table is.
pub(crate) const TABLE: usize = 12;

anim_ir::options! {
    /// How to read.
    pub struct ParseOptions {}
}

/// A file, read. Borrows the bytes where they are given as a slice, owns them where they are given
/// as a `Vec`.
///
/// The bytes are the truth: vertices, normals and packets are views of them.
#[derive(Clone, Debug)]
pub struct Document<'a> {
    pub(crate) source: Cow<'a, [u8]>,
    pub(crate) flags: u32,
    pub(crate) fixp: Fixp,
    pub(crate) objects: Vec<Object>,
}

/// What the offsets in the object table count from (bit 0 of the flags).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fixp {
    /// From the object table, at 0x0C.
    Relative,
    /// From the start of the file.
    AbsoluteInFile,
    /// They are addresses in the console's memory, where the file lay when it was saved.
    AbsoluteInMemory {
        /// The address of the file's first byte: it puts what comes first right after the object
        /// table.
        base: u32,
    },
}

impl Fixp {
    /// Where in the file an offset of the object table points to; `None` where that is before its
    /// start.
    pub fn file_offset(self, offset: u32) -> Option<usize> {
        let offset = usize::try_from(offset).ok()?;
        match self {
            Fixp::Relative => offset.checked_add(TABLE),
            Fixp::AbsoluteInFile => Some(offset),
            Fixp::AbsoluteInMemory { base } => offset.checked_sub(usize::try_from(base).ok()?),
        }
    }
}

/// An object: a part of the model that moves as one. Its spans hold what is whole in the file, and
/// may overlap another's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Object {
    /// Its entry in the object table, in bytes of the file like all spans.
    pub entry: Span,
    /// Its vertices, 8 bytes each.
    pub vertices: Span,
    /// Its normals, 8 bytes each.
    pub normals: Span,
    /// Its packets.
    pub packets: Span,
    /// How many packets the file says there are.
    pub n_primitive: u32,
    /// The vertices are to be multiplied by two to this power, but Sony's library does not.
    pub scale: i32,
}

/// A vertex, or a normal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Vector {
    /// x to the right, y down, z into the screen. Of a normal, 4096 is 1.
    pub xyz: [i16; 3],
    /// Fills the eight bytes.
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

    /// What the offsets in the object table count from.
    pub fn fixp(&self) -> Fixp {
        self.fixp
    }

    /// Objects in the order of the file.
    pub fn objects(&self) -> &[Object] {
        &self.objects
    }

    /// The vertices of one of this document's objects.
    pub fn vertices(&self, object: &Object) -> impl ExactSizeIterator<Item = Vector> + Clone {
        self.vectors(object.vertices).iter().copied().map(Vector::from_bytes)
    }

    /// The normals of one of this document's objects.
    pub fn normals(&self, object: &Object) -> impl ExactSizeIterator<Item = Vector> + Clone {
        self.vectors(object.normals).iter().copied().map(Vector::from_bytes)
    }

    /// A vertex of one of this document's objects.
    pub fn vertex(&self, object: &Object, index: u16) -> Option<Vector> {
        self.vectors(object.vertices).get(usize::from(index)).copied().map(Vector::from_bytes)
    }

    /// A normal of one of this document's objects.
    pub fn normal(&self, object: &Object, index: u16) -> Option<Vector> {
        self.vectors(object.normals).get(usize::from(index)).copied().map(Vector::from_bytes)
    }

    /// The packets of one of this document's objects, up to the last one that is whole.
    pub fn packets(&self, object: &Object) -> impl Iterator<Item = Packet<'_>> + Clone {
        Packets::new(&self.source, object.packets)
    }

    fn vectors(&self, span: Span) -> &[[u8; 8]] {
        self.source.get(span.start..span.end).unwrap_or_default().as_chunks().0
    }
}
