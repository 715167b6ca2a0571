//! Checks whether glTF supports images, and reads their content.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use anim_ir::address::is_data;
use anim_ir::diag::quote_path;
use anim_ir::{
    Code, Diagnostic, Diagnostics, Image, ImageId, ResolveError, Resolver, Scene, Value,
    image_type, is_complete_image,
};

use crate::codes;

/// The number of leading bytes needed to recognise an image format.
const HEAD: usize = 16;

/// Extras of a material: the path or name of the first image that could not be used, and the
/// property of glTF that it was for.
const EXTRAS: &str = "anim_formats";
const MISSING: &str = "missing_image";
const MISSING_SLOT: &str = "missing_slot";

/// The properties of glTF for the images of a material, in the order of [`Material::images`].
///
/// [`Material::images`]: anim_ir::Material::images
const SLOTS: [&str; 5] = [
    "baseColorTexture",
    "emissiveTexture",
    "metallicRoughnessTexture",
    "normalTexture",
    "occlusionTexture",
];

/// Removes images that are missing, outside the permitted folders, neither PNG nor JPEG, or known
/// to be truncated. Only the first bytes of files are read; `data:` URIs are decoded.
pub(crate) fn check_images(scene: &mut Scene, files: &mut dyn Resolver, losses: &mut Diagnostics) {
    keep_images(scene, files, losses, |image, files| {
        let Some(path) = image.path.clone() else { return check_end(image) };
        let name = quote_path(&path);
        match is_usable(files, &path, image) {
            Ok(true) => check_end(image),
            Ok(false) => {
                Err((&codes::IMAGE_KIND, format!("the image {name} is neither PNG nor JPEG")))
            }
            Err(error) => Err((why(&error), format!("the image {name} cannot be used: {error}"))),
        }
    });
}

/// Looks up the images that an output will still refer to, so that they are recorded as its
/// companion files.
pub(crate) fn look_up_images(scene: &Scene, files: &mut dyn Resolver) {
    for path in scene.images.iter().filter_map(|image| image.path.as_deref()) {
        files.exists(path);
    }
}

/// Returns an error for an image whose content is available but incomplete.
fn check_end(image: &Image) -> Result<(), (&'static Code, String)> {
    let Some(bytes) = image.bytes.as_deref().filter(|bytes| image_type(bytes).is_some()) else {
        return Ok(());
    };
    if is_complete_image(bytes) {
        return Ok(());
    }
    let name = quote_path(image.path.as_deref().unwrap_or(&image.name));
    Err((&codes::IMAGE_TRUNCATED, format!("the end of the image {name} is missing")))
}

/// Removes the images with an error, and reports them. Materials keep their paths or names, and get
/// the colours that the images replaced.
fn keep_images(
    scene: &mut Scene,
    files: &mut dyn Resolver,
    losses: &mut Diagnostics,
    mut check: impl FnMut(&mut Image, &mut dyn Resolver) -> Result<(), (&'static Code, String)>,
) {
    let mut kept = Vec::new();
    let mut new_index = Vec::new();
    for mut image in std::mem::take(&mut scene.images) {
        let path = image.path.clone();
        match check(&mut image, files) {
            Ok(()) => {
                new_index.push(Ok(ImageId::new(kept.len())));
                kept.push(image);
            }
            Err((code, message)) => {
                let origin = path.as_deref().and_then(|path| files.origin(path));
                losses.report(code, || Diagnostic::new(code, origin, message));
                new_index.push(Err(path.unwrap_or(image.name)));
            }
        }
    }
    scene.images = kept;
    for material in &mut scene.materials {
        let mut missing = None;
        for (slot, name) in material.images_mut().into_iter().zip(SLOTS) {
            match slot.and_then(|image| new_index.get(image.index())) {
                Some(Ok(index)) => *slot = Some(*index),
                Some(Err(path)) => {
                    *slot = None;
                    missing.get_or_insert((path.as_str(), name));
                }
                None => {}
            }
        }
        if material.base_color_image.is_none()
            && let Some([red, green, blue]) = material.color_without_image.take()
        {
            material.base_color = [red, green, blue, material.base_color[3]];
        }
        if let Some((path, slot)) = missing {
            let found = [(MISSING, Value::from(path)), (MISSING_SLOT, Value::from(slot))];
            material.extras.insert(EXTRAS.to_owned(), Value::from(found));
        }
    }
}

/// Gives materials whose image of the base colour could not be used that image again, without
/// content, so that it can be drawn as a missing one.
pub fn restore_missing_images(scene: &mut Scene) {
    let mut known = HashMap::new();
    for material in &mut scene.materials {
        let Some(Value::Map(found)) = material.extras.get(EXTRAS) else { continue };
        let (Some(Value::Text(path)), Some(Value::Text(slot))) =
            (found.get(MISSING), found.get(MISSING_SLOT))
        else {
            continue;
        };
        if material.base_color_image.is_none() && SLOTS.first() == Some(&slot.as_str()) {
            let image = known.entry(path.clone()).or_insert_with(|| {
                scene.images.push(Image::at(path.as_str()));
                ImageId::new(scene.images.len().saturating_sub(1))
            });
            material.base_color_image = Some(*image);
        }
    }
}

/// Reads the content of images that have a path, each file once, so that formats that embed
/// images ([`Format::takes_images`](crate::Format::takes_images)) can be written without opening
/// files. [`load`](crate::load()) does this already. An image that cannot be read keeps its path,
/// and an image whose end is missing is removed.
pub fn read_images(scene: &mut Scene, files: &mut dyn Resolver) -> Diagnostics {
    let mut problems = Diagnostics::new();
    let mut known: HashMap<String, Option<Arc<[u8]>>> = HashMap::new();
    for image in scene.images.iter_mut().filter(|image| image.bytes.is_none()) {
        let Some(path) = &image.path else { continue };
        if let Some(bytes) = known.get(path) {
            image.bytes.clone_from(bytes);
            continue;
        }
        match files.read(&address(path)) {
            Ok(bytes) => image.bytes = Some(bytes.into()),
            Err(error) => problems.push(why(&error), files.origin(path), || {
                format!("the image {} cannot be read: {error}", quote_path(path))
            }),
        }
        known.insert(path.clone(), image.bytes.clone());
    }
    keep_images(scene, files, &mut problems, |image, _| check_end(image));
    problems
}

/// Returns the code to report for an image that cannot be read: outside the folders that may be
/// opened, or missing.
fn why(error: &ResolveError) -> &'static Code {
    match error {
        ResolveError::Outside { .. } => &codes::IMAGE_OUTSIDE,
        _ => &codes::IMAGE_MISSING,
    }
}

/// Returns whether an image exists and is in a format that glTF supports.
fn is_usable(
    files: &mut dyn Resolver,
    path: &str,
    image: &mut Image,
) -> Result<bool, ResolveError> {
    if is_data(path) {
        image.path = None;
        image.bytes = Some(files.read(path)?.into());
        return Ok(image.mime_type().is_some());
    }
    if let Some(way) = files.way(&address(path)) {
        // The address has no meaning outside the project.
        image.bytes = Some(files.read(&address(path))?.into());
        image.path = Some(way);
        return Ok(image.mime_type().is_some());
    }
    Ok(image_type(&files.head(&address(path), HEAD)?).is_some())
}

/// Converts a path to a URI reference by escaping percent signs.
fn address(path: &str) -> Cow<'_, str> {
    if path.contains('%') && !is_data(path) { path.replace('%', "%25").into() } else { path.into() }
}
