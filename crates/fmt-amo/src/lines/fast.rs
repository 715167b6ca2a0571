//! The fast path for the most frequent lines: `v 1.5 -2 0.25`, `f 1/2/3 4/5/6 7/8/9`.
//!
//! The values of a plain line are parsed without first finding the end of the line. The bytes that
//! are not digits are located in 64 bytes at once, which yields the start, the decimal point and
//! the end of every number in most lines. Parsing a number then does not depend on the previous
//! one, and the CPU processes several numbers in parallel. Functions in this module return `None`
//! for all other lines and for the last few bytes of a file, which then take the slow path
//! (`read_line`). A test compares the results of both paths.

use anim_ir::digits::{integer_before, not_digits, number_before};
use anim_ir::number::{index32, scan_word};

use crate::content::{Element, ElementKind};
use crate::corners::Corners;
use crate::lines::part::{RawKey, RawKind};
use crate::lines::reader::Reader;
use crate::tokens::ABSENT;

impl Reader<'_> {
    /// Parses the plain line at an offset, and returns where it ends.
    #[inline]
    pub(crate) fn plain_line(&mut self, at: usize) -> Option<usize> {
        if self.block.is_some() {
            return None;
        }
        let left = self.room_for.saturating_sub(at);
        let rows = &mut self.part.vertices;
        let source = self.source;
        let end = match source.get(at..)? {
            [b'v', b' ', ..] => push_row(&mut rows.positions, left / 80, source, at + 2)?,
            [b'f', b' ', ..] => self.plain_face(at)?,
            [b'v', b't', b' ', ..] => push_row(&mut rows.texcoords, left / 80, source, at + 3)?,
            [b'v', b'n', b' ', ..] => push_row(&mut rows.normals, left / 80, source, at + 3)?,
            [b'v', b'j', b' ', ..] => {
                let list = room(&mut rows.joints, left / 100);
                let end = push_filled(list, [0; 4], |row| integers(source, at + 3, row))?;
                room(&mut self.part.joint_lines, left / 100).push(index32(at));
                end
            }
            [b'v', b'w', b' ', ..] => {
                let end = push_row(&mut rows.weights, left / 100, source, at + 3)?;
                room(&mut self.part.weight_lines, left / 100).push(index32(at));
                end
            }
            [b'a', b'p', b' ', ..] => self.plain_key::<5>(at, RawKind::Position)?,
            [b'a', b'r', b' ', ..] => self.plain_key::<6>(at, RawKind::Rotation)?,
            _ => return None,
        };
        self.part.known_lines += 1;
        Some(end)
    }

    /// Parses a key with a time, `N` values in total.
    #[inline]
    fn plain_key<const N: usize>(&mut self, at: usize, kind: RawKind) -> Option<usize> {
        let left = self.room_for.saturating_sub(at);
        let source = self.source;
        let key =
            RawKey { line: index32(at), kind, count: u8::try_from(N).ok()?, numbers: [0.0; 8] };
        let end = push_filled(room(&mut self.part.keys, left / 150), key, |key| {
            numbers(source, at + 3, key.numbers.first_chunk_mut::<N>()?)
        })?;
        self.part.evidence.key_with_time = true;
        Some(end)
    }

    /// Parses a face with plain corners.
    #[inline]
    fn plain_face(&mut self, at: usize) -> Option<usize> {
        let part = &mut self.part.geometry;
        let left = self.room_for.saturating_sub(at);
        room(&mut part.elements, left / 110);
        if part.corners.is_unallocated() {
            part.corners.reserve(left / 35);
        }
        let first = part.corners.len();
        let (end, zero) = corners(self.source, at + 2, &mut part.corners, &mut part.greatest)
            .unwrap_or((0, true));
        // An index of 0, which the slow path handles, is evidence for a dialect or an error.
        if zero || part.corners.len() < first + 3 {
            part.corners.truncate(first);
            return None;
        }
        part.elements.push(Element {
            first_corner: index32(first),
            line: index32(at),
            kind: ElementKind::Face,
        });
        Some(end)
    }
}

