//! Reads the file to play, with its model, and the script.

use anim_formats::Format;
use anim_formats::anim_ir::{Diagnostics, Scene, Skeleton};

use crate::args::{Common, PlayArgs};
use crate::convert::part;
use crate::input::Input;
use crate::source::{Request, combine, print_problems};
use crate::status::{Failure, Status};
use crate::tally::Refused;
use crate::term::{Verbosity, verbosity};

/// What is played.
pub(super) struct Source<'a> {
    pub(super) scene: Scene,
    /// The files, and the problems of each.
    pub(super) problems: Vec<(Input<'a>, Diagnostics)>,
    pub(super) formats: Vec<Format>,
}

impl Source<'_> {
    pub(super) fn status(&self) -> Status {
        let mut statuses = self.problems.iter().map(|(_, problems)| Status::of(problems));
        statuses.find(|status| *status != Status::Fine).unwrap_or(Status::Fine)
    }
}

/// Reads the text of a script, within the limits.
pub(super) fn read_script(script: Input<'_>, common: &Common) -> Result<Vec<u8>, Failure> {
    let read = script.read(&common.load_options().with_format(None));
    Ok(read.map_err(|failure| failure.about(script.shown()))?.bytes)
}

/// Reads the file, and combines it with the model of `--with`.
pub(super) fn load<'a>(args: &'a PlayArgs, common: &Common) -> Result<Source<'a>, Failure> {
    let load = common.load_options();
    let files = [Some(&args.file), args.with.as_ref()].into_iter().flatten();
    let inputs: Vec<Input<'a>> = files.map(|path| Input::new(path)).collect();
    let all = inputs.iter().copied().chain([Input::new(&args.script)]);
    if all.filter(|input| matches!(input, Input::Stdin)).count() > 1 {
        return Err(Failure::usage("standard input can be read only once"));
    }
    let refused = Refused::default();
    let first = Input::new(&args.file);
    let parts = inputs.iter().map(|input| part(*input, first, None, &load, &refused));
    let parts = parts.collect::<Result<Vec<_>, Failure>>()?;
    let formats: Vec<Format> = parts.iter().map(|part| part.parsed.value.format()).collect();
    let target = "cast".parse::<Format>().map_err(|error| Failure::file(error.to_string()))?;
    let request =
        Request { target, with: args.with.as_slice(), take: args.take.as_deref(), borders: true };
    let mut source = combine(&request, parts, &load)?;
    if source.scene.skeletons.is_empty() {
        // Morph weights are played without joints.
        source.scene.add_skeleton(Skeleton::default());
    }
    if args.with.is_some() && verbosity() > Verbosity::Quiet {
        print_problems(&inputs, &source);
    }
    let problems = inputs.into_iter().zip(source.parts);
    let problems = problems.map(|(input, (_, found))| (input, found)).collect();
    Ok(Source { scene: source.scene, problems, formats })
}
