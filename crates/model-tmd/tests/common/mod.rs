//! What the tests share: the fixtures, and diagnostics as a person would read them.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anim_ir::Diagnostics;

/// The folder of all fixtures.
#[allow(dead_code, unreachable_pub, reason = "not every test uses everything")]
pub fn testdata() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata")
}

/// Fixtures of these folders as (`ok/dot.tmd`, bytes), in order of their names.
#[allow(dead_code, unreachable_pub, reason = "not every test uses everything")]
pub fn fixtures(folders: &[&str]) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    for folder in folders {
        for entry in std::fs::read_dir(testdata().join("tmd").join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "tmd") {
                let name = format!("{folder}/{}", path.file_name().unwrap().to_string_lossy());
                found.push((name, std::fs::read(&path).unwrap()));
            }
        }
    }
    found.sort();
    assert!(found.len() > 5, "the fixtures are there");
    found
}

/// Each diagnostic with its place and the bytes there.
#[allow(dead_code, unreachable_pub, reason = "not every test uses everything")]
pub fn render(bytes: &[u8], diagnostics: &Diagnostics) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics {
        write!(out, "{}[{}]", diagnostic.severity().name(), diagnostic.code.id).unwrap();
        if let Some(span) = diagnostic.span {
            let bytes: Vec<String> =
                bytes[span.start..span.end].iter().map(|byte| format!("{byte:02x}")).collect();
            write!(out, " 0x{:X} {}", span.start, bytes.join(" ")).unwrap();
        }
        writeln!(out, ": {}", diagnostic.message).unwrap();
        if let Some(help) = &diagnostic.help {
            writeln!(out, "  help: {help}").unwrap();
        }
    }
    for (code, count) in diagnostics.counts() {
        if *count > Diagnostics::KEPT_PER_CODE {
            writeln!(out, "… {} more {}", count - Diagnostics::KEPT_PER_CODE, code.id).unwrap();
        }
    }
    out
}
