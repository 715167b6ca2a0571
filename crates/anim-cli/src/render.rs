//! `animfmt render`

mod diagram;
mod frames;
mod output;
mod picture;
mod sheet;

use std::borrow::Cow;
use std::collections::HashSet;
use std::io::{self, Write};

use anim_formats::anim_ir::diag::quote;
use anim_formats::anim_ir::number::narrow;
use anim_formats::anim_ir::{Diagnostics, Limits, Scene, TimeBase};
use anim_formats::{Format, read_images, restore_missing_images};
use serde::Serialize;

use crate::args::{Common, RenderArgs};
use crate::convert::part;
use crate::fault;
use crate::files::Files;
use crate::input::Input;
use crate::options::warn_of_useless;
use crate::read_files::ReadFiles;
use crate::render_arguments::{Diagram, Kind};
use crate::source::{Request, combine, loss_lines, print_problems};
use crate::status::{Fail as _, Failure, Status};
use crate::tally::Refused;
use crate::tally::warn_of_errors;
use crate::term::{HEADING, Verbosity, print_json, print_line, show_path, size, styled, verbosity};
use crate::write::check_new;
use output::{FileReport, is_stdout, put};

/// The extensions of pictures.
const KINDS: [(&str, Kind); 4] =
    [("png", Kind::Png), ("apng", Kind::Apng), ("gif", Kind::Gif), ("svg", Kind::Svg)];

/// The highest frame rate of a loop, in frames per second.
const MOST_FPS: f64 = 50.0;

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    files: Vec<FileReport<'a>>,
}

pub(crate) fn run(args: &RenderArgs, common: &Common, out: &mut dyn Write) -> io::Result<Status> {
    let planned = fault::guard(|| plan(args, common));
    let (files, kind) = match planned {
        Ok(planned) => planned,
        Err(failure) => {
            if common.json {
                let file =
                    args.files.first().map_or(Cow::Borrowed(""), |file| Input::new(file).given());
                let error = Some(failure.message.clone());
                let report = FileReport { error, ..FileReport::new(file) };
                print_json(out, &Report { schema: "animfmt.render/1", files: vec![report] })?;
            }
            return Ok(failure.report());
        }
    };
    if files.several || files.from_folder {
        return several(&files, args, common, out);
    }
    let Some(input) = files.found.first().map(crate::files::Found::input) else {
        return Ok(Status::Usage);
    };
    let drawn = fault::guard(|| one(input, kind, args, common));
    let mut report = FileReport::new(input.given());
    let status = match drawn {
        Ok((bytes, status)) => {
            report.output = Some(args.output.to_string_lossy());
            report.bytes = Some(bytes.len());
            finish(&bytes, args, common, out)?;
            status
        }
        Err(failure) => {
            let status = failure.report_for(&input.shown());
            report.error = Some(failure.message);
            status
        }
    };
    if common.json {
        print_json(out, &Report { schema: "animfmt.render/1", files: vec![report] })?;
    }
    Ok(status)
}

/// Draws several files on a sheet.
fn several(
    files: &Files,
    args: &RenderArgs,
    common: &Common,
    out: &mut dyn Write,
) -> io::Result<Status> {
    let (mut reports, mut statuses) = (Vec::new(), Vec::new());
    match sheet::draw(files, args, common, &mut reports, &mut statuses)? {
        Ok(bytes) => {
            finish(&bytes, args, common, out)?;
            let drawn = reports.iter_mut().filter(|report| report.error.is_none());
            drawn.for_each(|report| {
                report.output = Some(args.output.to_string_lossy());
                report.bytes = Some(bytes.len());
            });
        }
        Err(failure) => statuses.push(failure.report()),
    }
    if common.json {
        print_json(out, &Report { schema: "animfmt.render/1", files: reports })?;
    }
    Ok(Status::of_all(&statuses))
}

/// Writes to standard output, or says what was written.
fn finish(bytes: &[u8], args: &RenderArgs, common: &Common, out: &mut dyn Write) -> io::Result<()> {
    if is_stdout(&args.output) {
        return out.write_all(bytes);
    }
    if !common.json && verbosity() > Verbosity::Quiet {
        let (output, size) = (show_path(&args.output), size(bytes.len()));
        print_line(format_args!("{} {output} ({size})", styled(HEADING, "wrote")));
    }
    Ok(())
}

