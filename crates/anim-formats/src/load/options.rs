//! Options for loading files.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anim_ir::Settings;

use crate::registry::Format;

/// Options for loading.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct LoadOptions {
    /// The format to read files as, instead of detecting it.
    pub format: Option<Format>,
    /// Format-specific options.
    pub settings: Settings,
    /// The folder below which companion files may be opened. `None` means the file's own folder
    /// and, for `castle-data:` URIs, the folder `data` of the Castle Game Engine project that the
    /// file belongs to, anywhere above the file.
    pub root: Option<PathBuf>,
    /// A folder named as an input. If there is no root, companion files anywhere below it may be
    /// opened as well. Unlike the root, it does not limit which project `castle-data:` URIs refer
    /// to.
    pub folder: Option<PathBuf>,
    /// Called with the path of every file before it is read, and of existing files that the result
    /// only refers to, such as images.
    pub on_read: OnRead,
}

/// A function to call with the path of every file that a result depends on
/// ([`LoadOptions::on_read`]).
#[derive(Clone, Default)]
pub struct OnRead(Option<Arc<Function>>);

type Function = dyn Fn(&Path) + Send + Sync;

impl OnRead {
    /// Calls the function, if there is one.
    pub fn call(&self, path: &Path) {
        if let Some(function) = &self.0 {
            function(path);
        }
    }
}

impl fmt::Debug for OnRead {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("OnRead").field(&self.0.is_some()).finish()
    }
}

impl LoadOptions {
    /// Reads files as this format instead of detecting it.
    #[must_use]
    pub fn with_format(mut self, format: impl Into<Option<Format>>) -> LoadOptions {
        self.format = format.into();
        self
    }

    /// Sets format-specific options.
    #[must_use]
    pub fn with_settings(mut self, settings: Settings) -> LoadOptions {
        self.settings = settings;
        self
    }

    /// Allows opening companion files anywhere below this folder.
    #[must_use]
    pub fn with_root(mut self, root: impl Into<Option<PathBuf>>) -> LoadOptions {
        self.root = root.into();
        self
    }

    /// If there is no root, also allows opening companion files anywhere below this folder
    /// ([`LoadOptions::folder`]).
    #[must_use]
    pub fn with_folder(mut self, folder: impl Into<Option<PathBuf>>) -> LoadOptions {
        self.folder = folder.into();
        self
    }

    /// Calls a function with the path of every file that a result depends on
    /// ([`LoadOptions::on_read`]).
    #[must_use]
    pub fn with_on_read(mut self, function: impl Fn(&Path) + Send + Sync + 'static) -> LoadOptions {
        self.on_read = OnRead(Some(Arc::new(function)));
        self
    }
}
