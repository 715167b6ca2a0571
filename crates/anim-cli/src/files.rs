//! Which files the command line means: files, folders with all that is in them, and patterns that
//! the shell has left as they are.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Component, Path, PathBuf};

use anim_formats::anim_ir::Confidence;
use anim_formats::{Format, detect};
use glob::{MatchOptions, Pattern};
use walkdir::{DirEntry, WalkDir};

use crate::input::{Input, is_pattern};
use crate::status::Failure;
use crate::term::{show_path, tell_verbose, thousands};

/// Bytes from which it is told whether a file without a name that is known here is of a known
/// format.
const HEAD: u64 = 64 << 10;
/// As shells have it: a star stands for no separator, and for no dot at the start.
const MATCHING: MatchOptions = MatchOptions {
    case_sensitive: !cfg!(windows),
    require_literal_separator: true,
    require_literal_leading_dot: true,
};

/// One file to read, or what cannot be read: then reading it tells why.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) path: PathBuf,
    /// The folders between the one that the command line names and the file; `None` where it names
    /// the file itself, or a pattern that fits it.
    pub(crate) below: Option<PathBuf>,
}

impl Found {
    fn named(path: impl Into<PathBuf>) -> Found {
        Found { path: path.into(), below: None }
    }

    pub(crate) fn input(&self) -> Input<'_> {
        Input::new(&self.path)
    }
}

/// All that the command line means, in its order; what is in a folder or fits a pattern in the
/// order of names.
#[derive(Debug, Default)]
pub(crate) struct Files {
    pub(crate) found: Vec<Found>,
    /// Whether it may mean several, however many there are.
    pub(crate) several: bool,
    /// Whether it names a folder.
    pub(crate) from_folder: bool,
    /// Files in folders that are of no format known here.
    passed_over: usize,
}

impl Files {
    /// Finds what the command line means. Of folders the files of one format only, where that is
    /// given. The folder `output`, which results go to, is not looked into where it lies inside
    /// another.
    pub(crate) fn find(
        given: &[PathBuf],
        format: Option<Format>,
        output: Option<&Path>,
    ) -> Result<Files, Failure> {
        let mut files = Files { several: given.len() > 1, ..Files::default() };
        let output = output.and_then(|output| output.canonicalize().ok());
        for path in given {
            if path.as_os_str() == "-" {
                files.found.push(Found::named(path));
            } else if path.is_dir() {
                files.add_folder(path, format, output.as_deref());
            } else if path.symlink_metadata().is_err()
                && let Some(matches) = matches(path)
            {
                files.several = true;
                files.found.extend(matches);
            } else {
                files.found.push(Found::named(path));
            }
        }
        if files.found.iter().filter(|found| matches!(found.input(), Input::Stdin)).count() > 1 {
            return Err(Failure::usage("standard input can be read once only"));
        }
        if files.found.is_empty() {
            let folders: Vec<String> = given.iter().map(|path| show_path(path)).collect();
            return Err(Failure::usage(format!(
                "no supported files in {}{}",
                folders.join(", "),
                files.others()
            )));
        }
        Ok(files)
    }

    /// Passes over links that are in folders: what they lead to is written anew under its own name,
    /// or is nothing of that folder's.
    pub(crate) fn pass_over_links(&mut self) {
        let before = self.found.len();
        let is_link =
            |file: &Found| file.path.symlink_metadata().is_ok_and(|metadata| metadata.is_symlink());
        self.found.retain(|file| file.below.is_none() || !is_link(file));
        self.pass_over(before.saturating_sub(self.found.len()));
    }

    /// More of the files turned out to be of kinds that are passed over.
    pub(crate) fn pass_over(&mut self, files: usize) {
        self.passed_over = self.passed_over.saturating_add(files);
    }

    /// `; 12 of other kinds passed over`, or nothing.
    pub(crate) fn others(&self) -> String {
        match self.passed_over {
            0 => String::new(),
            number => format!("; {} of other kinds passed over", thousands(number)),
        }
    }

