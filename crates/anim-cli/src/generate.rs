//! Generates shell completions and man pages from the command line.

use std::fs;
use std::io::{self, Write};

use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use crate::args::{Args, ManArgs};
use crate::examples;
use crate::status::{Fail as _, Failure, Status};
use crate::term::show_path;
use crate::write::{check_new, write_all};

/// Runs `animfmt completions`.
pub(crate) fn completions(shell: Shell, out: &mut dyn Write) -> io::Result<Status> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::program(), "animfmt", &mut script);
    out.write_all(&script)?;
    Ok(Status::Fine)
}

/// Runs `animfmt man`.
pub(crate) fn man(args: &ManArgs, out: &mut dyn Write) -> io::Result<Status> {
    let Some(folder) = &args.folder else {
        page(Args::program(), "animfmt", out)?;
        return Ok(Status::Fine);
    };
    let pages = pages()?;
    let files: Vec<_> =
        pages.iter().map(|(name, page)| (folder.join(name), page.as_slice())).collect();
    let written = fs::create_dir_all(folder)
        .map_err(|error| {
            Failure::usage(format!("cannot create the folder {}: {error}", show_path(folder)))
        })
        .and_then(|()| files.iter().try_for_each(|(path, _)| check_new(path, args.force)))
        .and_then(|()| write_all(&files, args.force));
    Ok(match written {
        Ok(()) => Status::Fine,
        Err(failure) => failure.report(),
    })
}

/// Returns the man pages of the program and its commands, as file names and contents.
fn pages() -> io::Result<Vec<(String, Vec<u8>)>> {
    // A page for `help` would only list the other commands.
    let mut program = Args::program().disable_help_subcommand(true);
    // Adds the global options and the program's name to the commands.
    program.build();
    let mut commands: Vec<_> = program.get_subcommands().cloned().collect();
    commands.insert(0, program);
    let text = |command: clap::Command| {
        let name = command.get_name().to_owned();
        let mut text = Vec::new();
        let file = page(command, &name, &mut text)?;
        Ok((file, text))
    };
    commands.into_iter().map(text).collect()
}

/// Writes the man page of a command, with its examples at the end. Returns the file name.
fn page(command: clap::Command, name: &str, out: &mut dyn Write) -> io::Result<String> {
    // Otherwise the examples would be printed under the heading `EXTRA`.
    let command = command.after_help("").disable_help_subcommand(true);
    let has_commands = command.has_subcommands();
    let page = Man::new(command);
    page.render_title(out)?;
    page.render_name_section(out)?;
    page.render_synopsis_section(out)?;
    page.render_description_section(out)?;
    page.render_options_section(out)?;
    if has_commands {
        page.render_subcommands_section(out)?;
    }
    let mut roff = Roff::new();
    roff.control("SH", ["EXAMPLES"]);
    for (what, line) in examples::of(name) {
        roff.control("TP", []);
        roff.text([roman(format!("{what}:"))]);
        roff.text([bold(*line)]);
    }
    roff.to_writer(out)?;
    if has_commands {
        page.render_version_section(out)?;
    }
    Ok(page.get_filename())
}
