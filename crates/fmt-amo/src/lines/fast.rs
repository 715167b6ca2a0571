//! The fast path for the most frequent lines: `v 1.5 -2 0.25`, `f 1/2/3 4/5/6 7/8/9`.
//!
//! The values of a plain line are parsed without first finding the end of the line. Token ends are
//! found by testing several bytes in parallel, independently of the token's value, which lets the
//! CPU process several tokens concurrently. Functions in this module return `None` for all other
//! lines and for the last few bytes of a file, which then take the slow path (`read_line`). A test
//! compares the results of both paths.

use anim_ir::number::{index32, scan_digits, scan_f32};

use crate::content::{Corner, Element, ElementKind};
use crate::lines::part::{RawKey, RawKind};
use crate::lines::reader::Reader;
use crate::tokens::ABSENT;

/// Maximum lengths of tokens on the fast path.
const NUMBER: usize = 16;
const CORNER: usize = 40;

impl Reader<'_> {
    /// Parses a plain line and returns its length.
    #[inline]
    pub(crate) fn plain_line(&mut self, at: usize) -> Option<usize> {
        if self.block.is_some() {
            return None;
        }
        let left = self.room_for.saturating_sub(at);
        let rows = &mut self.part.vertices;
        let (keyword, length) = match self.source.get(at..)? {
            [b'v', b' ', values @ ..] => (2, push_row(&mut rows.positions, left / 80, values)?),
            [b'f', b' ', corners @ ..] => (2, self.plain_face(at, corners)?),
            [b'v', b't', b' ', values @ ..] => {
                (3, push_row(&mut rows.texcoords, left / 80, values)?)
            }
            [b'v', b'n', b' ', values @ ..] => (3, push_row(&mut rows.normals, left / 80, values)?),
            [b'v', b'j', b' ', values @ ..] => {
                let list = room(&mut rows.joints, left / 100);
                let length = push_filled(list, [0; 4], |row| integers(values, row))?;
                room(&mut self.part.joint_lines, left / 100).push(index32(at));
                (3, length)
            }
            [b'v', b'w', b' ', values @ ..] => {
                let length = push_row(&mut rows.weights, left / 100, values)?;
                room(&mut self.part.weight_lines, left / 100).push(index32(at));
                (3, length)
            }
            [b'a', b'p', b' ', values @ ..] => {
                (3, self.plain_key::<5>(at, RawKind::Position, values)?)
            }
            [b'a', b'r', b' ', values @ ..] => {
                (3, self.plain_key::<6>(at, RawKind::Rotation, values)?)
            }
            _ => return None,
        };
        self.part.known_lines += 1;
        Some(keyword + length)
    }

    /// Parses a key with a time, `N` values in total.
    #[inline]
    fn plain_key<const N: usize>(
        &mut self,
        at: usize,
        kind: RawKind,
        values: &[u8],
    ) -> Option<usize> {
        let left = self.room_for.saturating_sub(at);
        let key =
            RawKey { line: index32(at), kind, count: u8::try_from(N).ok()?, numbers: [0.0; 8] };
        let length = push_filled(room(&mut self.part.keys, left / 150), key, |key| {
            numbers(values, key.numbers.first_chunk_mut::<N>()?)
        })?;
        self.part.evidence.key_with_time = true;
        Some(length)
    }

    /// Parses a face with plain corners. Returns the length of all corners and the line break.
    #[inline]
    fn plain_face(&mut self, at: usize, text: &[u8]) -> Option<usize> {
        let part = &mut self.part.geometry;
        let left = self.room_for.saturating_sub(at);
        room(&mut part.elements, left / 110);
        room(&mut part.corners, left / 35);
        let first = part.corners.len();
        let mut zero = false;
        let mut rest = text;
        let after = loop {
            if let Some(after) = line_end(rest) {
                break Some(after);
            }
            let greatest = &mut part.greatest;
            let fill = |new: &mut Corner| corner(rest, &mut new.slots, greatest, &mut zero);
            match push_filled(&mut part.corners, Corner { slots: [ABSENT; 5] }, fill) {
                Some(length) => rest = rest.get(length..)?,
                None => break None,
            }
        };
        match after {
            Some(after) if part.corners.len() >= first + 3 && !zero => {
                part.elements.push(Element {
                    first_corner: index32(first),
                    line: index32(at),
                    kind: ElementKind::Face,
                });
                Some(text.len() - after.len())
            }
            // An index of 0, which the slow path handles, is evidence for a dialect or an error.
            _ => {
                part.corners.truncate(first);
                None
            }
        }
    }
}

