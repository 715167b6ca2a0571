//! From a document to its scene, with what lies beside it.

use anim_ir::format::Context;
use anim_ir::{Category, Code, Diagnostics, Parsed, Scene, Severity};

use crate::images::check_images;
use crate::registry::AnyDocument;

/// A file, read.
#[derive(Debug)]
#[non_exhaustive]
pub struct Loaded {
    /// What the file says.
    pub document: AnyDocument<'static>,
    /// What is wrong with it, and with the files beside it.
    pub diagnostics: Diagnostics,
    /// The scene it describes. Paths of images are relative to the file's folder; images that glTF
    /// cannot use are removed.
    pub scene: Scene,
    /// What the scene does not carry.
    pub losses: Diagnostics,
}

/// The scene of a document. Its images are there and of the right kind, but have not been read:
/// see [`read_images`](crate::read_images).
pub fn scene_of(parsed: Parsed<AnyDocument<'static>>, context: &mut Context<'_>) -> Loaded {
    let Parsed { value: document, mut diagnostics } = parsed;
    let converted = document.to_scene(context);
    // What is wrong with the files beside one that is whole without them is not wrong with it.
    let is_whole_alone = document.format().info().is_whole_alone;
    let (mut losses, wrong) = converted
        .losses
        .partition(|code| is_loss(code) || is_whole_alone && code.severity < Severity::Error);
    // What is wrong with the frames of an animation is wrong with the file.
    diagnostics.append(wrong);
    let mut scene = converted.value;
    check_images(&mut scene, context.files, &mut losses);
    Loaded { document, diagnostics, scene, losses }
}

/// What a conversion could not carry over, and after it what is wrong with what was converted.
pub fn sort_losses(losses: Diagnostics) -> (Diagnostics, Diagnostics) {
    losses.partition(is_loss)
}

fn is_loss(code: &Code) -> bool {
    code.category == Category::Loss || code.severity == Severity::Note
}
