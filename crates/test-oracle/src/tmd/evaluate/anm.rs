//! ANM: the transforms of objects over time.

use std::collections::BTreeSet;
use std::f64::consts::TAU;

use super::{ONE, Order, TURN, frame_rate, i16_at, u16_at, vector_at};
use crate::math::{Mat4, mul, rotation, scaling, translation};

#[derive(Clone, Debug, PartialEq)]
pub struct Anm {
    /// The magic number in the file, normally 0x8000.
    pub magic: u16,
    /// The rate as stored in the file.
    pub rate_field: i16,
    /// Frames per second.
    pub rate: f64,
    /// The frames, as many as the header declares.
    pub frames: Vec<Frame>,
    /// The bytes between the table and the first frame.
    pub gap: Vec<u8>,
    /// The bytes after the end of the last frame according to the table.
    pub trailing: Vec<u8>,
    /// Whether the first frame starts before the end of the table.
    pub overlaps_header: bool,
    /// Whether the end according to the table is past the end of the file.
    pub truncated: bool,
}

/// The content between two entries of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    pub keys: Vec<Key>,
    /// The rest of the frame, from a key that extends past the end of the frame or of the file.
    pub rest: Vec<u8>,
    /// Whether the frame ends before it starts.
    pub reversed: bool,
}

/// The key of one object in a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    pub object: u8,
    /// Bits 0 to 2: which of the following fields are present.
    pub flags: u8,
    /// The rotation in units of 1/4096 turn.
    pub rotation: Option<[i16; 3]>,
    /// The scale in units of 1/4096.
    pub scale: Option<[i16; 3]>,
    /// The position in model units.
    pub position: Option<[i16; 3]>,
}

/// How to interpret keys.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    pub order: Order,
    /// Whether a rotation, scale or position missing from a key keeps its last value. Otherwise it
    /// is the identity.
    pub hold: bool,
    /// The factor for positions. (The caller has to scale the model's points.)
    pub position_factor: f64,
}

impl Default for Options {
    fn default() -> Self {
        Self { order: Order::Zyx, hold: false, position_factor: 1.0 }
    }
}

/// Parses a file, whether or not it is canonical.
///
/// # Panics
///
/// If the header or the table is truncated.
pub fn anm(bytes: &[u8]) -> Anm {
    let count = usize::from(u16_at(bytes, 4));
    let table: Vec<usize> =
        (0..=count).map(|i| 2 * usize::from(u16_at(bytes, 6 + 2 * i))).collect();
    let header = 8 + 2 * count;
    let (first, end) = (table[0], table[count]);
    let part = |start: usize, end: usize| {
        bytes[start.min(bytes.len())..end.clamp(start.min(bytes.len()), bytes.len())].to_vec()
    };
    Anm {
        magic: u16_at(bytes, 0),
        rate_field: i16_at(bytes, 2),
        rate: frame_rate(i16_at(bytes, 2)),
        frames: table.windows(2).map(|ends| frame(&part(ends[0], ends[1]), ends)).collect(),
        gap: part(header, first),
        trailing: part(end.max(header), bytes.len()),
        overlaps_header: first < header,
        truncated: end > bytes.len(),
    }
}

/// Parses a frame from its content. `ends` are its start and end according to the table.
fn frame(bytes: &[u8], ends: &[usize]) -> Frame {
    let mut keys = Vec::new();
    let mut at = 0;
    while let Some((key, size)) = key(&bytes[at..]) {
        keys.push(key);
        at += size;
    }
    Frame { keys, rest: bytes[at..].to_vec(), reversed: ends[1] < ends[0] }
}

/// Parses the first key. Returns the key and its size, if it is complete.
fn key(bytes: &[u8]) -> Option<(Key, usize)> {
    let (&object, &flags) = (bytes.first()?, bytes.get(1)?);
    let mut size = 2;
    let parts = [1, 2, 4].map(|bit| {
        let at = size;
        let present = flags & bit != 0;
        size += if present { 6 } else { 0 };
        (present && size <= bytes.len()).then(|| vector_at(bytes, at))
    });
    let [rotation, scale, position] = parts;
    (size <= bytes.len()).then_some((Key { object, flags, rotation, scale, position }, size))
}

impl Anm {
    /// Returns all objects that have a key in any frame, in ascending order.
    pub fn objects(&self) -> Vec<u8> {
        let objects: BTreeSet<u8> =
            self.frames.iter().flat_map(|frame| &frame.keys).map(|key| key.object).collect();
        objects.into_iter().collect()
    }

    /// Returns the total duration of all frames in seconds.
    pub fn duration(&self) -> f64 {
        self.frames.len() as f64 / self.rate
    }

    /// Returns the time in seconds when a frame starts. It is shown until the next frame starts.
    pub fn start(&self, frame: usize) -> f64 {
        frame as f64 / self.rate
    }

    /// Returns the transform of an object in a frame: the matrix from object space to model space,
    /// in file axes. `None` if the object is hidden.
    pub fn matrix(&self, frame: usize, object: u8, options: &Options) -> Option<Mat4> {
        let shown = self.frames[frame].key_of(object)?;
        // Keys of earlier frames, most recent first.
        let earlier = if options.hold { 0..frame } else { 0..0 };
        let keys: Vec<Key> =
            earlier.rev().filter_map(|before| self.frames[before].key_of(object)).collect();
        let value = |part: fn(&Key) -> Option<[i16; 3]>, factor: f64| {
            let value = part(&shown).or_else(|| keys.iter().find_map(part));
            value.map(|value| value.map(|x| f64::from(x) * factor))
        };
        let angles = value(|key| key.rotation, TAU / TURN).unwrap_or([0.0; 3]);
        let scale = value(|key| key.scale, 1.0 / ONE).unwrap_or([1.0; 3]);
        let position = value(|key| key.position, options.position_factor).unwrap_or([0.0; 3]);
        Some(mul(
            &translation(position),
            &mul(&rotation(options.order.turn(angles)), &scaling(scale)),
        ))
    }
}

impl Frame {
    /// Returns the effective key of an object, which is its last key.
    pub fn key_of(&self, object: u8) -> Option<Key> {
        self.keys.iter().rfind(|key| key.object == object).copied()
    }
}
