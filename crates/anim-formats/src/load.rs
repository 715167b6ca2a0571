//! Opening files and what lies beside them. The only module of the libraries that does I/O.
//!
//! Companions (material libraries, frames, images) are opened only in the file's own folder or
//! below it, or below another folder that the caller names; a link that leads out of it is not
//! followed. Sizes are bounded, and what is no regular file is not opened. Nothing is fetched from
//! anywhere else.

use std::cell::OnceCell;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use anim_ir::{
    Category, Diagnostic, Diagnostics, ImageSource, LimitError, Limits, Parsed, Scene, Severity,
    Value, diag::quote,
};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use cap_std::ambient_authority;
use cap_std::fs::Dir;
use thiserror::Error;

use crate::detect::{Candidate, Format, detect, why_unknown};
use crate::document::{AnyDocument, Companions, ParseError, ParseOptions, SceneOptions};
use crate::{codes, png};

/// How to load.
#[derive(Clone, Debug, Default)]
pub struct LoadOptions {
    /// Takes the file for this format, whatever it looks like.
    pub format: Option<Format>,
    /// How to read it.
    pub parse: ParseOptions,
    /// How to make a scene of it.
    pub scene: SceneOptions,
    /// The folder below which other files may be opened; the file's own where this is `None`.
    pub root: Option<PathBuf>,
}

/// A file, read.
#[derive(Debug)]
pub struct Loaded {
    /// What the file says.
    pub document: AnyDocument<'static>,
    /// What is wrong with it.
    pub diagnostics: Diagnostics,
    /// The scene it describes. Paths of images are relative to the file's folder; what cannot be
    /// used as an image in glTF is gone.
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
    #[error("this is no format that is known here{}{}", if .0.is_empty() { "" } else { "; " }, .0)]
    Unknown(String),
    /// Several formats claim the content equally.
    #[error("this may be {}; say \
             which", .0.iter().map(|candidate| candidate.format.title()).collect::<Vec<_>>().join(" or "))]
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
    let file = read_file(path, options)?;
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
    let mut loaded = load_bytes(file.bytes, name.as_deref(), Some(folder_of(path)), options)?;
    loaded.diagnostics.append(file.diagnostics);
    Ok(loaded)
}

/// Finds out the format of bytes and reads them, without a scene and without a look at what lies
/// beside them.
///
/// # Errors
///
/// [`LoadError`] where there is nothing to give.
pub fn parse_bytes(
    bytes: Vec<u8>,
    name: Option<&str>,
    options: &LoadOptions,
) -> Result<Parsed<AnyDocument<'static>>, LoadError> {
    let format = format_of(&bytes, name, options)?;
    Ok(AnyDocument::parse(bytes, format, &options.parse)?)
}

/// Finds out the format of bytes, and no more.
///
/// # Errors
///
/// [`LoadError::Unknown`] and [`LoadError::Ambiguous`].
pub fn format_of(
    bytes: &[u8],
    name: Option<&str>,
    options: &LoadOptions,
) -> Result<Format, LoadError> {
    match options.format {
        Some(format) => Ok(format),
        None => pick(detect(bytes, name), name, || why_unknown(bytes, name)),
    }
}

/// The same as [`load`] for bytes that are there already. Without a folder nothing beside them is
/// looked for.
///
/// # Errors
///
/// [`LoadError`] where there is nothing to give.
pub fn load_bytes(
    bytes: Vec<u8>,
    name: Option<&str>,
    folder: Option<&Path>,
    options: &LoadOptions,
) -> Result<Loaded, LoadError> {
    let parsed = parse_bytes(bytes, name, options)?;
    if options.scene.name.is_empty()
        && let Some(name) = name
    {
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        let options = LoadOptions {
            scene: SceneOptions { name: stem.to_owned(), ..options.scene.clone() },
            ..options.clone()
        };
        return load_document(parsed, folder, &options);
    }
    load_document(parsed, folder, options)
}

/// The same for a document that is there already.
///
/// # Errors
///
/// [`LoadError`] where the folder cannot be what it is said to be.
pub fn load_document(
    parsed: Parsed<AnyDocument<'static>>,
    folder: Option<&Path>,
    options: &LoadOptions,
) -> Result<Loaded, LoadError> {
    let (mut diagnostics, mut losses) = (parsed.diagnostics, Diagnostics::new());
    let limits = &options.parse.limits;
    let mut folder = match folder {
        Some(folder) => Folder::open(folder, options.root.as_deref(), limits)?,
        None => Folder::unknown(limits),
    };
    let mut scene_options = options.scene.clone();
    read_companions(&parsed.value, &mut folder, &mut scene_options, &mut losses);
    let converted = parsed.value.to_scene_with(&scene_options, &mut folder);
    // What is wrong with the frames of an animation is wrong with the file.
    let (lost, wrong) = sort_losses(converted.losses);
    diagnostics.append(wrong);
    losses.append(lost);
    let mut scene = converted.value;
    check_images(&mut scene, &mut folder, &mut losses);
    Ok(Loaded { document: parsed.value, diagnostics, scene, losses })
}

