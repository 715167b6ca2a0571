//! Opens companion files, only below a file's folder, or below the data folder of the project that
//! the file belongs to.

use std::cell::OnceCell;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use anim_ir::address::{castle_data, relative_path};
use anim_ir::{Limits, ResolveError, Resolver};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, File};

use super::error::LoadError;
use super::limited::read_limited;
use super::options::{LoadOptions, OnRead};
use super::path::way_between;
use super::project::{DATA, MANIFEST, no_project, project_path};

/// Returns a resolver for files below a folder, or below [`LoadOptions::root`] or
/// [`LoadOptions::folder`] if that contains the folder. URIs are relative to the folder. Symbolic
/// links that point outside it are not followed.
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
    /// Whether [`LoadOptions::root`] limits what may be opened.
    has_root: bool,
    /// The same folder, opened on the first request, since most files have no companion files.
    root: OnceCell<Option<Dir>>,
    /// The path from `path` to the file's own folder.
    prefix: PathBuf,
    limits: Limits,
    on_read: OnRead,
    /// The number of bytes that may still be read.
    left: usize,
    /// The project that the file belongs to, searched for on the first request.
    project: OnceCell<Option<Project>>,
}

/// The data folder of a Castle Game Engine project, which `castle-data:` URIs refer to. The root
/// of the project holds a `CastleEngineManifest.xml`.
struct Project {
    /// The data folder.
    path: PathBuf,
    data: Dir,
    /// The folder of the file that refers to others.
    from: PathBuf,
}

/// A file that was found, but not opened.
struct Found<'f> {
    folder: &'f Dir,
    /// The path of `folder`.
    above: &'f Path,
    /// The path of the file in `folder`.
    path: PathBuf,
    length: u64,
}

impl Folder {
    fn open(folder: &Path, options: &LoadOptions) -> io::Result<Folder> {
        let (mut path, mut prefix) = (folder, PathBuf::new());
        let has_root = options.root.is_some();
        if let Some(root) = options.root.as_ref().or(options.folder.as_ref()) {
            let missing = |error: io::Error| {
                io::Error::new(error.kind(), format!("--root {}: {error}", root.display()))
            };
            let (folder, absolute) =
                (folder.canonicalize()?, root.canonicalize().map_err(missing)?);
            // A file outside the root is restricted to its own folder, as if there were no root.
            if let Ok(below) = folder.strip_prefix(&absolute) {
                (path, prefix) = (root, below.to_owned());
            }
        }
        Ok(Folder {
            path: path.to_owned(),
            has_root,
            root: OnceCell::new(),
            prefix,
            limits: options.settings.limits,
            on_read: options.on_read.clone(),
            left: options.settings.limits.input_bytes,
            project: OnceCell::new(),
        })
    }

    /// Opens a regular file to read it, and returns its length.
    fn open_file(&self, address: &str) -> Result<(File, u64), ResolveError> {
        let Found { folder, above, path, length } = self.find(address)?;
        self.on_read.call(&above.join(&path));
        Ok((folder.open(&path).map_err(explain)?, length))
    }

    /// Finds a regular file. Anything else is rejected without being opened, since opening a pipe
    /// could block.
    fn find(&self, address: &str) -> Result<Found<'_>, ResolveError> {
        let (folder, above, path) = match castle_data(address) {
            Some(below) => {
                let Project { path, data, .. } = self.project()?;
                (data, path.as_path(), project_path(below)?.into())
            }
            None => {
                let path = self.prefix.join(relative_path(address)?);
                // A folder that cannot be opened is treated as empty.
                let root = self
                    .root
                    .get_or_init(|| Dir::open_ambient_dir(&self.path, ambient_authority()).ok());
                (root.as_ref().ok_or(ResolveError::NotFound)?, self.path.as_path(), path)
            }
        };
        let metadata = folder.metadata(&path).map_err(explain)?;
        if !metadata.is_file() {
            return Err(ResolveError::Io("it is not a regular file".to_owned()));
        }
        Ok(Found { folder, above, path, length: metadata.len() })
    }

    /// Returns the project that the file belongs to.
    fn project(&self) -> Result<&Project, ResolveError> {
        let found = self.project.get_or_init(|| {
            let own = self.path.join(&self.prefix).canonicalize().ok()?;
            // `--root` limits what may be opened; without it, a project may be anywhere above.
            let most = if self.has_root { self.path.canonicalize().ok()? } else { PathBuf::new() };
            let roots = own.ancestors().take_while(|folder| folder.starts_with(&most));
            let is_root = |folder: &&Path| {
                folder.join(MANIFEST).symlink_metadata().is_ok_and(|found| found.is_file())
            };
            let root = roots.into_iter().find(is_root)?;
            // A link out of the project is not followed.
            let data =
                Dir::open_ambient_dir(root, ambient_authority()).ok()?.open_dir(DATA).ok()?;
            Some(Project { path: root.join(DATA), data, from: own.clone() })
        });
        let within = if self.has_root { ", up to the folder of `--root`," } else { "" };
        found.as_ref().ok_or_else(|| no_project(within))
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
        let Ok(Found { above, path, .. }) = self.find(address) else { return false };
        self.on_read.call(&above.join(path));
        true
    }

    fn way(&mut self, address: &str) -> Option<String> {
        let Project { path, from, .. } = castle_data(address).and_then(|_| self.project().ok())?;
        let file = path.join(project_path(castle_data(address)?).ok()?);
        way_between(&file, from)
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
