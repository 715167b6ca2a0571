//! The arguments of `animfmt render`.

use std::path::PathBuf;

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

#[derive(Debug, clap::Args)]
pub(crate) struct RenderArgs {
    /// File to draw; `-` is standard input.
    pub(crate) file: PathBuf,
    /// Picture to write, or `-` for standard output.
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// Diagram to draw [default: by the name of OUT, or by what the file contains].
    #[arg(long, value_name = "DIAGRAM", value_enum)]
    pub(crate) diagram: Option<Diagram>,
    /// Clip or state to draw, if the file has several: its name, NAME#2 for the second one called
    /// NAME, or #3 for the third one in the file.
    #[arg(long, value_name = "NAME")]
    pub(crate) clip: Option<String>,
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
