//! The files that were read, so that no output overwrites one of them.

use std::collections::HashSet;
use std::io;
use std::path::Path;
#[cfg(not(unix))]
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anim_formats::LoadOptions;

use crate::status::Failure;
use crate::term::show_path;

/// The path that is recorded for standard input.
pub(crate) const STDIN: &str = "-";

/// The files that were read with the watched options, including companion files.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReadFiles(Arc<Mutex<Known>>);

#[derive(Debug, Default)]
struct Known {
    files: HashSet<Identity>,
    /// The size of the files together, in bytes.
    bytes: u64,
    has_stdin: bool,
}

impl ReadFiles {
    /// Records the files that are read with these options, also for whoever records them already.
    pub(crate) fn watch(&self, load: LoadOptions) -> LoadOptions {
        let (read, before) = (self.clone(), load.on_read.clone());
        load.with_on_read(move |path| {
            before.call(path);
            let mut known = read.lock();
            if path.as_os_str() == STDIN {
                known.has_stdin = true;
                return;
            }
            // Both fail only for a file that does not exist, which is not read either.
            let (Ok(file), Ok(metadata)) = (Identity::of(path), path.metadata()) else { return };
            if known.files.insert(file) {
                known.bytes = known.bytes.saturating_add(metadata.len());
            }
        })
    }

    /// Returns the size of the files together, in bytes, for [`Limits::stored`]. `None` if standard
    /// input was read as well, the size of which is unknown.
    ///
    /// [`Limits::stored`]: anim_formats::anim_ir::Limits::stored
    pub(crate) fn stored(&self) -> Option<usize> {
        let known = self.lock();
        let is_known = !known.has_stdin && !known.files.is_empty();
        is_known.then(|| usize::try_from(known.bytes).unwrap_or(usize::MAX))
    }

    /// Fails if the path of an output leads to one of the files.
    pub(crate) fn check_output(&self, path: &Path) -> Result<(), Failure> {
        if Identity::of(path).is_ok_and(|file| self.lock().files.contains(&file)) {
            return Err(Failure::usage(format!(
                "{} was read for this output, and is never overwritten; choose another name or \
                 folder",
                show_path(path)
            )));
        }
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The identity of a file: equal for all paths to it, including symbolic links and, on Unix, hard
/// links.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Identity(#[cfg(unix)] (u64, u64), #[cfg(not(unix))] PathBuf);

impl Identity {
    #[cfg(unix)]
    pub(crate) fn of(path: &Path) -> io::Result<Identity> {
        use std::os::unix::fs::MetadataExt as _;
        path.metadata().map(|metadata| Identity((metadata.dev(), metadata.ino())))
    }

    #[cfg(not(unix))]
    pub(crate) fn of(path: &Path) -> io::Result<Identity> {
        path.canonicalize().map(Identity)
    }
}
