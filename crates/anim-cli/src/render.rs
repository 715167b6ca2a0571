//! `animfmt render`

mod diagram;

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::Path;

use anim_formats::Format;
use anim_formats::anim_ir::number::narrow;
use anim_formats::anim_ir::{Scene, TimeBase};
use serde::Serialize;

use crate::args::{Common, RenderArgs};
use crate::convert::part;
use crate::fault;
use crate::input::Input;
use crate::options::warn_of_useless;
use crate::read_files::ReadFiles;
use crate::render_arguments::Diagram;
use crate::source::{Request, combine};
use crate::status::{Failure, Status};
use crate::tally::Refused;
use crate::term::{HEADING, Verbosity, print_json, print_line, show_path, size, styled, verbosity};
use crate::totals::warn_of_errors;
use crate::write::{check_new, write_all};

/// The extensions of outputs.
const EXTENSIONS: [&str; 1] = ["svg"];

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    files: [FileReport<'a>; 1],
}

#[derive(Serialize)]
struct FileReport<'a> {
    file: std::borrow::Cow<'a, str>,
    output: Option<std::borrow::Cow<'a, str>>,
    /// The size of the output.
    bytes: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// A scene, the formats it was read from, and whether they were read without errors.
struct Read {
    scene: Scene,
    formats: Vec<Format>,
    status: Status,
}

pub(crate) fn run(args: &RenderArgs, common: &Common, out: &mut dyn Write) -> io::Result<Status> {
    let input = Input::new(&args.file);
    let drawn = fault::guard(|| {
        check(args, common)?;
        let read_files = ReadFiles::default();
        let diagram = args.diagram.or_else(|| Diagram::of_name(&args.output));
        let read = read(args, diagram, common, &read_files)?;
        warn_of_useless(
            common.given(),
            &read.formats.iter().copied().collect::<HashSet<_>>(),
            None,
        );
        let drawn = diagram::draw(&read.scene, diagram, args.clip.as_deref(), common.limits());
        // Errors in the file may be the cause, so they determine the status.
        let status = read.status;
        let bytes = drawn.map_err(|failure| match status {
            Status::Fine => failure,
            status => Failure { status, ..failure },
        })?;
        put(&args.output, &bytes, args.force, &read_files)?;
        Ok((bytes, status))
    });
    let file = |bytes: Option<usize>, error: Option<String>| FileReport {
        file: input.given(),
        output: bytes.map(|_| args.output.to_string_lossy()),
        bytes,
        error,
    };
    let (report, status) = match drawn {
        Ok((bytes, status)) => {
            if is_stdout(&args.output) {
                out.write_all(&bytes)?;
            } else if !common.json && verbosity() > Verbosity::Quiet {
                print_line(format_args!(
                    "{} {} ({})",
                    styled(HEADING, "wrote"),
                    show_path(&args.output),
                    size(bytes.len())
                ));
            }
            (file(Some(bytes.len()), None), status)
        }
        Err(failure) => {
            let status = failure.report_for(&input.shown());
            (file(None, Some(failure.message)), status)
        }
    };
    if common.json {
        print_json(out, &Report { schema: "animfmt.render/1", files: [report] })?;
    }
    Ok(status)
}

fn is_stdout(output: &Path) -> bool {
    output.as_os_str() == "-"
}

/// Checks the output before anything is read.
fn check(args: &RenderArgs, common: &Common) -> Result<(), Failure> {
    let output = &args.output;
    if is_stdout(output) {
        return match common.json {
            true => Err(Failure::usage("--json and the picture cannot both go to standard output")),
            false => Ok(()),
        };
    }
    let extension = output.extension().map(|extension| extension.to_string_lossy().to_lowercase());
    let is_known = |extension: &String| EXTENSIONS.contains(&extension.as_str());
    if !extension.as_ref().is_some_and(is_known) {
        let known = EXTENSIONS.map(|extension| format!(".{extension}")).join(", ");
        return Err(Failure::usage(format!(
            "cannot draw {}: supported are {known}",
            show_path(output)
        )));
    }
    check_new(output, args.force)
}

/// Reads the file and what it is combined with.
fn read(
    args: &RenderArgs,
    diagram: Option<Diagram>,
    common: &Common,
    files: &ReadFiles,
) -> Result<Read, Failure> {
    let load = files.watch(common.load_options());
    let input = Input::new(&args.file);
    let Some(with) = &args.with else {
        // A single file may be drawn although it cannot be played: ANM text without its model.
        let loaded = input.load(&load)?;
        warn_of_errors(input, &loaded.diagnostics);
        let status = Status::of(&loaded.diagnostics);
        return Ok(Read { scene: loaded.scene, formats: vec![loaded.document.format()], status });
    };
    let inputs = vec![input, Input::new(with)];
    if inputs.iter().all(|input| matches!(input, Input::Stdin)) {
        return Err(Failure::usage("standard input can be read only once"));
    }
    let refused = Refused::default();
    let parts = inputs.iter().map(|other| part(*other, input, None, &load, &refused));
    let parts = parts.collect::<Result<Vec<_>, Failure>>()?;
    let formats = parts.iter().map(|part| part.parsed.value.format()).collect();
    let target = "cast".parse::<Format>().map_err(|error| Failure::file(error.to_string()))?;
    let request = Request {
        target,
        with: std::slice::from_ref(with),
        take: args.take.as_deref(),
        // The timeline shows the keys of the take, and no others.
        borders: args.clip.is_some() || diagram == Some(Diagram::Curves),
    };
    let mut source = combine(&request, common, inputs, parts, &load)?;
    if verbosity() > Verbosity::Quiet {
        source.print_problems();
    }
    if let Some(rate) = source.rate {
        // The axis counts the frames of the file that names the clips.
        let per_second = narrow(rate);
        for timeline in &mut source.scene.timelines {
            timeline.time_base = TimeBase::Frames { per_second };
        }
    }
    let mut statuses = source.parts.iter().map(|(.., found)| Status::of(found));
    let status = statuses.find(|status| *status != Status::Fine).unwrap_or(Status::Fine);
    Ok(Read { scene: source.scene, formats, status })
}

/// Writes the output, unless it is standard output.
fn put(output: &Path, bytes: &[u8], force: bool, read: &ReadFiles) -> Result<(), Failure> {
    if is_stdout(output) {
        return Ok(());
    }
    if read.contains(output) {
        return Err(Failure::usage(format!(
            "{} was read for this output, and is never overwritten; choose another name",
            show_path(output)
        )));
    }
    write_all(&[(output.to_owned(), bytes)], force)
}
