//! Textures.

use std::io::Cursor;

use anim_ir::{Budget, Image, color};
use wide::CmpLt as _;
use zune_core::bytestream::ZCursor;
use zune_core::colorspace::ColorSpace;
use zune_core::options::DecoderOptions;

use crate::lanes::{Lanes, indices, lanes_of, rounded};

/// The maximum width and height of an image that is decoded.
const LARGEST: usize = 1 << 14;
/// The bytes per pixel, with the border, for decoding an image: samples, texels and mip levels.
const BYTES_PER_PIXEL: usize = 20;

/// The levels of detail of a texture, from the largest to a single texel.
pub(crate) struct Texture {
    levels: Vec<Level>,
    /// The lowest alpha of a texel, from 0 to 1.
    pub(crate) lowest_alpha: f32,
}

struct Level {
    /// Without the border.
    width: usize,
    height: usize,
    size: [f32; 2],
    /// Linear colours and alpha, from 0 to [`ONE`], row by row. Around them is a border with the
    /// texels of the opposite side.
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

    /// Converts red, green and blue, each from 0 to 1.
    #[inline]
    pub(crate) fn bytes(&self, linear: Lanes) -> [u8; 3] {
        let [red, green, blue, _] = indices(linear * STEPS);
        let byte = |step: usize| self.0.get(step).copied().unwrap_or_default();
        [byte(red), byte(green), byte(blue)]
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
        let bytes = image.bytes.as_deref().ok_or("is missing or cannot be used")?;
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
        let texel = |x: usize, y: usize| {
            let pixel = decoded.pixels.get(y * decoded.width + x);
            let [red, green, blue, alpha] = pixel.copied().unwrap_or_default();
            [color(red), color(green), color(blue), u16::from(alpha) * 257]
        };
        let mut levels = vec![Level::new(decoded.width, decoded.height, texel)];
        while let Some(last) = levels.last()
            && last.width.max(last.height) > 1
        {
            levels.push(last.halved());
        }
        let lowest = decoded.pixels.iter().map(|[.., alpha]| *alpha).min().unwrap_or(u8::MAX);
        Texture { levels, lowest_alpha: f32::from(lowest) / 255.0 }
    }

    /// Returns the linear colour at texture coordinates, which repeat outside 0 to 1. `spread` is
    /// how much u and v change to the pixel on the right, and to the pixel below.
    #[inline(always)]
    pub(crate) fn sample(&self, at: [f32; 2], spread: Lanes) -> Lanes {
        let Some(largest) = self.levels.first() else { return Lanes::new([1.0; 4]) };
        let level = self.levels.get(largest.detail(spread)).or(self.levels.last());
        level.unwrap_or(largest).bilinear(at)
    }
}

impl Level {
    /// Returns the level of detail whose texels are about as large as pixels.
    #[inline]
    fn detail(&self, spread: Lanes) -> usize {
        let [width, height] = self.size;
        let texels = spread * Lanes::new([width, height, width, height]);
        let [du_dx, dv_dx, du_dy, dv_dy] = (texels * texels).to_array();
        // Rounded half-way between two levels: a level more for each factor of 4 from 2.
        let (across, down) = (du_dx + dv_dx, du_dy + dv_dy);
        let texels = if across > down { across } else { down } * 2.0;
        // The exponent of the float is the logarithm, rounded down.
        ((texels.to_bits() >> 23) as usize).saturating_sub(127) / 2
    }

    /// Interpolates between the four nearest texels.
    #[inline(always)]
    fn bilinear(&self, [u, v]: [f32; 2]) -> Lanes {
        let [width, height] = self.size;
        let at = Lanes::new([u, v, 0.0, 0.0]);
        let part = at - rounded(at);
        let part = part + (part.cmp_lt(Lanes::ZERO) & Lanes::ONE);
        let part = part.fast_max(Lanes::ZERO).fast_min(Lanes::ONE);
        // The middle of a texel is half a texel after its start. The first texel before a
        // coordinate, and the first row, are in the border.
        let texel = part * Lanes::new([width, height, 0.0, 0.0]);
        let [x, y, ..] = indices(texel);
        let [right, down, ..] = (texel + 0.5 - rounded(texel)).to_array();
        let stride = self.width.wrapping_add(2);
        let start = y.wrapping_mul(stride).wrapping_add(x);
        let Some([a, b, below @ ..]) = self.texels.get(start..) else { return Lanes::ZERO };
        let Some([c, d, ..]) = below.get(self.width..) else { return Lanes::ZERO };
        let mix = |from: Lanes, to: Lanes, part: f32| from + (to - from) * part;
        let above = mix(lanes_of(*a), lanes_of(*b), right);
        let below = mix(lanes_of(*c), lanes_of(*d), right);
        mix(above, below, down) * (1.0 / ONE)
    }

    /// Creates a level from the texel at each column and row.
    fn new(width: usize, height: usize, texel: impl Fn(usize, usize) -> [u16; 4]) -> Level {
        let around = |side: usize| std::iter::once(side - 1).chain(0..side).chain([0]);
        let row = |y: usize| around(width).map(move |x| (x, y));
        let texels = around(height).flat_map(row).map(|(x, y)| texel(x, y)).collect();
        Level { width, height, size: [width as f32, height as f32], texels }
    }

    fn texel(&self, x: usize, y: usize) -> [u16; 4] {
        let place = (y + 1) * (self.width + 2) + x + 1;
        self.texels.get(place).copied().unwrap_or_default()
    }

    fn halved(&self) -> Level {
        let [width, height] = [self.width, self.height].map(|side| (side / 2).max(1));
        Level::new(width, height, |x, y| {
            let [left, right] = [x * 2, x * 2 + 1].map(|x| x.min(self.width - 1));
            let [above, below] = [y * 2, y * 2 + 1].map(|y| y.min(self.height - 1));
            let mut sum = [2_u32; 4];
            for (x, y) in [(left, above), (right, above), (left, below), (right, below)] {
                let texel = self.texel(x, y);
                sum.iter_mut().zip(texel).for_each(|(sum, part)| *sum += u32::from(part));
            }
            sum.map(|sum| u16::try_from(sum / 4).unwrap_or(u16::MAX))
        })
    }
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
    let bytes = (width + 2).saturating_mul(height + 2).saturating_mul(BYTES_PER_PIXEL);
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
