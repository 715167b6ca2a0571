//! Opening files and what lies beside them: the only module of the libraries that does I/O.
//!
//! Files beside a file (material libraries, frames, images) are opened only in its own folder or
//! below it, or below another folder that the caller names; a link that leads out of it is not
//! followed. Sizes are bounded, and only regular files are opened. Nothing is fetched from anywhere
//! else.

mod error;
mod folder;
mod limited;
mod path;

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anim_ir::format::Context;
use anim_ir::format::options::Settings;
use anim_ir::{Diagnostics, Limits, NoFiles, Parsed, Resolver};

use crate::codes;
use crate::detect::{detect, why_unknown};
use crate::document::{Loaded, scene_of};
use crate::images::read_images;
use crate::registry::{AnyDocument, Format};
pub use error::LoadError;
pub use folder::open_folder;
use limited::read_limited;
pub use path::{folder_of, rebase_images, way_to};

/// How to load.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct LoadOptions {
    /// The format to read files as, instead of detecting it.
    pub format: Option<Format>,
    /// What was set of the formats' options.
    pub settings: Settings,
    /// The folder below which other files may be opened; the file's own where this is `None`.
    pub root: Option<PathBuf>,
}

impl LoadOptions {
    /// Reads files as this format instead of detecting it.
    #[must_use]
    pub fn with_format(mut self, format: impl Into<Option<Format>>) -> LoadOptions {
        self.format = format.into();
        self
    }

    /// Sets options of formats.
    #[must_use]
    pub fn with_settings(mut self, settings: Settings) -> LoadOptions {
        self.settings = settings;
        self
    }

    /// Allows files anywhere below this folder.
    #[must_use]
    pub fn with_root(mut self, root: impl Into<Option<PathBuf>>) -> LoadOptions {
        self.root = root.into();
        self
    }
}

/// Opens a file and what it needs from its folder. The scene contains its images, so that
/// [`convert`](crate::convert()) needs no files.
///
/// # Errors
///
/// [`LoadError`] where there is nothing to give.
pub fn load(path: impl AsRef<Path>, options: &LoadOptions) -> Result<Loaded, LoadError> {
    let path = path.as_ref();
    let file = read_file(path, options)?;
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
    let mut loaded = load_bytes(file.bytes, name.as_deref(), Some(folder_of(path)), options)?;
    loaded.diagnostics.append(file.diagnostics);
    Ok(loaded)
}

/// Like [`load`], for bytes in memory. Without a folder, no other file is opened.
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
    let name = name.unwrap_or_default();
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let settings = &options.settings;
    let mut files: Box<dyn Resolver> = match folder {
        None => Box::new(NoFiles),
        Some(folder) => open_folder(folder, options.root.as_deref(), &settings.limits)?,
    };
    let mut loaded = scene_of(parsed, &mut Context { name: stem, files: files.as_mut(), settings });
    loaded.losses.append(read_images(&mut loaded.scene, files.as_mut()));
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
    Ok(AnyDocument::parse(bytes, format, &options.settings)?)
}

/// Finds out the format of bytes, and no more: content first; where it is even, the name.
///
/// # Errors
///
/// [`LoadError::Unknown`] and [`LoadError::Ambiguous`].
pub fn format_of(
    bytes: &[u8],
    name: Option<&str>,
    options: &LoadOptions,
) -> Result<Format, LoadError> {
    if let Some(format) = options.format {
        return Ok(format);
    }
    let candidates = detect(bytes, name);
    match candidates.as_slice() {
        [] => Err(LoadError::Unknown(why_unknown(bytes, name))),
        [first, second, ..]
            if first.confidence == second.confidence && first.is_named == second.is_named =>
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
pub fn read_file(path: impl AsRef<Path>, options: &LoadOptions) -> Result<FileBytes, LoadError> {
    let path = path.as_ref();
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    if metadata.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a folder").into());
    }
    let named = |format: &Format| {
        let extension = path.extension().and_then(OsStr::to_str).map(str::to_ascii_lowercase);
        options.format.map_or_else(
            || extension.is_some_and(|name| format.info().extensions.contains(&name.as_str())),
            |wanted| wanted == *format,
        )
    };
    read_whole(file, metadata.len(), named, &options.settings.limits)
}

/// What a stream has to give, no more than the limits allow: one that never ends ends at the limit.
///
/// # Errors
///
/// What the system says, or more than the limit.
pub fn read_stream(reader: impl Read, options: &LoadOptions) -> Result<FileBytes, LoadError> {
    let named = |format: &Format| options.format == Some(*format);
    read_whole(reader, 0, named, &options.settings.limits)
}

/// More than the longest file of the formats whose offsets have an end ([`Format::reach`]).
const HEAD: u64 = 2 << 20;

/// Reads to the end, or as much as can matter: of a format whose offsets reach no farther, what
/// lies behind is not read, however much it is.
fn read_whole(
    mut reader: impl Read,
    expected: u64,
    is_named: impl Fn(&Format) -> bool,
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
    let reach = Format::readable().find_map(|format| format.reach(&head, is_named(&format)));
    if let Some(reach) = reach {
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
