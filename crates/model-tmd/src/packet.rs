//! Packets, the drawing commands of an object. Each consists of a header and up to 255 words.

use anim_ir::Span;
use winnow::binary::{le_u16, u8};
use winnow::error::EmptyError;
use winnow::prelude::*;

/// Bits of the flag byte.
mod flag {
    pub(super) const UNLIT: u8 = 0x01;
    pub(super) const DOUBLE_SIDED: u8 = 0x02;
    pub(super) const COLOR_A_VERTEX: u8 = 0x04;
}

/// Bits of the mode byte below the three bits that identify the type of primitive.
mod mode {
    pub(super) const GOURAUD: u8 = 0x10;
    pub(super) const QUAD: u8 = 0x08;
    pub(super) const TEXTURED: u8 = 0x04;
    pub(super) const SEMI_TRANSPARENT: u8 = 0x02;
    /// The size of a sprite; 0 if it is arbitrary.
    pub(super) const SPRITE_SIZE: u8 = 0x18;
}

/// Size of the header in bytes.
pub(crate) const HEADER: usize = 4;

/// A packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packet<'a> {
    /// The span of the header and words in the file.
    pub span: Span,
    /// The number of words in the console's drawing command. Unused.
    pub olen: u8,
    /// The number of words after the header.
    pub ilen: u8,
    /// Bit 0: unlit, 1: double-sided, 2: one colour per vertex, for lit polygons without a texture.
    /// No other bit has a known meaning.
    pub flag: u8,
    /// Bits 7 to 5: 1 polygon, 2 line, 3 sprite. Bit 4: Gouraud, 3: quad, 2: textured, 1:
    /// semi-transparent, 0: no shading, which the flag also indicates.
    pub mode: u8,
    /// The raw words, including bytes without meaning: the fourth bytes of colours, the upper
    /// halves of the texture words after the first two, and padding.
    pub words: &'a [u8],
    /// The decoded words.
    pub body: Body,
}

/// The primitive that a packet draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Body {
    /// A triangle or a quad.
    Polygon(Polygon),
    /// A line, or a dot if both vertices are the same.
    Line(Line),
    /// A screen-aligned rectangle. Its words are not decoded.
    Sprite,
    /// An unknown type, or a known type with the wrong length. Its words are not decoded.
    Unknown,
}

/// A triangle or a quad, clockwise as seen from the front.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Polygon {
    corners: [Corner; 4],
    quad: bool,
    /// The location of the texture.
    pub texture: Option<Texture>,
}

/// A corner of a polygon. Values that a packet stores only once are repeated for each corner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Corner {
    /// Index into the object's vertices. It may be out of range.
    pub vertex: u16,
    /// Index into the object's normals, for lit polygons. It may be out of range.
    pub normal: Option<u16>,
    /// Red, green, blue; `None` if the polygon is textured and lit. Full intensity is 255, or 128
    /// if the polygon is textured, in which case colours make the texture darker or brighter.
    pub color: Option<[u8; 3]>,
    /// Texel in the texture page, relative to its upper left corner, for textured polygons.
    pub uv: Option<[u8; 2]>,
}

/// The location of a texture and its palette in the console's video memory. TMD files do not
/// contain the image itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Texture {
    /// The location of the palette (`clut`), as encoded for the graphics processor.
    pub clut: u16,
    /// The texture page (`tpage`) with its colour depth and blend mode, as encoded for the graphics
    /// processor.
    pub page: u16,
}

/// A line, or a dot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// Indices into the object's vertices. They may be out of range.
    pub vertices: [u16; 2],
    /// Red, green and blue at each end, 0 to 255.
    pub colors: [[u8; 3]; 2],
}

impl Polygon {
    /// Three or four corners. The corners of a quad are in Z order: its triangles are 0 1 2 and 1 3
    /// 2.
    pub fn corners(&self) -> &[Corner] {
        self.corners.get(..if self.quad { 4 } else { 3 }).unwrap_or_default()
    }

    /// Whether the colours brighten the texture at any corner.
    pub(crate) fn is_brightened(&self) -> bool {
        self.texture.is_some()
            && self
                .corners
                .iter()
                .filter_map(|corner| corner.color)
                .flatten()
                .any(|component| component > 128)
    }
}

impl<'a> Packet<'a> {
    /// Reads the packet at an offset; `None` if the packet is incomplete.
    pub(crate) fn read(source: &'a [u8], at: usize) -> Option<Packet<'a>> {
        let [olen, ilen, flag, mode] = *source.get(at..)?.first_chunk()?;
        let start = at.checked_add(HEADER)?;
        let span = Span::new(at, start.checked_add(usize::from(ilen).checked_mul(4)?)?);
        let words = source.get(start..span.end)?;
        let body = if expected_words(flag, mode) == Some(usize::from(ilen)) {
            body(words, flag, mode)
        } else {
            Body::Unknown
        };
        Some(Packet { span, olen, ilen, flag, mode, words, body })
    }

    /// Whether the primitive is drawn without lighting.
    pub const fn is_unlit(&self) -> bool {
        matches!(self.body, Body::Line(_)) || self.flag & flag::UNLIT != 0
    }

    /// Whether both sides are drawn.
    pub const fn is_double_sided(&self) -> bool {
        self.flag & flag::DOUBLE_SIDED != 0
    }

    /// Whether the primitive is semi-transparent.
    pub const fn is_semi_transparent(&self) -> bool {
        self.mode & mode::SEMI_TRANSPARENT != 0
    }
}

/// Iterates over the packets of an object.
#[derive(Clone, Debug)]
pub(crate) struct Packets<'a> {
    source: &'a [u8],
    rest: Span,
}