/// Reserves memory for the first element of a type, based on an estimate of the number of elements
/// in the rest of the file. Growing the vectors repeatedly would account for a fifth of the parsing
/// time. Unused capacity costs address space, not memory.
#[inline]
fn room<T>(list: &mut Vec<T>, guess: usize) -> &mut Vec<T> {
    if list.capacity() == 0 {
        list.reserve(guess);
    }
    list
}

/// Adds a row of values and returns the length of the line.
#[inline]
fn push_row<const N: usize>(
    list: &mut Vec<[f32; N]>,
    guess: usize,
    values: &[u8],
) -> Option<usize> {
    push_filled(room(list, guess), [0.0; N], |row| numbers(values, row))
}

/// Parses exactly `out.len()` numbers and the end of the line. Returns the length of both.
///
/// Results are written directly to their destination. Returning them by value would store them
/// piece by piece and immediately load them as a whole, which stalls the CPU.
#[inline]
fn numbers<const N: usize>(text: &[u8], out: &mut [f32; N]) -> Option<usize> {
    let mut rest = text;
    for slot in out {
        rest = skip_blanks(rest);
        let length = token_length::<NUMBER>(rest)?;
        let (value, scanned) = scan_f32(rest)?;
        // A short number is only infinite if it has a large exponent. Such numbers take the slow
        // path.
        if scanned != length || value.is_infinite() {
            return None;
        }
        *slot = value;
        rest = rest.get(length..)?;
    }
    Some(text.len() - line_end(rest)?.len())
}

/// Parses exactly `out.len()` short integers and the end of the line, like [`numbers`].
#[inline]
fn integers<const N: usize>(text: &[u8], out: &mut [i32; N]) -> Option<usize> {
    let mut rest = text;
    for slot in out {
        rest = skip_blanks(rest);
        let length = token_length::<NUMBER>(rest)?;
        let negative = rest.first() == Some(&b'-');
        let (value, count) = scan_digits(rest.get(usize::from(negative)..)?);
        if count == 0 || count + usize::from(negative) != length {
            return None;
        }
        let value = i32::try_from(value).ok().filter(|_| count <= 9)?;
        *slot = if negative { -value } else { value };
        rest = rest.get(length..)?;
    }
    Some(text.len() - line_end(rest)?.len())
}

/// Adds an element with `push` and fills it with `fill`; removes it again if that fails.
#[inline]
fn push_filled<T>(
    list: &mut Vec<T>,
    empty: T,
    fill: impl FnOnce(&mut T) -> Option<usize>,
) -> Option<usize> {
    list.push(empty);
    let filled = list.last_mut().and_then(fill);
    if filled.is_none() {
        list.pop();
    }
    filled
}

/// Parses the next corner of a face: positive indices, of which any trailing ones may be missing.
/// Returns its length, including leading spaces.
#[inline]
fn corner(
    text: &[u8],
    out: &mut [i32; 5],
    greatest: &mut [i32; 5],
    zero: &mut bool,
) -> Option<usize> {
    let rest = skip_blanks(text);
    let length = token_length::<CORNER>(rest)?;
    let after = rest.get(length..)?;
    let mut left = rest;
    for (slot, greatest) in out.iter_mut().zip(greatest) {
        let (value, count) = scan_digits(left);
        if count == 0 || count > 9 {
            return None;
        }
        let value = i32::try_from(value).ok()?;
        *slot = value;
        *greatest = value.max(*greatest);
        *zero |= value == 0;
        left = left.get(count..)?;
        match left {
            [b'/', tail @ ..] => left = tail,
            _ => break,
        }
    }
    (left.len() == after.len()).then_some(text.len() - after.len())
}

#[inline]
fn skip_blanks(text: &[u8]) -> &[u8] {
    let mut rest = text;
    while let [b' ', tail @ ..] = rest {
        rest = tail;
    }
    rest
}

