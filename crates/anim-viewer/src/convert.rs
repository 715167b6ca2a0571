//! The steps from input files to output files.

use std::collections::BTreeSet;

use anim_formats::anim_ir::format::SeveralClips;
use anim_formats::anim_ir::{Diagnostic, Diagnostics, Scene, Severity};
use anim_formats::codes::OTHER_RATE;
use anim_formats::{
    AnyDocument, AssembleError, AssembleOptions, Assembled, Content, ConvertError, Format, Output,
    Part, Settings, assemble, bake_of, convert, note_empty, note_up,
};

use crate::advice::{mergeable, misfit, to_split};
use crate::clips::pick_playable;
use crate::combine::Combination;
use crate::failure::Failure;
use crate::rate::changed_length;

/// What is made of files, and how.
#[derive(Clone, Debug)]
pub struct Conversion<'a> {
    /// The format to write, its options, and how files are combined.
    pub assemble: AssembleOptions,
    /// The name of the output, for messages.
    pub output: &'a str,
    /// The names of the last files, which are combined with the first, for messages.
    pub with: &'a [String],
    /// The only clip or state to write.
    pub clip: Option<&'a str>,
    /// The clips to add that play others at once.
    pub combine: &'a [Combination],
}

/// A file that was read, and its problems.
#[derive(Debug)]
pub struct Found {
    /// The index of the file; `None` for a document that several files were merged into, whose
    /// problems name their files.
    pub input: Option<usize>,
    /// What was read.
    pub document: AnyDocument<'static>,
    /// Its problems.
    pub diagnostics: Diagnostics,
}

/// Files combined into the content of one output.
#[derive(Debug)]
pub struct Combined {
    /// The content.
    pub content: Content,
    /// The index of the file that image paths of a scene are relative to.
    pub images_of: usize,
    /// The files.
    pub found: Vec<Found>,
    /// The problems of all files.
    pub diagnostics: Diagnostics,
    /// The losses so far.
    pub losses: Diagnostics,
    /// The indices of merged files with errors.
    pub with_errors: BTreeSet<usize>,
}

/// A model whose take was split ([`cut`](crate::cut())).
#[derive(Debug)]
pub struct Split {
    /// The scene, or why the take cannot be split.
    pub scene: Result<Scene, Failure>,
    /// The model and the file that defines the clips.
    pub found: Vec<Found>,
    /// The problems of both.
    pub diagnostics: Diagnostics,
    /// The losses so far.
    pub losses: Diagnostics,
}

/// Combines the parts of an output. `inputs` are the names of their files, for messages.
///
/// # Errors
///
/// Returns a [`Failure`] if the files do not belong together, or a limit is exceeded.
pub fn combine_parts(
    parts: Vec<Part<'_>>,
    inputs: &[String],
    conversion: &Conversion<'_>,
) -> Result<Combined, Failure> {
    let formats: Vec<Format> = parts.iter().map(|part| part.parsed.value.format()).collect();
    let Assembled { content, images_of, parts, mut losses, losses_of, origins, .. } =
        assemble(parts, &conversion.assemble)
            .map_err(|error| not_assembled(&error, (inputs, &formats), conversion))?;
    let (merge, settings) = (conversion.assemble.merge, &conversion.assemble.settings);
    // When files are merged, spans are offsets into the merged document.
    let origin = |problem: &Diagnostic| {
        let start = problem.span?.start;
        let next = origins.partition_point(|(place, _)| place.start <= start);
        origins.get(next.checked_sub(1)?).map(|(_, number)| *number)
    };
    let name_origins = |problems: &mut Diagnostics| {
        for problem in problems.iter_mut() {
            if let Some(input) = origin(problem).and_then(|number| inputs.get(number)) {
                problem.file = Some(input.clone());
            }
        }
        if !origins.is_empty() {
            problems.forget_spans();
        }
    };
    name_origins(&mut losses);
    for (input, mut own) in inputs.iter().zip(losses_of) {
        own.iter_mut().for_each(|loss| loss.file = Some(input.clone()));
        losses.append(own);
    }
    let mut combined = Combined {
        content,
        images_of,
        found: Vec::new(),
        diagnostics: Diagnostics::new(),
        losses,
        with_errors: BTreeSet::new(),
    };
    let several = parts.len() > 1;
    for ((number, input), (document, mut found)) in inputs.iter().enumerate().zip(parts) {
        let is_merged = !origins.is_empty();
        if !is_merged {
            if merge && found.worst() >= Some(Severity::Error) {
                combined.with_errors.insert(number);
            }
        } else {
            let errors = found.iter().filter(|found| found.severity() == Severity::Error);
            combined.with_errors.extend(errors.filter_map(origin));
            name_origins(&mut found);
        }
        if merge {
            found = first_of_each(&found);
        }
        combined.diagnostics.append(found.clone());
        if let Some(note) = changed_length(&document, settings) {
            let file = several.then(|| input.clone());
            let rate = || Diagnostic { file, ..Diagnostic::new(&OTHER_RATE, None, note) };
            combined.losses.report(&OTHER_RATE, rate);
        }
        let input = (!is_merged).then_some(number);
        combined.found.push(Found { input, document, diagnostics: found });
    }
    if several {
        // Spans do not record which file they are offsets into.
        combined.diagnostics.forget_spans();
    }
    Ok(combined)
}

