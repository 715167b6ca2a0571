//! Plans the files of `--split`.

use std::sync::Arc;

use anim_formats::anim_ir::{Budget, Diagnostics, Limits, Scene, UniqueNames};
use anim_formats::{AnyDocument, Format, Pieces, only_animation, pieces};

use crate::args::{Common, ConvertArgs};
use crate::input::Input;
use crate::job::{Job, Output, check_not_stdout};
use crate::shared_budget::SharedBudget;
use crate::status::Failure;
use crate::term::show_path;
use anim_viewer::{numbered, sanitize};

/// Plans a job for each animation of an input, named after the animation.
pub(super) fn split<'a>(
    inputs: &[Input<'a>],
    target: Format,
    args: &ConvertArgs,
    common: &Common,
) -> Result<Vec<Job<'a>>, Failure> {
    let folder = args.out.output.as_path();
    check_not_stdout(folder, "--split")?;
    if folder.exists() && !folder.is_dir() {
        return Err(Failure::usage(format!(
            "--split requires an output folder, but {} is not a folder",
            show_path(folder)
        )));
    }
    let [input, others @ ..] = inputs else { return Err(Failure::usage("no input")) };
    if inputs.iter().any(|input| matches!(input, Input::Stdin)) {
        return Err(Failure::usage("--split cannot read standard input"));
    }
    let options = common.load_options();
    let parse =
        |input: &Input<'_>| input.parse(&options).map_err(|failure| failure.about(input.shown()));
    let mut read = inputs.iter().map(parse).collect::<Result<Vec<_>, Failure>>()?;
    // A part without problems must not be written if another part has some.
    for (input, read) in inputs.iter().zip(&mut read) {
        args.out.look_closer(read);
        let strict = args.out.check_strict(&read.diagnostics, &Diagnostics::new());
        strict.map_err(|failure| failure.about(input.shown()))?;
    }
    let stems: Vec<_> = inputs.iter().map(|input| input.stem()).collect();
    let documents: Vec<(&str, &AnyDocument<'_>)> =
        stems.iter().map(|stem| &**stem).zip(read.iter().map(|read| &read.value)).collect();
    let of_one = || Job { others: others.to_vec(), ..Job::new(*input, Output::Stdout) };
    let (names, each_a_part) = match pieces(&documents, target, args.join.as_deref()) {
        Some(Pieces::Each(names)) => (names, true),
        // A single motion is written to as many files as needed.
        Some(Pieces::Packed(name)) => (vec![name], false),
        // Any clip can be sampled or written separately.
        None if target.holds_one_clip() && others.is_empty() => {
            let scene = input.load(&options)?.scene;
            let sources = documents.iter().map(|(_, document)| document.to_bytes().len());
            charge_split(&scene, sources.sum(), &options.settings.limits)?;
            (scene.playables().into_iter().map(|(name, _)| name.to_owned()).collect(), true)
        }
        None if !others.is_empty() => return Err(Failure::usage("--split accepts only one input")),
        None => {
            return Err(Failure::usage(format!(
                "{} cannot be split: a {} file can hold all of its clips",
                input.shown(),
                target.title()
            )));
        }
    };
    if names.is_empty() {
        return Err(Failure::file(format!(
            "{} has no animation to write; `animfmt check` lists its problems",
            input.shown()
        )));
    }
    let bytes = documents.iter().map(|(_, document)| document.to_bytes().len()).sum();
    let shared = Some(Arc::new(SharedBudget::of(&options.settings.limits, bytes)));
    let extension = target.written_extensions().first().copied().unwrap_or_default();
    let mut taken = UniqueNames::ignoring_case();
    let jobs = names.iter().enumerate().map(|(number, name)| {
        let name = taken.claim_fitted(sanitize(name), numbered);
        let animation = each_a_part.then_some(number);
        // What cannot be separated is reported when it is converted.
        let separated = animation.and_then(|number| match &*read {
            [only] => only_animation(only, number).ok().flatten(),
            _ => None,
        });
        Job {
            animation: animation.filter(|_| separated.is_none()),
            separated,
            output: Output::File(folder.join(format!("{name}.{extension}"))),
            shared: shared.clone(),
            ..of_one()
        }
    });
    Ok(jobs.collect())
}

/// The number of files that any input may be split into.
const FREE_PARTS: usize = 100;

/// The work charged for reading a byte of the input again and converting it to extras.
const WORK_PER_BYTE: usize = 5;

/// Charges the clips of a scene that become files of their own. The input, of `read` bytes, is read
/// again for each, so very many would take quadratic time.
fn charge_split(scene: &Scene, read: usize, limits: &Limits) -> Result<(), Failure> {
    let again = scene.playables().len().saturating_sub(FREE_PARTS);
    let once = scene.size().saturating_add(read.saturating_mul(WORK_PER_BYTE));
    let work = again.saturating_mul(once);
    let budget = Budget::for_scene(limits, scene);
    budget
        .charge_work("the files of --split", work)
        .map_err(|error| Failure::file(format!("{error}; choose one of the clips with --clip")))
}
