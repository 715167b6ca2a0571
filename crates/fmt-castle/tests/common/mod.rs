//! What the tests share: the fixtures, and diagnostics as a person would read them.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anim_ir::text::Text;
use anim_ir::{Diagnostic, Diagnostics, source};

/// The fixtures of this format.
#[allow(dead_code, unreachable_pub, reason = "not every test uses everything")]
pub fn testdata() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/castle")
}

/// All fixtures as (`ok/url.castle-anim-frames`, bytes), in order of their names.
#[allow(dead_code, unreachable_pub, reason = "not every test uses everything")]
pub fn fixtures() -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    for folder in ["ok", "warn", "err", "load"] {
        for entry in std::fs::read_dir(testdata().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path
                .extension()
                .is_some_and(|extension| extension == "castle-anim-frames" || extension == "kanim")
            {
                let name = format!("{folder}/{}", path.file_name().unwrap().to_string_lossy());
                found.push((name, std::fs::read(&path).unwrap()));
            }
        }
    }
    found.sort();
    assert!(found.len() > 200, "the fixtures are there");
    found
}

/// Line and column of a byte, in the decoded text.
#[allow(dead_code, unreachable_pub, reason = "not every test uses everything")]
pub fn locate(bytes: &[u8], offset: usize) -> source::Location {
    match Text::of_xml(&bytes[..offset]) {
        Ok(before) => source::locate(before.as_str().as_bytes(), before.as_str().len()),
        Err(_) => source::locate(bytes, offset),
    }
}

/// Each diagnostic with its place and what it points at.
#[allow(dead_code, unreachable_pub, reason = "not every test uses everything")]
pub fn render(bytes: &[u8], diagnostics: &Diagnostics) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics {
        render_one(&mut out, bytes, diagnostic);
    }
    for (code, count) in diagnostics.counts() {
        if *count > Diagnostics::KEPT_PER_CODE {
            writeln!(out, "… {} more {}", count - Diagnostics::KEPT_PER_CODE, code.id).unwrap();
        }
    }
    out
}

fn render_one(out: &mut String, bytes: &[u8], diagnostic: &Diagnostic) {
    write!(out, "{}[{}]", diagnostic.severity().name(), diagnostic.code.id).unwrap();
    if let Some(span) = diagnostic.span {
        let place = locate(bytes, span.start);
        write!(
            out,
            " {}:{} {}",
            place.line,
            place.column,
            anim_ir::diag::quote(&bytes[span.start..span.end])
        )
        .unwrap();
    }
    writeln!(out, ": {}", diagnostic.message).unwrap();
    if let Some(help) = &diagnostic.help {
        writeln!(out, "  help: {help}").unwrap();
    }
    if let Some(fix) = &diagnostic.fix {
        writeln!(out, "  fix: {:?}", fix.replacement).unwrap();
    }
}
