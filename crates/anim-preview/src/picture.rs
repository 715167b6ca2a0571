//! Pictures.

use crate::encode::{EncodeError, png_of};

/// An RGBA picture: sRGB with straight alpha.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picture {
    /// The width in pixels.
    pub width: u32,
    /// The height in pixels.
    pub height: u32,
    /// The pixels, in rows from the top: red, green, blue and alpha.
    pub pixels: Vec<[u8; 4]>,
}

impl Picture {
    /// Returns the pixel in a column and a row, counted from the upper left corner.
    pub fn pixel(&self, x: u32, y: u32) -> Option<[u8; 4]> {
        let row = usize::try_from(y).ok()?.checked_mul(usize::try_from(self.width).ok()?)?;
        let index = row.checked_add(usize::try_from(x).ok()?)?;
        (x < self.width).then(|| self.pixels.get(index).copied()).flatten()
    }

    /// Copies another picture to a place in this one. What lies outside is cut off.
    pub(crate) fn put(&mut self, other: &Picture, x: u32, y: u32) {
        let [width, from] = [self.width, other.width].map(|side| side as usize);
        if width == 0 || from == 0 || x >= self.width {
            return;
        }
        let rows = self.pixels.chunks_exact_mut(width).skip(y as usize);
        for (to, row) in rows.zip(other.pixels.chunks_exact(from)) {
            let to = to.get_mut(x as usize..).unwrap_or_default();
            to.iter_mut().zip(row).for_each(|(to, pixel)| *to = *pixel);
        }
    }

    /// Encodes the picture as a PNG file.
    ///
    /// # Errors
    ///
    /// Returns [`EncodeError`] if the picture has no pixels, or not as many as its size says.
    pub fn to_png(&self) -> Result<Vec<u8>, EncodeError> {
        png_of(self)
    }
}
