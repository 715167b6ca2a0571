//! The command line.

use std::path::PathBuf;
use std::thread;

use anim_formats::anim_ir::Limits;
use anim_formats::{Format, LoadOptions, Settings};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use clap_complete::Shell;

use crate::options;

/// Shows, checks, converts and samples animation files.
///
/// Exit status: 0 fine, 1 the file has errors (or one of several files failed), 2 wrong usage, or
/// something cannot be opened or written.
#[derive(Debug, Parser)]
#[command(name = "animfmt", version, max_term_width = 100, disable_help_subcommand = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten, next_help_heading = "Options of all commands")]
    pub(crate) common: Common,
}

impl Args {
    /// The command line with the options of all formats.
    pub(crate) fn program() -> clap::Command {
        options::augment(Args::command())
    }

    /// What was given; on wrong usage it says so and exits.
    pub(crate) fn of_program() -> Args {
        let matches = Args::program().get_matches();
        let mut args = Args::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
        args.common.settings = options::settings(&matches);
        args
    }
}

/// What every command has.
#[derive(Debug, clap::Args)]
pub(crate) struct Common {
    /// Print one JSON object.
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Take files for this format, whatever they look like.
    #[arg(long, global = true, value_name = "FORMAT", value_parser = named(Format::readable()))]
    pub(crate) from: Option<Format>,
    /// Threads, for the files of a batch or the parts of one file [default: as many as there are
    /// cores].
    #[arg(
        short = 'j',
        long,
        global = true,
        value_name = "N",
        value_parser = clap::value_parser!(u16).range(1..)
    )]
    threads: Option<u16>,
    /// Open frames, images and libraries anywhere below this folder, instead of only below the
    /// file's own.
    #[arg(long, global = true, value_name = "FOLDER")]
    pub(crate) root: Option<PathBuf>,
    /// Greatest input, in bytes or with K, M or G behind [default: 1G].
    #[arg(long, global = true, value_name = "SIZE", value_parser = parse_size)]
    max_input: Option<usize>,
    /// What was set of the options that formats declare.
    #[arg(skip)]
    settings: Settings,
}

impl Common {
    /// Bounds for reading and writing.
    pub(crate) fn limits(&self) -> Limits {
        let default = Limits::default();
        Limits { input_bytes: self.max_input.unwrap_or(default.input_bytes), ..default }
    }

    /// What was set, for reading and writing.
    pub(crate) fn settings(&self) -> Settings {
        let mut settings = self.settings.clone();
        settings.limits = self.limits();
        let threads = self
            .threads
            .map_or_else(|| thread::available_parallelism().map_or(1, Into::into), usize::from);
        set(&mut settings, "threads", &threads.to_string());
        settings
    }

    /// How to read.
    pub(crate) fn load_options(&self) -> LoadOptions {
        LoadOptions::default()
            .with_format(self.from)
            .with_settings(self.settings())
            .with_root(self.root.clone())
    }
}

/// Sets an option of formats whose value the program has from elsewhere.
pub(crate) fn set(settings: &mut Settings, name: &str, value: &str) {
    if let Some(option) = Format::option(name) {
        // A value that the option does not take leaves it as it was.
        let _ = settings.set(option, value);
    }
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Show what is in files: skeletons, clips, states, meshes, materials.
    Info(InfoArgs),
    /// Show every problem of files, with the place underlined.
    Check(CheckArgs),
    /// Write files in the canonical form of their format: blanks and lines in their places,
    /// comments and numbers as they are.
    Fmt(FmtArgs),
    /// Convert files to glTF, Animated OBJ, castle-anim-frames, TMD ANM, STT, ANM text or Cast, or
    /// draw their states.
    Convert(ConvertArgs),
    /// Cut the long take of a model into the named clips of an ANM text.
    Split(SplitArgs),
    /// Print the poses of a clip: transforms relative to the parent, times in seconds, the file's
    /// own axes.
    Sample(SampleArgs),
    /// Compare the joints, clips, keys, poses and events of two files, of one format or of two;
    /// shapes and materials are not compared.
    ///
    /// Exits with 1 where they differ, or where that is not certain: there was nothing to compare,
    /// or more than the limits allow.
    Diff(DiffArgs),
    /// Print what makes a shell complete the command line.
    Completions {
        /// The shell.
        shell: Shell,
    },
    /// Print the manual page, or write one for the program and each of its commands.
    Man(ManArgs),
}