impl<'a> Packets<'a> {
    pub(crate) fn new(source: &'a [u8], span: Span) -> Packets<'a> {
        Packets { source, rest: span }
    }
}

impl<'a> Iterator for Packets<'a> {
    type Item = Packet<'a>;

    fn next(&mut self) -> Option<Packet<'a>> {
        if self.rest.is_empty() {
            return None;
        }
        let packet = Packet::read(self.source, self.rest.start)?;
        self.rest.start = packet.span.end;
        Some(packet)
    }
}

#[derive(Clone, Copy)]
enum Kind {
    Polygon,
    Line,
    Sprite,
}

fn kind(mode: u8) -> Option<Kind> {
    match mode >> 5 {
        1 => Some(Kind::Polygon),
        2 if mode & (mode::QUAD | mode::TEXTURED) == 0 => Some(Kind::Line),
        3 => Some(Kind::Sprite),
        _ => None,
    }
}

/// The layout of a polygon's words.
struct Layout {
    corners: usize,
    uvs: usize,
    colors: usize,
    normals: usize,
}

impl Layout {
    fn of_polygon(flag: u8, mode: u8) -> Layout {
        let corners = if mode & mode::QUAD != 0 { 4 } else { 3 };
        let [unlit, one_color_a_vertex] =
            [flag::UNLIT, flag::COLOR_A_VERTEX].map(|bit| flag & bit != 0);
        let [textured, gouraud] = [mode::TEXTURED, mode::GOURAUD].map(|bit| mode & bit != 0);
        let each = |many: bool| if many { corners } else { 1 };
        // Lit polygons are shaded using normals: a separate flag indicates colours per vertex, and
        // textured polygons have no colours.
        let (colors, normals) = match (unlit, textured) {
            (true, _) => (each(gouraud), 0),
            (false, true) => (0, each(gouraud)),
            (false, false) => (each(one_color_a_vertex), each(gouraud)),
        };
        Layout { corners, uvs: if textured { corners } else { 0 }, colors, normals }
    }
}

/// The number of words in a packet with the given flag and mode; `None` if its type is unknown.
pub(crate) fn expected_words(flag: u8, mode: u8) -> Option<usize> {
    let gouraud = mode & mode::GOURAUD != 0;
    Some(match kind(mode)? {
        Kind::Polygon => {
            let Layout { corners, uvs, colors, normals } = Layout::of_polygon(flag, mode);
            let indices = corners.saturating_add(normals);
            uvs.saturating_add(colors).saturating_add(indices.div_ceil(2))
        }
        Kind::Line => 2 + usize::from(gouraud),
        Kind::Sprite => 3 - usize::from(mode & mode::SPRITE_SIZE != 0),
    })
}

/// Decodes the words, whose number has been checked.
fn body(mut words: &[u8], flag: u8, mode: u8) -> Body {
    let input = &mut words;
    let body = match kind(mode) {
        Some(Kind::Polygon) => polygon(input, &Layout::of_polygon(flag, mode)).map(Body::Polygon),
        Some(Kind::Line) => line(input, mode & mode::GOURAUD != 0).map(Body::Line),
        Some(Kind::Sprite) => Ok(Body::Sprite),
        None => Ok(Body::Unknown),
    };
    body.unwrap_or(Body::Unknown)
}

fn polygon(input: &mut &[u8], layout: &Layout) -> Result<Polygon, EmptyError> {
    let mut corners = [Corner::default(); 4];
    let used = corners.get_mut(..layout.corners).unwrap_or_default();
    // The first value after u and v is the palette, the second is the page; the others have no
    // meaning.
    let mut places = [0; 4];
    for (corner, place) in used.iter_mut().zip(&mut places).take(layout.uvs) {
        corner.uv = Some([u8.parse_next(input)?, u8.parse_next(input)?]);
        *place = le_u16.parse_next(input)?;
    }
    let mut last = None;
    for (number, corner) in used.iter_mut().enumerate() {
        if number < layout.colors {
            last = Some(color(input)?);
        }
        corner.color = last;
    }
    let mut last = None;
    for (number, corner) in used.iter_mut().enumerate() {
        if number < layout.normals {
            last = Some(le_u16.parse_next(input)?);
        }
        corner.normal = last;
        corner.vertex = le_u16.parse_next(input)?;
    }
    let [clut, page, ..] = places;
    Ok(Polygon {
        corners,
        quad: layout.corners == 4,
        texture: (layout.uvs > 0).then_some(Texture { clut, page }),
    })
}

