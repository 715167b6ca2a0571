//! Reads a file and those it is combined with, as one scene.

use std::path::PathBuf;

use anim_formats::anim_ir::format::options::OptionValue;
use anim_formats::anim_ir::{Diagnostics, Parsed, Scene, Severity};
use anim_formats::{
    AnyDocument, AssembleOptions, Assembled, Content, Format, LoadOptions, Part, assemble, cuts_of,
    sort_losses,
};

use crate::args::Common;
use crate::convert::{misfit, problem_lines};
use crate::input::Input;
use crate::split::{Cutting, apply};
use crate::status::Failure;
use crate::tally::{label, loss_severity};
use crate::term::{print_line, styled};

/// The default frame rate of ANM text, in frames per second, as in `split`.
const RATE: f64 = 24.0;

/// What becomes of the files.
pub(crate) struct Request<'a> {
    /// The format that the scene is for. Some formats take images along.
    pub(crate) target: Format,
    /// The files of `--with`.
    pub(crate) with: &'a [PathBuf],
    /// The clip that an ANM text file splits, if there are several.
    pub(crate) take: Option<&'a str>,
    /// Whether the clips of an ANM text file get keys at their borders, so that they show what the
    /// take shows.
    pub(crate) borders: bool,
}

/// A scene, and the files it was made of.
pub(crate) struct Source<'a> {
    pub(crate) scene: Scene,
    /// Each file, with its document and its problems.
    pub(crate) parts: Vec<(Input<'a>, AnyDocument<'static>, Diagnostics)>,
    pub(crate) losses: Diagnostics,
    /// The frame rate of an ANM text file, in frames per second.
    pub(crate) rate: Option<f64>,
}

impl Source<'_> {
    /// Prints the warnings of all files, and the losses of combining them.
    pub(crate) fn print_problems(&self) {
        let of_files = self.parts.iter();
        let lines = of_files
            .flat_map(|(input, document, found)| problem_lines(Some(*input), document, found));
        let warnings = lines.filter(|line| line.severity > Severity::Note).map(|line| line.line);
        let losses = loss_lines(&self.losses);
        warnings.chain(losses).for_each(|line| print_line(format_args!("{line}")));
    }
}

/// Combines a file with the files of `--with`. `inputs` are the files of the parts.
pub(crate) fn combine<'a>(
    request: &Request<'_>,
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
    let mut options = AssembleOptions::new(request.target, load.settings.clone());
    options.needs_scene = true;
    let Assembled { content, parts, mut losses, .. } =
        assemble(parts, &options).map_err(|error| {
            let misfit = misfit(request.with, &formats).filter(|_| error.is_usage());
            misfit.unwrap_or_else(|| Failure::file(error.to_string()))
        })?;
    let Content::Scene(mut scene) = content else {
        return Err(Failure::file("the file cannot be played or drawn"));
    };
    let (mut parts, mut rate) = (parts, None);
    if let Some((place, cuts)) = cuts {
        let Parsed { value, mut diagnostics } = cuts.parsed;
        let document = cuts_of(&value).ok_or_else(|| Failure::file("the file cannot be played"))?;
        let fps = load.settings.get("rate").map_or(RATE, OptionValue::number);
        rate = Some(fps);
        let cutting =
            Cutting { take: request.take, fps, borders: request.borders, ..Cutting::default() };
        let (lost, wrong) = sort_losses(apply(&cutting, common, &mut scene, document)?);
        losses.append(lost);
        diagnostics.append(wrong);
        parts.insert(place.min(parts.len()), (value, diagnostics));
    }
    let parts = inputs.into_iter().zip(parts);
    let parts = parts.map(|(input, (document, found))| (input, document, found)).collect();
    Ok(Source { scene: *scene, parts, losses, rate })
}

/// Returns a line for each loss that is more than a note.
pub(crate) fn loss_lines(losses: &Diagnostics) -> impl Iterator<Item = String> {
    losses.iter().filter(|loss| loss.severity() > Severity::Note).map(|loss| {
        let (name, style) = label(loss_severity(loss.code));
        format!("{}: {}", styled(style, format_args!("{name}[{}]", loss.code.id)), loss.message)
    })
}
