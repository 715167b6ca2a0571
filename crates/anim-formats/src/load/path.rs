//! Folders, and relative paths between them.

use std::path::{Component, Path, PathBuf};

use anim_ir::Scene;

/// Returns the folder of a file, for `open_folder` and `rebase_images`.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Makes image paths, which are relative to the folder `from`, relative to the folder `to`, in
/// which a file that refers to them will be written.
///
/// # Errors
///
/// Returns an error if one of the folders does not exist.
#[cfg(feature = "load")]
pub fn rebase_images(scene: &mut Scene, from: &Path, to: &Path) -> std::io::Result<()> {
    rebase_between(scene, &from.canonicalize()?, &to.canonicalize()?);
    Ok(())
}

/// Like [`rebase_images`](crate::rebase_images), for absolute paths of folders that need not exist.
pub fn rebase_between(scene: &mut Scene, from: &Path, to: &Path) {
    for image in &mut scene.images {
        if let Some(path) = &mut image.path
            && let Some(rebased) = way_between(&from.join(&*path), to)
        {
            *path = rebased;
        }
    }
}

/// Returns the relative path from one folder to another, with forward slashes; empty if they are
/// the same.
///
/// # Errors
///
/// Returns an error if one of the folders does not exist, or if no relative path leads from one to
/// the other, for example because they are on different drives.
#[cfg(feature = "load")]
pub fn way_to(folder: &Path, from: &Path) -> std::io::Result<String> {
    let none = || {
        std::io::Error::new(
            std::io::ErrorKind::InvalidInput,
            "no relative path leads from one folder to the other",
        )
    };
    way_between(&folder.canonicalize()?, &from.canonicalize()?).ok_or_else(none)
}

/// Returns the relative path from the folder `from` to a file or folder, with forward slashes;
/// empty if they are the same. Both are absolute, and need not exist. Returns `None` if no relative
/// path leads there.
pub fn way_between(path: &Path, from: &Path) -> Option<String> {
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
