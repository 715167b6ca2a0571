//! The page that is made of files, and the report on it.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::model::Model;
use super::recorder::Recorder;
use anim_viewer::{FileInfo, PageInfo, html, short, template};

use crate::args::{Common, ViewArgs};
use crate::status::{Failure, Status};
use crate::term::{HEADING, Verbosity, print_line, print_note, show_path, size, styled, verbosity};
use crate::write::{check_new, write_all};
use anim_viewer::DiagnosticReport;

pub(super) const SCHEMA: &str = "animfmt.view/1";

#[derive(Serialize)]
pub(super) struct Report<'a> {
    pub(super) schema: &'static str,
    /// The HTML file, or `None` if there is none.
    pub(super) output: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<&'a str>,
    pub(super) files: Vec<FileReport<'a>>,
}

#[derive(Serialize)]
pub(super) struct FileReport<'a> {
    file: &'a str,
    format: &'static str,
    diagnostics: &'a [DiagnosticReport],
    losses: &'a [DiagnosticReport],
}

/// A page, and the files that it shows.
pub(super) struct Page {
    pub(super) html: Vec<u8>,
    pub(super) models: Vec<Model>,
    /// Why there is nothing to show after the repairs, as a sentence.
    unrepaired: Option<String>,
}

impl Page {
    /// Reads the files and makes the page. The files that are read are recorded.
    pub(super) fn make(
        args: &ViewArgs,
        common: &Common,
        recorder: &Recorder,
    ) -> Result<Page, Failure> {
        let load = recorder.record(common.load_options());
        let mut models = Vec::new();
        for file in &args.files {
            models.push(Model::read(file, args, &load)?);
        }
        let mut unrepaired = None;
        if args.fix
            && let (Some(file), Some(before)) = (args.files.first(), models.first_mut())
        {
            match before.repaired(file, args, &load)? {
                Ok(after) => models.push(after),
                Err(why) => unrepaired = Some(why),
            }
        }
        let info = PageInfo {
            files: models.iter().map(|model| &model.shown.info).collect::<Vec<&FileInfo>>(),
            watch: args.watch,
            up: models.first().map_or("Y", |model| model.shown.up),
        };
        let glbs = models.iter().map(|model| model.shown.glb.as_slice());
        let html = html(&template(), &info, glbs)?;
        Ok(Page { html, models, unrepaired })
    }

    /// Says that nothing was repaired, if repairs were asked for.
    pub(super) fn note(&self) {
        if let (Some(why), Some(Model { given, .. })) = (&self.unrepaired, self.models.first()) {
            print_note(format_args!("{}: {why}", show_path(given.as_ref())));
        }
    }

    pub(super) fn status(&self) -> Status {
        let mut statuses = self.models.iter().map(|model| Status::of(&model.diagnostics));
        statuses.find(|status| *status != Status::Fine).unwrap_or(Status::Fine)
    }

    /// Prints the result. With `--quiet`, it is printed only if it explains the exit status.
    pub(super) fn report(&self, path: &Path) {
        if verbosity() == Verbosity::Quiet && self.status() == Status::Fine {
            return;
        }
        let problems: Vec<String> = self
            .models
            .iter()
            .map(|model| short(Some(&model.diagnostics), &model.shown.losses))
            .filter(|problems| !problems.is_empty())
            .collect();
        let problems =
            if problems.is_empty() { String::new() } else { format!(": {}", problems.join("; ")) };
        let (path, bytes) = (show_path(path), size(self.html.len()));
        print_line(format_args!("{} {path} ({bytes}){problems}", styled(HEADING, "wrote")));
    }

    pub(super) fn to_json(&self, path: Option<&Path>) -> Report<'_> {
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
pub(super) fn write(args: &ViewArgs, page: &Page, recorder: &Recorder) -> Result<PathBuf, Failure> {
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
