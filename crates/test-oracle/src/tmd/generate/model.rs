//! TMD files.

use std::f64::consts::TAU;

use super::bytes::{junk, number, push};
use crate::random::Rng;

const HEADER: usize = 12;
const ENTRY: usize = 28;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModelOptions {
    /// The form of offsets in the file.
    pub addresses: Addresses,
    pub content: Content,
    pub case: ModelCase,
    pub objects: usize,
}

impl Default for ModelOptions {
    fn default() -> Self {
        let (addresses, content) = (Addresses::Offsets, Content::All);
        Self { addresses, content, case: ModelCase::Good, objects: 5 }
    }
}

cases! {
    /// The form of offsets in the file.
    pub enum Addresses {
        /// FIXP 0: relative to the object table.
        Offsets,
        /// FIXP 1: relative to the start of the file.
        File,
        /// FIXP 1: memory addresses.
        Memory,
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// All kinds of packets in each object.
    All,
    /// As in the game's files: mostly lines, some dots, a few black unlit polygons.
    Lines,
}

cases! {
    pub enum ModelCase {
        Good,
        /// In each object, one triangle and one line refer to a missing vertex.
        OutsideVertices,
        /// Each object has one packet of an unknown kind, and one that is too long for its kind.
        UnknownPackets,
        /// Every other object is empty.
        EmptyObjects,
    }
}

/// A kind of packet in the notes' table.
#[derive(Clone, Copy, Debug)]
struct Kind {
    mode: u8,
    flag: u8,
    /// The length of the packet's body in words.
    length: u8,
}

const fn kind(mode: u8, flag: u8, length: u8) -> Kind {
    Kind { mode, flag, length }
}

const POLYGONS: [Kind; 20] = [
    kind(0x20, 0, 3),
    kind(0x28, 0, 4),
    kind(0x30, 0, 4),
    kind(0x38, 0, 5),
    kind(0x20, 4, 5),
    kind(0x28, 4, 7),
    kind(0x30, 4, 6),
    kind(0x38, 4, 8),
    kind(0x24, 0, 5),
    kind(0x2C, 0, 7),
    kind(0x34, 0, 6),
    kind(0x3C, 0, 8),
    kind(0x21, 1, 3),
    kind(0x29, 1, 3),
    kind(0x31, 1, 5),
    kind(0x39, 1, 6),
    kind(0x25, 1, 6),
    kind(0x2D, 1, 7),
    kind(0x35, 1, 8),
    kind(0x3D, 1, 10),
];
const LINES: [Kind; 2] = [kind(0x40, 1, 2), kind(0x50, 1, 3)];
const SPRITES: [Kind; 4] = [kind(0x64, 1, 3), kind(0x6C, 1, 2), kind(0x74, 1, 2), kind(0x7C, 1, 2)];

/// Generates a file.
///
/// [`Content::All`] adds the following to each non-empty object, in any order: all ten kinds of
/// triangles and all ten kinds of quads, with colours, palettes and texture pages, one- or
/// two-sided, opaque or translucent; both kinds of lines, including dots; and the four kinds of
/// sprites.
pub fn model(rng: &mut Rng, options: &ModelOptions) -> Vec<u8> {
    let &ModelOptions { addresses, content, case, objects } = options;
    assert!(objects < 1000);
    // The content after the table.
    let mut blocks: Vec<(usize, Block, Vec<u8>)> = Vec::new();
    let mut entries = vec![[0u32; 7]; objects];
    for (number, entry) in entries.iter_mut().enumerate() {
        let empty = case == ModelCase::EmptyObjects && number % 2 == 0;
        let [vertices, normals] =
            if empty { [0; 2] } else { [rng.between(4, 40), rng.between(1, 20)] };
        let packets =
            if empty { Vec::new() } else { packets(content, case, vertices, normals, rng) };
        entry[Block::Vertices as usize + 1] = vertices as u32;
        entry[Block::Normals as usize + 1] = normals as u32;
        entry[Block::Primitives as usize + 1] = packets.len() as u32;
        entry[6] = if rng.chance(70) { 0 } else { (rng.below(9) as i32 - 4) as u32 };
        blocks.push((number, Block::Primitives, packets.concat()));
        blocks.push((number, Block::Vertices, (0..vertices).flat_map(|_| vertex(rng)).collect()));
        blocks.push((number, Block::Normals, (0..normals).flat_map(|_| normal(rng)).collect()));
    }
    // Order the blocks by object or by kind, starting with the primitives or the vertices.
    if rng.chance(50) {
        blocks.sort_by_key(|&(_, block, _)| block);
    }

    let mut at = (HEADER + ENTRY * objects) as u32;
    let base = match addresses {
        Addresses::Offsets => (HEADER as u32).wrapping_neg(),
        Addresses::File => 0,
        Addresses::Memory => 0x8001_0000 + 4 * rng.below(0x10_0000) as u32,
    };
    for (number, block, bytes) in &blocks {
        entries[*number][*block as usize] = at.wrapping_add(base);
        at += bytes.len() as u32;
    }
    let fixp = u32::from(addresses != Addresses::Offsets);
    let words = [0x41, fixp, objects as u32].into_iter().chain(entries.into_iter().flatten());
    let mut bytes: Vec<u8> = words.flat_map(u32::to_le_bytes).collect();
    bytes.extend(blocks.into_iter().flat_map(|(_, _, block)| block));
    bytes
}

/// A kind of block. The value is the index of the word in an object's entry that holds the block's
/// offset; the next word holds its count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Block {
    Vertices = 0,
    Normals = 2,
    Primitives = 4,
}

