//! The files that the `resource.xml` of a creature names: one for each animation.

use anim_ir::diag::{plural, quote};
use anim_ir::{Diagnostics, EditError, Parsed, address};
use fmt_castle::{Document, NewAnimation, NewContent, NewFrame};

use crate::codes;
use crate::frames::one_animation;
use crate::parts::AssembleError;
use crate::registry::AnyDocument;

/// Returns the animation with this name in a file, as a document to merge with others; without a
/// name, the only animation in the file. A still model is an animation of a single frame, which
/// refers to `file`, the name of the file in its folder. A name other than that of the only
/// animation is reported.
///
/// # Errors
///
/// Returns [`AssembleError::Edit`] if the file does not have this animation, or has several and no
/// name is given, or if the file is an X3D scene that `TimeSensor` nodes animate.
pub fn animation_of(
    parsed: Parsed<AnyDocument<'static>>,
    file: &str,
    name: Option<&str>,
) -> Result<Parsed<AnyDocument<'static>>, AssembleError> {
    let Parsed { value: AnyDocument::Castle(document), mut diagnostics } = parsed else {
        if matches!(&parsed.value, AnyDocument::X3d(document) if document.graph().has_sensors()) {
            let why = "only castle-anim-frames and still models can be merged, but `TimeSensor` \
                       nodes animate this file";
            return Err(EditError::refused(why).into());
        }
        let url = address::of_file(file);
        let frame = NewFrame::new(0.0, NewContent::Url(url.as_str().into()));
        let mut still = NewAnimation::new(fmt_castle::UNNAMED);
        still.frames.push(frame);
        let value = AnyDocument::Castle(Document::build(&[still])?);
        // The problems of the model are found again when the frame is read.
        let mut diagnostics = Diagnostics::new();
        report_missing(file, name, None, &mut diagnostics);
        return Ok(Parsed { value, diagnostics });
    };
    let names: Vec<&str> =
        document.animations().iter().map(|animation| animation.name.as_str()).collect();
    let found = name.map(|name| names.iter().position(|found| *found == name));
    let value = match (found, names.as_slice()) {
        (_, [] | [_]) => {
            report_missing(file, name, names.first().copied(), &mut diagnostics);
            document
        }
        (Some(Some(number)), _) => one_animation(&document, number)?,
        (_, several) => {
            let number = plural(several.len(), "animation");
            let quoted = several.iter().map(|name| quote(name.as_bytes()));
            let listed = quoted.collect::<Vec<_>>().join(", ");
            let why = match name.map(|name| quote(name.as_bytes())) {
                Some(name) => {
                    format!("the file has no animation {name}; its {number} are {listed}")
                }
                None => format!(
                    "the file contains {number} ({listed}); name one of them with `animation_name`"
                ),
            };
            return Err(EditError::refused(why).into());
        }
    };
    Ok(Parsed { value: AnyDocument::Castle(value), diagnostics })
}

/// Reports a name that is not that of the only animation of a file, which is used regardless.
fn report_missing(
    file: &str,
    name: Option<&str>,
    only: Option<&str>,
    diagnostics: &mut Diagnostics,
) {
    let Some(name) = name.filter(|name| Some(*name) != only) else { return };
    diagnostics.push(&codes::RESOURCE_ANIMATION, None, || {
        let used = only.map_or_else(
            || "the still model is used".to_owned(),
            |only| format!("its only animation {} is used", quote(only.as_bytes())),
        );
        format!(
            "{} does not contain the animation {}; {used}",
            quote(file.as_bytes()),
            quote(name.as_bytes())
        )
    });
}
