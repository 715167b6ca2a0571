//! Converts a document and its companion files to a scene.

use anim_ir::format::Context;
use anim_ir::{Category, Code, Converted, Diagnostics, Parsed, Scene, Severity};

use crate::images::check_images;
use crate::registry::{AnyDocument, Format};

/// A loaded file.
#[derive(Debug)]
#[non_exhaustive]
pub struct Loaded {
    /// The content of the file.
    pub document: AnyDocument<'static>,
    /// Problems in the file and its companion files.
    pub diagnostics: Diagnostics,
    /// The scene that the document describes. Image paths are relative to the file's folder.
    /// Images that glTF does not support are removed.
    pub scene: Scene,
    /// Content that the scene cannot represent.
    pub losses: Diagnostics,
}

/// Converts a document to a scene. All images of the scene exist and have a supported format, but
/// the content of separate image files has not been read; see
/// [`read_images`](crate::read_images).
pub fn scene_of(parsed: Parsed<AnyDocument<'static>>, context: &mut Context<'_>) -> Loaded {
    let Parsed { value: document, mut diagnostics } = parsed;
    let (mut scene, mut losses, wrong) = problems_of(&document, context);
    diagnostics.append(wrong);
    check_images(&mut scene, context.files, &mut losses);
    Loaded { document, diagnostics, scene, losses }
}

/// Converts a document to a scene. Returns the losses, and the problems of the file that only
/// the conversion finds, such as those in the frames of an animation.
pub(crate) fn problems_of(
    document: &AnyDocument<'_>,
    context: &mut Context<'_>,
) -> (Scene, Diagnostics, Diagnostics) {
    let Converted { value: scene, losses } = document.to_scene(context);
    let (losses, wrong) = losses_and_problems(losses, document.format());
    (scene, losses, wrong)
}

/// Splits the diagnostics of a conversion into losses and problems of the file. Problems with
/// optional companion files are not problems of the file itself.
pub(crate) fn losses_and_problems(
    losses: Diagnostics,
    format: Format,
) -> (Diagnostics, Diagnostics) {
    let is_whole_alone = format.info().is_whole_alone;
    losses.partition(|code| is_loss(code) || is_whole_alone && code.severity < Severity::Error)
}

/// Splits diagnostics into the losses of a conversion and the problems in its input.
pub fn sort_losses(losses: Diagnostics) -> (Diagnostics, Diagnostics) {
    losses.partition(is_loss)
}

fn is_loss(code: &Code) -> bool {
    code.category == Category::Loss || code.severity == Severity::Note
}
