//! Companion files in memory, by the rules for those in a folder.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use anim_ir::address::{castle_data, relative_path};
use anim_ir::{Limits, ResolveError, Resolver};

use super::options::{LoadOptions, OnRead};
use super::path::way_between;
use super::project::{DATA, MANIFEST, no_project, project_path};

/// The error for a path outside the files.
const OUTSIDE: ResolveError =
    ResolveError::Outside { hint: "add the folder that contains both files" };

/// Files in memory, such as those that a user dropped on a page. Their paths have forward slashes
/// and are relative to a folder that contains them all.
#[derive(Clone, Debug, Default)]
pub struct MemoryFiles {
    files: Arc<BTreeMap<String, Arc<Vec<u8>>>>,
    /// The paths by their lower-case spelling, which several may share.
    spellings: Arc<BTreeSet<(String, String)>>,
    /// The size of all files together.
    bytes: usize,
}

impl MemoryFiles {
    /// Adds a file, or replaces the one with this path. Empty segments and `.` are removed from the
    /// path; `..` does not lead out of the folder.
    pub fn insert(&mut self, path: &str, bytes: Vec<u8>) {
        let path = plain(path);
        self.remove(&path);
        self.bytes = self.bytes.saturating_add(bytes.len());
        Arc::make_mut(&mut self.spellings).insert((path.to_lowercase(), path.clone()));
        Arc::make_mut(&mut self.files).insert(path, Arc::new(bytes));
    }

    /// Removes a file.
    pub fn remove(&mut self, path: &str) {
        let path = plain(path);
        if let Some(removed) = Arc::make_mut(&mut self.files).remove(&path) {
            self.bytes = self.bytes.saturating_sub(removed.len());
            Arc::make_mut(&mut self.spellings).remove(&(path.to_lowercase(), path));
        }
    }

    /// Returns the content of a file.
    pub fn get(&self, path: &str) -> Option<&[u8]> {
        self.files.get(&plain(path)).map(|bytes| bytes.as_slice())
    }

    /// Returns the size of all files together, in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Returns the paths of all files, in order, and their content.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.files.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice()))
    }

    /// Returns a resolver for the companion files of the file with this path: those in any folder.
    /// [`LoadOptions::root`] has no effect.
    pub fn companions(&self, of: &str, options: &LoadOptions) -> MemoryFolder {
        MemoryFolder {
            files: self.clone(),
            folder: of.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned(),
            limits: options.settings.limits,
            on_read: options.on_read.clone(),
            left: options.settings.limits.input_bytes,
        }
    }

    /// Finds a file by its path or, like file systems that ignore case, by a path that differs in
    /// case only.
    fn find(&self, path: &str) -> Option<(&str, &Arc<Vec<u8>>)> {
        let exact = self.files.get_key_value(path);
        let other = || {
            let wanted = path.to_lowercase();
            let (found, path) = self.spellings.range((wanted.clone(), String::new())..).next()?;
            (*found == wanted).then(|| self.files.get_key_value(path))?
        };
        exact.or_else(other).map(|(path, bytes)| (path.as_str(), bytes))
    }

    /// Returns the data folder of the project that a folder belongs to.
    fn data_folder(&self, folder: &str) -> Option<String> {
        let mut root = Some(folder);
        while let Some(folder) = root {
            let within = |name: &str| below(folder, name);
            if self.files.contains_key(&within(MANIFEST)) {
                let data = within(DATA);
                let inside = format!("{data}/");
                let mut after = self.files.range(inside.clone()..);
                return after.next().filter(|(path, _)| path.starts_with(&inside)).map(|_| data);
            }
            root = match folder.rsplit_once('/') {
                Some((above, _)) => Some(above),
                None => (!folder.is_empty()).then_some(""),
            };
        }
        None
    }
}

