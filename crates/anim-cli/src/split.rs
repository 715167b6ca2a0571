//! `animfmt split`

use std::io::{self, Write};
use std::sync::Mutex;

use anim_formats::anim_ir::{Diagnostics, Scene};
use anim_formats::anm_text::{Children, Document, EventScope};
use anim_formats::{
    Format, SplitOptions, cuts_of, note_late_clips, read_images, sort_losses, split, takes,
};

use crate::args::{Common, SplitArgs};
use crate::clips::pick;
use crate::conversion::{Conversion, Report, SCHEMA};
use crate::convert::problem_lines;
use crate::fault;
use crate::input::Input;
use crate::options::warn_of_useless;
use crate::outcome::{Outcome, Reported};
use crate::output::Writer;
use crate::output_names::caseless;
use crate::plan::{Job, plan_one};
use crate::read_files::ReadFiles;
use crate::status::{Failure, Status};
use crate::term::print_json;

pub(crate) fn run(args: &SplitArgs, common: &Common, out: &mut dyn Write) -> io::Result<Status> {
    let inputs = [&args.model, &args.cuts].map(|path| Input::new(path));
    let is_there = args.out.output.exists();
    let (target, job) = match plan_one(inputs, &args.out, common) {
        Ok(planned) => planned,
        Err(failure) => return Ok(failure.report()),
    };
    let outcome = fault::guard(|| cut(args, common, target, &job)).unwrap_or_else(Outcome::nothing);
    outcome.report(&job, Reported::of(common), false, out)?;
    let status = outcome.status();
    if !is_there && outcome.result.is_err() {
        // A folder that was created for the output, and is still empty.
        let _ = std::fs::remove_dir(&args.out.output);
    }
    let read = outcome.read.iter().copied().collect();
    warn_of_useless(common.given(), &read, Some(target));
    if common.json {
        print_json(
            out,
            &Report { schema: SCHEMA, files: vec![Conversion::of(&job, target, outcome)] },
        )?;
    }
    Ok(status)
}

fn cut(
    args: &SplitArgs,
    common: &Common,
    target: Format,
    job: &Job<'_>,
) -> Result<Outcome, Failure> {
    let read_files = ReadFiles::default();
    let load = read_files.watch(common.load_options());
    let [model, cuts] = [&args.model, &args.cuts].map(|path| Input::new(path));
    let read = cuts.parse(&load).map_err(|failure| failure.about(cuts.shown()))?;
    let Some(document) = cuts_of(&read.value) else {
        return Err(Failure::file(format!(
            "expected an ANM text file that defines the clips, found {}",
            read.value.format().title()
        ))
        .about(cuts.shown()));
    };
    let mut loaded = model.load(&load)?;
    if target.takes_images() {
        loaded.losses.append(read_images(&mut loaded.scene, model.files(&load)?.as_mut()));
    }
    let formats = vec![loaded.document.format(), read.value.format()];
    let mut losses = loaded.losses;
    let mut problems = problem_lines(Some(model), &loaded.document, &loaded.diagnostics);
    problems.extend(problem_lines(Some(cuts), &read.value, &read.diagnostics));
    let mut diagnostics = loaded.diagnostics;
    diagnostics.append(read.diagnostics);
    let mut scene = loaded.scene;
    let (lost, wrong) = match apply(&Cutting::of(args), common, &mut scene, document) {
        Ok(found) => sort_losses(found),
        // Problems in the files are reported as well, since they may be the cause.
        Err(failure) => {
            return Ok(Outcome {
                result: Err(failure),
                problems,
                diagnostics: Some(diagnostics),
                losses,
                inputs_with_errors: 0,
                read: formats,
                clips: Vec::new(),
            });
        }
    };
    problems.extend(problem_lines(Some(cuts), &read.value, &wrong));
    diagnostics.append(wrong);
    losses.append(lost);
    if !args.rebase && !target.defines_clips() {
        losses.append(note_late_clips(&scene));
    }
    // Spans do not record which file they are offsets into.
    diagnostics.forget_spans();
    let writer = Writer {
        args: &args.out,
        target,
        load,
        read: read_files,
        outputs: job.output.file().map(caseless).into_iter().collect(),
        companions: Mutex::default(),
        keeps_equal: false,
        of_several: "write a GLB, then convert one of its clips with `animfmt convert`",
    };
    let result = args
        .out
        .check_strict(&diagnostics, &losses)
        .and_then(|()| writer.write(model, &job.output, scene, &mut losses));
    let diagnostics = Some(diagnostics);
    Ok(Outcome {
        result,
        problems,
        diagnostics,
        losses,
        inputs_with_errors: 0,
        read: formats,
        clips: Vec::new(),
    })
}

/// How to split a take.
#[derive(Default)]
pub(crate) struct Cutting<'a> {
    /// The take, if there are several.
    pub(crate) take: Option<&'a str>,
    /// The frame rate of the ANM text.
    pub(crate) fps: f64,
    pub(crate) rebase: bool,
    pub(crate) borders: bool,
    pub(crate) direct_children: bool,
    pub(crate) all_events: bool,
}

impl<'a> Cutting<'a> {
    fn of(args: &'a SplitArgs) -> Cutting<'a> {
        let SplitArgs { fps, rebase, borders, direct_children, all_events, .. } = *args;
        let take = args.take.as_deref();
        Cutting { take, fps, rebase, borders, direct_children, all_events }
    }
}

/// Splits a take of a scene into the clips of an ANM text.
pub(crate) fn apply(
    args: &Cutting<'_>,
    common: &Common,
    scene: &mut Scene,
    cuts: &Document<'_>,
) -> Result<Diagnostics, Failure> {
    let all = takes(scene);
    let names: Vec<&str> = all.iter().map(|take| take.name.as_str()).collect();
    // In a scene with states, clips are parts of states, not takes.
    let names = if scene.machines.is_empty() { names } else { Vec::new() };
    let take = pick("take", &names, args.take).map_err(|failure| advise(failure, &names, args))?;
    let Some(take) = all.get(take) else { return Err(Failure::file("the model has no takes")) };
    let mut options = SplitOptions::default();
    options.bind.children =
        if args.direct_children { Children::Direct } else { Children::AllDescendants };
    options.bind.events = if args.all_events { EventScope::All } else { EventScope::OwnSet };
    options.bind.frames_per_second = Some(args.fps);
    options.bind.limits = common.limits();
    options.cut.borders = args.borders;
    options.cut.rebase = args.rebase;
    split(scene, take, cuts, &options).map_err(|error| Failure::file(error.to_string()))
}

/// Adds advice on how to choose a take.
fn advise(failure: Failure, takes: &[&str], args: &Cutting<'_>) -> Failure {
    match takes {
        [] => Failure::file("the model has no take with keyframes to split"),
        _ if args.take.is_none() => {
            Failure { message: format!("{}; choose one with --take", failure.message), ..failure }
        }
        _ => failure,
    }
}
