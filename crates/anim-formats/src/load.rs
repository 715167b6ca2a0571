//! Opening files and what lies beside them. The only module of the libraries that does I/O.
//!
//! Companions (material libraries, images) are opened only in the file's own folder or below it; a link that leads out of it is not
//! followed. Sizes are bounded, and what is no regular file is not opened.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Component, Path};

use anim_ir::{Diagnostic, Diagnostics, ImageSource, LimitError, Limits, Parsed, Scene, Value, diag::quote};
use cap_std::ambient_authority;
use cap_std::fs::Dir;
use thiserror::Error;

use crate::codes;
use crate::detect::{Candidate, Format, detect};
use crate::document::{AnyDocument, ParseError, ParseOptions, SceneOptions};

/// How to load.
#[derive(Clone, Debug, Default)]
pub struct LoadOptions {
    /// Takes the file for this format, whatever it looks like.
    pub format: Option<Format>,
    /// How to read it.
    pub parse: ParseOptions,
    /// How to make a scene of it.
    pub scene: SceneOptions,
}

/// A file, read.
#[derive(Debug)]
pub struct Loaded {
    /// What the file says.
    pub document: AnyDocument<'static>,
    /// What is wrong with it.
    pub diagnostics: Diagnostics,
    /// The scene it describes. Paths of images are relative to the file's folder; what cannot be used as an image in glTF is gone.
    pub scene: Scene,
    /// What the scene does not carry, and what is wrong with the files beside it.
    pub losses: Diagnostics,
}

/// Why there is nothing.
#[derive(Debug, Error)]
pub enum LoadError {
    /// The file cannot be opened or read.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The file is too large.
    #[error("{0}")]
    Limit(#[from] LimitError),
    /// No format claims the content, and the name says nothing.
    #[error("this is no format that is known here")]
    Unknown,
    /// Several formats claim the content equally.
    #[error("this may be {}; say which", .0.iter().map(|candidate| candidate.format.title()).collect::<Vec<_>>().join(" or "))]
    Ambiguous(Vec<Candidate>),
    /// The format is known, but the content is not readable.
    #[error("{0}")]
    Parse(#[from] ParseError),
}

/// Opens a file and what it needs from its folder.
///
/// # Errors
///
/// [`LoadError`] where there is nothing to give.
pub fn load(path: &Path, options: &LoadOptions) -> Result<Loaded, LoadError> {
    let bytes = read_file(path, &options.parse.limits)?;
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
    load_bytes(bytes, name.as_deref(), Some(folder_of(path)), options)
}

/// Finds out the format of bytes and reads them, without a scene and without a look at what lies beside them.
///
/// # Errors
///
/// [`LoadError`] where there is nothing to give.
pub fn parse_bytes(bytes: Vec<u8>, name: Option<&str>, options: &LoadOptions) -> Result<Parsed<AnyDocument<'static>>, LoadError> {
    let format = match options.format {
        Some(format) => format,
        None => pick(detect(&bytes, name), name)?,
    };
    Ok(AnyDocument::parse(bytes, format, &options.parse)?)
}

/// The same as [`load`] for bytes that are there already. Without a folder nothing beside them is looked for.
///
/// # Errors
///
/// [`LoadError`] where there is nothing to give.
pub fn load_bytes(bytes: Vec<u8>, name: Option<&str>, folder: Option<&Path>, options: &LoadOptions) -> Result<Loaded, LoadError> {
    let parsed = parse_bytes(bytes, name, options)?;
    let mut losses = Diagnostics::new();
    let folder = folder.and_then(|folder| Dir::open_ambient_dir(folder, ambient_authority()).ok());
    let limits = &options.parse.limits;
    let mut scene_options = options.scene.clone();
    read_companions(&parsed.value, folder.as_ref(), limits, &mut scene_options, &mut losses);
    let converted = parsed.value.to_scene(&scene_options);
    losses.append(converted.losses);
    let mut scene = converted.value;
    check_images(&mut scene, folder.as_ref(), &mut losses);
    Ok(Loaded { document: parsed.value, diagnostics: parsed.diagnostics, scene, losses })
}

/// Content first; where it is even, the name.
fn pick(candidates: Vec<Candidate>, name: Option<&str>) -> Result<Format, LoadError> {
    let extension = name.and_then(|name| name.rsplit_once('.')).map(|(_, extension)| extension.to_ascii_lowercase());
    let named = |candidate: &Candidate| extension.as_deref().is_some_and(|extension| candidate.format.extensions().contains(&extension));
    match candidates.as_slice() {
        [] => Err(LoadError::Unknown),
        [first, second, ..] if first.confidence == second.confidence && named(first) == named(second) => Err(LoadError::Ambiguous(candidates)),
        [first, ..] => Ok(first.format),
    }
}

/// A regular file's (or a pipe's) bytes, no more than the limits allow.
///
/// # Errors
///
/// What the system says, a folder, or a file that is too large.
pub fn read_file(path: &Path, limits: &Limits) -> Result<Vec<u8>, LoadError> {
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    if metadata.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a folder").into());
    }
    Ok(read_limited(file, metadata.len(), limits)?)
}

