//! ANM files.

use super::bytes::{MAGIC, ODD_RATES, RATES, any_i16, junk, numbers, push, put};
use crate::random::Rng;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnmOptions {
    /// The deviation from the canonical form.
    pub case: AnmCase,
    /// Number of frames, at least 4. [`AnmCase::NoFrames`] ignores it.
    pub frames: usize,
    /// Number of animated objects, 1 to 255.
    pub objects: usize,
}

impl Default for AnmOptions {
    fn default() -> Self {
        Self { case: AnmCase::Canonical, frames: 12, objects: 5 }
    }
}

cases! {
    /// A deviation from the canonical form. Files are canonical otherwise.
    pub enum AnmCase {
        Canonical,
        /// The file has no frames. (Canonical.)
        NoFrames,
        /// Some frames are empty. (Canonical.)
        EmptyFrames,
        /// The file has bytes between the table and the first frame.
        Gap,
        /// The first frame starts within or before the table.
        Overlap,
        /// A frame ends before it starts. The next frame repeats the preceding content.
        Reversed,
        /// The file ends with one to three zero bytes.
        TrailingZeros,
        /// The file ends with a non-zero byte.
        TrailingByte,
        /// The file has many trailing bytes.
        TrailingData,
        /// The file ends within or before its last key.
        Truncated,
        /// A frame ends within its last key.
        CrossingKey,
        /// The magic number is different; in some files it is the big-endian magic number.
        BadMagic,
        /// The rate does not occur in the game's files.
        OddRate,
        /// Some keys have undefined flags.
        UnknownFlags,
        /// Some frames have two keys for an object.
        DuplicateKeys,
        /// Object 255 also has keys.
        OutsideObject,
    }
}

/// Generates a file with keys with all combinations of flags, for objects that appear and
/// disappear. In some files, all objects are in every frame.
pub fn anm(rng: &mut Rng, options: &AnmOptions) -> Vec<u8> {
    let &AnmOptions { case, frames, objects } = options;
    assert!(frames >= 4 && (1..=255).contains(&objects));
    let mut content =
        if case == AnmCase::NoFrames { Vec::new() } else { new_frames(frames, objects, rng) };
    change_keys(&mut content, case, rng);

    let mut bytes = Vec::new();
    let rate = if case == AnmCase::OddRate { rng.pick(&ODD_RATES) } else { rng.pick(&RATES) };
    push(&mut bytes, &[MAGIC as i16, rate, content.len() as i16]);
    let mut at = 4 + content.len();
    let mut table = vec![at];
    for frame in &content {
        at += frame.iter().map(Vec::len).sum::<usize>() / 2;
        table.push(at);
    }
    let mut body = content.concat().concat();
    change_layout(&mut bytes, &mut table, &mut body, case, rng);
    for entry in table {
        bytes.extend(u16::try_from(entry).expect("an offset that fits the table").to_le_bytes());
    }
    bytes.extend(body);
    if case == AnmCase::Truncated {
        let last_key = content.last().unwrap().last().unwrap().len();
        bytes.truncate(bytes.len() - rng.between(1, last_key));
    }
    bytes
}

/// The frames in which an object has a key.
#[derive(Clone, Copy)]
enum Presence {
    Always,
    Never,
    Sometimes,
    /// In all frames except a range.
    Away(usize, usize),
}

/// Generates the keys of each frame as bytes.
fn new_frames(count: usize, objects: usize, rng: &mut Rng) -> Vec<Vec<Vec<u8>>> {
    let mut order: Vec<usize> = (0..objects).collect();
    if rng.chance(30) {
        rng.shuffle(&mut order);
    }
    let habits: Vec<(Presence, Option<u8>)> = (0..objects)
        .map(|object| {
            let away = rng.below(count);
            let presence = [
                Presence::Always,
                Presence::Sometimes,
                Presence::Away(away, rng.between(away, count)),
                Presence::Never,
            ];
            // The first object is always present, so frames are only empty on request.
            let presence = if object == 0 { Presence::Always } else { rng.pick(&presence) };
            // In most files, all keys of an object have the same flags.
            (presence, rng.chance(60).then(|| rng.below(8) as u8))
        })
        .collect();
    let mut frame = |number: usize| {
        let mut keys = Vec::new();
        for &object in &order {
            let (presence, flags) = habits[object];
            let present = match presence {
                Presence::Always => true,
                Presence::Never => false,
                Presence::Sometimes => rng.chance(50),
                Presence::Away(start, end) => !(start..end).contains(&number),
            };
            if present {
                let flags = flags.unwrap_or_else(|| rng.below(8) as u8);
                keys.push(key(object as u8, flags, rng));
            }
        }
        keys
    };
    (0..count).map(&mut frame).collect()
}