/// Appends the corners from `from` to the end of the line: positive indices, of which any but the
/// first may be missing. Returns where the line ends, and whether any index is 0.
#[inline]
fn corners(
    source: &[u8],
    from: usize,
    list: &mut Corners,
    greatest: &mut [i32; 5],
) -> Option<(usize, bool)> {
    let mut marks = Marks::new(source, from)?;
    let mut zero = false;
    // The space before the corner.
    let mut end = from.checked_sub(1)?;
    loop {
        let start = marks.skip_spaces(end)?;
        if matches!(source.get(start), Some(b'\n' | b'\r')) {
            return Some((line_end(source, start)?, zero));
        }
        end = start.wrapping_sub(1);
        let mut slots = list.push_surface()?.iter_mut().zip(&mut *greatest);
        let mut is_first = true;
        let separator = loop {
            let Some((slot, greatest)) = slots.next() else {
                break binding(&mut marks, &mut end, list, greatest, &mut zero)?;
            };
            let (value, separator) = index(&mut marks, &mut end, !is_first)?;
            *slot = value;
            *greatest = value.max(*greatest);
            zero |= value == 0;
            is_first = false;
            if separator != b'/' {
                break separator;
            }
        };
        match separator {
            b' ' => {}
            b'\n' | b'\r' => return Some((line_end(source, end)?, zero)),
            _ => return None,
        }
    }
}

/// Parses the index after `end`, which is moved to the separator after it. Returns both. The index
/// may be missing only before a slash.
#[inline(always)]
fn index(marks: &mut Marks<'_>, end: &mut usize, may_be_missing: bool) -> Option<(i32, u8)> {
    let start = end.wrapping_add(1);
    *end = marks.take_in_line()?;
    let separator = *marks.source.get(*end)?;
    let value = match end.wrapping_sub(start) {
        0 if may_be_missing && separator == b'/' => ABSENT,
        0 => return None,
        count => i32::try_from(integer_before(marks.source, *end, count)?).ok()?,
    };
    Some((value, separator))
}

/// Parses the fourth and fifth index of the last corner, and returns the separator after them.
#[inline]
fn binding(
    marks: &mut Marks<'_>,
    end: &mut usize,
    list: &mut Corners,
    greatest: &mut [i32; 5],
    zero: &mut bool,
) -> Option<u8> {
    let (joints, mut separator) = index(marks, end, true)?;
    let mut weights = ABSENT;
    if separator == b'/' {
        (weights, separator) = index(marks, end, true)?;
    }
    let [.., greatest_joints, greatest_weights] = greatest;
    *greatest_joints = joints.max(*greatest_joints);
    *greatest_weights = weights.max(*greatest_weights);
    *zero |= joints == 0 || weights == 0;
    list.bind_last([joints, weights]);
    Some(separator)
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

/// Adds the row of values from `from`, and returns where its line ends.
#[inline]
fn push_row<const N: usize>(
    list: &mut Vec<[f32; N]>,
    guess: usize,
    source: &[u8],
    from: usize,
) -> Option<usize> {
    push_filled(room(list, guess), [0.0; N], |row| numbers(source, from, row))
}

/// Parses exactly `out.len()` numbers from `from`, after a space, and the end of the line. Returns
/// where the line ends.
///
/// Results are written directly to their destination. Returning them by value would store them
/// piece by piece and immediately load them as a whole, which stalls the CPU.
#[inline]
fn numbers<const N: usize>(source: &[u8], from: usize, out: &mut [f32; N]) -> Option<usize> {
    let mut marks = Marks::new(source, from)?;
    // The space before the number.
    let mut at = from.checked_sub(1)?;
    for slot in out {
        at = marks.skip_spaces(at)?;
        (*slot, at) = match marks.number(at) {
            Some(found) => found,
            None => {
                let (number, end) = other_number(source, at)?;
                marks = Marks::new(source, end.wrapping_add(1))?;
                (number, end)
            }
        };
    }
    line_end(source, at)
}

/// The positions of the bytes in a 64-byte window that are not digits, except those already
/// consumed.
///
/// Since all of them are found at once, parsing a number does not depend on the previous one, and
/// the CPU converts several numbers in parallel.
struct Marks<'a> {
    source: &'a [u8],
    from: usize,
    left: u64,
}

