//! Mutations that know the structure of a file: tokens of texts, and the counts and offsets of
//! binary files. Plain mutations of bytes rarely get past the header of a binary file.

use anim_formats::Format;
use conformance::mutations;

use crate::input::{self, Record};

/// A function that mutates bytes in place, given their length and the most it may become.
/// libFuzzer's is `fuzzer_mutate`.
pub type Plain = fn(&mut [u8], usize, usize) -> usize;

/// Mutates the input of a target for single files. Returns the new length.
pub fn one(data: &mut [u8], size: usize, most: usize, seed: u32, plain: Plain) -> usize {
    let Some((format, file)) = input::file(&data[..size]) else { return plain(data, size, most) };
    let header = size - file.len();
    if seed.is_multiple_of(8) {
        return plain(data, size, most);
    }
    let mutated = mutated(format, file, seed, most.saturating_sub(header), plain);
    put(data, header, &mutated, most)
}

/// Mutates one record of an input. Returns the new length.
pub fn several(
    data: &mut [u8],
    size: usize,
    most: usize,
    records: usize,
    seed: u32,
    plain: Plain,
) -> usize {
    let mut parts = input::records(&data[..size], records);
    if parts.is_empty() || seed.is_multiple_of(8) {
        return plain(data, size, most);
    }
    let chosen = usize::try_from(seed / 8).unwrap_or_default() % parts.len();
    let room = most.saturating_sub(size);
    let Record { bytes, .. } = &parts[chosen];
    let format = parts[chosen].format();
    parts[chosen].bytes = mutated(format, bytes, seed, bytes.len() + room, plain);
    match input::join(&parts, records) {
        Some(joined) => put(data, 0, &joined, most),
        None => plain(data, size, most),
    }
}

fn put(data: &mut [u8], at: usize, file: &[u8], most: usize) -> usize {
    let length = file.len().min(most.saturating_sub(at));
    data[at..at + length].copy_from_slice(&file[..length]);
    at + length
}

/// Returns a mutation of a file, of any length.
fn mutated(format: Format, file: &[u8], seed: u32, most: usize, plain: Plain) -> Vec<u8> {
    let bytes = |bytes: &[u8]| {
        let mut data = bytes.to_vec();
        // There is room for at least one byte, without which nothing can be mutated.
        data.resize(most.max(bytes.len()).max(1), 0);
        let room = data.len();
        let length = plain(&mut data, bytes.len(), room);
        data.truncate(length);
        data
    };
    let tokens = |text: &[u8]| mutations::mutate(text, seed.into());
    match format.id() {
        "gltf" if file.starts_with(b"glTF") => glb(file, seed, tokens, bytes),
        "tmd" => tmd(bytes(file)),
        "tmd-anm" => anm(file, seed, bytes),
        "tmd-anc" => anc(bytes(file)),
        _ if !format.info().is_binary && !seed.is_multiple_of(3) => tokens(file),
        _ => bytes(file),
    }
}

fn word(bytes: &[u8], at: usize) -> usize {
    let word = bytes.get(at..at + 4).and_then(|word| word.try_into().ok());
    word.map_or(0, |word| u32::from_le_bytes(word) as usize)
}

fn half(bytes: &[u8], at: usize) -> usize {
    let half = bytes.get(at..at + 2).and_then(|half| half.try_into().ok());
    half.map_or(0, |half| usize::from(u16::from_le_bytes(half)))
}

/// Mutates the JSON or the buffer of a GLB file, and updates the lengths.
fn glb(
    file: &[u8],
    seed: u32,
    tokens: impl Fn(&[u8]) -> Vec<u8>,
    bytes: impl Fn(&[u8]) -> Vec<u8>,
) -> Vec<u8> {
    let end = 20_usize.saturating_add(word(file, 12));
    let Some(json) = file.get(20..end) else { return bytes(file) };
    let buffer = file.get(end + 8..).unwrap_or_default();
    let (mut json, mut buffer) = match seed % 3 {
        0 => (json.to_vec(), bytes(buffer)),
        _ => (tokens(json), buffer.to_vec()),
    };
    json.resize(json.len().next_multiple_of(4), b' ');
    buffer.resize(buffer.len().next_multiple_of(4), 0);
    let chunk = |kind: &[u8; 4], content: &[u8]| [&length(content.len()), kind, content].concat();
    let mut chunks = chunk(b"JSON", &json);
    if !buffer.is_empty() {
        chunks.extend(chunk(b"BIN\0", &buffer));
    }
    [b"glTF", &2_u32.to_le_bytes(), &length(12 + chunks.len()), &chunks[..]].concat()
}

fn length(bytes: usize) -> [u8; 4] {
    u32::try_from(bytes).unwrap_or(u32::MAX).to_le_bytes()
}

/// The start of the object table of a TMD file.
const TABLE: usize = 12;
/// The size of an object in the table.
const OBJECT: usize = 28;

/// Moves the offsets of a TMD file, and lowers its counts, so that all are within the file.
fn tmd(mut file: Vec<u8>) -> Vec<u8> {
    let Some(space) = file.len().checked_sub(TABLE).filter(|space| *space >= OBJECT) else {
        return file;
    };
    file[..4].copy_from_slice(&0x41_u32.to_le_bytes());
    let objects = word(&file, 8).clamp(1, space / OBJECT);
    file[8..12].copy_from_slice(&length(objects));
    let content = file.len() - TABLE - objects * OBJECT;
    for field in 0..objects * 3 {
        // An offset and a count; each object has three of these and a scale.
        let at = TABLE + field / 3 * OBJECT + field % 3 * 8;
        let offset = objects * OBJECT + word(&file, at) % (content + 1) / 4 * 4;
        let room = (file.len() - TABLE).saturating_sub(offset);
        let count = word(&file, at + 4) % (room / 8 + 1);
        file[at..at + 4].copy_from_slice(&length(offset));
        file[at + 4..at + 8].copy_from_slice(&length(count));
    }
    file
}

/// Mutates the keys of an ANM file, and distributes them over frames.
fn anm(file: &[u8], seed: u32, bytes: impl Fn(&[u8]) -> Vec<u8>) -> Vec<u8> {
    let start = 2 * half(file, 6);
    let (Some(header), Some(keys)) = (file.get(..4), file.get(start..)) else { return bytes(file) };
    let mut keys = bytes(keys);
    keys.truncate((keys.len() & !1).min(0xffff));
    // The number of bytes of all frames up to and including each frame.
    let (mut ends, mut at) = (Vec::new(), 0);
    while let Some(flags) = keys.get(at + 1) {
        let parts = (flags & 7).count_ones() as usize;
        at = (at + 2 + 6 * parts).min(keys.len());
        if !(at + seed as usize).is_multiple_of(3) {
            ends.push(at);
        }
    }
    let frames = ends.len();
    let mut packed = [header, &half_of(frames)].concat();
    for end in [0].into_iter().chain(ends) {
        packed.extend(half_of(4 + frames + end / 2));
    }
    packed.extend(keys);
    packed
}

fn half_of(number: usize) -> [u8; 2] {
    u16::try_from(number).unwrap_or(u16::MAX).to_le_bytes()
}

/// Corrects the number of records of an ANC file.
fn anc(mut file: Vec<u8>) -> Vec<u8> {
    if let Some(records) = file.len().checked_sub(6).map(|bytes| bytes / 16) {
        file.truncate(6 + 16 * records);
        file[4..6].copy_from_slice(&half_of(records));
    }
    file
}
