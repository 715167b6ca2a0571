//! Folders, and relative paths between them.

use std::io;
use std::path::{Component, Path, PathBuf};

use anim_ir::Scene;

/// Returns the folder of a file, for [`super::open_folder`] and [`rebase_images`].
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Makes image paths, which are relative to the folder `from`, relative to the folder `to`, in
/// which a file that refers to them will be written.
///
/// # Errors
///
/// Returns an error if one of the folders does not exist.
pub fn rebase_images(scene: &mut Scene, from: &Path, to: &Path) -> io::Result<()> {
    let (from, to) = (from.canonicalize()?, to.canonicalize()?);
    for image in &mut scene.images {
        if let Some(path) = &mut image.path
            && let Some(rebased) = relative(&from.join(&*path), &to)
        {
            *path = rebased;
        }
    }
    Ok(())
}

/// Returns the relative path from one folder to another, with forward slashes; empty if they are
/// the same.
///
/// # Errors
///
/// Returns an error if one of the folders does not exist, or if no relative path leads from one to
/// the other, for example because they are on different drives.
pub fn way_to(folder: &Path, from: &Path) -> io::Result<String> {
    let none = || {
        io::Error::new(
            io::ErrorKind::InvalidInput,
            "no relative path leads from one folder to the other",
        )
    };
    relative(&folder.canonicalize()?, &from.canonicalize()?).ok_or_else(none)
}

fn relative(path: &Path, from: &Path) -> Option<String> {
    let parts = pathdiff::diff_paths(normal(path), from)?;
    let part = |part: Component<'_>| match part {
        Component::Normal(name) => Some(name.to_string_lossy().into_owned()),
        Component::ParentDir => Some("..".to_owned()),
        _ => None,
    };
    Some(parts.components().filter_map(part).collect::<Vec<_>>().join("/"))
}

/// Resolves `..` without accessing the file system, as for URIs.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(normal.pop()),
            part => normal.push(part),
        }
    }
    normal
}
