//! What the tests share: the fixtures.

use std::path::{Path, PathBuf};

/// The fixtures of this format.
#[allow(dead_code, unreachable_pub, reason = "not every test uses everything")]
pub fn testdata() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/anm-text")
}

/// All fixtures as (`ok/example.anm`, bytes), in order of their names.
#[allow(dead_code, unreachable_pub, reason = "not every test uses everything")]
pub fn fixtures() -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    for folder in ["ok", "warn", "err"] {
        for entry in std::fs::read_dir(testdata().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let name = format!("{folder}/{}", path.file_name().unwrap().to_string_lossy());
            found.push((name, std::fs::read(&path).unwrap()));
        }
    }
    found.sort();
    assert!(found.len() > 100, "the fixtures are there");
    found
}