/// Keeps the first diagnostics of each code, and counts the rest.
#[must_use]
pub fn first_of_each(problems: &Diagnostics) -> Diagnostics {
    let mut first = Diagnostics::new();
    for problem in problems.iter() {
        first.report(problem.code, || problem.clone());
    }
    first
}

/// Turns the error for inputs that cannot be combined into a message that names the files.
fn not_assembled(
    error: &AssembleError,
    (inputs, formats): (&[String], &[Format]),
    conversion: &Conversion<'_>,
) -> Failure {
    let first = inputs.first().map_or("", String::as_str);
    let better = match error {
        AssembleError::Apart(_) => to_split(inputs, formats, conversion.output)
            .or_else(|| misfit(conversion.with, formats)),
        AssembleError::Merge(mismatch) => {
            let other = inputs.get(mismatch.input).map_or(first, String::as_str);
            let why = format!(
                "cannot be merged with {first}, because the skeletons differ: {error}{}",
                mergeable(mismatch, inputs)
            );
            Some(Failure::usage(why).about(other))
        }
        _ => None,
    };
    better.unwrap_or_else(|| {
        let fault = Failure::usage(error.to_string());
        if error.is_usage() { fault } else { Failure::file(fault.message) }
    })
}

impl Conversion<'_> {
    /// Adds the clips to combine, and reduces the scene to the selected clip or state.
    ///
    /// # Errors
    ///
    /// Returns a [`Failure`] if a clip does not exist, or a limit is exceeded.
    pub fn choose_clips(&self, scene: &mut Scene) -> Result<(), Failure> {
        let bake = bake_of(&self.assemble.settings);
        let budget = Combination::budget(&bake.limits, scene);
        for combination in self.combine {
            combination.add_to(scene, &budget)?;
        }
        let Some(name) = self.clip else { return Ok(()) };
        if self.assemble.to.needs_states() && !scene.machines.is_empty() {
            return Err(Failure::usage(format!(
                "--clip keeps a single clip or state, but {} is written from all states; leave \
                 out --clip",
                self.assemble.to.title()
            )));
        }
        let playable = pick_playable(scene, Some(name))?;
        scene.keep(playable, &bake).map_err(|error| Failure::file(error.to_string()))
    }
}

/// Advice for a conversion of several clips to a format that holds only one.
pub const OF_SEVERAL: &str =
    "choose one with --clip, or use --split to write each to its own file in a folder";
/// The same for the clips of an ANM text file.
pub const OF_SEVERAL_CUTS: &str =
    "write a GLB, then convert one of its clips with `animfmt convert`";

/// Writes a scene whose image paths are relative to the folder of the output. `of_several` is
/// advice for a scene with several clips, if the format holds only one.
///
/// # Errors
///
/// Returns a [`Failure`] if the format cannot represent the scene.
pub fn write_scene(
    scene: &Scene,
    (target, stem): (Format, &str),
    settings: &Settings,
    of_several: &str,
    losses: &mut Diagnostics,
) -> Result<Output, Failure> {
    if target.holds_one_clip()
        && let Err(error) = SeveralClips::check(scene)
    {
        let why = error.in_file(&format!("{} file", target.title()));
        return Err(Failure::file(format!("{why}; {of_several}")));
    }
    losses.append(note_up(scene, target, settings));
    losses.append(note_empty(scene, target));
    let converted = convert(scene, target, settings, stem);
    let converted = converted.map_err(|error| Failure::file(advise(&error)))?;
    losses.append(converted.losses);
    Ok(converted.value)
}

/// Returns the error message, followed by its help text, if any.
#[must_use]
pub fn advise(error: &ConvertError) -> String {
    error.help().map_or_else(|| error.to_string(), |help| format!("{error}; {help}"))
}
