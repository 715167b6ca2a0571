//! Splits the long take of a model into the clips that an ANM text file defines.

use anim_formats::anim_ir::{Diagnostics, Limits, Parsed, Scene};
use anim_formats::anm_text::{Children, Document, EventScope};
use anim_formats::{
    AnyDocument, Format, Loaded, SplitOptions, cuts_of, note_late_clips, sort_losses, split, takes,
};

use crate::clips::pick;
use crate::convert::{Found, Split};
use crate::failure::Failure;

/// The frame rate of ANM text where none is given, in frames per second. The format does not store
/// one.
pub const CUTS_RATE: f64 = 24.0;

/// How to split a take.
#[derive(Default)]
pub struct Cutting<'a> {
    /// The take, if there are several.
    pub take: Option<&'a str>,
    /// The frame rate of the ANM text.
    pub fps: f64,
    /// Whether each clip starts at 0 seconds.
    pub rebase: bool,
    /// Whether clips get keys at their borders, so that they show what the take shows.
    pub borders: bool,
    /// Whether `+children` means direct children only.
    pub direct_children: bool,
    /// Whether each clip includes the events of all bone sets.
    pub all_events: bool,
}

/// Splits a take of a model, whose images have been read if the format takes them, into the clips
/// of a file.
///
/// # Errors
///
/// Returns a [`Failure`] if the file defines no clips.
pub fn cut(
    cutting: &Cutting<'_>,
    model: Loaded,
    cuts: Parsed<AnyDocument<'static>>,
    target: Format,
    limits: &Limits,
) -> Result<Split, Failure> {
    let Some(document) = cuts_of(&cuts.value) else {
        return Err(Failure::file(format!(
            "expected an ANM text file that defines the clips, found {}",
            cuts.value.format().title()
        )));
    };
    let Loaded { document: model, diagnostics: of_model, mut scene, mut losses, .. } = model;
    let mut of_cuts = cuts.diagnostics;
    // Problems in the files are reported even if this fails, since they may be the cause.
    let scene = apply(cutting, limits, &mut scene, document).map(|found| {
        let (lost, wrong) = sort_losses(found);
        of_cuts.append(wrong);
        losses.append(lost);
        if !cutting.rebase && !target.defines_clips() {
            losses.append(note_late_clips(&scene));
        }
        scene
    });
    let mut diagnostics = of_model.clone();
    diagnostics.append(of_cuts.clone());
    // Spans do not record which file they are offsets into.
    diagnostics.forget_spans();
    let found = vec![
        Found { input: Some(0), document: model, diagnostics: of_model },
        Found { input: Some(1), document: cuts.value, diagnostics: of_cuts },
    ];
    Ok(Split { scene, found, diagnostics, losses })
}

/// Splits a take of a scene into the clips of an ANM text.
pub(crate) fn apply(
    args: &Cutting<'_>,
    limits: &Limits,
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
    options.bind.limits = *limits;
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
