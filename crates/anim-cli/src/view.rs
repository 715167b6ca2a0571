//! `animfmt view`

mod browser;
mod model;
mod recorder;
mod result;
mod server;
mod watch;

use std::io::{self, Write};

use serde::Serialize as _;

use self::browser::open_file;
use self::model::Model;
use self::recorder::Recorder;
use self::result::{Page, Report, SCHEMA, write};
use crate::args::{Common, ViewArgs};
use crate::fault;
use crate::json;
use crate::options::warn_of_useless;
use crate::status::{Fail as _, Failure, Status};
use crate::term::{Verbosity, print_json, show_path, verbosity};

pub(crate) fn run(args: &ViewArgs, common: &Common, out: &mut dyn Write) -> io::Result<Status> {
    let result = args.check(common.json).and_then(|()| {
        let recorder = Recorder::default();
        let made = fault::guard(|| Page::make(args, common, &recorder))?;
        Ok((made, recorder))
    });
    let (page, recorder) = match result {
        Ok(made) => made,
        Err(failure) => return fail(&failure, args, common, out),
    };
    warn_of_useless(common.given(), &page.models.iter().flat_map(Model::formats).collect(), None);
    page.note();
    if args.watch {
        return Ok(match watch::run(args, common, page, recorder) {
            Ok(status) => status,
            Err(failure) => failure.report(),
        });
    }
    if args.output.as_deref().is_some_and(|path| path.as_os_str() == "-") {
        out.write_all(&page.html)?;
        return Ok(page.status());
    }
    let path = match write(args, &page, &recorder) {
        Ok(path) => path,
        Err(failure) => return fail(&failure, args, common, out),
    };
    page.report(&path);
    if common.json {
        print_json(out, &page.to_json(Some(&path)))?;
    } else if verbosity() == Verbosity::Quiet && args.output.is_none() && args.no_open {
        // The result would otherwise be lost.
        writeln!(out, "{}", show_path(&path))?;
    }
    if !args.no_open
        && let Err(failure) = open_file(&path)
    {
        failure.report();
    }
    Ok(page.status())
}

/// Reports a failure, with `--json` also as JSON.
fn fail(
    failure: &Failure,
    args: &ViewArgs,
    common: &Common,
    out: &mut dyn Write,
) -> io::Result<Status> {
    if common.json {
        let error = Some(failure.message.as_str());
        let report = Report { schema: SCHEMA, output: None, error, files: Vec::new() };
        report.serialize(&mut json::compact(&mut *out))?;
        writeln!(out)?;
    }
    Ok(failure.report_for(&args.files.first().map_or(String::new(), |file| show_path(file))))
}
