//! Access to the files of `testdata/`, which `testdata/README.md` describes.

use std::fs;
use std::path::{Path, PathBuf};

/// Whether long sweeps are enabled with `ANIM_SWEEP=1`, as set by `cargo xtask sweep`.
pub fn sweep() -> bool {
    std::env::var_os("ANIM_SWEEP").is_some_and(|value| value == "1")
}

/// Returns the number of cases for a test: `usual`, or `long` in a sweep.
pub fn scale<T>(usual: T, long: T) -> T {
    if sweep() { long } else { usual }
}

pub fn folder(format: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(format)
}

/// Returns all fixtures of a format with one of the extensions, as (`ok/example.anm`, bytes),
/// sorted by name. Panics unless it finds more than `more_than`.
pub fn all(format: &str, extensions: &[&str], more_than: usize) -> Vec<(String, Vec<u8>)> {
    let is_wanted = |name: &str| {
        name.rsplit_once('.').is_some_and(|(_, extension)| extensions.contains(&extension))
    };
    files(format, &["ok", "warn", "err"], is_wanted, more_than)
}

/// Like [`all`], for the files in these folders whose names (such as `ok/example.anm`) satisfy
/// `is_wanted`.
pub fn files(
    format: &str,
    folders: &[&str],
    is_wanted: impl Fn(&str) -> bool,
    more_than: usize,
) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    for inner in folders {
        for entry in fs::read_dir(folder(format).join(inner)).unwrap() {
            let path = entry.unwrap().path();
            let name = format!("{inner}/{}", path.file_name().unwrap().to_string_lossy());
            if is_wanted(&name) {
                found.push((name, fs::read(path).unwrap()));
            }
        }
    }
    found.sort();
    assert!(found.len() > more_than, "too few fixtures: {}", found.len());
    found
}