    fn add_folder(&mut self, folder: &Path, format: Option<Format>, output: Option<&Path>) {
        (self.several, self.from_folder) = (true, true);
        let is_output = |entry: &DirEntry| {
            entry.file_type().is_dir()
                && output.is_some_and(|output| {
                    entry.path().canonicalize().is_ok_and(|path| path == output)
                })
        };
        let entries = WalkDir::new(folder).sort_by_file_name().into_iter();
        for entry in entries
            .filter_entry(|entry| entry.depth() == 0 || !is_hidden(entry) && !is_output(entry))
        {
            let path = match &entry {
                Err(error) => error.path().unwrap_or(folder),
                Ok(entry) if !is_file(entry) => continue,
                Ok(entry) => entry.path(),
            };
            if entry.is_err() || is_known(path, format) {
                let below = path
                    .parent()
                    .and_then(|parent| parent.strip_prefix(folder).ok())
                    .unwrap_or(Path::new(""));
                self.found.push(Found { path: path.to_owned(), below: Some(below.to_owned()) });
            } else {
                tell_verbose(format_args!("ignored {}: unsupported format", show_path(path)));
                self.passed_over = self.passed_over.saturating_add(1);
            }
        }
    }
}

/// The files that fit a pattern; `None` where it is none, or where nothing fits.
fn matches(path: &Path) -> Option<Vec<Found>> {
    let is_literal = |part: &Component<'_>| !is_pattern(Path::new(part.as_os_str()));
    let folder: PathBuf = path.components().take_while(is_literal).collect();
    let rest: PathBuf = path.components().skip_while(is_literal).collect();
    let pattern = Pattern::new(rest.to_str()?).ok()?;
    let parts = rest.components();
    // Two stars stand for any number of folders.
    let depth =
        if parts.clone().any(|part| part.as_os_str() == "**") { usize::MAX } else { parts.count() };
    let start = if folder.as_os_str().is_empty() { Path::new(".") } else { &folder };
    let entries = WalkDir::new(start).min_depth(1).max_depth(depth).sort_by_file_name().into_iter();
    // What cannot be looked into has nothing that fits.
    let entries = entries
        .filter_entry(|entry| entry.depth() == 0 || !is_hidden(entry))
        .filter_map(Result::ok)
        .filter(is_file);
    let fits = |entry: DirEntry| {
        let path = entry.path().strip_prefix(start).ok()?;
        // A character that stands for bytes that are no UTF-8 fits a star as well as they do.
        pattern.matches_with(&path.to_string_lossy(), MATCHING).then(|| folder.join(path))
    };
    // A file of that name is not standard input.
    let file =
        |path: PathBuf| if path.as_os_str() == "-" { Path::new(".").join(path) } else { path };
    let found: Vec<Found> = entries.filter_map(fits).map(|path| Found::named(file(path))).collect();
    (!found.is_empty()).then_some(found)
}

fn is_hidden(entry: &DirEntry) -> bool {
    entry.file_name().as_encoded_bytes().starts_with(b".")
}

/// A regular file, or a link to one. Links to folders are not followed.
fn is_file(entry: &DirEntry) -> bool {
    entry.file_type().is_file() || (entry.file_type().is_symlink() && entry.path().is_file())
}

/// Whether name or content say that a file is of a format that is known here, or of the one that is
/// asked for.
fn is_known(path: &Path, wanted: Option<Format>) -> bool {
    let is_wanted = |format: Format| wanted.is_none_or(|wanted| wanted == format);
    // `scene.x3d.gz` is an X3D file.
    let name = if path.extension() == Some(OsStr::new("gz")) {
        path.with_extension("")
    } else {
        path.to_owned()
    };
    let mut by_name =
        name.extension().and_then(OsStr::to_str).into_iter().flat_map(Format::with_extension);
    by_name.any(is_wanted)
        || head(path).is_ok_and(|head| {
            // Any text with numbers may be a model; more than that is needed to take a file for
            // one.
            detect(&head, None).iter().any(|candidate| {
                candidate.confidence >= Confidence::Likely && is_wanted(candidate.format)
            })
        })
}

