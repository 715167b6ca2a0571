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

/// The files that were read with the watched options, including companion files.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReadFiles(Arc<Mutex<HashSet<Identity>>>);

impl ReadFiles {
    /// Records the files that are read with these options.
    pub(crate) fn watch(&self, load: LoadOptions) -> LoadOptions {
        let read = self.clone();
        // `Identity::of` fails only for a file that does not exist, which is not read either.
        load.with_on_read(move |path| read.lock().extend(Identity::of(path).ok()))
    }

    /// Fails if the path of an output leads to one of the files.
    pub(crate) fn check_output(&self, path: &Path) -> Result<(), Failure> {
        if Identity::of(path).is_ok_and(|file| self.lock().contains(&file)) {
            return Err(Failure::usage(format!(
                "{} was read for this output, and is never overwritten; choose another name or \
                 folder",
                show_path(path)
            )));
        }
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, HashSet<Identity>> {
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
