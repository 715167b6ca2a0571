//! Records which files are read.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use anim_formats::LoadOptions;

use crate::read_files::Identity;

/// What distinguishes the versions of a file.
pub(super) type Version = Option<(SystemTime, u64)>;

pub(super) fn version(path: &Path) -> Version {
    let metadata = path.metadata().ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}

/// The files that were read, each with its version when it was first read.
#[derive(Clone, Debug, Default)]
pub(super) struct Recorder(Arc<Mutex<BTreeMap<PathBuf, Version>>>);

impl Recorder {
    /// Records the files that are read with these options.
    pub(super) fn record(&self, load: LoadOptions) -> LoadOptions {
        let files = Arc::clone(&self.0);
        load.with_on_read(move |path| {
            let mut files = files.lock().unwrap_or_else(PoisonError::into_inner);
            files.entry(path.to_owned()).or_insert_with(|| version(path));
        })
    }

    pub(super) fn files(&self) -> BTreeMap<PathBuf, Version> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Whether a file was read, under any of its names.
    pub(super) fn contains(&self, path: &Path) -> bool {
        let is_read = |file: Identity| {
            self.files().keys().any(|read| Identity::of(read).is_ok_and(|read| read == file))
        };
        Identity::of(path).is_ok_and(is_read)
    }
}