fn vertex(rng: &mut Rng) -> Vec<u8> {
    let mut bytes = Vec::new();
    push(&mut bytes, &[number(rng), number(rng), number(rng), 0]);
    bytes
}

/// Generates a normal of approximately unit length.
fn normal(rng: &mut Rng) -> Vec<u8> {
    let (up, around) = (rng.range(-1.0, 1.0), rng.range(0.0, TAU));
    let across = (1.0 - up * up).sqrt();
    let [x, y, z] =
        [across * around.cos(), up, across * around.sin()].map(|x| (x * 4096.0).round() as i16);
    let mut bytes = Vec::new();
    push(&mut bytes, &[x, y, z, 0]);
    bytes
}

fn packets(
    content: Content,
    case: ModelCase,
    vertices: usize,
    normals: usize,
    rng: &mut Rng,
) -> Vec<Vec<u8>> {
    let any = |rng: &mut Rng| rng.below(vertices);
    let mut packets = Vec::new();
    match content {
        Content::All => {
            for kind in POLYGONS {
                packets.push(polygon(kind, &[0; 4].map(|_| any(rng)), normals, rng));
            }
            for kind in LINES {
                let (a, b) = two(vertices, rng);
                packets.push(line(kind, [a, b], rng));
                packets.push(line(kind, [a, a], rng));
            }
            for kind in SPRITES {
                packets.push(packet(kind, junk(4 * usize::from(kind.length), rng)));
            }
        }
        Content::Lines => {
            for _ in 0..rng.between(5, 40) {
                let (a, b) = two(vertices, rng);
                let b = if rng.chance(10) { a } else { b };
                packets.push(line(LINES[0], [a, b], rng));
            }
            for _ in 0..rng.below(3) {
                let kind = rng.pick(&[kind(0x21, 1, 3), kind(0x29, 1, 3)]);
                let mut black = polygon(kind, &[0; 4].map(|_| any(rng)), normals, rng);
                black[4..7].fill(0);
                packets.push(black);
            }
        }
    }
    match case {
        ModelCase::OutsideVertices => {
            let outside = rng.pick(&[vertices, vertices + 1, 0xFFFF]);
            packets.push(polygon(POLYGONS[2], &[0, outside, 1, 2], normals, rng));
            packets.push(line(LINES[0], [outside, 0], rng));
        }
        ModelCase::UnknownPackets => {
            let mode = rng.pick(&[0x00, 0x80, 0xA0, 0xE0]);
            let unknown = kind(mode, 0, rng.below(12) as u8);
            packets.push(packet(unknown, junk(4 * usize::from(unknown.length), rng)));
            let longer = Kind { length: rng.between(11, 255) as u8, ..rng.pick(&POLYGONS) };
            packets.push(packet(longer, junk(4 * usize::from(longer.length), rng)));
        }
        ModelCase::Good | ModelCase::EmptyObjects => {}
    }
    rng.shuffle(&mut packets);
    packets
}

