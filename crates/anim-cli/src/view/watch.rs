//! `animfmt view --watch`: makes the page again when a file has changed.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use super::browser::open_address;
use super::recorder::{Recorder, Version, version};
use super::result::{Page, write};
use super::server::Server;
use crate::args::{Common, ViewArgs};
use crate::fault;
use crate::status::{Fail as _, Failure, Status};
use crate::term::{Verbosity, print_line, show_path, verbosity};
use crate::write::write_all;

/// How often files are looked at.
const PAUSE: Duration = Duration::from_millis(200);

fn versions(files: impl Iterator<Item = PathBuf>) -> BTreeMap<PathBuf, Version> {
    files.map(|path| (path.clone(), version(&path))).collect()
}

/// Serves the page until the program is ended.
pub(super) fn run(
    args: &ViewArgs,
    common: &Common,
    page: Page,
    recorder: Recorder,
) -> Result<Status, Failure> {
    if args.output.is_some() {
        let path = write(args, &page, &recorder)?;
        page.report(&path);
    }
    // Companion files that could not be read may be added later.
    let named = || args.files.iter().chain(&args.with).cloned();
    let mut seen = versions(named());
    seen.extend(recorder.files());
    let server = Server::start(page.html)?;
    let address = server.address();
    if verbosity() > Verbosity::Quiet {
        print_line(format_args!("serving {address}; stop with Ctrl+C"));
    }
    if !args.no_open {
        open_address(&address)?;
    }
    loop {
        thread::sleep(PAUSE);
        let now = versions(seen.keys().cloned());
        if now == seen {
            continue;
        }
        // A program may still be writing the file.
        thread::sleep(PAUSE);
        let recorder = Recorder::default();
        let made = fault::guard(|| Page::make(args, common, &recorder));
        // The versions that the page was made from. Files may have changed in the meantime.
        seen = now;
        seen.extend(recorder.files());
        let written = made.and_then(|page| {
            if let Some(path) = &args.output {
                write_all(&[(path.clone(), page.html.as_slice())], true)?;
            }
            Ok(page)
        });
        match written {
            Ok(page) => {
                if verbosity() > Verbosity::Quiet {
                    let file = args.files.first().map_or(String::new(), |file| show_path(file));
                    print_line(format_args!("{file} has changed"));
                }
                page.note();
                server.show(page.html);
            }
            // The page stays as it is.
            Err(failure) => {
                failure.report_for(&args.files.first().map_or(String::new(), |f| show_path(f)));
            }
        }
    }
}
