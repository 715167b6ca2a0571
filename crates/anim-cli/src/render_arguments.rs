//! The arguments of `animfmt render`.

use std::path::PathBuf;

use anim_preview::Background;

use crate::values::{parse_rate, parse_time};

/// The diagrams.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Diagram {
    /// The curves of a clip, as in a graph editor.
    Curves,
    /// All clips and events.
    Timeline,
    /// The state machine.
    States,
}

/// The formats of pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Kind {
    Png,
    Apng,
    Gif,
    Svg,
}

#[derive(Debug, clap::Args)]
pub(crate) struct RenderArgs {
    /// File to draw; `-` is standard input. Several files, folders or patterns such as '*.amo' are
    /// drawn on one sheet (.png), with a picture of each.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Picture to write (.png, .apng, .gif or .svg), or `-` for standard output.
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// Kind of picture, instead of the one implied by OUT's extension.
    #[arg(long, value_name = "KIND", value_enum)]
    pub(crate) to: Option<Kind>,
    /// Clip or state to draw: its name, NAME#2 for the second one called NAME, or #3 for the third
    /// one in the file.
    #[arg(long, value_name = "NAME")]
    pub(crate) clip: Option<String>,
    /// Draw one moment of the clip, in seconds (.png).
    #[arg(long, value_name = "T", allow_hyphen_values = true, value_parser = parse_time)]
    pub(crate) at: Option<f64>,
    /// Frames per second (.apng, .gif), at most 50 [default: 24; fewer, but at least 4, for a loop
    /// that would exceed the limit].
    #[arg(long, value_name = "N", value_parser = parse_rate)]
    pub(crate) fps: Option<f64>,
    /// Width and height in pixels; of each picture of a sheet [default: 480x360, on a sheet
    /// 240x180].
    #[arg(long, value_name = "WxH", value_parser = parse_pixels)]
    pub(crate) size: Option<(u32, u32)>,
    /// Camera of the file, by name, or a view that frames the clip: front, side or top [default: a
    /// three-quarter view].
    #[arg(long, value_name = "NAME")]
    pub(crate) camera: Option<String>,
    /// Colour of the background, such as #e8eaed or white, or `transparent` [default: light grey].
    #[arg(long, value_name = "COLOR", value_parser = parse_background)]
    pub(crate) background: Option<Background>,
    /// Diagram to draw (.svg) [default: by the name of OUT, or by what the file contains].
    #[arg(long, value_name = "DIAGRAM", value_enum)]
    pub(crate) diagram: Option<Diagram>,
    /// File to combine with FILE: the model that an STT, a TMD ANM or an ANM text file animates.
    #[arg(long, value_name = "MODEL")]
    pub(crate) with: Option<PathBuf>,
    /// Clip of MODEL that an ANM text file splits, if it has several.
    #[arg(long, value_name = "NAME", requires = "with")]
    pub(crate) take: Option<String>,
    /// Overwrite OUT if it exists.
    #[arg(long)]
    pub(crate) force: bool,
}

/// Parses a size such as `480x360`.
fn parse_pixels(text: &str) -> Result<(u32, u32), String> {
    let side = |text: &str| text.parse().ok().filter(|side: &u32| *side > 0);
    text.split_once(['x', 'X', '×'])
        .and_then(|(width, height)| Some((side(width)?, side(height)?)))
        .ok_or_else(|| "not a size such as 480x360".to_owned())
}

fn parse_background(text: &str) -> Result<Background, String> {
    let color = match text.to_lowercase().as_str() {
        "transparent" => return Ok(Background::Transparent),
        "white" => Some([255; 3]),
        "black" => Some([0; 3]),
        "grey" | "gray" => Some([128; 3]),
        text => text.strip_prefix('#').and_then(parse_hex),
    };
    let why = "not a colour such as #e8eaed, white, black, grey or transparent";
    color.map(Background::Color).ok_or_else(|| why.to_owned())
}

/// Parses three or six hexadecimal digits.
fn parse_hex(digits: &str) -> Option<[u8; 3]> {
    let nibbles = digits.chars().map(|digit| u8::try_from(digit.to_digit(16)?).ok());
    match nibbles.collect::<Option<Vec<u8>>>()?.as_slice() {
        [r, g, b] => Some([r, g, b].map(|digit| digit * 17)),
        [a, b, c, d, e, f] => Some([(a, b), (c, d), (e, f)].map(|(high, low)| high * 16 + low)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_colours() {
        assert_eq!(parse_pixels("480x360"), Ok((480, 360)));
        assert!(
            ["480", "0x5", "-1x5", "x", "1x2x3"]
                .into_iter()
                .all(|text| parse_pixels(text).is_err())
        );
        let color = |text| parse_background(text);
        assert_eq!(color("#0aF"), Ok(Background::Color([0, 170, 255])));
        assert_eq!(color("#0a0B10"), Ok(Background::Color([10, 11, 16])));
        assert_eq!(color("Transparent"), Ok(Background::Transparent));
        assert!(
            ["", "#", "#12", "#12345g", "red", "e8eaed"]
                .into_iter()
                .all(|text| color(text).is_err())
        );
    }
}
