//! Textures.

use std::io::Cursor;

use anim_ir::{Budget, Image, color};
use zune_core::bytestream::ZCursor;
use zune_core::colorspace::ColorSpace;
use zune_core::options::DecoderOptions;

use crate::lanes::Lanes;

/// The maximum width and height of an image that is decoded.
const LARGEST: usize = 1 << 14;
/// The bytes per pixel for decoding an image: samples, texels and mip levels.
const BYTES_PER_PIXEL: usize = 20;

/// The levels of detail of a texture, from the largest to a single texel.
pub(crate) struct Texture {
    levels: Vec<Level>,
}

struct Level {
    width: usize,
    height: usize,
    /// Linear colours and alpha, from 0 to [`ONE`], row by row.
    texels: Vec<[u16; 4]>,
}

/// What stands for 1 in texels.
const ONE: f32 = 65_535.0;

/// Linear values of sRGB bytes.
pub(crate) struct ToLinear([f32; 256]);

impl ToLinear {
    pub(crate) fn new() -> ToLinear {
        let mut table = [0.0; 256];
        for (value, byte) in table.iter_mut().zip(0_u8..=255) {
            *value = color::to_linear(f32::from(byte) / 255.0);
        }
        ToLinear(table)
    }

    pub(crate) fn at(&self, byte: u8) -> f32 {
        self.0.get(usize::from(byte)).copied().unwrap_or_default()
    }
}

/// sRGB bytes of linear values. The table is fine enough to be within an eighth of a byte of the
/// exact value.
pub(crate) struct ToSrgb(Vec<u8>);

const STEPS: f32 = 16_384.0;

impl ToSrgb {
    pub(crate) fn new() -> ToSrgb {
        let steps = 0..=16_384_u16;
        ToSrgb(steps.map(|step| byte(color::to_srgb(f32::from(step) / STEPS))).collect())
    }

    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
    #[inline]
    pub(crate) fn at(&self, linear: f32) -> u8 {
        // Processors convert to signed integers faster.
        let step = (linear.clamp(0.0, 1.0) * STEPS + 0.5) as i32 as usize;
        self.0.get(step).copied().unwrap_or_default()
    }
}

/// Rounds a value from 0 to 1 to a byte.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
pub(crate) fn byte(value: f32) -> u8 {
    (value.clamp(0.0, 1.0) * 255.0 + 0.5) as u8
}

impl Texture {
    /// Decodes an image. The error is a predicate that says why it cannot be shown.
    pub(crate) fn decode(
        image: &Image,
        table: &ToLinear,
        budget: &Budget,
    ) -> Result<Texture, String> {
        let bytes = image.bytes.as_deref().ok_or("was not read")?;
        let decoded = match image.mime_type() {
            Some("image/png") => decode_png(bytes, budget),
            Some(_) => decode_jpeg(bytes, budget),
            None => Err("is not a PNG or JPEG file".to_owned()),
        };
        decoded.map(|decoded| Texture::new(&decoded, table))
    }

    /// Returns the pattern for textures that are missing.
    pub(crate) fn checker(table: &ToLinear) -> Texture {
        let pixel = |index: usize| {
            if (index / 4 + index / 64).is_multiple_of(2) {
                [214, 60, 190, 255]
            } else {
                [70, 70, 78, 255]
            }
        };
        let pixels = (0..256).map(pixel).collect();
        Texture::new(&Decoded { width: 16, height: 16, pixels }, table)
    }

    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 65,535")]
    fn new(decoded: &Decoded, table: &ToLinear) -> Texture {
        let linear = table.0.map(|value| (value * ONE + 0.5) as u16);
        let color = |byte: u8| linear.get(usize::from(byte)).copied().unwrap_or_default();
        let texel = |[red, green, blue, alpha]: &[u8; 4]| {
            [color(*red), color(*green), color(*blue), u16::from(*alpha) * 257]
        };
        let texels = decoded.pixels.iter().map(texel).collect();
        let mut levels = vec![Level { width: decoded.width, height: decoded.height, texels }];
        while let Some(last) = levels.last()
            && last.width.max(last.height) > 1
        {
            levels.push(last.halved());
        }
        Texture { levels }
    }

    /// Returns the linear colour at texture coordinates, which repeat outside 0 to 1. `spread` is
    /// how much u and v change to the pixel on the right, and to the pixel below.
    #[inline]
    pub(crate) fn sample(&self, [u, v]: [f32; 2], spread: Lanes) -> Lanes {
        let Some(largest) = self.levels.first() else { return Lanes([1.0; 4]) };
        let level = self.levels.get(largest.detail(spread)).or(self.levels.last());
        level.unwrap_or(largest).bilinear(u, v)
    }
}

impl Level {
    /// Returns the level of detail whose texels are about as large as pixels.
    #[inline]
    fn detail(&self, spread: Lanes) -> usize {
        let (width, height) = (self.width as f32, self.height as f32);
        let texels = spread * Lanes([width, height, width, height]);
        let Lanes([du_dx, dv_dx, du_dy, dv_dy]) = texels * texels;
        // Rounded half-way between two levels: a level more for each factor of 4 from 2.
        let texels = (du_dx + dv_dx).max(du_dy + dv_dy) * 2.0;
        if texels >= 4.0 {
            // The exponent of the float is the logarithm, rounded down.
            ((texels.to_bits() >> 23) as usize).saturating_sub(127) / 2
        } else {
            0
        }
    }