/// What a conversion could not carry over, and behind it what is wrong with what was converted.
pub fn sort_losses(losses: Diagnostics) -> (Diagnostics, Diagnostics) {
    losses.partition(|code| code.category == Category::Loss || code.severity == Severity::Note)
}

/// The folder of a file, and what may be opened from there.
struct Folder {
    /// What is opened lies below this.
    path: Option<PathBuf>,
    /// The same, opened when something is asked for: most files have no companions.
    root: OnceCell<Option<Dir>>,
    /// From there to the file's own folder.
    prefix: PathBuf,
    limits: Limits,
    /// Bytes that may still be read.
    left: usize,
}

/// What lies beside a file: below its folder, or below `root` where that is given, which must be
/// above it.
///
/// # Errors
///
/// Where the folder is not below `root`, or either does not exist.
pub fn open_folder(
    folder: &Path,
    root: Option<&Path>,
    limits: &Limits,
) -> io::Result<Box<dyn Companions>> {
    Ok(Box::new(Folder::open(folder, root, limits)?))
}

/// Told where a path leads out of the folder.
const OUTSIDE: &str = "it is outside the folder that may be read; allow more with the option \
                       `root` (`--root FOLDER`)";

impl Folder {
    fn unknown(limits: &Limits) -> Folder {
        Folder {
            path: None,
            root: OnceCell::new(),
            prefix: PathBuf::new(),
            limits: *limits,
            left: limits.input_bytes,
        }
    }

    fn open(folder: &Path, root: Option<&Path>, limits: &Limits) -> io::Result<Folder> {
        let prefix = match root {
            None => PathBuf::new(),
            Some(root) => {
                let (folder, root) = (folder.canonicalize()?, root.canonicalize()?);
                let below = folder.strip_prefix(&root).map_err(|_| {
                    io::Error::new(
                        io::ErrorKind::InvalidInput,
                        "the file is not below the folder that may be read",
                    )
                });
                below?.to_owned()
            }
        };
        Ok(Folder {
            path: Some(root.unwrap_or(folder).to_owned()),
            prefix,
            ..Folder::unknown(limits)
        })
    }

    /// A folder that cannot be opened has no companions to give.
    fn root(&self) -> Option<&Dir> {
        self.root
            .get_or_init(|| Dir::open_ambient_dir(self.path.as_ref()?, ambient_authority()).ok())
            .as_ref()
    }

    /// A regular file. What is none is refused before it is opened, so that a pipe does not hang.
    fn file(&self, path: &str) -> Result<(cap_std::fs::File, u64), ReadError> {
        let refused =
            |why: &'static str| ReadError::Io(io::Error::new(io::ErrorKind::InvalidInput, why));
        let root = self.root().ok_or_else(|| refused("the file's folder is not known"))?;
        let path = self.prefix.join(path);
        let metadata = root.metadata(&path)?;
        if !metadata.is_file() {
            return Err(refused("it is no regular file"));
        }
        Ok((root.open(&path)?, metadata.len()))
    }

    fn read_path(&mut self, path: &str) -> Result<Vec<u8>, ReadError> {
        let (file, length) = self.file(path)?;
        let bytes = read_limited(file, length, &Limits { input_bytes: self.left, ..self.limits })?;
        self.left = self.left.saturating_sub(bytes.len());
        Ok(bytes)
    }
}

/// An error in words that go behind a colon.
fn explain(error: &ReadError) -> String {
    match error {
        // What cap-std says of a path that leads out is about sandboxes, not about files.
        ReadError::Io(error)
            if error.kind() == io::ErrorKind::PermissionDenied
                && error.raw_os_error().is_none() =>
        {
            OUTSIDE.to_owned()
        }
        ReadError::Io(error) if error.kind() == io::ErrorKind::NotFound => {
            "there is no such file".to_owned()
        }
        other => other.to_string(),
    }
}

