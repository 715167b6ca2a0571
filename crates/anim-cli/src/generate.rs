//! What is made of the command line for others: completions for shells, and manual pages.

use std::fs;
use std::io::{self, Write};

use clap_complete::Shell;
use clap_mangen::Man;

use crate::args::{Args, ManArgs};
use crate::status::{Failure, Status};
use crate::term::show_path;
use crate::write::{check_new, write_all};

/// `animfmt completions`
pub(crate) fn completions(shell: Shell, out: &mut dyn Write) -> io::Result<Status> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::program(), "animfmt", &mut script);
    out.write_all(&script)?;
    Ok(Status::Fine)
}

/// `animfmt man`
pub(crate) fn man(args: &ManArgs, out: &mut dyn Write) -> io::Result<Status> {
    let Some(folder) = &args.folder else {
        Man::new(Args::program()).render(out)?;
        return Ok(Status::Fine);
    };
    let pages = pages()?;
    let files: Vec<_> =
        pages.iter().map(|(name, page)| (folder.join(name), page.as_slice())).collect();
    let written = fs::create_dir_all(folder)
        .map_err(|error| {
            Failure::usage(format!("cannot make the folder {}: {error}", show_path(folder)))
        })
        .and_then(|()| files.iter().try_for_each(|(path, _)| check_new(path, args.force)))
        .and_then(|()| write_all(&files, args.force));
    Ok(match written {
        Ok(()) => Status::Fine,
        Err(failure) => failure.tell(),
    })
}

/// The pages of the program and of each command, and what their files are called.
fn pages() -> io::Result<Vec<(String, Vec<u8>)>> {
    let mut program = Args::program();
    // What commands share is theirs from here on, and they know of what program they are.
    program.build();
    let commands: Vec<_> = program.get_subcommands().cloned().collect();
    let page = |command| {
        let page = Man::new(command);
        let mut text = Vec::new();
        page.render(&mut text)?;
        Ok((page.get_filename(), text))
    };
    std::iter::once(program).chain(commands).map(page).collect()
}