impl<'a> Marks<'a> {
    #[inline(always)]
    fn new(source: &'a [u8], from: usize) -> Option<Marks<'a>> {
        Some(Marks { source, from, left: not_digits(source.get(from..)?.first_chunk()?) })
    }

    /// Consumes the next position.
    #[inline(always)]
    fn take(&mut self) -> Option<usize> {
        if self.left == 0 {
            return None;
        }
        let next = self.from.wrapping_add(self.left.trailing_zeros() as usize);
        self.left &= self.left.wrapping_sub(1);
        Some(next)
    }

    /// Consumes the next position, moving the window if necessary.
    #[inline(always)]
    fn take_in_line(&mut self) -> Option<usize> {
        while self.left == 0 {
            *self = Marks::new(self.source, self.from.wrapping_add(64))?;
        }
        self.take()
    }

    /// Returns the start of the next word, which must follow a space.
    #[inline(always)]
    fn skip_spaces(&mut self, space: usize) -> Option<usize> {
        let mut at = space;
        if self.source.get(at) != Some(&b' ') {
            return None;
        }
        loop {
            at = at.wrapping_add(1);
            if self.source.get(at) != Some(&b' ') {
                return Some(at);
            }
            self.take_in_line()?;
        }
    }

    /// Consumes a position if it holds a minus sign. Branch-free, since signs are unpredictable.
    #[inline(always)]
    fn take_minus(&mut self, at: usize) -> bool {
        let is_minus = self.source.get(at) == Some(&b'-');
        self.left &= self.left.wrapping_sub(u64::from(is_minus));
        is_minus
    }

    /// Parses a number with up to eight digits, without an exponent. Also returns its end.
    #[inline(always)]
    fn number(&mut self, at: usize) -> Option<(f32, usize)> {
        let negative = self.take_minus(at);
        let start = at.wrapping_add(usize::from(negative));
        let mut end = self.take()?;
        let (mut count, mut decimals) = (end.wrapping_sub(start), None);
        if self.source.get(end) == Some(&b'.') {
            let point = end;
            end = self.take()?;
            decimals = Some(end.wrapping_sub(point).wrapping_sub(1));
            count = end.wrapping_sub(start).wrapping_sub(1);
        }
        if count == 0 || !matches!(self.source.get(end), Some(b' ' | b'\n' | b'\r')) {
            return None;
        }
        let size = number_before(self.source, end, count, decimals)?;
        Some((f32::from_bits(size.to_bits() ^ u32::from(negative) << 31), end))
    }
}

/// Parses a number with many digits or an exponent. Also returns its end.
#[inline(never)]
fn other_number(source: &[u8], at: usize) -> Option<(f32, usize)> {
    let is_end = |byte| matches!(byte, b' ' | b'\n' | b'\r');
    let (number, rest) = scan_word(source.get(at..)?, is_end)?;
    Some((number, source.len() - rest.len()))
}

/// Parses exactly `out.len()` short integers and the end of the line, like [`numbers`].
#[inline]
fn integers<const N: usize>(source: &[u8], from: usize, out: &mut [i32; N]) -> Option<usize> {
    let mut marks = Marks::new(source, from)?;
    let mut at = from.checked_sub(1)?;
    for slot in out {
        let start = marks.skip_spaces(at)?;
        let negative = marks.take_minus(start);
        at = marks.take()?;
        let count = at.wrapping_sub(start).wrapping_sub(usize::from(negative));
        if count == 0 {
            return None;
        }
        let value = i32::try_from(integer_before(source, at, count)?).ok()?;
        *slot = if negative { -value } else { value };
    }
    line_end(source, at)
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

#[inline]
fn skip_blanks(text: &[u8]) -> &[u8] {
    let mut rest = text;
    while let [b' ', tail @ ..] = rest {
        rest = tail;
    }
    rest
}

/// Returns where the line ends, if only spaces are left on it.
#[inline]
fn line_end(source: &[u8], at: usize) -> Option<usize> {
    let rest = skip_blanks(source.get(at..)?);
    let length = match rest {
        [b'\n', ..] => 1,
        [b'\r', b'\n', ..] => 2,
        _ => return None,
    };
    Some(source.len() - rest.len() + length)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a text after a space, with padding for the wide loads.
    fn padded(text: &str) -> Vec<u8> {
        format!("{}{text}{}", " ".repeat(FROM), "v 0 0 0\n".repeat(9)).into_bytes()
    }

    /// Where padded text starts.
    const FROM: usize = 16;

    #[test]
    fn plain_lines_and_no_others() {
        let three = |text: &str| {
            let mut out = [0.0; 3];
            numbers(&padded(text), FROM, &mut out).map(|end| (out, end - FROM))
        };
        assert_eq!(three(" 1.5 -2  0.25 \n"), Some(([1.5, -2.0, 0.25], 15)));
        assert_eq!(three("1 2 3\r\n"), Some(([1.0, 2.0, 3.0], 7)));
        assert_eq!(three("-.5 7. -0\n"), Some(([-0.5, 7.0, -0.0], 10)));
        assert_eq!(three("1e2 -1.5E-1 +2\n"), Some(([100.0, -0.15, 2.0], 15)));
        let long = "123456789.123456789 -0.000000000000001 3.00000000000000000000000000";
        assert_eq!(three(&format!("{long}\n")), Some(([123_456_790.0, -1e-15, 3.0], 68)));
        for text in [
            "1 2\n",
            "1 2 3 4\n",
            "1 2 3 # c\n",
            "1 2 nan\n",
            "1 2 3x\n",
            "1 2 3\r",
            "1 2 3\\\n",
            "1\t2 3\n",
            "1 2\n3\n",
            "1 - 3\n",
            "1 . 3\n",
            "1 -. 3\n",
            "1 --2 3\n",
            "1 2-3 4\n",
            "1 2.3.4 5\n",
            "1 2 1e99\n",
        ] {
            assert_eq!(three(text), None, "{text:?}");
        }
        assert_eq!(numbers::<3>(b" 1 2 3\n", 1, &mut [0.0; 3]), None, "no read beyond the end");
        let four = |text: &str| {
            let mut out = [0; 4];
            integers(&padded(text), FROM, &mut out).map(|end| (out, end - FROM))
        };
        assert_eq!(four("1 -1 20 0\n"), Some(([1, -1, 20, 0], 10)));
        for text in ["1 2 3\n", "1 2 3 4.5\n", "1 2 3 -\n", "1 2 3 9999999999\n", "1 2 3 +4\n"] {
            assert_eq!(four(text), None, "{text:?}");
        }
        assert!(line_end(b"  \nx", 0).is_some() && line_end(b" x\n", 0).is_none());
    }

    #[test]
    fn corners_of_plain_faces() {
        let read = |text: &str| {
            let (mut list, mut greatest) = (Corners::default(), [7; 5]);
            let (end, zero) = corners(&padded(text), FROM, &mut list, &mut greatest)?;
            let slots: Vec<_> = list.range(0..list.len()).map(|corner| corner.slots).collect();
            Some((slots, greatest, zero, end - FROM))
        };
        let slots = vec![[1, 22, 333, ABSENT, ABSENT], [4, ABSENT, 5, ABSENT, ABSENT]];
        for (text, length) in [(" 1/22/333 4//5\n", 15), ("1/22/333  4//5 \r\n", 17)] {
            assert_eq!(read(text), Some((slots.clone(), [7, 22, 333, 7, 7], false, length)));
        }
        assert_eq!(read("1/2/3/0/5\n"), Some((vec![[1, 2, 3, 0, 5]], [7; 5], true, 10)));
        let long = " 12345678/12345678".repeat(20);
        let all = read(&format!("{long}\n")).map(|(slots, _, _, length)| (slots.len(), length));
        assert_eq!(all, Some((20, long.len() + 1)), "more than 64 bytes");
        assert_eq!(read("\n").map(|(slots, ..)| slots.len()), Some(0));
        for text in [
            "-1\n",
            "/1\n",
            "1/\n",
            "1/ 2\n",
            "1/2/3/4/5/6\n",
            "123456789\n",
            "1/2x\n",
            "x\n",
            "1 2#\n",
        ] {
            assert_eq!(read(text), None, "{text:?}");
        }
    }
}
