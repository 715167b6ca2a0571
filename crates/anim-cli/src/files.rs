//! Finds the input files: those named on the command line, those in folders, and those that match
//! patterns that the shell did not expand.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Component, Path, PathBuf};

use anim_formats::anim_ir::Confidence;
use anim_formats::anim_ir::diag::escape;
use anim_formats::{Format, LoadOptions, detect, folder_of, frame_files, inlined_files};
use glob::{MatchOptions, Pattern};
use walkdir::{DirEntry, WalkDir};

use crate::fault;
use crate::input::{Input, is_pattern};
use crate::status::Failure;
use crate::term::{print_note, print_verbose, show_path, thousands};

/// The number of bytes to read to detect the format of a file from its content.
const HEAD: u64 = 64 << 10;
/// The maximum number of notes about links.
const MOST_NOTES: usize = 10;
/// Shell-like matching: `*` matches neither separators nor a leading dot.
const MATCHING: MatchOptions = MatchOptions {
    case_sensitive: !cfg!(windows),
    require_literal_separator: true,
    require_literal_leading_dot: true,
};

/// A file to read. An unreadable file is reported only when it is read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) path: PathBuf,
    pub(crate) by: By,
    /// The path of the file's folder, relative to the folder named on the command line or to the
    /// literal part of the pattern. It is preserved in outputs.
    pub(crate) below: PathBuf,
}

/// How a file was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum By {
    Name,
    Pattern,
    Folder,
}

impl Found {
    fn named(path: impl Into<PathBuf>) -> Found {
        Found { path: path.into(), by: By::Name, below: PathBuf::new() }
    }

    pub(crate) fn input(&self) -> Input<'_> {
        match Input::new(&self.path) {
            Input::File(path, _) if self.by == By::Folder => {
                let depth = self.below.components().count();
                Input::File(path, path.ancestors().nth(depth.saturating_add(1)))
            }
            input => input,
        }
    }
}

/// All input files, in the order of the command line; files in a folder or matching a pattern are
/// sorted by name.
#[derive(Debug, Default)]
pub(crate) struct Files {
    pub(crate) found: Vec<Found>,
    /// Whether the command line may refer to several files, regardless of how many were found.
    pub(crate) several: bool,
    /// Whether the command line names a folder.
    pub(crate) from_folder: bool,
    /// The number of files in folders that were skipped.
    passed_over: usize,
    /// The number of files skipped because they are frames of other files.
    frames: usize,
    /// Whether a folder contains several animations that are made of frames.
    pub(crate) several_animations: bool,
}

