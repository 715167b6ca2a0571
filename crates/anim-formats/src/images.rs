//! Pictures as glTF wants them: PNG or JPEG, without what its readers are told to ignore.

use std::borrow::Cow;

use anim_ir::address::is_data;
use anim_ir::diag::quote;
use anim_ir::{
    Diagnostic, Diagnostics, ImageId, ImageSource, ResolveError, Resolver, Scene, Value,
};

use crate::{codes, png};

/// Takes out what cannot be used: images that are missing, that lie elsewhere, or are neither PNG
/// nor JPEG. Those in `data:` addresses are embedded.
pub(crate) fn check_images(scene: &mut Scene, files: &mut dyn Resolver, losses: &mut Diagnostics) {
    let mut kept = Vec::new();
    let mut new_index = Vec::new();
    for mut image in std::mem::take(&mut scene.images) {
        let ImageSource::Path(path) = &image.source else {
            new_index.push(Ok(ImageId::new(kept.len())));
            kept.push(image);
            continue;
        };
        let name = quote(path.as_bytes());
        let (code, message) = match image_source(files, path) {
            Ok(Some(source)) => {
                if matches!(source, ImageSource::Embedded { .. }) && !is_data(path) {
                    losses.push(&codes::IMAGE_CLEANED, None, || {
                        format!(
                            "the image {name} has a colour profile or the like: a copy without it \
                             goes into the output"
                        )
                    });
                }
                image.source = source;
                new_index.push(Ok(ImageId::new(kept.len())));
                kept.push(image);
                continue;
            }
            Ok(None) => (&codes::IMAGE_KIND, format!("the image {name} is neither PNG nor JPEG")),
            Err(error) => {
                (&codes::IMAGE_MISSING, format!("the image {name} cannot be used: {error}"))
            }
        };
        losses.report(code, || Diagnostic::new(code, None, message));
        new_index.push(Err(path.clone()));
    }
    scene.images = kept;
    for material in &mut scene.materials {
        let mut missing = None;
        for slot in material.images_mut() {
            match slot.and_then(|image| new_index.get(image.index())) {
                Some(Ok(index)) => *slot = Some(*index),
                Some(Err(path)) => {
                    *slot = None;
                    missing.get_or_insert(path.as_str());
                }
                None => {}
            }
        }
        if let Some(path) = missing {
            material.extras.insert(
                "anim_formats".to_owned(),
                Value::from([("missing_image", Value::from(path))]),
            );
        }
    }
}

/// Puts the bytes of images that lie beside the file into the scene.
pub fn embed_images(scene: &mut Scene, files: &mut dyn Resolver) -> Diagnostics {
    let mut problems = Diagnostics::new();
    for image in &mut scene.images {
        let ImageSource::Path(path) = &image.source else { continue };
        match files.read(&address(path)) {
            Ok(bytes) => {
                if let Some(mime_type) = mime_type(&bytes) {
                    image.source = embedded(mime_type, bytes);
                }
            }
            Err(error) => problems.push(&codes::IMAGE_MISSING, None, || {
                format!("the image {} cannot be embedded: {error}", quote(path.as_bytes()))
            }),
        }
    }
    problems
}

/// So much of a PNG file tells most often whether it is odd.
const HEAD: usize = 64 << 10;

/// Where an image is, if it is of a kind that glTF allows.
fn image_source(files: &mut dyn Resolver, path: &str) -> Result<Option<ImageSource>, ResolveError> {
    if is_data(path) {
        let bytes = files.read(path)?;
        return Ok(mime_type(&bytes).map(|mime_type| embedded(mime_type, bytes)));
    }
    let address = address(path);
    let head = files.head(&address, HEAD)?;
    let Some(mime_type) = mime_type(&head) else { return Ok(None) };
    // Where the start does not tell, the whole file does.
    let odd = match png::is_odd(&head) {
        None if head.len() == HEAD => Some(files.read(&address)?).filter(|bytes| is_odd(bytes)),
        Some(true) => Some(files.read(&address)?),
        _ => None,
    };
    Ok(Some(match odd {
        Some(bytes) => embedded(mime_type, bytes),
        None => ImageSource::Path(path.to_owned()),
    }))
}

/// The address of a path: percent signs have a meaning in addresses.
fn address(path: &str) -> Cow<'_, str> {
    if path.contains('%') && !is_data(path) { path.replace('%', "%25").into() } else { path.into() }
}

/// An image file as glTF wants it.
fn embedded(mime_type: &str, bytes: Vec<u8>) -> ImageSource {
    let bytes = if is_odd(&bytes) { png::cleaned(&bytes) } else { bytes };
    ImageSource::Embedded { mime_type: mime_type.to_owned(), bytes }
}

fn is_odd(bytes: &[u8]) -> bool {
    png::is_odd(bytes).unwrap_or(false)
}

fn mime_type(head: &[u8]) -> Option<&'static str> {
    match head {
        head if head.starts_with(&png::SIGNATURE) => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        _ => None,
    }
}