#[derive(Debug, clap::Args)]
pub(crate) struct InfoArgs {
    /// Files, folders or patterns such as '*.amo'; `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Show all of long lists.
    #[arg(long)]
    pub(crate) all: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct CheckArgs {
    /// Files, folders or patterns such as '*.amo'; `-` is standard input.
    #[arg(required_unless_present = "explain", value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Exit with 1 for warnings too.
    #[arg(long)]
    pub(crate) strict: bool,
    /// Repair in the files what is certain, and show what is left.
    #[arg(long, conflicts_with = "explain")]
    pub(crate) fix: bool,
    /// With --fix: show the difference and write nothing.
    #[arg(long, requires = "fix")]
    pub(crate) dry_run: bool,
    /// Explain a code, such as `amo-weight-sum`.
    #[arg(long, value_name = "CODE", conflicts_with = "files")]
    pub(crate) explain: Option<String>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct FmtArgs {
    /// Files to write anew in their places, folders or patterns such as '*.amo'; `-` is standard
    /// input and goes to standard output.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// File to write instead, or `-` for standard output.
    #[arg(short, long, value_name = "OUT", group = "destination")]
    pub(crate) output: Option<PathBuf>,
    /// Write nothing: print the names of files that are not in canonical form, and exit with 1
    /// where there are any.
    #[arg(long, group = "destination")]
    pub(crate) check: bool,
    /// Write to standard output instead.
    #[arg(long, group = "destination")]
    pub(crate) stdout: bool,
    /// Replace OUT where it exists.
    #[arg(long, requires = "output")]
    pub(crate) force: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ConvertArgs {
    /// Files, folders or patterns such as '*.amo'; `-` is standard input.
    #[arg(required = true, value_name = "IN")]
    pub(crate) inputs: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) out: OutputArgs,
    /// castle-anim-frames: write all inputs to one output, a clip for each of their animations.
    #[arg(long)]
    pub(crate) merge: bool,
    /// castle-anim-frames, TMD ANM: write each animation to a file of its own (several, where it is
    /// too long for one), in the folder OUT.
    #[arg(long, conflicts_with = "merge")]
    pub(crate) split: bool,
    /// Files that go with each input: a TMD model and its TMD ANM, or the model whose nodes an STT
    /// moves.
    #[arg(long, value_name = "FILE")]
    pub(crate) with: Vec<PathBuf>,
    /// TMD ANM: the inputs are one motion of this name, in their order.
    #[arg(long, value_name = "NAME")]
    pub(crate) join: Option<String>,
    /// The clip to write, where there are several: its name, NAME#2 for the second of that name, or
    /// #3 for the third of all.
    #[arg(long, value_name = "NAME", conflicts_with = "split")]
    pub(crate) clip: Option<String>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct SplitArgs {
    /// The model with its long take: glTF, Animated OBJ, or anything else that has keys.
    pub(crate) model: PathBuf,
    /// The ANM text that says where to cut.
    pub(crate) cuts: PathBuf,
    #[command(flatten)]
    pub(crate) out: OutputArgs,
    /// Frames of CUTS in a second.
    #[arg(long, value_name = "N", default_value_t = 24.0, value_parser = parse_rate)]
    pub(crate) fps: f64,
    /// The clip of MODEL to cut, where there are several: its name, NAME#2 for the second of that
    /// name, or #3 for the third of all.
    #[arg(long, value_name = "NAME")]
    pub(crate) take: Option<String>,
    /// Move the start of each clip to 0 seconds.
    #[arg(long)]
    pub(crate) rebase: bool,
    /// Add keys at the start and the end of clips where the take has none, so that they look as it
    /// does at every moment.
    #[arg(long)]
    pub(crate) borders: bool,
    /// `+children` means those that hang from the bone itself, and not what hangs from these.
    #[arg(long)]
    pub(crate) direct_children: bool,
    /// Clips have the events of all bone sets in their range, not only those of their own.
    #[arg(long)]
    pub(crate) all_events: bool,
}

/// Where to write, and how, whatever is written.
#[derive(Debug, clap::Args)]
pub(crate) struct OutputArgs {
    /// File to write, folder to write into, or `-` for standard output.
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// Format to write; otherwise OUT's extension tells.
    #[arg(long, value_name = "FORMAT", value_parser = named(Format::writable()))]
    pub(crate) to: Option<Format>,
    /// Replace outputs that exist.
    #[arg(long)]
    pub(crate) force: bool,
    /// Write nothing where the input has a warning or an error.
    #[arg(long)]
    pub(crate) strict: bool,
    /// Say nothing but what went wrong.
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("times").required(true))]
pub(crate) struct SampleArgs {
    /// File to read; `-` is standard input.
    pub(crate) file: PathBuf,
    /// The clip or state, where there are several: its name, NAME#2 for the second of that name, or
    /// #3 for the third of all.
    #[arg(long, value_name = "NAME")]
    pub(crate) clip: Option<String>,
    /// Times in seconds, such as 0,0.5,1.
    #[arg(
        long,
        value_name = "T,T…",
        value_delimiter = ',',
        allow_hyphen_values = true,
        group = "times",
        value_parser = parse_time
    )]
    pub(crate) at: Vec<f64>,
    /// So many times a second, from the clip's start to its end.
    #[arg(long, value_name = "N", group = "times", value_parser = parse_rate)]
    pub(crate) fps: Option<f64>,
    /// Print CSV, a line for each time and joint, instead of JSON.
    #[arg(long, conflicts_with = "json")]
    pub(crate) csv: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct DiffArgs {
    /// A file; `-` is standard input.
    pub(crate) a: PathBuf,
    /// Another one.
    pub(crate) b: PathBuf,
    /// How far poses may be apart: translations as a part of the greatest coordinate in either
    /// file, rotations in radians, scales as a factor.
    #[arg(long, value_name = "X", default_value_t = 0.001, value_parser = parse_rate)]
    pub(crate) tolerance: f64,
    /// Seconds that times may be apart.
    #[arg(long, value_name = "S", default_value_t = 0.0005, value_parser = parse_rate)]
    pub(crate) seconds: f64,
    /// Show every difference, not only the first ten of each kind.
    #[arg(long)]
    pub(crate) all: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ManArgs {
    /// Folder to write the pages into.
    #[arg(value_name = "DIR")]
    pub(crate) folder: Option<PathBuf>,
    /// Replace pages that exist.
    #[arg(long, requires = "folder")]
    pub(crate) force: bool,
}

/// One of these formats, by its name.
fn named(formats: impl Iterator<Item = Format>) -> impl TypedValueParser<Value = Format> {
    let names: Vec<&'static str> = formats.map(Format::id).collect();
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Format>())
}

fn parse_time(text: &str) -> Result<f64, String> {
    text.trim()
        .parse()
        .ok()
        .filter(|time: &f64| time.is_finite())
        .ok_or_else(|| "not a time in seconds".to_owned())
}

fn parse_rate(text: &str) -> Result<f64, String> {
    text.trim()
        .parse()
        .ok()
        .filter(|rate: &f64| rate.is_finite() && *rate > 0.0)
        .ok_or_else(|| "not a number greater than 0".to_owned())
}

fn parse_size(text: &str) -> Result<usize, String> {
    let (digits, shift) = match text.strip_suffix(['k', 'K', 'm', 'M', 'g', 'G']) {
        None => (text, 0),
        Some(digits) if text.ends_with(['k', 'K']) => (digits, 10),
        Some(digits) if text.ends_with(['m', 'M']) => (digits, 20),
        Some(digits) => (digits, 30),
    };
    let size = digits.parse::<usize>().ok().and_then(|number| number.checked_mul(1 << shift));
    size.ok_or_else(|| "not a size such as 500000, 200M or 2G".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        Args::program().debug_assert();
    }

    #[test]
    fn values() {
        assert_eq!(
            ["7", "2k", "3M", "1G"].map(parse_size),
            [Ok(7), Ok(2048), Ok(3 << 20), Ok(1 << 30)]
        );
        assert!(
            ["", "k", "-1", "1T", "99999999999999999999G"]
                .into_iter()
                .all(|text| parse_size(text).is_err())
        );
        assert_eq!(parse_time(" -1.5"), Ok(-1.5));
        assert!(
            ["", "nan", "inf", "1e999", "1,5"].into_iter().all(|text| parse_time(text).is_err())
        );
        assert!(["0", "-24", "nan", "inf"].into_iter().all(|text| parse_rate(text).is_err()));
    }
}
