//! The command line.

use std::ffi::OsString;
use std::path::PathBuf;
use std::thread;

use anim_formats::anim_ir::{Code, Limits};
use anim_formats::{Format, LoadOptions, Settings};
use clap::error::ErrorKind;
use clap::{ColorChoice, CommandFactory as _, FromArgMatches as _, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use crate::command_line;
use crate::examples;
use crate::explain::parse_ignored;
use crate::migrate_arguments::MigrateArgs;
use crate::options;
pub(crate) use crate::output_argument::OutputArgs;
pub(crate) use crate::pose_arguments::{PlayArgs, SampleArgs};
pub(crate) use crate::render_arguments::RenderArgs;
use crate::term::{Verbosity, choose_color};
use crate::values::{named, parse_rate, parse_size, parse_tolerance};
pub(crate) use crate::view_arguments::ViewArgs;
use anim_viewer::{CUTS_RATE, Combination};

/// Inspect, check, convert and sample animation files.
///
/// `animfmt FILE` is short for `animfmt info FILE`.
///
/// Exit status: 0 on success; 1 if a file has errors, one of several files failed, or `diff` found
/// a difference or nothing to compare; 2 on usage and I/O errors.
#[derive(Debug, Parser)]
#[command(name = "animfmt", version, max_term_width = 100)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten, next_help_heading = options::COMMON)]
    pub(crate) common: Common,
}

impl Args {
    /// Returns the command-line parser, including the options of all formats, and examples.
    pub(crate) fn program() -> clap::Command {
        examples::append(options::augment(Args::command()))
    }

    /// Parses the program's arguments. Prints an error and exits if they are invalid.
    pub(crate) fn of_program() -> Args {
        let given: Vec<OsString> = std::env::args_os().collect();
        choose_color(&given);
        let mut program = Args::program();
        let matches =
            command_line::matches(&mut program, given).unwrap_or_else(|error| error.exit());
        let mut args = Args::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
        args.common.settings = options::settings(&program, &matches);
        if let Err(why) = args.command.take_output() {
            let name = matches.subcommand_name().unwrap_or_default();
            let command = program.find_subcommand_mut(name).map(|command| {
                // Adds the command's usage to the message.
                command.error(ErrorKind::MissingRequiredArgument, &why)
            });
            command
                .unwrap_or_else(|| clap::Error::raw(ErrorKind::MissingRequiredArgument, &why))
                .exit();
        }
        args
    }
}

/// The options shared by all commands.
#[derive(Debug, clap::Args)]
pub(crate) struct Common {
    /// Print one JSON object instead of text.
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Only print errors and the result itself: no progress, warnings, notes or summaries.
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    quiet: bool,
    /// Also list each file read, with its format, and the number of files ignored by extension.
    #[arg(short, long, global = true)]
    verbose: bool,
    /// When to use colours; `auto` also respects `NO_COLOR` and `CLICOLOR_FORCE`.
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        value_enum,
        default_value_t = ColorChoice::Auto,
        hide_possible_values = true
    )]
    color: ColorChoice,
    /// Read inputs as this format instead of detecting it; in folders and patterns, only use
    /// files of this format.
    #[arg(long, global = true, value_name = "FORMAT", value_parser = named(Format::readable()))]
    pub(crate) from: Option<Format>,
    /// Number of threads for processing several files, or parts of a single file [default: one per
    /// core].
    #[arg(
        short = 'j',
        long,
        global = true,
        value_name = "N",
        value_parser = clap::value_parser!(u16).range(1..)
    )]
    threads: Option<u16>,
    /// Allow frames, images and libraries from anywhere in FOLDER, not just from the input's own
    /// folder or, if the input is a folder, from that folder.
    #[arg(long, global = true, value_name = "FOLDER")]
    pub(crate) root: Option<PathBuf>,
    /// Largest input to accept, e.g. 500M or 2G [default: 1G].
    #[arg(
        long,
        global = true,
        value_name = "SIZE",
        value_parser = parse_size,
        hide_short_help = true
    )]
    max_input: Option<usize>,
    /// Memory for the contents of a file, and for what it implies but does not contain, such as
    /// repeated meshes or baked keys [default: grows with the size of the file].
    #[arg(
        long,
        global = true,
        value_name = "SIZE",
        value_parser = parse_size,
        hide_short_help = true
    )]
    max_memory: Option<usize>,
    /// The values of format-specific options.
    #[arg(skip)]
    settings: Settings,
}

impl Common {
    /// Returns how much to print besides results.
    pub(crate) fn verbosity(&self) -> Verbosity {
        match (self.quiet, self.verbose) {
            (true, _) => Verbosity::Quiet,
            (false, true) => Verbosity::Verbose,
            (false, false) => Verbosity::Normal,
        }
    }

