//! What the tests share: the fixtures, and diagnostics as a person would read them.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anim_ir::{Diagnostic, Diagnostics, source};

/// The fixtures of this format.
#[allow(dead_code, unreachable_pub, reason = "not every test uses everything")]
pub fn testdata() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/amo")
}

/// All fixtures as (`ok/spec.amo`, bytes), in order of their names.
#[allow(dead_code, unreachable_pub, reason = "not every test uses everything")]
pub fn fixtures() -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    for folder in ["ok", "warn", "err"] {
        for entry in std::fs::read_dir(testdata().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "amo" || extension == "hnd") {
                let name = format!("{folder}/{}", path.file_name().unwrap().to_string_lossy());
                found.push((name, std::fs::read(&path).unwrap()));
            }
        }
    }
    found.sort();
    assert!(found.len() > 100, "the fixtures are there");
    found
}

/// Each diagnostic with its place, its line and what is underlined.
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
        let place = source::locate(bytes, span.start);
        write!(out, " {}:{}", place.line, place.column).unwrap();
    }
    writeln!(out, ": {}", diagnostic.message).unwrap();
    if let Some(span) = diagnostic.span {
        let (start, end) = source::line_bounds(bytes, span.start);
        let line =
            String::from_utf8_lossy(&bytes[start..end.min(start + 100)]).replace('\t', " ").replace(|c: char| c.is_control() && c != '\t', "?");
        let column = source::locate(bytes, span.start).column - 1;
        let marks = source::characters(&bytes[span.start..span.end.min(end).max(span.start)]).clamp(1, 60);
        writeln!(out, "    {line}\n    {}{}", " ".repeat(column), "^".repeat(marks)).unwrap();
    }
    if let Some(help) = &diagnostic.help {
        writeln!(out, "  help: {help}").unwrap();
    }
    if let Some(fix) = &diagnostic.fix {
        writeln!(out, "  fix: {:?}", fix.replacement).unwrap();
    }
}
