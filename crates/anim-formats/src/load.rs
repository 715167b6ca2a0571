//! Opens files and their companion files. This is the only module in the libraries that does I/O.
//!
//! Companion files (material libraries, frames, images) are opened only in the file's own folder or
//! below it, or below another folder specified by the caller. Symbolic links that point outside it
//! are not followed. Sizes are bounded, and only regular files are opened. Nothing is fetched over
//! a network.

mod error;
mod folder;
mod limited;
mod options;
mod path;

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use anim_ir::format::Context;
use anim_ir::{Diagnostics, Limits, NoFiles, Parsed, Resolver};

use crate::codes;
use crate::detect::{detect, why_unknown};
use crate::document::{Loaded, scene_of};
use crate::images::read_images;
use crate::registry::{AnyDocument, Format};
pub use error::LoadError;
pub use folder::open_folder;
use limited::read_limited;
pub use options::{LoadOptions, OnRead};
pub use path::{folder_of, rebase_images, way_to};

/// Loads a file and its companion files. The scene contains its images, so that
/// [`convert`](crate::convert()) needs no files.
///
/// # Errors
///
/// Returns a [`LoadError`] if the file cannot be read at all.
pub fn load(path: impl AsRef<Path>, options: &LoadOptions) -> Result<Loaded, LoadError> {
    let path = path.as_ref();
    let file = read_file(path, options)?;
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
    let mut loaded = load_bytes(file.bytes, name.as_deref(), Some(folder_of(path)), options)?;
    loaded.diagnostics.append(file.diagnostics);
    Ok(loaded)
}

/// Like [`load`], for bytes in memory. Without a folder, no companion files are opened.
///
/// # Errors
///
/// Returns a [`LoadError`] if the bytes cannot be read at all.
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
        Some(folder) => open_folder(folder, options)?,
    };
    let mut loaded = scene_of(parsed, &mut Context { name: stem, files: files.as_mut(), settings });
    loaded.scene.check_size(&settings.limits)?;
    loaded.losses.append(read_images(&mut loaded.scene, files.as_mut()));
    Ok(loaded)
}

/// Detects the format of bytes and parses them, without building a scene or opening companion
/// files.
///
/// # Errors
///
/// Returns a [`LoadError`] if the bytes cannot be read at all.
pub fn parse_bytes(
    bytes: Vec<u8>,
    name: Option<&str>,
    options: &LoadOptions,
) -> Result<Parsed<AnyDocument<'static>>, LoadError> {
    let format = format_of(&bytes, name, options)?;
    Ok(AnyDocument::parse(bytes, format, &options.settings)?)
}

/// Detects the format of bytes by content, or by name if the content is inconclusive.
///
/// # Errors
///
/// Returns [`LoadError::Unknown`] or [`LoadError::Ambiguous`].
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

/// The bytes of a file, or only the leading bytes of a long file.
#[derive(Clone, Debug, Default)]
pub struct FileBytes {
    /// The bytes of the file, or only the leading bytes if the file is longer than its format can
    /// address.
    pub bytes: Vec<u8>,
    /// Contains a warning if only the leading bytes were read.
    pub diagnostics: Diagnostics,
}

/// Reads a regular file, a device or an open pipe (such as `/dev/stdin`) within the limits.
///
/// # Errors
///
/// Returns an error if the system reports one, the path is a folder or a named pipe, or the file is
/// too large.
pub fn read_file(path: impl AsRef<Path>, options: &LoadOptions) -> Result<FileBytes, LoadError> {
    let path = path.as_ref();
    options.on_read.call(path);
    refuse_named_pipe(path)?;
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
    // Files of the system that claim to be empty may wait for their next message when read.
    let is_empty = metadata.is_file() && metadata.len() == 0;
    let file = file.take(if is_empty { 0 } else { u64::MAX });
    read_whole(file, metadata.len(), named, &options.settings.limits)
}

/// Opening a named pipe waits until another program writes to it, perhaps forever.
fn refuse_named_pipe(path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt as _;
        // Pipes in these folders are already open in this process.
        let is_open = ["/dev", "/proc"].iter().any(|folder| path.starts_with(folder));
        if !is_open && path.metadata()?.file_type().is_fifo() {
            let why = "is a named pipe; redirect it to standard input, and pass `-` instead";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
        }
    }
    let _ = path;
    Ok(())
}

/// Reads a stream until it ends, within the limits. Reading an endless stream fails at the limit.
///
/// # Errors
///
/// Returns an error if the system reports one, or the stream exceeds the limit.
pub fn read_stream(reader: impl Read, options: &LoadOptions) -> Result<FileBytes, LoadError> {
    let named = |format: &Format| options.format == Some(*format);
    read_whole(reader, 0, named, &options.settings.limits)
}

/// Larger than any file that a format with bounded offsets can address ([`Format::reach`]).
const HEAD: u64 = 2 << 20;

/// Reads the whole file or, for a format with bounded offsets, only the part that its offsets can
/// address, however long the file is.
fn read_whole(
    mut reader: impl Read,
    expected: u64,
    is_named: impl Fn(&Format) -> bool,
    limits: &Limits,
) -> Result<FileBytes, LoadError> {
    // Reserves one byte more than expected, so that the end of the file is detected without growing
    // the buffer.
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
            format!("the file is longer; only its first {reach} bytes were read")
        });
        head.truncate(reach);
        return Ok(FileBytes { bytes: head, diagnostics });
    }
    Ok(FileBytes {
        bytes: read_limited(head.as_slice().chain(reader), expected, limits)?,
        ..FileBytes::default()
    })
}
