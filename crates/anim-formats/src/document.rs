//! Conversion of a document to a scene, with its companion files.

use anim_ir::format::Context;
use anim_ir::{Category, Code, Diagnostics, Parsed, Scene, Severity};

use crate::images::check_images;
use crate::registry::AnyDocument;

/// A file that has been read.
#[derive(Debug)]
#[non_exhaustive]
pub struct Loaded {
    /// The content of the file.
    pub document: AnyDocument<'static>,
    /// Problems of the file and its companion files.
    pub diagnostics: Diagnostics,
    /// The scene that it describes. Paths of images are relative to the file's folder; images that
    /// glTF cannot use are removed.
    pub scene: Scene,
    /// Content that the scene cannot hold.
    pub losses: Diagnostics,
}

/// The scene of a document. Its images exist and have a supported format, but are not read yet: see
/// [`read_images`](crate::read_images).
pub fn scene_of(parsed: Parsed<AnyDocument<'static>>, context: &mut Context<'_>) -> Loaded {
    let Parsed { value: document, mut diagnostics } = parsed;
    let converted = document.to_scene(context);
    // Problems of optional companion files are not problems of the file itself.
    let is_whole_alone = document.format().info().is_whole_alone;
    let (mut losses, wrong) = converted
        .losses
        .partition(|code| is_loss(code) || is_whole_alone && code.severity < Severity::Error);
    // Problems of the frames of an animation are problems of the file.
    diagnostics.append(wrong);
    let mut scene = converted.value;
    check_images(&mut scene, context.files, &mut losses);
    Loaded { document, diagnostics, scene, losses }
}

/// The losses of a conversion, followed by the problems of its input.
pub fn sort_losses(losses: Diagnostics) -> (Diagnostics, Diagnostics) {
    losses.partition(is_loss)
}

fn is_loss(code: &Code) -> bool {
    code.category == Category::Loss || code.severity == Severity::Note
}
