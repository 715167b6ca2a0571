//! The part of a frame that has to be stored.

use std::borrow::Cow;

use super::palette::is_opaque;
use crate::picture::Picture;

/// A rectangle of at least one pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Area {
    pub(super) x: u32,
    pub(super) y: u32,
    pub(super) width: u32,
    pub(super) height: u32,
}

impl Area {
    pub(super) const fn of(picture: &Picture) -> Area {
        Area { x: 0, y: 0, width: picture.width, height: picture.height }
    }

    /// Returns the area in which a picture differs from the one before, which has the same size.
    pub(super) fn changed(picture: &Picture, before: &Picture) -> Area {
        around(picture.rows().zip(before.rows()).map(|(row, before)| {
            let differs = |(pixel, before): (&[u8; 4], &[u8; 4])| pixel != before;
            let first = row.iter().zip(before).position(differs)?;
            Some((first, row.iter().zip(before).rposition(differs)?))
        }))
    }

    /// Returns the area outside which a picture is transparent.
    pub(super) fn visible(picture: &Picture) -> Area {
        around(picture.rows().map(|row| {
            let first = row.iter().position(is_opaque)?;
            Some((first, row.iter().rposition(is_opaque)?))
        }))
    }
}

/// Returns the area around the first and last pixel of each row.
fn around(rows: impl Iterator<Item = Option<(usize, usize)>>) -> Area {
    let mut columns: Option<(usize, usize)> = None;
    let (mut first_row, mut last_row) = (0, 0);
    for (y, (first, last)) in (0_u32..).zip(rows).filter_map(|(y, row)| Some((y, row?))) {
        first_row = if columns.is_none() { y } else { first_row };
        last_row = y;
        columns = Some(columns.map_or((first, last), |(a, b)| (a.min(first), b.max(last))));
    }
    let (first, last) = columns.unwrap_or_default();
    let [x, right] = [first, last].map(|column| u32::try_from(column).unwrap_or_default());
    let length = |first: u32, last: u32| last.saturating_sub(first).saturating_add(1);
    Area { x, y: first_row, width: length(x, right), height: length(first_row, last_row) }
}

impl Picture {
    fn rows(&self) -> impl Iterator<Item = &[[u8; 4]]> {
        self.pixels.chunks_exact((self.width as usize).max(1))
    }

    /// Whether all pixels are opaque.
    pub(super) fn is_covered(&self) -> bool {
        // Without an early exit, so that the compiler can vectorise it.
        let common = self.pixels.iter().fold(u8::MAX, |common, [.., alpha]| common & alpha);
        is_opaque(&[0, 0, 0, common])
    }

    /// Returns a part of the picture.
    pub(super) fn part(&self, area: Area) -> Cow<'_, Picture> {
        if area == Area::of(self) {
            return Cow::Borrowed(self);
        }
        let [x, width] = [area.x, area.width].map(|side| side as usize);
        let mut pixels = Vec::with_capacity(width.saturating_mul(area.height as usize));
        for row in self.rows().skip(area.y as usize).take(area.height as usize) {
            let end = x.saturating_add(width);
            pixels.extend_from_slice(row.get(x..end).unwrap_or_default());
        }
        Cow::Owned(Picture { width: area.width, height: area.height, pixels })
    }
}
