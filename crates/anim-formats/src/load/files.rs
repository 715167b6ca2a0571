//! Reads files of the file system.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use anim_ir::format::Context;
use anim_ir::{NoFiles, Resolver};

use super::bytes::{FileBytes, is_named, parse_bytes, read_whole};
use super::error::LoadError;
use super::folder::open_folder;
use super::options::LoadOptions;
use super::path::folder_of;
use crate::document::{Loaded, scene_of};
use crate::images::read_images;

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
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a folder; name a file").into());
    }
    // Files of the system that claim to be empty may wait for their next message when read.
    let is_empty = metadata.is_file() && metadata.len() == 0;
    let file = file.take(if is_empty { 0 } else { u64::MAX });
    read_whole(file, metadata.len(), is_named(path, options), &options.settings.limits)
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
