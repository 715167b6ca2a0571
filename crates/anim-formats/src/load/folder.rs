//! Opens companion files, only below a file's folder.

use std::cell::OnceCell;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use anim_ir::address::relative_path;
use anim_ir::{Limits, ResolveError, Resolver};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, File};

use super::error::LoadError;
use super::limited::read_limited;
use super::options::{LoadOptions, OnRead};

/// Returns a resolver for files below a folder, or below [`LoadOptions::root`] if that contains the
/// folder. URIs are relative to the folder. Symbolic links that point outside it are not followed.
///
/// # Errors
///
/// Returns an error if one of the folders does not exist.
pub fn open_folder(
    folder: impl AsRef<Path>,
    options: &LoadOptions,
) -> io::Result<Box<dyn Resolver>> {
    Ok(Box::new(Folder::open(folder.as_ref(), options)?))
}

/// The error for a path outside the folder.
const OUTSIDE: ResolveError = ResolveError::Outside { hint: "allow more with `--root FOLDER`" };

/// The folder of a file, with restrictions on opening files from it.
struct Folder {
    /// The folder below which files may be opened.
    path: PathBuf,
    /// The same folder, opened on the first request, since most files have no companion files.
    root: OnceCell<Option<Dir>>,
    /// The path from `path` to the file's own folder.
    prefix: PathBuf,
    limits: Limits,
    on_read: OnRead,
    /// The number of bytes that may still be read.
    left: usize,
}

impl Folder {
    fn open(folder: &Path, options: &LoadOptions) -> io::Result<Folder> {
        let (mut path, mut prefix) = (folder, PathBuf::new());
        if let Some(root) = &options.root {
            let (folder, absolute) = (folder.canonicalize()?, root.canonicalize()?);
            // A file outside the root is restricted to its own folder, as if there were no root.
            if let Ok(below) = folder.strip_prefix(&absolute) {
                (path, prefix) = (root, below.to_owned());
            }
        }
        Ok(Folder {
            path: path.to_owned(),
            root: OnceCell::new(),
            prefix,
            limits: options.settings.limits,
            on_read: options.on_read.clone(),
            left: options.settings.limits.input_bytes,
        })
    }

    /// Opens a regular file to read it, and returns its length.
    fn open_file(&self, address: &str) -> Result<(File, u64), ResolveError> {
        let (root, path, length) = self.find(address)?;
        self.on_read.call(&self.path.join(&path));
        Ok((root.open(&path).map_err(explain)?, length))
    }

    /// Finds a regular file. Returns the root, the path relative to it, and the file's length.
    /// Anything else is rejected without being opened, since opening a pipe could block.
    fn find(&self, address: &str) -> Result<(&Dir, PathBuf, u64), ResolveError> {
        let path = self.prefix.join(relative_path(address)?);
        // A folder that cannot be opened is treated as empty.
        let root = self
            .root
            .get_or_init(|| Dir::open_ambient_dir(&self.path, ambient_authority()).ok())
            .as_ref()
            .ok_or(ResolveError::NotFound)?;
        let metadata = root.metadata(&path).map_err(explain)?;
        if !metadata.is_file() {
            return Err(ResolveError::Io("it is not a regular file".to_owned()));
        }
        Ok((root, path, metadata.len()))
    }

    /// Returns the limits for the next file: all companion files share one budget of bytes.
    fn limits(&self) -> Limits {
        Limits { input_bytes: self.left, ..self.limits }
    }
}

impl Resolver for Folder {
    fn read(&mut self, address: &str) -> Result<Vec<u8>, ResolveError> {
        if let Some(content) = anim_ir::address::data(address) {
            let content = content?;
            self.limits().check_input(content.len())?;
            return Ok(content);
        }
        let (file, length) = self.open_file(address)?;
        let bytes = read_limited(file, length, &self.limits()).map_err(|error| match error {
            LoadError::Limit(error) => ResolveError::TooLarge(error),
            LoadError::Io(error) => explain(error),
            other => ResolveError::Io(other.to_string()),
        })?;
        self.left = self.left.saturating_sub(bytes.len());
        Ok(bytes)
    }

    fn head(&mut self, address: &str, most: usize) -> Result<Vec<u8>, ResolveError> {
        let (file, _) = self.open_file(address)?;
        let mut head = Vec::new();
        let most = u64::try_from(most).unwrap_or(u64::MAX);
        file.take(most).read_to_end(&mut head).map_err(explain)?;
        Ok(head)
    }

    fn exists(&mut self, address: &str) -> bool {
        self.find(address).is_ok()
    }

    fn limit(&self) -> usize {
        self.left
    }
}

/// Converts a system error, with a message that can follow a colon.
fn explain(error: io::Error) -> ResolveError {
    match error.kind() {
        // For a path outside the folder, cap-std's message is about sandboxes rather than files.
        io::ErrorKind::PermissionDenied if error.raw_os_error().is_none() => OUTSIDE,
        io::ErrorKind::NotFound => ResolveError::NotFound,
        _ => ResolveError::Io(error.to_string()),
    }
}