/// Finds the inputs and the kind of picture, and checks the options, before anything is read.
fn plan(args: &RenderArgs, common: &Common) -> Result<(Files, Kind), Failure> {
    let kind = kind(args)?;
    let is_loop = matches!(kind, Kind::Apng | Kind::Gif);
    let useless = [
        (args.diagram.is_some() && kind != Kind::Svg, "--diagram", "an .svg"),
        (args.at.is_some() && kind != Kind::Png, "--at", "a .png"),
        (args.fps.is_some() && !is_loop, "--fps", "an .apng or .gif"),
        (args.size.is_some() && kind == Kind::Svg, "--size", "a .png, .apng or .gif"),
        (args.camera.is_some() && kind == Kind::Svg, "--camera", "a .png, .apng or .gif"),
        (args.background.is_some() && kind == Kind::Svg, "--background", "a .png, .apng or .gif"),
    ];
    if let Some((_, option, of)) = useless.iter().find(|(is_given, ..)| *is_given) {
        return Err(Failure::usage(format!("{option} is for {of}")));
    }
    if args.fps.is_some_and(|rate| rate > MOST_FPS) {
        return Err(Failure::usage(format!("--fps is at most {MOST_FPS}: players show no more")));
    }
    if !is_stdout(&args.output) {
        check_new(&args.output, args.force)?;
    } else if common.json {
        let message = "--json and the picture cannot both go to standard output";
        return Err(Failure::usage(message));
    }
    let mut files = Files::find(&args.files, common.from, None)?;
    if files.several || files.from_folder {
        let for_one = [
            (kind != Kind::Png, "a sheet of several files is a .png"),
            (args.clip.is_some(), "--clip is for a single file"),
            (args.at.is_some(), "--at is for a single file"),
            (args.with.is_some(), "--with is for a single file"),
        ];
        if let Some((_, why)) = for_one.iter().find(|(is_wrong, _)| *is_wrong) {
            return Err(Failure::usage(*why));
        }
        files.leave_out_frames(&common.load_options());
    }
    Ok((files, kind))
}

/// Returns the kind of the output.
fn kind(args: &RenderArgs) -> Result<Kind, Failure> {
    if let Some(kind) = args.to {
        return Ok(kind);
    }
    let known = || KINDS.map(|(extension, _)| format!(".{extension}")).join(", ");
    if is_stdout(&args.output) {
        // Diagrams are the only kind with an option of their own.
        return args.diagram.map(|_| Kind::Svg).ok_or_else(|| {
            Failure::usage("standard output has no extension; choose the kind of picture with --to")
        });
    }
    let extension = args.output.extension().map(|name| name.to_string_lossy().to_lowercase());
    let found = KINDS.iter().find(|(name, _)| extension.as_deref() == Some(name));
    found.map(|(_, kind)| *kind).ok_or_else(|| {
        let what = match &extension {
            Some(extension) => {
                format!("unsupported kind of picture {}", quote(format!(".{extension}").as_bytes()))
            }
            None => format!("{} has no extension", show_path(&args.output)),
        };
        Failure::usage(format!("{what}; supported: {}", known()))
    })
}

/// Draws a single file. Returns the picture and whether the file was read without errors.
fn one(
    input: Input<'_>,
    kind: Kind,
    args: &RenderArgs,
    common: &Common,
) -> Result<(Vec<u8>, Status), Failure> {
    let read_files = ReadFiles::default();
    let diagram = args.diagram.or_else(|| Diagram::of_name(&args.output));
    let read = read(input, kind, diagram, args, common, &read_files)?;
    warn_of_useless(common.given(), &read.formats.iter().copied().collect::<HashSet<_>>(), None);
    let limits = Limits { stored: read_files.stored(), ..common.limits() };
    let status = read.status;
    let drawn = match kind {
        Kind::Svg => diagram::draw(&read.scene, diagram, args.clip.as_deref(), limits)
            .map(|svg| (svg, Diagnostics::new())),
        _ => picture::draw(&read.scene, args, kind, limits, common.threads()),
    };
    // Errors in the file may be the cause, so they determine the status.
    let (bytes, losses) = drawn.map_err(|failure| match status {
        Status::Fine => failure,
        status => Failure { status, ..failure },
    })?;
    if verbosity() > Verbosity::Quiet {
        loss_lines(&losses).for_each(|line| print_line(format_args!("{line}")));
    }
    put(&args.output, &bytes, args.force, &read_files)?;
    Ok((bytes, status))
}

/// A scene, the formats it was read from, and whether they were read without errors.
struct Read {
    scene: Scene,
    formats: Vec<Format>,
    status: Status,
}

/// Reads the file and what it is combined with.
fn read(
    input: Input<'_>,
    kind: Kind,
    diagram: Option<Diagram>,
    args: &RenderArgs,
    common: &Common,
    files: &ReadFiles,
) -> Result<Read, Failure> {
    let load = files.watch(common.load_options());
    let Some(with) = &args.with else {
        // A single file may be drawn although it cannot be played: ANM text without its model.
        let mut loaded = input.load(&load)?;
        if kind != Kind::Svg {
            // Missing images are drawn as a checker pattern, and reported then.
            read_images(&mut loaded.scene, input.files(&load)?.as_mut());
            restore_missing_images(&mut loaded.scene);
        }
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
    // A format that takes images along, if there is anything to see of them.
    let target = if kind == Kind::Svg { "cast" } else { "glb" };
    let target = target.parse::<Format>().map_err(|error| Failure::file(error.to_string()))?;
    let request = Request {
        target,
        with: std::slice::from_ref(with),
        take: args.take.as_deref(),
        // The timeline shows the keys of the take, and no others.
        borders: kind != Kind::Svg || args.clip.is_some() || diagram == Some(Diagram::Curves),
    };
    let mut source = combine(&request, parts, &load)?;
    restore_missing_images(&mut source.scene);
    if verbosity() > Verbosity::Quiet {
        print_problems(&inputs, &source);
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
