//! Writes scenes, and documents in their own format.

use anim_ir::format::options::Settings;
use anim_ir::format::{Context, Output, Rewrite};
use anim_ir::{Converted, Scene};

use crate::error::ConvertError;
use crate::registry::{AnyDocument, Format};
use crate::scene_options;

/// Writes a scene. `stem` is the name of the output without its extension; companion files are
/// named after it.
///
/// # Errors
///
/// Returns a [`ConvertError`] if the format cannot represent the scene at all. Partial losses are
/// returned in the result.
pub fn convert(
    scene: &Scene,
    format: Format,
    settings: &Settings,
    stem: &str,
) -> Result<Converted<Output>, ConvertError> {
    let stem = if stem.is_empty() { "scene" } else { stem };
    format.write(scene, settings, stem).ok_or(ConvertError::ReadOnly(format.title()))?
}

/// Writes a document in its own format without going through a scene: byte for byte if no option
/// requests a change, otherwise with the changes that the format can make to its own files. Returns
/// `None` if a scene is needed, because the output has a different format or an option asks for
/// more.
///
/// `way` is the path from the folder of the output to that of the document, with forward slashes.
/// It is empty if they are the same.
///
/// # Errors
///
/// Returns a [`ConvertError`] if a requested change cannot be made.
pub fn rewrite(
    document: &AnyDocument<'_>,
    format: Format,
    (way, stem): (&str, &str),
    context: &mut Context<'_>,
) -> Result<Option<Converted<Output>>, ConvertError> {
    if scene_options::any_set(context.settings) {
        return Ok(None);
    }
    let is_untouched =
        [document.format(), format].into_iter().all(|format| format.is_untouched(context.settings));
    let request = Rewrite { to: format.id(), is_untouched, way, stem };
    let written = document.rewrite(&request, context).transpose();
    let format = format.title();
    written.map_err(|error| ConvertError::Format { format, error, help: None })
}
