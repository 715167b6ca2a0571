//! Rewrites castle-anim-frames files in their own format: embeds and extracts frames, minifies
//! files.

use std::borrow::Cow;

use anim_ir::address::{folder_of, is_data, join};
use anim_ir::diag::quote;
use anim_ir::format::options::Options as _;
use anim_ir::format::{Context, Format as _, Rewrite, Written};
use anim_ir::{Converted, Diagnostics, EditError};
use fmt_castle::{Castle, Content, Document, FromIr, Merge, NewContent};
use model_x3d::{Rebased, Version, rebase};

use crate::codes;

/// The options that change a document directly. All others need a scene.
const CHANGED_HERE: [&str; 5] = ["inline", "extract", "minify", "decimals", "epsilon"];

/// Writes a document as castle-anim-frames: byte for byte, unless an option requests a change.
/// Returns `None` if the output has a different format.
pub(crate) fn rewrite(
    document: &Document<'_>,
    request: &Rewrite<'_>,
    context: &mut Context<'_>,
) -> Option<Written> {
    let is_changed_here = |name: &str| CHANGED_HERE.contains(&name);
    let all = fmt_castle::ToIr::infos().chain(model_x3d::ToIr::infos()).chain(FromIr::infos());
    let asks_for_more = all
        .filter(|option| context.settings.get(option.name).is_some())
        .any(|option| !is_changed_here(option.name));
    let stays = request.to == Castle::INFO.id && !asks_for_more;
    stays.then(|| write(document, request, context))
}

fn write(document: &Document<'_>, request: &Rewrite<'_>, context: &mut Context<'_>) -> Written {
    let options: FromIr = context.settings.apply();
    let mut losses = Diagnostics::new();
    let mut document: Cow<'_, Document<'_>> = Cow::Borrowed(document);
    if options.inline {
        document = Cow::Owned(put_in(&document, context, &mut losses)?);
    }
    if !request.way.is_empty() {
        let moved = moved_content(&document, request.way)?;
        losses.append(moved.losses);
        losses.append(moved.outside);
        if let Some(moved) = moved.document {
            document = Cow::Owned(moved);
        }
        let mut frames = document.animations().iter().flat_map(|animation| &animation.frames);
        if frames.any(|frame| matches!(frame.content, Content::Url(_))) {
            let inputs = [Merge { document: &document, folder: request.way }];
            let moved = fmt_castle::merge(&inputs)?;
            losses.append(moved.losses);
            document = Cow::Owned(moved.value);
            report_outside(&document, options.inline, &mut losses);
        }
    }
    Ok(Converted { value: fmt_castle::finish(&document, &options, request.stem)?, losses })
}

/// A document for another folder; see [`moved_content`].
pub(crate) struct Moved {
    /// `None` if no address inside a frame had to be adjusted.
    pub(crate) document: Option<Document<'static>>,
    /// Addresses that cannot be adjusted.
    pub(crate) losses: Diagnostics,
    /// Addresses that lead out of the new folder.
    pub(crate) outside: Diagnostics,
}

/// Adjusts the relative addresses inside the frames of a document to another folder, from which
/// `way` leads to its own.
pub(crate) fn moved_content(document: &Document<'_>, way: &str) -> Result<Moved, EditError> {
    let mut animations = document.data();
    let mut is_moved = false;
    let [mut losses, mut outside] = [Diagnostics::new(), Diagnostics::new()];
    for frame in animations.iter_mut().flat_map(|animation| &mut animation.frames) {
        let has_others = match &mut frame.content {
            NewContent::Url(_) => false,
            NewContent::X3d(scene) => {
                let Rebased { text, outside: address, has_others } = rebase(scene, way);
                if let Some(address) = address {
                    outside.push(&codes::FRAMES_OUTSIDE, None, || {
                        format!(
                            "{}, which a frame refers to, is outside the output's folder: pass \
                             `--root FOLDER` to read the output",
                            quote(address.as_bytes())
                        )
                    });
                }
                if let Cow::Owned(text) = text {
                    *scene = text.into();
                    is_moved = true;
                }
                has_others
            }
            NewContent::Gltf(json) => has_companions(json),
        };
        losses.lost(&codes::MOVED_TEXTURES, has_others, || {
            "a frame may contain addresses of files that are not adjusted to the new folder: \
             values of prototypes, or the files of a glTF model"
                .to_owned()
        });
    }
    let document = if is_moved { Some(Document::build(&animations)?) } else { None };
    Ok(Moved { document, losses, outside })
}