/// What a stream has to give, no more than the limits allow: one that never ends ends at the limit.
///
/// # Errors
///
/// What the system says, or more than the limit.
pub fn read_stream(reader: impl Read, limits: &Limits) -> Result<Vec<u8>, LoadError> {
    Ok(read_limited(reader, 0, limits)?)
}

/// Reads to the end, or fails at the limit without having read much more.
pub(crate) fn read_limited(reader: impl Read, expected: u64, limits: &Limits) -> Result<Vec<u8>, ReadError> {
    let most = limits.input_bytes;
    if usize::try_from(expected).unwrap_or(usize::MAX) > most {
        return Err(too_large(usize::try_from(expected).unwrap_or(usize::MAX), most).into());
    }
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(usize::try_from(expected).unwrap_or(0)).map_err(io::Error::other)?;
    let bound = u64::try_from(most).unwrap_or(u64::MAX).saturating_add(1);
    reader.take(bound).read_to_end(&mut bytes)?;
    if bytes.len() > most { Err(too_large(bytes.len(), most).into()) } else { Ok(bytes) }
}

fn too_large(found: usize, most: usize) -> LimitError {
    LimitError { what: "the input", unit: "bytes", found, most }
}

/// Why bytes could not be read.
#[derive(Debug, Error)]
pub(crate) enum ReadError {
    #[error("{0}")]
    Io(#[from] io::Error),
    #[error("{0}")]
    Limit(#[from] LimitError),
}

impl From<ReadError> for LoadError {
    fn from(error: ReadError) -> LoadError {
        match error {
            ReadError::Io(error) => LoadError::Io(error),
            ReadError::Limit(error) => LoadError::Limit(error),
        }
    }
}

/// The folder that a file lies in, for [`embed_images`] and [`rebase_images`].
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A file below the folder. What is no regular file is refused before it is opened, so that a pipe does not hang.
fn read_below(folder: &Dir, path: &str, limits: &Limits) -> Result<Vec<u8>, ReadError> {
    let metadata = folder.metadata(path)?;
    if !metadata.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "is no regular file").into());
    }
    read_limited(folder.open(path)?, metadata.len(), limits)
}

fn read_companions(document: &AnyDocument<'_>, folder: Option<&Dir>, limits: &Limits, options: &mut SceneOptions, losses: &mut Diagnostics) {
    match document {
        #[cfg(feature = "amo")]
        AnyDocument::Amo(document) => {
            // A library is small; a thousand of them are no library any more.
            for path in document.material_libraries().iter().take(100) {
                let Some(folder) = folder else { continue };
                match read_below(folder, path, limits) {
                    Ok(bytes) => {
                        let own_folder = path.rsplit_once('/').map_or("", |(own_folder, _)| own_folder);
                        let parsed = fmt_amo::MaterialLibrary::parse(&bytes, own_folder);
                        // Its diagnostics point into the library, not into this file.
                        for diagnostic in &parsed.diagnostics {
                            let place = diagnostic.span.map(|span| anim_ir::source::locate(&bytes, span.start).line);
                            let place = place.map_or(String::new(), |line| format!("line {line}: "));
                            losses.push(diagnostic.code, None, || format!("{}: {place}{}", quote(path.as_bytes()), diagnostic.message));
                        }
                        options.amo_materials.get_or_insert_default().append(parsed.value);
                    }
                    Err(error) => {
                        losses
                            .push(&codes::LIBRARY_MISSING, None, || format!("the material library {} is not read: {error}", quote(path.as_bytes())));
                    }
                }
            }
        }
        #[cfg(not(feature = "amo"))]
        AnyDocument::None(..) => {
            let _ = (folder, limits, options, losses);
        }
    }
}