/// Returns two different vertices.
fn two(vertices: usize, rng: &mut Rng) -> (usize, usize) {
    let a = rng.below(vertices);
    (a, (a + rng.between(1, vertices - 1)) % vertices)
}

/// Returns the packet of a triangle or quad with these vertices (a triangle does not use the
/// fourth).
fn polygon(kind: Kind, vertices: &[usize; 4], normals: usize, rng: &mut Rng) -> Vec<u8> {
    let Kind { mode, flag, .. } = kind;
    let n = if mode & 0x08 == 0 { 3 } else { 4 };
    let (gouraud, textured, lit) = (mode & 0x10 != 0, mode & 0x04 != 0, flag & 1 == 0);
    let mut body = Vec::new();
    if textured {
        for extra in [rng.next_u64() as u16, rng.below(0x200) as u16, 0, 0].into_iter().take(n) {
            body.extend([rng.below(256) as u8, rng.below(256) as u8]);
            body.extend(extra.to_le_bytes());
        }
    }
    let several = if lit { flag & 4 != 0 } else { gouraud };
    if !(textured && lit) {
        body.extend(colours(if several { n } else { 1 }, mode, rng));
    }
    let mut indices: Vec<usize> = Vec::new();
    for (corner, &vertex) in vertices[..n].iter().enumerate() {
        if lit && (gouraud || corner == 0) {
            indices.push(rng.below(normals));
        }
        indices.push(vertex);
    }
    if indices.len() % 2 == 1 {
        indices.push(0);
    }
    body.extend(indices.iter().flat_map(|&index| (index as u16).to_le_bytes()));
    let sides = if rng.chance(30) { 2 } else { 0 };
    let transparency = if rng.chance(30) { 2 } else { 0 };
    packet(Kind { mode: mode | transparency, flag: flag | sides, ..kind }, body)
}

fn line(kind: Kind, vertices: [usize; 2], rng: &mut Rng) -> Vec<u8> {
    let mut body = colours(if kind.mode & 0x10 == 0 { 1 } else { 2 }, kind.mode, rng);
    body.extend(vertices.iter().flat_map(|&index| (index as u16).to_le_bytes()));
    let transparency = if rng.chance(30) { 2 } else { 0 };
    packet(Kind { mode: kind.mode | transparency, ..kind }, body)
}

/// Generates words with red, green and blue. The first word includes the mode.
fn colours(count: usize, mode: u8, rng: &mut Rng) -> Vec<u8> {
    let colour = |i: usize| {
        let [red, green, blue] = [0; 3].map(|_| rng.below(256) as u8);
        [red, green, blue, if i == 0 { mode } else { 0 }]
    };
    (0..count).flat_map(colour).collect()
}

fn packet(kind: Kind, body: Vec<u8>) -> Vec<u8> {
    assert_eq!(body.len(), 4 * usize::from(kind.length), "the length of {kind:x?}");
    // The first byte, the length of the drawn primitive, is unused.
    let mut bytes = vec![kind.length.wrapping_add(1), kind.length, kind.flag, kind.mode];
    bytes.extend(body);
    bytes
}
