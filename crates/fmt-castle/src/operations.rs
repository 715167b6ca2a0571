//! Operations on whole documents: merge, split, inline, extract, minify.

mod minify;
mod numbers;

use anim_ir::address::{join, of_file};
use anim_ir::diag::quote;
use anim_ir::xml::{TagKind, Tags};
use anim_ir::{Converted, Diagnostics, EditError, Output, UniqueNames};

use crate::codes;
use crate::content::UNNAMED;
use crate::document::Document;
use crate::from_ir::FromIr;
use crate::writer::{NewAnimation, NewContent, declaration, escape};

pub use minify::{Minify, minify};

/// A document to merge.
#[derive(Clone, Copy, Debug)]
pub struct Merge<'a> {
    /// The document.
    pub document: &'a Document<'a>,
    /// The folder of the document's file, relative to the output folder, with forward slashes;
    /// empty if they are the same. It is prepended to the relative URLs of frames. URLs in the
    /// content of frames, such as texture URLs, are not changed.
    pub folder: &'a str,
}

/// Merges the animations of several documents into one, in order. Duplicate names get a numeric
/// suffix. The content of frames is copied verbatim; everything that [`Document::data`] excludes is
/// dropped.
///
/// # Errors
///
/// [`EditError`] if a folder cannot be part of a URL, or an animation has an empty name.
pub fn merge(inputs: &[Merge<'_>]) -> Result<Converted<Document<'static>>, EditError> {
    let mut names = UniqueNames::new();
    let mut renamed = Vec::new();
    let mut animations: Vec<NewAnimation<'_>> = Vec::new();
    for input in inputs {
        for mut animation in input.document.data() {
            for frame in &mut animation.frames {
                if let NewContent::Url(url) = &mut frame.content
                    && !input.folder.is_empty()
                {
                    *url = join(input.folder, url).into();
                }
            }
            let name = names.claim(animation.name.clone());
            if name != animation.name {
                renamed.push((animations.len(), std::mem::take(&mut animation.name)));
            }
            animation.name = name;
            animations.push(animation);
        }
    }
    let document = Document::build(&animations)?;
    let mut losses = Diagnostics::new();
    for (number, name) in renamed {
        let Some(animation) = document.animations().get(number) else { continue };
        losses.push(&codes::MERGE_NAME, animation.span, || {
            format!(
                "duplicate animation {} is renamed to {}",
                quote(name.as_bytes()),
                quote(animation.name.as_bytes())
            )
        });
    }
    Ok(Converted { value: document, losses })
}

/// Splits a document into one document per animation, returned with the animation's name. URLs are
/// not changed, so they stay relative to the original file. An empty name, which the engine
/// rejects, becomes [`UNNAMED`].
///
/// # Errors
///
/// [`EditError`] if an animation cannot be written on its own.
pub fn split(document: &Document<'_>) -> Result<Vec<(String, Document<'static>)>, EditError> {
    let parts = (0..document.animations().len()).filter_map(|number| single(document, number));
    let named = parts.map(|part| {
        let part = part?;
        let name = part.animations().first().map(|animation| animation.name.clone());
        Ok((name.unwrap_or_default(), part))
    });
    named.collect()
}

/// Returns the animation with this index as a document of its own, like [`split`]; `None` if there
/// is none or it has no frames.
pub fn single(
    document: &Document<'_>,
    number: usize,
) -> Option<Result<Document<'static>, EditError>> {
    let mut animation = document.animation_data(document.animations().get(number)?)?;
    if animation.name.is_empty() {
        animation.name = UNNAMED.into();
    }
    Some(Document::build(&[animation]))
}

/// Embeds external files in the frames that refer to them. `content` is called for every URL, in
/// order. If it returns `None`, the URL is kept.
///
/// # Errors
///
/// [`EditError`] if any content is not an X3D XML document, or an animation has an empty name.
pub fn inline<'a>(
    document: &'a Document<'_>,
    mut content: impl FnMut(&str) -> Option<NewContent<'a>>,
) -> Result<Document<'static>, EditError> {
    let mut animations = document.data();
    for frame in animations.iter_mut().flat_map(|animation| &mut animation.frames) {
        if let NewContent::Url(url) = &frame.content
            && let Some(found) = content(url)
        {
            frame.content = found;
        }
    }
    Document::build(&animations)
}

