//! Checks header, table and keys in one pass and reports problems. Decoding is left to the views.

use std::borrow::Cow;

use anim_ir::diag::plural;
use anim_ir::format::Reading;
use anim_ir::{Diagnostics, LimitError, Limits, ParseError, Parsed, Span};

use crate::codes;
use crate::document::{Document, Frame};
use crate::header::{HEADER, Header, REACH, SharedCodes, is_swapped};
use crate::key::{UNKNOWN, size, split_first};
use crate::options::ParseOptions;

/// The maximum number of frames. With more, the table could not address anything after itself.
pub(crate) const MOST_FRAMES: usize = u16::MAX as usize - 4;

const SHARED: SharedCodes = SharedCodes {
    magic: &codes::MAGIC,
    rate: &codes::RATE,
    trailing: &codes::TRAILING,
    padding: &codes::PADDING,
    last: "frame",
};

/// Checks whether the file can be read and reports all problems.
pub(crate) fn parse<'a>(source: Cow<'a, [u8]>, options: &ParseOptions) -> Reading<Document<'a>> {
    let header = Header::parse(&source, &options.limits)?;
    let frames = frames(header, source.len())?;
    let document = Document { source, frames };
    let diagnostics = check(&document, &options.limits)?;
    Ok(Parsed { value: document, diagnostics })
}

/// Returns the number of frames, after checking that the file contains the whole table.
fn frames(header: Header, length: usize) -> Result<usize, ParseError> {
    let frames = usize::from(header.frames);
    let needs = HEADER + 2 * (frames + 1);
    if length < needs && is_swapped(header.magic) {
        let message = "the first word is 0x0080: the bytes of each word appear to be swapped; the \
                       format is little-endian";
        return Err(ParseError::format(Span::new(0, 2), message));
    }
    let counted = Span::new(4, HEADER);
    if length < needs {
        let message = format!(
            "the header and table for {} need {needs} bytes, but the file has {length}",
            plural(frames, "frame")
        );
        return Err(ParseError::structure(counted, message));
    }
    if frames > MOST_FRAMES {
        let message =
            format!("too many frames: {frames}, but a table can address at most {MOST_FRAMES}");
        return Err(ParseError::structure(counted, message));
    }
    Ok(frames)
}

/// Reports all problems, in file order.
fn check(document: &Document<'_>, limits: &Limits) -> Result<Diagnostics, ParseError> {
    check_sum(document)?;
    let mut diagnostics = Diagnostics::within(limits);
    SHARED.check_header(document.header(), &mut diagnostics);
    check_table(document, &mut diagnostics);
    for ((index, frame), end) in document.frames().enumerate().zip(document.table().skip(1)) {
        // A frame that extends beyond the end of the file is reported at the table.
        let whole = half_words(end) <= document.source.len();
        check_frame(index, frame, whole, &mut diagnostics);
    }
    SHARED.check_trailing(document.trailing(), document.source.len(), &mut diagnostics);
    diagnostics.sort_by_place();
    Ok(diagnostics)
}

/// Checks the total size of the frames. Overlapping frames could add up to billions of keys, which
/// can be detected from the table alone. If its entries ascend, the total never exceeds what the
/// table can address.
fn check_sum(document: &Document<'_>) -> Result<(), LimitError> {
    let found =
        document.frames().fold(0_usize, |sum, frame| sum.saturating_add(frame.bytes().len()));
    let what = "the sum of all frames, some of which overlap,";
    if found > REACH { Err(LimitError { what, unit: "bytes", found, most: REACH }) } else { Ok(()) }
}

/// The span of a table entry.
const fn entry(index: usize) -> Span {
    let start = HEADER + 2 * index;
    Span::new(start, start + 2)
}

fn check_table(document: &Document<'_>, diagnostics: &mut Diagnostics) {
    let (length, table_end) = (document.source.len(), document.table_end());
    let first = document.table().next().map_or(0, half_words);
    if first < table_end {
        diagnostics.push(&codes::OVERLAP, entry(0), || {
            format!(
                "the first frame starts at byte \
                 0x{first:x}, but header and table go up to 0x{table_end:x}"
            )
        });
    } else if !document.gap().is_empty() {
        let gap = Span::new(table_end, table_end + document.gap().len());
        diagnostics.push(&codes::GAP, gap, || {
            format!(
                "{} between the table and the first frame",
                plural(gap.len(), "unreferenced byte")
            )
        });
    }
    for (index, (start, end)) in document.table().zip(document.table().skip(1)).enumerate() {
        if end < start {
            diagnostics.push(&codes::REVERSED, entry(index + 1), || {
                format!(
                    "frame {index} ends at byte 0x{:x}, before it starts at 0x{:x}",
                    half_words(end),
                    half_words(start)
                )
            });
        }
    }
    // If the last frame ends within the file but another does not, the table is not ascending;
    // report the first entry beyond the end of the file.
    let beyond = |entry: &u16| half_words(*entry) > length;
    let last = document.frame_count();
    let at = if document.table().next_back().is_some_and(|end| beyond(&end)) {
        Some(last)
    } else {
        document.table().position(|end| beyond(&end))
    };
    if let Some(at) = at {
        let needs = document.table().nth(at).map_or(0, half_words);
        diagnostics.push(&codes::TRUNCATED, entry(at), || {
            format!("the frames end at byte 0x{needs:x}, but the file ends at 0x{length:x}")
        });
    }
}

fn half_words(entry: u16) -> usize {
    usize::from(entry) * 2
}

fn check_frame(index: usize, frame: Frame<'_>, whole: bool, diagnostics: &mut Diagnostics) {
    let end = frame.span().end;
    let mut seen = Objects::default();
    // Count duplicates instead of listing them, since a frame may contain thousands.
    let (mut again, mut first_again) = (0_usize, None);
    let mut bytes = frame.bytes();
    while let Some(([object, flags], key, rest)) = split_first(bytes) {
        let at = end - bytes.len();
        if !seen.insert(object) {
            again = again.saturating_add(1);
            first_again.get_or_insert((object, Span::new(at, at + key.len())));
        }
        if flags & UNKNOWN != 0 {
            diagnostics.push(&codes::FLAGS, Span::new(at + 1, at + 2), || {
                format!(
                    "frame {index}, object {object}: unknown bits 0x{:02x} in the flags \
                         0x{flags:02x}",
                    flags & UNKNOWN
                )
            });
        }
        bytes = rest;
    }
    if let Some((object, span)) = first_again {
        diagnostics.push(&codes::DUPLICATE, span, || {
            let more = again.saturating_sub(1);
            let more = if more > 0 { format!(" (and {more} more)") } else { String::new() };
            format!("duplicate key for object {object} in frame {index}{more}")
        });
    }
    if let (true, Some([object, flags])) = (whole, bytes.first_chunk()) {
        diagnostics.push(&codes::CUT_KEY, Span::new(end - bytes.len(), end), || {
            let (needs, has) = (size(*flags), bytes.len());
            format!(
                "frame {index}, object {object}: the key is {needs} bytes long (flags \
                 0x{flags:02x}), but the frame ends after {has}"
            )
        });
    }
}

/// A set of object indices.
#[derive(Default)]
struct Objects([u64; 4]);

impl Objects {
    /// Inserts an object. Returns whether it was newly inserted.
    fn insert(&mut self, object: u8) -> bool {
        let bit = 1 << (object % 64);
        let Some(word) = self.0.get_mut(usize::from(object / 64)) else { return false };
        let new = *word & bit == 0;
        *word |= bit;
        new
    }
}
