//! `animfmt`: inspects, checks, converts and samples animation files.
//!
//! A thin layer over [`anim_formats`] that parses the command line and prints results. Reports go
//! to standard output, error messages to standard error.

mod args;
mod batch;
mod check;
mod command_line;
mod conversion;
mod convert;
mod diff;
mod examples;
mod explain;
mod fault;
mod files;
mod fmt;
mod generate;
mod github;
mod info;
mod input;
mod into_folder;
mod job;
mod json;
mod migrate;
mod migrate_arguments;
mod options;
mod outcome;
mod output;
mod output_argument;
mod plan;
mod play;
mod pose_arguments;
mod poses;
mod progress;
mod read_files;
mod render;
mod render_arguments;
mod repairs;
mod sample;
mod shared_budget;
mod signals;
mod snippet;
mod source;
mod split;
mod status;
mod tally;
mod term;
mod values;
mod view;
mod view_arguments;
mod write;

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use crate::args::{Args, Command};
use crate::status::Status;

fn main() -> ExitCode {
    fault::install();
    signals::install();
    let args = Args::of_program();
    let common = &args.common;
    term::set_verbosity(common.verbosity());
    // Data must be written byte for byte. Only human-readable text goes through the stream that
    // strips colours if the output is not a terminal.
    let for_people =
        matches!(args.command, Command::Info(_) | Command::Check(_) | Command::Diff(_))
            && !common.json;
    let mut out: Box<dyn Write> =
        if for_people { term::stdout() } else { Box::new(BufWriter::new(io::stdout().lock())) };
    let result = match &args.command {
        Command::Info(args) => info::run(args, common, &mut out),
        Command::Check(args) => check::run(args, common, &mut out),
        Command::Fmt(args) => fmt::run(args, common, &mut out),
        Command::Convert(args) => convert::run(args, common, &mut out),
        Command::Migrate(args) => migrate::run(args, common, &mut out),
        Command::Split(args) => split::run(args, common, &mut out),
        Command::Sample(args) => sample::run(args, common, &mut out),
        Command::Play(args) => play::run(args, common, &mut out),
        Command::View(args) => view::run(args, common, &mut out),
        Command::Render(args) => render::run(args, common, &mut out),
        Command::Diff(args) => diff::run(args, common, &mut out),
        Command::Completions { shell } => generate::completions(*shell, &mut out),
        Command::Man(args) => generate::man(args, &mut out),
    };
    match result.and_then(|status| out.flush().map(|()| status)) {
        Ok(status) => status.into(),
        // A pipe closed by its reader is not an error.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            term::error(format_args!("cannot write to standard output: {error}"));
            Status::Usage.into()
        }
    }
}
