//! The six-byte header that both formats share.

use winnow::binary::{le_i16, le_u16};
use winnow::error::EmptyError;
use winnow::prelude::*;

use anim_ir::diag::plural;
use anim_ir::{Code, Diagnostic, Diagnostics, Limits, ParseError, Span};

/// The first word.
pub(crate) const MAGIC: u16 = 0x8000;
/// Size of the header in bytes.
pub(crate) const HEADER: usize = 6;
/// The highest byte offset that a table can contain. Bytes after it cannot be part of a frame.
pub(crate) const REACH: usize = 2 * u16::MAX as usize;
/// Size of a camera record in bytes.
pub(crate) const RECORD: usize = 16;

/// Rates in the game's files.
const RATES: [i16; 6] = [1, 10, 15, 20, 30, 60];
/// The rate to use if that of the file is not positive.
const DEFAULT_RATE: i16 = 30;
/// The maximum number of padding bytes, since archives align to multiples of four.
const MOST_PADDING: usize = 3;

/// Magic, rate and number of frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) magic: u16,
    pub(crate) rate: i16,
    pub(crate) frames: u16,
}

impl Header {
    /// Reads the header; `None` if it is incomplete.
    pub(crate) fn read(mut source: &[u8]) -> Option<Header> {
        let parsed: Result<_, EmptyError> = (le_u16, le_i16, le_u16).parse_next(&mut source);
        parsed.ok().map(|(magic, rate, frames)| Header { magic, rate, frames })
    }

    /// Checks the size of the file against the limits and reads the header.
    pub(crate) fn parse(source: &[u8], limits: &Limits) -> Result<Header, ParseError> {
        limits.check_input(source.len())?;
        Header::read(source).ok_or_else(|| {
            let length = source.len();
            let message = format!("the header needs 6 bytes, but the file has {length}");
            ParseError::structure(Span::new(length, length), message)
        })
    }

    pub(crate) fn write(self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.magic.to_le_bytes());
        out.extend_from_slice(&self.rate.to_le_bytes());
        out.extend_from_slice(&self.frames.to_le_bytes());
    }

    /// Frames per second: the rate if it is positive, otherwise the default.
    pub(crate) fn frames_per_second(self) -> f32 {
        f32::from(if self.rate > 0 { self.rate } else { DEFAULT_RATE })
    }
}

/// Implements the accessors for a document's header, which is validated when the file is read.
macro_rules! header_of {
    ($document:ident) => {
        impl $document<'_> {
            pub(crate) fn header(&self) -> crate::header::Header {
                crate::header::Header::read(&self.source).unwrap_or_default()
            }

            /// The first word: 0x8000 in every file of the game.
            pub fn magic(&self) -> u16 {
                self.header().magic
            }

            /// The rate as stored in the file; see [`frames_per_second`](Self::frames_per_second).
            pub fn rate(&self) -> i16 {
                self.header().rate
            }

            /// Frames per second: the rate if positive, otherwise 30. The game does not interpolate
            /// between frames.
            pub fn frames_per_second(&self) -> f32 {
                self.header().frames_per_second()
            }

            /// Sets the rate without changing anything else in the file.
            pub fn set_rate(&mut self, rate: i16) {
                if let Some(bytes) = self.source.to_mut().get_mut(2..4) {
                    bytes.copy_from_slice(&rate.to_le_bytes());
                }
            }
        }
    };
}

pub(crate) use header_of;

/// The codes of problems common to both formats.
pub(crate) struct SharedCodes {
    pub(crate) magic: &'static Code,
    pub(crate) rate: &'static Code,
    pub(crate) trailing: &'static Code,
    pub(crate) padding: &'static Code,
    /// The type of the last item in the file, for messages.
    pub(crate) last: &'static str,
}

impl SharedCodes {
    /// Reports header values that do not occur in the game's files.
    pub(crate) fn check_header(&self, header: Header, diagnostics: &mut Diagnostics) {
        let Header { magic, rate, .. } = header;
        if magic != MAGIC {
            diagnostics.report(self.magic, || {
                let diagnostic = Diagnostic::new(
                    self.magic,
                    Span::new(0, 2),
                    format!("the first word is 0x{magic:04x} instead of 0x8000"),
                );
                if is_swapped(magic) {
                    diagnostic.help(
                        "the bytes of each word appear to be swapped; the format is little-endian",
                    )
                } else {
                    diagnostic
                }
            });
        }
        if !RATES.contains(&rate) {
            diagnostics.push(self.rate, Span::new(2, 4), || match rate {
                1.. => format!(
                    "unusual frame rate {rate}: the game's files use 1, 10, 15, 20, 30 or 60"
                ),
                _ => format!(
                    "invalid frame rate {rate}; {} is used instead",
                    header.frames_per_second()
                ),
            });
        }
    }

    /// Reports bytes after the last item.
    pub(crate) fn check_trailing(
        &self,
        trailing: &[u8],
        length: usize,
        diagnostics: &mut Diagnostics,
    ) {
        if trailing.is_empty() {
            return;
        }
        let padding = trailing.len() <= MOST_PADDING && trailing.iter().all(|byte| *byte == 0);
        let (code, what) =
            if padding { (self.padding, "zero byte") } else { (self.trailing, "byte") };
        let span = Span::new(length.saturating_sub(trailing.len()), length);
        diagnostics.push(code, span, || {
            format!("{} after the last {}", plural(trailing.len(), what), self.last)
        });
    }
}

/// Whether this is the magic number with its bytes swapped.
pub(crate) const fn is_swapped(magic: u16) -> bool {
    magic == MAGIC.swap_bytes()
}

/// Returns the number of relevant bytes in a file, given its header, which may be incomplete. The
/// table of an ANM can address 131,070 bytes, and an ANC is 6 + 16 · n bytes long. When reading a
/// stream, one additional byte is enough to detect trailing bytes.
pub fn addressable(head: &[u8]) -> usize {
    Header::read(head)
        .map_or(REACH, |header| REACH.max(HEADER + RECORD * usize::from(header.frames)))
}
