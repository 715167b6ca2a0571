//! Keys: where an object is in one frame.

/// A key of one object in one frame. A part that is missing is the identity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Key {
    /// Index of the object in the TMD model, from 0.
    pub object: u8,
    /// Bits 3 to 7 of the flags, in their places; their meaning is unknown. Bits 0 to 2 are ignored
    /// here.
    pub unknown_flags: u8,
    /// Angles about x, y and z; 4096 is one turn, more is allowed.
    pub rotation: Option<[i16; 3]>,
    /// Factors along x, y and z; 4096 is 1.
    pub scale: Option<[i16; 3]>,
    /// x, y and z in the model's unit: +x right, +y down, +z into the screen.
    pub position: Option<[i16; 3]>,
}

const ROTATION: u8 = 1;
const SCALE: u8 = 2;
const POSITION: u8 = 4;
/// Bits without a known meaning.
pub(crate) const UNKNOWN: u8 = !(ROTATION | SCALE | POSITION);

/// Bytes of a key: object, flags, and six for each part that the flags name.
pub(crate) fn size(flags: u8) -> usize {
    // Bit by bit: shorter than counting ones where the processor is not asked to.
    let part = |bit: u8| usize::from(flags & bit != 0);
    2 + 6 * (part(ROTATION) + part(SCALE) + part(POSITION))
}

/// The bytes of the first key, its object and flags among them, and what follows; `None` where
/// there is no whole key.
pub(crate) fn split_first(bytes: &[u8]) -> Option<([u8; 2], &[u8], &[u8])> {
    let [object, flags] = *bytes.first_chunk::<2>()?;
    let (key, rest) = bytes.split_at_checked(size(flags))?;
    Some(([object, flags], key, rest))
}

impl Key {
    /// The flags byte: which parts there are, and the unknown bits.
    #[inline]
    pub fn flags(&self) -> u8 {
        let bit = |part: Option<[i16; 3]>, bit: u8| if part.is_some() { bit } else { 0 };
        bit(self.rotation, ROTATION)
            | bit(self.scale, SCALE)
            | bit(self.position, POSITION)
            | (self.unknown_flags & UNKNOWN)
    }

    /// Bytes that the key takes: 2, 8, 14 or 20.
    pub fn size(&self) -> usize {
        size(self.flags())
    }

    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        out.extend([self.object, self.flags()]);
        for number in [self.rotation, self.scale, self.position].into_iter().flatten().flatten() {
            out.extend(number.to_le_bytes());
        }
    }
}

/// The keys of a frame, in the order of the file.
#[derive(Clone, Debug, Default)]
pub struct Keys<'a> {
    rest: &'a [u8],
}

impl<'a> Keys<'a> {
    pub(crate) const fn new(bytes: &'a [u8]) -> Keys<'a> {
        Keys { rest: bytes }
    }

    /// The bytes of the frame after the keys that were returned: in the end those that are not a
    /// whole key.
    pub const fn rest(&self) -> &'a [u8] {
        self.rest
    }
}

impl Iterator for Keys<'_> {
    type Item = Key;

    #[inline]
    fn next(&mut self) -> Option<Key> {
        // As long as any key, so that there is nothing to ask for each part; only the last keys of
        // a frame are copied for that.
        if let Some(window) = self.rest.first_chunk::<LONGEST>() {
            let key = decode(window);
            self.rest = self.rest.get(size(window[1])..)?;
            return Some(key);
        }
        let (_, bytes, rest) = split_first(self.rest)?;
        let mut window = [0; LONGEST];
        window.get_mut(..bytes.len())?.copy_from_slice(bytes);
        self.rest = rest;
        Some(decode(&window))
    }
}

/// Bytes of a key that has all parts.
const LONGEST: usize = 20;

/// The key that the window starts with. Parts follow each other; those that are absent take no space.
#[inline]
fn decode(window: &[u8; LONGEST]) -> Key {
    let [object, flags, parts @ ..] = window;
    let has = |bit: u8| flags & bit != 0;
    let part = |before: usize| {
        parts.as_chunks::<6>().0.get(before).map_or([0; 3], |bytes| vector_of(*bytes))
    };
    let (rotations, scales) = (usize::from(has(ROTATION)), usize::from(has(SCALE)));
    Key {
        object: *object,
        unknown_flags: flags & UNKNOWN,
        rotation: has(ROTATION).then_some(part(0)),
        scale: has(SCALE).then_some(part(rotations)),
        position: has(POSITION).then_some(part(rotations + scales)),
    }
}

/// Three little-endian numbers.
pub(crate) const fn vector_of([a, b, c, d, e, f]: [u8; 6]) -> [i16; 3] {
    [i16::from_le_bytes([a, b]), i16::from_le_bytes([c, d]), i16::from_le_bytes([e, f])]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_by_flags() {
        assert_eq!([0, 1, 2, 4, 3, 5, 6, 7].map(size), [2, 8, 8, 8, 14, 14, 14, 20]);
        assert_eq!((size(0xf8), size(0xff)), (2, 20));
    }

    #[test]
    fn what_is_written_is_read_and_what_is_cut_is_left() {
        let mut bytes = Vec::new();
        let keys = [
            Key {
                object: 255,
                scale: Some([i16::MIN, -1, i16::MAX]),
                unknown_flags: 0xa8,
                ..Key::default()
            },
            Key::default(),
            Key {
                object: 1,
                rotation: Some([1, 2, 3]),
                scale: Some([4, 5, 6]),
                position: Some([7, 8, -9]),
                ..Key::default()
            },
        ];
        keys.iter().for_each(|key| key.write(&mut bytes));
        assert_eq!(bytes.len(), keys.iter().map(Key::size).sum());
        assert_eq!(bytes.get(..8), Some(&[255, 0xaa, 0, 0x80, 0xff, 0xff, 0xff, 0x7f][..]));
        assert_eq!(Keys::new(&bytes).collect::<Vec<_>>(), keys);
        let cut = bytes.split_last().map(|(_, cut)| cut).unwrap_or_default();
        let mut left = Keys::new(cut);
        assert_eq!((left.by_ref().count(), left.rest().len()), (2, 19));
    }
}
