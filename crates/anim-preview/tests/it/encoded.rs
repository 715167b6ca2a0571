//! Animations show the pictures that they were made of, in programs that draw frame over frame.

use std::io::Cursor;

use anim_preview::{Picture, animated_png, gif};
use test_oracle::random::Rng;

const WIDTH: usize = 9;
const HEIGHT: usize = 7;
const CLEAR: [u8; 4] = [0; 4];

/// Returns pictures of which each differs from the one before in a rectangle. The colours are those
/// that a palette represents exactly.
fn pictures(rng: &mut Rng) -> Vec<Picture> {
    let percent = rng.pick(&[0, 0, 70]);
    let mut pixels = vec![[248, 248, 248, 255]; WIDTH * HEIGHT];
    let mut pictures = Vec::new();
    for _ in 0..=rng.below(5) {
        let [left, right] = [0; 2].map(|_| rng.below(WIDTH));
        let [top, bottom] = [0; 2].map(|_| rng.below(HEIGHT));
        for y in top..bottom {
            for x in left..right {
                let [red, green, blue] = [0; 3].map(|_| rng.below(32) as u8 * 8);
                let is_clear = rng.chance(percent);
                pixels[y * WIDTH + x] = if is_clear { CLEAR } else { [red, green, blue, 255] };
            }
        }
        pictures.push(Picture {
            width: WIDTH as u32,
            height: HEIGHT as u32,
            pixels: pixels.clone(),
        });
    }
    pictures
}

/// Draws a frame on a canvas at a position.
fn draw(
    canvas: &mut [[u8; 4]],
    (left, top): (usize, usize),
    width: usize,
    pixels: &[u8],
    over: impl Fn([u8; 4]) -> bool,
) {
    for (index, pixel) in pixels.chunks_exact(4).enumerate() {
        let pixel = pixel.try_into().unwrap();
        if over(pixel) {
            canvas[(top + index / width) * WIDTH + left + index % width] = pixel;
        }
    }
}

/// Hundredths of a second are too coarse for most rates, but the whole animation has its length.
#[test]
fn frames_end_on_time() {
    let still = Picture { width: 1, height: 1, pixels: vec![[248, 248, 248, 255]] };
    for rate in [7.0, 24.0, 25.0, 30.0, 40.0, 50.0] {
        let file = gif(vec![still.clone(); 48], rate).unwrap();
        let mut decoder = gif::DecodeOptions::new().read_info(Cursor::new(&file)).unwrap();
        let mut end = 0;
        for number in 1..=48 {
            end += u32::from(decoder.read_next_frame().unwrap().unwrap().delay);
            let expected = f64::from(number) * 100.0 / rate;
            assert!((f64::from(end) - expected).abs() <= 0.51, "{rate}: {end} for {expected}");
        }
    }
    let file = animated_png(vec![still; 48], 24.0).unwrap();
    let mut reader = png::Decoder::new(Cursor::new(&file)).read_info().unwrap();
    let mut buffer = vec![0; reader.output_buffer_size().unwrap()];
    let mut end = 0;
    for _ in 0..48 {
        reader.next_frame(&mut buffer).unwrap();
        end += u32::from(reader.info().frame_control().unwrap().delay_num);
    }
    assert_eq!(end, 2000);
}

#[test]
fn gif_files_show_their_pictures_each_time_they_play() {
    let mut rng = Rng::new(1);
    for number in 0..500 {
        let pictures = pictures(&mut rng);
        let file = gif(pictures.clone(), 10.0).unwrap();
        let mut canvas = vec![CLEAR; WIDTH * HEIGHT];
        // Programs need not clear the canvas before they play a file again.
        for play in 0..2 {
            let mut options = gif::DecodeOptions::new();
            options.set_color_output(gif::ColorOutput::RGBA);
            let mut decoder = options.read_info(Cursor::new(&file)).unwrap();
            for (frame_number, picture) in pictures.iter().enumerate() {
                let frame = decoder.read_next_frame().unwrap().unwrap();
                let at = (frame.left.into(), frame.top.into());
                let width = frame.width.into();
                draw(&mut canvas, at, width, &frame.buffer, |[.., alpha]| alpha > 0);
                let shown: Vec<[u8; 4]> =
                    canvas.iter().map(|pixel| if pixel[3] == 0 { CLEAR } else { *pixel }).collect();
                assert!(shown == picture.pixels, "{number}, play {play}, frame {frame_number}");
                if frame.dispose == gif::DisposalMethod::Background {
                    let clear = vec![0; frame.buffer.len()];
                    draw(&mut canvas, at, width, &clear, |_| true);
                }
            }
            assert!(decoder.read_next_frame().unwrap().is_none());
        }
    }
}

#[test]
fn animated_png_files_show_their_pictures() {
    let mut rng = Rng::new(2);
    for number in 0..500 {
        let pictures = pictures(&mut rng);
        let file = animated_png(pictures.clone(), 10.0).unwrap();
        let mut reader = png::Decoder::new(Cursor::new(&file)).read_info().unwrap();
        let mut canvas = vec![CLEAR; WIDTH * HEIGHT];
        let mut buffer = vec![0; 4 * WIDTH * HEIGHT];
        for (frame_number, picture) in pictures.iter().enumerate() {
            let size = reader.next_frame(&mut buffer).unwrap().buffer_size();
            let frame = *reader.info().frame_control().unwrap();
            assert_eq!(frame.dispose_op, png::DisposeOp::None);
            assert_eq!(frame.blend_op, png::BlendOp::Source);
            let at = (frame.x_offset as usize, frame.y_offset as usize);
            draw(&mut canvas, at, frame.width as usize, &buffer[..size], |_| true);
            assert!(canvas == picture.pixels, "{number}, frame {frame_number}");
        }
    }
}

#[test]
fn pixels_that_do_not_change_are_not_stored_again() {
    let mut pixels = vec![[0, 0, 0, 255]; 100 * 100];
    let mut frames = Vec::new();
    for number in 0..50_u8 {
        pixels[usize::from(number) * 101] = [255; 4];
        frames.push(Picture { width: 100, height: 100, pixels: pixels.clone() });
    }
    let files = [gif(frames.clone(), 10.0).unwrap(), animated_png(frames.clone(), 10.0).unwrap()];
    let first = frames.remove(0);
    let still = [gif([first.clone()], 10.0).unwrap(), animated_png([first], 10.0).unwrap()];
    for (file, still) in files.iter().zip(&still) {
        assert!(file.len() < still.len() + 50 * 120, "{} and {}", file.len(), still.len());
    }
}
