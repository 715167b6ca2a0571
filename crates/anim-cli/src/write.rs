//! Files are written beside their place and then moved there: what has a name is whole.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use anim_formats::folder_of;
use tempfile::{Builder, NamedTempFile};

use crate::status::Failure;
use crate::term::show_path;

/// What a file is called while it is written.
const PREFIX: &str = ".anim-";
const SUFFIX: &str = ".tmp";

/// Writes files. None of them is moved to its place before all are written; they are moved in the
/// order given.
pub(crate) fn write_all(files: &[(PathBuf, &[u8])], replace: bool) -> Result<(), Failure> {
    let mut written = Vec::new();
    for (path, bytes) in files {
        written
            .push((path, write_beside(path, bytes).map_err(|error| cannot_write(path, &error))?));
    }
    for (path, file) in written {
        let moved = if replace {
            // What it is may have changed since it was looked at.
            check_replaceable(path)?;
            file.persist(path)
        } else {
            file.persist_noclobber(path)
        };
        moved.map_err(|error| cannot_write(path, &error.error))?;
    }
    Ok(())
}

/// Writes a file anew in its place, with the permissions that it has.
pub(crate) fn rewrite(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    check_replaceable(path)?;
    let moved = fs::metadata(path).and_then(|metadata| {
        let permissions = metadata.permissions();
        if permissions.readonly() {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        let file = write_beside(path, bytes)?;
        file.as_file().set_permissions(permissions)?;
        file.persist(path).map_err(|error| error.error)
    });
    moved.map(drop).map_err(|error| cannot_write(path, &error))
}

fn write_beside(path: &Path, bytes: &[u8]) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // As for any new file: the umask takes away from it.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(folder_of(path))?;
    file.write_all(bytes)?;
    Ok(file)
}

/// Whether there is nothing or a regular file. A link is neither followed nor replaced, a pipe not
/// written into.
fn check_replaceable(path: &Path) -> Result<(), Failure> {
    let what = match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(cannot_write(path, &error)),
        Ok(metadata) if metadata.is_file() => return Ok(()),
        Ok(metadata) if metadata.is_dir() => "is a folder",
        Ok(metadata) if metadata.is_symlink() => "is a symbolic link; name the file itself",
        Ok(_) => "is no regular file",
    };
    Err(Failure::usage(format!("cannot write {}: it {what}", show_path(path))))
}

/// Whether the file may be written: over what exists only where that was asked for.
pub(crate) fn check_new(path: &Path, replace: bool) -> Result<(), Failure> {
    check_replaceable(path)?;
    if !replace && path.symlink_metadata().is_ok() {
        return Err(Failure::usage(format!("{} exists; --force replaces it", show_path(path))));
    }
    Ok(())
}

fn cannot_write(path: &Path, error: &io::Error) -> Failure {
    // Errors that tempfile makes name the temporary file, which is nobody's business.
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
        assert!(write_all(&[(path("a.gltf"), b"new")], false).is_err(), "it exists");
        assert_eq!(
            (names(folder.path()), fs::read(path("a.gltf")).unwrap()),
            (vec!["a.bin".into(), "a.gltf".into()], b"json".to_vec())
        );

        write_all(&[(path("a.gltf"), b"new")], true).unwrap();
        assert_eq!(fs::read(path("a.gltf")).unwrap(), b"new");
    }

    #[cfg(unix)]
    #[test]
    fn others_may_read_what_the_umask_lets_them() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let (ours, plain) = (folder.path().join("ours"), folder.path().join("plain"));
        write_all(&[(ours.clone(), b"")], false).unwrap();
        fs::write(&plain, b"").unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&ours), mode(&plain));
    }
}
