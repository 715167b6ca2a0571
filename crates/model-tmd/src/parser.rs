//! Locates the parts of a file and reports problems.

use std::borrow::Cow;
use std::fmt::Display;

use anim_ir::diag::plural;
use anim_ir::format::Reading;
use anim_ir::{Diagnostics, LimitError, ParseError, Parsed, Span};
use winnow::binary::{le_i32, le_u32};
use winnow::combinator::{repeat, seq};
use winnow::error::EmptyError;
use winnow::prelude::*;

use crate::codes;
use crate::document::{Document, Fixp, Object, ParseOptions, TABLE};
use crate::packet::{Body, HEADER, Packet, expected_words};

const MAGIC: u32 = 0x41;
/// Bit 0 of the flags: offsets are absolute.
const FIXP: u32 = 1;
/// Size of an entry of the object table in bytes.
const ENTRY: usize = 28;
/// Size of a vertex or a normal in bytes.
const VECTOR: usize = 8;

/// Limits the total size of all objects' packets to this multiple of the file size, since shared
/// packets are processed for each object that uses them.
const MOST_PACKETS: usize = 4;
/// The number of bytes added to the limit, so that small files may share packets freely.
const FREE_PACKETS: usize = 1 << 20;

/// The header and the object table.
pub(crate) struct Head {
    pub(crate) flags: u32,
    pub(crate) entries: Vec<Entry>,
}

/// An entry of the object table.
pub(crate) struct Entry {
    vertices: Region,
    normals: Region,
    packets: Region,
    scale: i32,
}

/// The offset of a region, interpreted according to [`Fixp`], and the number of its items.
#[derive(Clone, Copy)]
struct Region {
    offset: u32,
    count: u32,
}

/// Reads the header and the object table.
pub(crate) fn head(source: &[u8]) -> Result<Head, ParseError> {
    let cut_off = |what: &str, needs: usize| {
        let has = source.len();
        let message = format!("{what} needs {needs} bytes, but the file has {has}");
        ParseError::structure(Span::new(has, has), message)
    };
    let mut input = source;
    let found = word(&mut input).map_err(|_| cut_off("the header", TABLE))?;
    if found != MAGIC {
        let message = format!("the first word is {found:#010x} instead of 0x00000041");
        return Err(ParseError::format(Span::new(0, 4), message));
    }
    let (flags, count) =
        (word, word).parse_next(&mut input).map_err(|_| cut_off("the header", TABLE))?;
    // Check this before using the count.
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    let needs = count.saturating_mul(ENTRY).saturating_add(TABLE);
    if source.len() < needs {
        return Err(cut_off("the object table", needs));
    }
    let entries = repeat(count, entry)
        .parse_next(&mut input)
        .map_err(|EmptyError| cut_off("the object table", needs))?;
    Ok(Head { flags, entries })
}

fn word(input: &mut &[u8]) -> Result<u32, EmptyError> {
    le_u32.parse_next(input)
}

fn entry(input: &mut &[u8]) -> Result<Entry, EmptyError> {
    seq!(Entry { vertices: region, normals: region, packets: region, scale: le_i32 })
        .parse_next(input)
}

fn region(input: &mut &[u8]) -> Result<Region, EmptyError> {
    seq!(Region { offset: word, count: word }).parse_next(input)
}

impl Region {
    /// Whether the region is empty or entirely within the file.
    fn fits(self, fixp: Fixp, bytes_each: usize, source: &[u8]) -> bool {
        let length =
            usize::try_from(self.count).ok().and_then(|count| count.checked_mul(bytes_each));
        let end = fixp
            .file_offset(self.offset)
            .zip(length)
            .and_then(|(start, length)| start.checked_add(length));
        self.count == 0 || end.is_some_and(|end| end <= source.len())
    }
}

impl Entry {
    pub(crate) fn fits(&self, fixp: Fixp, source: &[u8]) -> bool {
        // A packet consists of at least its header.
        [(self.vertices, VECTOR), (self.normals, VECTOR), (self.packets, HEADER)]
            .into_iter()
            .all(|(region, bytes_each)| region.fits(fixp, bytes_each, source))
    }

    /// The lowest offset of any non-empty region.
    fn first(&self) -> Option<u32> {
        [self.vertices, self.normals, self.packets]
            .into_iter()
            .filter(|region| region.count > 0)
            .map(|region| region.offset)
            .min()
    }
}