    /// Interpolates between the four nearest texels.
    #[inline]
    fn bilinear(&self, u: f32, v: f32) -> Lanes {
        let (x, next_x, right) = nearest(u, self.width);
        let (y, next_y, down) = nearest(v, self.height);
        let texel = |x: usize, row: usize| {
            Lanes::from(self.texels.get(row.wrapping_add(x)).copied().unwrap_or_default())
        };
        let [row, next_row] = [y, next_y].map(|y| y.wrapping_mul(self.width));
        let mix = |from: Lanes, to: Lanes, part: f32| from + (to - from) * part;
        let above = mix(texel(x, row), texel(next_x, row), right);
        let below = mix(texel(x, next_row), texel(next_x, next_row), right);
        mix(above, below, down) * (1.0 / ONE)
    }

    fn halved(&self) -> Level {
        let [width, height] = [self.width, self.height].map(|side| (side / 2).max(1));
        let mut texels = Vec::with_capacity(width * height);
        for y in 0..height {
            let [above, below] = [y * 2, y * 2 + 1].map(|y| y.min(self.height - 1) * self.width);
            for x in 0..width {
                let [left, right] = [x * 2, x * 2 + 1].map(|x| x.min(self.width - 1));
                let places = [above + left, above + right, below + left, below + right];
                let mut mean = [2_u32; 4];
                for texel in places.into_iter().filter_map(|place| self.texels.get(place)) {
                    mean.iter_mut().zip(texel).for_each(|(sum, part)| *sum += u32::from(*part));
                }
                texels.push(mean.map(|sum| u16::try_from(sum / 4).unwrap_or(u16::MAX)));
            }
        }
        Level { width, height, texels }
    }
}

/// Returns the texels before and after a coordinate, and the fraction of the distance between them.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the coordinate is reduced to 0 to 1 first"
)]
#[inline]
fn nearest(coordinate: f32, side: usize) -> (usize, usize, f32) {
    // Rounds down without a call on processors that cannot. Casts saturate.
    let toward_zero = coordinate as i32 as f32;
    let floor = if toward_zero > coordinate { toward_zero - 1.0 } else { toward_zero };
    let part = coordinate - floor;
    let part = if (0.0..=1.0).contains(&part) { part } else { 0.0 };
    // From the middle of the last texel, which is also before the first one.
    let at = part * side as f32 + 0.5;
    let number = at as i32;
    let after = if number as usize >= side { 0 } else { number as usize };
    let before = if number == 0 { side.wrapping_sub(1) } else { (number as usize).wrapping_sub(1) };
    (before, after, at - number as f32)
}

/// The pixels of an image file: sRGB with straight alpha.
struct Decoded {
    width: usize,
    height: usize,
    pixels: Vec<[u8; 4]>,
}

/// Charges the pixels of an image before they are decoded.
fn charge(width: usize, height: usize, budget: &Budget) -> Result<(), String> {
    if width == 0 || height == 0 || width > LARGEST || height > LARGEST {
        return Err(format!("has {width} × {height} pixels; at most {LARGEST} × {LARGEST} fit"));
    }
    let bytes = width.saturating_mul(height).saturating_mul(BYTES_PER_PIXEL);
    budget.charge("the texels of images", bytes).map_err(|error| error.to_string())
}

fn decode_png(bytes: &[u8], budget: &Budget) -> Result<Decoded, String> {
    let failed = |error: png::DecodingError| format!("cannot be decoded: {error}");
    let limits = png::Limits { bytes: budget.left().min(64 << 20) };
    let mut decoder = png::Decoder::new_with_limits(Cursor::new(bytes), limits);
    decoder.set_ignore_text_chunk(true);
    decoder.set_transformations(
        png::Transformations::normalize_to_color8() | png::Transformations::ALPHA,
    );
    let mut reader = decoder.read_info().map_err(failed)?;
    let [width, height] = {
        let info = reader.info();
        [info.width, info.height].map(|side| usize::try_from(side).unwrap_or(usize::MAX))
    };
    charge(width, height, budget)?;
    let size = reader.output_buffer_size().ok_or("is too large")?;
    let mut samples = vec![0; size];
    let frame = reader.next_frame(&mut samples).map_err(failed)?;
    let pixels: Vec<[u8; 4]> = if frame.color_type == png::ColorType::Rgba {
        samples.as_chunks().0.to_vec()
    } else {
        samples.as_chunks().0.iter().map(|[grey, alpha]| [*grey, *grey, *grey, *alpha]).collect()
    };
    Ok(Decoded { width, height, pixels })
}

fn decode_jpeg(bytes: &[u8], budget: &Budget) -> Result<Decoded, String> {
    let options = DecoderOptions::default()
        .jpeg_set_out_colorspace(ColorSpace::RGBA)
        .set_max_width(LARGEST)
        .set_max_height(LARGEST);
    let mut decoder = zune_jpeg::JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    let failed = |error: zune_jpeg::errors::DecodeErrors| format!("cannot be decoded: {error}");
    decoder.decode_headers().map_err(failed)?;
    let info = decoder.info().ok_or("has no header")?;
    let [width, height] = [info.width, info.height].map(usize::from);
    charge(width, height, budget)?;
    let samples = decoder.decode().map_err(failed)?;
    Ok(Decoded { width, height, pixels: samples.as_chunks().0.to_vec() })
}