    /// Returns the limits for reading and writing.
    pub(crate) fn limits(&self) -> Limits {
        let default = Limits::default();
        Limits {
            input_bytes: self.max_input.unwrap_or(default.input_bytes),
            memory: self.max_memory,
            ..default
        }
    }

    /// Returns the format options given on the command line.
    pub(crate) fn given(&self) -> &Settings {
        &self.settings
    }

    /// Returns the settings for reading and writing.
    pub(crate) fn settings(&self) -> Settings {
        let mut settings = self.settings.clone();
        settings.limits = self.limits();
        let threads = self
            .threads
            .map_or_else(|| thread::available_parallelism().map_or(1, Into::into), usize::from);
        set(&mut settings, "threads", &threads.to_string());
        settings
    }

    /// Returns the number of threads; `None` for one per core.
    pub(crate) fn threads(&self) -> Option<usize> {
        self.threads.map(usize::from)
    }

    /// Returns the options for reading.
    pub(crate) fn load_options(&self) -> LoadOptions {
        LoadOptions::default()
            .with_format(self.from)
            .with_settings(self.settings())
            .with_root(self.root.clone())
    }
}

/// Sets the format option with this name, if it exists.
pub(crate) fn set(settings: &mut Settings, name: &str, value: &str) {
    if let Some(option) = Format::option(name) {
        // An invalid value leaves the option unchanged.
        let _ = settings.set(option, value);
    }
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Show what files contain: skeletons, clips, states, meshes, materials.
    Info(InfoArgs),
    /// Convert files to glTF, X3D, Animated OBJ, castle-anim-frames, TMD ANM, STT, ANM text, BVH
    /// or Cast, or their state machines to Godot, Unity or diagrams.
    ///
    /// Without -o, the second of two file arguments is the output. Its extension, or --to,
    /// determines which format to write.
    ///
    /// If the inputs are a model and motions for it (a TMD with TMD ANM or ANC files, or any model
    /// with an STT), they are combined: into a single file with a clip for each motion or, if OUT
    /// is a folder, into one file for each motion. --with MODEL does the same for inputs that are
    /// only motions.
    #[command(override_usage = "animfmt convert [OPTIONS] <IN> <OUT>\n       \
                                animfmt convert [OPTIONS] <IN>... -o <OUT>")]
    Convert(ConvertArgs),
    /// Report all problems in files, and repair those with an unambiguous fix.
    Check(CheckArgs),
    /// Print poses of a clip: transforms relative to the parent joint, in the file's own axes,
    /// times in seconds.
    Sample(SampleArgs),
    /// Play states or clips as a script says, and print what happens.
    ///
    /// A line of the script is a time in seconds and a command; `#` starts a comment, and names
    /// with spaces are in double quotes. For a file with states: `enter STATE`, `request STATE`,
    /// `leave`, `end`. For other files: `play CLIP`, `crossfade CLIP SECONDS [sync]`, `layer CLIP
    /// [weight W] [fade S] [additive] [mask JOINT]`, `stop CLIP [fade S]`, `speed X [CLIP]`, `seek
    /// T [CLIP]`, `root JOINT [yaw]`, `end`; clips may be followed by `once`, `loop`, `ping-pong`
    /// or `ping-pong-once`, `speed X` and `from T`.
    Play(PlayArgs),
    /// Show a file, or two side by side, in the browser: play, scrub, and see the problems.
    ///
    /// Writes a single HTML file that works offline, and opens it.
    View(ViewArgs),
    /// Draw pictures (.png), loops (.apng, .gif) and diagrams (.svg) of a file.
    ///
    /// A .png is one moment with --at; otherwise a sheet with a row of pictures for each clip or,
    /// for several files, a picture of each. An .svg is the diagram of --diagram, or the one that
    /// OUT's name ends with, such as `walk.curves.svg` or `timeline.svg`; otherwise the states of a
    /// file that has states, the curves of a file with one clip, and the timeline of a file with
    /// several.
    Render(RenderArgs),
    /// Compare the motion, shapes and materials of two files or folders, of any formats.
    ///
    /// Compares joints, clips, keys, poses and events; positions, normals, texture coordinates,
    /// colours, joint weights and morph targets; and materials with their textures. Exits with 1
    /// if anything differs, even if only by a rotation of the whole scene (--ignore-rotation), if a
    /// file has errors, if there is nothing to compare, or if a full comparison would exceed the
    /// limits; with --quiet, prints nothing else. Content that cannot be converted is not compared:
    /// it is reported as a loss, but does not change the exit status.
    Diff(DiffArgs),
    /// Split a long take into the named clips that an ANM text file defines.
    Split(SplitArgs),
    /// Convert the creatures and items of a Castle Game Engine project to one GLB each.
    ///
    /// For each `resource.xml`, writes a GLB with a clip for each animation, and a `resource.xml`
    /// that refers to these clips and is otherwise the same. The image of an item is copied.
    /// Resources that already use glTF are left as they are. Equal outputs are not written again.
    Migrate(MigrateArgs),
    /// Rewrite files in the canonical form of their format.
    ///
    /// Normalizes whitespace and line breaks; preserves comments and the formatting of numbers.
    Fmt(FmtArgs),
    /// Generate shell completions.
    Completions {
        /// Shell to generate completions for.
        shell: Shell,
    },
    /// Print the man page, or write man pages for the program and all of its commands.
    Man(ManArgs),
}