/// Determines what offsets are relative to. No flag indicates whether absolute offsets are memory
/// addresses, so the interpretation in which all regions are within the file is used. If there is
/// none, offsets are addresses if even the first region would otherwise begin outside the file.
pub(crate) fn fixp(head: &Head, source: &[u8]) -> Fixp {
    if head.flags & FIXP == 0 {
        return Fixp::Relative;
    }
    let fits = |fixp| head.entries.iter().all(|entry| entry.fits(fixp, source));
    let first = head.entries.iter().filter_map(Entry::first).min().unwrap_or_default();
    let table_end = head.entries.len().saturating_mul(ENTRY).saturating_add(TABLE);
    // Assumes that the first region directly follows the object table.
    let base = u32::try_from(table_end)
        .ok()
        .and_then(|table_end| first.checked_sub(table_end))
        .unwrap_or_default();
    let in_memory = Fixp::AbsoluteInMemory { base };
    let begins_in_file = usize::try_from(first).is_ok_and(|first| first < source.len());
    if base > 0 && !fits(Fixp::AbsoluteInFile) && (fits(in_memory) || !begins_in_file) {
        in_memory
    } else {
        Fixp::AbsoluteInFile
    }
}

/// Parses a file and reports its problems in a single pass.
pub(crate) fn parse<'a>(source: Cow<'a, [u8]>, options: &ParseOptions) -> Reading<Document<'a>> {
    options.limits.check_input(source.len())?;
    let head = head(&source)?;
    let mut reader = Reader {
        source: &source,
        fixp: fixp(&head, &source),
        packet_bytes: 0,
        diagnostics: Diagnostics::within(&options.limits),
    };
    if head.flags & !FIXP != 0 {
        reader.diagnostics.push(&codes::FLAGS, Span::new(4, 8), || {
            format!("the flags are {:#x}, but only bit 0 has a known meaning", head.flags)
        });
    }
    let mut objects = Vec::with_capacity(head.entries.len());
    for (number, entry) in head.entries.iter().enumerate() {
        objects.push(reader.object(number, entry)?);
    }
    let Reader { fixp, diagnostics, .. } = reader;
    Ok(Parsed { value: Document { source, flags: head.flags, fixp, objects }, diagnostics })
}

struct Reader<'a> {
    source: &'a [u8],
    fixp: Fixp,
    /// The total size of all packets so far.
    packet_bytes: usize,
    diagnostics: Diagnostics,
}

