//! What the tests share: the fixtures, and diagnostics as a person would read them.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anim_ir::{Diagnostic, Diagnostics, source};

/// The fixtures of this format.
pub(crate) fn testdata() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/castle")
}

/// All fixtures as (`ok/url.castle-anim-frames`, bytes), in order of their names.
pub(crate) fn fixtures() -> Vec<(String, Vec<u8>)> {
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

/// Each diagnostic with its place and what it points at.
pub(crate) fn render(text: &[u8], diagnostics: &Diagnostics) -> String {
    let mut out = String::new();
    diagnostics.iter().for_each(|diagnostic| render_one(&mut out, text, diagnostic));
    for (code, count) in diagnostics.counts() {
        if *count > Diagnostics::KEPT_PER_CODE {
            writeln!(out, "… {} more {}", count - Diagnostics::KEPT_PER_CODE, code.id).unwrap();
        }
    }
    out
}

fn render_one(out: &mut String, text: &[u8], diagnostic: &Diagnostic) {
    write!(out, "{}[{}]", diagnostic.severity().name(), diagnostic.code.id).unwrap();
    if let Some(span) = diagnostic.span {
        let place = source::locate(text, span.start);
        write!(
            out,
            " {}:{} {}",
            place.line,
            place.column,
            anim_ir::diag::quote(&text[span.start..span.end])
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
