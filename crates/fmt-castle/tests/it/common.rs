//! Test helpers: loading fixtures and rendering diagnostics.

use std::fmt::Write as _;

use anim_ir::{Diagnostic, Diagnostics, source};
use fmt_castle::{Animation, Document};
use test_oracle::fixtures::folder;

pub(crate) use crate::any_edit::content;

/// Returns all fixtures as (`ok/url.castle-anim-frames`, bytes), sorted by name.
pub(crate) fn fixtures() -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    for severity in ["ok", "warn", "err", "load"] {
        for entry in std::fs::read_dir(folder("castle").join(severity)).unwrap() {
            let path = entry.unwrap().path();
            let name = format!("{severity}/{}", path.file_name().unwrap().to_string_lossy());
            if name.ends_with(".castle-anim-frames") || name.ends_with(".kanim") {
                found.push((name, std::fs::read(&path).unwrap()));
            }
        }
    }
    found.sort();
    assert!(found.len() > 200, "the fixtures exist");
    found
}

/// Parses a document that must be at least partly readable.
pub(crate) fn document(bytes: &[u8]) -> Document<'_> {
    Document::parse(bytes).unwrap().value
}

/// Describes each animation of a document, without spans.
pub(crate) fn said(document: &Document<'_>) -> Vec<String> {
    let animation = |animation: &Animation| {
        let Animation { name, scenes_per_time, equality_epsilon, loops, backwards, frames, .. } =
            animation;
        let mut said = format!("{name:?} {scenes_per_time} {equality_epsilon} {loops} {backwards}");
        for frame in frames {
            let kind = std::mem::discriminant(&frame.content);
            let content = content(document, &frame.content);
            said += &format!("\n{} {:?} {kind:?} {content}", frame.time, frame.bounding_box);
        }
        said
    };
    document.animations().iter().map(animation).collect()
}

/// Renders each diagnostic with its position and the text it points at.
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
        let marked = anim_ir::diag::quote(&text[span.start..span.end]);
        write!(out, " {}:{} {marked}", place.line, place.column).unwrap();
    }
    writeln!(out, ": {}", diagnostic.message).unwrap();
    if let Some(help) = &diagnostic.help {
        writeln!(out, "  help: {help}").unwrap();
    }
    if let Some(fix) = &diagnostic.fix {
        writeln!(out, "  fix: {:?}", fix.replacement).unwrap();
    }
}
