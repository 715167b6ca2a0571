//! Textures.

use std::io::Cursor;

use anim_ir::{Budget, Image, color};
use zune_core::bytestream::ZCursor;
use zune_core::colorspace::ColorSpace;
use zune_core::options::DecoderOptions;

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
    /// Linear colours and alpha as sRGB texels, row by row.
    texels: Vec<[u8; 4]>,
}

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

    fn texel(&self, [red, green, blue, alpha]: [u8; 4]) -> [f32; 4] {
        [self.at(red), self.at(green), self.at(blue), f32::from(alpha) / 255.0]
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
    pub(crate) fn at(&self, linear: f32) -> u8 {
        let step = (linear.clamp(0.0, 1.0) * STEPS + 0.5) as usize;
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
        tables: (&ToLinear, &ToSrgb),
        budget: &Budget,
    ) -> Result<Texture, String> {
        let bytes = image.bytes.as_deref().ok_or("was not read")?;
        let decoded = match image.mime_type() {
            Some("image/png") => decode_png(bytes, budget),
            Some(_) => decode_jpeg(bytes, budget),
            None => Err("is not a PNG or JPEG file".to_owned()),
        };
        decoded.map(|level| Texture::from_level(level, tables))
    }

    /// Returns the pattern for textures that are missing.
    pub(crate) fn checker(tables: (&ToLinear, &ToSrgb)) -> Texture {
        let texel = |index: usize| {
            if (index / 4 + index / 64).is_multiple_of(2) {
                [214, 60, 190, 255]
            } else {
                [70, 70, 78, 255]
            }
        };
        let texels = (0..256).map(texel).collect();
        Texture::from_level(Level { width: 16, height: 16, texels }, tables)
    }

    fn from_level(level: Level, tables: (&ToLinear, &ToSrgb)) -> Texture {
        let mut levels = vec![level];
        while let Some(last) = levels.last()
            && last.width.max(last.height) > 1
        {
            levels.push(last.halved(tables));
        }
        Texture { levels }
    }

    /// Returns the linear colour at texture coordinates, which repeat outside 0 to 1. `spread` is
    /// the square of the distance between the coordinates of neighbouring pixels.
    pub(crate) fn sample(&self, u: f32, v: f32, spread: [f32; 4], table: &ToLinear) -> [f32; 4] {
        let Some(largest) = self.levels.first() else { return [1.0; 4] };
        let level = self.levels.get(largest.detail(spread)).or(self.levels.last());
        level.unwrap_or(largest).bilinear(u, v, table)
    }
}

impl Level {
    /// Returns the level of detail whose texels are about as large as pixels.
    fn detail(&self, [du_dx, dv_dx, du_dy, dv_dy]: [f32; 4]) -> usize {
        let (width, height) = (self.width as f32, self.height as f32);
        let square = |u: f32, v: f32| (u * width).powi(2) + (v * height).powi(2);
        // Rounded half-way between two levels: a level more for each factor of 4 from 2.
        let texels = square(du_dx, dv_dx).max(square(du_dy, dv_dy)) * 2.0;
        if texels >= 4.0 {
            // The exponent of the float is the logarithm, rounded down.
            ((texels.to_bits() >> 23) as usize).saturating_sub(127) / 2
        } else {
            0
        }
    }

    fn texel(&self, x: usize, y: usize) -> [u8; 4] {
        self.texels.get(y * self.width + x).copied().unwrap_or_default()
    }

    /// Interpolates between the four nearest texels.
    fn bilinear(&self, u: f32, v: f32, table: &ToLinear) -> [f32; 4] {
        let (x, next_x, right) = nearest(u, self.width);
        let (y, next_y, down) = nearest(v, self.height);
        let corners = [
            (self.texel(x, y), (1.0 - right) * (1.0 - down)),
            (self.texel(next_x, y), right * (1.0 - down)),
            (self.texel(x, next_y), (1.0 - right) * down),
            (self.texel(next_x, next_y), right * down),
        ];
        let mut sum = [0.0; 4];
        for (texel, weight) in corners {
            let texel = table.texel(texel);
            sum.iter_mut().zip(texel).for_each(|(sum, value)| *sum += value * weight);
        }
        sum
    }

    fn halved(&self, (linear, srgb): (&ToLinear, &ToSrgb)) -> Level {
        let [width, height] = [self.width, self.height].map(|side| (side / 2).max(1));
        let mut texels = Vec::with_capacity(width * height);
        for y in 0..height {
            for x in 0..width {
                let mut sum = [0.0; 4];
                for (right, down) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                    let x = (x * 2 + right).min(self.width - 1);
                    let y = (y * 2 + down).min(self.height - 1);
                    let texel = linear.texel(self.texel(x, y));
                    sum.iter_mut().zip(texel).for_each(|(sum, value)| *sum += value / 4.0);
                }
                let [red, green, blue, alpha] = sum;
                texels.push([srgb.at(red), srgb.at(green), srgb.at(blue), byte(alpha)]);
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
fn nearest(coordinate: f32, side: usize) -> (usize, usize, f32) {
    let part = coordinate - coordinate.floor();
    let at = if part.is_finite() { part } else { 0.0 } * side as f32 - 0.5;
    let floor = at.floor();
    let before = if floor < 0.0 { side - 1 } else { (floor as usize).min(side - 1) };
    let after = if before + 1 < side { before + 1 } else { 0 };
    (before, after, at - floor)
}

/// Charges the pixels of an image before they are decoded.
fn charge(width: usize, height: usize, budget: &Budget) -> Result<(), String> {
    if width == 0 || height == 0 || width > LARGEST || height > LARGEST {
        return Err(format!("has {width} × {height} pixels; at most {LARGEST} × {LARGEST} fit"));
    }
    let bytes = width.saturating_mul(height).saturating_mul(BYTES_PER_PIXEL);
    budget.charge("the texels of images", bytes).map_err(|error| error.to_string())
}

fn decode_png(bytes: &[u8], budget: &Budget) -> Result<Level, String> {
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
    let texels: Vec<[u8; 4]> = if frame.color_type == png::ColorType::Rgba {
        samples.as_chunks().0.to_vec()
    } else {
        samples.as_chunks().0.iter().map(|[grey, alpha]| [*grey, *grey, *grey, *alpha]).collect()
    };
    Ok(Level { width, height, texels })
}

fn decode_jpeg(bytes: &[u8], budget: &Budget) -> Result<Level, String> {
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
    Ok(Level { width, height, texels: samples.as_chunks().0.to_vec() })
}