impl Command {
    /// Resolves the output path of commands that have one.
    fn take_output(&mut self) -> Result<(), String> {
        match self {
            Command::Convert(ConvertArgs { inputs, out, .. }) => out.take_last(inputs),
            Command::Split(SplitArgs { target, out, .. }) => out.take(target.take()),
            _ => Ok(()),
        }
    }
}

#[derive(Debug, clap::Args)]
pub(crate) struct InfoArgs {
    /// Files, folders or patterns such as '*.amo'; `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Print one line per file: format, clips, length of the longest clip, joints, triangles. The
    /// default for more than 3 files.
    #[arg(short = '1', long, conflicts_with = "all")]
    pub(crate) one_line: bool,
    /// Do not truncate lists, and print full reports even for many files.
    #[arg(long)]
    pub(crate) all: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct CheckArgs {
    /// Files, folders or patterns such as '*.amo'; `-` is standard input.
    #[arg(required_unless_present = "explain", value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Make unambiguous repairs in place, without a backup, and report the remaining problems. Use
    /// --dry-run first to see the changes.
    #[arg(long, conflicts_with = "explain")]
    pub(crate) fix: bool,
    /// With --fix: show the changes as a diff without writing anything.
    #[arg(long, requires = "fix")]
    pub(crate) dry_run: bool,
    /// Exit with status 1 on warnings, too.
    #[arg(long)]
    pub(crate) strict: bool,
    /// Exclude diagnostics with these codes from the report and the exit status; may be repeated.
    #[arg(
        long,
        value_name = "CODE,…",
        value_delimiter = ',',
        value_parser = parse_ignored,
        conflicts_with = "explain"
    )]
    pub(crate) ignore: Vec<&'static Code>,
    /// Report every diagnostic, not only the first ten of each code.
    #[arg(long, conflicts_with = "explain")]
    pub(crate) all: bool,
    /// How to print diagnostics: as text, as JSON (like --json), or as GitHub Actions annotations.
    #[arg(
        long,
        value_name = "FORMAT",
        value_enum,
        default_value_t = ReportFormat::Text,
        conflicts_with = "explain"
    )]
    pub(crate) format: ReportFormat,
    /// Explain a diagnostic code, such as `amo-weight-sum`; or list the codes of a format (`amo`),
    /// a severity (`warning`) or a category (`loss`), or those that mention any other word; without
    /// CODE, list all codes, or explain those found in the given files (`check FILE --explain`).
    #[arg(long, value_name = "CODE", num_args = 0..=1)]
    pub(crate) explain: Option<Option<String>>,
}

/// The output formats of `check`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    Text,
    Json,
    Github,
}

