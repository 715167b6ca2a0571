//! `animfmt split`

use std::io::{self, Write};
use std::sync::Mutex;

use anim_formats::{Format, read_images};
use anim_viewer::{Cutting, OF_SEVERAL_CUTS, Split, caseless};

use crate::args::{Common, SplitArgs};
use crate::conversion::{ConversionReport, Report, SCHEMA};
use crate::convert::lines_of;
use crate::fault;
use crate::input::Input;
use crate::job::Job;
use crate::options::warn_of_useless;
use crate::outcome::{Outcome, Reported};
use crate::output::Writer;
use crate::plan::plan_one;
use crate::read_files::ReadFiles;
use crate::status::{Fail as _, Failure, Status};
use crate::term::print_json;

pub(crate) fn run(args: &SplitArgs, common: &Common, out: &mut dyn Write) -> io::Result<Status> {
    let inputs = [&args.model, &args.cuts].map(|path| Input::new(path));
    let is_there = args.out.output.exists();
    let (target, job) = match plan_one(inputs, &args.out, common) {
        Ok(planned) => planned,
        Err(failure) => return failure.report_run((SCHEMA, "files"), common.json, out),
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
            &Report { schema: SCHEMA, files: vec![ConversionReport::of(&job, target, outcome)] },
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
    let load = job.read.watch(read_files.watch(common.load_options()));
    let [model, cuts] = [&args.model, &args.cuts].map(|path| Input::new(path));
    let parse = |input: Input<'_>| {
        let mut read = input.parse(&load)?;
        args.out.look_closer(&mut read);
        Ok(read)
    };
    let read = parse(cuts).map_err(|failure: Failure| failure.about(cuts.shown()))?;
    let mut loaded = model.scene_of(parse(model)?, &load)?;
    if target.takes_images() {
        loaded.losses.append(read_images(&mut loaded.scene, model.files(&load)?.as_mut()));
    }
    let formats = vec![loaded.document.format(), read.value.format()];
    let Split { scene, found, diagnostics, mut losses } =
        anim_viewer::cut(&args.cutting(), loaded, read, target, &common.limits())
            .map_err(|failure| failure.about(cuts.shown()))?;
    let problems = lines_of(&[model, cuts], &found);
    let writer = Writer {
        args: &args.out,
        target,
        load,
        read: read_files,
        outputs: job.output.file().map(caseless).into_iter().collect(),
        companions: Mutex::default(),
        keeps_equal: None,
        of_several: OF_SEVERAL_CUTS,
    };
    let result = scene.and_then(|scene| {
        args.out.check_strict(&diagnostics, &losses)?;
        writer.write(model, job, scene, &mut losses)
    });
    Ok(Outcome {
        result,
        problems,
        diagnostics: Some(diagnostics),
        losses,
        inputs_with_errors: 0,
        read: formats,
        clips: Vec::new(),
    })
}

impl SplitArgs {
    fn cutting(&self) -> Cutting<'_> {
        let SplitArgs { fps, rebase, borders, direct_children, all_events, .. } = *self;
        let take = self.take.as_deref();
        Cutting { take, fps, rebase, borders, direct_children, all_events }
    }
}