fn head(path: &Path) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    File::open(path)?.take(HEAD).read_to_end(&mut head)?;
    Ok(head)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// A folder with these files, which have the content that goes with the name.
    fn folder(names: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for name in names {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, if name.ends_with(".txt") { "a word" } else { "ao x\nvj 1 0 0 0\n" })
                .unwrap();
        }
        folder
    }

    /// What is found, relative to the folder.
    fn found(folder: &Path, given: &str) -> Vec<String> {
        let given = folder.join(given);
        let files = Files::find(&[given], None, Some(&folder.join("out"))).unwrap();
        files
            .found
            .iter()
            .map(|found| found.path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned())
            .collect()
    }

    #[test]
    fn folders_in_order() {
        let folder = folder(&[
            "b.amo",
            "a/z.AMO",
            "a/sub/1.stt",
            "a/no.txt",
            "c/content",
            ".hidden/x.amo",
            "a/.x.amo",
            "out/x.amo",
            "a.out/y.amo",
        ]);
        assert_eq!(
            found(folder.path(), ""),
            ["a/sub/1.stt", "a/z.AMO", "a.out/y.amo", "b.amo", "c/content"]
        );
        assert_eq!(found(folder.path(), "out"), ["out/x.amo"], "named, it is an input");
        let files = Files::find(&[folder.path().to_owned()], None, None).unwrap();
        assert_eq!(files.found[0].below.as_deref(), Some(Path::new("a/sub")));
        assert_eq!(files.others(), "; 1 of other kinds passed over");
        let stt = Files::find(&[folder.path().to_owned()], "stt".parse().ok(), None).unwrap();
        assert_eq!(
            stt.found.iter().map(|found| found.path.file_name().unwrap()).collect::<Vec<_>>(),
            ["1.stt"]
        );
        let none = Files::find(&[folder.path().to_owned()], "tmd".parse().ok(), None).unwrap_err();
        assert!(none.message.ends_with("; 7 of other kinds passed over"), "{}", none.message);
    }

    #[test]
    fn patterns() {
        let folder = folder(&[
            "walk.amo",
            "walk [1].amo",
            "run.amo",
            "sub/walk.amo",
            "sub/deep/walk.amo",
            ".walk.amo",
            "w.txt",
        ]);
        let of = |pattern| found(folder.path(), pattern);
        assert_eq!(of("*.amo"), ["run.amo", "walk [1].amo", "walk.amo"]);
        assert_eq!(of("w*"), ["w.txt", "walk [1].amo", "walk.amo"], "as from a shell, of any kind");
        assert_eq!(of("*/walk.amo"), ["sub/walk.amo"]);
        assert_eq!(of("**/walk.amo"), ["sub/deep/walk.amo", "sub/walk.amo", "walk.amo"]);
        assert_eq!(of("[rw]??*.amo"), ["run.amo", "walk [1].amo", "walk.amo"]);
        assert_eq!(of("walk [1].amo"), ["walk [1].amo"], "there is a file of that name");
        assert_eq!(of("none*"), ["none*"], "reading it tells that there is none");
        assert_eq!(of("[walk.amo"), ["[walk.amo"]);
    }

    #[cfg(unix)]
    #[test]
    fn links() {
        use std::os::unix::fs::symlink;
        let folder = folder(&["in/a.amo", "else/b.amo"]);
        symlink("../else", folder.path().join("in/folder")).unwrap();
        symlink("..", folder.path().join("in/up")).unwrap();
        symlink("../else/b.amo", folder.path().join("in/file.amo")).unwrap();
        symlink("in", folder.path().join("link")).unwrap();
        symlink("nowhere", folder.path().join("in/none.amo")).unwrap();
        assert_eq!(found(folder.path(), "in"), ["in/a.amo", "in/file.amo"]);
        assert_eq!(
            found(folder.path(), "link"),
            ["link/a.amo", "link/file.amo"],
            "the one that is named is followed"
        );
        assert_eq!(found(folder.path(), "in/**/*.amo"), ["in/a.amo", "in/file.amo"]);
    }
}
