//! The files of a page, and what became of them.

use std::path::Path;

use anim_formats::anim_ir::diag::quote;
use anim_formats::anim_ir::{LimitError, Parsed};
use anim_formats::{
    AnyDocument, LoadOptions, MemoryFiles, Part, parse_bytes, read_bytes, way_between,
};
use anim_viewer::Failure;
use serde::Serialize;

use crate::answer::answer;
use crate::options::{Limits, Options};

/// The largest size of all files together, in bytes: WebAssembly has 4 GiB for everything.
const INPUT: usize = 512 << 20;
/// The memory of an operation on a large file, in bytes.
const MEMORY: usize = 1 << 30;
/// The largest size of files that need no such limit, since the program's own is lower.
const SMALL: usize = 32 << 20;

/// Files that a user dropped on a page, and what became of them. Methods that return text return
/// JSON.
#[derive(Debug, Default)]
pub struct Session {
    pub(crate) files: MemoryFiles,
    limits: Limits,
    /// The last page.
    pub(crate) page: Vec<u8>,
    /// The models of the last page, as GLB.
    pub(crate) models: Vec<Vec<u8>>,
    /// The last repaired file.
    pub(crate) repaired: Vec<u8>,
    /// The files of the last conversion.
    pub(crate) outputs: Vec<Vec<u8>>,
}

#[derive(Serialize)]
struct Nothing {}

impl Session {
    /// Starts without files. `limits` is JSON, `{"input_bytes": …, "memory": …}`, or empty.
    /// Anything else is ignored.
    #[must_use]
    pub fn new(limits: &str) -> Session {
        Session { limits: serde_json::from_str(limits).unwrap_or_default(), ..Session::default() }
    }

    /// Adds a file, or replaces the one with this path. If there would be too much, nothing
    /// changes.
    pub fn add(&mut self, path: &str, bytes: Vec<u8>) -> String {
        let most = self.limits.input_bytes.unwrap_or(INPUT);
        let replaced = self.files.get(path).map_or(0, <[u8]>::len);
        let found = (self.files.bytes() - replaced).saturating_add(bytes.len());
        let added = if found > most {
            let error = LimitError { what: "the files together", unit: "bytes", found, most };
            Err(Failure::file(error.to_string()))
        } else {
            self.files.insert(path, bytes);
            Ok(Nothing {})
        };
        answer(Some(path), added)
    }

    /// Removes a file.
    pub fn remove(&mut self, path: &str) {
        self.files.remove(path);
    }

    /// Forgets everything except the limits.
    pub fn clear(&mut self) {
        *self = Session { limits: self.limits, ..Session::default() };
    }

    /// Returns the page that was made last, as HTML, and forgets it.
    pub fn html(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.page)
    }

    /// Returns a model of the last page as GLB, and forgets it.
    pub fn model(&mut self, number: usize) -> Vec<u8> {
        self.models.get_mut(number).map(std::mem::take).unwrap_or_default()
    }

    /// Returns the last repaired file.
    #[must_use]
    pub fn repaired(&self) -> &[u8] {
        &self.repaired
    }

    /// Returns a file of the last conversion, and forgets it.
    pub fn output(&mut self, number: usize) -> Vec<u8> {
        self.outputs.get_mut(number).map(std::mem::take).unwrap_or_default()
    }

    /// Forgets what became of files.
    pub(crate) fn forget(&mut self) {
        self.page.clear();
        self.models.clear();
        self.repaired.clear();
        self.outputs.clear();
    }

    /// Returns the options for reading files.
    pub(crate) fn load_options(&self, options: &Options) -> Result<LoadOptions, Failure> {
        let mut limits = anim_formats::anim_ir::Limits::default();
        limits.input_bytes = self.limits.input_bytes.unwrap_or(INPUT);
        limits.memory = self.limits.memory.or((self.files.bytes() > SMALL).then_some(MEMORY));
        options.load(limits)
    }

    /// Reads a file. The flag is true if only part of it was read.
    pub(crate) fn parse(
        &self,
        path: &str,
        load: &LoadOptions,
    ) -> Result<(Parsed<AnyDocument<'static>>, bool), Failure> {
        let bytes = self.files.get(path).ok_or_else(|| {
            Failure::usage(format!("no file {} was added", quote(path.as_bytes())))
        })?;
        let file = read_bytes(bytes, path, load)?;
        let mut parsed = parse_bytes(file.bytes, Some(name_of(path)), load)?;
        let cut = !file.diagnostics.is_empty();
        parsed.diagnostics.append(file.diagnostics);
        Ok((parsed, cut))
    }

    /// Reads a file that is combined with others, of which `first` is the first. Only that is read
    /// in the format that was asked for.
    pub(crate) fn part(
        &self,
        path: &str,
        first: &str,
        load: &LoadOptions,
    ) -> Result<Part<'static>, Failure> {
        let load = if path == first { load.clone() } else { load.clone().with_format(None) };
        let (parsed, _) = self.parse(path, &load).map_err(|failure| failure.about(path))?;
        Ok(self.part_of(parsed, path, first, &load))
    }

    /// Makes a part of a file that has been read.
    pub(crate) fn part_of(
        &self,
        parsed: Parsed<AnyDocument<'static>>,
        path: &str,
        first: &str,
        load: &LoadOptions,
    ) -> Part<'static> {
        let way = way_between(&folder_of(path), &folder_of(first)).unwrap_or_default();
        let files = Box::new(self.files.companions(path, load));
        Part { name: stem_of(path), parsed, files, way }
    }
}

/// Returns the name of a file without its folders.
pub(crate) fn name_of(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// Returns the name of a file without its folders and extension.
pub(crate) fn stem_of(path: &str) -> String {
    Path::new(path).file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Returns the folder of a file as an absolute path.
pub(crate) fn folder_of(path: &str) -> std::path::PathBuf {
    let path = Path::new("/").join(path);
    path.parent().unwrap_or(Path::new("/")).to_owned()
}