#[derive(Debug, clap::Args)]
pub(crate) struct FmtArgs {
    /// Files to rewrite in place, folders or patterns such as '*.amo'; `-` reads standard input
    /// and writes standard output.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Write nothing; print the names of files that are not in canonical form, and exit with 1 if
    /// there are any.
    #[arg(long, group = "destination")]
    pub(crate) check: bool,
    /// Write to standard output instead.
    #[arg(long, group = "destination")]
    pub(crate) stdout: bool,
    /// Write to this file instead; `-` is standard output.
    #[arg(short, long, value_name = "OUT", group = "destination")]
    pub(crate) output: Option<PathBuf>,
    /// Overwrite OUT if it exists.
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
    /// Clip to write: its name, NAME#2 for the second clip called NAME, or #3 for the third clip
    /// in the file [default: all clips].
    #[arg(long, value_name = "NAME", conflicts_with = "split")]
    pub(crate) clip: Option<String>,
    /// Merge all inputs into one output: the clips of all files, for one skeleton. Its joints must
    /// be the same in all files. If the output is a folder, write one file for each input folder,
    /// named after it.
    ///
    /// A clip without a name, or with a name that another file also uses, is named after its file;
    /// to choose the names, list one for each file, in order: --clip-names walk,run.
    #[arg(long)]
    pub(crate) merge: bool,
    /// Write each animation to its own file in OUT/ (castle-anim-frames, TMD ANM, BVH, Cast).
    #[arg(long, conflicts_with = "merge")]
    pub(crate) split: bool,
    /// Files to combine with each input: the TMD model for a TMD ANM, the model that an STT
    /// animates, or motions for a model.
    #[arg(long, value_name = "FILE")]
    pub(crate) with: Vec<PathBuf>,
    /// Join the inputs, in order, into one clip called NAME (TMD ANM).
    #[arg(long, value_name = "NAME", conflicts_with = "merge")]
    pub(crate) join: Option<String>,
    /// Add a clip NAME that plays several clips at once, such as a wave of the arm while the legs
    /// walk; may be repeated. A joint that several of them move follows the last one. The clip is
    /// as long as the longest; loops are repeated, others hold their last pose.
    #[arg(long, value_name = "NAME=CLIP+CLIP", value_parser = Combination::parse)]
    pub(crate) combine: Vec<Combination>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct SplitArgs {
    /// Model with the take to split: glTF, Animated OBJ, or any other format with keys.
    pub(crate) model: PathBuf,
    /// ANM text file that defines the clips.
    pub(crate) cuts: PathBuf,
    /// Output file; same as --output.
    #[arg(value_name = "OUT", conflicts_with = "given")]
    target: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) out: OutputArgs,
    /// Frame rate of CUTS, in frames per second.
    #[arg(long, value_name = "N", default_value_t = CUTS_RATE, value_parser = parse_rate)]
    pub(crate) fps: f64,
    /// Clip of MODEL to split, if it has several: its name, NAME#2 for the second clip called NAME,
    /// or #3 for the third clip in the file.
    #[arg(long, value_name = "NAME")]
    pub(crate) take: Option<String>,
    /// Start each clip at 0 seconds.
    #[arg(long)]
    pub(crate) rebase: bool,
    /// Add keys at the start and end of each clip if the take has none there, so that the whole
    /// clip matches the take.
    #[arg(long)]
    pub(crate) borders: bool,
    /// Interpret `+children` as direct children only, not as all descendants.
    #[arg(long)]
    pub(crate) direct_children: bool,
    /// Include events of all bone sets in each clip, not only those of its own set.
    #[arg(long)]
    pub(crate) all_events: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct DiffArgs {
    /// First file or folder; `-` is standard input.
    pub(crate) a: PathBuf,
    /// Second file or folder. Files in folders are compared with those that have the same path,
    /// regardless of the extension. If only one of the two is a folder, the clips of its files are
    /// compared with those of the other file, as after `convert --merge` or `split`.
    pub(crate) b: PathBuf,
    /// Largest difference that counts as equal; 0 compares exactly, 0.001 is 0.1 %: for
    /// translations, as a fraction of the largest coordinate in either file; for vertex positions,
    /// as a fraction of the largest coordinate in their shape; for rotations and normals, in
    /// radians; for scales, weights, colours and texture coordinates, absolute.
    #[arg(long, value_name = "X", default_value_t = 0.001, value_parser = parse_tolerance)]
    pub(crate) tolerance: f64,
    /// Largest difference between times that count as equal, in seconds; 0 compares exactly.
    #[arg(long, value_name = "S", default_value_t = 0.0005, value_parser = parse_tolerance)]
    pub(crate) seconds: f64,
    /// Compare only the clips or states with this name, and leave out morph targets, which depend
    /// on the clips of a file; may be repeated.
    #[arg(long, value_name = "NAME")]
    pub(crate) clip: Vec<String>,
    /// What to compare, e.g. motion,shapes [default: all].
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    pub(crate) only: Vec<Aspect>,
    /// Exit with 0 if nothing differs but a rotation by 90° or 180° about x, such as that of
    /// `convert --up auto`.
    #[arg(long)]
    pub(crate) ignore_rotation: bool,
    /// Compare the motion, but not the times of the keys, for example after `convert --fps`.
    #[arg(long)]
    pub(crate) ignore_keys: bool,
    /// Exit with 1 also if parts of a file could not be read and compared.
    #[arg(long)]
    pub(crate) strict: bool,
    /// Show every difference, not only the first ten of each kind.
    #[arg(long)]
    pub(crate) all: bool,
}

/// The parts of a file that `diff` can compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Aspect {
    /// Joints, clips, states and events.
    Motion,
    /// Geometry.
    Shapes,
    /// Materials and their textures.
    Materials,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ManArgs {
    /// Folder to write the man pages to.
    #[arg(value_name = "DIR")]
    pub(crate) folder: Option<PathBuf>,
    /// Overwrite existing man pages.
    #[arg(long, requires = "folder")]
    pub(crate) force: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_valid() {
        Args::program().debug_assert();
    }
}
