//! The arguments of `animfmt sample` and `animfmt play`.

use std::path::PathBuf;

use crate::values::{parse_rate, parse_time};

#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("times").required(true))]
pub(crate) struct SampleArgs {
    /// File to read; `-` is standard input.
    pub(crate) file: PathBuf,
    /// Clip or state to sample, if the file has several: its name, NAME#2 for the second one
    /// called NAME, or #3 for the third one in the file. Several clips are sampled together, each
    /// from its start: a joint that several of them move follows the last one.
    #[arg(long, value_name = "NAME")]
    pub(crate) clip: Vec<String>,
    /// Times in seconds, e.g. 0,0.5,1.
    #[arg(
        long,
        value_name = "T,T…",
        value_delimiter = ',',
        allow_hyphen_values = true,
        group = "times",
        value_parser = parse_time
    )]
    pub(crate) at: Vec<f64>,
    /// Sample the whole clip N times per second.
    #[arg(long, value_name = "N", group = "times", value_parser = parse_rate)]
    pub(crate) fps: Option<f64>,
    /// Print transforms relative to the model, not to the parent joint. Rotations and scales are
    /// approximate where a parent is not scaled equally in all directions.
    #[arg(long)]
    pub(crate) world: bool,
    /// Print only this joint: its name, NAME#2 for the second one called NAME, or #3 for the third
    /// one in the file; may be repeated.
    #[arg(long, value_name = "NAME")]
    pub(crate) joint: Vec<String>,
    /// Print CSV instead of JSON, with a row for each joint at each time.
    #[arg(long, conflicts_with = "json")]
    pub(crate) csv: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct PlayArgs {
    /// File to read; `-` is standard input.
    pub(crate) file: PathBuf,
    /// Script to play; `-` is standard input.
    #[arg(long, value_name = "FILE")]
    pub(crate) script: PathBuf,
    /// File to combine with FILE: the model that an STT, a TMD ANM or an ANM text file animates.
    #[arg(long, value_name = "MODEL")]
    pub(crate) with: Option<PathBuf>,
    /// Add N poses per second.
    #[arg(long, value_name = "N", value_parser = parse_rate)]
    pub(crate) fps: Option<f64>,
    /// Print poses relative to the model, not to the parent joint.
    #[arg(long, requires = "fps")]
    pub(crate) world: bool,
    /// In poses, print only this joint; may be repeated.
    #[arg(long, value_name = "NAME", requires = "fps")]
    pub(crate) joint: Vec<String>,
    /// Print CSV: a row for each line of the log or, with --fps, for each joint in each pose, as
    /// `sample` does.
    #[arg(long, conflicts_with = "json")]
    pub(crate) csv: bool,
    /// Clip of MODEL that an ANM text file splits, if it has several.
    #[arg(long, value_name = "NAME", requires = "with")]
    pub(crate) take: Option<String>,
}
