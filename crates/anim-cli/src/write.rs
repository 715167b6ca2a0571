//! Writes files atomically: to a temporary file in the same folder, which is then renamed.

use std::collections::BTreeSet;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use anim_formats::folder_of;
use tempfile::{Builder, TempPath};

use crate::read_files::ReadFiles;
use crate::signals;
use crate::status::Failure;
use crate::term::show_path;

/// The prefix of temporary files and backup copies.
const PREFIX: &str = ".anim-";
/// The suffix of temporary files.
const SUFFIX: &str = ".tmp";
/// The suffix of backup copies of files that are written in place. These are never cleaned up.
const COPY: &str = ".copy";
/// The number of random characters between prefix and suffix.
const RANDOM: usize = 6;
/// The age after which a temporary file is considered abandoned.
const STALE: Duration = Duration::from_secs(60 * 60);

/// Writes files. All are written to temporary files before the first is renamed to its path; they
/// are renamed in the given order.
pub(crate) fn write_all(files: &[(PathBuf, &[u8])], replace: bool) -> Result<(), Failure> {
    let mut written = Vec::new();
    for (path, bytes) in files {
        // The file is closed, since few can be open at a time.
        let (_, file) =
            write_beside(path, bytes, SUFFIX).map_err(|error| cannot_write(path, &error))?;
        written.push((path, file));
    }
    for (path, file) in written {
        if replace {
            // The path may have changed since the last check.
            check_replaceable(path)?;
        }
        file.persist(path, replace).map_err(|error| cannot_write(path, &error))?;
    }
    Ok(())
}

/// Writes a file, which must be none of those that were read for it, and must not exist unless it
/// may be replaced.
pub(crate) fn write_new(
    path: &Path,
    bytes: &[u8],
    replace: bool,
    read: &ReadFiles,
) -> Result<(), Failure> {
    read.check_output(path)?;
    check_new(path, replace)?;
    write_all(&[(path.to_owned(), bytes)], replace)
}

/// Returns whether a regular file exists with this content.
pub(crate) fn is_equal(path: &Path, bytes: &[u8]) -> bool {
    let has_size = |metadata: Metadata| {
        metadata.is_file() && usize::try_from(metadata.len()).is_ok_and(|size| size == bytes.len())
    };
    fs::symlink_metadata(path).is_ok_and(has_size)
        && fs::read(path).is_ok_and(|found| found == bytes)
}

/// Rewrites a file, keeping its permissions, owner and hard links.
///
/// Most files are replaced atomically. A file with several hard links, or whose owner cannot be set
/// on a new file, is written in place: if that fails, or the program is killed while writing, a
/// complete copy remains next to it (`.anim-*.copy`).
pub(crate) fn rewrite(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    check_replaceable(path)?;
    let replaced = fs::metadata(path).and_then(|metadata| {
        if metadata.permissions().readonly() {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        if !is_shared(&metadata) {
            let (file, unfinished) = write_beside(path, bytes, SUFFIX)?;
            if take_owner(&file, &metadata).is_ok() {
                file.set_permissions(metadata.permissions())?;
                return unfinished.persist(path, true).map(|()| true);
            }
        }
        Ok(false)
    });
    if replaced.map_err(|error| cannot_write(path, &error))? {
        return Ok(());
    }
    write_in_place(path, bytes)
}

/// Overwrites the content of a file. The copy is removed only when the file is complete.
fn write_in_place(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let failure = |error: io::Error| cannot_write(path, &error);
    let (file, copy) = write_beside(path, bytes, COPY).map_err(failure)?;
    file.sync_all().map_err(failure)?;
    let mut place = OpenOptions::new().write(true).open(path).map_err(failure)?;
    // A signal ends the program only when the file is complete.
    let mut unfinished = signals::unfinished();
    let copy = copy.keep(&mut unfinished).map_err(failure)?;
    let mut write = || {
        place.write_all(bytes)?;
        place.set_len(u64::try_from(bytes.len()).unwrap_or(u64::MAX))?;
        place.sync_all()
    };
    write().map_err(|error| {
        let Failure { message, .. } = failure(error);
        let copy = show_path(&path.with_file_name(copy.file_name().unwrap_or_default()));
        Failure::usage(format!(
            "{message}; the file is now incomplete, but {copy} has the complete content"
        ))
    })?;
    // The file is written, whether or not the copy can be removed.
    let _ = fs::remove_file(copy);
    Ok(())
}

/// Returns whether a file has other hard links, which would keep the old content if it were
/// replaced.
fn is_shared(metadata: &Metadata) -> bool {
    #[cfg(unix)]
    return std::os::unix::fs::MetadataExt::nlink(metadata) > 1;
    #[cfg(not(unix))]
    {
        let _ = metadata;
        false
    }
}

/// Gives a new file the owner and group of an existing file.
#[cfg(unix)]
fn take_owner(file: &File, of: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt as _, fchown};
    let own = file.metadata()?;
    let (user, group) = (of.uid(), of.gid());
    if (own.uid(), own.gid()) == (user, group) {
        return Ok(());
    }
    fchown(file, Some(user), Some(group))
}

