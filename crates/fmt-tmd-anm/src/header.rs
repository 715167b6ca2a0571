//! The header of six bytes that both formats start with.

use winnow::binary::{le_i16, le_u16};
use winnow::error::EmptyError;
use winnow::prelude::*;

use anim_ir::diag::plural;
use anim_ir::{Code, Diagnostic, Diagnostics, Limits, ParseError, Span};

/// The first word.
pub(crate) const MAGIC: u16 = 0x8000;
/// Size of the header in bytes.
pub(crate) const HEADER: usize = 6;
/// The highest offset that a table of units of two bytes can contain. Nothing after it belongs to a
/// frame.
pub(crate) const REACH: usize = 2 * u16::MAX as usize;
/// Size of a camera record in bytes.
pub(crate) const RECORD: usize = 16;

/// Rates in the game's files.
const RATES: [i16; 6] = [1, 10, 15, 20, 30, 60];
/// The rate to use if the file's is not positive.
const DEFAULT_RATE: i16 = 30;
/// The maximum number of padding bytes: archives align to multiples of four.
const MOST_PADDING: usize = 3;

/// Magic, rate and number of frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) magic: u16,
    pub(crate) rate: i16,
    pub(crate) frames: u16,
}

impl Header {
    /// Reads the header; `None` if the bytes end before it does.
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

    /// Frames per second: the rate if it is greater than 0.
    pub(crate) fn frames_per_second(self) -> f32 {
        f32::from(if self.rate > 0 { self.rate } else { DEFAULT_RATE })
    }
}

/// Implements the accessors for a document's header, which was checked when reading the file.
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

            /// Frames per second: the rate, or 30 if that is not greater than 0. The game does not
            /// interpolate between frames.
            pub fn frames_per_second(&self) -> f32 {
                self.header().frames_per_second()
            }

            /// Sets the rate and changes nothing else in the file.
            pub fn set_rate(&mut self, rate: i16) {
                if let Some(bytes) = self.source.to_mut().get_mut(2..4) {
                    bytes.copy_from_slice(&rate.to_le_bytes());
                }
            }
        }
    };
}

pub(crate) use header_of;

/// The codes of problems that both formats have in common.
pub(crate) struct SharedCodes {
    pub(crate) magic: &'static Code,
    pub(crate) rate: &'static Code,
    pub(crate) trailing: &'static Code,
    pub(crate) padding: &'static Code,
    /// The name of the last item in the file, for messages.
    pub(crate) last: &'static str,
}

impl SharedCodes {
    /// Reports a header that differs from those of the game's files.
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
                        "the bytes of each word seem to be swapped: the format is little-endian",
                    )
                } else {
                    diagnostic
                }
            });
        }
        if !RATES.contains(&rate) {
            diagnostics.push(self.rate, Span::new(2, 4), || match rate {
                1.. => format!(
                    "unusual frame rate {rate}: the game's files have 1, 10, 15, 20, 30 or 60"
                ),
                _ => format!(
                    "invalid frame rate {rate}; {} is used instead",
                    header.frames_per_second()
                ),
            });
        }
    }

    /// Reports bytes after everything that the file refers to.
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

/// Whether this is the magic of a file with swapped bytes.
pub(crate) const fn is_swapped(magic: u16) -> bool {
    magic == MAGIC.swap_bytes()
}

/// The number of bytes of a file that can matter, from its first six bytes (or fewer): an ANM's
/// table reaches 131,070 bytes, an ANC has 6 + 16 · n bytes. When reading a stream, these and one
/// more byte are enough to detect that more follows.
pub fn addressable(head: &[u8]) -> usize {
    Header::read(head)
        .map_or(REACH, |header| REACH.max(HEADER + RECORD * usize::from(header.frames)))
}