fn key(object: u8, flags: u8, rng: &mut Rng) -> Vec<u8> {
    let mut bytes = vec![object, flags];
    if flags & 1 != 0 {
        // Angles are positive or negative, and include values above 360° and exact multiples of
        // 90°.
        let angles = [0; 3]
            .map(|_| if rng.chance(30) { 1024 * (rng.below(17) as i16 - 8) } else { any_i16(rng) });
        push(&mut bytes, &angles);
    }
    if flags & 2 != 0 {
        let scale = match rng.below(6) {
            0 => [4096; 3],
            1 => [rng.pick(&[0, 2048, -4096, 8192, i16::MIN, i16::MAX]); 3],
            2 => [0; 3].map(|_| rng.pick(&[0, 4096, -4096])),
            _ => [0; 3].map(|_| any_i16(rng)),
        };
        push(&mut bytes, &scale);
    }
    if flags & 4 != 0 {
        push(&mut bytes, &numbers(rng));
    }
    bytes
}

/// Applies a deviation in the frames.
fn change_keys(frames: &mut [Vec<Vec<u8>>], case: AnmCase, rng: &mut Rng) {
    let certain = rng.below(frames.len().max(1));
    for (number, frame) in frames.iter_mut().enumerate() {
        let chosen = number == certain || rng.chance(40);
        match case {
            AnmCase::EmptyFrames if chosen => frame.clear(),
            AnmCase::UnknownFlags if chosen => {
                let key = rng.below(frame.len());
                frame[key][1] |= (rng.between(1, 31) as u8) << 3;
            }
            AnmCase::DuplicateKeys if chosen => {
                let object = rng.below(frame.len());
                let (object, flags) = (frame[object][0], rng.below(8) as u8);
                frame.insert(rng.below(frame.len() + 1), key(object, flags, rng));
            }
            AnmCase::OutsideObject if chosen => frame.push(key(255, rng.below(8) as u8, rng)),
            _ => {}
        }
    }
}

/// Applies a deviation in the header, the table (half-words) or the end of the file.
fn change_layout(
    header: &mut [u8],
    table: &mut [usize],
    body: &mut Vec<u8>,
    case: AnmCase,
    rng: &mut Rng,
) {
    let last = table.len() - 1;
    match case {
        AnmCase::Gap => {
            let half_words = rng.between(1, 20);
            table.iter_mut().for_each(|entry| *entry += half_words);
            body.splice(0..0, junk(2 * half_words, rng));
        }
        AnmCase::Overlap => table[0] = rng.below(table[0]),
        AnmCase::Reversed => {
            let frame = rng.between(1, last - 2);
            table[frame + 1] = table[rng.below(frame)];
        }
        AnmCase::TrailingZeros => body.extend(vec![0; rng.between(1, 3)]),
        AnmCase::TrailingByte => body.extend(junk(1, rng)),
        AnmCase::TrailingData => body.extend(junk(rng.between(4, 1024), rng)),
        AnmCase::CrossingKey => {
            let frame = rng.below(last);
            let end = 2 * (table[frame + 1] - table[0]);
            // The frame now ends after two to six bytes of a key with 8 or 20 bytes.
            let kept = rng.between(1, 3);
            let mut cut = vec![0, 1 + 6 * u8::from(rng.chance(50))];
            push(&mut cut, &numbers(rng));
            cut.truncate(2 * kept);
            body.splice(end..end, cut);
            table[frame + 1..].iter_mut().for_each(|entry| *entry += kept);
        }
        AnmCase::BadMagic => put(header, 0, rng.pick(&[0x0080, 0, 0x8001, 0x0041, 0xFFFF])),
        _ => {}
    }
}
