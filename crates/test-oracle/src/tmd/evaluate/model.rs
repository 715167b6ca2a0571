//! TMD: vertices and primitives.

use super::{ONE, u16_at, u32_at, vector_at};

const HEADER: usize = 12;
const ENTRY: usize = 28;

#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    pub objects: Vec<Object>,
}

/// An object, which has one matrix. Primitives of the same kind are in packet order; the order of
/// kinds is not preserved.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Object {
    /// Triangles, and quads split in two.
    pub triangles: Vec<Triangle>,
    pub lines: Vec<Line>,
    /// Degenerate lines, from a vertex to itself.
    pub dots: Vec<Dot>,
    /// Number of sprites.
    pub sprites: usize,
    /// Number of packets whose kind, or whose length for that kind, is not in the packet table.
    pub unknown: usize,
    /// Number of primitives with missing vertices; they are omitted.
    pub outside: usize,
    /// Number of vertices, including unused vertices.
    pub vertices: usize,
    /// The scale exponent, which Sony's library ignores. Positions are not multiplied by it.
    pub scale: i32,
}

/// A triangle or half a quad.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Triangle {
    /// The corners, clockwise as seen from the front. The conversion from file axes to glTF axes is
    /// a rotation, so the winding is the same in both.
    pub corners: [Corner; 3],
    pub style: Style,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Whether lighting is ignored.
    pub unlit: bool,
    /// Whether both sides are visible.
    pub double_sided: bool,
    /// Whether the primitive is blended with the background.
    pub semi_transparent: bool,
    /// The location of its texture's CLUT.
    pub clut: Option<u16>,
    /// The location of its texture.
    pub tpage: Option<u16>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Corner {
    /// The position in file units.
    pub position: [f64; 3],
    /// The normal, not normalised. `None` if the corner is unlit, or if its normal is missing.
    pub normal: Option<[f64; 3]>,
    /// The red, green and blue values as stored.
    pub colour: Option<[u8; 3]>,
    /// The horizontal and vertical texture coordinates, in pixels of the texture page.
    pub uv: Option<[u8; 2]>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Both ends: the position in file units and red, green, blue as stored.
    pub ends: [([f64; 3], [u8; 3]); 2],
    /// Whether the line is blended with the background.
    pub semi_transparent: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dot {
    /// The position in file units.
    pub place: [f64; 3],
    /// The red, green and blue values as stored.
    pub colour: [u8; 3],
    /// Whether the dot is blended with the background.
    pub semi_transparent: bool,
}

/// Parses a file.
///
/// # Panics
///
/// On an invalid magic number, and on offsets outside the file.
pub fn model(bytes: &[u8]) -> Model {
    assert_eq!(u32_at(bytes, 0), 0x41, "not a TMD");
    let count = u32_at(bytes, 8) as usize;
    let entries: Vec<[u32; 7]> = (0..count)
        .map(|i| std::array::from_fn(|word| u32_at(bytes, HEADER + ENTRY * i + 4 * word)))
        .collect();
    let place = addressing(bytes, &entries);
    Model { objects: entries.iter().map(|entry| object(bytes, entry, &place)).collect() }
}

/// Returns a function that converts a `top` to an offset in the file.
fn addressing(bytes: &[u8], entries: &[[u32; 7]]) -> impl Fn(u32) -> usize + use<> {
    let base = if u32_at(bytes, 4) & 1 == 0 {
        HEADER as i64
    } else {
        // Offsets and minimum sizes of the vertices, normals and primitives.
        let blocks = entries.iter().flat_map(|e| {
            [(e[0], 8 * u64::from(e[1])), (e[2], 8 * u64::from(e[3])), (e[4], 4 * u64::from(e[5]))]
        });
        let used: Vec<(u32, u64)> = blocks.filter(|&(_, size)| size > 0).collect();
        let fits = used.iter().all(|&(top, size)| u64::from(top) + size <= bytes.len() as u64);
        let smallest = used.iter().map(|&(top, _)| top).min().unwrap_or(0);
        if fits { 0 } else { (HEADER + ENTRY * entries.len()) as i64 - i64::from(smallest) }
    };
    move |top| usize::try_from(i64::from(top) + base).unwrap()
}

fn object(bytes: &[u8], entry: &[u32; 7], place: &dyn Fn(u32) -> usize) -> Object {
    let &[vertices, vertex_count, normals, normal_count, primitives, primitive_count, scale] =
        entry;
    let vectors = |top: u32, count: u32, one: f64| -> Vec<[f64; 3]> {
        (0..count as usize)
            .map(|i| vector_at(bytes, place(top) + 8 * i).map(|x| f64::from(x) / one))
            .collect()
    };
    let vertices = vectors(vertices, vertex_count, 1.0);
    let normals = vectors(normals, normal_count, ONE);
    let mut object = Object { vertices: vertices.len(), scale: scale as i32, ..Object::default() };
    let mut at = if primitive_count == 0 { 0 } else { place(primitives) };
    for _ in 0..primitive_count {
        let size = 4 + 4 * usize::from(bytes[at + 1]);
        object.draw(&bytes[at..at + size], &vertices, &normals);
        at += size;
    }
    object
}

impl Object {
    /// Adds the primitive of a packet.
    fn draw(&mut self, packet: &[u8], vertices: &[[f64; 3]], normals: &[[f64; 3]]) {
        let (flag, mode, body) = (packet[2], packet[3], &packet[4..]);
        match mode >> 5 {
            1 => match polygon(flag, mode, body) {
                Some(polygon) => self.add_polygon(&polygon, vertices, normals),
                None => self.unknown += 1,
            },
            2 if mode & 0x0C == 0 => self.add_line(mode, body, vertices),
            3 => self.sprites += 1,
            _ => self.unknown += 1,
        }
    }

    fn add_polygon(&mut self, polygon: &Polygon, vertices: &[[f64; 3]], normals: &[[f64; 3]]) {
        let corner = |(i, &(vertex, normal)): (usize, &(usize, Option<usize>))| {
            Some(Corner {
                position: *vertices.get(vertex)?,
                normal: normal.and_then(|normal| normals.get(normal).copied()),
                colour: polygon.colours.get(i).copied(),
                uv: polygon.uvs.get(i).copied(),
            })
        };
        let corners: Option<Vec<Corner>> = polygon.indices.iter().enumerate().map(corner).collect();
        let Some(corners) = corners else {
            self.outside += 1;
            return;
        };
        // The corners of a quad are in Z order.
        let triangles: &[[usize; 3]] =
            if corners.len() == 4 { &[[0, 1, 2], [1, 3, 2]] } else { &[[0, 1, 2]] };
        let style = polygon.style;
        let triangle = |of: &[usize; 3]| Triangle { corners: of.map(|i| corners[i]), style };
        self.triangles.extend(triangles.iter().map(triangle));
    }

    fn add_line(&mut self, mode: u8, body: &[u8], vertices: &[[f64; 3]]) {
        let colours = if mode & 0x10 == 0 { 1 } else { 2 };
        if body.len() != 4 * colours + 4 {
            self.unknown += 1;
            return;
        }
        let indices = [0, 2].map(|offset| usize::from(u16_at(body, 4 * colours + offset)));
        let [Some(&a), Some(&b)] = indices.map(|index| vertices.get(index)) else {
            self.outside += 1;
            return;
        };
        let (first, last) = (colour(body, 0), colour(body, colours - 1));
        let semi_transparent = mode & 2 != 0;
        if indices[0] == indices[1] {
            self.dots.push(Dot { place: a, colour: first, semi_transparent });
        } else {
            self.lines.push(Line { ends: [(a, first), (b, last)], semi_transparent });
        }
    }

    /// Returns the factor for all positions if the scale is applied.
    pub fn scale_factor(&self) -> f64 {
        2.0f64.powi(self.scale)
    }
}

/// A triangle or quad as described by a packet.
struct Polygon {
    /// For each corner, its vertex, and its normal if it is lit.
    indices: Vec<(usize, Option<usize>)>,
    /// The colours, one per corner, or empty.
    colours: Vec<[u8; 3]>,
    /// The texture coordinates, one per corner, or empty.
    uvs: Vec<[u8; 2]>,
    style: Style,
}

/// Decodes a packet. `None` if the length of the body does not match the kind of packet.
fn polygon(flag: u8, mode: u8, body: &[u8]) -> Option<Polygon> {
    let (gouraud, textured, unlit) = (mode & 0x10 != 0, mode & 0x04 != 0, flag & 1 != 0);
    let n: usize = if mode & 0x08 == 0 { 3 } else { 4 };
    let uv_words = if textured { n } else { 0 };
    let of_corners = if unlit { gouraud } else { flag & 4 != 0 };
    let colour_words = match (textured && !unlit, of_corners) {
        (true, _) => 0,
        (false, true) => n,
        (false, false) => 1,
    };
    let index_count = match (unlit, gouraud) {
        (true, _) => n,
        (false, true) => 2 * n,
        (false, false) => 1 + n,
    };
    if body.len() != 4 * (uv_words + colour_words + index_count.div_ceil(2)) {
        return None;
    }
    let colours = &body[4 * uv_words..];
    let index = |i: usize| usize::from(u16_at(colours, 4 * colour_words + 2 * i));
    Some(Polygon {
        indices: (0..n)
            .map(|i| match (unlit, gouraud) {
                (true, _) => (index(i), None),
                (false, true) => (index(2 * i + 1), Some(index(2 * i))),
                (false, false) => (index(1 + i), Some(index(0))),
            })
            .collect(),
        colours: (0..n)
            .filter(|_| colour_words > 0)
            .map(|i| colour(colours, i.min(colour_words - 1)))
            .collect(),
        uvs: (0..uv_words).map(|i| [body[4 * i], body[4 * i + 1]]).collect(),
        style: Style {
            unlit,
            double_sided: flag & 2 != 0,
            semi_transparent: mode & 2 != 0,
            clut: textured.then(|| u16_at(body, 2)),
            tpage: textured.then(|| u16_at(body, 6)),
        },
    })
}

/// Returns the colour in word `i`.
fn colour(words: &[u8], i: usize) -> [u8; 3] {
    [words[4 * i], words[4 * i + 1], words[4 * i + 2]]
}
