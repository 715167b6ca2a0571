//! Records which files are read.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use anim_formats::LoadOptions;

use crate::read_files::Identity;

/// The files that were read.
#[derive(Clone, Debug, Default)]
pub(super) struct Recorder(Arc<Mutex<BTreeSet<PathBuf>>>);

impl Recorder {
    /// Records the files that are read with these options.
    pub(super) fn record(&self, load: LoadOptions) -> LoadOptions {
        let files = Arc::clone(&self.0);
        load.with_on_read(move |path| {
            files.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned());
        })
    }

    pub(super) fn files(&self) -> BTreeSet<PathBuf> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Whether a file was read, under any of its names.
    pub(super) fn contains(&self, path: &Path) -> bool {
        let is_read = |file: Identity| {
            self.files().iter().any(|read| Identity::of(read).is_ok_and(|read| read == file))
        };
        Identity::of(path).is_ok_and(is_read)
    }
}
