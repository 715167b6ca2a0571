//! Reads the file to play, with its model, and the script.

use anim_formats::anim_ir::{Diagnostics, Scene, Skeleton};
use anim_formats::{
    AssembleOptions, Assembled, Content, Format, LoadOptions, Part, assemble, cuts_of,
};

use crate::args::{Common, PlayArgs};
use crate::convert::{misfit, part};
use crate::input::Input;
use crate::split::{Cutting, apply};
use crate::status::{Failure, Status};
use crate::tally::Refused;

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
pub(super) fn read_script(
    script: Input<'_>,
    args: &PlayArgs,
    common: &Common,
) -> Result<Vec<u8>, Failure> {
    let used = [Some(&args.file), args.with.as_ref()].into_iter().flatten();
    if matches!(script, Input::Stdin) && used.into_iter().any(|path| path.as_os_str() == "-") {
        return Err(Failure::usage("standard input can be read only once"));
    }
    let read = script.read(&common.load_options().with_format(None));
    Ok(read.map_err(|failure| failure.about(script.shown()))?.bytes)
}

/// Reads the file, and combines it with the model of `--with`.
pub(super) fn load<'a>(args: &'a PlayArgs, common: &Common) -> Result<Source<'a>, Failure> {
    let load = common.load_options();
    let inputs: Vec<Input<'a>> =
        [Some(&args.file), args.with.as_ref()].into_iter().flatten().map(|path| Input::new(path)).collect();
    if inputs.iter().filter(|input| matches!(input, Input::Stdin)).count() > 1 {
        return Err(Failure::usage("standard input can be read only once"));
    }
    let refused = Refused::default();
    let first = Input::new(&args.file);
    let parts = inputs.iter().map(|input| part(*input, first, None, &load, &refused));
    let parts = parts.collect::<Result<Vec<_>, Failure>>()?;
    let formats: Vec<Format> = parts.iter().map(|part| part.parsed.value.format()).collect();
    let mut source = combine(args, common, inputs, parts, &load)?;
    source.formats = formats;
    if source.scene.skeletons.is_empty() {
        // Morph weights are played without joints.
        source.scene.add_skeleton(Skeleton::default());
    }
    Ok(source)
}

fn combine<'a>(
    args: &PlayArgs,
    common: &Common,
    inputs: Vec<Input<'a>>,
    mut parts: Vec<Part<'static>>,
    load: &LoadOptions,
) -> Result<Source<'a>, Failure> {
    let formats: Vec<Format> = parts.iter().map(|part| part.parsed.value.format()).collect();
    let is_cuts = |part: &Part<'_>| cuts_of(&part.parsed.value).is_some();
    // The take and the file that splits it, in either order.
    let cuts = parts.iter().position(is_cuts).map(|place| parts.remove(place));
    if cuts.is_some() && parts.is_empty() {
        return Err(Failure::usage(
            "an ANM text file only names the clips of a take; add the model with the take with \
             --with MODEL",
        ));
    }
    let target = "glb".parse::<Format>().map_err(|error| Failure::file(error.to_string()))?;
    let mut options = AssembleOptions::new(target, load.settings.clone());
    options.needs_scene = true;
    let Assembled { content, parts, .. } = assemble(parts, &options).map_err(|error| {
        let misfit = misfit(args.with.as_slice(), &formats).filter(|_| error.is_usage());
        misfit.unwrap_or_else(|| Failure::file(error.to_string()))
    })?;
    let Content::Scene(mut scene) = content else {
        return Err(Failure::file("the file cannot be played"));
    };
    let mut problems: Vec<Diagnostics> = parts.into_iter().map(|(_, problems)| problems).collect();
    if let Some(cuts) = cuts {
        let place = formats.iter().position(|format| *format == cuts.parsed.value.format());
        let Some(document) = cuts_of(&cuts.parsed.value) else {
            return Err(Failure::file("the file cannot be played"));
        };
        let cutting = Cutting { take: args.take.as_deref(), fps: args.anm_fps, ..Cutting::default() };
        apply(&cutting, common, &mut scene, document)?;
        problems.insert(place.unwrap_or_default().min(problems.len()), cuts.parsed.diagnostics);
    }
    let problems = inputs.into_iter().zip(problems).collect();
    Ok(Source { scene: *scene, problems, formats: Vec::new() })
}