impl Companions for Folder {
    fn read(&mut self, address: &str) -> Result<Vec<u8>, String> {
        if let Some(data) = address.strip_prefix("data:") {
            return read_data(data, self.left);
        }
        let path = path_of(address)?;
        self.read_path(&path).map_err(|error| explain(&error))
    }

    fn pick(&mut self, paths: &[String]) -> usize {
        paths
            .iter()
            .position(|path| path.starts_with("data:") || self.file(path).is_ok())
            .unwrap_or(0)
    }
}

/// The relative path that an address means.
fn path_of(address: &str) -> Result<String, String> {
    let scheme = address.split_once(':').map(|(scheme, _)| scheme);
    let path = percent_encoding::percent_decode_str(address)
        .decode_utf8()
        .map_err(|_| "its address is no UTF-8".to_owned())?;
    match scheme {
        Some(scheme)
            if scheme.len() > 1
                && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c)) =>
        {
            Err(format!(
                "addresses with {} are not opened, only files; put the file beside this one",
                quote(format!("{scheme}:").as_bytes())
            ))
        }
        _ if path.contains('\0') => Err("its address has a zero byte".to_owned()),
        _ if path.starts_with(['/', '\\'])
            || path.contains('\\')
            || matches!(path.as_bytes(), [_, b':', ..]) =>
        {
            Err("only paths relative to the file, with forward slashes, are opened".to_owned())
        }
        _ => Ok(path.into_owned()),
    }
}

/// The content of a `data:` address (RFC 2397), without that word.
fn read_data(data: &str, most: usize) -> Result<Vec<u8>, String> {
    let (kind, payload) =
        data.split_once(',').ok_or("a `data:` address has a comma before its content")?;
    let bytes: Vec<u8> = percent_encoding::percent_decode_str(payload).collect();
    let bytes = if kind.to_ascii_lowercase().ends_with(";base64") {
        let packed: Vec<u8> =
            bytes.into_iter().filter(|byte| !byte.is_ascii_whitespace()).collect();
        BASE64.decode(packed).map_err(|error| format!("its base64 is broken: {error}"))?
    } else {
        bytes
    };
    if bytes.len() > most { Err(too_large(bytes.len(), most).to_string()) } else { Ok(bytes) }
}

/// Content first; where it is even, the name.
fn pick(
    candidates: Vec<Candidate>,
    name: Option<&str>,
    why_unknown: impl FnOnce() -> String,
) -> Result<Format, LoadError> {
    let extension = name
        .and_then(|name| name.rsplit_once('.'))
        .map(|(_, extension)| extension.to_ascii_lowercase());
    let named = |candidate: &Candidate| {
        extension
            .as_deref()
            .is_some_and(|extension| candidate.format.extensions().contains(&extension))
    };
    match candidates.as_slice() {
        [] => Err(LoadError::Unknown(why_unknown())),
        [first, second, ..]
            if first.confidence == second.confidence && named(first) == named(second) =>
        {
            Err(LoadError::Ambiguous(candidates))
        }
        [first, ..] => Ok(first.format),
    }
}

/// What was read of a file.
#[derive(Clone, Debug, Default)]
pub struct FileBytes {
    /// Its bytes; where it is longer than its format can make use of, the first of them.
    pub bytes: Vec<u8>,
    /// Whether there is more.
    pub diagnostics: Diagnostics,
}

/// A regular file's (or a pipe's) bytes, no more than the limits allow.
///
/// # Errors
///
/// What the system says, a folder, or a file that is too large.
pub fn read_file(path: &Path, options: &LoadOptions) -> Result<FileBytes, LoadError> {
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    if metadata.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a folder").into());
    }
    let named = path
        .extension()
        .and_then(OsStr::to_str)
        .into_iter()
        .flat_map(Format::with_extension)
        .find(|format| is_addressed(*format));
    let format = options.format.or(named);
    read_whole(file, metadata.len(), format, &options.parse.limits)
}

/// What a stream has to give, no more than the limits allow: one that never ends ends at the limit.
///
/// # Errors
///
/// What the system says, or more than the limit.
pub fn read_stream(reader: impl Read, options: &LoadOptions) -> Result<FileBytes, LoadError> {
    read_whole(reader, 0, options.format, &options.parse.limits)
}