/// Takes out what cannot be used: images that are not there, that lie elsewhere, or are neither PNG nor JPEG.
fn check_images(scene: &mut Scene, folder: Option<&Dir>, losses: &mut Diagnostics) {
    let mut kept = Vec::new();
    let mut new_index = Vec::new();
    for image in std::mem::take(&mut scene.images) {
        let problem = match (&image.source, folder) {
            (ImageSource::Path(path), Some(folder)) => match image_kind(folder, path) {
                Ok(Some(_)) => None,
                Ok(None) => Some((&codes::IMAGE_KIND, format!("the image {} is neither PNG nor JPEG", quote(path.as_bytes())), path.clone())),
                Err(error) => Some((&codes::IMAGE_MISSING, format!("the image {} cannot be used: {error}", quote(path.as_bytes())), path.clone())),
            },
            (ImageSource::Path(path), None) => {
                let message = format!("the image {} is not looked for: the file's folder is not known", quote(path.as_bytes()));
                Some((&codes::IMAGE_MISSING, message, path.clone()))
            }
            (ImageSource::Embedded { .. }, _) => None,
        };
        match problem {
            None => {
                new_index.push(Ok(kept.len()));
                kept.push(image);
            }
            Some((code, message, path)) => {
                losses.report(code, || Diagnostic::new(code, None, message));
                new_index.push(Err(path));
            }
        }
    }
    scene.images = kept;
    for material in &mut scene.materials {
        match material.base_color_image.and_then(|image| new_index.get(image)) {
            Some(Ok(index)) => material.base_color_image = Some(*index),
            Some(Err(path)) => {
                material.base_color_image = None;
                material.extras.insert("anim_formats".to_owned(), Value::from([("missing_image", Value::from(path.as_str()))]));
            }
            None => {}
        }
    }
}

/// The MIME type of an image file by its first bytes; `None` where glTF does not allow it.
fn image_kind(folder: &Dir, path: &str) -> Result<Option<&'static str>, io::Error> {
    let metadata = folder.metadata(path)?;
    if !metadata.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "is no regular file"));
    }
    let mut head = [0; 8];
    let length = folder.open(path)?.read(&mut head)?;
    Ok(mime_type(head.get(..length).unwrap_or_default()))
}

fn mime_type(head: &[u8]) -> Option<&'static str> {
    match head {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        _ => None,
    }
}

/// Puts the bytes of images that lie beside the file into the scene.
pub fn embed_images(scene: &mut Scene, folder: &Path, limits: &Limits) -> Diagnostics {
    let mut problems = Diagnostics::new();
    let Ok(folder) = Dir::open_ambient_dir(folder, ambient_authority()) else { return problems };
    for image in &mut scene.images {
        let ImageSource::Path(path) = &image.source else { continue };
        match read_below(&folder, path, limits) {
            Ok(bytes) => {
                if let Some(mime_type) = mime_type(&bytes) {
                    image.source = ImageSource::Embedded { mime_type: mime_type.to_owned(), bytes };
                }
            }
            Err(error) => problems.push(&codes::IMAGE_MISSING, None, || format!("the image {} cannot be embedded: {error}", quote(path.as_bytes()))),
        }
    }
    problems
}

/// Makes the paths of images relative to another folder, so that a file written there finds them.
///
/// # Errors
///
/// Where one of the folders does not exist.
pub fn rebase_images(scene: &mut Scene, from: &Path, to: &Path) -> io::Result<()> {
    let (from, to) = (from.canonicalize()?, to.canonicalize()?);
    for image in &mut scene.images {
        if let ImageSource::Path(path) = &mut image.source
            && let Some(rebased) = pathdiff::diff_paths(from.join(&*path), &to)
        {
            let parts: Vec<_> = rebased
                .components()
                .filter_map(|part| match part {
                    Component::Normal(name) => Some(name.to_string_lossy()),
                    Component::ParentDir => Some("..".into()),
                    _ => None,
                })
                .collect();
            *path = parts.join("/");
        }
    }
    Ok(())
}
