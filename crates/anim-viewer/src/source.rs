//! A file and those it is combined with, as one scene.

use anim_formats::anim_ir::format::options::{OptionValue, Settings};
use anim_formats::anim_ir::{Diagnostics, Parsed, Scene};
use anim_formats::codes::THROUGH_SCENE;
use anim_formats::{
    AnyDocument, AssembleOptions, Assembled, Content, Format, Part, assemble, cuts_of, sort_losses,
};

use crate::advice::misfit;
use crate::cut::{CUTS_RATE, Cutting, apply};
use crate::failure::Failure;

/// Why an ANM text file cannot be played alone.
pub const NEEDS_MODEL: &str = "an ANM text file only names the clips of a take; add the model with \
                               the take with --with MODEL";

/// What becomes of the files.
pub struct Request<'a> {
    /// The format that the scene is for. Some formats take images along.
    pub target: Format,
    /// The names of the files that are combined with the first, for messages.
    pub with: &'a [String],
    /// The clip that an ANM text file splits, if there are several.
    pub take: Option<&'a str>,
    /// Whether the clips of an ANM text file get keys at their borders, so that they show what the
    /// take shows.
    pub borders: bool,
}

/// A scene, and the files it was made of.
pub struct Source {
    /// The scene.
    pub scene: Scene,
    /// The document and the problems of each file.
    pub parts: Vec<(AnyDocument<'static>, Diagnostics)>,
    /// The losses of combining the files.
    pub losses: Diagnostics,
    /// The frame rate of an ANM text file, in frames per second.
    pub rate: Option<f64>,
}

/// Combines a file with others.
///
/// # Errors
///
/// Returns a [`Failure`] if the files do not belong together, or have no scene.
pub fn combine(
    request: &Request<'_>,
    mut parts: Vec<Part<'_>>,
    settings: &Settings,
) -> Result<Source, Failure> {
    let is_cuts = |part: &Part<'_>| cuts_of(&part.parsed.value).is_some();
    // The take and the file that splits it, in either order.
    let cuts = parts.iter().position(is_cuts).map(|place| (place, parts.remove(place)));
    if cuts.is_some() && parts.is_empty() {
        return Err(Failure::usage(NEEDS_MODEL));
    }
    let formats: Vec<Format> = parts.iter().map(|part| part.parsed.value.format()).collect();
    // If the input is the file that splits the take, the first `--with` file takes its place.
    let cuts_with = cuts.as_ref().map(|(place, _)| place.saturating_sub(1));
    let with = request.with.iter().enumerate();
    let with: Vec<String> =
        with.filter(|(at, _)| Some(*at) != cuts_with).map(|(_, file)| file.clone()).collect();
    let mut options = AssembleOptions::new(request.target, settings.clone());
    options.needs_scene = true;
    let Assembled { content, parts, mut losses, .. } =
        assemble(parts, &options).map_err(|error| {
            let misfit = misfit(&with, &formats).filter(|_| error.is_usage());
            misfit.unwrap_or_else(|| Failure::file(error.to_string()))
        })?;
    // Nothing is written, so it does not matter how.
    (_, losses) = losses.partition(|code| code.id == THROUGH_SCENE.id);
    let Content::Scene(mut scene) = content else {
        return Err(Failure::file("the file cannot be played or drawn"));
    };
    let (mut parts, mut rate) = (parts, None);
    if let Some((place, cuts)) = cuts {
        let Parsed { value, mut diagnostics } = cuts.parsed;
        let document = cuts_of(&value).ok_or_else(|| Failure::file("the file cannot be played"))?;
        let fps = settings.get("rate").map_or(CUTS_RATE, OptionValue::number);
        rate = Some(fps);
        let cutting =
            Cutting { take: request.take, fps, borders: request.borders, ..Cutting::default() };
        let (lost, wrong) = sort_losses(apply(&cutting, &settings.limits, &mut scene, document)?);
        losses.append(lost);
        diagnostics.append(wrong);
        parts.insert(place.min(parts.len()), (value, diagnostics));
    }
    Ok(Source { scene: *scene, parts, losses, rate })
}