/// Reads to the end, or as much as can matter: of a format whose offsets reach no farther, what
/// lies behind is not read, however much it is.
fn read_whole(
    mut reader: impl Read,
    expected: u64,
    format: Option<Format>,
    limits: &Limits,
) -> Result<FileBytes, LoadError> {
    // One byte more than is expected, so that the end shows at once.
    let mut head = Vec::with_capacity(
        usize::try_from(expected.saturating_add(1).min(HEAD)).unwrap_or_default(),
    );
    reader.by_ref().take(HEAD).read_to_end(&mut head)?;
    if u64::try_from(head.len()).unwrap_or(u64::MAX) < HEAD {
        limits.check_input(head.len())?;
        return Ok(FileBytes { bytes: head, ..FileBytes::default() });
    }
    if let Some(reach) = reach(&head, format) {
        let mut diagnostics = Diagnostics::new();
        diagnostics.push(&codes::NOT_READ, None, || {
            format!("the file goes on; only its first {reach} bytes were read")
        });
        head.truncate(reach);
        return Ok(FileBytes { bytes: head, diagnostics });
    }
    Ok(FileBytes {
        bytes: read_limited(head.as_slice().chain(reader), expected, limits)?,
        ..FileBytes::default()
    })
}

/// More than the longest file of the formats that [`reach`] knows.
const HEAD: u64 = 2 << 20;

/// Whether offsets in its files reach no farther than [`reach`] says.
fn is_addressed(format: Format) -> bool {
    matches!(format, Format::TmdAnm | Format::TmdAnc)
}

/// How much of a long file, of which this is the start, is more than its format can make use of.
#[cfg(feature = "tmd")]
fn reach(head: &[u8], format: Option<Format>) -> Option<usize> {
    use anim_ir::Confidence;
    // An ANC is told by its length: of one that is too long only its name, or who calls, can tell.
    let sniffed = fmt_tmd_anm::sniff(head).confidence;
    let is_ours = if format.is_some_and(is_addressed) {
        sniffed > Confidence::No
    } else {
        sniffed >= Confidence::Likely
    };
    is_ours.then(|| fmt_tmd_anm::addressable(head).saturating_add(1))
}

#[cfg(not(feature = "tmd"))]
fn reach(_: &[u8], _: Option<Format>) -> Option<usize> {
    None
}

/// Reads to the end, or fails at the limit without having read much more.
pub(crate) fn read_limited(
    reader: impl Read,
    expected: u64,
    limits: &Limits,
) -> Result<Vec<u8>, ReadError> {
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

fn read_companions(
    document: &AnyDocument<'_>,
    folder: &mut Folder,
    options: &mut SceneOptions,
    losses: &mut Diagnostics,
) {
    match document {
        #[cfg(feature = "amo")]
        AnyDocument::Amo(document) => {
            // A library is small; a thousand of them are no library any more.
            for path in document.material_libraries().iter().take(100) {
                if folder.root().is_none() {
                    continue;
                }
                match folder.read_path(path) {
                    Ok(bytes) => {
                        let own_folder =
                            path.rsplit_once('/').map_or("", |(own_folder, _)| own_folder);
                        let parsed = fmt_amo::MaterialLibrary::parse(&bytes, own_folder);
                        // Its diagnostics point into the library, not into this file.
                        for diagnostic in &parsed.diagnostics {
                            let place = diagnostic
                                .span
                                .map(|span| anim_ir::source::locate(&bytes, span.start).line);
                            let place =
                                place.map_or(String::new(), |line| format!("line {line}: "));
                            losses.push(diagnostic.code, None, || {
                                format!("{}: {place}{}", quote(path.as_bytes()), diagnostic.message)
                            });
                        }
                        options.amo_materials.get_or_insert_default().append(parsed.value);
                    }
                    Err(error) => {
                        let message = || {
                            format!(
                                "the material library {} is not read: {}",
                                quote(path.as_bytes()),
                                explain(&error)
                            )
                        };
                        losses.push(&codes::LIBRARY_MISSING, None, message);
                    }
                }
            }
        }
        #[allow(unreachable_patterns, reason = "without other formats there is nothing else")]
        _ => {
            let _ = (folder, options, losses);
        }
    }
}

/// Takes out what cannot be used: images that are not there, that lie elsewhere, or are neither PNG
/// nor JPEG. Those in `data:` addresses are embedded.
fn check_images(scene: &mut Scene, folder: &mut Folder, losses: &mut Diagnostics) {
    let mut kept = Vec::new();
    let mut new_index = Vec::new();
    for mut image in std::mem::take(&mut scene.images) {
        let problem = match &image.source {
            ImageSource::Path(path) => match image_source(folder, path) {
                Ok(Some(source)) => {
                    if matches!(source, ImageSource::Embedded { .. }) && !path.starts_with("data:")
                    {
                        let message = || {
                            format!(
                                "the image {} has a colour profile or the like: a copy without it \
                                 goes into the output",
                                quote(path.as_bytes())
                            )
                        };
                        losses.push(&codes::IMAGE_CLEANED, None, message);
                    }
                    image.source = source;
                    None
                }
                Ok(None) => Some((
                    &codes::IMAGE_KIND,
                    format!("the image {} is neither PNG nor JPEG", quote(path.as_bytes())),
                    path.clone(),
                )),
                Err(error) => Some((
                    &codes::IMAGE_MISSING,
                    format!("the image {} cannot be used: {error}", quote(path.as_bytes())),
                    path.clone(),
                )),
            },
            ImageSource::Embedded { .. } => None,
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
                material.extras.insert(
                    "anim_formats".to_owned(),
                    Value::from([("missing_image", Value::from(path.as_str()))]),
                );
            }
            None => {}
        }
    }
}

