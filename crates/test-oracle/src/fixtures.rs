//! The files of `testdata/`, which `testdata/README.md` explains.

use std::fs;
use std::path::{Path, PathBuf};

/// Whether long sweeps were asked for: `ANIM_SWEEP=1`, which `cargo xtask sweep` sets.
pub fn sweep() -> bool {
    std::env::var_os("ANIM_SWEEP").is_some_and(|value| value == "1")
}

/// How many cases a test takes: `usual` ones, or `long` ones in a sweep.
pub fn scale<T>(usual: T, long: T) -> T {
    if sweep() { long } else { usual }
}

pub fn folder(format: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(format)
}

/// All fixtures of a format as (`ok/example.anm`, bytes), in order of their names: more than so
/// many files with one of these extensions.
pub fn all(format: &str, extensions: &[&str], more_than: usize) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    for severity in ["ok", "warn", "err"] {
        for entry in fs::read_dir(folder(format).join(severity)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|other| extensions.iter().any(|known| other == *known))
            {
                let name = format!("{severity}/{}", path.file_name().unwrap().to_string_lossy());
                found.push((name, fs::read(&path).unwrap()));
            }
        }
    }
    found.sort();
    assert!(found.len() > more_than, "the fixtures are there: {}", found.len());
    found
}
