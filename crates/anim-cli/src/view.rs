//! `animfmt view`

mod arguments;
mod browser;
mod description;
mod machine;
mod model;
mod page;
mod server;
mod watch;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anim_formats::anim_ir::Severity;
use serde::Serialize;

pub(crate) use self::arguments::ViewArgs;
use self::browser::open_file;
use self::description::{FileInfo, PageInfo};
use self::model::Model;
use self::watch::Recorder;
use crate::args::Common;
use crate::fault;
use crate::json;
use crate::options::warn_of_useless;
use crate::report::DiagnosticReport;
use crate::status::{Failure, Status};
use crate::tally::short;
use crate::term::{HEADING, Verbosity, print_json, print_line, show_path, size, styled, verbosity};
use crate::write::{check_new, write_all};

const SCHEMA: &str = "animfmt.view/1";

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    /// The HTML file, or `None` if there is none.
    output: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
    files: Vec<FileReport<'a>>,
}

#[derive(Serialize)]
struct FileReport<'a> {
    file: &'a str,
    format: &'static str,
    diagnostics: &'a [DiagnosticReport],
    losses: &'a [DiagnosticReport],
}

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

/// A page, and the files that it shows.
struct Page {
    html: Vec<u8>,
    models: Vec<Model>,
}

impl Page {
    /// Reads the files and makes the page. The files that are read are recorded.
    fn make(args: &ViewArgs, common: &Common, recorder: &Recorder) -> Result<Page, Failure> {
        let load = recorder.record(common.load_options());
        let mut models = Vec::new();
        for file in &args.files {
            models.push(Model::read(file, args, common, &load)?);
        }
        if args.fix
            && let Some(file) = args.files.first()
        {
            let after = Model::repaired(file, args, common, &load)?;
            models.iter_mut().for_each(|model| model.info.caption = Some("before the repairs"));
            models.push(after);
        }
        let info = PageInfo {
            files: models.iter().map(|model| &model.info).collect::<Vec<&FileInfo>>(),
            watch: args.watch,
            up: models.first().map_or("Y", |model| model.up),
        };
        let html = page::html(&info, models.iter().map(|model| model.glb.as_slice()))?;
        Ok(Page { html, models })
    }

    fn status(&self) -> Status {
        let mut statuses = self.models.iter().map(|model| Status::of(&model.diagnostics));
        statuses.find(|status| *status != Status::Fine).unwrap_or(Status::Fine)
    }

    /// Prints the result.
    fn report(&self, path: &Path) {
        if verbosity() == Verbosity::Quiet {
            return;
        }
        let problems: Vec<String> = self
            .models
            .iter()
            .map(|model| short(Some(&model.diagnostics), &model.losses))
            .filter(|problems| !problems.is_empty())
            .collect();
        let problems =
            if problems.is_empty() { String::new() } else { format!(": {}", problems.join("; ")) };
        let (path, bytes) = (show_path(path), size(self.html.len()));
        print_line(format_args!("{} {path} ({bytes}){problems}", styled(HEADING, "wrote")));
    }

    fn to_json(&self, path: Option<&Path>) -> Report<'_> {
        let output = path.map(|path| path.to_string_lossy().into_owned());
        let files = self.models.iter().map(|model| FileReport {
            file: &model.given,
            format: model.format.id(),
            diagnostics: &model.reports,
            losses: &model.lost,
        });
        Report { schema: SCHEMA, output, error: None, files: files.collect() }
    }
}

/// Writes the page to the output or, without one, to a new file in the folder for temporary files.
fn write(args: &ViewArgs, page: &Page, recorder: &Recorder) -> Result<PathBuf, Failure> {
    if let Some(path) = &args.output {
        if recorder.contains(path) {
            let path = show_path(path);
            let why = format!("{path} was read for this page, and is never overwritten");
            return Err(Failure::usage(why));
        }
        check_new(path, args.force)?;
        write_all(&[(path.clone(), page.html.as_slice())], args.force)?;
        return Ok(path.clone());
    }
    let cannot = |error: io::Error| Failure::usage(format!("cannot write the page: {error}"));
    let mut file = tempfile::Builder::new().prefix("animfmt-").suffix(".html").tempfile();
    let file = file.as_mut().map_err(|error| cannot(io::Error::from(error.kind())))?;
    file.write_all(&page.html).map_err(cannot)?;
    let path = file.path().to_owned();
    file.disable_cleanup(true);
    Ok(path)
}

/// Returns the name with which a conversion reports a loss: its severity, or `loss`.
fn severity_of_loss(severity: Option<Severity>) -> &'static str {
    severity.map_or("loss", Severity::name)
}