/// Reports frames outside the folder of the output, which are opened only with `--root`.
fn report_outside(document: &Document<'_>, is_inlined: bool, losses: &mut Diagnostics) {
    // A frame that is still in a separate file cannot be embedded.
    let advice = if is_inlined { "" } else { "embed it with `--inline`, or " };
    for content in document.animations().iter().flat_map(|animation| &animation.frames) {
        let Content::Url(url) = &content.content else { continue };
        if join("", url).starts_with("../") {
            losses.push(&codes::FRAMES_OUTSIDE, None, || {
                format!(
                    "the frame {} is outside the output's folder: {advice}pass `--root FOLDER` to \
                     read the output",
                    quote(url.as_bytes())
                )
            });
        }
    }
}

/// Whether the JSON of a glTF file refers to other files.
#[cfg(feature = "gltf")]
fn has_companions(json: &str) -> bool {
    let parsed = anim_gltf::Document::parse(json.as_bytes().to_vec());
    parsed.is_ok_and(|parsed| parsed.value.has_companions())
}

#[cfg(not(feature = "gltf"))]
fn has_companions(json: &str) -> bool {
    json.contains("\"uri\"")
}

/// Returns the JSON of a glTF file that can be embedded, or the reason why it cannot.
#[cfg(feature = "gltf")]
fn gltf(bytes: Vec<u8>, is_text: bool) -> Result<String, String> {
    if !is_text {
        return Err("it is GLB, but only X3D in XML and glTF in JSON can be embedded".to_owned());
    }
    let parsed = anim_gltf::Document::parse(bytes).map_err(|error| error.to_string())?;
    if parsed.value.has_companions() {
        return Err("it refers to files relative to its own folder".to_owned());
    }
    String::from_utf8(parsed.value.json().to_vec()).map_err(|_| "it is not UTF-8".to_owned())
}

#[cfg(not(feature = "gltf"))]
fn gltf(_: Vec<u8>, _: bool) -> Result<String, String> {
    Err("this program was built without glTF".to_owned())
}

/// Embeds frames that are in separate files. Frames that cannot be embedded keep their URL.
fn put_in(
    document: &Document<'_>,
    context: &mut Context<'_>,
    losses: &mut Diagnostics,
) -> Result<Document<'static>, EditError> {
    let options: model_x3d::ParseOptions = context.settings.apply();
    fmt_castle::inline(document, |url| {
        let mut refuse = |why: String| {
            losses.push(&codes::NOT_INLINED, None, || {
                format!("the frame {} is not embedded: {why}", quote(url.as_bytes()))
            });
            None
        };
        let bytes = match context.files.read(url) {
            Ok(bytes) => bytes,
            Err(error) => return refuse(error.to_string()),
        };
        let (is_gltf, is_glb) = if is_data(url) {
            (bytes.trim_ascii_start().starts_with(b"{"), bytes.starts_with(b"glTF"))
        } else {
            let lower = url.to_ascii_lowercase();
            (lower.ends_with(".gltf"), lower.ends_with(".glb"))
        };
        if is_gltf || is_glb {
            return match gltf(bytes, is_gltf) {
                Ok(json) => Some(NewContent::Gltf(json.into())),
                Err(why) => refuse(why),
            };
        }
        match model_x3d::Document::parse_with(bytes, &options) {
            Ok(parsed) if parsed.value.version() == Version::X3dXml => {
                // Addresses are then relative to the animation, not to the file of the frame.
                let scene = rebase(parsed.value.text(), folder_of(url)).text.into_owned();
                Some(NewContent::X3d(scene.into()))
            }
            Ok(parsed) => refuse(format!(
                "it is {}, but only X3D in XML can be embedded",
                parsed.value.version().name()
            )),
            Err(error) => refuse(error.to_string()),
        }
    })
}
