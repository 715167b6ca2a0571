//! Image files.

mod area;
mod palette;

use std::borrow::Cow;

use thiserror::Error;

use crate::picture::Picture;
use area::Area;
use palette::Indexed;

/// The highest frame rate of an animation, since GIF files count in hundredths of a second.
const MOST_FRAMES_PER_SECOND: f64 = 50.0;

/// The error for pictures that cannot be encoded.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum EncodeError {
    /// No pictures were given, or a picture has no pixels.
    #[error("there are no pixels to write")]
    Empty,
    /// A picture has another size than the first one, or not as many pixels as its size says.
    #[error("the pictures of an animation must have the same size")]
    Size,
    /// The picture is too large for the file format.
    #[error("the picture is too large for the file format")]
    Large,
    /// The PNG encoder failed.
    #[error(transparent)]
    Png(#[from] png::EncodingError),
    /// The GIF encoder failed.
    #[error(transparent)]
    Gif(#[from] gif::EncodingError),
}

fn check(picture: &Picture, width: u32, height: u32) -> Result<(), EncodeError> {
    if width == 0 || height == 0 {
        return Err(EncodeError::Empty);
    }
    let pixels = usize::try_from(u64::from(width).saturating_mul(height.into()));
    let is_whole = pixels.is_ok_and(|pixels| pixels == picture.pixels.len());
    if !is_whole || (picture.width, picture.height) != (width, height) {
        return Err(EncodeError::Size);
    }
    Ok(())
}

/// Starts a PNG file of a picture's size.
fn png_encoder<'a>(
    out: &'a mut Vec<u8>,
    picture: &Picture,
) -> Result<png::Encoder<'a, &'a mut Vec<u8>>, EncodeError> {
    check(picture, picture.width, picture.height)?;
    let mut encoder = png::Encoder::new(out, picture.width, picture.height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Fast);
    encoder.set_filter(png::Filter::Up);
    Ok(encoder)
}

impl Picture {
    /// Counts the distinct colours of opaque pixels as [`gif()`] does: by the five high bits of
    /// each component. The more there are, the longer it takes to choose a palette.
    pub fn gif_colors(&self) -> usize {
        palette::count(self)
    }

    /// Encodes the picture as a PNG file.
    ///
    /// # Errors
    ///
    /// Returns [`EncodeError`] if the picture has no pixels, or not as many as its size says.
    pub fn to_png(&self) -> Result<Vec<u8>, EncodeError> {
        let mut out = Vec::new();
        let mut writer = png_encoder(&mut out, self)?.write_header()?;
        writer.write_image_data(self.pixels.as_flattened())?;
        writer.finish()?;
        Ok(out)
    }
}

/// Returns the times of frames in units of `1 / per_second` of a second, each at least 1. Each
/// frame ends at the nearest unit, so that the rounding errors do not add up.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
fn delays(frames_per_second: f64, per_second: u16) -> impl FnMut() -> u16 {
    let rate = if frames_per_second.is_finite() { frames_per_second } else { 0.0 };
    let length = f64::from(per_second) / rate.clamp(0.01, MOST_FRAMES_PER_SECOND);
    let (mut end, mut shown) = (0.0, 0.0);
    move || {
        end += length;
        let delay = (end - shown).round().clamp(1.0, f64::from(u16::MAX));
        shown += delay;
        delay as u16
    }
}

/// Encodes pictures of the same size as an animated PNG file that loops. Frames end at whole
/// milliseconds, and at most 50 are shown per second. Of each frame, only the area that
/// differs from the frame before is stored.
///
/// # Errors
///
/// Returns [`EncodeError`] if there are no pictures, or they differ in size.
pub fn animated_png(
    frames: impl IntoIterator<Item = Picture, IntoIter: ExactSizeIterator>,
    frames_per_second: f64,
) -> Result<Vec<u8>, EncodeError> {
    let mut frames = frames.into_iter();
    let count = u32::try_from(frames.len()).map_err(|_| EncodeError::Large)?;
    let mut shown = frames.next().ok_or(EncodeError::Empty)?;
    let mut out = Vec::new();
    let mut encoder = png_encoder(&mut out, &shown)?;
    encoder.set_animated(count, 0)?;
    let mut delay = delays(frames_per_second, 1000);
    encoder.set_frame_delay(delay(), 1000)?;
    let mut writer = encoder.write_header()?;
    writer.write_image_data(shown.pixels.as_flattened())?;
    for frame in frames {
        check(&frame, shown.width, shown.height)?;
        let area = Area::changed(&frame, &shown);
        writer.set_frame_delay(delay(), 1000)?;
        // The size is checked against the position before.
        writer.reset_frame_position()?;
        writer.set_frame_dimension(area.width, area.height)?;
        writer.set_frame_position(area.x, area.y)?;
        writer.write_image_data(frame.part(area).pixels.as_flattened())?;
        shown = frame;
    }
    writer.finish()?;
    Ok(out)
}

/// Encodes pictures of the same size as a GIF file that loops. Each frame has a palette of its own
/// of at most 255 colours; pixels are either opaque or transparent. Frames end at whole
/// hundredths of a second, and at most 50 are shown per second. Of each frame, only the area
/// that differs from the frame before is stored or, if pixels are transparent, the area that is
/// visible.
///
/// # Errors
///
/// Returns [`EncodeError`] if there are no pictures, they differ in size, or a side has more than
/// 65,535 pixels.
pub fn gif(
    frames: impl IntoIterator<Item = Picture>,
    frames_per_second: f64,
) -> Result<Vec<u8>, EncodeError> {
    let mut frames = frames.into_iter().peekable();
    let first = frames.peek().ok_or(EncodeError::Empty)?;
    let size = (first.width, first.height);
    let first_is_covered = first.is_covered();
    let mut is_covered = first_is_covered;
    let side = |side: u32| u16::try_from(side).map_err(|_| EncodeError::Large);
    let mut out = Vec::new();
    let mut encoder = gif::Encoder::new(&mut out, side(size.0)?, side(size.1)?, &[])?;
    encoder.set_repeat(gif::Repeat::Infinite)?;
    // The picture on which the next one is drawn, if it has no transparent pixels.
    let mut shown: Option<Picture> = None;
    let mut delay = delays(frames_per_second, 100);
    while let Some(picture) = frames.next() {
        check(&picture, size.0, size.1)?;
        // A frame cannot make pixels transparent. Before a picture with transparent pixels, the
        // canvas is cleared.
        let next_is_covered = frames.peek().map_or(first_is_covered, Picture::is_covered);
        let stays = is_covered && next_is_covered;
        is_covered = next_is_covered;
        let area = match &shown {
            Some(shown) if stays => Area::changed(&picture, shown),
            None if !stays => Area::visible(&picture),
            _ => Area::of(&picture),
        };
        let Indexed { palette, pixels, transparent } = palette::reduce(&picture.part(area));
        encoder.write_frame(&gif::Frame {
            delay: delay(),
            dispose: if stays {
                gif::DisposalMethod::Keep
            } else {
                gif::DisposalMethod::Background
            },
            transparent,
            left: side(area.x)?,
            top: side(area.y)?,
            width: side(area.width)?,
            height: side(area.height)?,
            palette: Some(palette),
            buffer: Cow::Owned(pixels),
            ..gif::Frame::default()
        })?;
        shown = stays.then_some(picture);
    }
    drop(encoder);
    Ok(out)
}