/// A document without inline content, and the extracted files.
#[derive(Clone, Debug)]
pub struct Extracted {
    /// The document, with URLs in place of the content.
    pub document: Document<'static>,
    /// Files to write next to the document: their names (plain file names without a path) and their
    /// UTF-8 content.
    pub files: Vec<(String, Vec<u8>)>,
}

/// Moves the content of the frames to files named `<animation>_0001.x3d` (or `.gltf`), and so on,
/// or `<stem>.<animation>_0001.x3d`, if the output has another name than the animation. `stem` is
/// the name of the output without its extension, or empty. Outputs in one folder, whose names
/// differ even if case is ignored, have no file in common.
///
/// # Errors
///
/// [`EditError`] if an animation has an empty name.
pub fn extract(document: &Document<'_>, stem: &str) -> Result<Extracted, EditError> {
    let mut files = Vec::new();
    let mut names = UniqueNames::new();
    let mut animations = document.data();
    for animation in &mut animations {
        let name = names.claim_fitted(animation.name.clone(), |name, number| {
            (file_stem(&name) + &number.replace('.', "-")).into()
        });
        // The name of an animation contains no full stop, so this can be divided in only one way.
        let is_named_alike = stem.is_empty() || name.eq_ignore_ascii_case(stem);
        let prefix = if is_named_alike { name } else { format!("{stem}.{name}").into() };
        for (number, frame) in animation.frames.iter_mut().enumerate() {
            let (extension, bytes) = match &frame.content {
                NewContent::Url(_) => continue,
                NewContent::X3d(element) => {
                    ("x3d", standalone(element, frame.namespaces).into_bytes())
                }
                NewContent::Gltf(json) => ("gltf", json.clone().into_owned().into_bytes()),
            };
            let name = format!("{prefix}_{:04}.{extension}", number + 1);
            frame.content = NewContent::Url(of_file(&name).into());
            frame.namespaces = &[];
            files.push((name, bytes));
        }
    }
    Ok(Extracted { document: Document::build(&animations)?, files })
}

/// Prepares a document for writing: minifies it and extracts frames, depending on the options.
/// `stem` is the name of the output without its extension; see [`extract`].
///
/// # Errors
///
/// [`EditError`] if an animation has an empty name.
pub fn finish(document: &Document<'_>, options: &FromIr, stem: &str) -> Result<Output, EditError> {
    let minified = if options.minify {
        let style = Minify {
            decimals: Some(u8::try_from(options.decimals).unwrap_or(u8::MAX)),
            whitespace: true,
            epsilon: Some(options.epsilon),
        };
        Some(minify(document, &style)?)
    } else {
        None
    };
    let document = minified.as_ref().unwrap_or(document);
    if !options.extract {
        return Ok(Output::alone(document.to_bytes().into_owned()));
    }
    let Extracted { document, files } = extract(document, stem)?;
    Ok(Output { main: document.to_bytes().into_owned(), companions: files })
}

/// Converts an X3D element to a document that declares the namespaces in scope.
fn standalone(element: &str, namespaces: &[(String, String)]) -> String {
    let mut tags = Tags::new(element);
    let declared = tags.next().and_then(Result::ok).filter(|tag| tag.kind != TagKind::Close);
    let own: Vec<&str> = tags
        .attributes()
        .iter()
        .filter_map(|attribute| element.get(attribute.name.start..attribute.name.end))
        .collect();
    let place = declared.map_or(0, |tag| tag.span.start + 1 + tag.name.len());
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    text.push_str(element.get(..place).unwrap_or_default());
    for (prefix, name) in namespaces {
        let attribute = declaration(prefix);
        if let Ok(name) = escape("the namespace", name)
            && !own.contains(&attribute.as_str())
        {
            text.push_str(&format!(" {attribute}=\"{name}\""));
        }
    }
    text.push_str(element.get(place..).unwrap_or_default());
    text.push('\n');
    text
}

/// Returns the file name prefix for an animation. Consists of ASCII letters, digits, `-` and `_`,
/// which are safe in every file system.
fn file_stem(name: &str) -> String {
    const LONGEST: usize = 64;
    let plain = name
        .chars()
        .take(LONGEST)
        .map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' })
        .collect::<String>();
    let plain = plain.trim_matches('-');
    if plain.is_empty() { "animation".to_owned() } else { plain.to_ascii_lowercase() }
}
