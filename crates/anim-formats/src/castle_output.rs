//! castle-anim-frames on the way out: frames put in or taken out, and made smaller.

use std::borrow::Cow;

use anim_ir::diag::quote;
use anim_ir::{Converted, Diagnostics, Limits};
use fmt_castle::{Content, Document, EditError, Merge, Minify, NewContent};
use model_x3d::Version;

use crate::codes;
use crate::convert::Output;
use crate::document::Companions;

/// What to do to castle-anim-frames before they are written.
#[derive(Clone, Copy, Debug, Default)]
pub struct CastleOutput {
    /// Puts frames that lie in files of their own into the document. X3D in XML (compressed or not)
    /// can be put in.
    pub inline: bool,
    /// Takes frames out of the document, into files beside it.
    pub extract: bool,
    /// Makes the frames smaller.
    pub minify: Option<Minify>,
}

/// Writes a document that stays castle-anim-frames: without anything to do, byte for byte as it was
/// read. `folder` is the way from the folder of what is written to that of the document, with
/// forward slashes; empty where they are the same.
///
/// # Errors
///
/// [`EditError`] where an animation has a name that cannot be written.
pub fn rewrite(
    document: &Document<'_>,
    options: &CastleOutput,
    folder: &str,
    companions: &mut dyn Companions,
    limits: &Limits,
) -> Result<Converted<Output>, EditError> {
    let mut losses = Diagnostics::new();
    let mut document: Cow<'_, Document<'_>> = Cow::Borrowed(document);
    if options.inline {
        document = Cow::Owned(put_in(&document, companions, limits, &mut losses)?);
    }
    let contents = || {
        document
            .animations()
            .iter()
            .flat_map(|animation| &animation.frames)
            .map(|frame| &frame.content)
    };
    if !folder.is_empty() {
        if contents().any(|content| matches!(content, Content::X3d(span) if document.text().get(span.start..span.end).is_some_and(has_address))) {
            losses.push(&codes::MOVED_TEXTURES, None, || "addresses of textures in the frames \
                stay what they are".to_owned());
        }
        if contents().any(|content| matches!(content, Content::Url(_))) {
            let moved = fmt_castle::merge(&[Merge { document: &document, folder }])?;
            losses.append(moved.losses);
            document = Cow::Owned(moved.value);
        }
    }
    let value = finish(&document, options)?;
    Ok(Converted { value, losses })
}

/// Whether a scene refers to other files.
fn has_address(scene: &str) -> bool {
    scene.contains("url=")
}

/// What is done to any document, read or made.
pub(crate) fn finish(document: &Document<'_>, options: &CastleOutput) -> Result<Output, EditError> {
    let minified =
        options.minify.map(|minify| fmt_castle::minify(document, &minify)).transpose()?;
    let document = minified.as_ref().unwrap_or(document);
    if options.extract {
        let extracted = fmt_castle::extract(document)?;
        return Ok(Output {
            main: extracted.document.to_bytes().into_owned(),
            companions: extracted.files,
        });
    }
    Ok(Output { main: document.to_bytes().into_owned(), companions: Vec::new() })
}

/// Puts files with frames into the document. What cannot be put in stays a URL.
fn put_in(
    document: &Document<'_>,
    companions: &mut dyn Companions,
    limits: &Limits,
    losses: &mut Diagnostics,
) -> Result<Document<'static>, EditError> {
    fmt_castle::inline(document, |url| {
        let mut refuse = |why: String| {
            losses.push(&codes::NOT_INLINED, None, || {
                format!("the frame {} stays a file: {why}", quote(url.as_bytes()))
            });
            None
        };
        let bytes = match companions.read(url) {
            Ok(bytes) => bytes,
            Err(error) => return refuse(error),
        };
        match model_x3d::Document::parse_with(bytes, limits) {
            Ok(parsed) if parsed.value.version() == Version::X3dXml => {
                Some(NewContent::X3d(parsed.value.text().to_owned().into()))
            }
            Ok(parsed) => refuse(format!(
                "it is {}, and only X3D in XML can stand in the document",
                parsed.value.version().name()
            )),
            Err(error) => refuse(error.to_string()),
        }
    })
}