#[cfg(not(unix))]
fn take_owner(_: &File, _: &Metadata) -> io::Result<()> {
    Ok(())
}

/// Removes temporary files of killed runs from a folder, once per folder.
fn clean(folder: &Path) {
    static CLEANED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    if !CLEANED.lock().unwrap_or_else(PoisonError::into_inner).insert(folder.to_owned()) {
        return;
    }
    // Files that cannot be inspected or removed are ignored.
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.as_encoded_bytes();
        let is_ours = name
            .strip_prefix(PREFIX.as_bytes())
            .and_then(|rest| rest.strip_suffix(SUFFIX.as_bytes()))
            .is_some_and(|middle| {
                middle.len() == RANDOM && middle.iter().all(u8::is_ascii_alphanumeric)
            });
        let is_old = |metadata: Metadata| {
            let age = metadata.modified().ok().and_then(|time| time.elapsed().ok());
            metadata.is_file() && age.is_some_and(|age| age > STALE)
        };
        if is_ours && entry.metadata().is_ok_and(is_old) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// The path of a temporary file, which is removed if it is not renamed, even if a signal ends the
/// program.
struct Unfinished {
    /// `None` when renamed.
    temporary: Option<TempPath>,
    path: PathBuf,
}

impl Unfinished {
    fn create(builder: &Builder<'_, '_>, folder: &Path) -> io::Result<(File, Unfinished)> {
        let mut unfinished = signals::unfinished();
        let (file, temporary) = builder.tempfile_in(folder)?.into_parts();
        let path = temporary.to_path_buf();
        unfinished.insert(path.clone());
        Ok((file, Unfinished { temporary: Some(temporary), path }))
    }

    /// Keeps the file, and returns its path. `unfinished` are the files that are removed on a
    /// signal.
    fn keep(mut self, unfinished: &mut BTreeSet<PathBuf>) -> io::Result<PathBuf> {
        unfinished.remove(&self.path);
        match self.temporary.take() {
            Some(file) => file.keep().map_err(|error| error.error),
            None => Ok(self.path.clone()),
        }
    }

    /// Renames the file.
    fn persist(mut self, to: &Path, replace: bool) -> io::Result<()> {
        let mut unfinished = signals::unfinished();
        let Some(file) = self.temporary.take() else { return Ok(()) };
        unfinished.remove(&self.path);
        let moved = if replace { file.persist(to) } else { file.persist_noclobber(to) };
        moved.map_err(|error| error.error)
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if let Some(file) = self.temporary.take() {
            drop(file);
            signals::unfinished().remove(&self.path);
        }
    }
}

fn write_beside(path: &Path, bytes: &[u8], suffix: &str) -> io::Result<(File, Unfinished)> {
    clean(folder_of(path));
    let mut builder = Builder::new();
    builder.prefix(PREFIX).suffix(suffix).rand_bytes(RANDOM);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // The default for new files; the umask is applied to it.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let (mut file, unfinished) = Unfinished::create(&builder, folder_of(path))?;
    file.write_all(bytes).map_err(|error| match error.kind() {
        // The names of these read better than the system's text.
        kind @ (ErrorKind::StorageFull | ErrorKind::FileTooLarge | ErrorKind::QuotaExceeded) => {
            io::Error::from(kind)
        }
        _ => error,
    })?;
    Ok((file, unfinished))
}

/// Checks that a path does not exist or is a regular file. Links are neither followed nor replaced,
/// and pipes are not written to.
fn check_replaceable(path: &Path) -> Result<(), Failure> {
    let what = match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(cannot_write(path, &error)),
        Ok(metadata) if metadata.is_file() => return Ok(()),
        Ok(metadata) if metadata.is_dir() => "is a folder",
        Ok(metadata) if metadata.is_symlink() => "is a symbolic link; name the file itself",
        Ok(_) => "is not a regular file",
    };
    Err(Failure::usage(format!("cannot write {}: it {what}", show_path(path))))
}

