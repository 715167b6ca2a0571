//! Whether the pixels of an image are opaque, invisible or translucent.

use std::io::{self, Read};

use flate2::read::ZlibDecoder;

use crate::model::image::{PNG, before_pixels, png_chunks};
use crate::{Budget, image_type};

/// The alpha of an image's pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Transparency {
    /// All pixels are opaque.
    Opaque,
    /// Each pixel is opaque or invisible.
    Cutout,
    /// Some pixels are translucent.
    Smooth,
}

/// How far the alpha of opaque and invisible pixels may be from 255 and 0. Castle Game Engine has
/// the same tolerance by default (`TEncodedImage.AlphaChannel`).
const TOLERANCE: u8 = 5;

/// The passes of an interlaced image (PNG specification, section 8.2): the first column and row,
/// and the distances to the next column and row.
const PASSES: [[usize; 4]; 7] = [
    [0, 0, 8, 8],
    [4, 0, 8, 8],
    [0, 4, 4, 8],
    [2, 0, 4, 4],
    [0, 2, 2, 4],
    [1, 0, 2, 2],
    [0, 1, 1, 2],
];

impl Transparency {
    /// Examines the pixels of a PNG file; those of JPEG files are always opaque. Returns `None` if
    /// they cannot be decoded, or if that takes more work than the budget allows.
    pub(crate) fn of(bytes: &[u8], budget: &Budget) -> Option<Transparency> {
        const PALETTE: u8 = 3;
        if !bytes.starts_with(PNG) {
            return image_type(bytes).map(|_| Transparency::Opaque);
        }
        let mut header = None;
        let mut transparent = None;
        for (kind, chunk) in before_pixels(bytes) {
            match kind {
                b"IHDR" => header = Some(Header::of(chunk)?),
                b"tRNS" => transparent = chunk.get(8..chunk.len().saturating_sub(4)),
                _ => {}
            }
        }
        let header = header?;
        match (header.color_type, transparent) {
            (4 | 6, _) => header.pixels(bytes, budget),
            (PALETTE, Some(alphas)) => {
                let mut found = Transparency::Opaque;
                alphas.iter().for_each(|alpha| found.add(*alpha));
                Some(found)
            }
            // One colour is invisible.
            (_, Some(_)) => Some(Transparency::Cutout),
            (_, None) => Some(Transparency::Opaque),
        }
    }

    /// Adds a pixel.
    fn add(&mut self, alpha: u8) {
        if alpha <= TOLERANCE {
            if *self == Transparency::Opaque {
                *self = Transparency::Cutout;
            }
        } else if alpha < u8::MAX - TOLERANCE {
            *self = Transparency::Smooth;
        }
    }
}

/// The fields of `IHDR` (PNG specification, section 11.2.2).
struct Header {
    width: usize,
    height: usize,
    depth: u8,
    color_type: u8,
    interlaced: bool,
}

impl Header {
    /// `chunk` begins with its length and type.
    fn of(chunk: &[u8]) -> Option<Header> {
        let size =
            |at: usize| usize::try_from(u32::from_be_bytes(*chunk.get(at..)?.first_chunk()?)).ok();
        let [depth, color_type, _, _, interlace] = *chunk.get(16..)?.first_chunk()?;
        Some(Header {
            width: size(8)?,
            height: size(12)?,
            depth,
            color_type,
            interlaced: interlace != 0,
        })
    }

    /// Examines pixels that store their alpha after their colour. Only the bytes of the alpha are
    /// decoded: filters predict each byte from the corresponding bytes of neighbouring pixels.
    fn pixels(&self, bytes: &[u8], budget: &Budget) -> Option<Transparency> {
        const WORK: &str = "the pixels of images";
        let step = match self.depth {
            8 => 1,
            16 => 2,
            _ => return None,
        };
        let channels = if self.color_type == 4 { 2 } else { 4 };
        let data = png_chunks(bytes).filter(|(kind, _)| *kind == b"IDAT");
        let mut data = data.filter_map(|(_, chunk)| chunk.get(8..chunk.len().saturating_sub(4)));
        let mut decoder = ZlibDecoder::new(Pieces { current: &[], next: || data.next() });
        let mut found = Transparency::Opaque;
        for [width, height] in self.passes() {
            let length = width.checked_mul(channels * step)?.checked_add(1)?;
            let mut row = budget.list(WORK, length).ok()?;
            row.resize(length, 0);
            let mut alphas = budget.list(WORK, width).ok()?;
            alphas.resize(width, 0);
            for _ in 0..height {
                budget.charge_work(WORK, length).ok()?;
                decoder.read_exact(&mut row).ok()?;
                let [filter, row @ ..] = row.as_slice() else { return None };
                // Samples of 16 bits are big-endian.
                let stored = row.chunks_exact(channels * step);
                let stored = stored.filter_map(|pixel| pixel.get((channels - 1) * step).copied());
                undo(*filter, stored, &mut alphas)?;
                alphas.iter().for_each(|alpha| found.add(*alpha));
                if found == Transparency::Smooth {
                    return Some(found);
                }
            }
        }
        Some(found)
    }

    /// Returns the width and height of each non-empty pass.
    fn passes(&self) -> impl Iterator<Item = [usize; 2]> {
        let Header { width, height, interlaced, .. } = *self;
        let passes = if interlaced { &PASSES[..] } else { &[[0, 0, 1, 1]] };
        let size = |of: usize, first, step| of.saturating_sub(first).div_ceil(step);
        let sizes =
            passes.iter().map(move |[x, y, dx, dy]| [size(width, *x, *dx), size(height, *y, *dy)]);
        sizes.filter(|size| !size.contains(&0))
    }
}

/// Undoes a filter (PNG specification, section 9.2) for one byte of each pixel of a row. `row`
/// holds the bytes of the row above, which are replaced by those of this row.
fn undo(filter: u8, stored: impl Iterator<Item = u8>, row: &mut [u8]) -> Option<()> {
    let (mut left, mut corner) = (0_u8, 0_u8);
    for (stored, value) in stored.zip(row) {
        let above = *value;
        let predicted = match filter {
            0 => 0,
            1 => left,
            2 => above,
            3 => left.midpoint(above),
            4 => paeth(left, above, corner),
            _ => return None,
        };
        *value = stored.wrapping_add(predicted);
        (left, corner) = (*value, above);
    }
    Some(())
}

/// Returns which of three neighbours is closest to `left + above - corner`.
fn paeth(left: u8, above: u8, corner: u8) -> u8 {
    let [a, b, c] = [left, above, corner].map(i16::from);
    let [to_left, to_above, to_corner] = [b - c, a - c, a + b - c - c].map(i16::abs);
    if to_left <= to_above && to_left <= to_corner {
        left
    } else if to_above <= to_corner {
        above
    } else {
        corner
    }
}

/// Reads slices one after another, as a single stream.
struct Pieces<'a, F> {
    current: &'a [u8],
    next: F,
}

impl<'a, F: FnMut() -> Option<&'a [u8]>> Read for Pieces<'a, F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.current.is_empty() {
            let Some(next) = (self.next)() else { return Ok(0) };
            self.current = next;
        }
        self.current.read(buffer)
    }
}
