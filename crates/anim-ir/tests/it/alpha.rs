//! Alpha modes that depend on the pixels of images, which are encoded by the `png` crate.

use std::io::Write as _;

use anim_ir::{AlphaMode, Budget, Image, Limits, Material, Scene};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use png::{BitDepth, ColorType, Encoder, Filter};

const SIZE: u32 = 13;
const OPAQUE: AlphaMode = AlphaMode::Colors;
const CUTOUT: AlphaMode = AlphaMode::Mask(0.5);
const UNKNOWN: AlphaMode = AlphaMode::Mask(0.25);

/// The alpha of each pixel of three images, and the mode that it suggests.
fn images() -> [(Vec<u8>, AlphaMode); 3] {
    let pixels = SIZE * SIZE;
    let opaque: Vec<u8> = (0..pixels).map(|at| 255 - (at % 6) as u8).collect();
    let mut cutout = opaque.clone();
    cutout[100] = 5;
    cutout[101] = 0;
    let mut smooth = cutout.clone();
    smooth[pixels as usize - 1] = 249;
    [(opaque, OPAQUE), (cutout, CUTOUT), (smooth, AlphaMode::Blend)]
}

/// Returns the samples of an image in which colours are noise.
fn samples(alphas: &[u8], color: ColorType, depth: BitDepth) -> Vec<u8> {
    let mut state = 12_345_u32;
    let mut noise = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    let mut samples = Vec::new();
    for alpha in alphas {
        for channel in 1..=color.samples() {
            let sample = if channel == color.samples() { *alpha } else { noise() };
            samples.push(sample);
            if depth == BitDepth::Sixteen {
                samples.push(noise());
            }
        }
    }
    samples
}

fn encoded(
    (color, depth): (ColorType, BitDepth),
    filter: Filter,
    samples: &[u8],
    alphas_of_palette: Option<&[u8]>,
) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, SIZE, SIZE);
    encoder.set_color(color);
    encoder.set_depth(depth);
    encoder.set_filter(filter);
    if let Some(alphas) = alphas_of_palette {
        encoder.set_palette(vec![9; 12]);
        encoder.set_trns(alphas.to_vec());
    }
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(samples).unwrap();
    writer.finish().unwrap();
    bytes
}

/// Returns the alpha mode of a material without one of its own, with this image.
fn mode_within(bytes: Vec<u8>, limits: &Limits) -> AlphaMode {
    let mut scene = Scene::default();
    let image = scene.add_image(Image::embedded(bytes));
    scene.add_material(Material {
        alpha_mode: AlphaMode::Texture,
        base_color_image: Some(image),
        ..Material::default()
    });
    scene.alpha_modes(&Budget::for_scene(limits, &scene))[0]
}

fn mode(bytes: Vec<u8>) -> AlphaMode {
    mode_within(bytes, &Limits::default())
}

#[test]
fn pixels_decide_how_textures_are_drawn() {
    for color in [ColorType::GrayscaleAlpha, ColorType::Rgba] {
        for depth in [BitDepth::Eight, BitDepth::Sixteen] {
            let filters = [Filter::NoFilter, Filter::Sub, Filter::Up, Filter::Avg, Filter::Paeth];
            for filter in filters {
                for (alphas, expected) in images() {
                    let samples = samples(&alphas, color, depth);
                    let bytes = encoded((color, depth), filter, &samples, None);
                    assert_eq!(mode(bytes), expected, "{color:?} {depth:?} {filter:?}");
                }
            }
        }
    }
}

#[test]
fn palettes_and_invisible_colours() {
    let indices = vec![0; (SIZE * SIZE) as usize];
    for (alphas, expected) in
        [(&[255_u8][..], OPAQUE), (&[255, 0], CUTOUT), (&[255, 0, 128], AlphaMode::Blend)]
    {
        let kind = (ColorType::Indexed, BitDepth::Eight);
        let bytes = encoded(kind, Filter::NoFilter, &indices, Some(alphas));
        assert_eq!(mode(bytes), expected, "{alphas:?}");
    }
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, SIZE, SIZE);
    encoder.set_color(ColorType::Grayscale);
    encoder.set_trns(vec![0, 7]);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&indices).unwrap();
    writer.finish().unwrap();
    assert_eq!(mode(bytes), CUTOUT);
}

/// Returns an interlaced image, with its data in chunks of seven bytes.
fn interlaced(alphas: &[u8]) -> Vec<u8> {
    let mut data = ZlibEncoder::new(Vec::new(), Compression::best());
    // PNG specification, figure 4.8: the pass of each pixel in a square of eight.
    let passes = [
        "16462646", "77777777", "56565656", "77777777", "36463646", "77777777", "56565656",
        "77777777",
    ];
    for pass in b'1'..=b'7' {
        for y in 0..SIZE as usize {
            let own = (0..SIZE as usize).filter(|x| passes[y % 8].as_bytes()[x % 8] == pass);
            let row: Vec<u8> = own.flat_map(|x| [77, alphas[y * SIZE as usize + x]]).collect();
            if !row.is_empty() {
                data.write_all(&[0]).unwrap();
                data.write_all(&row).unwrap();
            }
        }
    }
    let mut bytes =
        b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x0d\0\0\0\x0d\x08\x04\0\0\x01....".to_vec();
    for piece in data.finish().unwrap().chunks(7) {
        bytes.extend((piece.len() as u32).to_be_bytes());
        bytes.extend(b"IDAT");
        bytes.extend(piece);
        bytes.extend(b"....");
    }
    bytes.extend(b"\0\0\0\0IEND....");
    bytes
}

#[test]
fn interlaced_images() {
    for (alphas, expected) in images() {
        assert_eq!(mode(interlaced(&alphas)), expected);
    }
}

#[test]
fn pixels_that_cannot_be_decoded() {
    let alphas = vec![255; (SIZE * SIZE) as usize];
    let whole = interlaced(&alphas);
    assert_eq!(mode(whole.clone()), OPAQUE);
    assert_eq!(mode(whole[..whole.len() - 60].to_vec()), UNKNOWN);
    // A filter of an unknown type.
    let kind = (ColorType::Rgba, BitDepth::Eight);
    let samples = samples(&alphas, kind.0, kind.1);
    let broken = encoded(kind, Filter::NoFilter, &samples, None);
    assert_eq!(mode(broken.clone()), OPAQUE);
    let limits = Limits { memory: Some(512), ..Limits::default() };
    assert_eq!(mode_within(broken, &limits), UNKNOWN);
    // 2³¹ - 1 pixels in a row.
    let mut wide = whole;
    wide[16..20].copy_from_slice(&i32::MAX.to_be_bytes());
    assert_eq!(mode(wide), UNKNOWN);
    // An alpha of four bits does not exist.
    let mut shallow = interlaced(&alphas);
    shallow[24] = 4;
    assert_eq!(mode(shallow), UNKNOWN);
}
