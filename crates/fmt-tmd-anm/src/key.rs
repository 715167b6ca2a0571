//! Keys, each of which is the transform of an object in one frame.

/// The transform of one object in one frame. Missing parts are the identity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Key {
    /// Index of the object in the TMD model.
    pub object: u8,
    /// Bits 3 to 7 of the flags, not shifted; their meaning is unknown. Bits 0 to 2 are ignored
    /// here.
    pub unknown_flags: u8,
    /// Angles about x, y and z; 4096 is 360°. They may exceed 360°.
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

/// Size of a key in bytes: object, flags, and six bytes for each part present.
pub(crate) fn size(flags: u8) -> usize {
    // Test bits individually, since `count_ones` is slower on targets without a popcount
    // instruction.
    let part = |bit: u8| usize::from(flags & bit != 0);
    2 + 6 * (part(ROTATION) + part(SCALE) + part(POSITION))
}

/// Splits off the first key. Returns its object and flags, all its bytes, and the rest; `None` if
/// there is no complete key.
pub(crate) fn split_first(bytes: &[u8]) -> Option<([u8; 2], &[u8], &[u8])> {
    let [object, flags] = *bytes.first_chunk::<2>()?;
    let (key, rest) = bytes.split_at_checked(size(flags))?;
    Some(([object, flags], key, rest))
}

impl Key {
    /// The flags byte: which parts are present, and the unknown bits.
    #[inline]
    pub fn flags(&self) -> u8 {
        let bit = |part: Option<[i16; 3]>, bit: u8| if part.is_some() { bit } else { 0 };
        bit(self.rotation, ROTATION)
            | bit(self.scale, SCALE)
            | bit(self.position, POSITION)
            | (self.unknown_flags & UNKNOWN)
    }

    /// Size of the key in bytes: 2, 8, 14 or 20.
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

/// The keys of a frame, in file order.
#[derive(Clone, Debug, Default)]
pub struct Keys<'a> {
    rest: &'a [u8],
}

impl<'a> Keys<'a> {
    pub(crate) const fn new(bytes: &'a [u8]) -> Keys<'a> {
        Keys { rest: bytes }
    }

    /// The remaining bytes of the frame. After the last key, these are the bytes of an incomplete
    /// key.
    pub const fn rest(&self) -> &'a [u8] {
        self.rest
    }
}

impl Iterator for Keys<'_> {
    type Item = Key;

    #[inline]
    fn next(&mut self) -> Option<Key> {
        // The window is as long as the longest key, so that parts need no bounds checks. Only the
        // last keys of a frame must be copied for this.
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

/// Size of a key with all parts, in bytes.
const LONGEST: usize = 20;

/// Decodes the key at the start of the window. Missing parts take up no space.
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

/// Reads three little-endian integers.
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
    fn written_keys_are_read_back_and_truncated_ones_are_left() {
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
