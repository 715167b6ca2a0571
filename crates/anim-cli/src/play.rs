//! `animfmt play`

mod cast;
mod check;
mod layers;
mod log;
mod problem;
mod script;
mod source;
mod stage;
mod states;
mod track;
mod words;

use std::collections::HashSet;
use std::io::{self, Write};

use anim_formats::anim_ir::{Budget, Diagnostic, Diagnostics, Scene};

use crate::args::{Common, PlayArgs};
use crate::fault;
use crate::input::Input;
use crate::options::warn_of_useless;
use crate::poses::{Poses, frames};
use crate::snippet::render;
use crate::status::{Fail as _, Failure, Status};
use crate::tally::warn_of_errors;
use crate::term::{count, print_json, print_line, print_note};
use anim_viewer::DiagnosticReport;
use anim_viewer::Places;
use anim_viewer::not_kept;
use cast::Cast;
use check::{Checked, MOST, check};
use layers::Layers;
use log::{Failed, Head, Log, Style};
use script::lines;
use source::{Source, load, read_script};
use stage::{Stage, play};
use states::States;

pub(crate) fn run(args: &PlayArgs, common: &Common, out: &mut dyn Write) -> io::Result<Status> {
    let [input, script] = [&args.file, &args.script].map(|path| Input::new(path));
    let (file, name) = (input.given(), script.given());
    let head = Head { file: &file, script: &name };
    let loaded = fault::guard(|| Ok((load(args, common)?, read_script(script, common)?)));
    let (source, text) = match loaded {
        Ok(loaded) => loaded,
        Err(failure) => return fail(&failure, input, &head, (args, common), out),
    };
    if args.with.is_none() {
        for (input, diagnostics) in &source.problems {
            warn_of_errors(*input, diagnostics);
        }
    }
    let read = source.status();
    let cast = Cast::of(&source.scene);
    let Ok(text) = std::str::from_utf8(&text) else {
        let failure = Failure::file("not UTF-8").about(script.shown());
        return fail(&failure, input, &head, (args, common), out);
    };
    let checked = check(text, &cast);
    if !checked.problems.is_empty() {
        return report(&checked.problems, text, script, &head, (args, common), out);
    }
    let machines = source.scene.machines.len();
    if machines > 1 {
        print_note(format_args!("the file has {machines} state machines; the first one is played"));
    }
    let prepared = fault::guard(|| prepare(&source, &cast, &checked, args, common));
    let (mut stage, poses, budget, frames) = match prepared {
        Ok(prepared) => prepared,
        Err(failure) => return fail(&failure, input, &head, (args, common), out),
    };
    warn_of_useless(common.given(), &source.formats.iter().copied().collect::<HashSet<_>>(), None);
    let mut log = Log::start(out, style(args, common), &head, (poses, budget))?;
    // The script has no errors.
    let lines = lines(text, &cast).filter_map(Result::ok);
    let played = play(stage.as_mut(), lines, frames, &mut log);
    let status = match log.end(played)? {
        Ok(()) => Status::Fine,
        Err(failure) => failure.report_for(&script.shown()),
    };
    Ok(if read == Status::Fine { status } else { read })
}

fn style(args: &PlayArgs, common: &Common) -> Style {
    match (common.json, args.csv, args.fps) {
        (true, ..) => Style::Json,
        (_, true, None) => Style::Csv,
        (_, true, Some(_)) => Style::CsvPoses,
        _ => Style::Text,
    }
}

/// What is played, what to print, the budget, and the times of the frames.
type Prepared<'a> = (Box<dyn Stage<'a> + 'a>, Poses<'a>, Budget, Box<dyn Iterator<Item = f64>>);

fn prepare<'a>(
    source: &'a Source<'_>,
    cast: &Cast<'a>,
    checked: &Checked,
    args: &PlayArgs,
    common: &Common,
) -> Result<Prepared<'a>, Failure> {
    let scene: &'a Scene = &source.scene;
    let budget = Budget::for_scene(&common.limits(), scene);
    let missing = || Failure::file("the file has no skeleton, so nothing can be played");
    let (stage, skeleton): (Box<dyn Stage<'a>>, _) = match cast.machine {
        Some(machine) => {
            let skeleton = scene.machine(machine).map(|machine| machine.skeleton);
            let states = States::new(scene, machine).ok_or_else(missing)?;
            (Box::new(states), skeleton.unwrap_or_default())
        }
        None => {
            let skeleton = checked.skeleton.unwrap_or_default();
            (Box::new(Layers::new(scene, skeleton).ok_or_else(missing)?), skeleton)
        }
    };
    let mut poses = Poses::new(scene, scene.skeleton(skeleton).ok_or_else(missing)?);
    poses.show(&args.joint, args.world)?;
    let frames: Box<dyn Iterator<Item = f64>> = match args.fps {
        None => Box::new(std::iter::empty()),
        Some(rate) => {
            let number = frames(0.0, checked.end, rate);
            poses.charge(number, &budget)?;
            // The number of frames is far below 2^53.
            #[expect(clippy::cast_precision_loss, reason = "see above")]
            Box::new((0..number).map(move |frame| frame as f64 / rate))
        }
    };
    Ok((stage, poses, budget, frames))
}

/// Reports that nothing is played, with `--json` also as JSON.
fn fail(
    failure: &Failure,
    input: Input<'_>,
    head: &Head<'_>,
    (args, common): (&PlayArgs, &Common),
    out: &mut dyn Write,
) -> io::Result<Status> {
    if common.json && !args.csv {
        print_json(out, &Failed::new(head, &failure.message, [(); 0]))?;
    }
    Ok(failure.report_for(&input.shown()))
}

/// Reports the errors of a script.
fn report(
    problems: &Diagnostics,
    text: &str,
    script: Input<'_>,
    head: &Head<'_>,
    (args, common): (&PlayArgs, &Common),
    out: &mut dyn Write,
) -> io::Result<Status> {
    let mut places = Places::of_text(text.as_bytes());
    let (shown, total) = (script.shown(), problems.counts().iter().map(|(_, count)| count).sum());
    let total: u64 = total;
    for problem in problems {
        print_line(format_args!("{}", render(&shown, &mut places, problem)));
    }
    for (_, more) in not_kept(problems) {
        print_line(format_args!("{more}"));
    }
    let more = if total >= MOST { "the first " } else { "" };
    let message =
        format!("{more}{} in the script; nothing was played", count(total, "error", "errors"));
    let failure = Failure::file(message).about(shown);
    if common.json && !args.csv {
        let mut places = Places::of_text(text.as_bytes());
        let report = |problem: &Diagnostic| {
            let place = problem.span.and_then(|span| places.locate(span.start).location());
            DiagnosticReport::of(problem, place)
        };
        let reports: Vec<DiagnosticReport> = problems.iter().map(report).collect();
        print_json(out, &Failed::new(head, &failure.message, reports))?;
    }
    Ok(failure.report_for(""))
}