fn line(input: &mut &[u8], gouraud: bool) -> Result<Line, EmptyError> {
    let first = color(input)?;
    let second = if gouraud { color(input)? } else { first };
    Ok(Line {
        vertices: [le_u16.parse_next(input)?, le_u16.parse_next(input)?],
        colors: [first, second],
    })
}

/// Reads red, green and blue, and skips a byte of the drawing command.
fn color(input: &mut &[u8]) -> Result<[u8; 3], EmptyError> {
    let (red, green, blue, _) = (u8, u8, u8, u8).parse_next(input)?;
    Ok([red, green, blue])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table in `docs/tmd-anm.md`: the modes of the triangle and the quad, the flag, and the
    /// word counts of both.
    #[test]
    fn every_kind_has_its_length() {
        let table = [
            (0x20, 0x28, 0, 3, 4),
            (0x30, 0x38, 0, 4, 5),
            (0x20, 0x28, 4, 5, 7),
            (0x30, 0x38, 4, 6, 8),
            (0x24, 0x2c, 0, 5, 7),
            (0x34, 0x3c, 0, 6, 8),
            (0x21, 0x29, 1, 3, 3),
            (0x31, 0x39, 1, 5, 6),
            (0x25, 0x2d, 1, 6, 7),
            (0x35, 0x3d, 1, 8, 10),
        ];
        for (triangle, quad, flag, of_triangle, of_quad) in table {
            // Double-sided and semi-transparent packets have the same length.
            for (flag, bit) in [(flag, 0), (flag | 2, 0), (flag, 2)] {
                assert_eq!(
                    expected_words(flag, triangle | bit),
                    Some(of_triangle),
                    "{triangle:#x}"
                );
                assert_eq!(expected_words(flag, quad | bit), Some(of_quad), "{quad:#x}");
            }
        }
        for (mode, words) in [(0x40, 2), (0x50, 3), (0x64, 3), (0x6c, 2), (0x74, 2), (0x7c, 2)] {
            assert_eq!(expected_words(1, mode), Some(words), "{mode:#x}");
        }
        for (flag, mode) in [(0, 0x00), (0, 0x10), (0, 0x80), (0, 0xe1), (1, 0x44), (1, 0x48)] {
            assert_eq!(expected_words(flag, mode), None, "{mode:#x}");
        }
    }

    fn read(bytes: &[u8]) -> Body {
        Packet::read(bytes, 0).unwrap().body
    }

    #[test]
    fn a_textured_quad_with_normals() {
        let Body::Polygon(polygon) = read(&[
            9, 8, 0, 0x3c, 1, 2, 0x34, 0x12, 3, 4, 0x1a, 0, 5, 6, 9, 9, 7, 8, 9, 9, 10, 0, 20, 0,
            11, 0, 21, 0, 12, 0, 22, 0, 13, 0, 23, 1,
        ]) else {
            panic!()
        };
        assert_eq!(polygon.texture, Some(Texture { clut: 0x1234, page: 0x001a }));
        let corner =
            |normal, vertex, uv| Corner { vertex, normal: Some(normal), color: None, uv: Some(uv) };
        assert_eq!(
            polygon.corners(),
            [
                corner(10, 20, [1, 2]),
                corner(11, 21, [3, 4]),
                corner(12, 22, [5, 6]),
                corner(13, 279, [7, 8])
            ]
        );
    }

    #[test]
    fn shared_values_are_repeated_in_every_corner() {
        let Body::Polygon(flat) = read(&[0, 3, 0, 0x20, 1, 2, 3, 0x20, 7, 0, 4, 0, 5, 0, 6, 0])
        else {
            panic!()
        };
        let corner = |vertex| Corner { vertex, normal: Some(7), color: Some([1, 2, 3]), uv: None };
        assert_eq!(flat.corners(), [4, 5, 6].map(corner));
        let line = |colors| Body::Line(Line { vertices: [1, 2], colors });
        assert_eq!(read(&[0, 2, 1, 0x40, 1, 2, 3, 0x40, 1, 0, 2, 0]), line([[1, 2, 3]; 2]));
        assert_eq!(
            read(&[0, 3, 1, 0x50, 1, 2, 3, 0x50, 4, 5, 6, 0, 1, 0, 2, 0]),
            line([[1, 2, 3], [4, 5, 6]])
        );
    }

    #[test]
    fn unknown_packets_are_kept() {
        let bytes = [0, 1, 1, 0x40, 1, 2, 3, 0x40];
        let packet = Packet::read(&bytes, 0).unwrap();
        assert_eq!(
            (packet.body, packet.words, packet.span),
            (Body::Unknown, &bytes[4..], Span::new(0, 8))
        );
        assert_eq!(Packet::read(&bytes, 1), None);
    }
}
