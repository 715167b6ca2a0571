//! Reads the file to play, with its model, and the script.

use anim_formats::anim_ir::format::options::OptionValue;
use anim_formats::anim_ir::{Diagnostics, Parsed, Scene, Severity, Skeleton};
use anim_formats::{
    AssembleOptions, Assembled, Content, Format, LoadOptions, Part, assemble, cuts_of, sort_losses,
};

use crate::args::{Common, PlayArgs};
use crate::convert::{misfit, part, problem_lines};
use crate::input::Input;
use crate::split::{Cutting, apply};
use crate::status::{Failure, Status};
use crate::tally::{Refused, label, loss_severity};
use crate::term::{Verbosity, print_line, styled, verbosity};

/// The default frame rate of ANM text, in frames per second, as in `split`.
const RATE: f64 = 24.0;

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
    let mut source = combine(args, common, inputs, parts, &load)?;
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
    let cuts = parts.iter().position(is_cuts).map(|place| (place, parts.remove(place)));
    if cuts.is_some() && parts.is_empty() {
        return Err(Failure::usage(
            "an ANM text file only names the clips of a take; add the model with the take with \
             --with MODEL",
        ));
    }
    let target = "cast".parse::<Format>().map_err(|error| Failure::file(error.to_string()))?;
    let mut options = AssembleOptions::new(target, load.settings.clone());
    options.needs_scene = true;
    let Assembled { content, parts, mut losses, .. } =
        assemble(parts, &options).map_err(|error| {
            let misfit = misfit(args.with.as_slice(), &formats).filter(|_| error.is_usage());
            misfit.unwrap_or_else(|| Failure::file(error.to_string()))
        })?;
    let Content::Scene(mut scene) = content else {
        return Err(Failure::file("the file cannot be played"));
    };
    let mut parts = parts;
    if let Some((place, cuts)) = cuts {
        let Parsed { value, mut diagnostics } = cuts.parsed;
        let document = cuts_of(&value).ok_or_else(|| Failure::file("the file cannot be played"))?;
        let cutting = Cutting {
            take: args.take.as_deref(),
            fps: load.settings.get("rate").map_or(RATE, OptionValue::number),
            // The clips show what the take shows.
            borders: true,
            ..Cutting::default()
        };
        let (lost, wrong) = sort_losses(apply(&cutting, common, &mut scene, document)?);
        losses.append(lost);
        diagnostics.append(wrong);
        parts.insert(place.min(parts.len()), (value, diagnostics));
    }
    if args.with.is_some() && verbosity() > Verbosity::Quiet {
        let of_files = inputs.iter().zip(&parts);
        let lines = of_files
            .flat_map(|(input, (document, found))| problem_lines(Some(*input), document, found));
        let warnings = lines.filter(|line| line.severity > Severity::Note).map(|line| line.line);
        let losses = losses.iter().filter(|loss| loss.severity() > Severity::Note).map(|loss| {
            let (name, style) = label(loss_severity(loss.code));
            format!("{}: {}", styled(style, format_args!("{name}[{}]", loss.code.id)), loss.message)
        });
        warnings.chain(losses).for_each(|line| print_line(format_args!("{line}")));
    }
    let problems = parts.into_iter().map(|(_, problems)| problems);
    let problems = inputs.into_iter().zip(problems).collect();
    Ok(Source { scene: *scene, problems, formats })
}