/// Where an image is, if it is of a kind that glTF allows.
fn image_source(folder: &mut Folder, path: &str) -> Result<Option<ImageSource>, String> {
    if path.starts_with("data:") {
        let bytes = folder.read(path)?;
        return Ok(mime_type(&bytes).map(|mime_type| ImageSource::Embedded {
            mime_type: mime_type.to_owned(),
            bytes: fit(bytes),
        }));
    }
    let mut head = [0; 8];
    let (mut file, _) = folder.file(path).map_err(|error| explain(&error))?;
    let length = file.read(&mut head).map_err(|error| error.to_string())?;
    let Some(mime_type) = mime_type(head.get(..length).unwrap_or_default()) else {
        return Ok(None);
    };
    if head == png::SIGNATURE && png::is_odd(&mut file).unwrap_or(false) {
        let bytes = fit(folder.read_path(path).map_err(|error| explain(&error))?);
        return Ok(Some(ImageSource::Embedded { mime_type: mime_type.to_owned(), bytes }));
    }
    Ok(Some(ImageSource::Path(path.to_owned())))
}

/// An image file as glTF wants it.
fn fit(bytes: Vec<u8>) -> Vec<u8> {
    if png::is_odd(&mut io::Cursor::new(&bytes)).unwrap_or(false)
        && bytes.starts_with(&png::SIGNATURE)
    {
        png::cleaned(&bytes)
    } else {
        bytes
    }
}

fn mime_type(head: &[u8]) -> Option<&'static str> {
    match head {
        head if head.starts_with(&png::SIGNATURE) => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        _ => None,
    }
}

/// Puts the bytes of images that lie beside the file into the scene.
/// `root` is as in [`LoadOptions`].
pub fn embed_images(
    scene: &mut Scene,
    folder: &Path,
    root: Option<&Path>,
    limits: &Limits,
) -> Diagnostics {
    let mut problems = Diagnostics::new();
    let Ok(mut folder) = Folder::open(folder, root, limits) else { return problems };
    for image in &mut scene.images {
        let ImageSource::Path(path) = &image.source else { continue };
        match folder.read_path(path) {
            Ok(bytes) => {
                if let Some(mime_type) = mime_type(&bytes) {
                    image.source = ImageSource::Embedded {
                        mime_type: mime_type.to_owned(),
                        bytes: fit(bytes),
                    };
                }
            }
            Err(error) => {
                problems.push(&codes::IMAGE_MISSING, None, || {
                    format!(
                        "the image {} cannot be embedded: {}",
                        quote(path.as_bytes()),
                        explain(&error)
                    )
                });
            }
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
            && let Some(rebased) = relative(&from.join(&*path), &to)
        {
            *path = rebased;
        }
    }
    Ok(())
}

/// The way from one folder to another, with forward slashes; empty where they are the same.
///
/// # Errors
///
/// Where one of them does not exist, or there is no way from one to the other.
pub fn way_to(folder: &Path, from: &Path) -> io::Result<String> {
    let none = || {
        io::Error::new(io::ErrorKind::InvalidInput, "there is no way from one folder to the other")
    };
    relative(&folder.canonicalize()?, &from.canonicalize()?).ok_or_else(none)
}

fn relative(path: &Path, from: &Path) -> Option<String> {
    let parts = pathdiff::diff_paths(path, from)?;
    let part = |part: Component<'_>| match part {
        Component::Normal(name) => Some(name.to_string_lossy().into_owned()),
        Component::ParentDir => Some("..".to_owned()),
        _ => None,
    };
    Some(parts.components().filter_map(part).collect::<Vec<_>>().join("/"))
}
