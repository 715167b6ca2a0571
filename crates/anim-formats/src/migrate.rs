//! Animations of a `resource.xml`, each in a file of its own, as documents to merge.

use anim_ir::diag::plural;
use anim_ir::{EditError, Parsed};
use fmt_castle::{Document, NewAnimation, NewContent, NewFrame};

use crate::frames;
use crate::parts::AssembleError;
use crate::registry::AnyDocument;

/// Returns the animation with this name in a file, as a document to merge with others; without a
/// name, the only animation in the file. A still model is an animation of a single frame, which
/// refers to `file`, the name of the file in its folder.
///
/// # Errors
///
/// Returns [`AssembleError::Edit`] if the file does not have this animation, or has several and no
/// name is given.
pub fn animation_of(
    parsed: Parsed<AnyDocument<'static>>,
    file: &str,
    name: Option<&str>,
) -> Result<Parsed<AnyDocument<'static>>, AssembleError> {
    let Parsed { value: AnyDocument::Castle(document), diagnostics } = parsed else {
        let url = address(file);
        let frame = NewFrame::new(0.0, NewContent::Url(url.as_str().into()));
        let mut still = NewAnimation::new(fmt_castle::UNNAMED);
        still.frames.push(frame);
        let value = AnyDocument::Castle(Document::build(&[still])?);
        // The problems of the model are found again when the frame is read.
        return Ok(Parsed { value, diagnostics: anim_ir::Diagnostics::new() });
    };
    let names: Vec<&str> =
        document.animations().iter().map(|animation| animation.name.as_str()).collect();
    let found = name.map(|name| names.iter().position(|found| *found == name));
    let value = match (found, names.as_slice()) {
        (_, [] | [_]) => document,
        (Some(Some(number)), _) => frames::one_animation(&document, number)?,
        (_, several) => {
            let why = format!(
                "the file contains {} ({}); name one of them with `animation_name`",
                plural(several.len(), "animation"),
                several.join(", ")
            );
            return Err(EditError::refused(why).into());
        }
    };
    Ok(Parsed { value: AnyDocument::Castle(value), diagnostics })
}

/// Returns a relative URI reference to a file in the same folder.
fn address(file: &str) -> String {
    let mut address = String::with_capacity(file.len());
    for c in file.chars() {
        match c {
            '%' | ':' | '?' | '#' | '\\' => {
                let byte = u32::from(c);
                address.push_str(&format!("%{byte:02X}"));
            }
            c => address.push(c),
        }
    }
    address
}