/// Checks that the file may be written: it must not exist, unless `--force` is given.
pub(crate) fn check_new(path: &Path, replace: bool) -> Result<(), Failure> {
    check_replaceable(path)?;
    if !replace && path.symlink_metadata().is_ok() {
        return Err(Failure::usage(format!(
            "{} already exists; use --force to overwrite it",
            show_path(path)
        )));
    }
    Ok(())
}

fn cannot_write(path: &Path, error: &io::Error) -> Failure {
    // Errors from tempfile name the temporary file, which is not helpful.
    let why =
        if error.raw_os_error().is_some() { error.to_string() } else { error.kind().to_string() };
    Failure::usage(format!("cannot write {}: {why}", show_path(path)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn all_or_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        write_all(&[(path("a.bin"), b"bin"), (path("a.gltf"), b"json")], false).unwrap();
        assert_eq!(names(folder.path()), ["a.bin", "a.gltf"]);

        assert!(write_all(&[(path("b"), b"new"), (path("none/c"), b"new")], true).is_err());
        assert!(write_all(&[(path("a.gltf"), b"new")], false).is_err(), "the file exists");
        assert_eq!(
            (names(folder.path()), fs::read(path("a.gltf")).unwrap()),
            (vec!["a.bin".into(), "a.gltf".into()], b"json".to_vec())
        );

        write_all(&[(path("a.gltf"), b"new")], true).unwrap();
        assert_eq!(fs::read(path("a.gltf")).unwrap(), b"new");
    }

    #[cfg(unix)]
    #[test]
    fn rewriting_keeps_links_permissions_and_owner() {
        use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
        let folder = tempfile::tempdir().unwrap();
        let (one, two) = (folder.path().join("one"), folder.path().join("two"));
        fs::write(&one, b"old and longer").unwrap();
        fs::set_permissions(&one, fs::Permissions::from_mode(0o640)).unwrap();
        fs::hard_link(&one, &two).unwrap();
        let before = fs::metadata(&one).unwrap();
        rewrite(&one, b"new").unwrap();
        let after = fs::metadata(&one).unwrap();
        assert_eq!((after.ino(), after.nlink(), after.mode()), (before.ino(), 2, before.mode()));
        assert_eq!(fs::read(&two).unwrap(), b"new", "both links have the new content");
        fs::remove_file(&two).unwrap();
        rewrite(&one, b"newer").unwrap();
        let replaced = fs::metadata(&one).unwrap();
        assert_eq!((replaced.uid(), replaced.gid()), (before.uid(), before.gid()));
        assert_eq!(replaced.mode(), before.mode());
        assert_eq!(names(folder.path()), ["one"], "no copy is left");
    }

    /// Root may change a file's owner, so the new file keeps the original owner.
    #[cfg(unix)]
    #[test]
    fn the_owner_is_preserved() {
        use std::os::unix::fs::{MetadataExt as _, chown};
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("theirs");
        fs::write(&path, b"old").unwrap();
        if chown(&path, Some(12_345), Some(12_345)).is_err() {
            return;
        }
        rewrite(&path, b"new").unwrap();
        let metadata = fs::metadata(&path).unwrap();
        assert_eq!((metadata.uid(), metadata.gid()), (12_345, 12_345));
        assert_eq!(fs::read(&path).unwrap(), b"new");
    }

    #[test]
    fn old_temporary_files_of_killed_runs_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, age: Duration| {
            let file = File::create(folder.path().join(name)).unwrap();
            file.set_modified(std::time::SystemTime::now() - age).unwrap();
        };
        let old = STALE * 2;
        file(".anim-aB3xYz.tmp", old);
        file(".anim-young1.tmp", Duration::ZERO);
        file(".anim-aB3xYz.copy", old);
        file(".anim-notes about it.tmp", old);
        file("walk.tmp", old);
        write_all(&[(folder.path().join("new"), b"")], false).unwrap();
        let left = [
            ".anim-aB3xYz.copy",
            ".anim-notes about it.tmp",
            ".anim-young1.tmp",
            "new",
            "walk.tmp",
        ];
        assert_eq!(names(folder.path()), left);
    }

    #[cfg(unix)]
    #[test]
    fn new_files_respect_the_umask() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let (ours, plain) = (folder.path().join("ours"), folder.path().join("plain"));
        write_all(&[(ours.clone(), b"")], false).unwrap();
        fs::write(&plain, b"").unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&ours), mode(&plain));
    }
}