impl Reader<'_> {
    fn object(&mut self, number: usize, entry: &Entry) -> Result<Object, LimitError> {
        let start = number.saturating_mul(ENTRY).saturating_add(TABLE);
        let field = |offset: usize| start.saturating_add(offset);
        let vertices = self.vectors(number, "vertices", entry.vertices, field(0));
        let normals = self.vectors(number, "normals", entry.normals, field(8));
        let packets = self.packets(number, entry, field(16))?;
        let entry_span = Span::new(start, field(ENTRY));
        Ok(Object {
            entry: entry_span,
            vertices,
            normals,
            packets,
            n_primitive: entry.packets.count,
            scale: entry.scale,
        })
    }

    /// Returns the start of a region, or `None` if the region is empty or starts outside the file,
    /// which is reported. `field` is the position of the region's offset in the object table.
    fn start(&mut self, object: usize, what: &str, region: Region, field: usize) -> Option<usize> {
        let Region { offset, count } = region;
        let start = self.fixp.file_offset(offset).filter(|start| *start < self.source.len());
        if start.is_none() && count > 0 {
            self.diagnostics.push(
                &codes::OFFSET,
                Span::new(field, field.saturating_add(4)),
                || {
                    format!(
                        "the {what} of object {object} begin at {offset:#x}, outside of the \
                         file"
                    )
                },
            );
        }
        start.filter(|_| count > 0)
    }

    /// Reports that the file is too short for a declared count.
    fn too_few(
        &mut self,
        object: usize,
        what: &str,
        count: u32,
        found: impl Display,
        field: usize,
    ) {
        self.diagnostics.push(
            &codes::CUT_OFF,
            Span::new(field.saturating_add(4), field.saturating_add(8)),
            || format!("object {object} declares {count} {what}, but the file has {found}"),
        );
    }

    fn vectors(&mut self, object: usize, what: &str, region: Region, field: usize) -> Span {
        let Some(start) = self.start(object, what, region, field) else { return Span::default() };
        let room = self.source.len().saturating_sub(start) / VECTOR;
        let count = usize::try_from(region.count).map_or(room, |count| count.min(room));
        if u32::try_from(count) != Ok(region.count) {
            self.too_few(object, what, region.count, count, field);
        }
        Span::new(start, start.saturating_add(count.saturating_mul(VECTOR)))
    }

    /// Checks an object's packets and returns the span of those that are complete.
    fn packets(&mut self, object: usize, entry: &Entry, field: usize) -> Result<Span, LimitError> {
        let Some(start) = self.start(object, "packets", entry.packets, field) else {
            return Ok(Span::default());
        };
        let length = self.source.len();
        let most = length.saturating_mul(MOST_PACKETS).saturating_add(FREE_PACKETS);
        let mut at = start;
        for number in 0..entry.packets.count {
            let Some(packet) = Packet::read(self.source, at) else {
                if at < length {
                    self.diagnostics.push(&codes::CUT_OFF, Span::new(at, length), || {
                        format!("the file ends in packet {number} of object {object}")
                    });
                } else {
                    self.too_few(object, "packets", entry.packets.count, number, field);
                }
                break;
            };
            at = packet.span.end;
            self.packet_bytes = self.packet_bytes.saturating_add(packet.span.len());
            if self.packet_bytes > most {
                return Err(LimitError {
                    what: "the sum of the packets of all objects",
                    unit: "bytes",
                    found: self.packet_bytes,
                    most,
                });
            }
            self.packet(object, entry, &packet);
        }
        Ok(Span::new(start, at))
    }

    fn packet(&mut self, object: usize, entry: &Entry, packet: &Packet<'_>) {
        let Packet { span, flag, mode, ilen, .. } = *packet;
        // Use the declared counts, since missing items have already been reported.
        let (vertices, normals) = (entry.vertices.count, entry.normals.count);
        let beyond = |count: u32| move |index: &u16| u32::from(*index) >= count;
        let (vertex, normal) = match &packet.body {
            Body::Polygon(polygon) => {
                let corners = polygon.corners();
                let vertex = corners.iter().map(|corner| corner.vertex).find(beyond(vertices));
                (vertex, corners.iter().filter_map(|corner| corner.normal).find(beyond(normals)))
            }
            Body::Line(line) => (line.vertices.into_iter().find(beyond(vertices)), None),
            Body::Sprite => (None, None),
            Body::Unknown => {
                match expected_words(flag, mode) {
                    None => self
                        .diagnostics
                        .push(&codes::KIND, span, || format!("unknown packet mode {mode:#04x}")),
                    Some(words) => self.diagnostics.push(&codes::LENGTH, span, || {
                        format!(
                            "a packet of mode {mode:#04x} and flag {flag:#04x} must have {}, \
                             not {ilen}",
                            plural(words, "word")
                        )
                    }),
                }
                (None, None)
            }
        };
        if let Some(index) = vertex {
            self.diagnostics.push(&codes::VERTEX, span, || {
                format!(
                    "vertex {index} is used, but object \
                     {object} has {vertices} vertices, numbered from 0"
                )
            });
        }
        if let Some(index) = normal {
            self.diagnostics.push(&codes::NORMAL, span, || {
                format!(
                    "normal {index} is used, but object \
                     {object} has {normals} normals, numbered from 0"
                )
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Detects [`Fixp`] in a 72-byte file with one object that has two vertices and a four-byte
    /// packet at the given offsets.
    fn fixp_of(vertices: u32, packets: u32) -> Fixp {
        let words = [0x41, 1, 1, vertices, 2, 0, 0, packets, 1, 0];
        let bytes: Vec<u8> = words.into_iter().flat_map(u32::to_le_bytes).chain([0; 32]).collect();
        fixp(&head(&bytes).unwrap(), &bytes)
    }

    #[test]
    fn absolute_offsets_are_interpreted_so_that_all_regions_are_in_the_file() {
        assert_eq!(fixp_of(40, 56), Fixp::AbsoluteInFile);
        assert_eq!(fixp_of(44, 60), Fixp::AbsoluteInFile, "a gap is irrelevant");
        assert_eq!(fixp_of(0x8001_0028, 0x8001_0038), Fixp::AbsoluteInMemory { base: 0x8001_0000 });
        assert_eq!(fixp_of(0x8001_002c, 0x8001_0028), Fixp::AbsoluteInMemory { base: 0x8001_0000 });
        assert_eq!(
            fixp_of(0x44, 0x54),
            Fixp::AbsoluteInMemory { base: 0x1c },
            "addresses may be low"
        );
        assert_eq!(fixp_of(44, 0x8001_0028), Fixp::AbsoluteInFile, "despite an invalid offset");
        assert_eq!(
            fixp_of(0x8001_0028, 0x9001_0028),
            Fixp::AbsoluteInMemory { base: 0x8001_0000 },
            "despite an invalid address"
        );
        assert_eq!(
            fixp_of(8, 0x8001_0028),
            Fixp::AbsoluteInFile,
            "no region starts before the file"
        );
    }

    #[test]
    fn unknown_flags_have_no_effect() {
        let bytes: Vec<u8> = [0x41, 6, 0].into_iter().flat_map(u32::to_le_bytes).collect();
        let parsed = Document::parse(&bytes[..]).unwrap();
        assert_eq!(
            (parsed.value.flags(), parsed.value.fixp(), parsed.diagnostics.count(&codes::FLAGS)),
            (6, Fixp::Relative, 1)
        );
    }
}
