//! The fast path for the most frequent lines: `bl Hips`, `ev 12 step`, `an 0 23 walk`. There is
//! nothing to report about them, and a single space or tab between their words.
//!
//! All spaces, line ends and control characters are found at once, which yields the ends of all
//! words of the line. [`Parser::plain_line`] returns `None` for any other line, for lines of 64
//! bytes or more and at either end of the file. Nothing has been read then, and the line takes the
//! slow path (`Parser::line`). A test compares the two.

use anim_ir::digits::{blanks, checked_integer_before};
use anim_ir::number::scan_word;
use anim_ir::source::Place;

use super::{Parser, State};
use crate::content::{BoneData, ClipData, EventData, push};
use crate::keyword::Keyword;

/// How much of the text is in view before the line, for loads of eight bytes that end in it.
const BEFORE: usize = 8;
const WINDOW: usize = BEFORE + 64 + 1;

/// The words of a line.
struct Words<'a> {
    source: &'a [u8],
    /// The offset of the window.
    from: usize,
    window: &'a [u8; WINDOW],
    /// The blanks that have not been consumed, from the start of the line.
    blanks: u64,
    /// The start of the next word, in the window.
    start: usize,
}

/// How much of a file is read before its content is estimated, in bytes.
const SAMPLE: usize = 1 << 14;

impl Parser<'_> {
    /// Reserves memory at the first set that starts after the first bytes of a file.
    pub(super) fn reserve_once(&mut self, start: usize) {
        if start >= SAMPLE && !self.has_reserved {
            self.has_reserved = true;
            self.content.reserve_for_rest(start, self.source.len().saturating_sub(start));
        }
    }

    /// Reads the plain line at an offset, and returns the offset of the next line.
    #[inline(always)]
    pub(super) fn plain_line(&mut self, at: usize) -> Option<usize> {
        let State::InSet(open) = &mut self.state else { return None };
        if self.limits.line_bytes < 64 {
            return None;
        }
        let from = at.checked_sub(BEFORE)?;
        let window: &[u8; WINDOW] = self.source.get(from..)?.first_chunk()?;
        let line: &[u8; 64] = window.get(BEFORE..)?.first_chunk()?;
        // The space after the keyword is the first blank.
        let all = blanks(line);
        let blanks = all & all.wrapping_sub(1);
        let mut words =
            Words { source: self.source, from, window, blanks, start: BEFORE + b"an ".len() };
        let most = self.limits.name_bytes;
        let (keyword, next) = match line {
            [b'e', b'v', b' ' | b'\t', ..] if matches!(open.after, Keyword::Bl | Keyword::Ev) => {
                let time = words.time()?;
                let (name, next) = words.name(most)?;
                push(&mut self.content.events, EventData { time, name });
                (Keyword::Ev, next)
            }
            [b'a', b'n', b' ' | b'\t', ..] if open.after != Keyword::As => {
                let (start, end) = (words.time()?, words.time()?);
                let (name, next) = words.name(most)?;
                if start > end {
                    return None;
                }
                push(&mut self.content.clips, ClipData { start, end, name });
                open.clip_lines = open.clip_lines.wrapping_add(1);
                (Keyword::An, next)
            }
            [b'b', b'l', b' ' | b'\t', first, ..]
                if *first != b'+' && matches!(open.after, Keyword::As | Keyword::Bl) =>
            {
                let (name, next) = words.name(most)?;
                push(&mut self.content.bones, BoneData { name, children: false, parent: false });
                open.has_bones = true;
                (Keyword::Bl, next)
            }
            _ => return None,
        };
        open.after = keyword;
        self.lines = self.lines.wrapping_add(1);
        self.known = self.known.wrapping_add(1);
        Some(next)
    }
}

impl Words<'_> {
    /// Consumes the next blank, and returns its place in the window.
    #[inline(always)]
    fn end(&mut self) -> Option<usize> {
        if self.blanks == 0 {
            return None;
        }
        let at = self.blanks.trailing_zeros() as usize;
        self.blanks &= self.blanks.wrapping_sub(1);
        Some(at.wrapping_add(BEFORE))
    }

    #[inline(always)]
    fn is_blank(&self, at: usize) -> bool {
        matches!(self.window.get(at), Some(b' ' | b'\t'))
    }

    /// Reads a time that is not negative, before a space or tab.
    #[inline(always)]
    fn time(&mut self) -> Option<f32> {
        let start = self.start;
        let end = self.end()?;
        if !self.is_blank(end) {
            return None;
        }
        self.start = end.wrapping_add(1);
        checked_integer_before(self.window, end, end.wrapping_sub(start))
            .or_else(|| self.other_time(start))
    }

    /// Reads a time that is not a short integer.
    #[inline(never)]
    fn other_time(&self, start: usize) -> Option<f32> {
        let word = self.source.get(self.from.wrapping_add(start)..)?;
        let (time, _) = scan_word(word, |byte| matches!(byte, b' ' | b'\t'))?;
        (time >= 0.0).then_some(time)
    }

    /// Reads a name at the end of the line. Also returns the offset of the next line.
    #[inline(always)]
    fn name(&mut self, most: usize) -> Option<(Place, usize)> {
        let mut end = self.end()?;
        let length = end.wrapping_sub(self.start);
        while self.is_blank(end) {
            let next = self.end()?;
            // Another word.
            if next != end.wrapping_add(1) {
                return None;
            }
            end = next;
        }
        let line_end = match self.window.get(end..)? {
            [b'\n', ..] => 1,
            [b'\r', b'\n', ..] => 2,
            _ => return None,
        };
        let place = Place::new(self.from.wrapping_add(self.start), length);
        let next = self.from.wrapping_add(end).wrapping_add(line_end);
        (length > 0 && length <= most).then_some((place, next))
    }
}
