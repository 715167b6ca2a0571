//! `animfmt fmt`

use std::io::{self, Write};
use std::path::Path;

use anim_formats::anim_ir::{Diagnostics, Severity};
use anim_formats::{AnyDocument, Format, LoadOptions, Loaded};
use serde::Serialize;

use crate::args::{Common, FmtArgs};
use crate::batch::{each_file, summary};
use crate::check::problems;
use crate::files::{By, Files};
use crate::input::Input;
use crate::read_files::{Identity, ReadFiles};
use crate::status::{Fail as _, Failure, Status};
use crate::term::{Verbosity, print_json, print_line, verbosity};
use crate::write::{rewrite, write_new};
use anim_viewer::Places;

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    files: Vec<FileReport>,
}

#[derive(Serialize)]
struct FileReport {
    file: String,
    format: Option<&'static str>,
    /// Whether the canonical form differs from the file; null if the format has none.
    changed: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// The destination of the canonical form.
#[derive(Clone, Copy)]
enum Destination<'a> {
    InPlace,
    File(&'a Path),
    Stdout,
    /// Not written: only compared with the file.
    Nowhere,
}

/// The result for one file.
enum Outcome {
    Formatted {
        format: Format,
        changed: bool,
        /// The bytes for standard output.
        data: Vec<u8>,
    },
    /// The file has errors, rendered as text. It is not formatted, since parts that cannot be
    /// parsed would be lost or moved.
    Errors(String),
    /// The format has no canonical form.
    Formless(Format),
}

/// The version of the JSON output.
const SCHEMA: &str = "animfmt.fmt/2";

pub(crate) fn run(args: &FmtArgs, common: &Common, out: &mut dyn Write) -> io::Result<Status> {
    let mut files = match find(args, common) {
        Ok(files) => files,
        Err(failure) => return failure.report_run((SCHEMA, "files"), common.json, out),
    };
    let (mut statuses, mut reports) = (Vec::new(), Vec::new());
    let (mut different, mut same, mut failed, mut formless) = (0_usize, 0_usize, 0_usize, 0_usize);
    let work = |input: Input<'_>, options: &LoadOptions| {
        format(input, options, destination(args, input), args.force)
    };
    each_file(&files, common, work, |file, outcome, progress| {
        let report = |format: Option<Format>, changed, error| FileReport {
            file: file.input().given().into_owned(),
            format: format.map(Format::id),
            changed,
            error,
        };
        let failure = match outcome {
            Ok(Outcome::Formatted { format, changed, data }) => {
                let count = if changed { &mut different } else { &mut same };
                *count = count.saturating_add(1);
                out.write_all(&data)?;
                if changed && !common.json {
                    match destination(args, file.input()) {
                        Destination::Nowhere => writeln!(out, "{}", file.input().shown())?,
                        Destination::InPlace => {
                            writeln!(out, "formatted {}", file.input().shown())?
                        }
                        Destination::File(_) | Destination::Stdout => {}
                    }
                }
                statuses.push(if changed && args.check { Status::Errors } else { Status::Fine });
                reports.push(report(Some(format), Some(changed), None));
                return Ok(());
            }
            Ok(Outcome::Formless(_)) if file.by == By::Folder => {
                formless = formless.saturating_add(1);
                return Ok(());
            }
            Ok(Outcome::Formless(format)) => {
                let why = if format.info().is_binary { "is binary and " } else { "" };
                Failure::usage(format!("{} {why}has no canonical form", format.title()))
            }
            Ok(Outcome::Errors(shown)) => {
                out.flush()?;
                progress.aside(|| print_line(format_args!("{shown}")));
                Failure::file("not formatted, because the file has errors")
            }
            Err(failure) => failure,
        };
        statuses.push(progress.report_failure(&failure, file.input(), out)?);
        failed = failed.saturating_add(1);
        reports.push(report(None, None, Some(failure.message)));
        Ok(())
    })?;
    files.pass_over(formless);
    if common.json {
        print_json(out, &Report { schema: SCHEMA, files: reports })?;
    } else if files.several && verbosity() > Verbosity::Quiet {
        out.flush()?;
        let what = if args.check { "not in canonical form" } else { "formatted" };
        print_line(format_args!(
            "{}",
            summary(&files, &[(different, what), (same, "fine"), (failed, "failed")])
        ));
    }
    Ok(Status::of_all(&statuses))
}

/// Finds the files, and checks that each has a destination.
fn find(args: &FmtArgs, common: &Common) -> Result<Files, Failure> {
    let mut files = Files::find(&args.files, common.from, None)?;
    files.pass_over_links();
    let to_stdout = files
        .found
        .iter()
        .any(|file| matches!(destination(args, file.input()), Destination::Stdout));
    if common.json && to_stdout {
        return Err(Failure::usage(
            "--json and the formatted file cannot both go to standard output",
        ));
    }
    if files.several && (to_stdout || args.output.is_some()) {
        return Err(Failure::usage(
            "several files cannot be written to one output; omit -o and --stdout to rewrite each \
             in place",
        ));
    }
    Ok(files)
}

fn destination<'a>(args: &'a FmtArgs, input: Input<'_>) -> Destination<'a> {
    match (&args.output, input) {
        _ if args.check => Destination::Nowhere,
        (Some(output), _) if output.as_os_str() != "-" => Destination::File(output),
        (None, Input::File(..)) if !args.stdout => Destination::InPlace,
        _ => Destination::Stdout,
    }
}

fn format(
    input: Input<'_>,
    options: &LoadOptions,
    destination: Destination<'_>,
    force: bool,
) -> Result<(Format, Outcome), Failure> {
    let read = ReadFiles::default();
    let options = &read.watch(options.clone());
    let (parsed, cut) = input.parse_whole(options)?;
    let document = &parsed.value;
    let format = document.format();
    let Some(bytes) = document.formatted() else {
        return Ok((format, Outcome::Formless(format)));
    };
    let changed = document.to_bytes() != bytes;
    // Errors in the frames of an animation are errors of the file, as for `check`.
    let Loaded { document, diagnostics, .. } = input.scene_of(parsed, options)?;
    if diagnostics.worst() >= Some(Severity::Error) {
        return Ok((format, Outcome::Errors(errors(input, &document, diagnostics))));
    }
    if cut {
        return Err(Failure::file("only part of the file was read; nothing was written"));
    }
    let mut data = Vec::new();
    match (destination, input) {
        (Destination::InPlace, Input::File(path, _)) if changed => rewrite(path, &bytes)?,
        (Destination::File(path), Input::File(from, _)) if is_same_file(path, from) => {
            return Err(Failure::usage("-o names the input; omit it to rewrite the file in place"));
        }
        (Destination::File(path), _) => write_new(path, &bytes, force, &read)?,
        (Destination::Stdout, _) => data = bytes,
        _ => {}
    }
    Ok((format, Outcome::Formatted { format, changed, data }))
}

fn is_same_file(a: &Path, b: &Path) -> bool {
    matches!((Identity::of(a), Identity::of(b)), (Ok(a), Ok(b)) if a == b)
}

/// Renders the errors of a file as text.
fn errors(input: Input<'_>, document: &AnyDocument<'_>, diagnostics: Diagnostics) -> String {
    let (mut errors, _) = diagnostics.partition(|code| code.severity == Severity::Error);
    errors.map_spans(|span| document.text_span(span));
    let text = document.text();
    problems(&input.shown(), &mut Places::new(&text, document), &errors, &[]).trim_end().to_owned()
}
