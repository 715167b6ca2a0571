//! TMD models, and TMD ANM and ANC animations. These formats are binary.

use super::family::Content::Bytes;
use super::family::Family;

pub(super) fn families() -> Vec<Family> {
    let of = |name, extension, generate| Family::new(name, extension, Bytes(generate));
    vec![
        of("tmd objects", "tmd", |count| tmd(count, 3, 1, &FLAT)),
        of("tmd vertices", "tmd", |count| tmd(1, count, 1, &FLAT)),
        of("tmd flat primitives", "tmd", |count| tmd(1, 3, count, &FLAT)),
        of("tmd unlit primitives", "tmd", |count| tmd(1, 3, count, &UNLIT)),
        of("tmd textured primitives", "tmd", |count| tmd(1, 3, count, &TEXTURED)),
        of("tmd lines", "tmd", |count| tmd(1, 3, count, &LINE)),
        of("tmd unknown primitives", "tmd", |count| tmd(1, 3, count, &[0, 0, 0, 0xff])),
        of("tmd-anm frames", "anm", |count| anm(count.min(MOST), 1, 0)),
        of("tmd-anm empty frames", "anm", |count| anm(count.min(MOST), 0, 0)),
        of("tmd-anm keys of an object", "anm", |count| anm(1, count.min(MOST), 0)),
        of("tmd-anm keys of objects", "anm", |count| anm(1 + count.min(MOST) / 60, 60, 1)),
        of("tmd-anc records", "anc", anc),
        of("tmd model and frames", "tmd", |_| tmd(60, 3, 1, &FLAT))
            .with_input("walk.anm", Bytes(|count| anm(1 + count.min(MOST) / 60, 60, 1))),
        of("tmd objects and frames", "tmd", |count| tmd(count, 3, 1, &FLAT))
            .with_input("walk.anm", Bytes(|count| anm(count.min(MOST), 1, 1))),
    ]
}

/// The maximum number of keys, since a file has at most 128 KiB.
const MOST: usize = 12_000;

/// A flat triangle, an unlit triangle, a flat textured triangle and a line.
const FLAT: [u8; 16] = [4, 3, 0, 0x20, 255, 0, 0, 0x20, 0, 0, 0, 0, 1, 0, 2, 0];
const UNLIT: [u8; 16] = [4, 3, 1, 0x21, 255, 0, 0, 0x21, 0, 0, 1, 0, 2, 0, 0, 0];
const TEXTURED: [u8; 24] =
    [7, 5, 0, 0x24, 0, 0, 0, 0, 255, 0, 0, 0, 0, 255, 0, 0, 0, 0, 0, 0, 1, 0, 2, 0];
const LINE: [u8; 12] = [3, 2, 1, 0x40, 255, 0, 0, 0x40, 0, 0, 1, 0];

/// Returns a model of objects with equal vertices, one normal and equal packets.
fn tmd(objects: usize, vertices: usize, packets: usize, packet: &[u8]) -> Vec<u8> {
    let length = 8 * vertices + 8 + packet.len() * packets;
    let mut file = words([0x41, 0, objects]);
    for object in 0..objects {
        let top = 28 * objects + length * object;
        let normals = top + 8 * vertices;
        file.extend(words([top, vertices, normals, 1, normals + 8, packets, 0]));
    }
    for _ in 0..objects {
        let vertex = |number: usize| halves([number % 2, number / 2 % 1000, number % 7, 0]);
        file.extend((0..vertices).flat_map(vertex));
        file.extend(halves([0, 0, 4096, 0]));
        file.extend((0..packets).flat_map(|_| packet));
    }
    file
}

/// Returns an animation with a number of keys per frame. The object of a key is its number times
/// `step`, modulo 250.
fn anm(frames: usize, keys: usize, step: usize) -> Vec<u8> {
    // A key with a position takes eight bytes.
    let most = 60_000 / (1 + 4 * keys);
    let frames = frames.min(most.max(1));
    let keys = keys.min((60_000 - frames) / 4 / frames);
    let mut file = halves([0x8000, 30, frames]);
    file.extend(halves((0..=frames).map(|frame| 4 + frames + 4 * keys * frame)));
    for frame in 0..frames {
        for key in 0..keys {
            let object = u8::try_from(key * step % 250).unwrap_or_default();
            file.extend([object, 4]);
            file.extend(halves([frame % 1000, key % 1000, 0]));
        }
    }
    file
}

fn anc(records: usize) -> Vec<u8> {
    let records = records.min(60_000);
    let mut file = halves([0x8000, 30, records]);
    file.extend((0..records).flat_map(|record| halves([record % 1000, 0, 0, 0, 0, 9, 0, 800])));
    file
}

/// Returns little-endian 16-bit values.
fn halves(numbers: impl IntoIterator<Item = usize>) -> Vec<u8> {
    numbers.into_iter().flat_map(bytes::<2>).collect()
}

/// Returns little-endian 32-bit values.
fn words(numbers: impl IntoIterator<Item = usize>) -> Vec<u8> {
    numbers.into_iter().flat_map(bytes::<4>).collect()
}

fn bytes<const N: usize>(number: usize) -> [u8; N] {
    number.to_le_bytes().first_chunk().copied().unwrap_or([0; N])
}