/// Removes empty segments, `.` and `..` from a path.
fn plain(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// Returns the path of a file in a folder.
fn below(folder: &str, path: &str) -> String {
    if folder.is_empty() { path.to_owned() } else { format!("{folder}/{path}") }
}

/// Opens the companion files of a file in memory ([`MemoryFiles::companions`]).
#[derive(Clone, Debug)]
pub struct MemoryFolder {
    files: MemoryFiles,
    /// The folder that URIs are relative to.
    folder: String,
    limits: Limits,
    on_read: OnRead,
    /// The number of bytes that may still be read.
    left: usize,
}

impl MemoryFolder {
    fn path(&self, address: &str) -> Result<String, ResolveError> {
        if let Some(path) = castle_data(address) {
            let data = self.files.data_folder(&self.folder).ok_or_else(|| no_project(""))?;
            return Ok(below(&data, &project_path(path)?));
        }
        let path = relative_path(address)?;
        let mut parts: Vec<&str> = self.folder.split('/').filter(|part| !part.is_empty()).collect();
        for part in path.split('/') {
            match part {
                "" | "." => {}
                ".." => drop(parts.pop().ok_or(OUTSIDE)?),
                part => parts.push(part),
            }
        }
        Ok(parts.join("/"))
    }

    fn find(&self, address: &str) -> Result<(String, Arc<Vec<u8>>), ResolveError> {
        let path = self.path(address)?;
        let (path, bytes) = self.files.find(&path).ok_or(ResolveError::NotFound)?;
        Ok((path.to_owned(), Arc::clone(bytes)))
    }

    /// Finds a file that a result depends on.
    fn open(&self, address: &str) -> Result<Arc<Vec<u8>>, ResolveError> {
        let (path, bytes) = self.find(address)?;
        self.on_read.call(Path::new(&path));
        Ok(bytes)
    }
}

impl Resolver for MemoryFolder {
    fn read(&mut self, address: &str) -> Result<Vec<u8>, ResolveError> {
        let limits = Limits { input_bytes: self.left, ..self.limits };
        if let Some(content) = anim_ir::address::data(address) {
            let content = content?;
            limits.check_input(content.len())?;
            return Ok(content);
        }
        let bytes = self.open(address)?;
        limits.check_input(bytes.len())?;
        self.left = self.left.saturating_sub(bytes.len());
        Ok(bytes.to_vec())
    }

    fn head(&mut self, address: &str, most: usize) -> Result<Vec<u8>, ResolveError> {
        let bytes = self.open(address)?;
        Ok(bytes.get(..most).unwrap_or(&bytes).to_vec())
    }

    fn exists(&mut self, address: &str) -> bool {
        self.open(address).is_ok()
    }

    fn way(&mut self, address: &str) -> Option<String> {
        let path = castle_data(address).and_then(|_| self.path(address).ok())?;
        let root = Path::new("/");
        way_between(&root.join(path), &root.join(&self.folder))
    }

    fn limit(&self) -> usize {
        self.left
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(paths: &[&str]) -> MemoryFiles {
        let mut files = MemoryFiles::default();
        paths.iter().for_each(|path| files.insert(path, path.as_bytes().to_vec()));
        files
    }

    fn read(files: &MemoryFiles, of: &str, address: &str) -> Result<String, String> {
        let mut folder = files.companions(of, &LoadOptions::default());
        let read = folder.read(address).map_err(|error| error.to_string());
        read.map(|bytes| String::from_utf8(bytes).unwrap())
    }

    #[test]
    fn addresses_are_relative_to_the_folder_of_the_file_and_stay_inside() {
        let files = files(&["set/a.x3d", "set/tex/b c.png", "other/d.png", "e.png"]);
        let read = |address| read(&files, "set/a.x3d", address);
        assert_eq!(read("tex/b%20c.png").as_deref(), Ok("set/tex/b c.png"));
        assert_eq!(read("./tex/../../other/d.png").as_deref(), Ok("other/d.png"));
        assert_eq!(read("../e.png").as_deref(), Ok("e.png"));
        assert_eq!(read("TEX/B C.PNG").as_deref(), Ok("set/tex/b c.png"));
        assert!(read("../../e.png").unwrap_err().contains("add the folder"));
        assert!(read("e.png").is_err(), "it is in another folder");
        for refused in ["/e.png", "http://host/e.png", "c:/e.png", "tex\\b c.png", "tex"] {
            assert!(read(refused).is_err(), "{refused}");
        }
        assert_eq!(read("data:,x").as_deref(), Ok("x"));
    }

    #[test]
    fn castle_data_is_below_the_data_folder_of_the_project() {
        let with = files(&["game/CastleEngineManifest.xml", "game/data/t.png", "game/code/a.x3d"]);
        let of = "game/code/a.x3d";
        assert_eq!(read(&with, of, "castle-data:/t.png").as_deref(), Ok("game/data/t.png"));
        assert!(read(&with, of, "castle-data:/../code/a.x3d").is_err());
        let mut folder = with.companions(of, &LoadOptions::default());
        assert_eq!(folder.way("castle-data:/t.png").as_deref(), Some("../data/t.png"));
        assert_eq!(folder.way("t.png"), None);
        let without = files(&["game/data/t.png", "game/code/a.x3d"]);
        assert!(read(&without, of, "castle-data:/t.png").unwrap_err().contains(MANIFEST));
    }

    #[test]
    fn files_are_counted_by_size_and_known_by_one_path() {
        let mut files = files(&["a/b", "A/b"]);
        assert_eq!(files.bytes(), 6);
        files.insert("./a//b", b"longer".to_vec());
        assert_eq!((files.bytes(), files.get("/a/b")), (9, Some(&b"longer"[..])));
        assert_eq!(read(&files, "x", "A/B").as_deref(), Ok("A/b"), "the first of two spellings");
        files.remove("A/./b");
        assert_eq!((files.bytes(), files.get("A/b")), (6, None));
        assert_eq!(read(&files, "x", "A/B").as_deref(), Ok("longer"));
    }

    #[test]
    fn files_share_a_budget_of_bytes() {
        let files = files(&["a", "bb"]);
        let mut options = LoadOptions::default();
        options.settings.limits.input_bytes = 2;
        let mut folder = files.companions("x", &options);
        assert!(folder.read("bb").is_ok() && folder.limit() == 0);
        assert!(matches!(folder.read("a"), Err(ResolveError::TooLarge(_))));
    }
}