/// Returns the input after the line, if only spaces are left on the line.
#[inline]
fn line_end(text: &[u8]) -> Option<&[u8]> {
    match skip_blanks(text) {
        [b'\n', tail @ ..] | [b'\r', b'\n', tail @ ..] => Some(tail),
        _ => None,
    }
}

/// Returns the number of bytes before the first byte less than or equal to a space, if any of the
/// first `N` bytes is.
#[inline]
fn token_length<const N: usize>(text: &[u8]) -> Option<usize> {
    let chunk: &[u8; N] = text.first_chunk()?;
    let (words, _) = chunk.as_chunks::<8>();
    // Process words from last to first. A bit is set for every byte less than 0x21; only the lowest
    // set bit is exact.
    let found = words.iter().rev().fold(N * 8, |later, word| {
        let word = u64::from_le_bytes(*word);
        let small = word.wrapping_sub(0x2121_2121_2121_2121) & !word & 0x8080_8080_8080_8080;
        if small == 0 { later + 64 } else { small.trailing_zeros() as usize }
    });
    let length = found / 8;
    (length < N).then_some(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Appends padding for the wide loads.
    fn padded(text: &str) -> Vec<u8> {
        format!("{text}{}", "v 0 0 0\n".repeat(8)).into_bytes()
    }

    #[test]
    fn plain_lines_and_no_others() {
        let three = |text: &str| {
            let mut out = [0.0; 3];
            numbers(&padded(text), &mut out).map(|length| (out, length))
        };
        assert_eq!(three(" 1.5 -2  0.25 \n"), Some(([1.5, -2.0, 0.25], 15)));
        assert_eq!(three("1 2 3\r\n"), Some(([1.0, 2.0, 3.0], 7)));
        for text in [
            "1 2\n",
            "1 2 3 4\n",
            "1 2 3 # c\n",
            "1 2 nan\n",
            "1 2 3x\n",
            "1 2 3\r",
            "1 2 3\\\n",
            "1\t2 3\n",
            "1 2 3.000000000000000000\n",
            "1 2 1e99\n",
        ] {
            assert_eq!(three(text), None, "{text:?}");
        }
        assert_eq!(numbers::<3>(b"1 2 3\n", &mut [0.0; 3]), None, "no read beyond the end");
        let four = |text: &str| {
            let mut out = [0; 4];
            integers(&padded(text), &mut out).map(|length| (out, length))
        };
        assert_eq!(four("1 -1 20 0\n"), Some(([1, -1, 20, 0], 10)));
        for text in ["1 2 3\n", "1 2 3 4.5\n", "1 2 3 -\n", "1 2 3 9999999999\n", "1 2 3 +4\n"] {
            assert_eq!(four(text), None, "{text:?}");
        }
        let read = |text: &str| {
            let (mut out, mut greatest, mut zero) = ([-1; 5], [7; 5], false);
            corner(&padded(text), &mut out, &mut greatest, &mut zero)
                .map(|length| (out, greatest, zero, length))
        };
        assert_eq!(read(" 1/22/333 4"), Some(([1, 22, 333, -1, -1], [7, 22, 333, 7, 7], false, 9)));
        assert_eq!(read("1/2/3/0/5\n"), Some(([1, 2, 3, 0, 5], [7; 5], true, 9)));
        for text in ["1//3 ", "-1 ", "1/2/3/4/5/6 ", "1/ ", "9999999999 ", "1/2x ", "x ", "\n"] {
            assert_eq!(read(text), None, "{text:?}");
        }
        assert!(line_end(b"  \nx").is_some() && line_end(b" x\n").is_none());
    }

    #[test]
    fn lengths_of_tokens() {
        for length in 0..50_usize {
            for end in [b' ', b'\n', b'\t', 0] {
                let mut text = vec![b'z'; length];
                text.push(end);
                text.extend_from_slice(&[b' '; 40]);
                assert_eq!(token_length::<40>(&text), (length < 40).then_some(length));
                assert_eq!(token_length::<16>(&text), (length < 16).then_some(length));
            }
        }
        assert_eq!(token_length::<16>("ääääääää ".as_bytes()), None);
    }
}
