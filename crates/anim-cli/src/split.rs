//! `animfmt split`

use std::io::{self, Write};

use anim_formats::anim_ir::{Cut, Diagnostics, Scene};
use anim_formats::anm_text::{BindOptions, Children, Document, EventScope};
use anim_formats::{AnyDocument, SplitOptions, Target, sort_losses, split, takes};

use crate::args::{Common, SplitArgs};
use crate::clips::pick;
use crate::convert::{Conversion, Outcome, Report, Told, problem_lines};
use crate::fault;
use crate::input::Input;
use crate::output::{Writer, convert_options};
use crate::plan::{Job, caseless, plan_one};
use crate::status::{Failure, Status};
use crate::term::print_json;

pub(crate) fn run(args: &SplitArgs, common: &Common, out: &mut dyn Write) -> io::Result<Status> {
    let inputs = [&args.model, &args.cuts].map(|path| Input::new(path));
    let (target, job) = match plan_one(inputs, &args.out, common) {
        Ok(planned) => planned,
        Err(failure) => return Ok(failure.tell()),
    };
    let outcome = fault::guard(|| cut(args, common, target, &job)).unwrap_or_else(Outcome::nothing);
    outcome.report(&job, Told::of(&args.out, common), false, out)?;
    let status = outcome.status();
    if common.json {
        print_json(
            out,
            &Report {
                schema: "animfmt.convert/1",
                conversions: vec![Conversion::of(&job, target, outcome)],
            },
        )?;
    }
    Ok(status)
}

fn cut(
    args: &SplitArgs,
    common: &Common,
    target: Target,
    job: &Job<'_>,
) -> Result<Outcome, Failure> {
    let load = args.reading.load_options(common);
    let [model, cuts] = [&args.model, &args.cuts].map(|path| Input::new(path));
    let read = cuts.parse(&load).map_err(|failure| failure.about(cuts))?;
    let AnyDocument::AnmText(document) = &read.value else {
        return Err(Failure::file(format!(
            "it is {}; cuts are ANM text",
            read.value.format().title()
        ))
        .about(cuts));
    };
    let loaded = model.load(&load)?;
    let mut losses = loaded.losses;
    let mut problems = problem_lines(model, &loaded.document, &loaded.diagnostics);
    problems.extend(problem_lines(cuts, &read.value, &read.diagnostics));
    let mut diagnostics = loaded.diagnostics;
    diagnostics.append(read.diagnostics);
    let mut scene = loaded.scene;
    let (lost, wrong) = match apply(args, common, &mut scene, document) {
        Ok(found) => sort_losses(found),
        // What is wrong with the files may be why.
        Err(failure) => {
            return Ok(Outcome {
                result: Err(failure),
                problems,
                diagnostics: Some(diagnostics),
                losses,
            });
        }
    };
    problems.extend(problem_lines(cuts, &read.value, &wrong));
    diagnostics.append(wrong);
    losses.append(lost);
    // Places in several files are none in one.
    diagnostics.forget_spans();
    let writer = Writer {
        args: &args.out,
        target,
        options: convert_options(&args.out, &args.reading, common),
        root: load.root.clone(),
        outputs: job.output.file().map(caseless).into_iter().collect(),
        of_several: "; write a GLB, and one of its clips with `animfmt convert`",
    };
    let result = args
        .out
        .check_strict(&diagnostics)
        .and_then(|()| writer.write(model, &job.output, scene, &mut losses));
    Ok(Outcome { result, problems, diagnostics: Some(diagnostics), losses })
}

fn apply(
    args: &SplitArgs,
    common: &Common,
    scene: &mut Scene,
    cuts: &Document<'_>,
) -> Result<Diagnostics, Failure> {
    let all = takes(scene);
    let names: Vec<&str> = all.iter().map(|take| take.name.as_str()).collect();
    // A scene with states has clips, of which none is what it looks like.
    let names = if scene.machines.is_empty() { names } else { Vec::new() };
    let take = pick("take", &names, args.take.as_deref())
        .map_err(|failure| advise(failure, &names, args))?;
    let Some(take) = all.get(take) else { return Err(Failure::file("the model has no take")) };
    let options = SplitOptions {
        bind: BindOptions {
            children: if args.direct_children {
                Children::Direct
            } else {
                Children::AllDescendants
            },
            events: if args.all_events { EventScope::All } else { EventScope::OwnSet },
            frames_per_second: args.fps,
            limits: common.limits(),
            ..BindOptions::default()
        },
        cut: Cut { borders: args.borders, rebase: args.rebase },
    };
    split(scene, take, cuts, &options).map_err(|error| Failure::file(error.to_string()))
}

/// Says how to answer the question.
fn advise(failure: Failure, takes: &[&str], args: &SplitArgs) -> Failure {
    match takes {
        [] => Failure::file("there are no keys on a timeline that could be cut"),
        _ if args.take.is_none() => {
            Failure { message: format!("{}; choose with --take", failure.message), ..failure }
        }
        _ => failure,
    }
}