impl Files {
    /// Finds the input files. If a format is given, folders and patterns yield only files of that
    /// format. The output folder is skipped if it is inside a folder that is searched.
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
                && let Some(matches) = matches(path, format)
            {
                files.several = true;
                files.found.extend(matches);
            } else {
                files.found.push(Found::named(path));
            }
        }
        if files.found.iter().filter(|found| matches!(found.input(), Input::Stdin)).count() > 1 {
            return Err(Failure::usage("standard input can be read only once"));
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

    /// Skips links found in folders, since the target of a link is either in the folder, and is
    /// rewritten under its own name, or outside it.
    pub(crate) fn pass_over_links(&mut self) {
        let before = self.found.len();
        let is_link =
            |file: &Found| file.path.symlink_metadata().is_ok_and(|metadata| metadata.is_symlink());
        self.found.retain(|file| file.by != By::Folder || !is_link(file));
        self.pass_over(before.saturating_sub(self.found.len()));
    }

    /// Returns the number of folders that contain inputs.
    pub(crate) fn folders(&self) -> usize {
        self.found.iter().map(|file| folder_of(&file.path)).collect::<HashSet<_>>().len()
    }

    /// Adds to the number of skipped files.
    pub(crate) fn pass_over(&mut self, files: usize) {
        self.passed_over = self.passed_over.saturating_add(files);
    }

    /// Returns `; 12 other files skipped; 61 files are frames of other files`, or an empty string.
    pub(crate) fn others(&self) -> String {
        let passed_over = match self.passed_over {
            0 => String::new(),
            1 => "; 1 other file skipped".to_owned(),
            number => format!("; {} other files skipped", thousands(number)),
        };
        let frames = match self.frames {
            0 => String::new(),
            1 => "; 1 file is a frame of another file".to_owned(),
            number => format!("; {} files are frames of other files", thousands(number)),
        };
        passed_over + &frames
    }

    /// Skips files that are frames of other inputs, or that such frames include, since frames are
    /// converted as part of their animation. Files named on the command line are kept.
    pub(crate) fn leave_out_frames(&mut self, options: &LoadOptions) {
        if self.found.len() < 2 || self.found.iter().all(|file| file.by == By::Name) {
            return;
        }
        let mut frames: HashSet<PathBuf> = HashSet::new();
        let mut folders: HashSet<&Path> = HashSet::new();
        let mut several_animations = false;
        for file in self.found.iter().filter(|file| has_frames(&file.path)) {
            several_animations |= !folders.insert(folder_of(&file.path));
            // Unreadable files are reported when they are converted.
            let Ok((parsed, _)) = fault::guard(|| file.input().parse_ahead(options)) else {
                continue;
            };
            let folder = folder_of(&file.path);
            let paths = frame_files(&parsed.value).into_iter();
            frames.extend(paths.filter_map(|path| folder.join(path).canonicalize().ok()));
        }
        self.several_animations = several_animations;
        self.add_inlined(&mut frames, options);
        let before = self.found.len();
        self.found.retain(|file| {
            file.by == By::Name
                || file.path.canonicalize().map_or(true, |path| !frames.contains(&path))
        });
        self.frames = before.saturating_sub(self.found.len());
    }

    /// Adds the scenes that frames include, directly or indirectly. Each file is read only once.
    fn add_inlined(&self, frames: &mut HashSet<PathBuf>, options: &LoadOptions) {
        let mut found: HashMap<PathBuf, &Found> = HashMap::new();
        for file in self.found.iter().filter(|_| !frames.is_empty()) {
            if let Ok(path) = file.path.canonicalize() {
                found.insert(path, file);
            }
        }
        let mut open: Vec<PathBuf> = frames.iter().cloned().collect();
        while let Some(path) = open.pop() {
            // Only inputs can be skipped, so no other file is read.
            let Some(file) = found.get(&path) else { continue };
            let Ok((parsed, _)) = fault::guard(|| file.input().parse_ahead(options)) else {
                continue;
            };
            for inlined in inlined_files(&parsed.value) {
                let Ok(inlined) = folder_of(&file.path).join(inlined).canonicalize() else {
                    continue;
                };
                // An animation is converted even if a frame includes its first frame.
                if !has_frames(&inlined) && frames.insert(inlined.clone()) {
                    open.push(inlined);
                }
            }
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
        let mut ignored: BTreeMap<String, usize> = BTreeMap::new();
        let mut outside = Vec::new();
        let whole = folder.canonicalize();
        let leads_out = |entry: &DirEntry| {
            let target = entry.path().canonicalize();
            let is_inside =
                matches!((&whole, target), (Ok(whole), Ok(target)) if target.starts_with(whole));
            entry.path_is_symlink() && !is_inside
        };
        for entry in entries
            .filter_entry(|entry| entry.depth() == 0 || !is_hidden(entry) && !is_output(entry))
        {
            let path = match &entry {
                Err(error) => error.path().unwrap_or(folder),
                Ok(entry) if !is_file(entry) => continue,
                Ok(entry) if entry.depth() > 0 && leads_out(entry) => {
                    outside.push(show_path(entry.path()));
                    continue;
                }
                Ok(entry) => entry.path(),
            };
            if entry.is_err() || is_known(path, format) {
                let below = path
                    .parent()
                    .and_then(|parent| parent.strip_prefix(folder).ok())
                    .unwrap_or(Path::new(""));
                let (path, below) = (path.to_owned(), below.to_owned());
                self.found.push(Found { path, by: By::Folder, below });
            } else {
                let extension = path.extension().map(|extension| extension.to_string_lossy());
                let kind = extension.map_or("without extension".to_owned(), |extension| {
                    format!(".{}", escape(&extension.to_lowercase()))
                });
                let count = ignored.entry(kind).or_default();
                *count = count.saturating_add(1);
            }
        }
        report_links(folder, &outside);
        self.pass_over(outside.len());
        report_ignored(folder, format, &ignored);
        self.pass_over(ignored.values().fold(0, |sum, count| sum.saturating_add(*count)));
    }
}

/// Reports links that lead out of the folder: naming a folder does not ask for files elsewhere.
fn report_links(folder: &Path, links: &[String]) {
    let folder = show_path(folder);
    for link in links.iter().take(MOST_NOTES) {
        print_note(format_args!("{link} skipped: symbolic link to a file outside of {folder}"));
    }
    if let Some(more) = links.len().checked_sub(MOST_NOTES).filter(|more| *more > 0) {
        print_note(format_args!("… and {} more such links in {folder}", thousands(more)));
    }
}

/// Prints the number of ignored files with each extension, the most frequent first.
fn report_ignored(folder: &Path, format: Option<Format>, ignored: &BTreeMap<String, usize>) {
    if ignored.is_empty() {
        return;
    }
    let mut kinds: Vec<(&String, &usize)> = ignored.iter().collect();
    kinds.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    let kinds: Vec<String> =
        kinds.iter().map(|(kind, count)| format!("{} {kind}", thousands(**count))).collect();
    let why = match format {
        Some(format) => format!("not {} (--from {})", format.title(), format.id()),
        None => "unsupported format".to_owned(),
    };
    let (folder, kinds) = (show_path(folder), kinds.join(", "));
    print_verbose(format_args!("ignored in {folder}, {why}: {kinds}"));
}

/// Returns the files that match a pattern, restricted to one format if it is given. `None` if the
/// path is not a valid pattern or nothing matches.
fn matches(path: &Path, format: Option<Format>) -> Option<Vec<Found>> {
    let is_literal = |part: &Component<'_>| !is_pattern(Path::new(part.as_os_str()));
    let folder: PathBuf = path.components().take_while(is_literal).collect();
    let rest: PathBuf = path.components().skip_while(is_literal).collect();
    let pattern = Pattern::new(rest.to_str()?).ok()?;
    let parts = rest.components();
    // `**` matches any number of folders.
    let depth =
        if parts.clone().any(|part| part.as_os_str() == "**") { usize::MAX } else { parts.count() };
    let start = if folder.as_os_str().is_empty() { Path::new(".") } else { &folder };
    let entries = WalkDir::new(start).min_depth(1).max_depth(depth).sort_by_file_name().into_iter();
    // Unreadable folders are skipped.
    let entries = entries
        .filter_entry(|entry| entry.depth() == 0 || !is_hidden(entry))
        .filter_map(Result::ok)
        .filter(is_file);
    let fits = |entry: DirEntry| {
        let path = entry.path().strip_prefix(start).ok()?;
        // Invalid UTF-8 becomes replacement characters, which `*` matches too.
        let fits = pattern.matches_with(&path.to_string_lossy(), MATCHING)
            && (format.is_none() || is_known(entry.path(), format));
        fits.then(|| (folder.join(path), path.parent().unwrap_or(Path::new("")).to_owned()))
    };
    let found = |(path, below): (PathBuf, PathBuf)| {
        // A file named `-` is not standard input.
        let path = if path.as_os_str() == "-" { Path::new(".").join(path) } else { path };
        Found { path, by: By::Pattern, below }
    };
    let found: Vec<Found> = entries.filter_map(fits).map(found).collect();
    (!found.is_empty()).then_some(found)
}

fn is_hidden(entry: &DirEntry) -> bool {
    entry.file_name().as_encoded_bytes().starts_with(b".")
}

/// Returns whether an entry is a regular file or a link to a regular file. Links to folders are not
/// followed.
fn is_file(entry: &DirEntry) -> bool {
    entry.file_type().is_file() || (entry.file_type().is_symlink() && entry.path().is_file())
}

/// Returns whether a file's name or content indicates a supported format, or the wanted format,
/// if given.
fn is_known(path: &Path, wanted: Option<Format>) -> bool {
    // `scene.x3d.gz` is an X3D file.
    let name = if path.extension() == Some(OsStr::new("gz")) {
        path.with_extension("")
    } else {
        path.to_owned()
    };
    let mut by_name =
        name.extension().and_then(OsStr::to_str).into_iter().flat_map(Format::with_extension);
    let by_content = || {
        // Any text that contains numbers might be a model, so a weak match is not enough.
        let found = head(path).map(|head| detect(&head, None)).unwrap_or_default();
        found.into_iter().filter(|found| found.confidence >= Confidence::Likely).collect::<Vec<_>>()
    };
    let Some(wanted) = wanted else { return by_name.next().is_some() || !by_content().is_empty() };
    // Formats may share an extension, so conclusive content takes precedence.
    let by_content = by_content();
    match by_content.first() {
        Some(first) => by_content
            .iter()
            .take_while(|found| found.confidence == first.confidence)
            .any(|found| found.format == wanted),
        None => by_name.any(|format| format == wanted),
    }
}

/// Returns whether a file may use other files as its frames.
fn has_frames(path: &Path) -> bool {
    let name = path.file_name().map(OsStr::to_string_lossy);
    let found = head(path).map(|head| detect(&head, name.as_deref())).unwrap_or_default();
    found.first().is_some_and(|found| found.format.plays_frames())
}

fn head(path: &Path) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    // Reading `/proc/kmsg`, which claims to be an empty file, waits for messages of the kernel.
    if path.metadata()?.len() > 0 {
        File::open(path)?.take(HEAD).read_to_end(&mut head)?;
    }
    Ok(head)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// Creates a folder with these files: a `.txt` contains one word, all others a small model.
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

    /// Returns the files found, relative to the folder.
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
    fn folders_are_searched_in_order() {
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
        assert_eq!(
            found(folder.path(), "out"),
            ["out/x.amo"],
            "a file is an input if it is named explicitly"
        );
        let files = Files::find(&[folder.path().to_owned()], None, None).unwrap();
        assert_eq!(files.found[0].below, Path::new("a/sub"));
        assert_eq!(files.others(), "; 1 other file skipped");
        fs::write(folder.path().join("a/sub/1.stt"), "#MINDRENDER 1.1 1").unwrap();
        let stt = Files::find(&[folder.path().to_owned()], "stt".parse().ok(), None).unwrap();
        assert_eq!(
            stt.found.iter().map(|found| found.path.file_name().unwrap()).collect::<Vec<_>>(),
            ["1.stt"]
        );
        let none = Files::find(&[folder.path().to_owned()], "tmd".parse().ok(), None).unwrap_err();
        assert!(none.message.ends_with("; 7 other files skipped"), "{}", none.message);
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
        assert_eq!(of("w*"), ["w.txt", "walk [1].amo", "walk.amo"], "as in a shell, of any format");
        assert_eq!(of("*/walk.amo"), ["sub/walk.amo"]);
        assert_eq!(of("**/walk.amo"), ["sub/deep/walk.amo", "sub/walk.amo", "walk.amo"]);
        assert_eq!(of("[rw]??*.amo"), ["run.amo", "walk [1].amo", "walk.amo"]);
        assert_eq!(of("walk [1].amo"), ["walk [1].amo"], "a file with that name exists");
        assert_eq!(of("none*"), ["none*"], "a later read reports that the file does not exist");
        assert_eq!(of("[walk.amo"), ["[walk.amo"]);
        let find = |format: &str| {
            let given = [folder.path().join("**/w*")];
            Files::find(&given, format.parse().ok(), None).unwrap().found
        };
        let below: Vec<PathBuf> = find("").into_iter().map(|found| found.below).collect();
        assert_eq!(below, ["sub/deep", "sub", "", "", ""].map(PathBuf::from));
        assert_eq!(find("amo").len(), 4, "the text file has no supported format");
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
        symlink("a.amo", folder.path().join("in/near.amo")).unwrap();
        assert_eq!(found(folder.path(), "in"), ["in/a.amo", "in/near.amo"]);
        assert_eq!(
            found(folder.path(), "link"),
            ["link/a.amo", "link/near.amo"],
            "a link named on the command line is followed"
        );
        assert_eq!(found(folder.path(), "in/file.amo"), ["in/file.amo"]);
        assert_eq!(
            found(folder.path(), "in/**/*.amo"),
            ["in/a.amo", "in/file.amo", "in/near.amo"],
            "as in a shell"
        );
    }
}
