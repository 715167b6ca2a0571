//! A sheet with a picture of each of several files.

use std::io;

use anim_formats::anim_ir::Diagnostics;
use anim_formats::{Format, LoadOptions, read_images, restore_missing_images};
use anim_preview::{Picture, SheetRow, contact_sheet};

use super::output::{FileReport, put};
use super::picture::{cell, charge_cells, failed, limited};

use crate::args::{Common, RenderArgs};
use crate::batch::each_file;
use crate::files::{Files, Found};
use crate::input::{Input, shown_names};
use crate::read_files::ReadFiles;
use crate::status::{Fail as _, Failure, Status};
use crate::tally::warn_of_errors;
use anim_viewer::short_names;

/// How many files are in a row.
const COLUMNS: usize = 5;

/// Draws all files on a sheet, and writes it. Adds a report and a status for each file.
pub(super) fn draw<'a>(
    files: &'a Files,
    args: &RenderArgs,
    common: &Common,
    reports: &mut Vec<FileReport<'a>>,
    statuses: &mut Vec<Status>,
) -> io::Result<Result<Vec<u8>, Failure>> {
    if let Err(failure) = charge_cells(args, &common.limits(), files.found.len()) {
        return Ok(Err(failure));
    }
    let read = ReadFiles::default();
    let inputs: Vec<Input<'_>> = files.found.iter().map(Found::input).collect();
    let mut names = short_names(&shown_names(&inputs)).into_iter();
    let mut pictures = Vec::new();
    let mut given = files.found.iter().map(|found| found.input().given());
    each_file(
        files,
        common,
        |input, options| one(input, &read.watch(options.clone()), args, common),
        |found, result, progress| {
            let name = names.next().unwrap_or_default();
            let mut report = FileReport::new(given.next().unwrap_or_default());
            match result {
                Ok((picture, diagnostics)) => {
                    progress.aside(|| warn_of_errors(found.input(), &diagnostics));
                    pictures.push((name, picture));
                    statuses.push(Status::of(&diagnostics));
                }
                Err(failure) => {
                    progress.aside(|| failure.report_for(&found.input().shown()));
                    report.error = Some(failure.message);
                    statuses.push(failure.status);
                }
            }
            reports.push(report);
            Ok(())
        },
    )?;
    Ok(write(pictures, args, common, &read))
}

/// Writes the sheet of these pictures.
fn write(
    pictures: Vec<(String, Picture)>,
    args: &RenderArgs,
    common: &Common,
    read: &ReadFiles,
) -> Result<Vec<u8>, Failure> {
    if pictures.is_empty() {
        return Err(Failure::file("no file could be drawn; nothing was written"));
    }
    let mut rows = Vec::new();
    let mut pictures = pictures.into_iter().peekable();
    while pictures.peek().is_some() {
        let pictures = pictures.by_ref().take(COLUMNS).collect();
        rows.push(SheetRow { label: String::new(), pictures });
    }
    let sheet = contact_sheet(&rows, &common.limits()).map_err(limited)?;
    let bytes = sheet.to_png().map_err(failed)?;
    put(&args.output, &bytes, args.force, read)?;
    Ok(bytes)
}

/// Draws a file.
fn one(
    input: Input<'_>,
    options: &LoadOptions,
    args: &RenderArgs,
    common: &Common,
) -> Result<(Format, (Picture, Diagnostics)), Failure> {
    let mut loaded = input.load(options)?;
    read_images(&mut loaded.scene, input.files(options)?.as_mut());
    restore_missing_images(&mut loaded.scene);
    let picture = cell(&loaded.scene, args, common.limits())?;
    Ok((loaded.document.format(), (picture, loaded.diagnostics)))
}
